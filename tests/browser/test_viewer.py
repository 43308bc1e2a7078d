"""One match, as a spectator sees it."""

import re
from os.path import normpath
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.canned import R2L_NAMES, entry, match_end, r2l_frame, r2l_start, sb_frame, sb_start
from browser.mock_server import STATIC, MockServer

HOME = {0: (1, 1), 1: (8, 3), 2: (5, 4), 3: (0, 4)}
CAUGHT = {"kind": "caught", "seat": 1, "by": [0, 2]}
BLOCKED = {"kind": "blocked", "seat": 3}
CORNERS = ((0.1, 0.1, 0), (0.9, 0.1, 0))


def open_match(mock: MockServer, page: Page, match: str) -> None:
    """Open the page of a match and wait for its first picture."""
    page.goto(f"{mock.url}?match={match}")
    expect(page.get_by_test_id("viewer")).not_to_have_attribute("data-phase", "loading")


def shown_tick(page: Page, tick: int) -> None:
    """Wait until the picture shows this tick."""
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-tick", str(tick))


def snapshot(page: Page) -> Any:
    """Return the state last drawn."""
    return page.evaluate("fangnetz.snapshot()")


def colour(page: Page, x: float, y: float) -> list[int]:
    """Return red, green and blue of the canvas at a place from (0, 0) top left to (1, 1)."""
    script = """([x, y]) => {
        const canvas = document.querySelector("canvas");
        const dot = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
        dot.drawImage(canvas, -Math.round(x * canvas.width), -Math.round(y * canvas.height));
        return [...dot.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }"""
    seen: list[int] = page.evaluate(script, [x, y])
    return seen


def field_place(x: float, y: float) -> tuple[float, float]:
    """Return the middle of a field of the canned map as a place on the canvas."""
    margin = 0.3
    return (x + 0.5 + margin) / (10 + 2 * margin), (y + 0.5 + margin) / (5 + 2 * margin)


def needed_by(module: str) -> set[str]:
    """Return a module and all that it imports at once, by their paths below static/."""
    found: set[str] = set()
    todo = {module}
    while todo:
        module = todo.pop()
        found.add(module)
        imports = re.findall(
            r'^(?:import|} from) .*?"(\.{1,2}/[^"]+)"', (STATIC / module).read_text(), re.MULTILINE
        )
        todo |= {normpath(Path(module).parent / name) for name in imports} - found
    return found


def test_a_late_spectator_is_right_at_once(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(0, HOME), r2l_frame(412, HOME | {1: (9, 4)}, red=(0,)))
    open_match(mock, page, "tag")
    shown_tick(page, 412)
    drawn = snapshot(page)["drawn"]
    assert [(player["x"], player["y"], player["team"]) for player in drawn] == [
        (1, 1, "RED"),
        (9, 4, "BLUE"),
        (5, 4, "BLUE"),
        (0, 4, "BLUE"),
    ]


def test_players_move_on_the_canvas(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(0, HOME))
    open_match(mock, page, "tag")
    shown_tick(page, 0)
    left, right = field_place(1, 1), field_place(2, 1)
    before = colour(page, *left), colour(page, *right)
    mock.tell("tag", r2l_frame(1, HOME | {0: (2, 1)}))
    shown_tick(page, 1)
    after = colour(page, *left), colour(page, *right)
    assert before != after
    assert snapshot(page)["drawn"][0]["x"] == 2


def test_the_picture_is_never_ahead_of_the_truth_while_it_moves(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(0, HOME))
    open_match(mock, page, "tag")
    shown_tick(page, 0)
    page.evaluate("""() => {
        window.seen = [];
        const look = () => { seen.push(fangnetz.snapshot()); requestAnimationFrame(look); };
        look();
    }""")
    for tick in range(1, 8):
        mock.tell("tag", r2l_frame(tick, HOME | {0: (1 + tick, 1)}))
        shown_tick(page, tick)
    seen = page.evaluate("seen.map(({position, latest, drawn}) => ({position, latest, x: drawn[0].x}))")
    assert all(look["x"] == pytest.approx(1 + look["position"]) for look in seen)
    assert all(look["position"] <= look["latest"] for look in seen)
    assert any(look["x"] % 1 > 0 for look in seen), "nothing was seen between two fields"


def test_poison_is_green_and_walls_are_not_floor(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(0, HOME))
    open_match(mock, page, "tag")
    shown_tick(page, 0)
    # Off the middle, where no grid line and no edge of a wall runs.
    worst, milder = field_place(0.2, 0.2), field_place(9.2, 4.2)
    floor, wall = field_place(7.2, 0.2), field_place(4.4, 1.6)

    def greenness(place: tuple[float, float]) -> int:
        red, green, blue = colour(page, *place)
        return green - (red + blue) // 2

    assert greenness(worst) > greenness(milder) > greenness(floor) + 10
    assert colour(page, *wall) != colour(page, *floor)


def test_teams_life_points_and_events_are_told(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(47, HOME, red=(0,)))
    open_match(mock, page, "tag")
    mock.tell("tag", r2l_frame(48, HOME, red=(0, 1), events=(CAUGHT, BLOCKED)))
    shown_tick(page, 48)
    expect(page.get_by_test_id("tick")).to_have_text("48")
    expect(page.locator(".hud")).to_contain_text(re.compile("2.*Blue flees.*2.*Red hunts"))
    board = page.get_by_test_id("scoreboard")
    expect(board.locator("tbody tr")).to_contain_text([re.compile("Ada"), "Ben", "Cleo", "Dora"])
    expect(board.locator("[data-seat='1']")).to_contain_text(re.compile("Red hunts.*Ben.*89.5.*10"))
    expect(board.locator("[data-seat='2']")).to_contain_text(re.compile("Blue flees.*Cleo.*88.5.*0"))
    expect(page.get_by_test_id("events").locator("li:visible")).to_have_text(["48Ada and Cleo caught Ben"])
    expect(page.get_by_test_id("voice")).to_have_text("Ada and Cleo caught Ben.")


def test_failed_steps_are_listed_on_demand(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(5, HOME, events=(BLOCKED,)))
    open_match(mock, page, "tag")
    line = page.get_by_test_id("events").get_by_text("Dora bumped into something")
    expect(line).to_be_hidden()
    page.get_by_label("Failed steps too").check()
    expect(line).to_be_visible()


def test_no_event_of_a_burst_of_frames_is_lost(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(0, HOME))
    open_match(mock, page, "tag")
    shown_tick(page, 0)
    mock.tell("tag", *(r2l_frame(tick, HOME, events=(CAUGHT,)) for tick in range(1, 151)))
    shown_tick(page, 150)
    expect(page.get_by_test_id("events").locator("li")).to_have_count(150)


def test_a_long_match_does_not_grow_the_page(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(0, HOME))
    open_match(mock, page, "tag")
    shown_tick(page, 0)
    for start in range(1, 2001, 250):
        mock.tell("tag", *(r2l_frame(tick, HOME, events=(CAUGHT,)) for tick in range(start, start + 250)))
        shown_tick(page, start + 249)
    expect(page.get_by_test_id("events").locator("li")).to_have_count(200)


def test_failed_steps_never_push_a_catch_off_the_list(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(0, HOME, events=(CAUGHT,)))
    open_match(mock, page, "tag")
    for tick in range(1, 5):
        mock.tell("tag", r2l_frame(tick, HOME, events=(BLOCKED,) * 90))
        shown_tick(page, tick)
    lines = page.get_by_test_id("events").locator("li")
    expect(lines).to_have_count(101)
    expect(lines.last).to_have_text("0Ada and Cleo caught Ben")


def test_the_result_is_shown_with_places_and_the_replay(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(90, HOME, red=(0, 1, 2, 3)))
    open_match(mock, page, "tag")
    shown_tick(page, 90)
    mock.tell("tag", match_end("tag", "no_blue_left", (2, 1, 3, 4), (12.5, 80, 4, 0), 90))
    result = page.get_by_test_id("result")
    expect(result).to_contain_text(
        re.compile("Ben wins.*No Blue is left..*1. Ben 80.*2. Ada 12.5.*3. Cleo 4")
    )
    expect(result.get_by_role("link", name="Replay")).to_have_attribute("href", "api/matches/tag/replay")
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-phase", "over")
    expect(page.get_by_test_id("scoreboard").locator("tbody tr").first).to_contain_text("Ben")
    expect(page.get_by_test_id("scoreboard").locator(".place")).to_have_text(["1.", "2.", "3.", "4."])
    expect(page.get_by_test_id("voice")).to_contain_text("Ben wins")
    assert snapshot(page)["result"]["places"] == [2, 1, 3, 4]


def test_a_finished_match_shows_its_end(mock: MockServer, page: Page) -> None:
    mock.tell("duel", sb_start(), sb_frame(1200, ((0.4, 0.6, 1), (0.6, 0.6, 1))))
    mock.tell("duel", match_end("duel", "timeout", (1, 1), (0, 0), 1200))
    open_match(mock, page, "duel")
    expect(page.get_by_test_id("result")).to_contain_text("A draw")
    shown_tick(page, 1200)
    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_walkover_without_a_single_tick_has_a_result(mock: MockServer, page: Page) -> None:
    mock.tell("duel", sb_start(), sb_frame(0, CORNERS), match_end("duel", "walkover", (1, 2), (1, 0), 0))
    open_match(mock, page, "duel")
    expect(page.get_by_test_id("result")).to_contain_text("Halley wins")
    expect(page.get_by_test_id("result")).to_contain_text("A bot did not show up.")


def test_balls_are_drawn_with_y_upwards(mock: MockServer, page: Page) -> None:
    mock.tell("duel", sb_start(), sb_frame(7, ((0.2, 0.95, 0), (0.8, 0.1, 0))))
    open_match(mock, page, "duel")
    shown_tick(page, 7)
    # A little below the middle, where neither the mark nor the velocity line is.
    red, _, blue = colour(page, 0.018 + 0.964 * 0.2, 0.018 + 0.964 * 0.059)
    assert red > blue + 60
    red, _, blue = colour(page, 0.018 + 0.964 * 0.8, 0.018 + 0.964 * 0.909)
    assert blue > red + 60


def test_it_says_who_hunts_whom(mock: MockServer, page: Page) -> None:
    mock.tell("duel", sb_start(), sb_frame(7, CORNERS))
    open_match(mock, page, "duel")
    expect(page.locator(".hud")).to_contain_text("Even: who takes the next station hunts")
    refuelled = {"kind": "refuelled", "seat": 1, "station": 0}
    mock.tell("duel", sb_frame(8, ((0.1, 0.1, 0), (0.5, 0.5, 1)), (refuelled,)))
    expect(page.locator(".hud")).to_contain_text("Encke hunts Halley")
    expect(page.locator(".hud")).to_contain_text(re.compile("2 stations left.*0.4 / 60.0 s"))
    expect(page.get_by_test_id("events")).to_contain_text("Encke took a station")
    expect(page.get_by_test_id("scoreboard").locator("[data-seat='1']")).to_contain_text(
        re.compile("hunts.*Encke")
    )


def test_before_the_first_tick_the_field_is_there(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start())
    mock.settle()
    mock.matches["tag"].append(r2l_frame(0, HOME) | {"type": "notice"})
    page.goto(f"{mock.url}?match=tag")
    expect(page.get_by_test_id("viewer")).to_contain_text("Waiting for the first tick")
    expect(page.get_by_test_id("scoreboard")).to_contain_text("Ada")
    mock.tell("tag", r2l_frame(0, HOME))
    shown_tick(page, 0)
    expect(page.get_by_text("Waiting for the first tick")).to_be_hidden()


def test_the_match_goes_on_after_a_lost_connection(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(10, HOME, events=(CAUGHT,)))
    open_match(mock, page, "tag")
    shown_tick(page, 10)
    mock.drop()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_test_id("scoreboard")).to_contain_text("Ada")
    mock.come_back()
    mock.tell("tag", r2l_frame(11, HOME, events=(BLOCKED,)), r2l_frame(60, HOME))
    shown_tick(page, 60)
    expect(page.get_by_test_id("events").locator("li:visible")).to_have_count(1)
    expect(page.get_by_role("alert")).to_be_hidden()


def test_an_unknown_match_is_called_unknown(mock: MockServer, page: Page) -> None:
    page.goto(f"{mock.url}?match=nothing")
    expect(page.get_by_test_id("viewer")).to_contain_text("There is no such match.")
    page.get_by_role("link", name="All matches").click()
    expect(page.get_by_test_id("lobby")).to_be_visible()


def test_a_game_from_a_plug_in_is_shown_as_a_table(mock: MockServer, page: Page) -> None:
    start = r2l_start() | {"game": "chess", "setup": {}}
    placed = {"kind": "moved", "seat": 0, "to": "e4"}
    mock.tell(
        "tag",
        start,
        {"type": "frame", "match": "tag", "tick": 3, "board": ["K..", "..q"], "events": [placed]},
    )
    open_match(mock, page, "tag")
    expect(page.get_by_role("row", name="board")).to_contain_text('["K..","..q"]')
    expect(page.get_by_test_id("events")).to_contain_text('moved seat 0 to "e4"')
    expect(page.get_by_test_id("scoreboard")).to_contain_text("Ada")


def test_a_bot_without_connection_is_marked(mock: MockServer, page: Page) -> None:
    frame = r2l_frame(5, HOME)
    frame["players"][2]["connected"] = False
    mock.tell("tag", r2l_start(), frame)
    open_match(mock, page, "tag")
    board = page.get_by_test_id("scoreboard")
    expect(board.locator("[data-seat='2'] .gone")).to_be_visible()
    expect(board.locator("[data-seat='1'] .gone")).to_be_hidden()


def test_with_reduced_motion_only_whole_ticks_are_drawn(mock: MockServer, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    mock.tell("tag", r2l_start(), r2l_frame(0, HOME))
    open_match(mock, page, "tag")
    shown_tick(page, 0)
    page.evaluate("""() => {
        window.seen = [];
        const look = () => { seen.push(fangnetz.snapshot().drawn[0].x); requestAnimationFrame(look); };
        look();
    }""")
    for tick in range(1, 6):
        mock.tell("tag", r2l_frame(tick, HOME | {0: (1 + tick, 1)}))
        shown_tick(page, tick)
    assert {x % 1 for x in page.evaluate("seen")} == {0}


@pytest.mark.parametrize("match", ["tag", "duel"])
@pytest.mark.parametrize(("width", "height"), [(360, 640), (820, 1180), (1440, 900), (3840, 2160)])
def test_it_fits_every_screen(mock: MockServer, page: Page, match: str, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    long_names = ("A" * 40, "Ben", "Cleo " * 8, "Dora")
    mock.tell("tag", r2l_start(names=long_names), r2l_frame(3, HOME))
    mock.tell("duel", sb_start(names=("A" * 40, "B" * 40)), sb_frame(3, ((0.1, 0.1, 0), (0.9, 0.1, 1))))
    open_match(mock, page, match)
    shown_tick(page, 3)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.get_by_test_id("field").bounding_box()
    assert box is not None
    assert box["width"] > min(width * 0.3, 300)
    assert box["y"] + box["height"] <= height


def test_the_canvas_follows_the_window_and_its_sharpness(mock: MockServer, chromium: Browser) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(3, HOME))
    context = chromium.new_context(viewport={"width": 700, "height": 900}, device_scale_factor=2)
    page = context.new_page()
    open_match(mock, page, "tag")
    shown_tick(page, 3)
    sharp = (
        "() => {const c = document.querySelector('canvas'); return c.width === Math.round(c.clientWidth * 2)}"
    )
    page.wait_for_function(sharp)
    before = page.evaluate("document.querySelector('canvas').width")
    page.set_viewport_size({"width": 400, "height": 900})
    page.wait_for_function(
        f"before => document.querySelector('canvas').width < before && ({sharp})()", arg=before
    )
    context.close()


def test_the_theme_follows_the_system_while_the_page_is_open(mock: MockServer, page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    mock.tell("tag", r2l_start(), r2l_frame(3, HOME))
    open_match(mock, page, "tag")
    shown_tick(page, 3)
    floor = field_place(7.2, 0.2)
    assert sum(colour(page, *floor)) < 150
    page.emulate_media(color_scheme="light")
    # The page hears of it with its next picture.
    page.evaluate("() => new Promise(seen => requestAnimationFrame(() => requestAnimationFrame(seen)))")
    assert sum(colour(page, *floor)) > 600


def test_everything_comes_from_this_server_below_its_prefix(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(3, HOME))
    open_match(mock, page, "tag")
    shown_tick(page, 3)
    assert [path for path in mock.requests if path.startswith("outside:")] == []
    views = ("main.js", "viewer.js", "games/right2live.js", "words.en.js")
    modules = set[str]().union(*(needed_by(module) for module in views))
    loaded = {path.removeprefix("static/") for path in mock.requests if path.endswith(".js")}
    assert loaded == modules | {"theme.js"}


def test_the_page_lists_what_all_views_need_for_one_round_trip() -> None:
    listed = set(re.findall(r'"static/([^"]+\.js)"', (STATIC / "index.html").read_text()))
    needed = needed_by("main.js") | needed_by("lobby.js") & needed_by("viewer.js")
    assert listed == needed | {"theme.js"}, "the theme is no module: it comes before the first paint"


@pytest.mark.parametrize("path", ["", "?match=tag", "?match=duel", "?match=tag&lang=de", "?play=spaceballs"])
def test_what_a_view_loads_is_small(mock: MockServer, page: Page, path: str) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(3, HOME))
    mock.tell("duel", sb_start(), sb_frame(3, CORNERS))
    mock.announce(entry("tag", "right2live", "running", R2L_NAMES, 3))
    page.goto(mock.url + path)
    page.wait_for_load_state("networkidle")
    loaded = {STATIC / name.removeprefix("static/") for name in mock.requests if name.startswith("static/")}
    assert len(loaded) > 10
    assert sum(file.stat().st_size for file in {*loaded, STATIC / "index.html"}) < 151_000


def test_a_marked_bot_is_ringed(mock: MockServer, page: Page) -> None:
    mock.tell("tag", r2l_start(), r2l_frame(3, HOME))
    open_match(mock, page, "tag")
    shown_tick(page, 3)
    button = page.get_by_role("button", name=R2L_NAMES[1])
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert snapshot(page)["selected"] == 1
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert snapshot(page)["selected"] is None


def test_a_large_map_with_20_players_is_drawn_in_under_4_ms(mock: MockServer, page: Page) -> None:
    names = tuple(f"Bot {seat}" for seat in range(20))
    rows = ["." * 70, ".#" * 35] * 15
    start = r2l_start(names=names) | {"setup": {"map": rows, "toxicity": ["5" * 70] * 30}}
    places = {seat: (2 * seat, 2 * (seat % 10)) for seat in range(20)}
    mock.tell("tag", start, r2l_frame(0, places, red=(3, 4, 5, 6)))
    open_match(mock, page, "tag")
    shown_tick(page, 0)
    script = """async frames => {
        const { Right2LiveScene } = await import(new URL("static/draw/right2live.js", document.baseURI));
        const { readPalette } = await import(new URL("static/draw/palette.js", document.baseURI));
        const canvas = Object.assign(document.createElement("canvas"), { width: 960, height: 416 });
        const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
        const scene = new Right2LiveScene(frames.setup, frames.names);
        scene.layout(960, 416, 1, readPalette());
        const { before, after } = frames;
        const moment = { before, after, trail: [], effects: [], now: 0, selected: 3 };
        const draw = fraction => {
            const begin = performance.now();
            scene.paint(context, { ...moment, fraction, still: false });
            context.getImageData(0, 0, 1, 1);  // Drawing is recorded; this waits until it is done.
            return performance.now() - begin;
        };
        const median = () => Array.from({ length: 61 }, (_, at) => draw(at / 61)).sort((a, b) => a - b)[30];
        return Math.min(...Array.from({ length: 5 }, median));
    }"""
    moved = {seat: (x + 1, y) for seat, (x, y) in places.items()}
    frames = {
        "before": r2l_frame(0, places, red=(3, 4, 5, 6)),
        "after": r2l_frame(1, moved, red=(3, 4, 5, 6)),
    }
    best = page.evaluate(script, frames | {"setup": start["setup"], "names": names})
    assert best < 4
