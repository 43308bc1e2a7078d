"""What a host may do with tournaments. Each command is in the audit log, and twice is as good as once."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from fangnetz_protocol import errors
from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.host.admission import check_name
from fangnetz_server.scheduling.files import Plan, plan_id, read_plan, stored_plan
from fangnetz_server.scheduling.own_bots import OwnBot
from fangnetz_server.scheduling.scheduler import CREATED, FINISHED, PAUSED, RUNNING, Scheduler
from fangnetz_server.store.errors import NameTaken, TournamentConflict, Unknown
from fangnetz_server.store.values import AuditNote, Correction, Entry, MatchRecord, SeatGrant, Tournament
from fangnetz_server.tournament.spec import SpecError
from fangnetz_server.tournament.values import BotKey

__all__ = ["Commands", "places_of"]

_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_OWNER: Final = "server"
"""Owner of the bots that a tournament file brings along."""


class Commands:
    """The host's commands over one scheduler.

    Every method takes `who` asks, for the audit log, and raises `Refused` (of the store) for what
    does not go, and `StoreUnavailable` while the store cannot; then nothing was changed.
    """

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._store = scheduler.store

    async def read(self, data: Mapping[str, Any]) -> Plan:
        """Return a tournament file as it would be played here.

        Raises:
            SpecError: it cannot be; the text names the place.
        """
        names = [bot.name for bot in await self._store.bots.all()]
        plan = read_plan(data, self._scheduler.host.rules, names)
        for number, bot in enumerate(plan.bots):
            await self._check_own(f"bots.{number}", bot)
        return plan

    async def create(self, data: Mapping[str, Any], who: str, tournament: str | None = None) -> Tournament:
        """Store a tournament file; it waits for its start.

        Args:
            data: the content of the file.
            who: asks.
            tournament: its id; None: made from its name.

        Raises:
            SpecError: see `read`; nothing is stored.
            TournamentConflict: another tournament has this id.
        """
        plan = await self.read(data)
        key = plan_id(plan.spec.name) if tournament is None else tournament
        if not _ID.fullmatch(key):
            raise SpecError("id", f"{key!r} has to be small letters, digits, - and _, at most 64")
        own = {bot.name for bot in plan.bots}
        bots = {bot.name: bot.id for bot in await self._store.bots.all()}
        for name in sorted(own - bots.keys()):
            note = AuditNote(who, "bot add", name, {"tournament": key})
            bots[name] = (await self._store.bots.add(name, owner=_OWNER, note=note))[0].id
        note = AuditNote(who, "tournament create", key, {"name": plan.spec.name})
        entries = _entries(plan, bots)
        made = await self._store.tournaments.create(
            key, plan.spec.name, plan.to_json(), entries, state=CREATED, note=note
        )
        self._scheduler.news.changed()
        return made

    async def start(self, tournament: str, who: str) -> Tournament:
        """Let a tournament begin; one that has begun, or is over, stays as it is.

        Raises:
            TournamentConflict: another one has started bots with the same names.
        """
        known = await self._store.tournaments.get(tournament)
        if known.state == FINISHED:
            return known
        if known.state == CREATED:
            self._refuse_shared(known)
        return await self._change(tournament, who, "start", RUNNING, (CREATED,))

    async def pause(self, tournament: str, who: str) -> Tournament:
        """Let no more matches begin; those that run go on to their end."""
        return await self._change(tournament, who, "pause", PAUSED, (RUNNING,))

    async def resume(self, tournament: str, who: str) -> Tournament:
        """Go on after a pause."""
        return await self._change(tournament, who, "resume", RUNNING, (PAUSED,))

    async def withdraw(self, tournament: str, bot: str, who: str) -> Tournament:
        """Take a bot out for good."""
        async with self._scheduler.changing:
            note = AuditNote(who, "tournament withdraw", tournament, {"bot": bot})
            await self._store.tournaments.withdraw(tournament, BotKey(bot), note=note)
            return await self._adopted(tournament)

    async def seat_code(self, tournament: str, bot: str, who: str, lifetime: timedelta) -> str:
        """Return a code with which somebody plays as a bot of a tournament, without its token, until its end.

        Args:
            bot: its name in the tournament.
            lifetime: after that a code that nobody has used is worth nothing.

        Raises:
            Unknown: there is no such tournament, or no such bot in it.
            TournamentConflict: it is over.
        """
        async with self._scheduler.changing:
            if (await self._store.tournaments.get(tournament)).state == FINISHED:
                raise TournamentConflict(f"tournament {tournament} is over")
            entries = await self._store.tournaments.entries(tournament)
            found = next((entry for entry in entries if entry.key == bot), None)
            if found is None:
                raise Unknown("bot in the tournament", bot)
            grant = SeatGrant(found.bot, bot, tournament=tournament)
            note = AuditNote(who, "seat code", tournament, {"bot": bot})
            return await self._store.seat_codes.issue(grant, lifetime=lifetime, note=note)

    async def release(self, tournament: str, number: int, who: str) -> Tournament:
        """Show the results of all rounds up to this one to everybody."""
        async with self._scheduler.changing:
            await self._store.tournaments.get(tournament)
            known = {shown.round for shown in await self._store.tournaments.released(tournament)}
            async with self._scheduler.ratings.changing():
                for round_ in sorted(set(range(1, number + 1)) - known):
                    note = AuditNote(who, "tournament release", tournament, {"round": round_})
                    await self._store.tournaments.release(tournament, round_, who, note=note)
            for record in list(self._scheduler.host.results.newest()):
                if record.pairing is not None and record.pairing.tournament == tournament:
                    await self._renew(record.match)
            await self._publish_running(tournament)
            return await self._adopted(tournament)

    async def repeat(self, match: str, why: str, who: str) -> Tournament:
        """Annul the result of a match, so that its pairing is played again.

        A match without a result needs no annulling; its pairing is tried again even if the server
        has broken it often.
        """
        async with self._scheduler.changing:
            stored = await self._store.matches.get(MatchId(match))
            ref = stored.start.pairing
            if ref is None:
                raise Unknown("match of a tournament", match)
            note = AuditNote(who, "tournament repeat", ref.tournament, {"match": match, "why": why})
            if stored.record is not None and stored.record.places:
                await self._correct(stored.record, (), (), why, who, note)
            else:
                await self._store.audit.add(note)
            return await self._reopened(ref.tournament, who)

    async def repeat_failed(self, tournament: str, who: str) -> Tournament:
        """Try all pairings again that the server has broken too often."""
        async with self._scheduler.changing:
            await self._store.tournaments.get(tournament)
            await self._store.audit.add(AuditNote(who, "tournament repeat failed", tournament))
            return await self._reopened(tournament, who)

    async def correct(
        self, match: str, points: Sequence[float], places: Sequence[int] | None, why: str, who: str
    ) -> Tournament:
        """Give the result of a match other points and places; the old ones stay on record.

        Args:
            match: its id.
            points: one a seat.
            places: one a seat, from 1; None: by the points.
            why: the reason, for everybody.
            who: asks.

        Raises:
            ValueError: points and places are not one a seat.
        """
        async with self._scheduler.changing:
            record = await self._store.matches.find(MatchId(match))
            if record is None or record.pairing is None:
                raise Unknown("finished match of a tournament", match)
            given = tuple(places) if places is not None else places_of(points)
            details = {"match": match, "points": list(points), "places": list(given), "why": why}
            note = AuditNote(who, "tournament correct", record.pairing.tournament, details)
            if not given:
                raise ValueError("give points for each seat; to annul a result, repeat the match")
            await self._correct(record, tuple(points), given, why, who, note)
            return await self._adopted(record.pairing.tournament)

    async def delete(self, tournament: str, who: str, *, and_results: bool = False) -> bool:
        """Delete a tournament that is not running; return whether it was there.

        Raises:
            TournamentHasResults: it has results, and those were not to be deleted.
        """
        async with self._scheduler.changing:
            try:
                known = await self._store.tournaments.get(tournament)
            except Unknown:
                return False
            if known.state == RUNNING:
                raise TournamentConflict(
                    f"tournament {tournament!r} is running; pause it before you delete it"
                )
            if not and_results:  # See that the store agrees before anything is aborted.
                page = await self._store.matches.page(tournament=tournament, limit=1)
                if page.total == 0:
                    await self._scheduler.drop(tournament, "the tournament is deleted")
            else:
                await self._scheduler.drop(tournament, "the tournament is deleted")
            note = AuditNote(who, "tournament delete", tournament, {"and_results": and_results})
            await self._store.seat_codes.revoke(tournament=tournament)
            async with self._scheduler.ratings.changing():
                gone = await self._store.tournaments.delete(tournament, and_results=and_results, note=note)
            self._scheduler.news.changed()
            return gone

    # --- what they share ----------------------------------------------------------------------

    async def _change(
        self, tournament: str, who: str, command: str, state: str, of: tuple[str, ...]
    ) -> Tournament:
        async with self._scheduler.changing:
            note = AuditNote(who, f"tournament {command}", tournament)
            await self._store.tournaments.set_state(tournament, state, of=of, note=note)
            return await self._adopted(tournament)

    def _refuse_shared(self, tournament: Tournament) -> None:
        """A bot has one program at a time: two would take the connection from each other again and again."""
        own = {bot.name for bot in stored_plan(tournament.spec).bots}
        for run in self._scheduler.runs():
            shared = sorted(own.intersection(bot.name for bot in run.plan.bots))
            if shared and run.id != tournament.id:
                raise TournamentConflict(
                    f"tournament {run.id!r} is not over and has started {', '.join(shared)} as well; "
                    f"a bot is one program at a time: rename them in {tournament.id!r}, or start it later"
                )

    async def _adopted(self, tournament: str) -> Tournament:
        known = await self._store.tournaments.get(tournament)
        await self._scheduler.adopt(known)
        return known

    async def _reopened(self, tournament: str, who: str) -> Tournament:
        """Go on with a tournament that may have been over, and with what was broken too often."""
        if (await self._store.tournaments.history(tournament)).open():
            known = await self._store.tournaments.get(tournament)
            if known.state == FINISHED:
                note = AuditNote(who, "tournament reopen", tournament)
                await self._store.tournaments.set_state(tournament, RUNNING, of=(FINISHED,), note=note)
        run = self._scheduler.run(tournament)
        if run is not None:
            run.try_again()
        return await self._adopted(tournament)

    async def _correct(
        self,
        record: MatchRecord,
        points: tuple[float, ...],
        places: tuple[int, ...],
        why: str,
        who: str,
        note: AuditNote,
    ) -> None:
        correction = Correction(record.match, points, places, why, who, datetime.now(UTC))
        async with self._scheduler.ratings.changing():
            await self._store.matches.correct(correction, note=note)
        await self._renew(record.match)

    async def _publish_running(self, tournament: str) -> None:
        run = self._scheduler.run(tournament)
        for match in [] if run is None else list(run.running.values()):
            if match is not None and (await self._store.matches.get(match)).start.is_public:
                self._scheduler.host.publish(match)

    async def _renew(self, match: MatchId) -> None:
        record = await self._store.matches.find(match)
        if record is not None:
            self._scheduler.host.results.renew(record)

    async def _check_own(self, where: str, bot: OwnBot) -> None:
        if not (bot.is_reference or self._scheduler.any_program):
            raise SpecError(
                where,
                "this server starts only the bots that come with Fangnetz; to let tournament files name "
                'programs, set programs = "any" in [tournament] of its settings',
            )
        if _sees(bot, self._scheduler.logs):
            raise SpecError(f"{where}.folder", "holds the server's own data, which no bot may read")
        try:
            name = check_name(bot.name)
            known = await self._store.bots.like(name)
        except (errors.BadName, ValueError) as error:
            raise SpecError(f"{where}.name", str(error)) from error
        if name != bot.name:
            raise SpecError(f"{where}.name", f"write it as {name!r}")
        if known is not None and known.name != bot.name:
            raise SpecError(f"{where}.name", str(NameTaken(bot.name, known.name)))


def _sees(bot: OwnBot, logs: Path) -> bool:
    """Tell whether a confined program would find the server's data in its folder."""
    return bool(bot.program) and logs.resolve().is_relative_to(Path(str(bot.folder)).resolve())


def places_of(points: Sequence[float]) -> tuple[int, ...]:
    """Return the places that follow from points; equal ones are shared (1, 1, 3)."""
    return tuple(1 + sum(other > mine for other in points) for mine in points)


def _entries(plan: Plan, bots: Mapping[str, BotId]) -> list[Entry]:
    return [Entry(key, bots[key], rank) for rank, key in enumerate(plan.spec.bots(), start=1)]
