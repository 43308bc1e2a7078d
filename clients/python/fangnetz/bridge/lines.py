"""Bytes to lines, whatever a program does to its output: CRLF, BOM, parts of lines, no end of line."""

from typing import Final

from fangnetz_protocol.codec import MAX_BYTES_FROM_BOT

__all__ = ["MAX_LINE", "LineReader"]

MAX_LINE: Final = MAX_BYTES_FROM_BOT
"""Bytes of a line that are kept: a server takes no more, and a program that never ends a line must not
fill the memory."""
_BOM: Final = b"\xef\xbb\xbf"
_BLANK: Final = b" \t\r\n\x00"


class LineReader:
    """Cuts a stream into lines.

    Args:
        limit: longest line in bytes; of a longer one only the first `limit + 1` bytes are given, so
            that the reader of the lines can tell.
    """

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._rest = bytearray()
        self.count = 0
        """Number of the newest line, from 1, blank ones included: what an editor would show."""

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return the lines that are complete now, with their numbers; blank ones are left out."""
        *ends, rest = data.split(b"\n")
        lines = []
        for end in ends:
            self._append(end)
            lines.append(self._take())
        self._append(rest)
        return [(number, line) for number, line in lines if line]

    def finish(self) -> list[tuple[int, bytes]]:
        """Return the last line, if the stream ended without the end of a line."""
        if not self._rest:
            return []
        number, line = self._take()
        return [(number, line)] if line else []

    def _append(self, part: bytes) -> None:
        room = self._limit + 1 - len(self._rest)
        self._rest += part[: max(0, room)]

    def _take(self) -> tuple[int, bytes]:
        line = bytes(self._rest).removeprefix(_BOM).strip(_BLANK)
        self._rest.clear()
        self.count += 1
        return self.count, line
