"""The matchmaker: who waits gets a match, on an event loop whose time the test owns."""

import asyncio
from collections.abc import Sequence
from typing import Any

from fangnetz_server.games.contract import GameInfo, SetupError
from fangnetz_server.gateway.links import BotLink
from fangnetz_server.host.matchmaker import Matchmaker
from support.ear import bot_link
from support.virtual_loop import run_virtually

DUEL = GameInfo("duel", "Duel", 1, 2, 2, tick_ms=100, deadline_ms=100)
CROWD = GameInfo("crowd", "Crowd", 1, 2, 4, tick_ms=100, deadline_ms=100)


class Club:
    """A matchmaker whose matches are only noted: when, which game, who."""

    def __init__(self, *games: GameInfo, room: int = 99) -> None:
        self.room = room
        """So many fit on the map."""
        self.started: list[tuple[float, str, str]] = []
        self.maker = Matchmaker(games, self._start, gather_s=2.0, rest_s=3.0)
        self.links: dict[str, BotLink] = {}

    def _start(self, info: GameInfo, players: Sequence[BotLink]) -> None:
        if len(players) > self.room:
            raise SetupError("map", "too small")
        names = "".join(link.entrant.name for link in players)
        self.started.append((round(asyncio.get_running_loop().time(), 3), info.id, names))

    def come(self, names: str, *games: str) -> None:
        for name in names:
            self.links[name] = bot_link(name, *games)[0]
            self.maker.join(self.links[name])


def run(main: Any) -> Any:
    return run_virtually(main())


def test_two_bots_get_a_duel_at_once() -> None:
    async def main() -> list[Any]:
        club = Club(DUEL)
        club.come("a", "duel")
        await asyncio.sleep(60)
        assert club.started == []
        club.come("b", "duel")
        club.come("c", "duel")
        await asyncio.sleep(60)
        return club.started

    assert run(main) == [(60, "duel", "ab")]


def test_a_waiting_bot_is_told_so() -> None:
    async def main() -> list[Any]:
        link, ear = bot_link("a", "duel")
        maker = Club(DUEL).maker
        maker.join(link)
        maker.join(link)
        return [(message["type"], message["code"]) for message in ear.heard]

    assert run(main) == [("notice", "waiting_for_opponents")]


def test_a_game_for_many_gathers_for_a_while() -> None:
    async def main() -> list[Any]:
        club = Club(CROWD)
        club.come("a", "crowd")
        await asyncio.sleep(10)
        club.come("b", "crowd")
        await asyncio.sleep(1.5)
        club.come("c", "crowd")
        await asyncio.sleep(10)
        return club.started

    assert run(main) == [(12, "crowd", "abc")]


def test_a_full_match_starts_at_once() -> None:
    async def main() -> list[Any]:
        club = Club(CROWD)
        club.come("abcd", "crowd")
        assert len(club.started) == 1
        club.come("e", "crowd")
        await asyncio.sleep(10)
        return club.started

    assert run(main) == [(0, "crowd", "abcd")]


def test_gathering_begins_anew_for_the_next_match() -> None:
    async def main() -> list[Any]:
        club = Club(CROWD)
        club.come("abcd", "crowd")
        await asyncio.sleep(1)
        club.come("ef", "crowd")
        await asyncio.sleep(10)
        return club.started

    assert run(main) == [(0, "crowd", "abcd"), (3, "crowd", "ef")]


def test_each_plays_what_it_plays() -> None:
    async def main() -> list[Any]:
        club = Club(CROWD, DUEL)
        club.come("a", "crowd")
        club.come("b", "duel")
        club.come("c", "duel", "crowd")
        await asyncio.sleep(10)
        return club.started

    assert run(main) == [(0, "duel", "bc")], "a full match goes before one that still gathers"


def test_a_bot_that_left_while_others_gather_is_not_dealt() -> None:
    async def main() -> list[Any]:
        club = Club(CROWD)
        club.come("abc", "crowd")
        club.maker.leave(club.links["b"])
        await asyncio.sleep(10)
        return club.started

    assert run(main) == [(2, "crowd", "ac")]


def test_one_alone_is_not_dealt() -> None:
    async def main() -> list[Any]:
        club = Club(CROWD)
        club.come("ab", "crowd")
        club.maker.leave(club.links["a"])
        await asyncio.sleep(10)
        assert club.started == []
        club.come("c", "crowd")
        await asyncio.sleep(10)
        return club.started

    assert run(main) == [(12, "crowd", "bc")]


def test_a_bot_rests_after_a_match() -> None:
    async def main() -> list[Any]:
        club = Club(DUEL)
        club.come("ab", "duel")
        for name in "ab":
            club.maker.rejoin(club.links[name])
            club.maker.rejoin(club.links[name])
        await asyncio.sleep(10)
        return club.started

    assert run(main) == [(0, "duel", "ab"), (3, "duel", "ab")]


def test_a_resting_bot_that_goes_does_not_come_back_by_itself() -> None:
    async def main() -> list[Any]:
        club = Club(DUEL)
        club.come("ab", "duel")
        for name in "ab":
            club.maker.rejoin(club.links[name])
        club.maker.leave(club.links["a"])
        await asyncio.sleep(10)
        return club.started[1:]

    assert run(main) == []


def test_a_bot_without_a_connection_waits_for_nothing() -> None:
    async def main() -> list[Any]:
        club = Club(DUEL)
        link, ear = bot_link("a", "duel")
        link.detach(ear.as_socket())
        club.maker.join(link)
        club.maker.rejoin(link)
        club.come("b", "duel")
        await asyncio.sleep(10)
        return club.started

    assert run(main) == []


def test_a_bot_with_a_seat_is_not_dealt_another() -> None:
    async def main() -> list[Any]:
        club = Club(DUEL)
        link, _ = bot_link("a", "duel")
        link.tables["m-1"] = None  # type: ignore[index, assignment]  # That it has one is enough.
        club.maker.join(link)
        club.come("b", "duel")
        return club.started

    assert run(main) == []


def test_a_map_for_fewer_gets_fewer() -> None:
    async def main() -> list[Any]:
        club = Club(CROWD, room=2)
        club.come("abcd", "crowd")
        await asyncio.sleep(10)
        return club.started

    assert run(main) == [(0, "crowd", "ab"), (2, "crowd", "cd")]


def test_bots_are_kept_where_no_match_is_possible() -> None:
    async def main() -> list[Any]:
        club = Club(DUEL, room=1)
        club.come("ab", "duel")
        await asyncio.sleep(10)
        assert club.started == []
        club.room = 2
        club.come("c", "duel")
        return club.started

    assert run(main) == [(10, "duel", "ab")]


def test_a_closed_matchmaker_makes_no_more_matches() -> None:
    async def main() -> list[Any]:
        club = Club(DUEL, CROWD)
        club.come("ab", "crowd")
        club.come("cd", "duel")
        for name in "cd":
            club.maker.rejoin(club.links[name])
        club.maker.close()
        for name in "cd":
            club.maker.rejoin(club.links[name])
        club.come("ef", "duel")
        await asyncio.sleep(60)
        return club.started

    assert run(main) == [(0, "duel", "cd")]
