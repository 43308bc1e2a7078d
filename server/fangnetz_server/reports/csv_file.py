"""A tournament as CSV: one table a file, safe to open in any spreadsheet."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

from fangnetz_server.reports.picture import Picture

__all__ = ["PARTS", "csv_file", "safe_cell"]

PARTS: Final = ("standings", "crosstable", "matches")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""A text that begins with one of these may be run as a formula by a spreadsheet (OWASP, CSV injection)."""

Cell = str | int | float | None


def csv_file(picture: Picture, part: str = "standings") -> str:
    """Return one of the `PARTS` as CSV with a header line.

    Raises:
        ValueError: there is no such part.
    """
    makers = {"standings": _standings, "crosstable": _crosstable, "matches": _matches}
    if part not in makers:
        raise ValueError(f"part {part!r} is none of {', '.join(PARTS)}")
    output = io.StringIO()
    writer = csv.writer(output)
    for row in makers[part](picture):
        writer.writerow([safe_cell(cell) for cell in row])
    return output.getvalue()


def safe_cell(cell: Cell) -> str | int | float:
    """Return a cell that no spreadsheet takes for a formula: such a text gets a quote in front."""
    if cell is None:
        return ""
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA):
        return "'" + cell
    return cell


def _standings(picture: Picture) -> Iterator[Iterable[Cell]]:
    yield (
        *("table", "place", "shared", "bot", "points", "played", "wins", "draws", "losses", "byes"),
        *("absences", "faults", "withdrawn", "rating", "uncertainty", "tie_breaks"),
    )
    for table in picture.tables:
        for row in table.rows:
            rating = picture.rating(row.bot)
            yield (
                *(table.name, row.place, int(row.shared), row.bot, row.points, row.played),
                *(row.wins, row.draws, row.losses, row.byes, row.absences, row.faults, int(row.withdrawn)),
                None if rating is None else round(rating.mu, 3),
                None if rating is None else round(rating.sigma, 3),
                "; ".join(f"{name} {value:g}" for name, value in row.tie_breaks),
            )


def _crosstable(picture: Picture) -> Iterator[Iterable[Cell]]:
    cross = picture.crosstable
    yield ("bot", *cross.bots)
    for bot, cells in zip(cross.bots, cross.cells, strict=True):
        yield (bot, *(None if cell is None else str(cell) for cell in cells))


def _matches(picture: Picture) -> Iterator[Iterable[Cell]]:
    yield (
        *("pairing", "round", "map", "seat", "bot", "points", "place", "reason", "match"),
        *("ended_at", "correction"),
    )
    for line in picture.matches:
        for seat, bot in enumerate(line.bots):
            yield (
                *(line.pairing, line.round, line.map, seat, bot, line.points[seat], line.places[seat]),
                *(line.reason, line.match),
                None if line.ended_at is None else line.ended_at.isoformat(timespec="seconds"),
                line.correction,
            )
