"""The contract suite: proves that a game can be played, watched and replayed by everything here.

Authors of games call it from their own tests:

    from fangnetz_server.testing import check_game


    def test_my_game_keeps_the_contract() -> None:
        check_game(GAME, samples=[{"step": 1}, {"step": -1}])
"""

from fangnetz_server.testing.clauses import CLAUSES
from fangnetz_server.testing.suite import check_game
from fangnetz_server.testing.trial import ContractViolation, Trial

__all__ = ["CLAUSES", "ContractViolation", "Trial", "check_game"]
