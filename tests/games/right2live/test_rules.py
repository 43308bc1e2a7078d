"""Every numbered rule of docs/rules/right2live.md as drawn cases: before, actions, after."""

import re
from pathlib import Path

import pytest

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.right2live import GAME
from support.right2live import Case, actions_of, draw, letters, order_of, position, rows, said

WALLED = "a#b"

CASES = [
    # 1. Map
    Case("R1.1", "dot_and_blank_are_free", "a. b", [{"a": "E"}, {"a": "E"}], "..ab"),
    Case("R1.2", "north_is_up", "...|.a.|..b", [{"a": "N"}], ".a.|...|..b"),
    Case("R1.2", "east_is_right", "...|.a.|..b", [{"a": "E"}], "...|..a|..b"),
    Case("R1.2", "south_west", "...|.a.|..b", [{"a": "SW"}], "...|...|a.b"),
    Case("R1.2", "no_way_off_the_map", "a.b", [{"a": "W"}], events=["blocked a"], standing={"a": 1, "b": 1}),
    Case("R1.2", "no_way_round_the_edge", "..a|b..", [{"a": "E"}, {"b": "W"}], events=["blocked b"]),
    Case(
        "R1.3",
        "signs_of_the_layer",
        "abcdefghijklm",
        setup={"toxicity": ["123456789 .0#"]},
        life_after=dict(
            zip(
                "abcdefghijklm",
                (99.98, 99.96, 99.94, 99.92, 99.9, 99.88, 99.86, 99.84, 99.82, 99.99, 99.99, 99.8, 99.8),
                strict=True,
            )
        ),
    ),
    Case("R1.3", "without_a_layer", WALLED, life_after={"a": 99.99, "b": 99.99}),
    Case(
        "R1.4",
        "poison_stays_the_same",
        "a.#b",
        [{"a": "E"}, {"a": "W"}] * 3,
        setup={"toxicity": ["51.."]},
        life_after={"a": 100 - 3 * 0.10 - 3 * 0.02},
    ),
    Case("R1.5", "the_start", WALLED, [], standing={"a": 0}, views_after={"a": "N"}, life_after={"a": 100}),
    Case(
        "R1.6",
        "ten_tenths_are_exactly_one",
        "a.|##|b.",
        [{"a": "E"}, {"a": "W"}] * 5,
        "A.|##|b.",
        ["poisoned a"],
        setup={"toxicity": ["55", "..", ".."]},
        life={"a": 1.0},
        life_after={"a": 0.0},
    ),
    Case(
        "R1.6",
        "below_zero_is_shown",
        "a#b#c",
        [{}] * 2,
        "A#b#c",
        ["poisoned a"],
        life={"a": 0.02},
        life_after={"a": -0.01},
    ),
    # 2. A round
    Case(
        "R2.1",
        "rounds_count_on",
        "a#b#c",
        [{}] * 2,
        "A#b#c",
        ["forced a"],
        setup={"tick": 26},
        last_change=28,
    ),
    Case("R2.2", "no_action", "a.b", [{}], standing={"a": 1}, views_after={"a": "N"}),
    Case("R2.2", "view_only", "a.b", [{"a": "-/SE"}], views_after={"a": "SE"}),
    Case("R2.2", "move_only", "a.b", [{"a": "E"}], ".ab", views={"a": "W"}, views_after={"a": "W"}),
    Case(
        "R2.3",
        "movement_before_poison",
        "a.#b",
        [{"a": "E"}],
        ".a#b",
        setup={"toxicity": ["91.."]},
        life_after={"a": 99.98},
    ),
    Case("R2.3", "movement_before_touch", "bA.c", [{"A": "E"}], "b.AC", ["caught c by a"]),
    Case("R2.3", "one_may_step_away", "..bA", [{"b": "W"}], ".b.A"),
    # 3. Movement
    Case("R3.1", "a_wall", "a#b", [{"a": "E"}], events=["blocked a"]),
    Case("R3.1", "a_player", "ab.", [{"a": "E"}], events=["blocked a"]),
    Case("R3.2", "both_ways_free", "a.|.b|..", [{"b": "SW"}], "a.|..|b."),
    Case("R3.2", "one_wall_is_enough", "a.|#.|.b", [{"a": "SE"}], events=["blocked a"]),
    Case("R3.2", "the_other_wall_too", "a#|..|.b", [{"a": "SE"}], events=["blocked a"]),
    Case("R3.2", "players_do_not_block", "ab|c.", [{"a": "SE"}], ".b|ca"),
    Case("R3.2", "four_of_eight_west", "#...b|..a#.|.#...", [{"a": "W"}], "#...b|.a.#.|.#..."),
    Case("R3.2", "four_of_eight_north_west", "#...b|..a#.|.#...", [{"a": "NW"}], "#a..b|...#.|.#..."),
    Case("R3.2", "four_of_eight_north", "#...b|..a#.|.#...", [{"a": "N"}], "#.a.b|...#.|.#..."),
    Case("R3.2", "four_of_eight_south", "#...b|..a#.|.#...", [{"a": "S"}], "#...b|...#.|.#a.."),
    *(
        Case("R3.2", f"not_four_of_eight_{way}", "#...b|..a#.|.#...", [{"a": way}], events=["blocked a"])
        for way in ("NE", "E", "SE", "SW")
    ),
    Case("R3.3", "left_before", "ab.", [{"a": "E", "b": "E"}], ".ab", order="ba"),
    Case("R3.3", "left_later", "ab.", [{"a": "E", "b": "E"}], "a.b", ["blocked a"], order="ab"),
    Case("R3.3", "no_swap", "ab", [{"a": "E", "b": "W"}], "ab", ["blocked a", "blocked b"], order="ab"),
    Case("R3.3", "first_come", "a.b", [{"a": "E", "b": "W"}], ".ab", ["blocked b"], order="ab"),
    Case("R3.3", "first_come_the_other", "a.b", [{"a": "E", "b": "W"}], "ab.", ["blocked a"], order="ba"),
    Case(
        "R3.3",
        "arrival_without_order_goes_by_seat",
        "a.b",
        [{"a": "E", "b": "W"}],
        ".ab",
        ["blocked b"],
        setup={"ruleset": {"move_order": "arrival"}},
    ),
    Case(
        "R3.4", "view_of_a_failed_step", "a#b", [{"a": "E/S"}], events=["blocked a"], views_after={"a": "S"}
    ),
    Case("R3.4", "a_failed_step_stands", "a#b", [{"a": "E"}] * 3, events=["blocked a"], standing={"a": 3}),
    # 4. Poison
    Case("R4.1", "standing_multiplies", WALLED, [{}] * 14, standing={"a": 14}, life_after={"a": 98.95}),
    Case(
        "R4.1",
        "on_the_worst_field",
        WALLED,
        [{}] * 32,
        "A#b",
        ["poisoned a"],
        setup={"toxicity": ["0.."], "last_change": 31, "tick": 31},
        life_after={"a": 100 - 0.2 * 528},
    ),
    Case("R4.1", "arrival_counts_one", "a.#b", [{}, {}, {"a": "E"}], ".a#b", standing={"a": 1, "b": 3}),
    Case("R4.1", "red_stands_too", "A#b", [{}] * 3, standing={"a": 3}),
    Case("R4.2", "red_loses_nothing", "A#b", [{}] * 3, life={"a": 55.5}, life_after={"a": 55.5, "b": 99.94}),
    # 5. Team changes
    Case("R5.1", "poison", "A#b#c", [{}], "A#B#c", ["poisoned b"], life={"b": 0.01}, life_after={"b": 0}),
    Case("R5.1", "a_hundredth_is_life", "A#b#c", [{}], life={"b": 0.02}, life_after={"b": 0.01}),
    Case(
        "R5.1", "poison_before_touch", "Ab#c", [{}], "AB#c", ["poisoned b"], life={"b": 0.01}, points={"a": 0}
    ),
    Case("R5.2", "touch", "A.b#c", [{"b": "W"}], "AB.#c", ["caught b by a"], last_change=1),
    Case(
        "R5.2",
        "all_who_touch_share",
        "AbC#d",
        [{}],
        "ABC#d",
        ["caught b by ac"],
        points={"a": 14.5, "c": 14.5},
    ),
    Case("R5.2", "no_chain", "Abc#d", [{}], "ABc#d", ["caught b by a"]),
    Case("R5.2", "from_the_next_round_on", "Abc#d", [{}, {}], "ABC#d", ["caught c by b"]),
    Case(
        "R5.3",
        "orthogonal",
        "#b#|cAd|#e#",
        [{}],
        "#B#|CAD|#E#",
        [f"caught {who} by a" for who in "bcde"],
        points={"a": 132, "b": 0.1},
        end=("no_blue_left", (1, 2, 2, 2, 2)),
    ),
    Case("R5.3", "diagonal_free", "A.|.b|#c", [{}], "A.|.B|#c", ["caught b by a"]),
    Case("R5.3", "diagonal_one_wall", "A#|.b|#c", [{}], "A#|.B|#c", ["caught b by a"]),
    Case("R5.3", "diagonal_other_wall", "A.|#b|#c", [{}], "A.|#B|#c", ["caught b by a"]),
    Case("R5.3", "diagonal_two_walls", "A#|#b|.c", [{}]),
    Case(
        "R5.3",
        "diagonal_behind_two_players",
        "Ac|db|..",
        [{}],
        "AC|Db|..",
        ["caught c by a", "caught d by a"],
    ),
    Case("R5.3", "diagonal_wall_and_player", "AC|#b|.d", [{}], "AC|#B|.d", ["caught b by c"]),
    Case("R5.3", "diagonal_wall_and_blue", "Ac|#b|.d", [{}], "AC|#b|.d", ["caught c by a"]),
    Case(
        "R5.3",
        "touch_where_no_step_is",
        "A#.|..b|#.c",
        [{"A": "SE", "b": "W"}],
        "A#.|.B.|#.c",
        ["blocked a", "caught b by a"],
        order="abc",
    ),
    Case("R5.3", "two_away", "A.b|...|c..", [{}]),
    Case("R5.3", "not_round_the_edge", "..A|b..", [{}]),
    Case("R5.4", "first_at_28", "a#b#c", [{}], "a#B#c", ["forced b"], setup={"tick": 27}, life={"b": 99}),
    Case("R5.4", "not_at_27", "a#b#c", [{}], setup={"tick": 26}, next_forced=28),
    Case("R5.4", "then_at_59", "A#b#c", [{}], "A#B#c", ["forced b"], setup={"tick": 58, "last_change": 28}),
    Case("R5.4", "not_at_58", "A#b#c", [{}], setup={"tick": 57, "last_change": 28}, next_forced=59),
    Case("R5.4", "exactly_equal", "A#b#c", [{}], "A#B#c", ["forced b"], setup={"tick": 29, "last_change": 2}),
    Case(
        "R5.4",
        "lowest_seat_of_equals",
        "A#b#c",
        [{}],
        "A#B#c",
        ["forced b"],
        setup={"tick": 27},
        life={"a": 1},
    ),
    Case(
        "R5.4",
        "a_catch_puts_it_off",
        "Ab#c#d",
        [{}],
        "AB#c#d",
        ["caught b by a"],
        setup={"tick": 27},
        next_forced=59,
    ),
    Case(
        "R5.4",
        "poison_puts_it_off",
        "a#b#c#d",
        [{}],
        "A#b#c#d",
        ["poisoned a"],
        setup={"tick": 27},
        life={"a": 0.01},
        next_forced=59,
    ),
    Case("R5.5", "the_last_blue", "A#b", [{}] * 5, setup={"tick": 27}, last_change=0, next_forced=None),
    Case(
        "R5.6",
        "numbers_from_before",
        "Ab#c#d",
        [{}],
        "AB#C#d",
        ["caught b by a", "poisoned c"],
        setup={"tick": 9},
        life={"c": 0.01},
        points={"a": 28, "b": 1, "c": 1, "d": 0},
    ),
    # 6. Points
    Case("R6.1", "caught", "AbC#d", [{}], "ABC#d", ["caught b by ac"], setup={"tick": 9}, points={"b": 2}),
    Case(
        "R6.1",
        "poisoned",
        "A#b#c",
        [{}],
        "A#B#c",
        ["poisoned b"],
        setup={"tick": 9},
        life={"b": 0.01},
        points={"b": 1},
    ),
    Case("R6.1", "forced", "A#b#c", [{}], "A#B#c", ["forced b"], setup={"tick": 27}, points={"b": 2.8}),
    Case(
        "R6.2",
        "nine_blue_after_round_28",
        "Ab#c#d#e#f#g#h#i#j",
        [{}],
        "AB#c#d#e#f#g#h#i#j",
        ["caught b by a"],
        setup={"tick": 47, "last_change": 28},
        points={"a": 47.444444, "b": 4.8},
        next_forced=82,
    ),
    Case(
        "R6.2",
        "never_below_zero",
        "Ab",
        [{}],
        "AB",
        ["caught b by a"],
        setup={"tick": 79, "last_change": 28},
        points={"a": 0, "b": 8},
        end=("no_blue_left", (2, 1)),
    ),
    Case(
        "R6.3",
        "force_gives_red_nothing",
        "A#b#c",
        [{}],
        "A#B#c",
        ["forced b"],
        setup={"tick": 27},
        points={"a": 0},
    ),
    Case(
        "R6.4",
        "whole_points",
        "AbC|#D#",
        [{}],
        "ABC|#D#",
        ["caught b by acd"],
        points={"a": 9, "b": 0.3},
        end=("no_blue_left", (1, 4, 1, 1)),
    ),
    Case(
        "R6.4",
        "a_third",
        "#D#|AbC|###|e..",
        [{}],
        "#D#|ABC|###|e..",
        ["caught b by acd"],
        points={"a": 9.666667, "c": 9.666667, "d": 9.666667},
    ),
    Case(
        "R6.5",
        "equal_scores_share_the_place",
        "bAc#eDf",
        [{}],
        "BAC#EDF",
        ["caught b by a", "caught c by a", "caught e by d", "caught f by d"],
        points={"a": 66, "b": 0.2, "c": 0.2, "d": 66, "e": 0.2, "f": 0.2},
        end=("no_blue_left", (1, 3, 3, 1, 3, 3)),
    ),
    # 7. End
    Case("R7.1", "no_blue_left", "A.b", [{"b": "W"}], "AB.", ["caught b by a"], end=("no_blue_left", (1, 2))),
    Case(
        "R7.1",
        "wins_over_max_rounds",
        "Ab",
        [{}],
        "AB",
        ["caught b by a"],
        setup={"ruleset": {"max_rounds": 1}},
        end=("no_blue_left", (1, 2)),
    ),
    Case(
        "R7.2",
        "max_rounds",
        "A#b#C#d",
        [{}] * 4,
        setup={"ruleset": {"max_rounds": 4}},
        points={"a": 0, "b": 0.8, "c": 0, "d": 0.8},
        end=("max_rounds", (3, 1, 3, 1)),
    ),
    Case(
        "R7.2",
        "red_from_before_the_last_changes",
        "Ab#c",
        [{}],
        "AB#c",
        ["caught b by a"],
        setup={"ruleset": {"max_rounds": 5}, "tick": 4},
        points={"a": 27, "b": 0.5, "c": 0.5},
        end=("max_rounds", (1, 2, 2)),
    ),
    # 8. What a bot sees
    Case(
        "R8.1", "team_mates_through_walls", "a#B|###|C#d", [], sees={"a": "d", "b": "c", "c": "b", "d": "a"}
    ),
    Case("R8.1", "own_team_behind_one", "..a..|.b.c.", [], sees={"a": "bc", "b": "ac"}),
    Case("R8.2", "ahead_beside_behind", "B.#..|F.a.C|#D.E#", [], sees={"a": "bcf"}),
    Case("R8.2", "looking_south", "B.#..|F.a.C|#D.E#", [], views={"a": "S"}, sees={"a": "cdef"}),
    Case("R8.2", "looking_north_east", "B...C|..a..|D...E", [], views={"a": "NE"}, sees={"a": "ce"}),
    Case("R8.2", "beside_up_to_57_fields", "a" + 56 * "." + "B", [], sees={"a": "b", "b": "a"}),
    Case("R8.2", "not_beside_at_58_fields", "a" + 57 * "." + "B", [], sees={"a": "", "b": ""}),
    Case("R8.2", "at_any_distance", "a" + 300 * "." + "B", [], views={"a": "E"}, sees={"a": "b"}),
    Case("R8.2", "the_view_of_this_round", "B|.|a|.|C", [{"a": "-/S"}], sees={"a": "c"}),
    Case("R8.3", "a_wall_hides", "B|#|a", [], sees={"a": ""}),
    Case("R8.3", "a_player_hides", "B|C|a", [], sees={"a": "c"}),
    Case("R8.3", "a_team_mate_hides", "B|c|a", [], sees={"a": "c"}),
    Case("R8.3", "between_two_walls", "a#.|#..|..B", [], views={"a": "SE"}, sees={"a": "b"}),
    Case("R8.3", "own_fields_do_not", "aB", [], views={"a": "E"}, sees={"a": "b"}),
    Case("R8.3", "one_corner_is_enough", "B.|#.|.a", [], sees={"a": "b"}),
    Case("R8.4", "spectators_see_all", "a#B|###|C#d", [], "a#B|###|C#d"),
    # 9. Rulesets
    Case(
        "R9",
        "a_smaller_angle",
        "..B..|.....|.a.C.",
        [],
        setup={"ruleset": {"fov_degrees": 90}},
        sees={"a": "b"},
    ),
    Case(
        "R9", "all_round", "..B..|.a...|C...D", [], setup={"ruleset": {"fov_degrees": 360}}, sees={"a": "bcd"}
    ),
    Case("R9", "life", WALLED, [], setup={"ruleset": {"life": 7.5}}, life_after={"a": 7.5, "b": 7.5}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_rule(case: Case) -> None:
    state = start = position(case.before, **case.setup, life=case.life, views=case.views)
    for actions in case.rounds:
        before, fingerprint = state, GAME.fingerprint(state)
        state = GAME.step(before, actions_of(before, actions), order_of(case.order))
        assert GAME.fingerprint(before) == fingerprint, "a step must leave its input untouched"
    assert start == position(case.before, **case.setup, life=case.life, views=case.views)
    frame = GAME.frame(state)
    assert draw(state) == "\n".join(rows(case.after or case.before)).replace(" ", ".")
    assert said(frame["events"]) == sorted(case.events)
    players = letters(frame)
    assert {who: players[who]["life"] for who in case.life_after} == pytest.approx(case.life_after)
    assert {who: players[who]["standing"] for who in case.standing} == case.standing
    assert {
        who: "".join(p[0] for p in players[who]["view"].split("_")) for who in case.views_after
    } == case.views_after
    assert {who: players[who]["points"] for who in case.points} == pytest.approx(case.points)
    assert case.last_change in (None, frame["last_change"])
    assert case.next_forced in (-1, frame["next_forced"])
    for who, seen in case.sees.items():
        observation = GAME.observe(state, SeatId(ord(who) - ord("a")))
        assert "".join(letters(observation)) == seen, f"what {who} sees"
    outcome = GAME.outcome(state)
    assert case.end == (outcome and (outcome.reason, outcome.places))


def test_every_rule_has_a_case() -> None:
    text = (Path(__file__).parents[3] / "docs/rules/right2live.md").read_text()
    numbered = set(re.findall(r"^- (R\d\.\d)", text, re.MULTILINE)) | {"R9"}
    assert len(numbered) > 30
    assert numbered == {case.rule for case in CASES}
