"""What users write for a server, and the URL that it means."""

import pytest

from fangnetz.address import is_local, play_url
from fangnetz.problems import WrongUse


@pytest.mark.parametrize(
    ("server", "url"),
    [
        ("ws://127.0.0.1:7474", "ws://127.0.0.1:7474/play"),
        ("127.0.0.1:7474", "ws://127.0.0.1:7474/play"),
        ("localhost", "ws://localhost/play"),
        (" ws://host:1/ ", "ws://host:1/play"),
        ("http://host:1", "ws://host:1/play"),
        ("https://host/arena", "wss://host/arena/play"),
        ("wss://host/arena/play", "wss://host/arena/play"),
        ("wss://host/arena/play/", "wss://host/arena/play"),
        ("ws://[::1]:7474", "ws://[::1]:7474/play"),
    ],
)
def test_forms_of_an_address(server: str, url: str) -> None:
    assert play_url(server) == url


@pytest.mark.parametrize(
    ("server", "says"),
    [
        ("ftp://host", "the scheme has to be ws, wss, http or https"),
        ("ws://", "the host is missing"),
        ("", "the host is missing"),
        ("ws://host:http", "Port could not be cast"),
        ("ws://host:99999", "Port out of range"),
        ("ws://host/play?token=x", "use token"),
        ("ws://me:secret@host", "use token"),
        ("ws://host/#x", "use token"),
    ],
)
def test_what_is_no_address(server: str, says: str) -> None:
    with pytest.raises(WrongUse, match=says) as caught:
        play_url(server)
    assert "secret" not in str(caught.value)


def test_this_machine_is_known() -> None:
    assert [is_local(url) for url in ("ws://localhost/play", "ws://[::1]:1/play", "ws://host/play")] == [
        True,
        True,
        False,
    ]
