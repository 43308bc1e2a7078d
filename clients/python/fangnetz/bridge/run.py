"""Play through a bridge from a command: what to start, where to listen, and the end of it all."""

import asyncio
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
from fangnetz.bridge.tcp import Door, tcp_address
from fangnetz.client import Client
from fangnetz.problems import WrongUse
from fangnetz_protocol.messages import MatchEnd

__all__ = ["BridgeOptions", "bridge"]

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


async def bridge(options: BridgeOptions) -> list[MatchEnd]:
    """Play matches with a program and return their results.

    Raises:
        Problem: the options are wrong, the server cannot be reached or refuses, or the program fails.
    """
    partners = _partners(options)
    desk = Bridge(
        _name(options),
        partners,
        games=options.games,
        language=_language(options),
        matches=options.matches,
        says_ready=options.says_ready,
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


def _partners(options: BridgeOptions) -> Hall | Door:
    if options.tcp is None:
        log = options.log or Path(f"{_file_name(_name(options))}.log")
        return Hall(_found(options.command), log)
    if options.command:
        raise WrongUse("with --tcp there is no command: start the program yourself, it connects")
    return Door(*tcp_address(options.tcp))


def _found(words: Sequence[str]) -> tuple[str, ...]:
    """Return the command line, if its program exists.

    Raises:
        WrongUse: there is none.
    """
    if not words:
        raise WrongUse("the program is missing: fangnetz-bot bridge … -- COMMAND, or --tcp HOST:PORT")
    if shutil.which(words[0]) is None:
        here = f"; is it ./{words[0]}?" if os.path.isfile(words[0]) else ""
        raise WrongUse(f"there is no program {words[0]!r} that can be run{here}")
    return tuple(words)


def _name(options: BridgeOptions) -> str:
    """Return the name to show: the given one, or that of the last word that names a file."""
    files = [Path(word).stem for word in options.command if os.path.isfile(word)]
    return (options.name or [*("bot",), *files][-1])[:_LONGEST_NAME]


def _language(options: BridgeOptions) -> str:
    return "TCP" if options.tcp is not None else Path(options.command[0]).name[:_LONGEST_NAME]


def _file_name(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in name)
