"""A tournament at one moment, as far as somebody may see it: everything that reports are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fangnetz_server.store.values import MatchRecord, PairingRecord, SeatTotals, Tournament
from fangnetz_server.tournament.crosstable import Crosstable, Record, crosstable
from fangnetz_server.tournament.elo import EloEstimate, elo_from_results
from fangnetz_server.tournament.options import FreeForAllOptions
from fangnetz_server.tournament.ratings import Rating, RatingPoint, rating_history
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.standings import Row, Table, standings
from fangnetz_server.tournament.values import BotKey, History, MatchFact, PairingId

__all__ = [
    "MatchLine",
    "Picture",
    "elo_json",
    "lines_of",
    "opponents_json",
    "picture_of",
    "rating_json",
    "tables_json",
]


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A result: who, where and how; `match` is None for what nobody needs to look up."""

    pairing: PairingId
    round: int
    map: str | None
    bots: tuple[BotKey, ...]
    points: tuple[float | None, ...]
    places: tuple[int | None, ...]
    reason: str
    match: str | None
    has_replay: bool = False
    ended_at: datetime | None = None
    correction: str | None = None
    """Why the host has changed it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that reports are made of; `until` is the newest round in it, None: all."""

    id: str
    name: str
    game: str
    state: str
    until: int | None
    spec: TournamentSpec
    tables: tuple[Table, ...]
    crosstable: Crosstable
    ratings: Mapping[BotKey, tuple[RatingPoint, ...]]
    matches: tuple[MatchLine, ...] = ()
    totals: Mapping[BotKey, SeatTotals] | None = None

    @property
    def rows(self) -> tuple[Row, ...]:
        """The table of the whole tournament."""
        return self.tables[0].rows

    @property
    def is_duels(self) -> bool:
        return not isinstance(self.spec.format, FreeForAllOptions)

    def rating(self, bot: BotKey) -> Rating | None:
        """Return a bot's newest rating."""
        points = self.ratings.get(bot)
        return points[-1].rating if points else None

    def elo(self, row: Row) -> EloEstimate | None:
        """Return how much stronger than its opponents a bot has played; None in a contest."""
        return elo_from_results(row.wins, row.draws, row.losses) if self.is_duels else None


def picture_of(tournament: Tournament, spec: TournamentSpec, history: History, until: int | None) -> Picture:
    """Compute tables, crosstable and ratings; takes a while for a large tournament.

    Args:
        tournament: as the store has it.
        spec: its file.
        history: all of it.
        until: the last round that may be seen; None: all.
    """
    shown = history if until is None else history.until_round(until)
    points = rating_history(shown)
    latest = {bot: found[-1].rating for bot, found in points.items()}
    tables = standings(spec, shown, latest)
    cross = crosstable(spec, shown, [row.bot for row in tables[0].rows])
    return Picture(
        id=tournament.id,
        name=tournament.name,
        game=spec.game,
        state=tournament.state,
        until=until,
        spec=spec,
        tables=tables,
        crosstable=cross,
        ratings={bot: tuple(found) for bot, found in points.items()},
    )


def lines_of(
    history: History, records: Sequence[PairingRecord], known: Mapping[str, MatchRecord]
) -> tuple[MatchLine, ...]:
    """Return the results of a history in playing order.

    Args:
        history: as far as it may be seen.
        records: the pairings with the matches that decided them.
        known: the finished matches by id.
    """
    decided = {record.pairing.id: record.decided_by for record in records}
    return tuple(
        _line(pairing.round, pairing.map, fact, known.get(decided.get(pairing.id) or ""))
        for pairing, fact in history.played()
    )


def _line(round_: int, map_name: str | None, fact: MatchFact, record: MatchRecord | None) -> MatchLine:
    correction = None if record is None else record.correction
    return MatchLine(
        pairing=fact.pairing,
        round=round_,
        map=map_name,
        bots=tuple(seat.bot for seat in fact.seats),
        points=tuple(seat.points for seat in fact.seats),
        places=tuple(seat.place for seat in fact.seats),
        reason=fact.reason,
        match=None if record is None else record.match,
        has_replay=record is not None and record.replay_sha256 is not None,
        ended_at=None if record is None else record.ended_at,
        correction=None if correction is None else correction.why,
    )


# --- plain values -----------------------------------------------------------------------------


def tables_json(picture: Picture) -> dict[str, Any]:
    """Return tables and crosstable as plain values."""
    return {
        "tables": [
            {"name": table.name, "rows": [_row_json(picture, row) for row in table.rows]}
            for table in picture.tables
        ],
        "crosstable": {
            "bots": list(picture.crosstable.bots),
            "cells": [[_cell_json(cell) for cell in row] for row in picture.crosstable.cells],
        },
    }


def opponents_json(picture: Picture, bot: BotKey) -> list[dict[str, Any]]:
    """Return a bot's games against each other one, with the Elo difference that follows from them."""
    cross = picture.crosstable
    cells = cross.cells[cross.bots.index(bot)]
    return [
        {
            "bot": other,
            "text": str(cell),
            "points": cell.points,
            "elo": elo_json(_elo(cell)) if picture.is_duels else None,
        }
        for other, cell in zip(cross.bots, cells, strict=True)
        if cell is not None
    ]


def _row_json(picture: Picture, row: Row) -> dict[str, Any]:
    return {
        "place": row.place,
        "shared": row.shared,
        "bot": row.bot,
        "points": row.points,
        "played": row.played,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "byes": row.byes,
        "absences": row.absences,
        "faults": row.faults,
        "withdrawn": row.withdrawn,
        "tie_breaks": {str(name): value for name, value in row.tie_breaks},
        "maps": [{"map": mean.map, "mean": mean.mean, "matches": mean.matches} for mean in row.maps],
        "rating": rating_json(picture.rating(row.bot)),
        "elo": elo_json(picture.elo(row)),
    }


def _cell_json(cell: Record | None) -> tuple[int, int, int, float] | None:
    """Wins, draws, losses and points; short, because a table of 200 bots has 40,000 cells."""
    return None if cell is None else (cell.wins, cell.draws, cell.losses, cell.points)


def _elo(cell: Record) -> EloEstimate:
    return elo_from_results(cell.wins, cell.draws, cell.losses)


def rating_json(rating: Rating | None) -> dict[str, float] | None:
    """Return a rating with its uncertainty."""
    if rating is None:
        return None
    return {"mu": round(rating.mu, 3), "sigma": round(rating.sigma, 3), "low": round(rating.low, 3)}


def elo_json(elo: EloEstimate | None) -> dict[str, float | int | None] | None:
    """Return an Elo difference with its error bars and the likelihood of superiority."""
    if elo is None or elo.games == 0:
        return None
    return {
        "games": elo.games,
        "elo": _rounded(elo.elo),
        "low": _rounded(elo.low),
        "high": _rounded(elo.high),
        "superiority": round(elo.superiority, 4),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
