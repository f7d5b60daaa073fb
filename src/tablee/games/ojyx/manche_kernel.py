"""All rules of one manche of Ojyx, compiled by Numba: every stage, every action card, and a player for playouts.

A manche is one array of int64. A number card is its value plus two, 0 to 14. As in `rules.py`, a card that nobody has
seen has no value yet: it is drawn when it is turned. Random numbers are used in the order of `rules.py`, which stays
the reference: a test compares the two.

The player values each action by a rule of thumb, and plays action cards and reactions too. It uses only what its seat
can see, and so does the learned network, which says what a manche is worth at the beginning of a turn.

All compiled code is in this one file, because Numba's cache checks the date of a function's own file only.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.machine import Floats, Ints, compiled

Singles: TypeAlias = NDArray[np.float32]

VALUES, CARDS = 15, 21
EMPTY, HIDDEN, SEEN = 15, 16, 32
"""Codes of cells. A hidden card that some seats know is `SEEN`, plus 16 times their bits, plus its value."""
MOST_TURNS = 60
"""The most turns of a seat in a manche (O6)."""

# The places in a manche.
GRIDS = 0
"""Eight grids of twelve cells, row by row."""
MARKS = 96
"""Curses minus heals, for each seat and column."""
UNSEEN = 128
"""The counts of the cards that nobody has seen."""
DECK = 143
"""The counts of the deck after a refill."""
PILE = 158
"""The discard pile, its top last."""
STOCK = 310
"""Twelve places for the action cards of each seat, newest last; `STOCKED` is their number."""
STOCKED, FROZEN, TURNS = 406, 414, 422
ACTIONS, THROWN = 430, 451
"""The counts of the action deck and of its pile."""
CHOSEN = 472
"""The first choice of each seat, or -1."""
SCOUTED = 480
"""The known top of the deck, next card first."""
SCORES = 483
"""The scores, once the manche is over."""
SEATS, STAGE, TO_ACT, SOURCE, HELD, HELD_ACTION, HELD_KNOWN = range(491, 498)
DECK_SIZE, REFILLED, PILED, THROWN_TOP, LOOKED, SCOUT = range(498, 504)
ATTACKER, TARGET, ATTACK, CELL, THEIRS, COLUMN = range(504, 510)
PLAYS, LAST_CARD, DIRECTION, SKIPS, SHIELDED, STARTER = range(510, 516)
INITIATOR, ENDING, OWED, EXTENDED, REVEALS, GONE = range(516, 522)
STATE = 522

# More places, for observations (`observe_kernel.py`). A manche of `TRACKED` numbers has them, one of `STATE` has not.
CURSES = STATE
"""The curses on each column of each seat; `MARKS` has them minus the heals."""
STOLEN = CURSES + 32
"""The stored cards that a seat knows, eight numbers for each seat: the counts in each stock, three bits for a card."""
LOST = STOLEN + 64
"""How many groups of shuffled cards some seats know, then three numbers for each: places 0–47 as bits; places 48–95 as
bits, and the seat from bit 48 on; the counts of the cards, four bits each. See `Lost` in `values.py`."""
MOST_LOST = 64
"""More groups than a manche ever has: a shuffle joins all groups that share its grid."""
TRACKED = LOST + 1 + 3 * MOST_LOST

CHOOSE, DRAW, DECIDE, TURN, ACTION, PLAY, REACT, GIFTING, SCOUTING, OVER = range(10)
NO_SOURCE, FROM_DECK, FROM_PILE, FROM_ACTIONS, FROM_GIFT = range(5)
TURN_AROUND, TELEPORT, SWAP, PEEK, REVEAL, SKIP, SHUFFLE, SHIELD, STEAL, CURSE, DRAW_TWO, HEAL = range(12)
REVERSE, LOSE, FREEZE, MIRROR, BOMB, DUPLICATE, GIFT, GAMBLE, SCOUT_CARD = range(12, 21)
ATTACKS = (
    1 << SWAP | 1 << PEEK | 1 << REVEAL | 1 << STEAL | 1 << CURSE | 1 << LOSE | 1 << FREEZE | 1 << BOMB | 1 << GIFT
)
"""The attacks, as bits."""

# An action is one number: kind, card, seat, cell, other cell, column or order.
DO_CHOOSE, DO_DECK, DO_PILE, DO_ACTIONS, DO_PLACE, DO_DISCARD, DO_TURN, DO_STORE = range(8)
DO_THROW, DO_END, DO_PLAY, DO_ACCEPT, DO_SHIELD, DO_MIRROR, DO_GIFT, DO_ORDER = range(8, 16)
NO_ACTION = -1
MOST_ACTIONS = 5000
"""More actions than any position has."""

ORDERS: Ints = np.array([0, 1, 2, 0, 2, 1, 1, 0, 2, 1, 2, 0, 2, 0, 1, 2, 1, 0])
"""The orders of three cards, as `itertools.permutations` lists them."""


@compiled
def code_of(kind: int, card: int, seat: int, cell: int, theirs: int, column: int) -> int:
    """Return the number of an action."""
    return kind | card << 4 | seat << 9 | cell << 13 | theirs << 17 | column << 21


@compiled
def kind_of(code: int) -> int:
    return code & 15


@compiled
def card_of(code: int) -> int:
    return code >> 4 & 31


@compiled
def seat_of(code: int) -> int:
    return code >> 9 & 15


@compiled
def cell_of(code: int) -> int:
    return code >> 13 & 15


@compiled
def theirs_of(code: int) -> int:
    return code >> 17 & 15


@compiled
def column_of(code: int) -> int:
    return code >> 21 & 7


@compiled
def order_at(count: int, order: int, at: int) -> int:
    """Return which of some looked-at cards comes at a place in one of their orders."""
    if count == 3:
        return ORDERS[3 * order + at]
    if count == 2:
        return 1 - at if order else at
    return 0


@compiled
def orders_of(count: int) -> int:
    return 6 if count == 3 else 2 if count == 2 else 1


@compiled
def pick(dice: Ints, n: int) -> int:
    """Draw from [0, n)."""
    dice[0] = dice[0] * 6364136223846793005 + 1442695040888963407
    return ((dice[0] >> 32 & 0xFFFFFFFF) * n) >> 32


@compiled
def take(s: Ints, counts: int, kinds: int, dice: Ints) -> int:
    """Take a random card from the counts at a place."""
    total = 0
    for card in range(kinds):
        total += s[counts + card]
    left = pick(dice, total)
    for card in range(kinds):
        if left < s[counts + card]:
            s[counts + card] -= 1
            return card
        left -= s[counts + card]
    return 0


@compiled
def is_attack(card: int) -> bool:
    return card >= 0 and ATTACKS >> card & 1 > 0


@compiled
def gone(s: Ints, seat: int) -> bool:
    return s[GONE] >> seat & 1 > 0


@compiled
def count_cards(s: Ints, seat: int) -> int:
    """Count the cards of a grid."""
    count = 0
    for place in range(12 * seat, 12 * seat + 12):
        if s[GRIDS + place] != EMPTY:
            count += 1
    return count


@compiled
def count_hidden(s: Ints, seat: int) -> int:
    """Count the hidden cards of a grid."""
    count = 0
    for place in range(12 * seat, 12 * seat + 12):
        if s[GRIDS + place] >= HIDDEN:
            count += 1
    return count


@compiled
def is_due(s: Ints, seat: int) -> bool:
    """Return whether a seat will have another turn."""
    if gone(s, seat):
        return False
    if s[ENDING]:
        return s[OWED] >> seat & 1 > 0
    return s[TURNS + seat] < MOST_TURNS


@compiled
def actor_of(s: Ints) -> int:
    """Return the seat that must act; in the first choice the first of several."""
    if s[STAGE] == REACT:
        return s[TARGET]
    if s[STAGE] != CHOOSE:
        return s[TO_ACT]
    for seat in range(s[SEATS]):
        if not gone(s, seat) and s[CHOSEN + seat] < 0:
            return seat
    return 0


# The decks


@compiled
def discard_card(s: Ints, card: int) -> None:
    s[PILE + s[PILED]] = card
    s[PILED] += 1


@compiled
def refill(s: Ints) -> None:
    """Make a new deck of the discard pile, without its top."""
    for card in range(VALUES):
        s[DECK + card] = 0
    last = s[PILED] - 1
    for at in range(last):
        s[DECK + s[PILE + at]] += 1
    s[DECK_SIZE] = last
    s[PILE] = s[PILE + last]
    s[PILED] = 1
    s[REFILLED] = 1


@compiled
def draw_number(s: Ints, dice: Ints) -> int:
    """Take the top of the deck."""
    if s[DECK_SIZE] == 0:
        refill(s)
    s[DECK_SIZE] -= 1
    if s[LOOKED]:
        card = s[SCOUTED]
        s[SCOUTED] = s[SCOUTED + 1]
        s[SCOUTED + 1] = s[SCOUTED + 2]
        s[LOOKED] -= 1
        if s[LOOKED] == 0:
            s[SCOUT] = -1
        return card
    return take(s, DECK if s[REFILLED] else UNSEEN, VALUES, dice)


@compiled
def look_ahead(s: Ints, seat: int, dice: Ints) -> None:
    """Look at the next three cards of the deck."""
    if s[DECK_SIZE] == 0:
        refill(s)
    while s[LOOKED] < 3 and s[LOOKED] < s[DECK_SIZE]:
        s[SCOUTED + s[LOOKED]] = take(s, DECK if s[REFILLED] else UNSEEN, VALUES, dice)
        s[LOOKED] += 1
    s[SCOUT] = seat


@compiled
def count_actions(s: Ints, counts: int) -> int:
    total = 0
    for card in range(CARDS):
        total += s[counts + card]
    return total


@compiled
def actions_left(s: Ints) -> int:
    """Count the action cards that can still be drawn, with a refill."""
    thrown = count_actions(s, THROWN)
    return count_actions(s, ACTIONS) + (thrown - 1 if thrown else 0)


@compiled
def throw_card(s: Ints, card: int) -> None:
    s[THROWN + card] += 1
    s[THROWN_TOP] = card


@compiled
def draw_action(s: Ints, dice: Ints) -> int:
    """Take the top of the action deck."""
    if count_actions(s, ACTIONS) == 0:
        for card in range(CARDS):
            top = 1 if card == s[THROWN_TOP] else 0
            s[ACTIONS + card] = s[THROWN + card] - top
            s[THROWN + card] = top
    return take(s, ACTIONS, CARDS, dice)


# What seats know about shuffled and stolen cards


@compiled
def is_tracked(s: Ints) -> bool:
    """Return whether a manche has the places for observations."""
    return s.size > STATE


@compiled
def find_lost(s: Ints, place: int, card: int, viewer: int) -> None:
    """Note that a seat, or all of them if it is -1, has seen the hidden card at a place."""
    word, bit, kept = place // 48, 1 << place % 48, LOST + 1
    for at in range(LOST + 1, LOST + 1 + 3 * s[LOST], 3):
        if s[at + word] & bit and (viewer < 0 or s[at + 1] >> 48 == viewer):
            s[at + word] ^= bit
            if s[at + 2] >> 4 * card & 15:
                s[at + 2] -= 1 << 4 * card
        if s[at + 2]:
            for field in range(3):
                s[kept + field] = s[at + field]
            kept += 3
    s[LOST] = (kept - LOST - 1) // 3


@compiled
def move_lost(s: Ints, here: int, there: int) -> None:
    """Note that the cards at two places were exchanged."""
    for at in range(LOST + 1, LOST + 1 + 3 * s[LOST], 3):
        if (s[at + here // 48] >> here % 48 ^ s[at + there // 48] >> there % 48) & 1:
            s[at + here // 48] ^= 1 << here % 48
            s[at + there // 48] ^= 1 << there % 48


@compiled
def lose_grid(s: Ints, seat: int) -> None:
    """Note what each seat still knows of a grid that is being shuffled; its cards still tell which seats know them."""
    word, first = seat // 4, 12 * (seat % 4)
    for viewer in range(s[SEATS]):
        cards, places, elsewhere = 0, 0, 0
        for cell in range(12):
            code = s[GRIDS + 12 * seat + cell]
            if code >= HIDDEN:
                places |= 1 << first + cell
            if code > HIDDEN and (code - SEEN) >> 4 >> viewer & 1:
                cards += 1 << 4 * (code & 15)
        kept = LOST + 1
        for at in range(LOST + 1, LOST + 1 + 3 * s[LOST], 3):
            if s[at + 1] >> 48 == viewer and s[at + word] >> first & 0xFFF:
                cards += s[at + 2]
                places |= s[at + word] & 0xFFFFFFFFFFFF & ~(0xFFF << first)
                elsewhere |= s[at + 1 - word] & 0xFFFFFFFFFFFF
            else:
                for field in range(3):
                    s[kept + field] = s[at + field]
                kept += 3
        if cards and kept < TRACKED:
            s[kept + word] = places
            s[kept + 1 - word] = elsewhere
            s[kept + 1] |= viewer << 48
            s[kept + 2] = cards
            kept += 3
        s[LOST] = (kept - LOST - 1) // 3


@compiled
def show_stored(s: Ints, seat: int, card: int) -> None:
    """Note that a seat has shown a stored card and lost it."""
    if is_tracked(s):
        for at in range(STOLEN + seat, STOLEN + 64, 8):
            if s[at] >> 3 * card & 7:
                s[at] -= 1 << 3 * card


@compiled
def note_theft(s: Ints, thief: int, victim: int, card: int) -> None:
    """Note a theft; only thief and victim have seen the card."""
    for viewer in range(8):
        at = STOLEN + 8 * viewer + victim
        if viewer != thief:
            s[at] = 0
        elif s[at] >> 3 * card & 7:
            s[at] -= 1 << 3 * card
    s[STOLEN + 8 * victim + thief] += 1 << 3 * card


# Grids


@compiled
def uncover(s: Ints, place: int, dice: Ints) -> int:
    """Return the card at a place, drawing it if it has no value yet."""
    code = s[GRIDS + place]
    if code == HIDDEN:
        return take(s, UNSEEN, VALUES, dice)
    return code & 15


@compiled
def show_card(s: Ints, place: int, dice: Ints) -> int:
    """Return the card at a place, which all seats see now."""
    hidden = s[GRIDS + place] >= HIDDEN
    card = uncover(s, place, dice)
    if hidden and is_tracked(s):
        find_lost(s, place, card, -1)
    return card


@compiled
def turn_up(s: Ints, place: int, dice: Ints) -> None:
    s[GRIDS + place] = show_card(s, place, dice)


@compiled
def replace_card(s: Ints, place: int, card: int, dice: Ints) -> None:
    """Put a card in a place and discard the old one."""
    discard_card(s, show_card(s, place, dice))
    s[GRIDS + place] = card


@compiled
def clear_columns(s: Ints, seat: int) -> None:
    """Discard the columns of three equal cards face up."""
    for at in range(GRIDS + 12 * seat, GRIDS + 12 * seat + 4):
        card = s[at]
        if card < VALUES and card == s[at + 4] and card == s[at + 8]:
            for cell in range(at, at + 12, 4):
                s[cell] = EMPTY
                discard_card(s, card)


@compiled
def settle(s: Ints, actor: int, other: int) -> None:
    """Clear the columns of two seats (-1 for only one), and begin the last lap if a grid has no hidden card."""
    clear_columns(s, actor)
    if other >= 0:
        clear_columns(s, other)
    if s[ENDING] or (count_hidden(s, actor) and (other < 0 or count_hidden(s, other))):
        return
    s[ENDING] = 1
    s[INITIATOR] = actor
    s[OWED] = ((1 << s[SEATS]) - 1) & ~s[GONE] & ~(1 << actor)


@compiled
def shuffle_grid(s: Ints, seat: int, dice: Ints) -> None:
    """Shuffle a grid; each card keeps its face, and nobody knows where the hidden ones are."""
    first, count = GRIDS + 12 * seat, 0
    cells = 0  # The cells with cards, four bits each.
    for cell in range(12):
        if s[first + cell] != EMPTY:
            cells |= cell << 4 * count
            count += 1
    for last in range(count - 1, 0, -1):
        one, other = first + (cells >> 4 * pick(dice, last + 1) & 15), first + (cells >> 4 * last & 15)
        s[one], s[other] = s[other], s[one]
    if is_tracked(s):
        lose_grid(s, seat)
    for at in range(first, first + 12):
        if s[at] > HIDDEN:
            s[at] = SEEN + (s[at] & 15)


# Stocks


@compiled
def stocks(s: Ints, seat: int, card: int) -> bool:
    """Return whether a seat has a card in its stock."""
    found = False
    for at in range(STOCK + 12 * seat, STOCK + 12 * seat + s[STOCKED + seat]):
        found = found or s[at] == card
    return found


@compiled
def store_card(s: Ints, seat: int, card: int) -> None:
    if s[STOCKED + seat] < 12:
        s[STOCK + 12 * seat + s[STOCKED + seat]] = card
        s[STOCKED + seat] += 1


@compiled
def remove_stored(s: Ints, seat: int, at: int) -> int:
    """Take the card at a place of a stock."""
    first = STOCK + 12 * seat
    card = s[first + at]
    s[STOCKED + seat] -= 1
    for place in range(first + at, first + s[STOCKED + seat]):
        s[place] = s[place + 1]
    return card


@compiled
def spend_stored(s: Ints, seat: int, card: int) -> None:
    """Throw a card of a stock on the pile."""
    for at in range(s[STOCKED + seat]):
        if s[STOCK + 12 * seat + at] == card:
            remove_stored(s, seat, at)
            throw_card(s, card)
            show_stored(s, seat, card)
            return


# Turns


@compiled
def score_of(s: Ints, seat: int) -> int:
    """Return the points of a grid that lies face up."""
    points = 0
    for column in range(4):
        total, mark = 0, s[MARKS + 4 * seat + column]
        for place in range(12 * seat + column, 12 * seat + 12, 4):
            if s[GRIDS + place] != EMPTY:
                total += s[GRIDS + place] - 2
        points += total << mark if mark >= 0 else total >> -mark
    return points if is_tracked(s) else max(-16000, min(16000, points))


@compiled
def finish(s: Ints, dice: Ints) -> None:
    """Turn all cards, and count the points (O7)."""
    for seat in range(s[SEATS]):
        for place in range(12 * seat, 12 * seat + 12):
            if s[GRIDS + place] >= HIDDEN:
                turn_up(s, place, dice)
        clear_columns(s, seat)
        s[SCORES + seat] = score_of(s, seat)
    who = s[INITIATOR]
    if who >= 0 and not gone(s, who) and s[SCORES + who] > 0:
        points = s[SCORES + who]
        for seat in range(s[SEATS]):
            if not gone(s, seat) and s[SCORES + seat] < points:
                s[SCORES + who] = 2 * points
    s[STAGE] = OVER


@compiled
def begin_turn(s: Ints, seat: int) -> None:
    s[TURNS + seat] += 1
    s[OWED] &= ~(1 << seat)
    s[STAGE] = DRAW
    s[TO_ACT] = seat


@compiled
def drop_held(s: Ints) -> None:
    s[SOURCE] = NO_SOURCE
    s[HELD] = -1
    s[HELD_ACTION] = -1
    s[HELD_KNOWN] = 0


@compiled
def drop_attack(s: Ints) -> None:
    for at in range(ATTACKER, COLUMN + 1):
        s[at] = -1


@compiled
def pass_turn(s: Ints, dice: Ints) -> None:
    """End a turn, and begin the next one or finish the manche."""
    seats, seat = s[SEATS], s[TO_ACT]
    at = seat
    if s[FROZEN + seat]:
        s[FROZEN + seat] -= 1
    drop_held(s)
    drop_attack(s)
    s[PLAYS] = 0
    s[SHIELDED] = 0
    while True:
        due = False
        for other in range(seats):
            due = due or is_due(s, other)
        if not due:
            finish(s, dice)
            return
        at = (at + s[DIRECTION] + seats) % seats
        if not is_due(s, at):
            continue
        if s[SKIPS] == 0 or at == seat:
            s[SKIPS] = 0
            begin_turn(s, at)
            return
        s[SKIPS] -= 1
        s[TURNS + at] += 1
        s[OWED] &= ~(1 << at)
        if s[FROZEN + at]:
            s[FROZEN + at] -= 1


@compiled
def proceed(s: Ints, dice: Ints) -> None:
    """Go on to the cards in stock, or end the turn if none can be played."""
    seat = s[TO_ACT]
    stored = s[STOCKED + seat]
    if stored <= 3 and (stored == 0 or s[PLAYS] >= 3 or s[FROZEN + seat] > 0):
        pass_turn(s, dice)
        return
    s[STAGE] = PLAY
    drop_held(s)
    drop_attack(s)


@compiled
def turn_around(s: Ints) -> None:
    """Play a Demi-tour that was drawn."""
    throw_card(s, TURN_AROUND)
    s[LAST_CARD] = TURN_AROUND
    s[DIRECTION] = -s[DIRECTION]


# Action cards


@compiled
def hit_grid(s: Ints, card: int, actor: int, victim: int, cell: int, theirs: int, column: int, dice: Ints) -> None:
    """Apply the effect of a card that changes or shows cards of a grid."""
    mine, other = 12 * actor + cell, 12 * victim + theirs
    if card in (TELEPORT, SWAP):
        there = other if card == SWAP else 12 * actor + theirs
        s[GRIDS + mine], s[GRIDS + there] = s[GRIDS + there], s[GRIDS + mine]
        if is_tracked(s):
            move_lost(s, mine, there)
        settle(s, actor, victim if card == SWAP else -1)
    elif card == PEEK:
        code = s[GRIDS + other]
        knowers = 0 if code == HIDDEN else (code - SEEN) >> 4
        seen = uncover(s, other, dice)
        s[GRIDS + other] = SEEN + 16 * (knowers | 1 << actor) + seen
        if is_tracked(s):
            find_lost(s, other, seen, actor)
    elif card == REVEAL:
        turn_up(s, other, dice)
        settle(s, actor, victim)
    elif card == BOMB:
        for place in range(12 * victim + column, 12 * victim + 12, 4):
            if s[GRIDS + place] >= HIDDEN:
                turn_up(s, place, dice)
        settle(s, actor, victim)
    elif card == SHUFFLE:
        shuffle_grid(s, actor, dice)
        settle(s, actor, -1)
    elif card == GIFT:
        replace_card(s, other, s[HELD], dice)
        drop_held(s)
        settle(s, actor, victim)
    elif card == GAMBLE:
        replace_card(s, mine, draw_number(s, dice), dice)
        settle(s, actor, -1)


@compiled
def take_effect(s: Ints, card: int, actor: int, victim: int, cell: int, theirs: int, column: int, dice: Ints) -> None:
    """Apply the effect of a card by an actor on a victim, who is the actor if the card is no attack."""
    if card == CURSE:
        s[MARKS + 4 * victim + column] += 1
        if is_tracked(s):
            s[CURSES + 4 * victim + column] += 1
    elif card == HEAL:
        s[MARKS + 4 * actor + column] -= 1
    elif card == STEAL:
        taken = remove_stored(s, victim, pick(dice, s[STOCKED + victim]))
        store_card(s, actor, taken)
        if is_tracked(s):
            note_theft(s, actor, victim, taken)
    elif card == LOSE:
        spend_stored(s, victim, s[STOCK + 12 * victim + pick(dice, s[STOCKED + victim])])
    elif card == DRAW_TWO:
        for _ in range(min(2, actions_left(s))):
            drawn = draw_action(s, dice)
            if drawn == TURN_AROUND:
                turn_around(s)
            else:
                store_card(s, actor, drawn)
    elif card == SKIP:
        s[SKIPS] += 1
    elif card in (TURN_AROUND, REVERSE):
        s[DIRECTION] = -s[DIRECTION]
    elif card == FREEZE:
        s[FROZEN + victim] = 2 if victim == s[TO_ACT] else 1
    else:
        hit_grid(s, card, actor, victim, cell, theirs, column, dice)


@compiled
def hit(s: Ints, card: int, actor: int, victim: int, cell: int, theirs: int, column: int, dice: Ints) -> None:
    """Let an attack take effect."""
    drop_attack(s)
    take_effect(s, card, actor, victim, cell, theirs, column, dice)
    proceed(s, dice)


@compiled
def strike(s: Ints, seat: int, card: int, code: int, dice: Ints) -> None:
    """Attack a seat, which may react if it has cards."""
    victim = seat_of(code)
    if s[STOCKED + victim] == 0 or s[FROZEN + victim] > 0:
        hit(s, card, seat, victim, cell_of(code), theirs_of(code), column_of(code), dice)
        return
    s[STAGE] = REACT
    s[ATTACKER] = seat
    s[TARGET] = victim
    s[ATTACK] = card
    s[CELL] = cell_of(code)
    s[THEIRS] = theirs_of(code)
    s[COLUMN] = column_of(code)


@compiled
def play_card(s: Ints, seat: int, code: int, dice: Ints) -> None:
    """Play an action card, drawn or from the stock."""
    card = card_of(code)
    effect = s[LAST_CARD] if card == DUPLICATE else card
    if s[STAGE] == ACTION:
        drop_held(s)
        throw_card(s, card)
    else:
        spend_stored(s, seat, card)
        s[PLAYS] += 1
    s[LAST_CARD] = effect
    if effect == SCOUT_CARD:
        look_ahead(s, seat, dice)
        s[STAGE] = SCOUTING
    elif effect == GIFT:
        s[HELD] = draw_number(s, dice)
        s[SOURCE] = FROM_GIFT
        s[HELD_KNOWN] = 0xFF
        s[STAGE] = GIFTING
    elif is_attack(effect):
        strike(s, seat, effect, code, dice)
    else:
        take_effect(s, effect, seat, seat, cell_of(code), theirs_of(code), column_of(code), dice)
        proceed(s, dice)


# The legal actions. With `few`, an aim that differs from an earlier one only by the order of equal cards is left out.


@compiled
def seen_code(s: Ints, me: int, place: int) -> int:
    """Return the card at a place as a seat sees it: `HIDDEN`, or `SEEN` and its value if the seat knows it."""
    code = s[GRIDS + place]
    if code > HIDDEN:
        return SEEN + (code & 15) if (code - SEEN) >> 4 >> me & 1 else HIDDEN
    return code


@compiled
def is_twin(s: Ints, me: int, seat: int, cell: int) -> bool:
    """Return whether an earlier cell of a grid looks the same to a seat, with the same neighbours."""
    place = 12 * seat + cell
    code = seen_code(s, me, place)
    for above in range(place - 4, 12 * seat - 1, -4):
        if seen_code(s, me, above) == code:
            return True
    column = cell % 4
    for other in range(column):
        if s[MARKS + 4 * seat + other] != s[MARKS + 4 * seat + column]:
            continue
        same = True
        for row in range(12 * seat, 12 * seat + 12, 4):
            same = same and seen_code(s, me, row + other) == seen_code(s, me, row + column)
        if same:
            return True
    return False


@compiled
def offered(s: Ints, me: int, seat: int, cell: int, few: bool) -> bool:
    """Return whether a cell is an aim."""
    return s[GRIDS + 12 * seat + cell] != EMPTY and not (few and is_twin(s, me, seat, cell))


@compiled
def list_pairs(
    s: Ints, base: int, actor: int, victim: int, teleport: bool, few: bool, me: int, codes: Ints, count: int
) -> int:
    """List the aims of a card that exchanges two cards."""
    for a in range(12):
        if not offered(s, me, actor, a, few):
            continue
        for b in range(a + 1 if teleport else 0, 12):
            if teleport and few and a % 4 == b % 4:
                continue
            if offered(s, me, actor if teleport else victim, b, few):
                codes[count] = base | code_of(0, 0, 0, a, b, 0)
                count += 1
    return count


@compiled
def is_aim(s: Ints, effect: int, actor: int, victim: int) -> bool:
    """Return whether a card that hits no single cell or column can be played."""
    if effect == SHUFFLE:
        return count_cards(s, actor) > 0
    if effect in (STEAL, LOSE):
        return s[STOCKED + victim] > 0
    if effect == DRAW_TWO:
        return actions_left(s) > 0
    if effect == SKIP:
        due = 0
        for other in range(s[SEATS]):
            if other != actor and is_due(s, other):
                due += 1
        return due > s[SKIPS]
    if effect == FREEZE:
        return s[FROZEN + victim] == 0
    return True


@compiled
def list_aims(
    s: Ints, effect: int, base: int, actor: int, victim: int, few: bool, me: int, codes: Ints, count: int
) -> int:
    """List every aim of a card; `base` is a code with its kind, card and seat. Return the number of codes."""
    if effect in (TELEPORT, SWAP):
        return list_pairs(s, base, actor, victim, effect == TELEPORT, few, me, codes, count)
    if effect in (PEEK, REVEAL, GIFT):
        for b in range(12):
            aimed = effect == GIFT or s[GRIDS + 12 * victim + b] >= HIDDEN
            if aimed and offered(s, me, victim, b, few):
                codes[count] = base | code_of(0, 0, 0, 0, b, 0)
                count += 1
    elif effect == GAMBLE:
        for a in range(12):
            if offered(s, me, actor, a, few):
                codes[count] = base | code_of(0, 0, 0, a, 0, 0)
                count += 1
    elif effect in (CURSE, BOMB, HEAL):
        grid = GRIDS + 12 * (actor if effect == HEAL else victim)
        for at in range(grid, grid + 4):
            hidden = s[at] >= HIDDEN or s[at + 4] >= HIDDEN or s[at + 8] >= HIDDEN
            if s[at] != EMPTY and (effect != BOMB or hidden):
                codes[count] = base | code_of(0, 0, 0, 0, 0, at - grid)
                count += 1
    elif is_aim(s, effect, actor, victim):
        codes[count] = base
        count += 1
    return count


@compiled
def can_attack(s: Ints, seat: int, victim: int) -> bool:
    return victim != seat and not gone(s, victim) and s[SHIELDED] >> victim & 1 == 0


@compiled
def list_plays(s: Ints, seat: int, card: int, few: bool, codes: Ints, count: int) -> int:
    """List the ways to play a card."""
    effect = s[LAST_CARD] if card == DUPLICATE else card
    if effect < 0 or effect in (SHIELD, MIRROR):
        return count
    base = code_of(DO_PLAY, card, 0, 0, 0, 0)
    if effect in (SCOUT_CARD, GIFT):
        able = effect == SCOUT_CARD
        for victim in range(s[SEATS]):
            able = able or (can_attack(s, seat, victim) and count_cards(s, victim) > 0)
        if able:
            codes[count] = base
            count += 1
        return count
    if not is_attack(effect):
        return list_aims(s, effect, base, seat, seat, few, seat, codes, count)
    for victim in range(s[SEATS]):
        if can_attack(s, seat, victim):
            count = list_aims(s, effect, base | victim << 9, seat, victim, few, seat, codes, count)
    return count


@compiled
def list_cards(s: Ints, seat: int, few: bool, codes: Ints) -> int:
    """List what a seat can do with its action cards."""
    drawn, stored, stock, count = s[STAGE] == ACTION, s[STOCKED + seat], STOCK + 12 * seat, 0
    if not drawn and stored <= 3:
        codes[count] = DO_END
        count += 1
    if drawn and stored < 3:
        codes[count] = DO_STORE
        count += 1
    plays = s[FROZEN + seat] == 0 and (drawn or s[PLAYS] < 3)
    throws = stored >= 3 if drawn else stored > 3
    for at in range(stock, stock + stored):
        again = False
        for before in range(stock, at):
            again = again or s[before] == s[at]
        if again:
            continue
        if plays and not drawn:
            count = list_plays(s, seat, s[at], few, codes, count)
        if throws:
            codes[count] = code_of(DO_THROW, s[at], 0, 0, 0, 0)
            count += 1
    if drawn and plays:
        count = list_plays(s, seat, s[HELD_ACTION], few, codes, count)
    if drawn and throws and not stocks(s, seat, s[HELD_ACTION]):
        codes[count] = code_of(DO_THROW, s[HELD_ACTION], 0, 0, 0, 0)
        count += 1
    return count


@compiled
def list_reactions(s: Ints, seat: int, few: bool, codes: Ints) -> int:
    codes[0] = DO_ACCEPT
    count = 1
    if stocks(s, seat, SHIELD):
        codes[count] = DO_SHIELD
        count += 1
    if stocks(s, seat, MIRROR):
        before = count
        count = list_aims(s, s[ATTACK], DO_MIRROR, seat, s[ATTACKER], few, seat, codes, count)
        if count == before:
            codes[count] = DO_MIRROR
            count += 1
    return count


@compiled
def list_choices(few: bool, codes: Ints) -> int:
    """List the first choices: two cards of the own grid."""
    if few:
        codes[0] = code_of(DO_CHOOSE, 0, 0, 0, 1, 0)
        codes[1] = code_of(DO_CHOOSE, 0, 0, 0, 4, 0)
        return 2
    count = 0
    for a in range(12):
        for b in range(a + 1, 12):
            codes[count] = code_of(DO_CHOOSE, 0, 0, a, b, 0)
            count += 1
    return count


@compiled
def list_draws(s: Ints, seat: int, codes: Ints) -> int:
    codes[0] = DO_DECK
    count = 1
    if s[PILED] and count_cards(s, seat):
        codes[count] = DO_PILE
        count += 1
    if actions_left(s):
        codes[count] = DO_ACTIONS
        count += 1
    return count


@compiled
def list_actions(s: Ints, few: bool, codes: Ints) -> int:
    """List the legal actions of the seat that must act, and return their number."""
    seat, stage, count = actor_of(s), s[STAGE], 0
    if stage == CHOOSE:
        return list_choices(few, codes)
    if stage == DRAW:
        return list_draws(s, seat, codes)
    if stage == REACT:
        return list_reactions(s, seat, few, codes)
    if stage in (ACTION, PLAY):
        return list_cards(s, seat, few, codes)
    if stage in (DECIDE, TURN):
        for cell in range(12):
            able = stage == DECIDE or s[GRIDS + 12 * seat + cell] >= HIDDEN
            if able and offered(s, seat, seat, cell, few):
                codes[count] = code_of(DO_PLACE if stage == DECIDE else DO_TURN, 0, 0, cell, 0, 0)
                count += 1
        if stage == DECIDE and s[SOURCE] != FROM_PILE:
            codes[count] = DO_DISCARD
            count += 1
    elif stage == GIFTING:
        for victim in range(s[SEATS]):
            if can_attack(s, seat, victim):
                count = list_aims(s, GIFT, DO_GIFT | victim << 9, seat, victim, few, seat, codes, count)
    elif stage == SCOUTING:
        count = orders_of(s[LOOKED])
        for order in range(count):
            codes[order] = code_of(DO_ORDER, 0, 0, 0, 0, order)
    return count


# Actions


@compiled
def choose(s: Ints, seat: int, code: int, dice: Ints) -> None:
    """Note a first choice; after the last one turn the cards and begin (O2)."""
    s[CHOSEN + seat] = cell_of(code) | theirs_of(code) << 4
    for other in range(s[SEATS]):
        if not gone(s, other) and s[CHOSEN + other] < 0:
            return
    most, best = -1000, 0
    for other in range(s[SEATS]):
        if gone(s, other):
            continue
        one, two = 12 * other + (s[CHOSEN + other] & 15), 12 * other + (s[CHOSEN + other] >> 4)
        turn_up(s, one, dice)
        turn_up(s, two, dice)
        total = s[GRIDS + one] + s[GRIDS + two]
        if total > most:
            most, best = total, other
    if s[STARTER] < 0:
        s[STARTER] = best
    begin_turn(s, s[STARTER])


@compiled
def react(s: Ints, seat: int, code: int, codes: Ints, dice: Ints) -> None:
    """Accept an attack, or play a shield or a mirror; `codes` is space for a list."""
    attacker, card, kind = s[ATTACKER], s[ATTACK], kind_of(code)
    if kind == DO_ACCEPT:
        hit(s, card, attacker, seat, s[CELL], s[THEIRS], s[COLUMN], dice)
        return
    spend_stored(s, seat, SHIELD if kind == DO_SHIELD else MIRROR)
    if kind == DO_SHIELD:
        s[SHIELDED] |= 1 << seat
    elif list_aims(s, card, 0, seat, attacker, False, seat, codes, 0):
        hit(s, card, seat, attacker, cell_of(code), theirs_of(code), column_of(code), dice)
        return
    if s[HELD] >= 0:
        discard_card(s, s[HELD])
    drop_held(s)
    drop_attack(s)
    proceed(s, dice)


@compiled
def draw(s: Ints, seat: int, kind: int, dice: Ints) -> None:
    """Draw a card."""
    if kind == DO_ACTIONS:
        card = draw_action(s, dice)
        if card == TURN_AROUND:
            turn_around(s)
            proceed(s, dice)
            return
        s[STAGE] = ACTION
        s[SOURCE] = FROM_ACTIONS
        s[HELD_ACTION] = card
        s[HELD_KNOWN] = 1 << seat
        return
    s[STAGE] = DECIDE
    if kind == DO_PILE:
        s[PILED] -= 1
        s[SOURCE] = FROM_PILE
        s[HELD] = s[PILE + s[PILED]]
        s[HELD_KNOWN] = 0xFF
        return
    s[HELD_KNOWN] = 1 << seat
    if s[SCOUT] >= 0:
        s[HELD_KNOWN] |= 1 << s[SCOUT]
    s[SOURCE] = FROM_DECK
    s[HELD] = draw_number(s, dice)


@compiled
def throw_away(s: Ints, seat: int, card: int, dice: Ints) -> None:
    """Throw away a card because the stock is full."""
    drawn = s[HELD_ACTION]
    if drawn == card:
        throw_card(s, card)
        show_stored(s, seat, card)
    else:
        spend_stored(s, seat, card)
        if drawn >= 0:
            store_card(s, seat, drawn)
    drop_held(s)
    proceed(s, dice)


@compiled
def put_back(s: Ints, order: int) -> None:
    """Put the looked-at cards back on the deck in an order."""
    count, a, b, c = s[LOOKED], s[SCOUTED], s[SCOUTED + 1], s[SCOUTED + 2]
    for at in range(count):
        which = order_at(count, order, at)
        s[SCOUTED + at] = a if which == 0 else b if which == 1 else c


@compiled
def apply(s: Ints, code: int, codes: Ints, dice: Ints) -> None:
    """Apply an action of the seat that must act; `codes` is space for a list."""
    seat, kind = actor_of(s), kind_of(code)
    if kind == DO_CHOOSE:
        choose(s, seat, code, dice)
    elif kind <= DO_ACTIONS:
        draw(s, seat, kind, dice)
    elif kind == DO_PLACE:
        replace_card(s, 12 * seat + cell_of(code), s[HELD], dice)
        settle(s, seat, -1)
        proceed(s, dice)
    elif kind == DO_DISCARD:
        discard_card(s, s[HELD])
        drop_held(s)
        if s[REVEALS] and count_hidden(s, seat):
            s[STAGE] = TURN
        else:
            proceed(s, dice)
    elif kind == DO_TURN:
        turn_up(s, 12 * seat + cell_of(code), dice)
        settle(s, seat, -1)
        proceed(s, dice)
    elif kind == DO_STORE:
        store_card(s, seat, s[HELD_ACTION])
        proceed(s, dice)
    elif kind == DO_THROW:
        throw_away(s, seat, card_of(code), dice)
    elif kind == DO_END:
        pass_turn(s, dice)
    elif kind == DO_PLAY:
        play_card(s, seat, code, dice)
    elif kind == DO_GIFT:
        strike(s, seat, GIFT, code, dice)
    elif kind == DO_ORDER:
        put_back(s, column_of(code))
        proceed(s, dice)
    else:
        react(s, seat, code, codes, dice)


# What a seat can see, computed once for a decision. Points and counts are in one array of float64.

ME, MEAN, DECK_LEFT = range(3)
LOWEST = 3
"""The rival with the lowest expected score, or -1."""
EXPECTED, FACE_DOWN = 9, 17
"""For each seat: the expected score and the number of hidden cards."""
NOT_SEEN, IN_DECK = 25, 40
"""The counts of the cards that the seat has not seen, and of those in the deck."""
PAIRED = 55
"""The share of its points that a column with a pair counts, for each value: less if the third card may still come."""
GAINS = 70
"""Space for the gain of each card of the deck."""
SIGHT = 85

# The weights of the rule of thumb, in points.
(
    W_PAIR, W_DECK, W_DECK_LAST, W_ACTION, W_ACTION_LAST, W_TURN, W_STORE, W_KEEP_GOOD, W_KEEP, W_SHUFFLE, W_SWAP,
    W_TWO, W_CARD, W_DEFEND, W_RIVAL, W_FILL, W_CLOSE, W_LAST_TURN, W_SPREAD, W_CHANCES, W_GAIN,
    W_CARD_LAST, W_SWAP_LAST, W_SKIP, W_STEAL,
) = range(25)  # fmt: skip
TUNED = np.array(
    [
        1.0, 0.0, 0.0, 3.0, 1.0, 3.3, 0.74, 3.88, 1.0, 1.27, 2.0, 1.58, -1.5, 3.0, 0.6, 0.4, 2.0, 8.5, 11.0, 4.0, 1.0,
        0.05, 0.0, 2.0, 1.0,
    ]
)  # fmt: skip
"""Weights of the playouts. They value a card of the deck and a pair by the cards that may still come."""


@compiled
def value_of(code: int, mean: float) -> float:
    """Return the expected value of a card as a seat sees it."""
    if code == EMPTY:
        return 0.0
    return mean if code == HIDDEN else float((code & 15) - 2)


@compiled
def pair_of(a: int, b: int, c: int) -> int:
    """Return the value of two equal cards face up, or -1."""
    if a < VALUES and (a in (b, c)):
        return a
    return b if b < VALUES and b == c else -1


@compiled
def plain_value(a: int, b: int, c: int, mark: int, mean: float) -> float:
    """Return the expected score of a column that does not change any more."""
    if a < VALUES and a == b and b == c:
        return 0.0
    total = value_of(a, mean) + value_of(b, mean) + value_of(c, mean)
    return total * 2.0**mark if mark else total


@compiled
def column_value(at: Floats, a: int, b: int, c: int, mark: int) -> float:
    """Return the expected score of a column; one with a pair of positive cards counts only a share of it."""
    total = plain_value(a, b, c, mark, at[MEAN])
    if total > 0:
        pair = pair_of(a, b, c)
        if pair > 2:
            return total * at[PAIRED + pair]
    return total


@compiled
def plain_at(s: Ints, at: Floats, seat: int, column: int) -> float:
    """Return the expected score of a column as the seat sees it."""
    me, first = int(at[ME]), 12 * seat + column
    a, b, c = seen_code(s, me, first), seen_code(s, me, first + 4), seen_code(s, me, first + 8)
    return plain_value(a, b, c, s[MARKS + 4 * seat + column], at[MEAN])


@compiled
def count_unseen(s: Ints, at: Floats) -> None:
    """Count the cards that the seat has not seen, in grids and in the deck."""
    me, deck = int(at[ME]), IN_DECK if s[REFILLED] else NOT_SEEN
    for card in range(VALUES):
        at[NOT_SEEN + card] = s[UNSEEN + card]
        at[IN_DECK + card] = s[DECK + card]
    for place in range(12 * s[SEATS]):
        code = s[GRIDS + place]
        if code > HIDDEN and (code - SEEN) >> 4 >> me & 1 == 0:
            at[NOT_SEEN + (code & 15)] += 1
    if s[SCOUT] != me:
        for card in range(s[LOOKED]):
            at[deck + s[SCOUTED + card]] += 1
    if s[HELD] >= 0 and s[HELD_KNOWN] >> me & 1 == 0:
        at[deck + s[HELD]] += 1
    if not s[REFILLED]:
        for card in range(VALUES):
            at[IN_DECK + card] = at[NOT_SEEN + card]
    left = deck_left = total = 0.0
    for card in range(VALUES):
        left += at[NOT_SEEN + card]
        deck_left += at[IN_DECK + card]
        total += at[NOT_SEEN + card] * (card - 2)
    at[DECK_LEFT] = deck_left
    at[MEAN] = total / left if left else 5.0


@compiled
def look(s: Ints, me: int, w: Floats, at: Floats) -> None:
    """Write what a seat can see."""
    at[ME] = me
    count_unseen(s, at)
    at[LOWEST] = -1
    fewest = 12
    for seat in range(s[SEATS]):
        at[FACE_DOWN + seat] = count_hidden(s, seat)
        at[EXPECTED + seat] = 0.0
        for column in range(4):
            at[EXPECTED + seat] += plain_at(s, at, seat, column)
        if not gone(s, seat):
            fewest = min(fewest, int(at[FACE_DOWN + seat]))
            if seat != me and (at[LOWEST] < 0 or at[EXPECTED + seat] < at[EXPECTED + int(at[LOWEST])]):
                at[LOWEST] = seat
    for card in range(VALUES):
        often = w[W_CHANCES] * fewest * at[IN_DECK + card]
        at[PAIRED + card] = 1.0 if s[ENDING] else w[W_PAIR] * (1.0 - often / (often + at[DECK_LEFT] + 1.0))


# The columns that an action changes: at most two, each with a seat, a cell (-1 if only the mark of the column changes),
# a column, the incoming card and the change of the mark. Then the effect, its actor and its victim.

SITE = 5
EFFECT, ACTOR, VICTIM = 10, 11, 12
SITES = 13


@compiled
def set_site(sites: Ints, number: int, seat: int, cell: int, column: int, incoming: int, mark: int) -> None:
    first = SITE * number
    sites[first] = seat
    sites[first + 1] = cell
    sites[first + 2] = column
    sites[first + 3] = incoming
    sites[first + 4] = mark


@compiled
def find_effect(s: Ints, me: int, effect: int, cell: int, theirs: int, column: int, sites: Ints) -> int:
    """Find the columns that a card changes for a seat that looks at it, the own one first; return their number."""
    actor, victim = sites[ACTOR], sites[VICTIM]
    if effect == TELEPORT:
        if cell % 4 == theirs % 4:
            return 0
        set_site(sites, 0, actor, cell, cell % 4, seen_code(s, me, 12 * actor + theirs), 0)
        set_site(sites, 1, actor, theirs, theirs % 4, seen_code(s, me, 12 * actor + cell), 0)
        return 2
    if effect == SWAP:
        own = 0 if actor == me else 1
        set_site(sites, own, actor, cell, cell % 4, seen_code(s, me, 12 * victim + theirs), 0)
        set_site(sites, 1 - own, victim, theirs, theirs % 4, seen_code(s, me, 12 * actor + cell), 0)
        return 2
    if effect in (PEEK, REVEAL):
        other = seen_code(s, me, 12 * victim + theirs)
        shown = other & 15 if other >= SEEN and effect == REVEAL else other
        set_site(sites, 0, victim, theirs, theirs % 4, shown, 0)
    elif effect == GIFT:
        if s[HELD] < 0:
            return 0
        set_site(sites, 0, victim, theirs, theirs % 4, s[HELD], 0)
    elif effect == GAMBLE:
        set_site(sites, 0, actor, cell, cell % 4, HIDDEN, 0)
    elif effect in (CURSE, BOMB):
        set_site(sites, 0, victim, -1, column, 0, 1 if effect == CURSE else 0)
    elif effect == HEAL:
        set_site(sites, 0, actor, -1, column, 0, -1)
    else:
        return 0
    return 1


@compiled
def find_sites(s: Ints, me: int, code: int, sites: Ints) -> int:
    """Find the columns that an action changes, its effect, actor and victim; return the number of columns."""
    kind, cell, theirs, column = kind_of(code), cell_of(code), theirs_of(code), column_of(code)
    sites[EFFECT] = -1
    sites[ACTOR] = me
    sites[VICTIM] = me
    if kind == DO_PLACE:
        set_site(sites, 0, me, cell, cell % 4, s[HELD], 0)
        return 1
    if kind == DO_TURN:
        known = seen_code(s, me, 12 * me + cell)
        set_site(sites, 0, me, cell, cell % 4, known & 15 if known >= SEEN else HIDDEN, 0)
        return 1
    if kind == DO_PLAY:
        effect = s[LAST_CARD] if card_of(code) == DUPLICATE else card_of(code)
        sites[EFFECT] = effect
        if is_attack(effect) and effect != GIFT:
            sites[VICTIM] = seat_of(code)
        if effect == GIFT:
            return 0
    elif kind == DO_GIFT:
        sites[EFFECT] = GIFT
        sites[VICTIM] = seat_of(code)
    elif kind == DO_ACCEPT:
        sites[EFFECT] = s[ATTACK]
        sites[ACTOR] = s[ATTACKER]
        cell, theirs, column = s[CELL], s[THEIRS], s[COLUMN]
    elif kind == DO_MIRROR:
        sites[EFFECT] = s[ATTACK]
        sites[VICTIM] = s[ATTACKER]
    else:
        return 0
    return find_effect(s, me, sites[EFFECT], cell, theirs, column, sites)


@compiled
def change_of(s: Ints, at: Floats, seat: int, cell: int, column: int, incoming: int, mark: int) -> tuple[float, int]:
    """Return what a changed column brings: points of its expected score, and hidden cards."""
    me, first = int(at[ME]), 12 * seat + column
    a, b, c = seen_code(s, me, first), seen_code(s, me, first + 4), seen_code(s, me, first + 8)
    marks = s[MARKS + 4 * seat + column]
    before = column_value(at, a, b, c, marks)
    hidden = 0
    if cell >= 0:
        old = a if cell < 4 else b if cell < 8 else c
        hidden = (1 if incoming >= HIDDEN else 0) - (1 if old >= HIDDEN else 0)
        if cell < 4:
            a = incoming
        elif cell < 8:
            b = incoming
        else:
            c = incoming
    return column_value(at, a, b, c, marks + mark) - before, hidden


@compiled
def shown_by(s: Ints, me: int, kind: int, effect: int, seat: int, cell: int, incoming: int, hidden: int) -> int:
    """Return the change of the number of hidden cards: a turned card lies face up, even if its value is unknown yet."""
    if incoming == HIDDEN and (kind == DO_TURN or effect in (REVEAL, GAMBLE)):
        return -1 if seen_code(s, me, 12 * seat + cell) >= HIDDEN else 0
    return hidden


@compiled
def worth_closing(at: Floats, w: Floats, mine: float) -> float:
    """Return the value of ending the manche with so many points: the risk of a double score counts."""
    if at[LOWEST] < 0:
        return 0.0
    ahead = at[EXPECTED + int(at[LOWEST])] - w[W_LAST_TURN] - mine
    risk = min(1.0, max(0.0, 0.5 - ahead / (2.0 * w[W_SPREAD])))
    return w[W_CLOSE] * (1.0 - risk) - max(0.0, mine) * risk


@compiled
def best_gain(s: Ints, at: Floats, w: Floats, card: int) -> float:
    """Return what a card gains in the best cell of the own grid."""
    me, most = int(at[ME]), -1000.0
    for cell in range(12):
        code = s[GRIDS + 12 * me + cell]
        if code == EMPTY:
            continue
        points, hidden = change_of(s, at, me, cell, cell % 4, card, 0)
        gain = -points + (w[W_FILL] if code >= HIDDEN else 0.0)
        if not s[ENDING] and at[FACE_DOWN + me] + hidden == 0:
            gain += worth_closing(at, w, at[EXPECTED + me] + points)
        most = max(most, gain)
    return most


@compiled
def worth_discarding(s: Ints, at: Floats, w: Floats) -> float:
    """Return the value of discarding the drawn card and, with that option, turning a hidden one."""
    me = int(at[ME])
    if not s[REVEALS] or at[FACE_DOWN + me] == 0:
        return 0.0
    if at[FACE_DOWN + me] == 1 and not s[ENDING]:
        return worth_closing(at, w, at[EXPECTED + me])
    return w[W_TURN]


@compiled
def survey_cell(s: Ints, at: Floats, w: Floats, cell: int, plain: float) -> float:
    """Note what each card of the deck gains in a cell of the own grid, if that is more than its gain so far.

    A card that makes no pair gains the same amount less its value: return that amount if it is more than `plain`.
    """
    me, column, row = int(at[ME]), cell % 4, cell // 4
    first, marks = 12 * me + column, s[MARKS + 4 * me + column]
    one, two = seen_code(s, me, first + 4 * ((row + 1) % 3)), seen_code(s, me, first + 4 * ((row + 2) % 3))
    old = seen_code(s, me, first + 4 * row)
    before = column_value(at, old, one, two, marks)
    filling = w[W_FILL] if old >= HIDDEN else 0.0
    closing = not s[ENDING] and old >= HIDDEN and at[FACE_DOWN + me] == 1
    general = marks != 0 or closing or (one == two and one < VALUES)
    for card in range(VALUES):
        if general or card in (one, two):
            points = column_value(at, card, one, two, marks) - before
            gain = filling - points
            if closing:
                gain += worth_closing(at, w, at[EXPECTED + me] + points)
            at[GAINS + card] = max(at[GAINS + card], gain)
    if general:
        return plain
    return max(plain, before - value_of(one, at[MEAN]) - value_of(two, at[MEAN]) + filling)


@compiled
def worth_drawing(s: Ints, at: Floats, w: Floats) -> float:
    """Return the average gain of the top of the deck: the best place of every card."""
    me, least = int(at[ME]), worth_discarding(s, at, w)
    if s[LOOKED] and s[SCOUT] == me:
        return max(least, best_gain(s, at, w, s[SCOUTED]))
    for card in range(VALUES):
        at[GAINS + card] = least
    plain = -1000.0
    for cell in range(12):
        if s[GRIDS + 12 * me + cell] != EMPTY:
            plain = survey_cell(s, at, w, cell, plain)
    total = 0.0
    for card in range(VALUES):
        total += at[IN_DECK + card] * max(at[GAINS + card], plain - (card - 2))
    return total / max(1.0, at[DECK_LEFT])


@compiled
def first_thumb(s: Ints, at: Floats, w: Floats, code: int, effect: int) -> float:
    """Return the value of an action by the rule of thumb, without the columns that it changes."""
    kind, card = kind_of(code), card_of(code)
    if kind == DO_CHOOSE:
        return 1.0 if cell_of(code) % 4 == theirs_of(code) % 4 else 0.0
    if kind == DO_DECK:
        worth = w[W_DECK_LAST] if s[ENDING] else w[W_DECK]
        return worth + w[W_GAIN] * worth_drawing(s, at, w) if w[W_GAIN] else worth
    if kind == DO_PILE:
        return best_gain(s, at, w, s[PILE + s[PILED] - 1])
    if kind == DO_ACTIONS:
        return w[W_ACTION_LAST] if s[ENDING] else w[W_ACTION]
    if kind == DO_DISCARD:
        return worth_discarding(s, at, w)
    if kind == DO_STORE:
        return w[W_STORE]
    if kind == DO_THROW:
        return -(w[W_KEEP_GOOD] if card in (SHIELD, SWAP) else w[W_KEEP])
    if kind == DO_PLAY:
        if effect == SHUFFLE:
            return -w[W_SHUFFLE]
        if effect == SWAP:
            return -(w[W_SWAP_LAST] if s[ENDING] else w[W_SWAP])
        if effect == DRAW_TWO:
            return w[W_TWO]
        if effect == SKIP:
            return w[W_SKIP]
        if effect in (STEAL, LOSE):
            return w[W_STEAL]
        return w[W_CARD_LAST] if s[ENDING] else w[W_CARD]
    return -w[W_DEFEND] if kind in (DO_SHIELD, DO_MIRROR) else 0.0


@compiled
def thumb_of(s: Ints, at: Floats, w: Floats, code: int, sites: Ints) -> float:
    """Return the value of an action by the rule of thumb, in points."""
    me, kind = int(at[ME]), kind_of(code)
    count = find_sites(s, me, code, sites)
    effect, mine, others, hidden = sites[EFFECT], 0.0, 0.0, 0
    for number in range(count):
        first = SITE * number
        seat, cell, incoming = sites[first], sites[first + 1], sites[first + 3]
        points, turned = change_of(s, at, seat, cell, sites[first + 2], incoming, sites[first + 4])
        if seat == me:
            mine += points
            hidden += shown_by(s, me, kind, effect, seat, cell, incoming, turned)
        else:
            others += points
    thumb = first_thumb(s, at, w, code, effect) + w[W_RIVAL] * others - mine
    if not s[ENDING] and hidden < 0:
        if at[FACE_DOWN + me] + hidden == 0:
            thumb += worth_closing(at, w, at[EXPECTED + me] + mine)
        elif kind == DO_PLACE:
            thumb += w[W_FILL]
    return thumb


# Playouts

RUIN, JACKPOT = 60, -20
"""A score beyond these counts as one of them in a playout.

With four players one score in a hundred is above 90, with eight above 1,200, because curses on curses double a column
again and again; curses on negative cards do the same downwards. A mean of such scores says nothing about the other
playouts.
"""


@compiled
def choose_by_thumb(s: Ints, w: Floats, codes: Ints, at: Floats, sites: Ints) -> int:
    """Return the action that the rule of thumb prefers."""
    count = list_actions(s, True, codes)
    if count == 1:
        return codes[0]
    look(s, actor_of(s), w, at)
    most, best = -1e30, codes[0]
    for number in range(count):
        value = thumb_of(s, at, w, codes[number], sites)
        if value > most:
            most, best = value, codes[number]
    return best


@compiled
def mix(number: int) -> int:
    """Scramble a number, so that similar numbers give unlike dice."""
    number = (number ^ (number >> 31 & 0x1FFFFFFFF)) * -4658895280553007687
    number = (number ^ (number >> 27 & 0x1FFFFFFFFF)) * -7723592293110705685
    return number ^ (number >> 31 & 0x1FFFFFFFF)


@compiled
def draw_fates(s: Ints, dice: Ints) -> None:
    """Draw all cards of the grids that nobody has seen; nobody knows them."""
    for place in range(12 * s[SEATS]):
        if s[GRIDS + place] == HIDDEN:
            s[GRIDS + place] = SEEN + take(s, UNSEEN, VALUES, dice)


@compiled
def lead(s: Ints, me: int, capped: bool) -> float:
    """Return how many points fewer than the mean of the others a seat has at the end; capped without the extremes."""
    total, mine, others = 0.0, 0.0, 0
    for seat in range(s[SEATS]):
        points = max(JACKPOT, min(RUIN, s[SCORES + seat])) if capped else s[SCORES + seat]
        if seat == me:
            mine = points
        elif not gone(s, seat):
            total += points
            others += 1
    return total / max(1, others) - mine


# The learned network: what a manche is worth to the seat whose turn begins (`foresight.py`)

OWN_STOCK, OTHERS, WHOLE = 25, 46, 82
"""The first inputs of the own action cards, of four views of the others, and of the whole manche."""
SIDE = 9
"""The inputs that tell of another seat."""
INPUTS = WHOLE + 14


@compiled
def sketch_own(s: Ints, at: Floats, x: Singles) -> None:
    """Write the inputs of the own grid, the worst column first, and of the own action cards."""
    me, high, second = int(at[ME]), -3.0, -3.0
    for column in range(4):
        first, mark = 12 * me + column, s[MARKS + 4 * me + column]
        a, b, c = seen_code(s, me, first), seen_code(s, me, first + 4), seen_code(s, me, first + 8)
        plain = plain_value(a, b, c, mark, at[MEAN]) / 10.0
        place = 5 * column
        while place > 0 and x[place - 5] < plain:
            for field in range(5):
                x[place + field] = x[place - 5 + field]
            place -= 5
        pair = pair_of(a, b, c)
        x[place] = plain
        x[place + 1] = column_value(at, a, b, c, mark) / 10.0
        x[place + 2] = ((a >= HIDDEN) + (b >= HIDDEN) + (c >= HIDDEN)) / 3.0
        x[place + 3] = (pair + 1) / 15.0
        x[place + 4] = mark
        for cell in range(3):
            code = a if cell == 0 else b if cell == 1 else c
            value = -3.0 if code == EMPTY else value_of(code, at[MEAN])
            if value > high:
                high, second = value, high
            elif value > second:
                second = value
    x[20] = at[EXPECTED + me] / 20.0
    x[21] = at[FACE_DOWN + me] / 12.0
    x[22] = count_cards(s, me) / 12.0
    x[23] = high / 10.0
    x[24] = second / 10.0
    for card in range(CARDS):
        x[OWN_STOCK + card] = 0.0
    for card in range(s[STOCKED + me]):
        x[OWN_STOCK + s[STOCK + 12 * me + card]] += 1.0


@compiled
def sketch_side(s: Ints, at: Floats, seat: int, x: Singles, first: int) -> None:
    """Write the inputs of another seat from a place on."""
    pairs, marks, high = 0.0, 0.0, -3.0
    me = int(at[ME])
    for column in range(4):
        place, mark = 12 * seat + column, s[MARKS + 4 * seat + column]
        a, b, c = seen_code(s, me, place), seen_code(s, me, place + 4), seen_code(s, me, place + 8)
        pairs += plain_value(a, b, c, mark, at[MEAN]) - column_value(at, a, b, c, mark)
        marks += mark
        for cell in range(3):
            code = a if cell == 0 else b if cell == 1 else c
            if code < VALUES:
                high = max(high, code - 2.0)
    x[first] = min(60.0, at[EXPECTED + seat]) / 20.0
    x[first + 1] = at[FACE_DOWN + seat] / 12.0
    x[first + 2] = count_cards(s, seat) / 12.0
    x[first + 3] = pairs / 10.0
    x[first + 4] = marks
    x[first + 5] = high / 10.0
    x[first + 6] = s[STOCKED + seat] / 3.0
    x[first + 7] = s[FROZEN + seat] / 2.0
    x[first + 8] = 1.0


@compiled
def sketch(s: Ints, me: int, w: Floats, at: Floats, x: Singles) -> None:
    """Write the inputs of the network for a seat whose turn begins: only what it can see."""
    look(s, me, w, at)
    sketch_own(s, at, x)
    for place in range(OTHERS, INPUTS):
        x[place] = 0.0
    count, lowest, fewest, nearest = 0, -1, -1, -1
    for step in range(1, s[SEATS]):
        seat = (me + s[DIRECTION] * step) % s[SEATS]
        if gone(s, seat):
            continue
        count += 1
        nearest = seat if nearest < 0 else nearest
        if lowest < 0 or at[EXPECTED + seat] < at[EXPECTED + lowest]:
            lowest = seat
        if fewest < 0 or at[FACE_DOWN + seat] < at[FACE_DOWN + fewest]:
            fewest = seat
        sketch_side(s, at, seat, x, OTHERS)
        for field in range(SIDE):
            x[OTHERS + 3 * SIDE + field] += x[OTHERS + field]
    if count:
        for field in range(SIDE):
            x[OTHERS + 3 * SIDE + field] /= count
        sketch_side(s, at, nearest, x, OTHERS)
        sketch_side(s, at, lowest, x, OTHERS + SIDE)
        sketch_side(s, at, fewest, x, OTHERS + 2 * SIDE)
    top = s[PILE + s[PILED] - 1] if s[PILED] else -1
    x[WHOLE] = (top - 2.0) / 10.0
    x[WHOLE + 1] = 1.0 if top >= 0 else 0.0
    x[WHOLE + 2] = (best_gain(s, at, w, top) if top >= 0 else 0.0) / 10.0
    x[WHOLE + 3] = worth_drawing(s, at, w) / 10.0
    x[WHOLE + 4] = at[MEAN] / 10.0
    x[WHOLE + 5] = s[DECK_SIZE] / 100.0
    x[WHOLE + 6] = count / 7.0
    x[WHOLE + 7] = 1.0 / (1.0 + count)
    x[WHOLE + 8] = s[TURNS + me] / 20.0
    x[WHOLE + 9] = s[EXTENDED]
    x[WHOLE + 10] = s[REVEALS]
    x[WHOLE + 11] = s[SKIPS]
    x[WHOLE + 12] = 1.0 if at[LOWEST] >= 0 and at[EXPECTED + me] < at[EXPECTED + int(at[LOWEST])] else 0.0
    x[WHOLE + 13] = s[FROZEN + me] / 2.0
    for place in range(INPUTS):
        x[place] = min(max(x[place], np.float32(-4.0)), np.float32(4.0))


UNITS = 64
"""Hidden units of each of the two layers of the network."""
NET = (INPUTS + 1) * UNITS + (UNITS + 1) * UNITS + UNITS + 1
"""The numbers of the network, layer by layer: the weights of each input in turn, then the biases."""


@compiled
def pass_layer(net: Singles, first: int, inputs: int, x: Singles, y: Singles) -> None:
    """Compute a layer with ReLU."""
    for unit in range(UNITS):
        y[unit] = net[first + inputs * UNITS + unit]
    for place in range(inputs):
        value = x[place]
        if value != 0.0:
            row = first + place * UNITS
            for unit in range(UNITS):
                y[unit] += value * net[row + unit]
    for unit in range(UNITS):
        y[unit] = max(y[unit], np.float32(0.0))


@compiled
def foresee(s: Ints, me: int, w: Floats, net: Singles, at: Floats, x: Singles) -> float:
    """Return the lead that the seat whose turn begins can expect; `x` has space for the inputs and both layers."""
    sketch(s, me, w, at, x)
    one, two = x[INPUTS : INPUTS + UNITS], x[INPUTS + UNITS :]
    pass_layer(net, 0, INPUTS, x, one)
    second = (INPUTS + 1) * UNITS
    pass_layer(net, second, UNITS, one, two)
    last = second + (UNITS + 1) * UNITS
    total = float(net[last + UNITS])
    for unit in range(UNITS):
        total += two[unit] * net[last + unit]
    return 10.0 * total


@compiled
def play_rounds(
    s: Ints, who: Ints, w: Floats, net: Singles, rounds: int, capped: bool, luck: int, codes: Ints, at: Floats,
    sites: Ints, x: Singles, dice: Ints, leads: Floats, from_: int,
) -> None:  # fmt: skip
    """Play on until the first seat of `who` begins a turn after so many rounds; once a manche is ending, to its end.

    Write the lead that each seat of `who` has or can expect, from a place on. The network values a seat whose turn
    begins: the first one then, the others when their turns began in the last round.

    The dice are thrown anew for every turn of the manche, so that two lines of play have the same luck in a turn even
    if an earlier turn used more random numbers in one of them.
    """
    for place in range(who.size):
        leads[from_ + place] = np.nan
    turns = 0
    while s[STAGE] != OVER:
        if s[STAGE] == DRAW:
            if turns and not s[ENDING]:
                first = s[TO_ACT] == who[0]
                if first:
                    rounds -= 1
                for place in range(who.size):
                    if s[TO_ACT] == who[place] and rounds == (0 if first else 1):
                        leads[from_ + place] = foresee(s, who[place], w, net, at, x)
                if rounds == 0:
                    break
            turns += 1
            dice[0] = mix(luck + turns)
        apply(s, choose_by_thumb(s, w, codes, at, sites), codes, dice)
    for place in range(who.size):
        if s[STAGE] == OVER:
            leads[from_ + place] = lead(s, who[place], capped)
        elif np.isnan(leads[from_ + place]):  # The seat was skipped in the last round.
            leads[from_ + place] = foresee(s, who[place], w, net, at, x)


@compiled
def has_doubled(s: Ints, me: int) -> bool:
    """Return whether a seat ended the manche that is over and doubled its score (O7)."""
    lower = False
    for seat in range(s[SEATS]):
        lower = lower or (not gone(s, seat) and 2 * s[SCORES + seat] < s[SCORES + me])
    return lower and s[INITIATOR] == me and s[SCORES + me] > 0


@compiled
def try_actions(
    tables: Ints, worlds: int, first: int, count: int, actions: Ints, who: Ints, w: Floats, net: Singles, rounds: int,
    capped: bool, dice: Ints, leads: Floats, doubled: Ints,
) -> None:  # fmt: skip
    """Play some rounds after each action, `count` times from the worlds in turn, with the same luck for all actions.

    `tables` has `worlds` manches one after the other; begin at the one numbered `first`. `NO_ACTION` lets the player
    choose. Write the leads that the seats of `who` have or can expect then, by action, playout and seat. Count by
    action how often the first seat has doubled its score.
    """
    s, codes = np.empty(STATE, np.int64), np.empty(MOST_ACTIONS, np.int64)
    at, sites, own = np.empty(SIGHT), np.empty(SITES, np.int64), np.empty(1, np.int64)
    x = np.empty(INPUTS + 2 * UNITS, np.float32)
    for number in range(count):
        pick(dice, 2)
        luck = mix(dice[0])
        from_ = (first + number) % worlds * STATE
        for action in range(actions.size):
            for field in range(STATE):
                s[field] = tables[from_ + field]
            own[0] = luck
            draw_fates(s, own)
            if actions[action] != NO_ACTION:
                apply(s, actions[action], codes, own)
            place = (action * count + number) * who.size
            play_rounds(s, who, w, net, rounds, capped, luck, codes, at, sites, x, own, leads, place)
            doubled[action] += s[STAGE] == OVER and has_doubled(s, who[0])


@compiled
def explore(s: Ints, w: Floats, near: float, codes: Ints, at: Floats, sites: Ints, dice: Ints) -> int:
    """Return a random action among those that the rule of thumb values almost like the best one."""
    count = list_actions(s, True, codes)
    look(s, actor_of(s), w, at)
    most = -1e30
    for number in range(count):
        most = max(most, thumb_of(s, at, w, codes[number], sites))
    good = 0
    for number in range(count):
        if thumb_of(s, at, w, codes[number], sites) >= most - near:
            codes[good] = codes[number]
            good += 1
    return codes[pick(dice, good)]


@compiled
def gather(seats: int, extended: bool, w: Floats, dice: Ints, rows: Singles, leads: Singles) -> int:
    """Play manches for the training of the network, until the rows are full; return the number of manches.

    Until a random turn, one action in four is explored. A row is the sketch of a later turn, and its lead is the one
    that the seat had in the end.
    """
    s, codes = np.empty(STATE, np.int64), np.empty(MOST_ACTIONS, np.int64)
    at, sites, own = np.empty(SIGHT), np.empty(SITES, np.int64), np.empty(1, np.int64)
    x, who = np.empty(INPUTS, np.float32), np.empty(600, np.int64)
    filled, manches = 0, 0
    while filled < leads.size:
        manches += 1
        pick(dice, 2)
        luck = mix(dice[0])
        own[0] = luck
        deal(s, seats, extended, pick(dice, 8) > 0, -1, own)
        wild = pick(dice, 14 * seats)
        turns, first = 0, filled
        while s[STAGE] != OVER:
            if s[STAGE] == DRAW:
                turns += 1
                own[0] = mix(luck + turns)
                if turns > wild and not s[ENDING] and filled < leads.size and pick(dice, 3) == 0:
                    me = s[TO_ACT]
                    sketch(s, me, w, at, x)
                    for place in range(INPUTS):
                        rows[filled * INPUTS + place] = x[place]
                    who[filled - first] = me
                    filled += 1
            if turns <= wild and pick(dice, 4) == 0:
                apply(s, explore(s, w, 8.0, codes, at, sites, dice), codes, own)
            else:
                apply(s, choose_by_thumb(s, w, codes, at, sites), codes, own)
        for row in range(first, filled):
            leads[row] = lead(s, who[row - first], True)
    return manches


@compiled
def copies_of(card: int, extended: bool) -> int:
    """Return how many copies of an action card its deck has."""
    if card > HEAL and not extended:
        return 0
    if card in (TELEPORT, PEEK, SKIP):
        return 4
    if card in (TURN_AROUND, SWAP, SHIELD, DRAW_TWO, MIRROR, SCOUT_CARD):
        return 3
    return 2


@compiled
def deal(s: Ints, seats: int, extended: bool, reveals: bool, starter: int, dice: Ints) -> None:
    """Deal a manche."""
    for at in range(s.size):
        s[at] = 0
    for at in range(96):
        s[GRIDS + at] = HIDDEN if at < 12 * seats else EMPTY
    for card in range(VALUES):
        s[UNSEEN + card] = 5 if card == 0 else 15 if card == 2 else 10
    for card in range(CARDS):
        s[ACTIONS + card] = copies_of(card, extended)
    for seat in range(8):
        s[CHOSEN + seat] = -1
    s[SEATS] = seats
    s[STAGE] = CHOOSE
    for at in (TO_ACT, THROWN_TOP, SCOUT, LAST_CARD, INITIATOR):
        s[at] = -1
    s[STARTER] = starter
    drop_held(s)
    drop_attack(s)
    s[DIRECTION] = 1
    s[EXTENDED] = extended
    s[REVEALS] = reveals
    s[DECK_SIZE] = 150 - 12 * seats
    discard_card(s, draw_number(s, dice))
