"""A bot of the SDK that reads and writes lines."""

import io
import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fangnetz import LeaveMatch, MatchEnd, MatchStart, SpaceballsBot, Thrust
from fangnetz.bridge.run import BridgeOptions, bridge
from fangnetz.lines import play_lines
from fangnetz.table import Playable
from fangnetz_protocol import spaceballs
from support.programs import answer
from support.scripted import Peer, ScriptedServer, observation, start

END = {
    "type": "match_end",
    "match": "m-1",
    "reason": "catch",
    "places": [1, 2],
    "points": [1.0, 0.0],
    "ticks": 7,
    "replay": None,
}


class Up(SpaceballsBot):
    """Thrusts up, and writes down what it hears."""

    heard: list[object]

    def start(self, match: MatchStart) -> None:
        self.heard = [match.match]
        heard.append(self.heard)

    def decide(self, observation: spaceballs.Observation) -> Thrust:
        return Thrust(thrust=(0.0, 1.0))

    def missed(self, ticks: Sequence[int]) -> None:
        self.heard.append(list(ticks))

    def end(self, result: MatchEnd) -> None:
        self.heard.append(result.points[self.seat])


heard: list[list[object]] = []


class UpLater(Up):
    """The same, but async."""

    async def start(self, match: MatchStart) -> None:  # type: ignore[override]  # Either is allowed.
        Up.start(self, match)

    async def decide(self, observation: spaceballs.Observation) -> Thrust:  # type: ignore[override]
        return Up.decide(self, observation)


class Failing(Up):
    def decide(self, observation: spaceballs.Observation) -> Thrust:
        raise RuntimeError("no idea")


class Leaving(Up):
    def decide(self, observation: spaceballs.Observation) -> Thrust:
        raise LeaveMatch("enough")


def played(bot: Playable, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a bot writes for some messages."""
    heard.clear()
    output = io.BytesIO()
    play_lines(bot, [json.dumps(message).encode() + b"\n" for message in messages], output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


@pytest.mark.parametrize("bot", [Up, UpLater])
def test_a_match(bot: type[Up]) -> None:
    said = played(bot, start(), observation(0), observation(3, missed=[1, 2]), END, start("m-2"))
    assert said == [answer(0, thrust=[0.0, 1.0]), answer(3, thrust=[0.0, 1.0])]
    assert heard == [["m-1", [1, 2], 1.0], ["m-2"]]


def test_what_it_does_not_know_does_no_harm() -> None:
    news = [{"type": "news"}, {"type": "notice", "code": "announcement", "message": "Lunch."}]
    assert played(Up, *news, observation(0), start(), *news, observation(0)) == [answer(0, thrust=[0.0, 1.0])]


def test_a_bot_that_fails_is_neutral(caplog: pytest.LogCaptureFixture) -> None:
    assert played(Failing, start(), observation(0)) == [answer(0, thrust=[0.0, 0.0])]
    assert "decide() failed" in caplog.text


def test_a_bot_may_leave() -> None:
    said = played(Leaving, start(), observation(0), observation(1))
    assert said == [{"type": "leave", "match": "m-1"}]


def test_a_match_of_another_game_is_left(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert played(Up, start(game="right2live")) == [{"type": "leave", "match": "m-1"}]


async def test_through_the_bridge_and_what_it_prints_is_no_answer(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert await peer.ask(0) == answer(0, thrust=[1.0, 0.0])
        await peer.end()
        await peer.until_closed()

    bot = tmp_path / "right.py"
    bot.write_text(
        "from fangnetz import SpaceballsBot, Thrust\n"
        "class Right(SpaceballsBot):\n"
        "    def decide(self, observation):\n"
        "        print('to the right')\n"
        "        return Thrust(thrust=(1, 0))\n",
        encoding="utf-8",
    )
    log = tmp_path / "bot.log"
    command = (sys.executable, "-m", "fangnetz", "lines", str(bot))
    async with ScriptedServer(script) as server:
        await bridge(BridgeOptions(command=command, server=server.url, matches=1, log=log))
    assert log.read_text().startswith("to the right")
