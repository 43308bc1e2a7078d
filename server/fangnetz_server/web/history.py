"""`GET /api/matches/{id}/history`: any stretch of a match, live or finished, for those who scrub.

The frames are played again from the replay (decision 2), in a thread that works in small slices, and
kept packed for the next one who asks. A live match is shown as far as its spectators have seen it.
"""

import asyncio
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi import Path as PathParameter
from fastapi.responses import StreamingResponse

from fangnetz_protocol.words import MatchId, SeatId
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.gateway.routes import LOGIN_COOKIE, Route
from fangnetz_server.host.host import Host
from fangnetz_server.match.replay import ReplayError
from fangnetz_server.store.errors import ReplayMissing, StoreError
from fangnetz_server.web.reel import Reel

__all__ = ["MAX_LINES", "history_router"]

MAX_LINES: Final = 2000
"""Frames in one answer; who wants more asks again."""
_MAX_SEAT_LINES: Final = 256
"""The same for one seat's view, which is played again each time."""
_BATCH: Final = 64
"""Frames sent at a time."""
_BUDGET_S: Final = 0.03
"""Work for one request until the next one has its turn."""
_MAX_WAITING: Final = 32
"""Requests at a time; more are told to come later."""
_KEPT_BYTES: Final = 64_000_000
_MOST_TICKS: Final = 1_000_000_000
_BEARER: Final = "bearer "


class _Library:
    """The reels of the matches that were asked for last."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._reels: OrderedDict[MatchId, Reel] = OrderedDict()
        self._games: dict[str, AnyGame] = dict(host.rules)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="history")
        self.waiting = 0

    def reel(self, match: MatchId) -> Reel:
        """Return the reel of a match, and forget the oldest ones if all take too much room."""
        reel = self._reels.setdefault(match, Reel(self._games))
        self._reels.move_to_end(match)
        while len(self._reels) > 1 and sum(one.size for one in self._reels.values()) > _KEPT_BYTES:
            self._reels.popitem(last=False)
        return reel

    async def read(self, reel: Reel, wanted: "_Wanted", tick: int) -> tuple[bytes, int | None]:
        """Return some lines from `tick` on, and where to go on; None: that was all."""
        loop = asyncio.get_running_loop()
        self.waiting += 1
        try:
            return await loop.run_in_executor(self._thread, _read, reel, wanted, tick)
        finally:
            self.waiting -= 1  # Not counted is who takes his time to read what he got.


class _Wanted:
    """The stretch of one request."""

    def __init__(self, first: int, last: int, every: int, seat: SeatId | None) -> None:
        self.first, self.last, self.every, self.seat = first, last, every, seat
        self.most = MAX_LINES if seat is None else _MAX_SEAT_LINES

    def lines(self, reel: Reel, tick: int) -> Iterator[tuple[int, bytes]]:
        if self.seat is None:
            return reel.frames(tick, self.last, self.every)
        return reel.seat_frames(self.seat, tick, self.last)


def history_router(host: Host) -> APIRouter:
    """Return the route for stretches of matches."""
    router = APIRouter(prefix="/api/matches", tags=["matches"])
    library = _Library(host)

    @router.get(
        "/{match}/history",
        summary="A stretch of a live or finished match (NDJSON)",
        description=(
            "One `frame` a line, as spectators get it, without `connected`. With `every`, frames between are "
            "left out and their events, but not the failed steps, stand in `passed` of the next frame. "
            f"At most {MAX_LINES} lines; ask again for the rest."
        ),
        response_class=StreamingResponse,
        responses={
            200: {"content": {"application/x-ndjson": {}}, "description": "The frames."},
            403: {"description": "Not for you."},
            404: {"description": "There is no such match."},
            409: {"description": "Its rules are not installed here any more."},
            503: {"description": "Too many ask; try again soon."},
        },
    )
    async def history(
        request: Request,
        match: Annotated[str, PathParameter(description="Id of the match.", max_length=64)],
        first: Annotated[int, Query(alias="from", ge=0, le=_MOST_TICKS)] = 0,
        last: Annotated[int, Query(alias="to", ge=0, le=_MOST_TICKS)] = _MOST_TICKS,
        every: Annotated[int, Query(ge=1, le=_MOST_TICKS, description="Only every Nth tick.")] = 1,
        view: Annotated[
            str | None, Query(pattern=r"^seat:\d{1,2}$", description="One seat's view, as seat:N.")
        ] = None,
    ) -> StreamingResponse:
        seat = None if view is None else SeatId(int(view.partition(":")[2]))
        refusal = host.refuse_visit(Route("match", MatchId(match), seat), _token(request))
        if refusal is not None:
            raise HTTPException(refusal.status.value, refusal.text.strip())
        if library.waiting >= _MAX_WAITING:
            raise HTTPException(503, "too many ask for histories; try again", headers={"Retry-After": "1"})
        data, shown = await _recorded(host, MatchId(match), _token(request))
        reel = library.reel(MatchId(match))
        reel.feed(data)
        wanted = _Wanted(first, min(last, shown), 1 if seat is not None else every, seat)
        packed = "gzip" in request.headers.get("accept-encoding", "")
        headers = {"Cache-Control": "no-store"} | ({"Content-Encoding": "gzip"} if packed else {})
        lines = _stream(library, reel, wanted)
        try:
            start = await anext(lines, b"")
        except ReplayError as error:
            raise HTTPException(409, f"match {match}: {error}") from error
        body = _pack(start, lines, packed)
        return StreamingResponse(body, media_type="application/x-ndjson", headers=headers)

    return router


async def _recorded(host: Host, match: MatchId, token: str | None) -> tuple[bytes, int]:
    """Return the replay of a match as far as it is written, and the newest tick that may be shown."""
    table = host.table(match, token)
    if table is not None:
        return table.recorder.so_far(), table.shown_tick
    if await host.record(match, token) is None:
        raise HTTPException(404, f"there is no match {match!r}")
    try:
        return await host.replay_bytes(match), _MOST_TICKS
    except ReplayMissing as error:
        raise HTTPException(404, str(error)) from error
    except StoreError as error:
        raise HTTPException(503, str(error)) from error


async def _stream(library: _Library, reel: Reel, wanted: _Wanted) -> AsyncIterator[bytes]:
    tick: int | None = wanted.first
    while tick is not None:
        lines, tick = await library.read(reel, wanted, tick)
        if lines:
            yield lines


def _read(reel: Reel, wanted: _Wanted, tick: int) -> tuple[bytes, int | None]:
    """Play on if need be and return the next lines; runs in the thread."""
    until = min(wanted.last, tick + _BATCH * wanted.every)
    done = reel.play(until, _BUDGET_S)
    if reel.last < until and done:
        wanted.last = reel.last  # There is no more than that.
    found = list(islice(wanted.lines(reel, tick), min(_BATCH, wanted.most)))
    wanted.most -= len(found)
    text = b"".join(line + b"\n" for _, line in found)
    if found:
        tick = found[-1][0] + 1
    over = wanted.most <= 0 or tick > wanted.last or (done and not found)
    return text, None if over else tick


async def _pack(start: bytes, rest: AsyncIterator[bytes], packed: bool) -> AsyncIterator[bytes]:
    """Compress what is sent, part by part, so that the page can draw the first ones while the rest comes."""
    packer = zlib.compressobj(1, wbits=31)
    part: bytes | None = start
    while part is not None:
        yield packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH) if packed else part
        part = await anext(rest, None)
    if packed:
        yield packer.flush()


def _token(request: Request) -> str | None:
    given = request.headers.get("authorization", "")
    if given[: len(_BEARER)].lower() == _BEARER:
        return given[len(_BEARER) :].strip() or None
    return request.cookies.get(LOGIN_COOKIE)
