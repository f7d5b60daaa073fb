"""The order of turns and the end of a manche: due turns, skips, full columns, the last lap (O5, O6, O11)."""

from __future__ import annotations

from msgspec.structs import replace

from ...core.game import Seat
from .grid import all_face_up, full_columns, without_column
from .knowledge import with_grid
from .values import Event, State

MOST_TURNS = 60
"""The most turns of a seat in a manche that nobody ends (O6)."""


def present(state: State) -> list[Seat]:
    """Return the seats that have neither left nor stopped."""
    return [seat for seat in range(len(state.grids)) if not state.gone >> seat & 1]


def opponents(state: State, seat: Seat) -> list[Seat]:
    return [other for other in range(len(state.grids)) if other != seat and not state.gone >> other & 1]


def is_due(state: State, seat: Seat) -> bool:
    """Return whether a seat still has a turn in this manche: an owed one in the last lap, up to 60 before that."""
    if state.gone >> seat & 1:
        return False
    return bool(state.owed >> seat & 1) if state.ending else state.turns[seat] < MOST_TURNS


def can_skip(state: State, seat: Seat) -> bool:
    """Return whether an opponent is due a turn that no skip has taken yet (O11)."""
    return sum(is_due(state, other) for other in opponents(state, seat)) > state.skips


def next_due(state: State) -> tuple[State, Seat | None]:
    """Find the next seat that is due a turn and use up the turns of skipped seats; None if there is none."""
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
    """Return the frozen seats after one of them has had a turn."""
    return (*frozen[:seat], frozen[seat] - 1, *frozen[seat + 1 :]) if frozen[seat] else frozen


def use_up_turn(state: State, seat: Seat) -> State:
    turns = (*state.turns[:seat], state.turns[seat] + 1, *state.turns[seat + 1 :])
    return replace(state, turns=turns, owed=state.owed & ~(1 << seat))


def begin_turn(state: State, seat: Seat) -> State:
    return replace(use_up_turn(state, seat), stage="draw", to_act=seat)


def settle(state: State, actor: Seat, other: Seat | None = None) -> State:
    """Clear full columns, the actor's first (O5), and begin the last lap if a grid has no hidden card (O6).

    `other` is the other seat whose grid the action has changed, if any.
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
