"""The same call from several threads at one moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from flask import Flask

T = TypeVar("T")


def at_once(app: Flask, times: int, call: Callable[[], T]) -> list[T]:
    """Make `call` so many times at once, each with a database session of its own.

    Raises whatever one of them raised.
    """
    start = Barrier(times)

    def run() -> T:
        with app.app_context():
            start.wait()
            return call()

    with ThreadPoolExecutor(times) as threads:
        return [future.result() for future in [threads.submit(run) for _ in range(times)]]
