"""What a match sends, held against the models of the protocol, and searched for what nobody may know."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from fangnetz_protocol.codec import TO_BOT, TO_SPECTATOR
from fangnetz_protocol.messages import Frame, MatchEnd, MatchStart, Observation, WatchStart
from fangnetz_server.games.right2live import GAME as RIGHT2LIVE
from fangnetz_server.games.spaceballs import GAME as SPACEBALLS
from fangnetz_server.maps import load_map
from support import tiny_game
from support.arena import MATCH, Arena

SEED = 8_417_263_905_112_233
GAMES = pytest.mark.parametrize(
    "game", [RIGHT2LIVE, SPACEBALLS, tiny_game.GAME], ids=lambda game: game.info.id
)
LARGEST = 1 << 20


def whole_match(game: Any, **settings: Any) -> Arena:
    """A match in which everything happens that makes a message: good, bad and no actions, a resume."""
    arena = Arena(game, seed=SEED, pace="realtime", **settings).start()
    for number in range(12):
        arena.act(0, number, move="EAST", thrust=[1, 1], step=0)
        if number == 3:
            arena.fault(arena.act, 1, number, move="?", thrust="?", step="?")
        elif number == 6:
            arena.fault(arena.act, 1, number - 3)
        elif number == 8:
            arena.disconnect(1)
        elif number == 10:
            arena.connect(1)
        arena.wait(arena.due_ms - arena.ms)
    arena.match.abort("enough")
    return arena


def all_messages(arena: Arena) -> Iterator[bytes]:
    yield from (message for _, message in arena.outbox.sent)
    yield from (message for message, _ in arena.outbox.frames)
    yield arena.match.watch_start()
    yield arena.match.frame()
    yield arena.match.end_message("api/matches/m/replay")


@GAMES
def test_bots_get_messages_of_the_protocol(game: Any) -> None:
    arena = whole_match(game)
    kinds = [type(TO_BOT.decode(message.decode(), LARGEST)) for _, message in arena.outbox.sent]
    assert set(kinds) == {MatchStart, Observation}
    end = TO_BOT.decode(arena.match.end_message(None).decode(), LARGEST)
    assert isinstance(end, MatchEnd)
    assert (end.match, end.reason, end.replay, end.ticks) == (MATCH, "aborted", None, 12)


@GAMES
def test_spectators_get_messages_of_the_protocol(game: Any) -> None:
    arena = whole_match(game)
    start = TO_SPECTATOR.decode(arena.match.watch_start().decode(), LARGEST)
    assert isinstance(start, WatchStart)
    assert start.seat is None
    assert b'"seat":null' not in arena.match.watch_start()
    frames = [TO_SPECTATOR.decode(message.decode(), LARGEST) for message, _ in arena.outbox.frames]
    assert {type(frame) for frame in frames} == {Frame}
    assert [frame.tick for frame in frames if isinstance(frame, Frame)] == list(range(13))


@GAMES
def test_the_start_says_all_that_a_bot_needs(game: Any) -> None:
    arena = whole_match(game)
    (start, *_) = arena.heard(1, "match_start")
    assert {key: start[key] for key in ("match", "game", "seat")} == {
        "match": MATCH,
        "game": game.info.id,
        "seat": 1,
    }
    assert start["rules_version"] == game.info.rules_version
    assert start["seats"] == [{"seat": seat, "name": f"Bot {seat}"} for seat in range(len(arena.match.seats))]
    state = game.prepare(SEED, start_setup(game))
    assert start["ruleset"] == game.ruleset(state)
    assert start["ticks"] == game.last_tick(state) == arena.match.last_tick


def start_setup(game: Any) -> dict[str, Any]:
    if game is tiny_game.GAME:
        return {"ruleset": {"fields": 8}, "places": [0, 4]}
    return {"seats": 2} if game is RIGHT2LIVE else {}


@GAMES
def test_a_frame_tells_who_is_connected(game: Any) -> None:
    arena = whole_match(game)
    rosters = [orjson.loads(message)[game.info.roster] for message, _ in arena.outbox.frames]
    connected = [tuple(entry["connected"] for entry in roster) for roster in rosters]
    assert connected == [(True, True)] * 9 + [(True, False)] * 2 + [(True, True)] * 2


@GAMES
def test_frames_are_built_only_for_somebody(game: Any) -> None:
    arena = Arena(game)
    arena.outbox.watched = False
    arena.start()
    arena.wait(1000)
    assert not arena.outbox.frames


def test_only_the_last_frame_is_final() -> None:
    arena = Arena().start()
    arena.run_out()
    assert [final for _, final in arena.outbox.frames] == [False] * 30 + [True]


@GAMES
def test_a_seats_frame_holds_what_its_bot_gets(game: Any) -> None:
    arena = Arena(game).start()
    arena.wait(arena.due_ms - arena.ms)
    for place in arena.match.seats:
        frame = orjson.loads(arena.match.seat_frame(place.number))
        seen = arena.seen(place.number)
        for field in ("deadline_ms", "bank_ms", "last_action"):
            del seen[field]
        assert frame == seen | {"type": "frame"}
        assert isinstance(TO_SPECTATOR.decode(orjson.dumps(frame).decode(), LARGEST), Frame)
        start = orjson.loads(arena.match.watch_start(place.number))
        assert start["seat"] == place.number
        assert start == arena.heard(place.number, "match_start")[0]


@GAMES
def test_the_last_messages_show_a_finished_match(game: Any) -> None:
    arena = whole_match(game)
    start, frame, end = arena.match.last_messages("api/matches/m/replay")
    assert start == arena.match.watch_start()
    assert orjson.loads(frame)["tick"] == 12
    assert orjson.loads(end)["replay"] == "api/matches/m/replay"


# --- what nobody may know -------------------------------------------------------------------------


@GAMES
def test_the_seed_is_in_no_message(game: Any) -> None:
    arena = whole_match(game)
    texts = list(all_messages(arena))
    assert len(texts) > 30
    for text in texts:
        assert str(SEED).encode() not in text
        assert b"seed" not in text
    assert arena.result.seed == SEED, "the result and the replay have it"
    assert arena.lines()[0]["seed"] == SEED


def test_a_bot_of_right2live_is_not_shown_the_poison_layer() -> None:
    """R8.1: a bot knows the poison of its own field alone."""
    layer = ["1928374655", "5546738291"]
    seats = [{"x": 0, "y": 0}, {"x": 9, "y": 1}]
    setup = {"map": [".........."] * 2, "toxicity": layer, "seats": seats}
    arena = Arena(RIGHT2LIVE, setup=setup, pace="realtime").start()
    arena.wait(2000)
    for _, message in arena.outbox.sent:
        assert b"1928374655" not in message
        assert b'"toxicity":[' not in message
    assert "toxicity" not in arena.heard(0, "match_start")[0]["setup"]


def test_a_bot_of_right2live_is_not_told_where_an_unseen_opponent_is() -> None:
    """R8.2: behind a wall stands a canary; no message to seat 0 holds its place."""
    seats = [{"x": 0, "y": 0, "team": "RED"}, {"x": 5, "y": 37}, {"x": 6, "y": 37}]
    rows = ["......."] + ["#######"] + ["......."] * 36
    arena = Arena(RIGHT2LIVE, setup={"map": rows, "seats": seats}, pace="realtime").start()
    arena.wait(2000)
    assert arena.heard(1, "observation")[3]["players"][0]["y"] == 37, "its friend knows"
    for observation in arena.heard(0, "observation"):
        assert observation["players"] == []
        assert "37" not in str({**observation, "last_action": None, "deadline_ms": None, "match": None})


def test_each_bot_gets_its_own_view_alone() -> None:
    seats = [{"x": 0, "y": 0}, {"x": 3, "y": 0}]
    arena = Arena(RIGHT2LIVE, setup={"map": ["...."], "seats": seats}).start()
    assert [arena.seen(seat)["me"]["x"] for seat in (0, 1)] == [0, 3]
    assert [arena.heard(seat, "match_start")[0]["seat"] for seat in (0, 1)] == [0, 1]


@pytest.mark.parametrize(
    ("game", "setup", "part"),
    [
        (RIGHT2LIVE, {"map": load_map("pillars").rows, "seats": 20}, {"move": "NONE", "view": "SOUTH_WEST"}),
        (SPACEBALLS, {}, {"thrust": [0, 0.123456789]}),
    ],
    ids=["right2live", "spaceballs"],
)
def test_a_line_of_64_kb_a_second_is_enough_to_watch(
    game: Any, setup: dict[str, Any], part: dict[str, Any]
) -> None:
    """P3.3 at the usual pace, uncompressed, with as many players as there can be, on a large map."""
    arena = Arena(game, setup=setup, pace="realtime").start()
    for tick in range(30):
        for seat in range(len(arena.match.seats)):
            arena.try_act(seat, tick, part)
        arena.wait(arena.due_ms - arena.ms)
    sizes = [len(frame) for frame, _ in arena.outbox.frames]
    assert len(sizes) >= 30
    assert max(sizes) * 1000 / arena.settings.tick_ms < 64_000
