"""From the exceptions of a failed connection to one line that says what is wrong."""

import ssl
from errno import ECONNREFUSED
from http import HTTPStatus
from socket import EAI_AGAIN, gaierror
from typing import Final
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidStatus, NegotiationError

from fangnetz.problems import ConnectionLost, NotFangnetz, Problem, Refused, Unreachable
from fangnetz_protocol.codes import CloseCode

__all__ = ["explain_closed", "explain_failed"]

_MAY_PASS: Final = frozenset({429, 500, 502, 503, 504})
"""HTTP answers of a server that is busy, or of a proxy whose server restarts."""
_LOCKED: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_TEXT: Final = 200
"""Characters of the server's text that are shown; error pages of proxies can be long."""


def explain_failed(error: Exception, url: str) -> Problem:
    """Return what is wrong if no connection to the URL comes about."""
    if isinstance(error, InvalidStatus):
        return _explain_status(error, url)
    if isinstance(error, TimeoutError):
        return Unreachable(url, "no answer in time")
    if isinstance(error, NegotiationError):
        return NotFangnetz(url, f"it does not speak this version of the protocol: {error}")
    if isinstance(error, OSError):
        return _explain_network(error, url)
    if isinstance(error.__cause__, EOFError):  # So does a tunnel or a proxy while the server restarts.
        return Unreachable(url, "the connection was closed before an answer came")
    return NotFangnetz(url, f"the answer is no WebSocket handshake: {error}")


def explain_closed(error: ConnectionClosed) -> ConnectionLost:
    """Return what is wrong if an open connection ended."""
    if error.rcvd is not None:
        return ConnectionLost(error.rcvd.code, error.rcvd.reason)
    if error.sent is not None and error.sent.code == CloseCode.TOO_BIG:
        return ConnectionLost(None, "the server sent a message larger than this client takes")
    return ConnectionLost(None, "the network connection broke")


def _explain_status(error: InvalidStatus, url: str) -> Problem:
    status = error.response.status_code
    text = " ".join((error.response.body or b"").decode("utf-8", "replace").split())
    said = f"HTTP {status}{f': {text[:_TEXT]}' if text and not text.startswith('<') else ''}"
    if status in _LOCKED:
        return Refused(f"{said}; check the token" if status == HTTPStatus.UNAUTHORIZED else said)
    if status in _MAY_PASS:
        return Refused(said, may_pass=True)
    return NotFangnetz(url, f"{said}; check host, port and path")


def _explain_network(error: OSError, url: str) -> Unreachable:
    parts = urlsplit(url)
    where = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
    if isinstance(error, gaierror):
        passing = error.errno == EAI_AGAIN
        return Unreachable(url, f"the name {parts.hostname} is not known", may_pass=passing)
    if isinstance(error, ssl.SSLCertVerificationError):
        return Unreachable(url, f"the certificate is not valid: {error.verify_message}", may_pass=False)
    if _is_refused(error):
        return Unreachable(url, f"nobody listens at {where}; is the server running?")
    # A server without TLS answers nonsense or hangs up in the middle of the handshake.
    if parts.scheme == "wss" and isinstance(error, ssl.SSLError | ConnectionError):
        return Unreachable(url, f"no TLS at {where}; is it ws:// instead of wss://?", may_pass=False)
    return Unreachable(url, error.strerror or str(error) or type(error).__name__)


def _is_refused(error: OSError) -> bool:
    """Tell whether the port is closed; for a name with several addresses asyncio only says so in the text."""
    return isinstance(error, ConnectionRefusedError) or f"[Errno {ECONNREFUSED}]" in str(error)
