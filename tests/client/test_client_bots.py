"""What the SDK does with a bot that fails, is slow, takes its time or gives up."""

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import Any

import pytest

from fangnetz import Bot, LeaveMatch, MatchEnd, MatchStart, SpaceballsBot, Thrust, play
from fangnetz_protocol import spaceballs
from fangnetz_protocol.codes import CloseCode
from support.scripted import Peer, ScriptedServer, observation, start
from support.sdk import COAST, Diary, Waits, patient

# --- what the bot's code does wrong -------------------------------------------------------------


async def test_an_exception_costs_a_tick_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(SpaceballsBot):
        def decide(self, observation: spaceballs.Observation) -> Thrust:
            if self.tick < 3:
                raise KeyError("no such plan")
            return Thrust(thrust=(float("inf"), 0.0)) if self.tick == 3 else Thrust(thrust=(0.0, 1.0))

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        for tick in range(4):
            assert await peer.ask(tick) == COAST | {"tick": tick}
        assert (await peer.ask(4))["thrust"] == [0.0, 1.0]
        await peer.end()

    async with ScriptedServer(script) as server:
        await play(Broken, server.url, matches=1)
    logged = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.getMessage().partition("()")[0] for record in logged] == ["decide", "decide"]
    assert logged[0].exc_info is not None
    assert isinstance(logged[0].exc_info[1], KeyError)


@pytest.mark.parametrize("answer", [None, (1.0, 0.0), {"thrust": [1, 0]}, "left"])
async def test_what_is_no_action_costs_a_tick(answer: Any, caplog: pytest.LogCaptureFixture) -> None:
    class Odd(SpaceballsBot):
        def decide(self, observation: spaceballs.Observation) -> Thrust:
            return answer  # type: ignore[no-any-return]

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert await peer.ask(0) == COAST | {"tick": 0}
        await peer.end()

    async with ScriptedServer(script) as server:
        await play(Odd, server.url, matches=1)
    assert "decide() has to return a Thrust, not" in caplog.text


async def test_exceptions_in_the_other_methods_do_not_matter(caplog: pytest.LogCaptureFixture) -> None:
    class Clumsy(SpaceballsBot):
        def start(self, match: MatchStart) -> None:
            raise RuntimeError("at the start")

        def missed(self, ticks: Sequence[int]) -> None:
            raise RuntimeError("at missed")

        def end(self, result: MatchEnd) -> None:
            raise RuntimeError("at the end")

        def decide(self, observation: spaceballs.Observation) -> Thrust:
            return Thrust(thrust=(0.0, 1.0))

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert (await peer.ask(2, missed=[0, 1]))["thrust"] == [0.0, 1.0]
        await peer.end()

    async with ScriptedServer(script) as server:
        assert len(await play(Clumsy, server.url, matches=1)) == 1
    assert [text in caplog.text for text in ("at the start", "at missed", "at the end")] == [True] * 3


# --- slow bots ----------------------------------------------------------------------------------


async def test_a_slow_bot_answers_the_newest_observation_and_learns_what_it_missed() -> None:
    class Slow(Diary):
        def decide(self, observation: spaceballs.Observation) -> Thrust:
            until = time.perf_counter() + 0.003
            while time.perf_counter() < until:
                pass
            return super().decide(observation)

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.send(*[observation(tick) for tick in range(5)])
        assert [(await peer.receive())["tick"] for _ in range(2)] == [0, 4]
        assert (await peer.ask(5))["tick"] == 5
        await peer.end()

    bot = Slow()
    async with ScriptedServer(script) as server:
        await play(bot, server.url, matches=1)
    assert bot.lines == [("start", "m-1", 6000), 0, ("missed", 1, 2, 3), 4, 5, ("end", 1.0)]


async def test_an_async_bot_does_not_hold_up_other_matches() -> None:
    class Thinker(SpaceballsBot):
        gate = asyncio.Event()
        missing: Sequence[int] = ()

        def missed(self, ticks: Sequence[int]) -> None:
            type(self).missing = ticks

        async def decide(self, observation: spaceballs.Observation) -> Thrust:
            if self.match.match == "m-1" and self.tick == 0:
                await self.gate.wait()
            return Thrust(thrust=(0.0, 1.0))

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start("m-1")
        await peer.start("m-2")
        await peer.send(*[observation(tick, "m-1") for tick in range(4)])
        assert (await peer.ask(0, "m-2"))["match"] == "m-2"
        Thinker.gate.set()
        assert [(await peer.receive())["tick"] for _ in range(2)] == [0, 3]
        await peer.end("m-1")
        await peer.end("m-2")

    async with ScriptedServer(script) as server:
        assert len(await play(Thinker, server.url, matches=2)) == 2
    assert Thinker.missing == [1, 2]


async def test_an_async_bot_that_never_answers_is_given_up_at_the_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Sphinx(SpaceballsBot):
        async def decide(self, observation: spaceballs.Observation) -> Thrust:
            await asyncio.Event().wait()
            raise AssertionError

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.send(observation(0))
        await peer.end()

    async with ScriptedServer(script) as server:
        assert len(await play(Sphinx, server.url, matches=1)) == 1
    assert "failed" not in caplog.text


async def test_an_exception_in_an_async_bot_costs_a_tick() -> None:
    class Broken(SpaceballsBot):
        async def decide(self, observation: spaceballs.Observation) -> Thrust:
            raise RuntimeError("no idea")

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert await peer.ask(0) == COAST | {"tick": 0}
        await peer.end()

    async with ScriptedServer(script) as server:
        assert len(await play(Broken, server.url, matches=1)) == 1


# --- bots that take their time, and bots that give up ---------------------------------------------


class Slow(SpaceballsBot):
    """Prepares itself until it is told to begin."""

    def __init__(self) -> None:
        self.lines: list[object] = []
        self.may_begin = asyncio.Event()
        self.begun = asyncio.Event()

    async def start(self, match: MatchStart) -> None:
        self.lines.append("start")
        self.begun.set()
        await self.may_begin.wait()

    def decide(self, observation: spaceballs.Observation) -> Thrust:
        self.lines.append(self.tick)
        return Thrust(thrust=(1.0, 0.0))

    def missed(self, ticks: Sequence[int]) -> None:
        self.lines.append(("missed", *ticks))


async def test_an_async_start_holds_back_ready_but_not_the_match() -> None:
    bot = Slow()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(start(), observation(0), observation(1))
        await bot.begun.wait()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await peer.socket.recv()
        bot.may_begin.set()
        assert await peer.receive() == {"type": "ready", "match": "m-1"}
        assert (await peer.receive())["tick"] == 1
        await peer.end()
        await peer.until_closed()

    async with ScriptedServer(script) as server:
        await play(bot, server.url, matches=1)
    assert bot.lines == ["start", ("missed", 0), 1]


async def test_an_async_start_that_is_cut_short_is_called_again() -> None:
    bot = Slow()

    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(start())
        await bot.begun.wait()
        await peer.socket.close(CloseCode.RESTART)

    async def second(peer: Peer) -> None:
        bot.may_begin.set()
        await peer.welcome(resumed=True)
        await peer.start()
        await peer.ask(0)
        await peer.end()
        await peer.until_closed()

    async with ScriptedServer(first, second) as server:
        await play(bot, server.url, matches=1, **patient(Waits()))
    assert bot.lines == ["start", "start", 0]


class Quitter(Diary):
    """Gives up when it is told to: at the start, or in a tick."""

    def __init__(self, when: object) -> None:
        super().__init__()
        self._when = when

    def start(self, match: MatchStart) -> None:
        if self._when == "start":
            raise LeaveMatch
        super().start(match)

    def decide(self, observation: spaceballs.Observation) -> Thrust:
        if self._when == self.tick:
            raise LeaveMatch
        return super().decide(observation)


class SlowQuitter(Bot[Any, Any]):
    """Gives up after a moment of thought."""

    game = "spaceballs"

    def __init__(self, when: object) -> None:
        self._when = when

    async def start(self, match: MatchStart) -> None:
        await asyncio.sleep(0)
        if self._when == "start":
            raise LeaveMatch

    async def decide(self, observation: Any) -> Any:
        await asyncio.sleep(0)
        if self._when == self.tick:
            raise LeaveMatch
        return {"thrust": [1.0, 0.0]}


@pytest.mark.parametrize("when", ["start", 0, 2])
@pytest.mark.parametrize("kind", [Quitter, SlowQuitter])
async def test_a_bot_may_give_up_its_seat(
    kind: type[Quitter | SlowQuitter], when: object, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "fangnetz")

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(start())
        tick = 0
        while (answer := await peer.receive())["type"] != "leave":
            assert answer["type"] in ("ready", "action")
            await peer.send(observation(tick))
            tick += 1
        assert answer == {"type": "leave", "match": "m-1"}
        assert tick == (0 if when == "start" else int(str(when)) + 1)
        assert await peer.until_closed() == CloseCode.NORMAL

    async with ScriptedServer(script) as server:
        assert await play(kind(when), server.url, matches=1) == []
    assert "match m-1 is given up by the bot" in caplog.text


async def test_a_seat_that_was_given_up_makes_room_for_the_next_match() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(start("m-1"))
        assert await peer.receive() == {"type": "ready", "match": "m-1"}
        assert (await peer.ask(0, "m-1"))["type"] == "leave"
        await peer.start("m-2")
        assert (await peer.ask(1, "m-2"))["type"] == "action"
        await peer.end("m-2")
        await peer.until_closed()

    async with ScriptedServer(script) as server:
        results = await play(Quitter(0), server.url, matches=2)
    assert [result.match for result in results] == ["m-2"]
