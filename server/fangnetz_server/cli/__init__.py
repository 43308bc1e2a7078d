"""The command `fangnetz`. Each command imports what it needs when it runs, so help shows at once."""

import sys
from typing import Final

__all__ = ["CommandError", "main"]

WRONG_USE: Final = 2
INTERRUPTED: Final = 130
TERMINATED: Final = 143


class CommandError(Exception):
    """A command cannot do what was asked: one line for the user and an exit status.

    Status 2 is wrong use, 1 a check that failed.
    """

    def __init__(self, text: str, status: int = WRONG_USE) -> None:
        super().__init__(text)
        self.status = status


def main() -> None:
    """Run the command line and exit with its status."""
    from typer.exceptions import Exit, TyperException

    from fangnetz_server.cli.app import app

    try:
        sys.exit(app(standalone_mode=False))
    except Exit as end:
        sys.exit(end.exit_code)
    except CommandError as error:
        _say(str(error))
        sys.exit(error.status)
    except TyperException as error:
        if "--help" in (text := _text(error)):
            print(text, file=sys.stderr)  # The help itself, for a command without any arguments.
        else:
            _say(f"{' '.join(text.split())} (fangnetz --help shows how)")
        sys.exit(WRONG_USE)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()  # The reader of our output has gone, such as `head`; nothing is wrong.
        sys.exit(0)


def _text(error: Exception) -> str:
    return str(error.format_message() if hasattr(error, "format_message") else error)


def _say(text: str) -> None:
    print(f"fangnetz: {text}", file=sys.stderr)
