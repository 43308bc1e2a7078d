"""From what a user writes for a server to the address of its `/play`."""

from typing import Final
from urllib.parse import SplitResult, urlsplit, urlunsplit

from fangnetz.problems import WrongUse

__all__ = ["DEFAULT_SERVER", "is_local", "play_url"]

DEFAULT_SERVER: Final = "ws://127.0.0.1:7474"
_SCHEMES: Final = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def play_url(server: str) -> str:
    """Return the WebSocket URL of `/play` for a server.

    Args:
        server: `ws://HOST:PORT`, `wss://HOST/PREFIX`, the same with http or https, or `HOST:PORT`.

    Raises:
        WrongUse: it is no address of a server.
    """
    parts = _split(server.strip())
    if parts.scheme not in _SCHEMES:
        raise WrongUse(f"server {server!r}: the scheme has to be ws, wss, http or https")
    if parts.username is not None or parts.query or parts.fragment:
        raise WrongUse(f"server {parts.hostname!r}: only host, port and path belong there; use token")
    if not parts.hostname:
        raise WrongUse(f"server {server!r}: the host is missing, as in {DEFAULT_SERVER}")
    path = parts.path.rstrip("/").removesuffix("/play")
    return urlunsplit((_SCHEMES[parts.scheme], parts.netloc, f"{path}/play", "", ""))


def is_local(url: str) -> bool:
    """Tell whether a URL leads to this machine."""
    return urlsplit(url).hostname in _LOCAL


def _split(server: str) -> SplitResult:
    try:
        parts = urlsplit(server if "://" in server else f"ws://{server}")
        parts.port  # noqa: B018  # Reading it checks it.
    except ValueError as error:
        raise WrongUse(f"server {server!r}: {error}") from None
    return parts
