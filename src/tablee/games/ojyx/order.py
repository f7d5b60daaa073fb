"""Whose turn it is, and when a manche ends: due turns, skips, full columns, the last lap (O5, O6, O11)."""

from __future__ import annotations

from msgspec.structs import replace

from ...core.game import Seat
from .grid import all_face_up, full_columns, without_column
from .knowledge import with_grid
from .values import Event, State

MOST_TURNS = 60
"""A seat's turns in a manche that nobody ends (O6)."""


def present(state: State) -> list[Seat]:
    """Who has neither left nor stopped."""
    return [seat for seat in range(len(state.grids)) if not state.gone >> seat & 1]


def opponents(state: State, seat: Seat) -> list[Seat]:
    return [other for other in range(len(state.grids)) if other != seat and not state.gone >> other & 1]


def is_due(state: State, seat: Seat) -> bool:
    """Whether a seat still has a turn in this manche: in the last lap if it is owed one, before that up to 60."""
    if state.gone >> seat & 1:
        return False
    return bool(state.owed >> seat & 1) if state.ending else state.turns[seat] < MOST_TURNS


def can_skip(state: State, seat: Seat) -> bool:
    """Whether an opponent is due a turn that no skip takes yet (O11)."""
    return sum(is_due(state, other) for other in opponents(state, seat)) > state.skips


def next_due(state: State) -> tuple[State, Seat | None]:
    """Find the next seat that is due a turn, past the skipped ones, who lose theirs; None where nobody is."""
    seat = state.to_act
    assert seat is not None
    skips, at = state.skips, seat
    while any(is_due(state, other) for other in range(len(state.grids))):
        at = (at + state.direction) % len(state.grids)
        if not is_due(state, at):
            continue
        if not skips or at == seat:
            return replace(state, skips=0), at
        skips -= 1
        state = use_up_turn(state, at)
        state = replace(state, frozen=thawed(state.frozen, at), events=(*state.events, Event("skipped", at)))
    return state, None


def thawed(frozen: tuple[int, ...], seat: Seat) -> tuple[int, ...]:
    """Frozen seats once one of them has had a turn."""
    return (*frozen[:seat], frozen[seat] - 1, *frozen[seat + 1 :]) if frozen[seat] else frozen


def use_up_turn(state: State, seat: Seat) -> State:
    turns = (*state.turns[:seat], state.turns[seat] + 1, *state.turns[seat + 1 :])
    return replace(state, turns=turns, owed=state.owed & ~(1 << seat))


def begin_turn(state: State, seat: Seat) -> State:
    return replace(use_up_turn(state, seat), stage="draw", to_act=seat)


def settle(state: State, actor: Seat, other: Seat | None = None) -> State:
    """Take full columns away, the actor's first (O5), and see whether the manche is ending (O6).

    `other` is the one other grid that the action has changed.
    """
    seats = (actor,) if other is None else (actor, other)
    for seat in seats:
        for column in full_columns(state.grids[seat]):
            state = clear_column(state, seat, column)
    if state.ending or not any(all_face_up(state.grids[seat]) for seat in seats):
        return state
    return replace(
        state,
        ending=True,
        initiator=actor,
        owed=sum(1 << seat for seat in opponents(state, actor)),
        events=(*state.events, Event("ending", actor)),
    )


def clear_column(state: State, seat: Seat, column: int) -> State:
    """Discard a column of three equal cards."""
    card = state.grids[seat][column]
    return replace(
        state,
        grids=with_grid(state.grids, seat, without_column(state.grids[seat], column)),
        discard=(*state.discard, card, card, card),
        events=(*state.events, Event("cleared", seat, card=card, column=column)),
    )
