"""Reads replays and plays them again: `fangnetz replay verify`, `show` and `info` (protocol P5)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
import zstandard
from pydantic import BaseModel, ValidationError

from fangnetz_protocol.words import MatchReason, SeatId
from fangnetz_server.games.contract import GameState, JsonObject, Outcome
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.match.recorder import FORMAT, MATCH_END, MATCH_HEADER, MATCH_TICK, chain, seal
from fangnetz_server.match.seats import Presence

__all__ = ["MAX_LINE_BYTES", "Replay", "ReplayError", "Step"]

MAX_LINE_BYTES: Final = 4_000_000
"""Longest line: a header with a map of 1000x1000 fields fits; a bomb does not."""
_MAX_WINDOW: Final = 8 << 20
"""Memory that a file may ask of zstd: what RFC 8878 wants of every reader, and four times what we use."""
_PIECE: Final = 64
"""Bytes unpacked at a time: even the densest bomb makes 2 MB of them."""
_SEAL_BYTES: Final = len(seal(b"{}", bytes(16))) - len(b"{\n")
_RESULT: Final = "result"
"""How errors name the last line."""
_NO_PLAY: Final = frozenset({MatchReason.WALKOVER, MatchReason.FORFEIT})
_NO_RESULT: Final = frozenset({MatchReason.ABORTED, MatchReason.INFRA_ERROR})


class ReplayError(ValueError):
    """A file that is no replay, or one that does not prove its result; `where` names the first fault."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Step:
    """A verified tick: the state after it and the recorded line that led to it (the header for the first)."""

    state: GameState
    record: JsonObject


class Replay:
    """A replay file, read from its start as often as asked.

    Args:
        data: the file, a zstd frame of NDJSON.
        games: the installed games by id.

    Raises:
        ReplayError: the header is missing, unreadable, or of a game, format or rules version that
            is not the one installed here.
    """

    def __init__(self, data: bytes, games: Mapping[str, AnyGame]) -> None:
        self._data = data
        self.header = _parse(next(self._lines(), b""), MATCH_HEADER, "header")
        self.game = _known_game(self.header, games)
        self.footer: JsonObject | None = None
        """The recorded result, once `steps` has been read to its end."""

    def steps(self) -> Iterator[Step]:
        """Play the match again and yield every tick as soon as it is proved, from the start position on.

        Raises:
            ReplayError: the first line whose digest, actions or result differ, by its tick.
        """
        lines = self._lines()
        state = self._start()
        digest = self._check(next(lines), state, b"", "header")
        yield Step(state, self.header)
        for line in lines:
            where = self._next(state)
            record = _parse(line, None, where)
            if record["type"] == MATCH_END:
                self._check(line, state, digest, _RESULT)
                self._check_result(record, state)
                if next(lines, None) is not None:
                    raise ReplayError(_RESULT, "nothing may follow it, but there are more lines")
                self.footer = record
                return
            if where == _RESULT:
                raise ReplayError(where, "the match was over before this line")
            state = self._advance(state, record, where)
            digest = self._check(line, state, digest, where)
            yield Step(state, record)
        raise ReplayError(self._next(state), "the file ends before it")

    def verify(self) -> JsonObject:
        """Play the whole match again and return the recorded result.

        Raises:
            ReplayError: the first difference.
        """
        for _ in self.steps():
            pass
        assert self.footer is not None
        return self.footer

    def frames(self) -> Iterator[JsonObject]:
        """Yield a spectator's `frame` a tick and at last the `match_end` (P3.2)."""
        for step in self.steps():
            match = self.header["match"]
            yield {"type": "frame", "match": match, "tick": step.state.tick, **self.game.frame(step.state)}
        assert self.footer is not None
        fields = ("reason", "places", "points", "ticks")
        yield {"type": "match_end", "match": match, **{field: self.footer[field] for field in fields}}

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines with their ends; what a cut leaves of the last one comes without."""
        rest = bytearray()
        for part in self._unpacked():
            start = 0
            while end := part.find(b"\n", start) + 1:
                yield bytes(rest) + part[start:end]
                rest.clear()
                start = end
            rest += part[start:]
            if len(rest) > MAX_LINE_BYTES:
                raise ReplayError("file", "a line is longer than a replay can have")
        if rest:
            yield bytes(rest)

    def _unpacked(self) -> Iterator[bytes]:
        """Unpack the file, which has to be one whole zstd frame and nothing else."""
        unpacker = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW).decompressobj()
        data, read = self._data, 0
        try:
            while read < len(data) and not unpacker.eof:
                yield unpacker.decompress(data[read : read + _PIECE])
                read += _PIECE
        except zstandard.ZstdError as error:
            raise ReplayError("file", f"not an intact zstd file ({error})") from error
        if not unpacker.eof:
            raise ReplayError("file", "the zstd file is cut off" if data else "it is empty")
        if unpacker.unused_data or read < len(data):
            raise ReplayError("file", "something follows the end of the zstd frame")

    def _start(self) -> GameState:
        state = _by_rules(lambda: self.game.prepare(self.header["seed"], self.header["setup"]), "header")
        seats = len(self.header["seats"])
        if seats != state.seat_count:
            raise ReplayError("header", f"{seats} seats, but the setup is for {state.seat_count}")
        return state  # type: ignore[no-any-return]  # The states of any game are `Any`.

    def _check(self, line: bytes, state: GameState, before: bytes, where: str) -> bytes:
        line = line[:-1]
        body, mark = line[:-_SEAL_BYTES] + b"}", line[-_SEAL_BYTES:]
        fingerprint = _by_rules(lambda: self.game.fingerprint(state), where)
        digest = chain(before, body, fingerprint)
        if mark != seal(b"{}", digest)[1:-1]:
            raise ReplayError(
                where, "the digest differs: the line was changed, or the rules play it otherwise"
            )
        return digest

    def _advance(self, state: GameState, record: JsonObject, where: str) -> GameState:
        parts = record.get("actions")
        if record.get("tick") != state.tick + 1:
            raise ReplayError(where, f"this is the line of tick {record.get('tick')!r:.20}")
        if not isinstance(parts, list) or len(parts) != state.seat_count:
            raise ReplayError(where, f"the actions are no list of {state.seat_count}, one a seat")
        parse = self.game.parse_action
        actions = _by_rules(lambda: [None if part is None else parse(part) for part in parts], where)
        moved: GameState = _by_rules(lambda: self.game.step(state, actions, record.get("order")), where)
        return moved

    def _next(self, state: GameState) -> str:
        """Name what has to come after a state; a match may also be broken off before the rules end it."""
        over = _by_rules(lambda: self.game.outcome(state) is not None, f"tick {state.tick}")
        return _RESULT if over else f"tick {state.tick + 1}"

    def _check_result(self, record: JsonObject, state: GameState) -> None:
        played = _by_rules(lambda: self._result(record, state), _RESULT)
        found = _by_rules(
            lambda: Outcome(record["reason"], tuple(record["points"]), tuple(record["places"])), _RESULT
        )
        if played != found or record.get("ticks") != state.tick:
            raise ReplayError(
                _RESULT, f"the rules give {played} after {state.tick} ticks, the file says {found}"
            )

    def _result(self, record: JsonObject, state: GameState) -> Outcome | None:
        """Return what a match that ended here for the recorded reason has to have as its result."""
        reason, played = record["reason"], self.game.outcome(state)
        if reason in _NO_RESULT:
            return Outcome(reason, (), ())
        if played is None and reason in _NO_PLAY:
            absent = (SeatId(seat) for seat, word in enumerate(record["presence"]) if word != Presence.PLAYED)
            played = self.game.walkover(state, frozenset(absent), reason)
        return played


class _Seat(BaseModel):
    bot: str
    name: str


class _Header(BaseModel):
    """What every reader of a header may count on."""

    match: str
    seed: int
    setup: dict[str, Any]
    settings: dict[str, Any]
    seats: list[_Seat]


def _known_game(header: JsonObject, games: Mapping[str, AnyGame]) -> AnyGame:
    if header.get("format") != FORMAT:
        raise ReplayError(
            "header", f"format {header.get('format')!r:.20}; this program reads format {FORMAT}"
        )
    game = games.get(str(header.get("game")))
    if game is None:
        known = ", ".join(games)
        raise ReplayError(
            "header", f"the game {header.get('game')!r:.60} is not installed here (known: {known})"
        )
    if header.get("rules_version") != game.info.rules_version:
        raise ReplayError(
            "header",
            f"played under rules version {header.get('rules_version')!r:.20} of {game.info.id}; "
            f"this program has version {game.info.rules_version} and would play it otherwise",
        )
    try:
        _Header.model_validate(header, strict=True)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise ReplayError("header", f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error
    return game


def _parse(line: bytes, kind: str | None, where: str) -> JsonObject:
    """Read a line of one kind, or after the header (None) of the two that may come then."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise ReplayError(where, f"not a line of JSON ({error})") from error
    kinds = (MATCH_TICK, MATCH_END) if kind is None else (kind,)
    if not isinstance(record, dict) or record.get("type") not in kinds:
        raise ReplayError(where, f"not a {' or '.join(kinds)} line of a replay")
    if not line.endswith(b"\n"):
        raise ReplayError(where, "the line is cut off")
    return record


def _by_rules(call: Callable[[], Any], where: str) -> Any:
    """Run a part of the replay through the rules; whatever they refuse is a fault of the file."""
    try:
        return call()
    except Exception as error:  # Also of rules that take more for granted than a forger grants.
        raise ReplayError(where, f"the rules refuse it ({type(error).__name__}: {error})") from error
