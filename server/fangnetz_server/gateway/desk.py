"""What the gateway asks of the host: callbacks, so that it needs to know neither store nor lobby."""

from collections.abc import Sequence
from typing import Protocol

from fangnetz_protocol.errors import PeerError
from fangnetz_protocol.messages import Hello
from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.games.contract import GameInfo
from fangnetz_server.gateway.doorman import Refusal
from fangnetz_server.gateway.links import BotLink
from fangnetz_server.gateway.routes import Route
from fangnetz_server.gateway.table import Table
from fangnetz_server.match.seats import Entrant

__all__ = ["Desk"]


class Desk(Protocol):
    """The host, as seen from the gateway."""

    def games(self) -> Sequence[GameInfo]:
        """Return the games of this server."""
        ...

    def check_games(self, wanted: Sequence[str] | None) -> tuple[str, ...]:
        """Return the games that a bot will play here; None: all.

        Raises:
            PeerError: BadMessage, if the server has none of them.
        """
        ...

    async def admit(self, hello: Hello, token: str | None) -> Entrant:
        """Return who the bot is.

        Raises:
            PeerError: BadToken, BadName, NameTaken, ServerFull.
        """
        ...

    def heard(self, now_ns: int) -> None:
        """A bot's message has been read and is going to be judged by the time."""
        ...

    def arrived(self, link: BotLink) -> None:
        """A bot is connected, for the first time or again."""
        ...

    def departed(self, link: BotLink) -> None:
        """A bot has lost its connection."""
        ...

    def why_not_seated(self, match: MatchId, bot: BotId) -> PeerError:
        """Return UnknownMatch, MatchOver or NotSeated, whichever fits and the bot may know."""
        ...

    def refuse_visit(self, route: Route, token: str | None) -> Refusal | None:
        """Return why somebody with this token, or none, may not come in at all, or None."""
        ...

    def table(self, match: MatchId, token: str | None) -> Table | None:
        """Return a match that is not shown to its end yet.

        One that somebody with this token may not know of is None, like one that does not exist.
        """
        ...

    async def finished(self, match: MatchId, token: str | None) -> Sequence[bytes] | None:
        """Return `match_start`, last `frame` and `match_end` of a finished match; None: unknown to him."""
        ...

    def lobby(self) -> Sequence[bytes]:
        """Return what a new spectator of the lobby gets: the full list of matches first (P3.1)."""
        ...
