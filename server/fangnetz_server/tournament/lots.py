"""Chance in tournaments: every lot is a hash of the tournament seed and its purpose.

Nothing is drawn from a stream, so no lot depends on which lots were drawn before it.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from fangnetz_server.tournament.values import BotKey

__all__ = ["SEED_LIMIT", "by_lot", "field_seed", "lot"]

SEED_LIMIT: Final = 1 << 53
"""Seeds stay below it: the largest range of whole numbers that every JSON reader keeps exact."""
_BETWEEN: Final = "\x1f"


def lot(seed: int, purpose: str, *parts: object) -> int:
    """Return 64 bits that depend on the seed, the purpose and the parts, and on nothing else."""
    text = _BETWEEN.join([str(seed), purpose, *map(str, parts)])
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def by_lot(seed: int, purpose: str, bots: Iterable[BotKey]) -> list[BotKey]:
    """Return the bots in a drawn order that does not depend on the order given."""
    return sorted(bots, key=lambda bot: (lot(seed, purpose, bot), bot))


def field_seed(seed: int, *parts: object) -> int:
    """Return a match seed, in [0, SEED_LIMIT)."""
    return lot(seed, "field", *parts) % SEED_LIMIT
