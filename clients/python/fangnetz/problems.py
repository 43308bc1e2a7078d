"""Why a bot cannot play: one class a kind, each with the exit status of the command."""

from typing import ClassVar

from fangnetz_protocol.codes import CloseCode, ErrorCode

__all__ = ["ConnectionLost", "NotFangnetz", "Problem", "Refused", "Unreachable", "WrongUse"]


class Problem(Exception):
    """Something that the user has to know and can mend; the text is one clear line."""

    exit_status: ClassVar[int] = 1
    may_pass: bool = False
    """True if trying again later can help."""


class WrongUse(Problem):
    """The call or the command line is wrong."""

    exit_status = 2


class Unreachable(Problem):
    """No connection comes about: nobody listens, the name is unknown, TLS fails, no answer."""

    exit_status = 3

    def __init__(self, server: str, problem: str, *, may_pass: bool = True) -> None:
        super().__init__(f"cannot reach {server}: {problem}")
        self.server = server
        self.problem = problem
        self.may_pass = may_pass


class NotFangnetz(Problem):
    """Somebody answers, but it is no Fangnetz server, or not under this path."""

    exit_status = 4

    def __init__(self, server: str, problem: str) -> None:
        super().__init__(f"no Fangnetz server at {server}: {problem}")
        self.server = server
        self.problem = problem


class Refused(Problem):
    """The server does not let the bot in."""

    exit_status = 5

    def __init__(self, problem: str, code: ErrorCode | None = None, *, may_pass: bool = False) -> None:
        super().__init__(f"refused by the server{f' ({code})' if code else ''}: {problem}")
        self.problem = problem
        self.code = code
        self.may_pass = may_pass


class ConnectionLost(Problem):
    """The connection broke; `code` is the close code, None if there was none."""

    exit_status = 6
    _FINAL = frozenset({CloseCode.POLICY, CloseCode.REPLACED, CloseCode.ALREADY_CONNECTED, CloseCode.REFUSED})

    def __init__(self, code: int | None, reason: str) -> None:
        super().__init__(f"the connection was lost: {_explain(code, reason)}")
        self.code = code
        self.reason = reason
        self.may_pass = code not in self._FINAL


def _explain(code: int | None, reason: str) -> str:
    if code is None:
        return reason or "no word from the server"
    try:
        known = CloseCode(code).sentence
    except ValueError:
        known = "no code that this client knows"
    return f"{code}, {known}{f' ({reason})' if reason not in ('', known) else ''}"
