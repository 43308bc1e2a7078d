"""The reference bots of Right2Live: how strong they are, what they know, and that no position upsets them."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fangnetz.bots.right2live_floods import FAR, ROUNDS, Floods
from fangnetz.bots.right2live_memory import Beliefs, Poison, situation
from fangnetz.bots.right2live_pursuit import Pursuit
from fangnetz.bots.right2live_random import RandomBot
from fangnetz.bots.right2live_simple import SimpleBot
from fangnetz.bots.right2live_strong import StrongBot
from fangnetz.grid import Grid
from fangnetz.local import LocalResult, play_local
from fangnetz.strength import Pairing, play_pairing
from fangnetz_protocol.messages import MatchStart
from fangnetz_protocol.right2live import Move, Observation
from fangnetz_protocol.words import Direction, MatchId, Pace, SeatId
from fangnetz_server.games.right2live import GAME
from fangnetz_server.games.right2live.state import State
from fangnetz_server.maps import load_map
from support.right2live import position
from support.right2live_any import actions, positions

settings.register_profile("no_clock", deadline=None)
settings.load_profile("no_clock")

BOTS = [RandomBot, SimpleBot, StrongBot]
Bot = type[RandomBot] | type[SimpleBot] | type[StrongBot]


def seated(bot: Bot, state: State, seat: SeatId) -> RandomBot | SimpleBot | StrongBot:
    """Return a bot that has just been told of the match."""
    player = bot(seed=7)
    match = MatchStart(
        match=MatchId("test"),
        game="right2live",
        rules_version=1,
        ruleset=GAME.ruleset(state),
        seat=seat,
        seats=tuple({"seat": other, "name": f"bot {other}"} for other in range(state.seat_count)),
        pace=Pace.LOCKSTEP,
        tick_ms=250,
        deadline_ms=1000,
        bank_ms=0,
        action_delay=0,
        ticks=None,
        setup=GAME.briefing(state, seat),
    )
    player.take_seat(match)
    player.start(match)
    player.tick = state.tick
    return player


def decide(bot: Bot, state: State, seat: int = 0) -> Move:
    """Return what a bot that comes fresh into a position does."""
    player = seated(bot, state, SeatId(seat))
    return player.decide(player.read(GAME.observe(state, SeatId(seat))))


# --- strength -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("bot", "rival", "least"), [("strong", "simple", 4), ("simple", "random", 5)])
def test_the_stronger_one_wins(bot: str, rival: str, least: int) -> None:
    """Six of a hundred matches; `fangnetz-bot strength` plays them all."""
    played = [play_pairing(Pairing("right2live", bot, rival), number, 1) for number in range(6)]
    assert sum(match.points > match.rival_points for match in played) >= least


# --- the same seed, the same match ---------------------------------------------------------------


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_seed_gives_the_same_match(bot: Bot) -> None:
    ground = load_map("pocket")
    setup = {"map": ground.rows, "toxicity": ground.toxicity, "ruleset": {"max_rounds": 80}}

    def play() -> LocalResult:
        bots = [bot(seed=seed) for seed in range(4)]
        return play_local("right2live", bots, seed=5, setup=setup, frames=True)

    one, other = play(), play()
    assert one == other
    assert one.ticks > 28


# --- any position ---------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", BOTS)
@given(state=positions())
@settings(max_examples=40)
def test_no_step_goes_into_a_wall_or_a_known_player(bot: Bot, state: State) -> None:
    grid = Grid(GAME.briefing(state, SeatId(0))["map"])
    for seat in map(SeatId, range(state.seat_count)):
        observation = GAME.observe(state, seat)
        move = decide(bot, state, seat)
        if move.move is not Direction.NONE:
            x, y = observation["me"]["x"], observation["me"]["y"]
            assert grid.can_step(grid.at(x, y), move.move)
            target = (x + move.move.dx, y + move.move.dy)
            # The weakest one does not look where others stand.
            others = [(player["x"], player["y"]) for player in observation["players"]]
            assert bot is RandomBot or target not in others
        assert GAME.parse_action(bot.write(move)).view is not Direction.NONE


@pytest.mark.parametrize("bot", BOTS)
@given(state=positions(), seed=st.integers(0, 9))
@settings(max_examples=15)
def test_a_match_from_any_position_comes_to_its_end(bot: Bot, state: State, seed: int) -> None:
    setup = GAME.export_setup(state)
    setup["ruleset"]["max_rounds"] = state.tick + 12
    bots = [bot(seed=seed + seat) for seat in range(state.seat_count)]
    result = play_local("right2live", bots, seed=1, setup=setup)
    assert result.ticks <= state.tick + 12


# --- what the better ones do ----------------------------------------------------------------------


@pytest.mark.parametrize("bot", [SimpleBot, StrongBot])
@pytest.mark.parametrize(
    ("board", "view", "moves"),
    [
        pytest.param("#......|.#####.|.#####.|...a..B", "E", {"WEST"}, id="run_from_red"),
        pytest.param("..A..b.", "E", {"EAST"}, id="run_after_blue"),
    ],
)
def test_obvious_steps(bot: Bot, board: str, view: str, moves: set[str]) -> None:
    state = position(board, views={"a": view, "b": "N"})
    assert decide(bot, state).move in moves


@pytest.mark.parametrize("bot", [SimpleBot, StrongBot])
def test_red_closes_in_on_whom_it_sees(bot: Bot) -> None:
    state = position("A....|.....|.....|.....|....b", views={"a": "SE"})
    assert decide(bot, state).move == "SOUTH_EAST"


def test_the_strong_one_does_not_run_into_a_dead_end() -> None:
    # Straight away from RED the way ends after six fields; the ring to the south has no end.
    state = position(
        "######....B.|......a.....|######.####.|######.####.|######......", views={"a": "E", "b": "W"}
    )
    assert decide(StrongBot, state).move in ("SOUTH", "SOUTH_WEST", "SOUTH_EAST")


def test_the_strong_one_in_peace_moves_every_round() -> None:
    """Standing multiplies the poison (R4.1); with two RED far away there is no reason to stand."""
    ground = load_map("pillars")
    seats = [
        {"x": 2, "y": 2},
        {"x": 4, "y": 2},
        {"x": 67, "y": 27, "team": "RED"},
        {"x": 65, "y": 27, "team": "RED"},
    ]
    setup: dict[str, Any] = {"map": ground.rows, "seats": seats, "ruleset": {"max_rounds": 15}}
    bots = [StrongBot(1), StrongBot(2), RandomBot(3), RandomBot(4)]
    result = play_local("right2live", bots, seed=1, setup=setup, frames=True)
    standing = [frame["players"][0]["standing"] for frame in result.frames[1:]]
    assert len(standing) == 15
    assert sum(count > 1 for count in standing) <= 2


def test_poison_is_known_where_one_has_been() -> None:
    poison = Poison()
    poison.learn(5, 0.2)
    assert (poison[5], poison[6]) == (0.2, Poison.GUESS)


# --- what the strong one knows --------------------------------------------------------------------


@given(positions(most_seats=2), st.data())
@settings(max_examples=50)
def test_beliefs_hold_the_truth(state: State, data: st.DataObject) -> None:
    """With two players nobody stands in between, so the other one is never where he is ruled out."""
    grid = Grid(GAME.briefing(state, SeatId(0))["map"])
    beliefs = Beliefs(grid, 2, 0, state.ruleset.fov_degrees)
    sizes = []
    for _ in range(6):
        beliefs.update(situation(grid, _read(state), state.tick, 0))
        x, y = state.arena.xy(state.players[1].field)
        assert beliefs[1] >> grid.at(x, y) & 1
        assert beliefs[1] & ~grid.free == 0
        sizes.append(beliefs[1].bit_count())
        if GAME.outcome(state) is not None:
            break
        state = GAME.step(state, data.draw(actions(2)))
    assert max(sizes) <= len(grid.fields)


def test_a_mate_who_turns_red_is_known_by_place() -> None:
    state = position("a..#..|####..|c..b..", tick=27, last_change=0, life={"b": 90})
    grid = Grid(GAME.briefing(state, SeatId(0))["map"])
    beliefs = Beliefs(grid, 3, 0)
    beliefs.update(situation(grid, _read(state), 27, 0))
    changed = GAME.step(state, [None, None, None])
    beliefs.update(situation(grid, _read(changed), 28, 0))
    assert [player["seat"] for player in GAME.observe(changed, SeatId(0))["players"]] == [2]
    assert beliefs[1].bit_count() == 3  # He may have stood, or gone west or east between the walls.


def _read(state: State) -> Observation:
    return Observation.model_validate(GAME.observe(state, SeatId(0)))


@given(positions(widest=6, highest=4))
@settings(max_examples=40)
def test_floods(state: State) -> None:
    grid = Grid(GAME.briefing(state, SeatId(0))["map"])
    floods = Floods(grid)
    one = grid.fields[0]
    assert len(floods.touched(one)) == ROUNDS
    assert floods.touched(one)[0] == grid.touched(grid.spread(1 << one))
    for other in grid.fields:
        far = grid.distances(one)[other]
        assert floods.apart(one, other) == min(far, FAR + 1)
        step = floods.toward(one, other)
        if 0 < far <= FAR:
            assert grid.distances(other)[step] == far - 1
        else:
            assert step == one


@given(positions(widest=5, highest=4))
@settings(max_examples=40)
def test_pursuits_end_as_plain_search_says(state: State) -> None:
    grid = Grid(GAME.briefing(state, SeatId(0))["map"])
    pursuit = Pursuit(grid)
    deadly = set(_deadly(grid))
    for hunter in grid.fields:
        found = {field for field in grid.fields if pursuit.deadly(hunter) >> field & 1}
        assert found == {field for field in grid.fields if (hunter, field) in deadly}


def _deadly(grid: Grid) -> Iterator[tuple[int, int]]:
    """Find by plain search all pairs where a hunter to move catches a fugitive, whatever he does."""
    near = {field: [field, *(step.field for step in grid.steps(field))] for field in grid.fields}
    lost = {(h, f) for h in grid.fields for f in grid.fields if h == f or grid.can_touch(h, f)}

    def answered(hunter: int, field: int) -> bool:
        return any((step, field) in lost for step in near[hunter])

    while True:
        more = {
            (hunter, field)
            for hunter in grid.fields
            for field in grid.fields
            if (hunter, field) not in lost and all(answered(hunter, way) for way in near[field])
        }
        if not more:
            break
        lost |= more
    yield from ((hunter, field) for hunter in grid.fields for field in grid.fields if answered(hunter, field))
