"""The generated files are those of the models, and say of every message what the codec says."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fangnetz_protocol import schema
from fangnetz_protocol.asyncapi import asyncapi
from fangnetz_protocol.yamlish import to_yaml
from support.scripted import observation, start
from support.wire_examples import EXAMPLES, examples
from support.wire_schema import DIRECTIONS, FOLDER, complaints, validate

JsonObject = dict[str, Any]
RIGHT2LIVE_OBSERVATION = {
    "type": "observation",
    "match": "m-1",
    "tick": 3,
    "deadline_ms": 1000,
    "bank_ms": 5000,
    "last_action": None,
    "me": {
        "x": 2,
        "y": 1,
        "view": "NORTH",
        "team": "BLUE",
        "life": 99.9,
        "points": 0,
        "standing": 1,
        "toxicity": 0.01,
    },
    "players": [{"seat": 1, "x": 5, "y": 1, "view": "WEST", "team": "RED"}],
    "teams": ["BLUE", "RED"],
    "lives": [99.9, -0.11],
    "last_change": 2,
    "next_forced": None,
    "events": [
        {"kind": "caught", "seat": 1, "by": [0]},
        {"kind": "poisoned", "seat": 1},
        {"kind": "forced", "seat": 1},
        {"kind": "blocked", "seat": 0},
    ],
}
WITH_PARTS = [
    (
        "bot-to-server",
        "right2live",
        {"type": "action", "match": "m", "tick": 0, "move": "EAST", "view": None},
    ),
    ("bot-to-server", "spaceballs", {"type": "action", "match": "m", "tick": 0, "thrust": [1, 0.5]}),
    ("server-to-bot", "right2live", RIGHT2LIVE_OBSERVATION),
    ("server-to-bot", "spaceballs", observation(3)),
    ("server-to-bot", "spaceballs", start()),
    ("server-to-bot", "right2live", start(game="right2live", setup={"map": ["..", ".#"]})),
    (
        "server-to-spectator",
        "spaceballs",
        {
            "type": "frame",
            "match": "m",
            "tick": 1,
            "step": 5,
            "time": 0.05,
            "balls": [
                {
                    **{"seat": 0, "x": 0.1, "y": 0.2, "vx": 0, "vy": 0, "ax": 0, "ay": 0},
                    **{"fuel": 2, "points": 1, "connected": True},
                }
            ],
            "stations": [],
            "mines": [{"id": 3, "x": 0.5, "y": 0.5}],
            "defender": None,
            "events": [
                {"kind": "refuelled", "seat": 0, "station": 1},
                {"kind": "mine_removed", "mine": 2},
                {"kind": "crashed", "seat": 0, "into": "wall"},
                {"kind": "caught", "seat": 0, "by": 1},
                {"kind": "timeout"},
            ],
        },
    ),
    (
        "server-to-spectator",
        "right2live",
        {
            "type": "frame",
            "match": "m",
            "tick": 1,
            "players": [
                {
                    **{"seat": 0, "x": 1, "y": 2, "view": "SOUTH_EAST", "team": "RED", "life": 50.5},
                    **{"points": 4.8, "standing": 3, "connected": False},
                }
            ],
            "blue": 0,
            "red": 1,
            "last_change": 1,
            "next_forced": None,
            "events": [],
        },
    ),
]


def test_the_files_are_those_of_the_models() -> None:
    made = schema.documents()
    stored = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert stored == made, "run `make schema` after a change of the models"


@pytest.mark.parametrize("name", [*schema.DIRECTIONS, *schema.GAMES])
def test_the_schemas_are_valid(name: str) -> None:
    Draft202012Validator.check_schema(json.loads(schema.documents()[f"{name}.schema.json"]))


@pytest.mark.parametrize(("direction", "message"), examples())
def test_the_examples_pass(direction: str, message: JsonObject) -> None:
    validate(direction, message)


@pytest.mark.parametrize(("direction", "game", "message"), WITH_PARTS)
def test_messages_with_parts_pass_both_schemas(direction: str, game: str, message: JsonObject) -> None:
    validate(direction, message, game)


@pytest.mark.parametrize(
    ("game", "field", "value"),
    [
        ("right2live", "teams", ["GREEN"]),
        ("right2live", "me", {}),
        ("right2live", "events", [{"kind": "sneezed", "seat": 1}]),
        ("spaceballs", "stations", [{"id": 0}]),
        ("spaceballs", "step", -1),
        ("spaceballs", "me", None),
    ],
)
def test_damaged_parts_do_not_pass(game: str, field: str, value: object) -> None:
    message = RIGHT2LIVE_OBSERVATION if game == "right2live" else observation(3)
    assert complaints("server-to-bot", message | {field: value}) == []
    assert field in complaints("server-to-bot", message | {field: value}, game)[0]


@pytest.mark.parametrize(("direction", "message"), examples())
def test_without_a_required_field_no_message_passes(direction: str, message: JsonObject) -> None:
    definitions = json.loads((FOLDER / f"{direction}.schema.json").read_text())["$defs"]
    own = next(
        part
        for part in definitions.values()
        if part.get("properties", {}).get("type", {}).get("const") == message["type"]
    )
    for field in own["required"]:
        assert complaints(direction, {key: value for key, value in message.items() if key != field}), field


def test_the_helper_knows_all_directions_and_refuses_strangers() -> None:
    assert set(DIRECTIONS) == set(schema.DIRECTIONS) == set(EXAMPLES)
    assert complaints("bot-to-server", {"type": "frame"}) == ["bot-to-server: no message of type 'frame'"]


def properties(value: Any) -> Iterator[tuple[str, JsonObject]]:
    if isinstance(value, dict):
        yield from value.get("properties", {}).items()
        for inner in value.values():
            yield from properties(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from properties(inner)


@pytest.mark.parametrize("name", [*schema.DIRECTIONS, *schema.GAMES])
def test_every_field_is_described(name: str) -> None:
    found = list(properties(json.loads(schema.documents()[f"{name}.schema.json"])))
    assert len(found) > 10
    assert [field for field, facts in found if "const" not in facts and not facts.get("description")] == []


def test_the_references_of_asyncapi_lead_somewhere() -> None:
    document = asyncapi()
    schemas = {name: json.loads(text) for name, text in schema.documents().items() if name.endswith(".json")}
    for channel in document["channels"].values():
        for message in channel["messages"].values():
            file, _, path = message["payload"]["$ref"].partition("#/$defs/")
            assert schemas[file]["$defs"][path]["properties"]["type"]["const"] == message["name"]
    for operation in document["operations"].values():
        channel = operation["channel"]["$ref"].removeprefix("#/channels/")
        for reference in operation["messages"]:
            inside = reference["$ref"].removeprefix(f"#/channels/{channel}/messages/")
            assert inside in document["channels"][channel]["messages"]


def test_asyncapi_shows_every_message_of_every_direction() -> None:
    shown = {
        message["payload"]["$ref"]
        for channel in asyncapi()["channels"].values()
        for message in channel["messages"].values()
    }
    assert len(shown) == sum(len(messages) for messages in EXAMPLES.values())


def test_yaml_is_written_as_yaml_readers_want_it() -> None:
    value = {
        "plain": 1,
        "y": "yes",
        "two words": ['a "quote"', {"deep": None, "list": [1.5, []]}],
        "empty": {},
        "lines": "a\nb",
    }
    assert to_yaml(value).splitlines() == [
        "plain: 1",
        '"y": "yes"',
        '"two words":',
        '  - "a \\"quote\\""',
        "  - deep: null",
        "    list:",
        "      - 1.5",
        "      - []",
        "empty: {}",
        'lines: "a\\nb"',
    ]
