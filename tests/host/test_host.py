"""The host: from the seats to the stored result, with bots that only listen and a loop without waiting."""

import asyncio
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from fangnetz_protocol import errors
from fangnetz_protocol.words import BotId, MatchId, SeatId
from fangnetz_server.games.contract import SetupError
from fangnetz_server.gateway.table import Table
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.replay import Replay
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.store.errors import StoreUnavailable
from fangnetz_server.store.matches import Matches
from fangnetz_server.store.store import Store
from fangnetz_server.store.values import MatchRecord, MatchStart
from support import tiny_game
from support.ear import Ear
from support.faulty import FaultyRing
from support.replays import GAMES
from support.virtual_loop import LoopClock, run_virtually

Log = list[MutableMapping[str, Any]]
OPENED: list[Store] = []
SETUP = {"places": [0, 4], "ruleset": {"fields": 12, "ticks": 5}}


@pytest.fixture(autouse=True)
def log() -> Iterator[Log]:
    """What was logged; nothing of it goes to the terminal."""
    with capture_logs() as entries:
        yield entries


class Disk:
    """The matches of a store; it notes when it stores, and refuses as often as it is told."""

    def __init__(self, matches: Matches, refusals: int) -> None:
        self._matches = matches
        self.refusals = refusals
        self.stored: list[tuple[float, str]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._matches, name)

    async def finish(self, start: MatchStart, result: MatchResult, **parts: Any) -> MatchRecord:
        if self.refusals:
            self.refusals -= 1
            raise StoreUnavailable("the disk", "No space left on device")
        record = await self._matches.finish(start, result, **parts)
        self.stored.append((asyncio.get_running_loop().time(), result.match))
        return record

    async def records(self) -> list[MatchRecord]:
        """All results, oldest first."""
        return list(reversed((await self._matches.page(limit=1000)).records))


class House:
    """A host with its bots."""

    def __init__(self, store: Store, disk: Disk, host: Host) -> None:
        self.store = store
        self.disk = disk
        self.host = host

    @classmethod
    async def open(
        cls, folder: Path, *, game: Any = tiny_game.GAME, refusals: int = 0, **options: Any
    ) -> "House":
        store = await Store.open(folder)
        OPENED.append(store)
        disk = Disk(store.matches, refusals)
        store.matches = disk  # type: ignore[assignment]  # It stands in for them.
        clock = LoopClock(asyncio.get_running_loop())
        settings = {
            "ring_tag": MatchSettings.defaults(game.info, pace="realtime", tick_ms=100, ready_ms=1000)
        }
        admission = Admission(store, is_open=True)
        host = Host({"ring_tag": game}, store, admission, settings=settings, clock=clock, **options)
        return cls(store, disk, host)

    def bot(self, name: str) -> Ear:
        """Let a bot come in."""
        ear = Ear()
        link = self.host.gateway.links.open(Entrant(BotId(name), name), ("ring_tag",))
        link.attach(ear.as_socket())
        self.host.arrived(link)
        return ear

    def part(self, name: str) -> None:
        """Let a bot lose its connection."""
        link = self.host.gateway.links.find(BotId(name))
        assert link is not None
        assert link.socket is not None
        link.detach(link.socket)
        self.host.departed(link)

    def match(self, *names: str, **options: Any) -> Table:
        entrants = [Entrant(BotId(name), name) for name in names]
        return self.host.create_match("ring_tag", entrants, setup=SETUP, **options)

    def spectator(self) -> Ear:
        """Let somebody watch the lobby."""
        ear = Ear()
        for message in self.host.lobby():
            ear.push(message)
        self.host.gateway.lobby.add(ear.as_socket())
        return ear


def ready(table: Table) -> None:
    for place in table.match.seats:
        table.match.ready(place.number)


def run(main: Callable[[], Any]) -> Any:
    """Run a test on the virtual loop, and close its stores."""

    async def closing() -> Any:
        try:
            return await main()
        finally:
            while OPENED:
                await OPENED.pop().close()

    return run_virtually(closing())


# --- seats ----------------------------------------------------------------------------------------


def test_a_match_finds_its_bots_whoever_comes_first(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        first = house.bot("Ada")
        table = house.match("Ada", "Bert")
        assert table.match.phase is Phase.WAITING
        second = house.bot("Bert")
        assert table.match.phase.value == "ready"
        assert first.kinds()[-1] == second.kinds()[-1] == "match_start"

    run(main)


def test_a_stranger_gets_no_seat(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        table = house.match("Ada", "Bert")
        stranger = house.bot("Cleo")
        assert [message["code"] for message in stranger.heard] == ["waiting_for_match"]
        assert isinstance(house.host.why_not_seated(table.match.id, BotId("Cleo")), errors.NotSeated)
        assert isinstance(house.host.why_not_seated(MatchId("m-x"), BotId("Cleo")), errors.UnknownMatch)

    run(main)


def test_a_setup_that_the_rules_refuse_makes_no_match(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path)
        with pytest.raises(SetupError):
            house.host.create_match("ring_tag", [], setup={"places": "nowhere"})
        assert not house.host.tables

    run(main)


def test_waiting_bots_get_a_friendly_match_and_after_a_rest_another(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, setups=lambda info, seats: SETUP)
        ears = [house.bot(name) for name in ("Ada", "Bert")]
        await asyncio.sleep(2.1)
        (table,) = house.host.tables.values()
        ready(table)
        await asyncio.sleep(0.6)
        assert [ear.kinds()[-1] for ear in ears] == ["match_end", "match_end"]
        await asyncio.sleep(5.1)
        assert ears[0].kinds().count("match_start") == 2

    run(main)


def test_the_seed_is_drawn_unless_it_is_given(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        house.match("Ada", "Bert", seed=5).match.abort("enough")
        for _ in range(3):
            house.match("Ada", "Bert").match.abort("enough")
        await asyncio.sleep(1)
        seeds = [found.result.seed for found in await house.disk.records()]
        assert seeds[0] == 5
        assert len(set(seeds)) == 4

    run(main)


# --- the end --------------------------------------------------------------------------------------


def test_a_result_is_announced_after_it_is_stored(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        ears = [house.bot(name) for name in ("Ada", "Bert")]
        table = house.match("Ada", "Bert")
        ready(table)
        while table.match.result is None:
            assert all("match_end" not in ear.kinds() for ear in ears)
            await asyncio.sleep(0.05)
        result = await house.host.wait_result(table.match.id)
        assert [match for _, match in house.disk.stored] == [result.match]
        for ear in ears:
            end = ear.heard[-1]
            assert (end["type"], end["reason"], end["ticks"]) == ("match_end", "time_over", 5)
            assert end["replay"] == f"api/matches/{result.match}/replay"
        assert not house.host.tables
        assert isinstance(house.host.why_not_seated(result.match, BotId("Cleo")), errors.MatchOver)
        replay = house.disk.replay_path(result.match).read_bytes()
        assert Replay(replay, GAMES).verify()["points"] == result.points

    run(main)


def test_a_result_that_the_disk_refuses_is_stored_later_and_announced_only_then(
    tmp_path: Path, log: Log
) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, refusals=7, matchmaking=False)
        ear = house.bot("Ada")
        table = house.match("Ada", "Bert")
        table.match.abort("enough")
        await asyncio.sleep(11.2)
        assert "match_end" not in ear.kinds()
        assert house.host.not_ready() == "1 results wait for the store"
        await house.host.wait_result(table.match.id)
        assert [time for time, _ in house.disk.stored] == [pytest.approx(11.3)], "after ever longer pauses"
        assert ear.kinds()[-1] == "match_end"
        assert house.host.not_ready() is None

    run(main)
    assert [entry["event"] for entry in log].count("result_not_stored") == 7


def test_a_bot_that_was_away_at_the_end_learns_it_when_it_comes_back(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        house.bot("Ada")
        table = house.match("Ada", "Bert")
        house.part("Ada")
        table.match.abort("enough")
        await house.host.wait_result(table.match.id)
        link, ear = house.host.gateway.links.find(BotId("Ada")), Ear()
        assert link is not None
        link.attach(ear.as_socket())
        link.send_unread()
        assert ear.kinds() == ["match_end"]

    run(main)


@pytest.mark.parametrize("where", ["frame", "briefing", "observe", "step"])
def test_a_match_that_its_game_failed_is_stored_and_announced(tmp_path: Path, where: str) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, game=FaultyRing(where), matchmaking=False)
        ears = [house.bot(name) for name in ("Ada", "Bert")]
        table = house.match("Ada", "Bert")
        table.stage.join(Ear().as_socket(), None, lambda: b"{}")
        if table.match.result is None:
            ready(table)
        result = await house.host.wait_result(table.match.id)
        assert (result.reason, result.points) == ("infra_error", [])
        assert [ear.kinds()[-1] for ear in ears] == ["match_end", "match_end"]
        kept = await house.store.matches.picture(result.match)
        assert kept[-1].startswith(b'{"type":"match_end"')
        assert len(kept) == (2 if where in ("frame", "briefing") else 3)

    run(main)


def test_a_game_that_fails_at_the_start_makes_no_match(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, game=FaultyRing("fingerprint"), matchmaking=False)
        with pytest.raises(RuntimeError, match="planted"):
            house.match("Ada", "Bert")
        assert not house.host.tables

    run(main)


# --- shutdown -------------------------------------------------------------------------------------


def test_closing_aborts_and_stores_what_is_running(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        ears = [house.bot(name) for name in ("Ada", "Bert")]
        table = house.match("Ada", "Bert")
        ready(table)
        other = house.match("Cleo", "Dora")
        await house.host.close("the server shuts down")
        for each in (table, other):
            assert each.match.result is not None
            assert (each.match.result.reason, each.match.result.detail) == (
                "aborted",
                "the server shuts down",
            )
        assert [ear.kinds()[-1] for ear in ears] == ["match_end", "match_end"]
        assert len(await house.disk.records()) == 2
        assert house.host.not_ready() == "the server shuts down"

    run(main)


def test_no_friendly_match_starts_after_closing(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, setups=lambda info, seats: SETUP)
        ears = [house.bot(name) for name in ("Ada", "Bert")]
        await asyncio.sleep(2.1)
        await house.host.close("the server shuts down")
        await asyncio.sleep(60)
        assert [ear.kinds().count("match_start") for ear in ears] == [1, 1]
        assert not house.host.tables

    run(main)


def test_closing_does_not_wait_for_a_disk_that_never_recovers(tmp_path: Path, log: Log) -> None:
    async def main() -> float:
        house = await House.open(tmp_path, refusals=1_000_000, matchmaking=False)
        house.match("Ada", "Bert").match.abort("enough")
        await asyncio.sleep(7)
        house.match("Cleo", "Dora")
        before = asyncio.get_running_loop().time()
        await house.host.close("the server shuts down")
        return asyncio.get_running_loop().time() - before

    assert run(main) == 0
    lost = [entry for entry in log if entry["event"] == "result_not_stored" and entry["is_lost"]]
    assert len(lost) == 2
    assert all("No space left" in entry["problem"] for entry in lost)


def test_a_disk_that_recovers_gets_its_last_chance_when_closing(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, refusals=1, matchmaking=False)
        house.match("Ada", "Bert").match.abort("enough")
        await asyncio.sleep(1)
        await house.host.close("the server shuts down")
        assert len(await house.disk.records()) == 1

    run(main)


# --- the lobby ------------------------------------------------------------------------------------


def test_the_lobby_begins_with_the_full_list(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        over = house.match("Ada", "Bert")
        over.match.abort("enough")
        await house.host.wait_result(over.match.id)
        live = house.match("Cleo", "Dora")
        (full,) = house.spectator().heard
        assert (full["type"], full["full"]) == ("matches", True)
        assert [entry["match"] for entry in full["matches"]] == [live.match.id, over.match.id]
        first, second = full["matches"]
        assert (first["phase"], first["tick"], first["ticks"]) == ("waiting", 0, 5)
        assert first["seats"] == [
            {"seat": 0, "name": "Cleo", "connected": False},
            {"seat": 1, "name": "Dora", "connected": False},
        ]
        assert (second["phase"], second["reason"], second["points"]) == ("over", "aborted", [])

    run(main)


def test_news_of_the_lobby_are_collected(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        ear = house.spectator()
        table = house.match("Ada", "Bert")
        house.bot("Ada")
        house.bot("Bert")
        ready(table)
        await asyncio.sleep(0.2)
        assert len(ear.heard) == 1
        await asyncio.sleep(0.1)
        (news,) = ear.heard[1:]
        assert news["full"] is False
        ((entry),) = news["matches"]
        assert (entry["match"], entry["phase"], entry["tick"]) == (table.match.id, "running", 2)
        await house.host.wait_result(table.match.id)
        await asyncio.sleep(0.3)
        last = ear.heard[-1]["matches"][-1]
        assert (last["phase"], last["reason"], last["points"]) == ("over", "time_over", [0.0, 1.0])

    run(main)


def test_a_lobby_without_spectators_collects_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        table = house.match("Ada", "Bert")
        house.bot("Ada")
        house.bot("Bert")
        ready(table)
        await house.host.wait_result(table.match.id)
        ear = house.spectator()
        await asyncio.sleep(1)
        assert len(ear.heard) == 1, "the full list says it all"

    run(main)


def test_a_lobby_in_which_nothing_happens_is_silent(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        ear = house.spectator()
        await asyncio.sleep(3600)
        assert len(ear.heard) == 1

    run(main)


def test_the_lobby_shows_the_newest_of_many(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        for _ in range(230):
            house.match("Ada", "Bert").match.abort("enough")
        await asyncio.sleep(1)
        (full,) = house.spectator().heard
        newest = [found.match for found in await house.disk.records()][-200:]
        assert [entry["match"] for entry in full["matches"]] == newest[::-1]

    run(main)


def test_a_finished_match_can_be_looked_at(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        table = house.match("Ada", "Bert")
        table.match.abort("enough")
        result = await house.host.wait_result(table.match.id)
        messages = await house.host.finished(result.match, None)
        assert messages is not None
        assert [message[:20] for message in messages] == [
            b'{"type":"match_start',
            b'{"type":"frame","mat',
            b'{"type":"match_end",',
        ]
        assert await house.host.finished(MatchId("m-x"), None) is None
        await OPENED.pop().close()
        again = await House.open(tmp_path)
        assert await again.host.finished(result.match, None) == messages

    run(main)


def test_a_seat_that_nobody_took_belongs_to_its_bot_alone(tmp_path: Path) -> None:
    async def main() -> None:
        house = await House.open(tmp_path, matchmaking=False)
        table = house.match("Ada", "Bert")
        assert [table.seat_of(BotId(name)) for name in ("Ada", "Bert", "Cleo")] == [
            SeatId(0),
            SeatId(1),
            None,
        ]

    run(main)
