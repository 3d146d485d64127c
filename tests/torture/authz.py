"""Every route times everybody: what is not known to be for all is for those who sit there."""

from __future__ import annotations

from pathlib import Path

from werkzeug.routing import Rule

from tests.rows import all_rows
from tests.torture.report import Report, hold
from tests.torture.world import (
    ENDED,
    FORMS,
    HERON,
    OPEN,
    OTTER,
    OWN,
    PEOPLE,
    ROOM,
    SHARED,
    STRANGER,
    TABLES,
    Form,
    World,
    world,
)

#: For everybody, whoever they are. Whatever is not named here or below needs a sign-in.
FOR_ALL = {
    *("static", "home.index", "home.rules", "home.play_now", "home.new_table", "home.set_table"),
    "home.open_tables",
    *("accounts.register", "accounts.send_register", "accounts.sign_in", "accounts.send_sign_in"),
    *("accounts.recover", "accounts.send_recover", "accounts.sign_out", "settings.save"),
    *("privacy.show", "operations.healthz", "operations.metrics", "printing.sheets"),
    *("decks.index", "decks.build", "decks.make", "decks.custom"),
    *("lesson.index", "lesson.show", "lesson.act", "lesson.sum"),
    *("practice.index", "practice.begin"),
    *("replays.open_form", "replays.open_record"),
    *("friends.join", "friends.find_by_code", "friends.new_table", "friends.set_table"),
    *("handovers.look", "handovers.use"),
    *("invitations.look", "invitations.part", "invitations.join"),
    *("seat_offers.look", "seat_offers.take"),
}
#: Of a table that waits: whoever has its link may see who is there, and sit down.
FOR_ALL_WITH_THE_LINK = {"games.show", "waiting.part", "waiting.join", "games.part"}
#: Of a table that may be watched.
FOR_WATCHERS = {
    *("games.show", "games.part", "review.show"),
    *("replays.show", "replays.download", "replays.why"),
}
#: Of a match that is over, whoever has its link may look back.
FOR_ALL_AFTERWARDS = FOR_WATCHERS

SEATED = {
    OWN: {OTTER},
    SHARED: {OTTER, HERON},
    OPEN: {OTTER, HERON},
    ROOM: {OTTER, HERON},
    ENDED: {OTTER},
}
#: By whoever has the link; the cards in hands excepted.
MAY_BE_SEEN = {ROOM, OPEN, ENDED}
HOSTS_ONLY = {
    *("waiting.start", "waiting.change", "waiting.seat_bot"),
    *("waiting.remove", "waiting.hand_over_host"),
}
DENIED = {303, 401, 403, 404}
#: Whoever has the link of a table, and is late to join it, is told that it has begun.
TOLD_TOO_LATE = {"waiting.join": 409}


def run(folder: Path, scale: float, report: Report) -> None:
    """Ask for everything as everybody; below a scale of 1 for a part of it."""
    every = max(1, round(1 / scale)) if scale < 1 else 1
    with world(folder) as there:
        asked = denied = met = 0
        for rule in sorted(there.app.url_map.iter_rules(), key=lambda each: each.rule):
            tables = TABLES if "key" in rule.arguments else (OWN,)
            for method in sorted((rule.methods or set()) & {"GET", "POST"}):
                for table in tables:
                    # Those who may do the most come last, and change what others find the least.
                    for who in PEOPLE:
                        if _may(rule, table, who):
                            continue
                        met += 1
                        if met % every:
                            continue
                        asked += 1
                        _hold_denied(there, rule, method, table, who)
                        denied += 1
        for rule in sorted(there.app.url_map.iter_rules(), key=lambda each: each.rule):
            if "GET" in (rule.methods or ()):
                for table in TABLES if "key" in rule.arguments else (OWN,):
                    for who in PEOPLE:
                        met += 1
                        if _may(rule, table, who) and not met % every:
                            asked += 1
                            path = there.address(rule, table)
                            status = there.browsers[who].get(path).status_code
                            hold(status < 500, f"{who} at {path} got {status}")
    report.figure("routes", len(list(there.app.url_map.iter_rules())))
    report.figure("routes with a form that is told", len(FORMS))
    report.figure("requests", asked)
    report.figure("of these denied, and without any change", denied)


def _may(rule: Rule, table: str, who: str) -> bool:
    """Whether this person might be let in here; the views decide the rest."""
    if "key" not in rule.arguments:
        return rule.endpoint in FOR_ALL or who != STRANGER
    if rule.endpoint in HOSTS_ONLY:
        return table == ROOM and who == OTTER
    if table == ROOM and rule.endpoint in FOR_ALL_WITH_THE_LINK:
        return True
    if table == OPEN and rule.endpoint in FOR_WATCHERS:
        return True
    if table == ENDED and rule.endpoint in FOR_ALL_AFTERWARDS:
        return True
    return who in SEATED[table]


def _hold_denied(there: World, rule: Rule, method: str, table: str, who: str) -> None:
    browser = there.browsers[who]
    path = there.address(rule, table)
    form = FORMS.get(rule.endpoint, Form())
    # What the form would hold if it were sent by somebody who may.
    fields = there.fields(Form(who, table, form.fields))
    before = all_rows(there.app)
    for htmx in (False, True):
        headers = {"HX-Request": "true"} if htmx else {}
        if method == "GET":
            answer = browser.client.get(path, headers=headers, buffered=True)
        else:
            browser.get("/")
            answer = browser.send(path, headers=headers or None, **fields)
        what = f"{who}, {method} {rule.rule} at the table {table}{' by htmx' if htmx else ''}"
        is_seated = "key" in rule.arguments and who in SEATED[table]
        # Where one may look, a form that one may not send is answered with what one may see.
        may_look = is_seated or ("key" in rule.arguments and table in MAY_BE_SEEN)
        fine = DENIED | {200, 204, 409, 422} if may_look else DENIED
        is_told = answer.status_code == TOLD_TOO_LATE.get(rule.endpoint)
        hold(answer.status_code in fine or is_told, f"{what}: {answer.status_code}")
        if answer.status_code == 303 and not is_seated:
            where = answer.headers["Location"]
            hold(where.startswith(("/sign-in", "/games/")), f"{what} leads to {where}")
        for name in ("hand", "+", "x"):
            hold(f'name="card" value="{name}' not in answer.text or who in SEATED[table], what)
    after = all_rows(there.app)
    for calm in ("presences", "heartbeats"):
        before.pop(calm, None)
        after.pop(calm, None)
    hold(before == after, f"{what} has changed something")


def unknown_endpoints(there: World) -> set[str]:
    """Endpoints with a form that `FORMS` does not tell of."""
    return {rule.endpoint for rule, _ in there.posts()} - set(FORMS)
