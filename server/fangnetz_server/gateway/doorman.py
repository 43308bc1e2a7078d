"""Counts who is in and refuses at the upgrade whoever would be too many, with an HTTP status and a reason."""

import ipaddress
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from fangnetz_server.gateway.bucket import Buckets
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.match.clock import Clock

__all__ = ["Doorman", "Refusal", "TrustedProxies", "arrivals", "is_own_origin", "neighbourhood"]

_RETRY_S: Final = 10
_HOME_BITS: Final = 64
"""A customer gets a whole IPv6 network of this length, and may take any address of it."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a connection is not upgraded."""

    status: HTTPStatus
    text: str
    limit: str
    """Name of the limit, for the metrics."""
    retry_s: int | None = None


class Doorman:
    """The numbers of open WebSockets by role and by address."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._by_address: Counter[str] = Counter()
        self._waiting = 0
        self._spectators = 0

    @property
    def connections(self) -> int:
        """Open WebSockets."""
        return self._by_address.total()

    @property
    def waiting(self) -> int:
        """Bots' sockets without a good hello yet."""
        return self._waiting

    @property
    def spectators(self) -> int:
        """Spectators of matches and of the lobby."""
        return self._spectators

    def refuse(self, address: str, *, spectator: bool, of_match: int = 0) -> Refusal | None:
        """Return why one more connection from `address` cannot come in, or None.

        Args:
            address: of the client, without the port.
            spectator: a spectator or a bot.
            of_match: spectators that the wanted match has already.
        """
        limits = self._limits
        if self._by_address[neighbourhood(address)] >= limits.connections_per_address:
            return _full(
                HTTPStatus.TOO_MANY_REQUESTS,
                "connections_per_address",
                f"{address} has {limits.connections_per_address} connections already",
            )
        if self.connections >= limits.connections:
            return _full(HTTPStatus.SERVICE_UNAVAILABLE, "connections", "the server is full")
        if not spectator and self._waiting >= limits.unauthenticated:
            text = "too many connections wait for their hello"
            return _full(HTTPStatus.SERVICE_UNAVAILABLE, "unauthenticated", text)
        if spectator and self._spectators >= limits.spectators:
            return _full(
                HTTPStatus.SERVICE_UNAVAILABLE, "spectators", "there is no place for more spectators"
            )
        if spectator and of_match >= limits.spectators_per_match:
            text = "there is no place for more spectators of this match"
            return _full(HTTPStatus.SERVICE_UNAVAILABLE, "spectators_per_match", text)
        return None

    def enter(self, address: str, *, spectator: bool) -> None:
        """Count a connection in."""
        self._by_address[neighbourhood(address)] += 1
        if spectator:
            self._spectators += 1
        else:
            self._waiting += 1

    def greeted(self) -> None:
        """A bot has said a good hello, or its connection ended before."""
        self._waiting -= 1

    def leave(self, address: str, *, spectator: bool) -> None:
        """Count a connection out."""
        home = neighbourhood(address)
        self._by_address[home] -= 1
        if not self._by_address[home]:
            del self._by_address[home]
        if spectator:
            self._spectators -= 1


class TrustedProxies:
    """Finds the address of a client behind proxies that the host trusts.

    Args:
        networks: addresses or networks ("10.0.0.0/8"); forwarded headers of others are ignored,
            because anybody can write them.

    Raises:
        ValueError: one is neither.
    """

    def __init__(self, networks: Iterable[str]) -> None:
        self._networks: tuple[Network, ...] = tuple(
            ipaddress.ip_network(text, strict=False) for text in networks
        )

    def client(self, peer: str, forwarded_for: str | None) -> str:
        """Return the nearest address that is not a trusted proxy's.

        Args:
            peer: who is connected to us.
            forwarded_for: the X-Forwarded-For header, clients first.
        """
        chain = [part.strip() for part in (forwarded_for or "").split(",") if part.strip()]
        address = peer
        while chain and self.trusts(address):
            address = chain.pop()
        return address

    def trusts(self, address: str) -> bool:
        """Tell whether an address is a proxy's."""
        if not self._networks:
            return False
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._networks)


def arrivals(limits: Limits, clock: Clock) -> Buckets:
    """Return what counts how often each address opens a connection."""
    rate = limits.connections_per_second
    return Buckets(rate, clock, burst=max(rate, limits.connections_per_address))


def neighbourhood(address: str) -> str:
    """Return what the limits of one address count as one: an IPv4 address, or an IPv6 network."""
    if ":" not in address:
        return address
    try:
        parsed = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, _HOME_BITS), strict=False))


def is_own_origin(origin: str, host: str | None, allowed: Iterable[str]) -> bool:
    """Tell whether a page may open a WebSocket here: our own, or one that the host allows.

    Args:
        origin: the Origin header that a browser sends.
        host: the Host header, which a page cannot choose.
        allowed: further origins, such as https://example.org.
    """
    try:
        place = urlsplit(origin).netloc
    except ValueError:  # Anybody can send anything.
        return False
    return bool(place and place == host) or origin.rstrip("/") in {text.rstrip("/") for text in allowed}


def _full(status: HTTPStatus, limit: str, text: str) -> Refusal:
    return Refusal(status, f"{text}; try again later.\n", limit, _RETRY_S)
