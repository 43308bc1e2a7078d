"""All matches of one process: who plays where, and when enough were played. No socket in here."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from fangnetz.bot import Bot
from fangnetz.player import AnyBot, Faults, Greeting, Player
from fangnetz.problems import WrongUse
from fangnetz_protocol.messages import Leave, MatchEnd, MatchStart, Ready
from fangnetz_protocol.words import ActionStatus, MatchId

__all__ = ["BotSource", "Playable", "Table"]

log: Final = logging.getLogger("fangnetz")
Playable = AnyBot | Callable[[], AnyBot]
"""What can be run: a bot class or another function that makes a bot, or one bot for one match at a time."""


class BotSource:
    """Gives a bot to each match.

    Args:
        playable: a class or another factory, called once a match; or a bot, used again and again.

    Raises:
        WrongUse: it is none of these, or the bot names no game.
    """

    def __init__(self, playable: Playable) -> None:
        self._factory: Final = None if isinstance(playable, Bot) else playable
        first: object = playable() if callable(playable) else playable
        if not isinstance(first, Bot):
            raise WrongUse(f"{playable!r} is no bot: subclass Right2LiveBot, SpaceballsBot or Bot")
        if not isinstance(getattr(first, "game", None), str):
            raise WrongUse(f'{type(first).__name__} has to name its game: game = "…"')
        self._spare: AnyBot | None = first
        self.game: Final = first.game
        self.name: Final = (first.name or type(first).__name__)[:40]

    def take(self) -> AnyBot | None:
        """Return a bot for a new match; None if the only one is at play."""
        bot, self._spare = self._spare, None
        return self._factory() if bot is None and self._factory else bot

    def give_back(self, bot: AnyBot) -> None:
        """Take back a bot after its match; one that a factory made plays no second one."""
        if self._factory is None:
            self._spare = bot


class Table:
    """The running matches of a client and the results of the finished ones.

    Args:
        source: where the bots come from.
        matches: number of matches to play; None: no end.
        name: name to show; None: the bot's own.
    """

    language: Final = "Python"

    def __init__(self, source: BotSource, matches: int | None, name: str | None = None) -> None:
        self.name: Final = name or source.name
        self.games: Final = (source.game,)
        self.players: dict[MatchId, Player] = {}
        self.results: list[MatchEnd] = []
        self.faults: Final = Faults()
        self._left = 0
        self._source = source
        self._matches = matches

    @property
    def done(self) -> bool:
        """True once as many matches are finished, or given up by their bots, as were asked for."""
        return self._matches is not None and len(self.results) + self._left >= self._matches

    @property
    def is_playing(self) -> bool:
        """True while a match is running."""
        return bool(self.players)

    def start(self, message: MatchStart) -> Greeting | Awaitable[Greeting]:
        """Seat a bot at a match and return what to answer, or a promise of it if the bot takes its time."""
        match = message.match
        known = self.players.get(match)
        if known is not None:  # After a resume; a bot that was prepared knows the match already.
            return Ready(match=match) if known.is_prepared else known.prepare()
        bot = self._bot_for(message)
        if bot is None:
            return Leave(match=match)
        log.info("match %s begins: %s, seat %d of %d", match, message.game, message.seat, len(message.seats))
        player = self.players[match] = Player(bot, message, self.faults)
        return player.prepare()

    def leave(self, match: MatchId) -> None:
        """Forget a match that its bot has given up."""
        player = self.players.pop(match, None)
        if player is None:
            return
        log.info("match %s is given up by the bot", match)
        self._left += 1
        self._source.give_back(player.bot)

    def end(self, message: MatchEnd) -> None:
        """Take the result of a match; one without a player of ours changes nothing."""
        player = self.players.pop(message.match, None)
        if player is None:
            return
        log.info("match %s is over: %s", message.match, _summary(player, message))
        player.end(message)
        self.results.append(message)
        self._source.give_back(player.bot)

    def forget_all(self) -> None:
        """Drop all running matches: the server could not give the seats back."""
        for match, player in self.players.items():
            log.warning("match %s is lost: the server knows nothing of this bot any more", match)
            self._source.give_back(player.bot)
        self.players.clear()

    @property
    def _taken(self) -> int:
        return len(self.results) + self._left + len(self.players)

    def _bot_for(self, message: MatchStart) -> AnyBot | None:
        if message.game != self._source.game:
            log.warning(
                "match %s is left: this bot plays %s, not %s", message.match, self._source.game, message.game
            )
            return None
        if self._matches is not None and self._taken >= self._matches:
            log.info("match %s is left: enough are at play", message.match)
            return None
        bot = None
        with self.faults.watch("bot"):
            bot = self._source.take()
        if bot is None:
            log.warning(
                "match %s is left: this one bot is at play; run its class to play several", message.match
            )
        return bot


def _summary(player: Player, result: MatchEnd) -> str:
    seat = player.bot.seat
    seats = len(result.places)
    text = f"{result.reason}, {result.ticks} ticks"
    if seat < seats and seat < len(result.points):
        text = f"place {result.places[seat]} of {seats} with {result.points[seat]:g} points, {text}"
    troubles = [
        f"{count} {status}"
        for status, count in sorted(player.statuses.items())
        if status in (ActionStatus.LATE, ActionStatus.MISSING, ActionStatus.INVALID)
    ]
    return f"{text} (actions: {', '.join(troubles)})" if troubles else text
