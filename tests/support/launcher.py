"""Runs `tablee` with a clock that a test can turn and a deal that it knows.

TABLEE_TEST_CLOCK names a file with the seconds to add to all time, and those to add to the time of day alone.
TABLEE_TEST_SEED is the seed of every match. TABLEE_TEST_STATIC names the folder of another build of the client.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tablee.cli import main
from tablee.server import house, run  # noqa: F401
from tablee.server.clock import Alarm, Clock
from tablee.server.static import StaticFiles
from tablee.table import dealing

LOOK_EVERY = 0.02


class Later:
    def __init__(self, when: float, callback: Callable[[], object]) -> None:
        self.when = when
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self.callback = None


class TurnedClock(Clock):
    """The real time plus what the test added to it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = path.read_text()
        self._offset, self._wall = map(float, self._read.split())
        self._later: list[Later] = []
        self._looking: asyncio.Task[None] | None = None

    def now(self) -> float:
        return time.monotonic() + self._offset

    def wall(self) -> float:
        return time.time() + self._offset + self._wall

    def call_at(self, when: float, callback: Callable[[], object]) -> Alarm:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look())
        self._later.append(Later(when, callback))
        return self._later[-1]

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            before, self._read = self._read, self._path.read_text()
            self._offset, self._wall = map(float, self._read.split())
            now = self.now()
            due = [later for later in self._later if later.when <= now]
            self._later = [later for later in self._later if later.when > now and later.callback]
            for later in due:
                if later.callback is not None:
                    later.callback()
            if self._read != before:  # the test goes on once everything that was due has been called
                self._path.with_suffix(".seen").write_text(self._read)


def launch(arguments: Sequence[str]) -> None:
    """Run `tablee` with some arguments, and as the environment says."""
    if seed := os.environ.get("TABLEE_TEST_SEED"):
        setattr(dealing, "seed_of", lambda secret, salts: seed)  # noqa: B010
    if folder := os.environ.get("TABLEE_TEST_STATIC"):
        setattr(house, "StaticFiles", partial(StaticFiles, Path(folder)))  # noqa: B010
    path = os.environ.get("TABLEE_TEST_CLOCK")
    main(arguments, prog_name="tablee", obj=TurnedClock(Path(path)) if path else None)
