"""The part of the API that everybody may use: matches, results, replays."""

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query
from fastapi import Path as PathParameter
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict

from fangnetz_protocol.words import MatchId
from fangnetz_server.host.host import Host
from fangnetz_server.host.lobby import entry_of_record, entry_of_table, page_of_matches

__all__ = ["match_router"]

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
        game: Annotated[str | None, Query(description="Only this game.", max_length=64)] = None,
        phase: Annotated[str | None, Query(description="Only this phase.", max_length=16)] = None,
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
        offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
    ) -> MatchList:
        shown, total = page_of_matches(
            host.tables, host.records, game=game, phase=phase, limit=limit, offset=offset
        )
        return MatchList(matches=[MatchEntry(**entry) for entry in shown], total=total)

    @router.get(
        "/{match}",
        summary="One match",
        responses={404: {"description": "There is no such match."}},
    )
    async def match_details(match: _MatchPath) -> MatchDetails:
        table = host.tables.get(MatchId(match))
        if table is not None:
            return MatchDetails(**entry_of_table(table))
        record = host.records.get(MatchId(match))
        if record is None:
            raise _unknown(match)
        replay = f"api/matches/{match}/replay"
        return MatchDetails(**entry_of_record(record), replay=replay, result=record.to_json())

    @router.get(
        "/{match}/replay",
        summary="The replay of a finished match (NDJSON in zstd)",
        response_class=FileResponse,
        responses={
            200: {"content": {"application/zstd": {}}, "description": "The file."},
            404: {"description": "There is no such match."},
            409: {"description": "The match is not over yet."},
        },
    )
    async def replay(match: _MatchPath) -> FileResponse:
        if MatchId(match) in host.tables:
            raise HTTPException(409, f"match {match} is not over yet; its replay is complete only then")
        if MatchId(match) not in host.records:
            raise _unknown(match)
        path = host.archive.replay_path(MatchId(match))
        return FileResponse(path, media_type="application/zstd", filename=path.name)

    return router


def _unknown(match: str) -> HTTPException:
    return HTTPException(404, f"there is no match {match!r}")
