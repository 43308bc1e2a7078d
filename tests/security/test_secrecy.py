"""Canaries: what is hidden from somebody is in nothing that he can get hold of (P1.6, P3.6, P3.7, R8)."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import orjson
import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from fangnetz_protocol.words import MatchId
from fangnetz_server.match.phases import Phase
from support.clients import BotClient, Client, coast, stand
from support.host_api import http_client, json_of
from support.live_server import SHORT, LiveServer, eventually, live_server

SEED: Final = 8_675_309_042_424_242
PUBLIC_PATHS: Final = (
    *("/", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics", "/api/me"),
    *("/api/matches", "/api/matches?phase=running", "/api/matches?bot=Quentin", "/api/nothing"),
)


@dataclass
class Heard:
    """All that an outsider got: bodies, headers, messages."""

    texts: list[str] = field(default_factory=list)

    def note(self, answer: httpx.Response) -> None:
        self.texts.append(f"{answer.status_code} {answer.headers} {answer.text}")

    def overhear(self, *clients: Client) -> None:
        for client in clients:
            self.texts += [orjson.dumps(message).decode() for way, message in client.log if way == "in"]

    def holds(self, secrets: dict[str, str]) -> list[str]:
        """Return the names of the secrets that are in what was heard."""
        return [name for name, secret in secrets.items() if any(secret in text for text in self.texts)]


@dataclass
class Stage:
    """A closed server with a public and a private match, both running, and an outsider."""

    server: LiveServer
    host: httpx.AsyncClient
    logs: list[EventDict]
    public: str
    private: str
    outsider: BotClient
    lobby: Client
    secrets: dict[str, str]


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    with capture_logs() as logs:
        async with live_server(tmp_path, is_open=False) as server, http_client(server, "host") as host:
            yield await set_up(server, host, logs)


async def set_up(server: LiveServer, host: httpx.AsyncClient, logs: list[EventDict]) -> Stage:
    secrets = {"host token": host.headers["Authorization"].partition(" ")[2]}
    lobby = await server.lobby()
    tokens = {}
    for name in ("Paula", "Quentin", "Rudolf", "Sybille", "Outsider"):
        made = json_of(await host.post("/api/host/bots", json={"name": name, "owner": f"{name}@home"}), 201)
        tokens[name] = made["token"]
        secrets |= {f"token of {name}": made["token"], f"owner of {name}": f"{name}@home"}
    body = {
        "game": "spaceballs",
        "setup": {"ruleset": {"duration": 60}},
        "settings": {"deadline_ms": 60_000},
        "seed": SEED,
    }
    public = json_of(
        await host.post("/api/host/matches", json={**body, "bots": ["Paula", "guest:Gustav"]}), 201
    )
    private = json_of(
        await host.post(
            "/api/host/matches",
            json={**body, "seed": SEED + 1, "bots": ["Rudolf", "guest:Hermine"], "private": True},
        ),
        201,
    )
    tokens |= public["seat_codes"] | private["seat_codes"]
    secrets |= {f"seat code of {name}": tokens[name] for name in ("Gustav", "Hermine")}
    secrets |= {"seed": str(SEED), "other seed": str(SEED + 1), "watch token": private["watch_token"]}
    secrets |= {"private match": private["match"], "Rudolf": "Rudolf", "Hermine": "Hermine"}
    players = {name: await server.raw_bot() for name in ("Paula", "Gustav", "Rudolf", "Hermine")}
    for name, bot in players.items():
        secrets[f"resume of {name}"] = (await bot.hello(token=tokens[name]))["resume"]
    for bot in players.values():
        await bot.ready()
    outsider = await server.raw_bot()
    await outsider.hello(token=tokens["Outsider"])
    matches = server.host.tables.values()
    await eventually(lambda: all(table.match.phase is Phase.RUNNING for table in matches), "both run")
    del secrets["token of Outsider"]
    return Stage(server, host, logs, public["match"], private["match"], outsider, lobby, secrets)


# --- outsiders --------------------------------------------------------------------------------


async def test_an_outsider_hears_no_secret(stage: Stage) -> None:
    heard = Heard()
    spectator = await stage.server.spectator(stage.public)
    await spectator.next("frame")
    await stage.lobby.next("matches")
    for type_ in ("ready", "leave", "action"):
        await stage.outsider.send({"type": type_, "match": stage.public, "tick": 0, "thrust": [0, 0]})
        assert (await stage.outsider.next("error"))["code"] == "not_seated"
    async with http_client(stage.server) as http:
        for path in PUBLIC_PATHS:
            heard.note(await http.get(path))
        for path in ("", "/replay", "/history", "/history?view=seat:0", "/history?view=seat:7"):
            heard.note(await http.get(f"/api/matches/{stage.public}{path}"))
        for path in ("/api/host/bots", "/api/host/audit"):
            heard.note(await http.get(path))
    heard.overhear(spectator, stage.lobby, stage.outsider)

    assert any("Gustav" in text for text in heard.texts), "the net catches what is public"
    assert heard.holds(stage.secrets) == []


async def test_a_seat_hears_no_secret_but_its_own(stage: Stage) -> None:
    paula = await stage.server.raw_bot()
    own = "resume of Paula"
    await paula.hello(resume=stage.secrets[own])
    await paula.next("observation")
    heard = Heard()
    heard.overhear(paula)

    assert heard.holds(stage.secrets) == [own]


async def test_the_log_holds_no_secret(stage: Stage) -> None:
    await stage.host.post("/api/host/bots/Paula/rotate")
    for hello in ({"token": "guessed-token"}, {"resume": "guessed-resume"}):
        bot = await stage.server.raw_bot()
        await bot.send({"type": "hello", "protocol": "1.0", **hello})
        await bot.closed()
    async with http_client(stage.server, "guessed-host") as http:
        await http.get("/api/host/bots")
        await http.post("/api/login", json={"token": "guessed-login"})
    for table in list(stage.server.host.tables.values()):
        table.match.abort("enough")
    await eventually(lambda: not stage.server.host.tables, "the ends are stored")

    lines = Heard([repr(line) for line in stage.logs])
    # The names and ids of private matches are the host's business, and the log is the host's.
    known = {"private match", "Rudolf", "Hermine"}
    secrets = {name: text for name, text in stage.secrets.items() if name not in known}
    assert any(line["event"] == "bot_connected" for line in stage.logs)
    assert lines.holds(secrets | {"a guess": "guessed-"}) == []


async def test_each_line_about_a_bot_names_it(stage: Stage) -> None:
    for line in stage.logs:
        if line["event"].startswith("bot_"):
            assert line["bot"]
        if line["event"].startswith("match_"):
            assert line["match"]


# --- private matches --------------------------------------------------------------------------


async def test_a_private_match_looks_like_none(stage: Stage) -> None:
    """Whatever a stranger asks: the answer about a private match is that about one that never was."""

    async def ask_all(match: str) -> list[str]:
        heard = []
        async with http_client(stage.server) as http:
            for path in ("", "/replay", "/history", "/history?view=seat:0", "/history?view=seat:77"):
                answer = await http.get(f"/api/matches/{match}{path}")
                heard.append(f"{answer.status_code} {answer.text}")
        for path in (match, f"{match}?view=seat:0", f"{match}?view=seat:77"):
            spectator = await stage.server.spectator(path)
            heard.append(f"{await spectator.drain()} {spectator.socket.close_code}")
        for message in ({"type": "ready"}, {"type": "leave"}, {"type": "action", "tick": 0}):
            await stage.outsider.send({**message, "match": match})
            heard.append(str(await stage.outsider.next("error")))
        return [text.replace(match, "MATCH") for text in heard]

    none = "0" * len(stage.private)
    while_it_runs = await ask_all(stage.private)
    assert while_it_runs == await ask_all(none)
    over = asyncio.create_task(stage.server.host.wait_result(MatchId(stage.private)))
    stage.server.host.tables[MatchId(stage.private)].match.abort("enough")
    await over
    assert await ask_all(stage.private) == while_it_runs
    async with http_client(stage.server) as http:
        listed = await http.get("/api/matches")
        assert stage.private not in listed.text
        by_name = json_of(await http.get("/api/matches", params={"bot": "Rudolf"}))
        assert by_name == {"matches": [], "total": 0}
    fresh = await stage.server.lobby()
    assert stage.private not in str(await fresh.next("matches"))
    assert not any(stage.private in str(message) for _, message in stage.lobby.log)


async def test_a_player_of_a_private_match_knows_of_it(stage: Stage) -> None:
    rudolf = await stage.server.raw_bot()
    await rudolf.hello(resume=stage.secrets["resume of Rudolf"])
    assert (await rudolf.next("match_start"))["match"] == stage.private
    await rudolf.send({"type": "leave", "match": stage.private})
    await rudolf.send({"type": "leave", "match": stage.private})

    assert (await rudolf.next("error"))["code"] == "not_seated"


# --- hidden state -----------------------------------------------------------------------------


def scene(bob: int, poison: str) -> dict[str, Any]:
    """Return a row with a wall: Bob stands behind it and cannot be seen."""
    return {
        "map": ["..#....."],
        "toxicity": [f"1.#{poison}"],
        "seats": [
            {"x": 0, "y": 0, "team": "BLUE", "view": "EAST"},
            {"x": bob, "y": 0, "team": "RED", "view": "WEST"},
        ],
        "ruleset": {"max_rounds": 8},
    }


async def hear_a_match(server: LiveServer, setup: dict[str, Any], seed: int) -> list[str]:
    """Play a match in which both stand still and return all that Ann's bot hears, without the times."""
    table = server.create("right2live", "ann", "bob", setup=setup, seed=seed, deadline_ms=60_000)
    ann, bob = await server.bot("ann"), await server.bot("bob")
    await asyncio.gather(ann.play(stand), bob.play(stand))
    await asyncio.gather(ann.socket.close(), bob.socket.close())
    await server.gone()
    heard = [
        orjson.dumps(message).decode()
        for way, message in ann.log
        if way == "in" and message["type"] in ("match_start", "observation")
    ]
    times = re.compile(r'"(?:latency_ms|deadline_ms)":[0-9.]+')
    return [times.sub("", text.replace(table.match.id, "MATCH")) for text in heard]


async def test_what_ann_cannot_see_changes_no_byte_of_what_she_hears(server: LiveServer) -> None:
    first = await hear_a_match(server, scene(bob=4, poison="....."), seed=SEED)
    second = await hear_a_match(server, scene(bob=6, poison="98765"), seed=7)

    assert len(first) == 9
    assert '"toxicity":0.02' in first[1], "the canary of her own field sings"
    assert first == second
    assert all(str(SEED) not in text for text in first)


@pytest.mark.parametrize("game", SHORT)
async def test_the_seed_is_told_after_the_end_and_not_before(server: LiveServer, game: str) -> None:
    table = server.create(game, "ann", "bob", seed=SEED, deadline_ms=60_000)
    spectators = [
        await server.spectator(table.match.id),
        await server.spectator(f"{table.match.id}?view=seat:1"),
    ]
    ann, bob, lobby = await server.bot("ann"), await server.bot("bob"), await server.lobby()
    heard = Heard()
    policy = coast if game == "spaceballs" else stand
    async with http_client(server) as http:
        for path in ("", "/history", "/history?view=seat:0"):
            heard.note(await http.get(f"/api/matches/{table.match.id}{path}"))
        await asyncio.gather(ann.play(policy), bob.play(policy), *(one.drain() for one in spectators))
        heard.overhear(ann, bob, lobby, *spectators)

        assert heard.holds({"seed": str(SEED)}) == []
        details = json_of(await http.get(f"/api/matches/{table.match.id}"))
    assert details["result"]["seed"] == SEED


# --- a delayed match --------------------------------------------------------------------------


async def played_with_delay(server: LiveServer) -> tuple[str, list[Client]]:
    """Play a short match to its end; return its id and those who watch: it, a seat, the lobby."""
    table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
    watching = [
        await server.spectator(table.match.id),
        await server.spectator(f"{table.match.id}?view=seat:0"),
        await server.lobby(),
    ]
    over = asyncio.create_task(server.host.wait_result(table.match.id))
    ann, bob = await server.bot("ann"), await server.bot("bob")
    ends = await asyncio.gather(ann.play(coast), bob.play(coast))
    assert ends[0]["ticks"] == 10
    await over
    return table.match.id, watching


async def test_until_the_delay_is_over_nobody_outside_learns_anything(tmp_path: Path) -> None:
    async with live_server(tmp_path, delay_s=3_000.0) as server:
        match, (spectator, seat, lobby) = await played_with_delay(server)

        late = await server.spectator(match)
        async with http_client(server) as http:
            details = json_of(await http.get(f"/api/matches/{match}"))
            listed = json_of(await http.get("/api/matches"))
            over = json_of(await http.get("/api/matches", params={"phase": "over"}))
            history = await http.get(f"/api/matches/{match}/history")
            view = await http.get(f"/api/matches/{match}/history", params={"view": "seat:0"})
            replay = await http.get(f"/api/matches/{match}/replay")
        fresh = await server.lobby()
        entries = [*(await fresh.next("matches"))["matches"], details, *listed["matches"]]
        assert {entry["match"] for entry in entries} == {match}
        assert len(entries) == 3
        for entry in entries:
            assert (entry["phase"], entry["tick"]) == ("running", 0)
            assert entry.get("reason") is entry.get("points") is entry.get("places") is None
        assert details["result"] is details["replay"] is None
        assert over["matches"] == []
        assert (history.text, view.text, replay.status_code) == ("", "", 409)
        for client in (spectator, seat, late):
            await client.next("match_start")
            await client.send_raw("anything")
            assert (await client.receive())["type"] == "error", "nothing was in between"
        await lobby.send_raw("anything")
        await lobby.next("error")
        told = [entry for message in lobby.received("matches") for entry in message["matches"]]
        assert {entry["tick"] for entry in told} == {0}
        assert all("reason" not in entry and entry["phase"] != "over" for entry in told)


async def test_after_the_delay_everything_is_shown_in_order(tmp_path: Path) -> None:
    async with live_server(tmp_path, delay_s=0.4) as server:
        match, (spectator, seat, lobby) = await played_with_delay(server)

        shown = await spectator.drain()
        assert [message["type"] for message in shown] == ["match_start", *["frame"] * 11, "match_end"]
        assert [message["tick"] for message in shown[1:-1]] == list(range(11))
        assert [message["tick"] for message in (await seat.drain())[1:-1]] == list(range(11))
        while not any(entry["phase"] == "over" for entry in (await lobby.next("matches"))["matches"]):
            pass
        (entry,) = lobby.received("matches")[-1]["matches"]
        assert (entry["match"], entry["tick"], entry["reason"]) == (match, 10, "timeout")
        async with http_client(server) as http:
            details = json_of(await http.get(f"/api/matches/{match}"))
            assert details["result"]["reason"] == "timeout"
            assert len((await http.get(f"/api/matches/{match}/history")).text.splitlines()) == 11
