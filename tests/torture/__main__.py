"""Runs the parts named, or all of them; status 1 when a promise is broken.

python -m tests.torture [PART ...] [--scale 0.1]

Parts with a server keep two cores busy and run one after another.  The others use one core each,
and run two at a time.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.torture.parts import ON_ONE_CORE, PARTS, WITH_A_SERVER, run

#: How many of those on one core.
AT_ONCE = 2
#: Parts as they may be called, too.
ALIASES = {"input": "inputs"}


def main() -> int:
    """Read what is asked for, and do it."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture")
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--scale", type=float, default=float(os.environ.get("SCALE") or 1))
    asked = parser.parse_args()
    parts = [ALIASES.get(name, name) for name in asked.parts or PARTS]
    unknown = set(parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    small = [part for part in parts if part in ON_ONE_CORE]
    with ProcessPoolExecutor(AT_ONCE, get_context("spawn"), max_tasks_per_child=1) as processes:
        held = list(processes.map(run, small, [asked.scale] * len(small)))
    held += [run(part, asked.scale) for part in parts if part in WITH_A_SERVER]
    print(f"{sum(held)} of {len(held)} parts held")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
