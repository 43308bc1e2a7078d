"""A stand-in for the server: it serves the page under a path prefix and says on its sockets what a test says.

It keeps no rules. A test pushes the messages of protocol P3 itself, so nothing in it depends on time.
"""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

__all__ = ["MockServer", "mock_server"]

Message = dict[str, Any]

STATIC = Path(__file__).parents[2] / "server" / "fangnetz_server" / "web" / "static"
TYPES = {
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


class MockServer:
    """The lobby and the matches as a test has told them; all methods may be called from any thread."""

    def __init__(self, prefix: str = "/arena/") -> None:
        self.prefix = prefix
        self.port = 0
        self.requests: list[str] = []
        self.lobby: list[Message] = []
        """Newest last; the full list is sent newest first, as the server does."""
        self.matches: dict[str, list[Message]] = {}
        self._loop = asyncio.new_event_loop()
        self._sockets: set[tuple[str, ServerConnection]] = set()
        self._accepting = True

    @property
    def url(self) -> str:
        """Address of the page, with the prefix."""
        return f"http://127.0.0.1:{self.port}{self.prefix}"

    def tell(self, match: str, *messages: Message) -> None:
        """Send messages of a match to all who watch it; who comes later gets the newest state (P3.2)."""
        self._loop.call_soon_threadsafe(self._tell, match, messages)

    def settle(self) -> None:
        """Wait until all that was said so far has been done."""
        done = threading.Event()
        self._loop.call_soon_threadsafe(done.set)
        assert done.wait(10), "the mock server does not answer"

    def announce(self, *entries: Message) -> None:
        """Add or change entries of the lobby (P3.1)."""
        self._loop.call_soon_threadsafe(self._announce, entries)

    def tell_lobby(self, message: Message) -> None:
        """Send a message to all who watch the lobby now."""
        self._loop.call_soon_threadsafe(self._send, {"watch"}, (message,))

    def drop(self) -> None:
        """Cut all sockets and refuse new ones, as when the network is gone."""
        self._loop.call_soon_threadsafe(self._drop)

    def come_back(self) -> None:
        """Accept sockets again after `drop`."""
        self._accepting = True

    def run(self, started: threading.Event) -> None:
        """Serve until `stop`; the thread's target."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve(started))

    def stop(self) -> None:
        """End `run`."""
        self._loop.call_soon_threadsafe(self._stopping.set)

    async def _serve(self, started: threading.Event) -> None:
        self._stopping = asyncio.Event()
        options: dict[str, Any] = {
            "subprotocols": [Subprotocol("fangnetz.v1")],
            "process_request": self._answer,
        }
        async with serve(self._watch, "127.0.0.1", 0, **options) as server:
            self.port = _port(server)
            started.set()
            await self._stopping.wait()

    async def _watch(self, socket: ServerConnection) -> None:
        assert socket.request is not None  # The handshake is over.
        path = self._inside(socket.request.path)
        for message in self._first_messages(path):
            await socket.send(json.dumps(message))
        self._sockets.add((path, socket))
        try:
            await socket.wait_closed()
        finally:
            self._sockets.discard((path, socket))

    def _first_messages(self, path: str) -> list[Message]:
        if path == "watch":
            return [{"type": "matches", "full": True, "matches": self.lobby[::-1]}]
        heard = self.matches.get(unquote(path.removeprefix("watch/")), [])
        frames = [message for message in heard if message["type"] == "frame"]
        return [message for message in heard if message["type"] != "frame" or message is frames[-1]]

    def _tell(self, match: str, messages: tuple[Message, ...]) -> None:
        self.matches.setdefault(match, []).extend(messages)
        self._send({f"watch/{match}"}, messages)

    def _announce(self, entries: tuple[Message, ...]) -> None:
        known = {entry["match"]: entry for entry in self.lobby}
        self.lobby = list((known | {entry["match"]: entry for entry in entries}).values())
        self._send({"watch"}, ({"type": "matches", "full": False, "matches": entries},))

    def _send(self, paths: set[str], messages: tuple[Message, ...]) -> None:
        for path, socket in self._sockets:
            if unquote(path) in paths:
                for message in messages:
                    socket.protocol.send_text(json.dumps(message).encode())
                socket.send_data()

    def _drop(self) -> None:
        self._accepting = False
        for _, socket in self._sockets:
            socket.transport.abort()

    def _answer(self, _socket: ServerConnection, request: Request) -> Response | None:
        path = self._inside(request.path)
        self.requests.append(path)
        if path == "watch" or path.startswith("watch/"):
            return self._admit(path)
        if path.endswith("/history"):
            return self._history(unquote(path.split("/")[2]), parse_qs(urlsplit(request.path).query))
        if path.startswith("api/matches/"):
            known = unquote(path.split("/")[2]) in self.matches
            return _response(HTTPStatus.OK if known else HTTPStatus.NOT_FOUND, b"{}", "application/json")
        return _file(path)

    def _history(self, match: str, query: dict[str, list[str]]) -> Response:
        first, last, every = (
            int(query.get(name, [default])[0])
            for name, default in (("from", "0"), ("to", "999999"), ("every", "1"))
        )
        heard = [message for message in self.matches.get(match, []) if message["type"] == "frame"]
        lines = [
            json.dumps(message)
            for message in heard
            if first <= message["tick"] <= last and (message["tick"] % every == 0 or message is heard[-1])
        ]
        status = HTTPStatus.OK if heard and "view" not in query else HTTPStatus.NOT_FOUND
        return _response(status, "".join(f"{line}\n" for line in lines).encode(), "application/x-ndjson")

    def _admit(self, path: str) -> Response | None:
        if not self._accepting:
            return _response(HTTPStatus.SERVICE_UNAVAILABLE, b"", "text/plain")
        unknown = path != "watch" and unquote(path.removeprefix("watch/")) not in self.matches
        return _response(HTTPStatus.NOT_FOUND, b"", "text/plain") if unknown else None

    def _inside(self, target: str) -> str:
        path = urlsplit(target).path
        return path.removeprefix(self.prefix) if path.startswith(self.prefix) else f"outside:{path}"


@contextmanager
def mock_server() -> Iterator[MockServer]:
    """Run a mock server in a thread of its own."""
    server = MockServer()
    started = threading.Event()
    thread = threading.Thread(target=server.run, args=(started,), daemon=True)
    thread.start()
    assert started.wait(10), "the mock server did not start"
    try:
        yield server
    finally:
        server.stop()
        thread.join(10)


def _port(server: Server) -> int:
    port: int = next(iter(server.sockets)).getsockname()[1]
    return port


def _file(path: str) -> Response:
    name = "index.html" if path == "" else path.removeprefix("static/")
    file = STATIC / name
    if (path != "" and not path.startswith("static/")) or not file.is_file():
        return _response(HTTPStatus.NOT_FOUND, b"not found", "text/plain")
    return _response(HTTPStatus.OK, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))


def _response(status: HTTPStatus, body: bytes, kind: str) -> Response:
    headers = Headers({"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"})
    return Response(status.value, status.phrase, headers, body)
