"""An event loop whose time stands still while there is work and jumps to the next timer when there is none.

So what waits for seconds is tested in no time, in exactly the order in which it would happen.
"""

import asyncio
import selectors
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

__all__ = ["LoopClock", "VirtualLoop", "run_virtually"]

T = TypeVar("T")


class _JumpingSelector(selectors.DefaultSelector):
    """Does not wait for a timer, but moves the loop's time to it."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if not ready:
            self.now += max(0.0, timeout)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop with a time of its own, from 0 on."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)
        self.faults: list[Mapping[str, Any]] = []
        """What callbacks raised."""
        self.set_exception_handler(lambda _, context: self.faults.append(context))

    def time(self) -> float:
        return self._jumping.now

    def block(self, seconds: float) -> None:
        """Let time pass in which the loop does nothing, as when a callback computes for long."""
        self._jumping.now += seconds

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Any, *args: Any
    ) -> "asyncio.Future[Any]":
        """Do the work of a thread at once: it takes no time here, and always comes in the same order."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class LoopClock:
    """The time of a virtual loop as the clock of matches."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now_ns(self) -> int:
        return round(self._loop.time() * 1_000_000_000)


def run_virtually(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a virtual loop; what its callbacks raised is raised here."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        loop = runner.get_loop()
        result = runner.run(main)
        assert isinstance(loop, VirtualLoop)
        for fault in loop.faults:
            raise fault.get("exception") or AssertionError(fault["message"])
    return result
