"""Time that is comparable on a noisy machine: CPU time, interleaved runs, a calibration."""

import time
from collections.abc import Callable
from typing import Final

__all__ = ["cpu_rate", "loops_per_second"]

_LOOP: Final = 20_000
_TRIES: Final = 7


def cpu_rate(work: Callable[[], int], tries: int = _TRIES) -> float:
    """Return how many units `work` does in a second of CPU time, in its best of some tries.

    Args:
        work: does something and returns how many units it was.
        tries: other processes only ever make a try slower, so the best one is nearest to the truth.
    """
    return max(_rate(work) for _ in range(tries))


def _rate(work: Callable[[], int]) -> float:
    start = time.process_time()
    units = work()
    return units / (time.process_time() - start)


def loops_per_second() -> float:
    """Return the speed of this machine and this Python: rounds of a small loop of floats in a second."""
    return cpu_rate(_loop)


def _loop() -> int:
    position = speed = 0.0
    for number in range(_LOOP):
        speed += 0.01 if number & 1 else -0.01
        position += speed * 0.5
    return _LOOP
