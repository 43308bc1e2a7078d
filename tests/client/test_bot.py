"""The base classes of bots, without a server."""

import pytest

from fangnetz import Bot, Move, Right2LiveBot, SpaceballsBot, Thrust
from fangnetz.bot import __all__ as bots
from fangnetz_protocol.messages import MatchStart
from fangnetz_protocol.words import Direction
from support.scripted import start

RIGHT2LIVE = MatchStart.model_validate(start(game="right2live", seat=1, setup={"map": ["..", ".#"]}))
SPACEBALLS = MatchStart.model_validate(start())


def test_a_seat_gives_a_bot_its_match_and_its_setup() -> None:
    runner, ball = Right2LiveBot(), SpaceballsBot()
    runner.take_seat(RIGHT2LIVE)
    ball.take_seat(SPACEBALLS)
    assert (runner.seat, runner.setup.map) == (1, ("..", ".#"))
    assert (ball.seat, ball.setup.mine_radius) == (0, 0.05)


def test_decide_is_the_one_method_to_write() -> None:
    with pytest.raises(NotImplementedError, match=r"SpaceballsBot has to implement decide"):
        SpaceballsBot().decide(None)  # type: ignore[arg-type]


def test_actions_become_game_parts() -> None:
    assert Right2LiveBot.write(Move(move=Direction.EAST)) == {"move": "EAST"}
    assert Right2LiveBot.write(Move(view=Direction.WEST)) == {"move": "NONE", "view": "WEST"}
    assert SpaceballsBot.write(Thrust(thrust=(1, 2))) == {"thrust": (1.0, 2.0)}
    assert Bot.write({"take": 3}) == {"take": 3}


@pytest.mark.parametrize("bot", [Right2LiveBot, SpaceballsBot, Bot])
def test_anything_else_is_no_action(bot: type[Bot[object, object]]) -> None:
    with pytest.raises(TypeError, match=r"decide\(\) has to return a"):
        bot.write("left")


def test_neutral_actions_are_those_of_the_rules() -> None:
    assert Right2LiveBot().neutral() == Move(move=Direction.NONE, view=None)
    assert SpaceballsBot().neutral() == Thrust(thrust=(0.0, 0.0))
    assert Bot().neutral() is None


def test_all_bases_can_be_imported_from_the_package() -> None:
    import fangnetz

    assert set(bots) <= set(fangnetz.__all__)
    assert all(getattr(fangnetz, name) is not None for name in fangnetz.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Dot'"):
        fangnetz.Dot  # noqa: B018
