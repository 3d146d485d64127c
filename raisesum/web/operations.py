"""For whoever runs the server: is it well, how busy is it, what was asked of it.

The log has a line for each request with the route and never the address, since the name of a table
in it is a secret; nor who asked, from where, or what was sent.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, current_app, g, jsonify, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import SQLAlchemyError

from raisesum.extensions import db
from raisesum.services.health import database_state
from raisesum.services.statistics import Statistics, statistics
from raisesum.web.counters import BUCKETS_MS, STATUS_CLASSES, Counters

blueprint = Blueprint("operations", __name__)

METRICS_FOLDER = "counts"

_access = logging.getLogger("raisesum.access")


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Say that this process answers, and what can be done with the database.

    503 only when no page can be shown. A database that cannot be written to is said in the answer.
    """
    state = database_state()
    answer = jsonify(status="ok" if state.is_readable else "failing", database=state.value)
    return answer, 200 if state.is_readable else 503


@blueprint.get("/metrics")
def metrics() -> ResponseReturnValue:
    """Answer with numbers in Prometheus' text form, if that is switched on."""
    counters: Counters | None = current_app.extensions.get("raisesum.counters")
    if counters is None:
        abort(404)
    try:
        found: Statistics | None = statistics()
    except SQLAlchemyError:
        # What the processes have counted can be told all the same.
        db.session.rollback()
        found = None
    text = "".join(f"{line}\n" for line in _lines(counters, found))
    return Response(text, content_type="text/plain; version=0.0.4; charset=utf-8")


def init_app(app: Flask) -> None:
    """Count and log the requests of `app`, as far as its settings ask for it."""
    if app.config["METRICS"]:
        folder = Path(app.config["INSTANCE_PATH"]) / METRICS_FOLDER
        app.extensions["raisesum.counters"] = Counters(folder)
    if app.config["ACCESS_LOG"] and not _access.handlers:
        handler = logging.StreamHandler(sys.stderr)
        formatter = logging.Formatter("%(asctime)sZ %(message)s", "%Y-%m-%dT%H:%M:%S")
        formatter.converter = time.gmtime
        handler.setFormatter(formatter)
        _access.addHandler(handler)
        _access.setLevel(logging.INFO)
        _access.propagate = False
    if app.config["METRICS"] or app.config["ACCESS_LOG"]:
        app.before_request(_begin)
        app.after_request(_note)


def _begin() -> None:
    g.began_ns = time.perf_counter_ns()


def _note(response: Response) -> Response:
    microseconds = (time.perf_counter_ns() - g.began_ns) // 1000
    counters: Counters | None = current_app.extensions.get("raisesum.counters")
    if counters is not None:
        counters.count(response.status_code, microseconds)
    if current_app.config["ACCESS_LOG"]:
        # The method is the sender's own word, so one that is none of ours is not repeated.
        known = request.method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
        _access.info(
            "%s %s %d %.1f ms",
            request.method if known else "?",
            request.url_rule or "(no route)",
            response.status_code,
            microseconds / 1000,
        )
    return response


def _lines(counters: Counters, found: Statistics | None) -> Iterator[str]:
    counts = counters.total()
    yield "# HELP raisesum_requests_total Requests answered, by the first digit of the status."
    yield "# TYPE raisesum_requests_total counter"
    for status_class, many in zip(STATUS_CLASSES, counts.by_status_class, strict=True):
        yield f'raisesum_requests_total{{status="{status_class}xx"}} {many}'
    yield "# HELP raisesum_request_seconds How long answers took to make."
    yield "# TYPE raisesum_request_seconds histogram"
    bounds = [f"{bound / 1000:g}" for bound in BUCKETS_MS] + ["+Inf"]
    for bound, many in zip(bounds, counts.answered_within, strict=True):
        yield f'raisesum_request_seconds_bucket{{le="{bound}"}} {many}'
    yield f"raisesum_request_seconds_sum {counts.microseconds / 1e6:.6f}"
    yield f"raisesum_request_seconds_count {counts.answered_within[-1]}"
    yield "# HELP raisesum_database_up Whether the database answers."
    yield "# TYPE raisesum_database_up gauge"
    yield f"raisesum_database_up {int(found is not None)}"
    if found is None:
        return
    yield "# HELP raisesum_people People known, by kind."
    yield "# TYPE raisesum_people gauge"
    yield f'raisesum_people{{kind="account"}} {found.accounts}'
    yield f'raisesum_people{{kind="guest"}} {found.guests}'
    yield "# HELP raisesum_tables Tables, by how they stand."
    yield "# TYPE raisesum_tables gauge"
    for status, many in found.tables.items():
        yield f'raisesum_tables{{status="{status}"}} {many}'
    for name, kind, told, value in (
        ("moves", "gauge", "Moves made at all tables there are.", found.moves),
        ("database_bytes", "gauge", "Size of the database.", found.database_bytes),
        ("database_log_bytes", "gauge", "Size of SQLite's write-ahead log.", found.log_bytes),
    ):
        yield f"# HELP raisesum_{name} {told}"
        yield f"# TYPE raisesum_{name} {kind}"
        yield f"raisesum_{name} {value}"
