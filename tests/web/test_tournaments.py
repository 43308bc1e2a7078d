"""Tournaments over HTTP: the host commands, everybody looks, and nobody sees too much."""

import re
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from support.host_api import audit_trail, http_client, json_of
from support.live_server import eventually
from support.tournament_server import Arena, league, tournament_server

HOST = "/api/host/tournaments"


async def test_a_tournament_from_its_file_to_its_report(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server, http_client(server, "host") as host:
        await server.enter("ann", "bob")
        file = league("ann", "bob", options={"legs": 2})
        plan = json_of(await host.post(HOST, json={"file": file, "dry_run": True}), 201)["schedule"]
        assert (plan["most_matches"], len(plan["pairings"])) == (2, 2)
        assert "seed" not in str(plan)
        assert json_of(await host.get(HOST)) == []
        for _ in range(2):
            made = json_of(await host.post(HOST, json={"file": file}), 201)
        assert (made["id"], made["state"]) == ("league", "created")
        for _ in range(2):
            assert json_of(await host.post(f"{HOST}/league/start"))["id"] == "league"
        await server.finished("league")
        async with http_client(server) as anybody:
            (line,) = json_of(await anybody.get("/api/tournaments"))["tournaments"]
            assert line["standings"][0] == {"rank": 1, "name": "ann", "points": 1.0}
            assert (line["state"], line["progress"]["done"]) == ("finished", 2)
            found = json_of(await anybody.get("/api/tournaments/league"))
            assert found["until_round"] is None
            assert [row["place"] for row in found["tables"][0]["rows"]] == [1, 1]
            assert found["crosstable"]["cells"][0][1] == [0, 2, 0, 1.0]
            bot = json_of(await anybody.get("/api/tournaments/league/bots/ann"))
            assert bot["opponents"][0]["text"] == "0W-2D-0L"
            assert bot["actions"]["matches"] == len(bot["matches"]) == 2
            page = await anybody.get("/api/tournaments/league/bots/ann", params={"format": "html"})
            assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
            assert "0W-2D-0L" in page.text
            assert (await anybody.get("/api/tournaments/league/bots/zoe")).status_code == 404
            ratings = json_of(await anybody.get("/api/ratings", params={"game": "spaceballs"}))["ratings"]
            assert {entry["name"]: entry["matches"] for entry in ratings} == {"ann": 2, "bob": 2}
            for form in ("html", "markdown", "csv", "json"):
                report = await anybody.get("/api/tournaments/league/export", params={"format": form})
                assert report.status_code == 200
                assert "ann" in report.text
                assert '"seed"' not in report.text
        trail = await audit_trail(host)
        assert ("tournament create", "league") in trail
        assert ("tournament start", "league") in trail


async def test_a_correction_is_a_new_fact_and_a_repeat_annuls(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server, http_client(server, "host") as host:
        await server.enter("ann", "bob")
        await server.start(league("ann", "bob", options={"legs": 1}))
        await server.finished()
        (pairing,) = await server.host.store.tournaments.pairings("cup")
        match = pairing.decided_by
        body = {"points": [0, 1], "why": "the referee slept"}
        for _ in range(2):
            json_of(await host.post(f"{HOST}/matches/{match}/correct", json=body))
        table = json_of(await host.get("/api/tournaments/cup"))["tables"][0]["rows"]
        winner = pairing.pairing.seats[1]
        assert (table[0]["bot"], table[0]["points"], table[0]["wins"]) == (winner, 1.0, 1)
        shown = json_of(await host.get(f"/api/matches/{match}"))
        assert (shown["points"], shown["result"]["correction"]["why"]) == ([0, 1], "the referee slept")

        json_of(await host.post(f"{HOST}/matches/{match}/repeat", json={"why": "again"}))
        await server.finished()
        (again,) = await server.host.store.tournaments.pairings("cup")
        assert len(again.matches) == 2
        assert again.decided_by != match
        table = json_of(await host.get("/api/tournaments/cup"))["tables"][0]["rows"]
        assert [row["draws"] for row in table] == [1, 1]
        trail = [command for command, target in await audit_trail(host) if target == "cup"]
        states = ("tournament start", "tournament finish", "tournament reopen")
        assert [command for command in trail if command in states] == [
            "tournament start",
            "tournament finish",
            "tournament reopen",
            "tournament finish",
        ]


async def test_the_host_finds_matches_by_bot_with_what_counts(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server, http_client(server, "host") as host:
        await server.enter("ann", "bob", "cid")
        await server.start(league("ann", "bob", "cid", options={"legs": 2}, staged_release=True))
        await server.finished()
        found = json_of(await host.get(f"{HOST}/cup/matches", params={"limit": 4}))
        assert (found["total"], len(found["matches"])) == (6, 4)
        older = json_of(await host.get(f"{HOST}/cup/matches", params={"limit": 4, "offset": 4}))
        assert len({line["pairing"] for line in found["matches"] + older["matches"]}) == 6
        of_cid = json_of(await host.get(f"{HOST}/cup/matches", params={"bot": "cid"}))
        assert of_cid["total"] == 4
        assert all("cid" in [seat["bot"] for seat in line["seats"]] for line in of_cid["matches"])
        assert (await host.get(f"{HOST}/cup/matches", params={"bot": "zoe"})).status_code == 404

        newest = found["matches"][0]
        assert (newest["counts"], newest["has_replay"], newest["correction"]) == (True, True, None)
        assert [seat["points"] for seat in newest["seats"]] == [0, 0]
        json_of(await host.post(f"{HOST}/matches/{newest['match']}/repeat", json={"why": "hail"}))
        await server.finished()
        again, before = await _of_pairing(host, newest["pairing"])
        assert (again["attempt"], again["counts"], before["attempt"], before["counts"]) == (2, True, 1, False)
        assert (before["correction"], [seat["points"] for seat in before["seats"]]) == ("hail", [None, None])
        assert "seed" not in str(again)


async def _of_pairing(host: Any, pairing: str) -> list[dict[str, Any]]:
    """Return the matches of a pairing, newest first."""
    found = json_of(await host.get(f"{HOST}/cup/matches"))["matches"]
    return [line for line in found if line["pairing"] == pairing]


async def test_a_bot_may_have_any_name_and_still_has_a_page(tmp_path: Path) -> None:
    names = ["a/b", "50 % <b>", "ä?#"]
    async with tournament_server(tmp_path) as server, http_client(server, "host") as host:
        await server.make(league(*names))
        report = (await host.get(f"{HOST}/cup/export")).text
        links = [unescape(link) for link in re.findall(r'href="([^"]*/bots/[^"]*)"', report)]
        assert len(links) == 3
        for name, link in zip(names, sorted(links, key=lambda link: names.index(_bot_of(link))), strict=True):
            for url in (link, link.replace("/api/", "/api/host/")):
                page = await host.get(url)
                assert f"<h1>{escape(name)}</h1>" in page.text


def _bot_of(link: str) -> str:
    return unquote(link.partition("/bots/")[2].partition("?")[0])


async def test_a_file_may_come_as_the_text_that_it_is(tmp_path: Path) -> None:
    text = """
        name = "Cup"
        game = "spaceballs"
        format = { kind = "round_robin", legs = 2 }
        entries = [{ bot = "ann" }, { bot = "bob" }]
    """
    async with tournament_server(tmp_path) as server, http_client(server, "host") as host:
        await server.register("ann", "bob")
        plan = json_of(await host.post(HOST, json={"file": text, "dry_run": True}), 201)
        assert (plan["name"], plan["schedule"]["most_matches"]) == ("Cup", 2)
        assert json_of(await host.post(HOST, json={"file": text}), 201)["id"] == "cup"
        answer = await host.post(HOST, json={"file": text.replace('"Cup"', '"Cup')})
        assert (answer.status_code, "no TOML" in answer.text, "line 2" in answer.text) == (422, True, True)


async def test_nobody_sees_results_before_their_release(tmp_path: Path) -> None:
    names = ["ann", "bob", "cid"]
    async with tournament_server(tmp_path) as server, http_client(server, "host") as host:
        await server.enter(*names)
        await server.start(league(*names, options={"legs": 1}, staged_release=True))
        await server.finished()
        async with http_client(server) as anybody:
            assert await _seen(anybody, server) == (0, 0, 0)
            assert json_of(await host.get(f"{HOST}/cup"))["tables"][0]["rows"][0]["played"] == 2
            for _ in range(2):
                json_of(await host.post(f"{HOST}/cup/release", json={"round": 2}))
            assert await _seen(anybody, server) == (2, 2, 4)
            shown = json_of(await host.get(f"{HOST}/cup"))
            assert (shown["staged_release"], shown["released_round"], shown["until_round"]) == (True, 2, None)
            json_of(await host.post(f"{HOST}/cup/release", json={"round": 3}))
            assert await _seen(anybody, server) == (3, 3, 6)


async def test_a_match_that_runs_while_its_round_is_released_is_seen_from_then_on(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server, http_client(server, "host") as host:
        await server.enter("ann", "bob", policy=lambda _: None)
        await server.start(league("ann", "bob", options={"legs": 1}, staged_release=True))
        await eventually(lambda: bool(server.host.running()), "the match")
        match = server.host.running()[0].match.id
        async with http_client(server) as anybody:
            assert (await anybody.get(f"/api/matches/{match}")).status_code == 404
            json_of(await host.post(f"{HOST}/cup/release", json={"round": 1}))
            assert json_of(await anybody.get(f"/api/matches/{match}"))["phase"] == "running"
            assert [entry["match"] for entry in server.host.lobby_entries()] == [match]
            await server.quit()
            await server.enter("ann", "bob")
            await server.finished()
            assert json_of(await anybody.get(f"/api/matches/{match}"))["phase"] == "over"
            assert await _seen(anybody, server) == (1, 1, 2)


async def _seen(anybody: Any, server: Arena) -> tuple[int, int, int]:
    """Return what everybody sees: matches in the list, in the report, and rated games."""
    listed = json_of(await anybody.get("/api/matches"))["total"]
    lobby = [entry for entry in server.host.lobby_entries() if entry["phase"] == "over"]
    report = json_of(await anybody.get("/api/tournaments/cup/export", params={"format": "json"}))
    rated = json_of(await anybody.get("/api/ratings", params={"game": "spaceballs"}))["ratings"]
    assert listed == len(lobby)
    return listed, len(report["matches"]), sum(entry["matches"] for entry in rated)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "", {"file": {"name": "x"}}, 422),
        ("POST", "", {"file": league("ann", "bob") | {"game": "chess"}}, 422),
        ("POST", "", {"file": league("ann", "zoe")}, 422),
        ("POST", "", {"file": league("ann", "bob"), "id": "Ä"}, 422),
        ("POST", "", {"file": league("ann", "bob", name="Other"), "id": "cup"}, 409),
        ("POST", "/nowhere/start", None, 404),
        ("POST", "/cup/pause", None, 409),
        ("POST", "/cup/resume", None, 409),
        ("POST", "/cup/withdraw", {"bot": "zoe"}, 404),
        ("POST", "/cup/release", {"round": 0}, 422),
        ("POST", "/matches/nowhere/repeat", {}, 404),
        ("POST", "/matches/nowhere/correct", {"points": [1], "why": "x"}, 404),
        ("GET", "/nowhere", None, 404),
        ("GET", "/cup/export?format=pdf", None, 422),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_what_does_not_go_changes_nothing(
    tmp_path: Path, method: str, path: str, body: dict[str, Any] | None, status: int
) -> None:
    async with tournament_server(tmp_path) as server, http_client(server, "host") as host:
        await server.make(league("ann", "bob"))
        before = await server.host.store.tournaments.all(), await server.host.store.bots.all()
        answer = await host.request(method, HOST + path, json=body)
        assert answer.status_code == status, answer.text
        assert answer.json()["detail"]
        assert (await server.host.store.tournaments.all(), await server.host.store.bots.all()) == before


async def test_only_the_host_commands(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server:
        await server.make(league("ann", "bob"))
        for token, status in ((None, 401), ("guess", 403)):
            async with http_client(server, token) as somebody:
                for path in ("/cup/start", "/cup/pause", "/cup/release", "/matches/x/repeat"):
                    assert (await somebody.post(HOST + path, json={})).status_code == status
                assert (await somebody.get(HOST)).status_code == status
                assert (await somebody.delete(f"{HOST}/cup")).status_code == status
        assert await server.state() == "created"


async def test_deleting_takes_two_words_once_there_are_results(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server, http_client(server, "host") as host:
        await server.enter("ann", "bob")
        await server.start(league("ann", "bob", options={"legs": 2}))
        assert (await host.delete(f"{HOST}/cup")).status_code in (409,)
        await eventually(lambda: server.scheduler.run("cup") is None, "the end")
        assert (await host.delete(f"{HOST}/cup")).status_code == 409
        assert json_of(await host.delete(f"{HOST}/cup", params={"results": True})) == {"deleted": True}
        assert json_of(await host.delete(f"{HOST}/cup", params={"results": True})) == {"deleted": False}
        assert (await host.get("/api/tournaments/cup")).status_code == 404


async def test_the_hosts_page_is_served_and_asks_for_nothing_from_elsewhere(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server, http_client(server) as anybody:
        page = await anybody.get("/host")
        assert page.status_code == 200
        assert 'src="static/host/main.js"' in page.text
        assert "http" not in page.text.replace("http-equiv", "")
        assert (await anybody.get("/static/host/main.js")).status_code == 200
