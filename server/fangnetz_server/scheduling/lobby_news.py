"""Tells the lobby how the tournaments stand (protocol P3.1)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog

from fangnetz_protocol.codec import encode_dict
from fangnetz_protocol.messages import MAX_STANDINGS, MAX_TOURNAMENTS
from fangnetz_server.host.lobby import LobbyFeed
from fangnetz_server.scheduling.files import stored_plan
from fangnetz_server.scheduling.progress import Progress
from fangnetz_server.scheduling.views import Views
from fangnetz_server.store.errors import StoreUnavailable
from fangnetz_server.store.store import Store
from fangnetz_server.store.values import Tournament

__all__ = ["LobbyNews"]

_log = structlog.get_logger(__name__)
_COLLECT_S: Final = 1.0
"""Changes within this time are told at once."""


class LobbyNews:
    """Collects changes, and while somebody watches tells them now and then.

    Args:
        store: knows the tournaments.
        views: their tables.
        progress: returns how far one is.
        feed: of the lobby.
    """

    def __init__(
        self,
        store: Store,
        views: Views,
        progress: Callable[[Tournament], Awaitable[Progress]],
        feed: LobbyFeed,
    ) -> None:
        self._store = store
        self._views = views
        self._progress = progress
        self._feed = feed
        self._is_due = False
        self._told = b""
        self._telling: asyncio.Task[None] | None = None

    def changed(self) -> None:
        """Something about a tournament is different."""
        self._is_due = True
        if self._feed.is_watched:
            self._arm()

    def watched(self) -> None:
        """Somebody has come, who may have heard something old."""
        if self._is_due:
            self._arm()

    async def renew(self) -> None:
        """Tell how it stands now, unless that is what was told last."""
        self._is_due = False
        known = (await self._store.tournaments.all())[:MAX_TOURNAMENTS]
        message = encode_dict(
            {"type": "tournaments", "tournaments": [await self._entry(one) for one in known]}
        )
        if message != self._told and (known or self._told):
            self._told = message
            self._feed.show_tournaments(message)

    async def close(self) -> None:
        """Tell no more."""
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)

    def _arm(self) -> None:
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._renew_soon(), name="lobby-news")

    async def _renew_soon(self) -> None:
        while self._is_due:
            await asyncio.sleep(_COLLECT_S)
            try:
                await self.renew()
            except StoreUnavailable as error:
                _log.warning("lobby_news_not_read", problem=str(error))
                self._is_due = True

    async def _entry(self, known: Tournament) -> dict[str, Any]:
        picture = await self._views.picture(known.id, for_host=False)
        progress = await self._progress(known)
        return {
            "id": known.id,
            "name": known.name,
            "game": stored_plan(known.spec).spec.game,
            "state": known.state,
            "done": progress.done,
            "total": progress.total,
            "standings": [
                {"rank": row.place, "name": row.bot, "points": row.points}
                for row in picture.rows[:MAX_STANDINGS]
            ],
        }
