"""Tournaments and ratings for everybody: lists, live tables, crosstables, reports."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Final, Literal

import orjson
from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi import Path as PathParameter
from pydantic import BaseModel, ConfigDict

from fangnetz_protocol.words import BotId
from fangnetz_server.reports.bot_page import bot_page
from fangnetz_server.reports.csv_file import PARTS, csv_file
from fangnetz_server.reports.html import html_page
from fangnetz_server.reports.json_file import json_file
from fangnetz_server.reports.markdown import markdown
from fangnetz_server.reports.picture import Picture, opponents_json, rating_json, tables_json
from fangnetz_server.scheduling.files import stored_plan
from fangnetz_server.scheduling.rating_book import BotRating
from fangnetz_server.scheduling.scheduler import Scheduler
from fangnetz_server.store.errors import Unknown
from fangnetz_server.store.values import Tournament
from fangnetz_server.tournament.values import BotKey

__all__ = ["FORMATS", "TournamentDetails", "bot_answer", "details", "entry", "export", "tournament_router"]

FORMATS: Final = ("html", "markdown", "csv", "json")
_TOP: Final = 10
"""Lines of a table in the list of tournaments."""
_FOR_HOSTS: Final = frozenset({"stuck", "problems", "confined"})
"""Parts of the progress that are nobody else's business."""
_UNKNOWN: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such tournament."}}
_Id = Annotated[str, PathParameter(description="Id of the tournament.", max_length=64)]
_HTML_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"


class TournamentEntry(BaseModel):
    """A tournament in the list."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    id: str
    name: str
    game: str
    format: str
    state: str
    """`created`, `running`, `paused` or `finished`."""
    bots: int
    created_at: datetime
    progress: dict[str, Any]
    """Matches `done`, `running`, `waiting` and `total`, `per_minute`, `expected_end`, and who is `away`."""


class StandingLine(BaseModel):
    """A line of a table."""

    rank: int
    name: str
    points: float


class ListedTournament(TournamentEntry):
    """A tournament in the list, with the top of its table as far as that is released."""

    standings: list[StandingLine]


class TournamentList(BaseModel):
    """Tournaments, newest first."""

    tournaments: list[ListedTournament]


class TournamentDetails(TournamentEntry):
    """A tournament with its tables, as far as their results are released."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    until_round: int | None
    """The last round whose results are shown; None: all."""
    staged_release: bool
    """Whether nobody but the host sees the results of a round before it is released."""
    released_round: int | None
    """With staged release: the last round that everybody may see; 0: none yet."""
    tables: list[dict[str, Any]]
    """The table of the whole tournament first, then one a group."""
    crosstable: dict[str, Any]
    """`cells[i][j]` is bot i against bot j: wins, draws, losses and points; None where they have not met."""


class RatingEntry(BaseModel):
    """A bot's rating over all public matches of a game."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    bot: str
    name: str
    matches: int
    rating: float
    """The mean strength (mu)."""
    deviation: float
    """Half the width of the interval that holds the true strength, about 95 % (2 sigma)."""
    low: float
    """`mu - 3 sigma`, by which the list is sorted."""
    history: list[float]
    """The mean after each of the newest matches, oldest first."""


class RatingList(BaseModel):
    """Ratings, the best first."""

    ratings: list[RatingEntry]


def tournament_router(scheduler: Scheduler) -> APIRouter:
    """Return the routes below /api/tournaments and /api/ratings."""
    router = APIRouter(prefix="/api", tags=["tournaments"])
    _add_tournaments(router, scheduler)
    _add_reports(router, scheduler)

    @router.get("/ratings", summary="The ratings of a game")
    async def ratings(
        game: Annotated[str, Query(description="Id of the game.", max_length=64)],
        limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    ) -> RatingList:
        rules = scheduler.host.rules
        if game not in rules:
            raise HTTPException(404, f"game {game!r} is not played here, but {', '.join(rules)}")
        names = {bot.id: bot.name for bot in await scheduler.store.bots.all()}
        found = (await scheduler.ratings.ratings(game))[:limit]
        return RatingList(ratings=[_rating(line, names) for line in found])

    return router


def _add_tournaments(router: APIRouter, scheduler: Scheduler) -> None:
    @router.get("/tournaments", summary="All tournaments, newest first")
    async def tournaments(limit: Annotated[int, Query(ge=1, le=100)] = 20) -> TournamentList:
        known = (await scheduler.store.tournaments.all())[:limit]
        return TournamentList(tournaments=[await _listed(scheduler, one) for one in known])

    @router.get(
        "/tournaments/{tournament}",
        summary="One tournament with its tables",
        response_model=TournamentDetails,
        responses=_UNKNOWN,
    )
    async def tournament_details(tournament: _Id) -> Response:
        return await details(scheduler, tournament, for_host=False)

    @router.get(
        "/tournaments/{tournament}/bots/{bot:path}", summary="One bot in a tournament", responses=_UNKNOWN
    )
    async def bot_details(
        tournament: _Id,
        request: Request,
        bot: Annotated[str, PathParameter(max_length=64)],
        format: Annotated[Literal["json", "html"], Query(description="Data, or a page for people.")] = "json",
    ) -> Response:
        return await bot_answer(scheduler, tournament, bot, str(request.base_url), format, for_host=False)


def _add_reports(router: APIRouter, scheduler: Scheduler) -> None:
    @router.get(
        "/tournaments/{tournament}/export",
        summary="A report as a file",
        response_class=Response,
        responses=_UNKNOWN,
    )
    async def report(
        tournament: _Id,
        request: Request,
        format: Annotated[str, Query(description=", ".join(FORMATS), max_length=16)] = "html",
        part: Annotated[str, Query(description=f"CSV: {', '.join(PARTS)}", max_length=16)] = "standings",
    ) -> Response:
        return await export(scheduler, tournament, str(request.base_url), format, part, for_host=False)


async def entry(scheduler: Scheduler, known: Tournament, *, for_host: bool) -> dict[str, Any]:
    """Return a tournament as an entry of the list; only the host sees what does not work."""
    spec = stored_plan(known.spec).spec
    progress = (await scheduler.progress(known)).to_json()
    if not for_host:
        progress = {key: value for key, value in progress.items() if key not in _FOR_HOSTS}
    return {
        "id": known.id,
        "name": known.name,
        "game": spec.game,
        "format": spec.format.kind,
        "state": known.state,
        "bots": len(spec.entries),
        "created_at": known.created_at,
        "progress": progress,
    }


async def _listed(scheduler: Scheduler, known: Tournament) -> ListedTournament:
    picture = await scheduler.views.picture(known.id, for_host=False)
    top = [StandingLine(rank=row.place, name=row.bot, points=row.points) for row in picture.rows[:_TOP]]
    return ListedTournament(**await entry(scheduler, known, for_host=False), standings=top)


def _rating(line: BotRating, names: Mapping[BotId, str]) -> RatingEntry:
    return RatingEntry(
        bot=line.bot,
        name=names.get(line.bot, line.bot),
        matches=line.matches,
        rating=round(line.rating.mu, 2),
        deviation=round(2 * line.rating.sigma, 2),
        low=round(line.rating.low, 2),
        history=[round(rating.mu, 2) for rating in line.history],
    )


async def details(scheduler: Scheduler, tournament: str, *, for_host: bool) -> Response:
    """Return a tournament with its tables; those were made ready when they were computed.

    Raises:
        HTTPException: there is none.
    """
    try:
        picture, tables = await scheduler.views.tables(tournament, for_host=for_host)
        known = await scheduler.store.tournaments.get(tournament)
    except Unknown as error:
        raise HTTPException(404, str(error)) from error
    fields = await entry(scheduler, known, for_host=for_host)
    staged = picture.spec.staged_release
    fields |= {
        "until_round": picture.until,
        "staged_release": staged,
        "released_round": await scheduler.views.released_round(tournament) if staged else None,
    }
    head = orjson.dumps(fields)
    return Response(head[:-1] + b"," + tables[1:], media_type="application/json")


async def export(
    scheduler: Scheduler, tournament: str, base: str, format_: str, part: str, *, for_host: bool
) -> Response:
    """Return a report as a file.

    Raises:
        HTTPException: there is no such tournament, format or part.
    """
    if format_ not in FORMATS or part not in PARTS:
        raise HTTPException(422, f"format is one of {', '.join(FORMATS)}; part is one of {', '.join(PARTS)}")
    picture = await _known(lambda: scheduler.views.whole(tournament, for_host=for_host))
    writers: Mapping[str, tuple[str, str, Callable[[], str | bytes]]] = {
        "html": ("text/html", f"{tournament}.html", lambda: html_page(picture, base)),
        "markdown": ("text/markdown", f"{tournament}.md", lambda: markdown(picture, base)),
        "csv": ("text/csv", f"{tournament}-{part}.csv", lambda: csv_file(picture, part)),
        "json": ("application/json", f"{tournament}.json", lambda: json_file(picture)),
    }
    media, name, write = writers[format_]
    headers = {"Content-Security-Policy": _HTML_POLICY} if format_ == "html" else {}
    show = "inline" if format_ == "html" else "attachment"
    headers["Content-Disposition"] = f'{show}; filename="{name}"'
    return Response(write(), media_type=media, headers=headers)


async def bot_answer(
    scheduler: Scheduler, tournament: str, bot: str, base: str, format_: str, *, for_host: bool
) -> Response:
    """Return how a bot stands, as JSON or as a page.

    Raises:
        HTTPException: there is no such tournament, or no such bot in it.
    """
    picture = await _known(lambda: scheduler.views.whole(tournament, for_host=for_host))
    row = next((row for row in picture.rows if row.bot == bot), None)
    if row is None:
        raise HTTPException(404, f"there is no bot {bot!r} in tournament {tournament!r}")
    if format_ == "html":
        page = bot_page(picture, row, base)
        return Response(page, media_type="text/html", headers={"Content-Security-Policy": _HTML_POLICY})
    return Response(orjson.dumps(_bot(picture, bot)), media_type="application/json")


async def _known(work: Callable[[], Any]) -> Picture:
    try:
        picture: Picture = await work()
    except Unknown as error:
        raise HTTPException(404, str(error)) from error
    return picture


def _bot(picture: Picture, bot: str) -> dict[str, Any]:
    tables = tables_json(picture)
    totals = (picture.totals or {}).get(BotKey(bot))
    return {
        "row": next(line for line in tables["tables"][0]["rows"] if line["bot"] == bot),
        "opponents": opponents_json(picture, BotKey(bot)),
        "actions": None if totals is None else asdict(totals) | {"bot": BotId(totals.bot)},
        "ratings": [
            {"round": point.round, "game": point.game, **(rating_json(point.rating) or {})}
            for point in picture.ratings.get(BotKey(bot), ())
        ],
        "matches": [
            {key: value for key, value in asdict(line).items() if key != "ended_at"}
            for line in picture.matches
            if bot in line.bots
        ],
    }
