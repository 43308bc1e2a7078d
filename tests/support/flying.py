"""Hypothesis strategies for Spaceballs: any start, any actions."""

from dataclasses import dataclass

from hypothesis import strategies as st

from fangnetz_server.games.contract import JsonObject

__all__ = ["Flight", "flights"]

COORDINATES = st.floats(0.02, 0.98)
SPEEDS = st.floats(-0.6, 0.6)
POINTS = st.tuples(COORDINATES, COORDINATES).map(list)


@dataclass(frozen=True)
class Flight:
    """A start position and what the bots do, a list of two game parts a tick (None: nothing)."""

    seed: int
    setup: JsonObject
    actions: list[list[JsonObject | None]]


BALLS = st.fixed_dictionaries(
    {"x": COORDINATES, "y": COORDINATES, "vx": SPEEDS, "vy": SPEEDS, "fuel": st.integers(0, 4)}
)
RULESETS = st.fixed_dictionaries(
    {},
    optional={
        "duration": st.sampled_from([0.5, 3.0, 3.17, 60.0]),
        "mine_choice": st.sampled_from(["nearest", "last"]),
        "mine_clock": st.sampled_from(["since_last_station", "grid"]),
        "crash_and_catch": st.sampled_from(["crash", "both"]),
        "thrust": st.sampled_from([0.1, 0.01, 3.0]),
    },
)
SETUPS = st.fixed_dictionaries(
    {"ruleset": RULESETS},
    optional={
        "balls": st.lists(BALLS, min_size=2, max_size=2),
        "stations": st.lists(POINTS, max_size=5),
        "mines": st.lists(POINTS, max_size=5),
    },
)
THRUSTS = st.none() | st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(lambda pair: {"thrust": list(pair)})
ACTIONS = st.lists(st.lists(THRUSTS, min_size=2, max_size=2), min_size=1, max_size=40)


def flights() -> st.SearchStrategy[Flight]:
    """Return a strategy for whole flights, from calm to hopeless."""
    return st.builds(Flight, st.integers(0, 2**63), SETUPS, ACTIONS)
