"""The reference bots of Spaceballs: how strong they are, and that no position upsets them."""

from collections.abc import Sequence
from math import hypot, isfinite
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fangnetz import SpaceballsBot, Thrust
from fangnetz.bots.spaceballs_planning import Leg, Planner
from fangnetz.bots.spaceballs_random import RandomBot
from fangnetz.bots.spaceballs_simple import SimpleBot
from fangnetz.bots.spaceballs_strong import StrongBot
from fangnetz.flight import Motion, Obstacles, Vector
from fangnetz.local import LocalResult, play_local
from fangnetz.strength import Pairing, play_pairing
from fangnetz_protocol.spaceballs import Briefing, Observation, Place
from fangnetz_protocol.words import SeatId
from fangnetz_server.games.spaceballs import GAME
from support.flying import Flight, flights

BOTS = [RandomBot, SimpleBot, StrongBot]
Bot = type[RandomBot] | type[SimpleBot] | type[StrongBot]


SHORT = {"ruleset": {"duration": 10.0}}
FAR = Motion(0.95, 0.95, 0.0, 0.0)


# --- strength -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("bot", "rival", "least"), [("strong", "simple", 7), ("simple", "random", 8)])
def test_the_stronger_one_wins(bot: str, rival: str, least: int) -> None:
    """Eight of a hundred matches; `fangnetz-bot strength` plays them all."""
    played = [play_pairing(Pairing("spaceballs", bot, rival), number, 1) for number in range(8)]
    assert sum(match.points > match.rival_points for match in played) >= least
    assert not any(match.crashed for match in played)


def test_the_strong_one_does_not_crash_against_itself() -> None:
    played = [play_pairing(Pairing("spaceballs", "strong", "strong"), number, 1) for number in range(4)]
    assert not any(match.crashed for match in played)
    # They do not mirror each other: somebody gets ahead and wins.
    assert any(match.points != match.rival_points for match in played)


@pytest.mark.parametrize(
    "ruleset", [{"preset": "bremen-2015", "duration": 20.0}, {"steps_per_tick": 20}, {"thrust": 0.4}], ids=str
)
def test_the_strong_one_does_not_crash_under_other_rules(ruleset: dict[str, Any]) -> None:
    for seed in range(3):
        bots = [StrongBot(seed), SimpleBot(seed)]
        result = play_local("spaceballs", bots, seed=seed, setup={"ruleset": ruleset})
        assert result.reason in ("catch", "timeout") or result.points == (1.0, 0.0)


class Coasting(SpaceballsBot):
    """Stays where it is."""

    def decide(self, observation: Observation) -> Thrust:
        return Thrust(thrust=(0.0, 0.0))


@pytest.mark.parametrize("bot", [SimpleBot, StrongBot])
def test_the_better_ones_leave_their_corner_refuel_and_catch(bot: type[SimpleBot] | type[StrongBot]) -> None:
    for seed in range(3):
        result = play_local("spaceballs", [bot(seed), Coasting()], seed=seed, frames=True)
        assert result.frames[-1]["balls"][0]["fuel"] >= 5
        assert (result.reason, result.points) == ("catch", (1.0, 0.0))


def test_the_beginner_crashes() -> None:
    played = [play_pairing(Pairing("spaceballs", "random", "simple"), number, 1) for number in range(8)]
    assert sum(match.crashed for match in played) >= 4
    assert sum(match.ticks for match in played) > 8 * 20  # More than a second on average.


# --- the same seed, the same match ---------------------------------------------------------------


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_seed_gives_the_same_match(bot: Bot) -> None:
    def play() -> LocalResult:
        return play_local("spaceballs", [bot(seed=3), bot(seed=4)], seed=5, setup=SHORT, frames=True)

    one, other = play(), play()
    assert one == other
    assert one.ticks > 20


# --- any position ---------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", BOTS)
@settings(max_examples=40)
@given(flight=flights())
def test_no_position_upsets_a_bot(bot: Bot, flight: Flight) -> None:
    """Any field, any motion, inside mines and walls too: the answer is an action that counts."""
    player = bot(seed=1)

    class Prompter(type(player)):  # type: ignore[misc]
        def decide(self, observation: Observation) -> Any:
            thrust = super().decide(observation)
            assert all(isfinite(part) for part in thrust.thrust)
            GAME.parse_action(self.write(thrust))
            return thrust

    setup = {**flight.setup, "ruleset": {**flight.setup["ruleset"], "duration": 0.5}}
    play_local("spaceballs", [Prompter(seed=1), RandomBot(seed=2)], seed=flight.seed, setup=setup)


# --- what the strong one knows ---------------------------------------------------------------------


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), angle=st.integers(0, 7))
def test_the_strong_one_gets_out_of_trouble(seed: int, angle: int) -> None:
    """Whoever can still be saved is saved, for a whole match on a field with all mines."""
    briefing = Briefing.model_validate(GAME.briefing(GAME.prepare(seed, {}), SeatId(0)))
    field = Obstacles(briefing.mines, briefing, margin=0.003)
    start = Motion(0.1 + seed % 9 / 11, 0.1 + seed % 7 / 9, 0.2 * (angle % 3 - 1), 0.2 * (angle // 3 - 1))
    if field.escape(start, 5, delay=0.05) is None:
        return
    me = {"x": start.x, "y": start.y, "vx": start.vx, "vy": start.vy}
    setup = {
        "ruleset": {"duration": 5.0},
        "mines": [[mine.x, mine.y] for mine in briefing.mines],
        "balls": [me, {"x": 0.9, "y": 0.02}],
    }
    result = play_local("spaceballs", [StrongBot(), SimpleBot()], seed=seed, setup=setup)
    assert not result.reason.startswith("crash") or result.points[0] == 1.0


def test_the_strong_one_catches_who_flees_straight() -> None:
    setup = {
        "stations": [],
        "mines": [],
        "balls": [{"x": 0.2, "y": 0.5, "fuel": 1}, {"x": 0.6, "y": 0.5, "vx": 0.1}],
    }
    result = play_local("spaceballs", [StrongBot(), SimpleBot()], seed=1, setup=setup)
    assert (result.reason, result.points) == ("catch", (1.0, 0.0))


def test_the_strong_one_evades_a_simple_hunter() -> None:
    setup = {
        "stations": [],
        "ruleset": {"duration": 20.0},
        "balls": [{"x": 0.2, "y": 0.5}, {"x": 0.8, "y": 0.5, "fuel": 1}],
    }
    lost = sum(
        play_local("spaceballs", [StrongBot(), SimpleBot()], seed=seed, setup=setup).points[1]
        for seed in range(6)
    )
    assert lost <= 2


def test_with_nothing_to_win_the_strong_one_stands_still() -> None:
    setup = {
        "stations": [],
        "mines": [],
        "ruleset": {"duration": 10.0},
        "balls": [{"x": 0.3, "y": 0.5, "vx": 0.1}, {}],
    }
    result = play_local("spaceballs", [StrongBot(), SimpleBot()], seed=1, setup=setup, frames=True)
    ball = result.frames[-1]["balls"][0]
    assert result.reason == "timeout"
    assert hypot(ball["vx"], ball["vy"]) < 0.01


def first_leg(
    me: Motion, him: Motion, stations: Sequence[Vector], mines: Sequence[Vector] = ()
) -> Leg | None:
    """Return the first leg of a plan over stations that are numbered in their order."""
    briefing = Briefing.model_validate(GAME.briefing(GAME.prepare(0, {}), None))
    places, hidden = (
        [Place(id=number, x=x, y=y) for number, (x, y) in enumerate(points)] for points in (stations, mines)
    )
    return Planner(0.1, 0.02).next_leg(me, him, places, Obstacles(hidden, briefing))


def test_the_plan_begins_with_the_nearer_of_two_stations() -> None:
    leg = first_leg(Motion(0.2, 0.5, 0.0, 0.0), FAR, [(0.6, 0.5), (0.4, 0.5)])
    assert leg is not None
    assert leg.station == 1
    assert leg.flight.end.vx > 0  # It is passed in the direction of the next one.


def test_the_plan_leaves_what_the_opponent_gets_first() -> None:
    me, stations = Motion(0.5, 0.2, 0.0, 0.0), [(0.5, 0.38), (0.3, 0.2)]
    alone = first_leg(me, FAR, stations)
    late = first_leg(me, Motion(0.5, 0.4, 0.0, 0.0), stations)
    assert alone is not None
    assert late is not None
    assert (alone.station, late.station) == (0, 1)


def test_the_plan_flies_round_a_mine() -> None:
    """It swings out; whoever flew straight would crash."""
    me, mine = Motion(0.2, 0.5, 0.0, 0.0), (0.45, 0.47)
    free, blocked = (first_leg(me, FAR, [(0.7, 0.5)], mines) for mines in ([], [mine]))
    assert free is not None
    assert blocked is not None
    assert blocked.flight.middle != free.flight.middle
    places = [blocked.flight.at(blocked.flight.time * k / 50) for k in range(51)]
    assert all(hypot(place.x - mine[0], place.y - mine[1]) > 0.06 for place in places)
