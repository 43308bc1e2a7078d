"""A tournament as Markdown: for a README, a forum, a mail."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from fangnetz_server.reports.picture import Picture
from fangnetz_server.reports.words import columns, reason_text, result_text, row_cells, subtitle

__all__ = ["markdown"]

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>()#!|~])")


def markdown(picture: Picture, base: str) -> str:
    """Return tables, crosstable and results with links to the replays.

    Args:
        picture: of the tournament.
        base: address of the server, for the links.
    """
    return "\n".join(_lines(picture, base)) + "\n"


def _lines(picture: Picture, base: str) -> Iterator[str]:
    yield f"# {_text(picture.name)}"
    yield f"\n{_text(subtitle(picture))}"
    for table in picture.tables:
        yield f"\n## {_text(table.name.capitalize())}\n"
        yield from _table(columns(picture), (row_cells(picture, row) for row in table.rows))
    cross = picture.crosstable
    yield "\n## Crosstable\n\nWins, draws and losses of the bot on the left against the one above.\n"
    yield from _table(
        ["", *cross.bots],
        (
            [bot, *("" if cell is None else str(cell) for cell in cells)]
            for bot, cells in zip(cross.bots, cross.cells, strict=True)
        ),
    )
    if picture.matches:
        yield "\n## Matches\n"
        yield from _matches(picture, base)


def _matches(picture: Picture, base: str) -> Iterator[str]:
    yield "| round | map | result | how it ended | replay |"
    yield "|---|---|---|---|---|"
    for line in picture.matches:
        link = f"[{line.match}]({base}?match={line.match})" if line.has_replay else ""
        texts = (str(line.round), line.map or "", result_text(line), reason_text(line))
        yield f"| {' | '.join(map(_text, texts))} | {link} |"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(map(_text, heads))} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(map(_text, row))} |"


def _text(text: str) -> str:
    """Return a text that says only what it says: a bot may be called `[x](evil)`."""
    return _SPECIAL.sub(r"\\\1", text).replace("\n", " ")
