"""One bot in a tournament as a page: how it stands, against whom, how fast it is, and its matches."""

from collections.abc import Iterator
from html import escape
from typing import Final
from urllib.parse import quote

from fangnetz_server.reports.chart import rating_curve
from fangnetz_server.reports.page import bot_link, frame, matches_table, table
from fangnetz_server.reports.picture import Picture
from fangnetz_server.reports.words import columns, elo_text, number, row_cells
from fangnetz_server.store.values import SeatTotals
from fangnetz_server.tournament.elo import elo_from_results
from fangnetz_server.tournament.standings import Row

__all__ = ["bot_page"]

_OWN: Final = ("bot",)


def bot_page(picture: Picture, row: Row, base: str) -> str:
    """Return the page of a bot.

    Args:
        picture: of the tournament, with its matches.
        row: the bot's line in the table.
        base: address of the server, for the links, with a slash at its end.
    """
    url = f"{base}api/tournaments/{quote(picture.id, safe='')}/export"
    sub = f'in <a href="{escape(url)}">{escape(picture.name)}</a>, {escape(picture.spec.game)}'
    return frame(row.bot, sub, _sections(picture, row, base))


def _sections(picture: Picture, row: Row, base: str) -> Iterator[str]:
    figures = dict(zip(columns(picture), row_cells(picture, row), strict=True))
    yield _figures({head: text for head, text in figures.items() if text and head not in _OWN})
    totals = (picture.totals or {}).get(row.bot)
    if totals is not None:
        yield f"<h2>Actions and times</h2>\n{_figures(_actions(totals))}"
    yield _opponents(picture, row, base)
    curve = rating_curve(picture, row.bot)
    if curve:
        yield f"<h2>Rating</h2>\n<p>Mean and 95 % interval after each match.</p>\n{curve}\n"
    mine = [line for line in picture.matches if row.bot in line.bots]
    if mine:
        yield f"<h2>Matches</h2>\n{matches_table(mine, base)}"


def _figures(figures: dict[str, str]) -> str:
    parts = (f"<div><dt>{escape(head)}</dt><dd>{escape(text)}</dd></div>" for head, text in figures.items())
    return f"<dl>{''.join(parts)}</dl>\n"


def _actions(totals: SeatTotals) -> dict[str, str]:
    return {
        "applied": f"{totals.applied:,}",
        "blocked by the rules": f"{totals.blocked:,}",
        "late": f"{totals.late:,}",
        "missing": f"{totals.missing:,}",
        "invalid": f"{totals.invalid:,}",
        "duplicate": f"{totals.duplicate:,}",
        "median answer": f"{number(totals.latency_median_ms, 1) or '-'} ms",
        "slowest 1 % of its worst match": f"{number(totals.latency_p99_ms, 1) or '-'} ms",
    }


def _opponents(picture: Picture, row: Row, base: str) -> str:
    cross = picture.crosstable
    cells = cross.cells[cross.bots.index(row.bot)]
    duels = ["Elo difference", "superiority"] if picture.is_duels else []
    rows = []
    for other, cell in zip(cross.bots, cells, strict=True):
        if cell is not None:
            elo = elo_from_results(cell.wins, cell.draws, cell.losses)
            more = [elo_text(elo), f"{100 * elo.superiority:.0f} %"] if picture.is_duels else []
            rows.append([bot_link(base, picture.id, other, other), str(cell), number(cell.points), *more])
    return f"<h2>Opponents</h2>\n{table(['bot', 'record', 'points', *duels], rows)}" if rows else ""
