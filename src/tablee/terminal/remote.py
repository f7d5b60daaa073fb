"""A match at a table of a server, through the same WebSocket as a browser's."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

import msgspec

from ..client import Closed, Lost, MovedFrame, Problem, SeatInfo, StateFrame, Table, TableFrame
from ..core.game import Game, Refusal
from ..core.terminal import Position, Words
from ..server.frames import Step
from ..table.clock import ClockReading
from .session import Played

CLOSED = {4409: "closed.elsewhere", 4410: "closed.banished", 4411: "closed.watching", 4412: "closed.table"}
"""The texts for the reasons for which a server closes a connection for good."""


class RemoteSession:
    """One connection to one table. It comes back by itself if it breaks."""

    def __init__(self, table: Table, game: Game[Any, Any, Any], words: Words) -> None:
        self._table = table
        self._game = game
        self._words = words
        self.position: Position | None = None
        self.steps: list[Played] = []
        self.resigned = False
        self._frame: StateFrame | MovedFrame | None = None
        self._at = 0.0
        """When the last frame about the match came."""
        self._closed = ""
        self._tried_to_sit = False
        self._synced: tuple[int, int] | None = None

    async def run(self, changed: Callable[[], None]) -> None:
        try:
            async with self._table:
                async for frame in self._table.frames():
                    if isinstance(frame, TableFrame):
                        await self._arrive(frame)
                    elif isinstance(frame, StateFrame | MovedFrame):
                        self._follow(frame)
                        await self._fill_gap(frame)
                    self._show()
                    changed()
        except Closed as closed:
            self._closed = CLOSED.get(closed.code, "closed")
        except msgspec.ValidationError:
            self._closed = "closed.version"
        except OSError:
            self._closed = "closed"
        changed()

    async def _arrive(self, info: TableFrame) -> None:
        """Sit down, once, if there is a free seat."""
        if info.you is None and not self._tried_to_sit and any(seat.kind == "empty" for seat in info.seats):
            self._tried_to_sit = True
            await self._ask("sit", seat=None)

    def _follow(self, frame: StateFrame | MovedFrame) -> None:
        """Note the steps of a frame."""
        if self._frame is None or frame.match != self._frame.match:
            self.steps = []
        self._frame, self._at = frame, monotonic()
        if isinstance(frame, MovedFrame):
            if frame.step.ply == len(self.steps) + 1:
                self.steps.append(self._played(frame.step))
            return
        del self.steps[frame.ply :]  # moves were taken back
        for step in frame.missed:
            if step.ply == len(self.steps) + 1:
                self.steps.append(self._played(step))

    async def _fill_gap(self, frame: StateFrame | MovedFrame) -> None:
        """Ask once for the steps that we did not see."""
        ply = frame.ply if isinstance(frame, StateFrame) else frame.step.ply
        wanted = (frame.match, ply)
        if len(self.steps) < ply and self._synced != wanted:
            self._synced = wanted
            await self._ask("sync", match=frame.match, ply=len(self.steps))

    def _played(self, step: Step) -> Played:
        action = None if step.action is None else msgspec.convert(step.action, self._game.info.action)
        return Played(step.seat, action, step.cause)

    def _show(self) -> None:
        frame, info = self._frame, self._table.info
        if frame is None or info is None:
            return
        players = info.players or info.seats
        view: Any = msgspec.convert(frame.view, self._game.info.view)
        ply = frame.ply if isinstance(frame, StateFrame) else frame.step.ply
        names = tuple(self._name(player) for player in players)
        must = tuple(frame.turn.must)
        self.position = Position(self._game, view, info.view_seat, names, must, frame.outcome, ply)

    async def _ask(self, command: str, **fields: Any) -> Refusal | None:
        try:
            await self._table.ask(command, **fields)
        except Problem as problem:
            return Refusal(problem.code, problem.values)
        except (Lost, Closed):
            return Refusal("unreachable")
        return None

    async def act(self, action: Any) -> Refusal | None:
        frame = self._frame
        if frame is None or frame.offer is None:
            return Refusal("not_your_turn")
        try:
            in_time = await self._table.act(frame.offer.number, action)
        except Problem as problem:
            return Refusal(problem.code, problem.values)
        except Closed:
            return Refusal("unreachable")
        return None if in_time else Refusal("stale_offer" if self._table.is_connected else "unreachable")

    async def resign(self) -> Refusal | None:
        return await self._ask("resign")

    async def again(self) -> Refusal | None:
        """Begin the first match, which only the host may, or ask for another one."""
        info = self._table.info
        waits = info is None or info.status == "waiting"
        return await self._ask("start") if waits else await self._ask("rematch", wanted=True)

    def reading(self) -> ClockReading | None:
        frame = self._frame
        if frame is None or frame.clocks is None or frame.outcome is not None:
            return None
        clocks, spent = frame.clocks, monotonic() - self._at
        players = tuple(
            max(0.0, left - spent) if left is not None and seat in clocks.running else left
            for seat, left in enumerate(clocks.players)
        )
        move, match = (None if left is None else max(0.0, left - spent) for left in (clocks.move, clocks.match))
        return msgspec.structs.replace(clocks, players=players, move=move, match=match)

    def note(self) -> str:
        info = self._table.info
        if self._closed:
            return self._closed
        if info is None:
            return "connecting"
        if not self._table.is_connected:
            return "reconnecting"
        if info.status == "over" and info.you is not None and info.seats[info.you].rematch:
            return "rematch.asked"
        if info.status == "waiting" and info.you is not None and info.seats[info.you].person == info.host:
            return "waiting.host"
        return "spectator" if info.you is None and info.view_seat is None and info.status == "playing" else ""

    def waiting(self) -> list[str]:
        """Return the players at the table, for the time before the match."""
        info = self._table.info
        return [] if info is None else [f"{number}  {self._name(seat)}" for number, seat in enumerate(info.seats, 1)]

    def _name(self, player: SeatInfo) -> str:
        """Return the name of a person, the level of a bot, or that the seat is free."""
        level = player.level or ""
        if player.kind == "bot":
            return player.name or f"{self._words('bot')} {self._words.find(f'levels.{level}') or level}"
        return player.name if player.kind == "person" else self._words("free")
