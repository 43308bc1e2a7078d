"""The options and the help of `fangnetz tournament …`; what it does stands in `tournament`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

if TYPE_CHECKING:
    from fangnetz_server.cli.remote import Remote

__all__ = ["tournament_app"]

tournament_app = typer.Typer(help="Tournaments of a running server.", no_args_is_help=True)

_SERVER = typer.Option("--server", help="Address of the server.", metavar="URL")
_LOCAL = "http://127.0.0.1:7474"
_DATA = typer.Option("--data", help="Data folder with the host's token.", metavar="DIR")
_FOLDER = Path("fangnetz-data")
_ID = typer.Option("--id", help="Which tournament; default: the only one that is not over.", metavar="ID")
_MATCH = typer.Argument(help="Id of a match of the tournament.", metavar="MATCH")
_FILE = typer.Argument(help="A tournament file in TOML.", metavar="FILE")


@tournament_app.command("create", epilog="Example: fangnetz tournament create cup.toml --dry-run")
def create(
    file: Annotated[Path, _FILE],
    id_: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--id", help="Its id; default: made from its name.", metavar="ID"),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only check it and print the schedule; needs no server.")
    ] = False,
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Check a tournament file and store it on the server; it waits for its start."""
    from fangnetz_server.cli import tournament

    if dry_run:
        tournament.dry_run(file)
    else:
        tournament.create(_remote(server, data), file, id_)


@tournament_app.command("list", epilog="Example: fangnetz tournament list")
def list_(server: Annotated[str, _SERVER] = _LOCAL, data: Annotated[Path, _DATA] = _FOLDER) -> None:
    """List the tournaments."""
    from fangnetz_server.cli import tournament

    tournament.show_list(_remote(server, data))


@tournament_app.command("status", epilog="Example: fangnetz tournament status --watch")
def status(
    id_: Annotated[Optional[str], _ID] = None,  # noqa: UP045
    watch: Annotated[bool, typer.Option("--watch", help="Again and again until it is over.")] = False,
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Show how far a tournament is, what does not work, and its table."""
    from fangnetz_server.cli import tournament

    remote = _remote(server, data)
    tournament.status(remote, tournament.chosen(remote, id_), watch=watch)


@tournament_app.command("matches", epilog="Example: fangnetz tournament matches --bot Ada --limit 10")
def matches(
    id_: Annotated[Optional[str], _ID] = None,  # noqa: UP045
    bot: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Only those with this bot.", metavar="BOT"),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many lines.")] = 20,
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """List finished matches with their ids, newest first."""
    from fangnetz_server.cli import tournament

    remote = _remote(server, data)
    tournament.show_matches(remote, tournament.chosen(remote, id_), bot, limit)


@tournament_app.command("start", epilog="Example: fangnetz tournament start")
def start(
    id_: Annotated[Optional[str], _ID] = None,  # noqa: UP045
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Begin to play."""
    _change(id_, "start", server, data)


@tournament_app.command("pause", epilog="Example: fangnetz tournament pause")
def pause(
    id_: Annotated[Optional[str], _ID] = None,  # noqa: UP045
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Let no more matches begin; those that run go on to their end."""
    _change(id_, "pause", server, data)


@tournament_app.command("resume", epilog="Example: fangnetz tournament resume")
def resume(
    id_: Annotated[Optional[str], _ID] = None,  # noqa: UP045
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Go on after a pause."""
    _change(id_, "resume", server, data)


@tournament_app.command("withdraw", epilog="Example: fangnetz tournament withdraw Ada")
def withdraw(
    bot: Annotated[str, typer.Argument(help="Name of a bot of the tournament.", metavar="BOT")],
    id_: Annotated[Optional[str], _ID] = None,  # noqa: UP045
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Take a bot out for good; its open games are walkovers."""
    from fangnetz_server.cli import tournament

    remote = _remote(server, data)
    tournament.withdraw(remote, tournament.chosen(remote, id_), bot)


@tournament_app.command("code", epilog="Example: fangnetz tournament code Ada")
def code(
    bot: Annotated[str, typer.Argument(help="Name of a bot of the tournament.", metavar="BOT")],
    id_: Annotated[Optional[str], _ID] = None,  # noqa: UP045
    hours: Annotated[float, typer.Option(help="Time in which it has to be used first.")] = 24.0,
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Print a seat code: whoever has it plays as this bot until the tournament is over."""
    from fangnetz_server.cli import tournament

    remote = _remote(server, data)
    tournament.seat_code(remote, tournament.chosen(remote, id_), bot, hours)


@tournament_app.command("repeat", epilog='Example: fangnetz tournament repeat 4f2a90c1d3e5 --why "power cut"')
def repeat(
    match: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(help="Id of a match; left out: all that the server broke.", metavar="MATCH"),
    ] = None,
    why: Annotated[Optional[str], typer.Option(help="The reason, for everybody.")] = None,  # noqa: UP045
    id_: Annotated[Optional[str], _ID] = None,  # noqa: UP045
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Annul the result of a match and play it again."""
    from fangnetz_server.cli import tournament

    if match is None:
        _change(id_, "repeat-failed", server, data)
    else:
        tournament.repeat(_remote(server, data), match, why)


@tournament_app.command(
    "correct", epilog='Example: fangnetz tournament correct 4f2a90c1d3e5 --points 1,0 --why "wrong seat"'
)
def correct(
    match: Annotated[str, _MATCH],
    points: Annotated[str, typer.Option(help="One a seat, with commas between.")],
    why: Annotated[str, typer.Option(help="The reason, for everybody.")],
    places: Annotated[Optional[str], typer.Option(help="One a seat; default: by the points.")] = None,  # noqa: UP045
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Give the result of a match other points; the old ones stay on record."""
    from fangnetz_server.cli import tournament

    tournament.correct(_remote(server, data), match, points, places, why)


@tournament_app.command("release", epilog="Example: fangnetz tournament release 3")
def release(
    number: Annotated[int, typer.Argument(min=1, help="The last round to show.", metavar="ROUND")],
    id_: Annotated[Optional[str], _ID] = None,  # noqa: UP045
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """With staged release: show the results of the rounds up to this one to everybody."""
    from fangnetz_server.cli import tournament

    remote = _remote(server, data)
    tournament.release(remote, tournament.chosen(remote, id_), number)


@tournament_app.command("export", epilog="Example: fangnetz tournament export --format csv --part matches")
def export(
    id_: Annotated[Optional[str], _ID] = None,  # noqa: UP045
    form: Annotated[str, typer.Option("--format", help="html, markdown, csv or json.")] = "html",
    part: Annotated[str, typer.Option(help="CSV: standings, crosstable or matches.")] = "standings",
    output: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--output", help="File to write; default: named after the tournament.", metavar="FILE"),
    ] = None,
    released: Annotated[
        bool, typer.Option("--released", help="Only what everybody may see already.")
    ] = False,
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Write a report: tables, crosstable, ratings and links to the replays."""
    from fangnetz_server.cli import tournament

    remote = _remote(server, data)
    which = tournament.chosen(remote, id_)
    tournament.export(remote, which, form, part, output, released_only=released)


@tournament_app.command("delete", epilog="Example: fangnetz tournament delete cup --results")
def delete(
    id_: Annotated[str, typer.Argument(help="Id of the tournament.", metavar="ID")],
    results: Annotated[bool, typer.Option("--results", help="Its results and replays too.")] = False,
    server: Annotated[str, _SERVER] = _LOCAL,
    data: Annotated[Path, _DATA] = _FOLDER,
) -> None:
    """Delete a tournament that is not running."""
    from fangnetz_server.cli import tournament

    tournament.delete(_remote(server, data), id_, results=results)


def _change(id_: str | None, command: str, server: str, data: Path) -> None:
    from fangnetz_server.cli import tournament

    remote = _remote(server, data)
    tournament.change(remote, tournament.chosen(remote, id_), command)


def _remote(server: str, data: Path) -> "Remote":
    from fangnetz_server.cli.remote import Remote

    return Remote(server, data)
