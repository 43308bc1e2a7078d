"""The command `fangnetz`. Each command imports what it needs when it runs, so help shows at once."""

import os
import sys
from typing import Final

__all__ = ["CommandError", "main"]

FAILED: Final = 1
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
    from typer.main import get_command

    from fangnetz_server.cli.app import app

    try:
        # Not `app()`, which would keep broken pipes and Ctrl-C from us.
        command = get_command(app)
        with command.make_context("fangnetz", sys.argv[1:]) as context:
            command.invoke(context)
        sys.stdout.flush()
    except Exit as end:
        sys.exit(end.exit_code)
    except CommandError as error:
        _say(str(error))
        sys.exit(error.status)
    except TyperException as error:
        if (text := _text(error)).startswith("Usage:"):
            print(text, file=sys.stderr)  # The help itself, for a command without any arguments.
        else:
            _say(f"{' '.join(text.split())} (fangnetz --help shows how)")
        sys.exit(WRONG_USE)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _drop_output()  # The reader of our output has gone, such as `head`; nothing is wrong.
    except OSError as error:
        _say(f"{error.filename or 'output'}: {error.strerror or error}")
        _drop_output()
        sys.exit(FAILED)


def _drop_output() -> None:
    """Let what is still in the buffer go nowhere, instead of failing once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _text(error: Exception) -> str:
    return str(error.format_message() if hasattr(error, "format_message") else error)


def _say(text: str) -> None:
    print(f"fangnetz: {text}", file=sys.stderr)
