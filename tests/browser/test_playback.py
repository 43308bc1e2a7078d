"""Playing matches back with the real server: every control used as a person would."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.driven import DUEL, ROOMS, DrivenMatch, rise
from support.clients import stroll
from support.live_server import ThreadedServer

FORCED = 28
"""Round in which one of the two has to change (R5.4)."""


@pytest.fixture
def rooms(served: ThreadedServer) -> DrivenMatch:
    """A match of Right2Live in two rooms, at its start."""
    return DrivenMatch(served, "right2live", ROOMS, stroll)


def snapshot(page: Page) -> Any:
    """Return the state last drawn."""
    return page.evaluate("fangnetz.snapshot()")


def shown_tick(page: Page, tick: int) -> None:
    """Wait until the picture shows this tick."""
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-tick", str(tick))


def press(page: Page, name: str) -> None:
    """Press a button of the bar below the field."""
    page.get_by_test_id("controls").get_by_role("button", name=name, exact=True).click()


def open_finished(page: Page, match: DrivenMatch, more: str = "") -> int:
    """Play a match to its end, open it, and return its last tick."""
    last: int = match.finish()["ticks"]
    page.goto(match.url + more)
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-phase", "over")
    return last


def test_a_finished_match_is_played_from_its_start(rooms: DrivenMatch, page: Page) -> None:
    open_finished(page, rooms)
    page.get_by_label("Speed").select_option("16")
    press(page, "Play")
    page.wait_for_function("() => fangnetz.snapshot().tick > 5")
    press(page, "Pause")
    assert snapshot(page)["tick"] < 300
    expect(page.locator(".hud")).to_be_visible()


def test_steps_and_events_are_reached_one_by_one(rooms: DrivenMatch, page: Page) -> None:
    last = open_finished(page, rooms)
    press(page, "One step back")
    shown_tick(page, last - 1)
    press(page, "One step on")
    shown_tick(page, last)
    press(page, "To the event before")
    shown_tick(page, FORCED)
    expect(page.get_by_test_id("events")).to_contain_text("had to turn red")
    press(page, "One step back")
    shown_tick(page, FORCED - 1)
    expect(page.get_by_test_id("events")).not_to_contain_text("had to turn red")
    press(page, "To the next event")
    shown_tick(page, FORCED)


def test_the_scrub_bar_goes_to_any_moment_and_the_picture_is_the_replays(
    served: ThreadedServer, rooms: DrivenMatch, page: Page
) -> None:
    open_finished(page, rooms)
    page.get_by_label("Moment shown").fill("133")
    shown_tick(page, 133)
    answer = page.request.get(f"{served.url}/api/matches/{rooms.id}/history?from=133&to=133")
    frame = json.loads(answer.text())
    page.wait_for_function("() => fangnetz.snapshot().frame.tick === 133")
    assert snapshot(page)["frame"]["players"] == frame["players"]


def test_a_live_match_is_scrubbed_back_and_caught_up_again(rooms: DrivenMatch, page: Page) -> None:
    rooms.go_to(150)
    page.goto(rooms.url)
    shown_tick(page, 150)
    expect(page.get_by_test_id("events")).to_contain_text("had to turn red")
    page.get_by_label("Moment shown").fill("40")
    shown_tick(page, 40)
    rooms.go_to(160)
    page.wait_for_function("() => fangnetz.snapshot().latest === 160")
    shown_tick(page, 40)
    press(page, "Live")
    shown_tick(page, 160)
    rooms.go_to(161)
    shown_tick(page, 161)


def test_a_live_match_can_be_held(rooms: DrivenMatch, page: Page) -> None:
    rooms.go_to(10)
    page.goto(rooms.url)
    shown_tick(page, 10)
    press(page, "Pause")
    rooms.go_to(20)
    page.wait_for_function("() => fangnetz.snapshot().latest === 20")
    shown_tick(page, 10)
    press(page, "Play")
    shown_tick(page, 20)


def test_a_link_opens_the_same_moment(rooms: DrivenMatch, page: Page) -> None:
    open_finished(page, rooms, "&tick=77&speed=4&player=1&fog=1&theme=light")
    shown_tick(page, 77)
    state = snapshot(page)
    assert (state["speed"], state["selected"], state["fog"], state["playing"]) == (4, 1, True, False)
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.get_by_label("Moment shown").fill("90")
    other = page.context.new_page()
    other.goto(page.url)
    shown_tick(other, 90)
    assert snapshot(other)["selected"] == 1


def test_a_link_into_a_live_match_opens_its_past(rooms: DrivenMatch, page: Page) -> None:
    rooms.go_to(100)
    page.goto(f"{rooms.url}&tick=31")
    shown_tick(page, 31)


def test_nonsense_in_the_address_is_ignored(rooms: DrivenMatch, page: Page) -> None:
    last = open_finished(page, rooms, "&tick=-3&speed=77&player=99&fog=1&lang=xx&theme=pink")
    shown_tick(page, last)
    assert snapshot(page)["selected"] is None


def test_what_a_bot_sees_comes_from_the_server(rooms: DrivenMatch, page: Page) -> None:
    open_finished(page, rooms, "&tick=40")
    shown_tick(page, 40)
    page.get_by_role("button", name="ann").click()
    page.wait_for_function("() => fangnetz.snapshot().seen?.tick === 40")
    assert len(snapshot(page)["drawn"]) == 2
    press(page, "Only what the marked bot sees")
    page.wait_for_function("() => fangnetz.snapshot().drawn.length === 1")
    # The other one is behind the wall: an opponent whom the bot cannot see (R8.2).
    assert snapshot(page)["seen"]["players"] == []
    press(page, "Follow the marked bot")
    assert snapshot(page)["follow"] is True


def test_a_live_seat_view_follows_the_match(rooms: DrivenMatch, page: Page) -> None:
    rooms.go_to(30)
    page.goto(rooms.url)
    page.get_by_role("button", name="ann").click()
    rooms.go_to(31)
    page.wait_for_function("() => fangnetz.snapshot().seen?.tick === 31")


def test_the_charts_are_drawn_and_lead_to_a_moment(rooms: DrivenMatch, page: Page) -> None:
    last = open_finished(page, rooms)
    chart = page.get_by_test_id("charts").get_by_role("img", name="Points")
    inked = """canvas => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    }"""
    page.wait_for_function(
        f"() => ({inked})(document.querySelectorAll('.charts canvas')[1]) > 200",
    )
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] / 2, "y": 20})
    page.wait_for_function("() => !fangnetz.snapshot().live")
    assert abs(snapshot(page)["position"] - last / 2) < 3


def test_an_event_leads_to_its_moment(rooms: DrivenMatch, page: Page) -> None:
    open_finished(page, rooms)
    page.get_by_test_id("events").get_by_role("button", name=str(FORCED)).click()
    shown_tick(page, FORCED)


def test_after_the_end_the_score_tells_how_long_the_bots_took(rooms: DrivenMatch, page: Page) -> None:
    open_finished(page, rooms)
    times = page.get_by_test_id("scoreboard").locator("td.latency")
    expect(times).to_have_text([re.compile(r"^\d+(\.\d)?$")] * 2)


def test_all_of_it_works_from_the_keyboard(rooms: DrivenMatch, page: Page) -> None:
    last = open_finished(page, rooms)
    page.keyboard.press("Home")
    shown_tick(page, 0)
    page.keyboard.press("ArrowRight")
    shown_tick(page, 1)
    page.keyboard.press("Shift+ArrowRight")
    shown_tick(page, FORCED)
    page.keyboard.press("ArrowLeft")
    shown_tick(page, FORCED - 1)
    page.keyboard.press("+")
    assert snapshot(page)["speed"] == 2
    page.keyboard.press("1")
    page.keyboard.press("f")
    page.keyboard.press("v")
    state = snapshot(page)
    assert (state["selected"], state["follow"], state["fog"]) == (1, True, True)
    page.keyboard.press("Space")
    page.wait_for_function(f"() => fangnetz.snapshot().tick > {FORCED + 2}")
    page.keyboard.press("Space")
    assert snapshot(page)["playing"] is False
    page.keyboard.press("End")
    shown_tick(page, last)


def test_balls_are_played_back_on_their_curve(served: ThreadedServer, page: Page) -> None:
    match = DrivenMatch(served, "spaceballs", DUEL, rise)
    open_finished(page, match, "&tick=40")
    shown_tick(page, 40)
    assert [ball["y"] for ball in snapshot(page)["drawn"]] == pytest.approx([0.2160, 0.2160], abs=1e-3)


def test_a_background_tab_is_at_the_newest_state_at_once(rooms: DrivenMatch, page: Page) -> None:
    rooms.go_to(5)
    page.goto(rooms.url)
    shown_tick(page, 5)
    page.evaluate("""() => {
        window.hold = requestAnimationFrame;  // As in the background, no picture is drawn.
        window.held = [];
        window.requestAnimationFrame = draw => held.push(draw);
    }""")
    rooms.go_to(200)
    page.wait_for_function("() => fangnetz.snapshot().latest === 200", polling=20)
    took = page.evaluate("""async () => {
        const begin = performance.now();
        window.requestAnimationFrame = hold;
        document.dispatchEvent(new Event("visibilitychange"));
        for (const draw of held) requestAnimationFrame(draw);
        while (document.querySelector("[data-testid=viewer]").dataset.tick !== "200")
            await new Promise(next => requestAnimationFrame(next));
        return performance.now() - begin;
    }""")
    assert took < 300
