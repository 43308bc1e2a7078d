"""Small tournaments for tests: a spec in a line, results in a line, and whole runs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from fangnetz_server.tournament.checks import GameFacts
from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.reading import parse_spec
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing, Presence, SeatFact

__all__ = ["GAMES", "Judge", "duel_fact", "facts_of", "favourite", "play", "play_round", "spec_of"]

GAMES: Final[Mapping[str, GameFacts]] = {
    "spaceballs": GameFacts(2, 2),
    "right2live": GameFacts(2, 20, ("mansion", "marsh", "pocket")),
}

Judge = Callable[[Pairing], MatchFact]


def spec_of(kind: str, bots: int | Sequence[str], game: str = "spaceballs", **keys: Any) -> TournamentSpec:
    """Return a tournament; keys of the format go into `options`, others to the top.

    A number of bots gives a, b, c, … with ranks 1, 2, 3, …; names give bots without ranks.
    """
    options = keys.pop("options", {})
    entries: list[dict[str, object]] = (
        [{"bot": name, "rank": rank} for rank, name in enumerate(_names(bots), start=1)]
        if isinstance(bots, int)
        else [{"bot": name} for name in bots]
    )
    data = {"name": "Test", "game": game, "format": {"kind": kind, **options}, "entries": entries, **keys}
    return parse_spec(data, GAMES)


def _names(count: int) -> list[str]:
    return list("abcdefghijklmnopqrstuvwxyz"[:count]) if count <= 26 else [f"b{n:03}" for n in range(count)]


def duel_fact(pairing: Pairing, winner: str | None, faults: Mapping[str, int] | None = None) -> MatchFact:
    """Return the result of a duel; no winner is a draw."""
    seats = (
        SeatFact(
            bot,
            float(bot == winner),
            1 if winner in (None, bot) else 2,
            Presence.PLAYED,
            (faults or {}).get(bot, 0),
        )
        for bot in pairing.seats
    )
    return MatchFact(pairing.id, tuple(seats), "catch")


def favourite(pairing: Pairing) -> MatchFact:
    """Let the bot win whose name comes first in the alphabet; in a contest all come in by name."""
    order = sorted(pairing.seats)
    seats = (
        SeatFact(bot, float(len(order) - 1 - order.index(bot)), 1 + order.index(bot)) for bot in pairing.seats
    )
    return MatchFact(pairing.id, tuple(seats), "catch")


def facts_of(pairings: Iterable[Pairing], judge: Judge = favourite) -> tuple[MatchFact, ...]:
    """Return the results of all that are no byes."""
    return tuple(judge(pairing) for pairing in pairings if not pairing.is_bye)


def play_round(spec: TournamentSpec, history: History, judge: Judge = favourite) -> History:
    """Return the history after everything that is due has been handed out and played."""
    new = next_pairings(spec, history)
    facts = facts_of((*history.open(), *new), judge)
    return History(history.pairings + new, history.facts + facts, history.withdrawn)


def play(spec: TournamentSpec, judge: Judge = favourite, withdrawn: Iterable[str] = ()) -> History:
    """Play a tournament to its end."""
    history = History(withdrawn=frozenset(map(BotKey, withdrawn)))
    for _ in range(1000):
        after = play_round(spec, history, judge)
        if after == history:
            return history
        history = after
    raise AssertionError("the tournament does not end")
