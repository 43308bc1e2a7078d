"""The closed lists of codes on the wire (P1.8), each with the sentence that explains it."""

from enum import IntEnum, StrEnum

__all__ = ["CloseCode", "ErrorCode", "NoticeCode"]


class _Word(StrEnum):
    """A code that is a word, with its sentence."""

    sentence: str
    """What the code means."""

    def __new__(cls, value: str, sentence: str = "") -> "_Word":
        self = str.__new__(cls, value)
        self._value_ = value
        self.sentence = sentence
        return self


class ErrorCode(_Word):
    """What the peer did wrong, in `error.code`."""

    NOT_JSON = "not_json", "The message is no JSON text."
    BAD_MESSAGE = "bad_message", "The message has a wrong, missing or too long field."
    UNKNOWN_TYPE = "unknown_type", "No message of this direction has this type."
    TOO_LARGE = "too_large", "The message is longer than limits.message_bytes."
    BINARY_FRAME = "binary_frame", "The message came in a binary frame; all messages are text."
    UNEXPECTED_MESSAGE = (
        "unexpected_message",
        "The message does not belong here, such as anything before hello.",
    )
    FORBIDDEN = "forbidden", "This role may not send this message, or the host does not allow it."
    UNSUPPORTED_PROTOCOL = "unsupported_protocol", "The server does not speak this version of the protocol."
    UNKNOWN_MATCH = "unknown_match", "There is no such match."
    NOT_SEATED = "not_seated", "The bot has no seat in this match."
    WRONG_TICK = "wrong_tick", "The action names a tick that was not shown yet."
    LATE = "late", "The action came after its deadline and does not count."
    DUPLICATE = "duplicate", "The tick has an action already; the first one counts."
    INVALID_ACTION = "invalid_action", "The game cannot read the action; it counts as none."
    BAD_TOKEN = "bad_token", "The token is missing or not known."
    BAD_NAME = "bad_name", "The name is not allowed."
    NAME_TAKEN = "name_taken", "Another bot has this name."
    UNKNOWN_RESUME = "unknown_resume", "There is no session to resume under this secret."
    SERVER_FULL = "server_full", "The server takes no more bots or spectators at the moment."
    MATCH_OVER = "match_over", "The match has ended already."
    NOT_READY = "not_ready", "The match has not started yet."
    RATE_LIMITED = "rate_limited", "More messages came than limits.messages_per_second."
    INTERNAL = "internal", "The server made a mistake; it is not the bot's fault."


class NoticeCode(_Word):
    """News that are nobody's fault, in `notice.code`."""

    WAITING_FOR_OPPONENTS = "waiting_for_opponents", "The match starts as soon as the other seats are taken."
    WAITING_FOR_MATCH = "waiting_for_match", "The bot is in; it gets a seat in one of the next matches."
    MATCH_CANCELLED = "match_cancelled", "A match that was announced is not going to be played."
    OPPONENT_LEFT = "opponent_left", "Another seat has lost its connection or left."
    OPPONENT_BACK = "opponent_back", "Another seat has its connection back."
    SERVER_RESTARTING = "server_restarting", "The server is going to restart; connect again afterwards."
    ANNOUNCEMENT = "announcement", "The host has something to say."


class CloseCode(IntEnum):
    """Why a connection was closed, as the code of the WebSocket's close frame."""

    sentence: str
    """What the code means."""

    def __new__(cls, value: int, sentence: str = "") -> "CloseCode":
        self = int.__new__(cls, value)
        self._value_ = value
        self.sentence = sentence
        return self

    NORMAL = 1000, "All is done."
    GOING_AWAY = 1001, "The server or the client shuts down."
    UNSUPPORTED_DATA = 1003, "Binary frames came again and again; all messages are text."
    POLICY = 1008, "Too many faults: limits.strikes is used up."
    TOO_BIG = 1009, "A message was far larger than limits.message_bytes."
    INTERNAL = 1011, "The server made a mistake."
    RESTART = 1012, "The server restarts; connect again with resume."
    REPLACED = 4001, "Another connection has taken over with resume (P2.4)."
    ALREADY_CONNECTED = 4002, "This bot has a connection already and gave no resume (P2.6)."
    TOO_SLOW = 4003, "The reader could not keep up and its buffer was full (P3.5)."
    HELLO_EXPECTED = 4004, "No valid hello came in time."
    REFUSED = 4005, "The hello was refused; the error before says why."
    UNKNOWN_MATCH = 4006, "There is no such match to watch."
    IDLE = 4007, "Nothing was said or played for long; connect again to play."
