"""One good example of every message, by direction and type, as JSON gives it."""

from typing import Any

from support.scripted import observation, start

__all__ = ["EXAMPLES", "examples"]

JsonObject = dict[str, Any]

_END: JsonObject = {
    "type": "match_end",
    "match": "m-1",
    "reason": "no_blue_left",
    "places": [1, 2],
    "points": [4.8, 0],
    "ticks": 133,
    "replay": "/api/matches/m-1/replay",
}
_ERROR: JsonObject = {
    "type": "error",
    "code": "wrong_tick",
    "message": "tick 9 was not shown yet",
    "ref": {"match": "m-1", "tick": 9, "field": "tick"},
}
_NOTICE: JsonObject = {"type": "notice", "code": "announcement", "message": "Finals at noon."}
_WATCHED: JsonObject = {key: value for key, value in start().items() if key != "seat"}

EXAMPLES: dict[str, list[JsonObject]] = {
    "bot-to-server": [
        {
            "type": "hello",
            "protocol": "1.0",
            "token": "t",
            "name": "Jäger",
            "client": {"name": "fangnetz", "version": "0.1.0", "language": "Python"},
            "games": ["right2live", "spaceballs"],
            "resume": "r",
        },
        {"type": "ready", "match": "m-1"},
        {"type": "action", "match": "m-1", "tick": 0, "thrust": [0.5, -1]},
        {"type": "leave", "match": "m-1"},
    ],
    "server-to-bot": [
        {
            "type": "welcome",
            "protocol": "1.0",
            "server": "0.1.0",
            "session": "s-1",
            "resume": "r",
            "bot": {"id": "b-1", "name": "Jäger"},
            "limits": {"message_bytes": 32768, "messages_per_second": 200, "strikes": 20},
            "games": [{"id": "spaceballs", "rules_version": 1}],
            "features": {"replays": True},
            "resumed": False,
        },
        start(),
        observation(3, missed=[1, 2]),
        _END,
        _ERROR,
        _NOTICE,
    ],
    "server-to-spectator": [
        {
            "type": "matches",
            "matches": [
                {
                    "match": "m-1",
                    "game": "spaceballs",
                    "phase": "over",
                    "tick": 7,
                    "ticks": 1200,
                    "seats": [{"seat": 0, "name": "a", "connected": True}],
                    "spectators": 2,
                    "reason": "catch",
                    "points": [1],
                    "places": [1],
                }
            ],
            "full": True,
        },
        {
            "type": "tournaments",
            "tournaments": [
                {
                    "id": "cup",
                    "name": "The Cup",
                    "game": "spaceballs",
                    "state": "running",
                    "done": 3,
                    "total": None,
                    "standings": [{"rank": 1, "name": "a", "points": 2.5}],
                }
            ],
        },
        _WATCHED,
        {"type": "frame", "match": "m-1", "tick": 3, "step": 15, "balls": []},
        _END,
        _ERROR,
        _NOTICE,
    ],
}


def examples() -> list[tuple[str, JsonObject]]:
    """Return all examples with their directions."""
    return [(direction, message) for direction, messages in EXAMPLES.items() for message in messages]
