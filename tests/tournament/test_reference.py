"""The reference page: its examples are files that can be played, and it leaves out nothing."""

import re
import tomllib
from pathlib import Path

import pytest
from pydantic import BaseModel

from fangnetz_server.games.registry import load_games
from fangnetz_server.scheduling.files import read_plan
from fangnetz_server.scheduling.own_bots import OwnBot, OwnLimits
from fangnetz_server.tournament import options
from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.options import TieBreak
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import History

PAGE = (Path(__file__).parents[2] / "docs/reference/tournaments.md").read_text()
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
PARTS = [getattr(options, name) for name in options.__all__]
MODELS = [
    TournamentSpec,
    OwnLimits,
    *(part for part in PARTS if isinstance(part, type) and issubclass(part, BaseModel)),
]
WORDS = set(re.findall(r"`\[*(\w+)\]*`", PAGE))


def spec_of(text: str) -> TournamentSpec:
    return read_plan(tomllib.loads(text), load_games()).spec


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_can_be_played(text: str) -> None:
    assert next_pairings(spec_of(text), History())


def test_every_format_has_an_example() -> None:
    shown = {spec_of(text).format.kind for text in EXAMPLES}
    assert shown == {
        "round_robin", "swiss", "knockout", "double_elimination", "groups", "free_for_all", "ladder"
    }  # fmt: skip


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_key_is_explained(model: type[BaseModel]) -> None:
    unnamed = set(model.model_fields) - WORDS - {"kind"}
    if issubclass(model, options.DuelOptions):
        # A duel has 2 seats; the key exists only to say so.
        unnamed -= {"seats"}
    assert not unnamed


@pytest.mark.parametrize("name", TieBreak)
def test_every_tie_break_is_explained(name: TieBreak) -> None:
    assert f"| `{name}` |" in PAGE


def test_every_limit_has_its_default_in_the_table() -> None:
    told = {
        name: int(value) for name, value in re.findall(r"^\| `(\w+)` \| (\d+) \| .* \| ", PAGE, re.MULTILINE)
    }
    assert {name: told.get(name) for name in OwnLimits.model_fields} == OwnLimits().model_dump()


def test_every_key_of_an_own_bot_is_explained() -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/run-a-tournament.md").read_text()
    assert set(OwnBot.model_fields) <= set(re.findall(r"`(\w+)`", page))
