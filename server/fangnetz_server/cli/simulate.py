"""`fangnetz simulate`: scenario files without a network (protocol P4)."""

import sys
from pathlib import Path

import orjson

from fangnetz_server.cli import CommandError
from fangnetz_server.games.registry import load_games
from fangnetz_server.games.scenario import ScenarioError, load_scenario, run_scenario

__all__ = ["run_simulation"]


def run_simulation(file: str) -> None:
    """Print a frame a tick and one last line as JSON lines.

    Raises:
        CommandError: the file cannot be read, or something in it is wrong.
    """
    name = "standard input" if file == "-" else file
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        scenario = load_scenario(data, load_games())
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror or error}") from error
    except ScenarioError as error:
        raise CommandError(f"{name}: {error}") from error
    write = sys.stdout.buffer.write
    for line in run_scenario(scenario):
        write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.buffer.flush()
