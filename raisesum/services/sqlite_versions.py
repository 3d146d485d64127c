"""Which versions of SQLite can corrupt a database in WAL mode, and which cannot.

When two connections checkpoint at the same moment, versions from 3.7.0 to 3.51.2 may lose what one
of them has written. The fault was mended in 3.51.3, and for two older lines in 3.44.6 and 3.50.7.
"""

from __future__ import annotations

_FIRST_AFFECTED = (3, 7, 0)
_MENDED = (3, 51, 3)
_MENDED_LINES = {(3, 44): 6, (3, 50): 7}


def can_corrupt(version: str) -> bool:
    """Whether this version of SQLite, such as "3.40.1", has the fault.

    >>> can_corrupt("3.40.1"), can_corrupt("3.51.2"), can_corrupt("3.51.3"), can_corrupt("3.50.7")
    (True, True, False, False)
    """
    major, minor, patch = (int(part) for part in [*version.split("."), "0", "0"][:3])
    if patch >= _MENDED_LINES.get((major, minor), patch + 1):
        return False
    return _FIRST_AFFECTED <= (major, minor, patch) < _MENDED
