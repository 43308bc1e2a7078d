"""`/watch` and `/watch/{match}`: the connections of spectators (protocol P3)."""

from websockets.exceptions import ConnectionClosed

from fangnetz_protocol import errors
from fangnetz_protocol import messages as m
from fangnetz_protocol.codec import encode
from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.session import Role, Session
from fangnetz_protocol.words import MatchId
from fangnetz_server.gateway.audience import Audience
from fangnetz_server.gateway.desk import Desk
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.play import slow_down
from fangnetz_server.gateway.socket import Socket
from fangnetz_server.gateway.stage import View

__all__ = ["watch_lobby", "watch_match"]


async def watch_lobby(socket: Socket, audience: Audience, desk: Desk, limits: Limits) -> None:
    """Show the lists of matches and tournaments, then what changes, until the spectator leaves (P3.1)."""
    for message in desk.lobby():
        socket.push(message)
    audience.add(socket)
    try:
        await _listen(socket, limits)
    finally:
        audience.remove(socket)


async def watch_match(
    socket: Socket, match: MatchId, view: View, token: str | None, desk: Desk, limits: Limits
) -> None:
    """Show one match to its end; a finished one by its last frame and its result (P3.2)."""
    table = desk.table(match, token)
    if table is None:
        await _show_finished(socket, match, token, desk)
        return
    table.join(socket, view)
    try:
        await _listen(socket, limits)
    finally:
        table.part(socket, view)


async def _show_finished(socket: Socket, match: MatchId, token: str | None, desk: Desk) -> None:
    messages = await desk.finished(match, token)
    if messages is None:
        socket.push(encode(errors.UnknownMatch(match).as_message()))
        socket.drop(CloseCode.UNKNOWN_MATCH)
        return
    for message in messages:
        socket.push(message)
    socket.drop(CloseCode.NORMAL)


async def _listen(socket: Socket, limits: Limits) -> None:
    """Read until the end. A spectator may say nothing; whatever it says is answered with an error."""
    session: Session[m.SpectatorMessage, m.SpectatorMessage] = Session(
        Role.SERVER_FOR_SPECTATOR, limits.message_bytes
    )
    faults = 0
    try:
        while True:
            data = await socket.recv()
            try:
                session.receive(data)
            except errors.PeerError as error:
                socket.push(encode(error.as_message()))
                faults += 1
                if faults > limits.strikes:
                    socket.drop(CloseCode.POLICY)
                    return
                await slow_down(faults, limits)
    except ConnectionClosed:
        return
