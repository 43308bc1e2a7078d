"""Runs a program and sees to it that nothing of it is left: `python keeper.py FD WORD...`.

FD is one end of a socket pair. When the other end closes, because the bridge wants the program to
end or because the bridge was killed, the program and all that it started are ended: on Linux also
what left its process group, because orphans become children of this process. At the end one line
of JSON goes over FD: how the program ended. Only the standard library is used, and little of
it, so that it starts at once.
"""

import contextlib
import json
import os
import select
import signal
import sys
import time

GRACE_S = 1.0
"""Time to end after SIGTERM before SIGKILL."""
_SET_PDEATHSIG = 1
_SET_CHILD_SUBREAPER = 36
"""Numbers of prctl(2)."""


def main(control: int, words: list[str]) -> None:
    """Run the program, wait for its end or for the bridge's, and report."""
    wakes, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # The bridge tells us by the pair.
    _prctl(_SET_CHILD_SUBREAPER, 1)
    program = _start(words, control)
    for stream in (0, 1, 2):
        os.close(stream)  # They are the program's alone; its end has to show.
    status = _wait(program, control, wakes)
    _end_rest(program)
    if status is None:
        status = _reaped.get(program, 0)
    report = {"status": os.waitstatus_to_exitcode(status)}
    with contextlib.suppress(OSError):  # The bridge may be gone.
        os.write(control, json.dumps(report).encode())


_reaped: dict[int, int] = {}
"""Wait statuses of the processes that have ended."""


def _start(words: list[str], control: int) -> int:
    keeper = os.getpid()
    program = os.fork()
    if program:
        return program
    try:
        os.setsid()
        _prctl(_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != keeper:
            os._exit(1)  # The keeper ended before it was watched.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(words[0], words)
    except OSError as error:
        os.write(2, f"{words[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _wait(program: int, control: int, wakes: int) -> int | None:
    """Return the program's wait status; None if the bridge wants it to end."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wakes, select.POLLIN)
    while True:
        _reap()
        if program in _reaped:
            return _reaped[program]
        for ready, _ in poll.poll():
            if not os.read(ready, 512) and ready == control:
                return None


def _end_rest(program: int) -> None:
    """End what is left: politely at first, then for good."""
    if program not in _reaped:
        _signal_group(program, signal.SIGTERM)
        end = time.monotonic() + GRACE_S
        while program not in _reaped and time.monotonic() < end:
            time.sleep(0.005)
            _reap()
    _signal_group(program, signal.SIGKILL)
    while _reap():
        for stop in (signal.SIGSTOP, signal.SIGKILL):  # What is stopped cannot fork any more.
            for process in _descendants():
                _signal(process, stop)
        time.sleep(0.001)


def _reap() -> bool:
    """Take in what has ended; False if there is no child at all, and so no descendant either."""
    try:
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return True
            _reaped[process] = status
    except ChildProcessError:
        return False


def _descendants() -> list[int]:
    """Return all processes below this one, as far as /proc tells."""
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except OSError:
                continue  # It has ended meanwhile.
            parents.setdefault(parent, []).append(int(name))
    found, left = [], [os.getpid()]
    while left:
        below = parents.get(left.pop(), [])
        found += below
        left += below
    return found


def _signal_group(leader: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _signal(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def _prctl(option: int, value: int) -> None:
    """Call prctl(2), where there is one."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
