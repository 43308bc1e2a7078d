"""Write bots for Fangnetz: subclass `Right2LiveBot` or `SpaceballsBot`, implement `decide`, call `run`."""

from fangnetz.bot import Bot, Right2LiveBot, SpaceballsBot
from fangnetz_protocol.version import __version__

__all__ = ["Bot", "Right2LiveBot", "SpaceballsBot", "__version__"]
