"""The commands, their options and their help. What they do stands in a module each."""

from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fangnetz_server.cli.tournament_app import tournament_app

__all__ = ["app"]

app = typer.Typer(
    name="fangnetz",
    help="Fangnetz: bots catch each other over the network.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
replay_app = typer.Typer(help="Look at replays and prove them.", no_args_is_help=True)
config_app = typer.Typer(help="The settings of a server.", no_args_is_help=True)
map_app = typer.Typer(help="Maps of Right2Live.", no_args_is_help=True)
bot_app = typer.Typer(help="Registered bots of a running server.", no_args_is_help=True)
match_app = typer.Typer(help="Live matches of a running server.", no_args_is_help=True)
app.add_typer(bot_app, name="bot")
app.add_typer(match_app, name="match")
app.add_typer(tournament_app, name="tournament")
app.add_typer(replay_app, name="replay")
app.add_typer(map_app, name="map")
app.add_typer(config_app, name="config")

_CONFIG = typer.Option(
    "--config", help="Settings in TOML; flags and environment are stronger.", metavar="FILE"
)
_DATA = typer.Option("--data", help="Folder for results and replays.", metavar="DIR")
_PORT = typer.Option("--port", min=0, max=65535, help="TCP port; 0 takes a free one.")
_HOST = typer.Option("--host", help="Address to listen on.", metavar="ADDRESS")
_PACE = typer.Option("--pace", help="lockstep (waits for every bot) or realtime (fixed ticks).")
_MAP = typer.Option("--map", help="Right2Live: name of a map (fangnetz map list) or path of a .map file.")
_SERVER = typer.Option("--server", help="Address of the server.", metavar="URL")
_LOCAL = "http://127.0.0.1:7474"
_KEYS = typer.Option("--data", help="Data folder with the host's token.", metavar="DIR")
_BOT = typer.Argument(help="Id or name of a registered bot.", metavar="BOT")
_MATCH = typer.Argument(help="Id of a live match.", metavar="MATCH")
_REPLAY = typer.Argument(help="A replay, as stored below DATA/replays.", metavar="FILE")


def _version(shown: bool) -> None:
    if shown:
        from fangnetz_server import __version__

        typer.echo(f"fangnetz {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command(
    epilog="Example: fangnetz serve --games spaceballs --bot spaceballs:simple; then open http://127.0.0.1:7474"
)
def serve(
    config: Annotated[Optional[Path], _CONFIG] = None,  # noqa: UP045
    host: Annotated[Optional[str], _HOST] = None,  # noqa: UP045
    port: Annotated[Optional[int], _PORT] = None,  # noqa: UP045
    games: Annotated[
        Optional[str], typer.Option(help="Comma-separated ids of the games to play; default: all.")  # noqa: UP045
    ] = None,
    pace: Annotated[Optional[str], _PACE] = None,  # noqa: UP045
    data: Annotated[Optional[Path], _DATA] = None,  # noqa: UP045
    map_: Annotated[Optional[str], _MAP] = None,  # noqa: UP045
    bot: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(help="A bot to keep as an opponent, such as right2live:random; may be repeated."),
    ] = None,
    open_: Annotated[
        bool, typer.Option("--open", help="Let anybody play on an address that others can reach.")
    ] = False,
) -> None:
    """Run a server: bots connect to /play, people watch in the browser. Ends with Ctrl-C."""
    from fangnetz_server.cli.serve import run_server

    flags: dict[str, dict[str, Any]] = {
        "server": {"host": host, "port": port},
        "access": {"mode": "open" if open_ else None},
        "store": {"folder": data},
        "play": {
            "games": None
            if games is None
            else tuple(name.strip() for name in games.split(",") if name.strip()),
            "pace": pace,
            "map": map_,
            "bots": tuple(bot) if bot else None,
        },
    }
    run_server(config, flags)


@config_app.command("show", epilog="Example: fangnetz config show --config fangnetz.toml")
def config_show(config: Annotated[Optional[Path], _CONFIG] = None) -> None:  # noqa: UP045
    """Print the settings in force, from file and environment, as a TOML file without secrets."""
    from fangnetz_server.cli.serve import show_config

    show_config(config)


@app.command(epilog="Example: fangnetz play spaceballs my_bot.py strong --n 100")
def play(
    game: Annotated[str, typer.Argument(help="Id of the game: right2live or spaceballs.")],
    bots: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(
            help="random, simple, strong, FILE.py[:CLASS], MODULE:CLASS or the command line of a program in "
            "any language, such as './my_bot --fast'; one a seat.",
            metavar="BOT...",
        ),
    ] = None,
    n: Annotated[
        int, typer.Option("--n", min=1, max=100_000, help="How many matches; more than one make a table.")
    ] = 1,
    seed: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(help="Seed of the (first) match; the same bots play it alike. Default: drawn."),
    ] = None,
    map_: Annotated[Optional[str], _MAP] = None,  # noqa: UP045
    pace: Annotated[str, _PACE] = "lockstep",
    jobs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, max=64, help="With --n: matches at the same time; default: by the cores."),
    ] = None,
    open_: Annotated[
        int, typer.Option("--open", min=0, max=20, help="Seats to keep for bots that connect by themselves.")
    ] = 0,
    watch: Annotated[
        bool, typer.Option("--watch", help="Open the match in the browser, and serve it until Ctrl-C.")
    ] = False,
    port: Annotated[int, _PORT] = 7474,
    data: Annotated[Path, _DATA] = Path("fangnetz-data"),
) -> None:
    """Play one match, or many, with a server of its own and the bots as processes of their own."""
    from fangnetz_server.cli import CommandError

    if n > 1:
        if open_ or watch:
            raise CommandError(f"--n plays by itself; {'--open' if open_ else '--watch'} is for one match")
        from fangnetz_server.cli.series import play_series

        play_series(
            game=game,
            bots=bots or [],
            matches=n,
            seed=seed,
            map_name=map_,
            pace=pace,
            jobs=jobs,
            port=port,
            data=data,
        )
        return
    from fangnetz_server.cli.play import play_match

    play_match(
        game=game,
        bots=bots or [],
        seed=seed,
        map_name=map_,
        pace=pace,
        guests=open_,
        watch=watch,
        port=port,
        data=data,
    )


@app.command(epilog="Example: fangnetz compare strong my_bot.py --game spaceballs --elo1 50")
def compare(
    first: Annotated[str, typer.Argument(help="Is this bot stronger …", metavar="A")],
    second: Annotated[str, typer.Argument(help="… than this one? As for `play`.", metavar="B")],
    game: Annotated[str, typer.Option(help="Id of the game: right2live or spaceballs.")],
    until: Annotated[str, typer.Option(help="What decides: sprt.")] = "sprt",
    elo0: Annotated[float, typer.Option(help="A is stronger by so much or less, or …")] = 0.0,
    elo1: Annotated[float, typer.Option(help="… by so much or more.")] = 20.0,
    alpha: Annotated[float, typer.Option(help="Chance of a wrong yes.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance of a wrong no.")] = 0.05,
    games: Annotated[int, typer.Option(min=2, help="Give up after so many games.")] = 10_000,
    map_: Annotated[Optional[str], _MAP] = None,  # noqa: UP045
    seed: Annotated[int, typer.Option(min=0, help="Every field follows from it.")] = 1,
    jobs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, max=64, help="Games at the same time; default: by the cores."),
    ] = None,
    data: Annotated[Path, _DATA] = Path("fangnetz-compare"),
) -> None:
    """Play paired games until a sequential probability ratio test says whether A is stronger than B."""
    from fangnetz_server.cli import CommandError
    from fangnetz_server.cli.compare import compare as run
    from fangnetz_server.tournament.sprt import SprtOptions

    if until != "sprt":
        raise CommandError(f"--until {until}: there is only sprt")
    try:
        options = SprtOptions(elo0, elo1, alpha, beta)
    except ValueError as error:
        raise CommandError(str(error)) from error
    run(
        game=game,
        first=first,
        second=second,
        options=options,
        most_games=games,
        map_name=map_,
        seed=seed,
        jobs=jobs,
        data=data,
    )


@app.command(epilog="Example: fangnetz demo")
def demo(
    data: Annotated[Path, _DATA] = Path("fangnetz-demo"),
    port: Annotated[int, _PORT] = 0,
) -> None:
    """Play both games with the reference bots and show the tables."""
    from fangnetz_server.cli.demo import run_demo

    run_demo(data=data, port=port)


@app.command(epilog="Example: fangnetz simulate scenario.json | head -1")
def simulate(
    file: Annotated[str, typer.Argument(help="A scenario file; - reads standard input.", metavar="FILE")],
) -> None:
    """Run a scripted match through the rules and print a frame a tick as JSON lines."""
    from fangnetz_server.cli.simulate import run_simulation

    run_simulation(file)


@replay_app.command("verify", epilog="Example: fangnetz replay verify fangnetz-demo/replays/*/*.ndjson.zst")
def replay_verify(
    files: Annotated[list[Path], typer.Argument(help="Replays.", metavar="FILE...")],
) -> None:
    """Play a match again from seed and actions and compare every digest; status 1 at the first difference."""
    from fangnetz_server.cli.replay import verify

    verify(files)


@replay_app.command("show", epilog="Example: fangnetz replay show FILE | tail -1")
def replay_show(file: Annotated[Path, _REPLAY]) -> None:
    """Print the frames of a match as JSON lines, as spectators saw them, and the match_end."""
    from fangnetz_server.cli.replay import show

    show(file)


@replay_app.command("info", epilog="Example: fangnetz replay info FILE")
def replay_info(file: Annotated[Path, _REPLAY]) -> None:
    """Show who played what, with which settings, and how it ended."""
    from fangnetz_server.cli.replay import info

    info(file)


@replay_app.command("export", epilog="Example: fangnetz replay export FILE --html --output final.html")
def replay_export(
    file: Annotated[Path, _REPLAY],
    html: Annotated[bool, typer.Option("--html", help="As one page that plays without a server.")] = False,
    output: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--output", help="File to write; default: beside the replay.", metavar="FILE"),
    ] = None,
) -> None:
    """Make one HTML file of a match that plays offline."""
    from fangnetz_server.cli import CommandError

    if not html:
        raise CommandError("say what to make of it: --html")
    from fangnetz_server.cli.export import export_html

    typer.echo(f"{export_html(file, output)}: open it in a browser, it needs no server")


@map_app.command("check", epilog="Example: fangnetz map check my.map")
def map_check(
    file: Annotated[
        Path, typer.Argument(help="A .map file; a .tox file beside it is checked too.", metavar="FILE")
    ],
) -> None:
    """Name line and column of every fault of a map; status 1 if there is one."""
    from fangnetz_server.cli.maps import check

    check(file)


@map_app.command("list", epilog="Example: fangnetz map list")
def map_list() -> None:
    """List the maps that come with the server."""
    from fangnetz_server.cli.maps import show_list

    show_list()


@map_app.command("show", epilog="Example: fangnetz map show mansion")
def map_show(name: Annotated[str, typer.Argument(help="Name of a map or path of a .map file.")]) -> None:
    """Draw a map with its poison."""
    from fangnetz_server.cli.maps import show

    show(name)


@bot_app.command("add", epilog="Example: fangnetz bot add Ada --owner ada@example.org")
def bot_add(
    name: Annotated[str, typer.Argument(help="1 to 32 visible characters.")],
    owner: Annotated[Optional[str], typer.Option(help="Whose bot it is, for the host.")] = None,  # noqa: UP045
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _KEYS] = Path("fangnetz-data"),
) -> None:
    """Register a bot and print its token, this once."""
    from fangnetz_server.cli import remote

    remote.bot_add(remote.Remote(server, data), name, owner)


@bot_app.command("list", epilog="Example: fangnetz bot list")
def bot_list(
    server: Annotated[str, _SERVER] = _LOCAL, data: Annotated[Path, _KEYS] = Path("fangnetz-data")
) -> None:
    """List the registered bots."""
    from fangnetz_server.cli import remote

    remote.bot_list(remote.Remote(server, data))


@bot_app.command("rotate", epilog="Example: fangnetz bot rotate Ada")
def bot_rotate(
    bot: Annotated[str, _BOT],
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _KEYS] = Path("fangnetz-data"),
) -> None:
    """Give a bot a new token; the old one ends."""
    from fangnetz_server.cli import remote

    remote.bot_change(remote.Remote(server, data), bot, "rotate")


@bot_app.command("disable", epilog="Example: fangnetz bot disable Ada")
def bot_disable(
    bot: Annotated[str, _BOT],
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _KEYS] = Path("fangnetz-data"),
) -> None:
    """Lock a bot out; its name stays taken."""
    from fangnetz_server.cli import remote

    remote.bot_change(remote.Remote(server, data), bot, "disable")


@bot_app.command("enable", epilog="Example: fangnetz bot enable Ada")
def bot_enable(
    bot: Annotated[str, _BOT],
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _KEYS] = Path("fangnetz-data"),
) -> None:
    """Let a bot in again."""
    from fangnetz_server.cli import remote

    remote.bot_change(remote.Remote(server, data), bot, "enable")


@match_app.command("pause", epilog="Example: fangnetz match pause 4f2a90c1d3e5")
def match_pause(
    match: Annotated[str, _MATCH],
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _KEYS] = Path("fangnetz-data"),
) -> None:
    """Hold a match: no tick comes and no time is charged."""
    from fangnetz_server.cli import remote

    remote.match_command(remote.Remote(server, data), match, "pause")


@match_app.command("resume", epilog="Example: fangnetz match resume 4f2a90c1d3e5")
def match_resume(
    match: Annotated[str, _MATCH],
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _KEYS] = Path("fangnetz-data"),
) -> None:
    """Let a held match go on."""
    from fangnetz_server.cli import remote

    remote.match_command(remote.Remote(server, data), match, "resume")


@match_app.command("step", epilog="Example: fangnetz match step 4f2a90c1d3e5")
def match_step(
    match: Annotated[str, _MATCH],
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _KEYS] = Path("fangnetz-data"),
) -> None:
    """Play one tick of a held match."""
    from fangnetz_server.cli import remote

    remote.match_command(remote.Remote(server, data), match, "step")


@match_app.command("abort", epilog='Example: fangnetz match abort 4f2a90c1d3e5 --why "wrong map"')
def match_abort(
    match: Annotated[str, _MATCH],
    why: Annotated[str, typer.Option(help="The reason, for the audit log and the bots.")],
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _KEYS] = Path("fangnetz-data"),
) -> None:
    """End a match without a result."""
    from fangnetz_server.cli import remote

    remote.match_abort(remote.Remote(server, data), match, why)


@match_app.command("pace", epilog="Example: fangnetz match pace 4f2a90c1d3e5 realtime --tick-ms 100")
def match_pace(
    match: Annotated[str, _MATCH],
    pace: Annotated[str, typer.Argument(help="lockstep or realtime.")],
    tick_ms: Annotated[Optional[int], typer.Option(help="Realtime: milliseconds a tick.")] = None,  # noqa: UP045
    deadline_ms: Annotated[
        Optional[int], typer.Option(help="Lockstep: milliseconds an answer.")  # noqa: UP045
    ] = None,
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _KEYS] = Path("fangnetz-data"),
) -> None:
    """Change pace and times of a friendly match."""
    from fangnetz_server.cli import remote

    given = {"pace": pace, "tick_ms": tick_ms, "deadline_ms": deadline_ms}
    settings = {key: value for key, value in given.items() if value is not None}
    remote.match_pace(remote.Remote(server, data), match, settings)


@app.command(epilog="Example: fangnetz audit --limit 20")
def audit(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many lines.")] = 50,
    about: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Only about this bot, match or tournament.", metavar="ID"),
    ] = None,
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _KEYS] = Path("fangnetz-data"),
) -> None:
    """Show who gave which command, newest first."""
    from fangnetz_server.cli import remote

    remote.show_audit(remote.Remote(server, data), limit, about)
