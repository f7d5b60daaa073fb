"""Runs the engines of other authors that the operator seats as levels, and never trusts them.

Each engine is one process without a shell and without our environment. It gets the view of its seat as text, and
nothing else. If it is late, crashes, writes too much or answers with no legal action, a level of the game decides
instead. Its memory is limited on Linux. A process that failed starts again after a pause that doubles each time.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import resource
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Container, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from ..bots.decide import players
from ..core.chance import SeedChance
from ..core.discover import games
from ..core.engines import EngineProtocol, seat_engines
from ..core.game import Game, Seat
from ..table.seating import medium_level
from .bot_players import Decider
from .clock import Clock
from .config import Config

GRACE_SECONDS = 3.0
"""An engine that answers so many seconds after its time is killed."""
START_SECONDS = 30.0
"""How long an engine may take to start: some load tables of endings."""
KILL_SECONDS = 5.0
"""How long the end of a killed engine is awaited: a process that it started may keep its output open."""
LONGEST_LINE = 64 * 1024
MOST_OUTPUT = 1024 * 1024
"""Bytes that an engine may write for one answer."""
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
"""What an engine sees of our environment; a token there is none of its business."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]{1,23}")

log = logging.getLogger("tablee.engines")


class EngineFailed(Exception):
    """An engine did not answer, or answered with nonsense."""


def why_not_named(name: str, others: Container[str]) -> str | None:
    """Return why an engine cannot have a name; None if it can."""
    if NAME.fullmatch(name) is None:
        return "a name is 2 to 24 small letters, digits and dashes"
    if name in others:
        return "two engines have this name"
    taken = [key for key, package in games().items() if package.engines is not None and name in players(key)]
    return f"{taken[0]} already has a level of this name" if taken else None


class Engine:
    """One engine: a process that is started when it is needed, and asked one question at a time."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        protocol: EngineProtocol[Any, Any],
        time: Clock,
        grace: float,
        memory: int,
    ) -> None:
        self.name = name
        self._command = command
        self._protocol = protocol
        self._time = time
        self._grace = grace
        self._memory = memory
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._failures = 0
        """How often it failed since its last good answer."""
        self._rests_until = 0.0

    async def ask(self, lines: Sequence[str], seconds: float) -> str:
        """Return the answer to a question; raise `EngineFailed` if there is none in time."""
        async with self._turn:
            if self._time.now() < self._rests_until:
                raise EngineFailed("it rests after a failure")
            process: Process | None = None
            try:
                async with asyncio.timeout(START_SECONDS):
                    process = await self._started()
                async with asyncio.timeout(seconds + self._grace):
                    return await self._converse(process, lines, self._protocol.answer)
            except TimeoutError:
                await self._fail()
                raise EngineFailed("it did not answer in time") from None
            except (OSError, EOFError, ValueError, EngineFailed) as error:
                await self._fail()
                raise EngineFailed(str(error) or "it ended") from error
            except asyncio.CancelledError:
                if process is None:
                    # The clock of the move ran out first. Without a pause it would do so at every move.
                    log.warning("engine %s did not start in the time of its move", self.name)
                    await self._fail()
                else:
                    await self._kill()  # nobody knows what it would answer next
                raise

    def succeeded(self) -> None:
        """Note that an answer was good."""
        self._failures = 0

    async def distrust(self) -> None:
        """Start anew after a pause, because an answer was bad."""
        async with self._turn:
            await self._fail()

    async def _started(self) -> Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        await self._kill()
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            cwd=Path(self._command[0]).parent,  # engines look for their files beside themselves
            env={name: os.environ[name] for name in KEPT if name in os.environ},
            start_new_session=True,
            limit=LONGEST_LINE,
        )
        if sys.platform == "linux":
            with suppress(ProcessLookupError):
                # Not the address space: engines map large files of endings, which cost no memory of their own.
                resource.prlimit(process.pid, resource.RLIMIT_DATA, (self._memory, self._memory))
        for line, last in self._protocol.greeting:
            await self._converse(process, [line], last)
        return process

    async def _converse(self, process: Process, lines: Sequence[str], last: str) -> str:
        """Send lines and read until one begins with a word."""
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        await process.stdin.drain()
        size = 0
        while True:
            data = await process.stdout.readline()
            size += len(data)
            if not data.endswith(b"\n"):
                raise EOFError("it ended")
            if size > MOST_OUTPUT:
                raise EngineFailed("it writes too much")
            line = data.decode("utf-8", "replace").strip()
            word = line.partition(" ")[0]
            if word == last:
                return line
            if word == "error":
                raise EngineFailed(f"it says {line[:120]!r}")

    async def _fail(self) -> None:
        self._rests_until = self._time.now() + min(FIRST_PAUSE * 2**self._failures, LONGEST_PAUSE)
        self._failures = min(self._failures + 1, 16)
        await self._kill()

    async def _kill(self) -> None:
        """End the process and whatever it started."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            with suppress(TimeoutError):
                async with asyncio.timeout(KILL_SECONDS):
                    # Its end is noticed only after everything that it wrote has been read.
                    while process.stdout is not None and await process.stdout.read(LONGEST_LINE):
                        pass
                    await process.wait()

    async def close(self) -> None:
        """Say farewell, and do not wait for an answer."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, RuntimeError):
                self._process.stdin.write(f"{self._protocol.farewell}\n".encode())
        await self._kill()


class Engines:
    """Lets engines decide for their levels, and the bot pool for all others and for engines that fail."""

    def __init__(self, pool: Decider, config: Config, time: Clock, grace: float = GRACE_SECONDS) -> None:
        self._pool = pool
        self._seconds = config.bot_seconds
        self._engines: dict[tuple[str, str], Engine] = {}
        memory = config.engine_memory * 1024 * 1024
        seat_engines(config.engines)
        for key, package in games().items():
            if package.engines is not None:
                for name, command in config.engines.items():
                    self._engines[key, name] = Engine(name, command, package.engines, time, grace, memory)

    async def decide(self, key: str, level: str, seat: Seat, view: bytes, seed: str) -> bytes | None:
        """Return the action of a level for a seat as JSON; None: the bot does not cut in."""
        if level in players(key):
            return await self._pool.decide(key, level, seat, view, seed)
        engine = self._engines.get((key, level))
        try:
            if engine is None:
                raise EngineFailed("this server has no such engine")
            found = await self._ask(engine, key, seat, view)
            if found is not None:
                return found
        except EngineFailed as failed:
            log.warning("engine %s of %s: %s; %s plays for it", level, key, failed, medium_level(key))
        return await self._pool.decide(key, medium_level(key), seat, view, seed)

    async def advise(self, key: str, seat: Seat, view: bytes) -> bytes:
        return await self._pool.advise(key, seat, view)

    async def _ask(self, engine: Engine, key: str, seat: Seat, view: bytes) -> bytes | None:
        """Return the legal action of an engine; None if such engines cannot decide this."""
        package = games()[key]
        assert package.engines is not None
        seen: Any = msgspec.json.decode(view, type=package.rules.info.view)
        lines = package.engines.question(seen, seat, self._seconds)
        if lines is None:
            return None
        answer = await engine.ask(lines, self._seconds)
        try:
            action = package.engines.action(seen, seat, answer)
            demand_legal(package.rules, seen, seat, action)
        except ValueError as error:
            await engine.distrust()
            raise EngineFailed(f"{answer[:80]!r} is no legal action: {error}") from error
        engine.succeeded()
        return msgspec.json.encode(action)

    async def close(self) -> None:
        for engine in self._engines.values():
            await engine.close()


def demand_legal(game: Game[Any, Any, Any], view: Any, seat: Seat, action: Any) -> None:
    """Raise `ValueError` if an action is not legal, as far as the view tells."""
    refusal = game.check(game.imagine(view, SeedChance("engine", 0)), seat, action)
    if refusal is not None:
        raise ValueError(refusal.code)
