"""What holds for all of the page: languages, themes, sound, embedded and projector form, access for all."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.access import assert_accessible
from browser.canned import R2L_NAMES, entry, match_end, r2l_frame, r2l_start, sb_frame, sb_start
from browser.mock_server import MockServer

HOME = {0: (1, 1), 1: (8, 3), 2: (5, 4), 3: (0, 4)}
CAUGHT = {"kind": "caught", "seat": 1, "by": [0]}
DUEL = ("Halley", "Encke")


@pytest.fixture
def tag(mock: MockServer) -> str:
    """The address of a match of Right2Live at its third tick."""
    mock.tell("tag", r2l_start(), r2l_frame(3, HOME, red=(0,)))
    return f"{mock.url}?match=tag"


def shown_tick(page: Page, tick: int) -> None:
    """Wait until the picture shows this tick."""
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-tick", str(tick))


def background(page: Page) -> str:
    """Return the colour behind the page."""
    colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return colour


def test_the_theme_is_switched_kept_and_shared(tag: str, page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(tag)
    shown_tick(page, 3)
    light = background(page)
    switch = page.get_by_role("button", name="Theme")
    switch.click()
    dark = background(page)
    assert dark != light
    page.reload()
    expect(page.locator("html")).to_have_css("background-color", dark)
    page.goto(f"{tag}&theme=light")
    expect(page.locator("html")).to_have_css("background-color", light)


def test_the_theme_of_last_time_is_there_before_the_page_is_painted(tag: str, page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(tag)
    page.get_by_role("button", name="Theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.route("**/static/main.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_language_is_the_browsers_and_can_be_switched(
    mock: MockServer, tag: str, chromium: Browser
) -> None:
    context = chromium.new_context(locale="de-DE")
    page = context.new_page()
    page.goto(tag)
    expect(page.get_by_role("link", name="Alle Spiele")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator(".hud")).to_contain_text("Blau flieht")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("link", name="All matches")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="All matches")).to_be_visible()
    page.goto(f"{mock.url}?lang=de")
    expect(page.get_by_role("heading", name="Gerade live")).to_be_visible()
    context.close()


def test_the_help_sheet_opens_by_key_and_closes(tag: str, page: Page) -> None:
    page.goto(tag)
    shown_tick(page, 3)
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys")
    expect(sheet).to_contain_text("play or pause")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()


def test_sound_is_off_until_it_is_asked_for(mock: MockServer, tag: str, page: Page) -> None:
    page.goto(tag)
    shown_tick(page, 3)
    mock.tell("tag", r2l_frame(4, HOME, red=(0, 1), events=(CAUGHT,)))
    shown_tick(page, 4)
    assert not [path for path in mock.requests if path.endswith("sound.js")]
    page.get_by_role("button", name="Sound").click()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    mock.tell("tag", r2l_frame(5, HOME, red=(0, 1, 2), events=({**CAUGHT, "seat": 2},)))
    expect(page.locator("html")).to_have_attribute("data-sounded", "caught")


def test_an_embedded_match_tells_and_obeys_the_page_around_it(mock: MockServer, page: Page) -> None:
    frames = [r2l_frame(tick, HOME, events=(CAUGHT,) if tick == 5 else ()) for tick in range(11)]
    mock.tell("tag", r2l_start(), *frames)
    around = f"""<script>heard = []; addEventListener("message", event => heard.push(event.data))</script>
        <iframe id="embedded" width="900" height="600" src="{mock.url}?match=tag&embed"></iframe>"""
    page.route("**/around.html", lambda route: route.fulfill(body=around, content_type="text/html"))
    page.goto(f"{mock.url}around.html")
    page.wait_for_function("() => heard.some(one => one.type === 'ready')")
    page.wait_for_function("() => heard.some(one => one.type === 'tick' && one.tick === 10)")
    inner = page.frame_locator("#embedded")
    expect(inner.locator("header.top")).to_be_hidden()
    send = "message => document.getElementById('embedded').contentWindow.postMessage(message, '*')"
    page.evaluate(send, {"fangnetz": 1, "command": "seek", "value": 4})
    expect(inner.get_by_test_id("viewer")).to_have_attribute("data-tick", "4")
    page.evaluate(send, {"fangnetz": 1, "command": "play"})
    page.wait_for_function("() => heard.some(one => one.type === 'event' && one.tick === 5)")
    page.evaluate(send, {"fangnetz": 1, "command": "state"})
    page.wait_for_function("() => heard.some(one => one.type === 'state' && one.match === 'tag')")
    assert page.evaluate("heard.every(one => one.fangnetz === 1)")


def test_other_messages_do_nothing_to_an_embedded_match(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), *(r2l_frame(tick, HOME) for tick in range(11)))
    page.goto(f"{mock.url}?match=tag&embed")
    shown_tick(page, 10)
    for message in ({"command": "seek", "value": 2}, {"fangnetz": 1, "command": "close"}, "seek", None):
        page.evaluate("message => postMessage(message, '*')", message)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shown_tick(page, 10)


def test_the_screen_turns_from_match_to_match_and_the_lists(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(3, HOME))
    mock.tell("duel", sb_start(), sb_frame(4, ((0.1, 0.1, 0), (0.9, 0.1, 0))))
    mock.announce(entry("tag", "right2live", "running", R2L_NAMES, 3))
    mock.announce(entry("duel", "spaceballs", "running", DUEL, 4))
    page.clock.install()
    page.goto(f"{mock.url}?screen=30")
    seen = []
    for _ in range(3):
        page.clock.run_for(2_000)
        shown = page.locator("[data-testid=viewer], [data-testid=lobby]")
        expect(shown).to_have_count(1)
        seen.append(shown.get_attribute("data-match"))
        expect(page.get_by_test_id("controls")).to_be_hidden()
        page.clock.run_for(30_000)
    assert set(seen) == {"tag", "duel", None}


def test_the_lobby_finds_a_bot(mock: MockServer, page: Page) -> None:
    mock.announce(
        entry("tag", "right2live", "running", R2L_NAMES, 3), entry("duel", "spaceballs", "waiting", DUEL)
    )
    page.goto(mock.url)
    expect(page.get_by_test_id("match-row")).to_have_count(2)
    page.get_by_label("Search for a bot").fill("hall")
    expect(page.get_by_test_id("match-row")).to_have_count(1)
    page.get_by_label("Search for a bot").fill("nobody")
    expect(page.get_by_test_id("lobby")).to_contain_text("No match with this bot.")


def test_the_picture_of_a_live_match_moves_in_the_lobby(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(3, HOME))
    mock.announce(entry("tag", "right2live", "running", R2L_NAMES, 3))
    page.goto(mock.url)
    picture = "() => document.querySelector('.thumb').toDataURL()"
    page.wait_for_function("() => document.querySelector('.thumb[data-tick]')")
    before = page.evaluate(picture)
    mock.tell("tag", r2l_frame(4, HOME | {0: (6, 0)}))
    page.wait_for_function(f"before => ({picture})() !== before", arg=before)


def test_tables_appear_where_the_server_has_them(mock: MockServer, page: Page) -> None:
    standings = [{"rank": 1, "name": "<b>Ada</b>", "points": 12.5}]
    cup = {
        "id": "cup",
        "name": "Spring cup",
        "game": "right2live",
        "state": "running",
        "done": 3,
        "total": 12,
        "standings": standings,
    }
    ratings = [{"name": "Ben", "rating": 1612.4, "deviation": 45.2, "matches": 30}]

    def answer(body: dict[str, Any]) -> Any:
        return lambda route: route.fulfill(json=body)

    page.route("**/api/ratings?game=spaceballs*", answer({"ratings": ratings}))
    page.goto(mock.url)
    tables = page.get_by_test_id("tables")
    expect(tables).to_contain_text("1612 ± 45")
    mock.tell_lobby({"type": "tournaments", "tournaments": [cup]})
    expect(tables).to_contain_text("Spring cup")
    expect(tables).to_contain_text("<b>Ada</b>")
    expect(tables).to_contain_text("1612 ± 45")
    report = page.get_by_role("link", name="Spring cup")
    expect(report).to_have_attribute("href", "api/tournaments/cup/export")
    bot = page.get_by_role("link", name="<b>Ada</b>")
    expect(bot).to_have_attribute("href", "api/tournaments/cup/bots/%3Cb%3EAda%3C%2Fb%3E?format=html")


def test_without_tables_nothing_is_shown_of_them(mock: MockServer, page: Page) -> None:
    page.goto(mock.url)
    expect(page.get_by_test_id("lobby")).to_have_attribute("data-state", "ready")
    expect(page.get_by_test_id("tables")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["", "?match=tag", "?match=duel", "?play=right2live", "?screen"])
def test_nothing_serious_stands_in_anybodys_way(mock: MockServer, page: Page, scheme: Any, view: str) -> None:
    page.emulate_media(color_scheme=scheme)
    mock.tell("tag", r2l_start(), r2l_frame(3, HOME, red=(0,), events=(CAUGHT,)))
    mock.tell("duel", sb_start(), sb_frame(4, ((0.1, 0.1, 0), (0.9, 0.1, 1))))
    mock.tell("duel", match_end("duel", "timeout", (2, 1), (0, 1), 4))
    mock.announce(
        entry("tag", "right2live", "running", R2L_NAMES, 3),
        entry("duel", "spaceballs", "over", DUEL, 4, reason="timeout", places=[2, 1], points=[0, 1]),
    )
    page.goto(mock.url + view)
    page.wait_for_load_state("networkidle")
    assert_accessible(page)


def test_the_first_picture_is_there_within_a_second(mock: MockServer, tag: str, chromium: Browser) -> None:
    best = 99_999.0
    for _ in range(3):
        context = chromium.new_context()
        page = context.new_page()
        page.goto(tag)
        shown_tick(page, 3)
        page.evaluate("() => new Promise(done => requestAnimationFrame(done))")
        best = min(best, page.evaluate("performance.getEntriesByName('fangnetz.first')[0].startTime"))
        context.close()
    assert best < 1000


def test_an_hour_of_watching_does_not_leak(mock: MockServer, chromium: Browser) -> None:
    """72000 ticks of 50 ms are an hour; they come as fast as the page takes them."""
    context = chromium.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    mock.tell("duel", sb_start(), sb_frame(0, ((0.1, 0.1, 0), (0.9, 0.1, 0))))
    page.goto(f"{mock.url}?match=duel")
    shown_tick(page, 0)
    used: list[float] = []
    for start in range(1, 72_000, 6_000):
        spots = ((0.1 + start % 700 / 1000, 0.1, 0), (0.9, 0.1, 1))
        mock.tell("duel", *(sb_frame(tick, spots) for tick in range(start, start + 6_000)))
        mock.matches["duel"] = mock.matches["duel"][:2]
        shown_tick(page, start + 5_999)
        session.send("HeapProfiler.collectGarbage")
        used.append(session.send("Runtime.getHeapUsage")["usedSize"])
    context.close()
    assert used[-1] < max(used[1:4]) * 1.25, used
