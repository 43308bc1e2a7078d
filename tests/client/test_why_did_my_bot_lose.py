"""The page is true: its programs run, its links lead somewhere, its reasons are all that there are."""

import re
from pathlib import Path
from typing import Any

import pytest

from fangnetz_protocol.words import MatchReason, Right2LiveReason, SpaceballsReason

DOCS = Path(__file__).parents[2] / "docs" / "how-to"
TEXT = (DOCS / "why-did-my-bot-lose.md").read_text(encoding="utf-8")


def test_the_programs_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (DOCS / "write-a-bot.md").read_text(encoding="utf-8")
    falcon = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    (tmp_path / "falcon.py").write_text(falcon, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for program in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
        exec(program, names)
    assert names["result"].reason == "crash_wall", "nobody stops from 0.3 within a tenth of the field"


def test_every_reason_is_explained() -> None:
    told = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE))))
    known = {str(reason) for kind in (MatchReason, Right2LiveReason, SpaceballsReason) for reason in kind}
    assert told == known - {"timeout"}, "nobody loses by a timeout"


def test_the_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", TEXT):
        assert (DOCS / target).exists(), target
