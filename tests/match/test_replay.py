"""A replay is a proof: what is not exactly the match is refused, by the tick of the first difference."""

from collections.abc import Callable
from typing import Any, Final

import orjson
import pytest
import zstandard

from fangnetz_server.games.right2live import GAME as RIGHT2LIVE
from fangnetz_server.games.spaceballs import GAME as SPACEBALLS
from fangnetz_server.match.recorder import seal
from fangnetz_server.match.replay import MAX_LINE_BYTES, Replay, ReplayError
from support import tiny_game
from support.arena import Arena
from support.replays import GAMES, lines_of, pack, record, refusal, reseal


def ring_script(seat: int, tick: int) -> dict[str, Any] | None:
    return None if (seat + tick) % 4 == 3 else {"step": (1, 0, 7)[(seat + tick) % 3]}


def ring() -> bytes:
    """Eight ticks of the tiny game with applied, invalid and missing actions."""
    setup = {"ruleset": {"fields": 12, "ticks": 8}, "places": [0, 4, 8]}
    return record(Arena(tiny_game.GAME, setup=setup, deadline_ms=40, bank_ms=0), ring_script)


def tag() -> bytes:
    """Six rounds of Right2Live in the order of arrival."""
    setup = {"map": ["...", ".#."], "seats": 2, "ruleset": {"move_order": "arrival", "max_rounds": 6}}
    arena = Arena(RIGHT2LIVE, setup=setup, deadline_ms=40, bank_ms=0)
    moves = ("EAST", "SOUTH", "NONE", "AWAY")
    return record(arena, lambda seat, tick: {"move": moves[(seat + tick) % 4], "view": "WEST"})


def duel() -> bytes:
    """Five ticks of Spaceballs."""
    arena = Arena(SPACEBALLS, setup={"ruleset": {"duration": 0.25}}, deadline_ms=40, bank_ms=0)
    return record(arena, lambda seat, tick: None if tick == 2 else {"thrust": [seat + 0.5, 1 - tick / 3]})


RING: Final = ring()
RING_LINES: Final = lines_of(RING)
ALL: Final = {"ring": RING_LINES, "right2live": lines_of(tag()), "spaceballs": lines_of(duel())}
EACH = pytest.mark.parametrize("name", ALL)


def place_of(lines: list[bytes], number: int) -> str:
    """Return how a line is named."""
    return {0: "header", len(lines) - 1: "result"}.get(number, f"tick {number}")


# --- accepted -------------------------------------------------------------------------------------


@EACH
def test_the_honest_replay_is_accepted(name: str) -> None:
    assert refusal(pack(ALL[name])) == ""


def test_verify_returns_the_recorded_result() -> None:
    footer = Replay(RING, GAMES).verify()
    assert {key: footer[key] for key in ("reason", "ticks", "points", "presence")} == {
        "reason": "time_over",
        "ticks": 8,
        "points": [0.0, 1.0, 1.0],
        "presence": ["played"] * 3,
    }


def test_the_recorder_and_the_result_have_the_same_last_digest() -> None:
    arena = Arena(tiny_game.GAME)
    lines = lines_of(record(arena, ring_script))
    assert orjson.loads(lines[-1])["digest"] == arena.result.digest


def test_a_replay_can_be_read_as_often_as_asked() -> None:
    replay = Replay(RING, GAMES)
    assert replay.footer is None
    assert [step.state.tick for step in replay.steps()] == list(range(9))
    assert replay.verify() == replay.verify() == replay.footer


def test_the_lines_say_what_happened() -> None:
    lines = [orjson.loads(line) for line in RING_LINES]
    assert [line["type"] for line in lines] == ["header"] + ["tick"] * 8 + ["footer"]
    header = lines[0]
    assert (header["game"], header["seed"], header["match"]) == ("ring_tag", 7, "m-arena")
    assert header["seats"][1] == {"bot": "bot-1", "name": "Bot 1"}
    assert header["settings"]["pace"] == "lockstep"
    assert lines[1]["actions"] == [{"step": 1}, {"step": 0}, None]
    assert lines[1]["status"] == ["applied", "applied", "invalid"]
    assert lines[2]["status"] == ["applied", "invalid", "missing"]
    assert all(len(line["digest"]) == 32 for line in lines)


def test_frames_are_those_that_spectators_saw() -> None:
    arena = Arena(tiny_game.GAME)
    data = record(arena, ring_script)
    *frames, end = Replay(data, GAMES).frames()
    assert len(frames) == len(arena.outbox.frames) == 31
    for frame, (message, _) in zip(frames, arena.outbox.frames, strict=True):
        live = orjson.loads(message)
        for entry in live["players"]:
            del entry["connected"], entry["latency_ms"]
        assert frame == live
    live_end = orjson.loads(arena.match.end_message(None))
    del live_end["replay"]
    assert end == live_end


def test_every_step_holds_state_and_line() -> None:
    steps = list(Replay(RING, GAMES).steps())
    assert steps[0].record["type"] == "header"
    assert [step.record.get("tick", 0) for step in steps] == [step.state.tick for step in steps]


def test_the_compression_does_not_matter() -> None:
    for level in (1, 19):
        data = zstandard.ZstdCompressor(level=level).compress(b"".join(RING_LINES))
        assert refusal(data) == ""


# --- one byte -------------------------------------------------------------------------------------


def one_byte_changes(byte: int) -> set[int]:
    """Return other bytes for one: its neighbour, and for a digit the next one."""
    return {byte ^ 1} | ({48 + (byte - 48 + 1) % 10} if 48 <= byte <= 57 else set())


@EACH
def test_every_change_of_one_byte_is_found_at_its_line(name: str) -> None:
    lines = ALL[name]
    tried = 0
    for number, line in enumerate(lines):
        for column, byte in enumerate(line):
            for other in one_byte_changes(byte):
                changed = line[:column] + bytes([other]) + line[column + 1 :]
                tampered = [*lines[:number], changed, *lines[number + 1 :]]
                assert refusal(pack(tampered)) == place_of(lines, number), (number, column, other)
                tried += 1
    assert tried > sum(map(len, lines))


@pytest.mark.parametrize("put_in", [b"", b"0", b"\n", b" "], ids=["nothing", "digit", "line-end", "space"])
def test_every_byte_left_out_or_put_in_is_found_at_its_line(put_in: bytes) -> None:
    for number, line in enumerate(RING_LINES):
        for column in range(len(line)):
            changed = line[:column] + put_in + line[column + (put_in == b"") :]
            tampered = [*RING_LINES[:number], changed, *RING_LINES[number + 1 :]]
            broken = number + (put_in == b"\n" and column == len(line) - 1)  # It makes an empty line.
            expected = place_of(RING_LINES, min(broken, len(RING_LINES) - 1))
            assert refusal(pack(tampered)) == expected, (number, column)


def test_a_change_of_one_byte_of_the_file_is_found_unless_it_changes_nothing_inside() -> None:
    accepted = []
    for position, byte in enumerate(RING):
        changed = RING[:position] + bytes([byte ^ 1]) + RING[position + 1 :]
        if refusal(changed) == "":
            accepted.append(position)
            assert lines_of(changed) == RING_LINES
    assert len(accepted) <= 1, "such as a bit of the size of zstd's window"


# --- lines ----------------------------------------------------------------------------------------


@EACH
def test_a_cut_at_any_line_is_found(name: str) -> None:
    lines = ALL[name]
    for number in range(1, len(lines)):
        assert refusal(pack(lines[:number])) == place_of(lines, number), "what comes next is missing"


def test_a_cut_at_any_byte_of_the_content_is_found() -> None:
    content = b"".join(RING_LINES)
    for length in range(1, len(content)):
        assert refusal(pack(content[:length])) != ""


def test_a_cut_at_any_byte_of_the_file_is_found() -> None:
    for length in range(len(RING)):
        assert refusal(RING[:length]) != "", length


def early_end(lines: list[bytes], number: int) -> bool:
    """Tell whether the footer comes where this line was: a result too early, as after an abort."""
    return number == len(lines) - 2


@EACH
def test_two_lines_swapped_are_found(name: str) -> None:
    lines = ALL[name]
    for number in range(len(lines) - 1):
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        assert refusal(pack(swapped)) == place_of(lines, number + early_end(lines, number))


@EACH
def test_a_line_twice_is_found(name: str) -> None:
    lines = ALL[name]
    for number in range(len(lines)):
        doubled = [*lines[: number + 1], *lines[number:]]
        assert refusal(pack(doubled)) == place_of(lines, min(number + 1, len(lines) - 1))


@EACH
def test_a_line_left_out_is_found(name: str) -> None:
    lines = ALL[name]
    for number in range(len(lines)):
        left_out = [*lines[:number], *lines[number + 1 :]]
        assert refusal(pack(left_out)) == place_of(lines, number + early_end(lines, number))


@pytest.mark.parametrize("more", [b"\n", b"{}\n", b"x", RING_LINES[1], RING_LINES[-1]])
def test_nothing_may_follow_the_result(more: bytes) -> None:
    assert refusal(pack([*RING_LINES, more])) == "result"


# --- files that are none --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "it is empty"),
        (b"\n", "not an intact zstd file"),
        (b"".join(RING_LINES), "not an intact zstd file"),
        (RING[:-3], "the zstd file is cut off"),
        (RING + b"\0", "something follows the end of the zstd frame"),
        (RING + RING, "something follows the end of the zstd frame"),
        (RING[:4] + bytes(40), "the zstd file is cut off"),
        (RING[: len(RING) // 2] + bytes(len(RING) - len(RING) // 2), "not an intact zstd file"),
    ],
    ids=["empty", "newline", "not-compressed", "cut", "tail", "twice", "zeros", "half"],
)
def test_a_file_that_is_no_whole_zstd_frame(data: bytes, problem: str) -> None:
    with pytest.raises(ReplayError) as caught:
        Replay(data, GAMES).verify()
    assert caught.value.where == "file"
    assert caught.value.problem.startswith(problem)
    assert str(caught.value) == f"file: {caught.value.problem}"


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"\n", b"{", b"[]\n", b"7\n", b"null\n", b'"header"\n', b"{}\n", b"\xff\xfe\n"),
        *(b'{"type":"tick"}\n', b'{"type":["header"]}\n', b"[" * 100_000 + b"\n"),
    ],
)
def test_a_file_without_a_header(line: bytes) -> None:
    assert refusal(pack(line)) == "header"


def header(**changes: Any) -> bytes:
    """A replay whose header says something else, with a right digest."""

    def change(number: int, fields: dict[str, Any]) -> None:
        if number == 0:
            fields |= changes
            for name in [name for name, value in changes.items() if value is ...]:
                del fields[name]

    return reseal(RING_LINES, change)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"format": 2}, "format 2; this program reads format 1"),
        ({"format": ...}, "format None"),
        ({"rules_version": 2}, "played under rules version 2 of ring_tag; this program has version 1"),
        ({"rules_version": ...}, "played under rules version None"),
        (
            {"game": "chess"},
            "the game 'chess' is not installed here (known: right2live, spaceballs, ring_tag)",
        ),
        ({"game": ["ring_tag"]}, "is not installed here"),
        ({"game": {}}, "is not installed here"),
        ({"game": ...}, "the game None is not installed here"),
        ({"seed": "7"}, "seed: "),
        ({"seed": ...}, "seed: "),
        ({"match": None}, "match: "),
        ({"setup": []}, "setup: "),
        ({"settings": "fast"}, "settings: "),
        ({"seats": 3}, "seats: "),
        ({"seats": [{"name": "A"}]}, "seats.0.bot: "),
        ({"seats": [{"name": "A", "bot": "a"}]}, "1 seats, but the setup is for 3"),
        ({"setup": {"places": "everywhere"}}, "the rules refuse it (SetupError: places"),
        ({"setup": {"sets": 3}}, "the rules refuse it (SetupError: sets"),
    ],
    ids=str,
)
def test_a_forged_header_is_refused_with_the_reason(changes: dict[str, Any], text: str) -> None:
    with pytest.raises(ReplayError) as caught:
        Replay(header(**changes), GAMES).verify()
    assert caught.value.where == "header"
    assert text in caught.value.problem


# --- forgers who compute the digests anew ---------------------------------------------------------

Change = Callable[[dict[str, Any]], object]


def forged(where: int, change: Change) -> bytes:
    def in_line(number: int, fields: dict[str, Any]) -> None:
        if number == where % len(RING_LINES):
            change(fields)

    return reseal(RING_LINES, in_line)


def put(**values: Any) -> Change:
    return lambda fields: fields.update(values)


def drop(name: str) -> Change:
    return lambda fields: fields.pop(name)


def test_an_honest_forger_changes_nothing() -> None:
    assert refusal(forged(3, lambda fields: None)) == ""


@pytest.mark.parametrize(
    ("where", "change"),
    [
        (1, put(actions=[{"step": 0}, {"step": 0}, None])),
        (2, put(actions=[{"step": 1}, None])),
        (2, put(actions=[{"step": 1}, None, None, None])),
        (2, put(actions=[])),
        (2, put(actions=None)),
        (2, put(actions={"0": {"step": 1}})),
        (2, drop("actions")),
        (3, put(actions=[{"step": 2}, None, None])),
        (3, put(actions=[7, None, None])),
        (3, put(actions=["EAST", None, None])),
        (3, put(actions=[{}, None, None])),
        (4, put(tick=5)),
        (4, put(tick="4")),
        (4, drop("tick")),
        (5, put(type="header")),
        (5, put(type="round")),
        (5, put(type=None)),
        (5, put(type=["tick"])),
        (5, drop("type")),
        (-1, put(points=[1.0, 0.0, 0.0])),
        (-1, put(places=[1, 1, 1])),
        (-1, put(places=[1, 1])),
        (-1, put(places=5)),
        (-1, put(reason="all_caught")),
        (-1, put(reason="forfeit")),
        (-1, put(reason="walkover")),
        (-1, put(reason=["aborted"])),
        (-1, put(ticks=7)),
        (-1, drop("ticks")),
        (-1, drop("reason")),
        (-1, drop("points")),
        (-1, put(reason="aborted")),
        (-1, put(type="tick")),
    ],
)
def test_a_forged_line_is_refused_although_its_digest_is_right(where: int, change: Change) -> None:
    number = where % len(RING_LINES)
    assert refusal(forged(where, change)) == place_of(RING_LINES, number)


@pytest.mark.parametrize("order", [[0], [0, 0], [0, 5], "01", [0, "1"], 7, [[0], 1], [1.5, 0], {"a": 1}])
def test_a_forged_order_is_refused(order: Any) -> None:
    lines = ALL["right2live"]
    data = reseal(lines, lambda number, fields: fields.update(order=order) if number == 2 else None)
    assert refusal(data) == "tick 2"


@pytest.mark.parametrize("presence", [None, 5, ["played"], ["absent", "absent", "absent"]])
def test_a_forged_presence_of_a_walkover_is_refused(presence: Any) -> None:
    arena = Arena(seats=3, ready_ms=100)
    arena.connect(0, 1, 2)
    arena.ready(1)
    arena.wait(100)
    lines = lines_of(arena.recorder.data)
    assert refusal(pack(lines)) == ""
    data = reseal(lines, lambda number, fields: fields.update(presence=presence) if number else None)
    assert refusal(data) == "result"


def test_a_match_that_goes_on_after_its_end_is_refused() -> None:
    lines = [*RING_LINES[:-1], seal(b'{"type":"tick","tick":9,"actions":[null,null,null]}', bytes(16))]
    with pytest.raises(ReplayError, match="result: the match was over before this line"):
        Replay(pack(lines), GAMES).verify()


def test_a_line_of_another_match_is_refused() -> None:
    other = lines_of(record(Arena(tiny_game.GAME, seed=8), ring_script))
    assert refusal(pack([RING_LINES[0], *other[1:]])) == "tick 1"


# --- bombs ----------------------------------------------------------------------------------------


def test_a_line_that_never_ends_is_not_read_to_its_end() -> None:
    bomb = zstandard.ZstdCompressor(level=19).compress(b" " * (200 << 20))
    assert len(bomb) < 20_000
    with pytest.raises(ReplayError, match="a line is longer than a replay can have"):
        Replay(bomb, GAMES)


def test_a_long_line_is_read() -> None:
    padded = (
        b'{"type":"header",' + b" " * (MAX_LINE_BYTES - 1000) + RING_LINES[0][len(b'{"type":"header",') :]
    )
    assert refusal(pack([padded, *RING_LINES[1:]])) == "header"
    with pytest.raises(ReplayError, match="the digest differs"):
        Replay(pack([padded, *RING_LINES[1:]]), GAMES).verify()


def test_millions_of_empty_lines_are_refused_at_the_first() -> None:
    bomb = pack(RING_LINES[0] + b"\n" * (100 << 20))
    assert refusal(bomb) == "tick 1"


def test_a_file_that_wants_much_memory_is_refused() -> None:
    """A frame may ask for a window of any size; a reader that grants it has lost before the first byte."""
    parameters = zstandard.ZstdCompressionParameters.from_level(1, window_log=27)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    data = compressor.compress(b"".join(RING_LINES)) + compressor.flush()
    assert refusal(data) == "file"
