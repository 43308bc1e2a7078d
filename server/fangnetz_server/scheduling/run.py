"""One tournament that is being played. Everything in here can be read from the store again."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar

import structlog

from fangnetz_protocol.words import BotId, MatchId, MatchReason
from fangnetz_server.host.host import Host
from fangnetz_server.host.keeping import retry_pauses
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant
from fangnetz_server.match.seats import Presence as SeatPresence
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.scheduling.files import Plan
from fangnetz_server.scheduling.progress import Pace
from fangnetz_server.scheduling.setups import Setups
from fangnetz_server.scheduling.waiting import StoredPairings, Waiting
from fangnetz_server.scheduling.walkovers import walkover_result
from fangnetz_server.store.errors import PairingConflict, PairingDecided, StoreUnavailable, Unknown
from fangnetz_server.store.values import AuditNote, Entry, MatchStart, PairingRef
from fangnetz_server.tournament.absence import Play, Settled, disposition, long_absent
from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.options import (
    DoubleEliminationOptions,
    GroupsOptions,
    KnockoutOptions,
    LadderOptions,
)
from fangnetz_server.tournament.ratings import Rating
from fangnetz_server.tournament.ratings import ratings as compute_ratings
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing, PairingId

__all__ = ["SERVER", "Job", "Run"]

T = TypeVar("T")
_log = structlog.get_logger(__name__)

SERVER: Final = "server"
"""Who it was, in the audit log, when the rules of the tournament and nobody else decided."""
_PATIENCE: Final = 3
"""Times that the server may break a pairing before the host has to say that it is to be tried again."""
_LONGEST_READY_MS: Final = 3_600_000
_EAGER: Final = (KnockoutOptions, DoubleEliminationOptions, GroupsOptions, LadderOptions)
"""Formats in which single results make new pairings; the others wait for the end of a round."""


@dataclass(frozen=True, slots=True)
class Job:
    """A pairing that can be dealt with now: to be played, or settled without play."""

    pairing: Pairing
    what: Play | Settled

    @property
    def needs_capacity(self) -> bool:
        return isinstance(self.what, Play)


class Run:
    """A tournament between its start and its end.

    Args:
        tournament: its id.
        plan: its file.
        host: makes the matches.
    """

    def __init__(self, tournament: str, plan: Plan, host: Host) -> None:
        self.id = tournament
        self.plan = plan
        self.spec = plan.spec
        self.is_paused = False
        self.is_over = False
        self.must_think = True
        """New pairings may be due."""
        self._must_load = False
        """The store may know something else than this: nobody can tell what a lost connection has done."""
        self.done = 0
        self.pace = Pace()
        self.running: dict[PairingId, MatchId | None] = {}
        """Pairings that are dealt with at the moment, with their match once there is one."""
        self.stuck: dict[PairingId, MatchId | None] = {}
        """Pairings that the server broke again and again, with the newest match."""
        self.problem: str | None = None
        """Why it does not go on at the moment."""
        self.bots: dict[BotKey, BotId] = {}
        self._host = host
        self._store = host.store
        info = host.rules[self.spec.game].info
        self._info = info
        self._setups = Setups(self.spec, info)
        self._settings = _settings(plan, MatchSettings.defaults(info, **self.spec.settings))
        self._waiting = Waiting()
        self._attempts: dict[PairingId, int] = {}
        self._broken: Counter[PairingId] = Counter()
        self._missing: dict[BotKey, float] = {}
        """Since when others wait for a bot that is away."""
        self._withdrawn: frozenset[BotKey] = frozenset()
        self._shown_round = 0
        self._known: tuple[int, dict[BotKey, Rating]] = (0, {})

    # --- what the store says ------------------------------------------------------------------

    async def load(self) -> None:
        """Read from the store what is to be done; what is dealt with at the moment is left alone."""
        before = set(self.running)
        entries = await self._store.tournaments.entries(self.id)
        records = await self._store.tournaments.pairings(self.id)
        released = await self._store.tournaments.released(self.id)
        stored = await asyncio.to_thread(StoredPairings.of, records)
        # What has happened while the store was asked is known better here than there.
        here = set(self.running)
        returned = [pairing for pairing in self._waiting if pairing.id in before]
        known = (before | here) & stored.open.keys()
        for key in known:
            stored.waiting.remove(stored.open[key])
        stored.waiting.add(returned)
        decided = known - here - {pairing.id for pairing in returned}
        self.bots = {entry.key: entry.bot for entry in entries}
        self._withdrawn = _withdrawn(entries)
        self._shown_round = max((known.round for known in released), default=0)
        self._attempts = {
            **stored.attempts,
            **{key: self._attempts[key] for key in known if key in self._attempts},
        }
        self.done = stored.done + len(decided)
        self._waiting = stored.waiting
        self.must_think = True

    @property
    def waiting(self) -> int:
        """Pairings that are to be played and are not dealt with at the moment."""
        return len(self._waiting)

    @property
    def away(self) -> tuple[BotKey, ...]:
        """Bots that others wait for."""
        return tuple(sorted(self._missing))

    # --- who is there -------------------------------------------------------------------------

    def look(self, now_s: float, engaged: Collection[BotId]) -> set[BotKey]:
        """See who is there, and return those who are free for a match.

        Args:
            now_s: the time on any clock.
            engaged: bots that matches have been found for.
        """
        free = set()
        for key, bot in self.bots.items():
            link = self._host.gateway.links.find(bot)
            if link is not None and link.is_connected and self.spec.game in link.games:
                self._missing.pop(key, None)
                if not link.tables and bot not in engaged:
                    free.add(key)
            elif self._waiting.wants(key) and key not in self._withdrawn:
                self._missing.setdefault(key, now_s)
            else:
                self._missing.pop(key, None)
        return free

    def take(self, free: set[BotKey], now_s: float, *, has_capacity: bool) -> Job | None:
        """Take the first pairing that can be dealt with out of those that wait.

        Whoever is slow, busy or away keeps only the own pairings waiting.

        Args:
            free: bots that can play.
            now_s: as for `look`.
            has_capacity: whether a match may start; without it only what needs none is taken.
        """
        excused = self._excused(now_s)
        if not excused and (not has_capacity or len(free) < 2):
            return None
        for pairing in self._waiting.ready(free, excused, self.stuck):
            absent = excused.intersection(pairing.seats)
            job = Job(pairing, disposition(self.spec, pairing, absent, self._info.min_seats))
            if job.needs_capacity and not (has_capacity and self._can_play(job, free)):
                continue
            self._take_out(pairing, now_s, absent)
            return job
        return None

    def _take_out(self, pairing: Pairing, now_s: float, absent: Collection[BotKey]) -> None:
        self._waiting.remove(pairing)
        self.running[pairing.id] = None
        for key in absent:
            if key in self._missing:
                self._missing[key] = now_s  # The grace time begins anew for its next match.

    def _excused(self, now_s: float) -> frozenset[BotKey]:
        """Return the bots that nobody has to wait for any more."""
        excused = {key for key in self._withdrawn if self._waiting.wants(key)}
        if self.spec.absence.then == "walkover":
            grace_s = self.spec.absence.grace_s
            excused |= {key for key, since in self._missing.items() if now_s - since >= grace_s}
        return frozenset(excused)

    def _can_play(self, job: Job, free: Collection[BotKey]) -> bool:
        assert isinstance(job.what, Play), "only what is played needs bots"
        return all(job.pairing.seats[seat] in free for seat in job.what.seats)

    def entrants(self, job: Job) -> list[Entrant]:
        """Return who sits on each seat; in the match a bot has the name that it has in the tournament."""
        seats = job.what.seats if isinstance(job.what, Play) else range(len(job.pairing.seats))
        return [Entrant(self.bots[key], key) for key in (job.pairing.seats[seat] for seat in seats)]

    # --- dealing with a pairing ---------------------------------------------------------------

    async def do(self, job: Job) -> None:
        """Deal with a pairing until it has a result in the store, or waits again."""
        pairing, counts, is_unclear = job.pairing, False, False
        try:
            counts = await self._deal_with(job)
        except (PairingDecided, PairingConflict, Unknown) as conflict:
            # The host did something meanwhile, or a database has come back without its last moments.
            _log.warning("pairing_conflict", tournament=self.id, problem=str(conflict))
            is_unclear = True
            self._lose_patience(pairing.id)
        except Exception as error:
            _log.exception("pairing_failed", tournament=self.id, pairing=pairing.id)
            self.problem = f"pairing {pairing.id}: {error}"
            self.stuck[pairing.id] = self.running[pairing.id]
        finally:
            del self.running[pairing.id]
        if counts:
            self.done += 1
            self.pace.note(time.monotonic())
        elif is_unclear:
            self._must_load = True
        else:
            self._waiting.add((pairing,))
        if self._must_load or isinstance(self.spec.format, _EAGER) or not (self._waiting or self.running):
            self.must_think = True

    async def _deal_with(self, job: Job) -> bool:
        if isinstance(job.what, Play):
            return await self._play(job)
        await self._settle(job, job.what.fact)
        self.must_think = True
        return True

    async def _play(self, job: Job) -> bool:
        """Play a match and tell whether it has a result."""
        pairing = job.pairing
        entrants, match = self.entrants(job), self._host.new_match_id()
        ref = self._attempt(pairing)
        table = await self.insist(
            lambda: self._host.begin_match(
                self.spec.game,
                entrants,
                setup=self._setups.of(pairing.map, len(entrants)),
                settings=self._settings,
                seed=pairing.seed,
                is_public=not self.spec.staged_release or pairing.round <= self._shown_round,
                pairing=ref,
                match=match,
            )
        )
        self.running[pairing.id] = table.match.id
        result = await self._host.wait_result(table.match.id)
        self._note_failure(pairing.id, result)
        if any(seat.presence is not SeatPresence.PLAYED for seat in result.seats):
            self.must_think = True
        return bool(result.places)

    def _note_failure(self, pairing: PairingId, result: MatchResult) -> None:
        if result.reason != MatchReason.INFRA_ERROR:
            self._broken.pop(pairing, None)
            return
        self._lose_patience(pairing)

    def _lose_patience(self, pairing: PairingId) -> None:
        self._broken[pairing] += 1
        if self._broken[pairing] >= _PATIENCE:
            self.stuck[pairing] = self.running[pairing]

    def try_again(self) -> None:
        """Try everything again that was given up because it failed too often."""
        self.stuck.clear()
        self._broken.clear()
        self.problem = None

    async def _settle(self, job: Job, fact: MatchFact) -> None:
        start = MatchStart(
            match=self._host.new_match_id(),
            game=self.spec.game,
            rules_version=self._info.rules_version,
            seed=job.pairing.seed,
            setup={},
            settings={},
            entrants=tuple(self.entrants(job)),
            created_at=datetime.now(UTC),
            pairing=self._attempt(job.pairing),
            is_public=not self.spec.staged_release or job.pairing.round <= self._shown_round,
        )
        result = walkover_result(start, fact)
        await self.insist(lambda: self._store.matches.finish(start, result, replay=None))

    def _attempt(self, pairing: Pairing) -> PairingRef:
        number = self._attempts.get(pairing.id, 0) + 1
        self._attempts[pairing.id] = number
        return PairingRef(self.id, pairing.id, number)

    async def insist(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something with the store, as often as it takes until the store can; nothing is done twice."""
        for pause_s in retry_pauses():
            try:
                result = await work()
            except StoreUnavailable as error:
                self.problem = str(error)
                self._must_load = True
                _log.error("store_does_not_take", tournament=self.id, problem=str(error))
                await asyncio.sleep(pause_s)
            else:
                self.problem = None
                return result
        raise AssertionError("there is always another try")

    # --- what comes next ----------------------------------------------------------------------

    async def think(self) -> None:
        """Take out who has left for good, and hand out the pairings that are due."""
        if self._must_load:
            self._must_load = False
            await self.load()
        self.must_think = False
        tournaments = self._store.tournaments
        history = await tournaments.history(self.id)
        for key in sorted(long_absent(self.spec, history)):
            note = AuditNote(SERVER, "tournament withdraw", self.id, {"bot": key, "why": "absent too often"})
            await tournaments.withdraw(self.id, key, note=note)
        history = await tournaments.history(self.id)
        self._withdrawn = history.withdrawn
        drawn = await asyncio.to_thread(self._draw, history, frozenset(self._missing) | self._absent())
        await tournaments.add_pairings(self.id, drawn)
        self._waiting.add([pairing for pairing in drawn if not pairing.is_bye])
        if drawn and all(pairing.is_bye for pairing in drawn):
            self.must_think = True
        self.is_over = not (drawn or history.open() or self._is_endless or self.running)

    @property
    def _is_endless(self) -> bool:
        return isinstance(self.spec.format, LadderOptions) and self.spec.format.meetings is None

    def _absent(self) -> frozenset[BotKey]:
        links = self._host.gateway.links
        return frozenset(
            key
            for key, bot in self.bots.items()
            if (link := links.find(bot)) is None or not link.is_connected
        )

    def _draw(self, history: History, away: frozenset[BotKey]) -> tuple[Pairing, ...]:
        if not isinstance(self.spec.format, LadderOptions):
            return next_pairings(self.spec, history)
        return next_pairings(self.spec, history, away=away, ratings=self._ratings(history))

    def _ratings(self, history: History) -> dict[BotKey, Rating]:
        """Return ratings that are good enough to pair by: at most a hundredth of the results is missing."""
        count, known = self._known
        if len(history.results) > count + count // 100:
            known = compute_ratings(history)
            self._known = len(history.results), known
        return known


def _settings(plan: Plan, settings: MatchSettings) -> MatchSettings:
    """Return the settings of the matches: who is there but does not get ready has the same grace time."""
    if "ready_ms" in plan.spec.settings:
        return settings
    grace_ms = min(int(plan.spec.absence.grace_s * 1000), _LONGEST_READY_MS)
    return settings.model_copy(update={"ready_ms": max(settings.ready_ms, grace_ms)})


def _withdrawn(entries: Collection[Entry]) -> frozenset[BotKey]:
    return frozenset(entry.key for entry in entries if entry.withdrawn_at is not None)
