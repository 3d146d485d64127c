"""The parts there are, and how one is run."""

from __future__ import annotations

import tempfile
import time
import traceback
from importlib import import_module
from pathlib import Path

from tests.torture.report import Report, SkippedError

#: Need no server.
ON_ONE_CORE = ("authz", "inputs", "clock", "anomaly")
#: Short ones first: what is broken for all of them shows soon.
WITH_A_SERVER = ("disk", "backup", "race", "load", "soak", "kill9")
PARTS = (*ON_ONE_CORE, *WITH_A_SERVER)


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
