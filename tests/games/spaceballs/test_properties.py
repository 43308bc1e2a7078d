"""What holds in any match, whatever the bots do."""

from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given

from fangnetz_server.games.contract import JsonObject
from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.games.spaceballs.state import Refuelled, State
from support.flying import Flight, flights


def play(flight: Flight, setup: JsonObject | None = None) -> list[State]:
    """Return all states of a flight, the start first."""
    states = [GAME.prepare(flight.seed, flight.setup if setup is None else setup)]
    for parts in flight.actions:
        if GAME.outcome(states[-1]) is not None:
            break
        actions = [None if part is None else GAME.parse_action(part) for part in parts]
        states.append(GAME.step(states[-1], actions))
    return states


def pairs(states: list[State]) -> Iterator[tuple[State, State]]:
    return pairwise(states)


@given(flights())
def test_a_replayed_match_is_equal(flight: Flight) -> None:
    states = play(flight)
    again = play(flight, GAME.export_setup(states[0]))
    assert states == again
    assert [GAME.fingerprint(state) for state in states] == [GAME.fingerprint(state) for state in again]


@given(flights())
def test_fuel_never_falls_and_equals_the_stations_taken(flight: Flight) -> None:
    for before, after in pairs(play(flight)):
        for seat in (0, 1):
            taken = [event for event in after.events if isinstance(event, Refuelled) and event.seat == seat]
            assert after.balls[seat].fuel == before.balls[seat].fuel + len(taken)


@given(flights())
def test_every_station_is_left_or_was_taken(flight: Flight) -> None:
    states = play(flight)
    taken = {event.station for state in states for event in state.events if isinstance(event, Refuelled)}
    left = {place.id for place in states[-1].stations.items}
    assert taken | left == {place.id for place in states[0].stations.items}
    assert not taken & left


@given(flights())
def test_mines_stay_while_a_station_is_left(flight: Flight) -> None:
    for before, after in pairs(play(flight)):
        assert set(after.mines.items) <= set(before.mines.items)
        if after.stations.items:
            assert after.mines == before.mines


@given(flights())
def test_points_are_none_or_one(flight: Flight) -> None:
    states = play(flight)
    for state in states:
        outcome = GAME.outcome(state)
        assert state.points[0] in (0.0, 1.0)
        assert state.points[1] in (0.0, 1.0)
        assert outcome is not None or state.points == (0.0, 0.0)
        if outcome is not None and outcome.points == (1.0, 1.0):
            assert state.arena.ruleset.crash_and_catch == "both"


@given(flights())
def test_only_the_fuller_ball_catches(flight: Flight) -> None:
    end = play(flight)[-1]
    if end.reason == "catch":
        assert end.defender is not None
        assert end.points[1 - end.defender] == 1.0


@given(flights())
def test_steps_grow_by_a_tick_and_stop_at_the_end(flight: Flight) -> None:
    for before, after in pairs(play(flight)):
        assert after.tick == before.tick + 1
        assert before.step < after.step <= before.step + before.arena.ruleset.steps_per_tick
        assert after.step <= after.arena.steps


@given(flights())
def test_the_mirror_image_of_a_match_mirrors_the_outcome(flight: Flight) -> None:
    """Swapping the seats and nothing else swaps the outcome: no seat is preferred."""
    start = GAME.prepare(flight.seed, flight.setup)
    setup = GAME.export_setup(start)
    swapped = {**setup, "balls": setup["balls"][::-1]}
    other = Flight(flight.seed, swapped, [parts[::-1] for parts in flight.actions])
    end, mirrored = play(flight)[-1], play(other)[-1]
    assert mirrored.points == end.points[::-1]
    assert mirrored.balls == end.balls[::-1]
    assert mirrored.reason == end.reason
