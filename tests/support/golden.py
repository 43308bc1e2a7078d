"""The matches behind the golden replays: small, scripted, and full of what the rules can do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot
from typing import Any, Final

from fangnetz_protocol.words import COMPASS
from fangnetz_server.games.right2live import GAME as RIGHT2LIVE
from fangnetz_server.games.spaceballs import GAME as SPACEBALLS
from support.arena import Arena
from support.replays import record

__all__ = ["SCRIPTED", "Scripted"]

_MAP: Final = ["........#.", "..##......", "..#....#..", "......##..", ".#........"]
_LAYER: Final = ["1123211#11", "11##111111", "12#2111#11", "121111##14", "1#11111100"]

Script = Callable[[Arena, int, int], Mapping[str, Any] | None]


@dataclass(frozen=True)
class Scripted:
    """A match to record: its setup, its settings, and who does what in which tick."""

    game: Any
    setup: Mapping[str, Any]
    seed: int
    script: Script
    settings: Mapping[str, Any]

    def play(self) -> Arena:
        """Play the match to its end."""
        arena = Arena(self.game, setup=self.setup, seed=self.seed, **self.settings)
        record(arena, lambda seat, tick: self.script(arena, seat, tick))
        return arena


def wander(arena: Arena, seat: int, tick: int) -> Mapping[str, Any] | None:
    """Walk in long lines, turn now and then, say nothing or nonsense sometimes."""
    chance = (tick * 31 + seat * 17) % 23
    if chance == 0:
        return None
    if chance == 1:
        return {"move": "AROUND"}
    way = COMPASS[(tick // (3 + seat) + seat * 3) % 8]
    return {"move": way, "view": COMPASS[(tick + seat) % 8]} if chance % 2 else {"move": way}


def refuel(arena: Arena, seat: int, tick: int) -> Mapping[str, Any] | None:
    """Fly to the nearest station with a speed that falls with the distance; then at the opponent."""
    if (tick + seat) % 29 == 0:
        return None
    seen = arena.seen(seat)
    me = seen["me"]
    ways = [(spot["x"] - me["x"], spot["y"] - me["y"]) for spot in seen["stations"] or [seen["opponent"]]]
    x, y = min(ways, key=lambda way: way[0] * way[0] + way[1] * way[1])
    speed = 0.3 / max(hypot(x, y), 0.02)
    # Rounded, because the last bits of a square root differ between machines.
    return {"thrust": [round(x * speed - me["vx"] * 4, 2), round(y * speed - me["vy"] * 4, 2)]}


SCRIPTED: Final[Mapping[str, Scripted]] = {
    "right2live": Scripted(
        RIGHT2LIVE,
        {"map": _MAP, "toxicity": _LAYER, "seats": 4},
        11,
        wander,
        {"deadline_ms": 100, "bank_ms": 0},
    ),
    "right2live-contest-2010": Scripted(
        RIGHT2LIVE,
        {"map": _MAP, "seats": 5, "ruleset": {"preset": "contest-2010"}},
        12,
        wander,
        {"pace": "realtime", "action_delay": 1},
    ),
    "spaceballs": Scripted(SPACEBALLS, {}, 14, refuel, {"deadline_ms": 100, "bank_ms": 0}),
    "spaceballs-bremen-2015": Scripted(
        SPACEBALLS,
        {
            "ruleset": {"preset": "bremen-2015", "duration": 20.0, "steps_per_tick": 10},
            "stations": [[0.2, 0.3], [0.7, 0.6], [0.3, 0.1]],
            "mines": [[0.5, 0.9], [0.1, 0.9], [0.9, 0.9]],
        },
        14,
        refuel,
        {"pace": "realtime", "tick_ms": 100},
    ),
}
"""One match for each preset of each game."""
