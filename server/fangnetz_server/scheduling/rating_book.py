"""The ratings of a game over all its public matches, friendly ones and tournaments alike."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from fangnetz_protocol.words import BotId
from fangnetz_server.store.store import Store
from fangnetz_server.store.values import Fact
from fangnetz_server.tournament.ratings import Rating, rate_batch
from fangnetz_server.tournament.values import BotKey

__all__ = ["BotRating", "RatingBook"]

_SHOWN_POINTS: Final = 200


@dataclass(frozen=True, slots=True)
class BotRating:
    """A bot's rating now, and after each of its newest matches, oldest first."""

    bot: BotId
    rating: Rating
    matches: int
    history: tuple[Rating, ...]


@dataclass(slots=True)
class _Page:
    """What was read of a game so far."""

    last: int = 0
    now: dict[BotKey, Rating] = field(default_factory=dict)
    counts: dict[BotKey, int] = field(default_factory=dict)
    points: dict[BotKey, list[Rating]] = field(default_factory=dict)


class RatingBook:
    """Computes ratings from facts, each fact once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pages: dict[str, _Page] = {}
        self._turn = asyncio.Lock()

    def forget(self) -> None:
        """Facts have changed, not only come: read them all again when somebody asks."""
        self._pages = {}

    async def ratings(self, game: str) -> list[BotRating]:
        """Return the bots of a game, the best first: by `mu - 3 sigma`, the strength shown for sure."""
        async with self._turn:
            page = self._pages.setdefault(game, _Page())
            facts = await self._store.facts.of_game(game, after=page.last, public_only=True)
            await asyncio.to_thread(_add, page, facts)
            found = [
                BotRating(BotId(key), rating, page.counts[key], tuple(page.points[key]))
                for key, rating in page.now.items()
            ]
        return sorted(found, key=lambda entry: (-entry.rating.low, entry.bot))


def _add(page: _Page, facts: Sequence[Fact]) -> None:
    for fact in facts:
        page.last = fact.number
        standing = [(BotKey(bot), place) for bot, place in zip(fact.bots, fact.places, strict=True)]
        new = rate_batch(page.now, [standing])
        page.now.update(new)
        for key, rating in new.items():
            page.counts[key] = page.counts.get(key, 0) + 1
            points = page.points.setdefault(key, [])
            points.append(rating)
            del points[:-_SHOWN_POINTS]
