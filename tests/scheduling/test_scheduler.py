"""Tournaments are played to their end, whoever is slow or away, and whatever breaks on the way."""

import asyncio
import itertools
from pathlib import Path
from typing import Any

import pytest

from fangnetz_server.store.errors import StoreUnavailable
from fangnetz_server.store.values import AuditNote
from fangnetz_server.tournament.values import BotKey
from support.faulty import FaultyRing
from support.live_server import eventually
from support.tournament_server import WHO, league, tournament_server


@pytest.mark.parametrize(
    ("kind", "options", "bots", "games"),
    [
        ("round_robin", {"legs": 2}, 3, 6),
        ("swiss", {"rounds": 2, "legs": 1}, 5, 4),
        ("knockout", {"best_of": 1, "extra_pairs": 0, "third_place": True}, 4, 4),
        ("double_elimination", {"best_of": 1, "extra_pairs": 0, "reset": False}, 4, 6),
        ("groups", {"groups": 2, "legs": 1, "qualifiers": 1}, 4, 2),
        ("ladder", {"legs": 1, "meetings": 2}, 4, 4),
    ],
)
async def test_every_format_of_duels_is_played_to_its_end(
    tmp_path: Path, kind: str, options: dict[str, Any], bots: int, games: int
) -> None:
    names = ["ann", "bob", "cid", "dan", "eve"][:bots]
    async with tournament_server(tmp_path) as server:
        await server.enter(*names)
        await server.start(league(*names, kind=kind, options=options))
        await server.finished()
        history = await server.host.store.tournaments.history("cup")
        assert len(history.results) >= games
        assert not history.open()
        assert {row[1] for row in await server.table()} == set(names)
        picture = await server.scheduler.views.picture("cup", for_host=True)
        assert sum(row.wins for row in picture.rows) == sum(row.losses for row in picture.rows)
        assert sum(row.played for row in picture.rows) == 2 * len(history.results)


async def test_a_contest_is_played_on_all_maps(tmp_path: Path) -> None:
    names = ["ann", "bob", "cid", "dan", "eve"]
    data = league(
        *names, kind="free_for_all", game="right2live", options={"seats": 3}, maps=["pocket", "courtyard"]
    )
    async with tournament_server(tmp_path) as server:
        await server.enter(*names, game="right2live")
        await server.start(data)
        await server.finished()
        matches = (await server.host.store.matches.page(tournament="cup")).records
        assert sorted(len(record.result.seats) for record in matches) == [2, 2, 3, 3]
        whole = await server.scheduler.views.whole("cup", for_host=False)
        assert sorted({line.map or "" for line in whole.matches}) == ["courtyard", "pocket"]


async def test_who_is_away_holds_up_nobody_else(tmp_path: Path) -> None:
    names = ["ann", "bob", "cid", "dan"]
    async with tournament_server(tmp_path) as server:
        await server.enter("ann", "bob", "cid")
        await server.start(league(*names, options={"legs": 2}))
        run = server.scheduler.run("cup")
        assert run is not None
        await eventually(lambda: run.done == 6 and not run.running, "the games of the three")
        assert run.away == (BotKey("dan"),)
        assert run.waiting == 6
        await server.enter("dan")
        await server.finished()
        assert "walkover" not in await server.reasons()


async def test_after_the_grace_time_the_opponent_wins_game_by_game(tmp_path: Path) -> None:
    data = league("ann", "bob", options={"legs": 4}, absence={"grace_s": 0.1, "withdraw_after": 3})
    async with tournament_server(tmp_path) as server:
        await server.enter("ann")
        await server.start(data)
        await server.finished()
        assert await server.reasons() == ["walkover"] * 4
        assert await server.table() == [(1, "ann", 4.0), (2, "bob", 0.0)]
        history = await server.host.store.tournaments.history("cup")
        assert history.withdrawn == {"bob"}
        audit = [record.note for record in await server.host.store.audit.records(target="cup")]
        assert (
            AuditNote("server", "tournament withdraw", "cup", {"bot": "bob", "why": "absent too often"})
            in audit
        )
        assert not await server.scheduler.ratings.ratings("spaceballs")


async def test_a_tournament_may_wait_for_a_bot_as_long_as_it_takes(tmp_path: Path) -> None:
    data = league("ann", "bob", "cid", options={"legs": 1}, absence={"grace_s": 0.0, "then": "wait"})
    async with tournament_server(tmp_path) as server:
        await server.enter("ann", "bob")
        await server.start(data)
        run = server.scheduler.run("cup")
        assert run is not None
        await eventually(lambda: run.done == 1 and run.away == ("cid",), "the one game without Cid")
        await server.enter("cid")
        await server.finished()
        assert "walkover" not in await server.reasons()


async def test_a_contest_goes_on_with_the_seat_of_an_absent_bot_empty(tmp_path: Path) -> None:
    names = ["ann", "bob", "cid"]
    data = league(*names, kind="free_for_all", game="right2live", absence={"grace_s": 0.1}, maps=["pocket"])
    async with tournament_server(tmp_path) as server:
        await server.enter("ann", "bob", game="right2live")
        await server.start(data)
        await server.finished()
        (record,) = (await server.host.store.matches.page(tournament="cup")).records
        assert {seat.name for seat in record.result.seats} == {"ann", "bob"}
        picture = await server.scheduler.views.picture("cup", for_host=True)
        assert {row.bot: row.absences for row in picture.rows} == {"ann": 0, "bob": 0, "cid": 1}


async def test_withdrawing_settles_what_is_open(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server:
        await server.enter("ann")
        await server.start(league("ann", "bob", options={"legs": 2}))
        run = server.scheduler.run("cup")
        assert run is not None
        await eventually(lambda: run.waiting == 2, "the pairings")
        for _ in range(2):
            await server.commands.withdraw("cup", "bob", WHO)
        await server.finished()
        assert await server.reasons() == ["walkover", "walkover"]


async def test_what_the_host_aborts_is_played_again_and_charged_to_nobody(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server:
        await server.enter("ann", "bob", policy=_never)
        await server.start(league("ann", "bob", options={"legs": 1}))
        await eventually(lambda: len(server.host.running()) == 1, "the match")
        await server.quit()
        server.host.running()[0].match.abort("wrong weather")
        await server.enter("ann", "bob")
        await server.finished()
        (pairing,) = await server.host.store.tournaments.pairings("cup")
        assert len(pairing.matches) == 2
        first, second = [await server.host.store.matches.find(match) for match in pairing.matches]
        assert first is not None
        assert first.result.reason == "aborted"
        assert second is not None
        assert pairing.decided_by == second.match
        assert first.result.seed == second.result.seed


def _never(observation: dict[str, Any]) -> None:
    """Say nothing; the match waits."""


async def test_pause_and_resume_are_harmless_when_they_come_twice(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server:
        await server.start(league("ann", "bob", options={"legs": 2}))
        for _ in range(2):
            await server.commands.pause("cup", WHO)
        await server.enter("ann", "bob")
        await asyncio.sleep(0)
        assert not server.host.tables
        for _ in range(2):
            await server.commands.resume("cup", WHO)
        await server.finished()
        commands = [record.note.command for record in await server.host.store.audit.records(target="cup")]
        assert commands.count("tournament pause") == 2
        assert commands.count("tournament finish") == 1


async def test_no_more_matches_at_the_same_time_than_there_is_room_for(tmp_path: Path) -> None:
    names = ["ann", "bob", "cid", "dan"]
    most = 0

    def counting(observation: dict[str, Any]) -> dict[str, Any]:
        nonlocal most
        most = max(most, len(server.host.tables))
        return {"thrust": [0, 0]}

    async with tournament_server(tmp_path, scheduler={"capacity": 1}) as server:
        await server.enter(*names, policy=counting)
        await server.start(league(*names, options={"legs": 1}))
        await server.finished()
    assert most == 1


async def test_two_tournaments_share_the_bots(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server:
        await server.enter("ann", "bob", "cid")
        await server.start(league("ann", "bob", "cid", name="One"), "one")
        await server.start(league("ann", "bob", name="Two"), "two")
        await server.finished("one")
        await server.finished("two")
        assert len((await server.host.store.matches.page()).records) == 8


async def test_a_restart_goes_on_where_it_was(tmp_path: Path) -> None:
    names = ["ann", "bob", "cid"]
    async with tournament_server(tmp_path) as server:
        await server.enter("ann", "bob")
        await server.start(league(*names, options={"legs": 2}))
        run = server.scheduler.run("cup")
        assert run is not None
        await eventually(lambda: run.done == 2 and not run.running, "the games of two")
    async with tournament_server(tmp_path) as server:
        again = server.scheduler.run("cup")
        assert again is not None
        assert (again.done, again.waiting) == (2, 4)
        await server.enter(*names)
        await server.finished()
        assert (await server.host.store.matches.page(tournament="cup")).total == 6


async def test_a_match_that_was_running_at_the_end_of_the_server_is_played_again(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server:
        await server.enter("ann", "bob", policy=_never)
        await server.start(league("ann", "bob", options={"legs": 1}))
        await eventually(lambda: len(server.host.running()) == 1, "the match")
    async with tournament_server(tmp_path) as server:
        await server.enter("ann", "bob")
        await server.finished()
        (pairing,) = await server.host.store.tournaments.pairings("cup")
        assert len(pairing.matches) == 2


async def test_what_the_server_breaks_is_repeated_until_the_host_has_to_decide(tmp_path: Path) -> None:
    game = FaultyRing("step")
    async with tournament_server(tmp_path, games={game.info.id: game}) as server:
        await server.enter("ann", "bob", policy=lambda _: {"step": 0})
        await server.start(league("ann", "bob", game=game.info.id, options={"legs": 2}))
        run = server.scheduler.run("cup")
        assert run is not None
        await eventually(lambda: len(run.stuck) == 2, "the end of patience")
        broken = (await server.host.store.matches.page(tournament="cup")).records
        assert [record.result.reason for record in broken] == ["infra_error"] * 6
        assert len({record.result.seed for record in broken}) == 1, "the pair plays the same field"
        progress = await server.scheduler.progress(await server.host.store.tournaments.get("cup"))
        assert (progress.done, len(progress.stuck), progress.total) == (0, 2, 2)
        picture = await server.scheduler.views.picture("cup", for_host=True)
        assert [(row.points, row.played, row.faults) for row in picture.rows] == [(0.0, 0, 0)] * 2

        game.armed = False
        await server.commands.repeat_failed("cup", WHO)
        await server.finished()
        assert await server.reasons() == ["time_over"] * 2
        pairings = await server.host.store.tournaments.pairings("cup")
        assert [len(pairing.matches) for pairing in pairings] == [4, 4]


async def test_a_match_that_cannot_even_begin_stands_aside_until_the_host_has_decided(tmp_path: Path) -> None:
    game = FaultyRing("fingerprint")
    async with tournament_server(tmp_path, games={game.info.id: game}) as server:
        await server.enter("ann", "bob", policy=lambda _: {"step": 0})
        await server.start(league("ann", "bob", game=game.info.id, options={"legs": 1}))
        run = server.scheduler.run("cup")
        assert run is not None
        await eventually(lambda: bool(run.stuck) and not run.running, "the fault")
        assert "planted in fingerprint" in (run.problem or "")
        assert not await server.host.store.matches.unfinished()
        game.armed = False
        await server.commands.repeat_failed("cup", WHO)
        await server.finished()
        assert await server.reasons() == ["time_over"]


@pytest.mark.parametrize(
    ("part", "method"),
    [
        ("tournaments", "add_pairings"),
        ("tournaments", "withdraw"),
        ("tournaments", "set_state"),
        ("matches", "begin"),
        ("matches", "finish"),
    ],
)
async def test_what_was_stored_although_the_connection_broke_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, method: str
) -> None:
    names = ["ann", "bob", "cid"]
    data = league(
        *names,
        kind="swiss",
        options={"rounds": 2, "legs": 1},
        absence={"grace_s": 0.1, "withdraw_after": 1},
    )
    async with tournament_server(tmp_path) as server:
        await server.enter("ann", "bob")
        await server.start(data)
        broken = _break_line_afterwards(getattr(server.host.store, part), method, monkeypatch)
        await server.finished()
        assert broken, "the line broke"
        history = await server.host.store.tournaments.history("cup")
        assert len(history.pairings) == 4, "two rounds of a game and a bye"
        assert len(history.results) == 2
        assert not await server.host.store.matches.unfinished()


def _break_line_afterwards(part: Any, method: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let every second call do its work and fail nevertheless, as if the answer had been lost."""
    real, calls, broken = getattr(part, method), itertools.count(), list[str]()

    async def work(*args: Any, **options: Any) -> Any:
        done = await real(*args, **options)
        if next(calls) % 2 == 0:
            broken.append(method)
            raise StoreUnavailable("the database", "the connection is lost")
        return done

    monkeypatch.setattr(part, method, work)
    return broken


async def test_progress(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server:
        await server.make(league("ann", "bob", "cid", options={"legs": 2}))
        known = await server.host.store.tournaments.get("cup")
        before = await server.scheduler.progress(known)
        assert (before.state, before.done, before.total) == ("created", 0, 6)
        await server.commands.start("cup", WHO)
        await server.enter("ann", "bob")
        run = server.scheduler.run("cup")
        assert run is not None
        await eventually(lambda: run.done == 2, "two games")
        now = await server.scheduler.progress(await server.host.store.tournaments.get("cup"))
        assert (now.done, now.waiting, now.total, now.away) == (2, 4, 6, ("cid",))
        await server.enter("cid")
        await server.finished()
        after = await server.scheduler.progress(await server.host.store.tournaments.get("cup"))
        assert (after.state, after.done, after.waiting, after.total) == ("finished", 6, 0, 6)
