"""A round as four stages, each from a state to a state (R2.3)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from fangnetz_protocol.words import Direction, Right2LiveReason, SeatId
from fangnetz_server.games.right2live.points import blue_points, forced_round, red_points
from fangnetz_server.games.right2live.state import (
    BLUE,
    RED,
    Action,
    Blocked,
    Caught,
    Event,
    Forced,
    Player,
    Poisoned,
    State,
    Turn,
)

__all__ = ["RIGHT2LIVE", "apply_poison", "change_teams", "judge_end", "move_players", "play_round"]

_NONE: Final = Direction.NONE


def move_players(state: State, turn: Turn) -> State:
    """Open the next round: turn the views, then step one after the other (R3)."""
    players = list(state.players)
    taken = {player.field for player in players}
    blocked = []
    for seat in turn.order:
        before = players[seat]
        players[seat] = after = _moved(state, before, turn.actions[seat], taken)
        if after.field != before.field:
            # R3.3: a field that an earlier step has left is free.
            taken.remove(before.field)
            taken.add(after.field)
        elif (action := turn.actions[seat]) is not None and action.move is not _NONE:
            blocked.append(seat)
    events = tuple(Blocked(seat) for seat in sorted(blocked))
    return _next(state, state.tick + 1, state.last_change, tuple(players), events)


def _moved(state: State, player: Player, action: Action | None, taken: set[int]) -> Player:
    """Return the player after his own action; `taken` are the fields with players on them."""
    field, view, standing = player.field, player.view, player.standing + 1
    if action is not None:
        # R3.4: the view is taken over even if the step fails.
        view = action.view or view
        move = action.move
        if move is not _NONE and state.arena.can_step(field, move):
            target = field + state.arena.steps[move]
            if target not in taken:
                field, standing = target, 1
    return Player(field, view, player.team, player.life, standing, player.points)


def apply_poison(state: State, turn: Turn) -> State:
    """Take from each BLUE the toxicity of his field times his rounds on it (R4)."""
    toxicity = state.arena.toxicity
    players = tuple(
        Player(p.field, p.view, BLUE, p.life - toxicity[p.field] * p.standing, p.standing, p.points)
        if p.team is BLUE
        else p
        for p in state.players
    )
    return _next(state, state.tick, state.last_change, players, state.events)


def change_teams(state: State, turn: Turn) -> State:
    """Turn BLUE players RED by poison, by touch or by force, and share out the points (R5, R6)."""
    changes: tuple[Poisoned | Caught | Forced, ...] = (*_poisoned(state), *_caught(state))
    if not changes:
        changes = tuple(_forced(state))
    if not changes:
        return state
    gains = _gains(state, changes)
    changed = {change.seat for change in changes}
    players = tuple(
        Player(
            p.field, p.view, RED if seat in changed else p.team, p.life, p.standing, p.points + gains[seat]
        )
        for seat, p in enumerate(state.players)
    )
    return _next(state, state.tick, state.tick, players, state.events + changes)


def _poisoned(state: State) -> Iterator[Poisoned]:
    for seat, player in enumerate(state.players):
        if player.team is BLUE and player.life <= 0:
            yield Poisoned(SeatId(seat))


def _caught(state: State) -> Iterator[Caught]:
    stride = state.arena.stride
    around = 7 | 5 << stride | 7 << 2 * stride
    reds = sum(1 << player.field for player in state.players if player.team is RED)
    for seat, player in enumerate(state.players):
        near = player.team is BLUE and reds >> player.field - stride - 1 & around
        # R5.1 comes first: one without life is poisoned, not caught.
        if near and player.life > 0 and (by := _touching(state, player.field, reds)):
            yield Caught(SeatId(seat), by)


def _touching(state: State, field: int, reds: int) -> tuple[SeatId, ...]:
    """Return the seats of all RED players who touch the one on `field` (R5.3)."""
    stride = state.arena.stride
    occupied = sum(1 << player.field for player in state.players)
    return tuple(
        SeatId(seat)
        for seat, player in enumerate(state.players)
        if player.team is RED
        and abs(player.field - field) in (1, stride - 1, stride, stride + 1)
        and state.arena.can_touch(player.field, field, occupied)
    )


def _forced(state: State) -> Iterator[Forced]:
    # R5.5: the last BLUE is never forced.
    if state.tick >= forced_round(state.last_change) and state.count(BLUE) >= 2:
        blues = [(player.life, seat) for seat, player in enumerate(state.players) if player.team is BLUE]
        yield Forced(SeatId(min(blues)[1]))


def _gains(state: State, changes: tuple[Poisoned | Caught | Forced, ...]) -> list[Fraction]:
    """Return the points that each seat gets for the changes of this round (R6)."""
    # R5.6: all formulas use the numbers from before the changes.
    blues, reds = state.count(BLUE), state.count(RED)
    gains = [Fraction(0)] * state.seat_count
    for change in changes:
        gains[change.seat] += blue_points(state.tick, reds)
        if isinstance(change, Caught):
            share = red_points(state.tick, state.last_change, blues, len(change.by))
            for seat in change.by:
                gains[seat] += share
    return gains


def judge_end(state: State, turn: Turn) -> State:
    """End the match when no BLUE is left, or after the last round (R7)."""
    if not any(player.team is BLUE for player in state.players):
        return replace(state, reason=Right2LiveReason.NO_BLUE_LEFT)
    if state.ruleset.max_rounds is None or state.tick < state.ruleset.max_rounds:
        return state
    # R7.2: each BLUE left gets the points of one who changes in this round.
    changes = sum(not isinstance(event, Blocked) for event in state.events)
    gain = blue_points(state.tick, state.count(RED) - changes)
    players = tuple(replace(p, points=p.points + gain) if p.team is BLUE else p for p in state.players)
    return replace(state, players=players, reason=Right2LiveReason.MAX_ROUNDS)


def _next(
    state: State, tick: int, last_change: int, players: tuple[Player, ...], events: tuple[Event, ...]
) -> State:
    return State(state.ruleset, state.arena, state.seed, tick, last_change, players, events)


RIGHT2LIVE: Final[tuple[Callable[[State, Turn], State], ...]] = (
    move_players,
    apply_poison,
    change_teams,
    judge_end,
)
"""The order inside a round (R2.3)."""


def play_round(state: State, turn: Turn) -> State:
    """Return the state after the next round."""
    for stage in RIGHT2LIVE:
        state = stage(state, turn)
    return state
