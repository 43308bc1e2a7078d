"""What is at the other end of the bridge, whether a process or a TCP connection."""

from dataclasses import dataclass
from typing import Protocol

from fangnetz.problems import Problem
from fangnetz_protocol.words import Tick

__all__ = ["End", "Listener", "News", "NoNews", "NoPartner", "Partner", "Partners", "ProgramFailed"]


class NoPartner(Problem):
    """No program can be had for a match."""

    exit_status = 7


class ProgramFailed(Problem):
    """The program failed in match after match."""

    exit_status = 7

    def __init__(self, why: str, matches: int) -> None:
        super().__init__(f"the program failed in {matches} matches in a row; in the last one {why}")


@dataclass(frozen=True, slots=True)
class End:
    """How a partner ended."""

    how: str
    """In words, to stand after "the program"."""
    is_final: bool = False
    """True if it has broken a limit: nobody may take over then."""


class News(Protocol):
    """Who hears what a host wants to know of a program."""

    def confined(self, how: str) -> None:
        """What is in force, and what is not."""

    def failed(self, why: str) -> None:
        """The program has failed in a match, and the match was left."""


class NoNews:
    """Nobody hears."""

    def confined(self, how: str) -> None:
        pass

    def failed(self, why: str) -> None:
        pass


class Listener(Protocol):
    """Who hears a partner."""

    def line(self, number: int, line: bytes) -> None:
        """The partner wrote a line, its `number`-th; without the end of the line."""

    def ended(self, end: End) -> None:
        """The partner is gone."""


class Partner(Protocol):
    """A program that plays one match at a time."""

    listener: Listener | None
    """Who hears what it says; what is said to nobody is a fault of its own."""

    question: Tick | None
    """The tick that it works on at the moment; None: none."""
    has_played: bool
    """True once it has played a match to its end."""

    @property
    def name(self) -> str:
        """What to call it in the log."""

    @property
    def is_alive(self) -> bool:
        """False once it has ended."""

    @property
    def can_read(self) -> bool:
        """Whether it has read what it was sent, as far as that shows."""

    def send(self, line: bytes) -> None:
        """Send a line, without its end; to a partner that is gone nothing is sent."""


class Partners(Protocol):
    """Where partners come from."""

    @property
    def renews(self) -> bool:
        """Whether any number of partners may take over one match; else one may, once."""

    async def take(self) -> Partner:
        """Return a free partner, when there is one.

        Raises:
            NoPartner: there will be none.
        """

    def give_back(self, partner: Partner) -> None:
        """Take back a partner after its match."""

    def retire(self) -> None:
        """There are no more matches: nobody need be started in advance."""

    async def close(self) -> None:
        """End all partners and what they started."""
