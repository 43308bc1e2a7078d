"""Play through a bridge from a command: what to start, where to listen, and the end of it all."""

import asyncio
import logging
import os
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fangnetz.address import DEFAULT_SERVER
from fangnetz.backoff import Backoff
from fangnetz.bridge.bridge import Bridge
from fangnetz.bridge.hall import Hall
from fangnetz.bridge.link import BridgeLink
from fangnetz.bridge.partner import News, NoNews
from fangnetz.bridge.tcp import Door, tcp_address
from fangnetz.client import Client
from fangnetz.confine.cage import Sandbox, make_cage
from fangnetz.confine.limits import Limits
from fangnetz.confine.watch import Watch
from fangnetz.problems import WrongUse
from fangnetz_protocol.messages import MatchEnd

__all__ = ["BridgeOptions", "bridge", "file_name"]

log: Final = logging.getLogger("fangnetz")
_LONGEST_NAME: Final = 40
"""Characters of a name that a server takes."""


@dataclass(frozen=True, slots=True)
class BridgeOptions:
    """What a bridge is to do."""

    command: tuple[str, ...] = ()
    """The words of the program to start; with `tcp` there may be none."""
    tcp: str | None = None
    """HOST:PORT where programs connect; None: standard input and output of the command."""
    server: str = DEFAULT_SERVER
    token: str | None = None
    name: str | None = None
    """Name to show; None: that of the program's file."""
    games: tuple[str, ...] | None = None
    """Games that the program plays; None: all."""
    matches: int | None = None
    """End after so many matches; None: play on."""
    log: Path | None = None
    """Takes the program's standard error; None: NAME.log in the current folder."""
    says_ready: bool = False
    """The program writes `ready` itself."""
    limits: Limits | None = None
    """Confine the program; None: it may do what it wants."""
    folder: Path = Path()
    """A confined program's own folder."""
    readable: tuple[Path, ...] = ()
    """What else a confined program may read."""
    sandbox: Sandbox = Sandbox.AUTO
    """What confines it beside the kernel's limits."""


async def bridge(
    options: BridgeOptions, *, watch: Watch | None = None, news: News | None = None
) -> list[MatchEnd]:
    """Play matches with a program and return their results.

    Args:
        options: what to do.
        watch: looks at confined programs; one serves many bridges.
        news: hears what a host wants to know.

    Raises:
        Problem: the options are wrong, the server cannot be reached or refuses, or the program fails.
    """
    partners = _partners(options, watch, news or NoNews())
    desk = Bridge(
        _name(options),
        partners,
        games=options.games,
        language=_language(options),
        matches=options.matches,
        says_ready=options.says_ready,
        news=news,
    )
    client = Client(
        desk,
        lambda connection: BridgeLink(connection, desk),
        options.server,
        options.token,
        backoff=Backoff(),
        chance=random.Random(),
        sleep=asyncio.sleep,
    )
    try:
        await partners.open()
        await client.play()
    finally:
        await desk.close()
    if desk.problem is not None:
        raise desk.problem
    return desk.results


def _partners(options: BridgeOptions, watch: Watch | None, news: News) -> Hall | Door:
    if options.tcp is None:
        log_file = options.log or Path(f"{file_name(_name(options))}.log")
        words = _found(options.command, options.folder)
        if options.limits is None:
            return Hall(words, log_file)
        cage = make_cage(
            *(_name(options), words, options.folder, options.limits),
            readable=options.readable,
            sandbox=options.sandbox,
        )
        log.log(logging.INFO if cage.is_sandbox else logging.WARNING, "%s", cage.describe())
        news.confined(cage.describe())
        return Hall(words, log_file, cage, watch)
    if options.command:
        raise WrongUse("with --tcp there is no command: start the program yourself, it connects")
    return Door(*tcp_address(options.tcp))


def _found(words: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Return the command line, if its program exists.

    Raises:
        WrongUse: there is none.
    """
    if not words:
        raise WrongUse("the program is missing: fangnetz-bot bridge … -- COMMAND, or --tcp HOST:PORT")
    place = folder / words[0] if os.sep in words[0] else words[0]
    if shutil.which(place) is None:
        here = f"; is it ./{words[0]}?" if os.path.isfile(folder / words[0]) else ""
        raise WrongUse(f"there is no program {words[0]!r} that can be run{here}")
    return tuple(words)


def _name(options: BridgeOptions) -> str:
    """Return the name to show: the given one, or that of the last word that names a file."""
    files = [Path(word).stem for word in options.command if os.path.isfile(word)]
    return (options.name or [*("bot",), *files][-1])[:_LONGEST_NAME]


def _language(options: BridgeOptions) -> str:
    return "TCP" if options.tcp is not None else Path(options.command[0]).name[:_LONGEST_NAME]


def file_name(name: str) -> str:
    """Return a name as that of a file, without its ending."""
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in name)
