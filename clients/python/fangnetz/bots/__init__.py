"""The reference bots: three strengths a game, written to be read.

Each module `GAME_STRENGTH` defines one bot; `fangnetz-bot run GAME:STRENGTH` runs it.
"""

from typing import Final

__all__ = ["STRENGTHS"]

STRENGTHS: Final = ("random", "simple", "strong")
