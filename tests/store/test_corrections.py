"""What the host decides about results afterwards."""

import pytest

from fangnetz_protocol.words import MatchId
from fangnetz_server.store import Store
from fangnetz_server.store.errors import Unknown
from fangnetz_server.store.values import AuditNote, Correction
from support.stored import NOON, later, replay_of, result_of, start_of

MATCH = MatchId("m1")
SWAPPED = Correction(MATCH, (0.0, 4.5), (2, 1), "the wrong map", "eve", NOON)
ANNULLED = Correction(MATCH, (), (), "both had the same bot", "eve", later(60))


@pytest.fixture
async def played(store: Store) -> Store:
    """A store with one result: place 1 and 2, 2.5 and 1.5 points."""
    start = start_of("m1")
    await store.matches.finish(start, result_of(start), replay=replay_of("m1"), ended_at=NOON)
    return store


async def test_a_correction_counts_and_the_result_stays(played: Store) -> None:
    record = await played.matches.correct(SWAPPED)
    assert await played.matches.find(MATCH) == record
    assert (record.points, record.places) == ((0.0, 4.5), (2, 1))
    assert record.result == result_of(start_of("m1"))
    assert (await played.matches.page()).records == (record,)


async def test_the_newest_correction_counts_and_all_are_kept(played: Store) -> None:
    await played.matches.correct(SWAPPED)
    record = await played.matches.correct(ANNULLED)
    assert (record.points, record.places) == ((), ())
    assert record.correction == ANNULLED
    assert await played.matches.corrections(MATCH) == (SWAPPED, ANNULLED)


async def test_the_same_correction_again_adds_nothing(played: Store) -> None:
    note = AuditNote("eve", "correct", MATCH)
    await played.matches.correct(SWAPPED, note=note)
    again = Correction(MATCH, SWAPPED.points, SWAPPED.places, SWAPPED.why, SWAPPED.who, later(5))
    record = await played.matches.correct(again, note=note)
    assert record.correction == SWAPPED
    assert await played.matches.corrections(MATCH) == (SWAPPED,)


@pytest.mark.parametrize(
    ("points", "places"), [((1.0,), (1,)), ((1.0, 0.0), ()), ((1.0, 0.0, 0.0), (1, 2, 3))]
)
async def test_a_correction_has_one_entry_a_seat(
    played: Store, points: tuple[float, ...], places: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="for 2 seats"):
        await played.matches.correct(Correction(MATCH, points, places, "why", "eve", NOON))
    assert await played.matches.corrections(MATCH) == ()


async def test_only_results_can_be_corrected(store: Store) -> None:
    await store.matches.begin(start_of("m1"))
    with pytest.raises(Unknown, match="no finished match 'm1'"):
        await store.matches.correct(SWAPPED)


async def test_a_corrected_record_as_json(played: Store) -> None:
    shown = (await played.matches.correct(SWAPPED)).to_json()
    assert [(seat["points"], seat["place"]) for seat in shown["seats"]] == [(0.0, 2), (4.5, 1)]
    assert shown["correction"] == {
        "why": "the wrong map",
        "who": "eve",
        "at": "2026-05-01T12:00:00+00:00",
        "points_before": [2.5, 1.5],
        "places_before": [1, 2],
    }
    annulled = (await played.matches.correct(ANNULLED)).to_json()
    assert [(seat["points"], seat["place"]) for seat in annulled["seats"]] == [(None, None)] * 2


async def test_ratings_see_corrections(played: Store) -> None:
    assert [fact.places for fact in await played.facts.of_game("spaceballs")] == [(1, 2)]
    await played.matches.correct(SWAPPED)
    facts = await played.facts.of_game("spaceballs")
    assert [(fact.places, fact.points, fact.bots) for fact in facts] == [
        ((2, 1), (0.0, 4.5), ("ada", "bert"))
    ]
    await played.matches.correct(ANNULLED)
    assert await played.facts.of_game("spaceballs") == ()
