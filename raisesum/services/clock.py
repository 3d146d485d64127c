"""The time of day, in the one form the database keeps."""

import time


def now_ms() -> int:
    """Milliseconds since 1970 (UTC), by the server's clock."""
    return time.time_ns() // 1_000_000
