"""Tournaments: entries, pairings, and the one result of each that counts."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.store import Store, opened_store
from fangnetz_server.store.errors import (
    PairingConflict,
    PairingDecided,
    TournamentConflict,
    TournamentHasResults,
    Unknown,
)
from fangnetz_server.store.values import AuditNote, Correction, Entry, MatchStart, PairingState
from fangnetz_server.tournament.values import BotKey, MatchFact, Pairing, PairingId
from support.stored import NOON, attempt, entries, pairing, replay_of, result_of, start_of

SPEC = {"game": "spaceballs", "format": {"kind": "round_robin", "legs": 2}}
FIRST, SECOND = pairing(1), pairing(2, "cleo", "ada")
BYE = replace(pairing(3, "bert"), seats=(BotKey("BERT"),))


@pytest.fixture
async def cup(store: Store) -> Store:
    """A store with a tournament of three bots and three pairings, one of them a bye."""
    await store.tournaments.create("cup", "The Cup", SPEC, entries("ada", "bert", "cleo"))
    await store.tournaments.add_pairings("cup", [FIRST, SECOND, BYE])
    return store


def match_of(of: Pairing, match: str, number: int = 1) -> MatchStart:
    """Return a match that plays a pairing."""
    return start_of(match, *(key.lower() for key in of.seats), pairing=attempt(of, number))


async def play(
    store: Store, of: Pairing, match: str, number: int = 1, places: Sequence[int | None] = (1, 2)
) -> None:
    """Play a pairing."""
    start = match_of(of, match, number)
    await store.matches.begin(start)
    await store.matches.finish(start, result_of(start, places), replay=replay_of(match), ended_at=NOON)


async def states(store: Store) -> dict[PairingId, tuple[PairingState, tuple[MatchId, ...], MatchId | None]]:
    """Return state, attempts and deciding match of every pairing that has been touched."""
    return {
        record.pairing.id: (record.state, record.matches, record.decided_by)
        for record in await store.tournaments.pairings("cup")
        if record.matches
    }


# --- the tournament ---------------------------------------------------------------------------


async def test_a_tournament_comes_back(cup: Store) -> None:
    found = await cup.tournaments.get("cup")
    assert (found.id, found.name, found.spec, found.state) == ("cup", "The Cup", SPEC, "created")
    assert await cup.tournaments.entries("cup") == tuple(entries("ada", "bert", "cleo"))
    assert await cup.tournaments.all() == (found,)


async def test_creating_the_same_again_changes_nothing(cup: Store) -> None:
    known = await cup.tournaments.get("cup")
    assert await cup.tournaments.create("cup", "The Cup", SPEC, entries("ada", "bert", "cleo")) == known
    with pytest.raises(TournamentConflict, match="another tournament 'cup'"):
        await cup.tournaments.create("cup", "The Cup", {**SPEC, "seed": 2}, [])
    assert await cup.tournaments.get("cup") == known


async def test_a_state_follows_only_from_those_that_allow_it(cup: Store) -> None:
    running = await cup.tournaments.set_state("cup", "running", of=("created", "paused"))
    assert running.state == "running"
    again = await cup.tournaments.set_state("cup", "running", of=("created", "paused"))
    assert again == running
    with pytest.raises(TournamentConflict, match="is running; it can become created only when it is paused"):
        await cup.tournaments.set_state("cup", "created", of=("paused",))
    assert [found.id for found in await cup.tournaments.all(states=("running",))] == ["cup"]
    assert await cup.tournaments.all(states=("created",)) == ()


async def test_unknown_tournaments(store: Store) -> None:
    tournaments = store.tournaments
    for call in (
        tournaments.get("cup"),
        tournaments.entries("cup"),
        tournaments.set_state("cup", "running"),
        tournaments.add_entry("cup", entries("ada")[0], SPEC),
        tournaments.withdraw("cup", BotKey("ADA")),
        tournaments.add_pairings("cup", [FIRST]),
        tournaments.pairings("cup"),
        tournaments.history("cup"),
        tournaments.release("cup", 1, "eve"),
    ):
        with pytest.raises(Unknown, match="no tournament 'cup'"):
            await call
    assert await tournaments.delete("cup") is False


# --- entries ----------------------------------------------------------------------------------


async def test_a_newcomer_joins_once(cup: Store) -> None:
    dora, longer = Entry(BotKey("DORA"), BotId("dora"), 4), {**SPEC, "entries": 4}
    await cup.tournaments.add_entry("cup", dora, longer)
    await cup.tournaments.add_entry("cup", dora, longer)
    assert (await cup.tournaments.entries("cup"))[-1] == dora
    assert (await cup.tournaments.get("cup")).spec == longer
    for other in (replace(dora, bot=BotId("other")), replace(dora, key=BotKey("OTHER"))):
        with pytest.raises(TournamentConflict, match="in tournament 'cup' already"):
            await cup.tournaments.add_entry("cup", other, longer)


async def test_a_bot_withdraws_for_good(cup: Store) -> None:
    bert = await cup.tournaments.withdraw("cup", BotKey("BERT"))
    assert bert.withdrawn_at is not None
    assert await cup.tournaments.withdraw("cup", BotKey("BERT")) == bert
    assert (await cup.tournaments.history("cup")).withdrawn == {"BERT"}
    with pytest.raises(Unknown, match="'EMIL'"):
        await cup.tournaments.withdraw("cup", BotKey("EMIL"))


# --- pairings ---------------------------------------------------------------------------------


async def test_pairings_come_back_in_playing_order(cup: Store) -> None:
    later_round = pairing(1, "bert", "cleo", round=2, map="ring")
    assert await cup.tournaments.add_pairings("cup", [later_round, FIRST]) == 1
    records = await cup.tournaments.pairings("cup")
    assert [record.pairing for record in records] == [FIRST, SECOND, BYE, later_round]
    assert {(record.state, record.matches, record.decided_by) for record in records} == {
        (PairingState.WAITING, (), None)
    }


async def test_a_pairing_that_was_drawn_otherwise_is_refused_with_all_others(cup: Store) -> None:
    other = replace(SECOND, seed=1)
    with pytest.raises(PairingConflict, match=r"pairing 'main\.1\.2\.1' is there already"):
        await cup.tournaments.add_pairings("cup", [pairing(9), other])
    with pytest.raises(PairingConflict):
        await cup.tournaments.add_pairings("cup", [pairing(9), replace(pairing(9), seed=1)])
    assert len(await cup.tournaments.pairings("cup")) == 3


async def test_a_thousand_pairings_at_once(cup: Store) -> None:
    many = [pairing(table) for table in range(10, 1510)]
    assert await cup.tournaments.add_pairings("cup", many) == 1500
    assert await cup.tournaments.add_pairings("cup", many) == 0


async def test_a_result_decides_its_pairing(cup: Store) -> None:
    await cup.matches.begin(match_of(FIRST, "m1"))
    assert await states(cup) == {FIRST.id: (PairingState.RUNNING, ("m1",), None)}
    await play(cup, FIRST, "m1")
    assert await states(cup) == {FIRST.id: (PairingState.DONE, ("m1",), "m1")}


async def test_a_result_without_points_leaves_it_open(cup: Store) -> None:
    await play(cup, FIRST, "m1", places=(None, None))
    assert await states(cup) == {FIRST.id: (PairingState.WAITING, ("m1",), None)}
    await play(cup, FIRST, "m2", 2)
    assert await states(cup) == {FIRST.id: (PairingState.DONE, ("m1", "m2"), "m2")}


async def test_a_lost_match_is_played_again(cup: Store) -> None:
    await cup.matches.begin(match_of(FIRST, "m1"))
    (unfinished,) = await cup.matches.unfinished()
    assert unfinished == match_of(FIRST, "m1")
    await cup.matches.give_up([unfinished.match])
    assert await states(cup) == {FIRST.id: (PairingState.WAITING, ("m1",), None)}
    await play(cup, FIRST, "m2", 2)
    assert await states(cup) == {FIRST.id: (PairingState.DONE, ("m1", "m2"), "m2")}


async def test_no_pairing_is_played_twice_at_once(cup: Store) -> None:
    await cup.matches.begin(match_of(FIRST, "m1"))
    with pytest.raises(PairingConflict, match="match m1, its attempt 1, is not over"):
        await cup.matches.begin(match_of(FIRST, "m2", 2))
    assert await states(cup) == {FIRST.id: (PairingState.RUNNING, ("m1",), None)}


async def test_no_attempt_is_counted_twice(cup: Store) -> None:
    await play(cup, FIRST, "m1", places=(None, None))
    with pytest.raises(PairingConflict, match="match m1, its attempt 1, is over"):
        await cup.matches.begin(match_of(FIRST, "m2", 1))


async def test_a_second_result_of_a_pairing_is_refused(cup: Store) -> None:
    await play(cup, FIRST, "m1")
    with pytest.raises(PairingDecided, match=r"pairing 'main\.1\.1\.1' is decided by match m1"):
        await play(cup, FIRST, "m2", 2)
    assert await cup.matches.find(MatchId("m2")) is None
    assert (await cup.matches.page(tournament="cup")).total == 1


async def test_an_annulled_result_frees_its_pairing_for_another(cup: Store) -> None:
    await play(cup, FIRST, "m1")
    await cup.matches.correct(Correction(MatchId("m1"), (), (), "wrong bot", "eve", NOON))
    assert await states(cup) == {FIRST.id: (PairingState.WAITING, ("m1",), None)}
    assert (await cup.tournaments.history("cup")).facts == ()
    await play(cup, FIRST, "m2", 2, places=(2, 1))
    assert await states(cup) == {FIRST.id: (PairingState.DONE, ("m1", "m2"), "m2")}
    restored = Correction(MatchId("m1"), (1.0, 0.0), (1, 2), "right after all", "eve", NOON)
    with pytest.raises(PairingDecided, match="decided by match m2"):
        await cup.matches.correct(restored)


async def test_an_unknown_pairing_cannot_be_played(cup: Store) -> None:
    with pytest.raises(Unknown, match=r"no pairing 'cup/main\.1\.9\.1'"):
        await cup.matches.begin(match_of(pairing(9), "m1"))
    with pytest.raises(Unknown):
        await play(cup, replace(FIRST, stage="final"), "m1")


# --- history ----------------------------------------------------------------------------------


async def test_the_history_is_what_the_formats_take(cup: Store) -> None:
    await play(cup, SECOND, "m2", places=(2, 1))
    await play(cup, FIRST, "m1", places=(1, 1))
    history = await cup.tournaments.history("cup")
    assert history.pairings == (FIRST, SECOND, BYE)
    assert [_brief(fact) for fact in history.facts] == [
        (SECOND.id, "catch", [("CLEO", 1.5, 2), ("ADA", 2.5, 1)]),
        (FIRST.id, "catch", [("ADA", 2.5, 1), ("BERT", 2.5, 1)]),
    ]
    assert {seat.faults for fact in history.facts for seat in fact.seats} == {6}
    assert history.open() == ()
    assert await cup.tournaments.history("cup") is history


async def test_the_history_has_corrections_in(cup: Store) -> None:
    await play(cup, FIRST, "m1")
    await cup.matches.correct(Correction(MatchId("m1"), (0.0, 9.0), (2, 1), "why", "eve", NOON))
    (fact,) = (await cup.tournaments.history("cup")).facts
    assert _brief(fact) == (FIRST.id, "catch", [("ADA", 0.0, 2), ("BERT", 9.0, 1)])


@pytest.mark.parametrize("seed", range(4))
async def test_the_history_is_the_same_for_who_has_looked_before_and_who_has_not(
    tmp_path: Path, database: str | None, seed: int
) -> None:
    draw = random.Random(seed)
    async with opened_store(tmp_path, database=database) as store:
        await store.tournaments.create("cup", "The Cup", SPEC, entries("ada", "bert"))
        for table in range(1, 15):
            await _happen(store, pairing(table), table, draw)
            if draw.random() < 0.6:
                await store.tournaments.history("cup")
        looked = await store.tournaments.history("cup")
    async with opened_store(tmp_path, database=database) as store:
        assert await store.tournaments.history("cup") == looked
    assert len(looked.pairings) == 14
    assert 1 < len(looked.facts) < 14


async def _happen(store: Store, drawn: Pairing, table: int, draw: random.Random) -> None:
    """Draw a pairing and let something become of it, or of an earlier one."""
    await store.tournaments.add_pairings("cup", [drawn])
    match draw.randrange(6):
        case 0:
            await store.matches.begin(match_of(drawn, f"m{table}"))
        case 1:
            await play(store, drawn, f"m{table}", places=(None, None))
        case 2:
            await store.tournaments.withdraw("cup", BotKey(draw.choice(["ADA", "BERT"])))
        case _:
            await play(store, drawn, f"m{table}", places=draw.choice([(1, 2), (2, 1), (1, 1)]))
            match = draw.choice(sorted(await store.matches.finished_ids()))
            annulled = Correction(match, (), (), "why", "eve", NOON)
            swapped = Correction(match, (0.0, 1.0), (2, 1), "why", "eve", NOON)
            await store.matches.correct(draw.choice([annulled, swapped]))


async def test_the_history_of_a_tournament_that_took_the_name_of_another(cup: Store) -> None:
    await play(cup, FIRST, "m1")
    assert len((await cup.tournaments.history("cup")).facts) == 1
    await cup.tournaments.delete("cup", and_results=True)
    await cup.tournaments.create("cup", "The Cup", SPEC, entries("ada", "bert"))
    await cup.tournaments.add_pairings("cup", [SECOND])
    history = await cup.tournaments.history("cup")
    assert (history.pairings, history.facts) == ((SECOND,), ())


async def test_a_server_looks_at_many_histories(cup: Store) -> None:
    for number in range(20):
        await cup.tournaments.create(f"cup{number}", "Cup", SPEC, [])
        await cup.tournaments.add_pairings(f"cup{number}", [pairing(number + 1)])
    for number in (*range(20), 3):
        history = await cup.tournaments.history(f"cup{number}")
        assert history.pairings == (pairing(number + 1),)


def _brief(fact: MatchFact) -> tuple[str, str, list[tuple[str, float | None, int | None]]]:
    return fact.pairing, fact.reason, [(seat.bot, seat.points, seat.place) for seat in fact.seats]


async def test_the_revision_grows_with_every_change(cup: Store) -> None:
    revisions = [(await cup.tournaments.get("cup")).revision]

    async def changed() -> None:
        revisions.append((await cup.tournaments.get("cup")).revision)

    await cup.matches.begin(match_of(FIRST, "m1"))
    await changed()
    await play(cup, FIRST, "m1")
    await changed()
    await cup.matches.correct(Correction(MatchId("m1"), (), (), "why", "eve", NOON))
    await changed()
    await cup.tournaments.withdraw("cup", BotKey("BERT"))
    await changed()
    await cup.tournaments.add_pairings("cup", [pairing(7)])
    await changed()
    await cup.tournaments.release("cup", 1, "eve")
    await changed()
    await cup.tournaments.set_state("cup", "running")
    await changed()
    assert revisions == sorted(set(revisions))
    await cup.tournaments.add_pairings("cup", [pairing(7)])
    await cup.tournaments.release("cup", 1, "eve")
    assert (await cup.tournaments.get("cup")).revision == revisions[-1]


# --- release and deletion ---------------------------------------------------------------------


async def test_rounds_are_released_once(cup: Store) -> None:
    assert await cup.tournaments.released("cup") == ()
    await cup.tournaments.release("cup", 2, "eve", note=AuditNote("eve", "release", "cup"))
    await cup.tournaments.release("cup", 1, "eve")
    first = await cup.tournaments.released("cup")
    await cup.tournaments.release("cup", 1, "mallory")
    assert await cup.tournaments.released("cup") == first
    assert [(known.round, known.who) for known in first] == [(1, "eve"), (2, "eve")]
    assert len(await cup.audit.records(target="cup")) == 1


async def test_results_are_deleted_only_on_purpose(cup: Store) -> None:
    await play(cup, FIRST, "m1")
    await cup.matches.begin(match_of(SECOND, "m2"))
    friendly = start_of("m3")
    await cup.matches.finish(friendly, result_of(friendly), replay=replay_of("m3"))
    with pytest.raises(TournamentHasResults, match="has 1 results"):
        await cup.tournaments.delete("cup")
    assert await cup.tournaments.delete("cup", and_results=True) is True
    assert await cup.tournaments.delete("cup", and_results=True) is False
    assert await cup.tournaments.all() == ()
    assert [record.match for record in (await cup.matches.page()).records] == ["m3"]
    assert not cup.matches.replay_path(MatchId("m1")).exists()
    assert (await cup.matches.get(friendly.match)).start == friendly
    await cup.tournaments.create("cup", "The Cup", SPEC, entries("ada", "bert"))
    assert await cup.tournaments.pairings("cup") == ()


async def test_a_tournament_without_results_can_be_deleted(cup: Store) -> None:
    await cup.matches.begin(match_of(FIRST, "m1"))
    assert await cup.tournaments.delete("cup") is True
    assert await cup.matches.unfinished() == ()
