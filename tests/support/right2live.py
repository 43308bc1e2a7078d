"""Draws and plays positions of Right2Live: walls `#`, BLUE players a, b, c …, RED players A, B, C …

The letter is the seat: a or A is seat 0. Actions are written as "E" (move), "E/S" (move and view) or
"-/S" (view only).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fangnetz_protocol.words import Direction, SeatId
from fangnetz_server.games.contract import JsonObject
from fangnetz_server.games.right2live import GAME
from fangnetz_server.games.right2live.state import Action, State

__all__ = ["Case", "actions_of", "draw", "letters", "position", "said"]

_SHORT = {"".join(part[0] for part in name.split("_")): name for name in Direction if name != "NONE"}
_SHORT["-"] = Direction.NONE


@dataclass(frozen=True)
class Case:
    """A drawn position, what happens in its rounds, and what must come of it.

    Expectations that are left empty are not checked, except `after` and `events`.
    """

    rule: str
    name: str
    before: str
    rounds: Sequence[Mapping[str, str]] = ({},)
    """Actions by seat, one mapping a round."""
    after: str | None = None
    """The board after the last round; None: as before."""
    events: Sequence[str] = ()
    """What happened in the last round."""
    setup: Mapping[str, Any] = field(default_factory=dict)
    """More of the setup, such as `toxicity`, `tick` or `ruleset`."""
    life: Mapping[str, float] = field(default_factory=dict)
    """Life at the start."""
    views: Mapping[str, str] = field(default_factory=dict)
    """Views at the start."""
    order: str | None = None
    """The letters in the order in which they step."""
    life_after: Mapping[str, float] = field(default_factory=dict)
    standing: Mapping[str, int] = field(default_factory=dict)
    views_after: Mapping[str, str] = field(default_factory=dict)
    points: Mapping[str, float] = field(default_factory=dict)
    last_change: int | None = None
    next_forced: int | None = -1
    """-1: not checked."""
    sees: Mapping[str, str] = field(default_factory=dict)
    """Who has a place in whose observation, as letters in seat order."""
    end: tuple[str, Sequence[int]] | None = None
    """Reason and places; None: the match goes on."""

    @property
    def id(self) -> str:
        """Name of the test."""
        return f"{self.rule}-{self.name}"


def rows(board: str) -> list[str]:
    """Return the lines of a drawn board; bars do for line ends."""
    return [line.strip() for line in board.replace("|", "\n").strip().splitlines()]


def position(board: str, seed: int = 1, **more: Any) -> State:
    """Build a drawn position; `life` and `views` go by letter, all else goes into the setup."""
    life, views = more.pop("life", {}), more.pop("views", {})
    lines = rows(board)
    found = {
        sign.lower(): {"x": x, "y": y, "team": "RED" if sign.isupper() else "BLUE"}
        for y, line in enumerate(lines)
        for x, sign in enumerate(line)
        if sign.isalpha()
    }
    for letter, value in life.items():
        found[letter.lower()]["life"] = value
    for letter, value in views.items():
        found[letter.lower()]["view"] = _SHORT[value]
    seats = [found[letter] for letter in sorted(found)]
    bare = ["".join("." if sign.isalpha() else sign for sign in line) for line in lines]
    return GAME.prepare(seed, {"map": bare, "seats": seats, **more})


def letters(frame_or_observation: JsonObject) -> dict[str, JsonObject]:
    """Return the players of a frame or an observation by their letters."""
    return {_letter(player["seat"]): player for player in frame_or_observation["players"]}


def draw(state: State) -> str:
    """Draw a state as it would be written in a case."""
    board = [list(line) for line in GAME.briefing(state, None)["map"]]
    for letter, player in letters(GAME.frame(state)).items():
        board[player["y"]][player["x"]] = letter.upper() if player["team"] == "RED" else letter
    return "\n".join("".join(line) for line in board)


def actions_of(state: State, given: Mapping[str, str]) -> list[Action | None]:
    """Return the actions of a round, one a seat, from those written by letter."""
    written = {key.lower(): value for key, value in given.items()}
    return [_action(written.get(_letter(seat))) for seat in range(state.seat_count)]


def _action(text: str | None) -> Action | None:
    if text is None:
        return None
    move, _, view = text.partition("/")
    part = {"move": _SHORT[move]} | ({"view": _SHORT[view]} if view else {})
    return GAME.parse_action(part)


def order_of(text: str | None) -> list[SeatId] | None:
    """Return the seats of an order written as letters."""
    return None if text is None else [SeatId(ord(letter.lower()) - ord("a")) for letter in text]


def said(events: Sequence[JsonObject]) -> list[str]:
    """Return events as short sentences: "caught b by AC"."""
    return sorted(_sentence(event) for event in events)


def _sentence(event: JsonObject) -> str:
    text = f"{event['kind']} {_letter(event['seat'])}"
    return text + (f" by {''.join(map(_letter, event['by']))}" if "by" in event else "")


def _letter(seat: int) -> str:
    return chr(ord("a") + seat)
