"""What a host may choose for a match."""

import pytest
from pydantic import ValidationError

from fangnetz_protocol.words import Pace
from fangnetz_server.games.right2live import GAME as RIGHT2LIVE
from fangnetz_server.games.spaceballs import GAME as SPACEBALLS
from fangnetz_server.match.settings import MatchSettings


def test_the_defaults_of_the_protocol() -> None:
    ball, tag = MatchSettings.defaults(SPACEBALLS.info), MatchSettings.defaults(RIGHT2LIVE.info)
    assert (ball.pace, tag.pace) == (Pace.LOCKSTEP, Pace.LOCKSTEP)
    assert (ball.tick_ms, tag.tick_ms) == (50, 250)
    assert (ball.deadline_ms, tag.deadline_ms) == (250, 1000)
    for settings in (ball, tag):
        assert (settings.bank_ms, settings.ready_ms) == (5000, 10_000)
        assert (settings.action_delay, settings.on_disconnect) == (0, "neutral")


def test_what_is_given_wins() -> None:
    settings = MatchSettings.defaults(SPACEBALLS.info, pace="realtime", tick_ms=20, action_delay=3)
    assert (settings.pace, settings.tick_ms, settings.action_delay) == (Pace.REALTIME, 20, 3)


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"pace": "fast"}, "pace"),
        ({"tick_ms": 0}, "tick_ms"),
        ({"tick_ms": 1.5}, "tick_ms"),
        ({"deadline_ms": 3_600_001}, "deadline_ms"),
        ({"bank_ms": -1}, "bank_ms"),
        ({"ready_ms": 0}, "ready_ms"),
        ({"pace": "realtime", "action_delay": 21}, "action_delay"),
        ({"pace": "realtime", "action_delay": -1}, "action_delay"),
        ({"on_disconnect": "explode"}, "on_disconnect"),
        ({"speed": 3}, "speed"),
    ],
    ids=str,
)
def test_what_is_wrong_is_named(given: dict[str, object], place: str) -> None:
    with pytest.raises(ValidationError) as caught:
        MatchSettings.defaults(SPACEBALLS.info, **given)
    (fault,) = caught.value.errors()
    assert fault["loc"] == (place,)


def test_a_delay_needs_fixed_ticks() -> None:
    with pytest.raises(ValidationError, match="action_delay needs pace realtime"):
        MatchSettings.defaults(SPACEBALLS.info, action_delay=1)


def test_settings_are_a_value() -> None:
    settings = MatchSettings.defaults(SPACEBALLS.info)
    with pytest.raises(ValidationError, match="frozen"):
        settings.tick_ms = 5  # type: ignore[misc]  # That is the point.
    assert settings == MatchSettings.model_validate(settings.model_dump(mode="json"))
