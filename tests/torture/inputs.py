"""Naughty strings in every field of every form, in every address and query: never a fault.

And where a name is shown, the page is built of the same tags as with a plain one.
"""

from __future__ import annotations

import json
import random
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import update

from raisesum.models import Seat, User
from raisesum.services import names
from raisesum.services.refusals import RefusedError
from raisesum.services.transactions import write_transaction
from tests.torture.report import Report, hold, quiet, times
from tests.torture.world import OTTER, QUERIES, SHARED, World, world

REQUESTS = 12_000
LIST = Path(__file__).with_name("data") / "blns.json"
SHOWN_AT = ("/", "/account", "/games/{own}", "/games/{shared}", "/games/{room}", "/games/{ended}")
PLAIN = "Plain name"


def naughty(chance: random.Random) -> list[str]:
    """The list, and as many again made up here."""
    listed: list[str] = json.loads(LIST.read_text(encoding="utf-8"))
    made = [
        "9" * 5000,
        "-" + "9" * 400,
        str(2**31),
        str(2**63),
        str(-(2**63)),
        "\0",
        "a\0b",
        "\ud800",
        "x" * 60_000,
        "1e309",
        "²",
        "\u202eabc",
        "{{7*7}}",
        "${7*7}",
        "%s%n",
        "' OR 1=1 --",
        "../../etc/passwd",
        "//evil.example/",
        "\\\\evil.example\\",
        "javascript:alert(1)",
        "\r\nSet-Cookie: a=b",
        "<table><tr><td>",
        "</main></body>",
        '"><script>',
    ]
    while len(made) < len(listed):
        length = chance.choice((1, 2, 5, 24, 25, 100, 1000))
        # Every plane that has characters, surrogates and those that are no characters included.
        top = chance.choice((0x7F, 0xFF, 0x2FFF, 0xFFFF, 0x10FFFF))
        made.append("".join(chr(chance.randrange(top + 1)) for _ in range(length)))
    return listed + made


def run(folder: Path, scale: float, report: Report) -> None:
    """Send what nobody should, in turn, until there were enough requests."""
    chance = random.Random(4)
    strings = naughty(chance)
    with quiet(), world(folder) as there:
        sent = _send(there, strings, times(REQUESTS, scale, 150), chance, report)
        shown = _show(there, strings, times(len(strings), scale, 8), chance)
    report.figure("strings", len(strings))
    report.figure("requests", sent)
    report.figure("answered with a fault of ours", 0)
    report.figure("names shown on pages of the same tags as with a plain one", shown)


def _send(
    there: World, strings: list[str], wanted: int, chance: random.Random, report: Report
) -> int:
    places: list[tuple[str, str, str]] = []
    for rule, form in there.posts():
        skipped = rule.endpoint in ("accounts.sign_out", "accounts.send_delete")
        for name in () if skipped else (*form.fields, "next", "csrf_token"):
            places.append(("POST", rule.endpoint, name))
        for name in rule.arguments:
            places.append(("POST", rule.endpoint, f"<{name}>"))
    for rule in there.gets():
        places += [("GET", rule.endpoint, name) for name in QUERIES]
        places += [("GET", rule.endpoint, f"<{name}>") for name in rule.arguments]
    report.figure("routes and fields", len(places))
    chance.shuffle(places)
    statuses: dict[int, int] = {}
    for number in range(wanted):
        method, endpoint, place = places[number % len(places)]
        text = strings[(number // len(places) + number * 7) % len(strings)]
        status = _one(there, method, endpoint, place, text)
        statuses[status] = statuses.get(status, 0) + 1
        hold(status < 500, f"{method} {endpoint}, {place} = {text[:80]!r}: {status}")
    report.figure("answers by status", dict(sorted(statuses.items())))
    return wanted


def _one(there: World, method: str, endpoint: str, place: str, text: str) -> int:
    rule = next(
        rule
        for rule in there.app.url_map.iter_rules()
        if rule.endpoint == endpoint and method in (rule.methods or ())
    )
    form = {rule.endpoint: form for rule, form in there.posts()}.get(endpoint)
    browser = there.browsers[form.who if form else OTTER]
    table = form.table if form else SHARED
    instead = {}
    if place.startswith("<"):
        instead[place[1:-1]] = quote(text[:2000].encode("utf-8", "surrogatepass"), safe="")
    if "token" in rule.arguments:
        instead.setdefault("token", "no-such-token")
    path = there.address(rule, table, **instead)
    if method == "GET":
        if not place.startswith("<"):
            path += f"?{place}={quote(text[:4000].encode('utf-8', 'surrogatepass'))}"
        return browser.client.get(path, buffered=True).status_code
    if not browser.token:
        browser.get("/")
    fields = there.fields(form) if form else {}
    if not place.startswith("<"):
        fields[place] = text
    fields.setdefault("csrf_token", browser.token)
    # Put together by hand: the test client's own encoding refuses lone surrogates.
    body = "&".join(
        f"{quote(name)}={quote(value.encode('utf-8', 'surrogatepass'))}"
        for name, value in fields.items()
    )
    answer = browser.client.post(
        path, data=body, content_type="application/x-www-form-urlencoded", buffered=True
    )
    return answer.status_code


def _show(there: World, strings: list[str], wanted: int, chance: random.Random) -> int:
    """Hold that a name that may be had changes no tag of any page that shows it."""
    accepted = []
    for text in strings:
        try:
            accepted.append(names.shown_name(text))
        except RefusedError:
            continue
    chance.shuffle(accepted)
    pages = [path.format(**there.keys) for path in SHOWN_AT]
    browser = there.browsers[OTTER]
    browser.sign_in(OTTER)
    _rename(there, PLAIN)
    plain = {path: tags(browser.get(path).text) for path in pages}
    for name in accepted[:wanted]:
        _rename(there, name)
        for path in pages:
            found = tags(browser.get(path).text)
            hold(found == plain[path], f"{name!r} changes the tags of {path}")
    return min(wanted, len(accepted))


def _rename(there: World, name: str) -> None:
    with there.app.app_context(), write_transaction() as session:
        session.execute(update(User).values(shown_name=name))
        session.execute(update(Seat).where(Seat.user_id.is_not(None)).values(name=name))


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append((f"/{tag}", ()))


def tags(page: str) -> list[tuple[str, tuple[str, ...]]]:
    """The tags of a page in their order, with the names of their attributes."""
    parser = _Tags()
    parser.feed(page)
    return parser.found
