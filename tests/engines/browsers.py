"""Firefox and WebKitGTK, driven over the protocols that they bring themselves.

Debian has no geckodriver, which Selenium needs for Firefox, so this speaks Firefox's own protocol,
Marionette, with the same commands that WebKit's driver takes over HTTP.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.servers import free_port

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PATIENCE_S = 90
MINI_BROWSERS = ("webkitgtk-6.0", "webkit2gtk-4.1", "webkit2gtk-4.0")


class Browser(ABC):
    """A browser with one page."""

    @abstractmethod
    def command(self, name: str, **what: Any) -> Any:
        """Send a command by the name it has in Marionette; return its value."""

    @abstractmethod
    def errors(self) -> list[str]:
        """What scripts and the Content-Security-Policy have complained of since `listen`."""

    @abstractmethod
    def listen(self) -> None:
        """Listen for errors of the page that is open."""

    def go(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self.command("Navigate", url=url)

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what `script` returns on the page."""
        return self.command("ExecuteScript", script=script, args=list(arguments))

    def wait_for(self, script: str, *arguments: Any) -> Any:
        """Return what `script` returns once that is true."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                found = self.run(script, *arguments)
            except BrowserError:
                # Between two pages there is none.
                found = None
            if found:
                return found
            if time.monotonic() > deadline:
                shown = self.run("return location.href + ' ' + document.body.innerText")
                raise AssertionError(f"waited in vain for {script} on {shown}")
            time.sleep(0.1)

    def click(self, selector: str, nth: int = 0) -> None:
        """Click an element as a mouse does, once it can be seen."""
        element = self.wait_for(
            """const found = document.querySelectorAll(arguments[0])[arguments[1]];
            if (!found || !found.getClientRects().length) return null;
            found.scrollIntoView({ block: "center" });
            return found;""",
            selector,
            nth,
        )
        self.command("ElementClick", id=element[ELEMENT])

    def text(self, selector: str) -> str:
        """Return the text of the first such element, or nothing."""
        return str(self.run("return document.querySelector(arguments[0])?.innerText", selector))


class BrowserError(Exception):
    """A command failed."""


class Firefox(Browser):
    """Firefox, over Marionette."""

    def __init__(self, port: int) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
            else:
                break
        self._number = 0
        self._read()  # it introduces itself
        self.command("NewSession", capabilities={})

    def command(self, name: str, **what: Any) -> Any:
        prefix = "Marionette" if name in ("SetContext", "Quit") else "WebDriver"
        self._number += 1
        message = json.dumps([0, self._number, f"{prefix}:{name}", what]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, value = self._read()
        if error:
            raise BrowserError(error)
        return value.get("value") if isinstance(value, dict) and "value" in value else value

    def listen(self) -> None:
        """Nothing is to be done: its console has all errors, those of loading too."""

    def errors(self) -> list[str]:
        self.command("SetContext", value="chrome")
        try:
            found = self.run(
                """return Services.console.getMessageArray()
                    .filter((one) => one instanceof Ci.nsIScriptError)
                    .filter((one) => /^(content javascript|CSP|DOM.*)$/.test(one.category))
                    .filter((one) => !(one.flags & 1) && one.sourceName.startsWith("http"))
                    .map((one) => `${one.errorMessage} (${one.sourceName}:${one.lineNumber})`)"""
            )
        finally:
            self.command("SetContext", value="content")
        return [str(one) for one in found]

    def read_aloud(self) -> list[tuple[int, str, str]]:
        """Return depth, role and name of all that assistive technology finds, in its order."""
        self.command("SetContext", value="chrome")
        try:
            found = self.wait_for(
                """const service = Cc["@mozilla.org/accessibilityService;1"]
                    .getService(Ci.nsIAccessibilityService);
                const page = service.getAccessibleFor(gBrowser.selectedBrowser)?.firstChild;
                const found = [];
                const read = (node, depth) => {
                    found.push([depth, service.getStringRole(node.role), node.name ?? ""]);
                    for (let child = node.firstChild; child; child = child.nextSibling) {
                        read(child, depth + 1);
                    }
                };
                if (page?.firstChild) read(page, 0);
                return found.some(([, role]) => role === "checkbutton") ? found : null;"""
            )
        finally:
            self.command("SetContext", value="content")
        return [(depth, role, name) for depth, role, name in found]

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _read(self) -> Any:
        size = b""
        while not size.endswith(b":"):
            size += self._receive(1)
        return json.loads(self._receive(int(size[:-1])))

    def _receive(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._socket.recv(size - len(data))
            if not part:
                raise BrowserError("Firefox has hung up")
            data += part
        return data


class WebKit(Browser):
    """WebKitGTK's MiniBrowser, over WebDriver."""

    _PATHS = {"Navigate": "url", "ExecuteScript": "execute/sync"}

    def __init__(self, url: str, program: Path) -> None:
        self._url = url
        options = {"binary": str(program), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = self._send("session", {"capabilities": wanted})["sessionId"]

    def command(self, name: str, **what: Any) -> Any:
        path = self._PATHS.get(name) or f"element/{what.pop('id')}/click"
        return self._send(f"session/{self._session}/{path}", what)

    def listen(self) -> None:
        self.run(
            """window.heard = [];
            const hear = (event) => window.heard.push(
                String(event.message ?? event.reason ?? event.violatedDirective));
            for (const name of ["error", "unhandledrejection"]) addEventListener(name, hear);
            document.addEventListener("securitypolicyviolation", hear);"""
        )

    def errors(self) -> list[str]:
        return [str(one) for one in self.run("return window.heard")]

    def _send(self, path: str, what: dict[str, Any]) -> Any:
        request = Request(f"{self._url}/{path}", data=json.dumps(what).encode(), method="POST")
        try:
            with urlopen(request, timeout=PATIENCE_S) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            with error:
                raise BrowserError(error.read().decode()) from None


# -- Starting them -----------------------------------------------------------------------------


def firefox_program() -> Path | None:
    """Firefox as it is installed here."""
    found = (shutil.which(name) for name in ("firefox-esr", "firefox"))
    return next((Path(path) for path in found if path), None)


def webkit_programs() -> tuple[Path, Path, Path] | None:
    """WebKit's driver, its small browser, and a screen without a screen; all are needed."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    libraries = Path("/usr/lib")
    browsers = (path for name in MINI_BROWSERS for path in libraries.glob(f"**/{name}/MiniBrowser"))
    browser = next(browsers, None)
    if not (driver and screen and browser):
        return None
    return Path(driver), browser, Path(screen)


@contextmanager
def firefox(folder: Path) -> Iterator[Browser]:
    """Start Firefox without a window, with a new profile."""
    program = firefox_program()
    assert program is not None
    port = free_port()
    profile = folder / "profile"
    profile.mkdir()
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n', encoding="utf-8")
    arguments = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]
    command = [str(program), *arguments, "--profile", str(profile)]
    with running(folder, command, folder / "output"), closing(Firefox(port)) as browser:
        yield browser


@contextmanager
def webkit(folder: Path) -> Iterator[Browser]:
    """Start WebKitGTK's MiniBrowser on a screen of its own."""
    programs = webkit_programs()
    assert programs is not None
    driver, browser, screen = programs
    port = free_port()
    with ExitStack() as stack:
        number, written = os.pipe()
        command = [str(screen), "-displayfd", str(written), "-screen", "0", "1280x900x24"]
        stack.enter_context(running(folder, command, folder / "screen", keep=written))
        os.close(written)
        with os.fdopen(number) as display:
            more = {"DISPLAY": f":{display.readline().strip()}"}
        if os.geteuid() == 0:
            # Its sandbox refuses to run as root.
            more["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
        stack.enter_context(
            running(folder, [str(driver), f"--port={port}"], folder / "output", more)
        )
        wait_for_port(port)
        yield WebKit(f"http://127.0.0.1:{port}", browser)


@contextmanager
def running(
    folder: Path,
    command: list[str],
    output: Path,
    more: dict[str, str] | None = None,
    keep: int | None = None,
) -> Iterator[None]:
    """Run a program that keeps what it keeps in `folder`, and end it with all that it started."""
    environment = {
        **os.environ,
        "HOME": str(folder),
        "XDG_RUNTIME_DIR": str(folder),
        **(more or {}),
    }
    with output.open("wb") as file:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=() if keep is None else (keep,),
        )
    try:
        yield
    finally:
        os.killpg(process.pid, 15)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()


def wait_for_port(port: int) -> None:
    """Wait until somebody listens there."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if time.monotonic() > deadline:
            raise AssertionError(f"nothing listens at port {port}")
        time.sleep(0.1)


ENGINES = {"Firefox": firefox, "WebKitGTK": webkit}


def missing() -> dict[str, str]:
    """Why an engine cannot be driven here, for each that cannot."""
    why = {}
    if firefox_program() is None:
        why["Firefox"] = "no Firefox is installed (on Debian: apt install firefox-esr)"
    if webkit_programs() is None:
        why["WebKitGTK"] = (
            "WebKit's driver is not installed (on Debian: apt install webkit2gtk-driver xvfb)"
        )
    return why
