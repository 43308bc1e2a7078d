"""A beschleunigung.m of the Bremen course in Octave: what it is given, and what becomes of its answers."""

import json
from collections.abc import Iterator
from itertools import pairwise
from math import hypot
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.spaceballs import GAME
from support.octave import MATLAB, OctaveBot, octave_bot, require_octave
from support.scripted import observation, start

JsonObject = dict[str, Any]

DUMP = """function bes = beschleunigung(spiel, farbe)
disp (jsonencode (struct ('spiel', spiel, 'farbe', farbe)));
bes = [0.25, -3];
"""
"""Prints what it is given; the bridge sees nothing of it."""
STYLE = """function bes = beschleunigung(spiel, farbe)
    % As students write them: persistent variables, nested functions that share variables, output left on.
    persistent wegpunkte;
    if strcmp (farbe, 'rot')
        ich = spiel.rot
    else
        ich = spiel.blau;
    end
    if spiel.i_t == 1
        wegpunkte = {};
        planen ();
    end
    bes = fahren ();

    function planen ()
        entfernung = zeros (spiel.n_tanke, 2);
        for i = 1 : spiel.n_tanke
            entfernung(i, :) = [i, norm(spiel.tanke(i).pos - ich.pos)];
        end
        entfernung = sortrows (entfernung, [2 1]);
        for i = 1 : spiel.n_tanke
            wegpunkte{end + 1} = spiel.tanke(entfernung(i, 1)).pos;
        end
        disp ('geplant');
    end

    function erg = fahren ()
        erg = wegpunkte{1} - ich.pos;
        if norm (erg) < spiel.tanke_radius
            wegpunkte(1) = [];
        end
    end
end
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a bot, with a name that wants care."""
    path = tmp_path / "Team Übermut's bot"
    path.mkdir()
    return path


def match(seed: int = 5, seat: int = 0, **ruleset: Any) -> tuple[Any, JsonObject]:
    """Return the start position of a match, and its `match_start`."""
    state = GAME.prepare(seed, {"ruleset": ruleset})
    return state, start(seat=seat, setup=GAME.briefing(state, SeatId(seat)))


def seen(state: Any, seat: int = 0) -> JsonObject:
    """Return the observation of a state."""
    return observation(state.tick, **GAME.observe(state, SeatId(seat)))


def dumps(errors: str) -> list[JsonObject]:
    return [json.loads(line) for line in errors.splitlines() if line.startswith('{"spiel"')]


# --- what a bot is given ------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_call_gets_the_struct_of_the_course(folder: Path, seat: int) -> None:
    state, begin = match(seat=seat)
    with octave_bot(folder, DUMP) as bot:
        assert bot.ask(begin) == {"type": "ready"}
        assert bot.ask(seen(state, seat)) == {"type": "action", "tick": 0, "thrust": [0.25, -3]}
        (call,) = dumps(bot.finish()[1])
    spiel = call["spiel"]
    assert call["farbe"] == ("rot", "blau")[seat]
    balls = {color: spiel.pop(color) for color in ("rot", "blau")}
    places = {kind: spiel.pop(kind) for kind in ("tanke", "mine")}
    assert spiel == {
        "dt": 0.01,
        "t_end": 60,
        "n_t": 6000,
        "i_t": 1,
        "t": 0.01,
        "n_mine": 12,
        "n_tanke": 9,
        "kreis_radius": 0.075,
        "mine_radius": 0.05,
        "tanke_radius": 0.01,
        "spaceball_radius": 0.01,
        "bes": 0.1,
    }
    at_rest = {"ges": [0, 0], "bes": [0, 0], "radius": 0.01, "getankt": 0, "punkte": 0, "ereignis": ""}
    for color, x in (("rot", 0.015), ("blau", 0.985)):
        assert balls[color].pop("spur") == [[0, 0]] * 6000
        assert balls[color] == {"pos": [x, 0.015], **at_rest}
    for kind, name, radius in (("tanke", "stations", 0.01), ("mine", "mines", 0.05)):
        for found, wanted in zip(places[kind], begin["setup"][name], strict=True):
            assert found == {"pos": pytest.approx([wanted["x"], wanted["y"]]), "radius": radius}


def test_lists_are_rows_that_shrink_to_nothing(folder: Path) -> None:
    code = """function bes = beschleunigung(spiel, farbe)
    counts = [spiel.n_tanke, spiel.n_mine]
    sizes = [size(spiel.tanke), size(spiel.mine), size(spiel.rot.pos), size(spiel.rot.spur)]
    same = isequal (fieldnames (spiel.tanke), fieldnames (spiel.mine), {'pos'; 'radius'})
    bes = [0 0];
    """
    _, begin = match()
    place = {"id": 0, "x": 0.5, "y": 0.25}
    with octave_bot(folder, code) as bot:
        bot.ask(begin)
        for tick, count in enumerate((2, 1, 0)):
            bot.ask(observation(tick, stations=[place] * count, mines=[place] * (2 * count)))
        errors = " ".join(bot.finish()[1].split())
    for count in (2, 1, 0):
        assert f"counts = {count} {2 * count} sizes = 1 {count} 1 {2 * count} 1 2 6000 2" in errors
    assert errors.count("same = 1") == 3


@pytest.mark.parametrize("steps_per_tick", [1, 5])
def test_it_sees_every_step_even_those_inside_a_tick(folder: Path, steps_per_tick: int) -> None:
    chance = Random(3)
    pushes = [[chance.uniform(-1, 1), chance.random()] for _ in range(8)]
    fine, _ = match(steps_per_tick=1)
    coarse, begin = match(steps_per_tick=steps_per_tick)
    ways: tuple[list[Any], list[Any]] = ([], [])
    with octave_bot(folder, DUMP) as bot:
        bot.ask(begin)
        bot.ask(seen(coarse))
        for push in pushes:
            actions = [GAME.parse_action({"thrust": push}), GAME.parse_action({"thrust": [-push[1], 0.5]})]
            coarse = GAME.step(coarse, actions)
            for _ in range(steps_per_tick):
                fine = GAME.step(fine, actions)
                for seat in (0, 1):
                    ways[seat].append((fine.balls[seat].x, fine.balls[seat].y))
            bot.ask(seen(coarse))
        calls = dumps(bot.finish()[1])
    assert [call["spiel"]["i_t"] for call in calls] == [1 + steps_per_tick * tick for tick in range(9)]
    assert calls[-1]["spiel"]["t"] == pytest.approx((1 + 8 * steps_per_tick) / 100)
    last = calls[-1]["spiel"]
    for seat, color in enumerate(("rot", "blau")):
        ball = coarse.balls[seat]
        assert last[color]["pos"] == [ball.x, ball.y]
        assert last[color]["ges"] == [ball.vx, ball.vy]
        assert last[color]["bes"] == [ball.ax, ball.ay]
        flown = 8 * steps_per_tick
        for found, wanted in zip(last[color]["spur"][:flown], ways[seat], strict=True):
            assert found == pytest.approx(wanted, abs=1e-12)
        assert last[color]["spur"][flown:] == [[0, 0]] * (6000 - flown)


def test_where_ticks_were_missed_the_way_is_straight(folder: Path) -> None:
    state, begin = match()
    push = GAME.parse_action({"thrust": [1, 1]})
    with octave_bot(folder, DUMP) as bot:
        bot.ask(begin)
        bot.ask(seen(state))
        for _ in range(3):
            state = GAME.step(state, [push, None])
        bot.ask(seen(state))
        spur = dumps(bot.finish()[1])[-1]["spiel"]["rot"]["spur"]
    assert spur[14] == pytest.approx([state.balls[0].x, state.balls[0].y])
    x = [0.015, *(row[0] for row in spur[:15])]
    gaps = [later - earlier for earlier, later in pairwise(x)]
    assert gaps[:11] == pytest.approx([gaps[0]] * 11)
    assert all(gap > 0 for gap in gaps)


def test_how_much_somebody_has_refuelled(folder: Path) -> None:
    _, begin = match(seat=1)
    fact = observation(3, mines=[{"id": 0, "x": 0.5, "y": 0.75}])
    with octave_bot(folder, DUMP) as bot:
        bot.ask(begin)
        bot.ask({**fact, "me": {**fact["me"], "fuel": 4}, "opponent": {**fact["opponent"], "fuel": 2}})
        spiel = dumps(bot.finish()[1])[0]["spiel"]
    assert (spiel["blau"]["getankt"], spiel["rot"]["getankt"]) == (4, 2)


def test_a_bot_as_students_write_them(folder: Path) -> None:
    state, begin = match()
    with octave_bot(folder, STYLE) as bot:
        for _ in range(2):  # A second match begins afresh.
            bot.ask(begin)
            here = state
            for _ in range(5):
                answer = bot.ask(seen(here))
                here = GAME.step(here, [GAME.parse_action({"thrust": answer["thrust"]}), None])
            stations = begin["setup"]["stations"]
            x, y = min(
                ((it["x"], it["y"]) for it in stations), key=lambda it: hypot(it[0] - 0.015, it[1] - 0.015)
            )
            ball = here.balls[0]
            assert ball.vx * (y - ball.y) == pytest.approx(ball.vy * (x - ball.x))
        status, errors = bot.finish()
    assert (status, errors.count("geplant"), errors.count("ich =")) == (0, 2, 10)
    assert "coasts" not in errors


def test_every_match_has_a_fresh_bot(folder: Path) -> None:
    code = """function bes = beschleunigung(spiel, farbe)
    persistent calls
    if isempty (calls), calls = 0; end
    calls = calls + 1;
    bes = [calls, start()];
    """
    helper = """function n = start()
    persistent calls
    if isempty (calls), calls = 10; end
    calls = calls + 1;
    n = calls;
    """
    state, begin = match()
    with octave_bot(folder, code, start=helper) as bot:
        for _ in range(2):
            bot.ask(begin)
            assert [bot.ask(seen(state))["thrust"] for _ in range(3)] == [[1, 11], [2, 12], [3, 13]]
            bot.tell({"type": "match_end", "match": "m-1", "reason": "catch", "points": [1, 0]})
        _, errors = bot.finish()
    assert errors.count("match m-1 is over: catch, 1 points") == 2


def test_data_beside_the_bot_is_found(folder: Path) -> None:
    (folder / "ziel.txt").write_text("0.5 0.25")
    code = "function bes = beschleunigung(spiel, farbe)\nbes = load ('ziel.txt');\n"
    state, begin = match()
    with octave_bot(folder, code) as bot:
        bot.ask(begin)
        assert bot.ask(seen(state))["thrust"] == [0.5, 0.25]


# --- what a bot does wrong ----------------------------------------------------------------------

WANTED = "bes has to be a row of two finite numbers, [x, y]"
WRONG = {
    "0": f"{WANTED}, but its size is 1x1",
    "[1; 0]": f"{WANTED}, but its size is 2x1",
    "[1 2 3]": f"{WANTED}, but its size is 1x3",
    "[]": f"{WANTED}, but its size is 0x0",
    "zeros(2,2,2)": f"{WANTED}, but its size is 2x2x2",
    "[NaN 0]": f"{WANTED}, not [NaN 0]",
    "[0 -Inf]": f"{WANTED}, not [0 -Inf]",
    "[1i 0]": f"{WANTED}, not [0+1i 0+0i]",
    "'ab'": f"{WANTED}, not a char",
    "{1, 2}": f"{WANTED}, not a cell",
    "struct('x', 1)": f"{WANTED}, not a struct",
}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, JsonObject], str]]:
    """Ask one bot for all wrong answers: the file, the answers that were given instead, and what was told."""
    folder = tmp_path_factory.mktemp("wrong")
    cases = "".join(f"    case {tick}\n        bes = {code};\n" for tick, code in enumerate(WRONG))
    code = f"function bes = beschleunigung(spiel, farbe)\nswitch (spiel.i_t - 1) / 5\n{cases}end\n"
    _, begin = match()
    with octave_bot(folder, code) as bot:
        bot.ask(begin)
        answers = {wrong: bot.ask(observation(tick)) for tick, wrong in enumerate(WRONG)}
        for tick in range(len(WRONG)):
            bot.ask(observation(tick))  # The second time nothing is told.
        yield folder / "beschleunigung.m", answers, bot.finish()[1]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_direction_is_told_with_file_and_line_and_coasts(
    complaints: tuple[Path, dict[str, JsonObject], str], wrong: str
) -> None:
    file, answers, errors = complaints
    tick = list(WRONG).index(wrong)
    assert answers[wrong] == {"type": "action", "tick": tick, "thrust": [0, 0]}
    last, *others = [4 + 2 * number for number in range(len(WRONG))][::-1]
    lines = ", ".join(map(str, others[::-1]))
    place = f"{file}:{last} (or line {lines})"
    told = f"{place}: {WRONG[wrong]} (tick {tick}; the ball coasts; this is told once a match)"
    assert errors.splitlines().count(told) == 1


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("bes = 7;\n", 2),
        ("% bes = [1 0];\n\nbes(1) = 7;\n", 4),
        ("x = spiel.t; bes = x;\n", 2),
        ("bess = [1 0]; bes = 1;\nif bes == 2, end\n", 2),
        ("[bes] = deal (1);\n", 1),
    ],
)
def test_the_line_that_gave_the_answer_is_named(folder: Path, code: str, line: int) -> None:
    _, begin = match()
    with octave_bot(folder, f"function bes = beschleunigung(spiel, farbe)\n{code}") as bot:
        bot.ask(begin)
        bot.ask(observation(0))
        assert f"beschleunigung.m:{line}: {WANTED}" in bot.finish()[1]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("x = [1 2 3];\nbes = x(7);\n", "beschleunigung.m:3: "),
        ("bes = spiel.gibtsnicht;\n", "beschleunigung.m:2: "),
        ("if spiel.i_t == 0\n  bes = [1 0];\nend\n", "'bes' undefined"),
        ("\nerror ('Meine Strategie:\\nkeine');\n", "beschleunigung.m:3: Meine Strategie:"),
        ("bes = helfen (spiel);\n", "helfen.m:3: "),
        ("bes = fangnetz_steuern (spiel, spiel.rot);\n", "beschleunigung.m:2: "),
        ("printf ('vorher'); bes = gibtsnicht (3);\n", "beschleunigung.m:2: "),
    ],
)
def test_an_error_costs_a_tick_and_is_told_once_with_its_line(folder: Path, code: str, told: str) -> None:
    helper = "function x = helfen(spiel)\ny = 1;\nx = [y 2] * [3 4];\n"
    _, begin = match()
    with octave_bot(folder, f"function bes = beschleunigung(spiel, farbe)\n{code}", helfen=helper) as bot:
        bot.ask(begin)
        for tick in range(3):
            assert bot.ask(observation(tick)) == {"type": "action", "tick": tick, "thrust": [0, 0]}
        status, errors = bot.finish()
    assert (status, errors.count("coasts")) == (0, 1)
    assert told in errors


def test_a_large_direction_is_made_smaller(folder: Path) -> None:
    state, begin = match()
    with octave_bot(folder, "function bes = beschleunigung(spiel, farbe)\nbes = [3e300, -1.5e300];\n") as bot:
        bot.ask(begin)
        assert bot.ask(seen(state))["thrust"] == [1, -0.5]


def test_whole_numbers_and_truth_values_are_numbers(folder: Path) -> None:
    code = """function bes = beschleunigung(spiel, farbe)
    if spiel.i_t == 1
        bes = int8 ([3 -4]);
    else
        bes = [true false];
    end
    """
    _, begin = match()
    with octave_bot(folder, code) as bot:
        bot.ask(begin)
        assert [bot.ask(observation(tick))["thrust"] for tick in (0, 1)] == [[3, -4], [1, 0]]


def test_what_the_server_says_is_told_once(folder: Path) -> None:
    _, begin = match()
    with octave_bot(folder, DUMP) as bot:
        bot.ask(begin)
        for _ in range(3):
            bot.tell({"type": "error", "code": "late", "message": "too late by 3 ms"})
            bot.tell({"type": "notice", "code": "announcement", "message": "Finals at noon."})
        bot.ask(observation(1))
        assert bot.finish()[1].count("the server says: too late by 3 ms") == 1


def test_another_game_is_left(folder: Path) -> None:
    with octave_bot(folder, DUMP) as bot:
        assert bot.ask(start(game="right2live", setup={"map": [".."]})) == {"type": "leave"}
        bot.tell({"type": "match_end", "match": "m-1", "reason": "max_rounds", "points": [1, 0]})
        status, errors = bot.finish()
    assert (status, "plays spaceballs, not right2live" in errors) == (0, True)


# --- what is no bot -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (
            "function bes = beschleunigung(spiel, farbe)\nbes = [1 0\nend\n",
            "cannot be read: parse error near line",
        ),
        ("function bes = beschleunigung(spiel)\nbes = [1 0];\n", "has to begin with: function bes = besch"),
        (
            "function beschleunigung(spiel, farbe)\n",
            "has to begin with: function bes = beschleunigung(spiel, farbe)",
        ),
    ],
)
def test_a_file_that_cannot_be_called_is_refused(folder: Path, code: str, says: str) -> None:
    with octave_bot(folder, code) as bot:
        status, errors = bot.finish()
    assert (status, says in errors) == (2, True), errors


def test_a_place_without_a_bot_is_refused(folder: Path) -> None:
    (folder / "other.m").write_text("x = 1;")
    for place, says in (
        (folder, "has no beschleunigung.m"),
        (folder / "other.m", "give a folder with a beschleunigung.m"),
        (folder / "nowhere", "there is no bot"),
    ):
        with OctaveBot(place) as bot:
            status, errors = bot.finish()
        assert (status, says in errors) == (2, True), errors


def test_the_file_itself_may_be_named() -> None:
    require_octave()
    _, begin = match()
    with OctaveBot(MATLAB / "bots" / "spiegel" / "beschleunigung.m") as bot:
        bot.ask(begin)
        fact = observation(1)
        answer = bot.ask({**fact, "opponent": {**fact["opponent"], "ax": 0.06, "ay": 0.08}})
        assert answer["thrust"] == pytest.approx([-0.06, 0.08])
        assert bot.finish() == (0, "")
