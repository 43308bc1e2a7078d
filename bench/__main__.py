"""`python -m bench [NAME ...]`: run all benchmarks or some; exit status 1 if a demanded figure is missed."""

import sys
import time
from typing import Final

from bench.attack import attack
from bench.batch import batch
from bench.bridge import bridge
from bench.confined import confined
from bench.endurance import endurance
from bench.fanout import fanout
from bench.lockstep import lockstep
from bench.muted import muted
from bench.pairing import pairing
from bench.report import Benchmark, Verdict
from bench.rules import rules
from bench.scheduling import scheduling
from bench.soak import soak
from bench.store import store

BENCHMARKS: Final[dict[str, Benchmark]] = {
    benchmark.__name__: benchmark
    for benchmark in (
        rules,
        lockstep,
        fanout,
        muted,
        soak,
        store,
        pairing,
        scheduling,
        bridge,
        confined,
        batch,
        attack,
        endurance,
    )
}
LONG: Final = frozenset({"endurance"})
"""Run only if they are named: they take many minutes."""


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all, and return the exit status."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    verdicts: list[Verdict] = []
    for name in names or [name for name in BENCHMARKS if name not in LONG]:
        start = time.monotonic()
        print(f"{name}: {(BENCHMARKS[name].__doc__ or '').splitlines()[0]}", flush=True)
        for verdict in BENCHMARKS[name]():
            print(verdict, flush=True)
            verdicts.append(verdict)
        print(f"         {time.monotonic() - start:.0f} s\n", flush=True)
    missed = [verdict for verdict in verdicts if not verdict.is_met]
    print(f"{len(verdicts) - len(missed)} of {len(verdicts)} demands met")
    return 1 if missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
