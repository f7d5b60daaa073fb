"""A manche of Ojyx, compiled by Numba: the value of a grid, a weighted player, and playouts.

A manche is one array of int64. A card is its value plus two, 0 to 14. A hidden card that the searching seat knows has
`DOWN` added to it; one that nobody has seen is `UNSEEN`. Before a playout the unseen cards, marked with `FATED`, and
the order of the deck are drawn, so that all actions are tried with the same luck, which the players do not know. Action
cards are not played here: a stock counts as the points that it is expected to save.

All compiled code is in this one file, because Numba's cache checks the date of a function's own file only.
`rules.py` stays the reference; a test compares the two.
"""

from __future__ import annotations

import numpy as np

from ...core.machine import Floats, Ints, compiled

VALUES = 15
UNSEEN, EMPTY, DOWN, FATED = 15, 16, 32, 64
ZERO = 2
"""The index of the card 0."""

# A manche: eight grids of twelve places, row by row, then the rest of its state.
GRIDS = 0
MARKS = 96
"""Curses minus heals, for each seat and column."""
COUNTS = 128
"""The count of each value among the cards that the searching seat has not seen: hidden or in the first deck."""
PILE = 143
"""The same for the discard pile without its top."""
TOP = 158
"""The top of the discard pile, or -1."""
DECK = 159
"""The number of cards in the deck."""
SEATS = 160
TURN = 161
DIRECTION = 162
"""1, or -1 if the direction is reversed."""
SKIPS = 163
"""How many of the next seats will be skipped."""
INITIATOR = 164
"""The seat that ended the manche, or -1."""
OWED = 165
"""The seats that still have a last turn, as bits."""
PLAYING = 166
"""The seats that have not left, as bits."""
LIMIT = 167
"""The number of turns before the manche ends by itself."""
REVEALS = 168
"""Whether a player who discards the drawn card turns a hidden one."""
PHASE = 169
HELD = 170
"""The drawn card, from the deck in `DECIDE`, from the discard pile in `PLACE`."""
AT = 171
"""The aim of a phase: a place in the grids, or the first place of a column."""
LEFT = 172
"""The sum of `COUNTS`."""
BOONS = 173
"""The value of each seat's stock, in sixteenths of a point."""
STOCKS = 181
"""The number of action cards of each seat."""
REFILLED = 189
"""Whether the deck was refilled: then it has the cards of `REFILL`, and `COUNTS` only hidden cards."""
REFILL = 190
KNOWN = 205
"""The top cards of the deck, next one first, if the searching seat knows them."""
KNOWN_CARDS = 208
TURNS = 209
"""The number of turns played: in each the deck shows the next card of its order, taken or not."""
ORDERED = 210
"""The number of cards in `ORDER`."""
KNOWER = 211
"""The searching seat, the only one that uses `KNOWN`."""
ORDER = 212
STATE = 362

# The phases of a turn: before the draw, or with its source chosen; with a card in hand; about to turn a card of the own
# grid; about to put the card in hand or the top card in some place, to turn a card or a column, or to shuffle the own
# grid; at its end.
DRAW, FROM_DECK, FROM_PILE, FROM_ACTIONS, DECIDE, PLACE, TURN_ONE = range(7)
PUT, GAMBLE, FLIP, FLIP_COLUMN, SHUFFLE, DONE = range(7, 13)

# The weights of the player.
CHANCES = 0
"""The number of cards that a player will still see before the manche ends, near the end …"""
CHANCES_EACH = 1
"""… and for each hidden card of the seat that has the fewest."""
TURNING = 2
"""The value of knowing one more own card."""
ACTION = 3
"""The value of an action card that can be kept; `ACTION_NOW` is that of one that must be played at once."""
LAST_TURN = 4
"""The gain of a player in a last turn."""
SPREAD = 5
"""Its uncertainty: this many points behind, ending is certainly wrong; this many ahead, it is certainly right."""
CLOSING = 6
"""The value of a good ending: the opponents improve no more."""
FILLING = 7
"""The value of replacing an unseen card, beyond its points."""
WIN = 8
"""The value of being first, beyond the difference in points."""
ACTION_NOW = 9
LASTING = 10
"""The share of an action card's first gain that lasts; later turns make up for the rest."""

THUMB = np.array([2.0, 2.0, 2.5, 2.0, 4.0, 8.0, 4.0, 0.0, 10.0, 1.0, 1.0])
"""Rules of thumb: round figures."""
LEARNT = np.array([0.0, 4.0, 3.3, 1.0, 8.5, 11.0, 2.0, 0.4, 20.0, 0.5, 0.35])
"""Tuned weights, which won most of many manches."""

# The results of `survey`: the value of each column, their sum, and space for the gain of each card.
GAINS = 5
WORTHS = GAINS + VALUES


@compiled
def pick(dice: Ints, n: int) -> int:
    """Draw from [0, n)."""
    dice[0] = dice[0] * 6364136223846793005 + 1442695040888963407
    return ((dice[0] >> 32 & 0xFFFFFFFF) * n) >> 32


@compiled
def mean(s: Ints) -> float:
    """Return the mean value of the unseen cards."""
    total = 0
    for card in range(VALUES):
        total += s[COUNTS + card] * (card - ZERO)
    return total / max(1, s[LEFT])


@compiled
def draw_from(s: Ints, counts: int, left: int, dice: Ints) -> int:
    """Take a random card from the counts at a place."""
    at = pick(dice, max(1, left))
    for card in range(VALUES):
        at -= s[counts + card]
        if at < 0:
            s[counts + card] -= 1
            return card
    return ZERO


@compiled
def see(s: Ints, cell: int, dice: Ints) -> int:
    """Return the card at a place, drawing it if it has no value yet, and count it as seen."""
    card = s[GRIDS + cell]
    if card == UNSEEN:
        card = draw_from(s, COUNTS, s[LEFT], dice)
        s[LEFT] -= 1
    elif card >= FATED:
        card -= FATED
        s[COUNTS + card] -= 1
        s[LEFT] -= 1
    return card % DOWN


@compiled
def draw_deck(s: Ints, dice: Ints) -> int:
    """Take the top of the deck; refill an empty deck from the discard pile."""
    if s[DECK] == 0:
        s[REFILLED] = 1
        for card in range(VALUES):
            s[DECK] += s[PILE + card]
            s[REFILL + card] = s[PILE + card]
            s[PILE + card] = 0
    s[DECK] -= 1
    if s[KNOWN_CARDS]:
        card = s[KNOWN]
        s[KNOWN], s[KNOWN + 1] = s[KNOWN + 1], s[KNOWN + 2]
        s[KNOWN_CARDS] -= 1
        return card
    at, counts = s[TURNS], REFILL if s[REFILLED] else COUNTS
    if at < s[ORDERED] and s[counts + s[ORDER + at]] > 0:
        card = s[ORDER + at]
        s[counts + card] -= 1
    else:
        card = draw_from(s, counts, s[DECK] + 1 if s[REFILLED] else s[LEFT], dice)
    if not s[REFILLED]:
        s[LEFT] -= 1
    return card


@compiled
def discard(s: Ints, card: int) -> None:
    if s[TOP] >= 0:
        s[PILE + s[TOP]] += 1
    s[TOP] = card


@compiled
def face_down(card: int) -> bool:
    return card == UNSEEN or card >= DOWN


@compiled
def hidden(s: Ints, seat: int) -> int:
    """Count the hidden cards of a seat."""
    count = 0
    for cell in range(12 * seat, 12 * seat + 12):
        if face_down(s[GRIDS + cell]):
            count += 1
    return count


@compiled
def settle(s: Ints, seat: int) -> None:
    """Discard a seat's columns of three equal cards face up, left to right."""
    for column in range(12 * seat, 12 * seat + 4):
        card = s[GRIDS + column]
        if card < VALUES and card == s[GRIDS + column + 4] and card == s[GRIDS + column + 8]:
            for cell in range(column, column + 12, 4):
                s[GRIDS + cell] = EMPTY
                discard(s, card)


@compiled
def close(s: Ints, seat: int, actor: int) -> None:
    """Begin the last lap if a grid has no hidden card."""
    if s[INITIATOR] < 0 and hidden(s, seat) == 0:
        s[INITIATOR] = actor
        s[OWED] = s[PLAYING] & ~(1 << actor)


@compiled
def turn_up(s: Ints, cell: int, actor: int, dice: Ints) -> None:
    """Turn one card of any grid."""
    s[GRIDS + cell] = see(s, cell, dice)
    settle(s, cell // 12)
    close(s, cell // 12, actor)


@compiled
def put(s: Ints, cell: int, card: int, actor: int, dice: Ints) -> None:
    """Put a card face up in any place of any grid and discard the old one."""
    discard(s, see(s, cell, dice))
    s[GRIDS + cell] = card
    settle(s, cell // 12)
    close(s, cell // 12, actor)


@compiled
def shuffle(s: Ints, seat: int, dice: Ints) -> None:
    """Shuffle a grid; each card keeps its face."""
    places = np.empty(12, np.int64)
    left = 0
    for cell in range(12 * seat, 12 * seat + 12):
        if s[GRIDS + cell] != EMPTY:
            places[left] = GRIDS + cell
            left += 1
    while left > 1:
        at = pick(dice, left)
        left -= 1
        s[places[at]], s[places[left]] = s[places[left]], s[places[at]]
    settle(s, seat)
    close(s, seat, seat)


@compiled
def chances(s: Ints, w: Floats) -> float:
    """Estimate how many more cards a player will see, from the grid nearest to its end; 0 in the last lap."""
    if s[INITIATOR] >= 0:
        return 0.0
    fewest = 12
    for seat in range(s[SEATS]):
        if s[PLAYING] >> seat & 1:
            fewest = min(fewest, hidden(s, seat))
    return w[CHANCES] + w[CHANCES_EACH] * fewest


@compiled
def value_of(card: int, middle: float) -> float:
    """Return the expected value of a card."""
    if card == UNSEEN or card >= FATED:
        return middle
    return 0.0 if card == EMPTY else float(card % DOWN - ZERO)


@compiled
def completed(s: Ints, card: int, seen: float) -> float:
    """Return the probability that the third of two equal cards is among so many cards."""
    counts, left = (REFILL, s[DECK]) if s[REFILLED] and s[DECK] else (COUNTS, s[LEFT])
    often = seen * s[counts + card]
    return often / (often + left + 1)


@compiled
def column_worth(s: Ints, a: int, b: int, c: int, mark: int, middle: float, seen: float) -> float:
    """Return the expected score of a column: less than its cards if two are equal and the third may come."""
    total = value_of(a, middle) + value_of(b, middle) + value_of(c, middle)
    pair = -1
    if a < VALUES and a in (b, c):
        pair = a
    elif b < VALUES and b == c:
        pair = b
    if pair > ZERO:
        if a == b and b == c:
            return 0.0
        if seen > 0.0:
            total *= 1.0 - completed(s, pair, seen)
    elif pair >= 0 and a == b and b == c:
        return 0.0
    return total * 2.0**mark if mark else total


@compiled
def worth_at(s: Ints, column: int, middle: float, seen: float) -> float:
    """Return the expected score of the column that begins at a place."""
    mark = s[MARKS + column // 12 * 4 + column % 4]
    return column_worth(s, s[GRIDS + column], s[GRIDS + column + 4], s[GRIDS + column + 8], mark, middle, seen)


@compiled
def grid_worth(s: Ints, seat: int, middle: float, seen: float) -> float:
    """Return the expected score of a grid."""
    total = 0.0
    for column in range(12 * seat, 12 * seat + 4):
        total += worth_at(s, column, middle, seen)
    return total


@compiled
def rival(s: Ints, w: Floats, seat: int, middle: float) -> float:
    """Return the expected score of the best opponent if the manche ends now, after a last turn each."""
    best = 1000.0
    for other in range(s[SEATS]):
        if other != seat and s[PLAYING] >> other & 1:
            best = min(best, grid_worth(s, other, middle, 0.0) - s[BOONS + other] / 16 - w[LAST_TURN])
    return best


@compiled
def worth_closing(w: Floats, mine: float, best: float) -> float:
    """Return the value of ending the manche with so many points, given that a player who is not lowest is doubled."""
    risk = min(1.0, max(0.0, 0.5 - (best - mine) / (2.0 * w[SPREAD])))
    return w[CLOSING] * (1.0 - risk) - max(0.0, mine) * risk


@compiled
def gain_at(
    s: Ints, w: Floats, cell: int, card: int, middle: float, seen: float, worths: Floats, down: int, best: float
) -> float:
    """Return what a card gains at a place of a grid, in points; the other arguments come from `survey`."""
    seat, column, row = cell // 12, cell % 4, cell % 12 // 4
    first = 12 * seat + column
    a = card if row == 0 else s[GRIDS + first]
    b = card if row == 1 else s[GRIDS + first + 4]
    c = card if row == 2 else s[GRIDS + first + 8]
    gain = worths[column] - column_worth(s, a, b, c, s[MARKS + 4 * seat + column], middle, seen)
    if face_down(s[GRIDS + cell]):
        gain += w[FILLING]
        if down == 1:
            gain += worth_closing(w, worths[4] - gain, best)
    return gain


@compiled
def best_place(
    s: Ints, w: Floats, seat: int, card: int, middle: float, seen: float, worths: Floats, down: int, best: float
) -> tuple[int, float]:
    """Return the place in a grid where a card gains most, and the gain."""
    most, where = -1e9, 12 * seat
    for cell in range(12 * seat, 12 * seat + 12):
        if s[GRIDS + cell] != EMPTY:
            gain = gain_at(s, w, cell, card, middle, seen, worths, down, best)
            if gain > most:
                most, where = gain, cell
    return where, most


@compiled
def survey(s: Ints, w: Floats, seat: int, worths: Floats) -> tuple[float, float, int, float]:
    """Return what a player needs before a turn: the mean unseen card, cards to come, hidden cards, the best rival.

    Write the score of each column, and their sum minus the value of the stock, into `worths`.
    """
    middle = mean(s)
    seen = chances(s, w)
    worths[4] = -s[BOONS + seat] / 16
    for column in range(4):
        worths[column] = worth_at(s, 12 * seat + column, middle, seen)
        worths[4] += worths[column]
    down = hidden(s, seat)
    best = rival(s, w, seat, middle) if down == 1 and s[INITIATOR] < 0 else 0.0
    return middle, seen, down if s[INITIATOR] < 0 else 12, best


@compiled
def worth_discarding(s: Ints, w: Floats, worths: Floats, down: int, best: float) -> float:
    """Return the value of discarding the drawn card and, with that option, turning a hidden one."""
    if not s[REVEALS] or down == 0:
        return 0.0
    if down == 1:
        return worth_closing(w, worths[4], best)
    return w[TURNING]


@compiled
def deck_gain(
    s: Ints, w: Floats, seat: int, middle: float, seen: float, worths: Floats, down: int, best: float
) -> float:
    """Return the average gain of the top of the deck: the best place of every card, computed place by place."""
    least = worth_discarding(s, w, worths, down, best)
    if s[KNOWN_CARDS] and seat == s[KNOWER]:
        return max(least, best_place(s, w, seat, s[KNOWN], middle, seen, worths, down, best)[1])
    for card in range(VALUES):
        worths[GAINS + card] = least
    plain = -1e9
    for column in range(4):
        first = 12 * seat + column
        if s[GRIDS + first] == EMPTY:
            continue
        mark = s[MARKS + 4 * seat + column]
        for row in range(3):
            old = s[GRIDS + first + 4 * row]
            one = s[GRIDS + first + 4 * ((row + 1) % 3)]
            two = s[GRIDS + first + 4 * ((row + 2) % 3)]
            ends = down == 1 and face_down(old)
            filling = w[FILLING] if face_down(old) else 0.0
            if mark or ends or (one == two and one < VALUES):
                for card in range(VALUES):
                    gain = worths[column] - column_worth(s, card, one, two, mark, middle, seen) + filling
                    if ends:
                        gain += worth_closing(w, worths[4] - gain, best)
                    worths[GAINS + card] = max(worths[GAINS + card], gain)
                continue
            plain = max(plain, worths[column] - value_of(one, middle) - value_of(two, middle) + filling)
            if one < VALUES:
                gain = worths[column] - column_worth(s, one, one, two, 0, middle, seen) + filling
                worths[GAINS + one] = max(worths[GAINS + one], gain)
            if two < VALUES:
                gain = worths[column] - column_worth(s, two, one, two, 0, middle, seen) + filling
                worths[GAINS + two] = max(worths[GAINS + two], gain)
    counts = COUNTS
    if s[DECK] == 0:
        counts = PILE
    elif s[REFILLED]:
        counts = REFILL
    total, left = 0.0, 0
    for card in range(VALUES):
        total += s[counts + card] * max(worths[GAINS + card], plain - (card - ZERO))
        left += s[counts + card]
    return total / max(1, left)


@compiled
def place_to_turn(s: Ints, seat: int) -> int:
    """Return the card to turn: beside two equal ones, else beside one, else any; -1 if none is hidden."""
    where, most = -1, -1
    for cell in range(12 * seat, 12 * seat + 12):
        if not face_down(s[GRIDS + cell]):
            continue
        column = 12 * seat + cell % 4
        up, equal, last = 0, 0, -1
        for other in range(column, column + 12, 4):
            card = s[GRIDS + other]
            if card < VALUES:
                up += 1
                equal += card == last
                last = card
        if up + 2 * equal > most:
            where, most = cell, up + 2 * equal
    return where


@compiled
def play_turn(s: Ints, w: Floats, worths: Floats, dice: Ints) -> None:
    """Finish the turn that has begun."""
    seat, phase = s[TURN], s[PHASE]
    if phase == PUT:
        put(s, s[AT], s[HELD], seat, dice)
    elif phase == GAMBLE:
        put(s, s[AT], draw_deck(s, dice), seat, dice)
    elif phase == FLIP:
        turn_up(s, s[AT], seat, dice)
    elif phase == FLIP_COLUMN:
        for cell in range(s[AT], s[AT] + 12, 4):
            if face_down(s[GRIDS + cell]):
                s[GRIDS + cell] = see(s, cell, dice)
        settle(s, s[AT] // 12)
        close(s, s[AT] // 12, seat)
    elif phase == SHUFFLE:
        shuffle(s, seat, dice)
    if phase >= PUT:
        return
    if phase == TURN_ONE:
        cell = place_to_turn(s, seat)
        if cell >= 0:
            turn_up(s, cell, seat, dice)
        return
    middle, seen, down, best = survey(s, w, seat, worths)
    if phase == DRAW:
        phase = choose_draw(s, w, seat, middle, seen, worths, down, best)
    if phase == FROM_ACTIONS:
        s[BOONS + seat] += int(16 * worth_of_action(s, w, seat))
        s[STOCKS + seat] += 1
        return
    if phase == FROM_DECK:
        s[HELD] = draw_deck(s, dice)
        phase = DECIDE
    elif phase == FROM_PILE:
        s[HELD] = s[TOP]
        s[TOP] = -1
        phase = PLACE
    cell, gain = best_place(s, w, seat, s[HELD], middle, seen, worths, down, best)
    if phase == PLACE or gain > worth_discarding(s, w, worths, down, best):
        put(s, cell, s[HELD], seat, dice)
        return
    discard(s, s[HELD])
    if s[REVEALS]:
        cell = place_to_turn(s, seat)
        if cell >= 0:
            turn_up(s, cell, seat, dice)


@compiled
def worth_of_action(s: Ints, w: Floats, seat: int) -> float:
    """Return the value of drawing an action card; less if it cannot be kept."""
    return w[ACTION] if s[STOCKS + seat] < 3 and s[INITIATOR] < 0 else w[ACTION_NOW]


@compiled
def choose_draw(
    s: Ints, w: Floats, seat: int, middle: float, seen: float, worths: Floats, down: int, best: float
) -> int:
    """Choose the source of the draw."""
    choice, most = FROM_ACTIONS, worth_of_action(s, w, seat)
    if s[TOP] >= 0:
        _, gain = best_place(s, w, seat, s[TOP], middle, seen, worths, down, best)
        if gain > most:
            choice, most = FROM_PILE, gain
    piled = 0
    if s[DECK] == 0:
        for card in range(VALUES):
            piled += s[PILE + card]
    if s[DECK] + piled > 0 and deck_gain(s, w, seat, middle, seen, worths, down, best) > most:
        choice = FROM_DECK
    return choice


@compiled
def pass_on(s: Ints) -> bool:
    """Pass the turn and return whether the manche is over."""
    s[PHASE] = DRAW
    s[TURNS] += 1
    s[LIMIT] -= 1
    if s[INITIATOR] < 0 and s[LIMIT] <= 0:
        return True
    seats = s[SEATS]
    while True:
        due = s[PLAYING] if s[INITIATOR] < 0 else s[OWED]
        if due == 0:
            return True
        seat = s[TURN]
        for _ in range(seats):
            seat = (seat + s[DIRECTION]) % seats
            if due >> seat & 1:
                break
        s[TURN] = seat
        s[OWED] &= ~(1 << seat)
        if s[SKIPS] == 0:
            return False
        s[SKIPS] -= 1


@compiled
def finish(s: Ints, scores: Floats, dice: Ints) -> None:
    """Turn all cards and compute the scores."""
    for seat in range(s[SEATS]):
        for cell in range(12 * seat, 12 * seat + 12):
            if face_down(s[GRIDS + cell]):
                s[GRIDS + cell] = see(s, cell, dice)
        settle(s, seat)
        total = 0.0
        for column in range(12 * seat, 12 * seat + 4):
            if s[GRIDS + column] != EMPTY:
                points = s[GRIDS + column] + s[GRIDS + column + 4] + s[GRIDS + column + 8] - 3 * ZERO
                total += np.floor(points * 2.0 ** s[MARKS + 4 * seat + column % 12])
        scores[seat] = total - s[BOONS + seat] / 16
    who = s[INITIATOR]
    if who >= 0 and s[PLAYING] >> who & 1 and scores[who] > 0:
        for seat in range(s[SEATS]):
            if s[PLAYING] >> seat & 1 and scores[seat] < scores[who]:
                scores[who] *= 2
                break


@compiled
def play_on(s: Ints, w: Floats, scores: Floats, dice: Ints) -> None:
    """Play a manche to its end, with the same weights for every seat."""
    worths = np.empty(WORTHS)
    play_turn(s, w, worths, dice)
    while not pass_on(s):
        play_turn(s, w, worths, dice)
    finish(s, scores, dice)


@compiled
def draw_fates(s: Ints, dice: Ints) -> None:
    """Draw the value of every unseen card and the order of the deck."""
    left = 0
    for card in range(VALUES):
        for _ in range(s[COUNTS + card]):
            s[ORDER + left] = card
            left += 1
    mix(s, left, dice)
    for cell in range(12 * s[SEATS]):
        if s[GRIDS + cell] == UNSEEN and left > 0:
            left -= 1
            s[GRIDS + cell] = FATED + s[ORDER + left]
    if s[REFILLED]:
        left = 0
        for card in range(VALUES):
            for _ in range(s[REFILL + card]):
                s[ORDER + left] = card
                left += 1
        mix(s, left, dice)
    s[ORDERED] = left
    s[TURNS] = 0


@compiled
def mix(s: Ints, left: int, dice: Ints) -> None:
    """Shuffle the first cards of `ORDER`."""
    while left > 1:
        at = pick(dice, left)
        left -= 1
        s[ORDER + at], s[ORDER + left] = s[ORDER + left], s[ORDER + at]


@compiled
def utility(s: Ints, w: Floats, scores: Floats, me: int) -> float:
    """Return the value of a final result for a seat: its lead in points, and a bonus for each seat behind it."""
    others, points, behind = 0, 0.0, 0.0
    for seat in range(s[SEATS]):
        if seat != me and s[PLAYING] >> seat & 1:
            others += 1
            points += scores[seat]
            if scores[me] < scores[seat]:
                behind += 1.0
            elif scores[me] == scores[seat]:
                behind += 0.5
    return (points + w[WIN] * behind) / max(1, others) - scores[me]


@compiled
def standing(s: Ints, w: Floats, me: int) -> float:
    """Return how a seat stands at first sight: the opponents' points minus its own; the best opponent counts most."""
    middle, seen = mean(s), chances(s, w)
    mine = grid_worth(s, me, middle, seen) - s[BOONS + me] / 16
    others, total, best = 0, 0.0, 1000.0
    for seat in range(s[SEATS]):
        if seat != me and s[PLAYING] >> seat & 1:
            theirs = grid_worth(s, seat, middle, seen) - s[BOONS + seat] / 16
            others += 1
            total += theirs
            best = min(best, theirs)
    risk = worth_closing(w, mine, best - w[LAST_TURN]) if s[INITIATOR] == me else 0.0
    return 0.5 * (total / max(1, others) + best) - mine + risk


@compiled
def try_states(states: Ints, count: int, me: int, w: Floats, worlds: int, dice: Ints, totals: Floats) -> None:
    """Play to the end from each state so many times, with the same luck for all, and add the results to the totals."""
    s = np.empty(STATE, np.int64)
    scores = np.empty(8)
    luck = np.empty(1, np.int64)
    for _ in range(worlds):
        pick(dice, 2)
        for at in range(count):
            luck[0] = dice[0]
            for field in range(ORDER):
                s[field] = states[at * STATE + field]
            draw_fates(s, luck)
            play_on(s, w, scores, luck)
            totals[at] += utility(s, w, scores, me)


@compiled
def deal(s: Ints, seats: int, dice: Ints) -> None:
    """Deal a manche with two cards of each grid face up; the highest sum starts."""
    for at in range(STATE):
        s[at] = 0
    for card in range(VALUES):
        s[COUNTS + card] = 10
    s[COUNTS] = 5
    s[COUNTS + ZERO] = 15
    s[LEFT] = 150
    s[DECK] = 150 - 12 * seats
    s[SEATS] = seats
    s[DIRECTION] = 1
    s[INITIATOR] = -1
    s[PLAYING] = (1 << seats) - 1
    s[LIMIT] = 60 * seats
    s[REVEALS] = 1
    s[TOP] = draw_deck(s, dice)
    most = -100
    for seat in range(seats):
        for cell in range(12 * seat, 12 * seat + 12):
            s[GRIDS + cell] = UNSEEN
        a, b = see(s, 12 * seat, dice), see(s, 12 * seat + 1, dice)
        s[GRIDS + 12 * seat], s[GRIDS + 12 * seat + 1] = a, b
        if a + b > most:
            most = a + b
            s[TURN] = seat


@compiled
def contest(seats: int, manches: int, mine: Floats, theirs: Floats, dice: Ints, totals: Floats) -> None:
    """Let two sets of weights play manches, each deal twice with exchanged seats; add points, shares and turns."""
    s, root = np.empty(STATE, np.int64), np.empty(STATE, np.int64)
    scores, worths = np.empty(8), np.empty(WORTHS)
    for _ in range(manches):
        deal(root, seats, dice)
        for side in range(2):
            for field in range(ORDER):
                s[field] = root[field]
            while True:
                play_turn(s, mine if s[TURN] % 2 == side else theirs, worths, dice)
                totals[3] += 1
                if pass_on(s):
                    break
            finish(s, scores, dice)
            for seat in range(seats):
                if seat % 2 == side:
                    totals[0] += scores[seat]
                    totals[2] += utility(s, mine, scores, seat)
                else:
                    totals[1] += scores[seat]
