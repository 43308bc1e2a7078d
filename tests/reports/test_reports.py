"""Reports say what the store says, and nothing in them does anything."""

import csv
import io
import re
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from string import ascii_letters, digits
from typing import Any
from urllib.parse import unquote

import orjson
import pytest

from fangnetz_protocol.words import BotId
from fangnetz_server.reports.bot_page import bot_page
from fangnetz_server.reports.csv_file import csv_file, safe_cell
from fangnetz_server.reports.html import html_page
from fangnetz_server.reports.json_file import json_file
from fangnetz_server.reports.markdown import markdown
from fangnetz_server.reports.picture import MatchLine, Picture, picture_of
from fangnetz_server.reports.words import columns, row_cells
from fangnetz_server.store.values import SeatTotals, Tournament
from fangnetz_server.tournament.values import BotKey, History
from support.tournaments import Judge, duel_fact, favourite, play, spec_of

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
EVIL = ("=1+1", "<script>x</script>", "[a](http://b)", '"|cmd"', "+7")
BASE = "http://127.0.0.1:7474/"


TOTALS = SeatTotals(BotId("a"), 10, 900, 20, 3, 2, 1, 0, 1.234, 17.5)
URL_SIGNS = frozenset(ascii_letters + digits + ":/.?=%-_~")


def picture(
    *bots: str,
    kind: str = "round_robin",
    until: int | None = None,
    judge: Judge = favourite,
    **keys: Any,
) -> Picture:
    """Return a whole tournament; unless a judge says otherwise, who comes first in the alphabet wins."""
    spec = spec_of(kind, bots, **keys)
    history = play(spec, judge)
    tournament = Tournament("cup", "The <Cup>", {}, "finished", 1, NOON, NOON)
    made = picture_of(tournament, spec, history, until)
    shown = history if until is None else history.until_round(until)
    return _with_lines(made, shown)


def _with_lines(made: Picture, history: History) -> Picture:
    lines = tuple(
        MatchLine(
            fact.pairing,
            pairing.round,
            pairing.map,
            pairing.seats,
            tuple(seat.points for seat in fact.seats),
            tuple(seat.place for seat in fact.seats),
            fact.reason,
            f"m{number}",
            has_replay=True,
            ended_at=NOON,
            correction="=HYPERLINK(1)" if number == 0 else None,
        )
        for number, (pairing, fact) in enumerate(history.played())
    )
    return Picture(**{name: getattr(made, name) for name in made.__dataclass_fields__} | {"matches": lines})


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize("part", ["standings", "crosstable", "matches"])
def test_no_cell_of_a_csv_is_a_formula(part: str) -> None:
    rows = read(csv_file(picture(*EVIL), part))
    assert len({len(row) for row in rows}) == 1, "a rectangle"
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@", "\t"))]
    assert any("'=1+1" in row for row in rows)


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("  =1", "'  =1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2+3", "'-2+3"),
        ("\tx", "'\tx"),
        ("a=b", "a=b"),
        (-2.5, -2.5),
        (None, ""),
    ],
)
def test_safe_cells(cell: str | float | None, safe: str | float) -> None:
    assert safe_cell(cell) == safe


def test_there_is_no_other_part() -> None:
    with pytest.raises(ValueError, match="standings, crosstable, matches"):
        csv_file(picture("a", "b"), "seeds")


class Page(HTMLParser):
    """Collects the tags, the links and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_needs_nothing_and_runs_nothing() -> None:
    made = picture(*EVIL)
    page = Page(html_page(made, BASE))
    assert not {"script", "img", "link", "iframe", "object", "form"} & set(page.tags)
    assert set(EVIL) <= set(page.words)
    to_bots, to_replays = page.links[: len(EVIL)], page.links[len(EVIL) :]
    assert {unquote(link) for link in to_bots} == {
        f"{BASE}api/tournaments/cup/bots/{bot}?format=html" for bot in EVIL
    }
    assert all(set(link) <= URL_SIGNS for link in to_bots)
    assert len(to_replays) == 2 * len(made.matches)
    assert to_replays[:2] == [f"{BASE}?match=m0", f"{BASE}api/matches/m0/replay"]
    assert page.tags.count("svg") == 1
    assert page.tags.count("polyline") == len(EVIL)
    assert "default-src 'none'" in html_page(made, BASE)


def test_a_contest_has_a_page_too() -> None:
    made = picture("a", "b", "c", kind="free_for_all", game="right2live", maps=["mansion", "marsh"])
    page = Page(html_page(made, BASE))
    assert "first places" in page.words
    assert "Elo to the field" not in page.words


def test_a_contest_shows_the_mean_of_each_map_and_their_sum() -> None:
    made = picture("a", "b", "c", kind="free_for_all", game="right2live", maps=["mansion", "marsh"])
    assert columns(made)[2:5] == ["points", "∅ mansion", "∅ marsh"]
    assert row_cells(made, made.rows[0])[2:5] == ["4", "2", "2"]
    alone = picture("a", "b", "c", kind="free_for_all", game="right2live", maps=["mansion"])
    assert columns(alone)[2:4] == ["points", "played"]


def test_tie_breaks_have_a_column_where_they_decided() -> None:
    assert "tie-breaks" not in columns(picture("a", "b"))
    level = picture("a", "b", judge=lambda pairing: duel_fact(pairing, None))
    assert columns(level)[-1] == "tie-breaks"
    assert row_cells(level, level.rows[0])[-1].startswith("head to head 1")


def test_the_page_of_a_bot() -> None:
    made = replace(picture(*EVIL, "ann"), totals={BotKey("ann"): TOTALS})
    row = next(row for row in made.rows if row.bot == "ann")
    page = Page(bot_page(made, row, BASE))
    assert page.words.count("ann 0") == row.played == 10
    assert page.words.count("0W-0D-2L") == len(EVIL)
    assert {"late", "3", "median answer", "1.2 ms"} <= set(page.words)
    assert page.tags.count("polygon") == page.tags.count("polyline") == 1
    assert page.tags.count("tr") == 1 + len(EVIL) + 1 + row.played, "opponents and matches"
    assert page.links[0] == f"{BASE}api/tournaments/cup/export"
    assert not {"script", "img", "link"} & set(page.tags)


def test_a_page_without_results() -> None:
    made = picture("a", "b", until=0)
    page = Page(html_page(made, BASE))
    assert "svg" not in page.tags
    assert any("no results are released yet" in words for words in page.words)


def test_markdown_says_only_what_it_says() -> None:
    text = markdown(picture(*EVIL), BASE)
    assert "<script>" not in text.replace("\\<script\\>", "")
    assert "](http://b)" not in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    widths = {len(re.findall(r"(?<!\\)\|", row)) for row in rows}
    assert widths == {12, 7, 6}, "standings, crosstable, matches: no name adds a column"


def test_json_holds_everything_but_the_seeds() -> None:
    made = picture("a", "b", "c", "d")
    data = orjson.loads(json_file(made))
    assert "seed" not in json_file(made).decode()
    assert [row["bot"] for row in data["tables"][0]["rows"]] == ["a", "b", "c", "d"]
    assert sum(row["wins"] for row in data["tables"][0]["rows"]) == len(data["matches"]) == 12
    assert data["crosstable"]["cells"][0][1] == [2, 0, 0, 2.0]
    assert data["ratings"]["a"][-1]["mu"] > 25 > data["ratings"]["d"][-1]["mu"]


def test_a_picture_ends_with_the_released_round() -> None:
    data = orjson.loads(json_file(picture("a", "b", "c", "d", until=1)))
    assert data["until_round"] == 1
    assert {line["round"] for line in data["matches"]} == {1}
    assert sum(row["played"] for row in data["tables"][0]["rows"]) == 2 * len(data["matches"])
