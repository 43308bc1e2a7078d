"""The reference page: its examples are files that can be played, and it leaves out nothing."""

import re
import tomllib
from pathlib import Path

import pytest
from pydantic import BaseModel

from fangnetz_server.tournament import options
from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.options import TieBreak
from fangnetz_server.tournament.reading import parse_spec
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import History
from support.tournaments import GAMES

PAGE = (Path(__file__).parents[2] / "docs/reference/tournaments.md").read_text()
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
PARTS = [getattr(options, name) for name in options.__all__]
MODELS = [TournamentSpec, *(part for part in PARTS if isinstance(part, type) and issubclass(part, BaseModel))]
WORDS = set(re.findall(r"`\[*(\w+)\]*`", PAGE))


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_can_be_played(text: str) -> None:
    assert next_pairings(parse_spec(tomllib.loads(text), GAMES), History())


def test_every_format_has_an_example() -> None:
    shown = {parse_spec(tomllib.loads(text), GAMES).format.kind for text in EXAMPLES}
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
