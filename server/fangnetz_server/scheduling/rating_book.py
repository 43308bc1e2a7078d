"""The ratings of a game over all its public matches, friendly ones and tournaments alike."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import structlog

from fangnetz_protocol.words import BotId
from fangnetz_server.store.errors import StoreUnavailable
from fangnetz_server.store.store import Store
from fangnetz_server.store.values import Fact, StoredRating
from fangnetz_server.tournament.ratings import Rating, rate_batch
from fangnetz_server.tournament.values import BotKey

__all__ = ["BotRating", "RatingBook"]

_log = structlog.get_logger(__name__)
_SHOWN_POINTS: Final = 200


@dataclass(frozen=True, slots=True)
class BotRating:
    """A bot's rating now, and after each of its newest matches, oldest first."""

    bot: BotId
    rating: Rating
    matches: int
    history: tuple[Rating, ...]


@dataclass(slots=True)
class _Line:
    """What is known of a bot so far."""

    matches: int = 0
    points: deque[Rating] = field(default_factory=lambda: deque(maxlen=_SHOWN_POINTS))

    def add(self, rating: Rating) -> None:
        self.matches += 1
        self.points.append(rating)


@dataclass(slots=True)
class _Page:
    """What is known of a game so far; `last` is the number of the newest result in it."""

    last: int = 0
    lines: dict[BotId, _Line] = field(default_factory=dict)

    def add(self, points: Iterable[StoredRating]) -> None:
        for point in points:
            self.last = point.step
            self.lines.setdefault(point.bot, _Line()).add(Rating(point.mu, point.sigma))


class RatingBook:
    """Computes ratings from facts, each fact once; the store keeps what was computed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pages: dict[str, _Page] = {}
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[None]:
        """Change facts that are there already, inside the context; nobody rates them meanwhile."""
        async with self._turn:
            try:
                yield
            finally:
                self._pages.clear()

    async def ratings(self, game: str) -> list[BotRating]:
        """Return the bots of a game, the best first: by `mu - 3 sigma`, the strength shown for sure."""
        async with self._turn:
            page = await self._read_on(game)
            found = [
                BotRating(bot, line.points[-1], line.matches, tuple(line.points))
                for bot, line in page.lines.items()
            ]
        return sorted(found, key=lambda entry: (-entry.rating.low, entry.bot))

    async def _read_on(self, game: str) -> _Page:
        page = self._pages.get(game)
        if page is None:
            page = _Page()
            page.add(await self._store.ratings.history(game))
            self._pages[game] = page
        facts = await self._store.facts.of_game(game, after=page.last, public_only=True)
        if facts:
            points = await asyncio.to_thread(_rated, page, facts)
            page.add(points)
            await self._keep(game, points)
        return page

    async def _keep(self, game: str, points: Sequence[StoredRating]) -> None:
        try:
            await self._store.ratings.save(game, points)
        except StoreUnavailable as error:
            _log.warning("ratings_not_stored", game=game, problem=str(error))
            del self._pages[game]  # Next time from where the store is: its history has no holes.


def _rated(page: _Page, facts: Sequence[Fact]) -> list[StoredRating]:
    now = {BotKey(bot): line.points[-1] for bot, line in page.lines.items()}
    points = []
    for fact in facts:
        standing = [(BotKey(bot), place) for bot, place in zip(fact.bots, fact.places, strict=True)]
        new = rate_batch(now, [standing])
        now.update(new)
        points += [
            StoredRating(fact.number, BotId(bot), rating.mu, rating.sigma) for bot, rating in new.items()
        ]
    return points
