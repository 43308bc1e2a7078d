"""The host's page: everything that `fangnetz tournament` can do, by hand, on a real server."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.access import assert_accessible
from support.faulty import FaultyRing
from support.live_server import ThreadedServer, eventually, threaded_server
from support.tournament_server import Arena, league, tournament_server

FILE = """name = "Autumn cup"
game = "spaceballs"
seed = 7
format = { kind = "round_robin", legs = 2 }
ruleset = { duration = 0.3 }
settings = { deadline_ms = 60000 }
entries = [{ bot = "ann" }, { bot = "bob" }, { bot = "cid" }]
"""


@dataclass
class Desk:
    """A server with tournaments, and the host's page on it."""

    served: ThreadedServer
    arena: Arena
    page: Page

    def log_in(self, tournament: str = "") -> None:
        keys = self.arena.host.keys
        assert keys is not None
        self.page.goto(f"{self.served.url}/host#{tournament}")
        self.page.get_by_label("Token of the host").fill(keys.token_file.read_text().strip())
        self.page.get_by_role("button", name="Log in").click()
        expect(self.part("list")).to_be_visible()

    def part(self, name: str) -> Locator:
        return self.page.locator(f"[data-part={name}]")

    def press(self, word: str) -> None:
        self.page.get_by_role("button", name=word, exact=True).first.click()

    @property
    def question(self) -> Locator:
        return self.page.get_by_role("dialog")

    def confirm(self, word: str) -> None:
        self.question.get_by_role("button", name=word, exact=True).click()
        expect(self.question).to_have_count(0)

    def enter(self, *names: str) -> None:
        self.served.run(self.arena.enter(*names))

    def start(self, data: dict[str, Any]) -> None:
        self.served.run(self.arena.start(data))

    def play(self, *names: str, **more: Any) -> None:
        """Play a league of these bots to its end."""
        self.enter(*names)
        self.start(league(*names, **more))
        self.served.run(self.arena.finished())

    def expect_row(self, part: str, *cells: str) -> None:
        text = re.compile(r"\s*".join(re.escape(cell) for cell in cells))
        expect(self.part(part).get_by_role("row").filter(has_text=text).first).to_be_visible()


def desk_of(tmp_path: Path, page: Page, **options: Any) -> Iterator[Desk]:
    with threaded_server(tmp_path, kind=tournament_server, **options) as served:
        assert isinstance(served.server, Arena)
        yield Desk(served, served.server, page)
        page.close()  # Before the server: it asks again and again.


@pytest.fixture
def desk(tmp_path: Path, page: Page) -> Iterator[Desk]:
    yield from desk_of(tmp_path, page)


def test_the_page_is_for_the_host_only(desk: Desk, page: Page) -> None:
    page.goto(f"{desk.served.url}/host")
    page.get_by_label("Token of the host").fill("guess")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_contain_text("not the token of the host")
    desk.log_in()
    expect(desk.part("list")).to_contain_text("No tournament yet")
    desk.press("Log out")
    expect(page.get_by_label("Token of the host")).to_be_visible()


def test_from_the_file_to_the_report(desk: Desk, page: Page) -> None:
    desk.enter("ann", "bob", "cid")
    desk.log_in()
    desk.press("New tournament…")
    file = desk.question.get_by_label("Tournament file")
    file.fill(FILE.replace("legs = 2", "lags = 2"))
    desk.press("Look what would be played")
    expect(desk.question).to_contain_text('format.lags: unknown; did you mean "legs"?')
    file.fill(FILE)
    desk.press("Look what would be played")
    expect(desk.question).to_contain_text("Autumn cup: 3 bots, at most 6 matches. Nothing was stored.")
    expect(desk.question).to_contain_text("rests")
    assert desk.served.run(desk.arena.host.store.tournaments.all()) == ()
    desk.confirm("Create")

    expect(desk.part("progress")).to_contain_text("0 of 6 matches")
    desk.press("Start")
    expect(desk.part("progress")).to_contain_text("6 of 6 matches")
    expect(desk.part("progress")).to_contain_text("finished")
    desk.expect_row("standings", "1=", "ann", "2", "4", "0", "4")
    desk.expect_row("crosstable", "ann", "0W-2D-0L".replace("-", "\u2011"))
    expect(desk.part("matches").get_by_role("row")).to_have_count(1 + 6)
    desk.expect_row("log", "tournament create")
    with page.expect_navigation():
        page.get_by_role("link", name="Report").click()
    expect(page.get_by_role("heading", name="Autumn cup")).to_be_visible()


def test_a_file_is_read_from_the_hosts_machine(desk: Desk, page: Page, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(FILE)
    desk.log_in()
    desk.press("New tournament…")
    page.get_by_label("Read a file").set_input_files(tmp_path / "cup.toml")
    expect(desk.question.get_by_label("Tournament file")).to_have_value(FILE)
    desk.press("Create")
    expect(desk.question.get_by_role("alert")).to_contain_text('entries.0.bot: "ann"')
    desk.press("Cancel")
    expect(desk.question).to_have_count(0)


def test_pause_resume_and_who_is_away(desk: Desk, page: Page) -> None:
    desk.enter("ann")
    desk.start(league("ann", "bob", options={"legs": 2}))
    desk.log_in("cup")
    expect(desk.part("progress")).to_contain_text("Away, and waited for: bob")
    page.get_by_role("button", name="Pause").focus()
    page.keyboard.press("Enter")
    resume = page.get_by_role("button", name="Resume")
    expect(resume).to_be_focused()  # Whoever works with the keyboard goes on where he was.
    assert desk.served.run(desk.arena.state()) == "paused"
    resume.click()
    desk.enter("bob")
    expect(desk.part("progress")).to_contain_text("2 of 2 matches")


def test_withdrawing_asks_first(desk: Desk) -> None:
    desk.enter("ann")
    desk.start(league("ann", "bob", options={"legs": 2}))
    desk.log_in("cup")
    bob = desk.part("standings").get_by_role("row").filter(has_text="bob")
    bob.get_by_role("button", name="Withdraw…").click()
    desk.press("Cancel")
    expect(bob).not_to_contain_text("withdrawn")
    bob.get_by_role("button", name="Withdraw…").click()
    desk.confirm("Withdraw")
    expect(bob).to_contain_text("withdrawn")
    expect(desk.part("matches")).to_contain_text("walkover")
    assert desk.served.run(desk.arena.reasons()) == ["walkover"] * 2


def test_correcting_and_repeating_a_match(desk: Desk) -> None:
    desk.play("ann", "bob", options={"legs": 1})
    desk.log_in("cup")
    desk.press("Correct…")
    desk.question.get_by_label("Points of ann").fill("1")
    desk.question.get_by_role("button", name="Correct").click()
    expect(desk.question).to_be_visible()  # The reason is missing.
    desk.question.get_by_label("Why").fill("the referee slept")
    desk.confirm("Correct")
    desk.expect_row("standings", "1", "ann", "1", "1", "1", "0", "0")
    expect(desk.part("matches")).to_contain_text("changed by the host: the referee slept")

    desk.press("Repeat…")
    desk.question.get_by_label("Why").fill("hail")
    desk.confirm("Repeat")
    expect(desk.part("matches")).to_contain_text("does not count")
    desk.expect_row("standings", "1=", "ann", "0.5", "1", "0", "1", "0")
    desk.expect_row("log", "tournament reopen")


def test_what_the_server_broke_is_repeated_and_nothing_else(tmp_path: Path, page: Page) -> None:
    game = FaultyRing("step")
    for desk in desk_of(tmp_path, page, games={game.info.id: game}):
        desk.served.run(desk.arena.enter("ann", "bob", policy=lambda _: {"step": 0}))
        desk.start(league("ann", "bob", game=game.info.id, options={"legs": 1}))
        desk.log_in("cup")
        expect(desk.part("progress")).to_contain_text("The server broke pairing main.1.1.1 again and again")
        expect(desk.part("matches")).to_contain_text("infra_error")
        game.armed = False
        desk.press("Repeat what failed")
        expect(desk.part("progress")).to_contain_text("1 of 1 matches")
        expect(desk.part("progress")).not_to_contain_text("again and again")


def test_a_bot_of_the_server_that_does_not_run_is_a_problem(desk: Desk) -> None:
    own = {"name": "Own", "command": [sys.executable, "-c", "raise SystemExit('no map found')"]}
    desk.start(league("ann") | {"bots": [own]})
    desk.log_in("cup")
    expect(desk.part("progress")).to_contain_text("Own: has ended with status 1: no map found (see ")


def test_releasing_rounds(desk: Desk) -> None:
    desk.play("ann", "bob", "cid", options={"legs": 1}, staged_release=True)
    desk.log_in("cup")
    expect(desk.part("progress")).to_contain_text("public up to round 0")
    desk.press("Release…")
    expect(desk.question.get_by_label("Up to round")).to_have_value("1")
    desk.question.get_by_label("Up to round").fill("2")
    desk.confirm("Release")
    expect(desk.part("progress")).to_contain_text("public up to round 2")


def test_deleting_results_takes_the_name_of_the_tournament(desk: Desk) -> None:
    desk.play("ann", "bob", options={"legs": 2})
    desk.log_in("cup")
    desk.press("Delete…")
    expect(desk.question).to_contain_text("Its 2 results and their replays are gone for good.")
    word = desk.question.get_by_label("Type cup to confirm")
    word.fill("cap")
    desk.question.get_by_role("button", name="Delete").click()
    expect(desk.question).to_be_visible()
    word.fill("cup")
    desk.confirm("Delete")
    expect(desk.part("list")).to_contain_text("No tournament yet")
    expect(desk.part("standings")).to_be_hidden()
    assert desk.served.run(desk.arena.host.store.tournaments.all()) == ()


def test_of_several_tournaments_the_chosen_one_is_shown(desk: Desk, page: Page) -> None:
    desk.served.run(desk.arena.make(league("ann", "bob", name="One"), "one"))
    desk.served.run(desk.arena.make(league("ann", "cid", name="Two"), "two"))
    desk.log_in("one")
    expect(desk.part("standings")).to_contain_text("bob")
    page.get_by_role("link", name="Two").click()
    expect(desk.part("standings")).to_contain_text("cid")
    expect(desk.part("standings")).not_to_contain_text("bob")
    page.reload()
    expect(desk.part("progress").get_by_role("heading")).to_contain_text("Two")


def test_a_name_is_never_markup(desk: Desk) -> None:
    desk.served.run(desk.arena.make(league("<b>ann", "bob", name="<img src=x onerror=alert(1)>")))
    desk.log_in("cup")
    expect(desk.part("standings")).to_contain_text("<b>ann")
    expect(desk.part("progress").get_by_role("heading")).to_contain_text("<img src=x")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_stands_in_a_hosts_way(
    desk: Desk, page: Page, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    desk.enter("ann", "bob")
    desk.start(league("ann", "bob", "cid", options={"legs": 1}))
    page.goto(f"{desk.served.url}/host")
    expect(page.get_by_label("Token of the host")).to_be_focused()
    assert_accessible(page)
    desk.log_in("cup")
    expect(desk.part("matches")).to_contain_text("timeout")
    assert_accessible(page)
    desk.press("Correct…")
    assert_accessible(page)


def test_the_page_comes_back_when_the_server_does(desk: Desk, page: Page) -> None:
    desk.log_in()
    page.context.set_offline(True)
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_be_hidden()


def test_progress_is_live(desk: Desk) -> None:
    desk.enter("ann", "bob")
    desk.start(league("ann", "bob", "cid", options={"legs": 2}))
    desk.log_in("cup")
    run = desk.arena.scheduler.run("cup")
    assert run is not None
    desk.served.run(eventually(lambda: run.done == 2, "the games of two"))
    expect(desk.part("progress")).to_contain_text("2 of 6 matches")
    desk.enter("cid")
    expect(desk.part("progress")).to_contain_text("6 of 6 matches")


def test_spectators_see_the_table_live(desk: Desk, page: Page) -> None:
    page.goto(desk.served.url)
    desk.enter("ann", "bob")
    desk.start(league("ann", "bob", "cid", options={"legs": 2}))
    tables = page.get_by_test_id("tables")
    expect(tables).to_contain_text("League")
    # Below it there may be the ranking, with the same names.
    expect(tables.get_by_role("row").filter(has_text="ann").first).to_contain_text("1")
    page.get_by_role("link", name="League").click()
    expect(page.get_by_role("heading", name="Crosstable")).to_be_visible()
