"""A trick: what may follow what lies on the table, what may be declared, and who may close it.

Everything here follows from the trick and, for closing, from one hand; nothing changes a state. A card's strength is
its rank's place in the normal order; a revolution only changes the direction in which strengths are compared.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ...core.game import Seat
from .deck import FOUR, FREE, STRENGTH_OF, THREE, TWO, read_set
from .values import CardSet, Declare, Laid, SeatSet, State

ORDERS = tuple(range(13)), tuple(reversed(range(13)))
"""Strengths from the weakest to the strongest, in the normal order and in a revolution."""
DECLARES: tuple[Declare, ...] = ("suite", "reverse")


def closing_strength(revolution: bool) -> int:
    return THREE if revolution else TWO


@cache
def step(strength: int, declare: Declare, revolution: bool) -> int | None:
    """The next strength in a suite, the previous one in a reverse, None past either end of the order (P5, P6)."""
    up = (declare == "suite") != revolution
    beside = strength + 1 if up else strength - 1
    return beside if 0 <= beside <= 12 else None


@cache
def following(top: int, direction: Declare | None, ou_rien: bool, revolution: bool) -> tuple[int, ...]:
    """The strengths that may follow without declaring anything, weakest first (P3, P5, P6, P7)."""
    if ou_rien:
        return (top,)
    if direction is not None:
        required = step(top, direction, revolution)
        return () if required is None else (required,)
    order = ORDERS[revolution]
    return order[order.index(top) :]


def top_of(state: State) -> int:
    """The strength on top of the trick."""
    return STRENGTH_OF[state.trick[-1].cards[0]]


def size_of(state: State) -> int:
    """How many cards every play of the trick has (P3)."""
    return len(state.trick[0].cards)


def allowed(state: State) -> tuple[int, ...]:
    """The strengths that may be played without declaring anything, weakest first."""
    if not state.trick:
        return ORDERS[state.revolution]
    return following(top_of(state), state.direction, state.ou_rien, state.revolution)


def declarable(state: State, declare: Declare) -> int | None:
    """The strength whose play may declare a suite or a reverse, None where none may (P5, P6)."""
    if len(state.trick) == 1:
        return step(top_of(state), declare, state.revolution)
    if declare == "reverse" and state.direction == "suite" and state.stage == "play":
        return step(top_of(state), "suite", state.revolution)
    return None


def missing(state: State) -> CardSet:
    """What closes the trick by making four in a row of the rank on top; no cards where nothing can (P9)."""
    trick = state.trick
    if not trick or state.stage != "play":
        return 0
    rest = FOUR << 4 * STRENGTH_OF[trick[-1].cards[0]] & ~state.run
    if state.played & rest:  # One of them lies in an earlier trick, or further down in this one.
        return 0
    return 0 if rest.bit_count() % len(trick[0].cards) else rest


def may_close(state: State, seat: Seat, rest: CardSet) -> bool:
    """Whether a seat holds all of `rest`, is still in the trick and did not make the last play (P9)."""
    return rest != 0 and state.hands[seat] & rest == rest and not state.out >> seat & 1 and seat != state.trick[-1].seat


def closers(state: State) -> SeatSet:
    """Who may close the trick now; at most one seat holds the missing cards."""
    rest = missing(state)
    if rest:
        for seat, hand in enumerate(state.hands):
            if hand & rest == rest:
                return 1 << seat if may_close(state, seat, rest) else 0
    return 0


def derived(trick: tuple[Laid, ...], seats: int) -> dict[str, Any]:
    """What a trick tells by itself: its run and its direction, and what was played if nothing was before."""
    run, most = 0, [FREE] * seats
    direction = None
    for laid in trick:
        strength = STRENGTH_OF[laid.cards[0]]
        cards = read_set(laid.cards)
        run = run | cards if run & FOUR << 4 * strength else cards
        most[laid.seat] -= len(laid.cards) << 4 * strength
        direction = laid.declare or direction
    played = read_set(card for laid in trick for card in laid.cards)
    return {"run": run, "most": tuple(most), "direction": direction, "played": played}
