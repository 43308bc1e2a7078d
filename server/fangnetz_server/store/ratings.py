"""The history of ratings. It is computed from facts, and kept so that nobody has to do it again.

A pool is what is rated together: a game. A step is the number of the result that was rated. Whatever
changes a result that is there already outdates, in the same transaction, the ratings from it on.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, delete, func, insert, select

from fangnetz_protocol.words import BotId
from fangnetz_server.store.database import Database
from fangnetz_server.store.tables import ratings
from fangnetz_server.store.values import StoredRating

__all__ = ["Ratings", "outdate_ratings"]


def outdate_ratings(tx: Connection, pool: str, step: int) -> None:
    """Forget the ratings of a pool from a step on: a result with this number has changed."""
    tx.execute(delete(ratings).where(ratings.c.pool == pool, ratings.c.step >= step))


class Ratings:
    """The ratings as a part of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, pool: str, points: Sequence[StoredRating]) -> None:
        """Make `points` the history of a pool from their first step on; what was there from it on goes.

        So a step that is computed again, and a history that a correction has changed, are no special cases.
        """
        if not points:
            return
        first = min(point.step for point in points)
        rows = [
            {"pool": pool, "step": point.step, "bot": point.bot, "mu": point.mu, "sigma": point.sigma}
            for point in points
        ]

        def work(tx: Connection) -> None:
            outdate_ratings(tx, pool, first)
            tx.execute(insert(ratings), rows)

        await self._database.write(work)

    async def history(self, pool: str, *, bot: BotId | None = None) -> tuple[StoredRating, ...]:
        """Return the history of a pool, or of one bot in it, by step and bot."""
        query = select(ratings).where(ratings.c.pool == pool).order_by(ratings.c.step, ratings.c.bot)
        if bot is not None:
            query = query.where(ratings.c.bot == bot)
        return await self._database.read(lambda tx: _points(tx, query))

    async def latest(self, pool: str) -> tuple[StoredRating, ...]:
        """Return the newest rating of every bot in a pool, by bot."""
        newest = (
            select(ratings.c.bot, func.max(ratings.c.step).label("step"))
            .where(ratings.c.pool == pool)
            .group_by(ratings.c.bot)
            .subquery()
        )
        same = and_(ratings.c.bot == newest.c.bot, ratings.c.step == newest.c.step)
        query = select(ratings).join(newest, same).where(ratings.c.pool == pool).order_by(ratings.c.bot)
        return await self._database.read(lambda tx: _points(tx, query))


def _points(tx: Connection, query: Select[Any]) -> tuple[StoredRating, ...]:
    return tuple(StoredRating(row.step, BotId(row.bot), row.mu, row.sigma) for row in tx.execute(query))
