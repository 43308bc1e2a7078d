"""Runs tournaments: brings free bots and free capacity together, whatever breaks in between."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import structlog

from fangnetz_protocol.words import BotId
from fangnetz_server.host.host import Host
from fangnetz_server.match.seats import Entrant
from fangnetz_server.scheduling.crew import Crew, Hand
from fangnetz_server.scheduling.files import stored_plan
from fangnetz_server.scheduling.lobby_news import LobbyNews
from fangnetz_server.scheduling.progress import Progress, expected_end
from fangnetz_server.scheduling.rating_book import RatingBook
from fangnetz_server.scheduling.run import SERVER, Job, Run
from fangnetz_server.scheduling.views import Views
from fangnetz_server.store.store import Store
from fangnetz_server.store.values import AuditNote, Tournament
from fangnetz_server.tournament.checks import most_matches
from fangnetz_server.tournament.options import DoubleEliminationOptions, GroupsOptions, KnockoutOptions
from fangnetz_server.tournament.values import BotKey

__all__ = ["CREATED", "FINISHED", "PAUSED", "RUNNING", "Scheduler", "default_capacity"]

_log = structlog.get_logger(__name__)

CREATED: Final = "created"
RUNNING: Final = "running"
PAUSED: Final = "paused"
FINISHED: Final = "finished"
_POLL_S: Final = 0.2
"""How often it is looked for bots that have come, gone or run out of grace; results are heard of at once."""
_CLOSE_S: Final = 2.0
"""Time for aborted matches to reach the store when the server ends."""
_WARM: Final = 4
"""Tournaments whose tables are ready soon after the start."""
_A_CORE: Final = 4
"""Matches a core: some wait for slow bots and take no time of the processor."""
_UP_TO: Final = (KnockoutOptions, DoubleEliminationOptions, GroupsOptions)
"""Formats whose number of matches is known only in the end."""


def default_capacity() -> int:
    """Return how many matches run at the same time unless the host says otherwise."""
    return _A_CORE * (os.cpu_count() or 1)


class Scheduler:
    """All tournaments of a server.

    Nothing of what it knows is needed after a crash: `open` reads the store and goes on.

    Args:
        host: makes the matches.
        capacity: matches at the same time; None: by the number of cores.
        logs: folder for what the bots print that the server starts itself.
        any_program: whether tournament files may name programs of any kind to start, not only the
            bots that come with Fangnetz.
    """

    def __init__(
        self,
        host: Host,
        *,
        capacity: int | None = None,
        logs: Path = Path("logs"),
        any_program: bool = False,
    ) -> None:
        self.host = host
        self.any_program = any_program
        self.changing = asyncio.Lock()
        """Held while the host's commands and the end of a tournament change its state."""
        self.ratings = RatingBook(host.store)
        self.views = Views(host.store)
        self.news = LobbyNews(host.store, self.views, self.progress, host.feed)
        self._capacity = capacity or default_capacity()
        self._logs = logs
        self._runs: dict[str, Run] = {}
        self._crews: dict[str, Crew] = {}
        self._address: str | None = None
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinking: set[str] = set()
        self._engaged: set[BotId] = set()
        self._counted: dict[str, tuple[tuple[datetime, int], tuple[int, int]]] = {}
        self._matches = 0
        self._first = 0

    @property
    def store(self) -> Store:
        return self.host.store

    @property
    def logs(self) -> Path:
        """Folder for what the bots print that the server starts itself."""
        return self._logs

    # --- from the start of the server to its end ----------------------------------------------

    @asynccontextmanager
    async def open(self, address: str) -> AsyncIterator[None]:
        """Go on with everything that was running, until the context is left.

        Args:
            address: where the bots that the server starts itself connect to (ws://…).

        Raises:
            StoreError: the tournaments cannot be read.
        """
        self._address = address
        self.host.feed.on_visit = self.news.watched
        for tournament in await self.store.tournaments.all(states=(RUNNING, PAUSED)):
            await self.adopt(tournament)
        self._spawn(self._warm())
        loop = asyncio.create_task(self._main(), name="scheduler")
        try:
            yield
        finally:
            loop.cancel()
            await self._close()
            with suppress(asyncio.CancelledError):
                await loop

    async def _warm(self) -> None:
        """Make the newest tables and the ratings ready: who asks first for large ones would have to wait."""
        for tournament in (await self.store.tournaments.all())[:_WARM]:
            await self.views.warm(tournament.id)
        await self.news.renew()
        for game in self.host.rules:
            await self.ratings.ratings(game)

    async def _close(self) -> None:
        """Abort the matches first: no bot may lose because the server takes it away."""
        self._abort(list(self._runs.values()), "the server shuts down")
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_CLOSE_S)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(crew.stop() for crew in self._crews.values()))
        await self.news.close()
        self._runs.clear()

    def _abort(self, runs: list[Run], why: str) -> None:
        for run in runs:
            run.is_paused = True
            for match in run.running.values():
                table = None if match is None else self.host.tables.get(match)
                if table is not None:
                    table.match.abort(why)

    # --- what the host's commands need --------------------------------------------------------

    async def adopt(self, tournament: Tournament) -> None:
        """Take up a tournament as the store has it now: its state, its pairings, who has withdrawn."""
        self.news.changed()
        if tournament.state not in (RUNNING, PAUSED) or self._address is None:
            return
        run = self._runs.get(tournament.id)
        if run is None:
            run = Run(tournament.id, stored_plan(tournament.spec), self.host)
            self._runs[tournament.id] = run
        run.is_paused = tournament.state == PAUSED
        run.is_over = False
        await run.load()
        if not run.is_paused:
            self._start_crew(run, self._address)
        self._engage()
        self._wake.set()

    async def drop(self, tournament: str, why: str) -> None:
        """Forget a tournament; its matches are aborted."""
        run = self._runs.get(tournament)
        if run is None:
            return
        self._abort([run], why)
        while run.running:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        del self._runs[tournament]
        await self._dismiss(tournament)

    def run(self, tournament: str) -> Run | None:
        """Return a tournament that is running or paused."""
        return self._runs.get(tournament)

    def runs(self) -> tuple[Run, ...]:
        """Return all tournaments that are running or paused."""
        return tuple(self._runs.values())

    async def progress(self, tournament: Tournament) -> Progress:
        """Return how far a tournament, as it is in the store, has come."""
        run = self._runs.get(tournament.id)
        plan = stored_plan(tournament.spec) if run is None else run.plan
        if run is None:
            (done, waiting), running = await self._count(tournament), 0
        else:
            done, running, waiting = run.done, len(run.running), run.waiting
        most = most_matches(plan.spec)
        over = tournament.state == FINISHED
        exact = over or (done + running + waiting and isinstance(plan.spec.format, _UP_TO))
        total = done + running + waiting if exact else most
        rate = None if run is None or run.is_paused else run.pace.per_second(time.monotonic())
        return Progress(
            state=tournament.state,
            done=done,
            running=running,
            waiting=waiting,
            total=total,
            per_minute=None if rate is None else round(60 * rate, 1),
            expected_end=None if total is None else expected_end(total - done, rate),
            away=() if run is None else run.away,
            stuck={} if run is None else {str(key): match for key, match in run.stuck.items()},
            problems=self._problems(run),
            confined=self._confined(run),
        )

    async def _count(self, tournament: Tournament) -> tuple[int, int]:
        """Return results and open pairings of a tournament that is not running; read once."""
        known = tournament.created_at, tournament.revision
        counted = self._counted.get(tournament.id)
        if counted is None or counted[0] != known:
            history = await self.store.tournaments.history(tournament.id)
            counted = known, (len(history.results), len(history.open()))
            self._counted[tournament.id] = counted
        return counted[1]

    def _problems(self, run: Run | None) -> tuple[str, ...]:
        if run is None:
            return ()
        crew = self._crews.get(run.id)
        troubles = {} if crew is None else crew.troubles
        own = [] if run.problem is None else [run.problem]
        return (*own, *(f"{name}: {trouble}" for name, trouble in sorted(troubles.items())))

    def _confined(self, run: Run | None) -> dict[str, str]:
        crew = None if run is None else self._crews.get(run.id)
        return {} if crew is None else dict(sorted(crew.confined.items()))

    # --- the loop -----------------------------------------------------------------------------

    async def _main(self) -> None:
        while True:
            self._wake.clear()
            if self.host.gateway.is_serving():
                self._step()
            pause_s = _POLL_S if self._runs else None
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
                    await self._wake.wait()

    def _step(self) -> None:
        runs = [run for run in self._runs.values() if not run.is_paused and not run.is_over]
        for run in runs:
            if run.must_think and run.id not in self._thinking:
                self._thinking.add(run.id)
                self._spawn(self._think(run))
        now_s = time.monotonic()
        # Everybody has a turn to be first, and each turn starts one match, so no tournament takes it all.
        self._first += 1
        turns = runs[self._first % len(runs) :] + runs[: self._first % len(runs)] if runs else []
        while turns:
            turns = [run for run in turns if self._start_one(run, now_s)]

    def _start_one(self, run: Run, now_s: float) -> bool:
        free = run.look(now_s, self._engaged)
        job = run.take(free, now_s, has_capacity=self._matches < self._capacity)
        if job is None:
            return False
        bots = {entrant.bot for entrant in run.entrants(job)} if job.needs_capacity else set()
        self._matches += job.needs_capacity
        self._engaged |= bots
        self._spawn(self._do(run, job, bots))
        return True

    async def _do(self, run: Run, job: Job, bots: set[BotId]) -> None:
        try:
            await run.do(job)
        finally:
            self._matches -= job.needs_capacity
            self._engaged -= bots
            self._wake.set()
            self.news.changed()

    async def _think(self, run: Run) -> None:
        try:
            await run.insist(lambda: self._think_once(run))
        except Exception as error:
            run.problem = f"the next pairings cannot be found: {error}"
            raise
        finally:
            self._thinking.discard(run.id)
            self._wake.set()

    async def _think_once(self, run: Run) -> None:
        await run.think()
        if run.is_over:
            await self._finish(run)

    async def _finish(self, run: Run) -> None:
        async with self.changing:
            history = await self.store.tournaments.history(run.id)
            if history.open() or run.is_paused or run.must_think:
                run.is_over = False  # The host has changed something in the last moment.
                return
            note = AuditNote(SERVER, "tournament finish", run.id)
            await self.store.tournaments.set_state(run.id, FINISHED, of=(RUNNING,), note=note)
            await self.store.seat_codes.revoke(tournament=run.id)
            self._runs.pop(run.id, None)
        _log.info("tournament_finished", tournament=run.id)
        self.news.changed()
        await self._dismiss(run.id)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("scheduler_task_failed", exc_info=error)

    # --- bots ---------------------------------------------------------------------------------

    def _start_crew(self, run: Run, address: str) -> None:
        if run.plan.bots and run.id not in self._crews:
            hands = [
                Hand(bot, self.host.admission.reserve(self._entrant(run, bot.name))) for bot in run.plan.bots
            ]
            self._crews[run.id] = Crew(address, hands, self._logs / run.id)
            self._crews[run.id].start()

    def _entrant(self, run: Run, name: str) -> Entrant:
        return Entrant(run.bots[BotKey(name)], name)

    async def _dismiss(self, tournament: str) -> None:
        crew = self._crews.pop(tournament, None)
        if crew is not None:
            await crew.stop()  # First, or they would be brought together for a friendly match.
        self._engage()

    def _engage(self) -> None:
        """Bots of running tournaments play no friendly matches."""
        self.host.engage({bot for run in self._runs.values() for bot in run.bots.values()})
