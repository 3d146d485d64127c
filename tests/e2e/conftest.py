"""Fixtures for tests in a real browser against the real server.

A test fails when the browser's console shows an error, when a script fails, or when the
Content-Security-Policy forbids something, unless the test says before that it expects it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    WebError,
    expect,
)

from tests.browser import launch_arguments, tabbed_browser
from tests.servers import ROOT, Server, serving

BOT_DELAY_MS = 50

# What is waited for comes at once, or with the next poll, which may be eight seconds away. Much
# longer, so that no test fails because a machine is slow or has other things to do.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)

# Chromium tells the console of a violation in its own words; this says it in ours as well, with
# what was violated, for all pages that run scripts.
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
    console.error(`CSP violation: ${event.effectiveDirective} forbids ${event.blockedURI}`);
});
"""


@pytest.fixture(scope="session")
def live_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a worker; each test is a new guest with tables of its own.

    Its matches leave nothing to chance: the same setup and moves lead to the same match.
    """
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, bot_delay_ms=BOT_DELAY_MS, chance=False) as server:
        yield server


@pytest.fixture(scope="session")
def base_url(live_server: Server) -> str:
    """What `page.goto("/")` begins with."""
    return live_server.url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**launch_arguments(), **browser_type_launch_args}


class Complaints:
    """What browsers complained of during a test."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self._expected: list[str] = []

    def expect(self, part: str) -> None:
        """Allow complaints that contain `part`, from now on and before."""
        self._expected.append(part)

    def unexpected(self) -> list[str]:
        return [text for text in self.made if not any(part in text for part in self._expected)]

    def listen(self, context: BrowserContext) -> None:
        """Hear every page of `context`."""
        context.on("console", self._console)
        context.on("weberror", self._web_error)
        context.add_init_script(REPORT_VIOLATIONS)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            where = message.location.get("url", "")
            self.made.append(f"{message.type}: {message.text} ({where})")

    def _web_error(self, error: WebError) -> None:
        self.made.append(f"script: {error.error}")


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Fails the test at its end for what was complained of and not expected.

    A refused move, for one, is a console error: `complaints.expect("422")`.
    """
    heard = Complaints()
    yield heard
    assert heard.unexpected() == []


@pytest.fixture
def new_context(
    complaints: Complaints, new_context: Callable[..., BrowserContext]
) -> Callable[..., BrowserContext]:
    """Playwright's, in contexts that are listened to; `page` and `context` are made by it."""

    def make(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        complaints.listen(context)
        return context

    return make


@pytest.fixture
def tabs(
    playwright: Playwright, tmp_path: Path, complaints: Complaints
) -> Iterator[BrowserContext]:
    """A browser window whose tabs hide each other, as those that people use do.

    Playwright has every page of its own browsers believe that it is looked at.
    """
    with tabbed_browser(tmp_path / "profile") as address:
        browser = playwright.chromium.connect_over_cdp(address, no_defaults=True)
        context = browser.contexts[0]
        context.set_default_timeout(PATIENCE_MS)
        complaints.listen(context)
        yield context
        browser.new_browser_cdp_session().send("Browser.close")


@pytest.fixture
def axe_problems() -> Callable[[Page], list[str]]:
    """What axe finds wrong with the page as it is now, one line for each element."""

    def find(page: Page) -> list[str]:
        found = Axe().run(page).response["violations"]
        return [
            f"{page.url}: {problem['help']} ({problem['id']}): {node['html']}"
            for problem in found
            for node in problem["nodes"]
        ]

    return find


@pytest.fixture(scope="session")
def pictures() -> Path:
    """The folder for pictures of pages, which git ignores."""
    folder = ROOT / "pictures"
    folder.mkdir(exist_ok=True)
    return folder
