"""Thousands of connects, drops, resumes, kills, pauses and takeovers in any order, on a virtual loop.

Whatever happens: no seat is lost or has two owners, each bot is told every tick in order, every match
ends with one stored result, and nothing is left over.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from structlog.testing import capture_logs

from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.play import BotConnection
from fangnetz_server.gateway.table import Table
from fangnetz_server.gateway.watch import watch_match
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.store.store import Store
from support import tiny_game
from support.line import Line
from support.live_server import entrants
from support.virtual_loop import LoopClock, run_virtually

NAMES: Final = ("ann", "bob", "cid", "dan")
STEPS: Final = 150
SCHEDULES: Final = 12
MOST_MATCHES: Final = 3
LIMITS: Final = Limits(resume_s=2.0, hello_s=5.0, strikes=30)


class Player:
    """A bot and what it has been told; it checks each message against that."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[Line] = []
        self.secret: str | None = None
        self.answers = 0.9
        """How often it answers."""
        self.seats: dict[str, int] = {}
        self.ended: dict[str, int] = {}
        self.welcomed: list[Line] = []
        self._owner: Line | None = None
        self._told: dict[str, int] = {}

    @property
    def line(self) -> Line | None:
        """The line on which it was welcomed last, while it is open."""
        return self._owner if self._owner is not None and self._owner.is_open else None

    def read(self, chance: Random) -> None:
        """Look at what has come on all lines, the oldest first."""
        for line in self.lines:
            while line.inbox:
                self._take(line, line.inbox.pop(0), chance)
        self.lines = [line for line in self.lines if line.is_open]

    def _take(self, line: Line, message: dict[str, Any], chance: Random) -> None:
        match message["type"]:
            case "welcome":
                self.secret = message["resume"]
                self._owner, self._told = line, {}
                self.welcomed.append(line)
            case "match_start":
                assert line is self._owner, "a match begins on the owner's line only"
                seat = self.seats.setdefault(message["match"], message["seat"])
                assert seat == message["seat"], "the seat stays the same"
                self._told.setdefault(message["match"], -1)
                if chance.random() < self.answers:
                    line.say({"type": "ready", "match": message["match"]})
            case "observation":
                if line is self._owner:
                    self._check_tick(message)
                if chance.random() < self.answers:
                    step = chance.choice((-1, 0, 1))
                    answer = {"type": "action", "match": message["match"], "tick": message["tick"]}
                    line.say({**answer, "step": step})
            case "match_end":
                self.ended[message["match"]] = self.ended.get(message["match"], 0) + 1
                self._told.pop(message["match"], None)

    def _check_tick(self, message: dict[str, Any]) -> None:
        match, tick = message["match"], message["tick"]
        assert match in self._told, "match_start comes first"
        told = self._told[match]
        assert told == -1 or tick == told + 1, "each tick, in order"
        missed = message.get("missed", [])
        assert missed == list(range(tick - len(missed), tick))
        assert told == -1 or not missed
        self._told[match] = tick


class Spectator:
    """Somebody who watches one match."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.ticks: list[int] = []
        self.has_end = False

    def read(self) -> None:
        while self.line.inbox:
            message = self.line.inbox.pop(0)
            assert not self.has_end, "nothing comes after the end"
            if message["type"] == "frame":
                self.ticks.append(message["tick"])
            self.has_end = message["type"] == "match_end"

    def check(self) -> None:
        first = self.ticks[0] if self.ticks else 0
        # The first frame may be the newest one and come again with the start of the first tick.
        seen = sorted(set(self.ticks))
        assert seen == list(range(first, first + len(seen)))
        assert self.ticks == sorted(self.ticks)


class World:
    """A host, its bots and everything that may happen to them."""

    def __init__(self, host: Host, chance: Random) -> None:
        self.host = host
        self.chance = chance
        self.players = {name: Player(name) for name in NAMES}
        self.spectators: list[Spectator] = []
        self.results: dict[MatchId, asyncio.Task[MatchResult]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.refused: list[CloseCode | None] = []

    # --- what may happen ----------------------------------------------------------------------

    def open_line(self, who: str, **hello: Any) -> Line:
        line = Line()
        self.players[who].lines.append(line)
        connection = BotConnection(
            line.as_socket(),
            None,
            address="virtual",
            links=self.host.gateway.links,
            desk=self.host,
            limits=LIMITS,
            clock=self.host._clock,
            metrics=self.host.metrics,
            greeted=lambda: None,
        )
        self._spawn(self._serve(connection, line))
        line.say({"type": "hello", "protocol": "1.0", **hello})
        return line

    async def _serve(self, connection: BotConnection, line: Line) -> None:
        await connection.run()
        line.drop(CloseCode.NORMAL)
        self.refused.append(line.closed_with)

    def come(self, name: str) -> None:
        self.open_line(name, name=name)

    def resume(self, name: str) -> None:
        secret = self.players[name].secret
        if secret is not None:
            self.open_line(name, resume=secret)

    def take_over_thrice(self, name: str) -> None:
        for _ in range(3):
            self.resume(name)

    def come_mute(self, name: str) -> None:
        self.open_line(name, resume="guessed")

    def lose(self, name: str) -> None:
        line = self.players[name].line
        if line is not None:
            line.cut()

    def close(self, name: str) -> None:
        line = self.players[name].line
        if line is not None:
            line.cut(goodbye=True)

    def die(self, name: str) -> None:
        """The process is killed: the lines are cut, and what it knew is lost."""
        for line in self.players[name].lines:
            line.cut()
        self.players[name].secret = None

    def leave(self, name: str) -> None:
        player = self.players[name]
        if player.line is not None and player._told and self.chance.random() < 0.3:
            player.line.say({"type": "leave", "match": self.chance.choice(list(player._told))})

    def babble(self, name: str) -> None:
        line = self.players[name].line
        if line is not None:
            match = next(iter(self.host.tables), "none")
            line.say(
                self.chance.choice(
                    (
                        "{",
                        '{"type":"hello","protocol":"1.0"}',
                        f'{{"type":"ready","match":"{match}"}}',
                        f'{{"type":"action","match":"{match}","tick":{self.chance.randrange(30)},"step":9}}',
                        '{"type":"leave","match":"none"}',
                    )
                )
            )

    def tire(self, name: str) -> None:
        self.players[name].answers = self.chance.choice((0.0, 0.5, 0.9, 1.0))

    def lock_out(self, name: str) -> None:
        if self.chance.random() < 0.3:
            self.host.lock_out(BotId(name))

    def make(self, name: str) -> None:
        if len(self.host.tables) < MOST_MATCHES:
            players = self.chance.sample(NAMES, self.chance.choice((2, 2, 3)))
            pace = self.chance.choice(("realtime", "lockstep"))
            table = self.host.create_match(
                "ring_tag",
                entrants(*players),
                setup={"ruleset": {"fields": 60, "ticks": 20}, "seats": len(players)},
                settings=MatchSettings.defaults(
                    tiny_game.GAME.info,
                    pace=pace,
                    tick_ms=50,
                    deadline_ms=80,
                    bank_ms=200,
                    ready_ms=400,
                    on_disconnect=self.chance.choice(("neutral", "forfeit")),
                ),
            )
            self.results[table.match.id] = asyncio.create_task(self.host.wait_result(table.match.id))

    def hold(self, name: str) -> None:
        if (table := self._any_table()) is not None and not table.match.pause():
            table.match.resume()

    def step(self, name: str) -> None:
        if (table := self._any_table()) is not None:
            table.match.step()

    def abort(self, name: str) -> None:
        if (table := self._any_table()) is not None and self.chance.random() < 0.2:
            table.match.abort("chaos")

    def watch(self, name: str) -> None:
        if (table := self._any_table()) is not None and len(self.spectators) < 30:
            line = Line()
            self.spectators.append(Spectator(line))
            self._spawn(watch_match(line.as_socket(), table.match.id, None, None, self.host, LIMITS))

    def turn_away(self, name: str) -> None:
        if self.spectators:
            self.chance.choice(self.spectators).line.cut()

    def _any_table(self) -> Table | None:
        tables = list(self.host.tables.values())
        return self.chance.choice(tables) if tables else None

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)

    # --- what holds ---------------------------------------------------------------------------

    async def go_on(self, seconds: float) -> None:
        """Let time pass; everybody reads what comes."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            await asyncio.sleep(0.005)
            for player in self.players.values():
                player.read(self.chance)
            for spectator in self.spectators:
                spectator.read()
            if loop.time() >= end:
                return

    def check(self) -> None:
        links = list(self.host.gateway.links)
        assert len({link.entrant.bot for link in links}) == len(links)
        for link in links:
            for table, seat in link.tables.values():
                place = table.match.seats[seat]
                assert place.entrant.bot == link.entrant.bot, "a seat is its bot's"
                assert link in table.links()
                if table.match.phase is not Phase.OVER:
                    assert place.connected == link.is_connected
        for player in self.players.values():
            player.welcomed = [line for line in player.welcomed if line.is_open]
            assert len(player.welcomed) <= 1, "one connection owns the seats"
            if player.line is not None:
                owner = self.host.gateway.links.find(BotId(player.name))
                assert owner is not None
                assert owner.socket is player.line.as_socket(), "who was welcomed is connected"
        for table in self.host.tables.values():
            for link in table.links():
                assert self.host.gateway.links.find(link.entrant.bot) is link, "a session lasts for its match"
            owners = [link.entrant.bot for link in table.links()]
            assert len(set(owners)) == len(owners)
            for place in table.match.seats:
                if place.connected and table.match.phase is not Phase.OVER:
                    assert place.entrant.bot in owners, "nobody is connected without a link"

    async def end(self) -> None:
        """Let every match come to its end, and everybody go."""
        for table in self.host.tables.values():
            table.match.resume()
        await self.go_on(30.0)
        assert not self.host.tables, "every match ends"
        assert all(task.done() for task in self.results.values())
        stored = await self.host.store.matches.page(limit=1000)
        assert {record.match for record in stored.records} >= set(self.results)
        for player in self.players.values():
            assert set(player.ended) <= set(player.seats) | set(self.results)
            for line in player.lines:
                line.cut()
        for spectator in self.spectators:
            spectator.check()
            spectator.line.cut()
        await self.go_on(3 * LIMITS.resume_s)
        assert not list(self.host.gateway.links), "no session is left"
        assert all(task.done() for task in self.tasks), "no task is left"
        for task in self.tasks:
            task.result()


HAPPENINGS: Final[dict[Callable[[World, str], None], int]] = {
    World.come: 10,
    World.resume: 10,
    World.take_over_thrice: 3,
    World.come_mute: 1,
    World.lose: 6,
    World.close: 3,
    World.die: 3,
    World.leave: 1,
    World.babble: 4,
    World.tire: 2,
    World.lock_out: 1,
    World.make: 10,
    World.hold: 4,
    World.step: 3,
    World.abort: 1,
    World.watch: 4,
    World.turn_away: 1,
}


async def play_one(store: Store, seed: str) -> tuple[int, set[str]]:
    """Play one schedule; return the number of its matches and how they ended."""
    chance = Random(seed)
    clock = LoopClock(asyncio.get_running_loop())
    admission = Admission(store, is_open=True)
    games = {"ring_tag": tiny_game.GAME}
    host = Host(games, store, admission, limits=LIMITS, clock=clock, matchmaking=False)
    await host.start()
    world = World(host, chance)
    for _ in range(STEPS):
        happens = chance.choices(list(HAPPENINGS), list(HAPPENINGS.values()))[0]
        happens(world, chance.choice(NAMES))
        await world.go_on(chance.choice((0.0, 0.0, 0.005, 0.03, 0.1)))
        world.check()
    await world.end()
    await host.close("the schedule is over")
    return len(world.results), {task.result().reason for task in world.results.values()}


@pytest.mark.parametrize("group", range(4))
def test_any_schedule_ends_well(tmp_path: Path, group: int) -> None:
    async def main() -> tuple[int, set[str]]:
        store = await Store.open(tmp_path)
        try:
            matches, reasons = 0, set[str]()
            for number in range(SCHEDULES):
                played, ended = await play_one(store, f"{group}/{number}")
                matches += played
                reasons |= ended
            return matches, reasons
        finally:
            await store.close()

    with capture_logs() as logs:
        matches, reasons = run_virtually(main())
    assert [line for line in logs if line["log_level"] in ("error", "critical")] == []
    assert matches > 5 * SCHEDULES
    assert {"aborted", "walkover", "time_over"} <= reasons
