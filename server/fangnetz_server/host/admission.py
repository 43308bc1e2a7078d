"""Who may come in, and under which name."""

import hmac
import secrets
import unicodedata
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Final

from fangnetz_protocol import errors
from fangnetz_protocol.messages import ClientInfo, Hello
from fangnetz_protocol.words import BotId
from fangnetz_server.match.seats import Entrant
from fangnetz_server.store.errors import Refused
from fangnetz_server.store.names import NameKeys
from fangnetz_server.store.store import Store

__all__ = ["MAX_NAME", "Admission", "check_name"]

MAX_NAME: Final = 32
"""Characters of a name: enough for a team, little enough for a scoreboard."""
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories without a shape of their own: controls, bidi overrides, zero-width characters."""
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters of other categories that cannot be seen either."""
_SPACE: Final = " "
"""The only space of a name; others look like it or like nothing."""


def check_name(name: str) -> str:
    """Return a bot's name in the form in which it is compared and shown (NFC).

    Raises:
        errors.BadName: it is empty, too long, or has characters that cannot be seen.
    """
    shown = unicodedata.normalize("NFC", name).strip()
    if not 1 <= len(shown) <= MAX_NAME:
        raise errors.BadName(name, f"has to have 1 to {MAX_NAME} visible characters")
    for character in shown:
        if not _is_visible(character):
            raise errors.BadName(name, f"the character U+{ord(character):04X} cannot be seen; leave it out")
    try:
        NameKeys.of(shown)
    except ValueError as error:
        raise errors.BadName(name, "none of its characters can be seen") from error
    return shown


def _is_visible(character: str) -> bool:
    if character == _SPACE:
        return True
    category = unicodedata.category(character)
    variant = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return not (category in _INVISIBLE or category == "Zs" or variant or character in _BLANK)


class Admission:
    """Decides who a bot is.

    A token is a registered bot's, a seat code, or one that the host made for a bot of its own.
    Without a token a bot comes in under a name of its own choice, if the server is `open`; there a
    name is an identity, so anybody may take over the seat of a lost bot with its name. Hence open
    is for trusted networks only.

    Args:
        store: knows the registered bots and the seat codes.
        is_open: whether bots may come in without a token.
    """

    def __init__(self, store: Store, *, is_open: bool) -> None:
        self.is_open = is_open
        self._store = store
        self._reserved: dict[bytes, Entrant] = {}
        self._guests = 0
        self._noted: set[tuple[BotId, ClientInfo]] = set()

    def reserve(self, entrant: Entrant) -> str:
        """Return a new token under which `entrant` may come in until the server stops."""
        token = secrets.token_urlsafe(24)
        self._reserved[_digest(token)] = entrant
        return token

    async def admit(
        self, hello: Hello, header_token: str | None, present: Callable[[], Iterable[Entrant]]
    ) -> Entrant:
        """Return who says hello.

        Args:
            hello: the message.
            header_token: the token of the `Authorization` header, stronger than the message's.
            present: gives the bots that are in.

        Raises:
            errors.PeerError: BadToken, BadName or NameTaken.
        """
        token = header_token or hello.token
        if token is not None:
            return await self._by_token(token, hello)
        if not self.is_open:
            raise errors.BadToken
        name = self._guest_name() if hello.name is None else check_name(hello.name)
        await self._refuse_registered(name)
        _refuse_alike(name, present())
        return Entrant(BotId(name), name)

    async def _by_token(self, token: str, hello: Hello) -> Entrant:
        digest = _digest(token)
        for known, entrant in self._reserved.items():
            if hmac.compare_digest(known, digest):
                return entrant
        bot = await self._store.bots.by_token(token)
        if bot is None:
            return await self._by_seat_code(token)
        if bot.disabled_at is not None:
            raise errors.BadToken
        await self._note_version(bot.id, hello)
        return bot.entrant

    async def _note_version(self, bot: BotId, hello: Hello) -> None:
        """Note the program that a bot came with, once while the server runs: it costs a write."""
        if hello.client is not None and (bot, hello.client) not in self._noted:
            self._noted.add((bot, hello.client))
            client = hello.client
            await self._store.bots.note_version(bot, client.name, client.version, client.language)

    async def _by_seat_code(self, code: str) -> Entrant:
        try:
            grant = await self._store.seat_codes.use(code, used_by="a bot")
        except Refused as error:
            raise errors.BadToken from error
        if grant.tournament is None:
            return grant.entrant
        bot = await self._store.bots.get(grant.bot)
        if bot.disabled_at is not None:
            raise errors.BadToken
        return bot.entrant

    async def _refuse_registered(self, name: str) -> None:
        """A guest may neither look like a registered bot nor be taken for one by its id."""
        if await self._store.bots.is_taken(name):
            raise errors.NameTaken(name)

    def _guest_name(self) -> str:
        self._guests += 1
        return f"guest-{self._guests}"


def _refuse_alike(name: str, present: Iterable[Entrant]) -> None:
    """Refuse a name that looks like another one; the very same name is the same bot."""
    keys = NameKeys.of(name)
    for other in present:
        if other.name != name and keys.is_like(NameKeys.of(other.name)):
            raise errors.NameTaken(name)


def _digest(token: str) -> bytes:
    return sha256(token.encode()).digest()
