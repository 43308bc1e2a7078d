"""Replays to look at and to tamper with."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson
import zstandard

from fangnetz_server.games.registry import load_games
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.recorder import chain, seal
from fangnetz_server.match.replay import Replay, ReplayError
from support import tiny_game
from support.arena import Arena

__all__ = ["GAMES", "lines_of", "pack", "record", "refusal", "reseal"]

GAMES: Final = {**load_games(), tiny_game.GAME.info.id: tiny_game.GAME}
"""The installed games and the tiny one."""

Script = Callable[[int, int], Mapping[str, Any] | None]
"""Gives the game part of a seat for a tick; None: it says nothing."""


def record(arena: Arena, script: Script) -> bytes:
    """Play a match to its end by a script, all at once, and return its replay."""
    arena.start()
    while arena.is_in(Phase.RUNNING):
        tick = arena.match.tick
        for seat in range(len(arena.match.seats)):
            part = script(seat, tick)
            if part is not None and arena.is_in(Phase.RUNNING):
                arena.try_act(seat, tick, part)
        if arena.match.tick == tick and arena.match.due_ns is not None:
            arena.wait(arena.due_ms - arena.ms)
    return arena.recorder.data


def lines_of(replay: bytes) -> list[bytes]:
    """Return the lines of a replay with their ends."""
    return zstandard.ZstdDecompressor().decompressobj().decompress(replay).splitlines(keepends=True)


def pack(lines: Sequence[bytes] | bytes) -> bytes:
    """Make a file of lines, whatever they are."""
    return zstandard.ZstdCompressor().compress(lines if isinstance(lines, bytes) else b"".join(lines))


def refusal(replay: bytes) -> str:
    """Return the place that a refused replay is told to be wrong at; "" if it is accepted."""
    try:
        Replay(replay, GAMES).verify()
    except ReplayError as error:
        return error.where
    return ""


def reseal(lines: Sequence[bytes], change: Callable[[int, dict[str, Any]], None]) -> bytes:
    """Forge a replay: change its lines and compute every digest anew, as anybody could.

    The states in between are those of the honest match, so a line that changes them is found.
    """
    states = list(Replay(pack(lines), GAMES).steps())
    states.append(states[-1])
    game = GAMES[orjson.loads(lines[0])["game"]]
    digest, forged = b"", []
    for number, line in enumerate(lines):
        fields = orjson.loads(line)
        del fields["digest"]
        change(number, fields)
        bare = orjson.dumps(fields)
        digest = chain(digest, bare, game.fingerprint(states[number].state))
        forged.append(seal(bare, digest))
    return pack(forged)
