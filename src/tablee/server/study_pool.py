"""The processes that review and analyse. They have a low priority, so that no match waits for them.

Work comes in short pieces of a second or two. People take turns: somebody with a hundred pieces waiting delays another
person by one piece. The processes start with the first piece and end when nobody has studied for a while.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from ..core.game import Refused
from .bot_pool import begin_process, end_pool

NICE = 15
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
    """A pool of processes with a fair queue. A piece whose process dies is run once more."""

    def __init__(self, workers: int, limit: float = LIMIT, idle: float = IDLE_SECONDS) -> None:
        self._workers = workers
        self._limit = limit
        self._idle = idle
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """The pieces that wait, by asker, in the order of turns."""
        self._running = 0
        self._ending: asyncio.TimerHandle | None = None

    async def run(self, asker: str, work: Callable[[], T]) -> T:
        """Run a picklable function in a process; raise `Refused` if the asker has too much waiting."""
        await self._take_turn(asker)
        try:
            return await self._ask(work)
        finally:
            self._running -= 1
            self._call_next()
            self._rest()

    async def _take_turn(self, asker: str) -> None:
        if self._running < self._workers and not self._waiting:
            self._running += 1
            return
        queue = self._waiting.get(asker)
        if len(queue or ()) >= MOST_WAITING or (queue is None and len(self._waiting) >= MOST_ASKERS):
            raise Refused("study_busy")
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was called in the same moment
                self._running -= 1
                self._call_next()
            raise

    def _call_next(self) -> None:
        while self._waiting and self._running < self._workers:
            asker, queue = self._waiting.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._waiting[asker] = queue  # at the end: everybody else comes first
            if not turn.done():
                self._running += 1
                turn.set_result(None)

    async def _ask(self, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        for attempt in (1, 2):
            if self._pool is None:
                self._pool = ProcessPoolExecutor(self._workers, get_context("spawn"), initializer=_begin)
            pool = self._pool
            try:
                return await asyncio.wait_for(loop.run_in_executor(pool, work), self._limit)
            except (BrokenProcessPool, TimeoutError) as error:
                log.warning("lost a study process: %r", error)
                if pool is self._pool:
                    self.close()
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def _rest(self) -> None:
        """End the processes if nobody studies for a while."""
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        if self._running == 0:
            self._ending = asyncio.get_running_loop().call_later(self._idle, self._end_if_idle)

    def _end_if_idle(self) -> None:
        if self._running == 0:
            self.close()

    def close(self) -> None:
        """End the processes at once; a piece that runs is lost."""
        pool, self._pool = self._pool, None
        if pool is not None:
            end_pool(pool)


def _begin(*_: Any) -> None:
    os.nice(NICE)
    begin_process()
