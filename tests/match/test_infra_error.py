"""A game that fails ends its own match as `infra_error`, without points, and nothing else (decision 7)."""

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import pytest
from structlog.testing import capture_logs

from fangnetz_server.match.phases import Phase
from fangnetz_server.match.replay import Replay, ReplayError
from support import tiny_game
from support.arena import Arena
from support.faulty import FAULTS, FaultyRing

Log = list[MutableMapping[str, Any]]
WHILE_PLAYING = tuple(fault for fault in FAULTS if fault not in ("briefing", "walkover"))


@pytest.fixture(autouse=True)
def log() -> Iterator[Log]:
    """What was logged; nothing of it goes to the terminal."""
    with capture_logs() as entries:
        yield entries


def play(arena: Arena) -> None:
    """Play to the end; a fault of the game must not come out of any call."""
    while arena.is_in(Phase.RUNNING):
        now = arena.match.tick
        for seat in range(len(arena.match.seats)):
            if arena.is_in(Phase.RUNNING):
                arena.act(seat, now)
        if arena.match.tick == now and arena.match.due_ns is not None:
            arena.wait(arena.due_ms - arena.ms)


def check_infra_error(arena: Arena, log: Log) -> None:
    result = arena.result
    assert (result.reason, arena.match.phase, arena.match.due_ns) == ("infra_error", Phase.OVER, None)
    assert (result.points, result.places) == ([], [])
    assert result.detail == "RuntimeError in the game's code"
    (entry,) = [entry for entry in log if entry["event"] == "match_failed"]
    assert (entry["match"], entry["log_level"]) == (arena.match.id, "error")
    assert "planted" in str(entry["exc_info"])
    assert b'"reason":"infra_error"' in arena.match.end_message("path")
    assert "planted" not in str(arena.outbox.sent), "what went wrong is for the host's log alone"


@pytest.mark.parametrize("pace", ["lockstep", "realtime"])
@pytest.mark.parametrize("where", WHILE_PLAYING)
def test_a_fault_while_playing_ends_the_match_alone(where: str, pace: str, log: Log) -> None:
    game = FaultyRing(where, since=3)
    game.armed = where not in ("parse_action", "export_action")
    arena, other = Arena(game, pace=pace).start(), Arena(pace=pace).start()
    arena.wait(200)
    game.armed = True
    play(arena)
    check_infra_error(arena, log)
    play(other)
    assert other.result.reason == "time_over"


@pytest.mark.parametrize("where", ["observe", "frame"])
def test_a_fault_in_the_first_picture(where: str, log: Log) -> None:
    arena = Arena(FaultyRing(where))
    arena.connect(0, 1)
    arena.ready(0)
    arena.ready(1)
    check_infra_error(arena, log)
    assert arena.result.ticks == 0


def test_a_fault_in_the_briefing(log: Log) -> None:
    arena = Arena(FaultyRing("briefing"))
    arena.connect(0)
    arena.connect(1)
    check_infra_error(arena, log)


def test_a_fault_in_the_briefing_when_the_time_to_connect_is_over(log: Log) -> None:
    arena = Arena(FaultyRing("briefing"))
    arena.connect(0)
    arena.wait(10_000)
    check_infra_error(arena, log)


@pytest.mark.parametrize("where", ["briefing", "observe"])
def test_a_fault_when_a_bot_comes_back(where: str, log: Log) -> None:
    game = FaultyRing(where)
    game.armed = False
    arena = Arena(game).start()
    arena.disconnect(0)
    game.armed = True
    arena.connect(0)
    check_infra_error(arena, log)


def test_a_fault_when_a_bot_gets_ready_again(log: Log) -> None:
    game = FaultyRing("briefing")
    game.armed = False
    arena = Arena(game)
    arena.connect(0, 1)
    game.armed = True
    arena.connect(0)
    check_infra_error(arena, log)


def test_a_fault_in_the_walkover(log: Log) -> None:
    arena = Arena(FaultyRing("walkover"))
    arena.connect(0, 1)
    arena.ready(0)
    arena.wait(10_000)
    check_infra_error(arena, log)


def test_a_fault_in_the_walkover_of_a_forfeit(log: Log) -> None:
    arena = Arena(FaultyRing("walkover"), on_disconnect="forfeit").start()
    arena.leave(1)
    arena.act(0)
    arena.wait(0)
    check_infra_error(arena, log)


def test_a_fault_while_the_host_steps_or_changes_the_pace(log: Log) -> None:
    for where in ("step", "briefing"):
        game = FaultyRing(where)
        game.armed = False
        arena = Arena(game).start()
        arena.match.pause()
        game.armed = True
        if where == "step":
            arena.match.step()
        else:
            arena.match.change_pace(arena.settings)
        check_infra_error(arena, log)
        log.clear()


def test_the_state_before_the_fault_is_what_the_replay_ends_with(log: Log) -> None:
    for where in ("step", "was_blocked", "export_action", "fingerprint"):
        game = FaultyRing(where, since=5)
        game.armed = where != "export_action"
        arena = Arena(game, pace="realtime").start()
        arena.wait(450)
        game.armed = True
        play(arena)
        footer = Replay(arena.recorder.data, {"ring_tag": tiny_game.GAME}).verify()
        assert footer["reason"] == "infra_error"
        assert footer["ticks"] == arena.result.ticks
        assert arena.result.ticks in (4, 5)


@pytest.mark.parametrize("where", ["frame", "observe", "outcome"])
def test_the_replay_of_a_failed_match_is_proved_where_the_rules_still_work(where: str, log: Log) -> None:
    arena = Arena(FaultyRing(where, since=5)).start()
    play(arena)
    footer = Replay(arena.recorder.data, {"ring_tag": tiny_game.GAME}).verify()
    assert (footer["reason"], footer["ticks"]) == ("infra_error", 5)


def test_a_fault_in_the_last_picture_costs_the_result_of_the_rules(log: Log) -> None:
    arena = Arena(FaultyRing("frame", since=30)).start()
    play(arena)
    check_infra_error(arena, log)
    assert arena.result.ticks == 30
    assert Replay(arena.recorder.data, {"ring_tag": tiny_game.GAME}).verify()["reason"] == "infra_error"


@pytest.mark.parametrize("where", ["frame", "briefing"])
def test_what_the_game_cannot_show_any_more_is_left_out(where: str, log: Log) -> None:
    game = FaultyRing(where)
    game.armed = False
    arena = Arena(game).start()
    arena.match.abort("enough")
    game.armed = True
    shown, end = arena.match.last_messages(None)
    assert shown.startswith(b'{"type":"match_start"' if where == "frame" else b'{"type":"frame"')
    assert end == arena.match.end_message(None)
    assert [entry["event"] for entry in log] == ["not_shown"]


def test_a_match_without_spectators_needs_no_frames(log: Log) -> None:
    arena = Arena(FaultyRing("frame"))
    arena.outbox.watched = False
    play(arena.start())
    assert arena.result.reason == "time_over"
    assert not log


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("step", lambda *_: None),
        ("observe", lambda *_: None),
        ("observe", lambda *_: {"hole": float}),
        ("frame", lambda *_: {"players": []}),
        ("frame", lambda *_: {}),
        ("fingerprint", lambda *_: "text"),
        ("export_action", lambda *_: {1: 2}),
    ],
)
def test_a_game_that_returns_nonsense(name: str, value: Callable[..., Any], log: Log) -> None:
    game = tiny_game.RingTag()
    arena = Arena(game).start()
    setattr(game, name, value)
    play(arena)
    assert (arena.result.reason, arena.match.phase) == ("infra_error", Phase.OVER)
    assert arena.recorder.data


def test_a_replay_that_the_rules_cannot_play_is_refused_not_a_crash(log: Log) -> None:
    arena = Arena().start()
    play(arena)
    for where in ("step", "fingerprint", "outcome", "parse_action"):
        with pytest.raises(ReplayError, match="planted"):
            Replay(arena.recorder.data, {"ring_tag": FaultyRing(where)}).verify()
