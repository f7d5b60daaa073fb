"""A table of two for tests: it keeps its log, and its time passes when the test says so."""

import random
from typing import Any

import pytest

from tablee.core.game import Refused
from tablee.games.dames.values import Move
from tablee.table import Event, Table, dealing, playing, seating
from tablee.table.events import (
    decode,
    encode,
)

ANNE, BASILE, CLAIRE = "anne", "basile", "claire"
HERE = {ANNE, BASILE, CLAIRE}
UNTIMED: dict[str, Any] = {"move_time": 0, "match_time": 0, "player_time": 0}


class Evening:
    """A table of two that keeps its log; the test moves its time on."""

    def __init__(self, game: str = "dames", **options: Any) -> None:
        created = Table.create(game, options, None, False, ANNE)
        self.log: list[Event] = [created]
        self.now = 100.0
        self.table = Table("ABCDEF", created, self.now)
        self.do(seating.sit(self.table, ANNE, None))
        self.do(seating.sit(self.table, BASILE, None))

    def do(self, events: list[Event]) -> None:
        self.table.apply_all(events, self.now)
        self.log.extend(events)

    def begin(self) -> Table:
        self.do(dealing.start(self.table, ANNE, "graine"))
        return self.table

    def move(self, dice: random.Random | None = None) -> None:
        table = self.table
        assert table.match is not None
        (seat,) = table.turn.must
        person = (ANNE, BASILE)[seat]
        legal = table.match.legal(seat)
        action = dice.choice([action for action in legal if isinstance(action, Move)]) if dice else legal[0]
        self.do(playing.act(table, person, table.offers[seat], encode(action), self.now))

    def restored(self) -> Table:
        return Table.restore("ABCDEF", [decode(encode(event)) for event in self.log], self.now)


def refusal(verb: Any, *given: Any) -> str:
    with pytest.raises(Refused) as refused:
        verb(*given)
    return refused.value.refusal.code
