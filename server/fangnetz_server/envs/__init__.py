"""Environments for training: PettingZoo and Gymnasium for one match, NumPy for thousands.

They need the extra `rl`: pip install 'fangnetz-server[rl]'. `docs/how-to/train-a-bot.md` shows how.
"""

from fangnetz_server.envs.batch import Ended, SpaceballsBatch
from fangnetz_server.envs.right2live import Right2LiveEnv
from fangnetz_server.envs.single import SingleAgentEnv
from fangnetz_server.envs.spaceballs import SpaceballsEnv
from fangnetz_server.envs.starts import Starts

__all__ = ["Ended", "Right2LiveEnv", "SingleAgentEnv", "SpaceballsBatch", "SpaceballsEnv", "Starts"]
