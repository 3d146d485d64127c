"""The browser that the tests drive: an installed Chromium or Chrome, else Playwright's own.

`python -m tests.browser` says which one it is, and installs one first where there is none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPS = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)

# Chromium looks things up on the network by itself; the tests need none of that. Playwright
# gives it a new, empty profile each time.
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launch_arguments() -> dict[str, object]:
    """What to start the browser with, for Playwright's `launch`."""
    arguments: dict[str, object] = {"args": _flags()}
    browser = installed_browser()
    if browser is not None:
        arguments["executable_path"] = str(browser)
    return arguments


def _flags() -> list[str]:
    # Chromium's sandbox refuses to run as root.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*FLAGS, "--no-sandbox"] if is_root else list(FLAGS)


@contextmanager
def tabbed_browser(profile: Path) -> Iterator[str]:
    """A browser with a window of its own, and the address at which it takes DevTools' commands."""
    browser = installed_browser() or playwrights_own()
    if browser is None:
        raise RuntimeError("no browser is installed")
    flags = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
    command = [browser, *_flags(), *flags, "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield _devtools_address(process, profile / "DevToolsActivePort")
        process.wait(timeout=60)
    finally:
        process.kill()
        process.wait()


def _devtools_address(process: subprocess.Popen[bytes], told: Path) -> str:
    """Wait until the browser has written down its port."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        if told.exists() and (lines := told.read_text(encoding="ascii").split()):
            return f"http://127.0.0.1:{lines[0]}"
        time.sleep(0.05)
    raise RuntimeError("the browser does not start")


def installed_browser() -> Path | None:
    """The first Chromium or Chrome on this machine that starts."""
    on_path = (Path(found) for found in map(shutil.which, NAMES) if found)
    for browser in (*on_path, *MAC_APPS):
        if browser.exists() and version_of(browser):
            return browser
    return None


def playwrights_own() -> Path | None:
    """The browser Playwright has downloaded, if it has."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = Path(playwright.chromium.executable_path)
    return browser if browser.exists() else None


def version_of(browser: Path) -> str:
    """What the browser calls itself, or nothing when it does not start.

    Some systems put a script in its place that only says how to install it.
    """
    try:
        answer = subprocess.run(
            [browser, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""


def install() -> None:
    """Install a browser: Debian's as root on Debian, else Playwright's own."""
    if os.geteuid() == 0 and is_debian():
        print("No Chromium or Chrome here: installing Debian's chromium.", flush=True)
        install_from_debian(["chromium", "fonts-dejavu-core"])
    else:
        print("No Chromium or Chrome here: installing Playwright's own.", flush=True)
        command = [sys.executable, "-m", "playwright", "install", "chromium"]
        subprocess.run(command, stdin=subprocess.DEVNULL, check=True)


def install_from_debian(packages: list[str]) -> None:
    """Install these packages; only root may."""
    # dpkg needs the folders of system programs, which a bare PATH may lack.
    environment = {
        **os.environ,
        "DEBIAN_FRONTEND": "noninteractive",
        "PATH": os.environ.get("PATH", os.defpath) + ":/usr/local/sbin:/usr/sbin:/sbin",
    }
    options = ["--quiet", "--yes", "--no-install-recommends"]
    for command in (
        ["apt-get", "--quiet", "update"],
        ["apt-get", "install", *options, *packages],
    ):
        subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True
        )


def is_debian() -> bool:
    """Whether `apt-get install chromium` brings a Chromium; Ubuntu's is a snap."""
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    return "ID=debian" in lines and shutil.which("apt-get") is not None


def main() -> int:
    """Say which browser the tests use, installing one first where there is none."""
    if not (installed_browser() or playwrights_own()):
        try:
            install()
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"Could not install a browser ({error}): install Chromium or Chrome yourself.")
            return 1
    browser = installed_browser() or playwrights_own()
    if browser is None:
        print("The installed browser does not start: install Chromium or Chrome yourself.")
        return 1
    print(f"Browser for the tests: {browser} ({version_of(browser)})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
