"""The page with the real server and real matches: what a spectator sees is what the server knows.

The matches are in lockstep and their bots answer when the test says so; nothing hangs on the machine's pace.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.driven import DUEL, NAMES, TAG, DrivenMatch, rise
from support.clients import stroll
from support.live_server import ThreadedServer


@pytest.fixture
def tag(served: ThreadedServer) -> DrivenMatch:
    """A match of Right2Live at its start."""
    return DrivenMatch(served, "right2live", TAG, stroll)


@pytest.fixture
def duel(served: ThreadedServer) -> DrivenMatch:
    """A match of Spaceballs at its start."""
    return DrivenMatch(served, "spaceballs", DUEL, rise)


@pytest.fixture(params=["tag", "duel"])
def match(request: pytest.FixtureRequest) -> DrivenMatch:
    """A match of each game at its start."""
    driven: DrivenMatch = request.getfixturevalue(request.param)
    return driven


def snapshot(page: Page) -> Any:
    """Return the state last drawn."""
    return page.evaluate("fangnetz.snapshot()")


def places(page: Page) -> list[tuple[float, float]]:
    """Return where the players or balls are drawn."""
    return [(one["x"], one["y"]) for one in snapshot(page)["drawn"]]


def shown_tick(page: Page, tick: int) -> None:
    """Wait until the picture shows this tick."""
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-tick", str(tick))


def test_they_move_and_the_result_is_shown(match: DrivenMatch, page: Page) -> None:
    page.goto(match.url)
    shown_tick(page, 0)
    first = places(page)
    match.go_to(12)
    shown_tick(page, 12)
    assert places(page) != first

    result = match.finish()
    expect(page.get_by_test_id("result")).to_have_attribute("data-reason", result["reason"])
    shown_tick(page, result["ticks"])
    assert snapshot(page)["result"]["points"] == [seat["points"] for seat in result["seats"]]


def test_a_late_spectator_sees_what_the_first_one_sees(match: DrivenMatch, page: Page) -> None:
    page.goto(match.url)
    match.go_to(25)
    shown_tick(page, 25)
    late = page.context.new_page()
    late.goto(match.url)
    shown_tick(late, 25)
    assert snapshot(late)["frame"] == snapshot(page)["frame"]
    assert places(late) == places(page)


def test_a_finished_match_shows_its_end(match: DrivenMatch, page: Page) -> None:
    result = match.finish()
    page.goto(match.url)
    expect(page.get_by_test_id("result")).to_have_attribute("data-reason", result["reason"])
    shown_tick(page, result["ticks"])
    expect(page.get_by_role("alert")).to_be_hidden()


def test_both_balls_rise_and_crash(duel: DrivenMatch, page: Page) -> None:
    page.goto(duel.url)
    duel.go_to(40)
    shown_tick(page, 40)
    assert [y for _, y in places(page)] == pytest.approx([0.2160, 0.2160], abs=1e-3)
    duel.finish()
    expect(page.get_by_test_id("result")).to_contain_text("Both balls crashed in the same step.")
    expect(page.get_by_test_id("events")).to_contain_text("bob crashed into a wall")


def test_the_lobby_follows_a_match_to_its_end_and_the_replay_can_be_fetched(
    served: ThreadedServer, page: Page
) -> None:
    page.goto(served.url)
    expect(page.get_by_test_id("lobby")).to_contain_text("No match is running.")
    tag = DrivenMatch(served, "right2live", TAG, stroll)
    tag.go_to(7)
    expect(page.locator(f".live [data-match='{tag.id}']")).to_contain_text("Round 7")
    tag.finish()
    page.locator(f".finished [data-match='{tag.id}']").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Replay").click()
    assert download.value.path().stat().st_size > 100


def test_a_match_at_full_speed_is_followed_to_its_last_tick(served: ThreadedServer, page: Page) -> None:
    match = served.play("spaceballs", NAMES, setup=DUEL)
    page.goto(f"{served.url}/?match={match}")
    # The bots, the server and the browser share the processors of the test machine.
    expect(page.get_by_test_id("result")).to_contain_text("The time is up.", timeout=60_000)
    shown_tick(page, 1200)


def test_a_match_that_the_server_does_not_know_is_called_unknown(served: ThreadedServer, page: Page) -> None:
    page.goto(f"{served.url}/?match=nothing")
    expect(page.get_by_test_id("viewer")).to_contain_text("There is no such match.")
    expect(page.get_by_role("alert")).to_be_hidden()
