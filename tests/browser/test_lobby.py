"""The list of matches, as a spectator sees it."""

import re

from playwright.sync_api import Page, expect

from browser.canned import entry, match_end, r2l_frame, r2l_start, sb_frame, sb_start
from browser.mock_server import MockServer

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Frida")
DUEL = ("Halley", "Encke")


def test_an_empty_lobby_says_so_and_that_it_updates_by_itself(mock: MockServer, page: Page) -> None:
    page.goto(mock.url)
    lobby = page.get_by_test_id("lobby")
    expect(lobby).to_contain_text("No match is running.")
    expect(lobby).to_contain_text("updates by itself")
    expect(page.get_by_test_id("match-row")).to_have_count(0)
    expect(page.get_by_role("heading", name="Finished")).to_be_hidden()


def test_matches_are_listed_with_game_names_state_and_tick(mock: MockServer, page: Page) -> None:
    mock.announce(
        entry("tag", "right2live", "running", NAMES, 47), entry("duel", "spaceballs", "waiting", DUEL)
    )
    page.goto(mock.url)
    tag, duel = (page.locator(f"[data-match={match}]") for match in ("tag", "duel"))
    expect(tag).to_contain_text(re.compile("Right2Live.*Live.*Ada.*Dora.*\\+2.*Round 47"))
    expect(duel).to_contain_text(
        re.compile("Spaceballs.*Waiting for bots.*Halley.*vs.*Encke.*2 of 2 bots here")
    )


def test_a_match_appears_moves_on_and_ends_without_a_reload(mock: MockServer, page: Page) -> None:
    page.goto(mock.url)
    expect(page.get_by_test_id("lobby")).to_contain_text("No match is running.")
    mock.announce(entry("duel", "spaceballs", "running", DUEL, 10, spectators=3))
    row = page.locator(".live [data-match=duel]")
    expect(row).to_contain_text("Tick 10 of 1200")
    expect(row).to_contain_text("3 watching")
    mock.announce(entry("duel", "spaceballs", "running", DUEL, 900))
    expect(row).to_contain_text("Tick 900 of 1200")
    result = {"reason": "catch", "places": [2, 1], "points": [0, 1]}
    mock.announce(entry("duel", "spaceballs", "over", DUEL, 950, **result))
    expect(page.locator(".finished [data-match=duel]")).to_contain_text("Encke wins")
    expect(page.locator(".live")).to_contain_text("No match is running.")


def test_a_draw_is_called_a_draw(mock: MockServer, page: Page) -> None:
    result = {"reason": "timeout", "places": [1, 1], "points": [0, 0]}
    mock.announce(entry("duel", "spaceballs", "over", DUEL, 1200, **result))
    page.goto(mock.url)
    expect(page.locator("[data-match=duel]")).to_contain_text("A draw")


def test_the_newest_matches_come_first_and_the_rest_on_demand(mock: MockServer, page: Page) -> None:
    result = {"reason": "catch", "places": [1, 2], "points": [1, 0]}
    mock.announce(*(entry(f"m{at}", "spaceballs", "over", DUEL, at, **result) for at in range(1, 31)))
    page.goto(mock.url)
    rows = page.get_by_test_id("match-row")
    expect(rows).to_have_count(24)
    expect(rows.first).to_have_attribute("data-match", "m30")
    page.get_by_role("button", name="Show 6 more").click()
    expect(rows).to_have_count(30)
    expect(page.get_by_role("button", name="Show")).to_be_hidden()


def test_a_lost_connection_is_told_and_comes_back_by_itself(mock: MockServer, page: Page) -> None:
    mock.announce(entry("tag", "right2live", "running", NAMES, 47))
    page.goto(mock.url)
    expect(page.locator("#connection")).to_have_text("Connected")
    mock.drop()
    expect(page.locator("#connection")).to_have_text("Connection lost")
    expect(page.get_by_role("alert")).to_contain_text("comes back by itself")
    expect(page.get_by_test_id("match-row")).to_have_count(1)
    mock.come_back()
    mock.announce(entry("tag", "right2live", "running", NAMES, 48))
    expect(page.locator("#connection")).to_have_text("Connected")
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(page.get_by_test_id("match-row")).to_contain_text(["Round 48"])


def test_try_now_reconnects_at_once(mock: MockServer, page: Page) -> None:
    page.goto(mock.url)
    expect(page.locator("#connection")).to_have_text("Connected")
    mock.drop()
    retry = page.get_by_role("button", name="Try now")
    expect(retry).to_be_visible()
    mock.come_back()
    retry.click()
    expect(page.locator("#connection")).to_have_text("Connected")


def test_a_row_opens_its_match_and_the_browser_goes_back(mock: MockServer, page: Page) -> None:
    mock.announce(entry("duel", "spaceballs", "running", DUEL, 10))
    mock.tell("duel", sb_start(), sb_frame(10, ((0.1, 0.1, 0), (0.9, 0.1, 0))))
    page.goto(mock.url)
    page.get_by_test_id("match-row").click()
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-tick", "10")
    assert page.url == f"{mock.url}?match=duel"
    page.go_back()
    expect(page.get_by_test_id("match-row")).to_have_count(1)
    page.go_forward()
    page.get_by_role("link", name="All matches").click()
    expect(page.get_by_test_id("lobby")).to_be_visible()
    assert page.url == mock.url


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there, as somebody without a mouse does."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the focus never came to {selector}")


def test_all_of_it_works_with_the_keyboard_alone(mock: MockServer, page: Page) -> None:
    mock.announce(entry("tag", "right2live", "running", NAMES, 47))
    mock.tell("tag", r2l_start(), r2l_frame(3, {0: (1, 1), 1: (8, 3), 2: (5, 4), 3: (0, 4)}))
    page.goto(mock.url)
    expect(page.get_by_test_id("match-row")).to_be_visible()
    tab_to(page, "[data-testid=match-row]")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-tick", "3")
    tab_to(page, "a.back")
    tab_to(page, "[data-seat='0'] button")
    page.keyboard.press("Space")
    expect(page.locator("[data-seat='0'] button")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("fangnetz.snapshot().selected") == 0


def test_names_are_shown_as_text_only(mock: MockServer, page: Page) -> None:
    nasty = ("<img src=x onerror=alert(1)>", "<b>bold</b>")
    mock.announce(entry("duel", "spaceballs", "running", nasty, 1))
    caught = {"kind": "caught", "seat": 0, "by": 1}
    mock.tell("duel", sb_start(names=nasty), sb_frame(5, ((0.1, 0.1, 0), (0.9, 0.1, 1)), (caught,)))
    mock.tell("duel", match_end("duel", "catch", (2, 1), (0, 1), 5))
    page.goto(mock.url)
    expect(page.get_by_test_id("match-row")).to_contain_text([nasty[0]])
    page.get_by_test_id("match-row").click()
    expect(page.get_by_test_id("result")).to_contain_text(nasty[1])
    expect(page.get_by_test_id("events")).to_contain_text(nasty[0])
    assert page.locator("main img").count() == page.locator("main b:text('bold')").count() == 0
