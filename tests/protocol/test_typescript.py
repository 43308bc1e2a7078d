"""The words and types of the JavaScript SDK are those of the models."""

import inspect
from pathlib import Path

import pytest

from fangnetz_protocol import messages, right2live, spaceballs, typescript
from fangnetz_protocol.model import Model

PACKAGE = Path(__file__).parents[2] / "clients" / "javascript"


@pytest.mark.parametrize("name", typescript.documents())
def test_a_generated_file_is_that_of_the_models(name: str) -> None:
    text = (PACKAGE / name).read_text(encoding="utf-8")
    assert text == typescript.documents()[name], "run: make schema"


def test_every_model_has_its_type() -> None:
    types = typescript.documents()["types/messages.d.ts"]
    for module, game in ((messages, ""), (right2live, "Right2Live"), (spaceballs, "Spaceballs")):
        for name in module.__all__:
            model = getattr(module, name)
            if inspect.isclass(model) and issubclass(model, Model) and name not in ("Envelope", "Error"):
                assert f"export interface {game}{name} " in types


def test_the_files_are_written_anew(tmp_path: Path) -> None:
    for folder in ("src", "types"):
        (tmp_path / folder).mkdir()
    typescript.main(tmp_path)
    assert {path: (tmp_path / path).read_text(encoding="utf-8") for path in typescript.documents()} == (
        typescript.documents()
    )
