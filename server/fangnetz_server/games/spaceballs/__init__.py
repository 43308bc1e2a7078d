"""Spaceballs: a duel of two balls with inertia."""

from fangnetz_server.games.spaceballs.game import GAME

__all__ = ["GAME"]
