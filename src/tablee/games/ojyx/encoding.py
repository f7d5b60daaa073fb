"""States and actions as numbers for `manche_kernel`, and for the C++ rules of the training.

This module imports NumPy, so bots import it only inside a decision.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from .cards import INDEX
from .deck import count_actions
from .values import Action, Choose, Discard, Draw, EndTurn, Place, Play, React, State, Store, Throw, TurnUp

STAGES = ("choose", "draw", "decide", "turn", "action", "play", "react", "gift", "scout", "over")
SOURCES = ("", "deck", "discard", "action", "gift")
ORDERS = {order: at for count in (1, 2, 3) for at, order in enumerate(permutations(range(count)))}
STATE = 522
"""The size of a manche; `manche_kernel` names its places."""


def code_of(action: Action) -> int:
    """Return the number of an action."""
    kind = card = seat = cell = theirs = column = 0
    match action:
        case Choose((cell, theirs)):
            kind = 0
        case Draw(source):
            kind = {"deck": 1, "discard": 2, "action": 3}[source]
        case Place(cell):
            kind = 4
        case Discard():
            kind = 5
        case TurnUp(cell):
            kind = 6
        case Store():
            kind = 7
        case Throw(name):
            kind, card = 8, INDEX[name]
        case EndTurn():
            kind = 9
        case Play("scout", order=tuple(order)):
            kind, column = 15, ORDERS[order]
        case Play("gift", seat=int(seat), target_cell=int(theirs)):
            kind = 14
        case Play(name):
            kind, card, seat = 10, INDEX[name], action.seat or 0
            cell, theirs = action.cells or (action.cell or 0, action.target_cell or 0)
            column = action.column or 0
        case React(answer):
            kind = {"accept": 11, "shield": 12, "mirror": 13}[answer]
            cell, theirs, column = action.cell or 0, action.target_cell or 0, action.column or 0
    return kind | card << 4 | seat << 9 | cell << 13 | theirs << 17 | column << 21


def or_none(number: int | None) -> int:
    return -1 if number is None else number


def table_of(state: State) -> Any:
    """Return the kernel's manche for a state."""
    s, seats = np.zeros(STATE, np.int64), len(state.grids)
    s[:96], s[310:406], s[472:480] = 15, -1, -1
    for seat, grid in enumerate(state.grids):
        s[12 * seat : 12 * seat + 12] = [code + 2 if code < 13 else code for code in grid]
        s[96 + 4 * seat : 100 + 4 * seat] = np.subtract(state.curses[seat], state.heals[seat])
        stock = [INDEX[card] for card in state.stocks[seat]]
        s[310 + 12 * seat : 310 + 12 * seat + len(stock)] = stock
        s[406 + seat] = len(stock)
        if state.chosen and state.chosen[seat]:
            one, other = state.chosen[seat]
            s[472 + seat] = one | other << 4
    s[128:143] = state.unseen
    s[143:158] = state.deck or 0
    s[158 : 158 + len(state.discard)] = np.array(state.discard, np.int64) + 2
    s[414 : 414 + seats], s[422 : 422 + seats] = state.frozen, state.turns
    s[430:451], s[451:472] = state.actions, count_actions(state.action_discard)
    s[480 : 480 + len(state.scouted)] = np.array(state.scouted, np.int64) + 2
    s[491:494] = seats, STAGES.index(state.stage), or_none(state.to_act)
    write_hands(s, state)
    top = INDEX[state.action_discard[-1]] if state.action_discard else -1
    s[498:504] = state.deck_size, bool(state.deck), len(state.discard), top, len(state.scouted), or_none(state.scout)
    last = -1 if state.last_card is None else INDEX[state.last_card]
    s[510:516] = state.plays, last, state.direction, state.skips, state.shielded, or_none(state.starter)
    s[516:519] = or_none(state.initiator), state.ending, state.owed
    s[519:522] = state.options.deck == "extended", state.options.reveal_after_discard, state.gone
    return s


def write_hands(s: Any, state: State) -> None:
    """Write the card in hand and the attack."""
    held, attack = state.held, state.attack
    s[494:498] = 0, -1, -1, 0
    if held is not None:
        card = -1 if held.card is None else held.card + 2
        action = -1 if held.action is None else INDEX[held.action]
        s[494:498] = SOURCES.index(held.source), card, action, held.known
    s[504:510] = -1
    if attack is not None:
        aim = attack.cell or 0, attack.target_cell or 0, attack.column or 0
        s[504:510] = attack.seat, attack.target, INDEX[attack.card], *aim
