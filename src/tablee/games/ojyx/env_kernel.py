"""Many matches of Ojyx, compiled by Numba, for `tablee.envs.vector`.

`rules.py` and `env.py` stay the reference; a test compares the two step by step. `manche_kernel.py` has the rules of a
manche, `match_kernel.py` the manches of a match, and `observe_kernel.py` the observations. This module adds the ids of
actions and their masks.
"""

from __future__ import annotations

from typing import Any

from ...core import desk_kernel
from ...core.desk_kernel import on_desk
from ...core.encoding import MATCH_OVER, REFUSED
from ...core.machine import Ints, compiled, follow, lean
from . import manche_kernel, match_kernel, observe_kernel
from .manche_kernel import (
    ACTION,
    ATTACK,
    ATTACKER,
    BOMB,
    CHOOSE,
    CURSE,
    DECIDE,
    DO_ACCEPT,
    DO_CHOOSE,
    DO_DECK,
    DO_DISCARD,
    DO_END,
    DO_GIFT,
    DO_MIRROR,
    DO_ORDER,
    DO_PLACE,
    DO_PLAY,
    DO_SHIELD,
    DO_STORE,
    DO_THROW,
    DO_TURN,
    DRAW,
    DUPLICATE,
    EMPTY,
    FROM_PILE,
    FROZEN,
    GAMBLE,
    GIFT,
    GIFTING,
    GONE,
    GRIDS,
    HEAL,
    HELD_ACTION,
    HIDDEN,
    LAST_CARD,
    LOOKED,
    MIRROR,
    OVER,
    PEEK,
    PILED,
    PLAY,
    PLAYS,
    REACT,
    REVEAL,
    SCOUT_CARD,
    SCOUTING,
    SHIELD,
    SOURCE,
    STAGE,
    STOCK,
    STOCKED,
    SWAP,
    TARGET,
    TELEPORT,
    TO_ACT,
    TRACKED,
    TURN,
    actions_left,
    apply,
    can_attack,
    code_of,
    count_cards,
    count_hidden,
    gone,
    is_aim,
    is_attack,
    orders_of,
    stocks,
)
from .match_kernel import (
    CODE,
    EFFECT,
    IDS,
    MANCHE,
    NEXT,
    OVER_ALL,
    ROW,
    SEATS,
    STATE,
    TOTALS,
    VICTIM,
    begin_manche,
    chooser,
    end_manche,
    vote,
)
from .observe_kernel import O_SEATS, PART, observe

Batch = Any

WHAT, WHICH_SEAT, WHICH_CELL, WHICH_SECOND, WHICH_THEIRS, WHICH_COLUMN, WHICH_ORDER, COMPLETE = range(8)
"""What a player chooses next."""

# The ids, as in `env.py`.
PLACE_ID, DISCARD_ID, TURN_ID, STORE_ID, END_ID, PLAY_ID, THROW_ID = 3, 15, 16, 28, 29, 30, 51
ACCEPT_ID, SHIELD_ID, MIRROR_ID, VOTE_ID = 72, 73, 74, 75
CELL_ID, THEIRS_ID, COLUMN_ID, ORDER_ID, SEAT_ID = 78, 90, 102, 106, 115

WORK = 256
"""Space for a list of aims: more than a mirror has."""


# What an action is aimed at


@lean
def first_aim(effect: int) -> int:
    """Return the first thing to choose for a card, after the seat that it hits."""
    if effect in (SWAP, TELEPORT, GAMBLE):
        return WHICH_CELL
    if effect in (PEEK, REVEAL, GIFT):
        return WHICH_THEIRS
    return WHICH_COLUMN if effect in (CURSE, BOMB, HEAL) else COMPLETE


@lean
def has_aim(m: Ints, effect: int, actor: int, victim: int) -> bool:
    """Return whether a card has any aim; the victim is the actor if the card is no attack."""
    if effect == TELEPORT:
        return count_cards(m, actor) > 1
    if effect == SWAP:
        return count_cards(m, actor) > 0 and count_cards(m, victim) > 0
    if effect in (PEEK, REVEAL, BOMB):
        return count_hidden(m, victim) > 0
    if effect in (GIFT, CURSE, HEAL, GAMBLE):
        return count_cards(m, victim) > 0
    return is_aim(m, effect, actor, victim)


@lean
def can_play(m: Ints, seat: int, card: int) -> bool:
    """Return whether a seat can play an action card that it has."""
    effect = m[LAST_CARD] if card == DUPLICATE else card
    if effect < 0 or effect in (SHIELD, MIRROR):
        return False
    if effect == SCOUT_CARD:
        return True
    if not is_attack(effect):
        return has_aim(m, effect, seat, seat)
    for victim in range(m[manche_kernel.SEATS]):
        if can_attack(m, seat, victim) and has_aim(m, effect, seat, victim):
            return True
    return False


@lean
def first_order(count: int) -> int:
    """Return the id of the first order of so many cards."""
    return ORDER_ID + (3 if count == 3 else count - 1)


# Choosing an action, one id after the other


@lean
def begin_row(s: Ints, m: Ints, one: int) -> int:
    """Take the first id of an action; return what its player chooses next."""
    if one < PLACE_ID:
        s[CODE] = DO_DECK + one
    elif one < DISCARD_ID:
        s[CODE] = code_of(DO_PLACE, 0, 0, one - PLACE_ID, 0, 0)
    elif one == DISCARD_ID:
        s[CODE] = DO_DISCARD
    elif one < STORE_ID:
        s[CODE] = code_of(DO_TURN, 0, 0, one - TURN_ID, 0, 0)
    elif one == STORE_ID:
        s[CODE] = DO_STORE
    elif one == END_ID:
        s[CODE] = DO_END
    elif one < THROW_ID:
        return begin_play(s, m, one - PLAY_ID)
    elif one < ACCEPT_ID:
        s[CODE] = code_of(DO_THROW, one - THROW_ID, 0, 0, 0, 0)
    elif one < MIRROR_ID:
        s[CODE] = DO_ACCEPT if one == ACCEPT_ID else DO_SHIELD
    elif one == MIRROR_ID:
        s[CODE] = DO_MIRROR
        s[EFFECT] = m[ATTACK]
        s[VICTIM] = m[ATTACKER]
        return first_aim(m[ATTACK]) if has_aim(m, m[ATTACK], m[TARGET], m[ATTACKER]) else COMPLETE
    else:
        s[CODE] = code_of(DO_CHOOSE, 0, 0, one - CELL_ID, 0, 0)
        return WHICH_SECOND
    return COMPLETE


@lean
def begin_play(s: Ints, m: Ints, card: int) -> int:
    """Take the id of an action card; return what its player chooses next."""
    s[EFFECT] = card
    if m[STAGE] == GIFTING:
        s[CODE] = DO_GIFT
        return WHICH_SEAT
    if m[STAGE] == SCOUTING:
        s[CODE] = DO_ORDER
        return WHICH_ORDER
    effect = m[LAST_CARD] if card == DUPLICATE else card
    s[CODE] = code_of(DO_PLAY, card, 0, 0, 0, 0)
    s[EFFECT] = effect
    if effect in (SCOUT_CARD, GIFT):
        return COMPLETE
    s[VICTIM] = m[TO_ACT]
    return WHICH_SEAT if is_attack(effect) else first_aim(effect)


@lean
def extend_row(s: Ints, m: Ints, seat: int, one: int) -> int:
    """Take another id of an action; return what its player chooses next."""
    asked, effect = s[NEXT], s[EFFECT]
    if asked == WHICH_SEAT:
        s[VICTIM] = (seat + one - SEAT_ID) % m[manche_kernel.SEATS]
        s[CODE] |= s[VICTIM] << 9
        return first_aim(effect)
    if asked == WHICH_CELL:
        s[CODE] |= one - CELL_ID << 13
        return WHICH_THEIRS if effect == SWAP else WHICH_SECOND if effect == TELEPORT else COMPLETE
    if asked == WHICH_SECOND:
        s[CODE] |= one - CELL_ID << 17
    elif asked == WHICH_THEIRS:
        s[CODE] |= one - THEIRS_ID << 17
    elif asked == WHICH_COLUMN:
        s[CODE] |= one - COLUMN_ID << 21
    else:
        s[CODE] |= one - first_order(m[LOOKED]) << 21
    return COMPLETE


# Masks


@lean
def mark_cells(m: Ints, seat: int, least: int, first: int, mask: Batch) -> None:
    """Mark the cells of a grid from `first` on whose code is at least so much, and which are not empty."""
    for cell in range(12):
        code = m[GRIDS + 12 * seat + cell]
        if code >= least and code != EMPTY:
            mask[first + cell] = 1


@lean
def mark_cards(m: Ints, seat: int, mask: Batch) -> None:
    """Mark what a seat can do with its action cards (O3, O11)."""
    drawn, stored = m[STAGE] == ACTION, m[STOCKED + seat]
    if not drawn and stored <= 3:
        mask[END_ID] = 1
    if drawn and stored < 3:
        mask[STORE_ID] = 1
    plays = m[FROZEN + seat] == 0 and (drawn or m[PLAYS] < 3)
    throws = stored >= 3 if drawn else stored > 3
    for at in range(STOCK + 12 * seat, STOCK + 12 * seat + stored):
        card = m[at]
        if throws:
            mask[THROW_ID + card] = 1
        if plays and not drawn and not mask[PLAY_ID + card] and can_play(m, seat, card):
            mask[PLAY_ID + card] = 1
    if drawn:
        if throws:
            mask[THROW_ID + m[HELD_ACTION]] = 1
        if plays and can_play(m, seat, m[HELD_ACTION]):
            mask[PLAY_ID + m[HELD_ACTION]] = 1


@lean
def mark_first(m: Ints, seat: int, mask: Batch) -> None:
    """Mark the first ids of the legal actions."""
    stage = m[STAGE]
    if stage == DRAW:
        mask[0] = 1
        mask[1] = m[PILED] > 0 and count_cards(m, seat) > 0
        mask[2] = actions_left(m) > 0
    elif stage == DECIDE:
        mark_cells(m, seat, 0, PLACE_ID, mask)
        mask[DISCARD_ID] = m[SOURCE] != FROM_PILE
    elif stage == TURN:
        mark_cells(m, seat, HIDDEN, TURN_ID, mask)
    elif stage in (ACTION, PLAY):
        mark_cards(m, seat, mask)
    elif stage == REACT:
        mask[ACCEPT_ID] = 1
        mask[SHIELD_ID] = stocks(m, seat, SHIELD)
        mask[MIRROR_ID] = stocks(m, seat, MIRROR)
    elif stage == CHOOSE:
        for cell in range(11):
            mask[CELL_ID + cell] = 1
    elif stage == GIFTING:
        mask[PLAY_ID + GIFT] = 1
    elif stage == SCOUTING:
        mask[PLAY_ID + SCOUT_CARD] = 1
    else:
        for vote in range(3):
            mask[VOTE_ID + vote] = 1


@lean
def mark_columns(m: Ints, seat: int, effect: int, mask: Batch) -> None:
    """Mark the columns of a grid that a card can hit."""
    for column in range(4):
        at = GRIDS + 12 * seat + column
        if effect == BOMB:
            mask[COLUMN_ID + column] = m[at] >= HIDDEN or m[at + 4] >= HIDDEN or m[at + 8] >= HIDDEN
        else:
            mask[COLUMN_ID + column] = m[at] != EMPTY


@lean
def mark_next(s: Ints, m: Ints, seat: int, mask: Batch) -> None:
    """Mark the ids that can follow those chosen so far."""
    asked, effect, victim = s[NEXT], s[EFFECT], s[VICTIM]
    if asked == WHICH_SEAT:
        seats = m[manche_kernel.SEATS]
        for number in range(1, seats):
            other = (seat + number) % seats
            mask[SEAT_ID + number] = can_attack(m, seat, other) and has_aim(m, effect, seat, other)
    elif asked == WHICH_CELL:
        mark_cells(m, seat, 0, CELL_ID, mask)
        if effect == TELEPORT:  # The lower cell of two comes first.
            last = 11
            while not mask[CELL_ID + last]:
                last -= 1
            mask[CELL_ID + last] = 0
    elif asked == WHICH_SECOND:
        for cell in range((s[CODE] >> 13 & 15) + 1, 12):
            mask[CELL_ID + cell] = m[GRIDS + 12 * seat + cell] != EMPTY
    elif asked == WHICH_THEIRS:
        mark_cells(m, victim, HIDDEN if effect in (PEEK, REVEAL) else 0, THEIRS_ID, mask)
    elif asked == WHICH_COLUMN:
        mark_columns(m, victim, effect, mask)
    else:
        for order in range(orders_of(m[LOOKED])):
            mask[first_order(m[LOOKED]) + order] = 1


@lean
def reset(s: Ints, m: Ints, dice: Ints, facts: Ints) -> None:
    for at in range(1 + TRACKED, STATE):
        s[at] = 0
    m[GONE] = 0
    begin_manche(s, m, dice, facts)


@compiled
def play_id(s: Ints, m: Ints, one: int, dice: Ints, codes: Ints, facts: Ints) -> None:
    """Play an id that is not masked; `codes` is space for a list of aims."""
    seat = chooser(s, m)
    if m[STAGE] == OVER:
        vote(s, m, seat, one - VOTE_ID, dice, facts)
        return
    s[NEXT] = begin_row(s, m, one) if s[NEXT] == WHAT else extend_row(s, m, seat, one)
    if s[NEXT] != COMPLETE:
        s[IDS + s[ROW]] = one
        s[ROW] += 1
        return
    s[NEXT] = s[ROW] = 0
    apply(m, s[CODE], codes, dice)
    if m[STAGE] == OVER:
        end_manche(s, m, dice, facts)


# Many matches


@compiled
def renew_all(states: Batch, ended: Batch, facts: Ints, work: Ints) -> None:
    for row in range(states.shape[0]):
        if ended[row]:
            s = states[row]
            reset(s, s[MANCHE : MANCHE + TRACKED], s[:1], facts)


@compiled
def step_all(states: Batch, ids: Ints, scores: Batch, places: Batch, facts: Ints, work: Ints) -> None:
    for row in range(states.shape[0]):
        s = states[row]
        m = s[MANCHE : MANCHE + TRACKED]
        play_id(s, m, ids[row], s[:1], work, facts)
        if not s[OVER_ALL]:
            continue
        for seat in range(facts[SEATS]):
            mine, left = s[TOTALS + seat], gone(m, seat)
            scores[row, seat] = mine
            places[row, seat] = 1
            for other in range(facts[SEATS]):
                theirs = s[TOTALS + other]
                places[row, seat] += theirs < mine if gone(m, other) == left else left


@compiled
def look_all(states: Batch, seats: Ints, observations: Batch, masks: Batch, facts: Ints) -> None:
    observations[:] = 0
    masks[:] = 0
    for row in range(states.shape[0]):
        s = states[row]
        m = s[MANCHE : MANCHE + TRACKED]
        seat = chooser(s, m)
        seats[row] = seat
        observe(s, m, seat, observations[row], facts)
        if s[NEXT] == WHAT:
            mark_first(m, seat, masks[row])
        else:
            mark_next(s, m, seat, masks[row])


@lean
def play_one(desk: Ints, states: Batch, facts: Ints, work: Ints, one: int) -> int:
    """Play an id of the only match, and return what `Kernel.player` says."""
    ids, seats, scores, places, observations, masks = on_desk(desk)
    if one < 0 or one >= masks.shape[1] or masks[0, one] == 0:
        return REFUSED
    ids[0] = one
    step_all(states, ids, scores, places, facts, work)
    if places[0, 0]:
        return MATCH_OVER
    look_all(states, seats, observations, masks, facts)
    return seats[0]


@compiled
def show_all(states: Batch, out: Batch, facts: Ints) -> None:
    out[:] = 0
    size = O_SEATS + (1 + PART) * facts[SEATS]
    for row in range(states.shape[0]):
        s = states[row]
        m = s[MANCHE : MANCHE + TRACKED]
        for seat in range(facts[SEATS]):
            observe(s, m, seat, out[row, size * seat : size * (seat + 1)], facts)


follow(globals(), desk_kernel.__file__, manche_kernel.__file__, match_kernel.__file__, observe_kernel.__file__)
