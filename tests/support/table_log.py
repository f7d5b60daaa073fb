"""A table that keeps its own log, for tests of what is read from logs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tablee.table import Table, dealing, playing, seating
from tablee.table.events import Event, decode, encode
from tablee.table.history import Finished, finished


class Log:
    """A table and its log."""

    def __init__(self, game: str = "kora", seats: int | None = None, **options: Any) -> None:
        created = Table.create(game, options, seats, True, "alix")
        self.table = Table("ABCDEF", created)
        self.bodies = [encode(created)]
        self.over: list[Finished] = []
        self.do(lambda table: seating.sit(table, "alix", 0))

    def do(self, verb: Callable[[Table], list[Event]]) -> list[Event]:
        events = verb(self.table)
        for event in events:
            self.table.apply(event)
            self.bodies.append(encode(event))
        if events and self.table.status == "over" and len(self.over) < self.table.matches:
            self.over.append(finished(self.table))
        return events

    def act(self, choose: Callable[[list[Any]], Any] = lambda legal: legal[0]) -> None:
        """Let a seat that must act do so."""
        assert self.table.match is not None
        seat = min(self.table.turn.must)
        who = self.table.seats[seat]
        assert who is not None
        action = msgspec.json.encode(choose(self.table.match.legal(seat)))
        offer = self.table.offers[seat]
        if who.level is not None:
            self.do(lambda table: playing.act_bot(table, seat, offer, action))
        else:
            self.do(lambda table: playing.act(table, who.person or "", offer, action))

    def act_to_the_end(self) -> None:
        while self.table.status == "playing":
            self.act()

    def start(self, seed: str = "graine") -> None:
        self.do(lambda table: dealing.start(table, table.host, seed))

    @property
    def events(self) -> list[Event]:
        return [decode(body) for body in self.bodies]
