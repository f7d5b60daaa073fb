"""The time limit of a bot's search."""

from __future__ import annotations

from time import perf_counter, thread_time

WALL = 2.0
"""On a busy machine a search ends after so many times its seconds, though it had less of the processor."""


class Limit:
    """So many seconds of the processor from now on, and at most twice as many on the wall.

    So a budget of nodes or playouts, and not the load of the machine, decides what a bot finds.
    """

    def __init__(self, seconds: float) -> None:
        self._work = thread_time() + seconds
        self._wall = perf_counter() + WALL * seconds

    def over(self) -> bool:
        return thread_time() >= self._work or perf_counter() >= self._wall
