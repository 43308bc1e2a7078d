"""The codec: every text is a message or exactly one documented error."""

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz_protocol import codec, errors
from fangnetz_protocol import messages as m
from fangnetz_protocol.codes import ErrorCode
from fangnetz_protocol.words import MatchId, Tick
from support.wire_examples import EXAMPLES, examples

LIMIT = 1000
DECODERS: dict[str, codec.Decoder[Any]] = {
    "bot-to-server": codec.FROM_BOT,
    "server-to-bot": codec.TO_BOT,
    "server-to-spectator": codec.TO_SPECTATOR,
}
READING = {
    ErrorCode.NOT_JSON,
    ErrorCode.BAD_MESSAGE,
    ErrorCode.UNKNOWN_TYPE,
    ErrorCode.TOO_LARGE,
    ErrorCode.BINARY_FRAME,
    ErrorCode.FORBIDDEN,
}
ACTION = {"type": "action", "match": "m", "tick": 1}


def decode(text: str | bytes) -> m.Message:
    return codec.FROM_BOT.decode(text, LIMIT)


def fault_of(text: str | bytes) -> errors.PeerError:
    with pytest.raises(errors.PeerError) as caught:
        decode(text)
    return caught.value


@pytest.mark.parametrize(("direction", "message"), examples())
def test_every_message_comes_back_as_it_was(direction: str, message: dict[str, Any]) -> None:
    decoded = DECODERS[direction].decode(json.dumps(message), 10_000)
    assert json.loads(codec.encode(decoded)) == message


@pytest.mark.parametrize("value", ["1", 1.0, True, -1, None, [1]])
def test_whole_numbers_are_whole_numbers(value: object) -> None:
    message = json.dumps(EXAMPLES["server-to-bot"][1] | {"rules_version": value})
    with pytest.raises(errors.BadMessage, match=r"match_start\.rules_version: has to be"):
        codec.TO_BOT.decode(message, 10_000)


@pytest.mark.parametrize("value", ["1", True, None, [1]])
def test_numbers_are_numbers(value: object) -> None:
    message = json.dumps(EXAMPLES["server-to-bot"][2] | {"deadline_ms": value})
    with pytest.raises(errors.BadMessage, match=r"observation\.deadline_ms: has to be"):
        codec.TO_BOT.decode(message, 10_000)


def test_the_decoders_know_all_messages_of_their_direction() -> None:
    for direction, decoder in DECODERS.items():
        assert {message["type"] for message in EXAMPLES[direction]} == set(decoder.types)


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        pytest.param("", "not_json", "character 0", id="nothing"),
        pytest.param('{"type": "ready", "match": }', "not_json", "character 27", id="broken"),
        pytest.param('{"type": "ready"} x', "not_json", "character 18", id="something behind it"),
        pytest.param("\ufeff{}", "not_json", "byte order mark", id="byte order mark"),
        pytest.param('"\ud800"', "not_json", "UTF-8", id="lone surrogate"),
        pytest.param('"\\ud800"', "not_json", "surrogate", id="escaped lone surrogate"),
        pytest.param("[" * 900, "not_json", "", id="deep and broken"),
        pytest.param('{"tick": NaN}', "not_json", "character 9", id="NaN"),
        pytest.param('{"tick": -Infinity}', "not_json", "character 10", id="Infinity"),
        pytest.param('{"tick": 1e400}', "not_json", "infinity", id="1e400"),
        pytest.param('{"tick": ' + "9" * 400 + "}", "not_json", "infinity", id="a huge whole number"),
        pytest.param("5", "bad_message", "a JSON object, not a number", id="a number"),
        pytest.param("null", "bad_message", "a JSON object, not null", id="null"),
        pytest.param("true", "bad_message", "a JSON object, not a truth value", id="true"),
        pytest.param('"action"', "bad_message", "a JSON object, not a text", id="a text"),
        pytest.param('["action"]', "bad_message", "a JSON object, not a list", id="a list"),
        pytest.param("{}", "bad_message", "type: has to be there", id="no type"),
        pytest.param('{"type": 5}', "bad_message", "type: has to be a text, not a number", id="type 5"),
        pytest.param('{"type": ["hello"]}', "bad_message", "not a list", id="type is a list"),
        pytest.param('{"type": "dance"}', "unknown_type", "hello, ready, action, leave", id="unknown type"),
        pytest.param('{"type": "welcome"}', "forbidden", "not for the role bot", id="the server's message"),
        pytest.param('{"type": "frame"}', "forbidden", "not for the role bot", id="a spectator's message"),
        pytest.param('{"type": "ready"}', "bad_message", "ready.match: has to be there", id="no match"),
        pytest.param(
            '{"type": "ready", "match": 7}',
            "bad_message",
            "ready.match: has to be a text, not 7",
            id="match 7",
        ),
        pytest.param('{"type": "ready", "match": ""}', "bad_message", "at least 1", id="empty match"),
        pytest.param(
            json.dumps({"type": "ready", "match": "x" * 65}), "bad_message", "at most 64", id="long match"
        ),
        pytest.param(json.dumps(ACTION | {"tick": "1"}), "bad_message", "not '1'", id='tick "1"'),
        pytest.param(json.dumps(ACTION | {"tick": 1.0}), "bad_message", "not 1.0", id="tick 1.0"),
        pytest.param(
            json.dumps(ACTION | {"tick": True}), "bad_message", "a whole number, not true", id="tick true"
        ),
        pytest.param(json.dumps(ACTION | {"tick": -1}), "bad_message", "not -1", id="tick -1"),
        pytest.param(json.dumps(ACTION | {"tick": 10**30}), "bad_message", "not 1e+30", id="huge tick"),
        pytest.param('{"type": "hello", "protocol": "one"}', "bad_message", "protocol", id="protocol one"),
        pytest.param(
            '{"type": "hello", "protocol": "1.0", "games": "right2live"}',
            "bad_message",
            "games: has to be a list",
            id="games",
        ),
        pytest.param(
            '{"type": "hello", "protocol": "1.0", "client": 3}',
            "bad_message",
            "client: has to be an object",
            id="client",
        ),
        pytest.param(b'{"type": "ready", "match": "m"}', "binary_frame", "31 bytes", id="binary"),
        pytest.param("x" * 1001, "too_large", "1001 bytes; at most 1000", id="too large"),
        pytest.param("€" * 334, "too_large", "1002 bytes", id="few characters, many bytes"),
        pytest.param("\ud800" * 334, "too_large", "1002 bytes", id="many surrogates"),
        pytest.param("x" * 1_000_000, "too_large", "1000000 bytes", id="a megabyte"),
    ],
)
def test_bad_texts(text: str | bytes, code: str, says: str) -> None:
    fault = fault_of(text)
    assert (fault.code, says in str(fault)) == (code, True), str(fault)


def test_a_text_of_exactly_the_limit_is_taken() -> None:
    text = json.dumps({"type": "ready", "match": "m"})
    assert decode(text + " " * (LIMIT - len(text))) == m.Ready(match=MatchId("m"))


def test_the_field_of_a_bad_message_is_told_for_programs_too() -> None:
    fault = fault_of('{"type": "hello", "protocol": "1.0", "client": {"name": "x"}}')
    assert fault.as_message().ref == m.Ref(field="client.version")


@pytest.mark.parametrize("field", ["token", "resume"])
def test_secrets_are_never_repeated(field: str) -> None:
    for secret in (987654321, "s3cr3t" * 100):
        fault = fault_of(json.dumps({"type": "hello", "protocol": "1.0", field: secret}))
        assert fault.field == field
        assert str(secret)[:6] not in str(fault)
    hello = decode(json.dumps({"type": "hello", "protocol": "1.0", field: "s3cr3t"}))
    assert "s3cr3t" not in repr(hello)


def test_unknown_fields_are_ignored_but_kept_as_the_part_of_an_action() -> None:
    assert decode('{"type": "ready", "match": "m", "mood": 1}') == m.Ready(match=MatchId("m"))
    action = decode(json.dumps(ACTION | {"move": "EAST", "deep": {"er": [1]}}))
    assert isinstance(action, m.Action)
    assert action.part == {"move": "EAST", "deep": {"er": [1]}}


def test_deep_nesting_is_no_trouble() -> None:
    action = decode(json.dumps(ACTION)[:-1] + ', "deep": ' + "[" * 400 + "]" * 400 + "}")
    assert isinstance(action, m.Action)


def test_of_a_repeated_key_the_last_one_counts() -> None:
    action = decode('{"type": "ready", "type": "action", "match": "a", "match": "b", "tick": 1}')
    assert action == m.Action(match=MatchId("b"), tick=Tick(1))


def test_spectators_may_say_nothing() -> None:
    for text, code in [
        ('{"type": "action"}', "forbidden"),
        ('{"type": "x"}', "unknown_type"),
        ("", "not_json"),
    ]:
        with pytest.raises(errors.PeerError) as caught:
            codec.FROM_SPECTATOR.decode(text, LIMIT)
        assert caught.value.code == code


def test_optional_fields_that_are_not_there_are_not_sent() -> None:
    assert json.loads(codec.encode(m.Hello(protocol="1.0"))) == {"type": "hello", "protocol": "1.0"}


def test_fields_that_may_be_null_are_sent() -> None:
    sent = json.loads(
        codec.encode(m.MatchEnd.model_validate(EXAMPLES["server-to-bot"][3] | {"replay": None}))
    )
    assert sent["replay"] is None


@pytest.mark.parametrize("value", [object(), "\ud800"])
def test_what_json_has_no_word_for_is_our_fault(value: object) -> None:
    with pytest.raises(errors.NotEncodable):
        codec.encode(m.Action.model_validate(ACTION | {"part": value}))
    with pytest.raises(errors.NotEncodable):
        codec.encode_dict({"part": value})


def test_encode_dict_writes_what_encode_writes() -> None:
    action = m.Action.model_validate(ACTION | {"thrust": [0.1, -2.5e-7]})
    assert json.loads(codec.encode(action)) == json.loads(
        codec.encode_dict(ACTION | {"thrust": [0.1, -2.5e-7]})
    )


# --- fuzz: a message, or one documented error ---------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
names = st.sampled_from(sorted({key for _, message in examples() for key in message}))
types = st.sampled_from(sorted({message["type"] for _, message in examples()}))


def outcome_of(decoder: codec.Decoder[Any], text: str) -> Any:
    try:
        return decoder.decode(text, 100_000)
    except errors.PeerError as fault:
        return fault


def reads_or_explains(text: str) -> None:
    for decoder in (*DECODERS.values(), codec.FROM_SPECTATOR):
        outcome = outcome_of(decoder, text)
        answer = outcome.as_message() if isinstance(outcome, errors.PeerError) else outcome
        sent = json.loads(codec.encode(answer))
        if answer is outcome:
            assert sent["type"] in decoder.types
        else:
            assert sent["code"] in READING


@given(st.text())
def test_any_text(text: str) -> None:
    reads_or_explains(text)


@given(st.binary())
def test_any_bytes_as_text(data: bytes) -> None:
    reads_or_explains(data.decode("utf-8", "surrogateescape"))


@given(json_values)
def test_any_json(value: object) -> None:
    reads_or_explains(json.dumps(value))


@given(types, st.dictionaries(names, json_values, max_size=8))
def test_any_fields(type_: str, fields: dict[str, object]) -> None:
    reads_or_explains(json.dumps({**fields, "type": type_}))


@given(st.sampled_from(examples()), names, json_values, st.booleans())
def test_any_damage_to_a_good_message(
    example: tuple[str, dict[str, Any]], field: str, value: object, drop: bool
) -> None:
    damaged = {key: old for key, old in example[1].items() if not (drop and key == field)}
    reads_or_explains(json.dumps(damaged if drop else damaged | {field: value}))


@given(st.text(max_size=80), st.integers(), json_values)
def test_actions_are_taken_exactly_as_documented(match: str, tick: int, part: object) -> None:
    text = json.dumps({"type": "action", "match": match, "tick": tick, "part": part}).encode().decode()
    try:
        read = orjson.loads(text)
    except orjson.JSONDecodeError:
        return
    fits = 1 <= len(match) <= 64 and type(read["tick"]) is int and read["tick"] >= 0
    try:
        action = codec.FROM_BOT.decode(text, 100_000)
    except errors.BadMessage:
        assert not fits
    else:
        assert isinstance(action, m.Action)
        assert (fits, action.match, action.tick, action.part) == (True, match, tick, {"part": read["part"]})
