"""Counts of requests that all worker processes of a server add to and any of them can tell.

Each process counts in a small file of its own in a folder they share, mapped into memory, and
whoever is asked adds up the files. A process that was replaced leaves its file, so no count ever
goes down while the server runs.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

BUCKETS_MS = (5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000)
STATUS_CLASSES = (1, 2, 3, 4, 5)

_CELLS = len(STATUS_CLASSES) + len(BUCKETS_MS) + 2
_SUFFIX = ".counts"


@dataclass(frozen=True)
class Counts:
    """What has been counted; `answered_within` has one number more than `BUCKETS_MS`, for all."""

    by_status_class: tuple[int, ...]
    answered_within: tuple[int, ...]
    microseconds: int


class Counters:
    """The count of one process, in its file in `folder`; the folder is made if it is missing."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        self._folder = folder
        self._lock = Lock()
        self._cells: mmap.mmap | None = None
        self._owner = 0

    def count(self, status: int, microseconds: int) -> None:
        """Count one answer that took so long."""
        bucket = bisect_left(BUCKETS_MS, microseconds / 1000)
        status_class = min(max(status // 100, 1), 5)
        with self._lock:
            cells = self._own_cells()
            for cell, more in (
                (status_class - 1, 1),
                (len(STATUS_CLASSES) + bucket, 1),
                (_CELLS - 1, microseconds),
            ):
                (value,) = struct.unpack_from("=Q", cells, 8 * cell)
                struct.pack_into("=Q", cells, 8 * cell, value + more)

    def total(self) -> Counts:
        """Add up what all processes have counted."""
        sums = [0] * _CELLS
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            content = path.read_bytes()
            if len(content) == 8 * _CELLS:
                sums = [
                    a + b for a, b in zip(sums, struct.unpack(f"={_CELLS}Q", content), strict=True)
                ]
        classes = len(STATUS_CLASSES)
        within = [0]
        for each in sums[classes:-1]:
            within.append(within[-1] + each)
        return Counts(tuple(sums[:classes]), tuple(within[1:]), sums[-1])

    def _own_cells(self) -> mmap.mmap:
        # A process that was forked must not go on counting in its parent's file.
        if self._cells is None or self._owner != os.getpid():
            self._owner = os.getpid()
            path = self._folder / f"{self._owner}{_SUFFIX}"
            descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
            try:
                os.ftruncate(descriptor, 8 * _CELLS)
                self._cells = mmap.mmap(descriptor, 8 * _CELLS)
            finally:
                os.close(descriptor)
        return self._cells


def forget(folder: Path) -> None:
    """Begin at zero: remove what an earlier run of the server has counted."""
    for path in folder.glob(f"*{_SUFFIX}"):
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
