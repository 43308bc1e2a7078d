"""All messages of the protocol: frozen models in closed unions, one union a direction.

`action`, `observation` and `frame` carry the game's part flattened in the same object. Games
are open (a plug-in may bring another one), so these three keep what they do not know and give it
as `.part`; the parts of the built-in games are typed in `right2live` and `spaceballs`.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field

from fangnetz_protocol.codes import ErrorCode, NoticeCode
from fangnetz_protocol.model import Count, Model, Number
from fangnetz_protocol.words import ActionStatus, BotId, MatchId, MatchPhase, Pace, SeatId, Tick

__all__ = [
    "MAX_MISSED",
    "MAX_SEATS",
    "MAX_STANDINGS",
    "MAX_TOURNAMENTS",
    "Action",
    "BotInfo",
    "BotMessage",
    "ClientInfo",
    "Envelope",
    "Error",
    "Frame",
    "GameVersion",
    "Hello",
    "LastAction",
    "Leave",
    "Limits",
    "LobbyMatch",
    "LobbySeat",
    "LobbyTournament",
    "MatchEnd",
    "MatchStart",
    "Matches",
    "Message",
    "Notice",
    "Observation",
    "Ready",
    "Ref",
    "Seat",
    "ServerMessage",
    "SpectatorMessage",
    "StandingLine",
    "Tournaments",
    "WatchStart",
    "Welcome",
]

MAX_SEATS: Final = 64
"""Seats of a match of any game; the built-in ones have at most 20."""
MAX_MISSED: Final = 10_000
"""Ticks listed in `missed`: more than any match of the built-in games can have."""
MAX_TOURNAMENTS: Final = 20
"""Tournaments in the lobby, the newest; the others are in the API."""
MAX_STANDINGS: Final = 10
"""Lines of a table in the lobby."""
_MAX_MATCHES: Final = 10_000


def _is_none(value: object) -> bool:
    return value is None


def _optional(**limits: Any) -> Any:
    """Return a field that may be left out and is left out on the wire when it is None."""
    return Field(default=None, exclude_if=_is_none, **limits)


BotIdField = Annotated[BotId, Field(min_length=1, max_length=64)]
GameName = Annotated[str, Field(min_length=1, max_length=32, examples=["right2live", "spaceballs"])]
MatchIdField = Annotated[MatchId, Field(min_length=1, max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=40)]
Reason = Annotated[str, Field(min_length=1, max_length=40)]
Secret = Annotated[str, Field(min_length=1, max_length=256)]
SeatField = Annotated[SeatId, Field(ge=0, lt=MAX_SEATS)]
Sentence = Annotated[str, Field(max_length=2000)]
Word = Annotated[str, Field(max_length=64)]
TickField = Annotated[Tick, Field(ge=0, strict=True)]


class Envelope(Model):
    """A message that carries a game's part in the same object."""

    model_config = ConfigDict(extra="allow")

    @property
    def part(self) -> dict[str, Any]:
        """The game's part: every field that the envelope does not know."""
        extra = self.__pydantic_extra__
        assert extra is not None  # The configuration above keeps what is not known.
        return extra


# --- from a bot -------------------------------------------------------------------------------


class ClientInfo(Model):
    """The program that speaks, for the host's eyes only; nothing depends on it."""

    name: Word
    """Name of the client library or program."""
    version: Word
    """Its version."""
    language: Word | None = _optional()
    """The programming language."""


class Hello(Model):
    """The first message of a bot: who it is and what it plays."""

    type: Literal["hello"] = "hello"
    protocol: Annotated[str, Field(pattern=r"^[0-9]{1,4}\.[0-9]{1,4}$", examples=["1.0"])]
    """Version of the messages that the bot speaks (P1.5); the first number has to be the server's."""
    token: Secret | None = _optional(repr=False)
    """The bot's credential, where the server wants one and the `Authorization` header has none (P1.6)."""
    name: Name | None = _optional()
    """The name to show; the server may hold it to the token's."""
    client: ClientInfo | None = _optional()
    """The program that speaks."""
    games: tuple[GameName, ...] | None = _optional(max_length=32)
    """Games that the bot can play; left out: all."""
    resume: Secret | None = _optional(repr=False)
    """The `resume` of an earlier `welcome`: take over its seats (P2.4)."""


class Ready(Model):
    """The bot has prepared itself; the first tick comes when all are ready or the time is over."""

    type: Literal["ready"] = "ready"
    match: MatchIdField
    """The match of the `match_start`."""


class Action(Envelope):
    """What the bot does in one tick. All other fields are the game's part."""

    type: Literal["action"] = "action"
    match: MatchIdField
    """The match of the observation."""
    tick: TickField
    """The tick of the observation that it answers (P2.1)."""


class Leave(Model):
    """The bot gives up its seat in a match; the seat gives neutral actions from then on (P2.5)."""

    type: Literal["leave"] = "leave"
    match: MatchIdField
    """The match to leave."""


# --- to a bot ---------------------------------------------------------------------------------


class BotInfo(Model):
    """The bot as the server knows it."""

    id: BotIdField
    """Stays the same over connections with the same token."""
    name: Name
    """The name that others see."""


class Limits(Model):
    """What the server takes from one connection."""

    message_bytes: Count
    """Largest message in bytes of UTF-8."""
    messages_per_second: Count
    """More than this counts as a fault (`rate_limited`)."""
    strikes: Count
    """Faults in a match after which the connection is closed with 1008 (P1.8)."""


class GameVersion(Model):
    """A game that the server plays."""

    id: GameName
    """Name of the game, as in `match_start.game`."""
    rules_version: Count
    """Goes up when any outcome can change (P1.5)."""


class Welcome(Model):
    """The answer to `hello`: the bot is in."""

    type: Literal["welcome"] = "welcome"
    protocol: Word
    """Version of the messages that the server speaks."""
    server: Word
    """Version of the server."""
    session: Word
    """Name of this session in the host's logs; no secret."""
    resume: Secret = Field(repr=False)
    """Secret to put into the next `hello` after a lost connection (P2.4)."""
    bot: BotInfo
    """Under which id and name it is known."""
    limits: Limits
    """What the server takes from this connection."""
    games: tuple[GameVersion, ...] = Field(max_length=256)
    """The games of this server."""
    features: dict[str, Any] = Field(default_factory=dict)
    """What else the server can do; unknown entries are to be ignored."""
    resumed: bool = False
    """True if the seats of an earlier session were taken over."""


class Seat(Model):
    """One place in a match."""

    seat: SeatField
    """Number of the seat, from 0."""
    name: Name
    """Name of the bot on it."""


class _Start(Model):
    """What bots and spectators learn alike about a match."""

    type: Literal["match_start"] = "match_start"
    match: MatchIdField
    """Name of the match in all its messages."""
    game: GameName
    """Name of the game."""
    rules_version: Count
    """Version of the game's rules (P1.5)."""
    ruleset: dict[str, Any]
    """The ruleset in force, every field given."""
    seats: tuple[Seat, ...] = Field(max_length=MAX_SEATS)
    """All seats, in order."""
    pace: Pace
    """How the ticks follow one another (P2.2)."""
    tick_ms: Count
    """`realtime`: milliseconds from tick to tick."""
    deadline_ms: Count
    """Milliseconds to answer an observation; with `realtime` (action_delay + 1) ticks."""
    bank_ms: Count
    """`lockstep`: milliseconds of extra time for the whole match."""
    action_delay: Count
    """`realtime`: ticks by which an action takes effect later (P2.2)."""
    ticks: Count | None
    """Number of the last possible tick; null where the rules set none."""
    setup: dict[str, Any]
    """The game's static part: the map or the field."""


class MatchStart(_Start):
    """A match begins, or goes on after a resume; to be answered with `ready`."""

    seat: SeatField
    """The bot's own seat."""


class LastAction(Model):
    """What became of an action (P2.1)."""

    tick: TickField
    """The tick of the observation that it answered."""
    status: ActionStatus
    """What became of it."""
    latency_ms: Number | None
    """Milliseconds from sending the observation to having the action; null if none came."""


class Observation(Envelope):
    """What the bot may know of a tick; to be answered with `action`. All other fields are the game's part."""

    type: Literal["observation"] = "observation"
    match: MatchIdField
    """The match."""
    tick: TickField
    """Number of the state that is shown; 0 is the start position."""
    deadline_ms: Number
    """Milliseconds left for the answer when this was sent."""
    bank_ms: Number
    """`lockstep`: milliseconds left in the time bank, on top of the deadline."""
    last_action: LastAction | None
    """What became of the action before; null in the first observation."""
    missed: tuple[TickField, ...] | None = _optional(max_length=MAX_MISSED)
    """After a resume: the ticks since the last one that the bot answered (P2.4)."""


class MatchEnd(Model):
    """The match is over; lists have one entry a seat, in seat order."""

    type: Literal["match_end"] = "match_end"
    match: MatchIdField
    """The match."""
    reason: Reason
    """Why it ended: a `MatchReason` or a reason of the game (`Right2LiveReason`, `SpaceballsReason`)."""
    places: tuple[Count, ...] = Field(max_length=MAX_SEATS)
    """Place of each seat, from 1; equal seats share one (1, 1, 3)."""
    points: tuple[Number, ...] = Field(max_length=MAX_SEATS)
    """Points of each seat."""
    ticks: Count
    """Number of the last tick."""
    replay: Annotated[str, Field(max_length=500)] | None
    """Path of the replay on the same server, relative to its root; null if there is none."""


class Ref(Model):
    """What an error is about."""

    match: MatchIdField | None = _optional()
    """The match."""
    tick: TickField | None = _optional()
    """The tick."""
    field: Annotated[str, Field(max_length=64)] | None = _optional()
    """Path of the field inside the message ("thrust.0")."""


class Error(Model):
    """The peer did something wrong; the connection stays open (P1.8)."""

    type: Literal["error"] = "error"
    code: ErrorCode
    """What kind of fault, from the closed list of error codes."""
    message: Sentence
    """What was wrong, where, and what would be right."""
    ref: Ref | None = _optional()
    """What it is about."""
    retry_after_ms: Count | None = _optional()
    """With `rate_limited`: milliseconds until the next message may come."""


class Notice(Model):
    """Something that the peer should know; nobody's fault."""

    type: Literal["notice"] = "notice"
    code: NoticeCode
    """What kind of news, from the closed list of notice codes."""
    message: Sentence
    """The news as a sentence."""


# --- to a spectator ---------------------------------------------------------------------------


class WatchStart(_Start):
    """The match that a spectator sees: a `match_start` without a seat of its own."""

    seat: SeatField | None = _optional()
    """Only with `view=seat:N`: the seat whose view the frames hold (P3.6)."""


class Frame(Envelope):
    """A complete snapshot of a tick (P3.2). All other fields are the game's part."""

    type: Literal["frame"] = "frame"
    match: MatchIdField
    """The match."""
    tick: TickField
    """Number of the state that is shown."""


class LobbySeat(Seat):
    """One place in a match, as the lobby shows it."""

    connected: bool
    """True while its bot has a connection."""


class LobbyMatch(Model):
    """A match as the lobby shows it."""

    match: MatchIdField
    """Name of the match, for `/watch/{match}`."""
    game: GameName
    """Name of the game."""
    phase: MatchPhase
    """How far it is."""
    tick: Count
    """Number of the newest tick."""
    ticks: Count | None
    """Number of the last possible tick; null where the rules set none."""
    seats: tuple[LobbySeat, ...] = Field(max_length=MAX_SEATS)
    """All seats, in order."""
    spectators: Count
    """Number of connections that watch it."""
    reason: Reason | None = _optional()
    """Why it ended, as in `match_end`."""
    points: tuple[Number, ...] | None = _optional(max_length=MAX_SEATS)
    """Points of each seat, once it is over."""
    places: tuple[Count, ...] | None = _optional(max_length=MAX_SEATS)
    """Place of each seat, once it is over."""


class Matches(Model):
    """The lobby: first the full list, then the matches that changed (P3.1)."""

    type: Literal["matches"] = "matches"
    matches: tuple[LobbyMatch, ...] = Field(max_length=_MAX_MATCHES)
    """The matches; each entry replaces an earlier one of the same match."""
    full: bool
    """True: forget all others. False: only these have changed."""


class StandingLine(Model):
    """A line of a tournament's table."""

    rank: Count
    """The place, from 1; equal bots share one."""
    name: Name
    """Name of the bot."""
    points: Number
    """Its points."""


class LobbyTournament(Model):
    """A tournament as the lobby shows it, as far as its results are public."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    """Its id, for `/api/tournaments/{id}`."""
    name: Annotated[str, Field(min_length=1, max_length=200)]
    """What people call it."""
    game: GameName
    """Name of the game."""
    state: Word
    """`created`, `running`, `paused` or `finished`."""
    done: Count
    """Number of its matches that are over."""
    total: Count | None
    """Number of all its matches as far as that is known; null: it has no end."""
    standings: tuple[StandingLine, ...] = Field(max_length=MAX_STANDINGS)
    """The top of its table."""


class Tournaments(Model):
    """The tournaments of the lobby, the newest first: always all of them (P3.1)."""

    type: Literal["tournaments"] = "tournaments"
    tournaments: tuple[LobbyTournament, ...] = Field(max_length=MAX_TOURNAMENTS)
    """The tournaments."""


BotMessage = Annotated[Hello | Ready | Action | Leave, Field(discriminator="type")]
"""Everything that a bot may say on `/play`."""

ServerMessage = Annotated[
    Welcome | MatchStart | Observation | MatchEnd | Error | Notice, Field(discriminator="type")
]
"""Everything that the server may say on `/play`."""

SpectatorMessage = Annotated[
    Matches | Tournaments | WatchStart | Frame | MatchEnd | Error | Notice, Field(discriminator="type")
]
"""Everything that the server may say on `/watch` and `/watch/{match}`."""

Message = (
    Hello
    | Ready
    | Action
    | Leave
    | Welcome
    | MatchStart
    | Observation
    | MatchEnd
    | Error
    | Notice
    | Matches
    | Tournaments
    | WatchStart
    | Frame
)
"""Any message of any direction."""
