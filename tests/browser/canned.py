"""Messages of two small matches, as the server sends them to spectators (protocol P3)."""

from typing import Any

from fangnetz_protocol import right2live, spaceballs

__all__ = ["R2L_NAMES", "Message", "entry", "match_end", "r2l_frame", "r2l_start", "sb_frame", "sb_start"]

Message = dict[str, Any]

R2L_NAMES = ("Ada", "Ben", "Cleo", "Dora")
R2L_MAP = ("..........", "....##....", "....##....", "..........", "..........")
R2L_TOXICITY = ("0.........", "..........", "..........", "..........", ".........5")
SB_NAMES = ("Halley", "Encke")
STATIONS = ((0.5, 0.5), (0.2, 0.8), (0.8, 0.8))
MINES = ((0.3, 0.3), (0.7, 0.3))


def r2l_start(match: str = "tag", names: tuple[str, ...] = R2L_NAMES) -> Message:
    """The start of a match of Right2Live on a map of 10 by 5 fields, with poison in two corners."""
    briefing = right2live.Briefing(map=R2L_MAP, toxicity=R2L_TOXICITY)
    return _start(match, "right2live", names, briefing.model_dump(mode="json"), None)


def r2l_frame(
    tick: int,
    places: dict[int, tuple[int, int]],
    red: tuple[int, ...] = (),
    events: tuple[Message, ...] = (),
    **more: Any,
) -> Message:
    """A frame with a player a seat; `red` are the seats that hunt."""
    players = [
        {
            "seat": seat,
            "x": x,
            "y": y,
            "view": "EAST",
            "team": "RED" if seat in red else "BLUE",
            "life": 90.5 - seat,
        }
        | {"points": 10.0 if seat in red else 0.0, "standing": 1, "connected": True}
        for seat, (x, y) in places.items()
    ]
    part = {
        "players": players,
        "blue": len(places) - len(red),
        "red": len(red),
        "last_change": 0,
        "next_forced": 28,
    }
    frame = right2live.Frame.model_validate(part | {"events": events} | more)
    return {"type": "frame", "match": "tag", "tick": tick} | frame.model_dump(mode="json")


def sb_start(match: str = "duel", names: tuple[str, str] = SB_NAMES) -> Message:
    """The start of a match of Spaceballs with three stations and two mines."""
    field: Message = {"stations": _places(STATIONS), "mines": _places(MINES)}
    sizes = {"ball_radius": 0.01, "station_radius": 0.01, "mine_radius": 0.05}
    times = {"steps": 6000, "steps_per_tick": 5, "dt": 0.01, "thrust": 0.1}
    briefing = spaceballs.Briefing.model_validate(field | sizes | times)
    return _start(match, "spaceballs", names, briefing.model_dump(mode="json"), 1200)


def sb_frame(
    tick: int,
    balls: tuple[tuple[float, float, int], tuple[float, float, int]],
    events: tuple[Message, ...] = (),
) -> Message:
    """A frame with two balls at (x, y) that have so many stations."""
    (_, _, red), (_, _, blue) = balls
    part = {
        "step": tick * 5,
        "time": tick * 0.05,
        "balls": [
            {
                "seat": seat,
                "x": x,
                "y": y,
                "vx": 0.1,
                "vy": 0.0,
                "ax": 0.1,
                "ay": 0.0,
                "fuel": fuel,
                "points": 0.0,
            }
            for seat, (x, y, fuel) in enumerate(balls)
        ],
        "stations": _places(STATIONS)[red + blue :],
        "mines": _places(MINES),
        "defender": None if red == blue else int(blue < red),
        "events": events,
    }
    frame = spaceballs.Frame.model_validate(part)
    return {"type": "frame", "match": "duel", "tick": tick} | frame.model_dump(mode="json")


def match_end(
    match: str, reason: str, places: tuple[int, ...], points: tuple[float, ...], ticks: int
) -> Message:
    """The last message of a match."""
    result = {
        "reason": reason,
        "places": places,
        "points": points,
        "ticks": ticks,
        "replay": f"{match}.ndjson.zst",
    }
    return {"type": "match_end", "match": match} | result


def entry(match: str, game: str, phase: str, names: tuple[str, ...], tick: int = 0, **more: Any) -> Message:
    """One match in the lobby."""
    seats = [{"seat": seat, "name": name, "connected": True} for seat, name in enumerate(names)]
    facts = {"match": match, "game": game, "phase": phase, "tick": tick, "seats": seats, "spectators": 0}
    return facts | {"ticks": 1200 if game == "spaceballs" else None} | more


def _start(match: str, game: str, names: tuple[str, ...], setup: Message, ticks: int | None) -> Message:
    seats = [{"seat": seat, "name": name} for seat, name in enumerate(names)]
    facts = {
        "match": match,
        "game": game,
        "ruleset": {},
        "rules_version": 1,
        "seats": seats,
        "pace": "realtime",
    }
    return (
        {"type": "match_start"} | facts | {"tick_ms": 50, "deadline_ms": 50, "ticks": ticks, "setup": setup}
    )


def _places(spots: tuple[tuple[float, float], ...]) -> list[Message]:
    return [{"id": number, "x": x, "y": y} for number, (x, y) in enumerate(spots)]
