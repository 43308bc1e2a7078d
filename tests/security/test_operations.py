"""`fangnetz serve` as a host runs it: it ends in good order, and it speaks TLS."""

import json
import signal
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from support.certificates import write_certificate
from support.command import Command, fangnetz, running

PATIENCE_S: Final = 30


@contextmanager
def served(folder: Path, *options: object) -> Iterator[tuple[Command, str]]:
    """Run a server; return it and its address, without the scheme."""
    with running("serve", "--port", 0, "--data", "data", *options, cwd=folder) as server:
        text = server.read_until(b"watch").decode()
        yield server, text.rpartition("://")[2].strip().rstrip("/")


@contextmanager
def bot(place: str, name: str, scheme: str = "ws", **options: Any) -> Iterator[ClientConnection]:
    url = f"{scheme}://{place}/play"
    with connect(url, subprotocols=[Subprotocol("fangnetz.v1")], proxy=None, **options) as socket:
        say(socket, {"type": "hello", "protocol": "1.0", "name": name, "games": ["spaceballs"]})
        hear(socket, "welcome")
        yield socket


def say(socket: ClientConnection, message: dict[str, Any]) -> None:
    socket.send(json.dumps(message))


def hear(socket: ClientConnection, type_: str) -> dict[str, Any]:
    """Return the next message of a type."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(PATIENCE_S))
        if message["type"] == type_:
            return message


def begin(*bots: ClientConnection) -> str:
    """Let two bots begin a match; return its id."""
    for socket in bots:
        match: str = hear(socket, "match_start")["match"]
        say(socket, {"type": "ready", "match": match})
    return match


def play_on(*bots: ClientConnection, ticks: int | None = None) -> None:
    """Answer observations, to the end or some of them."""
    open_ = set(bots)
    while open_ and ticks != 0:
        ticks = None if ticks is None else ticks - 1
        for socket in list(open_):
            message = json.loads(socket.recv(PATIENCE_S))
            if message["type"] == "observation":
                match, tick = message["match"], message["tick"]
                say(socket, {"type": "action", "match": match, "tick": tick, "thrust": [0, 0]})
            if message["type"] == "match_end":
                open_.discard(socket)


def close_code(socket: ClientConnection) -> int | None:
    with suppress(ConnectionClosed):
        while True:
            socket.recv(PATIENCE_S)
    return socket.close_code


def results(folder: Path) -> list[dict[str, Any]]:
    """Return the results in the store, as a new server shows them."""
    with served(folder) as (_, place):
        listed = httpx.get(f"http://{place}/api/matches", trust_env=False).json()
    found: list[dict[str, Any]] = listed["matches"]
    return found


def test_a_running_match_is_finished_before_the_end(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[server]\nshutdown_s = 60\n")
    with (
        served(tmp_path, "--config", "settings.toml") as (server, place),
        bot(place, "ann") as ann,
        bot(place, "bob") as bob,
        bot(place, "idle") as idle,
    ):
        match = begin(ann, bob)
        play_on(ann, bob, ticks=5)
        server.process.send_signal(signal.SIGTERM)
        assert hear(idle, "notice")["code"] in ("waiting_for_opponents", "server_restarting")
        while True:
            if httpx.get(f"http://{place}/readyz", trust_env=False).status_code == 503:
                break
        with pytest.raises(InvalidStatus) as refused, bot(place, "late"):
            pass
        assert refused.value.response.status_code == 503
        assert "Retry-After" in refused.value.response.headers
        play_on(ann, bob)
        assert [close_code(socket) for socket in (ann, bob, idle)] == [1012, 1012, 1012]
        assert server.process.wait(PATIENCE_S) == 0

    (entry,) = results(tmp_path)
    assert (entry["match"], entry["reason"]) == (match, "timeout")


@pytest.mark.parametrize("how", ["the time is over", "a second signal"])
def test_what_does_not_end_in_time_is_aborted(tmp_path: Path, how: str) -> None:
    seconds = 1 if how == "the time is over" else 3600
    (tmp_path / "settings.toml").write_text(f"[server]\nshutdown_s = {seconds}\n")
    with (
        served(tmp_path, "--config", "settings.toml") as (server, place),
        bot(place, "ann") as ann,
        bot(place, "bob") as bob,
    ):
        match = begin(ann, bob)
        play_on(ann, bob, ticks=5)
        server.process.send_signal(signal.SIGTERM)
        assert hear(ann, "notice")["code"] == "server_restarting"
        if how == "a second signal":
            server.process.send_signal(signal.SIGTERM)
        end = hear(ann, "match_end")
        assert (end["match"], end["reason"]) == (match, "aborted")
        assert close_code(ann) == close_code(bob) == 1012
        assert server.process.wait(PATIENCE_S) == 0

    (entry,) = results(tmp_path)
    assert (entry["match"], entry["reason"], entry["points"]) == (match, "aborted", [])


# --- TLS --------------------------------------------------------------------------------------


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A folder with a certificate of our own for 127.0.0.1, cert.pem and key.pem."""
    write_certificate(tmp_path)
    return tmp_path


def test_https_and_wss(certificate: Path) -> None:
    settings = '[server]\ncertificate = "cert.pem"\nkey = "key.pem"\n'
    (certificate / "settings.toml").write_text(settings)
    trust = ssl.create_default_context(cafile=str(certificate / "cert.pem"))
    with served(certificate, "--config", "settings.toml") as (server, place):
        with httpx.Client(base_url=f"https://{place}", verify=trust, trust_env=False) as http:
            page = http.get("/healthz")
            assert page.json()["status"] == "ok"
            assert "max-age" in page.headers["Strict-Transport-Security"]
            assert "; Secure" in http.post("/api/login", json={"token": "t"}).headers["set-cookie"]
        with bot(place, "ann", "wss", ssl=trust) as ann, bot(place, "bob", "wss", ssl=trust) as bob:
            begin(ann, bob)
            play_on(ann, bob, ticks=20)
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://{place}/healthz", trust_env=False)
        assert server.signal(signal.SIGINT).returncode == 0


@pytest.mark.parametrize("key", ["none.pem", "cert.pem", "settings.toml"])
def test_files_that_are_no_pair_are_named(certificate: Path, key: str) -> None:
    settings = f'[server]\ncertificate = "cert.pem"\nkey = "{key}"\n'
    (certificate / "settings.toml").write_text(settings)

    done = fangnetz("serve", "--port", 0, "--config", "settings.toml", cwd=certificate)

    assert done.returncode == 2
    assert key.encode() in done.stderr
    assert done.stderr.count(b"\n") == 1
