"""Everybody against everybody."""

from fangnetz_server.tournament.crosstable import Record, crosstable
from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.values import BotKey, History
from support.tournaments import duel_fact, favourite, play, spec_of

A, B, C = BotKey("a"), BotKey("b"), BotKey("c")


def test_wins_draws_and_losses_against_each() -> None:
    spec = spec_of("round_robin", 3, options={"legs": 3})
    winners = {1: "a", 2: None, 3: "b"}
    history = play(spec, lambda pairing: duel_fact(pairing, winners[pairing.game]))
    table = crosstable(spec, history, (A, B))
    assert table.bots == (A, B)
    assert table.cells[0][0] is None
    assert table.cells[0][1] == Record(1, 1, 1, 1.5)
    assert str(table.cells[1][0]) == "1W-1D-1L"


def test_both_sides_of_a_cell_agree() -> None:
    spec = spec_of("round_robin", 5)
    cells = crosstable(spec, play(spec), spec.bots()).cells
    for i in range(5):
        for j in range(i):
            one, other = cells[i][j], cells[j][i]
            assert one is not None
            assert other is not None
            assert (one.wins, one.draws, one.losses) == (other.losses, other.draws, other.wins)
            assert one.played == 2


def test_who_has_not_met_has_no_record() -> None:
    spec = spec_of("swiss", 4, options={"rounds": 1})
    cells = crosstable(spec, play(spec), (A, B)).cells
    assert cells == ((None, None), (None, None))


def test_a_contest_counts_who_was_before_whom() -> None:
    spec = spec_of("free_for_all", 3, "right2live", options={"repetitions": 2})
    pairings = next_pairings(spec, History())
    history = History(pairings, tuple(map(favourite, pairings)))
    assert crosstable(spec, history, (C, A)).cells == ((None, Record(0, 0, 2)), (Record(2, 0, 0), None))
