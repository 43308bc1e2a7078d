"""The host's commands over HTTP: bots, seat codes, matches, the audit trail, and who may not give them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.words import MatchId, Pace
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.store.values import PairingRef
from support.clients import BotClient, coast
from support.host_api import audit_trail, http_client, json_of
from support.live_server import SHORT, LiveServer, entrants, eventually, live_server

BOTS: Final = "/api/host/bots"
MATCHES: Final = "/api/host/matches"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A server for registered bots only."""
    async with live_server(tmp_path, is_open=False) as running:
        yield running


@pytest.fixture
async def host(server: LiveServer) -> AsyncIterator[httpx.AsyncClient]:
    """The host."""
    async with http_client(server, "host") as client:
        yield client


async def add(host: httpx.AsyncClient, name: str) -> Any:
    return json_of(await host.post(BOTS, json={"name": name}), 201)


async def make(host: httpx.AsyncClient, *bots: str, **fields: Any) -> Any:
    settings = {"deadline_ms": 60_000, **fields.pop("settings", {})}
    body = {"game": "spaceballs", "bots": bots, "setup": SHORT["spaceballs"], "settings": settings, **fields}
    return json_of(await host.post(MATCHES, json=body), 201)


async def enter(server: LiveServer, token: str) -> BotClient:
    bot = await server.raw_bot()
    await bot.hello(token=token)
    return bot


async def refusal(server: LiveServer, **hello: str) -> tuple[str, int]:
    """Return error code and close code of a hello that is refused."""
    bot = await server.raw_bot()
    await bot.send({"type": "hello", "protocol": "1.0", **hello})
    code: str = (await bot.next("error"))["code"]
    return code, await bot.closed()


# --- bots -------------------------------------------------------------------------------------


async def test_a_registered_bot_comes_in_with_its_token(server: LiveServer, host: httpx.AsyncClient) -> None:
    made = json_of(await host.post(BOTS, json={"name": "Ann", "owner": "ann@example.org"}), 201)
    assert (made["name"], made["owner"], made["disabled"], made["connected"]) == (
        "Ann",
        "ann@example.org",
        False,
        False,
    )

    bot = await server.raw_bot()
    welcome = await bot.hello(token=made["token"])

    assert welcome["bot"] == {"id": made["id"], "name": "Ann"}
    (listed,) = json_of(await host.get(BOTS))
    assert listed["connected"]
    assert made["token"] not in (await host.get(BOTS)).text
    assert await audit_trail(host) == [("bot add", "Ann")]


@pytest.mark.parametrize("name", ["Ann", "ann", "Аnn", "", "x" * 33, "a\u202eb", "a\u200bb"])
async def test_names_that_are_taken_or_cannot_be_shown(host: httpx.AsyncClient, name: str) -> None:
    await add(host, "Ann")

    answer = await host.post(BOTS, json={"name": name})

    assert answer.status_code in (409, 422)
    assert len(json_of(await host.get(BOTS))) == 1
    assert len(await audit_trail(host)) == 1


async def test_rotate_ends_the_old_token_and_what_came_in_with_it(
    server: LiveServer, host: httpx.AsyncClient
) -> None:
    made = await add(host, "Ann")
    thief = await server.raw_bot()
    secret = (await thief.hello(token=made["token"]))["resume"]

    new = json_of(await host.post(f"{BOTS}/Ann/rotate"))["token"]

    assert await thief.closed() == CloseCode.REFUSED
    assert await refusal(server, token=made["token"]) == ("bad_token", CloseCode.REFUSED)
    assert await refusal(server, resume=secret) == ("unknown_resume", CloseCode.REFUSED)
    await enter(server, new)
    assert await audit_trail(host) == [("bot add", "Ann"), ("bot rotate", made["id"])]


async def test_a_disabled_bot_is_thrown_out_until_it_is_enabled(
    server: LiveServer, host: httpx.AsyncClient
) -> None:
    made = await add(host, "Ann")
    ann = await server.raw_bot()
    secret = (await ann.hello(token=made["token"]))["resume"]

    assert json_of(await host.post(f"{BOTS}/{made['id']}/disable"))["disabled"]

    assert await ann.closed() == CloseCode.REFUSED
    assert await refusal(server, token=made["token"]) == ("bad_token", CloseCode.REFUSED)
    assert await refusal(server, resume=secret) == ("unknown_resume", CloseCode.REFUSED)
    assert (await host.post(BOTS, json={"name": "Ann"})).status_code == 409
    assert not json_of(await host.post(f"{BOTS}/{made['id']}/enable"))["disabled"]
    again = await server.raw_bot()
    welcome = await again.hello(token=made["token"])
    again.cut()
    back = await server.raw_bot()
    assert (await back.hello(resume=welcome["resume"]))["resumed"]
    assert [command for command, _ in await audit_trail(host)] == ["bot add", "bot disable", "bot enable"]


async def test_a_bot_that_is_disabled_while_its_token_is_looked_up_stays_out(
    server: LiveServer, host: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await add(host, "Ann")
    bots, looked_up, go_on = server.host.store.bots, asyncio.Event(), asyncio.Event()
    usual = bots.by_token

    async def by_token(token: str) -> Any:
        found = await usual(token)
        looked_up.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(bots, "by_token", by_token)
    refused = asyncio.create_task(refusal(server, token=made["token"]))
    await looked_up.wait()
    await host.post(f"{BOTS}/Ann/disable")
    go_on.set()

    assert await refused == ("bad_token", CloseCode.REFUSED)


@pytest.mark.parametrize("command", ["rotate", "disable", "enable"])
async def test_an_unknown_bot(host: httpx.AsyncClient, command: str) -> None:
    answer = await host.post(f"{BOTS}/nobody/{command}")

    assert "there is no registered bot 'nobody'" in json_of(answer, 404)["detail"]


# --- matches and seat codes -------------------------------------------------------------------


async def test_a_guest_plays_with_a_code_that_works_once(server: LiveServer, host: httpx.AsyncClient) -> None:
    ann = await enter(server, (await add(host, "Ann"))["token"])
    made = await make(host, "Ann", "guest:Gus")
    code = made["seat_codes"]["Gus"]
    gus = await server.raw_bot()
    assert (await gus.hello(token=code))["bot"]["name"] == "Gus"

    start = await gus.next("match_start")
    assert (start["match"], start["seat"], start["seats"][1]["name"]) == (made["match"], 1, "Gus")
    assert made["watch_token"] is None
    assert await refusal(server, token=code) == ("bad_token", CloseCode.REFUSED)
    await gus.send({"type": "ready", "match": made["match"]})
    ends = await asyncio.gather(ann.play(coast), gus.play_on(coast))
    assert ends[0] == ends[1]
    commands = [command for command, _ in await audit_trail(host)]
    assert commands == ["bot add", "seat code", "match create"]


async def test_of_twenty_who_use_a_code_at_once_one_gets_in(
    server: LiveServer, host: httpx.AsyncClient
) -> None:
    code = (await make(host, "guest:Gus", "guest:Hal"))["seat_codes"]["Gus"]
    bots = [await server.raw_bot() for _ in range(20)]
    for bot in bots:
        await bot.send({"type": "hello", "protocol": "1.0", "token": code})
    answers = await asyncio.gather(*(bot.receive() for bot in bots))

    assert sorted(answer["type"] for answer in answers) == ["error"] * 19 + ["welcome"]
    assert {answer["code"] for answer in answers if answer["type"] == "error"} == {"bad_token"}


async def test_a_code_is_good_for_its_time_only(server: LiveServer, host: httpx.AsyncClient) -> None:
    made = await make(host, "guest:Gus", "guest:Hal", code_hours=1e-9)

    assert await refusal(server, token=made["seat_codes"]["Gus"]) == ("bad_token", CloseCode.REFUSED)


async def test_a_private_match_is_for_those_with_its_token(
    server: LiveServer, host: httpx.AsyncClient
) -> None:
    made = await make(host, "guest:Gus", "guest:Hal", private=True)
    other = await make(host, "guest:Ida", "guest:Jon", private=True)
    url = f"/api/matches/{made['match']}"

    for token, status in (
        (None, 404),
        ("guessed", 404),
        (other["watch_token"], 404),
        (made["watch_token"], 200),
        ("host", 200),
    ):
        async with http_client(server, token) as http:
            assert (await http.get(url)).status_code == status
    key = {"Authorization": f"Bearer {made['watch_token']}"}
    spectator = await server.spectator(made["match"], additional_headers=key)
    assert (await spectator.receive())["type"] == "match_start"
    cookie = {"Cookie": f"fangnetz_token={made['watch_token']}"}
    browser = await server.spectator(made["match"], additional_headers=cookie)
    assert (await browser.receive())["type"] == "match_start"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "chess"}, "game 'chess' is not played here, but right2live, spaceballs"),
        ({"bots": ["guest:Gus"]}, "spaceballs is for 2 bots, not 1"),
        ({"bots": ["guest:a", "guest:b", "guest:c"]}, "spaceballs is for 2 bots, not 3"),
        ({"bots": ["guest:a", "guest:\u202e"]}, "cannot be seen"),
        ({"bots": ["guest:Gus", "guest:Gus"]}, "two names"),
        ({"bots": ["guest:Gus", "guest:gus"]}, "two names"),
        ({"bots": ["guest:Ann", "guest:Bob"]}, "registered bot"),
        ({"bots": ["Ann", "Ann"]}, "one seat"),
        ({"setup": {"ruleset": {"durations": 1}}}, "durations"),
        ({"setup": {"seats": 2}}, "seats"),
        ({"settings": {"pace": "warp"}}, "pace"),
        ({"settings": {"tick": 3}}, "tick"),
        ({"seed": -1}, "seed"),
        ({"code_hours": 0}, "code_hours"),
        ({"colour": "red"}, "colour"),
    ],
    ids=str,
)
async def test_a_wrong_match_is_refused_and_nothing_is_made(
    server: LiveServer, host: httpx.AsyncClient, change: dict[str, Any], says: str
) -> None:
    await add(host, "Ann")
    body = {"game": "spaceballs", "bots": ["guest:Gus", "guest:Hal"], **change}

    answer = await host.post(MATCHES, json=body)

    assert answer.status_code == 422
    assert says in answer.text
    assert not server.host.tables
    assert [command for command, _ in await audit_trail(host)] == ["bot add"]


async def test_a_match_for_an_unknown_bot(host: httpx.AsyncClient) -> None:
    answer = await host.post(MATCHES, json={"game": "spaceballs", "bots": ["Ann", "guest:Gus"]})

    assert "'Ann'" in json_of(answer, 404)["detail"]


async def test_a_bot_has_so_many_matches_at_most(tmp_path: Path) -> None:
    async with (
        live_server(tmp_path, limits=Limits(matches_per_bot=2)) as server,
        http_client(server, "host") as host,
    ):
        await add(host, "Ann")
        first = (await make(host, "Ann", "guest:Gus"))["match"]
        await make(host, "Ann", "guest:Hal")
        body = {"game": "spaceballs", "bots": ["Ann", "guest:Ida"]}

        assert "matches_per_bot" in json_of(await host.post(MATCHES, json=body), 409)["detail"]
        server.host.tables[first].match.abort("make room")
        await make(host, "Ann", "guest:Ida")


# --- control of live matches ------------------------------------------------------------------


async def running(server: LiveServer, host: httpx.AsyncClient) -> tuple[str, BotClient, BotClient]:
    """Start a match of two guests in lockstep; return its id and the bots, who have not answered."""
    made = await make(host, "guest:Gus", "guest:Hal")
    gus, hal = [await enter(server, code) for code in made["seat_codes"].values()]
    await gus.ready()
    await hal.ready()
    await gus.next("observation")
    await hal.next("observation")
    return made["match"], gus, hal


async def test_pause_step_resume(server: LiveServer, host: httpx.AsyncClient) -> None:
    match, gus, hal = await running(server, host)
    table = server.host.tables[MatchId(match)]

    async def command(word: str) -> bool:
        changed: bool = json_of(await host.post(f"{MATCHES}/{match}/{word}"))["changed"]
        return changed

    assert not await command("step")
    assert await command("pause")
    assert not await command("pause")
    for bot in (gus, hal):
        await bot.act(bot.received("observation")[0], {"thrust": [0, 0]})
    assert await command("step")
    assert (await gus.next("observation"))["tick"] == 1
    assert table.match.tick == 1
    assert await command("resume")
    assert not await command("resume")
    await hal.next("observation", tick=1)
    for bot in (gus, hal):
        await bot.act(bot.received("observation")[1], {"thrust": [0, 0]})
    assert (await gus.next("observation"))["tick"] == 2
    trail = await audit_trail(host)
    assert trail[-6:] == [
        (f"match {word}", match) for word in ("step", "pause", "pause", "step", "resume", "resume")
    ]


async def test_abort_says_why_in_the_result_and_the_audit_log(
    server: LiveServer, host: httpx.AsyncClient
) -> None:
    match, gus, _ = await running(server, host)

    json_of(await host.post(f"{MATCHES}/{match}/abort", json={"why": "wrong map"}))

    assert (await gus.next("match_end"))["reason"] == "aborted"
    result = json_of(await host.get(f"/api/matches/{match}"))["result"]
    assert (result["reason"], result["detail"]) == ("aborted", "wrong map")
    line = json_of(await host.get("/api/host/audit", params={"limit": 1}))[0]
    assert (line["command"], line["target"], line["details"]) == ("match abort", match, {"why": "wrong map"})
    assert line["who"] == "host@127.0.0.1"


async def test_a_new_pace_is_told_to_the_bots(server: LiveServer, host: httpx.AsyncClient) -> None:
    match, gus, _ = await running(server, host)

    json_of(await host.post(f"{MATCHES}/{match}/pace", json={"pace": "realtime", "tick_ms": 20}))

    start = await gus.next("match_start")
    assert (start["pace"], start["tick_ms"]) == ("realtime", 20)
    assert (await gus.next("match_end"))["ticks"] == 10


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"pace": "warp"}, "pace"),
        ({"tick_ms": 0}, "tick_ms"),
        ({"speed": 3}, "speed"),
        ({"pace": "realtime", "action_delay": 2}, "action_delay cannot change"),
    ],
    ids=str,
)
async def test_a_wrong_pace_changes_nothing(
    server: LiveServer, host: httpx.AsyncClient, settings: dict[str, Any], says: str
) -> None:
    match, _, _ = await running(server, host)
    before = server.host.tables[MatchId(match)].match.settings

    answer = await host.post(f"{MATCHES}/{match}/pace", json=settings)

    assert answer.status_code == 422
    assert says in answer.text
    assert server.host.tables[MatchId(match)].match.settings == before
    assert "match pace" not in [command for command, _ in await audit_trail(host)]


@pytest.mark.parametrize("command", ["pause", "resume", "step", "pace"])
async def test_in_a_tournament_the_host_keeps_his_hands_off(
    server: LiveServer, host: httpx.AsyncClient, command: str
) -> None:
    table = server.host.create_match(
        "spaceballs", entrants("ann", "bob"), pairing=PairingRef("cup", "main/1/1/1", 1)
    )

    answer = await host.post(f"{MATCHES}/{table.match.id}/{command}", json={"pace": "realtime"})

    assert "tournament" in json_of(answer, 409)["detail"]
    assert table.match.settings.pace is Pace.LOCKSTEP


async def test_a_match_that_is_over_but_not_shown_yet_has_no_pace(tmp_path: Path) -> None:
    async with live_server(tmp_path, delay_s=3_600.0) as server, http_client(server, "host") as host:
        table = server.create("spaceballs", "ann", "bob")
        over = asyncio.create_task(server.host.wait_result(table.match.id))
        await eventually(lambda: table.match.phase is Phase.WAITING, "it is there")
        table.match.abort("enough")
        await over

        answer = await host.post(f"{MATCHES}/{table.match.id}/pace", json={"deadline_ms": 1})
        assert answer.status_code == 409
        again = await host.post(f"{MATCHES}/{table.match.id}/abort", json={"why": "again"})
        assert json_of(again) == {"changed": False}


# --- who may not ------------------------------------------------------------------------------


PATHS: Final = [
    ("GET", BOTS, None),
    ("POST", BOTS, {"name": "Eve"}),
    ("POST", f"{BOTS}/Ann/rotate", None),
    ("POST", f"{BOTS}/Ann/disable", None),
    ("POST", f"{BOTS}/Ann/enable", None),
    ("POST", MATCHES, {"game": "spaceballs", "bots": ["Ann", "guest:Eve"]}),
    ("GET", "/api/host/audit", None),
    *(("POST", f"{MATCHES}/none/{word}", None) for word in ("pause", "resume", "step")),
    ("POST", f"{MATCHES}/none/abort", {"why": "because"}),
    ("POST", f"{MATCHES}/none/pace", {"pace": "realtime"}),
]


async def test_every_command_of_the_host_asks_for_its_token_first(server: LiveServer) -> None:
    async with http_client(server) as http:
        document = json_of(await http.get("/openapi.json"))
        commands = [
            (method, path)
            for path, operations in document["paths"].items()
            for method in operations
            if path.startswith("/api/host")
        ]
        assert len(commands) >= len(PATHS)
        for method, path in commands:
            answer = await http.request(method, path)
            assert answer.status_code == 401, f"{method} {path}"


@pytest.mark.parametrize(("method", "path", "body"), PATHS, ids=str)
async def test_without_the_hosts_token_nothing_happens(
    server: LiveServer, host: httpx.AsyncClient, method: str, path: str, body: Any
) -> None:
    bot = await add(host, "Ann")
    before = await host.get(BOTS)
    evil = {"Origin": "https://evil.example.org"}

    for token, headers, status in (
        (None, {}, 401),
        ("guessed", {}, 403),
        (bot["token"], {}, 403),
        ("host", evil, 403 if method == "POST" else 200),
    ):
        async with http_client(server, token) as http:
            answer = await http.request(method, path, json=body, headers=headers)
        assert answer.status_code == status
        if status == 401:
            assert answer.headers["WWW-Authenticate"] == "Bearer"
        if status == 200:
            assert "access-control-allow-origin" not in answer.headers

    assert (await host.get(BOTS)).text == before.text
    assert not server.host.tables
    assert await audit_trail(host) == [("bot add", "Ann")]


async def test_the_login_keeps_the_token_where_no_script_finds_it(server: LiveServer) -> None:
    assert server.host.keys is not None
    token = server.host.keys.token_file.read_text(encoding="utf-8").strip()
    async with http_client(server) as http:
        assert json_of(await http.get("/api/me")) == {"role": "guest"}
        answer = await http.post("/api/login", json={"token": token})
        assert json_of(answer) == {"role": "host"}
        assert token not in answer.text
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert json_of(await http.get("/api/me")) == {"role": "host"}
        assert json_of(await http.get(BOTS)) == []
        own = {"Origin": server.http}
        assert (await http.post(BOTS, json={"name": "Ann"}, headers=own)).status_code == 201
        evil = {"Origin": "https://evil.example.org"}
        assert (await http.post(BOTS, json={"name": "Bob"}, headers=evil)).status_code == 403
        await http.post("/api/logout")
        assert (await http.get(BOTS)).status_code == 401


async def test_a_form_of_another_site_logs_nobody_in(server: LiveServer) -> None:
    async with http_client(server) as http:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            answer = await http.post(
                "/api/login", content=b'{"token": "guessed"}', headers={"Content-Type": kind}
            )
            assert answer.status_code == 422
            assert "set-cookie" not in answer.headers


async def test_the_settings_of_a_match_are_the_games_where_the_host_says_nothing(
    server: LiveServer, host: httpx.AsyncClient
) -> None:
    made = json_of(
        await host.post(MATCHES, json={"game": "right2live", "bots": ["guest:Gus", "guest:Hal"]}), 201
    )

    match = server.host.tables[MatchId(made["match"])].match
    assert match.settings == MatchSettings.defaults(match.game.info)
