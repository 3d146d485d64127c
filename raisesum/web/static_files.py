"""Static files: their addresses carry a part of their content's hash.

So a browser may keep a file for a year and still has the new one the moment a page asks for it:
`url_for("static", filename="css/base.css")` is `/static/css/base.css?h=0a1b2c3d4e5f`.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, request
from werkzeug.security import safe_join

FOREVER = "public, max-age=31536000, immutable"
# Fonts are named by the style sheet, which knows no hashes.
FOR_A_DAY = "public, max-age=86400"


def init_app(app: Flask) -> None:
    """Let `url_for` add the hash to addresses of static files (`h=none` leaves it out)."""
    app.url_defaults(_add_hash)


def is_one(response: Response) -> bool:
    """Whether `response` answers with a static file, or says that it has not changed."""
    return request.endpoint == "static" and response.status_code < 400


def cache_control() -> str:
    """How long the static file that is asked for may be kept."""
    asked = request.args.get("h")
    filename = (request.view_args or {}).get("filename", "")
    # During an upgrade an old page may ask for a file that has changed: not to be kept so long.
    return FOREVER if asked and asked == _hash(filename) else FOR_A_DAY


def _add_hash(endpoint: str, values: dict[str, Any]) -> None:
    if endpoint == "static" and "h" not in values:
        values["h"] = _hash(values.get("filename", ""))


def _hash(filename: str) -> str | None:
    path = safe_join(str(current_app.static_folder), filename)
    try:
        status = Path(path or "").stat()
        return _hash_of(str(path), status.st_mtime_ns, status.st_size)
    except OSError:
        return None


@lru_cache(maxsize=256)
def _hash_of(path: str, _mtime_ns: int, _size: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
