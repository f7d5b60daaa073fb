"""The processes that review and analyse. They have a low priority, so that no match waits for them.

Work comes in short pieces of a second or two. People take turns: somebody with a hundred pieces waiting delays another
person by one piece. The processes start with the first piece and end when nobody has studied for a while.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from ..core.game import Refused
from .bot_pool import begin_process, end_pool

NICE = 15
GROUP_NICE = 5
"""The priority of the session of a process, where Linux has one."""
MOST_WAITING = 64
"""Pieces that one asker may have waiting; more are refused."""
MOST_ASKERS = 1000
IDLE_SECONDS = 300.0
"""The processes end after this long without work."""
LIMIT = 120.0
"""A piece that takes longer is ended with its processes. The first piece also waits for kernels to compile."""

T = TypeVar("T")

log = logging.getLogger("tablee.study_pool")


class StudyPool:
    """Processes with a fair queue. A piece whose process dies is run once more."""

    def __init__(self, workers: int, limit: float = LIMIT, idle: float = IDLE_SECONDS) -> None:
        self._limit = limit
        self._idle = idle
        self._processes: list[ProcessPoolExecutor | None] = [None] * workers
        """A pool of one process for each worker, so that a piece can choose its process."""
        self._free = set(range(workers))
        self._homes: OrderedDict[str, int] = OrderedDict()
        """The worker that has the tables of an asker."""
        self._waiting: OrderedDict[str, deque[asyncio.Future[int]]] = OrderedDict()
        """The pieces that wait, by asker, in the order of turns."""
        self._ending: asyncio.TimerHandle | None = None
        self._is_closed = False

    async def run(self, asker: str, work: Callable[[], T], *, same_process: bool = False) -> T:
        """Run a picklable function in a process; raise `Refused` if the asker has too much waiting.

        With `same_process`, prefer the process that ran the asker's last piece, for the tables that it keeps.
        """
        worker = await self._take_turn(asker)
        if same_process:
            self._homes[asker] = worker
            self._homes.move_to_end(asker)
            while len(self._homes) > MOST_ASKERS:
                self._homes.popitem(last=False)
        try:
            return await self._ask(worker, work)
        finally:
            self._free.add(worker)
            self._call_next()
            self._rest()

    @property
    def idle(self) -> int:
        """Return how many processes have nothing to do."""
        return len(self._free)

    async def _take_turn(self, asker: str) -> int:
        """Return a free worker; wait until there is one and it is the asker's turn."""
        queue = self._waiting.get(asker)
        if len(queue or ()) >= MOST_WAITING or (queue is None and len(self._waiting) >= MOST_ASKERS):
            raise Refused("study_busy")
        turn: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker, deque()).append(turn)
        self._call_next()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was called in the same moment
                self._free.add(turn.result())
                self._call_next()
            raise

    def _call_next(self) -> None:
        """Give each free worker the first asker who should have it; the others come first the next time."""
        for worker in sorted(self._free):
            while worker in self._free and (asker := self._next_for(worker)) is not None:
                queue = self._waiting.pop(asker)
                turn = queue.popleft()
                if queue:
                    self._waiting[asker] = queue  # at the end: everybody else comes first
                if not turn.done():
                    self._free.remove(worker)
                    turn.set_result(worker)

    def _next_for(self, worker: int) -> str | None:
        """Return the first asker whose tables are here or nowhere, or who would wait for another one elsewhere."""
        crowd = Counter(self._homes.get(asker) for asker in self._waiting)
        for asker in self._waiting:
            home = self._homes.get(asker)
            if home is None or home == worker or crowd[home] > 1:
                return asker
        return None

    async def _ask(self, worker: int, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        for attempt in (1, 2):
            process = self._processes[worker]
            if process is None:
                process = ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin)
                self._processes[worker] = process
            try:
                return await asyncio.wait_for(loop.run_in_executor(process, work), self._limit)
            except (BrokenProcessPool, TimeoutError) as error:
                if self._is_closed:
                    raise Refused("server_closing") from error
                log.warning("lost a study process: %r", error)
                if process is self._processes[worker]:
                    self._end(worker)
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def _rest(self) -> None:
        """End the processes if nobody studies for a while."""
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        if self._is_idle and not self._is_closed:
            self._ending = asyncio.get_running_loop().call_later(self._idle, self._end_if_idle)

    @property
    def _is_idle(self) -> bool:
        return self.idle == len(self._processes)

    def _end_if_idle(self) -> None:
        if self._is_idle:
            for worker in range(len(self._processes)):
                self._end(worker)

    def _end(self, worker: int) -> None:
        process, self._processes[worker] = self._processes[worker], None
        if process is not None:
            end_pool(process)

    def close(self) -> None:
        """End the processes for good; pieces that run are lost."""
        self._is_closed = True
        if self._ending is not None:
            self._ending.cancel()
        for worker in range(len(self._processes)):
            self._end(worker)


def _begin(*_: Any) -> None:
    os.nice(NICE)
    _leave_group()
    begin_process()


def _leave_group() -> None:
    """Leave the session of the server: Linux may share out the processors by session, and then the work of this
    process would count against the server, whatever its priority."""
    with suppress(OSError):
        os.setsid()
        Path("/proc/self/autogroup").write_text(str(GROUP_NICE))
