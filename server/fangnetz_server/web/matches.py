"""The part of the API that everybody may use: matches, results, replays."""

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Response
from fastapi import Path as PathParameter
from pydantic import BaseModel, ConfigDict

from fangnetz_protocol.words import MatchId
from fangnetz_protocol.words import MatchPhase as Phase
from fangnetz_server.gateway.table import Table
from fangnetz_server.host.host import Host
from fangnetz_server.host.keeping import replay_url
from fangnetz_server.host.lobby import entry_of_record, entry_of_table
from fangnetz_server.store.errors import ReplayMissing, StoreError
from fangnetz_server.web.auth import Token

__all__ = ["match_router"]

_UNKNOWN: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such match."}}
_MatchPath = Annotated[str, PathParameter(description="Id of the match, as in `match_start`.", max_length=64)]


class SeatEntry(BaseModel):
    """One seat of a match."""

    seat: int
    name: str
    connected: bool


class MatchEntry(BaseModel):
    """A match in the list; `reason`, `points` and `places` once it is over, one entry a seat."""

    match: str
    game: str
    phase: str
    tick: int
    ticks: int | None
    seats: list[SeatEntry]
    spectators: int
    reason: str | None = None
    points: list[float] | None = None
    places: list[int] | None = None


class MatchDetails(MatchEntry):
    """One match; `result` holds all that is known of a finished one, latencies and faults included."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    replay: str | None = None
    """Path of the replay, relative to the server's root; None while the match is not over."""
    result: dict[str, Any] | None = None


class MatchList(BaseModel):
    """Live matches first, then finished ones, each newest first."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    matches: list[MatchEntry]
    total: int
    """Matches that fit the query, shown or not."""


def match_router(host: Host) -> APIRouter:
    """Return the routes below /api/matches."""
    router = APIRouter(prefix="/api/matches", tags=["matches"])

    @router.get("", summary="Live and finished matches")
    async def matches(
        token: Token,
        game: Annotated[str | None, Query(description="Only this game.", max_length=64)] = None,
        phase: Annotated[Phase | None, Query(description="Only this phase.")] = None,
        bot: Annotated[
            str | None, Query(description="Only finished ones with this bot.", max_length=64)
        ] = None,
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
        offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
    ) -> MatchList:
        # Only what is shown is built: no tick may wait for a list of all matches that ever were.
        live = _live(host, token, game, phase) if bot is None else []
        shown = [entry_of_table(table) for table in live[offset : offset + limit]]
        over, total = await _over(host, game, phase, bot, limit - len(shown), max(0, offset - len(live)))
        entries = [MatchEntry(**entry) for entry in shown + over]
        return MatchList(matches=entries, total=len(live) + total)

    @router.get("/{match}", summary="One match", responses=_UNKNOWN)
    async def match_details(match: _MatchPath, token: Token) -> MatchDetails:
        table = host.table(MatchId(match), token)
        if table is not None:
            return MatchDetails(**entry_of_table(table))
        record = await host.record(MatchId(match), token)
        if record is None:
            raise _unknown(match)
        replay = None if record.replay_sha256 is None else replay_url(record.match)
        return MatchDetails(**entry_of_record(record), replay=replay, result=record.to_json())

    @router.get(
        "/{match}/replay",
        summary="The replay of a finished match (NDJSON in zstd)",
        response_class=Response,
        responses={
            200: {"content": {"application/zstd": {}}, "description": "The file."},
            409: {"description": "The match is not over yet."},
            **_UNKNOWN,
        },
    )
    async def replay(match: _MatchPath, token: Token) -> Response:
        if host.table(MatchId(match), token) is not None:
            raise HTTPException(409, f"match {match} is not over yet; its replay is complete only then")
        if await host.record(MatchId(match), token) is None:
            raise _unknown(match)
        try:
            data = await host.replay_bytes(MatchId(match))
        except ReplayMissing as error:
            raise HTTPException(404, str(error)) from error
        except StoreError as error:
            raise HTTPException(503, str(error)) from error
        name = f"{match}.ndjson.zst"
        return Response(data, media_type="application/zstd", headers=_attachment(name))

    return router


def _live(host: Host, token: str | None, game: str | None, phase: Phase | None) -> list[Table]:
    """Return the live matches that somebody with this token may know of, newest first."""
    known = (table for match in reversed(host.tables) if (table := host.table(match, token)) is not None)
    return [
        table
        for table in known
        if game in (None, table.match.game.info.id) and phase in (None, table.shown_phase)
    ]


async def _over(
    host: Host, game: str | None, phase: Phase | None, bot: str | None, limit: int, offset: int
) -> tuple[list[dict[str, Any]], int]:
    """Return finished matches, newest first, and their number. Private ones are in no list."""
    if phase not in (None, Phase.OVER):
        return [], 0
    page = await host.store.matches.page(game=game, bot=bot, public_only=True, limit=limit, offset=offset)
    shown = [entry_of_record(record) for record in page.records if record.match not in host.tables]
    return shown, page.total


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _unknown(match: str) -> HTTPException:
    return HTTPException(404, f"there is no match {match!r}")
