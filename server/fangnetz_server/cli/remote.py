"""Commands that ask a running server, as the role `host`."""

from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fangnetz_server.cli import CommandError
from fangnetz_server.host.keys import HOST_TOKEN_VARIABLE, read_host_token

__all__ = [
    "Remote",
    "bot_add",
    "bot_change",
    "bot_list",
    "match_abort",
    "match_command",
    "match_pace",
    "show_audit",
]

_TIMEOUT_S: Final = 30.0


class Remote:
    """The host's API of a server.

    Args:
        server: its address, http://… or https://…, with a prefix if it has one.
        data: data folder with the host's token, for a server on the same machine.
        transport: for tests; None: the network.

    Raises:
        CommandError: there is no token to show.
    """

    def __init__(self, server: str, data: Path, *, transport: httpx.BaseTransport | None = None) -> None:
        token = read_host_token(data)
        if token is None:
            raise CommandError(
                f"no host token: {data / 'host-token'} cannot be read; name the server's data folder with "
                f"--data, or set {HOST_TOKEN_VARIABLE}"
            )
        self._server = server.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"}
        self._transport = transport

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """Send a request below /api/host and return the JSON of the answer.

        Raises:
            CommandError: the server cannot be reached, or it refuses; with its reason.
        """
        return self._send(method, f"api/host/{path}", **options).json()

    def fetch(self, path: str, params: dict[str, str], *, public: bool = False) -> bytes:
        """Return a file, from below /api/host or as everybody gets it from below /api.

        Raises:
            CommandError: as for `ask`.
        """
        return self._send("GET", f"{'api' if public else 'api/host'}/{path}", params=params).content

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        url = f"{self._server}/{path}"
        try:
            with httpx.Client(timeout=_TIMEOUT_S, transport=self._transport) as client:
                response = client.request(method, url, headers=self._headers, **options)
        except httpx.InvalidURL as error:
            raise CommandError(f"--server {self._server}: {error}") from error
        except httpx.HTTPError as error:
            raise CommandError(f"no server answers at {self._server} ({error}); is it running?", 1) from error
        if response.is_error:
            raise CommandError(_reason(response), 1)
        return response


def bot_add(remote: Remote, name: str, owner: str | None) -> None:
    """Register a bot and print its token, this once."""
    made = remote.ask("POST", "bots", json={"name": name, "owner": owner})
    _show_token(made)


def bot_list(remote: Remote) -> None:
    """Print all registered bots."""
    table = Table("id", "name", "owner", "state", "since", box=None, header_style="bold")
    for bot in remote.ask("GET", "bots"):
        state = "disabled" if bot["disabled"] else "connected" if bot["connected"] else "away"
        table.add_row(
            bot["id"], escape(bot["name"]), escape(bot["owner"] or ""), state, bot["created_at"][:10]
        )
    Console(highlight=False).print(table)


def bot_change(remote: Remote, bot: str, command: str) -> None:
    """Rotate, disable or enable a bot."""
    changed = remote.ask("POST", f"bots/{_part(bot)}/{command}")
    if "token" in changed:
        _show_token(changed)
    else:
        print(f"{changed['name']} ({changed['id']}) is {'disabled' if changed['disabled'] else 'enabled'}")


def match_command(remote: Remote, match: str, command: str) -> None:
    """Pause, resume or step a match."""
    done = remote.ask("POST", f"matches/{_part(match)}/{command}")
    print(f"match {match}: {command}" if done["changed"] else f"match {match}: nothing to {command}")


def match_abort(remote: Remote, match: str, why: str) -> None:
    """End a match without a result."""
    remote.ask("POST", f"matches/{_part(match)}/abort", json={"why": why})
    print(f"match {match}: aborted")


def match_pace(remote: Remote, match: str, settings: dict[str, Any]) -> None:
    """Change pace and times of a match."""
    remote.ask("POST", f"matches/{_part(match)}/pace", json=settings)
    print(f"match {match}: " + ", ".join(f"{key} {value}" for key, value in settings.items()))


def show_audit(remote: Remote, limit: int, about: str | None) -> None:
    """Print who did what, newest first."""
    table = Table("when", "who", "command", "target", "details", box=None, header_style="bold")
    target = {} if about is None else {"target": about}
    for line in remote.ask("GET", "audit", params={"limit": limit, **target}):
        details = ", ".join(f"{key}: {value}" for key, value in line["details"].items())
        shown = (line["at"][:19], line["who"], line["command"], line["target"], details)
        table.add_row(*map(escape, shown))
    Console(highlight=False).print(table)


def _show_token(bot: dict[str, Any]) -> None:
    console = Console(highlight=False)
    console.print(f"[bold]{escape(bot['name'])}[/] ({bot['id']}). Its token, shown only now:\n")
    console.print(f"  {bot['token']}\n")
    console.print("The bot sends it as FANGNETZ_TOKEN in its environment, or with --token.")


def _part(text: str) -> str:
    """Return a name as one part of a path."""
    return quote(text, safe="")


def _reason(response: httpx.Response) -> str:
    try:
        detail = response.json()["detail"]
    except (ValueError, KeyError, TypeError):
        return f"the server answered {response.status_code} {response.reason_phrase}"
    if isinstance(detail, list):
        return "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in detail)
    return str(detail)
