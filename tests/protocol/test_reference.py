"""The protocol reference says what the models say, its links lead somewhere, and it holds every number."""

import inspect
import re
from pathlib import Path

import pytest

from fangnetz_protocol import codes, messages, reference, right2live, spaceballs
from fangnetz_protocol.codec import FROM_BOT, TO_BOT, TO_SPECTATOR
from fangnetz_protocol.model import Model

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")
RECORDED = reference.recordings(PAGE)
BLOCKS = re.findall(r"<!-- table: (\w+)\.(\w+) -->", TEXT)


def anchors() -> set[str]:
    headings = re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_tables_are_those_of_the_models() -> None:
    assert reference.refreshed(TEXT, RECORDED) == TEXT, (
        f"run: python -m fangnetz_protocol.reference {PAGE.name}"
    )


def test_a_change_of_a_table_is_found() -> None:
    damaged = TEXT.replace("| `protocol` | text | yes |", "| `protocol` | text | no |", 1)
    assert damaged != TEXT
    assert reference.refreshed(damaged) == TEXT


def test_a_change_of_a_conversation_is_found() -> None:
    damaged = TEXT.replace('"reason":"timeout"', '"reason":"catch"', 1)
    assert damaged != TEXT
    assert reference.refreshed(damaged, RECORDED) == TEXT
    assert reference.refreshed(damaged) == damaged, "without its recording it stays"


def test_every_game_has_its_conversation() -> None:
    assert (
        set(re.findall(r"<!-- conversation: (\w+) -->", TEXT))
        == set(RECORDED)
        == {"right2live", "spaceballs"}
    )


def test_every_model_and_every_list_of_codes_has_its_table() -> None:
    listed = set(BLOCKS)
    assert len(listed) == len(BLOCKS)
    for module in (messages, right2live, spaceballs):
        name = module.__name__.rpartition(".")[2]
        models = {
            key
            for key in module.__all__
            if inspect.isclass(value := getattr(module, key)) and issubclass(value, Model)
        }
        assert {key for owner, key in listed if owner == name} == models - {"Envelope"}
    assert {key for owner, key in listed if owner == "codes"} == set(codes.__all__)


def test_every_message_has_its_heading() -> None:
    for type_ in (*FROM_BOT.types, *TO_BOT.types, *TO_SPECTATOR.types):
        assert re.search(rf"^### {type_}$", TEXT, re.MULTILINE), type_


def test_the_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", TEXT)
    inside = {target[1:] for target in targets if target.startswith("#")}
    assert len(inside) > 20
    assert inside - anchors() == set()
    for target in {target for target in targets if not target.startswith("#")}:
        assert (PAGE.parent / target).exists(), target


@pytest.mark.parametrize("folder", ["protocol", "server", "clients"])
def test_the_numbers_that_the_code_cites_are_on_the_page(folder: str) -> None:
    stated = set(re.findall(r"^(?:- \*\*|#+ )(P\d(?:\.\d)?)\b", TEXT, re.MULTILINE))
    cited = {
        number
        for path in (ROOT / folder).rglob("*.py")
        for number in re.findall(r"\bP\d(?:\.\d)?\b", path.read_text(encoding="utf-8"))
    }
    assert cited
    assert cited - stated == set()
