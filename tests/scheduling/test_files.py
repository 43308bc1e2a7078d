"""Tournament files: what cannot be played is refused with its place, and nothing is half done."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from fangnetz.confine.limits import Limits
from fangnetz_server.games.registry import load_games
from fangnetz_server.scheduling.files import plan_id, read_plan, stored_plan
from fangnetz_server.scheduling.own_bots import OwnLimits
from fangnetz_server.tournament.spec import SpecError
from support.tournament_server import WHO, league, tournament_server

OWN = {"name": "Own", "bot": "simple"}
PROGRAM = {"name": "Own", "program": "./own --fast", "folder": "/a"}
LIMIT, SPEED = "bots.0.limits.memory_mb", "bots.0.limits.speed"


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"bots": "Own"}, "bots"),
        ({"bots": [{"name": "Own"}]}, "bots.0"),
        ({"bots": [{"name": "Own", "bot": "simple", "command": "x"}]}, "bots.0"),
        ({"bots": [{"name": "Own", "command": "x", "program": "x", "folder": "/a"}]}, "bots.0"),
        ({"bots": [{"name": "Own", "program": "x"}]}, "bots.0"),
        ({"bots": [{**OWN, "limits": {"memory_mb": 9}}]}, "bots.0"),
        ({"bots": [{"name": "Own", "program": "x", "folder": "/a", "limits": {"memory_mb": 0}}]}, LIMIT),
        ({"bots": [{"name": "Own", "program": "x", "folder": "/a", "limits": {"speed": 1}}]}, SPEED),
        ({"bots": [{"name": "Own", "program": "x", "folder": "/a", "sandbox": "jail"}]}, "bots.0.sandbox"),
        ({"bots": [{**PROGRAM, "folder": "/a/b"}, {**PROGRAM, "name": "2"}]}, "bots.1.folder"),
        ({"bots": [{"bot": "simple"}]}, "bots.0.name"),
        ({"bots": [OWN, OWN]}, "bots.1.name"),
        ({"bots": [{**OWN, "colour": "red"}]}, "bots.0.colour"),
        ({"settings": {"deadline_ms": 0}}, "settings.deadline_ms"),
        ({"settings": {"speed": 3}}, "settings.speed"),
        ({"settings": {"action_delay": 2}}, "settings"),
        ({"ruleset": {"duration": -1}}, "setup or ruleset"),
        ({"ruleset": {"gravity": 1}}, "setup or ruleset"),
        ({"setup": {"ruleset": {}}}, "setup.ruleset"),
        ({"entries": []}, "entries"),
        ({"entries": [{"bot": "ann"}, {"bot": "zoe"}]}, "entries.1.bot"),
        ({"format": {"kind": "round_robin", "seats": 3}}, "format.seats"),
        ({"maps": []}, "maps"),
        ({"game": "chess"}, "game"),
    ],
    ids=str,
)
def test_a_bad_file_is_refused_with_its_place(change: dict[str, Any], where: str) -> None:
    data = league("ann", "bob") | change
    with pytest.raises(SpecError) as caught:
        read_plan(data, load_games(), {"ann", "bob"})
    assert caught.value.where == where


def test_own_bots_take_part_without_an_entry() -> None:
    data = league("ann") | {"bots": [{**OWN, "rank": 9}]}
    plan = read_plan(data, load_games(), {"ann"})
    assert plan.spec.bots() == ("ann", "Own")
    assert plan.bots[0].bot == "spaceballs:simple"
    assert plan.bots[0].is_reference


def test_a_confined_program_comes_back_from_the_store_as_it_was() -> None:
    limits = {"memory_mb": 256}
    data = league("ann") | {"bots": [{**PROGRAM, "limits": limits, "read": ["/opt/jdk"]}]}
    plan = read_plan(data, load_games(), {"ann"})
    assert plan.bots[0].program == ("./own", "--fast")
    assert not plan.bots[0].is_reference
    assert stored_plan(json.loads(json.dumps(plan.to_json()))) == plan


def test_two_programs_may_share_a_folder() -> None:
    """Then they are of one author; only one inside the other is refused."""
    data = league("ann") | {
        "bots": [PROGRAM, {**PROGRAM, "name": "2"}, {**PROGRAM, "name": "3", "folder": "/b"}]
    }
    assert len(read_plan(data, load_games(), {"ann"}).bots) == 3


def test_limits_are_those_of_the_bridge() -> None:
    ours, its = OwnLimits(), Limits()
    assert ours.model_dump() == {field.name: getattr(its, field.name) for field in dataclasses.fields(its)}


def test_a_plan_comes_back_from_the_store_as_it_was() -> None:
    data = league(
        "ann",
        "bob",
        "cid",
        "dan",
        kind="groups",
        options={"groups": 2, "knockout": {"kind": "double_elimination"}},
    )
    data |= {
        "bots": [{"name": "Own", "command": "python 'my bot.py' {server}"}],
        "tie_breaks": ["wins", "lot"],
    }
    plan = read_plan(data, load_games())
    assert stored_plan(plan.to_json()) == plan
    assert plan.bots[0].command == ("python", "my bot.py", "{server}")


def test_ids_come_from_names() -> None:
    assert plan_id("Herbst-Cup 2026!") == "herbst-cup-2026"
    assert plan_id("★") == "tournament"


@pytest.mark.parametrize(
    "bots",
    [
        [{"name": "Evil", "command": "rm -rf /"}],
        [{"name": "Evil", "bot": "evil.py"}],
        [{"name": "an\u200bn", "bot": "simple"}],
        [{"name": "Ann", "bot": "simple"}],
    ],
    ids=["a program", "a file", "an invisible letter", "a name that looks like another"],
)
async def test_own_bots_that_the_server_does_not_start(tmp_path: Path, bots: list[dict[str, Any]]) -> None:
    async with tournament_server(tmp_path, scheduler={"any_program": False}) as server:
        await server.register("ann", "bob")
        with pytest.raises(SpecError, match=r"^bots\.0"):
            await server.commands.create(league("bob") | {"bots": bots}, WHO, "cup")
        assert not await server.host.store.tournaments.all()
        assert [bot.name for bot in await server.host.store.bots.all()] == ["ann", "bob"]
