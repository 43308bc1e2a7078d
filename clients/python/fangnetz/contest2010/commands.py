"""The commands of the contest's protocol: from bytes to values, and from values to bytes. No socket in here.

A command is words with a blank between them, and `|` at its end. Packets mean nothing: one can hold
several commands, or a part of one.
"""

from dataclasses import dataclass
from typing import Final

from fangnetz_protocol.words import Direction, Team

__all__ = [
    "MAX_COMMAND",
    "Command",
    "CommandFault",
    "CommandTooLong",
    "IdNotOkay",
    "IdOkay",
    "MoveTo",
    "Ping",
    "Splitter",
    "connected",
    "disconnected",
    "give_id",
    "life",
    "map_file",
    "parse",
    "see",
    "set_own",
    "start",
    "team_change",
    "toxic",
]

END: Final = "|"
MAX_COMMAND: Final = 1000
"""Characters of a command; the longest good one, MOVE with two directions, has 27."""
_SHOWN: Final = 60
_DIRECTIONS: Final = {str(direction): direction for direction in Direction}


class CommandFault(ValueError):
    """A command that means nothing; the text says what would be right."""


class CommandTooLong(CommandFault):
    """So many characters without a `|` that there is no hope of a command."""

    def __init__(self) -> None:
        super().__init__(f"{MAX_COMMAND} characters without a '{END}': every command ends with one")


@dataclass(frozen=True, slots=True)
class IdOkay:
    """The client has taken its id."""


@dataclass(frozen=True, slots=True)
class IdNotOkay:
    """The client does not want its id; its connection ends."""


@dataclass(frozen=True, slots=True)
class Ping:
    """The client says that it is there; no answer is due."""


@dataclass(frozen=True, slots=True)
class MoveTo:
    """The client's action for the newest round."""

    move: Direction
    view: Direction


Command = IdOkay | IdNotOkay | Ping | MoveTo
_WORDS: Final[dict[str, Command]] = {"ID_OKAY": IdOkay(), "ID_NOT_OKAY": IdNotOkay(), "PING": Ping()}


class Splitter:
    """Cuts a stream of bytes into commands, wherever the packets were cut."""

    def __init__(self) -> None:
        self._rest = ""

    def feed(self, data: bytes) -> list[str]:
        """Return the commands that these bytes complete, without their `|`.

        Line ends and blanks around a command are dropped: a client that sends them plays all the same.

        Raises:
            CommandTooLong: a command is longer than MAX_COMMAND; what follows cannot be understood.
        """
        # Latin-1 knows every byte: what is no letter of a command is told as it came.
        *whole, self._rest = (self._rest + data.decode("latin-1")).split(END)
        if any(len(text) > MAX_COMMAND for text in (*whole, self._rest)):
            raise CommandTooLong
        return [command for text in whole if (command := text.strip())]


def parse(text: str) -> Command:
    """Return what a client's command means.

    Args:
        text: the command without its `|`.

    Raises:
        CommandFault: nothing.
    """
    if text in _WORDS:
        return _WORDS[text]
    name, *words = text.split()
    if name != "MOVE":
        known = ", ".join((*_WORDS, "MOVE"))
        raise CommandFault(
            f"{text[:_SHOWN]!a} is no command; there are {known}, each with '{END}' at its end"
        )
    if len(words) != 2 or not all(word in _DIRECTIONS for word in words):
        raise CommandFault(
            f"{text[:_SHOWN]!a}: a move is MOVE DIRECTION VIEW; directions are {', '.join(_DIRECTIONS)}"
        )
    move, view = (_DIRECTIONS[word] for word in words)
    if view is Direction.NONE:
        raise CommandFault(f"{text[:_SHOWN]!a}: NONE is no direction to look at")
    return MoveTo(move, view)


# --- what the server says -----------------------------------------------------------------------


def give_id(number: int) -> str:
    """`ID n`: the first command of all."""
    return _command("ID", number)


def connected(number: int) -> str:
    """`CONNECTED n`: another player takes part."""
    return _command("CONNECTED", number)


def disconnected(number: int) -> str:
    """`DISCONNECTED n`: another player has gone."""
    return _command("DISCONNECTED", number)


def map_file(path: str) -> str:
    """`MAP path`: where the map lies, once, before round 1."""
    return _command("MAP", path)


def set_own(x: int, y: int, view: Direction) -> str:
    """`SET x,y VIEW`: the client's own field and view."""
    return _command("SET", f"{x},{y}", view)


def see(x: int, y: int, view: Direction, number: int) -> str:
    """`SEE_PLAYER x,y VIEW n`: another player whose field is known."""
    return _command("SEE_PLAYER", f"{x},{y}", view, number)


def life(value: float, number: int) -> str:
    """`LIFE value n`: the life of a player, the own one included."""
    return _command("LIFE", _decimal(value), number)


def toxic(x: int, y: int, value: float) -> str:
    """`TOXIC x,y value`: the poison of the own field."""
    return _command("TOXIC", f"{x},{y}", _decimal(value))


def team_change(team: Team, number: int) -> str:
    """`TEAMCHANGE TEAM n`: a player is in another team now."""
    return _command("TEAMCHANGE", team, number)


def start(number: int) -> str:
    """`START n`: round n begins, a MOVE is due."""
    return _command("START", number)


def _command(*words: object) -> str:
    return " ".join(map(str, words)) + END


def _decimal(value: float) -> str:
    """Return life or poison; both are whole hundredths (R1.6)."""
    return f"{value:.2f}"
