"""The one door to the formats: which matches are to be played next, and is it over.

Both are functions of the tournament and its history alone. Called twice with the same history they
give the same pairings with the same ids, so a crash between computing and storing costs nothing.
What is returned has to be stored together, in one transaction.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import assert_never

from fangnetz_server.tournament.free_for_all import free_for_all
from fangnetz_server.tournament.groups import groups
from fangnetz_server.tournament.knockout import knockout
from fangnetz_server.tournament.ladder import ladder
from fangnetz_server.tournament.options import (
    DoubleEliminationOptions,
    FreeForAllOptions,
    GroupsOptions,
    KnockoutOptions,
    LadderOptions,
    RoundRobinOptions,
    SwissOptions,
)
from fangnetz_server.tournament.ratings import Rating
from fangnetz_server.tournament.ratings import ratings as compute_ratings
from fangnetz_server.tournament.round_robin import round_robin
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.swiss import swiss
from fangnetz_server.tournament.values import BotKey, History, Pairing

__all__ = ["is_complete", "next_pairings"]


def next_pairings(
    spec: TournamentSpec,
    history: History,
    *,
    away: Collection[BotKey] = (),
    ratings: Mapping[BotKey, Rating] | None = None,
) -> tuple[Pairing, ...]:
    """Return the matches and byes that can be handed out now, beyond those of the history.

    Args:
        away: ladder only: bots that are not there, to be left out without a walkover.
        ratings: ladder only: what the facts make of the bots; None: computed from the history. With
            ratings given and no limit of meetings, the history may be cut to its last rounds.
    """
    return tuple(_due(spec, history, away, ratings))


def is_complete(spec: TournamentSpec, history: History) -> bool:
    """Tell whether nothing is left to play; never true for a ladder without a limit."""
    if isinstance(spec.format, LadderOptions) and spec.format.meetings is None:
        return False
    return not history.open() and not next_pairings(spec, history)


def _due(
    spec: TournamentSpec,
    history: History,
    away: Collection[BotKey],
    ratings: Mapping[BotKey, Rating] | None,
) -> Iterator[Pairing]:
    match spec.format:
        case RoundRobinOptions(legs=legs):
            if not history.pairings:
                bots = [bot for bot in spec.bots() if bot not in history.withdrawn]
                yield from round_robin(spec, bots, legs)
        case SwissOptions() as options:
            yield from swiss(spec, options, history)
        case KnockoutOptions() | DoubleEliminationOptions() as options:
            yield from knockout(spec, options, spec.bots(), history)
        case GroupsOptions() as options:
            yield from groups(spec, options, history)
        case FreeForAllOptions() as options:
            yield from free_for_all(spec, options, history)
        case LadderOptions() as options:
            known = compute_ratings(history) if ratings is None else ratings
            yield from ladder(spec, options, history, away, known)
        case never:
            assert_never(never)
