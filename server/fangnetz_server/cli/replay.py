"""`fangnetz replay`: verify, show and info."""

import sys
from pathlib import Path

import orjson
from rich.console import Console
from rich.table import Table

from fangnetz_server.cli import CommandError
from fangnetz_server.games.registry import load_games
from fangnetz_server.match.replay import Replay, ReplayError

__all__ = ["info", "show", "verify"]


def _open(file: Path) -> Replay:
    try:
        return Replay(file.read_bytes(), load_games())
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror or error}") from error
    except ReplayError as error:
        raise CommandError(f"{file}: {error}", 1) from error


def verify(files: list[Path]) -> None:
    """Prove every file, and say of each how the match ended.

    Raises:
        CommandError: with status 1 at the first file that proves nothing.
    """
    for file in files:
        replay = _open(file)
        try:
            footer = replay.verify()
        except ReplayError as error:
            raise CommandError(f"{file}: {error}", 1) from error
        names = " - ".join(seat["name"] for seat in replay.header["seats"])
        points = " : ".join(f"{points:g}" for points in footer["points"]) or "no points"
        print(
            f"{file}: verified, {footer['ticks']} ticks of {replay.header['game']}, "
            f"{names}, {points} ({footer['reason']})"
        )


def show(file: Path) -> None:
    """Print the frames and the end as JSON lines.

    Raises:
        CommandError: with status 1 at the first tick that is not proved.
    """
    replay = _open(file)
    try:
        for frame in replay.frames():
            sys.stdout.buffer.write(orjson.dumps(frame, option=orjson.OPT_APPEND_NEWLINE))
    except ReplayError as error:
        raise CommandError(f"{file}: {error}", 1) from error
    sys.stdout.buffer.flush()


def info(file: Path) -> None:
    """Show header and result.

    Raises:
        CommandError: with status 1 if the file is no intact replay.
    """
    replay = _open(file)
    try:
        footer = replay.verify()
    except ReplayError as error:
        raise CommandError(f"{file}: {error}", 1) from error
    header, settings = replay.header, replay.header["settings"]
    console = Console()
    console.print(
        f"[bold]match {header['match']}[/bold] · {header['game']} (rules version {header['rules_version']})"
    )
    console.print(
        f"seed {header['seed']} · {settings['pace']} · {footer['ticks']} ticks · ended by {footer['reason']}"
    )
    table = Table("place", "bot", "points", "took part", box=None, header_style="bold")
    for seat, entrant in enumerate(header["seats"]):
        scored = bool(footer["places"])
        table.add_row(
            str(footer["places"][seat]) if scored else "-",
            entrant["name"],
            f"{footer['points'][seat]:g}" if scored else "-",
            footer["presence"][seat],
        )
    console.print(table)
