"""What all pages of reports have in common: a file that needs nothing else and runs nothing."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final
from urllib.parse import quote

from fangnetz_server.reports.picture import MatchLine
from fangnetz_server.reports.words import TEXTS, number, reason_text

__all__ = ["Cell", "bot_link", "frame", "matches_table", "table"]

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE: Final = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; --line: light-dark(#d7dfde, #263540);
  --muted: light-dark(#54656f, #95a7b5); --accent: light-dark(#8a5d00, #ffc94d);
  background: light-dark(#eef2f1, #0a1016); color: light-dark(#13212b, #e8f0f4); }
body { max-width: 84rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { margin: 0; font-size: 1.7rem; } h2 { margin: 0 0 .6rem; font-size: 1.1rem; } p { margin: 0 0 .6rem; }
.sub, .quiet { color: var(--muted); } .sub { margin: .2rem 0 1.2rem; } a { color: inherit; }
section { margin: 0 0 1rem; padding: .9rem 1rem; border-radius: 14px; border: 1px solid var(--line);
  background: light-dark(#fff, #121b23); }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .55rem; border-top: 1px solid var(--line); text-align: right; white-space: nowrap; }
thead th { border: 0; color: var(--muted); font-size: .8rem; font-weight: 400; }
tbody th { font-weight: 600; } .text { text-align: left; } tbody tr:hover { background: #8881; }
tbody a { text-decoration-color: #8886; } .first { color: var(--accent); font-weight: 600; }
.long { white-space: normal; min-width: 13rem; font-size: .85rem; }
.cross { font-size: .88rem; } .cross :is(th, td) { padding-inline: .3rem; }
.cross td { text-align: center; border-left: 1px solid var(--line); } .cross thead th { text-align: center; }
.self { background: #8882; } .better { background: #2fc87828; } .worse { background: #ff735028; }
svg { width: 100%; height: auto; font-size: 12px; fill: currentColor; } polyline { stroke-width: 2; }
.grid { stroke: #8884; } dl { display: flex; flex-wrap: wrap; gap: .2rem 2rem; margin: 0; }
dt { color: var(--muted); font-size: .8rem; } dd { margin: 0; font-size: 1.1rem; font-weight: 600; }
@media print { :root { background: none; } section { border: 0; padding: 0; } }
"""


class Cell(str):
    """A cell whose text is HTML already; any other text is escaped."""

    __slots__ = ()


def frame(title: str, sub: str, sections: Iterable[str]) -> str:
    """Return a page.

    Args:
        title: its heading, as plain text.
        sub: the line below, as HTML.
        sections: what stands in each, as HTML.
    """
    body = "".join(f"<section>\n{section}</section>\n" for section in sections if section)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{escape(title)}</h1>\n<p class="sub">{sub}</p>\n{body}</body>\n</html>\n'
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """Return a table; the columns that hold words are known by their heads."""
    sides = [_side(head) for head in heads]
    head = "".join(f"<th{side}>{escape(text)}</th>" for side, text in zip(sides, heads, strict=True))
    lines = (f"<tr>{''.join(_cells(row, sides))}</tr>\n" for row in rows)
    name = f' class="{kind}"' if kind else ""
    return (
        f'<div class="wide"><table{name}>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{''.join(lines)}</tbody></table></div>\n"
    )


def _side(head: str) -> str:
    if head == "tie-breaks":
        return ' class="text long"'
    return ' class="text"' if head in TEXTS else ""


def _cells(row: Sequence[str], sides: Sequence[str]) -> Iterator[str]:
    """Yield the cells of a line."""
    for text, side in zip(row, sides, strict=True):
        yield f"<td{side}>{text if isinstance(text, Cell) else escape(text)}</td>"


def bot_link(base: str, tournament: str, bot: str, text: str) -> Cell:
    """Return a link to a bot's page on the server."""
    url = f"{base}api/tournaments/{quote(tournament, safe='')}/bots/{quote(bot, safe='')}?format=html"
    return Cell(f'<a href="{escape(url)}">{escape(text)}</a>')


def matches_table(lines: Iterable[MatchLine], base: str) -> str:
    """Return a table of results with links to the replays."""
    heads = ["round", "map", "result", "how it ended", "replay"]
    rows = (
        [str(line.round), line.map or "", _result(line), reason_text(line), _replay(line, base)]
        for line in lines
    )
    return table(heads, rows)


def _result(line: MatchLine) -> Cell:
    seats = zip(line.bots, line.points, line.places, strict=True)
    return Cell(
        ", ".join(
            f"<span{_winner(place)}>{escape(bot)} {number(points) or '-'}</span>"
            for bot, points, place in seats
        )
    )


def _winner(place: int | None) -> str:
    return ' class="first"' if place == 1 else ""


def _replay(line: MatchLine, base: str) -> Cell:
    if line.match is None or not line.has_replay:
        return Cell("")
    match = escape(line.match)
    page, file = f"{escape(base)}?match={match}", f"{escape(base)}api/matches/{match}/replay"
    return Cell(f'<a href="{page}">watch</a> <a href="{file}">file</a>')
