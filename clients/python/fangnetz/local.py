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

__all__ = ["LocalGamesError", "LocalResult", "play_local", "require_games"]

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
    return _Table(rules, state, bots).play(keep_frames=frames)


class _Table:
    """One match that is being played."""

    def __init__(self, rules: "Game[Any, Any]", state: "GameState", bots: Sequence[AnyBot]) -> None:
        self._rules = rules
        self._state = state
        self._seats = [(SeatId(number), bot) for number, bot in enumerate(bots)]

    def play(self, *, keep_frames: bool) -> LocalResult:
        rules = self._rules
        frames = [rules.frame(self._state)] if keep_frames else []
        for seat, bot in self._seats:
            match = self._match_start(seat)
            bot.take_seat(match)
            bot.last_action = None
            bot.start(match)
        while (outcome := rules.outcome(self._state)) is None:
            self._tick()
            if keep_frames:
                frames.append(rules.frame(self._state))
        self._tell_end(outcome)
        return LocalResult(outcome.points, outcome.places, outcome.reason, self._state.tick, tuple(frames))

    def _tick(self) -> None:
        before = Tick(self._state.tick)
        actions = [self._ask(seat, bot) for seat, bot in self._seats]
        self._state = self._rules.step(self._state, actions)
        for seat, bot in self._seats:
            blocked = self._rules.was_blocked(self._state, seat)
            status = ActionStatus.BLOCKED if blocked else ActionStatus.APPLIED
            bot.last_action = LastAction(tick=before, status=status, latency_ms=0.0)

    def _ask(self, seat: SeatId, bot: AnyBot) -> Any:
        bot.tick = self._state.tick
        action = bot.decide(bot.read(self._rules.observe(self._state, seat)))
        return self._rules.parse_action(bot.write(action))

    def _match_start(self, seat: SeatId) -> MatchStart:
        rules, state = self._rules, self._state
        return MatchStart(
            match=MATCH,
            game=rules.info.id,
            rules_version=rules.info.rules_version,
            ruleset=rules.ruleset(state),
            seats=tuple(
                Seat(seat=number, name=bot.name or type(bot).__name__) for number, bot in self._seats
            ),
            pace=Pace.LOCKSTEP,
            tick_ms=rules.info.tick_ms,
            deadline_ms=rules.info.deadline_ms,
            bank_ms=0,
            action_delay=0,
            ticks=rules.last_tick(state),
            setup=rules.briefing(state, seat),
            seat=seat,
        )

    def _tell_end(self, outcome: "Outcome") -> None:
        end = MatchEnd(
            match=MATCH,
            reason=outcome.reason,
            places=outcome.places,
            points=outcome.points,
            ticks=self._state.tick,
            replay=None,
        )
        for _, bot in self._seats:
            bot.end(end)


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
