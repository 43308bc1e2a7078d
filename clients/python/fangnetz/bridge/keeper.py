"""Runs a program and sees to it that nothing of it is left: `python keeper.py FD USER RLIMITS WORD...`.

FD is one end of a socket pair. When the other end closes, because the bridge wants the program to
end or because the bridge was killed, the program and all that it started are ended: on Linux also
what left its process group, because orphans become children of this process. Any byte over FD means
the same, but at once. At the end a number goes over FD: the program's exit status, or the number of
the signal that ended it, with a minus.

USER is the user id to become, or `-`. RLIMITS are pairs of a number of the module `resource` and a
limit, as in `0=60,7=64`, or `-`. Only the standard library is used, and little of it, so that it starts
at once.
"""

import os
import resource
import select
import signal
import sys
import time

GRACE_S = 1.0
"""Time to end after SIGTERM before SIGKILL."""
_SET_PDEATHSIG = 1
_SET_CHILD_SUBREAPER = 36
"""Numbers of prctl(2)."""


def main(control: int, user: str, rlimits: str, words: list[str]) -> None:
    """Run the program, wait for its end or for the bridge's, and report."""
    wakes, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # The bridge tells us by the pair.
    _prctl(_SET_CHILD_SUBREAPER, 1)
    program = _start(words, user, rlimits)
    for stream in (0, 1, 2):
        os.close(stream)  # They are the program's alone; its end has to show.
    status, grace_s = _wait(program, control, wakes)
    _end_rest(program, grace_s)
    if status is None:
        status = _reaped.get(program, 0)
    _report(control, os.waitstatus_to_exitcode(status))


_reaped: dict[int, int] = {}
"""Wait statuses of the processes that have ended."""


def _start(words: list[str], user: str, rlimits: str) -> int:
    keeper = os.getpid()
    program = os.fork()
    if program:
        return program
    try:
        os.setsid()
        _hold(user, rlimits)
        _prctl(_SET_PDEATHSIG, signal.SIGKILL)  # After a change of the user, which takes it back.
        if os.getppid() != keeper:
            os._exit(1)  # The keeper ended before it was watched.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        _execute(words)
    except Exception as error:
        os.write(2, f"{words[0]}: {error}\n".encode())
    finally:
        os._exit(127)


def _execute(words: list[str]) -> None:
    """Become the program. `os.execvp` would import modules, which another user may not be able to read."""
    places = [""] if "/" in words[0] else os.environ.get("PATH", os.defpath).split(":")
    problem = OSError("no such program")
    for place in places:
        try:
            os.execv(os.path.join(place, words[0]), words)
        except OSError as error:
            problem = problem if isinstance(error, FileNotFoundError) else error
    raise problem


def _hold(user: str, rlimits: str) -> None:
    """Bind this process, and all that it starts, to limits and to a user."""
    for pair in rlimits.split(",") if rlimits != "-" else ():
        number, limit = map(int, pair.split("="))
        _, highest = resource.getrlimit(number)
        if highest != resource.RLIM_INFINITY and os.getuid() != 0:
            limit = min(limit, highest)
        # One second of CPU time more, so that the soft limit tells by its signal what it was.
        more = 1 if number == resource.RLIMIT_CPU else 0
        resource.setrlimit(number, (limit, limit + more))
    if user != "-":
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))


def _wait(program: int, control: int, wakes: int) -> tuple[int | None, float]:
    """Return the program's wait status, or None if the bridge wants it to end, and the grace for the rest."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wakes, select.POLLIN)
    while True:
        _reap()
        if program in _reaped:
            return _reaped[program], 0.0
        for ready, _ in poll.poll():
            said = os.read(ready, 512)
            if ready == control:
                return None, 0.0 if said else GRACE_S


def _end_rest(program: int, grace_s: float) -> None:
    """End what is left: politely at first, if there is a grace, then for good."""
    if grace_s:
        _signal_group(program, signal.SIGTERM)
        end = time.monotonic() + grace_s
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


def _report(control: int, status: int) -> None:
    try:
        os.write(control, b"%d" % status)
    except OSError:
        return  # The bridge is gone.


def _signal_group(leader: int, number: int) -> None:
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):
        return


def _signal(process: int, number: int) -> None:
    try:
        os.kill(process, number)
    except (ProcessLookupError, PermissionError):
        return


def _prctl(option: int, value: int) -> None:
    """Call prctl(2), where there is one."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
