"""Bots of the SDK as opponents in an environment. The only place of the server that knows them."""

from collections.abc import Callable
from typing import Any

from fangnetz.bot import Bot
from fangnetz.loading import load_bot, seeded
from fangnetz.local import LocalSeat
from fangnetz_protocol.words import SeatId
from fangnetz_server.games.contract import Game, GameState

__all__ = ["Opponent", "seat_opponents"]

Opponent = str | Callable[[], Bot[Any, Any]]
"""A bot as `fangnetz-bot run` takes it, such as "spaceballs:random", a bot class or another factory."""


def seat_opponents(
    game: Game[Any, Any], state: GameState, opponent: Opponent, own: SeatId, seed: int
) -> dict[SeatId, LocalSeat]:
    """Put a new bot on every seat but the own one, and let it prepare.

    Args:
        game, state: the match, at its beginning.
        opponent: where the bots come from.
        own: the seat that stays free.
        seed: of their chance, if they take one.

    Raises:
        WrongUse: there is no such bot.
    """
    make = seeded(load_bot(opponent), seed) if isinstance(opponent, str) else opponent
    names = ["agent" if seat == own else "opponent" for seat in range(state.seat_count)]
    seats = {
        SeatId(seat): LocalSeat(game, SeatId(seat), make(), names)
        for seat in range(state.seat_count)
        if seat != own
    }
    for seat in seats.values():
        seat.begin(state)
    return seats
