"""Exceptions of a failed connection, and the line that the user reads. The rest is in test_client."""

import errno
import socket
import ssl

import pytest
from websockets.exceptions import ConnectionClosedError, InvalidMessage
from websockets.frames import Close

from fangnetz.explain import explain_closed, explain_failed
from fangnetz.problems import Unreachable
from fangnetz_protocol.codes import CloseCode

URL = "wss://arena.example/play"


def bad_certificate() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError("certificate verify failed")
    error.verify_message = "self-signed certificate"
    return error


def hung_up() -> InvalidMessage:
    error = InvalidMessage("did not receive a valid HTTP response")
    error.__cause__ = EOFError()
    return error


@pytest.mark.parametrize(
    ("error", "says", "may_pass"),
    [
        (socket.gaierror(socket.EAI_NONAME, "?"), "the name arena.example is not known", False),
        (socket.gaierror(socket.EAI_AGAIN, "?"), "the name arena.example is not known", True),
        (bad_certificate(), "the certificate is not valid: self-signed certificate", False),
        (ssl.SSLError("WRONG_VERSION_NUMBER"), "is it ws:// instead of wss://?", False),
        (ConnectionRefusedError(), "nobody listens at arena.example; is the server running?", True),
        (
            OSError(f"Multiple exceptions: [Errno {errno.ECONNREFUSED}] Connect call failed, [Errno 101]"),
            "nobody listens at arena.example",
            True,
        ),
        (OSError(errno.EHOSTUNREACH, "No route to host"), "No route to host", True),
        (OSError(), "OSError", True),
        (TimeoutError(), "no answer in time", True),
        (hung_up(), "the connection was closed before an answer came", True),
    ],
)
def test_networks(error: Exception, says: str, may_pass: bool) -> None:
    problem = explain_failed(error, URL)
    assert isinstance(problem, Unreachable)
    assert str(problem).startswith(f"cannot reach {URL}: ")
    assert (says in str(problem), problem.may_pass) == (True, may_pass), str(problem)


@pytest.mark.parametrize(
    ("received", "sent", "says"),
    [
        (Close(1012, ""), None, "1012, The server restarts; connect again with resume."),
        (Close(1008, "100 faults"), None, "(100 faults)"),
        (Close(4999, "?"), None, "4999, no code that this client knows (?)"),
        (None, Close(1009, ""), "a message larger than this client takes"),
        (None, None, "the network connection broke"),
    ],
)
def test_ends_of_connections(received: Close | None, sent: Close | None, says: str) -> None:
    assert says in str(explain_closed(ConnectionClosedError(received, sent, None)))


def test_a_reason_that_only_repeats_the_code_is_not_told_twice() -> None:
    end = Close(CloseCode.RESTART, CloseCode.RESTART.sentence)
    told = str(explain_closed(ConnectionClosedError(end, None, None)))
    assert told.count(CloseCode.RESTART.sentence) == 1
