"""Leaving a match at any moment (O14)."""

from __future__ import annotations

from msgspec.structs import replace

from ...core.game import Chance, Seat
from .deck import forget_scouted
from .effects import with_stock
from .manche import count_votes, end_match, next_seat, open_choices
from .order import present
from .play import gift_targets, void
from .turn import actor_of, pass_turn, proceed
from .values import Event, State


def leave(state: State, seat: Seat, chance: Chance) -> State:
    """Remove a seat: it gets no turns and no attacks, its stock is discarded, and its grid stays (O14)."""
    if state.gone >> seat & 1 or state.stage == "over":
        return state
    state = replace(
        state,
        gone=state.gone | 1 << seat,
        owed=state.owed & ~(1 << seat),
        action_discard=(*state.action_discard, *state.stocks[seat]),
        stocks=with_stock(state, seat, ()),
        known_stored=tuple(one for one in state.known_stored if one.holder != seat),
        events=(Event("left", seat),),
    )
    if state.scout == seat:
        state = forget_scouted(state)
    if len(present(state)) < 2:
        return end_match(void(state))
    if state.stage == "choose":
        chosen = (*state.chosen[:seat], (), *state.chosen[seat + 1 :])
        starter = None if state.starter is None else next_seat(state, state.starter)
        return open_choices(replace(state, chosen=chosen, starter=starter), chance)
    if state.stage == "vote":
        return count_votes(state, chance)
    if seat == state.to_act:
        return pass_turn(void(state), chance)
    if state.attack is not None and state.attack.target == seat:
        return proceed(void(state), chance)
    if state.stage == "gift" and not gift_targets(state, actor_of(state)):
        return proceed(void(state), chance)
    return state
