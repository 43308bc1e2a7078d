"""`fangnetz play`: one whole match with a server of its own."""

import asyncio
import logging
import secrets
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn

from fangnetz_protocol.words import BotId
from fangnetz_server.cli import CommandError
from fangnetz_server.cli.bots import BotProcess, BotSpec, bot_processes, keep_logs, unique_names
from fangnetz_server.cli.console import command_name, run_async, set_up_logs
from fangnetz_server.cli.report import result_table
from fangnetz_server.cli.wiring import choose_games, match_setup, settings_for
from fangnetz_server.gateway.table import Table
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.host.server import open_port, serve
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant
from fangnetz_server.store.store import Store, opened_store
from fangnetz_server.web.app import make_app

__all__ = ["SEEDS", "attend", "follow", "named_bots", "play_match", "seat_seed"]

SEEDS: Final = 1 << 31
"""Match seeds are drawn from so many."""
MOST_SEATS: Final = 64

_REFRESH_S: Final = 0.1


def play_match(
    *,
    game: str,
    bots: Sequence[str],
    seed: int | None,
    map_name: str | None,
    pace: str,
    guests: int,
    watch: bool,
    port: int,
    data: Path,
) -> None:
    """Play one match and print its result.

    Raises:
        CommandError: an option is wrong, the port is taken or the data folder cannot be used; with
            status 1 if the match ended without a result.
    """
    games = choose_games([game])
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    specs = named_bots(game, bots)
    plan = _Plan(
        game=game,
        bots=tuple(replace(spec, seed=seat_seed(seed, seat)) for seat, spec in enumerate(specs)),
        guests=guests,
        setup=match_setup(games[game].info, len(specs) + guests, map_name),
        seed=seed,
        watch=watch,
    )
    settings = settings_for(games, pace)
    set_up_logs(logging.WARNING)
    console = Console(highlight=False)

    async def main() -> None:
        async with opened_store(data) as store:
            admission = Admission(store, is_open=guests > 0)
            host = Host(games, store, admission, settings=settings, matchmaking=False)
            listener = open_port("127.0.0.1", port)
            url = f"127.0.0.1:{listener.getsockname()[1]}"
            async with serve(host, make_app(host), listener):
                result = await _play(host, plan, url, data / "logs", console)
                _report(result, plan, store, console)
                if watch:
                    console.print("The page stays until Ctrl-C.")
                    await asyncio.Event().wait()
            if not result.places:
                raise CommandError(f"the match has no result: {result.detail}", 1)

    run_async(main())


def named_bots(game: str, bots: Sequence[str]) -> list[BotSpec]:
    """Return the bots that a user names, under names that differ.

    Raises:
        CommandError: there is no such bot.
    """
    specs = [BotSpec.parse(game, text) for text in bots]
    names = unique_names([spec.name for spec in specs])
    return [replace(spec, name=name) for spec, name in zip(specs, names, strict=True)]


def seat_seed(seed: int, seat: int) -> int:
    """Return the seed of a bot's own chance, so that a match with the same seed is the same again."""
    return seed * MOST_SEATS + seat


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to play."""

    game: str
    bots: tuple[BotSpec, ...]
    guests: int
    setup: Mapping[str, Any]
    seed: int
    watch: bool


async def _play(host: Host, plan: _Plan, url: str, logs: Path, console: Console) -> MatchResult:
    entrants = [Entrant(BotId(spec.name), spec.name) for spec in plan.bots]
    tokens = [host.admission.reserve(entrant) for entrant in entrants]
    if plan.guests:
        console.print(
            f"Waiting for {plan.guests} more: {command_name('fangnetz-bot')} run my_bot.py --server ws://{url}"
        )
        entrants += await _wait_for_guests(host, plan.guests, taken=entrants)
    bots = list(zip(plan.bots, tokens, strict=True))
    async with bot_processes(f"ws://{url}", bots, logs, matches=1, game=plan.game) as processes:
        table = host.create_match(plan.game, entrants, setup=plan.setup, seed=plan.seed)
        page = f"http://{url}/?match={table.match.id}"
        console.print(f"Watch   {page}")
        if plan.watch and not webbrowser.open(page):
            console.print("No browser could be opened; open the page yourself.")
        result = await follow(host, table, processes, console)
    keep_logs(processes, host.store.matches.replay_path(result.match))
    return result


def _report(result: MatchResult, plan: _Plan, store: Store, console: Console) -> None:
    replay = store.matches.replay_path(result.match)
    console.print(result_table(result))
    console.print(f"Replay  {replay}")
    if plan.bots:
        console.print(f"Logs    {replay.with_name(f'{result.match}.*.log')}")
    console.print(f"Proof   {command_name()} replay verify {replay}")


async def follow(host: Host, table: Table, processes: Sequence[BotProcess], console: Console) -> MatchResult:
    """Show the progress of a match until its result is stored; a bot that dies on the way has left it."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("tick {task.completed:.0f}"))
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task(table.match.game.info.title, total=table.match.last_tick)

        def tell(bot: BotProcess) -> None:
            console.print(
                f"[red]{escape(bot.spec.name)} has ended:[/] {escape(bot.last_words())} (see {bot.log})"
            )

        return await attend(
            host,
            table,
            [(bot, BotId(bot.spec.name)) for bot in processes],
            tick=lambda: progress.update(bar, completed=table.match.tick),
            tell=tell,
        )


async def attend(
    host: Host,
    table: Table,
    bots: Sequence[tuple[BotProcess, BotId]],
    *,
    tick: Callable[[], None],
    tell: Callable[[BotProcess], None],
) -> MatchResult:
    """Wait until the result of a match is stored; a bot that dies on the way has left it.

    Args:
        host, table: the match.
        bots: its processes and who they are.
        tick: called now and then.
        tell: called for each bot that has died.
    """
    ending = asyncio.ensure_future(host.wait_result(table.match.id))
    told: set[BotId] = set()
    while not ending.done():
        await asyncio.wait([ending], timeout=_REFRESH_S)
        tick()
        for bot, name in bots:
            if bot.failed and name not in told:
                told.add(name)
                table.give_up(name)
                tell(bot)
    return ending.result()


async def _wait_for_guests(host: Host, count: int, *, taken: Sequence[Entrant]) -> list[Entrant]:
    """Wait for bots that connect by themselves, under other names than those taken."""
    while True:
        known = {entrant.bot for entrant in taken}
        guests = [link.entrant for link in host.gateway.links if link.is_connected]
        found = [entrant for entrant in guests if entrant.bot not in known]
        if len(found) >= count:
            return found[:count]
        await asyncio.sleep(_REFRESH_S)
