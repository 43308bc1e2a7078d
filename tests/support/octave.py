"""Octave for tests of the bots of the Bremen course: found, or the test is skipped with the reason."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from support.node import miss

__all__ = ["MATLAB", "OctaveBot", "octave_bot", "require_octave"]

JsonObject = dict[str, Any]

MATLAB: Final = Path(__file__).parents[2] / "clients" / "matlab"
"""The folder with what plays a beschleunigung.m."""
_LEAST: Final = 7


def require_octave(package: str | None = None) -> str:
    """Return the path of octave-cli; without it or the package skip, or fail where nothing may be skipped."""
    octave = shutil.which("octave-cli")
    if octave is None:
        miss("Octave is not installed: apt-get install octave")
    said = subprocess.run([octave, "--version"], capture_output=True, text=True, timeout=60).stdout
    found = re.search(r"version (\d+)\.", said)
    if found is None or int(found[1]) < _LEAST:
        miss(f"Octave {_LEAST} or newer is needed")
    if package is not None:
        loading = [octave, "-qf", "--eval", f"pkg load {package}"]
        if subprocess.run(loading, capture_output=True, timeout=60).returncode != 0:
            miss(f"Octave has no package {package}: apt-get install octave-{package}")
    return octave


class OctaveBot:
    """A bot in Octave, without a bridge: the test writes the lines and reads the answers."""

    def __init__(self, place: Path) -> None:
        # Not a pipe: what nobody reads yet would stop the bot.
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self._process = subprocess.Popen(
            [require_octave(), "-qf", str(MATLAB / "play_stdio.m"), str(place)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def ask(self, message: JsonObject) -> JsonObject:
        """Send a message and return the answer."""
        assert self._process.stdout is not None
        self.tell(message)
        line = self._process.stdout.readline()
        assert line, self.finish()
        answer: JsonObject = json.loads(line)
        return answer

    def tell(self, message: JsonObject) -> None:
        """Send a message that has no answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def finish(self) -> tuple[int, str]:
        """Close its input, and return its exit status and its standard error."""
        self._process.communicate(timeout=60)
        self._errors.seek(0)
        return self._process.returncode, self._errors.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()


@contextmanager
def octave_bot(folder: Path, code: str, **files: str) -> Iterator[OctaveBot]:
    """Run a bot with this code.

    Args:
        folder: an empty one.
        code: of beschleunigung.m.
        files: further functions, by their names.
    """
    for name, text in {"beschleunigung": code, **files}.items():
        (folder / f"{name}.m").write_text(text, encoding="utf-8")
    with OctaveBot(folder) as bot:
        yield bot
