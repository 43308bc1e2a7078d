"""A tournament as one page that needs nothing else: no script, no font, no picture from anywhere."""

from collections.abc import Iterator
from html import escape

from fangnetz_server.reports.chart import SHOWN, rating_chart
from fangnetz_server.reports.page import bot_link, frame, matches_table, table
from fangnetz_server.reports.picture import Picture
from fangnetz_server.reports.words import columns, elo_text, number, row_cells, subtitle
from fangnetz_server.store.values import SeatTotals
from fangnetz_server.tournament.crosstable import Record
from fangnetz_server.tournament.elo import elo_from_results
from fangnetz_server.tournament.standings import Row, Table

__all__ = ["html_page"]


def html_page(picture: Picture, base: str) -> str:
    """Return tables, crosstable, rating chart and results with links to the replays.

    Args:
        picture: of the tournament.
        base: address of the server, for the links, with a slash at its end.
    """
    return frame(picture.name, escape(subtitle(picture)), _sections(picture, base))


def _sections(picture: Picture, base: str) -> Iterator[str]:
    for one in picture.tables:
        yield _standings(picture, one, base)
    yield _crosstable(picture)
    chart = rating_chart(picture)
    if chart:
        text = f"Mean rating after each match, the best {SHOWN} bots at most."
        yield f"<h2>Ratings</h2>\n<p>{text}</p>\n{chart}\n"
    if picture.totals:
        yield _actions(picture)
    if picture.matches:
        yield f"<h2>Matches</h2>\n{matches_table(picture.matches, base)}"


def _standings(picture: Picture, one: Table, base: str) -> str:
    rows = (_linked(picture, row, base) for row in one.rows)
    return f"<h2>{escape(one.name.capitalize())}</h2>\n{table(columns(picture), rows)}"


def _linked(picture: Picture, row: Row, base: str) -> list[str]:
    place, name, *rest = row_cells(picture, row)
    return [place, bot_link(base, picture.id, row.bot, name), *rest]


# --- crosstable -------------------------------------------------------------------------------


def _crosstable(picture: Picture) -> str:
    cross = picture.crosstable
    numbers = range(1, len(cross.bots) + 1)
    heads = "".join(f"<th>{at}</th>" for at in numbers)
    lines = "".join(_cross_line(picture, at) for at in range(len(cross.bots)))
    return (
        "<h2>Crosstable</h2>\n<p>Wins, draws and losses of the bot on the left against the one above"
        f"{'' if picture.is_duels else ': how often it came in before, level with and behind it'}.</p>\n"
        f'<div class="wide"><table class="cross">\n<thead><tr><th></th><th class="text">bot</th>{heads}</tr>'
        f"</thead>\n<tbody>\n{lines}</tbody></table></div>\n"
    )


def _cross_line(picture: Picture, at: int) -> str:
    cross = picture.crosstable
    bot = cross.bots[at]
    shown = (
        _cell(picture, bot, other, cell) for other, cell in zip(cross.bots, cross.cells[at], strict=True)
    )
    return f'<tr><th>{at + 1}</th><th class="text">{escape(bot)}</th>{"".join(shown)}</tr>\n'


def _cell(picture: Picture, bot: str, other: str, cell: Record | None) -> str:
    if bot == other:
        return '<td class="self"></td>'
    if cell is None:
        return "<td></td>"
    elo = elo_text(elo_from_results(cell.wins, cell.draws, cell.losses)) if picture.is_duels else ""
    hint = f"{bot} against {other}{f': Elo {elo}' if elo else ''}"
    lead = cell.wins - cell.losses
    tint = f' class="{"better" if lead > 0 else "worse"}"' if lead else ""
    return f'<td{tint} title="{escape(hint)}">{cell}</td>'


# --- what became of the actions ---------------------------------------------------------------


def _actions(picture: Picture) -> str:
    heads = [
        "bot",
        "applied",
        "blocked",
        "late",
        "missing",
        "invalid",
        "duplicate",
        "median ms",
        "slowest ms",
    ]
    totals = picture.totals or {}
    rows = ([row.bot, *_counts(totals[row.bot])] for row in picture.rows if row.bot in totals)
    text = (
        "What became of each bot's actions, and how long it took to answer: the median of its matches, "
        "and the 99th percentile of the worst one."
    )
    return f"<h2>Actions and times</h2>\n<p>{text}</p>\n{table(heads, rows)}"


def _counts(total: SeatTotals) -> list[str]:
    counts = (total.applied, total.blocked, total.late, total.missing, total.invalid, total.duplicate)
    return [
        *(f"{count:,}" for count in counts),
        number(total.latency_median_ms, 1),
        number(total.latency_p99_ms, 1),
    ]
