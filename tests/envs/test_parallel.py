"""The environments are what PettingZoo and Gymnasium expect, and show what the rules let a bot see."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.seed_test import parallel_seed_test

from fangnetz import Direction, Thrust
from fangnetz.bot import SpaceballsBot
from fangnetz.problems import WrongUse
from fangnetz_protocol.words import SeatId
from fangnetz_server.envs import Right2LiveEnv, SingleAgentEnv, SpaceballsBatch, SpaceballsEnv, Starts
from fangnetz_server.envs.parallel import MatchEnv
from fangnetz_server.envs.right2live import MOVES
from fangnetz_server.games.contract import SetupError
from fangnetz_server.games.right2live import GAME as RIGHT2LIVE
from fangnetz_server.games.spaceballs import GAME as SPACEBALLS

AnyEnv = MatchEnv[Any, Any]
POCKET = {"map": ["......", ".#..#.", "......"], "toxicity": ["......", ".#49#.", ".....0"]}


def right2live(**options: Any) -> Right2LiveEnv:
    return Right2LiveEnv(4, POCKET, **options)


MAKERS = pytest.mark.parametrize("make", [SpaceballsEnv, right2live], ids=["spaceballs", "right2live"])


# --- what the libraries demand ------------------------------------------------------------------


@MAKERS
def test_the_api_test_of_pettingzoo(make: Callable[..., AnyEnv], capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(make(), num_cycles=1000)
    assert "Passed Parallel API test" in capsys.readouterr().out


@MAKERS
def test_the_seed_test_of_pettingzoo(make: Callable[..., AnyEnv]) -> None:
    parallel_seed_test(make, num_cycles=200)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("make", "bot"), [(SpaceballsEnv, "spaceballs:random"), (right2live, "right2live:simple")]
)
def test_the_check_of_gymnasium(make: Callable[..., AnyEnv], bot: str) -> None:
    check_env(SingleAgentEnv(make(), bot), skip_render_check=True)


@MAKERS
def test_all_that_is_seen_lies_in_its_space(make: Callable[..., AnyEnv]) -> None:
    env = make()
    observations, _ = env.reset(seed=3)
    for _ in range(60):
        for agent, seen in observations.items():
            assert env.observation_space(agent).contains(seen)
        actions = {agent: env.action_space(agent).sample() for agent in env.agents}
        observations = env.step(actions)[0] or env.reset()[0]


# --- matches ------------------------------------------------------------------------------------


@MAKERS
def test_a_seed_is_the_seed_of_the_match(make: Callable[..., AnyEnv]) -> None:
    env = make()
    first, infos = env.reset(seed=11)
    assert infos["seat_0"] == {"match_seed": 11, "tick": 0}
    second, other = env.reset()
    assert other["seat_0"]["match_seed"] != 11
    again, _ = env.reset(seed=11)
    np.testing.assert_equal(again, first)
    follows, infos = env.reset()
    assert infos == other
    np.testing.assert_equal(follows, second)


def test_spaceballs_is_the_same_by_the_rules_by_the_environment_and_by_the_batch() -> None:
    env, batch = SpaceballsEnv(), SpaceballsBatch(Starts.drawn(5, 1), 1)
    observations, _ = env.reset(seed=5)
    state, chance, total = SPACEBALLS.prepare(5, {}), np.random.default_rng(1), np.zeros(2)
    while env.agents:
        np.testing.assert_array_equal(np.array(list(observations.values())), batch.observe()[0])
        pair = chance.uniform(-1, 1, (2, 2)).astype(np.float32)
        observations, rewards, terminated, truncated, infos = env.step(
            dict(zip(env.agents, pair, strict=True))
        )
        ended = batch.step(pair[None])
        state = SPACEBALLS.step(state, [SPACEBALLS.parse_action({"thrust": one.tolist()}) for one in pair])
        assert env.state_of_match == state
        total += list(rewards.values())
        assert set(terminated.values()) == {state.reason is not None}
        assert not any(truncated.values())
    assert ended.points[0].tolist() == list(state.points)
    assert total.tolist() == [state.points[0] - state.points[1], state.points[1] - state.points[0]]
    outcome = SPACEBALLS.outcome(state)
    assert outcome is not None
    assert infos["seat_1"]["reason"] == ended.reasons[0] == outcome.reason
    assert [infos[agent]["place"] for agent in env.possible_agents] == list(outcome.places)
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_the_vector_of_spaceballs_says_what_its_table_says() -> None:
    balls = [{"x": 0.25, "y": 0.5, "vx": 0.5, "fuel": 1}, {"x": 0.75, "y": 0.25, "vy": -0.25, "fuel": 2}]
    setup = {"stations": [[0.5, 0.75]], "mines": [[0.5, 0.25], [0.125, 0.5]], "balls": balls}
    env = SpaceballsEnv(setup)
    seen = env.reset(seed=1)[0]["seat_1"].tolist()
    assert seen[:11] == [1, 0.75, 0.25, 0, -0.25, -0.5, 0.25, 0.5, 0, 2, 1]
    assert seen[11:] == [-0.25, 0.5, 1, -0.25, 0, 1, -0.625, 0.25, 1]
    assert env.observation_space("seat_1").shape == (20,)


def test_right2live_shows_no_more_than_the_rules_do() -> None:
    seats = [
        {"x": 0, "y": 0, "view": "WEST"},
        {"x": 2, "y": 0, "team": "RED"},
        {"x": 5, "y": 2, "life": 50.0},
    ]
    env = Right2LiveEnv(3, {**POCKET, "seats": seats}, radius=2)
    seen = env.reset(seed=1)[0]["seat_0"]
    near, own, others = seen["near"], seen["own"], seen["others"]
    assert near[0].tolist() == [
        [1, 1, 1, 1, 1],
        [1, 1, 1, 1, 1],
        [1, 1, 0, 0, 0],
        [1, 1, 0, 1, 0],
        [1, 1, 0, 0, 0],
    ]
    assert not near[1:].any(), "the one in sight is a RED behind the own back, the team mate too far"
    assert own[:7].tolist() == [0, 0, 0, 1, 0, 0, np.float32(0.01)]
    assert own[7:15].tolist() == [0, 0, 0, 0, 0, 0, 1, 0]
    assert own[15:23].tolist() == [0, 0, 1, 0, 1, 0, 0, 0], "EAST and SOUTH; a wall closes SOUTH_EAST"
    assert own[23:].tolist() == [0, np.float32(0.28), np.float32(2 / 3)]
    assert others.tolist() == [[1, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0], [1, 5, 2, 0, 0.5, 0]]
    env.step({"seat_0": [0, MOVES.index(Direction.EAST)]})
    turned = env.observe(SeatId(0))
    assert turned["others"][1].tolist() == [1, 2, 0, 1, 1, 0], "now he is seen"
    assert turned["near"][2, 2, 4] == 1


def test_the_reward_of_right2live_is_what_the_tick_brought() -> None:
    env = right2live()
    env.reset(seed=2)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        _, rewards, *_ = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        totals = {agent: totals[agent] + gain for agent, gain in rewards.items()}
    outcome = RIGHT2LIVE.outcome(env.state_of_match)
    assert outcome is not None
    assert list(totals.values()) == pytest.approx(outcome.points, abs=1e-5)
    assert sum(totals.values()) > 0


def test_the_number_of_seats_and_the_setup() -> None:
    env = Right2LiveEnv(6)
    env.reset(seed=1, options={"setup": {"ruleset": {"max_rounds": 1}}})
    assert len(env.agents) == 6
    env.step({})
    assert env.agents == []
    with pytest.raises(SetupError, match="map line 1, column 1"):
        Right2LiveEnv(2, {"map": ["?x"]}).reset()
    with pytest.raises(ValueError, match='render_mode has to be None or "rgb_array"'):
        SpaceballsEnv(render_mode="human")


# --- pictures -----------------------------------------------------------------------------------


def test_a_picture_of_spaceballs() -> None:
    balls = [{"x": 0.25, "y": 0.75}, {"x": 0.5, "y": 0.5}]
    env = SpaceballsEnv(
        {"stations": [[0.75, 0.75]], "mines": [[0.25, 0.25]], "balls": balls}, render_mode="rgb_array"
    )
    env.reset(seed=1)
    picture = env.render()
    assert picture is not None
    assert picture.shape == (400, 400, 3)
    assert picture.dtype == np.uint8
    assert picture[100, 100].tolist() == [214, 69, 65], "red is up, where y is large"
    assert picture[200, 200].tolist() == [65, 105, 225]
    assert picture[100, 300].tolist() == [46, 160, 88]
    assert picture[300, 100].tolist() == picture[300 - 18, 100].tolist() == [60, 60, 66]
    assert SpaceballsEnv().render() is None


def test_a_picture_of_right2live() -> None:
    seats = [{"x": 0, "y": 0, "view": "SOUTH"}, {"x": 5, "y": 0, "team": "RED"}]
    env = Right2LiveEnv(2, {**POCKET, "seats": seats}, render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture is not None
    assert picture.shape == (3 * 12, 6 * 12, 3)
    assert picture[5, 5].tolist() == [65, 105, 225]
    assert picture[10, 6].tolist() == [255, 255, 255], "he looks down"
    assert picture[5, 65].tolist() == [214, 69, 65]
    assert picture[18, 18].tolist() == [60, 60, 66]
    mild, strong = picture[30, 6].astype(int), picture[18, 42].astype(int)
    assert strong[1] - strong[0] > mild[1] - mild[0], "poison is green"


# --- one agent against bots ---------------------------------------------------------------------


class Diary(SpaceballsBot):
    """Flies down and writes down what it is told."""

    lines: list[object]

    def start(self, match: Any) -> None:
        Diary.lines = [("start", self.seat, [seat.name for seat in match.seats])]

    def decide(self, observation: Any) -> Thrust:
        status = self.last_action and (self.last_action.tick, str(self.last_action.status))
        Diary.lines.append((self.tick, observation.step, status))
        return Thrust(thrust=(0.0, -1.0))

    def end(self, result: Any) -> None:
        Diary.lines.append(("end", result.reason, result.points))


def test_the_opponent_is_a_whole_bot() -> None:
    env = SingleAgentEnv(SpaceballsEnv(), Diary, seat=1)
    _, info = env.reset(seed=3)
    assert info == {"match_seed": 3, "tick": 0, "seat": 1}
    rewards, over = [], False
    while not over:
        _, reward, over, _, info = env.step(np.zeros(2, np.float32))
        rewards.append(reward)
    assert Diary.lines[0] == ("start", 0, ["opponent", "agent"])
    assert Diary.lines[1:3] == [(0, 0, None), (1, 5, (0, "applied"))]
    assert Diary.lines[-1] == ("end", "crash_wall", (0.0, 1.0))
    assert (rewards[-1], sum(rewards), info["place"]) == (1.0, 1.0, 1)


def test_the_seat_can_be_drawn_and_the_opponents_are_seeded() -> None:
    env = SingleAgentEnv(SpaceballsEnv(), "spaceballs:random", seat=None)
    seats, places = set(), []
    for seed in (1, 2, 3, 4, 5, 6, 1):
        seats.add(env.reset(seed=seed)[1]["seat"])
        for _ in range(5):
            seen = env.step(np.ones(2, np.float32))[0]
        places.append(seen)
    assert seats == {0, 1}
    np.testing.assert_array_equal(places[0], places[-1])
    with pytest.raises(WrongUse, match="no file or module 'strong'"):
        SingleAgentEnv(SpaceballsEnv(), "strong").reset()


def test_a_match_of_many_against_bots() -> None:
    env = SingleAgentEnv(right2live(), "right2live:random", seat=2)
    env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, info = env.step(env.action_space.sample())
        total += reward
    assert info["reason"] == "no_blue_left"
    assert total >= 0
