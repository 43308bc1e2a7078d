"""The HTTP API and the spectator page (decision 4: one port for all)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import fastapi_swagger
from fastapi import FastAPI, HTTPException, Query, Request
from fastapi import Path as PathParameter
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import FileResponse, HTMLResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict

from fangnetz_protocol.version import PROTOCOL_VERSION, __version__
from fangnetz_protocol.words import MatchId
from fangnetz_server.host.host import Host
from fangnetz_server.host.lobby import entry_of_record, entry_of_table

__all__ = ["make_app"]

_STATIC: Final = Path(__file__).parent / "static"
_SWAGGER: Final = Path(fastapi_swagger.__file__).parent / "resources"
_MatchPath = Annotated[str, PathParameter(description="Id of the match, as in `match_start`.", max_length=64)]


class Health(BaseModel):
    """The server is alive."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    status: str = "ok"
    version: str = __version__
    protocol: str = PROTOCOL_VERSION
    running: int
    """Matches that are being played."""
    bots: int
    """Bots that are connected."""


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


def make_app(host: Host) -> FastAPI:
    """Return the ASGI app of a host."""
    app = FastAPI(
        title="Fangnetz",
        summary="Matches, results and replays.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
    )
    _add_pages(app)
    _add_api(app, host)
    return app


def _add_pages(app: FastAPI) -> None:
    app.mount("/static", StaticFiles(directory=_STATIC), name="static")
    app.mount("/swagger", StaticFiles(directory=_SWAGGER), name="swagger")

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(_STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    @app.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> HTMLResponse:
        root = request.scope.get("root_path", "").rstrip("/")
        return get_swagger_ui_html(
            openapi_url=f"{root}/openapi.json",
            title="Fangnetz API",
            swagger_js_url=f"{root}/swagger/swagger-ui-bundle.js",
            swagger_css_url=f"{root}/swagger/swagger-ui.css",
            swagger_favicon_url=f"{root}/static/favicon.svg",
        )


def _add_api(app: FastAPI, host: Host) -> None:
    @app.get("/healthz", tags=["server"], summary="Is the server alive?")
    async def healthz() -> Health:
        bots = sum(link.is_connected for link in host.gateway.links)
        return Health(running=len(host.running()), bots=bots)

    @app.get("/api/matches", tags=["matches"], summary="Live and finished matches")
    async def matches(
        game: Annotated[str | None, Query(description="Only this game.", max_length=64)] = None,
        phase: Annotated[str | None, Query(description="Only this phase.", max_length=16)] = None,
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
        offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
    ) -> MatchList:
        live = [entry_of_table(table) for table in reversed(host.tables.values())]
        over = [entry_of_record(record) for record in reversed(host.records.values())]
        fitting = [entry for entry in live + over if _fits(entry, game, phase)]
        shown = fitting[offset : offset + limit]
        return MatchList(matches=[MatchEntry(**entry) for entry in shown], total=len(fitting))

    @app.get(
        "/api/matches/{match}",
        tags=["matches"],
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

    @app.get(
        "/api/matches/{match}/replay",
        tags=["matches"],
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


def _fits(entry: Mapping[str, Any], game: str | None, phase: str | None) -> bool:
    return game in (None, entry["game"]) and phase in (None, entry["phase"])


def _unknown(match: str) -> HTTPException:
    return HTTPException(404, f"there is no match {match!r}")
