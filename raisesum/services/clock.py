"""The time of day, in the one form the database keeps."""

import time


def now_ms() -> int:
    """Milliseconds since 1970 (UTC), by the server's clock."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Milliseconds by a clock that nobody can set; only differences of it mean anything."""
    return time.monotonic_ns() // 1_000_000
