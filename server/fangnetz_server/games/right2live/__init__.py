"""Right2Live: tag on a poisoned grid for 2 to 20 bots."""

from fangnetz_server.games.right2live.game import GAME

__all__ = ["GAME"]
