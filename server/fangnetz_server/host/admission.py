"""Who may come in, and under which name."""

import hmac
import secrets
import unicodedata
from hashlib import sha256
from typing import Final

from fangnetz_protocol import errors
from fangnetz_protocol.messages import Hello
from fangnetz_protocol.words import BotId
from fangnetz_server.match.seats import Entrant

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
    return shown


def _is_visible(character: str) -> bool:
    if character == _SPACE:
        return True
    category = unicodedata.category(character)
    variant = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return not (category in _INVISIBLE or category == "Zs" or variant or character in _BLANK)


class Admission:
    """Decides who a bot is.

    Seats that the host keeps for certain bots have a token each. Everybody else comes in under a
    name of its own choice if the server is `open`; there a name is an identity, so anybody may
    take over the seat of a lost bot with its name. Hence open is for trusted networks only.
    """

    def __init__(self, *, is_open: bool) -> None:
        self.is_open = is_open
        self._reserved: dict[bytes, Entrant] = {}
        self._guests = 0

    def reserve(self, entrant: Entrant) -> str:
        """Return a new token under which `entrant` may come in."""
        token = secrets.token_urlsafe(24)
        self._reserved[_digest(token)] = entrant
        return token

    def admit(self, hello: Hello, header_token: str | None) -> Entrant:
        """Return who says hello.

        Raises:
            errors.PeerError: BadToken or BadName.
        """
        token = header_token or hello.token
        if token is not None:
            return self._by_token(token)
        if not self.is_open:
            raise errors.BadToken
        name = self._guest_name() if hello.name is None else check_name(hello.name)
        return Entrant(BotId(name), name)

    def _by_token(self, token: str) -> Entrant:
        digest = _digest(token)
        for known, entrant in self._reserved.items():
            if hmac.compare_digest(known, digest):
                return entrant
        raise errors.BadToken

    def _guest_name(self) -> str:
        self._guests += 1
        return f"guest-{self._guests}"


def _digest(token: str) -> bytes:
    return sha256(token.encode()).digest()
