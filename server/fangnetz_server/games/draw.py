"""Chance as a value: every draw is a hash of the match seed, the tick and the purpose.

A draw depends on nothing that was drawn before, so a missed action never shifts another draw,
and neighbouring seeds share nothing.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, TypeVar

__all__ = ["Draw"]

T = TypeVar("T")
_BLOCK: Final = 64
_WORD: Final = 8
_UNIT: Final = 2.0**-53


class Draw:
    """A stream of pseudo-random numbers named by (seed, tick, purpose).

    Args:
        seed: the match seed, any integer.
        tick: the tick that the draw is for; 0 for the start position.
        purpose: what is drawn ("move_order", "field"), so that two draws of a tick are independent.
    """

    __slots__ = ("_block", "_counter", "_key", "_used")

    def __init__(self, seed: int, tick: int, purpose: str) -> None:
        self._key = blake2b(f"{seed}/{tick}/{purpose}".encode(), digest_size=32).digest()
        self._counter = 0
        self._block = b""
        self._used = _BLOCK

    def bits64(self) -> int:
        """Return the next 64 random bits."""
        if self._used == _BLOCK:
            self._block = blake2b(self._counter.to_bytes(8, "big"), key=self._key).digest()
            self._counter += 1
            self._used = 0
        start = self._used
        self._used += _WORD
        return int.from_bytes(self._block[start : self._used], "big")

    def below(self, limit: int) -> int:
        """Return an integer in [0, limit), all equally likely; `limit` is at least 1."""
        assert 1 <= limit <= 1 << 64, limit
        # Values from the incomplete last span would favour small results, so they are drawn again.
        span = (1 << 64) // limit * limit
        while (bits := self.bits64()) >= span:
            pass
        return bits % limit

    def unit(self) -> float:
        """Return a float in [0, 1), a multiple of 2**-53."""
        return (self.bits64() >> 11) * _UNIT

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a random order, all orders equally likely (Fisher-Yates)."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return tuple(result)
