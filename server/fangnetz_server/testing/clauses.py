"""The clauses of the contract: each yields the problems that it finds in a trial."""

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Final, TypeAlias

import orjson

from fangnetz_server.games.contract import InvalidAction, JsonObject, Outcome, SetupError
from fangnetz_server.testing.garbage import spoiled
from fangnetz_server.testing.trial import Trial
from fangnetz_server.testing.values import json_faults, mutable_parts

__all__ = ["CLAUSES", "Clause"]

Clause: TypeAlias = Callable[[Trial], Iterator[str]]
Problems: TypeAlias = Iterator[str]

ENVELOPE: Final = frozenset({"type", "match", "tick", "deadline_ms", "bank_ms", "last_action", "missed"})
"""Names of an observation or a frame besides the game's part (protocol P2, P3)."""


def sensible_info(trial: Trial) -> Problems:
    """The facts about the game can be used as they are."""
    info = trial.game.info
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,31}", info.id):
        yield f"info.id should be a short word of a-z, 0-9 and _, not {info.id!r}"
    if not 1 <= info.min_seats <= info.max_seats <= 64:
        yield f"there should be 1 to 64 seats, not {info.min_seats} to {info.max_seats}"
    if info.rules_version < 1 or info.tick_ms < 1 or info.deadline_ms < 1:
        yield "rules_version, tick_ms and deadline_ms should be at least 1"
    if not info.min_seats <= trial.start.seat_count <= info.max_seats:
        yield f"the start position has {trial.start.seat_count} seats"


def frozen_states(trial: Trial) -> Problems:
    """No part of a state can be changed."""
    for state in (trial.start, trial.end):
        yield from mutable_parts(state, "state")


def ticks_count_up(trial: Trial) -> Problems:
    """Each step leads to the next tick, with the same seats."""
    for turn in trial.turns:
        if turn.after.tick != turn.before.tick + 1:
            yield f"a step leads from tick {turn.before.tick} to tick {turn.after.tick}"
        if turn.after.seat_count != turn.before.seat_count:
            yield f"the step to tick {turn.after.tick} changes the number of seats"


def untouched_inputs(trial: Trial) -> Problems:
    """No function changes what it is given."""
    game, setup = trial.game, deepcopy(trial.setup)
    game.prepare(trial.seed, setup)
    if setup != trial.setup:
        yield "prepare changes its setup"
    for turn in trial.turns:
        before, actions, order = game.fingerprint(turn.before), list(turn.actions), list(trial.seats)
        game.step(turn.before, actions, order)
        if game.fingerprint(turn.before) != before:
            yield f"the step from tick {turn.before.tick} changes the state that it is given"
        if tuple(actions) != turn.actions or tuple(order) != trial.seats:
            yield f"the step from tick {turn.before.tick} changes its actions or its order"


def same_again(trial: Trial) -> Problems:
    """The same seed, setup and actions give the same match, for any order too (decision 2)."""
    game = trial.game
    state = trial.prepare_again()
    if state != trial.start or game.fingerprint(state) != game.fingerprint(trial.start):
        yield "prepare gives another state for the same seed and setup"
    backwards = trial.seats[::-1]
    for turn in trial.turns:
        state = game.step(state, turn.actions)
        if state != turn.after or game.fingerprint(state) != game.fingerprint(turn.after):
            yield f"the same actions give another state at tick {turn.after.tick}"
        one, other = (game.step(turn.before, turn.actions, backwards) for _ in range(2))
        if one != other:
            yield f"the same order gives another state at tick {turn.after.tick}"


def replayable(trial: Trial) -> Problems:
    """A match can be played again from what its replay holds, through JSON and back."""
    game = trial.game
    state = game.prepare(trial.seed, _copy(game.export_setup(trial.start)))
    if state != trial.start or game.fingerprint(state) != game.fingerprint(trial.start):
        yield "prepare gives another state for an exported setup"
    for turn in trial.turns:
        parts = [None if action is None else _copy(game.export_action(action)) for action in turn.actions]
        actions = [None if part is None else game.parse_action(part) for part in parts]
        if tuple(actions) != turn.actions:
            yield f"parse_action reads another action from an exported one: {parts}"
        state = game.step(state, actions)
        if game.fingerprint(state) != game.fingerprint(turn.after):
            yield f"the replay differs at tick {turn.after.tick}"


def exact_fingerprints(trial: Trial) -> Problems:
    """Different states have different fingerprints."""
    prints = [trial.game.fingerprint(state) for state in trial.states]
    if not all(isinstance(one, bytes) and one for one in prints):
        yield "a fingerprint should be bytes"
    if len(set(prints)) != len(prints):
        yield "two states of a match have the same fingerprint, although their ticks differ"
    for turn, before, after in zip(trial.turns, prints, prints[1:], strict=False):
        if (turn.before == turn.after) != (before == after):
            yield f"fingerprints and equality disagree for the ticks {turn.before.tick} and {turn.after.tick}"


def json_parts(trial: Trial) -> Problems:
    """Everything that goes out is plain JSON with finite numbers, and views change no state."""
    for state in trial.states:
        before = trial.game.fingerprint(state)
        for name, part in _parts(trial, state):
            yield from json_faults(part, name)
            orjson.dumps(part)
        if trial.game.fingerprint(state) != before:
            yield f"a view changes the state of tick {state.tick}"


def secret_seed(trial: Trial) -> Problems:
    """No bot and no spectator learns the seed."""
    for state in (trial.start, trial.end):
        for name, part in _parts(trial, state):
            if str(trial.seed).encode() in orjson.dumps(part):
                yield f"{name} holds the match seed"


def full_roster(trial: Trial) -> Problems:
    """Each frame lists every seat under the key that the info names."""
    for state in trial.states:
        roster = trial.game.frame(state).get(trial.game.info.roster)
        if not isinstance(roster, list | tuple) or len(roster) != state.seat_count:
            yield f"frame.{trial.game.info.roster} should have one entry a seat"
        elif not all(isinstance(entry, dict) for entry in roster):
            yield f"the entries of frame.{trial.game.info.roster} should be objects"


def envelope_keys(trial: Trial) -> Problems:
    """No game part uses a name of the message that carries it."""
    for state in (trial.start, trial.end):
        for name, part in _parts(trial, state):
            if taken := ENVELOPE & set(part):
                yield f"{name} has the key {min(taken)!r}, which belongs to the message round it"


def full_ruleset(trial: Trial) -> Problems:
    """The ruleset in force is given with every field, so that it makes the same ruleset again."""
    game = trial.game
    ruleset = game.ruleset(trial.start)
    again = game.prepare(trial.seed, {**trial.setup, "ruleset": _copy(ruleset)})
    if game.ruleset(again) != ruleset or game.ruleset(trial.end) != ruleset:
        yield "the ruleset is not the one that was given"


def ends(trial: Trial) -> Problems:
    """A match ends, at the latest with its last tick."""
    last = trial.game.last_tick(trial.start)
    if trial.outcome is None:
        yield f"the match has not ended after {len(trial.turns)} ticks"
    elif last is not None and trial.end.tick > last:
        yield f"the match ends with tick {trial.end.tick}, after its last tick {last}"


def well_formed_outcome(trial: Trial) -> Problems:
    """An outcome has a reason, and a place and points for every seat."""
    if trial.outcome is not None:
        yield from _outcome_faults(trial.outcome, trial.start.seat_count)


def fair_walkover(trial: Trial) -> Problems:
    """Who does not show up is never placed before one who does."""
    every = frozenset(trial.seats)
    for absent in (
        *(frozenset({seat}) for seat in trial.seats),
        *(every - {seat} for seat in trial.seats),
        every,
    ):
        outcome = trial.game.walkover(trial.start, absent, "walkover")
        yield from _outcome_faults(outcome, trial.start.seat_count)
        if outcome.reason != "walkover":
            yield f"the reason of a walkover should be the given one, not {outcome.reason!r}"
        present = [outcome.places[seat] for seat in every - absent]
        if present and min(outcome.places[seat] for seat in absent) <= max(present):
            yield f"absent seats {sorted(absent)} get the places {outcome.places}"


def blocked_actions(trial: Trial) -> Problems:
    """Only an action that was given can have been denied (P2.1)."""
    for turn in trial.turns:
        for seat in trial.seats:
            blocked: object = trial.game.was_blocked(turn.after, seat)
            if not isinstance(blocked, bool):
                yield f"was_blocked should be a bool, not {blocked!r}"
            elif blocked and turn.actions[seat] is None:
                yield f"seat {seat} gave no action at tick {turn.after.tick}, but was blocked"


def robust_actions(trial: Trial) -> Problems:
    """A wrong action raises InvalidAction; everything that is read can be played and exported."""
    for part in _wrong_actions(trial):
        try:
            action = trial.game.parse_action(part)
        except InvalidAction:
            continue
        except Exception as error:
            yield f"parse_action raises {type(error).__name__} for {part!r:.80}: {error}"
            continue
        if trial.game.outcome(trial.start) is None:
            after = trial.game.step(trial.start, [action] * trial.start.seat_count)
            yield from json_faults(trial.game.frame(after), "frame")
        yield from json_faults(trial.game.export_action(action), "export_action")


def ignored_keys(trial: Trial) -> Problems:
    """Keys of an action that are not the game's do not matter."""
    for sample in trial.samples:
        more = {**sample, "type": "action", "match": "m", "tick": 3, "no_such_key": [None]}
        if trial.game.parse_action(more) != trial.game.parse_action(sample):
            yield f"parse_action reads something else when {sample} has more keys"


def robust_setups(trial: Trial) -> Problems:
    """A wrong setup raises SetupError, an unknown key too."""
    try:
        trial.game.prepare(trial.seed, {**trial.setup, "no_such_key": 1})
        yield "prepare takes an unknown key"
    except SetupError:
        pass
    for setup in spoiled(_copy(trial.game.export_setup(trial.start))):
        try:
            trial.game.prepare(trial.seed, setup)
        except SetupError as error:
            if not error.where or not error.problem:
                yield f"the SetupError for {setup!r:.80} names no place or no problem"
        except Exception as error:
            yield f"prepare raises {type(error).__name__} for {setup!r:.200}: {error}"


CLAUSES: Final[tuple[Clause, ...]] = (
    sensible_info,
    frozen_states,
    ticks_count_up,
    untouched_inputs,
    same_again,
    replayable,
    exact_fingerprints,
    json_parts,
    secret_seed,
    full_roster,
    envelope_keys,
    full_ruleset,
    ends,
    well_formed_outcome,
    fair_walkover,
    blocked_actions,
    robust_actions,
    ignored_keys,
    robust_setups,
)


def _parts(trial: Trial, state: Any) -> Iterator[tuple[str, JsonObject]]:
    """Yield everything that leaves the game for this state, with its name."""
    game = trial.game
    yield "frame", game.frame(state)
    yield "briefing for spectators", game.briefing(state, None)
    for seat in trial.seats:
        yield f"observation of seat {seat}", game.observe(state, seat)
        yield f"briefing of seat {seat}", game.briefing(state, seat)


def _outcome_faults(outcome: Outcome, seats: int) -> Problems:
    if not isinstance(outcome.reason, str) or not 1 <= len(outcome.reason) <= 40:
        yield f"a reason should be a short word, not {outcome.reason!r}"
    if len(outcome.points) != seats or len(outcome.places) != seats:
        yield f"an outcome of {seats} seats has {len(outcome.points)} points and {len(outcome.places)} places"
    yield from json_faults(list(outcome.points), "points")
    # Equal seats share a place and the next one is left out, so a place counts those before it.
    if list(outcome.places) != [1 + sum(other < own for other in outcome.places) for own in outcome.places]:
        yield f"places should be like 1, 1, 3, not {outcome.places}"


def _wrong_actions(trial: Trial) -> Iterator[JsonObject]:
    yield {}
    for sample in trial.samples:
        yield from spoiled(_copy(sample))


def _copy(part: Any) -> Any:
    """Return the part as it comes back from a file."""
    return orjson.loads(orjson.dumps(part))
