"""What a WebSocket wants, read from its request: the path, the credentials, the address."""

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import parse_qs, unquote

from websockets.http11 import Request

from fangnetz_protocol.words import MatchId, SeatId

__all__ = ["LOGIN_COOKIE", "Kind", "Route", "bearer_token", "header", "read_route"]

LOGIN_COOKIE: Final = "fangnetz_token"
"""Cookie with the token of a person in a browser, which cannot set the header of a WebSocket (P1.6)."""
_BEARER: Final = "bearer "

_UNKNOWN: Final = re.compile(r"[^!-~]")
"""What is in no match's id; the store and JSON cannot even hold all of these characters."""
_LONGEST_ID: Final = 64

Kind = Literal["play", "lobby", "match"]


@dataclass(frozen=True, slots=True)
class Route:
    """A good path. `view` is the seat of `?view=seat:N` (P3.6)."""

    kind: Kind
    match: MatchId | None = None
    view: SeatId | None = None

    @property
    def is_spectator(self) -> bool:
        return self.kind != "play"


def read_route(request: Request, prefix: str) -> Route | str:
    """Return what the request wants, or a sentence that says what is wrong with its path.

    Args:
        request: of the upgrade.
        prefix: path under which a proxy serves us; kept or stripped by it, both is fine.
    """
    path, _, query = request.path.partition("?")
    if prefix and (path == prefix or path.startswith(f"{prefix}/")):
        path = path[len(prefix) :]
    if path == "/play":
        return Route("play")
    if path == "/watch":
        return Route("lobby")
    if path.startswith("/watch/") and "/" not in path[len("/watch/") :]:
        match = MatchId(_UNKNOWN.sub("?", unquote(path[len("/watch/") :]))[:_LONGEST_ID])
        view = parse_qs(query).get("view", [""])[0]
        return _with_view(match, view) if view else Route("match", match)
    return "No WebSocket here: bots connect to /play, spectators to /watch or /watch/MATCH."


def header(request: Request, name: str) -> str:
    """Return a header in plain ASCII; one that came several times as one with commas, none as empty."""
    return ",".join(request.headers.get_all(name)).encode("ascii", "replace").decode("ascii")


def bearer_token(request: Request) -> str | None:
    """Return the token of the `Authorization: Bearer` header, or of a browser's login (P1.6)."""
    given = header(request, "Authorization")
    if given[: len(_BEARER)].lower() == _BEARER:
        return given[len(_BEARER) :].strip() or None
    for part in header(request, "Cookie").split(";"):
        name, _, value = part.strip().partition("=")
        if name == LOGIN_COOKIE:
            return value or None
    return None


def _with_view(match: MatchId, view: str) -> Route | str:
    word, _, number = view.partition(":")
    if word == "seat" and number.isascii() and number.isdigit() and len(number) <= 2:
        return Route("match", match, SeatId(int(number)))
    return f"view={view[:40]!r} is no view; it has to be view=seat:N."
