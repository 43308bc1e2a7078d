"""Thousands of matches in which anything happens in any order."""

from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from fangnetz_server.match.phases import Phase
from support.chaos import ANSWERS, GARBAGE, TABLES, Chaos

SEATS = st.integers(0, 2)
PARTS = st.sampled_from(ANSWERS + GARBAGE) | st.dictionaries(
    st.sampled_from(["move", "view", "thrust", "step"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
        max_leaves=5,
    ),
)


class AnyMatch(RuleBasedStateMachine):
    """Hypothesis chooses what happens; `Chaos` checks what has to hold."""

    chaos: Chaos

    @initialize(
        table=st.sampled_from(sorted(TABLES)),
        pace=st.sampled_from([("lockstep", 0), *(("realtime", delay) for delay in range(4))]),
        bank_ms=st.sampled_from([0, 60]),
        on_disconnect=st.sampled_from(["neutral", "forfeit"]),
        started=st.booleans(),
    )
    def open(
        self, table: str, pace: tuple[str, int], bank_ms: int, on_disconnect: str, started: bool
    ) -> None:
        self.chaos = Chaos(
            table, pace=pace[0], action_delay=pace[1], bank_ms=bank_ms, on_disconnect=on_disconnect
        )
        if started:
            for seat in range(self.chaos.seats):
                self.chaos.connect(seat)
            for seat in range(self.chaos.seats):
                self.chaos.ready(seat)

    @rule(seat=SEATS)
    def connect(self, seat: int) -> None:
        self.chaos.connect(seat % self.chaos.seats)

    @rule(seat=SEATS)
    def disconnect(self, seat: int) -> None:
        self.chaos.disconnect(seat % self.chaos.seats)

    @rule(seat=SEATS)
    def ready(self, seat: int) -> None:
        self.chaos.ready(seat % self.chaos.seats)

    @rule(seat=SEATS, back=st.integers(-2, 5) | st.sampled_from([10**9, -(10**9)]), part=PARTS)
    def act(self, seat: int, back: int, part: dict[str, Any]) -> None:
        self.chaos.act(seat % self.chaos.seats, back, part)

    @rule(part=st.sampled_from(ANSWERS))
    def all_act(self, part: dict[str, Any]) -> None:
        self.chaos.all_act(part)

    @rule(ms=st.sampled_from([0, 1, 10, 39.9, 40, 50, 51, 100, 200, 1000]))
    def wait(self, ms: float) -> None:
        self.chaos.wait(ms)

    @rule(ms=st.sampled_from([0, 3, 60, 500]))
    def stall(self, ms: float) -> None:
        self.chaos.stall(ms)

    @rule(seat=SEATS)
    def leave(self, seat: int) -> None:
        self.chaos.leave(seat % self.chaos.seats)

    @rule()
    def hold(self) -> None:
        self.chaos.hold()

    @rule()
    def step(self) -> None:
        self.chaos.step()

    @precondition(lambda self: not self.chaos.arena.is_in(Phase.OVER))
    @rule(sure=st.integers(0, 9))
    def abort(self, sure: int) -> None:
        if sure == 9:
            self.chaos.abort()

    def teardown(self) -> None:
        if hasattr(self, "chaos"):
            self.chaos.finish()


AnyMatch.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestAnyMatch = AnyMatch.TestCase


@pytest.mark.parametrize("pace", ["lockstep", "realtime"])
@pytest.mark.parametrize("table", TABLES)
def test_hundreds_of_wild_matches(table: str, pace: str) -> None:
    """The same by plain dice, which reach long matches more often than a search for short ones."""
    reasons = set()
    for seed in range(100):
        chance = Random(f"{table}/{pace}/{seed}")
        chaos = Chaos(
            table,
            pace=pace,
            action_delay=chance.randrange(4) if pace == "realtime" else 0,
            bank_ms=chance.choice([0, 60]),
            on_disconnect=chance.choice(["neutral", "forfeit"]),
        )
        play_wildly(chaos, chance)
        chaos.finish()
        reasons.add(chaos.arena.result.reason)
    assert "aborted" in reasons
    assert reasons & {"forfeit", "walkover"}
    assert reasons & {"time_over", "all_caught", "timeout", "max_rounds", "no_blue_left"}


def play_wildly(chaos: Chaos, chance: Random) -> None:
    for come in (chaos.connect, chaos.ready):
        for seat in range(chaos.seats):
            if chance.random() < 0.95:
                come(seat)
    for _ in range(chance.randrange(120)):
        seat = chance.randrange(chaos.seats)
        match chance.choices(range(10), weights=[8, 2, 6, 30, 20, 15, 4, 0.2, 1, 1])[0]:
            case 0:
                chaos.connect(seat)
            case 1:
                chaos.disconnect(seat)
            case 2:
                chaos.ready(seat)
            case 3:
                back = chance.choice([0, 0, 0, 0, 1, 1, 2, 3, 7, -1])
                chaos.act(seat, back, chance.choice(ANSWERS + ANSWERS + GARBAGE))
            case 4:
                chaos.all_act(chance.choice(ANSWERS))
            case 5:
                chaos.wait(chance.choice([0, 1, 10, 40, 50, 55, 120]))
            case 6:
                chaos.stall(chance.choice([2, 60, 300]))
            case 7:
                chaos.leave(seat) if chance.random() < 0.5 else chaos.abort()
            case 8:
                chaos.hold()
            case 9:
                chaos.step()
