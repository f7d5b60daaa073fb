"""A manche of Ojyx at machine speed: what a grid is worth, a player that goes by it, and playing on to the end.

A manche is one array of int64. A card is its value plus two, 0 to 14; a card face down that the thinking player knows
has `DOWN` added to it, and one that nobody has seen is `UNSEEN`. Before a manche is played on, these are drawn, with
`FATED` added to them, and the order of the deck too: whatever is tried then meets the same luck, and players still know
nothing of it. Action cards are not played here: a stock counts for the points that it will save its owner in the end.

Everything compiled lives in this one file: Numba's cache looks at the date of a function's own file and no other.
The rules themselves are `rules.py`; a differential test holds the two together.
"""

from __future__ import annotations

import numpy as np

from ...core.machine import Floats, Ints, compiled

VALUES = 15
UNSEEN, EMPTY, DOWN, FATED = 15, 16, 32, 64
ZERO = 2
"""The card 0."""

# A manche: eight grids of twelve places, row by row, then what else there is to know.
GRIDS = 0
MARKS = 96
"""By seat and column: curses less heals."""
COUNTS = 128
"""How many cards of each value the thinking player has not seen: face down or, up to its first refill, in the deck."""
PILE = 143
"""The same of the discard pile, its top aside."""
TOP = 158
"""The top of the discard pile, or -1."""
DECK = 159
"""How many cards the deck has."""
SEATS = 160
TURN = 161
DIRECTION = 162
"""1, or -1 when the direction is turned."""
SKIPS = 163
"""How many of the next players will be skipped."""
INITIATOR = 164
"""Who ended the manche, or -1."""
OWED = 165
"""Seats that are still owed a last turn, as bits."""
PLAYING = 166
"""Seats that have not left, as bits."""
LIMIT = 167
"""How many more turns there are before the manche ends by itself."""
REVEALS = 168
"""Whether discarding a drawn card turns one of one's own."""
PHASE = 169
HELD = 170
"""The drawn card, from the deck in `DECIDE`, from the discard pile in `PLACE`."""
AT = 171
"""What a phase aims at: a place of the grids, or a column's first."""
LEFT = 172
"""How many `COUNTS` has, all values together."""
BOONS = 173
"""What each seat's stock will save it in the end, in sixteenths of a point."""
STOCKS = 181
"""How many action cards each seat has."""
REFILLED = 189
"""Whether the deck was refilled: then it holds `REFILL`, and only cards face down are in `COUNTS`."""
REFILL = 190
KNOWN = 205
"""The top cards of the deck where the thinking player knows them, next one first."""
KNOWN_CARDS = 208
TURNS = 209
"""Turns played on: in each of them the deck shows the next card of its order, whether the last one was taken or not."""
ORDERED = 210
"""How many cards `ORDER` has."""
KNOWER = 211
"""The thinking player, who alone goes by `KNOWN`."""
ORDER = 212
STATE = 362

# Where in a turn the manche is: before the draw, or with the draw already chosen; with a card in hand; about to turn a
# card of one's own choice; about to lay the card in hand or the unseen top card on any place, to turn any card or
# column, or to shuffle one's grid; at its end.
DRAW, FROM_DECK, FROM_PILE, FROM_ACTIONS, DECIDE, PLACE, TURN_ONE = range(7)
PUT, GAMBLE, FLIP, FLIP_COLUMN, SHUFFLE, DONE = range(7, 13)

# What the player goes by.
CHANCES = 0
"""How many more cards it will see before the manche ends, as the end comes near …"""
CHANCES_EACH = 1
"""… and for each card face down of whoever has the fewest."""
TURNING = 2
"""What knowing one more of one's cards is worth."""
ACTION = 3
"""What an action card is worth that can be kept; `ACTION_NOW` is for one that must be played at once or never."""
LAST_TURN = 4
"""How much better a player does in a last turn."""
SPREAD = 5
"""How uncertain that is: so many points behind, closing is sure to be wrong; as many ahead, sure to be right."""
CLOSING = 6
"""What ending the manche is worth when it goes well: nobody improves any more."""
FILLING = 7
"""What laying a card over one that nobody has seen is worth beyond its points."""
WIN = 8
"""What leaving everybody behind is worth beyond the points of difference."""
ACTION_NOW = 9
LASTING = 10
"""What is left in the end of what an action card gains at first sight: later turns put right what it did."""

THUMB = np.array([2.0, 2.0, 2.5, 2.0, 4.0, 8.0, 4.0, 0.0, 10.0, 1.0, 1.0])
"""Round figures, as a person would guess them."""
LEARNT = np.array([0.0, 4.0, 3.3, 1.0, 8.5, 11.0, 2.0, 0.4, 20.0, 0.5, 0.35])
"""What won most of many manches against others."""

# What `survey` notes of a player: the worth of its columns, their sum, and room for what each card would gain.
GAINS = 5
WORTHS = GAINS + VALUES


@compiled
def pick(dice: Ints, n: int) -> int:
    """Draw from [0, n)."""
    dice[0] = dice[0] * 6364136223846793005 + 1442695040888963407
    return ((dice[0] >> 32 & 0xFFFFFFFF) * n) >> 32


@compiled
def mean(s: Ints) -> float:
    """The mean value of the cards nobody has seen."""
    total = 0
    for card in range(VALUES):
        total += s[COUNTS + card] * (card - ZERO)
    return total / max(1, s[LEFT])


@compiled
def draw_from(s: Ints, counts: int, left: int, dice: Ints) -> int:
    """Take one of so many cards that are counted at a place, each as likely as any other."""
    at = pick(dice, max(1, left))
    for card in range(VALUES):
        at -= s[counts + card]
        if at < 0:
            s[counts + card] -= 1
            return card
    return ZERO


@compiled
def see(s: Ints, cell: int, dice: Ints) -> int:
    """Return the card at a place, drawing it where that was not done, and count it as seen."""
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
    """Take the top of the deck, refilled from the discard pile where it is empty."""
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
    """How many cards of a seat are face down."""
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
    """Begin the last lap where a grid has nothing left to turn."""
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
    """Lay a card face up on any place of any grid; what lay there is discarded."""
    discard(s, see(s, cell, dice))
    s[GRIDS + cell] = card
    settle(s, cell // 12)
    close(s, cell // 12, actor)


@compiled
def shuffle(s: Ints, seat: int, dice: Ints) -> None:
    """Mix a grid, each card with its face."""
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
    """How many more cards a player will see, by the grid that is nearest to its end; none in the last lap."""
    if s[INITIATOR] >= 0:
        return 0.0
    fewest = 12
    for seat in range(s[SEATS]):
        if s[PLAYING] >> seat & 1:
            fewest = min(fewest, hidden(s, seat))
    return w[CHANCES] + w[CHANCES_EACH] * fewest


@compiled
def value_of(card: int, middle: float) -> float:
    """What a card is expected to count."""
    if card == UNSEEN or card >= FATED:
        return middle
    return 0.0 if card == EMPTY else float(card % DOWN - ZERO)


@compiled
def completed(s: Ints, card: int, seen: float) -> float:
    """How likely the third of two equal cards comes among so many cards."""
    counts, left = (REFILL, s[DECK]) if s[REFILLED] and s[DECK] else (COUNTS, s[LEFT])
    often = seen * s[counts + card]
    return often / (often + left + 1)


@compiled
def column_worth(s: Ints, a: int, b: int, c: int, mark: int, middle: float, seen: float) -> float:
    """What a column will count: its cards, less if two are equal and the third may come."""
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
    """What the column that begins at a place will count."""
    mark = s[MARKS + column // 12 * 4 + column % 4]
    return column_worth(s, s[GRIDS + column], s[GRIDS + column + 4], s[GRIDS + column + 8], mark, middle, seen)


@compiled
def grid_worth(s: Ints, seat: int, middle: float, seen: float) -> float:
    """What a grid will count, as far as its columns can tell."""
    total = 0.0
    for column in range(12 * seat, 12 * seat + 4):
        total += worth_at(s, column, middle, seen)
    return total


@compiled
def rival(s: Ints, w: Floats, seat: int, middle: float) -> float:
    """What the best of the others will count if the manche ends now, by their cards and a last turn each."""
    best = 1000.0
    for other in range(s[SEATS]):
        if other != seat and s[PLAYING] >> other & 1:
            best = min(best, grid_worth(s, other, middle, 0.0) - s[BOONS + other] / 16 - w[LAST_TURN])
    return best


@compiled
def worth_closing(w: Floats, mine: float, best: float) -> float:
    """What ending the manche is worth with so many points, beyond them: who is not lowest counts double."""
    risk = min(1.0, max(0.0, 0.5 - (best - mine) / (2.0 * w[SPREAD])))
    return w[CLOSING] * (1.0 - risk) - max(0.0, mine) * risk


@compiled
def gain_at(
    s: Ints, w: Floats, cell: int, card: int, middle: float, seen: float, worths: Floats, down: int, best: float
) -> float:
    """How much good a card does at a place of a grid, in points; the rest is from `survey`."""
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
    """Where a card does most good in a grid, and how much."""
    most, where = -1e9, 12 * seat
    for cell in range(12 * seat, 12 * seat + 12):
        if s[GRIDS + cell] != EMPTY:
            gain = gain_at(s, w, cell, card, middle, seen, worths, down, best)
            if gain > most:
                most, where = gain, cell
    return where, most


@compiled
def survey(s: Ints, w: Floats, seat: int, worths: Floats) -> tuple[float, float, int, float]:
    """What a player looks at before a turn: the mean unseen card, cards to come, cards face down, the best rival.

    `worths` gets what the columns count, and their sum less what the stock saves.
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
    """What it is worth to discard the drawn card and, under that option, to turn one."""
    if not s[REVEALS] or down == 0:
        return 0.0
    if down == 1:
        return worth_closing(w, worths[4], best)
    return w[TURNING]


@compiled
def deck_gain(
    s: Ints, w: Floats, seat: int, middle: float, seen: float, worths: Floats, down: int, best: float
) -> float:
    """What the top of the deck is worth on average: `best_place` of every card, looked at once for each place."""
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
    """The card to turn: beside two equal ones, else beside one, else any; -1 where all are face up."""
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
    """What drawing an action card is worth: less when it cannot be kept for the best moment."""
    return w[ACTION] if s[STOCKS + seat] < 3 and s[INITIATOR] < 0 else w[ACTION_NOW]


@compiled
def choose_draw(
    s: Ints, w: Floats, seat: int, middle: float, seen: float, worths: Floats, down: int, best: float
) -> int:
    """Where to draw from."""
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
    """Turn everything and count."""
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
    """Play a manche to its end, everybody by the same weights."""
    worths = np.empty(WORTHS)
    play_turn(s, w, worths, dice)
    while not pass_on(s):
        play_turn(s, w, worths, dice)
    finish(s, scores, dice)


@compiled
def draw_fates(s: Ints, dice: Ints) -> None:
    """Draw what every unseen card will be when it is turned, and the order of the deck."""
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
    """Shuffle so many cards of `ORDER`."""
    while left > 1:
        at = pick(dice, left)
        left -= 1
        s[ORDER + at], s[ORDER + left] = s[ORDER + left], s[ORDER + at]


@compiled
def utility(s: Ints, w: Floats, scores: Floats, me: int) -> float:
    """What an end is worth to a seat: points less than the others have, and more for each of them left behind."""
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
    """How a seat stands without playing on: the others' points less its own, those of the best of them above all."""
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
    """Play on from each state so many times, all with the same luck, and add what it brought to the totals."""
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
    """Begin a manche with two cards of each grid face up; the highest sum starts."""
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
    """Let two sets of weights play manches, each deal twice with seats exchanged; add points, shares and turns."""
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
