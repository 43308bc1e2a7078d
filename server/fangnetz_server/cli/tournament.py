"""`fangnetz tournament …`: commands for tournaments, asked of a running server."""

import time
import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from fangnetz_server.cli import CommandError
from fangnetz_server.cli.remote import Remote

__all__ = [
    "change",
    "chosen",
    "correct",
    "create",
    "delete",
    "dry_run",
    "export",
    "release",
    "repeat",
    "seat_code",
    "show_list",
    "show_matches",
    "status",
    "withdraw",
]

_BASE: Final = "tournaments"
_REFRESH_S: Final = 1.0
_SHOWN: Final = 40


def read_file(file: Path) -> dict[str, Any]:
    """Return the content of a tournament file; paths of bots in it count from its folder.

    Raises:
        CommandError: it cannot be read, or is no TOML; with line and column.
    """
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CommandError(f"{file}: no TOML ({error})") from error
    bots = data.get("bots")
    if isinstance(bots, list):
        data["bots"] = [_placed(bot, file.parent.resolve()) for bot in bots]
    return data


def _placed(bot: object, folder: Path) -> object:
    if not isinstance(bot, dict) or not isinstance(bot.get("folder", ""), str):
        return bot
    placed = {**bot}
    if "folder" in bot or "program" not in bot:  # What is confined has to have a folder of its own.
        placed["folder"] = str((folder / bot.get("folder", "")).resolve())
    if isinstance(bot.get("read"), list):
        placed["read"] = [str((folder / str(path)).resolve()) for path in bot["read"]]
    return placed


def dry_run(file: Path) -> None:
    """Print what a file leads to, without a server.

    Raises:
        CommandError: it cannot be played; the text names file and place.
    """
    from fangnetz_server.cli.wiring import choose_games
    from fangnetz_server.scheduling.files import read_plan
    from fangnetz_server.scheduling.schedule import schedule
    from fangnetz_server.tournament.spec import SpecError

    try:
        plan = read_plan(read_file(file), choose_games())
    except SpecError as error:
        raise CommandError(f"{file}: {error}") from error
    _show_schedule(plan.spec.name, schedule(plan.spec))


def _show_schedule(name: str, found: Mapping[str, Any]) -> None:
    console = Console(highlight=False)
    most = found["most_matches"]
    end = "without end" if most is None else f"at most {most} matches"
    console.print(
        f"[bold]{escape(name)}[/]: {len(found['bots'])} bots, {end}. Nothing was stored or started.\n"
    )
    table = Table("pairing", "round", "map", "bots, by seats", box=None, header_style="bold")
    for line in found["pairings"]:
        bots = " - ".join(line["bots"]) if len(line["bots"]) > 1 else f"{line['bots'][0]} rests"
        table.add_row(line["id"], str(line["round"]), line["map"] or "", escape(bots))
    console.print(table)
    if found["known"] > len(found["pairings"]):
        console.print(f"… and {found['known'] - len(found['pairings'])} more")
    if most is None or most > found["known"]:
        console.print("\nWhat comes after these follows from their results.")


def create(remote: Remote, file: Path, tournament: str | None) -> None:
    """Store a tournament on the server."""
    made = _ask_about(file, remote, {"file": read_file(file), "id": tournament})
    print(f"tournament {made['id']}: {made['name']}, {made['bots']} bots, {_total(made['progress'])}")
    print(f"start it with: fangnetz tournament start --id {made['id']}")


def _ask_about(file: Path, remote: Remote, body: dict[str, Any]) -> Any:
    try:
        return remote.ask("POST", _BASE, json=body)
    except CommandError as error:
        raise CommandError(f"{file}: {error}", error.status) from error


def chosen(remote: Remote, tournament: str | None) -> str:
    """Return the tournament that is meant: the named one, the only one that is not over, or the only one.

    Raises:
        CommandError: that is not clear.
    """
    if tournament is not None:
        return tournament
    known = remote.ask("GET", _BASE)
    going = [line["id"] for line in known if line["state"] != "finished"]
    found = going or [line["id"] for line in known]
    if len(found) == 1:
        return str(found[0])
    if not found:
        raise CommandError(
            "there is no tournament on this server; make one with: fangnetz tournament create FILE"
        )
    raise CommandError(f"which one? Say --id; there are {', '.join(found)}")


def show_list(remote: Remote) -> None:
    """Print all tournaments."""
    table = Table(box=None, header_style="bold")
    table.add_column("id", no_wrap=True, min_width=len("tournament"))
    for head in ("name", "game", "format", "state", "bots", "matches"):
        table.add_column(head, overflow="fold")
    for line in remote.ask("GET", _BASE):
        cells = (escape(line[key]) for key in ("id", "name", "game", "format", "state"))
        table.add_row(*cells, str(line["bots"]), _share(line["progress"]))
    Console(highlight=False).print(table)


def status(remote: Remote, tournament: str, *, watch: bool) -> None:
    """Print how far a tournament is, and its table; `watch`: again and again until it is over."""
    console = Console(highlight=False)
    if not watch:
        console.print(_picture(_details(remote, tournament)))
        return
    with Live(console=console, auto_refresh=False) as live:
        while True:
            found = _details(remote, tournament)
            live.update(_picture(found), refresh=True)
            if found["state"] == "finished":
                return
            time.sleep(_REFRESH_S)


def _details(remote: Remote, tournament: str) -> dict[str, Any]:
    found: dict[str, Any] = remote.ask("GET", f"{_BASE}/{_part(tournament)}")
    return found


def _picture(found: Mapping[str, Any]) -> Any:
    from rich.console import Group
    from rich.text import Text

    progress = found["progress"]
    lines = [Text(f"{found['name']} ({found['id']}): {found['state']}", style="bold")]
    lines.append(
        Text(f"matches: {_share(progress)}, {progress['running']} running, {progress['waiting']} waiting")
    )
    if progress["per_minute"] is not None:
        end = progress["expected_end"]
        over = f", over about {_moment(end)}" if end else ""
        lines.append(Text(f"rate: {progress['per_minute']} a minute{over}"))
    if found["staged_release"]:
        lines.append(Text(f"public: results up to round {found['released_round']}"))
    if progress["away"]:
        lines.append(Text(f"away: {', '.join(progress['away'])}", style="yellow"))
    for how in sorted(set(progress["confined"].values())):
        bots = ", ".join(bot for bot, its in progress["confined"].items() if its == how)
        lines.append(Text(f"{bots}: {how}", style="yellow" if "NOT in force" in how else "dim"))
    lines += [Text(f"problem: {problem}", style="red") for problem in progress["problems"]]
    for pairing, match in progress["stuck"].items():
        lines.append(
            Text(f"stuck: pairing {pairing}, newest match {match}; see tournament repeat", style="red")
        )
    return Group(*lines, Text(), _standings(found["tables"][0]["rows"]))


def _moment(text: str) -> str:
    """Return a time as a clock on the wall shows it here; one of another day with its date."""
    moment = datetime.fromisoformat(text).astimezone()
    today = moment.date() == datetime.now().astimezone().date()
    return f"{moment:%H:%M:%S}" if today else f"{moment:%Y-%m-%d %H:%M}"


def _standings(rows: Sequence[Mapping[str, Any]]) -> Table:
    heads = ("place", "bot", "points", "played", "W-D-L", "absent", "faults", "rating")
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for head in heads:
        is_name = head == "bot"
        table.add_column(head, justify="left" if is_name else "right", no_wrap=not is_name, overflow="fold")
    for row in rows[:_SHOWN]:
        rating = row["rating"]
        table.add_row(
            f"{row['place']}{'=' if row['shared'] else ''}",
            escape(row["bot"]) + (" (withdrawn)" if row["withdrawn"] else ""),
            f"{row['points']:.3f}".rstrip("0").rstrip("."),
            str(row["played"]),
            f"{row['wins']}-{row['draws']}-{row['losses']}",
            *(str(row[key]) for key in ("absences", "faults")),
            "" if rating is None else f"{rating['mu']:.1f} ± {2 * rating['sigma']:.1f}",
        )
    return table


def show_matches(remote: Remote, tournament: str, bot: str | None, limit: int) -> None:
    """Print finished matches, newest first."""
    params = {"limit": str(limit)} | ({} if bot is None else {"bot": bot})
    found = remote.ask("GET", f"{_BASE}/{_part(tournament)}/matches", params=params)
    table = Table("match", "pairing", "ended", "bots and points", "reason", box=None, header_style="bold")
    for line in found["matches"]:
        seats = (f"{seat['bot']} {_points(seat['points'])}" for seat in line["seats"])
        shown = (line["match"], line["pairing"], line["ended_at"][:19], " - ".join(seats), _reason(line))
        table.add_row(*map(escape, shown))
    console = Console(highlight=False)
    console.print(table)
    if found["total"] > len(found["matches"]):
        console.print(f"… and {found['total'] - len(found['matches'])} older ones; --limit shows more")


def _points(points: float | None) -> str:
    return "-" if points is None else f"{points:g}"


def _reason(line: Mapping[str, Any]) -> str:
    notes = [line["reason"]]
    if not line["counts"]:
        notes.append("does not count")
    if line["correction"] is not None:
        notes.append(f"corrected: {line['correction']}")
    return ", ".join(notes)


def change(remote: Remote, tournament: str, command: str) -> None:
    """Start, pause or resume a tournament, or repeat what has failed."""
    found = remote.ask("POST", f"{_BASE}/{_part(tournament)}/{command}")
    print(f"tournament {found['id']}: {found['state']}, {_share(found['progress'])} matches")


def withdraw(remote: Remote, tournament: str, bot: str) -> None:
    """Take a bot out for good."""
    remote.ask("POST", f"{_BASE}/{_part(tournament)}/withdraw", json={"bot": bot})
    print(f"tournament {tournament}: {bot} has withdrawn; its open games are walkovers")


def seat_code(remote: Remote, tournament: str, bot: str, hours: float) -> None:
    """Print a seat code for a bot, this once."""
    body = {"bot": bot, "hours": hours}
    made = remote.ask("POST", f"{_BASE}/{_part(tournament)}/codes", json=body)
    print(
        f"{made['seat_code']}\n\nIt takes the place of {bot}'s token until tournament {tournament} is over."
    )


def repeat(remote: Remote, match: str, why: str | None) -> None:
    """Annul the result of a match and play it again."""
    body = {} if why is None else {"why": why}
    found = remote.ask("POST", f"{_BASE}/matches/{_part(match)}/repeat", json=body)
    print(f"tournament {found['id']}: match {match} is played again")


def correct(remote: Remote, match: str, points: str, places: str | None, why: str) -> None:
    """Give the result of a match other points."""
    body = {"points": _numbers("--points", points, float), "why": why}
    if places is not None:
        body["places"] = _numbers("--places", places, int)
    found = remote.ask("POST", f"{_BASE}/matches/{_part(match)}/correct", json=body)
    print(f"tournament {found['id']}: the result of match {match} is corrected")


def release(remote: Remote, tournament: str, number: int) -> None:
    """Show the results of rounds to everybody."""
    remote.ask("POST", f"{_BASE}/{_part(tournament)}/release", json={"round": number})
    print(f"tournament {tournament}: results up to round {number} are public")


def export(
    remote: Remote, tournament: str, form: str, part: str, output: Path | None, *, released_only: bool
) -> None:
    """Write a report.

    Raises:
        CommandError: the file cannot be written.
    """
    path = f"{_BASE}/{_part(tournament)}/export"
    data = remote.fetch(path, {"format": form, "part": part}, public=released_only)
    endings = {"markdown": "md"}
    file = output or Path(f"{tournament}{f'-{part}' if form == 'csv' else ''}.{endings.get(form, form)}")
    file.write_bytes(data)
    print(f"wrote {file} ({len(data)} bytes)")


def delete(remote: Remote, tournament: str, *, results: bool) -> None:
    """Delete a tournament."""
    path = f"{_BASE}/{_part(tournament)}"
    gone = remote.ask("DELETE", path, params={"results": "true" if results else "false"})["deleted"]
    print(f"tournament {tournament}: {'deleted' if gone else 'there is none'}")


def _numbers(option: str, text: str, kind: type[float]) -> list[float]:
    try:
        return [kind(word) for word in text.split(",")]
    except ValueError as error:
        raise CommandError(f"{option} {text}: give numbers with commas between, one a seat") from error


def _share(progress: Mapping[str, Any]) -> str:
    return f"{progress['done']} of {'∞' if progress['total'] is None else progress['total']}"


def _total(progress: Mapping[str, Any]) -> str:
    return "no end" if progress["total"] is None else f"at most {progress['total']} matches"


def _part(text: str) -> str:
    return quote(text, safe="")
