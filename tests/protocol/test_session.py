"""The session machine: both ends of both kinds of connection, without a socket."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz_protocol import codec, errors
from fangnetz_protocol import messages as m
from fangnetz_protocol.session import TRANSITIONS, Role, Session, SessionState
from support.wire_examples import EXAMPLES, examples

Message = dict[str, Any]
BY_TYPE: dict[tuple[str, str], Message] = {
    (direction, message["type"]): message for direction, message in examples()
}


def server() -> Session[m.BotMessage, m.ServerMessage]:
    return Session(Role.SERVER_FOR_BOT)


def bot() -> Session[m.ServerMessage, m.BotMessage]:
    return Session(Role.BOT)


def from_bot(type_: str) -> str:
    return json.dumps(BY_TYPE["bot-to-server", type_])


def from_server(type_: str) -> str:
    return json.dumps(BY_TYPE["server-to-bot", type_])


def open_server() -> Session[m.BotMessage, m.ServerMessage]:
    session = server()
    session.receive(from_bot("hello"))
    session.send(m.Welcome.model_validate(BY_TYPE["server-to-bot", "welcome"]))
    return session


def open_bot() -> Session[m.ServerMessage, m.BotMessage]:
    session = bot()
    session.send(m.Hello(protocol="1.0"))
    session.receive(from_server("welcome"))
    return session


def test_a_conversation_between_both_ends() -> None:
    here, there = bot(), server()
    hello = there.receive(here.send(m.Hello(protocol="1.0", name="x")).decode())
    assert (hello, here.state, there.state) == (m.Hello(protocol="1.0", name="x"), "greeting", "greeting")
    for type_ in ("welcome", "match_start", "observation"):
        message = codec.TO_BOT.decode(from_server(type_), 10_000)
        assert here.receive(there.send(message).decode()) == message
    assert (here.state, there.state) == ("open", "open")
    for type_ in ("ready", "action", "leave"):
        answer = codec.FROM_BOT.decode(from_bot(type_), 10_000)
        assert there.receive(here.send(answer).decode()) == answer


@pytest.mark.parametrize("type_", ["ready", "action", "leave"])
def test_before_hello_everything_else_is_unexpected(type_: str) -> None:
    session = server()
    with pytest.raises(errors.UnexpectedMessage, match="expected: hello"):
        session.receive(from_bot(type_))
    assert session.state is SessionState.OPENING
    session.receive(from_bot("hello"))


def test_a_second_hello_is_unexpected() -> None:
    session = server()
    session.receive(from_bot("hello"))
    with pytest.raises(errors.UnexpectedMessage, match="expected: nothing"):
        session.receive(from_bot("hello"))
    with pytest.raises(errors.UnexpectedMessage, match="expected: ready, action, leave"):
        open_server().receive(from_bot("hello"))


def test_a_refused_bot_may_say_hello_again() -> None:
    session = server()
    session.receive(from_bot("hello"))
    session.send(errors.BadToken().as_message())
    session.receive(from_bot("hello"))
    assert session.state is SessionState.GREETING


@pytest.mark.parametrize("text", ["", "[]", '{"type": "dance"}', '{"type": "ready"}', '{"type": "frame"}'])
def test_a_fault_of_the_peer_leaves_the_session_as_it_was(text: str) -> None:
    session = open_server()
    with pytest.raises(errors.PeerError) as caught:
        session.receive(text)
    assert session.state is SessionState.OPEN
    session.send(caught.value.as_message())
    assert session.receive(from_bot("action")).type == "action"


def test_the_limit_is_the_callers() -> None:
    session = Session(Role.SERVER_FOR_BOT, max_bytes=20)
    with pytest.raises(errors.TooLarge):
        session.receive(from_bot("hello"))


def test_the_server_may_not_send_before_the_welcome() -> None:
    session = server()
    observation = m.Observation.model_validate(BY_TYPE["server-to-bot", "observation"])
    with pytest.raises(errors.SendNotAllowed, match=r"server-for-bot may not send observation .* opening"):
        session.send(observation)


def test_nobody_may_send_what_belongs_to_the_other_side() -> None:
    with pytest.raises(errors.SendNotAllowed):
        open_server().send(m.Leave(match="m"))  # type: ignore[arg-type]
    with pytest.raises(errors.SendNotAllowed):
        open_bot().send(errors.BadToken().as_message())  # type: ignore[arg-type]


def test_a_message_that_cannot_be_written_changes_nothing() -> None:
    session = server()
    session.receive(from_bot("hello"))
    welcome = m.Welcome.model_validate(
        BY_TYPE["server-to-bot", "welcome"] | {"features": {"object": object()}}
    )
    with pytest.raises(errors.NotEncodable):
        session.send(welcome)
    assert session.state is SessionState.GREETING


def test_after_the_end_nothing_works() -> None:
    for session in (open_server(), server()):
        session.close()
        assert session.state is SessionState.CLOSED
        for text in (from_bot("hello"), from_bot("action"), "", b""):
            with pytest.raises(errors.SessionClosed):
                session.receive(text)
        with pytest.raises(errors.SessionClosed):
            session.send(errors.BadToken().as_message())


def test_spectators_listen_and_say_nothing() -> None:
    desk = Session(Role.SERVER_FOR_SPECTATOR)
    spectator = Session(Role.SPECTATOR)
    for message in EXAMPLES["server-to-spectator"]:
        shown = codec.TO_SPECTATOR.decode(json.dumps(message), 10_000)
        assert spectator.receive(desk.send(shown).decode()) == shown
    with pytest.raises(errors.Forbidden, match="role spectator"):
        desk.receive(from_bot("action"))
    with pytest.raises(errors.SendNotAllowed):
        spectator.send(m.Leave(match="m"))


def test_the_table_knows_every_state_and_every_message() -> None:
    assert set(TRANSITIONS) == set(SessionState)
    known = {type_ for row in TRANSITIONS.values() for type_ in row}
    assert known == {message["type"] for _, message in examples()}


def test_every_message_has_its_place() -> None:
    for decoder in (codec.FROM_BOT, codec.TO_BOT, codec.TO_SPECTATOR):
        for type_ in decoder.types:
            assert any(type_ in row for row in TRANSITIONS.values()), type_


frames = st.one_of(
    st.text(max_size=30),
    st.binary(max_size=30),
    st.sampled_from([json.dumps(message) for _, message in examples()]),
)


@given(st.sampled_from(Role), st.lists(frames, max_size=12))
def test_any_frames_are_messages_or_faults_and_the_state_follows_the_table(
    role: Role, data: list[str | bytes]
) -> None:
    session: Session[Any, Any] = Session(role)  # type: ignore[call-overload]
    for frame in data:
        before = session.state
        try:
            message = session.receive(frame)
        except errors.PeerError:
            assert session.state is before
        else:
            assert session.state is TRANSITIONS[before][message.type]
