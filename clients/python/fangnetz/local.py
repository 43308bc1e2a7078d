"""Matches inside one process: no server, no sockets, as fast as the bots think.

Needs the rules of the games, which the extra `local` brings: pip install 'fangnetz[local]'.
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fangnetz.bot import Bot
from fangnetz.problems import WrongUse
from fangnetz_protocol.messages import LastAction, MatchEnd, MatchStart, Seat
from fangnetz_protocol.words import ActionStatus, MatchId, Pace, SeatId, Tick

if TYPE_CHECKING:
    from fangnetz_server.games.contract import Game, GameState, Outcome

__all__ = ["LocalGamesError", "LocalResult", "LocalSeat", "play_local", "require_games"]

AnyBot = Bot[Any, Any]
MATCH: Final = MatchId("local")


class LocalGamesError(WrongUse):
    """The rules of the game are not installed here."""


@dataclass(frozen=True, slots=True)
class LocalResult:
    """How a match ended; lists have one entry a seat."""

    points: tuple[float, ...]
    places: tuple[int, ...]
    """From 1; equal seats share one."""
    reason: str
    ticks: int
    frames: tuple[Mapping[str, Any], ...] = ()
    """What spectators would have seen, from tick 0 on, if asked for."""


def play_local(
    game: str,
    bots: Sequence[AnyBot],
    *,
    seed: int,
    setup: Mapping[str, Any] | None = None,
    frames: bool = False,
) -> LocalResult:
    """Play a whole match in this process and return how it ended.

    The bots get and give exactly what they would over the network, but have all the time they
    want, and an exception of theirs is not caught: it is what one wants to see while testing.

    Args:
        game: id of an installed game, such as "spaceballs".
        bots: one bot a seat; `decide` must not be async.
        seed: the match seed; with the same bots it gives the same match.
        setup: what to fix of the start position, as in a scenario file.
        frames: whether to keep what spectators would have seen.

    Raises:
        LocalGamesError: the rules are not installed, or there is no such game.
        ValueError: the bots do not fit the game, or the setup is wrong.
    """
    rules = _rules(game)
    for bot in bots:
        if bot.game != game:
            raise ValueError(f"{type(bot).__name__} plays {bot.game}, not {game}")
        for method in (bot.start, bot.decide):
            if inspect.iscoroutinefunction(method):
                raise ValueError(f"{method.__qualname__} is async; a local match needs a plain method")
    state = rules.prepare(seed, _seated(rules, setup or {}, len(bots)))
    if state.seat_count != len(bots):
        raise ValueError(f"the match has {state.seat_count} seats, but there are {len(bots)} bots")
    return _play(rules, state, bots, keep_frames=frames)


class LocalSeat:
    """A bot at a seat of a match that is played without a server.

    Args:
        rules: the game.
        seat: the bot's seat.
        bot: the bot; it gets and gives what it would over the network.
        names: of all seats.
    """

    def __init__(self, rules: "Game[Any, Any]", seat: SeatId, bot: AnyBot, names: Sequence[str]) -> None:
        self._rules = rules
        self._seat = seat
        self._bot = bot
        self._names = names

    def begin(self, state: "GameState") -> None:
        """Let the bot prepare for the match that begins with `state`."""
        match = self._match_start(state)
        self._bot.take_seat(match)
        self._bot.last_action = None
        self._bot.start(match)

    def act(self, state: "GameState") -> Any:
        """Ask the bot and return its action, as the rules read it."""
        self._bot.tick = state.tick
        choice = self._bot.decide(self._bot.read(self._rules.observe(state, self._seat)))
        return self._rules.parse_action(self._bot.write(choice))

    def learn(self, state: "GameState") -> None:
        """Tell the bot what became of the action that led to `state`."""
        blocked = self._rules.was_blocked(state, self._seat)
        status = ActionStatus.BLOCKED if blocked else ActionStatus.APPLIED
        self._bot.last_action = LastAction(tick=Tick(state.tick - 1), status=status, latency_ms=0.0)

    def end(self, state: "GameState", outcome: "Outcome") -> None:
        """Tell the bot how the match ended."""
        end = MatchEnd(
            match=MATCH,
            reason=outcome.reason,
            places=outcome.places,
            points=outcome.points,
            ticks=state.tick,
            replay=None,
        )
        self._bot.end(end)

    def _match_start(self, state: "GameState") -> MatchStart:
        rules = self._rules
        return MatchStart(
            match=MATCH,
            game=rules.info.id,
            rules_version=rules.info.rules_version,
            ruleset=rules.ruleset(state),
            seats=tuple(Seat(seat=SeatId(seat), name=name) for seat, name in enumerate(self._names)),
            pace=Pace.LOCKSTEP,
            tick_ms=rules.info.tick_ms,
            deadline_ms=rules.info.deadline_ms,
            bank_ms=0,
            action_delay=0,
            ticks=rules.last_tick(state),
            setup=rules.briefing(state, self._seat),
            seat=self._seat,
        )


def _play(
    rules: "Game[Any, Any]", state: "GameState", bots: Sequence[AnyBot], *, keep_frames: bool
) -> LocalResult:
    names = [bot.name or type(bot).__name__ for bot in bots]
    seats = [LocalSeat(rules, SeatId(number), bot, names) for number, bot in enumerate(bots)]
    frames = [rules.frame(state)] if keep_frames else []
    for seat in seats:
        seat.begin(state)
    while (outcome := rules.outcome(state)) is None:
        state = rules.step(state, [seat.act(state) for seat in seats])
        for seat in seats:
            seat.learn(state)
        if keep_frames:
            frames.append(rules.frame(state))
    for seat in seats:
        seat.end(state, outcome)
    return LocalResult(outcome.points, outcome.places, outcome.reason, state.tick, tuple(frames))


def require_games() -> "Mapping[str, Game[Any, Any]]":
    """Return the installed games by their id.

    Raises:
        LocalGamesError: the rules are not installed.
    """
    try:
        from fangnetz_server.games.registry import load_games
    except ImportError as error:
        raise LocalGamesError("local matches need the rules: pip install 'fangnetz[local]'") from error
    return load_games()


def _rules(name: str) -> "Game[Any, Any]":
    games = require_games()
    if name not in games:
        raise LocalGamesError(f"no game {name!r} is installed; there are {', '.join(games)}")
    return games[name]


def _seated(rules: "Game[Any, Any]", setup: Mapping[str, Any], bots: int) -> Mapping[str, Any]:
    """Return the setup with the number of seats, where the game leaves it open."""
    if rules.info.min_seats == rules.info.max_seats or setup.get("seats") is not None:
        return setup
    return {**setup, "seats": bots}
