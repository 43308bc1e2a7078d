"""`fangnetz serve`: a server until Ctrl-C, and `fangnetz config show`."""

import asyncio
import ipaddress
import logging
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rich.console import Console

from fangnetz_protocol.words import BotId
from fangnetz_server.cli import CommandError
from fangnetz_server.cli.bots import STRENGTHS, BotSpec, need_sdk, unique_names
from fangnetz_server.cli.console import command_name, run_async, set_up_logs
from fangnetz_server.cli.wiring import choose_games, friendly_setups, settings_for
from fangnetz_server.config import Config, ConfigError, as_toml, load_config
from fangnetz_server.gateway.gateway import Entrance
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.host.keys import HOST_TOKEN_VARIABLE, TOKEN_FILE, HostKeys
from fangnetz_server.host.server import Tls, open_port, serve, settle_memory
from fangnetz_server.match.seats import Entrant
from fangnetz_server.scheduling.crew import Crew, Hand
from fangnetz_server.scheduling.own_bots import OwnBot
from fangnetz_server.scheduling.scheduler import Scheduler
from fangnetz_server.store.store import Store, opened_store
from fangnetz_server.web.app import make_app

__all__ = ["run_server", "show_config"]


def run_server(file: Path | None, flags: Mapping[str, Mapping[str, Any]]) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        file: settings in TOML.
        flags: what the command line says, by section and key.

    Raises:
        CommandError: a setting is wrong, the port is taken or the data folder cannot be used.
    """
    config = _load(file, flags)
    is_open = _is_open(config)
    games = choose_games(config.play.games)
    friendly_setups(config.play.map)
    for text in config.play.bots:
        _house_bot(text, list(games))
    set_up_logs(logging.getLevelNamesMapping()[config.log.level.upper()], config.log.format)

    async def main() -> None:
        async with opened_store(config.store.folder, database=config.store.url) as store:
            await _serve(config, store, is_open=is_open)

    run_async(main())


async def _serve(config: Config, store: Store, *, is_open: bool) -> None:
    games = choose_games(config.play.games)
    host = Host(
        games,
        store,
        Admission(store, is_open=is_open),
        keys=HostKeys(config.store.folder),
        settings=settings_for(games, config.play.pace),
        setups=friendly_setups(config.play.map),
        matchmaking=config.play.friendly,
        limits=config.limits,
        entrance=Entrance(config.server.prefix, config.access.origins, config.server.trusted_proxies),
        delay_s=config.play.delay_s,
        seat_views=config.play.seat_views,
        spectators=config.access.spectators == "all",
    )
    tls = _tls(config)
    listener = open_port(config.server.host, config.server.port)
    port = listener.getsockname()[1]
    stop = _signals()  # Before anybody hears of the server: one that is just starting ends as well as any.
    _welcome(config, list(games), port, is_open)
    scheduler = _scheduler(config, host)
    app = make_app(host, scheduler, prefix=config.server.prefix, tls=tls is not None)
    inner = open_port("127.0.0.1", 0) if tls else None
    own = f"ws://{_reachable(config.server.host)}:{port}"
    if inner is not None:
        own = f"ws://127.0.0.1:{inner.getsockname()[1]}"
    specs = _named([_house_bot(text, list(games)) for text in config.play.bots])
    async with (
        serve(host, app, listener, tls=tls, inner=inner),
        scheduler.open(f"{own}{config.server.prefix}"),
        _house(host, f"{own}{config.server.prefix}", specs, config.store.folder / "logs"),
    ):
        settle_memory()
        await stop.wait()
        stop.clear()
        await _drain(host, config.server.shutdown_s, stop)


@asynccontextmanager
async def _house(host: Host, address: str, specs: Sequence[BotSpec], logs: Path) -> AsyncIterator[None]:
    """Keep the bots of the house running: one that ends is noted in the log and started again."""
    if specs:
        need_sdk()
    hands = [
        Hand(
            OwnBot(name=spec.name, bot=spec.target),
            host.admission.reserve(Entrant(BotId(spec.name), spec.name)),
        )
        for spec in specs
    ]
    crew = Crew(address, hands, logs)
    crew.start()
    try:
        yield
    finally:
        await crew.stop()


def _scheduler(config: Config, host: Host) -> Scheduler:
    programs = config.tournament.programs
    return Scheduler(
        host,
        capacity=config.tournament.matches or None,
        logs=config.store.folder / "logs",
        any_program=programs == "any" or (programs == "auto" and _is_loopback(config.server.host)),
    )


async def _drain(host: Host, patience_s: float, again: asyncio.Event) -> None:
    """Let running matches finish; a second signal ends it at once."""
    draining = asyncio.create_task(host.drain(patience_s))
    waiting = asyncio.create_task(again.wait())
    await asyncio.wait((draining, waiting), return_when=asyncio.FIRST_COMPLETED)
    for task in (draining, waiting):
        task.cancel()
    await asyncio.gather(draining, waiting, return_exceptions=True)


def show_config(file: Path | None) -> None:
    """Print the settings in force.

    Raises:
        CommandError: one is wrong.
    """
    print(as_toml(_load(file, {})), end="")


def _load(file: Path | None, flags: Mapping[str, Mapping[str, Any]]) -> Config:
    try:
        return load_config(file, flags)
    except ConfigError as error:
        raise CommandError(str(error)) from error


def _is_open(config: Config) -> bool:
    """Tell whether bots may come in under names of their own choice."""
    if config.access.mode == "auto":
        return _is_loopback(config.server.host)
    return config.access.mode == "open"


def _tls(config: Config) -> Tls | None:
    if config.server.certificate is None or config.server.key is None:
        return None
    tls = Tls(config.server.certificate, config.server.key)
    tls.check()
    return tls


def _house_bot(text: str, games: Sequence[str]) -> BotSpec:
    game, _, strength = text.partition(":")
    if game in STRENGTHS:
        raise CommandError(f"--bot {text}: say for which game, such as {games[0]}:{game}")
    if strength in STRENGTHS and game not in games:
        raise CommandError(f"--bot {text}: the server does not play {game!r}, but {', '.join(games)}")
    spec = BotSpec.parse(game, text)
    if spec.command:
        raise CommandError(f"--bot {text}: only bots in Python; programs connect by fangnetz-bot bridge")
    return BotSpec(spec.target, f"house-{game}-{strength}" if strength in STRENGTHS else spec.name)


def _named(specs: Sequence[BotSpec]) -> list[BotSpec]:
    names = unique_names([spec.name for spec in specs])
    return [BotSpec(spec.target, name) for spec, name in zip(specs, names, strict=True)]


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _reachable(host: str) -> str:
    """Return an address for the own bots: 0.0.0.0 and :: are none."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _welcome(config: Config, games: Sequence[str], port: int, is_open: bool) -> None:
    console = Console(highlight=False, soft_wrap=True)  # So that a command can be copied in one piece.
    secure = "s" if config.server.certificate else ""
    place = f"{_reachable(config.server.host)}:{port}{config.server.prefix}"
    console.print(
        f"[bold green]Fangnetz[/] plays {' and '.join(games)}, pace {config.play.pace}. Ctrl-C ends it.\n"
    )
    console.print(f"  watch    http{secure}://{place}/")
    console.print(f"  bots     {command_name('fangnetz-bot')} run my_bot.py --server ws{secure}://{place}")
    console.print(f"  API      http{secure}://{place}/docs")
    console.print(f"  results  {config.store.folder}/")
    console.print(
        f"  host     {command_name()} bot add NAME --data {config.store.folder} --server http{secure}://{place}"
    )
    console.print(
        f"           http{secure}://{place}/host, with the token in {_token_place(config.store.folder)}\n"
    )
    console.file.flush()  # Whoever reads it from a file shall not wait for more.
    if not is_open:
        console.print("Only registered bots may play; the host's command above gives them their tokens.\n")
    elif not _is_loopback(config.server.host):
        console.print(
            "[bold red]Open server:[/] everybody who reaches it may play under any name, and take over the "
            "seat of a lost bot by its name.\n"
        )


def _token_place(folder: Path) -> str:
    return HOST_TOKEN_VARIABLE if os.environ.get(HOST_TOKEN_VARIABLE) else str(folder / TOKEN_FILE)


def _signals() -> asyncio.Event:
    """Return an event that every SIGINT and SIGTERM sets."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop
