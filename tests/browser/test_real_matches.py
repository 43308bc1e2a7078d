"""The page with the real server and real matches: what a spectator sees is what the server knows."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.live_server import ThreadedServer

NAMES = ("ann", "bob")
REALTIME: dict[str, Any] = {"pace": "realtime", "tick_ms": 40, "deadline_ms": 40}
TAG: dict[str, Any] = {
    "seats": 2,
    "map": ["..........", "....##....", ".........."],
    "ruleset": {"max_rounds": 120},
}
DUEL: dict[str, Any] = {"ruleset": {"duration": 8.0}, "stations": [[0.5, 0.5]], "mines": []}


def rise(_observation: dict[str, Any]) -> dict[str, Any]:
    """Spaceballs: straight up, into the upper wall."""
    return {"thrust": [0, 1]}


def snapshot(page: Page) -> Any:
    """Return the state last drawn."""
    return page.evaluate("fangnetz.snapshot()")


def places(page: Page) -> list[tuple[float, float]]:
    """Return where the players or balls are drawn."""
    return [(one["x"], one["y"]) for one in snapshot(page)["drawn"]]


def wait_for_tick(page: Page, tick: int) -> None:
    """Wait until the picture shows this tick or a later one."""
    page.wait_for_function("tick => fangnetz.snapshot().tick >= tick", arg=tick)


def test_right2live_moves_and_ends(served: ThreadedServer, page: Page) -> None:
    match = served.play("right2live", NAMES, setup=TAG, **REALTIME)
    page.goto(f"{served.url}/?match={match}")
    wait_for_tick(page, 2)
    first = places(page)
    wait_for_tick(page, 12)
    assert places(page) != first

    result = served.wait_over(match)
    expect(page.get_by_test_id("result")).to_be_visible()
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-tick", str(result["ticks"]))
    assert snapshot(page)["result"]["points"] == [seat["points"] for seat in result["seats"]]


def test_spaceballs_moves_and_ends(served: ThreadedServer, page: Page) -> None:
    match = served.play("spaceballs", NAMES, policy=rise, setup=DUEL, **REALTIME)
    page.goto(f"{served.url}/?match={match}")
    wait_for_tick(page, 2)
    low = snapshot(page)["drawn"][0]["y"]
    wait_for_tick(page, 20)
    assert snapshot(page)["drawn"][0]["y"] > low
    result = served.wait_over(match)
    # Who crashes first depends on the machine: a bot that misses a tick of real time rises later.
    expect(page.get_by_test_id("result")).to_have_attribute("data-reason", result["reason"])
    expect(page.get_by_test_id("events")).to_contain_text("crashed into a wall")


@pytest.mark.parametrize(("game", "setup"), [("right2live", TAG), ("spaceballs", DUEL)])
def test_a_late_spectator_sees_what_the_first_one_sees(
    served: ThreadedServer, page: Page, game: str, setup: dict[str, Any]
) -> None:
    match = served.play(game, NAMES, setup=setup, **REALTIME)
    page.goto(f"{served.url}/?match={match}")
    wait_for_tick(page, 25)
    late = page.context.new_page()
    late.goto(f"{served.url}/?match={match}")
    late.get_by_test_id("tick").wait_for()
    wait_for_tick(late, 25)
    served.wait_over(match)
    for each in (page, late):
        expect(each.get_by_test_id("result")).to_be_visible()
    assert snapshot(late)["frame"] == snapshot(page)["frame"]


def test_a_match_at_full_speed_is_followed_to_its_last_tick(served: ThreadedServer, page: Page) -> None:
    match = served.play("spaceballs", NAMES, setup={"stations": [[0.5, 0.5]], "mines": []})
    page.goto(f"{served.url}/?match={match}")
    expect(page.get_by_test_id("result")).to_contain_text("The time is up.")
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-tick", "1200")


def test_the_lobby_follows_a_match_to_its_end_and_its_replay_can_be_fetched(
    served: ThreadedServer, page: Page
) -> None:
    page.goto(served.url)
    expect(page.get_by_test_id("lobby")).to_contain_text("No match is running.")
    match = served.play("right2live", NAMES, setup=TAG | {"ruleset": {"max_rounds": 30}}, **REALTIME)
    expect(page.locator(f".live [data-match='{match}']")).to_contain_text("Live")
    served.wait_over(match)
    row = page.locator(f".finished [data-match='{match}']")
    expect(row).to_contain_text("Finished")
    row.click()
    link = page.get_by_role("link", name="Replay")
    expect(link).to_be_visible()
    with page.expect_download() as download:
        link.click()
    assert download.value.path().stat().st_size > 100


def test_a_match_that_the_server_does_not_know_is_called_unknown(served: ThreadedServer, page: Page) -> None:
    page.goto(f"{served.url}/?match=nothing")
    expect(page.get_by_test_id("viewer")).to_contain_text("There is no such match.")
    expect(page.get_by_role("alert")).to_be_hidden()
