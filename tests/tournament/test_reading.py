"""Tournament files: every mistake gives one line with the place and what would be right."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz_server.tournament.checks import GameFacts, most_matches
from fangnetz_server.tournament.options import (
    AbsenceOptions,
    DoubleEliminationOptions,
    GroupsOptions,
    KnockoutOptions,
    PointsOptions,
)
from fangnetz_server.tournament.reading import parse_spec
from fangnetz_server.tournament.spec import SpecError, TournamentSpec
from support.tournaments import GAMES

GOOD = """
name = "Bremen 2026"
game = "spaceballs"
[format]
kind = "round_robin"
[[entries]]
bot = "alice"
[[entries]]
bot = "bob"
[[entries]]
bot = "carol"
"""


def read(change: str = "", text: str = GOOD, bots: list[str] | None = None) -> TournamentSpec:
    """Read a file; `change` is "old => new", or more lines for the top."""
    old, arrow, new = change.partition(" => ")
    if arrow:
        assert old in text
        return parse_spec(tomllib.loads(text.replace(old, new)), GAMES, bots)
    return parse_spec(tomllib.loads(change + "\n" + text), GAMES, bots)


def test_the_shortest_file() -> None:
    spec = read()
    assert spec.seed == 1
    assert spec.maps is None
    assert spec.points == PointsOptions()
    assert spec.absence == AbsenceOptions()
    assert sorted(spec.bots()) == ["alice", "bob", "carol"]


def test_everything_can_be_given() -> None:
    spec = parse_spec(
        tomllib.loads(
            """
            name = "All"
            game = "right2live"
            seed = 2026
            maps = ["mansion", "pocket"]
            staged_release = true
            tie_breaks = ["wins", "lot"]
            ruleset = { preset = "contest-2010" }
            setup = { toxicity = "none" }
            settings = { pace = "lockstep", deadline_ms = 200 }
            entries = [{ bot = "a", rank = 2 }, { bot = "b", rank = 1 }, { bot = "c" }, { bot = "d" }]
            [format]
            kind = "groups"
            groups = 2
            legs = 4
            qualifiers = 2
            knockout = { kind = "double_elimination", best_of = 5, reset = false, extra_pairs = 0 }
            [points]
            source = "result"
            win = 3.0
            draw = 1.0
            loss = 0.0
            bye = 1.5
            [absence]
            grace_s = 5.0
            then = "wait"
            withdraw_after = 0
            """
        ),
        GAMES,
    )
    assert isinstance(spec.format, GroupsOptions)
    assert spec.format.knockout == DoubleEliminationOptions(
        kind="double_elimination", best_of=5, reset=False, extra_pairs=0
    )
    assert spec.maps == ("mansion", "pocket")
    assert spec.settings == {"pace": "lockstep", "deadline_ms": 200}
    assert spec.bots()[:2] == ("b", "a")


KEYS = [
    "name", "game", "seed", "maps", "tie_breaks", "format", "points", "absence", "entries", "kind", "legs",
    "rounds", "knockout", "groups", "seats", "bot", "rank", "win", "grace_s", "source", "settings", "odd",
]  # fmt: skip

WRONG = {
    "unknown key": ("legs = 3", "legs: unknown; known are name, game, seed"),
    "misspelt key": ("sed = 3", 'sed: unknown; did you mean "seed"?'),
    "unknown key of the format": (
        'kind = "round_robin" => kind = "swiss"\nround = 3\nrounds = 3',
        'format.round: unknown; did you mean "rounds"?',
    ),
    "unknown key of an entry": (
        'bot = "bob" => bot = "bob"\nelo = 3',
        "entries.1.elo: unknown; known are bot, rank",
    ),
    "missing key": ('kind = "round_robin" => kind = "swiss"', "format.rounds: is missing"),
    "no kind": (
        'kind = "round_robin" => legs = 2',
        'format: "kind" is missing; it is one of round_robin, swiss',
    ),
    "unknown kind": (
        '"round_robin" => "league"',
        "format: \"kind\" is one of round_robin, swiss, .*, not 'league'",
    ),
    "unknown kind of knock-out": (
        'kind = "round_robin" => kind = "groups"\ngroups = 2\nknockout = { kind = "swiss" }',
        "format.knockout: \"kind\" is one of knockout, double_elimination, not 'swiss'",
    ),
    "no table": ("points = 3", "points: should be a table, not 3"),
    "no list": ('maps = "mansion"', "maps: should be a list, not 'mansion'"),
    "a text for a number": ('seed = "7"', "seed: should be a valid integer, not '7'"),
    "a seed that JSON cannot hold": ("seed = 9007199254740992", "seed: should be less than"),
    "too fine points": ("points = { win = 1.0000001 }", "points.win: points have at most six decimals"),
    "infinite points": ("points = { win = inf }", "points.win: should be"),
    "unknown game": (
        '"spaceballs" => "spaceball"',
        'game: "spaceball" is unknown; did you mean "spaceballs"?',
    ),
    "one bot": (
        '[[entries]]\nbot = "bob"\n[[entries]]\nbot = "carol" => ',
        "entries: a tournament needs at least 2 bots, not 1",
    ),
    "a bot twice": ('"carol" => "alice"', "entries.2.bot: 'alice' stands in entries.0 already"),
    "a rank twice": (
        '"bob" => "bob"\nrank = 1\n[[entries]]\nbot = "dave"\nrank = 1',
        "entries.2.rank: 1 stands in entries.1 already",
    ),
    "a name with a line break": ('"bob" => "b\\nob"', "entries.1.bot: String should match pattern"),
    "three seats for a duel": (
        'kind = "round_robin" => kind = "round_robin"\nseats = 3',
        "format.seats: round_robin is played in duels of 2 seats, not 3; see free_for_all",
    ),
    "zero legs": ('kind = "round_robin" => kind = "round_robin"\nlegs = 0', "format.legs: should be greater"),
    "maps for a game without": ('maps = ["marsh"]', "maps: spaceballs is played without maps"),
    "zero maps": ('"spaceballs" => "right2live"\nmaps = []', "maps: names 0 maps"),
    "unknown map": (
        '"spaceballs" => "right2live"\nmaps = ["marsh", "mansio"]',
        'maps.1: "mansio" is unknown; did you mean "mansion"?',
    ),
    "a map twice": (
        '"spaceballs" => "right2live"\nmaps = ["marsh", "marsh"]',
        'maps.1: "marsh" stands in the list twice',
    ),
    "too many Swiss rounds": (
        'kind = "round_robin" => kind = "swiss"\nrounds = 4',
        "format.rounds: 3 bots can play at most 3 rounds without a rematch, not 4",
    ),
    "too many groups": (
        'kind = "round_robin" => kind = "groups"\ngroups = 2',
        "format.groups: 3 bots make at most 1 groups of 2 or more, not 2",
    ),
    "a single group": (
        'kind = "round_robin" => kind = "groups"\ngroups = 1',
        "format.groups: should be greater than or equal to 2",
    ),
    "too many seats": (
        'kind = "round_robin" => kind = "free_for_all"\nseats = 3',
        "format.seats: spaceballs has at most 2 seats, not 3",
    ),
    "all in one match of two": (
        'kind = "round_robin" => kind = "free_for_all"',
        "format.seats: spaceballs has at most 2 seats, not 3; set seats to play in groups",
    ),
    "a group of one": (
        'kind = "round_robin" => kind = "free_for_all"\nseats = 2',
        "format.seats: 3 bots in groups of at most 2 leave one with 1, too few for spaceballs",
    ),
    "unknown tie-break": ('tie_breaks = ["buchholtz"]', "tie_breaks.0: should be 'head_to_head'"),
    "a tie-break twice": ('tie_breaks = ["lot", "lot"]', 'tie_breaks.1: "lot" stands in the list twice'),
    "a loss better than a win": (
        "points = { win = 0.0, loss = 1.0 }",
        "points: a win must be worth more than a loss",
    ),
    "far too many matches": (
        'kind = "round_robin" => kind = "ladder"\nmeetings = 1000000',
        "format: makes up to 3000000 matches; at most 200000 are possible",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_names_the_place(name: str) -> None:
    change, message = WRONG[name]
    with pytest.raises(SpecError, match=message):
        read(change)


CONTEST = GOOD.replace("spaceballs", "right2live").replace("round_robin", "free_for_all")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('tie_breaks = ["buchholz"]', 'tie_breaks.0: "buchholz" needs duels; in free_for_all use'),
        ("points = { win = 3.0 }", "points: free_for_all counts the game's own points"),
        ('"free_for_all" => "free_for_all"\nseats = 4', "format.seats: is 4, but only 3 bots take part"),
    ],
)
def test_a_contest_refuses_what_is_for_duels(change: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        read(change, CONTEST)


def test_a_contest_may_say_that_it_counts_the_points_of_the_game() -> None:
    assert read('points = { source = "game" }', CONTEST).points.source == "game"


def test_a_group_cannot_send_on_more_bots_than_it_has() -> None:
    text = GOOD + '[[entries]]\nbot = "dave"\n[[entries]]\nbot = "eve"\n'
    with pytest.raises(SpecError, match=r"format\.qualifiers: is 3, but the smallest group has 2 bots"):
        read('kind = "round_robin" => kind = "groups"\ngroups = 2\nqualifiers = 3', text)


def test_a_game_for_many_has_no_duels() -> None:
    with pytest.raises(SpecError, match=r"format\.kind: mob is no game for 2; use free_for_all"):
        parse_spec(tomllib.loads(GOOD.replace("spaceballs", "mob")), {"mob": GameFacts(3, 9)})


def test_unknown_bots_are_refused_where_the_known_ones_are_given() -> None:
    with pytest.raises(SpecError, match=r'entries.1.bot: "bob" is not registered .* did you mean "bobby"\?'):
        read(bots=["alice", "bobby", "carol"])


def test_all_bots_that_have_to_be_registered_are_named_at_once() -> None:
    names = [f"team{number}" for number in range(12)]
    file = {
        "name": "Class",
        "game": "spaceballs",
        "format": {"kind": "ladder"},
        "entries": [{"bot": name} for name in names],
    }
    with pytest.raises(SpecError) as caught:
        parse_spec(file, GAMES, ["team0"])
    text = str(caught.value)
    assert text.startswith('entries.1.bot: "team1" is not registered on this server; did you mean "team0"?')
    assert 'fangnetz bot add "team1"' in text
    assert text.endswith("nor are team2, team3, team4, team5, team6, team7, team8 and 3 more")


def test_a_tournament_without_entries_says_so() -> None:
    with pytest.raises(SpecError, match="entries: is missing"):
        parse_spec({"name": "x", "game": "spaceballs", "format": {"kind": "ladder"}}, GAMES)


def test_an_empty_file() -> None:
    with pytest.raises(SpecError, match="name: is missing"):
        parse_spec({}, GAMES)


@pytest.mark.parametrize(
    ("format_", "bots", "most"),
    [
        ({"kind": "round_robin", "legs": 2}, 5, 20),
        ({"kind": "swiss", "rounds": 3, "legs": 2}, 7, 18),
        ({"kind": "knockout", "best_of": 3, "extra_pairs": 0}, 8, 24),
        ({"kind": "double_elimination", "best_of": 1, "extra_pairs": 0}, 8, 15),
        ({"kind": "groups", "groups": 2, "legs": 1, "knockout": {"kind": "knockout", "best_of": 1}}, 8, 24),
        ({"kind": "free_for_all", "seats": 4, "repetitions": 10}, 10, 30),
        ({"kind": "ladder"}, 4, None),
        ({"kind": "ladder", "meetings": 3, "legs": 2}, 4, 12),
    ],
)
def test_most_matches(format_: dict[str, Any], bots: int, most: int | None) -> None:
    entries = [{"bot": f"b{n}"} for n in range(bots)]
    data = {"name": "x", "game": "right2live", "format": format_, "entries": entries}
    assert most_matches(parse_spec(data, GAMES)) == most


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=5))
def test_whatever_the_file_says_it_is_read_or_refused_in_one_way(given: dict[str, Any]) -> None:
    try:
        spec = parse_spec({**tomllib.loads(GOOD), **given}, GAMES)
    except SpecError as error:
        lines = str(error).splitlines()
    else:
        lines = [spec.name]
    assert len(lines) == 1


def test_newcomers_join_where_the_format_takes_them() -> None:
    with pytest.raises(SpecError, match="a round_robin tournament takes no newcomers; swiss and ladder do"):
        read().with_entry("dave")
    ladder = read('"round_robin" => "ladder"')
    assert "dave" in ladder.with_entry("dave").bots()
    with pytest.raises(SpecError, match="'alice' or its rank is in the tournament already"):
        ladder.with_entry("alice")


def test_the_default_knock_out_behind_groups() -> None:
    text = GOOD + '[[entries]]\nbot = "dave"\n'
    spec = read('kind = "round_robin" => kind = "groups"\ngroups = 2', text)
    assert isinstance(spec.format, GroupsOptions)
    assert spec.format.knockout == KnockoutOptions(kind="knockout")
