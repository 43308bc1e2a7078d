"""A match of two instant bots in lockstep, against a bare loop that only sends and receives.

Both run in this process over loopback, with the same sockets, libraries and message sizes; both
talk to the same clients in one other process.
"""

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import pairwise
from statistics import quantiles
from typing import Any, Final

import uvicorn

from bench.arena import arena, entrants, patient, peers, run
from bench.report import Verdict, note
from bench.watching import TickWatch
from fangnetz_protocol.words import ActionStatus, MatchId, SeatId, Tick
from fangnetz_server.games.registry import load_games
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.socket import Socket
from fangnetz_server.host.host import Host
from fangnetz_server.host.server import open_port
from fangnetz_server.match import wire
from fangnetz_server.match.seats import Answer, Seat

__all__ = ["lockstep"]

TICKS: Final = 1_200
TURNS: Final = 5
SHARE: Final = 0.40


def lockstep() -> Iterable[Verdict]:
    """Ticks per second of a match between instant bots, as a share of a bare loop's."""
    matches, bare = run(_measure())
    note(f"match      {_rate(matches):8,.0f} ticks/s")
    note(f"bare loop  {_rate(bare):8,.0f} ticks/s")
    yield Verdict("tick rate as a share of the bare loop's", _rate(matches) / _rate(bare), ">=", SHARE)


def _rate(times: list[list[float]]) -> float:
    """Return ticks per second, from the first decile of the time between two ticks of all turns.

    The first decile, because it is what a tick takes if no other process takes the core or the
    caches meanwhile; on a machine with nothing else to do the median is nearly the same.
    """
    gaps = [later - earlier for turn in times for earlier, later in pairwise(turn)]
    return 1 / quantiles(gaps, n=10)[0]


async def _measure() -> tuple[list[list[float]], list[list[float]]]:
    """Return the times of the ticks, a list a turn, of the matches and of the bare loop."""
    metrics = TickWatch()
    message = _typical_observation()
    matches, bare = [], []
    async with (
        arena(matchmaking=False, metrics=metrics) as (host, port),
        bare_loop() as loop,
        peers("instant", f"ws://127.0.0.1:{port}/play", "ann", "bob") as bots,
        peers("instant", f"ws://127.0.0.1:{loop.port}/play", "ann", "bob") as echoes,
    ):
        await bots.said()
        await echoes.said()
        for _ in range(TURNS):
            matches.append(await _play(host, metrics))
            bare.append(await loop.run(message))
    return matches, bare


async def _play(host: Host, metrics: TickWatch) -> list[float]:
    """Play a whole match and return the times of its ticks."""
    metrics.clear()
    table = host.create_match("spaceballs", entrants("ann", "bob"), seed=1, settings=patient("spaceballs"))
    result = await host.wait_result(table.match.id)
    assert (result.ticks, result.reason) == (TICKS, "timeout"), result
    return list(metrics.times)


def _typical_observation() -> bytes:
    """Return an observation as the bots of the match get it."""
    game = load_games()["spaceballs"]
    state = game.step(game.prepare(1, {}), [None, None])
    place = Seat(SeatId(0), entrants("ann")[0], 0)
    place.post(Tick(0), Answer(None, ActionStatus.APPLIED, 0.123))
    place.settle(Tick(0))
    return wire.observation(MatchId("0" * 10), 1, 60_000, 5_000, place, game.observe(state, SeatId(0)), ())


class BareLoop:
    """A server that sends a message to its clients and waits for an answer of each, again and again."""

    def __init__(self) -> None:
        self.port = 0
        self.handler_tasks: set[asyncio.Task[None]] = set()
        self.closing = asyncio.Event()
        self._sockets: list[Socket] = []

    def is_serving(self) -> bool:
        return True

    async def handler(self, socket: Socket) -> None:
        await socket.handshake(server_header=None)
        await socket.recv()  # The hello.
        self._sockets.append(socket)
        await self.closing.wait()
        await socket.close()

    async def run(self, message: bytes) -> list[float]:
        """Do as many ticks as a match has and return their times."""
        first, second = self._sockets
        times: list[float] = []
        for _ in range(TICKS):
            first.push(message)
            second.push(message)
            await first.recv()
            await second.recv()
            times.append(time.perf_counter())
        return times


@asynccontextmanager
async def bare_loop() -> AsyncIterator[BareLoop]:
    """Serve a bare loop as the real server is served."""
    loop = BareLoop()
    listener = open_port("127.0.0.1", 0)
    loop.port = listener.getsockname()[1]
    config = uvicorn.Config(
        _no_app,
        ws=functools.partial(Socket, loop, Limits()),  # type: ignore[arg-type]  # As in `host.server`.
        http="httptools",
        lifespan="off",
        log_config=None,
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server._serve(sockets=[listener]))
    try:
        yield loop
    finally:
        loop.closing.set()
        server.should_exit = True
        await task


async def _no_app(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("only WebSockets come here")
