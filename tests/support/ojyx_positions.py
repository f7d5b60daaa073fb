"""Positions of Ojyx that several tests start from."""

from __future__ import annotations

from typing import Any

from tablee.games.ojyx.cards import NUMBERS, VALUES
from tablee.games.ojyx.values import State

EXTENDED = "options deck=extended"
ALL_UP = "0,1,2,3,4,5,6,7,8,9,10,11"
"""A grid without a hidden card; its score is 66."""


def grids(*seats: str) -> str:
    """Write grids; cells that are not given are hidden."""
    parts = []
    for seat in seats:
        given = len(seat.split(",")) if seat else 0
        parts.append(
            seat if "*" in seat or given == 12 else ",".join([*seat.split(","), f"?*{12 - given}"]).lstrip(",")
        )
    return "/".join(parts)


TWO = f"act 0 grids {grids('1,2', '3,4')} discard 5"
THREE = f"act 0 grids {grids('1,2', '3,4', '6,7')} discard 5"


def last_turn(seats: int, initiator: int = 0, **fields: object) -> str:
    """Return the last turn of a manche that `initiator` ended: that of the seat before it."""
    up = {initiator: ALL_UP}
    given = "/".join(up.get(seat, "1,?*11") for seat in range(seats))
    more = " ".join(f"{key} {value}" for key, value in fields.items())
    actor = (initiator - 1) % seats
    return f"act {actor} grids {given} discard 5 ending yes initiator {initiator} scouted 0:3 {more}".strip()


def votes(*ballots: str) -> list[str]:
    return [f"{seat}: vote {ballot}" for seat, ballot in enumerate(ballots)]


AIMS = {
    "swap": "seat=1 cell=0 target_cell=1",
    "peek": "seat=1 target_cell=5",
    "reveal": "seat=1 target_cell=5",
    "steal": "seat=1",
    "curse": "seat=1 column=2",
    "discard": "seat=1",
    "freeze": "seat=1",
    "bomb": "seat=1 column=2",
}


def attacked(card: str, stock: str = "heal", **fields: object) -> str:
    """Return a position in which A can attack B with a card and then play another."""
    more = " ".join(f"{key} {value}" for key, value in fields.items())
    stocks = f"stocks {card}+teleport/{stock}/"
    return f"act 0 stage play grids {grids('1,2', '3,4', '6,7')} discard 5 {stocks} {EXTENDED} {more}".strip()


def strike(table: Any, card: str, stock: str = "heal", **fields: object) -> State:
    """Let A attack B; a gift takes two steps."""
    state = table.read(attacked(card, stock, **fields))
    if card == "gift":
        return table.play(state, "action gift", "action gift seat=1 target_cell=1")
    return table.play(state, f"action {card} {AIMS[card]}")


MIRRORED = {
    "swap": "cell=0 target_cell=1",
    "peek": "target_cell=5",
    "reveal": "target_cell=5",
    "steal": "",
    "curse": "column=2",
    "discard": "",
    "freeze": "",
    "bomb": "column=2",
    "gift": "target_cell=1",
}


def pass_turn(table: Any, state: State | str) -> State:
    """Play a turn without any change."""
    after: State = table.play(state, "draw deck", "place 0")
    return table.play(after, "end_turn") if after.stage == "play" else after


def emptied(table: Any, scouted: str = "", rest: str = "") -> State:
    """Return a position for two seats with an empty deck, or only the scouted cards."""
    hidden = 20
    left = list(NUMBERS)
    for card in (1, 2, 3, 4, *[int(card) for card in scouted.partition(":")[2].split("+") if card]):
        left[card + 2] -= 1
    pile = [value for value, count in zip(VALUES, left, strict=True) for _ in range(count)]
    pile = pile[hidden // 2 : -hidden // 2]  # the ten lowest and the ten highest are what is hidden
    more = f"scouted {scouted} " if scouted else ""
    extended = f" {EXTENDED}" if "scout/" in rest else ""
    discard = ",".join(map(str, pile))
    return table.read(f"act 0 grids {grids('1,2', '3,4')} discard {discard} {more}{rest}{extended}".strip())
