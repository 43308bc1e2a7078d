"""The matrix role x command x phase over real sockets: what is not in the table has no effect (P1.7)."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import pytest_asyncio

from fangnetz_protocol.words import MatchId, MatchPhase
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.roles import Command, Role, is_allowed
from fangnetz_server.gateway.table import Table
from support.clients import BotClient, Client
from support.host_api import http_client
from support.live_server import LiveServer, eventually, live_server

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETUP: Final = {"seats": 3, "ruleset": {"max_rounds": 50}}
OVER_SOCKETS: Final = (Role.STRANGER, Role.BOT, Role.OTHER_BOT, Role.SPECTATOR)
CODES: Final = frozenset(
    {
        "forbidden",
        "unexpected_message",
        "not_seated",
        "not_ready",
        "match_over",
        "unknown_match",
        "unknown_type",
    }
)
STATUSES: Final = frozenset({401, 403, 404, 405, 409})


@dataclass
class World:
    """A server, the bots of its matches, and one client a role."""

    server: LiveServer
    ann: BotClient
    bob: BotClient
    eve: BotClient
    cid: BotClient
    stranger: BotClient
    anybody: httpx.AsyncClient
    host: httpx.AsyncClient

    async def match(self, phase: MatchPhase) -> Table:
        """Make a match of Ann, Bob and Eve in this phase; Ann has not said ready."""
        third = "ghost" if phase is MatchPhase.WAITING else "eve"
        times = {"ready_ms": 60_000, "deadline_ms": 60_000}
        table = self.server.create("right2live", "ann", "bob", third, setup=SETUP, **times)
        name = table.match.id
        if phase is MatchPhase.WAITING:
            return table
        await self.ann.next("match_start", match=name)
        if phase is MatchPhase.RUNNING:
            for bot in (self.bob, self.eve):
                await bot.send({"type": "ready", "match": name})
            await eventually(
                lambda: all(seat.ready for seat in table.match.seats[1:]), "Bob and Eve are ready"
            )
            table.match.due_ns = 0  # The time to get ready is over, without anybody waiting for it.
            table.match.wake()
            await self.ann.next("observation", match=name)
        if phase is MatchPhase.OVER:
            over = asyncio.create_task(self.server.host.wait_result(name))
            table.match.abort("seen enough")
            await over
        assert table.match.phase is phase
        return table


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """One server for the whole matrix."""
    folder: Path = tmp_path_factory.mktemp("data")
    limits = Limits(hello_s=3_600, strikes=10_000, fault_pause_s=0, connections_per_second=10_000)
    async with live_server(folder, limits=limits) as server, AsyncExitStack() as stack:
        ann, bob, eve, cid = [await server.bot(name) for name in ("ann", "bob", "eve", "cid")]
        anybody = await stack.enter_async_context(http_client(server))
        host = await stack.enter_async_context(http_client(server, "host"))
        yield World(server, ann, bob, eve, cid, await server.raw_bot(), anybody, host)


# --- asking -----------------------------------------------------------------------------------


@dataclass
class Answer:
    """What came of a command: accepted, or refused with a code or a status."""

    refused: str | int | None
    got: Any = None


def message(command: Command, match: MatchId) -> dict[str, Any]:
    """Return a command as a message of the WebSocket protocol, known to it or not."""
    fields: dict[Command, dict[str, Any]] = {
        Command.HELLO: {"protocol": "1.0", "name": "dan"},
        Command.ACTION: {"match": match, "tick": 0, "move": "NONE"},
    }
    return {"type": command.value, **fields.get(command, {"match": match})}


async def say(client: Client, command: Command, match: MatchId) -> Answer:
    """Say it, then something that is always answered; what comes before that answer is the answer to it."""
    await client.send(message(command, match))
    await client.send_raw("end of the question")
    answer = Answer(None)
    while True:
        heard = await client.receive()
        if heard["type"] == "welcome":
            answer.got = heard
        elif heard["type"] == "error" and heard["code"] == "not_json":
            return answer
        elif heard["type"] == "error":
            answer.refused = heard["code"]


async def request(http: httpx.AsyncClient, command: Command, match: MatchId) -> Answer:
    """Ask by HTTP; a command without a path of its own is tried below /api/host all the same."""
    if command is Command.REPLAY:
        answer = await http.get(f"/api/matches/{match}/replay")
    else:
        bodies: dict[Command, Any] = {Command.ABORT: {"why": "test"}, Command.PACE: {"deadline_ms": 30_000}}
        answer = await http.post(f"/api/host/matches/{match}/{command}", json=bodies.get(command))
    if answer.is_error:
        return Answer(answer.status_code)
    return Answer(None, answer.content)


async def watch(world: World, match: MatchId, **options: Any) -> Answer:
    spectator = await world.server.spectator(match, **options)
    heard = await spectator.receive()
    await spectator.socket.close()
    return Answer(heard["code"]) if heard["type"] == "error" else Answer(None, heard)


async def ask(world: World, role: Role, command: Command, match: MatchId) -> list[Answer]:
    """Give a command on every way that is open to a role."""
    if role is Role.HOST:
        if command is Command.WATCH:
            key = {"Authorization": world.host.headers["Authorization"]}
            return [await watch(world, match, additional_headers=key)]
        return [await request(world.host, command, match)]
    if role is Role.SPECTATOR and command is Command.WATCH:
        return [await watch(world, match)]
    if role is Role.SPECTATOR and command is Command.REPLAY:
        return [await request(world.anybody, command, match)]
    if role is Role.SPECTATOR:
        lobby = await world.server.lobby()
        answers = [await say(lobby, command, match), await request(world.anybody, command, match)]
        await lobby.socket.close()
        return answers
    if role is Role.STRANGER:
        client = await world.server.raw_bot() if command is Command.HELLO else world.stranger
    else:
        client = world.ann if role is Role.BOT else world.cid
    answer = await say(client, command, match)
    if role is Role.STRANGER and command is Command.HELLO:
        await client.socket.close()
    return [answer]


# --- looking ----------------------------------------------------------------------------------


def picture(table: Table) -> tuple[Any, ...]:
    """Return all of a match that a command could change."""
    match = table.match
    seats = tuple(
        (seat.connected, seat.seated, seat.ready, seat.left, tuple(seat.inbox), seat.stats())
        for seat in match.seats
    )
    return match.phase, match.tick, match.is_paused, match.settings, match.result, seats


def effect(command: Command, table: Table, answer: Answer) -> object:
    """Return the effect of an allowed command; something false if it has none."""
    match, ann = table.match, table.match.seats[0]
    effects: dict[Command, Callable[[], object]] = {
        Command.HELLO: lambda: answer.got["bot"]["name"] == "dan",
        Command.READY: lambda: ann.ready,
        Command.ACTION: lambda: ann.has_answered(match.tick),
        Command.LEAVE: lambda: ann.left,
        Command.WATCH: lambda: answer.got["type"] == "match_start" and "seat" not in answer.got,
        Command.REPLAY: lambda: len(answer.got) > 0,
        Command.PAUSE: lambda: match.is_paused,
        Command.RESUME: lambda: not match.is_paused and answer.got == b'{"changed":true}',
        Command.STEP: lambda: match.tick == 1,
        Command.PACE: lambda: match.settings.deadline_ms == 30_000,
        Command.ABORT: lambda: match.phase is MatchPhase.OVER,
    }
    return effects[command]()


def is_refusal(answer: Answer) -> bool:
    """Tell whether an answer is an error of the docs, or says that nothing was there to do."""
    return answer.refused in CODES | STATUSES or answer.got == b'{"changed":false}'


@pytest.mark.parametrize("phase", MatchPhase)
@pytest.mark.parametrize("command", Command)
@pytest.mark.parametrize("role", Role)
async def test_only_allowed_cells_have_an_effect(
    world: World, role: Role, command: Command, phase: MatchPhase
) -> None:
    table = await world.match(phase)
    if command in (Command.RESUME, Command.STEP):
        table.match.pause()
    before = picture(table)

    answers = await ask(world, role, command, table.match.id)

    if is_allowed(role, command, phase):
        assert [answer.refused for answer in answers] == [None]
        assert effect(command, table, answers[0])
    else:
        assert all(is_refusal(answer) for answer in answers), answers
        assert picture(table) == before
    table.match.abort("next, please")
    await eventually(lambda: not world.server.host.tables, "the end of the match")
