"""Who may do what, and when: one table for the code, the docs and the tests (protocol P1.7).

A role is bound to its socket or its token. What is not in the table is answered with an error and
has no effect.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from fangnetz_protocol.words import MatchPhase

__all__ = ["PERMISSIONS", "Command", "Role", "as_markdown", "is_allowed"]


class Role(StrEnum):
    """Who asks."""

    STRANGER = "stranger"
    """A socket on /play before a good hello."""
    BOT = "bot"
    """A bot on its own seat."""
    OTHER_BOT = "other bot"
    """A bot without a seat in this match."""
    SPECTATOR = "spectator"
    """A socket on /watch, or a page."""
    HOST = "host"
    """A request with the host's token."""


class Command(StrEnum):
    """What is asked for."""

    HELLO = "hello"
    READY = "ready"
    ACTION = "action"
    LEAVE = "leave"
    WATCH = "watch"
    REPLAY = "replay"
    PAUSE = "pause"
    RESUME = "resume"
    STEP = "step"
    PACE = "pace"
    ABORT = "abort"


_W, _Y, _R, _O = MatchPhase.WAITING, MatchPhase.READY, MatchPhase.RUNNING, MatchPhase.OVER
_ALWAYS: Final = frozenset(MatchPhase)
_LIVE: Final = frozenset({_W, _Y, _R})

PERMISSIONS: Final[Mapping[tuple[Role, Command], frozenset[MatchPhase]]] = MappingProxyType(
    {
        (Role.STRANGER, Command.HELLO): _ALWAYS,
        (Role.BOT, Command.READY): frozenset({_Y, _R}),
        (Role.BOT, Command.ACTION): frozenset({_R}),
        (Role.BOT, Command.LEAVE): _LIVE,
        (Role.SPECTATOR, Command.WATCH): _ALWAYS,
        (Role.SPECTATOR, Command.REPLAY): frozenset({_O}),
        (Role.HOST, Command.WATCH): _ALWAYS,
        (Role.HOST, Command.REPLAY): frozenset({_O}),
        (Role.HOST, Command.PAUSE): frozenset({_R}),
        (Role.HOST, Command.RESUME): frozenset({_R}),
        (Role.HOST, Command.STEP): frozenset({_R}),
        (Role.HOST, Command.PACE): _LIVE,
        (Role.HOST, Command.ABORT): _LIVE,
    }
)
"""In which phases of a match a role's command has an effect; a pair that is not here never has one."""


def is_allowed(role: Role, command: Command, phase: MatchPhase) -> bool:
    """Tell whether a command of this role has an effect on a match in this phase."""
    return phase in PERMISSIONS.get((role, command), frozenset())


def as_markdown() -> str:
    """Return the table for the docs: a row a command, a column a role, the phases in the cells."""
    lines = ["| command | " + " | ".join(Role) + " |", "|---" * (len(Role) + 1) + "|"]
    for command in Command:
        cells = (_cell(PERMISSIONS.get((role, command), frozenset())) for role in Role)
        lines.append(f"| `{command}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(phases: frozenset[MatchPhase]) -> str:
    if phases == _ALWAYS:
        return "always"
    return ", ".join(phase for phase in MatchPhase if phase in phases)
