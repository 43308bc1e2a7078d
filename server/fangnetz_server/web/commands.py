"""The host's commands over HTTP: bots, seat codes, matches, the audit log. Every change is audited."""

from datetime import datetime, timedelta
from itertools import combinations
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi import Path as PathParameter
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fangnetz_protocol import errors
from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.games.contract import SetupError
from fangnetz_server.gateway.table import Table
from fangnetz_server.host.admission import check_name
from fangnetz_server.host.host import Host
from fangnetz_server.match.seats import Entrant
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.store.errors import NameTaken
from fangnetz_server.store.names import NameKeys
from fangnetz_server.store.values import AuditNote, Bot, SeatGrant
from fangnetz_server.web.auth import HostOnly

__all__ = ["command_router"]

_Text = Annotated[str, Field(min_length=1, max_length=200)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class NewBot(_Body):
    """A bot to register."""

    name: _Text
    owner: _Text | None = None


class BotEntry(BaseModel):
    """A registered bot."""

    id: str
    name: str
    owner: str | None
    created_at: datetime
    disabled: bool
    connected: bool


class BotWithToken(BotEntry):
    """A registered bot and its new token, which is shown this once."""

    token: str


class NewMatch(_Body):
    """A match to make."""

    game: _Text
    bots: Annotated[list[str], Field(min_length=1, max_length=64)]
    """One a seat: the id or name of a registered bot, or `guest:NAME` for somebody with a seat code."""
    setup: dict[str, Any] = Field(default_factory=dict)
    """Map, ruleset and so on, as in a scenario file."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Pace and times (`pace`, `tick_ms`, `deadline_ms`, `bank_ms`, `ready_ms`, …)."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    private: bool = False
    code_hours: Annotated[float, Field(gt=0, le=24 * 365)] = 24.0
    """How long the seat codes are good for."""


class MadeMatch(BaseModel):
    """A match that was made."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    match: str
    seat_codes: dict[str, str]
    """A code for each guest, to be used once in place of a token."""
    watch_token: str | None
    """Opens a private match to spectators."""


class Done(BaseModel):
    """What a command has changed."""

    changed: bool


class Why(_Body):
    """A reason, for the audit log and for those concerned."""

    why: _Text


class AuditEntry(BaseModel):
    """A line of the audit log."""

    number: int
    at: datetime
    who: str
    command: str
    target: str
    details: dict[str, Any]


def command_router(host: Host) -> APIRouter:
    """Return the routes below /api/host, which are for the role `host` only."""
    router = APIRouter(
        prefix="/api/host",
        tags=["host"],
        responses={401: {"description": "No token."}, 403: {"description": "Not the host's token."}},
    )
    who_asks = HostOnly(host)
    _add_bots(router, host, who_asks)
    _add_matches(router, host, who_asks)
    _add_control(router, host, who_asks)
    return router


def _add_bots(router: APIRouter, host: Host, who_asks: HostOnly) -> None:
    @router.get("/bots", summary="All registered bots")
    async def bots(who: Annotated[str, Depends(who_asks)]) -> list[BotEntry]:
        return [BotEntry(**_bot_fields(host, bot)) for bot in await host.store.bots.all()]

    @router.post("/bots", status_code=201, summary="Register a bot")
    async def add_bot(new: NewBot, who: Annotated[str, Depends(who_asks)]) -> BotWithToken:
        try:
            name = check_name(new.name)
            note = AuditNote(who, "bot add", name)
            bot, token = await host.store.bots.add(name, owner=new.owner, note=note)
        except (errors.BadName, NameTaken) as error:
            raise HTTPException(409, str(error)) from error
        return BotWithToken(**_bot_fields(host, bot), token=token)

    @router.post("/bots/{bot:path}/rotate", summary="Give a bot a new token; the old one ends")
    async def rotate(bot: _BotPath, who: Annotated[str, Depends(who_asks)]) -> BotWithToken:
        known = await _find_bot(host, bot)
        token = await host.store.bots.rotate(known.id, note=AuditNote(who, "bot rotate", known.id))
        host.lock_out(known.id)
        return BotWithToken(**_bot_fields(host, known), token=token)

    @router.post("/bots/{bot:path}/disable", summary="Lock a bot out")
    async def disable(bot: _BotPath, who: Annotated[str, Depends(who_asks)]) -> BotEntry:
        known = await _find_bot(host, bot)
        known = await host.store.bots.disable(known.id, note=AuditNote(who, "bot disable", known.id))
        host.lock_out(known.id)
        return BotEntry(**_bot_fields(host, known))

    @router.post("/bots/{bot:path}/enable", summary="Let a bot in again")
    async def enable(bot: _BotPath, who: Annotated[str, Depends(who_asks)]) -> BotEntry:
        known = await _find_bot(host, bot)
        known = await host.store.bots.enable(known.id, note=AuditNote(who, "bot enable", known.id))
        return BotEntry(**_bot_fields(host, known))


def _add_matches(router: APIRouter, host: Host, who_asks: HostOnly) -> None:
    @router.post("/matches", status_code=201, summary="Make a match")
    async def make_match(new: NewMatch, who: Annotated[str, Depends(who_asks)]) -> MadeMatch:
        entrants = [await _entrant(host, text) for text in new.bots]
        match = host.new_match_id()
        table = _create(host, new, entrants, match)
        codes = await _issue_codes(host, new, table, who)
        await host.store.audit.add(
            AuditNote(who, "match create", match, {"game": new.game, "bots": new.bots})
        )
        secret = host.keys.watch_token("match", match) if new.private and host.keys else None
        return MadeMatch(match=match, seat_codes=codes, watch_token=secret)

    @router.get("/audit", summary="Who did what, newest first")
    async def audit(
        who: Annotated[str, Depends(who_asks)],
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
        before: Annotated[int | None, Query(ge=1, lt=2**63, description="Lines older than this one.")] = None,
        target: Annotated[
            str | None, Query(description="Only about this bot, match or tournament.", max_length=64)
        ] = None,
    ) -> list[AuditEntry]:
        records = await host.store.audit.records(target=target, limit=limit, before=before)
        return [
            AuditEntry(
                number=record.number,
                at=record.at,
                who=record.note.who,
                command=record.note.command,
                target=record.note.target,
                details=dict(record.note.details),
            )
            for record in records
        ]


def _add_control(router: APIRouter, host: Host, who_asks: HostOnly) -> None:
    unknown: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such live match."}}

    async def note(who: str, command: str, match: str, **details: Any) -> None:
        await host.store.audit.add(AuditNote(who, f"match {command}", match, details))

    @router.post("/matches/{match}/pause", summary="Hold a match", responses=unknown)
    async def pause(match: _MatchPath, who: Annotated[str, Depends(who_asks)]) -> Done:
        changed = _friendly(host, match).match.pause()
        await note(who, "pause", match)
        return Done(changed=changed)

    @router.post("/matches/{match}/resume", summary="Let a held match go on", responses=unknown)
    async def resume(match: _MatchPath, who: Annotated[str, Depends(who_asks)]) -> Done:
        changed = _friendly(host, match).match.resume()
        await note(who, "resume", match)
        return Done(changed=changed)

    @router.post("/matches/{match}/step", summary="Play one tick of a held match", responses=unknown)
    async def step(match: _MatchPath, who: Annotated[str, Depends(who_asks)]) -> Done:
        changed = _friendly(host, match).match.step()
        await note(who, "step", match)
        return Done(changed=changed)

    @router.post("/matches/{match}/abort", summary="End a match without a result", responses=unknown)
    async def abort(match: _MatchPath, given: Why, who: Annotated[str, Depends(who_asks)]) -> Done:
        table = _live(host, match)
        changed = table.match.result is None
        await note(who, "abort", match, why=given.why)
        table.match.abort(given.why)
        return Done(changed=changed)

    @router.post("/matches/{match}/pace", summary="Change pace and times", responses=unknown)
    async def pace(match: _MatchPath, given: dict[str, Any], who: Annotated[str, Depends(who_asks)]) -> Done:
        table = _friendly(host, match)
        if table.match.result is not None:
            raise HTTPException(409, f"match {match} is over")
        try:
            settings = table.match.settings.model_validate(table.match.settings.model_dump() | given)
            table.match.change_pace(settings)
        except ValueError as error:
            raise HTTPException(422, _one_line(error)) from error
        await note(who, "pace", match, **given)
        return Done(changed=True)


_BotPath = Annotated[str, PathParameter(description="Id or name of a registered bot.", max_length=64)]
_MatchPath = Annotated[str, PathParameter(description="Id of a live match.", max_length=64)]


def _bot_fields(host: Host, bot: Bot) -> dict[str, Any]:
    link = host.gateway.links.find(bot.id)
    return {
        "id": bot.id,
        "name": bot.name,
        "owner": bot.owner,
        "created_at": bot.created_at,
        "disabled": bot.disabled_at is not None,
        "connected": link is not None and link.is_connected,
    }


async def _find_bot(host: Host, text: str) -> Bot:
    """Return a registered bot by its id or its exact name."""
    for bot in await host.store.bots.all():
        if text in (bot.id, bot.name):
            return bot
    raise HTTPException(404, f"there is no registered bot {text!r}")


async def _entrant(host: Host, text: str) -> Entrant:
    if text.startswith("guest:"):
        try:
            name = check_name(text.removeprefix("guest:"))
        except errors.BadName as error:
            raise HTTPException(422, str(error)) from error
        if await host.store.bots.like(name) is not None:
            raise HTTPException(422, f"bots: {name!r} is, or looks like, the name of a registered bot")
        return Entrant(BotId(f"seat-{host.new_match_id()}"), name)
    return (await _find_bot(host, text)).entrant


def _create(host: Host, new: NewMatch, entrants: list[Entrant], match: MatchId) -> Table:
    if len({entrant.bot for entrant in entrants}) < len(entrants):
        raise HTTPException(422, "bots: a bot has one seat in a match, not two")
    keys = [NameKeys.of(entrant.name) for entrant in entrants]
    if any(one.is_like(other) for one, other in combinations(keys, 2)):
        raise HTTPException(422, "bots: two names are the same or look the same")
    for entrant in entrants:
        if host.is_busy(entrant.bot):
            most = host.limits.matches_per_bot
            raise HTTPException(409, f"{entrant.name} plays {most} matches already (limits.matches_per_bot)")
    info = next((info for info in host.games() if info.id == new.game), None)
    if info is None:
        known = ", ".join(info.id for info in host.games())
        raise HTTPException(422, f"game {new.game!r} is not played here, but {known}")
    if not info.min_seats <= len(entrants) <= info.max_seats:
        fits = {info.min_seats, info.max_seats}
        raise HTTPException(
            422, f"{info.id} is for {' to '.join(map(str, sorted(fits)))} bots, not {len(entrants)}"
        )
    seats = {} if info.min_seats == info.max_seats else {"seats": len(entrants)}
    try:
        settings = MatchSettings.defaults(info, **new.settings)
        return host.create_match(
            new.game,
            entrants,
            setup={**seats, **new.setup},
            settings=settings,
            seed=new.seed,
            is_public=not new.private,
            match=match,
        )
    except (SetupError, ValidationError) as error:
        raise HTTPException(422, _one_line(error)) from error


async def _issue_codes(host: Host, new: NewMatch, table: Table, who: str) -> dict[str, str]:
    codes = {}
    for place, text in zip(table.match.seats, new.bots, strict=True):
        if text.startswith("guest:"):
            entrant = place.entrant
            grant = SeatGrant(entrant.bot, entrant.name, table.match.id, place.number)
            note = AuditNote(who, "seat code", table.match.id, {"name": entrant.name})
            lifetime = timedelta(hours=new.code_hours)
            codes[entrant.name] = await host.store.seat_codes.issue(grant, lifetime=lifetime, note=note)
    return codes


def _live(host: Host, match: str) -> Table:
    table = host.tables.get(MatchId(match))
    if table is None:
        raise HTTPException(404, f"there is no live match {match!r}")
    return table


def _friendly(host: Host, match: str) -> Table:
    """Return a live match that the host may meddle with: no tournament's, whose bots rely on its rules."""
    table = _live(host, match)
    if host.is_tournament(table.match.id):
        raise HTTPException(409, "this match belongs to a tournament; only abort it, and it is played again")
    return table


def _one_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'settings'}: {fault['msg']}" for fault in error.errors()
        )
    return str(error)
