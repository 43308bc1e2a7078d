"""All real traffic is as the schemas say, and has no field that they do not know."""

import asyncio
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import orjson
import pytest
from jsonschema import Draft202012Validator

from fangnetz_protocol.words import MatchId
from support.clients import BotClient, Client
from support.live_server import LiveServer, eventually, live_server
from support.wire_schema import FOLDER, validate

JsonObject = dict[str, Any]

SETUPS: Final[dict[str, JsonObject]] = {
    # A station lies under the first ball, a mine goes three seconds later, then a ball flies into the wall.
    "spaceballs": {
        "stations": [[0.015, 0.015]],
        "mines": [[0.5, 0.9], [0.9, 0.5]],
        "ruleset": {"duration": 5.0},
    },
    # Seat 0 catches seat 1, seat 2 is poisoned, seat 3 steps off the map, and long after that one is forced.
    "right2live": {
        "map": [".........", ".........", "........."],
        "seats": [
            {"x": 0, "y": 0, "team": "RED"},
            {"x": 1, "y": 1},
            {"x": 4, "y": 2, "life": 0.03},
            {"x": 8, "y": 0},
            {"x": 8, "y": 2},
        ],
        "tick": 26,
        "ruleset": {"max_rounds": 70},
    },
}
EVENTS: Final = {
    "spaceballs": {"refuelled", "mine_removed", "crashed"},
    "right2live": {"caught", "poisoned", "forced", "blocked"},
}
BOTH_WAYS: Final = (
    *("hello", "ready", "action", "leave"),
    *("welcome", "match_start", "observation", "match_end", "error"),
)
NAMES: Final = ("ann", "bob", "cid", "dan", "eve")


def answer(observation: JsonObject) -> JsonObject:
    """Return an action that makes things happen."""
    me = observation["me"]
    if "mines" in observation:
        return {"thrust": [-1, 0] if len(observation["mines"]) == 1 and me["fuel"] else [0, 0]}
    return {"move": "EAST" if me["x"] == 8 else "NONE", "view": "WEST"}


@cache
def closed(name: str, type_: str) -> Draft202012Validator | None:
    """Return a validator that knows only the listed fields, or None if the schema has no such message."""
    schema = orjson.loads((FOLDER / f"{name}.schema.json").read_bytes())
    if type_ not in schema["discriminator"]["mapping"]:
        return None
    for part in objects(schema):
        if "properties" in part:
            part["additionalProperties"] = False
    return Draft202012Validator({"$ref": schema["discriminator"]["mapping"][type_], "$defs": schema["$defs"]})


def objects(value: Any) -> Iterator[JsonObject]:
    """Yield all objects inside a schema."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(inner)


def check(client: Client, incoming: str, outgoing: str, game: str) -> None:
    """Hold all messages of a connection against the schemas, open and closed."""
    for way, message in client.log:
        direction = incoming if way == "in" else outgoing
        validate(direction, message, game)
        strict = closed(game, message["type"]) or closed(direction, message["type"])
        assert strict is not None
        problems = [f"{error.json_path}: {error.message}" for error in strict.iter_errors(message)]
        assert not problems, f"{message}\n{problems}"


async def make_trouble(server: LiveServer, bot: BotClient, match: MatchId, secret: str) -> BotClient:
    """Collect some errors, lose the line for a few ticks and come back; return the new connection."""
    await bot.send_raw("nonsense")
    await bot.next("error")
    await bot.send({"type": "leave", "match": "another"})
    await bot.next("error")
    bot.cut()
    running = server.host.tables[match].match
    await eventually(lambda: not running.seats[-1].connected, "the lost line is noticed")
    lost_at = running.tick
    await eventually(lambda: running.tick > lost_at + 2, "some ticks without the bot")
    again = await server.raw_bot()
    await again.hello(resume=secret)
    return again


async def watch_until_over(lobby: Client) -> None:
    """Wait until the lobby says that its only match is over."""
    phase = ""
    while phase != "over":
        phase = ([""] + [entry["phase"] for entry in (await lobby.next("matches"))["matches"]])[-1]


@pytest.mark.parametrize("game", SETUPS)
async def test_all_traffic_of_a_match_fits_the_schemas(server: LiveServer, game: str) -> None:
    names = NAMES[: len(SETUPS[game].get("seats", "ab"))]
    lobby = await server.lobby()
    listening = asyncio.create_task(watch_until_over(lobby))
    match = server.create(game, *names, setup=SETUPS[game], bank_ms=0, deadline_ms=2_000).match.id
    spectator = await server.spectator(match)
    bots = [await server.raw_bot() for _ in names]
    client = {"name": "test", "version": "1"}
    welcomes = [await bot.hello(name, client=client) for bot, name in zip(bots, names, strict=True)]
    for bot in bots:
        await bot.ready()
    await bots[-1].next("observation")
    playing = [asyncio.create_task(bot.play_on(answer)) for bot in bots[:-1]]
    again = await make_trouble(server, bots[-1], match, welcomes[-1]["resume"])
    end = await again.play_on(answer)
    await asyncio.gather(*playing, listening, spectator.drain())
    late, nowhere = await server.spectator(match), await server.spectator("nowhere")
    await asyncio.gather(late.drain(), nowhere.drain())

    for bot in (*bots, again):
        check(bot, "server-to-bot", "bot-to-server", game)
    for watcher in (spectator, lobby, late, nowhere):
        check(watcher, "server-to-spectator", "", game)
    seen = {message["type"] for bot in (*bots, again) for _, message in bot.log}
    assert seen == set(BOTH_WAYS)
    assert {message["type"] for _, message in spectator.log} == {"match_start", "frame", "match_end"}
    events = {event["kind"] for frame in spectator.received("frame") for event in frame["events"]}
    assert events == EVENTS[game]
    assert len(again.received("observation")[0]["missed"]) >= 2
    assert end["reason"] in ("crash_wall", "max_rounds")


async def test_a_bot_that_waits_gets_a_notice_that_fits(tmp_path: Path) -> None:
    async with live_server(tmp_path, matchmaking=True) as server:
        bot = await server.bot("ann", games=["spaceballs"])
        await bot.next("notice")
        check(bot, "server-to-bot", "bot-to-server", "spaceballs")
