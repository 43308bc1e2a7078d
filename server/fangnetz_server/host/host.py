"""Wires the parts together: the desk behind the gateway, the matches, the archive, the lobby."""

import asyncio
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final

import structlog

from fangnetz_protocol import errors
from fangnetz_protocol import messages as m
from fangnetz_protocol.codec import encode
from fangnetz_protocol.codes import NoticeCode
from fangnetz_protocol.messages import Hello
from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.games.contract import GameInfo, GameState
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.gateway.doorman import Refusal
from fangnetz_server.gateway.gateway import DIRECT, Entrance, Gateway
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.links import BotLink
from fangnetz_server.gateway.routes import Route
from fangnetz_server.gateway.table import Table
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.housekeeper import Housekeeper
from fangnetz_server.host.keeping import ResultKeeper
from fangnetz_server.host.keys import HostKeys
from fangnetz_server.host.lobby import LobbyFeed, entry_of_record, entry_of_table
from fangnetz_server.host.matchmaker import Matchmaker
from fangnetz_server.match.clock import Clock, MonotonicClock
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.metrics import Metrics
from fangnetz_server.store.store import Store
from fangnetz_server.store.values import MatchRecord, MatchStart, PairingRef

__all__ = ["Host", "SetupChooser"]

_log = structlog.get_logger(__name__)

SetupChooser = Callable[[GameInfo, int], Mapping[str, Any]]
"""Gives the setup of a friendly match for a game and a number of seats."""

_RESTARTING: Final = encode(
    m.Notice(
        code=NoticeCode.SERVER_RESTARTING,
        message="The server restarts; running matches may finish. Connect again in a minute.",
    )
)


class Host:
    """One server's matches.

    Args:
        games: the games to play, by id.
        store: where results go before anybody hears of them.
        admission: who may come in.
        keys: the host's secrets; None: there are no private matches and no host's commands.
        settings: pace and times a game, by its id; left out: the game's own in lockstep.
        setups: chooses map and ruleset of friendly matches; None: the game's default.
        matchmaking: False: matches are made by `create_match` only.
        limits, clock, metrics: of the whole server.
        entrance: how the outside reaches it.
        delay_s: time by which spectators see everything later (P3.6).
        seat_views: whether spectators may ask for one seat's view.
        spectators: False: only those with a token may watch.
    """

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        store: Store,
        admission: Admission,
        *,
        keys: HostKeys | None = None,
        settings: Mapping[str, MatchSettings] | None = None,
        setups: SetupChooser | None = None,
        matchmaking: bool = True,
        limits: Limits | None = None,
        clock: Clock | None = None,
        metrics: Metrics | None = None,
        entrance: Entrance = DIRECT,
        delay_s: float = 0.0,
        seat_views: bool = True,
        spectators: bool = True,
    ) -> None:
        self.store = store
        self.keys = keys
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
        self.results = ResultKeeper(store, self._announce)
        self._starts: dict[MatchId, MatchStart] = {}
        self._engaged: frozenset[BotId] = frozenset()
        self._endings: dict[MatchId, asyncio.Future[MatchResult]] = {}
        self._lockouts = 0
        self._locked_out: dict[BotId, int] = {}
        """For each bot the number of its latest lock-out."""
        self.metrics = metrics or Metrics()
        self._delay_s = delay_s
        self._seat_views = seat_views
        self._spectators = spectators
        self.gateway = Gateway(self, self.limits, self._clock, self.metrics, entrance)
        self._housekeeper = Housekeeper(
            self.gateway, self.tables.values, limits=self.limits, clock=self._clock, metrics=self.metrics
        )
        self.feed = LobbyFeed(self.gateway.lobby, self.running)
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
        if self.results.refused:
            return f"{len(self.results.refused)} results wait for the store"
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
        is_public: bool = True,
        pairing: PairingRef | None = None,
        match: MatchId | None = None,
    ) -> Table:
        """Make a match; it begins as soon as its bots are there.

        Args:
            game: id of the game.
            entrants: who sits on each seat, in seat order.
            setup: map, ruleset and so on, as in a scenario file; `seats` follows from the entrants.
            settings: pace and times; None: the server's for this game.
            seed: None: drawn.
            is_public: False: only those with its watch token, and the host, may know of it.
            pairing: of the tournament that it belongs to.
            match: its id; None: a new one.

        Raises:
            SetupError: the rules do not allow this setup.
        """
        plan = self._plan(game, entrants, setup, settings, seed, is_public, pairing, match)
        return self._open(*plan)

    async def begin_match(
        self,
        game: str,
        entrants: Sequence[Entrant],
        *,
        setup: Mapping[str, Any] | None = None,
        settings: MatchSettings | None = None,
        seed: int | None = None,
        is_public: bool = True,
        pairing: PairingRef | None = None,
        match: MatchId | None = None,
    ) -> Table:
        """Make a match that is in the store before it begins, so that a crash cannot lose sight of it.

        The arguments are those of `create_match`.

        Raises:
            SetupError: the rules do not allow this setup.
            StoreError, Refused: it could not be stored; there is no match.
        """
        plan = self._plan(game, entrants, setup, settings, seed, is_public, pairing, match)
        start = plan[0]
        await self.store.matches.begin(start)
        try:
            return self._open(*plan)
        except Exception:  # The game has a fault; without this the match would be open for ever.
            await self.store.matches.give_up([start.match])
            raise

    def _plan(
        self,
        game: str,
        entrants: Sequence[Entrant],
        setup: Mapping[str, Any] | None,
        settings: MatchSettings | None,
        seed: int | None,
        is_public: bool,
        pairing: PairingRef | None,
        match: MatchId | None,
    ) -> tuple[MatchStart, AnyGame, GameState, MatchSettings]:
        rules = self._games[game]
        seed = secrets.randbits(63) if seed is None else seed
        state = rules.prepare(seed, _with_seats(rules.info, len(entrants), setup or {}))
        settings = settings or self._settings[game]
        start = MatchStart(
            match=match or self.new_match_id(),
            game=game,
            rules_version=rules.info.rules_version,
            seed=seed,
            setup=rules.export_setup(state),
            settings=settings.model_dump(mode="json"),
            entrants=tuple(entrants),
            created_at=datetime.now(UTC),
            pairing=pairing,
            is_public=is_public,
        )
        return start, rules, state, settings

    def _open(self, start: MatchStart, rules: AnyGame, state: GameState, settings: MatchSettings) -> Table:
        table = Table(
            start.match,
            rules,
            state,
            seed=start.seed,
            entrants=start.entrants,
            settings=settings,
            limits=self.limits,
            clock=self._clock,
            metrics=self.metrics,
            delay_s=self._delay_s,
            is_private=not start.is_public,
            on_change=self.feed.changed,
            on_finished=self._finished,
            on_shown=self._shown,
        )
        self.tables[start.match] = table
        self._starts[start.match] = start
        self._endings[start.match] = asyncio.get_running_loop().create_future()
        names = [entrant.name for entrant in start.entrants]
        _log.info("match_created", match=start.match, game=start.game, seats=names)
        self.feed.changed(table)
        for link in self.gateway.links:
            self._offer_seat(link, table)
        return table

    async def wait_result(self, match: MatchId) -> MatchResult:
        """Wait until the result of a match made by this host is stored and announced.

        Raises:
            KeyError: this host has made no such match.
        """
        ending = self._endings.get(match)
        if ending is not None:
            return await asyncio.shield(ending)
        record = await self.store.matches.find(match)
        if record is None:
            raise KeyError(match)
        return record.result

    def new_match_id(self) -> MatchId:
        """Return an id that no match has."""
        return MatchId(secrets.token_hex(6))

    def _start_friendly(self, info: GameInfo, players: Sequence[BotLink]) -> None:
        setup = self._setups(info, len(players))
        self.create_match(info.id, [link.entrant for link in players], setup=setup)

    # --- the end of a match -------------------------------------------------------------------

    def _finished(self, table: Table, result: MatchResult) -> None:
        self.results.keep(self._starts[result.match], table, result)

    def _announce(self, table: Table, result: MatchResult, end: bytes) -> None:
        _log.info(
            "match_over", match=result.match, game=result.game, reason=result.reason, ticks=result.ticks
        )
        self.metrics.endings.labels(result.game, result.reason).inc()
        self.metrics.replay_bytes.inc(len(table.recorder.data))
        players = table.links()
        table.announce(end)
        self._endings.pop(result.match).set_result(result)
        for link in players:
            for other in list(self.tables.values()):
                self._offer_seat(link, other)
            if link.entrant.bot not in self._engaged:
                self._matchmaker.rejoin(link)

    def _shown(self, table: Table) -> None:
        """The spectators have seen all of a match; from now on it comes from the store."""
        del self.tables[table.match.id]
        del self._starts[table.match.id]

    # --- the desk of the gateway --------------------------------------------------------------

    def games(self) -> list[GameInfo]:
        return [game.info for game in self._games.values()]

    def check_games(self, wanted: Sequence[str] | None) -> tuple[str, ...]:
        games = tuple(name for name in self._games if wanted is None or name in wanted)
        if not games:
            raise errors.BadMessage(f"no game of this server ({', '.join(self._games)})", "hello", "games")
        return games

    async def admit(self, hello: Hello, token: str | None) -> Entrant:
        before = self._lockouts
        links = self.gateway.links
        entrant = await self.admission.admit(hello, token, lambda: (link.entrant for link in links))
        if self._locked_out.get(entrant.bot, 0) > before:  # While its token was looked up.
            raise errors.BadToken
        return entrant

    def heard(self, now_ns: int) -> None:
        self._housekeeper.catch_up(now_ns)

    def arrived(self, link: BotLink) -> None:
        for table in list(self.tables.values()):
            self._offer_seat(link, table)
        if link.entrant.bot not in self._engaged:
            self._matchmaker.join(link)

    def engage(self, bots: Collection[BotId]) -> None:
        """Keep these bots, and only these, out of friendly matches: tournaments need them."""
        released = self._engaged - frozenset(bots)
        self._engaged = frozenset(bots)
        for link in self.gateway.links:
            if link.entrant.bot in self._engaged:
                self._matchmaker.leave(link)
            elif link.entrant.bot in released:
                self._matchmaker.join(link)

    def departed(self, link: BotLink) -> None:
        self._matchmaker.leave(link)

    def why_not_seated(self, match: MatchId, bot: BotId) -> errors.PeerError:
        table, record = self.tables.get(match), self.results.find(match)
        if table is not None and (not table.is_private or table.has_entrant(bot)):
            return errors.NotSeated(match)
        if record is not None and (record.is_public or any(seat.bot == bot for seat in record.result.seats)):
            return errors.MatchOver(match)
        return errors.UnknownMatch(match)

    def refuse_visit(self, route: Route, token: str | None) -> Refusal | None:
        if route.is_spectator and not self._spectators and not self._may_spectate(route, token):
            text = "watching needs a token here: ask the host, and log in on the page\n"
            return Refusal(HTTPStatus.UNAUTHORIZED, text, "spectators_need_token")
        if route.view is None:
            return None
        if not self._seat_views:
            return Refusal(HTTPStatus.FORBIDDEN, "this host shows no seat's view\n", "seat_views")
        table = None if route.match is None else self.table(route.match, token)
        if table is not None and route.view >= len(table.match.seats):
            text = f"seat {route.view} is none of this match; it has {len(table.match.seats)} from 0 on\n"
            return Refusal(HTTPStatus.NOT_FOUND, text, "view")
        return None

    def _may_spectate(self, route: Route, token: str | None) -> bool:
        if self.keys is None:
            return False
        return self.is_host(token) or (
            route.match is not None and self.keys.may_watch(token, "match", route.match)
        )

    def is_host(self, token: str | None) -> bool:
        """Tell whether a token is the host's."""
        return self.keys is not None and self.keys.is_host(token)

    def is_tournament(self, match: MatchId) -> bool:
        """Tell whether a live match belongs to a tournament."""
        return self._starts[match].pairing is not None

    def is_busy(self, bot: BotId) -> bool:
        """Tell whether a bot sits in as many live matches as it may."""
        tables = self.tables.values()
        live = sum(table.seat_of(bot) is not None and table.match.result is None for table in tables)
        return live >= self.limits.matches_per_bot

    def lock_out(self, bot: BotId) -> None:
        """A bot's token has ended: end its connection and its session, too."""
        self._lockouts += 1
        self._locked_out[bot] = self._lockouts
        link = self.gateway.links.find(bot)
        if link is not None:
            self.gateway.links.revoke(link)

    def may_know(self, match: MatchId, token: str | None, *, is_public: bool) -> bool:
        """Tell whether somebody with this token, or none, may know of a match."""
        if is_public:
            return True
        return self.keys is not None and self.keys.may_watch(token, "match", match)

    def publish(self, match: MatchId) -> None:
        """Show a live match to everybody from now on."""
        table = self.tables.get(match)
        if table is not None and table.is_private:
            table.is_private = False
            self.feed.changed(table)

    def table(self, match: MatchId, token: str | None) -> Table | None:
        table = self.tables.get(match)
        if table is None or not self.may_know(match, token, is_public=not table.is_private):
            return None
        return table

    async def record(self, match: MatchId, token: str | None) -> MatchRecord | None:
        """Return the result of a match that somebody with this token may know of, or None."""
        record = self.results.find(match) or await self.store.matches.find(match)
        if record is None or not self.may_know(match, token, is_public=record.is_public):
            return None
        return record

    async def finished(self, match: MatchId, token: str | None) -> Sequence[bytes] | None:
        if await self.record(match, token) is None:
            return None
        return await self.store.matches.picture(match)

    async def replay_bytes(self, match: MatchId) -> bytes:
        """Return the replay file of a finished match.

        Raises:
            StoreError, Refused: there is none, or it is damaged.
        """
        return await self.store.matches.replay(match)

    def lobby(self) -> Sequence[bytes]:
        return self.feed.greeting(self.lobby_entries())

    def lobby_entries(self) -> list[dict[str, Any]]:
        """Return the live matches and the newest finished ones, newest first."""
        live = [entry_of_table(table) for table in reversed(self.tables.values()) if not table.is_private]
        over = (record for record in self.results.newest() if record.is_public)
        return live + [entry_of_record(record) for record in over if record.match not in self.tables]

    def _offer_seat(self, link: BotLink, table: Table) -> None:
        """Give a bot the seat that is kept for it, unless it plays as many matches as it may (P2.6)."""
        seat = table.seat_of(link.entrant.bot)
        if seat is None or table.match.id in link.tables or not link.is_connected:
            return
        if len(link.tables) < self.limits.matches_per_bot:
            self._matchmaker.leave(link)
            table.seat(link, seat)

    # --- shutdown -----------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin: read the newest results, give up what a crash interrupted, look after the server."""
        interrupted = [start.match for start in await self.store.matches.unfinished()]
        if interrupted:
            _log.warning("matches_interrupted", matches=interrupted)
            await self.store.matches.give_up(interrupted)
        await self.results.load()
        self._housekeeper.start()

    async def drain(self, patience_s: float) -> None:
        """Let no new match begin and the running ones finish, for some time."""
        self.gateway.close()
        self._matchmaker.close()
        for link in self.gateway.links:
            link.send(_RESTARTING)
        endings = list(self._endings.values())
        if endings and patience_s > 0:
            _log.info("draining", matches=len(endings), patience_s=patience_s)
            await asyncio.wait(endings, timeout=patience_s)

    async def close(self, why: str) -> None:
        """Abort what is running, store it and say goodbye."""
        self._housekeeper.stop()
        self.gateway.close()
        self._matchmaker.close()
        for table in list(self.tables.values()):
            table.match.abort(why)
        await self.results.close()
        for table in list(self.tables.values()):
            table.stage.cut()
        self.feed.close()


def _with_seats(info: GameInfo, seats: int, setup: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a setup that says how many seats there are, where the game leaves that open."""
    if info.min_seats == info.max_seats or "seats" in setup:
        return setup
    return {"seats": seats, **setup}
