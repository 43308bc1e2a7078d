"""Whole matches in this process, and the table of strength made from them."""

import sys
from collections.abc import Mapping
from typing import Any

import pytest

from fangnetz import Bot, Right2LiveBot, SpaceballsBot
from fangnetz.local import LocalGamesError, play_local
from fangnetz.problems import WrongUse
from fangnetz.strength import PAIRINGS, Pairing, Played, Row, play_pairing, strength_table
from fangnetz_protocol import right2live, spaceballs
from fangnetz_protocol.messages import MatchEnd, MatchStart
from fangnetz_protocol.words import ActionStatus, Direction

COAST = spaceballs.Thrust(thrust=(0.0, 0.0))
SHORT = {"ruleset": {"duration": 1.0}}


class Idle(SpaceballsBot):
    """Coasts, and notes what it is told."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def start(self, match: MatchStart) -> None:
        self.calls.append(match)

    def decide(self, observation: spaceballs.Observation) -> spaceballs.Thrust:
        self.calls.append((self.tick, observation, self.last_action))
        return COAST

    def end(self, result: MatchEnd) -> None:
        self.calls.append(result)


def test_a_bot_is_told_what_it_would_be_over_the_network() -> None:
    red, blue = Idle(), Idle()
    result = play_local("spaceballs", [red, blue], seed=7, setup=SHORT)
    match, first, second, *_, end = blue.calls
    assert (match.seat, match.game, match.ticks, len(match.seats)) == (1, "spaceballs", 20, 2)
    assert match.seats[0].name == "Idle"
    assert len(match.setup["stations"]) == 9
    assert len(blue.setup.mines) == 12
    assert blue.seat == 1
    tick, observation, last = first
    assert (tick, last) == (0, None)
    assert isinstance(observation, spaceballs.Observation)
    assert observation.me.x == 0.985
    assert second[2].tick == 0
    assert second[2].status is ActionStatus.APPLIED
    assert (end.reason, end.points, end.places, end.ticks) == ("timeout", (0.0, 0.0), (1, 1), 20)
    assert (result.reason, result.points, result.places, result.ticks) == ("timeout", (0.0, 0.0), (1, 1), 20)
    assert len(blue.calls) == 1 + 20 + 1


def test_frames_are_kept_only_if_asked_for() -> None:
    assert play_local("spaceballs", [Idle(), Idle()], seed=7, setup=SHORT).frames == ()
    frames = play_local("spaceballs", [Idle(), Idle()], seed=7, setup=SHORT, frames=True).frames
    assert [frame["step"] for frame in frames] == list(range(0, 101, 5))


class Walker(Right2LiveBot):
    def __init__(self) -> None:
        self.statuses: list[ActionStatus] = []

    def decide(self, observation: right2live.Observation) -> right2live.Move:
        assert isinstance(observation, right2live.Observation)
        if self.last_action:
            self.statuses.append(self.last_action.status)
        return right2live.Move(move=Direction.EAST)


def test_a_game_with_any_number_of_seats_has_one_a_bot() -> None:
    bots = [Walker() for _ in range(5)]
    result = play_local("right2live", bots, seed=1)
    assert len(result.points) == 5
    assert max(result.places) <= 5


def test_a_denied_action_is_told_as_blocked() -> None:
    bots = [Walker(), Walker()]
    setup = {"map": ["..#", "..#"], "ruleset": {"max_rounds": 4}}
    play_local("right2live", bots, seed=1, setup=setup)
    assert ActionStatus.BLOCKED in bots[0].statuses


def test_an_exception_of_a_bot_comes_through() -> None:
    class Broken(SpaceballsBot):
        def decide(self, observation: spaceballs.Observation) -> spaceballs.Thrust:
            raise ZeroDivisionError("my own fault")

    with pytest.raises(ZeroDivisionError, match="my own fault"):
        play_local("spaceballs", [Broken(), Idle()], seed=1)


class Async(SpaceballsBot):
    async def decide(self, observation: spaceballs.Observation) -> spaceballs.Thrust:
        return COAST


class Plain(Bot[Mapping[str, Any], Mapping[str, Any]]):
    game = "spaceballs"

    def decide(self, observation: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"thrust": [0, 1]}


def test_a_bot_with_plain_dictionaries_plays_too() -> None:
    assert play_local("spaceballs", [Plain(), Idle()], seed=1, setup=SHORT).ticks == 20


@pytest.mark.parametrize(
    ("game", "bots", "setup", "text"),
    [
        ("chess", [Idle(), Idle()], None, "no game 'chess' is installed; there are right2live, spaceballs"),
        ("spaceballs", [Idle()], None, "the match has 2 seats, but there are 1 bots"),
        ("spaceballs", [Idle()] * 3, None, "the match has 2 seats, but there are 3 bots"),
        ("spaceballs", [Idle(), Idle()], {"mines": 1}, "mines: should be a list"),
        ("right2live", [Walker()] * 2, {"seats": 3}, "the match has 3 seats, but there are 2 bots"),
        ("spaceballs", [Async(), Idle()], None, "Async.decide is async"),
        ("spaceballs", [Walker(), Idle()], None, "Walker plays right2live, not spaceballs"),
    ],
)
def test_a_wrong_call_is_explained(game: str, bots: list[Any], setup: Any, text: str) -> None:
    with pytest.raises((ValueError, WrongUse), match=text):
        play_local(game, bots, seed=1, setup=setup)


def test_without_the_rules_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fangnetz_server.games.registry", None)
    with pytest.raises(LocalGamesError, match=r"pip install 'fangnetz\[local\]'"):
        play_local("spaceballs", [Idle(), Idle()], seed=1)


# --- the table of strength --------------------------------------------------------------------------


def test_a_row_counts_what_was_played() -> None:
    played = (
        Played(1, 0, crashed=False, ticks=10),
        Played(1, 0, crashed=False, ticks=10),
        Played(0, 0, crashed=True, ticks=10),
        Played(0, 1, crashed=True, ticks=10),
    )
    row = Row(PAIRINGS[0], played)
    assert (row.wins, row.draws, row.losses) == (2, 1, 1)
    assert (row.won, row.crashed) == (0.5, 0.5)


def test_seats_alternate_and_points_are_those_of_the_bot() -> None:
    """Random against itself: whoever crashes, the other one gets the point."""
    for number in range(4):
        played = play_pairing(Pairing("spaceballs", "random", "random"), number, 5)
        assert (played.points, played.rival_points) in ((1, 0), (0, 1), (0, 0))
        assert played.crashed == (played.points == 0)


def test_a_match_of_teams_sums_the_points() -> None:
    pairing = Pairing("right2live", "random", "random")
    played = [play_pairing(pairing, number, 1) for number in range(2)]
    assert all(match.points + match.rival_points > 0 for match in played)
    assert not any(match.crashed for match in played)


def test_the_table_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    rows = strength_table(game="spaceballs", matches=1, seed=1, jobs=1)
    header, *lines = capfd.readouterr().out.splitlines()
    assert header.split()[:6] == ["game", "bot", "rival", "won", "drawn", "lost"]
    assert [line.split()[:3] for line in lines] == [
        [pairing.game, pairing.bot, pairing.rival] for pairing in PAIRINGS if pairing.game == "spaceballs"
    ]
    assert [len(row.played) for row in rows] == [1] * len(lines)


def test_a_game_without_reference_bots_is_wrong_use() -> None:
    with pytest.raises(WrongUse, match="no reference bots of 'chess', only of right2live, spaceballs"):
        strength_table(game="chess")
