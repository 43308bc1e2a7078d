"""Commands of 2010 without a socket: how they are cut, read and written, and which round a MOVE is for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz.contest2010 import commands
from fangnetz.contest2010.commands import (
    MAX_COMMAND,
    Command,
    CommandFault,
    CommandTooLong,
    IdNotOkay,
    IdOkay,
    MoveTo,
    Ping,
    Splitter,
    parse,
)
from fangnetz.contest2010.conversation import Conversation, Identity
from fangnetz_protocol.messages import MatchStart
from fangnetz_protocol.right2live import Move, Observation
from fangnetz_protocol.words import Direction, Team

E, NW, NONE = Direction.EAST, Direction.NORTH_WEST, Direction.NONE

START = MatchStart.model_validate(
    {
        "type": "match_start",
        "match": "m-1",
        "game": "right2live",
        "rules_version": 1,
        "ruleset": {},
        "seat": 1,
        "seats": [{"seat": seat, "name": f"bot {seat}"} for seat in range(3)],
        "pace": "lockstep",
        "tick_ms": 250,
        "deadline_ms": 1000,
        "bank_ms": 5000,
        "action_delay": 0,
        "ticks": None,
        "setup": {"map": ["...", ".#."]},
    }
)


def seen(*teams: str) -> Observation:
    return Observation.model_validate(
        {
            "me": {
                "x": 2,
                "y": 0,
                "view": "NORTH",
                "team": teams[1],
                "life": 99.5,
                "points": 0.0,
                "standing": 2,
                "toxicity": 0.2,
            },
            "players": [{"seat": 0, "x": 0, "y": 1, "view": "SOUTH_WEST", "team": teams[0]}],
            "teams": teams,
            "lives": [100.0, 99.5, -0.11],
            "last_change": 0,
            "next_forced": 28,
            "events": [],
        }
    )


BLUES = seen("BLUE", "BLUE", "BLUE")


def introduced() -> Conversation:
    conversation = Conversation()
    assert conversation.introduce(START) == "ID 1|"
    assert conversation.open(START, "/tmp/a.map") == "CONNECTED 0|CONNECTED 2|MAP /tmp/a.map|"
    return conversation


def told(conversation: Conversation, data: bytes) -> list[str]:
    return list(conversation.receive(data))


# --- cutting ------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(["MOVE NORTH EAST", "PING", "ID_OKAY", "X"])), st.data())
def test_it_makes_no_difference_where_the_packets_are_cut(texts: list[str], data: st.DataObject) -> None:
    stream = "".join(f"{text}|" for text in texts).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    splitter, found = Splitter(), list[str]()
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += splitter.feed(stream[begin:end])
    assert found == texts


def test_line_ends_and_empty_commands_do_no_harm() -> None:
    assert Splitter().feed(b"\r\nPING|\n||  MOVE EAST EAST |\r\n") == ["PING", "MOVE EAST EAST"]


def test_a_command_can_be_long_but_not_endless() -> None:
    splitter = Splitter()
    assert splitter.feed(b"x" * MAX_COMMAND) == []
    with pytest.raises(CommandTooLong, match=r"1000 characters without a '\|'"):
        splitter.feed(b"x")
    with pytest.raises(CommandTooLong):
        Splitter().feed(b"x" * (MAX_COMMAND + 1) + b"|")


# --- reading ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("ID_OKAY", IdOkay()),
        ("ID_NOT_OKAY", IdNotOkay()),
        ("PING", Ping()),
        ("MOVE EAST NORTH_WEST", MoveTo(E, NW)),
        ("MOVE NONE EAST", MoveTo(NONE, E)),
    ],
)
def test_a_good_command(text: str, command: Command) -> None:
    assert parse(text) == command


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("move EAST EAST", "'move EAST EAST' is no command; there are ID_OKAY, ID_NOT_OKAY, PING, MOVE"),
        ("ID_OKAY 1", "'ID_OKAY 1' is no command"),
        ("\xff\xfe", r"'\xff\xfe' is no command"),
        ("MOVE EAST", "a move is MOVE DIRECTION VIEW; directions are NONE, NORTH, "),
        ("MOVE EAST UP", "a move is MOVE DIRECTION VIEW"),
        ("MOVE EAST EAST EAST", "a move is MOVE DIRECTION VIEW"),
        ("MOVE EAST NONE", "NONE is no direction to look at"),
    ],
)
def test_a_bad_command_is_explained(text: str, problem: str) -> None:
    with pytest.raises(CommandFault) as caught:
        parse(text)
    assert problem in str(caught.value)


# --- writing ------------------------------------------------------------------------------------


def test_a_round_is_told_in_the_order_of_the_table() -> None:
    assert introduced().begin_round(0, 1, BLUES) == (
        "SET 2,0 NORTH|SEE_PLAYER 0,1 SOUTH_WEST 0|"
        "LIFE 100.00 0|LIFE 99.50 1|LIFE -0.11 2|TOXIC 2,0 0.20|START 1|"
    )


def test_a_change_of_team_is_told_once_the_own_one_too() -> None:
    conversation = introduced()
    conversation.begin_round(0, 1, BLUES)
    text = conversation.begin_round(1, 1, seen("BLUE", "RED", "RED"))
    assert "TEAMCHANGE RED 1|TEAMCHANGE RED 2|START 2|" in text
    assert "TEAMCHANGE" not in conversation.begin_round(2, 1, seen("BLUE", "RED", "RED"))
    assert "TEAMCHANGE BLUE 1|START 4|" in conversation.begin_round(3, 1, seen("BLUE", "BLUE", "RED"))


def test_a_round_is_told_once_even_if_it_is_observed_again() -> None:
    conversation = introduced()
    conversation.begin_round(4, 1, BLUES)
    told(conversation, b"MOVE EAST EAST|")
    assert conversation.begin_round(4, 1, BLUES) == ""
    assert conversation.move == Move(move=E, view=E)


def test_decimals_have_a_point_and_no_exponent() -> None:
    assert commands.life(0.0, 3) == "LIFE 0.00 3|"
    assert commands.toxic(1, 2, 0.01) == "TOXIC 1,2 0.01|"
    assert commands.team_change(Team.RED, 0) == "TEAMCHANGE RED 0|"
    assert commands.disconnected(2) == "DISCONNECTED 2|"


# --- answers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "identity"),
    [(b"ID_OKAY|", Identity.TAKEN), (b"ID_NOT_OKAY|", Identity.REFUSED), (b"PING|", Identity.OPEN)],
)
def test_the_answer_to_the_id(said: bytes, identity: Identity) -> None:
    conversation = introduced()
    assert told(conversation, said) == []
    assert conversation.identity is identity


def test_the_first_move_of_a_round_counts() -> None:
    conversation = introduced()
    assert told(conversation, b"MOVE EAST EAST|") == ["a MOVE came that no START has asked for"]
    conversation.begin_round(0, 1, BLUES)
    assert conversation.move is None
    assert told(conversation, b"PING|MOVE EAST NORTH_WEST|MOVE NONE EAST|") == [
        "a MOVE came that no START has asked for"
    ]
    assert conversation.move == Move(move=E, view=NW)


def test_a_move_that_means_nothing_is_standing_still() -> None:
    conversation = introduced()
    conversation.begin_round(0, 1, BLUES)
    (complaint,) = told(conversation, b"MOVE UP EAST|")
    assert complaint.startswith("'MOVE UP EAST': a move is MOVE DIRECTION VIEW")
    assert conversation.move == Move(move=NONE)


@pytest.mark.parametrize("between_rounds", [True, False])
def test_a_late_move_is_not_taken_for_the_next_round(between_rounds: bool) -> None:
    conversation = introduced()
    late = ["a MOVE came after the time of its round, and is not taken for the next one"]
    conversation.begin_round(0, 1, BLUES)
    conversation.give_up_round()
    if between_rounds:
        assert told(conversation, b"MOVE EAST EAST|") == late
    conversation.begin_round(1, 1, BLUES)
    if not between_rounds:
        assert told(conversation, b"MOVE EAST EAST|") == late
    assert conversation.move is None
    assert told(conversation, b"MOVE EAST NORTH_WEST|") == []
    assert conversation.move == Move(move=E, view=NW)


def test_a_client_that_leaves_out_a_round_is_in_step_again_after_one_more() -> None:
    conversation = introduced()
    conversation.begin_round(0, 1, BLUES)
    conversation.give_up_round()
    conversation.begin_round(1, 1, BLUES)
    told(conversation, b"MOVE EAST EAST|")
    assert conversation.move is None
    conversation.give_up_round()
    conversation.begin_round(2, 1, BLUES)
    assert told(conversation, b"MOVE EAST NORTH_WEST|") == []
    assert conversation.move == Move(move=E, view=NW)
