"""What holds in every position and for any actions, and each stage on its own."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from fangnetz_protocol.words import SeatId, Team
from fangnetz_server.games.right2live import GAME
from fangnetz_server.games.right2live.stages import (
    RIGHT2LIVE,
    apply_poison,
    change_teams,
    judge_end,
    move_players,
)
from fangnetz_server.games.right2live.state import Blocked, Caught, State, Turn
from support.right2live import actions_of, position
from support.right2live_any import actions, positions


@st.composite
def rounds(draw: st.DrawFn) -> tuple[State, State]:
    """Return a state and the one that follows it, in any match."""
    before = draw(positions())
    after = GAME.step(before, draw(actions(before.seat_count)))
    for _ in range(draw(st.integers(0, 4))):
        if GAME.outcome(after) is not None:
            break
        before, after = after, GAME.step(after, draw(actions(after.seat_count)))
    return before, after


@given(rounds())
def test_no_two_players_share_a_field_and_none_stands_in_a_wall(pair: tuple[State, State]) -> None:
    fields = [player.field for player in pair[1].players]
    assert len(set(fields)) == len(fields)
    assert all(pair[1].arena.free[field] for field in fields)


@given(rounds())
def test_a_step_is_at_most_one_field_long(pair: tuple[State, State]) -> None:
    for old, new in zip(pair[0].players, pair[1].players, strict=True):
        x, y = pair[0].arena.xy(old.field)
        new_x, new_y = pair[1].arena.xy(new.field)
        assert max(abs(new_x - x), abs(new_y - y)) <= 1
        assert new.standing == (old.standing + 1 if new.field == old.field else 1)


@given(rounds())
def test_life_falls_for_blue_and_stays_for_red(pair: tuple[State, State]) -> None:
    for old, new in zip(pair[0].players, pair[1].players, strict=True):
        loss = old.life - new.life
        field_loss = pair[1].arena.toxicity[new.field] * new.standing
        assert loss == (field_loss if old.team is Team.BLUE else 0)


@given(rounds())
def test_points_only_grow_and_only_when_a_team_changes_or_the_match_ends(pair: tuple[State, State]) -> None:
    before, after = pair
    gains = [new.points - old.points for old, new in zip(before.players, after.players, strict=True)]
    assert min(gains) >= 0
    changed = any(not isinstance(event, Blocked) for event in after.events)
    assert changed or after.reason is not None or sum(gains) == 0


@given(rounds())
def test_teams_change_in_one_direction_and_every_change_has_one_event(pair: tuple[State, State]) -> None:
    before, after = pair
    changed = [
        seat
        for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True))
        if old.team is not new.team
    ]
    assert all(after.players[seat].team is Team.RED for seat in changed)
    assert sorted(event.seat for event in after.events if not isinstance(event, Blocked)) == changed
    assert after.last_change == (after.tick if changed else before.last_change)
    blocked = [event.seat for event in after.events if isinstance(event, Blocked)]
    assert blocked == sorted(blocked), "the order of movement leaves no trace"


@given(rounds())
def test_only_who_was_red_catches(pair: tuple[State, State]) -> None:
    before, after = pair
    for event in after.events:
        if isinstance(event, Caught):
            assert event.by
            assert all(before.players[seat].team is Team.RED for seat in event.by)
            assert after.players[event.seat].life > 0


@given(rounds())
def test_the_match_is_over_exactly_when_the_rules_say_so(pair: tuple[State, State]) -> None:
    after = pair[1]
    blue = any(player.team is Team.BLUE for player in after.players)
    last = after.ruleset.max_rounds == after.tick
    outcome = GAME.outcome(after)
    assert (outcome is None) == (blue and not last)
    if outcome is not None:
        assert outcome.reason == ("max_rounds" if blue else "no_blue_left")
        assert sorted(outcome.places) == sorted(
            1 + sum(other > points for other in outcome.points) for points in outcome.points
        )


@given(positions(), st.data())
def test_the_same_input_gives_the_same_state_and_is_left_untouched(state: State, data: st.DataObject) -> None:
    given_actions = data.draw(actions(state.seat_count))
    copy = GAME.prepare(state.seed, GAME.export_setup(state))
    first, second = GAME.step(state, given_actions), GAME.step(copy, given_actions)
    assert first == second
    assert GAME.fingerprint(first) == GAME.fingerprint(second)
    assert state == copy


@given(positions(), st.data())
def test_moving_twice_in_another_order_only_differs_where_players_met(
    state: State, data: st.DataObject
) -> None:
    given_actions = data.draw(actions(state.seat_count))
    seats = [SeatId(seat) for seat in range(state.seat_count)]
    one = GAME.step(state, given_actions, seats)
    other = GAME.step(state, given_actions, data.draw(st.permutations(seats)))
    if not any(isinstance(event, Blocked) for event in one.events + other.events):
        assert one == other


def test_the_stages_come_in_the_order_of_the_rules() -> None:
    assert (move_players, apply_poison, change_teams, judge_end) == RIGHT2LIVE


def test_each_stage_does_its_part_alone() -> None:
    start = position("A.b#c", life={"b": 50})
    turn = Turn(tuple(actions_of(start, {"b": "W"})), (SeatId(2), SeatId(1), SeatId(0)))
    moved = move_players(start, turn)
    assert (moved.tick, moved.players[1].field, moved.players[1].life) == (1, start.arena.at(1, 0), 5000)
    poisoned = apply_poison(moved, turn)
    assert (poisoned.players[1].life, poisoned.players[1].team) == (4999, Team.BLUE)
    changed = change_teams(poisoned, turn)
    assert (changed.players[1].team, changed.players[0].points) == (Team.RED, Fraction(29))
    assert judge_end(changed, turn) is changed
