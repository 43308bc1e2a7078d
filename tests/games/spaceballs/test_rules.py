"""A case for every numbered rule of docs/rules/spaceballs.md."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from fangnetz_server.games.contract import Outcome
from fangnetz_server.games.spaceballs import GAME
from support.cases import Case, play_case

RULES: Final = Path(__file__).parents[3] / "docs" / "rules" / "spaceballs.md"
STEP: Final = {"steps_per_tick": 1}
FAR: Final = {"x": 0.9, "y": 0.9}
RED_WINS: Final = ((1.0, 0.0), (1, 2))
BLUE_WINS: Final = ((0.0, 1.0), (2, 1))
DRAW: Final = ((0.0, 0.0), (1, 1))


def setup(*balls: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a setup of single steps on an empty field, unless `more` says otherwise."""
    field: dict[str, Any] = {"ruleset": STEP, "stations": [], "mines": [], **more}
    return {**field, "balls": list(balls)} if balls else field


def push(x: float, y: float) -> dict[str, Any]:
    return {"thrust": [x, y]}


CASES: Final = [
    Case("B1.1", "y points upwards, x to the right", setup({"x": 0.3, "y": 0.3}, FAR), 1,
         {1: {"balls.0.x": 0.3, "balls.0.y": 0.30001, "balls.1.x": 0.90001}},
         {0: {1: push(0, 1)}, 1: {1: push(1, 0)}}),
    Case("B1.2", "nine stations and twelve mines without further orders", {}, 0,
         {0: {"stations.8.id": 8, "mines.11.id": 11}}),
    Case("B1.3", "the first station lies in the middle, what follows in pairs", {}, 0,
         {0: {"stations.0.x": 0.5}}),
    Case("B1.4", "ids stay when something vanishes",
         setup({"x": 0.3, "y": 0.3}, FAR, stations=[[0.1, 0.1], [0.31, 0.3], [0.2, 0.9]]), 1,
         {1: {"stations": [{"id": 0, "x": 0.1}, {"id": 2, "x": 0.2}]}}),
    Case("B1.5", "red starts on the left, blue on the right, both at rest", setup(), 0,
         {0: {"balls": [{"seat": 0, "x": 0.015, "y": 0.015, "vx": 0.0, "vy": 0.0},
                        {"seat": 1, "x": 0.985, "y": 0.015, "vx": 0.0, "vy": 0.0}]}}),
    Case("B2.1", "sixty seconds are 6000 steps of 0.01 s, 1200 ticks", setup(ruleset={}), 1200,
         {1: {"step": 5, "time": 0.05}, 1199: {"step": 5995}, 1200: {"step": 6000, "time": 60.0}},
         outcome=Outcome("timeout", *DRAW), ends=1200),
    Case("B2.2", "the length of a thrust does not matter", setup({"x": 0.3, "y": 0.3}, FAR), 2,
         {1: {"balls.0.ax": 0.06, "balls.0.ay": 0.08, "balls.1.ax": -0.08, "balls.1.ay": 0.06},
          2: {"balls.0.ax": 0.1, "balls.0.ay": 0.0, "balls.1.ax": 0.0, "balls.1.ay": -0.1}},
         {0: {1: push(3, 4), 2: push(1e-8, 0)}, 1: {1: push(-0.0008, 0.0006), 2: push(0, -1e6)}}),
    Case("B2.2", "a thrust of 1e-9 or less coasts", setup({"x": 0.3, "y": 0.3, "vx": 0.1}, FAR), 2,
         {1: {"balls.0.ax": 0.0, "balls.0.vx": 0.1}, 2: {"balls.0.x": 0.302}},
         {0: {1: push(1e-9, 0), 2: push(-6e-10, 6e-10)}}),
    Case("B2.3", "the first step already goes with the new velocity", setup({"x": 0.2, "y": 0.2}, FAR), 10,
         {1: {"balls.0.vx": 0.001, "balls.0.x": 0.20001}, 2: {"balls.0.x": 0.20003},
          10: {"balls.0.vx": 0.01, "balls.0.x": 0.20055}},
         {0: {"*": push(1, 0)}}),
    Case("B2.3", "nothing brakes a ball and nothing limits its speed",
         setup({"x": 0.1, "y": 0.5, "vx": 50.0}, FAR), 1, {1: {"balls.0.x": 0.6, "balls.0.vx": 50.0}}),
    Case("B2.3", "thrusting at the side walls from the start, both crash in step 32", setup(), 99,
         {31: {"balls.0.x": 0.01004}, 32: {"balls.0.x": 0.00972}},
         {0: {"*": push(-1, 0)}, 1: {"*": push(1, 0)}}, Outcome("double_crash", *DRAW), 32),
    Case("B2.4", "an action holds for five steps, none means coasting", setup({"x": 0.3, "y": 0.5}, FAR,
         ruleset={}), 3,
         {1: {"balls.0.vx": 0.005, "balls.0.x": 0.30015}, 2: {"balls.0.ax": 0.0, "balls.0.x": 0.3004},
          3: {"balls.0.vx": 0.0, "balls.0.x": 0.3005}},
         {0: {1: push(1, 0), 3: push(-1, 0)}}),
    Case("B2.4", "the last tick is shorter if the steps are no multiple",
         setup(ruleset={"duration": 0.12}), 9, {2: {"step": 10}, 3: {"step": 12, "time": 0.12}},
         outcome=Outcome("timeout", *DRAW), ends=3),
    Case("B2.4", "the match ends in the middle of a tick",
         setup({"x": 0.1, "y": 0.5}, {"x": 0.5, "y": 0.0215, "vy": -0.1}, ruleset={}), 9,
         {3: {"step": 12, "time": 0.12, "balls.1.y": 0.0095}}, outcome=Outcome("crash_wall", *RED_WINS),
         ends=3),
    Case("B3.1", "a station 0.02 away is touched, one 0.0201 away is not",
         setup({"x": 0.02, "y": 0.5}, {"x": 0.02, "y": 0.8}, stations=[[0.04, 0.5], [0.0401, 0.8]]), 1,
         {1: {"balls.0.fuel": 1, "balls.1.fuel": 0, "stations": [{"id": 1}]}}),
    Case("B3.1", "a mine 0.06 away is touched", setup({"x": 0.03, "y": 0.5}, FAR, mines=[[0.09, 0.5]]), 2,
         outcome=Outcome("crash_mine", *BLUE_WINS), ends=1),
    Case("B3.1", "a mine 0.0601 away is not", setup({"x": 0.03, "y": 0.5}, FAR, mines=[[0.0901, 0.5]]), 2),
    Case("B3.1", "balls 0.02 apart touch", setup({"x": 0.02, "y": 0.5, "fuel": 1}, {"x": 0.04, "y": 0.5}), 1,
         outcome=Outcome("catch", *RED_WINS), ends=1),
    Case("B3.1", "a ball with p-r = 0 touches the wall", setup({"x": 0.5, "y": 0.01}, FAR), 1,
         {1: {"events": [{"kind": "crashed", "seat": 0, "into": "wall"}]}},
         outcome=Outcome("crash_wall", *BLUE_WINS), ends=1),
    Case("B3.1", "a ball with p+r = 1 touches the wall", setup({"x": 0.1, "y": 0.1}, {"x": 0.99,
         "y": 0.5}), 1,
         {1: {"events": [{"kind": "crashed", "seat": 1, "into": "wall"}]}},
         outcome=Outcome("crash_wall", *RED_WINS), ends=1),
    Case("B3.1", "a hair's breadth from the walls nobody crashes",
         setup({"x": 0.0101, "y": 0.0101}, {"x": 0.9899, "y": 0.9899}), 1, {1: {"events": []}}),
    Case("B3.2", "distances along both axes count together",
         setup({"x": 0.2, "y": 0.2}, {"x": 0.8, "y": 0.2}, stations=[[0.214, 0.214], [0.815, 0.215]]), 1,
         {1: {"balls.0.fuel": 1, "balls.1.fuel": 0}}),
    Case("B4.1", "a ball reaches the station with the motion of this very step",
         setup({"x": 0.4795, "y": 0.5, "vx": 0.1}, FAR, stations=[[0.5, 0.5]]), 1, {1: {"balls.0.fuel": 1}}),
    Case("B4.2", "both touch a station in the same step: both get it",
         setup({"x": 0.485, "y": 0.5}, {"x": 0.515, "y": 0.5}, stations=[[0.5, 0.5]]), 1,
         {1: {"balls.0.fuel": 1, "balls.1.fuel": 1, "stations": [], "defender": None,
              "events": [{"kind": "refuelled", "seat": 0, "station": 0},
                         {"kind": "refuelled", "seat": 1, "station": 0}]}}),
    Case("B4.2", "two stations in one step",
         setup({"x": 0.5, "y": 0.5}, FAR, stations=[[0.49, 0.5], [0.51, 0.5], [0.1, 0.1]]), 1,
         {1: {"balls.0.fuel": 2, "stations": [{"id": 2}], "defender": 1}}),
    Case("B4.3", "who hits a mine loses, though ahead",
         setup({"x": 0.4395, "y": 0.5, "vx": 0.1, "fuel": 5}, FAR, mines=[[0.5, 0.5]]), 5,
         {1: {"events": [{"kind": "crashed", "seat": 0, "into": "mine"}], "balls.1.points": 1.0}},
         outcome=Outcome("crash_mine", *BLUE_WINS), ends=1),
    Case("B4.3", "two crashes in one step: no point",
         setup({"x": 0.4395, "y": 0.5, "vx": 0.1}, {"x": 0.9, "y": 0.9895, "vy": 0.1}, mines=[[0.5, 0.5]]), 5,
         outcome=Outcome("double_crash", *DRAW), ends=1),
    Case("B4.3", "a mine and a wall in one step is a crash into the wall",
         setup({"x": 0.0105, "y": 0.5, "vx": -0.1}, FAR, mines=[[0.05, 0.5]]), 1,
         {1: {"events": [{"kind": "crashed", "seat": 0, "into": "wall"}]}},
         outcome=Outcome("crash_wall", *BLUE_WINS), ends=1),
    Case("B4.3", "a crash ends the match before a catch is judged",
         setup({"x": 0.0105, "y": 0.5, "vx": -0.1, "fuel": 2}, {"x": 0.0255, "y": 0.51}), 3,
         outcome=Outcome("crash_wall", *BLUE_WINS), ends=1),
    Case("B4.4", "the ball with more stations catches the other",
         setup({"x": 0.3, "y": 0.5, "fuel": 1}, {"x": 0.3205, "y": 0.5, "vx": -0.1, "fuel": 2}), 9,
         {1: {"events": [{"kind": "caught", "seat": 0, "by": 1}], "balls.1.points": 1.0}},
         outcome=Outcome("catch", *BLUE_WINS), ends=1),
    Case("B4.4", "with equal counts they pass through each other",
         setup({"x": 0.49, "y": 0.5, "vx": 0.1}, {"x": 0.51, "y": 0.5, "vx": -0.1}), 20,
         {10: {"balls.0.x": 0.5, "balls.1.x": 0.5}, 20: {"balls.0.x": 0.51, "balls.1.x": 0.49,
         "events": []}}),
    Case("B4.4", "a station of this step counts",
         setup({"x": 0.5, "y": 0.4825, "vy": 0.1}, {"x": 0.512, "y": 0.5}, stations=[[0.488, 0.5]]), 9,
         {2: {"events": [{"kind": "refuelled"}, {"kind": "caught"}]}},
         outcome=Outcome("catch", *RED_WINS), ends=2),
    Case("B4.5", "after the last step it is a draw, whatever the counts",
         setup({"x": 0.3, "y": 0.5, "fuel": 7}, FAR, ruleset={"duration": 0.2}), 9,
         {4: {"events": [{"kind": "timeout"}]}}, outcome=Outcome("timeout", *DRAW), ends=4),
    Case("B4.5", "a catch in the last step counts",
         setup({"x": 0.3, "y": 0.5, "fuel": 3}, {"x": 0.3225, "y": 0.5, "vx": -0.1},
               ruleset={**STEP, "duration": 0.03}), 9, outcome=Outcome("catch", *RED_WINS), ends=3),
    Case("B4.5", "a crash in the last step counts",
         setup({"x": 0.3, "y": 0.5}, {"x": 0.0125, "y": 0.5, "vx": -0.1}, ruleset={**STEP,
         "duration": 0.03}), 9,
         outcome=Outcome("crash_wall", *RED_WINS), ends=3),
    Case("B4.6", "the mine nearest to the defender vanishes at the end of the steps L+300, L+600",
         setup({"x": 0.5, "y": 0.9}, {"x": 0.35, "y": 0.4}, stations=[[0.5, 0.91]],
               mines=[[0.75, 0.75], [0.25, 0.25], [0.3, 0.7]]), 601,
         {300: {"mines": [{"id": 0}, {"id": 1}, {"id": 2}]}, 301: {"mines": [{"id": 0}, {"id": 2}],
          "events": [{"kind": "mine_removed", "mine": 1}]}, 600: {"mines": [{"id": 0}, {"id": 2}]},
          601: {"mines": [{"id": 0}]}}),
    Case("B4.6", "without any station L is 0", setup({"x": 0.2, "y": 0.2}, FAR, mines=[[0.5, 0.5]]), 300,
         {299: {"mines": [{"id": 0}]}, 300: {"mines": []}}),
    Case("B4.6", "while a station is left, no mine vanishes",
         setup({"x": 0.5, "y": 0.9, "fuel": 1}, {"x": 0.35, "y": 0.4}, stations=[[0.1, 0.1]], mines=[[0.7,
         0.7]]), 700,
         {700: {"mines": [{"id": 0}]}}),
    Case("B4.6", "of two mines as near the lower id vanishes",
         setup({"x": 0.5, "y": 0.9, "fuel": 1}, {"x": 0.5, "y": 0.25}, mines=[[0.5, 0.6], [0.75, 0.25],
         [0.25, 0.25]]),
         300, {300: {"mines": [{"id": 0}, {"id": 2}]}}),
    Case("B4.6", "nobody defends: the mine nearest to either ball",
         setup({"x": 0.2, "y": 0.5}, {"x": 0.8, "y": 0.5}, mines=[[0.5, 0.5], [0.8, 0.6]]), 300,
         {300: {"mines": [{"id": 0}]}}),
    Case("B4.6", "the mine that goes at the end of a step is still hit in it",
         setup({"x": 0.1, "y": 0.5, "vx": 0.1}, FAR, mines=[[0.4595, 0.5]]), 300,
         outcome=Outcome("crash_mine", *BLUE_WINS), ends=300),
    Case("B4.6", "in the last step the mine vanishes before the time is over",
         setup({"x": 0.2, "y": 0.2}, FAR, mines=[[0.5, 0.5]], ruleset={"duration": 3.0}), 60,
         {60: {"mines": [], "events": [{"kind": "mine_removed", "mine": 0}, {"kind": "timeout"}]}},
         outcome=Outcome("timeout", *DRAW), ends=60),
    Case("B5.1", "the winner gets one point", setup({"x": 0.5, "y": 0.01}, FAR), 1,
         {1: {"balls.0.points": 0.0, "balls.1.points": 1.0}}, outcome=Outcome("crash_wall", *BLUE_WINS)),
    Case("B6.1", "a frame shows the acceleration of the tick and the counts",
         setup({"x": 0.3, "y": 0.3, "vx": 0.1, "fuel": 2}, {**FAR, "fuel": 1}), 1,
         {1: {"balls.0": {"ax": 0.0, "ay": -0.1, "vx": 0.1, "fuel": 2}, "defender": 1}}, {0: {1: push(0,
         -5)}}),
    Case("B7", "mine_choice last: the last of the list, whoever defends",
         setup({"x": 0.5, "y": 0.9, "fuel": 1}, {"x": 0.35, "y": 0.4}, mines=[[0.3, 0.3], [0.7, 0.7]],
               ruleset={**STEP, "mine_choice": "last"}), 300, {300: {"mines": [{"id": 0}]}}),
    Case("B7", "mine_clock grid: at the start of step 300, so the mine is just missed",
         setup({"x": 0.1, "y": 0.5, "vx": 0.1}, FAR, mines=[[0.4595, 0.5]], ruleset={**STEP,
         "mine_clock": "grid"}), 300,
         {299: {"mines": [{"id": 0}]}, 300: {"mines": []}}),
    Case("B7", "mine_clock grid counts from the start, not from the last station",
         setup({"x": 0.1, "y": 0.5}, FAR, stations=[[0.5, 0.5]], mines=[[0.5, 0.9], [0.5, 0.1]],
               ruleset={**STEP, "mine_clock": "grid"}), 300, {300: {"mines": [{"id": 0}, {"id": 1}]}}),
    Case("B7", "crash_and_catch both: the catch is judged after a crash, 1:1",
         setup({"x": 0.0105, "y": 0.5, "vx": -0.1, "fuel": 2}, {"x": 0.0255, "y": 0.51},
               ruleset={**STEP, "crash_and_catch": "both"}), 3, outcome=Outcome("catch", (1.0, 1.0), (1,
         1)), ends=1),
    Case("B7", "crash_and_catch both: each gets at most one point",
         setup({"x": 0.03, "y": 0.5, "fuel": 2}, {"x": 0.01, "y": 0.5},
               ruleset={**STEP, "crash_and_catch": "both"}), 3, outcome=Outcome("catch", *RED_WINS), ends=1),
    Case("B7", "crash_and_catch both: without a catch a crash is a crash",
         setup({"x": 0.01, "y": 0.5, "fuel": 2}, FAR, ruleset={"preset": "bremen-2015"}), 3,
         outcome=Outcome("crash_wall", *BLUE_WINS), ends=1),
    Case("B7", "the size of the acceleration is a field", setup({"x": 0.3, "y": 0.3}, FAR,
         ruleset={"thrust": 0.25, "steps_per_tick": 2}), 1, {1: {"balls.0.ax": 0.25, "balls.0.vx": 0.005,
         "step": 2}},
         {0: {1: push(7, 0)}}),
    Case("B7", "the preset bremen-2015 has ticks of one step", setup(ruleset={"preset": "bremen-2015"}), 3,
         {3: {"step": 3}}),
    Case("B7", "a preset can be overridden", setup(ruleset={"preset": "bremen-2015", "steps_per_tick": 4}), 3,
         {3: {"step": 12}}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rule(case: Case) -> None:
    play_case(GAME, case)


def test_every_numbered_rule_has_a_case() -> None:
    numbered = set(
        re.findall(r"^(?:- |## )\*?\*?(B\d(?:\.\d+)?)\b", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert numbered == {case.rule for case in CASES}
    assert len(numbered) == 20
