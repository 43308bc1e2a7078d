"""`fangnetz serve`: a server until Ctrl-C."""

import asyncio
import ipaddress
import logging
import signal
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from fangnetz_server.cli import CommandError
from fangnetz_server.cli.bots import STRENGTHS, BotSpec, bot_processes, unique_names
from fangnetz_server.cli.console import run_async, set_up_logs
from fangnetz_server.cli.wiring import choose_games, friendly_setups, settings_for
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.archive import Archive
from fangnetz_server.host.host import Host
from fangnetz_server.host.server import open_port, serve
from fangnetz_server.web.app import make_app

__all__ = ["run_server"]


def run_server(
    *,
    host: str,
    port: int,
    games: str | None,
    pace: str,
    data: Path,
    map_name: str | None,
    bots: Sequence[str],
    is_open: bool,
) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises:
        CommandError: an option is wrong, the port is taken or the data folder cannot be used.
    """
    if not is_open and not _is_loopback(host):
        raise CommandError(
            f"others can reach {host}, and without tokens anybody may play there under any name; "
            "add --open if that is what you want"
        )
    played = choose_games(games)
    settings, setups = settings_for(played, pace), friendly_setups(map_name)
    specs = [_house_bot(text, list(played)) for text in bots]
    set_up_logs(logging.INFO)

    async def main() -> None:
        listener = open_port(host, port)
        keeper = Host(played, Archive(data), Admission(is_open=True), settings=settings, setups=setups)
        address = listener.getsockname()
        url = f"{host if ':' not in host else f'[{host}]'}:{address[1]}"
        _welcome(url, list(played), pace, data)
        async with serve(keeper, make_app(keeper), listener):
            names = unique_names([spec.name for spec in specs])
            named = [(BotSpec(spec.target, name), None) for spec, name in zip(specs, names, strict=True)]
            async with bot_processes(f"ws://127.0.0.1:{address[1]}", named, data / "logs", matches=None):
                await _wait_for_signal()

    run_async(main())


def _house_bot(text: str, games: Sequence[str]) -> BotSpec:
    game, _, strength = text.partition(":")
    if strength in STRENGTHS and game not in games:
        raise CommandError(f"--bot {text}: the server does not play {game!r}, but {', '.join(games)}")
    spec = BotSpec.parse(game, text)
    return BotSpec(spec.target, f"house-{game}-{strength}" if strength in STRENGTHS else spec.name)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _welcome(url: str, games: Sequence[str], pace: str, data: Path) -> None:
    console = Console(highlight=False)
    console.print(f"[bold green]Fangnetz[/] plays {' and '.join(games)}, pace {pace}. Ctrl-C ends it.\n")
    console.print(f"  watch    http://{url}/")
    console.print(f"  bots     fangnetz-bot run my_bot.py --server ws://{url}")
    console.print(f"  API      http://{url}/docs")
    console.print(f"  results  {data}/\n")


async def _wait_for_signal() -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()
