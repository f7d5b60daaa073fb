"""A match on this machine, without a server: one person against bots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from secrets import token_hex
from time import monotonic
from typing import Any, Protocol

import msgspec

from ..bots.decide import decide
from ..core.game import Cause, Refusal, Refused, Seat
from ..core.match import Match, read_action
from ..core.terminal import Position
from ..server.bot_pool import begin_process, end_pool
from ..table.clock import ClockReading, MatchClock
from .session import Played

PAUSE = 0.8
"""The least seconds before a bot acts, so that a person can follow."""
TICK = 0.1


class Decider(Protocol):
    """Chooses the actions of bots."""

    async def decide(self, key: str, level: str, seat: Seat, view: bytes) -> bytes | None:
        """Return the action of a level for a seat as JSON; None: the bot does not cut in."""


class BotProcess:
    """One process in which the bots think, so that the screen never freezes."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=begin_process)

    async def decide(self, key: str, level: str, seat: Seat, view: bytes) -> bytes | None:
        work = partial(decide, key, level, seat, view, token_hex(16), self._seconds)
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        end_pool(self._pool)


class LocalSession:
    """A person and bots of one level, match after match."""

    def __init__(
        self,
        start: Callable[[], Match],
        *,
        seat: Seat,
        level: str,
        names: Sequence[str],
        bots: Decider,
        pause: float = PAUSE,
    ) -> None:
        """`start` begins a match; every seat except `seat` has a bot."""
        self._start = start
        self._seat = seat
        self._level = level
        self._names = tuple(names)
        self._bots = bots
        self._pause = pause
        self._changed: Callable[[], None] = lambda: None
        self._wake = asyncio.Event()
        self._begin(start())

    def _begin(self, match: Match) -> None:
        self.match = match
        self.steps: list[Played] = []
        self.resigned = False
        self._clock = MatchClock(match.seats, monotonic())
        self._follow(frozenset())

    def _follow(self, kept: frozenset[Seat]) -> None:
        """Update what the player sees after a change."""
        match = self.match
        turn, outcome = match.turn, match.outcome
        if outcome is None:
            self._clock.ask(turn, match.game.clocks(match.state), kept & turn.must)
        must = () if self.resigned else tuple(sorted(turn.must))
        view = match.view(self._seat)
        self.position = Position(match.game, view, self._seat, self._names, must, outcome, match.ply)

    async def run(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        changed()
        clock = asyncio.create_task(self._watch_clock())
        try:
            while True:
                self._wake.clear()
                if not await self._bot_acts():
                    await self._wake.wait()
        finally:
            clock.cancel()

    async def _bot_acts(self) -> bool:
        """Let one bot act; return whether one could."""
        match = self.match
        if match.outcome is not None or self.resigned:
            return False
        ply, turn = match.ply, match.turn
        pause = max(self._pause, match.game.pause(match.view(None)) if self._pause else 0)
        for seat in sorted(turn.may - {self._seat}):
            await asyncio.sleep(pause / 2)
            if match.ply == ply and await self._decide(match, seat):
                return True
        if match.ply != ply:
            return True
        seats = sorted(turn.must - {self._seat})
        if not seats:
            return False
        _, action = await asyncio.gather(asyncio.sleep(pause), self._choice(match, seats[0]))
        self._play_for(match, seats[0], action)
        return True

    async def _decide(self, match: Match, seat: Seat) -> bool:
        """Let a bot cut in if it wants to."""
        action = await self._choice(match, seat)
        if action is None or match is not self.match or match.game.check(match.state, seat, action) is not None:
            return False
        self._play(seat, action)
        return True

    async def _choice(self, match: Match, seat: Seat) -> Any:
        view = msgspec.json.encode(match.view(seat))
        try:
            chosen = await self._bots.decide(match.game.info.key, self._level, seat, view)
        except Exception:  # whatever a bot raises, the match goes on
            return None
        return None if chosen is None else read_action(match.game, msgspec.json.decode(chosen))

    def _play_for(self, match: Match, seat: Seat, action: Any) -> None:
        """Play what a bot chose, unless the match went on meanwhile; if it failed, the table plays for it."""
        if match is not self.match or self.resigned or seat not in match.turn.must:
            return
        if action is None:
            self._play(seat, match.forced(seat, Cause.CLOCK), Cause.CLOCK)
        elif match.game.check(match.state, seat, action) is None:
            self._play(seat, action)

    def _play(self, seat: Seat, action: Any, cause: Cause | None = None) -> None:
        match = self.match
        before = match.turn.must
        now = monotonic()
        self._clock.spend(seat, self._clock.took(now), 0.0, now)
        if cause is None:
            match.play(seat, action)
        else:
            match.act_for(seat, cause)
        self.steps.append(Played(seat, match.game.seen(seat, action, self._seat), cause))
        self._follow(before - {seat})
        self._wake.set()
        self._changed()

    async def _watch_clock(self) -> None:
        """Play for a seat whose time runs out."""
        while True:
            await asyncio.sleep(TICK)
            expired = self._clock.expired(monotonic())
            if expired is not None and self.match.outcome is None and not self.resigned:
                self._play(expired.seat, self.match.forced(expired.seat, expired.cause), expired.cause)

    async def act(self, action: Any) -> Refusal | None:
        if self.resigned:
            return Refusal("over")
        refusal = self.match.game.check(self.match.state, self._seat, action)
        if refusal is None:
            self._play(self._seat, action)
        return refusal

    async def resign(self) -> Refusal | None:
        if self.match.outcome is not None or self.resigned:
            return Refusal("over")
        try:
            self._play(self._seat, self.match.forced(self._seat, Cause.RESIGN), Cause.RESIGN)
        except Refused as refused:
            return refused.refusal
        if self.match.outcome is None:  # the bots could go on; nobody would watch them
            self.resigned = True
            self._follow(frozenset())
            self._changed()
        return None

    async def again(self) -> Refusal | None:
        if self.match.outcome is None and not self.resigned:
            return Refusal("match_running")
        self._begin(self._start())
        self._wake.set()
        self._changed()
        return None

    def reading(self) -> ClockReading | None:
        over = self.match.outcome is not None or self.resigned
        return None if over else self._clock.read(monotonic())

    def waiting(self) -> list[str]:
        return []

    def note(self) -> str:
        return ""
