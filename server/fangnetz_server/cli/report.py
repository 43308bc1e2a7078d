"""Tables of results for the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fangnetz_server.match.result import MatchResult, SeatResult
from fangnetz_server.match.seats import Presence

__all__ = ["Standing", "result_table", "standings_table"]


def result_table(result: MatchResult) -> RenderableType:
    """Return places, points, and how the bots kept the time."""
    headline = f"\n{result.game} · {result.reason} after {result.ticks} ticks · seed {result.seed}"
    table = Table(header_style="bold", box=None, padding=(0, 2, 0, 0))
    for column in ("place", "bot", "points", "median ms", "p99 ms", "late", "missing", "invalid"):
        table.add_column(column, justify="left" if column == "bot" else "right")
    for seat in sorted(result.seats, key=lambda seat: (seat.place or 0, seat.seat)):
        table.add_row(*_cells(seat))
    return Group(Text(headline, style="italic"), table)


def _cells(seat: SeatResult) -> list[str]:
    absent = "" if seat.presence is Presence.PLAYED else f" ({seat.presence})"
    stats = seat.stats
    return [
        "-" if seat.place is None else str(seat.place),
        f"{seat.name}{absent}",
        "-" if seat.points is None else f"{seat.points:g}",
        "-" if stats.latency_median_ms is None else f"{stats.latency_median_ms:.1f}",
        "-" if stats.latency_p99_ms is None else f"{stats.latency_p99_ms:.1f}",
        str(stats.late),
        str(stats.missing),
        str(stats.invalid),
    ]


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot's line in a table over several matches."""

    name: str
    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0


def standings_table(title: str, lines: Sequence[Standing], more: Mapping[str, Mapping[str, str]]) -> Table:
    """Return a table of standings.

    Args:
        title: stands above it.
        lines: the bots, the best first.
        more: columns that follow, by their heading; each has a text for each bot.
    """
    table = Table(title=title, title_justify="left", title_style="bold green", header_style="bold", box=None)
    for column in ("", "bot", "matches", "wins", "draws", "losses", "points", *more):
        table.add_column(column, justify="left" if column == "bot" else "right")
    # The points stand under each other, so all have as many decimals as the longest one.
    decimals = max((len(_points(line).partition(".")[2]) for line in lines), default=0)
    for number, line in enumerate(lines, start=1):
        table.add_row(
            str(number),
            line.name,
            *(str(count) for count in (line.matches, line.wins, line.draws, line.losses)),
            f"{line.points:.{decimals}f}",
            *(texts.get(line.name, "") for texts in more.values()),
        )
    return table


def _points(line: Standing) -> str:
    return f"{line.points:.2f}".rstrip("0").rstrip(".")
