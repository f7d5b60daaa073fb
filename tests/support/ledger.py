"""What the clients of a test saw and sent: the evidence that the checker compares with the log."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from live import PATIENCE
from msgspec import Struct


class Sighting(Struct, frozen=True):
    """A step as somebody saw it accepted."""

    seat: int
    viewer: int | None
    """The seat whose view it was; None: a spectator."""
    action: str
    """JSON with sorted keys; `null` if the viewer may not see it."""
    cause: str | None


class Intent(Struct, eq=False):
    """An action that a client sent, perhaps several times because no answer came."""

    match: int
    seat: int
    offer: int
    action: str
    began: float
    ids: list[int] = []
    """The ids of its frames on the current connection."""
    copies: int = 0
    ply: int | None = None
    """Where it was played; None: no answer said so."""
    is_refused: bool = False
    """The server refused the only copy, so the action must not be in the log."""


class TableLedger:
    """Everything that was seen at one table."""

    def __init__(self) -> None:
        self.steps: dict[tuple[int, int], set[Sighting]] = {}
        """By match and ply."""
        self.intents: list[Intent] = []
        self.people: set[tuple[int, int]] = set()
        """The matches and seats whose intents are all known."""
        self.commits: dict[int, set[str]] = {}
        self.salts: dict[tuple[int, int], set[str]] = {}
        """The salts that the server said it took, by match and seat."""
        self.outcomes: dict[int, set[str]] = {}
        self.messages: dict[str, bool] = {}
        """The unique texts that were sent, and whether the server said that it took them."""


class Ledger:
    """Everything that the clients of one test saw, with the waits that they had."""

    def __init__(self) -> None:
        self.tables: dict[str, TableLedger] = {}
        self.refusals: dict[str, int] = {}
        self.reconnections = 0
        self.gaps = 0
        """How often a client had to ask for steps that it missed while it was connected."""
        self.longest_wait = 0.0
        """Seconds from sending an action until its author knew that it was accepted."""
        self.longest_away = 0.0
        """Seconds from losing a connection until the next state arrived."""
        self.longest_delay = 0.0
        """Seconds between the first and the last client that saw a move as it was played."""
        self.longest_pause = 0.0
        """Seconds between two actions in a row at a table: how long a match stood still."""
        self.closings: Counter[int] = Counter()
        """The codes with which servers closed connections; 1006: without a word."""
        self._last_new: dict[tuple[str, int], float] = {}
        """By table and match: when somebody first saw its latest action."""
        self._first_seen: dict[tuple[str, int, int], float] = {}
        self._changed = asyncio.Event()

    def table(self, code: str) -> TableLedger:
        return self.tables.setdefault(code, TableLedger())

    @property
    def accepted(self) -> int:
        """The number of distinct actions that somebody saw accepted."""
        return sum(len(table.steps) for table in self.tables.values())

    def saw(self, code: str, match: int, step: dict[str, Any], viewer: int | None, *, live: bool = False) -> None:
        """Note a step; `live`: it was seen as it was played, not caught up with."""
        now = time.monotonic()
        if (match, step["ply"]) not in self.table(code).steps:
            self.longest_pause = max(self.longest_pause, now - self._last_new.get((code, match), now))
            self._last_new[code, match] = now
        if live:
            first = self._first_seen.setdefault((code, match, step["ply"]), now)
            self.longest_delay = max(self.longest_delay, now - first)
        sighting = Sighting(step["seat"], viewer, sorted_json(step["action"]), step["cause"])
        self.table(code).steps.setdefault((match, step["ply"]), set()).add(sighting)
        self.changed()

    def intend(self, code: str, match: int, seat: int, offer: int, action: str) -> Intent:
        """Note that a client is about to send an action."""
        intent = Intent(match, seat, offer, action, time.monotonic())
        self.table(code).intents.append(intent)
        return intent

    def answered(self, intent: Intent, ply: int) -> None:
        intent.ply = ply
        self.settled(intent)

    def settled(self, intent: Intent) -> None:
        """Note how long a player waited until they knew what became of an action."""
        self.longest_wait = max(self.longest_wait, time.monotonic() - intent.began)

    def changed(self) -> None:
        self._changed.set()

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until a condition holds; check it whenever a client has seen something."""
        end = time.monotonic() + PATIENCE
        while not holds():
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), end - time.monotonic())
            except TimeoutError:
                raise AssertionError(f"gave up waiting for {what}; refusals: {self.refusals}") from None


def sorted_json(value: Any) -> str:
    """Return a value as JSON that is the same for equal values."""
    return msgspec.json.encode(value, order="sorted").decode()
