"""100,000 strange frames a run: each is answered by the book, nothing crashes, the others play on."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

import orjson
import pytest
from structlog.testing import capture_logs

from fangnetz_protocol.codec import TO_BOT, TO_SPECTATOR
from fangnetz_protocol.codes import CloseCode, ErrorCode
from fangnetz_server.games.registry import load_games
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.play import BotConnection
from fangnetz_server.gateway.table import Table
from fangnetz_server.gateway.watch import watch_lobby, watch_match
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.store.store import Store
from support.frames import strange_frames
from support.line import Line
from support.live_server import entrants
from support.virtual_loop import LoopClock, run_virtually

PLAYING: Final = 70_000
BEFORE_HELLO: Final = 20_000
WATCHING: Final = 10_000
BATCH: Final = 250
ENDLESS: Final = Limits(strikes=10**9, fault_pause_s=0, messages_per_second=10**9, unauthenticated=10**6)
LARGEST: Final = 1 << 20


class Arena:
    """A host on a virtual loop with a match of two good bots, which has to go on whatever comes."""

    def __init__(self, host: Host, limits: Limits) -> None:
        self.host = host
        self.limits = limits
        self.tasks: list[asyncio.Task[None]] = []
        self.answers: Counter[str] = Counter()
        self.good: list[Line] = []
        self.table = self.match("ann", "bob")

    def match(self, *names: str) -> Table:
        game = self.host.rules["spaceballs"]
        settings = MatchSettings.defaults(game.info, deadline_ms=3_600_000)
        setup = {"ruleset": {"duration": 60}}
        return self.host.create_match("spaceballs", entrants(*names), setup=setup, settings=settings)

    async def open(self) -> None:
        self.good = [await self.bot("ann"), await self.bot("bob")]
        await self.play_on()

    async def bot(self, name: str) -> Line:
        line = self.raw_bot()
        line.say({"type": "hello", "protocol": "1.0", "name": name})
        await rest()
        return line

    def raw_bot(self) -> Line:
        line = Line()
        connection = BotConnection(
            line.as_socket(),
            None,
            address="virtual",
            links=self.host.gateway.links,
            desk=self.host,
            limits=self.limits,
            clock=self.host._clock,
            metrics=self.host.metrics,
            greeted=lambda: None,
        )
        self.tasks.append(asyncio.create_task(connection.run()))
        return line

    async def play_on(self) -> None:
        """Let the good bots say what they have to say."""
        for line in self.good:
            for message in line.inbox:
                assert message["type"] != "error"
                if message["type"] == "match_start":
                    line.say({"type": "ready", "match": message["match"]})
                if message["type"] == "observation":
                    answer = {"type": "action", "match": message["match"], "tick": message["tick"]}
                    line.say({**answer, "thrust": [0, 0]})
            line.inbox.clear()
        await rest()

    def read(self, line: Line) -> None:
        """Hold everything that was sent to a strange client against the protocol."""
        for message in line.inbox:
            TO_BOT.decode(orjson.dumps(message).decode(), LARGEST)
            if message["type"] == "error":
                assert message["code"] in set(ErrorCode) - {ErrorCode.INTERNAL}, message
                assert len(message["message"]) < 1_000
                self.answers[message["code"]] += 1
            else:
                self.answers[message["type"]] += 1
        line.inbox.clear()

    async def close(self) -> None:
        for table in list(self.host.tables.values()):
            table.match.abort("enough")
        await rest()
        await self.host.close("enough")
        for task in self.tasks:
            if not task.done():
                task.cancel()
        for result in await asyncio.gather(*self.tasks, return_exceptions=True):
            assert result is None or isinstance(result, asyncio.CancelledError), result


async def rest() -> None:
    """Let everybody work off what there is."""
    for _ in range(5):
        await asyncio.sleep(0)


@asynccontextmanager
async def arena(folder: Path, limits: Limits = ENDLESS) -> AsyncIterator[Arena]:
    store = await Store.open(folder)
    try:
        clock = LoopClock(asyncio.get_running_loop())
        admission = Admission(store, is_open=True)
        host = Host(load_games(), store, admission, limits=limits, clock=clock, matchmaking=False)
        here = Arena(host, limits)
        await here.open()
        before = here.table.match.tick
        yield here
        assert here.table.match.tick >= before + 10, "the good match has gone on"
        assert all(seat.connected for seat in here.table.match.seats)
        assert all(seat.stats().applied == here.table.match.tick for seat in here.table.match.seats)
        await here.close()
    finally:
        await store.close()


@pytest.fixture(autouse=True)
def no_errors_are_logged() -> Iterator[None]:
    with capture_logs() as logs:
        yield
    assert [line for line in logs if line["log_level"] in ("error", "critical")] == []


def test_a_player_who_says_anything(tmp_path: Path) -> None:
    async def main() -> Counter[str]:
        async with arena(tmp_path) as here:
            table = here.match("fuzz", "cid")
            fuzz, cid = await here.bot("fuzz"), await here.bot("cid")
            for line in (fuzz, cid):
                line.say({"type": "ready", "match": table.match.id})
            await rest()
            frames = strange_frames("player", table.match.id)
            for number in range(PLAYING // BATCH):
                for frame in islice(frames, BATCH):
                    fuzz.say_raw(frame)
                await rest()
                here.read(fuzz)
                assert fuzz.is_open
                if number % 10 == 0:
                    await here.play_on()
                    # So that the ticks of the fuzzed match go on, too.
                    cid.say(
                        {
                            "type": "action",
                            "match": table.match.id,
                            "tick": table.match.tick,
                            "thrust": [0, 0],
                        }
                    )
            assert table.match.tick > 5
            return here.answers

    answers = run_virtually(main())
    some = {"not_json", "bad_message", "unknown_type", "binary_frame", "unexpected_message", "forbidden"}
    assert some | {"invalid_action", "duplicate", "wrong_tick", "unknown_match", "observation"} <= set(
        answers
    )
    assert sum(answers.values()) > PLAYING * 0.8


def test_a_stranger_who_says_anything(tmp_path: Path) -> None:
    async def main() -> Counter[str]:
        async with arena(tmp_path) as here:
            frames = strange_frames("stranger", here.table.match.id)
            for number in range(BEFORE_HELLO // 50):
                line = here.raw_bot()
                for frame in islice(frames, 50):
                    line.say_raw(frame)
                await rest()
                here.read(line)
                assert line.closed_with in (None, CloseCode.REFUSED, CloseCode.ALREADY_CONNECTED)
                line.cut(goodbye=True)
                if number % 10 == 0:
                    await here.play_on()
            return here.answers

    answers = run_virtually(main())
    assert {"welcome", "not_json", "bad_message", "bad_token", "unknown_resume", "unexpected_message"} <= set(
        answers
    )


def test_spectators_who_say_anything(tmp_path: Path) -> None:
    async def main() -> int:
        async with arena(tmp_path) as here:
            host, told = here.host, 0
            lobby, match = Line(), Line()
            here.tasks += [
                asyncio.create_task(watch_lobby(lobby.as_socket(), host.gateway.lobby, host, here.limits)),
                asyncio.create_task(
                    watch_match(match.as_socket(), here.table.match.id, None, None, host, here.limits)
                ),
            ]
            frames = strange_frames("spectator", here.table.match.id)
            for _ in range(WATCHING // BATCH):
                for frame in islice(frames, BATCH):
                    (lobby if told % 2 else match).say_raw(frame)
                await rest()
                for line in (lobby, match):
                    for message in line.inbox:
                        TO_SPECTATOR.decode(orjson.dumps(message).decode(), LARGEST)
                        told += message["type"] == "error"
                    line.inbox.clear()
                await here.play_on()
            return told

    assert run_virtually(main()) == WATCHING


def test_nobody_gets_past_his_strikes(tmp_path: Path) -> None:
    async def main() -> int:
        limits = Limits(strikes=50, fault_pause_s=0)
        async with arena(tmp_path, limits) as here:
            dropped = 0
            frames = strange_frames("strikes", "none")
            for _ in range(20):
                line = await here.bot("fuzz")
                for frame in islice(frames, 1_000):
                    line.say_raw(frame)
                await rest()
                errors = [message for message in line.inbox if message["type"] == "error"]
                assert len(errors) <= limits.strikes + 1 or line.closed_with is not CloseCode.POLICY
                dropped += line.closed_with is CloseCode.POLICY
                await here.play_on()
            return dropped

    assert run_virtually(main()) == 20


def test_the_generator_says_the_same_again() -> None:
    def first(seed: int) -> list[Any]:
        return list(islice(strange_frames(seed, "m"), 500))

    assert first(1) == first(1)
    assert first(1) != first(2)
