"""The conversations of the protocol reference are real: the server still says all of it.

`pytest tests/protocol/test_conversations.py --update-golden` records them anew; then `make schema`.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from fangnetz_protocol.codec import FROM_BOT, TO_BOT
from support.clients import Policy
from support.live_server import LiveServer

JsonObject = dict[str, Any]
FOLDER: Final = Path(__file__).parents[2] / "docs" / "reference" / "conversations"
CHANGING: Final = {"match", "session", "resume", "server", "latency_ms", "deadline_ms", "bank_ms", "replay"}
"""Fields that are others in each match: names, secrets, times."""


def fly(observation: JsonObject) -> JsonObject:
    """Spaceballs: up, and in the second tick nothing that the game can read."""
    return {"thrust": "up" if observation["tick"] == 1 else [0.0, 1.0]}


def walk(observation: JsonObject) -> JsonObject:
    """Right2Live: into the wall, then along it, then nowhere."""
    moves = ("SOUTH_EAST", "SOUTH", "NONE")
    return {"move": moves[min(observation["tick"], 2)], "view": "EAST"}


def hunt(observation: JsonObject) -> JsonObject:
    """Right2Live: to the west."""
    return {"move": "WEST", "view": "WEST"}


MATCHES: Final[dict[str, tuple[JsonObject, Policy, Policy]]] = {
    "spaceballs": (
        {
            "ruleset": {"duration": 0.15},
            "stations": [[0.03, 0.025]],
            "mines": [[0.5, 0.5]],
        },
        fly,
        lambda observation: {"thrust": [0, 0]},
    ),
    "right2live": (
        {
            "map": [".....", ".#...", "....."],
            "seats": [{"x": 0, "y": 0}, {"x": 4, "y": 0, "view": "WEST", "team": "RED"}],
        },
        walk,
        hunt,
    ),
}


async def record(server: LiveServer, game: str) -> str:
    """Play the match and return what the first bot said and heard."""
    setup, first, second = MATCHES[game]
    server.create(game, "Ada", "Bert", setup=setup)
    ada, bert = await server.raw_bot(), await server.bot("Bert")
    await ada.hello("Ada", games=[game], client={"name": "by hand", "version": "1"})
    start = await ada.ready()
    await bert.ready()
    assert start["seat"] == 0
    while True:
        message = await ada.receive()
        if message["type"] == "match_end":
            break
        if message["type"] == "observation":
            await ada.act(message, first(message))
            await bert.act(await bert.next("observation"), second(message))
    signs = {"out": ">", "in": "<"}
    return "".join(f"{signs[way]} {json.dumps(message, separators=(',', ':'))}\n" for way, message in ada.log)


def steady(value: Any) -> Any:
    """Return a message without what changes from match to match."""
    if isinstance(value, dict):
        return {
            key: "…" if key in CHANGING and value[key] is not None else steady(one)
            for key, one in value.items()
        }
    return [steady(one) for one in value] if isinstance(value, list) else value


def messages(recorded: str) -> list[tuple[str, JsonObject]]:
    return [(line[0], json.loads(line[2:])) for line in recorded.splitlines()]


@pytest.mark.parametrize("game", MATCHES)
async def test_the_server_says_it_again(server: LiveServer, game: str, update_golden: bool) -> None:
    file = FOLDER / f"{game}.txt"
    again = await record(server, game)
    if update_golden:
        file.write_text(again, encoding="utf-8")
    kept = messages(file.read_text(encoding="utf-8"))
    assert [(sign, steady(one)) for sign, one in messages(again)] == [
        (sign, steady(one)) for sign, one in kept
    ]
    assert kept[-1][1]["type"] == "match_end"


@pytest.mark.parametrize("game", MATCHES)
def test_every_message_is_one_of_the_models(game: str) -> None:
    for sign, message in messages((FOLDER / f"{game}.txt").read_text(encoding="utf-8")):
        assert sign in "<>"
        if sign == ">":
            assert FROM_BOT.decode(json.dumps(message), 100_000).type == message["type"]
        else:
            assert TO_BOT.decode(json.dumps(message), 100_000).type == message["type"]
