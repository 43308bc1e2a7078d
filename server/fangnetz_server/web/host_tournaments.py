"""The host's commands for tournaments over HTTP. Each is audited, and twice is as good as once."""

from collections.abc import Awaitable
from datetime import timedelta
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from fastapi import Path as PathParameter
from pydantic import BaseModel, ConfigDict, Field

from fangnetz_server.reports.csv_file import PARTS
from fangnetz_server.scheduling.commands import Commands
from fangnetz_server.scheduling.files import read_text
from fangnetz_server.scheduling.schedule import schedule
from fangnetz_server.scheduling.scheduler import Scheduler
from fangnetz_server.store.errors import Refused, StoreError, Unknown
from fangnetz_server.store.values import Tournament
from fangnetz_server.tournament.spec import SpecError
from fangnetz_server.web.auth import HostOnly
from fangnetz_server.web.played import PlayedMatches, played_matches
from fangnetz_server.web.tournaments import FORMATS, TournamentDetails, bot_answer, details, entry, export

__all__ = ["host_tournament_router"]

T = TypeVar("T")
_Id = Annotated[str, PathParameter(description="Id of the tournament.", max_length=64)]
_Match = Annotated[str, PathParameter(description="Id of a match of a tournament.", max_length=64)]
_Why = Annotated[str, Field(min_length=1, max_length=500)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class NewTournament(_Body):
    """A tournament to make."""

    file: dict[str, Any] | str
    """A tournament file (docs/reference/tournaments.md): its TOML text, or the same as JSON."""
    id: Annotated[str, Field(max_length=64)] | None = None
    """Small letters, digits, - and _; left out: made from the name."""
    dry_run: bool = False
    """Only look whether it could be played, and how."""


class BotName(_Body):
    """A bot of the tournament."""

    bot: Annotated[str, Field(max_length=64)]


class Repeat(_Body):
    """Why a match is to be played again."""

    why: _Why = "repeated by the host"


class NewResult(_Body):
    """What the result of a match should be."""

    points: Annotated[list[float], Field(min_length=1, max_length=64)]
    """One a seat."""
    places: Annotated[list[Annotated[int, Field(ge=1)]], Field(max_length=64)] | None = None
    """One a seat, from 1; left out: by the points."""
    why: _Why


class Round(_Body):
    """Rounds up to this one."""

    round: Annotated[int, Field(ge=1, le=1_000_000)]


class Guest(_Body):
    """Who plays for a bot of the tournament without its token."""

    bot: Annotated[str, Field(min_length=1, max_length=64)]
    """Its name in the tournament."""
    hours: Annotated[float, Field(gt=0, le=24 * 365)] = 24.0
    """A code that nobody has used for so long is worth nothing."""


class Code(BaseModel):
    """A seat code; it is shown this once."""

    bot: str
    seat_code: str


class Deleted(BaseModel):
    """Whether there was something to delete."""

    deleted: bool


def host_tournament_router(scheduler: Scheduler) -> APIRouter:
    """Return the routes below /api/host/tournaments, which are for the role `host` only."""
    router = APIRouter(
        prefix="/api/host/tournaments",
        tags=["host"],
        responses={
            401: {"description": "No token."},
            403: {"description": "Not the host's token."},
            404: {"description": "There is no such tournament, bot or match."},
            409: {"description": "That does not go now; the text says why."},
            422: {"description": "Something in the request is wrong; the text names the place."},
        },
    )
    who_asks = HostOnly(scheduler.host)
    _add_making(router, scheduler, who_asks)
    _add_state(router, scheduler, who_asks)
    _add_results(router, scheduler, who_asks)
    _add_looking(router, scheduler, who_asks)
    return router


def _add_making(router: APIRouter, scheduler: Scheduler, who_asks: HostOnly) -> None:
    commands = Commands(scheduler)

    @router.post("", status_code=201, summary="Make a tournament, or look how it would be played")
    async def create(new: NewTournament, who: Annotated[str, Depends(who_asks)]) -> dict[str, Any]:
        file = await _done(_content(new.file))
        if new.dry_run:
            plan = await _done(commands.read(file))
            return {"name": plan.spec.name, "schedule": schedule(plan.spec)}
        made = await _done(commands.create(file, who, new.id))
        return await entry(scheduler, made, for_host=True)

    @router.delete("/{tournament}", summary="Delete a tournament that is not running")
    async def delete(
        tournament: _Id,
        who: Annotated[str, Depends(who_asks)],
        results: Annotated[bool, Query(description="Its results and replays too.")] = False,
    ) -> Deleted:
        return Deleted(deleted=await _done(commands.delete(tournament, who, and_results=results)))


def _add_state(router: APIRouter, scheduler: Scheduler, who_asks: HostOnly) -> None:
    commands = Commands(scheduler)

    async def shown(work: Awaitable[Tournament]) -> dict[str, Any]:
        return await entry(scheduler, await _done(work), for_host=True)

    @router.post("/{tournament}/start", summary="Begin")
    async def start(tournament: _Id, who: Annotated[str, Depends(who_asks)]) -> dict[str, Any]:
        return await shown(commands.start(tournament, who))

    @router.post("/{tournament}/pause", summary="Let no more matches begin")
    async def pause(tournament: _Id, who: Annotated[str, Depends(who_asks)]) -> dict[str, Any]:
        return await shown(commands.pause(tournament, who))

    @router.post("/{tournament}/resume", summary="Go on after a pause")
    async def resume(tournament: _Id, who: Annotated[str, Depends(who_asks)]) -> dict[str, Any]:
        return await shown(commands.resume(tournament, who))

    @router.post("/{tournament}/withdraw", summary="Take a bot out for good")
    async def withdraw(
        tournament: _Id, given: BotName, who: Annotated[str, Depends(who_asks)]
    ) -> dict[str, Any]:
        return await shown(commands.withdraw(tournament, given.bot, who))

    @router.post(
        "/{tournament}/codes", summary="A seat code for a bot whose token nobody has", status_code=201
    )
    async def code(tournament: _Id, given: Guest, who: Annotated[str, Depends(who_asks)]) -> Code:
        lifetime = timedelta(hours=given.hours)
        made = await _done(commands.seat_code(tournament, given.bot, who, lifetime))
        return Code(bot=given.bot, seat_code=made)

    @router.post("/{tournament}/release", summary="Show the results of the rounds up to this one")
    async def release(
        tournament: _Id, given: Round, who: Annotated[str, Depends(who_asks)]
    ) -> dict[str, Any]:
        return await shown(commands.release(tournament, given.round, who))


def _add_results(router: APIRouter, scheduler: Scheduler, who_asks: HostOnly) -> None:
    commands = Commands(scheduler)

    async def shown(work: Awaitable[Tournament]) -> dict[str, Any]:
        return await entry(scheduler, await _done(work), for_host=True)

    @router.post("/{tournament}/repeat-failed", summary="Try again what the server has broken too often")
    async def repeat_failed(tournament: _Id, who: Annotated[str, Depends(who_asks)]) -> dict[str, Any]:
        return await shown(commands.repeat_failed(tournament, who))

    @router.post("/matches/{match}/repeat", summary="Annul the result of a match and play it again")
    async def repeat(match: _Match, given: Repeat, who: Annotated[str, Depends(who_asks)]) -> dict[str, Any]:
        return await shown(commands.repeat(match, given.why, who))

    @router.post("/matches/{match}/correct", summary="Correct the result of a match")
    async def correct(
        match: _Match, given: NewResult, who: Annotated[str, Depends(who_asks)]
    ) -> dict[str, Any]:
        return await shown(commands.correct(match, given.points, given.places, given.why, who))


def _add_looking(router: APIRouter, scheduler: Scheduler, who_asks: HostOnly) -> None:
    @router.get("", summary="All tournaments with what does not work")
    async def tournaments(who: Annotated[str, Depends(who_asks)]) -> list[dict[str, Any]]:
        return [
            await entry(scheduler, known, for_host=True) for known in await scheduler.store.tournaments.all()
        ]

    @router.get(
        "/{tournament}",
        summary="One tournament with tables, released or not",
        response_model=TournamentDetails,
    )
    async def one(tournament: _Id, who: Annotated[str, Depends(who_asks)]) -> Response:
        return await details(scheduler, tournament, for_host=True)

    @router.get("/{tournament}/matches", summary="Finished matches, newest first, released or not")
    async def matches(
        tournament: _Id,
        who: Annotated[str, Depends(who_asks)],
        bot: Annotated[str | None, Query(description="Only those with this bot.", max_length=64)] = None,
        limit: Annotated[int, Query(ge=1, le=1000)] = 50,
        offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
    ) -> PlayedMatches:
        return await _done(played_matches(scheduler.store, tournament, bot, limit, offset))

    @router.get("/{tournament}/bots/{bot:path}", summary="One bot in a tournament, released or not")
    async def one_bot(
        tournament: _Id,
        request: Request,
        who: Annotated[str, Depends(who_asks)],
        bot: Annotated[str, PathParameter(max_length=64)],
        format: Annotated[Literal["json", "html"], Query(description="Data, or a page for people.")] = "json",
    ) -> Response:
        return await bot_answer(scheduler, tournament, bot, str(request.base_url), format, for_host=True)

    @router.get(
        "/{tournament}/export", summary="A report as a file, released or not", response_class=Response
    )
    async def report(
        tournament: _Id,
        request: Request,
        who: Annotated[str, Depends(who_asks)],
        format: Annotated[str, Query(description=", ".join(FORMATS), max_length=16)] = "html",
        part: Annotated[str, Query(description=f"CSV: {', '.join(PARTS)}", max_length=16)] = "standings",
    ) -> Response:
        return await export(scheduler, tournament, str(request.base_url), format, part, for_host=True)


async def _content(file: dict[str, Any] | str) -> dict[str, Any]:
    return read_text(file) if isinstance(file, str) else file


async def _done(work: Awaitable[T]) -> T:
    """Do it, or say over HTTP why not."""
    try:
        return await work
    except Unknown as error:
        raise HTTPException(404, str(error)) from error
    except (SpecError, ValueError) as error:
        raise HTTPException(422, str(error)) from error
    except Refused as error:
        raise HTTPException(409, str(error)) from error
    except StoreError as error:
        raise HTTPException(503, str(error)) from error
