"""The command `fangnetz-bot`. Each command imports what it needs when it runs, so help shows at once."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Optional

import typer
from typer.exceptions import TyperException

__all__ = ["app", "main"]

WRONG_USE: Final = 2
INTERRUPTED: Final = 130

app = typer.Typer(
    name="fangnetz-bot",
    help="Run bots on a Fangnetz server.",
    epilog="Example: fangnetz-bot run spaceballs:simple --server ws://127.0.0.1:7474",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class LogLevel(StrEnum):
    """How much is logged to standard error."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def _version(shown: bool) -> None:
    if shown:
        from fangnetz import __version__

        typer.echo(f"fangnetz-bot {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command(epilog="Example: fangnetz-bot run my_bot.py --server ws://127.0.0.1:7474 --matches 10")
def run(
    bot: Annotated[
        str,
        typer.Argument(
            help="FILE.py[:CLASS], MODULE[:CLASS], or a reference bot such as spaceballs:simple (see list).",
            metavar="BOT",
        ),
    ],
    server: Annotated[
        str, typer.Option(help="Address of the server: ws://HOST:PORT, also wss, http, https or a path.")
    ] = "ws://127.0.0.1:7474",
    token: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="The bot's credential; better in FANGNETZ_TOKEN, where others do not see it."),
    ] = None,
    name: Annotated[Optional[str], typer.Option(help="Name to show; default: the bot's own.")] = None,  # noqa: UP045
    matches: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="End after that many finished matches; default: play on."),
    ] = None,
    seed: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(help="Seed of the bot's own chance, + 1 with each match; default: drawn."),
    ] = None,
    seed_if_taken: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(help="The same, but no mistake with a bot that takes none."),
    ] = None,
    log_level: Annotated[
        LogLevel, typer.Option(help="How much is logged to standard error.")
    ] = LogLevel.INFO,
) -> None:
    """Connect a bot to a server and let it play; ends with Ctrl-C or after --matches.

    Exit status: 0 all matches played, 2 wrong use, 3 server not reachable, 4 no Fangnetz server
    there, 5 refused, 6 connection lost for good.
    """
    from fangnetz.loading import load_bot, seeded
    from fangnetz.runner import run as run_bot

    if seed is None:
        playable = seeded(load_bot(bot), seed_if_taken, if_taken=True)
    else:
        playable = seeded(load_bot(bot), seed)
    run_bot(playable, server, token, name=name, matches=matches, log_level=log_level.upper())


@app.command(
    "right2live-2010",
    epilog="Example: fangnetz-bot right2live-2010 --server ws://127.0.0.1:7474 --name veteran",
)
def right2live_2010(
    server: Annotated[
        str, typer.Option(help="Address of the server: ws://HOST:PORT, also wss, http, https or a path.")
    ] = "ws://127.0.0.1:7474",
    listen: Annotated[
        str, typer.Option(help="Where clients of 2010 connect; port 0 takes a free one.", metavar="HOST:PORT")
    ] = "127.0.0.1:15000",
    name: Annotated[
        str, typer.Option(help="Name of the first client; further ones get a number behind it.")
    ] = "client-2010",
    token: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(help="A bot's credential; one a client. For one client better in FANGNETZ_TOKEN."),
    ] = None,
    round_time: Annotated[
        float, typer.Option(min=0.01, max=3600, help="Seconds for a MOVE, as far as the server gives them.")
    ] = 5.0,
    map_time: Annotated[
        float, typer.Option(min=0, max=3600, help="Seconds between MAP and the first round.")
    ] = 5.0,
    log_level: Annotated[
        LogLevel, typer.Option(help="How much is logged to standard error.")
    ] = LogLevel.INFO,
) -> None:
    """Let clients that speak the protocol of the contest of 2010 play; ends with Ctrl-C.

    Each one that connects becomes a bot for one match.
    """
    from fangnetz.contest2010.adapter import serve_contest
    from fangnetz.contest2010.bot import Times
    from fangnetz.runner import run_until_stopped, tokens_or_environment

    tokens = tokens_or_environment(token or [])
    times = Times(round_s=round_time, map_s=map_time)
    run_until_stopped(serve_contest(listen, server, name=name, tokens=tokens, times=times), log_level.upper())


@app.command(
    "bridge",
    context_settings={"allow_interspersed_args": False},
    epilog="Example: fangnetz-bot bridge --server ws://127.0.0.1:7474 -- ./my_bot",
)
def bridge_command(
    command: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(help="The program and its arguments, after --.", metavar="-- COMMAND"),
    ] = None,
    server: Annotated[
        str, typer.Option(help="Address of the server: ws://HOST:PORT, also wss, http, https or a path.")
    ] = "ws://127.0.0.1:7474",
    token: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="The bot's credential; better in FANGNETZ_TOKEN, where others do not see it."),
    ] = None,
    name: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Name to show; default: that of the program's file."),
    ] = None,
    tcp: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Wait for programs at HOST:PORT instead of starting one.", metavar="HOST:PORT"),
    ] = None,
    game: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(help="A game that the program plays; may be given again; default: all."),
    ] = None,
    matches: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="End after that many finished matches; default: play on."),
    ] = None,
    log: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="File for the program's standard error; default: NAME.log here."),
    ] = None,
    says_ready: Annotated[
        bool, typer.Option("--says-ready", help="The program writes `ready` itself when it is prepared.")
    ] = False,
    confine: Annotated[
        bool, typer.Option("--confine", help="Hold the program in bounds: a sandbox, and limits.")
    ] = False,
    limit: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(help="A limit for --confine, such as cpu_tick_ms=200.", metavar="NAME=VALUE"),
    ] = None,
    read: Annotated[
        Optional[list[Path]],  # noqa: UP045
        typer.Option(help="What a confined program may read beside this folder and the system's programs."),
    ] = None,
    sandbox: Annotated[
        str, typer.Option(help="For --confine: auto, bwrap (or nothing is started), or rlimits.")
    ] = "auto",
    log_level: Annotated[
        LogLevel, typer.Option(help="How much is logged to standard error.")
    ] = LogLevel.INFO,
) -> None:
    """Let a program in any language play: JSON lines on its standard input and output, or over TCP.

    Exit status: as for run, and 7 if the program cannot be started or dies in match after match.
    """
    from fangnetz.bridge.run import BridgeOptions, bridge
    from fangnetz.confine.cage import Sandbox
    from fangnetz.confine.limits import read_limits
    from fangnetz.problems import WrongUse
    from fangnetz.runner import run_until_stopped, tokens_or_environment

    if (limit or read) and not confine:
        raise WrongUse("--limit and --read are for --confine")
    if sandbox not in tuple(Sandbox):
        raise WrongUse(f"--sandbox {sandbox}: has to be one of {', '.join(Sandbox)}")
    tokens = tokens_or_environment([token] if token else [])
    options = BridgeOptions(
        command=tuple(command or ()),
        tcp=tcp,
        server=server,
        token=tokens[0] if tokens else None,
        name=name,
        games=tuple(game) if game else None,
        matches=matches,
        log=log,
        says_ready=says_ready,
        limits=read_limits(limit or ()) if confine else None,
        readable=tuple(read or ()),
        sandbox=Sandbox(sandbox),
    )
    run_until_stopped(bridge(options), log_level.upper())


@app.command(epilog="Example: fangnetz-bot bridge -- fangnetz-bot lines my_bot.py")
def lines(
    bot: Annotated[str, typer.Argument(help="As for run.", metavar="BOT")],
    seed: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(help="Seed of the bot's own chance, + 1 with each match; default: drawn."),
    ] = None,
) -> None:
    """Let a Python bot read and write lines instead of connecting: for a host who confines it."""
    import logging

    from fangnetz.lines import play_lines
    from fangnetz.loading import load_bot, seeded

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    output, sys.stdout = sys.stdout, sys.stderr  # What the bot prints is no answer.
    play_lines(seeded(load_bot(bot), seed), sys.stdin.buffer, output.buffer)


@app.command(hidden=True, epilog="Example: fangnetz-bot troupe bots.json")
def troupe(
    file: Annotated[Path, typer.Argument(help="Who plays; it is taken away, because it holds tokens.")],
) -> None:
    """Let many confined programs play, for a host's program; ends with Ctrl-C."""
    from fangnetz.bridge.troupe import read_troupe, run_troupe
    from fangnetz.runner import run_until_stopped

    run_until_stopped(run_troupe(read_troupe(file)), "INFO")


@app.command("list", epilog="Example: fangnetz-bot list")
def list_bots() -> None:
    """List the reference bots, one a line."""
    from fangnetz.loading import load_bot, reference_bots

    for reference in reference_bots():
        summary = (load_bot(reference.name).__doc__ or "").strip().partition("\n")[0]
        typer.echo(f"{reference.name:20} {summary}")


@app.command(epilog="Example: fangnetz-bot strength --game spaceballs --matches 20")
def strength(
    game: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Only this game; default: both.", metavar="GAME"),
    ] = None,
    matches: Annotated[int, typer.Option(min=1, help="Seeded matches a row.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the first match of a row.")] = 1,
    jobs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="Processes; default: one a core.", metavar="N"),
    ] = None,
) -> None:
    """Print how strong the reference bots are against each other; needs the rules, fangnetz[local]."""
    from fangnetz.strength import strength_table

    strength_table(game=game, matches=matches, seed=seed, jobs=jobs)


def main() -> None:
    """Run the command line and exit with its status."""
    from fangnetz.problems import Problem

    try:
        sys.exit(app(standalone_mode=False, prog_name="fangnetz-bot"))
    except Problem as problem:
        _say(str(problem))
        sys.exit(problem.exit_status)
    except TyperException as error:
        _say(f"{' '.join(error.format_message().split())} (fangnetz-bot --help shows how)")
        sys.exit(WRONG_USE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _say(text: str) -> None:
    print(f"fangnetz-bot: {text}", file=sys.stderr)
