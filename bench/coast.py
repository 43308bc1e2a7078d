"""One bot, twice: with the SDK, and as a program that reads and writes lines."""

from typing import Final

from fangnetz import SpaceballsBot, Thrust
from fangnetz_protocol.spaceballs import Observation

__all__ = ["LINES", "Coast"]


class Coast(SpaceballsBot):
    """Never thrusts."""

    def decide(self, observation: Observation) -> Thrust:
        return Thrust(thrust=(0.0, 0.0))


LINES: Final = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "observation":
        print(json.dumps({"type": "action", "tick": message["tick"], "thrust": [0, 0]}), flush=True)
"""
"""The same as a Python program for the bridge."""
