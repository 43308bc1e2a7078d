"""Limits from a command line, and which of them is broken."""

import pytest

from fangnetz.confine.limits import Limits, read_limits
from fangnetz.confine.proc import Usage
from fangnetz.confine.watch import excess
from fangnetz.problems import WrongUse

LIMITS = Limits(cpu_tick_ms=200, cpu_match_s=60, memory_mb=256, processes=8, files=16, scratch_mb=32)


def test_what_is_not_named_keeps_its_default() -> None:
    assert read_limits([]) == Limits()
    assert read_limits(["memory_mb=256", "cpu_tick_ms=50"]) == Limits(memory_mb=256, cpu_tick_ms=50)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("speed=9", "there is no limit 'speed'; there are cpu_tick_ms, cpu_match_s, memory_mb"),
        ("files", "has to be NAME=VALUE with a whole number from 1 to 1,000,000"),
        ("files=0", "has to be NAME=VALUE"),
        ("files=-1", "has to be NAME=VALUE"),
        ("files=many", "has to be NAME=VALUE"),
        ("files=1000001", "has to be NAME=VALUE"),
    ],
)
def test_a_wrong_limit(text: str, says: str) -> None:
    with pytest.raises(WrongUse) as caught:
        read_limits([text])
    assert str(caught.value).startswith(f"--limit {text}: ")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("usage", "tick_s", "written", "says"),
    [
        (Usage(60.0, 256_000_000, 11), 0.2, 32_000_000, None),
        (Usage(60.01, 0, 0), 0.0, 0, "has used more than 60 s of CPU time in the match (cpu_match_s)"),
        (Usage(), 0.21, 0, "has used more than 200 ms of CPU time for one answer (cpu_tick_ms)"),
        (Usage(memory=256_000_001), 0.0, 0, "has used more than 256 MB of memory (memory_mb)"),
        (Usage(threads=12), 0.0, 0, "has had more than 8 processes and threads (processes)"),
        (Usage(), 0.0, 32_000_001, "has written more than 32 MB (scratch_mb)"),
    ],
)
def test_which_limit_is_broken(usage: Usage, tick_s: float, written: int, says: str | None) -> None:
    assert excess(LIMITS, usage, tick_s, written) == says
