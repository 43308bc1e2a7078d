"""Writes the replay of a match: header, a line a tick, footer (protocol P5).

The replay is a proof. Every line ends with a digest over the digest before it, the line itself and
the exact state, so any change of a byte breaks the chain at its line, and anyone who plays the
actions again from the seed gets the same digests (decision 2).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, Final

import orjson
import zstandard

from fangnetz_protocol.version import PROTOCOL_VERSION, __version__
from fangnetz_protocol.words import MatchId, SeatId
from fangnetz_server.games.contract import GameState, JsonObject, Outcome
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.match.seats import Entrant, LastAction, Presence
from fangnetz_server.match.settings import MatchSettings

__all__ = ["FORMAT", "MATCH_END", "MATCH_HEADER", "MATCH_TICK", "MatchHeader", "Recorder", "chain", "seal"]

FORMAT: Final = 1
"""Version of the replay files; goes up when older readers would misread them."""
MATCH_HEADER: Final = "header"
MATCH_TICK: Final = "tick"
MATCH_END: Final = "footer"
_DIGEST_BYTES: Final = 16


def chain(before: bytes, line: bytes, fingerprint: bytes) -> bytes:
    """Return the digest (16 bytes) of a line without its own digest, after `before`."""
    digest = blake2b(before, digest_size=_DIGEST_BYTES)
    digest.update(len(line).to_bytes(8, "big"))
    digest.update(line)
    digest.update(fingerprint)
    return digest.digest()


def seal(line: bytes, digest: bytes) -> bytes:
    """Return a JSON object line with its digest as the last field."""
    return b'%b,"digest":"%b"}\n' % (line[:-1], digest.hex().encode())


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """What a replay says about its match before the first tick."""

    match: MatchId
    game: AnyGame
    seed: int
    entrants: Sequence[Entrant]
    settings: MatchSettings

    def to_wire(self, state: GameState) -> JsonObject:
        return {
            "type": MATCH_HEADER,
            "format": FORMAT,
            "protocol": PROTOCOL_VERSION,
            "server": __version__,
            "match": self.match,
            "game": self.game.info.id,
            "rules_version": self.game.info.rules_version,
            "seed": self.seed,
            "setup": self.game.export_setup(state),
            "settings": self.settings.model_dump(mode="json"),
            "seats": [asdict(entrant) for entrant in self.entrants],
        }


class Recorder:
    """Collects the compressed replay of one match in memory.

    Memory, because a match that the server does not survive is played again anyway: nothing has
    to reach the disk before the end, and no tick waits for it. The longest possible match of
    Right2Live, 10000 rounds with 20 players, takes about a megabyte.
    """

    def __init__(self, header: MatchHeader, state: GameState) -> None:
        self._game = header.game
        compressor = zstandard.ZstdCompressor(level=3, write_checksum=True).compressobj()
        self._compressor: zstandard.ZstdCompressionObj | None = compressor
        """None once the replay is complete: it takes a megabyte, and a match lives on for a while."""
        self._parts: list[bytes] = []
        self._digest = b""
        self._ticks = state.tick
        self._fingerprint = b""
        self._write(header.to_wire(state), state)

    @property
    def data(self) -> bytes:
        """The whole file (zstd frame of NDJSON); complete after `finish`."""
        return b"".join(self._parts)

    def so_far(self) -> bytes:
        """Return the file up to the newest tick, also while the match runs.

        The digests are over the lines, so it does not matter where the compressor was flushed.
        """
        if self._compressor is not None:
            self._keep(self._compressor.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))
        return self.data

    def tick(
        self,
        state: GameState,
        actions: Sequence[Any],
        last_actions: Sequence[LastAction | None],
        order: Sequence[SeatId] | None,
    ) -> None:
        """Note the state after a tick and what led to it; one entry a seat, None is neutral.

        Whatever the game's code raises here leaves the replay as it was.
        """
        export = self._game.export_action
        line: JsonObject = {
            "type": MATCH_TICK,
            "tick": state.tick,
            "actions": [None if action is None else export(action) for action in actions],
            "status": [None if last is None else last.status for last in last_actions],
        }
        if order is not None:
            line["order"] = order
        self._write(line, state)

    def finish(self, reason: str, outcome: Outcome | None, presence: Sequence[Presence]) -> str:
        """Close the replay with the result and return the last digest, in hexadecimal."""
        line = {
            "type": MATCH_END,
            "reason": reason,
            "ticks": self._ticks,
            "points": outcome.points if outcome else [],
            "places": outcome.places if outcome else [],
            "presence": presence,
        }
        self._append(orjson.dumps(line), self._fingerprint)
        assert self._compressor is not None, "the line was written with it"
        self._keep(self._compressor.flush())
        self._compressor = None
        return self._digest.hex()

    def _write(self, record: JsonObject, state: GameState) -> None:
        self._append(orjson.dumps(record), self._game.fingerprint(state))
        self._ticks = state.tick

    def _append(self, line: bytes, fingerprint: bytes) -> None:
        self._digest = chain(self._digest, line, fingerprint)
        self._fingerprint = fingerprint
        assert self._compressor is not None, "nothing comes after the end"
        self._keep(self._compressor.compress(seal(line, self._digest)))

    def _keep(self, part: bytes) -> None:
        if part:
            self._parts.append(part)
