"""The processes in which bots think, so that no search blocks the event loop."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack
from functools import partial
from multiprocessing import connection, get_context, parent_process
from typing import TypeVar

from ..bots.coaching import judge_view
from ..bots.decide import decide
from ..core.discover import games, warm_up
from ..core.game import Refused, Seat

GRACE = 5.0
"""Abort a search this many seconds after its time limit."""
ADVICE_SECONDS = 1.2
"""How long the coach looks for advice: with everything around it, a player waits for two seconds at most."""
WARM_SECONDS = 3.0
"""How long a player waits for advice while a new server still compiles the game's kernel."""
START_SECONDS = 60.0
"""How long processes may take to start and load the games: on a busy machine that is much longer than a search."""

T = TypeVar("T")

log = logging.getLogger("tablee.bot_pool")


class BotPool:
    """A pool of processes. A broken pool is replaced, and each question asked once more."""

    def __init__(self, workers: int, seconds: float, *, warm: bool = True) -> None:
        self._workers = workers
        self._seconds = seconds
        self._pool = self._new_pool()
        self._starting: asyncio.Task[None] | None = None
        """Starts the processes of the pool; their first searches wait for it."""
        self._has_started = False
        """Whether the processes have started once."""
        self._free = asyncio.Semaphore(workers)
        """A search starts only when a process is free, so that its time does not run while it waits."""
        self.asked = 0
        """How many decisions are under way or wait for a free process."""
        self._warm = {key: asyncio.Event() for key, game in games().items() if warm and game.warm}
        """By game: set once its bots run at full speed."""
        self._wanted: dict[str, None] = {}
        """The games that somebody waited for, in order."""
        self._wish = asyncio.Event()
        """Set when somebody begins to wait."""
        self.broken: dict[str, str] = {}
        """The games whose bots cannot be compiled, each with the error."""

    @property
    def is_warm(self) -> bool:
        """Whether no bot has to wait until the processes start or its game is compiled."""
        return self._has_started and all(ready.is_set() for ready in self._warm.values())

    async def warm_up(self) -> None:
        """Start every process, and compile what some games need, unless the pool is to do without.

        More processes compile while the others already play. Games that somebody waits for come first: to compile
        all of them takes most of a minute on a new machine. A game that nobody waits for is put off, even in the
        middle; what is compiled of it stays in the cache.
        """
        await self._started()
        left = dict(self._warm)
        while left:
            self._wish.clear()
            key = next((wanted for wanted in self._wanted if wanted in left), next(iter(left)))
            if await self._warm_up_game(key):
                left.pop(key).set()

    async def _warm_up_game(self, key: str) -> bool:
        """Compile a game and load it everywhere; return False if another one is wanted first."""
        try:
            if not await self._compile(key):
                return False
            async with AsyncExitStack() as taken:
                # A process that thinks would leave its part to another one.
                for _ in range(self._workers):
                    await taken.enter_async_context(self._free)
                await self._everywhere(partial(warm_up, key))
        except Exception as error:
            self.broken[key] = f"{type(error).__name__}: {first_line(error)}"
            log.error(
                "the bots of %s do not work: %s. Can the server write to %s?",
                key,
                self.broken[key],
                os.environ.get("NUMBA_CACHE_DIR", "the folder of the package"),
            )
        return True

    async def _compile(self, key: str) -> bool:
        """Compile a game in processes of its own, which give their memory back; return False if another is wanted."""
        steps = range(len(games()[key].warm))
        compiler = ProcessPoolExecutor(len(steps), get_context("spawn"), initializer=begin_process)
        loop = asyncio.get_running_loop()
        work = asyncio.gather(*(loop.run_in_executor(compiler, warm_up, key, step) for step in steps))
        wish = asyncio.create_task(self._wish.wait())
        try:
            if key not in self._wanted:
                await asyncio.wait((work, wish), return_when=asyncio.FIRST_COMPLETED)
                if not work.done() and key not in self._wanted:
                    return False
            await work
            return True
        finally:
            wish.cancel()
            work.cancel()
            end_pool(compiler)

    async def _until_warm(self, key: str) -> None:
        """Wait until the bots of a game run at full speed."""
        if key in self._warm and not self._warm[key].is_set():
            self._wanted[key] = None
            self._wish.set()
            await self._warm[key].wait()

    async def _started(self) -> None:
        """Wait until the processes have started, so that no search loses its time to that."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        await asyncio.shield(self._starting)

    async def _start(self) -> None:
        async with asyncio.timeout(START_SECONDS):
            await self._everywhere(os.getpid)
            for key, ready in self._warm.items():
                if ready.is_set() and key not in self.broken:
                    await self._everywhere(partial(warm_up, key))
        self._has_started = True

    async def _everywhere(self, work: Callable[[], object]) -> None:
        """Run a function in every process: each takes one, because none is free before the last is taken."""
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(self._pool, work) for _ in range(self._workers)))

    async def decide(self, key: str, level: str, seat: Seat, view: bytes, seed: str) -> bytes | None:
        """Return the action of a level for a seat as JSON; None: the bot does not cut in."""
        if level not in games()[key].plain:
            await self._until_warm(key)
        return await self._think(key, self._seconds, partial(decide, key, level, seat, view, seed))

    async def advise(self, key: str, seat: Seat, view: bytes) -> bytes:
        """Return what the coach says about the decision of a seat, as `judge_view` does.

        Raise `Refused` on a new server that still compiles: that can take longer than the player has for a move.
        """
        try:
            await asyncio.wait_for(self._until_warm(key), WARM_SECONDS)
        except TimeoutError:
            raise Refused("advice_warming") from None
        return await self._think(key, ADVICE_SECONDS, partial(judge_view, key, seat, view, secrets.token_hex(16)))

    async def _think(self, key: str, most: float, search: Callable[[float], T]) -> T:
        """Search in a process for at most so many seconds."""
        self.asked += 1
        try:
            async with self._free:
                # The more decisions wait, the less time each gets: nobody waits longer than for one full search.
                seconds = most * min(1.0, self._workers / self.asked)
                is_cold = bool(games()[key].warm) and key not in self._warm
                return await self._ask(partial(search, seconds), most + (START_SECONDS if is_cold else GRACE))
        finally:
            self.asked -= 1

    async def _ask(self, search: Callable[[], T], seconds: float) -> T:
        loop = asyncio.get_running_loop()
        for attempt in (1, 2):
            pool = self._pool
            try:
                await self._started()
                return await asyncio.wait_for(loop.run_in_executor(self._pool, search), seconds)
            except (BrokenProcessPool, TimeoutError) as error:
                log.warning("lost a bot process: %r", error)
                if pool is self._pool:
                    self._replace()
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def close(self) -> None:
        end_pool(self._pool)

    def _replace(self) -> None:
        end_pool(self._pool)
        self._pool = self._new_pool()
        self._starting = None

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, get_context("spawn"), initializer=begin_process)


def first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "")


def end_pool(pool: ProcessPoolExecutor) -> None:
    """Stop a pool at once, even in the middle of a search."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


def begin_process() -> None:
    """Set up a new process: ignore Ctrl-C in the terminal, and end with the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()
    games()


def _follow(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(0)
