"""`python -m tests.engines` installs what it may, says what is skipped, and plays the matches."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.browser import install_from_debian, is_debian
from tests.engines.browsers import ENGINES, missing

PACKAGES = {"Firefox": ["firefox-esr"], "WebKitGTK": ["webkit2gtk-driver", "xvfb"]}


def main() -> int:
    """Play; fail where no engine can be had at all."""
    wanted = [name for engine in missing() for name in PACKAGES[engine]]
    if wanted and os.geteuid() == 0 and is_debian():
        print(f"Installing Debian's {' '.join(wanted)}.", flush=True)
        try:
            install_from_debian(wanted)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"Could not install them: {error}", flush=True)
    skipped = missing()
    for engine, why in skipped.items():
        print(f"Skipped: {engine}, because {why}.", flush=True)
    if len(skipped) == len(ENGINES):
        print("No engine but Chromium could be tried.")
        return 1
    return subprocess.call([sys.executable, "-m", "pytest", "tests/engines", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
