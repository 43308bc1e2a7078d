"""`fangnetz replay export FILE --html`: a replay as one page that plays without a server.

The page is the spectators' own: its modules stand in the file as an import map of data URLs, its
frames as gzip in base64. Its content policy lets it load nothing from anywhere.
"""

import base64
import gzip
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

import orjson

from fangnetz_server.cli import CommandError
from fangnetz_server.games.contract import JsonObject
from fangnetz_server.games.registry import load_games
from fangnetz_server.match.replay import Replay, ReplayError

__all__ = ["export_html"]

_STATIC: Final = Path(__file__).parents[1] / "web" / "static"
_LEFT_OUT: Final = frozenset({"embed.js", "lobby.js", "play.js", "screen.js"})
"""Entries to what only a page with a server needs."""
_IMPORT: Final = re.compile(r'((?:from|import\() ?)"(\.{1,2}/[^"]+)"')
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
"""The types of the page stand in comments, with imports of their own."""
_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="color-scheme" content="dark light">
<title>{title}</title>
<link rel="icon" href="{icon}">
<style>{style}</style>
<script type="importmap">{modules}</script>
</head>
<body class="offline">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
  <span class="brand"><img src="{icon}" alt="" width="32" height="32"><span>Fangnetz</span></span>
  <span class="claim"></span>
  <span id="connection" class="connection" data-state="closed" role="status"></span>
</header>
<div id="notice" class="notice" role="alert" hidden></div>
<main id="main" tabindex="-1"></main>
<script type="text/plain" id="replay">{replay}</script>
<script type="module">import "fangnetz/main.js";</script>
</body>
</html>
"""


def export_html(file: Path, output: Path | None = None) -> Path:
    """Write a replay as one HTML file, and prove it on the way.

    Args:
        file: the replay.
        output: where the page goes; None: beside the replay, with the ending .html.

    Returns:
        The path of the page.

    Raises:
        CommandError: the replay is none or proves nothing, or a file cannot be read or written.
    """
    try:
        replay = Replay(file.read_bytes(), load_games())
        messages = b"\n".join(orjson.dumps(message) for message in _messages(replay))
        target = output or file.with_name(file.name.split(".")[0] + ".html")
        target.write_text(_page(messages, f"{replay.game.info.title} · {file.name}"), encoding="utf-8")
    except ReplayError as error:
        raise CommandError(f"{file}: {error}") from error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    return target


def _messages(replay: Replay) -> Iterator[JsonObject]:
    """Yield what a spectator would have got: `match_start`, the frames, `match_end` (P3.2)."""
    frames = replay.frames()
    state = next(replay.steps()).state
    header, game = replay.header, replay.game
    settings = header["settings"]
    yield {
        "type": "match_start",
        "match": header["match"],
        "game": game.info.id,
        "rules_version": game.info.rules_version,
        "ruleset": game.ruleset(state),
        "seats": [{"seat": number, "name": seat["name"]} for number, seat in enumerate(header["seats"])],
        "pace": settings["pace"],
        "tick_ms": settings["tick_ms"],
        "deadline_ms": 0,
        "ticks": game.last_tick(state),
        "setup": game.briefing(state, None),
    }
    yield from frames


def _page(messages: bytes, title: str) -> str:
    return _PAGE.format(
        policy=_POLICY,
        title=escape(title),
        icon=_data_url("image/svg+xml", (_STATIC / "favicon.svg").read_bytes()),
        style=(_STATIC / "style.css").read_text(encoding="utf-8"),
        modules=orjson.dumps({"imports": dict(_modules())}).decode(),
        replay=base64.b64encode(gzip.compress(messages, 9, mtime=0)).decode(),
    )


def _modules() -> Iterator[tuple[str, str]]:
    """Yield name and data URL of each module; a data URL has no neighbours, so all names are full ones."""
    done: set[str] = set()
    todo = {"main.js"}
    while todo:
        name = min(todo)
        text = _COMMENT.sub("", (_STATIC / name).read_text(encoding="utf-8"))
        done.add(name)
        todo |= {normpath(join(dirname(name), path)) for _, path in _IMPORT.findall(text)} - _LEFT_OUT
        todo -= done
        yield f"fangnetz/{name}", _data_url("text/javascript", _with_full_names(name, text))


def _with_full_names(name: str, text: str) -> bytes:
    def full(found: re.Match[str]) -> str:
        return f'{found[1]}"{normpath(join("fangnetz", dirname(name), found[2]))}"'

    return _IMPORT.sub(full, text).encode()


def _data_url(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
