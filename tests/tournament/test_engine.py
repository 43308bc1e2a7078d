"""What holds for every format: same history, same pairings; and the order of nothing matters."""

import subprocess
import sys
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fangnetz_server.tournament.engine import is_complete, next_pairings
from fangnetz_server.tournament.lots import SEED_LIMIT, lot
from fangnetz_server.tournament.ratings import rating_history
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.standings import standings
from fangnetz_server.tournament.values import History, MatchFact, Pairing, SeatFact
from support.tournaments import Judge, duel_fact, facts_of, play, spec_of

FORMATS: dict[str, dict[str, Any]] = {
    "round_robin": {},
    "swiss": {"rounds": 4},
    "knockout": {},
    "double_elimination": {},
    "groups": {"groups": 3},
    "free_for_all": {"seats": 3, "repetitions": 4},
    "ladder": {"meetings": 4},
}
NAMES = ["kea", "emu", "owl", "jay", "auk", "tit", "ani", "hen", "roc"]


def spec(kind: str, names: list[str], seed: int = 1) -> TournamentSpec:
    return spec_of(kind, names, "right2live", options=FORMATS[kind], seed=seed)


def any_result(seed: int) -> Judge:
    """Return a judge whose results depend on the pairing alone."""

    def judge(pairing: Pairing) -> MatchFact:
        if len(pairing.seats) == 2:
            pick = lot(seed, "test", pairing.id) % 3
            return duel_fact(pairing, None if pick == 2 else sorted(pairing.seats)[pick])
        points = {bot: float(lot(seed, "test", pairing.id, bot) % 5) for bot in pairing.seats}
        order = sorted(points.values(), reverse=True)
        seats = (SeatFact(bot, points[bot], 1 + order.index(points[bot])) for bot in pairing.seats)
        return MatchFact(pairing.id, tuple(seats), "no_blue_left")

    return judge


@pytest.mark.parametrize("kind", FORMATS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000), salt=st.integers(0, 1_000_000))
def test_it_goes_on_from_any_point_as_if_nothing_had_happened(kind: str, seed: int, salt: int) -> None:
    """Crash after any result: with the same history, in any order, the same pairings follow."""
    random = Random(salt)
    tournament = spec(kind, random.sample(NAMES, len(NAMES)), seed)
    straight = play(spec(kind, NAMES, seed), any_result(seed))
    history = History()
    while True:
        new = next_pairings(tournament, history)
        assert next_pairings(tournament, history) == new
        open_ = [pairing for pairing in (*history.open(), *new) if not pairing.is_bye]
        if not open_:
            break
        ended = random.sample(open_, random.randint(1, len(open_)))
        facts = [*history.facts, *facts_of(ended, any_result(seed))]
        pairings = [*history.pairings, *new]
        random.shuffle(facts)
        random.shuffle(pairings)
        history = History(tuple(pairings), tuple(facts))
    if kind != "ladder":
        # A ladder pairs whoever is free, so there the result depends on when games end.
        assert history.pairings == straight.pairings
        assert history.results == straight.results
        assert standings(tournament, history) == standings(tournament, straight)
        assert rating_history(history) == rating_history(straight)
    assert is_complete(tournament, history)


@pytest.mark.parametrize("kind", FORMATS)
def test_ids_are_unique_and_seeds_are_shared_by_pairs_only(kind: str) -> None:
    pairings = play(spec(kind, NAMES), any_result(1)).pairings
    assert len({pairing.id for pairing in pairings}) == len(pairings)
    assert all(0 <= pairing.seed < SEED_LIMIT for pairing in pairings)
    fields: dict[int, list[Pairing]] = {}
    for pairing in pairings:
        if not pairing.is_bye:
            fields.setdefault(pairing.seed, []).append(pairing)
    for games in fields.values():
        if kind == "free_for_all":
            assert len({game.round for game in games}) == 1
        elif len(games) == 2:
            assert games[0].seats == games[1].seats[::-1]
        else:
            assert len(games) == 1


@pytest.mark.parametrize("kind", FORMATS)
def test_another_seed_gives_another_tournament(kind: str) -> None:
    one, other = (next_pairings(spec(kind, NAMES, seed), History()) for seed in (1, 2))
    assert {pairing.seed for pairing in one if not pairing.is_bye}.isdisjoint(p.seed for p in other if p.seed)


@pytest.mark.parametrize("kind", FORMATS)
def test_pairings_do_not_change_between_processes(kind: str) -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from fangnetz_server.tournament.values import History\n"
        "from fangnetz_server.tournament.engine import next_pairings\n"
        "from support.tournaments import spec_of\n"
        f"spec = spec_of({kind!r}, {NAMES!r}, 'right2live', options={FORMATS[kind]!r})\n"
        "print(next_pairings(spec, History()))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True,
            check=True, cwd=_root(),
        ).stdout
        for hash_seed in ("1", "2")
    }  # fmt: skip
    assert outputs == {f"{next_pairings(spec(kind, NAMES), History())}\n"}


def _root() -> str:
    return __file__.rsplit("/tests/", 1)[0]
