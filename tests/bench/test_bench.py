"""The command `python -m bench`, as far as it can be tested without measuring."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_an_unknown_benchmark_is_refused_before_anything_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "soak", "warp"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("no benchmark warp; there are rules, lockstep, fanout, muted, soak")


def test_a_missed_demand_is_marked_and_fails() -> None:
    program = (
        "import bench.__main__ as main; from bench.report import Verdict\n"
        "def slow():\n"
        "    '''Something slow.'''\n"
        "    yield Verdict('share', 0.39, '>=', 0.4)\n"
        "    yield Verdict('growth', 2, '<=', 2, 'MB')\n"
        "main.BENCHMARKS = {'slow': slow}\n"
        "raise SystemExit(main.main([]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 1
    assert "slow: Something slow." in done.stdout
    assert "  MISSED share: 0.39 (demanded >= 0.4)" in done.stdout
    assert "  met    growth: 2 MB (demanded <= 2 MB)" in done.stdout
    assert "1 of 2 demands met" in done.stdout
