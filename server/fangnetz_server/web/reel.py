"""A match as a film: its replay played again, kept packed, so that any stretch of it can be shown.

It is not verified here: the file is the server's own. What a spectator gets are the same frames as
on `/watch` (P3.2), but without `connected`, which no replay holds.
"""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
import zstandard

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.contract import GameState, JsonObject
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.match.recorder import MATCH_END, MATCH_HEADER
from fangnetz_server.match.replay import ReplayError

__all__ = ["PIECE", "Reel"]

PIECE: Final = 128
"""Ticks packed together."""
_BITE: Final = 1 << 14
"""Bytes of the replay unpacked at a time."""
_SLICE_S: Final = 0.002
_REST_S: Final = 0.0001
"""After a slice of work the thread sleeps, so that the event loop gets the interpreter at once."""
_DETAIL: Final = "blocked"
"""A failed step (P2.1): too many to be listed for the ticks between two frames."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """`PIECE` ticks: the state before the first, the recorded lines, the frames (both zstd)."""

    before: GameState | None
    script: bytes
    frames: bytes


class Reel:
    """What is known of one match. Not for several threads at once.

    Args:
        games: the installed games by id.
    """

    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        self._games = games
        self._game: AnyGame
        self._match = ""
        self._data = b""
        self._read = 0
        self._unpacker = zstandard.ZstdDecompressor(max_window_size=8 << 20).decompressobj()
        self._rest = b""
        self._lines: Iterator[bytes] = iter(())
        self._pieces: list[_Piece] = []
        self._script: list[bytes] = []
        self._frames: list[bytes] = []
        self._before: GameState | None = None
        self._state: Any = None
        self._events: list[JsonObject] = []
        self._event_ticks: list[int] = []
        self._rest_at = 0.0
        self._first = 0

    @property
    def last(self) -> int:
        """The newest tick that was played; -1 before the first."""
        return -1 if self._state is None else int(self._state.tick)

    @property
    def size(self) -> int:
        """Bytes that it keeps, roughly."""
        return len(self._data) + sum(len(piece.script) + len(piece.frames) for piece in self._pieces)

    def feed(self, data: bytes) -> None:
        """Take the replay as far as it is written; it begins with what was given before."""
        self._data = data

    def play(self, until: int, budget_s: float) -> bool:
        """Play on to a tick.

        Args:
            until: number of a tick.
            budget_s: time after which it stops.

        Returns:
            True once the tick is there, or there is nothing more to play.
        """
        end = time.monotonic() + budget_s
        while self.last < until:
            line = self._next_line()
            if line is None:
                return True
            self._show(line)
            if self._breathe() > end:
                return self.last >= until
        return True

    def frames(self, first: int, last: int, every: int) -> Iterator[tuple[int, bytes]]:
        """Yield tick and frame (JSON) of the played ticks from `first` to `last`.

        With `every` above 1 only ticks that it divides, and the last one; each then lists the events
        of the ticks that were left out before it, as `passed`.
        """
        wanted = [tick for tick in self._range(first, last) if tick % every == 0 or tick == last]
        at, before = -1, first - 1
        lines: Sequence[bytes] = ()
        for tick in wanted:
            piece, index = divmod(tick - self._first, PIECE)
            if piece != at:
                at, lines = piece, self._frames_of(piece)
            line = lines[index]
            if every > 1:
                line = b'%b,"passed":%b}' % (line[:-1], orjson.dumps(self._passed(before, tick)))
            before = tick
            yield tick, line

    def seat_frames(self, seat: SeatId, first: int, last: int) -> Iterator[tuple[int, bytes]]:
        """Yield tick and frame of one seat's view, played again (R8.4, P3.6)."""
        ticks = self._range(first, last)
        if not ticks or seat >= self._state.seat_count:
            return
        for piece in range((ticks.start - self._first) // PIECE, len(self._pieces) + 1):
            before, script = self._script_of(piece)
            for line in script:
                before = self._step(before, orjson.loads(line))
                self._breathe()
                if before.tick in ticks:
                    part = self._game.observe(before, seat)
                    yield before.tick, self._line(before.tick, part)
                if before.tick >= ticks.stop:
                    return

    def _breathe(self) -> float:
        """Sleep after a slice of work; return the time."""
        now = time.monotonic()
        if now > self._rest_at:
            time.sleep(_REST_S)
            self._rest_at = time.monotonic() + _SLICE_S
        return now

    def _passed(self, after: int, before: int) -> list[JsonObject]:
        """Return the events of the ticks between two, without the failed steps."""
        start = bisect_right(self._event_ticks, after)
        end = bisect_left(self._event_ticks, before)
        return self._events[start:end]

    def _range(self, first: int, last: int) -> range:
        return range(max(first, self._first), min(last, self.last) + 1)

    def _frames_of(self, piece: int) -> Sequence[bytes]:
        if piece == len(self._pieces):
            return self._frames
        return zstandard.decompress(self._pieces[piece].frames).split(b"\n")

    def _script_of(self, piece: int) -> tuple[Any, Sequence[bytes]]:
        if piece == len(self._pieces):
            return self._before, self._script
        packed = self._pieces[piece]
        return packed.before, zstandard.decompress(packed.script).split(b"\n")

    def _next_line(self) -> bytes | None:
        """Return the next whole line of the replay, without its end; None: there is none yet."""
        while (line := next(self._lines, None)) is None:
            bite = self._data[self._read : self._read + _BITE]
            if not bite:
                return None
            self._read += len(bite)
            *lines, self._rest = (self._rest + self._unpacker.decompress(bite)).split(b"\n")
            self._lines = iter(lines)
        return line

    def _show(self, line: bytes) -> None:
        record = orjson.loads(line)
        if record["type"] == MATCH_END:
            return
        if record["type"] == MATCH_HEADER:
            self._open(record)
        self._state = self._step(self._state, record)
        if record["type"] == MATCH_HEADER:
            self._first = self._state.tick
        tick, part = self._state.tick, self._game.frame(self._state)
        for event in part.get("events", ()):
            if event.get("kind") != _DETAIL:
                self._events.append({**event, "tick": tick})
                self._event_ticks.append(tick)
        self._script.append(line)
        self._frames.append(self._line(tick, part))
        if len(self._frames) == PIECE:
            pack = zstandard.ZstdCompressor(level=1).compress
            script, frames = pack(b"\n".join(self._script)), pack(b"\n".join(self._frames))
            self._pieces.append(_Piece(self._before, script, frames))
            self._script, self._frames, self._before = [], [], self._state

    def _open(self, header: JsonObject) -> None:
        game = self._games.get(header["game"])
        if game is None or game.info.rules_version != header["rules_version"]:
            raise ReplayError("header", "played under rules that are not installed here any more")
        self._game, self._match = game, header["match"]

    def _step(self, state: Any, record: JsonObject) -> Any:
        if record["type"] == MATCH_HEADER:
            return self._game.prepare(record["seed"], record["setup"])
        parse = self._game.parse_action
        actions = [None if part is None else parse(part) for part in record["actions"]]
        return self._game.step(state, actions, record.get("order"))

    def _line(self, tick: int, part: JsonObject) -> bytes:
        return orjson.dumps({"type": "frame", "match": self._match, "tick": tick, **part})
