"""Wires the parts together: the desk behind the gateway, the matches, the archive, the lobby."""

import asyncio
import contextlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final

import structlog

from fangnetz_protocol import errors
from fangnetz_protocol.messages import Hello
from fangnetz_protocol.words import MatchId
from fangnetz_server.games.contract import GameInfo
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.gateway.doorman import Refusal
from fangnetz_server.gateway.gateway import DIRECT, Entrance, Gateway
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.links import BotLink
from fangnetz_server.gateway.routes import Route
from fangnetz_server.gateway.table import Table
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.archive import Archive, MatchRecord
from fangnetz_server.host.housekeeper import Housekeeper
from fangnetz_server.host.lobby import LobbyFeed, entry_of_record, entry_of_table, matches_message
from fangnetz_server.host.matchmaker import Matchmaker
from fangnetz_server.match.clock import Clock, MonotonicClock
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.metrics import Metrics

__all__ = ["Host", "SetupChooser"]

_log = structlog.get_logger(__name__)

SetupChooser = Callable[[GameInfo, int], Mapping[str, Any]]
"""Gives the setup of a friendly match for a game and a number of seats."""

_SHOWN: Final = 200
"""Finished matches in the lobby; older ones are in the archive and its API."""
_RETRY_S: Final = 5.0
"""Pause before a result is stored again that the disk did not take."""


class Host:
    """One server's matches.

    Args:
        games: the games to play, by id.
        archive: where results go before anybody hears of them.
        admission: who may come in.
        settings: pace and times a game, by its id; left out: the game's own in lockstep.
        setups: chooses map and ruleset of friendly matches; None: the game's default.
        matchmaking: False: matches are made by `create_match` only.
        limits, clock, metrics: of the whole server.
        entrance: how the outside reaches it.
        delay_s: time by which spectators see everything later (P3.6).
        seat_views: whether spectators may ask for one seat's view.
    """

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        archive: Archive,
        admission: Admission,
        *,
        settings: Mapping[str, MatchSettings] | None = None,
        setups: SetupChooser | None = None,
        matchmaking: bool = True,
        limits: Limits | None = None,
        clock: Clock | None = None,
        metrics: Metrics | None = None,
        entrance: Entrance = DIRECT,
        delay_s: float = 0.0,
        seat_views: bool = True,
    ) -> None:
        self.archive = archive
        self.admission = admission
        self.limits = limits or Limits()
        self._games = dict(games)
        self._clock = clock or MonotonicClock()
        self._settings = {
            name: (settings or {}).get(name) or MatchSettings.defaults(game.info)
            for name, game in games.items()
        }
        self._setups = setups or (
            lambda info, seats: {"seats": seats} if info.max_seats > info.min_seats else {}
        )
        self.tables: dict[MatchId, Table] = {}
        self.records: OrderedDict[MatchId, MatchRecord] = OrderedDict(
            (record.match, record) for record in archive.records()
        )
        self._endings: dict[MatchId, asyncio.Future[MatchResult]] = {}
        self._storing: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()
        self._unstored: set[MatchId] = set()
        """Matches whose result the disk has refused so far."""
        self.metrics = metrics or Metrics()
        self._delay_s = delay_s
        self._seat_views = seat_views
        self.gateway = Gateway(self, self.limits, self._clock, self.metrics, entrance)
        self._housekeeper = Housekeeper(
            self.gateway, self.tables.values, limits=self.limits, clock=self._clock, metrics=self.metrics
        )
        self._feed = LobbyFeed(self.gateway.lobby, self.running)
        infos = self.games() if matchmaking else ()
        self._matchmaker = Matchmaker(infos, self._start_friendly)

    def running(self) -> list[Table]:
        """Return the tables whose match is running."""
        return [table for table in self.tables.values() if table.match.phase is Phase.RUNNING]

    @property
    def rules(self) -> Mapping[str, AnyGame]:
        """The games of this server by id."""
        return self._games

    def bots_connected(self) -> int:
        """Return the number of bots that have a connection."""
        return sum(link.is_connected for link in self.gateway.links)

    def not_ready(self) -> str | None:
        """Return why no new match should begin here, or None."""
        if not self.gateway.is_serving():
            return "the server shuts down"
        if self._unstored:
            return f"{len(self._unstored)} results wait for the disk"
        return None

    # --- matches ------------------------------------------------------------------------------

    def create_match(
        self,
        game: str,
        entrants: Sequence[Entrant],
        *,
        setup: Mapping[str, Any] | None = None,
        settings: MatchSettings | None = None,
        seed: int | None = None,
    ) -> Table:
        """Make a match; it begins as soon as its bots are there.

        Args:
            game: id of the game.
            entrants: who sits on each seat, in seat order.
            setup: map, ruleset and so on, as in a scenario file; `seats` follows from the entrants.
            settings: pace and times; None: the server's for this game.
            seed: None: drawn.

        Raises:
            SetupError: the rules do not allow this setup.
        """
        rules = self._games[game]
        seed = secrets.randbits(63) if seed is None else seed
        state = rules.prepare(seed, setup or {})
        table = Table(
            self._new_id(),
            rules,
            state,
            seed=seed,
            entrants=entrants,
            settings=settings or self._settings[game],
            limits=self.limits,
            clock=self._clock,
            metrics=self.metrics,
            delay_s=self._delay_s,
            on_change=self._changed,
            on_finished=self._finished,
            on_shown=self._shown,
        )
        self.tables[table.match.id] = table
        self._endings[table.match.id] = asyncio.get_running_loop().create_future()
        _log.info(
            "match_created", match=table.match.id, game=game, seats=[entrant.name for entrant in entrants]
        )
        self._changed(table)
        for link in self.gateway.links:
            self._offer_seat(link, table)
        return table

    async def wait_result(self, match: MatchId) -> MatchResult:
        """Wait until the result of a match made by this host is stored and announced."""
        return await asyncio.shield(self._endings[match])

    def _new_id(self) -> MatchId:
        while (match := MatchId(secrets.token_hex(5))) in self.records or match in self.tables:
            pass
        return match

    def _start_friendly(self, info: GameInfo, players: Sequence[BotLink]) -> None:
        setup = self._setups(info, len(players))
        self.create_match(info.id, [link.entrant for link in players], setup=setup)

    def _changed(self, table: Table) -> None:
        self._feed.changed(table)

    # --- the end of a match -------------------------------------------------------------------

    def _finished(self, table: Table, result: MatchResult) -> None:
        task = asyncio.create_task(self._store(table, result))
        self._storing.add(task)
        task.add_done_callback(self._storing.discard)

    async def _store(self, table: Table, result: MatchResult) -> None:
        """Put the result on the disk, however long it takes, then tell everybody (decision 3)."""
        ended_at = datetime.now(UTC).isoformat(timespec="seconds")
        replay, last = table.recorder.data, table.match.last_messages(replay_url(result.match))
        while True:
            last_try = self._closing.is_set()
            try:
                record = await asyncio.to_thread(self.archive.store, result, replay, last, ended_at)
                break
            except OSError as error:
                self._unstored.add(result.match)
                _log.error("result_not_stored", match=result.match, problem=str(error), is_lost=last_try)
                if last_try:
                    return
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), _RETRY_S)
        self._unstored.discard(result.match)
        self._announce(table, result, record, last[-1])

    def _announce(self, table: Table, result: MatchResult, record: MatchRecord, end: bytes) -> None:
        _log.info(
            "match_over", match=result.match, game=result.game, reason=result.reason, ticks=result.ticks
        )
        self.metrics.endings.labels(result.game, result.reason).inc()
        self.metrics.replay_bytes.inc(len(table.recorder.data))
        self.records[result.match] = record
        players = table.links()
        table.announce(end)
        self._endings.pop(result.match).set_result(result)
        for link in players:
            self._matchmaker.rejoin(link)

    def _shown(self, table: Table) -> None:
        """The spectators have seen all of a match; from now on it comes from the archive."""
        del self.tables[table.match.id]

    # --- the desk of the gateway --------------------------------------------------------------

    def games(self) -> list[GameInfo]:
        return [game.info for game in self._games.values()]

    def check_games(self, wanted: Sequence[str] | None) -> tuple[str, ...]:
        games = tuple(name for name in self._games if wanted is None or name in wanted)
        if not games:
            raise errors.BadMessage(f"no game of this server ({', '.join(self._games)})", "hello", "games")
        return games

    def admit(self, hello: Hello, token: str | None) -> Entrant:
        return self.admission.admit(hello, token)

    def arrived(self, link: BotLink) -> None:
        for table in list(self.tables.values()):
            self._offer_seat(link, table)
        self._matchmaker.join(link)

    def departed(self, link: BotLink) -> None:
        self._matchmaker.leave(link)

    def why_not_seated(self, match: MatchId) -> errors.PeerError:
        if match in self.tables:
            return errors.NotSeated(match)
        return errors.MatchOver(match) if match in self.records else errors.UnknownMatch(match)

    def refuse_visit(self, route: Route, token: str | None) -> Refusal | None:
        if route.view is None:
            return None
        if not self._seat_views:
            return Refusal(HTTPStatus.FORBIDDEN, "this host shows no seat's view\n", "seat_views")
        table = None if route.match is None else self.tables.get(route.match)
        if table is not None and route.view >= len(table.match.seats):
            text = f"seat {route.view} is none of this match; it has {len(table.match.seats)} from 0 on\n"
            return Refusal(HTTPStatus.NOT_FOUND, text, "view")
        return None

    def table(self, match: MatchId) -> Table | None:
        return self.tables.get(match)

    async def finished(self, match: MatchId) -> Sequence[bytes] | None:
        if match not in self.records:
            return None
        return await asyncio.to_thread(self.archive.last_messages, match)

    def lobby(self) -> bytes:
        self._feed.watched()
        return matches_message(self.lobby_entries(), full=True)

    def lobby_entries(self) -> list[dict[str, Any]]:
        """Return the live matches and the newest finished ones, newest first."""
        live = [entry_of_table(table) for table in reversed(self.tables.values())]
        return live + [entry_of_record(record) for record in self._newest_records()]

    def _newest_records(self) -> Iterable[MatchRecord]:
        for number, record in enumerate(reversed(self.records.values())):
            if number >= _SHOWN:
                return
            yield record

    def _offer_seat(self, link: BotLink, table: Table) -> None:
        seat = table.seat_of(link.entrant.bot)
        if seat is not None and table.match.id not in link.tables and link.is_connected:
            self._matchmaker.leave(link)
            table.seat(link, seat)

    # --- shutdown -----------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to look after the server; needs a running event loop."""
        self._housekeeper.start()

    async def close(self, why: str) -> None:
        """Abort what is running, store it and say goodbye."""
        self._closing.set()
        self._housekeeper.stop()
        self.gateway.close()
        self._matchmaker.close()
        for table in list(self.tables.values()):
            table.match.abort(why)
        while self._storing:
            await asyncio.wait(self._storing)
        for table in list(self.tables.values()):
            table.stage.cut()
        self._feed.close()


def replay_url(match: MatchId) -> str:
    """Return the path of a replay on this server, relative to its root."""
    return f"api/matches/{match}/replay"
