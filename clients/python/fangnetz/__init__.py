"""Write bots for Fangnetz: subclass `Right2LiveBot` or `SpaceballsBot`, implement `decide`, call `run`.

```python
from fangnetz import SpaceballsBot, Thrust, run


class Falling(SpaceballsBot):
    def decide(self, observation):
        return Thrust(thrust=(0.0, -1.0))


run(Falling, "ws://127.0.0.1:7474")
```
"""

from importlib import import_module
from typing import TYPE_CHECKING

from fangnetz_protocol.version import __version__

if TYPE_CHECKING:
    from fangnetz.bot import Bot, LeaveMatch, Right2LiveBot, SpaceballsBot
    from fangnetz.client import play
    from fangnetz.problems import Problem
    from fangnetz.runner import run
    from fangnetz_protocol.messages import MatchEnd, MatchStart
    from fangnetz_protocol.right2live import Move
    from fangnetz_protocol.spaceballs import Thrust
    from fangnetz_protocol.words import COMPASS, Direction, Team

__all__ = [
    "COMPASS",
    "Bot",
    "Direction",
    "LeaveMatch",
    "MatchEnd",
    "MatchStart",
    "Move",
    "Problem",
    "Right2LiveBot",
    "SpaceballsBot",
    "Team",
    "Thrust",
    "__version__",
    "play",
    "run",
]

_HOMES = {
    "COMPASS": "fangnetz_protocol.words",
    "Bot": "fangnetz.bot",
    "Direction": "fangnetz_protocol.words",
    "LeaveMatch": "fangnetz.bot",
    "MatchEnd": "fangnetz_protocol.messages",
    "MatchStart": "fangnetz_protocol.messages",
    "Move": "fangnetz_protocol.right2live",
    "Problem": "fangnetz.problems",
    "Right2LiveBot": "fangnetz.bot",
    "SpaceballsBot": "fangnetz.bot",
    "Team": "fangnetz_protocol.words",
    "Thrust": "fangnetz_protocol.spaceballs",
    "play": "fangnetz.client",
    "run": "fangnetz.runner",
}


def __getattr__(name: str) -> object:
    """Import a name when it is first used, so that `fangnetz-bot --help` need not wait for all of it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
