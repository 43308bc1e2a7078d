"""What is said between the adapter and one client, in which order. No socket and no clock in here.

The protocol has no round number in MOVE, so after a round without an answer it is not clear which
round the next MOVE is for. It is taken as the late answer and dropped, because a client works
through its commands in order. If no other MOVE follows it in that round, it was a skipped round
instead, and the next MOVE counts again.
"""

from collections.abc import Iterable, Iterator
from enum import Enum, auto

from fangnetz.contest2010 import commands
from fangnetz.contest2010.commands import CommandFault, IdNotOkay, IdOkay, MoveTo, Ping, Splitter, parse
from fangnetz_protocol.messages import MatchStart
from fangnetz_protocol.right2live import Move, Observation
from fangnetz_protocol.words import Direction, Team

__all__ = ["Conversation", "Identity"]


class Identity(Enum):
    """What the client says of the id that it was given."""

    OPEN = auto()
    TAKEN = auto()
    REFUSED = auto()


class Conversation:
    """One client at one match.

    `identity` and `move` hold what the client has said; `receive` fills them.
    """

    def __init__(self) -> None:
        self.identity = Identity.OPEN
        self.move: Move | None = None
        """The answer to the newest round, None as long as there is none."""
        self._splitter = Splitter()
        self._teams: list[Team] = []
        self._told: int | None = None
        self._awaits_move = False
        self._owes_move = False
        self._dropped = False

    # --- to the client --------------------------------------------------------------------------

    def introduce(self, match: MatchStart) -> str:
        """Return the id, which is the seat in the match."""
        self._teams = [Team.BLUE] * len(match.seats)  # R1.5
        return commands.give_id(match.seat)

    def open(self, match: MatchStart, path: str) -> str:
        """Return what a client hears once it has taken its id: the others, and where the map lies."""
        others = (seat.seat for seat in match.seats if seat.seat != match.seat)
        return "".join((*map(commands.connected, others), commands.map_file(path)))

    def begin_round(self, tick: int, own: int, seen: Observation) -> str:
        """Return the commands of a round; nothing if the client has heard them already.

        Args:
            tick: the tick that was observed; the round after it is number tick + 1 (R2.1).
            own: the client's seat.
            seen: what it knows (R8).
        """
        if tick == self._told:
            return ""
        self._told = tick
        self.move, self._awaits_move, self._dropped = None, True, False
        return "".join((*_situation(own, seen), *self._changes(seen.teams), commands.start(tick + 1)))

    def give_up_round(self) -> None:
        """The time for the newest round is over."""
        self._awaits_move = False
        # Two rounds in a row with one MOVE each: the client is in step, and left the earlier one out.
        self._owes_move = not self._dropped

    # --- from the client ------------------------------------------------------------------------

    def receive(self, data: bytes) -> Iterator[str]:
        """Take what the client has said and yield a sentence for each command that has no effect.

        Raises:
            CommandTooLong: the rest cannot be understood.
        """
        for text in self._splitter.feed(data):
            try:
                complaint = self._take(text)
            except CommandFault as fault:
                complaint = self._forgive(text, fault)
            if complaint:
                yield complaint

    def _take(self, text: str) -> str | None:
        match parse(text):
            case IdOkay():
                self.identity = Identity.TAKEN
            case IdNotOkay():
                self.identity = Identity.REFUSED
            case MoveTo(move, view):
                return self._move(Move(move=move, view=view))
            case Ping():
                pass
        return None

    def _forgive(self, text: str, fault: CommandFault) -> str:
        """A MOVE that means nothing is an answer all the same: the player stands still (R2.2)."""
        if text.startswith("MOVE"):
            self._move(Move(move=Direction.NONE))
        return str(fault)

    def _move(self, move: Move) -> str | None:
        if self._owes_move:
            self._owes_move, self._dropped = False, True
            return "a MOVE came after the time of its round, and is not taken for the next one"
        if not self._awaits_move:
            return "a MOVE came that no START has asked for"
        self.move, self._awaits_move = move, False
        return None

    def _changes(self, teams: Iterable[Team]) -> Iterator[str]:
        """Tell each change since the last round that the client has heard of."""
        for number, (before, now) in enumerate(zip(self._teams, teams, strict=True)):
            if before != now:
                self._teams[number] = now
                yield commands.team_change(now, number)


def _situation(own: int, seen: Observation) -> Iterator[str]:
    me = seen.me
    yield commands.set_own(me.x, me.y, me.view)
    for player in seen.players:
        yield commands.see(player.x, player.y, player.view, player.seat)
    for number, value in enumerate(seen.lives):
        yield commands.life(value, number)
    yield commands.toxic(me.x, me.y, me.toxicity)
