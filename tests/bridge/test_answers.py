"""What a line means, and what is said about one that means nothing."""

import pytest

from fangnetz.bridge.answers import BadLine, read_answer, shown
from fangnetz_protocol.messages import Action, Leave, Ready
from fangnetz_protocol.words import MatchId, Tick

MATCH = MatchId("m-1")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            b'{"type": "action", "match": "m-1", "tick": 7, "thrust": [0, 1]}',
            Action.model_validate({"match": "m-1", "tick": 7, "thrust": [0, 1]}),
        ),
        (b'{"tick":7}', Action(match=MATCH, tick=Tick(7))),
        (b'{"match":"m-0","tick":7}', Action(match=MatchId("m-0"), tick=Tick(7))),
        (b'{"type":"ready"}', Ready(match=MATCH)),
        (b'{"type":"leave"}', Leave(match=MATCH)),
    ],
)
def test_a_good_line(line: bytes, message: object) -> None:
    assert read_answer(line, MATCH) == message


@pytest.mark.parametrize(
    ("line", "kind", "says"),
    [
        (b"thinking ...", "json", "is no JSON at character 0: "),
        (b"thinking ...", "json", "print messages for yourself to standard error"),
        (b'{"tick": 7', "json", "is no JSON at character 10"),
        (b'{"tick": 7, "thrust": [NaN, 0]}', "json", "is no JSON at character 23"),
        (b'{"tick": 7, "thrust": [1e999, 0]}', "json", "is no JSON at character 23"),
        (b"[" * 30_000, "json", "depth limit exceeded"),
        (b"[7]", "object", "is no JSON object; an answer is"),
        (b"7", "object", "is no JSON object"),
        (b"\x00\x9f\x92\x96", "utf-8", "is no UTF-8; only JSON belongs on standard output"),
        (b"\xff\xfe{\x00", "utf-16", "is UTF-16; write UTF-8"),
        (b" " * 40_000, "length", "is longer than 32,768 bytes"),
        (b'{"thrust": [0, 1]}', "message: bad_message", "action.tick: has to be there"),
        (b'{"tick": 7.5}', "message: bad_message", "action.tick: has to be a whole number, not 7.5"),
        (b'{"tick": "7"}', "message: bad_message", "action.tick: has to be a whole number, not '7'"),
        (b'{"tick": -1}', "message: bad_message", "action.tick: "),
        (b'{"type": "move"}', "message: unknown_type", "known here: action, ready, leave"),
        (b'{"type": "hello", "protocol": "1.0"}', "message: forbidden", "hello"),
        (b'{"type": 5}', "message: bad_message", "type: has to be a text"),
    ],
)
def test_a_bad_line(line: bytes, kind: str, says: str) -> None:
    with pytest.raises(BadLine) as caught:
        read_answer(line, MATCH)
    assert caught.value.kind == kind
    assert says in str(caught.value)


def test_a_line_is_shown_without_harm_for_a_terminal() -> None:
    assert shown(b"\x1b[2J\xff ok") == "\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER} ok"
    assert shown(b"x" * 200_000) == "x" * 120 + "…"
