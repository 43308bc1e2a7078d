"""How figures are written for people, the same in every report."""

from datetime import UTC, datetime
from typing import Final

from fangnetz_server.reports.picture import MatchLine, Picture
from fangnetz_server.tournament.elo import EloEstimate
from fangnetz_server.tournament.ratings import Rating
from fangnetz_server.tournament.standings import Row

__all__ = [
    "TEXTS",
    "columns",
    "elo_text",
    "number",
    "period",
    "rating_text",
    "reason_text",
    "result_text",
    "row_cells",
    "subtitle",
]

TEXTS: Final = ("bot", "tie-breaks", "map", "result", "how it ended", "replay")
"""Columns with words; the others are numbers and stand to the right."""


def number(value: float | None, decimals: int = 3) -> str:
    """Return a number with up to so many decimals, none where none are needed."""
    return "" if value is None else f"{value:.{decimals}f}".rstrip("0").rstrip(".")


def rating_text(rating: Rating | None) -> str:
    """Return a rating with the half width of its 95 % interval."""
    return "" if rating is None else f"{rating.mu:.1f} ± {2 * rating.sigma:.1f}"


def elo_text(elo: EloEstimate | None) -> str:
    """Return an Elo difference with its bounds; a score of 0 or 1 has none."""
    if elo is None or elo.games == 0 or elo.elo is None:
        return ""
    low = "-∞" if elo.low is None else _signed(elo.low)
    high = "+∞" if elo.high is None else _signed(elo.high)
    return f"{_signed(elo.elo)} ({low} … {high})"


def _signed(value: float) -> str:
    return f"{round(value):+d}" if round(value) else "0"


def subtitle(picture: Picture) -> str:
    """Return what is played, how, and how far it is."""
    kind = picture.spec.format.kind.replace("_", " ")
    parts = [picture.spec.game, kind, _how_far(picture), f"{len(picture.rows)} bots"]
    if picture.matches:
        parts.append(f"{len(picture.matches)} matches")
        parts.append(period([line.ended_at for line in picture.matches if line.ended_at is not None]))
    return ", ".join(part for part in parts if part)


def _how_far(picture: Picture) -> str:
    if picture.until is None:
        return picture.state
    return f"results up to round {picture.until}" if picture.until else "no results are released yet"


def period(moments: list[datetime]) -> str:
    """Return from when to when, in days."""
    if not moments:
        return ""
    first, last = (f"{moment.astimezone(UTC):%Y-%m-%d}" for moment in (min(moments), max(moments)))
    return first if first == last else f"{first} to {last}"


def reason_text(line: MatchLine) -> str:
    """Return how a match ended, and why its result was changed."""
    note = "" if line.correction is None else f" (corrected: {line.correction})"
    return f"{line.reason.replace('_', ' ')}{note}"


def result_text(line: MatchLine) -> str:
    """Return who got how many points, by seats."""
    seats = zip(line.bots, line.points, strict=True)
    return ", ".join(f"{bot} {number(points) or '-'}" for bot, points in seats)


# --- tables -----------------------------------------------------------------------------------


def columns(picture: Picture) -> list[str]:
    """Return the heads of a table's columns."""
    outcomes = ["wins", "draws", "losses"] if picture.is_duels else ["first places"]
    elo = ["Elo to the field"] if picture.is_duels else []
    ties = ["tie-breaks"] if _has_ties(picture) else []
    maps = [f"∅ {name}" for name in _maps(picture)]
    return ["place", "bot", "points", *maps, "played", *outcomes, "absent", "faults", "rating", *elo, *ties]


def row_cells(picture: Picture, row: Row) -> list[str]:
    """Return a bot's cells, one a column."""
    outcomes = [row.wins, row.draws, row.losses] if picture.is_duels else [row.wins]
    means = {mean.map: mean.mean for mean in row.maps}
    ties = ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in row.tie_breaks)
    return [
        f"{row.place}{'=' if row.shared else ''}",
        f"{row.bot}{' (withdrawn)' if row.withdrawn else ''}",
        number(row.points),
        *(number(means.get(name), 2) for name in _maps(picture)),
        *map(str, (row.played, *outcomes, row.absences, row.faults)),
        rating_text(picture.rating(row.bot)),
        *([elo_text(picture.elo(row))] if picture.is_duels else []),
        *([ties] if _has_ties(picture) else []),
    ]


def _has_ties(picture: Picture) -> bool:
    return any(row.tie_breaks for table in picture.tables for row in table.rows)


def _maps(picture: Picture) -> list[str]:
    """Return the maps of a contest, whose means add up to the points; of a single one they are the same."""
    found = {mean.map: None for row in picture.rows for mean in row.maps if mean.map is not None}
    return list(found) if len(found) > 1 else []
