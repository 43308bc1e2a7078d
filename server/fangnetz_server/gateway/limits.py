"""What the server takes from others: every limit with its name, its reason and its default."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from fangnetz_protocol.codec import MAX_BYTES_FROM_BOT

__all__ = ["Limits"]

_Bytes = Annotated[int, Field(ge=1024)]
_Seconds = Annotated[float, Field(gt=0, le=86_400)]


class Limits(BaseModel):
    """Bounds on connections, messages and buffers."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    connections: Annotated[int, Field(ge=1)] = 4000
    """WebSockets in all: each costs some 30 kB and a file handle."""
    connections_per_address: Annotated[int, Field(ge=1)] = 256
    """WebSockets of one client address, and as many other connections: a class behind one router fits,
    a flood from one machine does not. An IPv6 network of 64 bits counts as one address."""
    connections_per_second: Annotated[int, Field(ge=1)] = 50
    """New connections of one client address in a second, of whichever kind, once it has opened as many at a
    time as it may have: a class comes in at once, a storm of reconnects does not."""
    requests_per_second: Annotated[int, Field(ge=1)] = 100
    """HTTP requests of one client address in a second, after ten times as many at once; more have to wait."""
    requests_work: Annotated[float, Field(gt=0, le=100)] = 0.25
    """Seconds that the server works in a second on HTTP requests of one client address, several at a time,
    after eight times as many at once: more have to wait, and after half a minute get 429. Files of the
    page and what the host asks for do not count. What takes long is not asked for often."""
    unauthenticated: Annotated[int, Field(ge=1)] = 128
    """Bots' sockets in all that have not said hello: they cost as much as a player and do nothing."""
    spectators: Annotated[int, Field(ge=0)] = 2000
    """Spectators of all matches and of the lobby."""
    spectators_per_match: Annotated[int, Field(ge=0)] = 1000
    """Spectators of one match: its fan-out is work within a tick."""
    message_bytes: _Bytes = MAX_BYTES_FROM_BOT
    """Largest message of a bot, in bytes of UTF-8: a longer one is answered with `too_large`."""
    frame_bytes: _Bytes = 256 * 1024
    """Largest message that is read from the wire at all, and largest body of an HTTP request: beyond it the
    connection ends with 1009 or 413, because reading on would cost the memory that the limit saves."""
    messages_per_second: Annotated[int, Field(ge=1)] = 1000
    """Messages of one bot in a second, told in `welcome`: more are answered with `rate_limited`."""
    strikes: Annotated[int, Field(ge=0)] = 100
    """Faults of a bot in one match before 1008: room for a beginner's loop of mistakes, none for a flood."""
    fault_pause_s: Annotated[float, Field(ge=0, le=60)] = 0.1
    """Time before the server reads on after a fault, from the eleventh of a connection or a match on: an
    answer to each costs more than the fault."""
    pings_per_second: Annotated[int, Field(ge=1)] = 50
    """Pings and pongs of a connection in a second before 1008: each costs an answer, and decent clients send
    one in some seconds."""
    hello_s: _Seconds = 10.0
    """Time from the upgrade to a valid `hello`: a socket that says nothing must not stay."""
    handshake_s: _Seconds = 10.0
    """Time for the upgrade itself, and for each part of another HTTP request, its head and its body."""
    ping_s: _Seconds = 20.0
    """Time between two pings, and again for the pong: a dead bot is found within twice this time
    and `close_s`."""
    close_s: _Seconds = 3.0
    """Time for the peer to answer a close frame before its line is cut: a dead one never answers."""
    resume_s: _Seconds = 60.0
    """Time that the session of a lost bot without a running match is kept for `resume` (P2.4)."""
    bot_buffer_bytes: _Bytes = 1024 * 1024
    """Unsent bytes of a bot before 4003: a bot that does not read for long is as good as dead."""
    buffer_bytes: _Bytes = 64 * 1024 * 1024
    """Unsent bytes of all sockets together: beyond it those with the most are dropped with 4003."""
    spectator_buffer_bytes: _Bytes = 64 * 1024
    """Unsent bytes of a spectator before frames are left out (P3.5)."""
    spectator_patience_s: _Seconds = 15.0
    """Time that a spectator may get no frame because his buffer is full before 4003 (P3.5); and that
    anybody may take nothing of an HTTP answer."""
    idle_s: _Seconds = 6 * 3600.0
    """Time that a bot may be connected without a match and without a word before 4007."""
    matches_per_bot: Annotated[int, Field(ge=1)] = 8
    """Matches of one bot at the same time (P2.6)."""
