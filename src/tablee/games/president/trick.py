"""The rules of a trick: what can follow, what can be declared, and which seat can close it.

All functions depend only on the trick and, for closing, on one hand. The strength of a card is the position of its rank
in the normal order; a revolution changes only the direction in which strengths are compared.
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
    """Return the next strength in a suite or the previous one in a reverse; None past the end of the order (P5, P6)."""
    up = (declare == "suite") != revolution
    beside = strength + 1 if up else strength - 1
    return beside if 0 <= beside <= 12 else None


@cache
def following(top: int, direction: Declare | None, ou_rien: bool, revolution: bool) -> tuple[int, ...]:
    """Return the strengths that can follow without a declaration, weakest first (P3, P5, P6, P7)."""
    if ou_rien:
        return (top,)
    if direction is not None:
        required = step(top, direction, revolution)
        return () if required is None else (required,)
    order = ORDERS[revolution]
    return order[order.index(top) :]


def top_of(state: State) -> int:
    """Return the strength on top of the trick."""
    return STRENGTH_OF[state.trick[-1].cards[0]]


def size_of(state: State) -> int:
    """Return how many cards each play of the trick has (P3)."""
    return len(state.trick[0].cards)


def allowed(state: State) -> tuple[int, ...]:
    """Return the strengths that can be played without a declaration, weakest first."""
    if not state.trick:
        return ORDERS[state.revolution]
    return following(top_of(state), state.direction, state.ou_rien, state.revolution)


def declarable(state: State, declare: Declare) -> int | None:
    """Return the strength that can declare a suite or a reverse, or None (P5, P6)."""
    if len(state.trick) == 1:
        return step(top_of(state), declare, state.revolution)
    if declare == "reverse" and state.direction == "suite" and state.stage == "play":
        return step(top_of(state), "suite", state.revolution)
    return None


def missing(state: State) -> CardSet:
    """Return the cards that would complete four in a row of the rank on top; none if that is impossible (P9)."""
    trick = state.trick
    if not trick or state.stage != "play":
        return 0
    rest = FOUR << 4 * STRENGTH_OF[trick[-1].cards[0]] & ~state.run
    if state.played & rest:  # One of them was played in an earlier trick, or earlier in this one.
        return 0
    return 0 if rest.bit_count() % len(trick[0].cards) else rest


def can_close(state: State, seat: Seat, rest: CardSet) -> bool:
    """Return whether a seat holds all of `rest`, is still in the trick and did not make the last play (P9)."""
    return rest != 0 and state.hands[seat] & rest == rest and not state.out >> seat & 1 and seat != state.trick[-1].seat


def closers(state: State) -> SeatSet:
    """Return the seats that can close the trick now; at most one holds the missing cards."""
    rest = missing(state)
    if rest:
        for seat, hand in enumerate(state.hands):
            if hand & rest == rest:
                return 1 << seat if can_close(state, seat, rest) else 0
    return 0


def derived(trick: tuple[Laid, ...], seats: int) -> dict[str, Any]:
    """Return the state fields that follow from a trick, if it is the first of its manche."""
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
