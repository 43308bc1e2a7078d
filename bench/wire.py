"""Bytes of the WebSocket protocol, made by hand."""

from websockets.frames import Frame, Opcode

__all__ = ["handshake_text", "masked_text"]


def handshake_text(path: str) -> bytes:
    """Return the request that opens a WebSocket."""
    lines = (
        f"GET {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Protocol: fangnetz.v1",
    )
    return "\r\n".join((*lines, "", "")).encode()


def masked_text(text: bytes) -> bytes:
    """Return a whole text frame as a client sends it."""
    return Frame(Opcode.TEXT, text).serialize(mask=True)
