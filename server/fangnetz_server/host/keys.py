"""The host's own secrets: one token for commands, and a key from which watch tokens follow."""

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final

__all__ = ["HOST_TOKEN_VARIABLE", "TOKEN_FILE", "HostKeys", "KeysError", "read_host_token"]

HOST_TOKEN_VARIABLE: Final = "FANGNETZ_HOST_TOKEN"
"""Environment variable for the host's token; stronger than the file."""
TOKEN_FILE: Final = "host-token"
_KEY_FILE: Final = "secret-key"
_OWNER_ONLY: Final = 0o600


class KeysError(Exception):
    """A secret of the host cannot be read or made; the text names the file."""


class HostKeys:
    """The secrets in a data folder; they are made when they are not there yet.

    Args:
        folder: the data folder.

    Raises:
        KeysError: a file cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self.token_file = folder / TOKEN_FILE
        self._token = os.environ.get(HOST_TOKEN_VARIABLE) or _kept(self.token_file)
        self._key = _kept(folder / _KEY_FILE).encode()

    def is_host(self, token: str | None) -> bool:
        """Tell whether a token is the host's; takes the same time whatever it is."""
        return token is not None and _same(token, self._token)

    def watch_token(self, kind: str, name: str) -> str:
        """Return the token with which people may watch a private match or tournament.

        It follows from the key, so nothing has to be stored, and it stays the same over restarts.

        Args:
            kind: "match" or "tournament".
            name: its id.
        """
        digest = hmac.digest(self._key, f"watch/{kind}/{name}".encode(), "sha256")
        return urlsafe_b64encode(digest[:24]).decode()

    def may_watch(self, token: str | None, kind: str, name: str) -> bool:
        """Tell whether a token opens a private match or tournament: its own, or the host's."""
        return token is not None and (_same(token, self.watch_token(kind, name)) or self.is_host(token))


def read_host_token(folder: Path) -> str | None:
    """Return the host's token for a command on the same machine: from the environment, or the folder."""
    given = os.environ.get(HOST_TOKEN_VARIABLE)
    if given:
        return given
    try:
        return (folder / TOKEN_FILE).read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def _kept(file: Path) -> str:
    """Return the secret in a file, or put a new one there that only its owner can read."""
    try:
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        except FileExistsError:
            known = file.read_text(encoding="utf-8").strip()
            if not known:
                raise KeysError(f"{file} is empty; delete it and start again to get a new secret") from None
            return known
        secret = secrets.token_urlsafe(32)
        with os.fdopen(descriptor, "w", encoding="utf-8") as output:
            output.write(secret + "\n")
        return secret
    except OSError as error:
        raise KeysError(f"{file}: {error.strerror or error}") from error


def _same(given: str, known: str) -> bool:
    return hmac.compare_digest(sha256(given.encode()).digest(), sha256(known.encode()).digest())
