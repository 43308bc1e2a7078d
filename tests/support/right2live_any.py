"""Any position of Right2Live and any actions, for Hypothesis."""

from typing import Any

from hypothesis import strategies as st

from fangnetz_protocol.words import Direction
from fangnetz_server.games.right2live import GAME
from fangnetz_server.games.right2live.state import Action, State

__all__ = ["actions", "positions"]

SIGNS = ".123456789.0# "
VIEWS = [direction for direction in Direction if direction is not Direction.NONE]


@st.composite
def positions(draw: st.DrawFn, widest: int = 9, highest: int = 7, most_seats: int = 6) -> State:
    """Return any position on a small map, with at least one BLUE player."""
    width = draw(st.integers(2, widest))
    height = draw(st.integers(2, highest))
    # One byte a field: cheap to draw, and shrinks to an empty map with mild poison.
    ground = draw(st.binary(min_size=width * height, max_size=width * height))
    lines = [ground[start : start + width] for start in range(0, width * height, width)]
    places = draw(st.lists(_places(width, height), min_size=2, max_size=most_seats, unique=True))
    tick = draw(st.integers(0, 300))
    setup: dict[str, Any] = {
        "map": [_line(y, line, places) for y, line in enumerate(lines)],
        "toxicity": ["".join(SIGNS[byte % len(SIGNS)] for byte in line) for line in lines],
        "seats": [draw(_seat(x, y)) for x, y in places],
        "tick": tick,
        "last_change": draw(st.integers(0, tick)),
        "ruleset": {
            "move_order": draw(st.sampled_from(["drawn", "arrival"])),
            "max_rounds": draw(st.none() | st.integers(tick + 1, tick + 20)),
            "fov_degrees": draw(st.integers(1, 360) | st.just(179)),
        },
    }
    setup["seats"][0]["team"] = "BLUE"
    return GAME.prepare(draw(st.integers(0, 2**32)), setup)


def _places(width: int, height: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))


def _line(y: int, line: bytes, places: list[tuple[int, int]]) -> str:
    return "".join(".#"[byte >= 160 and (x, y) not in places] for x, byte in enumerate(line))


@st.composite
def _seat(draw: st.DrawFn, x: int, y: int) -> dict[str, Any]:
    return {
        "x": x,
        "y": y,
        "team": draw(st.sampled_from(["BLUE", "RED"])),
        "view": draw(st.sampled_from(VIEWS)),
        "life": draw(st.integers(-50, 200).map(lambda hundredths: hundredths / 100)),
        "standing": draw(st.integers(0, 20)),
    }


def actions(seats: int) -> st.SearchStrategy[list[Action | None]]:
    """Return any actions for a round."""
    one = st.none() | st.builds(Action, st.sampled_from(Direction), st.none() | st.sampled_from(VIEWS))
    return st.lists(one, min_size=seats, max_size=seats)
