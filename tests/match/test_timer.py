"""The timer wakes a match when it is due, on an event loop whose time the test owns."""

import asyncio
from typing import Any

from fangnetz_server.match.clock import MonotonicClock
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.timer import MatchTimer
from support.arena import Arena
from support.virtual_loop import LoopClock, VirtualLoop, run_virtually


class TimedArena(Arena):
    """A match on the running loop's time, woken by a `MatchTimer` alone."""

    def __init__(self, **settings: Any) -> None:
        self.loop = asyncio.get_running_loop()
        super().__init__(clock=LoopClock(self.loop), **settings)
        self.timer = MatchTimer(self.match, LoopClock(self.loop))
        self.outbox.on_move = self.timer.moved
        self.timer.moved()
        self.ticks: list[tuple[float, int]] = []
        self.outbox.on_frame = lambda: self.ticks.append((round(self.loop.time(), 6), self.match.tick))


def test_realtime_ticks_come_at_their_times() -> None:
    async def main() -> list[tuple[float, int]]:
        arena = TimedArena(pace="realtime", tick_ms=100)
        arena.start()
        await asyncio.sleep(0.35)
        arena.match.abort("seen enough")
        arena.timer.moved()
        await asyncio.sleep(10)
        return arena.ticks

    assert run_virtually(main()) == [(0.0, 0), (0.1, 1), (0.2, 2), (0.3, 3)]


def test_lockstep_silence_ends_when_deadline_and_bank_are_over() -> None:
    async def main() -> list[tuple[float, int]]:
        arena = TimedArena(deadline_ms=500, bank_ms=1000)
        arena.start()
        await asyncio.sleep(2.6)
        return arena.ticks

    assert run_virtually(main()) == [(0.0, 0), (1.5, 1), (2.0, 2), (2.5, 3)]


def test_a_timer_is_left_alone_while_the_due_time_moves_away() -> None:
    async def main() -> None:
        arena = TimedArena(deadline_ms=500, bank_ms=0)
        arena.start()
        await asyncio.sleep(0.4)
        for _ in range(5):
            arena.act(0)
            arena.act(1)
        assert arena.due_ms == 900
        await asyncio.sleep(0.2)
        assert arena.match.tick == 5, "the timer for 0.5 s came too early and did nothing"
        await asyncio.sleep(0.31)
        assert arena.match.tick == 6
        assert arena.ticks[-1][0] == 0.9

    run_virtually(main())


def test_a_nearer_due_time_moves_the_timer() -> None:
    async def main() -> None:
        arena = TimedArena(deadline_ms=500, bank_ms=60_000)
        arena.start()
        arena.act(0)
        await asyncio.sleep(1)
        assert arena.match.tick == 0
        arena.leave(1)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (arena.match.tick, arena.loop.time()) == (1, 1.0)

    run_virtually(main())


def test_nobody_came_and_the_timer_ends_it() -> None:
    async def main() -> None:
        arena = TimedArena(ready_ms=3000)
        await asyncio.sleep(2.9)
        assert arena.is_in(Phase.WAITING)
        await asyncio.sleep(0.2)
        assert arena.is_in(Phase.OVER)

    run_virtually(main())


def test_a_held_match_has_no_timer_and_gets_one_again() -> None:
    async def main() -> None:
        arena = TimedArena(pace="realtime", tick_ms=100)
        arena.start()
        arena.match.pause()
        await asyncio.sleep(60)
        assert arena.match.tick == 0
        arena.match.resume()
        await asyncio.sleep(0.25)
        assert arena.match.tick == 2

    run_virtually(main())


def test_a_cancelled_timer_wakes_nobody() -> None:
    async def main() -> None:
        arena = TimedArena(pace="realtime", tick_ms=100)
        arena.start()
        arena.timer.cancel()
        arena.timer.cancel()
        await asyncio.sleep(60)
        assert arena.match.tick == 0

    run_virtually(main())


def test_after_a_stall_what_bots_have_said_in_time_is_read_first() -> None:
    async def main() -> None:
        arena = TimedArena(pace="realtime", tick_ms=100)
        arena.start()
        await asyncio.sleep(0.05)
        assert isinstance(arena.loop, VirtualLoop)
        arena.loop.block(1.0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert arena.match.tick == 0, "the timer has fired, but sockets come before it"
        arena.act(0, step=1)
        await asyncio.sleep(0.05)
        assert arena.match.tick == 1
        assert arena.last_status(0) == (0, "applied")

    run_virtually(main())


def test_a_timer_has_no_business_with_a_match_that_is_over() -> None:
    async def main() -> None:
        arena = TimedArena()
        arena.match.abort("early")
        arena.timer.moved()
        await asyncio.sleep(60)
        assert arena.match.due_ns is None
        assert len(arena.outbox.results) == 1

    run_virtually(main())


def test_the_machines_clock_goes_forward() -> None:
    times = [MonotonicClock().now_ns() for _ in range(1000)]
    assert times == sorted(times)
    assert times[-1] > times[0]
