"""The tutorial is true: its programs run, its policy learns, its tables are those of the environments."""

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from fangnetz.loading import load_bot, seeded
from fangnetz.local import play_local
from fangnetz_server.envs import Right2LiveEnv, SpaceballsEnv

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "train-a-bot.md"
TEXT = PAGE.read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture
def example() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location(
        "train_spaceballs", ROOT / "clients" / "examples" / "train_spaceballs.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("train_spaceballs", None)


@pytest.mark.parametrize("program", PROGRAMS, ids=["batch", "pettingzoo", "gymnasium"])
def test_the_programs_of_the_page_run(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec(program.replace("range(1000)", "range(3)").replace("4096", "64"), names)
    if "batch" in names:
        assert names["seen"].shape == (64, 2, 74)
    if "picture" in names:
        assert names["picture"].shape == (400, 400, 3)
    if "over" in names:
        assert names["info"]["reason"]


def test_some_generations_of_the_example_beat_random(
    example: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    weights = example.train(generations=12, tell=told.append)
    assert [line.partition(":")[0] for line in told] == ["generation 5", "generation 10"]
    monkeypatch.setattr(example, "FILE", tmp_path / "policy.npy")
    np.save(example.FILE, weights)
    points = [0.0, 0.0]
    for seed in range(6):
        random = seeded(load_bot("spaceballs:random"), seed)()
        result = play_local("spaceballs", [example.Trained(), random], seed=seed)
        points = [sum(pair) for pair in zip(points, result.points, strict=True)]
    assert points[0] >= 5
    assert points[1] <= 1


def test_the_shapes_of_the_page_are_those_of_the_spaces() -> None:
    assert "| `Box((74,))` | `Dict` of `near` (3, 15, 15), `own` (26,) and `others` (seats, 6) |" in TEXT
    assert SpaceballsEnv().observation_space("seat_0").shape == (74,)
    seen, _ = Right2LiveEnv(seats=6).reset(seed=1)
    shapes = {name: part.shape for name, part in seen["seat_0"].items()}
    assert shapes == {"near": (3, 15, 15), "own": (26,), "others": (6, 6)}


def test_the_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", TEXT):
        assert target.startswith("https://") or (PAGE.parent / target).exists(), target
