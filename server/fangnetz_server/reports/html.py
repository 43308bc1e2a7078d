"""A tournament as one page that needs nothing else: no script, no font, no picture from anywhere."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from fangnetz_server.reports.chart import SHOWN, rating_chart
from fangnetz_server.reports.picture import MatchLine, Picture
from fangnetz_server.reports.words import columns, elo_text, number, row_cells, subtitle
from fangnetz_server.tournament.crosstable import Record
from fangnetz_server.tournament.elo import elo_from_results

__all__ = ["html_page"]

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_TEXTS: Final = ("bot", "tie-breaks")
"""Columns with words; the others are numbers and stand to the right."""
_STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } .sub { opacity: .75; margin-top: .25rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #8884; text-align: right; white-space: nowrap; }
th { font-weight: 600; } .text { text-align: left; } tr:hover { background: #8881; }
svg { width: 100%; height: auto; font-size: 12px; fill: currentColor; } polyline { stroke-width: 2; }
.grid { stroke: #8884; } .self { background: #8882; }
"""


def html_page(picture: Picture, base: str) -> str:
    """Return tables, crosstable, rating chart and results with links to the replays.

    Args:
        picture: of the tournament.
        base: address of the server, for the links, with a slash at its end.
    """
    return "".join(_page(picture, base))


def _page(picture: Picture, base: str) -> Iterator[str]:
    title = escape(picture.name)
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
    yield f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
    yield f'<h1>{title}</h1>\n<p class="sub">{escape(subtitle(picture))}</p>\n'
    for table in picture.tables:
        yield f"<h2>{escape(table.name.capitalize())}</h2>\n"
        yield from _table(columns(picture), (row_cells(picture, table, row) for row in table.rows))
    yield from _crosstable(picture)
    chart = rating_chart(picture)
    if chart:
        yield f"<h2>Ratings</h2>\n<p>Mean rating after each match, the best {SHOWN} bots at most.</p>\n"
        yield f"{chart}\n"
    if picture.matches:
        yield "<h2>Matches</h2>\n"
        yield from _matches(picture, base)
    yield "</body>\n</html>\n"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    text = {index for index, head in enumerate(heads) if head in _TEXTS}

    def cell(tag: str, index: int, value: str) -> str:
        side = ' class="text"' if index in text else ""
        return f"<{tag}{side}>{escape(value)}</{tag}>"

    yield '<div class="wide"><table>\n<thead><tr>'
    yield "".join(cell("th", index, head) for index, head in enumerate(heads))
    yield "</tr></thead>\n<tbody>\n"
    for row in rows:
        yield f"<tr>{''.join(cell('td', index, value) for index, value in enumerate(row))}</tr>\n"
    yield "</tbody></table></div>\n"


def _crosstable(picture: Picture) -> Iterator[str]:
    cross = picture.crosstable
    yield "<h2>Crosstable</h2>\n<p>Wins, draws and losses of the bot on the left against the one above.</p>\n"
    yield '<div class="wide"><table>\n<thead><tr><th class="text">bot</th>'
    yield "".join(f"<th>{escape(bot)}</th>" for bot in cross.bots) + "</tr></thead>\n<tbody>\n"
    for bot, cells in zip(cross.bots, cross.cells, strict=True):
        shown = (_cell(picture, bot, other, cell) for other, cell in zip(cross.bots, cells, strict=True))
        yield f'<tr><th class="text">{escape(bot)}</th>{"".join(shown)}</tr>\n'
    yield "</tbody></table></div>\n"


def _cell(picture: Picture, bot: str, other: str, cell: Record | None) -> str:
    if bot == other:
        return '<td class="self"></td>'
    if cell is None:
        return "<td></td>"
    elo = elo_text(elo_from_results(cell.wins, cell.draws, cell.losses)) if picture.is_duels else ""
    hint = f' title="{escape(bot)} against {escape(other)}: Elo {escape(elo)}"' if elo else ""
    return f"<td{hint}>{cell}</td>"


def _matches(picture: Picture, base: str) -> Iterator[str]:
    yield '<div class="wide"><table>\n<thead><tr><th>round</th><th class="text">map</th>'
    yield '<th class="text">result</th><th class="text">reason</th><th class="text">replay</th></tr>'
    yield "</thead>\n<tbody>\n"
    for line in picture.matches:
        yield f'<tr><td>{line.round}</td><td class="text">{escape(line.map or "")}</td>'
        yield f'<td class="text">{_result(line)}</td><td class="text">{_reason(line)}</td>'
        yield f'<td class="text">{_replay(line, base)}</td></tr>\n'
    yield "</tbody></table></div>\n"


def _result(line: MatchLine) -> str:
    seats = zip(line.bots, line.points, strict=True)
    return ", ".join(f"{escape(bot)} {number(points) or '-'}" for bot, points in seats)


def _reason(line: MatchLine) -> str:
    note = "" if line.correction is None else f" (corrected: {line.correction})"
    return escape(f"{line.reason}{note}")


def _replay(line: MatchLine, base: str) -> str:
    if line.match is None or not line.has_replay:
        return ""
    match = escape(line.match)
    page, file = f"{escape(base)}?match={match}", f"{escape(base)}api/matches/{match}/replay"
    return f'<a href="{page}">watch</a> <a href="{file}">file</a>'
