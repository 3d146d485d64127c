"""Runs the parts named, or all of them; status 1 when a promise is broken.

python -m tests.torture [PART ...] [--scale 0.1]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from importlib import import_module
from pathlib import Path

from tests.torture.report import Report, SkippedError

#: Short ones first: what is broken for all of them shows soon.
PARTS = (
    "authz",
    "clock",
    "disk",
    "anomaly",
    "inputs",
    "backup",
    "race",
    "load",
    "soak",
    "kill9",
)
#: As they may be called, too.
ALIASES = {"input": "inputs"}


def run(part: str, scale: float) -> bool:
    """Run one part in a folder of its own; whether what it is about was held."""
    report = Report(part)
    began = time.monotonic()
    print(f"== {part}", flush=True)
    try:
        with tempfile.TemporaryDirectory(prefix=f"torture-{part}-") as folder:
            import_module(f"tests.torture.{part}").run(Path(folder), scale, report)
    except SkippedError as why:
        print(f"{part}: not run: {why}", flush=True)
        return True
    except Exception:  # noqa: BLE001 - the other parts are to run all the same
        traceback.print_exc()
        print(f"{part}: BROKEN", flush=True)
        return False
    print(f"{part}: held, in {time.monotonic() - began:.0f} s", flush=True)
    return True


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
    held = [run(part, asked.scale) for part in parts]
    print(f"{sum(held)} of {len(held)} parts held")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
