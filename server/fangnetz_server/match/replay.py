"""Reads replays and plays them again: `fangnetz replay verify`, `show` and `info` (protocol P5)."""

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
import zstandard

from fangnetz_protocol.words import MatchReason, SeatId
from fangnetz_server.games.contract import GameState, InvalidAction, JsonObject, Outcome, SetupError
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.match.recorder import FORMAT, MATCH_END, MATCH_HEADER, MATCH_TICK, chain, seal
from fangnetz_server.match.seats import Presence

__all__ = ["MAX_LINE_BYTES", "Replay", "ReplayError", "Step"]

MAX_LINE_BYTES: Final = 4_000_000
"""Longest line: a header with a map of 1000x1000 fields fits; a bomb does not."""
_SEAL_BYTES: Final = len(seal(b"{}", bytes(16))) - len(b"{\n")
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
        state = _build(lambda: self.game.prepare(self.header["seed"], self.header["setup"]), "header")
        digest = self._check(next(lines), state, b"", "header")
        yield Step(state, self.header)
        for line in lines:
            where = f"tick {state.tick + 1}"
            record = _parse(line, None, where)
            if record["type"] == MATCH_END:
                self._check(line, state, digest, "result")
                self._check_result(record, state)
                self.footer = record
                if next(lines, None) is not None:
                    raise ReplayError("result", "nothing may follow it, but there are more lines")
                return
            if record["type"] != MATCH_TICK or self.game.outcome(state) is not None:
                raise ReplayError(where, "the match was over before this line")
            state = _build(lambda: self._advance(state, record), where)  # noqa: B023  # called at once
            digest = self._check(line, state, digest, where)
            yield Step(state, record)
        raise ReplayError(f"tick {state.tick}", "the file ends here, without a result")

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
        """Yield the lines; a broken or cut compression is found by zstd's own checksum."""
        try:
            with zstandard.ZstdDecompressor().stream_reader(self._data) as stream:
                reader = io.BufferedReader(stream)
                while line := reader.readline(MAX_LINE_BYTES):
                    if not line.endswith(b"\n"):
                        raise ReplayError("file", "a line is cut off or longer than a replay can have")
                    yield line[:-1]
        except zstandard.ZstdError as error:
            raise ReplayError("file", f"not an intact zstd file ({error})") from error

    def _check(self, line: bytes, state: GameState, before: bytes, where: str) -> bytes:
        body, mark = line[:-_SEAL_BYTES] + b"}", line[-_SEAL_BYTES:]
        digest = chain(before, body, self.game.fingerprint(state))
        if mark != seal(b"{}", digest)[1:-1]:
            raise ReplayError(
                where, "the digest differs: the line was changed, or the rules play it otherwise"
            )
        return digest

    def _advance(self, state: GameState, record: JsonObject) -> GameState:
        parse = self.game.parse_action
        actions = [None if part is None else parse(part) for part in record["actions"]]
        if len(actions) != state.seat_count:
            raise ReplayError(
                f"tick {state.tick + 1}", f"{len(actions)} actions for {state.seat_count} seats"
            )
        order = record.get("order")
        moved: GameState = self.game.step(state, actions, order)
        return moved

    def _check_result(self, record: JsonObject, state: GameState) -> None:
        reason, played = record["reason"], self.game.outcome(state)
        if played is None and reason in _NO_PLAY:
            absent = frozenset(
                SeatId(seat) for seat, word in enumerate(record["presence"]) if word != Presence.PLAYED
            )
            played = self.game.walkover(state, absent, reason)
        elif played is None and reason in _NO_RESULT:
            played = Outcome(reason, (), ())
        found = Outcome(reason, tuple(record["points"]), tuple(record["places"]))
        if played != found or record["ticks"] != state.tick:
            raise ReplayError("result", f"the rules give {played}, the file says {found}")


def _known_game(header: JsonObject, games: Mapping[str, AnyGame]) -> AnyGame:
    if header.get("format") != FORMAT:
        raise ReplayError("header", f"format {header.get('format')}; this program reads format {FORMAT}")
    game = games.get(header.get("game", ""))
    if game is None:
        known = ", ".join(games)
        raise ReplayError("header", f"the game {header.get('game')!r} is not installed here (known: {known})")
    if header.get("rules_version") != game.info.rules_version:
        raise ReplayError(
            "header",
            f"played under rules version {header.get('rules_version')} of {game.info.id}; "
            f"this program has version {game.info.rules_version} and would play it otherwise",
        )
    return game


def _parse(line: bytes, kind: str | None, where: str) -> JsonObject:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise ReplayError(where, f"not a line of JSON ({error})") from error
    if not isinstance(record, dict) or record.get("type") != (kind or record.get("type")):
        raise ReplayError(where, f"not a {kind or 'tick or footer'} line of a replay")
    return record


def _build(build: Callable[[], Any], where: str) -> Any:
    """Run a part of the replay through the rules; whatever they refuse is a fault of the file."""
    try:
        return build()
    except ReplayError:
        raise
    except (SetupError, InvalidAction, KeyError, TypeError, ValueError) as error:
        raise ReplayError(where, f"the rules refuse it ({error})") from error
