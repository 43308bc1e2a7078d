"""The ASGI app behind the one port: spectator page, API, health and metrics (decision 4)."""

from pathlib import Path
from typing import Final

import fastapi_swagger
from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict
from starlette.types import ASGIApp

from fangnetz_protocol.version import PROTOCOL_VERSION, __version__
from fangnetz_server.host.host import Host
from fangnetz_server.metrics import CONTENT_TYPE
from fangnetz_server.scheduling.scheduler import Scheduler
from fangnetz_server.store.errors import StoreError
from fangnetz_server.web.auth import login_router
from fangnetz_server.web.commands import command_router
from fangnetz_server.web.history import history_router
from fangnetz_server.web.host_tournaments import host_tournament_router
from fangnetz_server.web.matches import match_router
from fangnetz_server.web.middleware import BodyLimit, PrefixMiddleware, SecurityHeaders, Turnstile
from fangnetz_server.web.tournaments import tournament_router

__all__ = ["make_api", "make_app"]

_STATIC: Final = Path(__file__).parent / "static"
_SWAGGER: Final = Path(fastapi_swagger.__file__).parent / "resources"
_DOCS: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Fangnetz API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="static/favicon.svg">
<link rel="stylesheet" href="swagger/swagger-ui.css">
<div id="swagger-ui"></div>
<script src="swagger/swagger-ui-bundle.js"></script>
<script type="module" src="static/docs.js"></script>
</html>
"""
"""FastAPI's own page has its script inline, which the content policy forbids."""


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


class Readiness(BaseModel):
    """Whether new matches may begin."""

    status: str
    reason: str | None = None


def make_app(
    host: Host, scheduler: Scheduler | None = None, *, prefix: str = "", tls: bool = False
) -> ASGIApp:
    """Return the whole ASGI app of a host.

    Args:
        host: whose matches it shows.
        scheduler: plays the tournaments; None: they can be looked at, but none goes on.
        prefix: path under which a proxy serves it, such as /fangnetz.
        tls: whether browsers reach it by https only.
    """
    limits, api = host.limits, make_api(host, scheduler, tls=tls)
    counted = Turnstile(api, host.gateway.turns, shares=host.gateway.shares, is_host=host.is_host)
    limited = BodyLimit(counted, most_bytes=limits.frame_bytes, patience_s=limits.handshake_s)
    return PrefixMiddleware(SecurityHeaders(limited, tls=tls), prefix)


def make_api(host: Host, scheduler: Scheduler | None = None, *, tls: bool = False) -> FastAPI:
    """Return the app without what stands around it; its `openapi()` is the API's description."""
    app = FastAPI(
        title="Fangnetz",
        summary="Matches, results and replays.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.add_exception_handler(StoreError, _store_fails)
    _add_pages(app)
    _add_operations(app, host)
    app.include_router(match_router(host))
    app.include_router(login_router(host, tls=tls))
    app.include_router(command_router(host))
    app.include_router(history_router(host))
    scheduler = scheduler or Scheduler(host)
    app.include_router(tournament_router(scheduler))
    app.include_router(host_tournament_router(scheduler))
    return app


async def _store_fails(_request: Request, error: Exception) -> Response:
    """The database is away or the disk is full: that passes, and who asks should know what it is."""
    return JSONResponse({"detail": str(error)}, 503, headers={"Retry-After": "5"})


def _add_pages(app: FastAPI) -> None:
    # In a checkout `sdk` is a link to the JavaScript SDK; an installed server has its files.
    app.mount("/static", StaticFiles(directory=_STATIC, follow_symlink=True), name="static")
    app.mount("/swagger", StaticFiles(directory=_SWAGGER), name="swagger")

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(_STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    @app.get("/host", include_in_schema=False)
    async def host_page() -> FileResponse:
        return FileResponse(_STATIC / "host.html", headers={"Cache-Control": "no-cache"})

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(_DOCS)


def _add_operations(app: FastAPI, host: Host) -> None:
    @app.get("/healthz", tags=["server"], summary="Is the server alive?")
    async def healthz() -> Health:
        return Health(running=len(host.running()), bots=host.bots_connected())

    @app.get(
        "/readyz",
        tags=["server"],
        summary="May new matches begin?",
        responses={503: {"model": Readiness, "description": "Not now; the reason says why."}},
    )
    async def readyz(response: Response) -> Readiness:
        reason = host.not_ready()
        if reason is not None:
            response.status_code = 503
        return Readiness(status="ready" if reason is None else "not ready", reason=reason)

    @app.get("/metrics", tags=["server"], summary="Figures for Prometheus", response_class=Response)
    async def metrics() -> Response:
        return Response(host.metrics.page(), media_type=CONTENT_TYPE)
