"""What a seat sees of a match of Ojyx, as numbers, compiled by Numba, for `env_kernel.py`.

`OjyxEncoding.observe` stays the reference. A number card is its value plus two.
"""

from __future__ import annotations

from typing import Any

from ...core.machine import Ints, follow, lean, popcount
from . import manche_kernel, match_kernel
from .manche_kernel import (
    ACTIONS,
    ATTACK,
    ATTACKER,
    BOMB,
    CARDS,
    CELL,
    CHOOSE,
    CHOSEN,
    COLUMN,
    CURSE,
    CURSES,
    DECK,
    DECK_SIZE,
    DIRECTION,
    EMPTY,
    ENDING,
    FROM_DECK,
    FROZEN,
    GIFT,
    GRIDS,
    HELD,
    HELD_ACTION,
    HELD_KNOWN,
    HIDDEN,
    INITIATOR,
    LAST_CARD,
    LOOKED,
    LOST,
    MARKS,
    OVER,
    OWED,
    PEEK,
    PILE,
    PILED,
    PLAYS,
    REACT,
    REFILLED,
    REVEAL,
    SCOUT,
    SCOUTED,
    SEEN,
    SHIELDED,
    SKIPS,
    SOURCE,
    STAGE,
    STOCK,
    STOCKED,
    STOLEN,
    SWAP,
    TARGET,
    THEIRS,
    THROWN,
    TO_ACT,
    TURNS,
    UNSEEN,
    VALUES,
    count_actions,
    gone,
)
from .match_kernel import IDS, NUMBER, ROW, SEATS, TOTALS, VOTES, chooser

Batch = Any

# The parts of an observation, as in `env.py`.
O_STOCK, O_SOURCE, O_HELD, O_HELD_ACTION, O_ATTACK, O_ATTACK_CARD, O_LAST_CARD, O_TURN = 10, 31, 35, 36, 57, 62, 83, 104
O_PILES, O_TOP, O_DISCARDS, O_UNSEEN, O_REFILLED, O_THROWN, O_UNSEEN_ACTIONS = 109, 115, 118, 133, 148, 163, 184
O_CHOICE, O_VOTE, O_CHOSEN, O_SEATS = 205, 217, 220, 335
"""The parts of the seats begin later by the number of seats, because each seat has an id in `O_CHOSEN`."""
PART = 58
MOST_POINTS = (1 << 15) - 1


@lean
def observe(s: Ints, m: Ints, me: int, out: Batch, facts: Ints) -> None:
    """Write what a seat sees, as `OjyxEncoding.observe` does."""
    asked = chooser(s, m)
    if asked >= 0:
        out[m[STAGE]] = 1
    observe_cards(m, me, out)
    out[O_TURN] = m[PLAYS]
    out[O_TURN + 1] = m[DIRECTION]
    out[O_TURN + 2] = m[SKIPS]
    out[O_TURN + 3] = m[ENDING]
    out[O_TURN + 4] = s[NUMBER]
    observe_piles(m, me, out)
    observe_actions(m, me, out)
    if m[STAGE] == CHOOSE and m[CHOSEN + me] >= 0:
        out[O_CHOICE + (m[CHOSEN + me] & 15)] = 1
        out[O_CHOICE + (m[CHOSEN + me] >> 4)] = 1
    voting = asked >= 0 and m[STAGE] == OVER
    if voting and s[VOTES + me] >= 0:
        out[O_VOTE + s[VOTES + me]] = 1
    if me == asked:
        for at in range(s[ROW]):
            out[O_CHOSEN + s[IDS + at]] = 1
    seats = facts[SEATS]
    at = O_SEATS + seats
    for number in range(seats):
        seat = (me + number) % seats
        observe_seat(s, m, me, seat, out[at : at + PART])
        waits = seat == asked
        if m[STAGE] == CHOOSE or voting:
            waits = not gone(m, seat) and (s[VOTES + seat] if voting else m[CHOSEN + seat]) < 0
            out[at + 53] = not gone(m, seat) and not waits
        out[at + 57] = waits
        at += PART


@lean
def observe_cards(m: Ints, me: int, out: Batch) -> None:
    """Write the card in hand, the attack and the last card played."""
    if m[SOURCE]:
        out[O_SOURCE + m[SOURCE] - 1] = 1
        if m[HELD_KNOWN] >> me & 1:
            out[O_HELD] = m[HELD] + 1
            if m[HELD_ACTION] >= 0:
                out[O_HELD_ACTION + m[HELD_ACTION]] = 1
    if m[STAGE] == REACT:
        seats, card = m[manche_kernel.SEATS], m[ATTACK]
        out[O_ATTACK] = 1 + (m[ATTACKER] - me + seats) % seats
        out[O_ATTACK + 1] = 1 + (m[TARGET] - me + seats) % seats
        if card == SWAP:
            out[O_ATTACK + 2] = m[CELL] + 1
        if card in (SWAP, PEEK, REVEAL, GIFT):
            out[O_ATTACK + 3] = m[THEIRS] + 1
        if card in (CURSE, BOMB):
            out[O_ATTACK + 4] = m[COLUMN] + 1
        out[O_ATTACK_CARD + card] = 1
    if m[LAST_CARD] >= 0:
        out[O_LAST_CARD + m[LAST_CARD]] = 1


@lean
def observe_piles(m: Ints, me: int, out: Batch) -> None:
    """Write the deck and the discard pile, and count the cards that a seat has not seen."""
    seats, looked, held = m[manche_kernel.SEATS], m[LOOKED], m[HELD]
    out[O_PILES] = m[DECK_SIZE]
    out[O_PILES + 1] = m[PILE + m[PILED] - 1] + 1 if m[PILED] else 0
    out[O_PILES + 2] = m[PILED]
    out[O_PILES + 3] = count_actions(m, ACTIONS)
    if m[SCOUT] >= 0:
        out[O_PILES + 4] = 1 + (m[SCOUT] - me + seats) % seats
    out[O_PILES + 5] = looked
    for card in range(VALUES):
        out[O_UNSEEN + card] = m[UNSEEN + card]
        out[O_REFILLED + card] = m[DECK + card]
    # All cards that are nowhere else lie on the discard pile.
    for card in range(VALUES):
        out[O_DISCARDS + card] = (5 if card == 0 else 15 if card == 2 else 10) - m[UNSEEN + card] - m[DECK + card]
    for place in range(GRIDS, GRIDS + 12 * seats):
        code = m[place]
        if code < EMPTY:
            out[O_DISCARDS + code] -= 1
        elif code > HIDDEN:
            out[O_DISCARDS + (code & 15)] -= 1
            if (code - SEEN) >> 4 >> me & 1 == 0:
                out[O_UNSEEN + (code & 15)] += 1
    drawn = O_REFILLED if m[REFILLED] else O_UNSEEN
    for at in range(looked):
        card = m[SCOUTED + at]
        out[O_DISCARDS + card] -= 1
        if m[SCOUT] == me:
            out[O_TOP + at] = card + 1
        else:
            out[drawn + card] += 1
    if held >= 0:
        out[O_DISCARDS + held] -= 1
        if m[SOURCE] == FROM_DECK and m[HELD_KNOWN] >> me & 1 == 0:
            out[drawn + held] += 1
    for at in range(LOST + 1, LOST + 1 + 3 * m[LOST], 3):
        if m[at + 1] >> 48 == me:
            for card in range(VALUES):
                out[O_UNSEEN + card] -= m[at + 2] >> 4 * card & 15


@lean
def observe_actions(m: Ints, me: int, out: Batch) -> None:
    """Write the own stock and the pile of action cards, and count the action cards that a seat has not seen."""
    for card in range(CARDS):
        out[O_THROWN + card] = m[THROWN + card]
        out[O_UNSEEN_ACTIONS + card] = m[ACTIONS + card]
    for seat in range(m[manche_kernel.SEATS]):
        first = O_STOCK if seat == me else O_UNSEEN_ACTIONS
        for at in range(STOCK + 12 * seat, STOCK + 12 * seat + m[STOCKED + seat]):
            out[first + m[at]] += 1
        known = m[STOLEN + 8 * me + seat]
        if known:
            for card in range(CARDS):
                out[O_UNSEEN_ACTIONS + card] -= known >> 3 * card & 7
    if m[HELD_ACTION] >= 0 and m[TO_ACT] != me:
        out[O_UNSEEN_ACTIONS + m[HELD_ACTION]] += 1


@lean
def observe_seat(s: Ints, m: Ints, me: int, seat: int, out: Batch) -> None:
    """Write a seat's grid, columns and numbers; whether it waits or is waited for comes later."""
    points = hidden = 0
    for column in range(4):
        total, mark = 0, MARKS + 4 * seat + column
        for cell in range(column, 12, 4):
            code = m[GRIDS + 12 * seat + cell]
            if code < EMPTY:
                total += code - 2
                out[3 * cell] = 3
                out[3 * cell + 1] = code + 1
            elif code >= HIDDEN:
                hidden += 1
                out[3 * cell] = 1
                if code > HIDDEN:
                    knowers = (code - SEEN) >> 4
                    out[3 * cell + 2] = popcount(knowers)
                    if knowers >> me & 1:
                        out[3 * cell] = 2
                        out[3 * cell + 1] = (code & 15) + 1
        points += total << m[mark] if m[mark] >= 0 else total >> -m[mark]
        curses = m[CURSES + 4 * seat + column]
        out[36 + column] = curses
        out[40 + column] = curses - m[mark]
    out[44] = clipped(points)
    out[45] = hidden
    out[46] = m[STOCKED + seat]
    out[47] = m[FROZEN + seat]
    out[48] = m[SHIELDED] >> seat & 1
    out[49] = m[OWED] >> seat & 1
    out[50] = m[TURNS + seat]
    out[51] = out[52] = gone(m, seat)  # In an environment nobody leaves during a manche.
    out[54] = clipped(s[TOTALS + seat])
    out[55] = m[INITIATOR] == seat
    out[56] = m[TO_ACT] == seat


@lean
def clipped(points: int) -> int:
    """Return points that fit into an observation."""
    return max(-MOST_POINTS, min(MOST_POINTS, points))


follow(globals(), manche_kernel.__file__, match_kernel.__file__)
