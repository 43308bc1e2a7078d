"""Errors and codes: one class a code, and texts that say what was wrong, where, and what would be right."""

import inspect
import json

import pytest

from fangnetz_protocol import codec, errors
from fangnetz_protocol import messages as m
from fangnetz_protocol.codes import CloseCode, ErrorCode, NoticeCode
from fangnetz_protocol.words import MatchId, Tick

TABLE: list[tuple[errors.PeerError, str, str, m.Ref | None]] = [
    (errors.NotJson("unexpected end", 17), "not_json", "no JSON at character 17: unexpected end", None),
    (
        errors.BadMessage("has to be there", "ready", "match"),
        "bad_message",
        "ready.match: has to be there",
        m.Ref(field="match"),
    ),
    (errors.BadMessage("has to be an object"), "bad_message", "message: has to be an object", None),
    (
        errors.UnknownType("dance", ["hello"]),
        "unknown_type",
        "type 'dance' is unknown; known here: hello",
        m.Ref(field="type"),
    ),
    (
        errors.TooLarge(40_000, 32_768),
        "too_large",
        "the message has 40000 bytes; at most 32768 are taken",
        None,
    ),
    (
        errors.BinaryFrame(3),
        "binary_frame",
        "a binary frame of 3 bytes; send all messages as text frames",
        None,
    ),
    (
        errors.UnexpectedMessage("action", ["hello"]),
        "unexpected_message",
        "action is not expected now; expected: hello",
        None,
    ),
    (errors.Forbidden("action", "spectator"), "forbidden", "action is not for the role spectator", None),
    (
        errors.UnsupportedProtocol("2.0", "1.0"),
        "unsupported_protocol",
        "protocol '2.0' is not spoken here, but 1.0",
        m.Ref(field="protocol"),
    ),
    (errors.UnknownMatch("m-9"), "unknown_match", "there is no match 'm-9'", m.Ref(match=MatchId("m-9"))),
    (
        errors.NotSeated("m-9"),
        "not_seated",
        "this bot has no seat in match 'm-9'",
        m.Ref(match=MatchId("m-9")),
    ),
    (errors.MatchOver("m-9"), "match_over", "match 'm-9' is over", m.Ref(match=MatchId("m-9"))),
    (
        errors.NotReady("m-9"),
        "not_ready",
        "match 'm-9' has not started; wait for the first observation",
        m.Ref(match=MatchId("m-9")),
    ),
    (
        errors.WrongTick("m-9", 8, 7),
        "wrong_tick",
        "tick 8 was not shown yet; the newest observation is of tick 7",
        m.Ref(match=MatchId("m-9"), tick=Tick(8), field="tick"),
    ),
    (
        errors.Late("m-9", 8),
        "late",
        "the action for tick 8 came too late and does not count",
        m.Ref(match=MatchId("m-9"), tick=Tick(8)),
    ),
    (
        errors.Duplicate("m-9", 8),
        "duplicate",
        "tick 8 has an action already; the first one counts",
        m.Ref(match=MatchId("m-9"), tick=Tick(8)),
    ),
    (
        errors.InvalidAction("m-9", 8, "thrust", "should be [x, y]"),
        "invalid_action",
        "thrust: should be [x, y]",
        m.Ref(match=MatchId("m-9"), tick=Tick(8), field="thrust"),
    ),
    (errors.BadToken(), "bad_token", "the token is missing or not known to this server", None),
    (errors.BadName("x", "too short"), "bad_name", "name 'x': too short", m.Ref(field="name")),
    (
        errors.NameTaken("x"),
        "name_taken",
        "name 'x' is taken by another bot; choose another one",
        m.Ref(field="name"),
    ),
    (
        errors.UnknownResume(),
        "unknown_resume",
        "there is no session to resume; say hello without resume",
        m.Ref(field="resume"),
    ),
    (
        errors.ServerFull("bots", 100),
        "server_full",
        "the server takes at most 100 bots; try again later",
        None,
    ),
    (
        errors.RateLimited(200, 40),
        "rate_limited",
        "more than 200 messages a second; the message was dropped, wait 40 ms",
        None,
    ),
    (errors.Internal(), "internal", "the server made a mistake; it is not the bot's fault", None),
]


@pytest.mark.parametrize(("fault", "code", "text", "ref"), TABLE, ids=[row[2][:30] for row in TABLE])
def test_each_error_and_its_message(fault: errors.PeerError, code: str, text: str, ref: m.Ref | None) -> None:
    assert str(fault) == text
    wait_ms = getattr(fault, "retry_after_ms", None)
    expected = m.Error(code=ErrorCode(code), message=text, ref=ref, retry_after_ms=wait_ms)
    assert fault.as_message() == expected


def test_the_table_holds_all_errors_and_each_code_has_one_class() -> None:
    classes = {
        value
        for value in vars(errors).values()
        if inspect.isclass(value) and issubclass(value, errors.PeerError) and value is not errors.PeerError
    }
    assert classes == {type(row[0]) for row in TABLE}
    assert sorted(error.code for error in classes) == sorted(ErrorCode)


@pytest.mark.parametrize(
    ("misuse", "text"),
    [
        (
            errors.SendNotAllowed("action", "bot", "opening"),
            "bot may not send action while the session is opening",
        ),
        (errors.SessionClosed(), "the session is closed; make a new one for a new connection"),
        (errors.NotEncodable("a set"), "cannot be written as JSON: a set"),
    ],
)
def test_misuse_is_explained_but_has_no_code(misuse: errors.CoreMisuse, text: str) -> None:
    assert str(misuse) == text
    assert not isinstance(misuse, errors.PeerError)


@pytest.mark.parametrize(
    "fault",
    [
        errors.UnknownMatch("x" * 5000),
        errors.UnknownMatch(""),
        errors.UnknownMatch("\ud800"),
        errors.UnknownType("x" * 5000, ["hello"]),
        errors.UnknownType({"a": "x" * 5000}, ["hello"]),
        errors.InvalidAction("m", 1, "x" * 5000, "y" * 5000),
        errors.BadName("\ud800" * 100, "not a name"),
    ],
)
def test_whatever_a_peer_sent_the_answer_can_be_sent(fault: errors.PeerError) -> None:
    sent = json.loads(codec.encode(fault.as_message()))
    assert sent["code"] == fault.code
    assert len(sent["message"]) <= 2000


@pytest.mark.parametrize("code", [*ErrorCode, *NoticeCode, *CloseCode])
def test_every_code_has_a_sentence(code: ErrorCode | NoticeCode | CloseCode) -> None:
    assert code.sentence[0].isupper()
    assert code.sentence.endswith(".")


def test_close_codes_are_those_that_a_websocket_may_send() -> None:
    assert list(CloseCode) == sorted(CloseCode)
    for code in CloseCode:
        assert code in (1000, 1001, 1003, 1008, 1009, 1011, 1012) or 4000 <= code <= 4999


def test_codes_are_found_by_their_value() -> None:
    assert ErrorCode("late") is ErrorCode.LATE
    assert NoticeCode("announcement") is NoticeCode.ANNOUNCEMENT
    assert CloseCode(4001) is CloseCode.REPLACED
