"""Lets the bots of one table play: asks the bot pool for their actions and plays those at the table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol

from msgspec import Struct

from ..bots.decide import decision_seed
from ..core.game import Cause, Refused, Seat
from ..table import Table, Verb, playing
from .clock import Clock
from .config import Config
from .frames import BotFailedFrame, to_json
from .metrics import Metrics

EXPECTED_REFUSALS = ("stale_offer", "not_your_turn", "over", "no_match", "paused", "time_is_up")
"""Why a bot's action can come too late without anything being wrong."""

log = logging.getLogger("tablee.bot_players")


class Decider(Protocol):
    """Chooses the actions of bots. The bot pool is one."""

    async def decide(self, key: str, level: str, seat: Seat, view: bytes, seed: str) -> bytes | None:
        """Return the action of a level for a seat as JSON; None: the bot does not cut in.

        The same seed gives the same action, unless the time runs out.
        """

    async def advise(self, key: str, seat: Seat, view: bytes) -> bytes:
        """Return what the coach says about the decision of a seat, as `bots.coaching.judge_view` does."""


class Question(Struct, frozen=True):
    """The offer that a bot thinks about.

    An offer's number alone is not enough: it comes again after a move was taken back, and in the next match.
    """

    match: int
    rewinds: int
    number: int


class BotPlayers:
    """The bots of one table."""

    def __init__(
        self,
        pool: Decider,
        config: Config,
        metrics: Metrics,
        time: Clock,
        play: Callable[[Verb], Awaitable[None]],
        spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
        post: Callable[[bytes], None],
    ) -> None:
        """`play` runs a verb at the table, `spawn` starts a task that ends with the room, `post` sends a frame."""
        self._pool = pool
        self._config = config
        self._metrics = metrics
        self._time = time
        self._play = play
        self._spawn = spawn
        self._post = post
        self._thinking: dict[Seat, tuple[Question, asyncio.Task[None]]] = {}

    def wake(self, table: Table) -> None:
        """Let each bot that must or may act think about its offer once, and stop those whose offer is gone."""
        before, self._thinking = self._thinking, {}
        for seat, level, number in playing.bot_offers(table):
            question = Question(table.matches, table.rewinds, number)
            if seat in before and before[seat][0] == question:
                self._thinking[seat] = before.pop(seat)
            else:
                self._thinking[seat] = question, self._spawn(self._think(table, seat, level, number))
        for _, task in before.values():
            if task is not asyncio.current_task():
                task.cancel()

    def rest(self) -> None:
        """Stop every bot: another server lets them play."""
        for _, task in self._thinking.values():
            task.cancel()
        self._thinking = {}

    async def _think(self, table: Table, seat: Seat, level: str, number: int) -> None:
        """Play the action that a bot chooses from its own view; if the bot fails, the table plays for it."""
        assert table.match is not None
        view, ply = to_json(table.match.view(seat)), table.match.ply
        seed = decision_seed(table.match, seat, table.rewinds)
        must = seat in table.turn.must
        # A pause depends on the spectators' view only. A bot that may cut in does so in the middle of it.
        pause = self._config.pause(table.game.pause(table.match.view(None)))
        action, _ = await asyncio.gather(
            self._decide(table.game.info.key, level, seat, view, seed),
            self._time.sleep(pause if must else pause / 2),
            return_exceptions=True,
        )
        problem: object = action
        if isinstance(action, bytes):
            try:
                return await self._play(lambda table, now: playing.act_bot(table, seat, number, action, now))
            except Refused as refused:
                if refused.refusal.code in EXPECTED_REFUSALS:
                    return
                problem = refused
        if problem is None and not must:
            return
        game = table.game.info.key
        self._metrics.failed_decisions.labels(game).inc()
        log.error("table %s: bot %s of %s on seat %d failed at ply %d: %r", table.code, level, game, seat, ply, problem)
        if must:
            self._post(to_json(BotFailedFrame(seat)))
            with suppress(Refused):
                await self._play(lambda table, now: playing.act_for(table, seat, number, Cause.CLOCK, now))

    async def _decide(self, key: str, level: str, seat: Seat, view: bytes, seed: str) -> bytes | None:
        start = self._time.now()
        try:
            return await self._pool.decide(key, level, seat, view, seed)
        finally:
            self._metrics.think_seconds.labels(key).observe(self._time.now() - start)
