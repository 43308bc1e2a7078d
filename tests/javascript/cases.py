"""Cases of the helpers, answered by the Python SDK."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from fangnetz.flight import (
    Flight,
    Motion,
    Obstacles,
    braking_distance,
    compass,
    contact_time,
    direction,
    thrust_to_reach,
    time_between,
    time_to_reach,
)
from fangnetz.grid import Grid
from fangnetz_protocol.spaceballs import Briefing, Place
from fangnetz_protocol.words import COMPASS
from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.maps import load_map, map_names

__all__ = ["flights", "grids"]

JsonObject = dict[str, Any]
THRUST: Final = 0.1


def case(answer: Any, *asked: Any) -> JsonObject:
    """Return one case: the arguments and the answer."""
    return {"of": asked, "is": answer}


# --- Right2Live ---------------------------------------------------------------------------------


def grids(chance: Random) -> list[JsonObject]:
    """Return maps with cases of every method of `Grid`: shipped ones and small ones full of corners."""
    shipped = [load_map(name).rows for name in chance.sample(list(map_names()), 2)]
    drawn = [["".join(chance.choice("..#") for _ in range(11)) for _ in range(7)] for _ in range(4)]
    return [{"rows": list(rows), "cases": grid_cases(Grid(rows), chance)} for rows in (*shipped, *drawn)]


def grid_cases(grid: Grid, chance: Random) -> dict[str, list[JsonObject]]:
    some = chance.sample(grid.fields, min(12, len(grid.fields)))
    sets = [chance.sample(grid.fields, count) for count in (1, 2, 5)]
    masks = [sum(1 << field for field in fields) for fields in sets]
    anywhere = [grid.at(x, y) for x in range(grid.width) for y in range(grid.height)]
    return {
        "fields": [case(grid.fields)],
        "free": [case(f"{grid.free:x}")],
        "xy": [case(grid.xy(field), field) for field in anywhere[:20]],
        "is_free": [case(grid.is_free(field), field) for field in anywhere],
        "steps": [case(grid.steps(field), field) for field in grid.fields],
        "can_step": [case(grid.can_step(field, way), field, way) for field in some for way in COMPASS],
        "spread": [case(f"{grid.spread(mask):x}", f"{mask:x}") for mask in masks],
        "distances": [case(list(grid.distances(field)), field) for field in some[:4]],
        "path": [case(grid.path(one, other), one, other) for one in some for other in some[:4]],
        "can_touch": list(touches(grid, chance)),
        "touched": [case(f"{grid.touched(mask):x}", f"{mask:x}") for mask in masks],
        "sees": list(looks(grid, chance)),
        "in_sight": [case(f"{grid.in_sight(field):x}", field) for field in some],
        "ahead": [case(f"{grid.ahead(field, way):x}", field, way) for field in some for way in COMPASS],
    }


def touches(grid: Grid, chance: Random) -> Iterator[JsonObject]:
    for field in chance.sample(grid.fields, min(20, len(grid.fields))):
        x, y = grid.xy(field)
        near = [
            other for other in grid.fields if max(abs(grid.xy(other)[n] - (x, y)[n]) for n in (0, 1)) <= 2
        ]
        for other in near:
            players = chance.sample(near, min(3, len(near)))
            yield case(grid.can_touch(field, other, players), field, other, players)


def looks(grid: Grid, chance: Random) -> Iterator[JsonObject]:
    for _ in range(300):
        field, other = (chance.choice(grid.fields) for _ in range(2))
        view, fov = chance.choice(COMPASS), chance.choice((179, 90, 360))
        players = chance.sample(grid.fields, 3)
        yield case(grid.sees(field, view, other, players, fov), field, view, other, players, fov)


# --- Spaceballs ---------------------------------------------------------------------------------


def flights(chance: Random) -> dict[str, list[JsonObject]]:
    """Return cases of every helper of `flight`."""

    def motion() -> Motion:
        return Motion(*(chance.uniform(0.1, 0.9) for _ in "xy"), *(chance.uniform(-0.2, 0.2) for _ in "xy"))

    def numbers(count: int, most: float = 0.5) -> list[float]:
        return [chance.uniform(-most, most) for _ in range(count)]

    def many(make: Callable[[], JsonObject], count: int = 40) -> list[JsonObject]:
        return [make() for _ in range(count)]

    def asked(helper: Callable[..., Any], *arguments: Any) -> JsonObject:
        return case(helper(*arguments), *arguments)

    def flown() -> JsonObject:
        start, end, time = motion(), motion(), chance.uniform(0, 6)
        return case(Flight.between(start, end, THRUST).at(time), start, end, THRUST, time)

    return {
        "speed": many(lambda: (start := motion()) and case(start.speed, start)),
        "after": many(lambda: asked(Motion.after, motion(), numbers(2), chance.randrange(100))),
        "path": many(lambda: asked(lambda *of: list(Motion.path(*of)), motion(), numbers(2), 3, 5), 5),
        "direction": [*many(lambda: asked(direction, *numbers(2), 0.3)), asked(direction, 0, 0)],
        "compass": [asked(compass, 5), asked(compass, 8, 0.25)],
        "braking_distance": many(lambda: asked(braking_distance, chance.random(), THRUST), 5),
        "contact_time": many(lambda: asked(contact_time, *numbers(4), 0.1), 200),
        "time_to_reach": many(
            lambda: asked(time_to_reach, *numbers(4), THRUST, chance.choice((0, 0.02))), 200
        ),
        "thrust_to_reach": many(lambda: asked(thrust_to_reach, *numbers(4), THRUST)),
        "time_between": many(lambda: asked(time_between, motion(), motion(), THRUST), 200),
        "flight": many(flown, 100),
        **obstacle_cases(chance, motion, numbers),
    }


def obstacle_cases(
    chance: Random, motion: Callable[[], Motion], numbers: Callable[[int], list[float]]
) -> dict[str, list[JsonObject]]:
    names = ("clearance", "is_clear", "first_mine", "can_stop", "escape", "way_round")
    cases: dict[str, list[JsonObject]] = {name: [] for name in names}
    for seed in range(30):
        briefing = Briefing.model_validate(GAME.briefing(GAME.prepare(seed, {}), None))
        margin = chance.choice((0.0, 0.01))
        mines = [(mine.x, mine.y) for mine in briefing.mines]
        facts = {name: getattr(briefing, name) for name in ("ball_radius", "mine_radius", "thrust")}
        field = {"mines": mines, "briefing": facts, "margin": margin}
        obstacles = Obstacles([Place(id=0, x=x, y=y) for x, y in mines], briefing, margin)
        for _ in range(10):
            start, way = motion(), numbers(2)
            goal = (chance.random(), chance.random())
            place = (start.x, start.y)
            cases["clearance"].append(case(obstacles.clearance(*place), field, *place))
            cases["is_clear"].append(case(obstacles.is_clear(*place, *way), field, *place, *way))
            cases["first_mine"].append(case(obstacles.first_mine(*place, *way), field, *place, *way))
            cases["can_stop"].append(case(obstacles.can_stop(start, 0.05), field, start, 0.05))
            cases["escape"].append(case(obstacles.escape(start, 5), field, start, 5))
            cases["way_round"].append(case(obstacles.way_round(*place, goal), field, *place, goal))
    return cases
