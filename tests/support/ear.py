"""A connection that only listens: it takes the place of a socket and keeps what is sent to it."""

from typing import Any, cast

import orjson
from websockets.protocol import State

from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.words import BotId
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.links import BotLink
from fangnetz_server.gateway.socket import Socket
from fangnetz_server.match.seats import Entrant
from support.arena import HandClock

__all__ = ["Ear", "bot_link"]

_HEADER_BYTES = {126: 4, 127: 10}


class Ear:
    """What the gateway's parts use of a `Socket`."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.closed_with: CloseCode | None = None
        self.unsent_bytes = 0
        self.transport = self.protocol = self
        self.state = State.OPEN

    def get_write_buffer_size(self) -> int:
        return self.unsent_bytes

    def push(self, text: bytes) -> None:
        self.heard.append(orjson.loads(text))

    def push_framed(self, frame: bytes) -> None:
        self.push(frame[_HEADER_BYTES.get(frame[1], 2) :])

    write = push_framed

    def drop(self, code: CloseCode, reason: str = "") -> None:
        self.closed_with = code

    def kinds(self) -> list[str]:
        """Return the types of the messages, in order."""
        return [message["type"] for message in self.heard]

    def as_socket(self) -> Socket:
        return cast(Socket, self)


def bot_link(name: str, *games: str) -> tuple[BotLink, Ear]:
    """Return a connected bot and what it hears."""
    link, ear = BotLink(Entrant(BotId(name), name), games, Limits(), HandClock()), Ear()
    link.attach(ear.as_socket())
    return link, ear
