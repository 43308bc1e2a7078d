"""Runs a program that must not outlive the server: `python leash.py WORD...`.

The server holds the other end of standard input. When that closes, because the server wants the
program to end or because the server was killed, the program and all that it started are ended.
Only the standard library is used, so that it starts at once and takes little memory.
"""

import os
import signal
import subprocess
import sys
import threading

GRACE_S = 2.0
"""Time to end after SIGTERM before SIGKILL."""


def main(words: list[str]) -> int:
    """Run the program and return its exit status."""
    try:
        program = subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        print(f"{words[0]}: {error.strerror or error}", flush=True)
        return 127
    threading.Thread(target=_end_with_server, args=(program,), daemon=True).start()
    status = program.wait()
    _signal(program, signal.SIGKILL)  # What it started may have outlived it.
    return status if status >= 0 else 128 - status


def _end_with_server(program: "subprocess.Popen[bytes]") -> None:
    while os.read(0, 1):
        pass
    _signal(program, signal.SIGTERM)
    try:
        program.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        _signal(program, signal.SIGKILL)


def _signal(program: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    try:
        os.killpg(program.pid, number)
    except (ProcessLookupError, PermissionError):
        return


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server; it tells us by the pipe.
    sys.exit(main(sys.argv[1:]))
