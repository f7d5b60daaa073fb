"""Moves, perft and search of draughts, compiled by Numba.

A position is four integers seen from the side to move: its men, its kings, the other's men, the other's kings. In the
kernel a ghost square follows every two rows of five. So a step is the same shift on every square, and a step over the
edge ends on a ghost:

    .  0 .  1 .  2 .  3 .  4        down-left is +5, down-right +6, up-right -5, up-left -6;
     5 .  6 .  7 .  8 .  9 .        the 8×8 board is the upper left of the same squares.
    . 11 . 12 . 13 . 14 . 15   (10 is a ghost)

All compiled code is in this one file, because Numba's cache checks the date of a function's own file only.
`rules.py` stays the reference; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from math import comb

import numpy as np

from ...core.machine import Ints, highest, inlined, lean, lowest, popcount, prefetch


def padded(square: int, size: int) -> int:
    """Return the bit of a square numbered from 0, row by row."""
    row, column = divmod(square, size // 2)
    return row // 2 * 11 + row % 2 * 5 + column


SQUARES = {size: [padded(square, size) for square in range(size * size // 2)] for size in (8, 10)}
BOARD = {size: sum(1 << bit for bit in bits) for size, bits in SQUARES.items()}
LAST_ROW = {size: (BOARD[size] & 31, sum(1 << bit for bit in bits[-size // 2 :])) for size, bits in SQUARES.items()}
"""The squares on which the men of each side promote."""

STEPS = (5, 6, -5, -6)


def ray(bit: int, step: int) -> int:
    """Return the squares of the 10×10 board beyond one, in one direction."""
    squares, at = 0, bit + step
    while at >= 0 and BOARD[10] >> at & 1:
        squares |= 1 << at
        at += step
    return squares


RAYS: Ints = np.array([ray(bit, step) for step in STEPS for bit in range(64)], dtype=np.int64)

# A move is two integers: origin, target and whether a king moves in one, the pieces taken as bits in the other.
KING = 1 << 12
MOVES = 1024
"""Space for the moves of one position."""
WORK = 8192
"""Space for the unfinished captures of one position."""


@lean
def beyond(at: int, way: int, empty: int) -> int:
    """Return the empty squares that a king can slide over, in one direction."""
    line = RAYS[way * 64 + at]
    blocked = line & ~empty
    if way < 2:
        return line & ((blocked & -blocked) - 1)
    return line & -(2 << highest(blocked)) if blocked else line


@lean
def blocker(at: int, way: int, empty: int) -> int:
    """Return the first occupied square in one direction, as a bit; 0 if there is none."""
    blocked = RAYS[way * 64 + at] & ~empty
    if way < 2:
        return blocked & -blocked
    return 1 << highest(blocked) if blocked else 0


@lean
def man_captures(
    start: int, others: int, empty: int, best: int, begin: int, end: int, moves: Ints, takes: Ints, work: Ints
) -> tuple[int, int]:
    """List the longest captures of a man unless longer ones are listed; return their length and the list's end."""
    free = empty | (1 << start)
    work[0], work[1] = start, 0
    top = 2
    while top:
        top -= 2
        at, taken = work[top], work[top + 1]
        bottom = top
        here = 1 << at
        left = others & ~taken
        if here & (left >> 5) & (free >> 10):
            work[top], work[top + 1] = at + 10, taken | here << 5
            top += 2
        if here & (left >> 6) & (free >> 12):
            work[top], work[top + 1] = at + 12, taken | here << 6
            top += 2
        if here & (left << 5) & (free << 10):
            work[top], work[top + 1] = at - 10, taken | here >> 5
            top += 2
        if here & (left << 6) & (free << 12):
            work[top], work[top + 1] = at - 12, taken | here >> 6
            top += 2
        if top == bottom and taken:
            best, end = keep(start | at << 6, taken, best, begin, end, moves, takes)
    return best, end


@lean
def king_captures(
    start: int, others: int, empty: int, best: int, begin: int, end: int, moves: Ints, takes: Ints, work: Ints
) -> tuple[int, int]:
    """List the longest captures of a king unless longer ones are listed; return their length and the list's end."""
    free = empty | (1 << start)
    work[0], work[1] = start, 0
    top = 2
    while top:
        top -= 2
        at, taken = work[top], work[top + 1]
        bottom = top
        for way in range(4):
            hit = blocker(at, way, free)
            if hit & others & ~taken:
                landings = beyond(lowest(hit), way, free)
                while landings and top < WORK:
                    work[top], work[top + 1] = lowest(landings), taken | hit
                    top += 2
                    landings &= landings - 1
        if top == bottom and taken:
            best, end = keep(start | at << 6 | KING, taken, best, begin, end, moves, takes)
    return best, end


@lean
def keep(move: int, taken: int, best: int, begin: int, end: int, moves: Ints, takes: Ints) -> tuple[int, int]:
    """Add a capture and drop shorter ones; another path with the same pieces taken is the same move (D2)."""
    length = popcount(taken)
    if length < best:
        return best, end
    if length > best:
        end = begin
    for at in range(begin, end):
        if moves[at] == move and takes[at] == taken:
            return best, end
    if end - begin < MOVES:
        moves[end], takes[end] = move, taken
        end += 1
    return length, end


@lean
def generate(
    men: int,
    kings: int,
    other_men: int,
    other_kings: int,
    side: int,
    board: int,
    begin: int,
    moves: Ints,
    takes: Ints,
    work: Ints,
) -> int:
    """Write the legal moves (D1 to D3) into the list from `begin` on and return its end."""
    others = other_men | other_kings
    empty = board & ~(men | kings | others)
    # The squares from which a man can jump down-left, down-right, up-right, up-left.
    jump0 = (others >> 5) & (empty >> 10)
    jump1 = (others >> 6) & (empty >> 12)
    jump2 = (others << 5) & (empty << 10)
    jump3 = (others << 6) & (empty << 12)
    end = begin
    best = 0
    if men & (jump0 | jump1 | jump2 | jump3):
        by0, by1, by2, by3 = men & jump0, men & jump1, men & jump2, men & jump3
        to0, to1, to2, to3 = by0 << 10, by1 << 12, by2 >> 10, by3 >> 12
        # A second jump never goes straight back, so it does not depend on the first piece taken or the start.
        again = (
            (to0 & (jump0 | jump1 | jump3))
            | (to1 & (jump0 | jump1 | jump2))
            | (to2 & (jump1 | jump2 | jump3))
            | (to3 & (jump0 | jump2 | jump3))
        )
        if again:
            jumpers = by0 | by1 | by2 | by3
            while jumpers:
                best, end = man_captures(lowest(jumpers), others, empty, best, begin, end, moves, takes, work)
                jumpers &= jumpers - 1
        else:
            best = 1
            end = jumps(by0, 5, end, moves, takes)
            end = jumps(by1, 6, end, moves, takes)
            end = jumps(by2, -5, end, moves, takes)
            end = jumps(by3, -6, end, moves, takes)
    pieces = kings
    while pieces:
        best, end = king_captures(lowest(pieces), others, empty, best, begin, end, moves, takes, work)
        pieces &= pieces - 1
    if best:
        return end
    if side == 0:
        end = walks(men & (empty << 5), -5, end, moves, takes)
        end = walks(men & (empty << 6), -6, end, moves, takes)
    else:
        end = walks(men & (empty >> 5), 5, end, moves, takes)
        end = walks(men & (empty >> 6), 6, end, moves, takes)
    pieces = kings
    while pieces:
        at = lowest(pieces)
        targets = beyond(at, 0, empty) | beyond(at, 1, empty) | beyond(at, 2, empty) | beyond(at, 3, empty)
        while targets:
            moves[end], takes[end] = at | lowest(targets) << 6 | KING, 0
            end += 1
            targets &= targets - 1
        pieces &= pieces - 1
    return end


@lean
def walks(men: int, step: int, end: int, moves: Ints, takes: Ints) -> int:
    """Add one step of each man to the list and return the list's end."""
    while men:
        at = lowest(men)
        moves[end], takes[end] = at | (at + step) << 6, 0
        end += 1
        men &= men - 1
    return end


@lean
def jumps(men: int, step: int, end: int, moves: Ints, takes: Ints) -> int:
    """Add the capture of one piece by each man to the list and return the list's end."""
    while men:
        at = lowest(men)
        moves[end], takes[end] = at | (at + 2 * step) << 6, 1 << (at + step)
        end += 1
        men &= men - 1
    return end


@lean
def count(
    men: int,
    kings: int,
    other_men: int,
    other_kings: int,
    side: int,
    board: int,
    moves: Ints,
    takes: Ints,
    work: Ints,
    begin: int,
) -> int:
    """Count the legal moves, without listing them if possible."""
    if kings == 0:
        others = other_men | other_kings
        empty = board & ~(men | others)
        jump0 = (others >> 5) & (empty >> 10)
        jump1 = (others >> 6) & (empty >> 12)
        jump2 = (others << 5) & (empty << 10)
        jump3 = (others << 6) & (empty << 12)
        by0, by1, by2, by3 = men & jump0, men & jump1, men & jump2, men & jump3
        if by0 | by1 | by2 | by3 == 0:
            if side == 0:
                return popcount(men & (empty << 5)) + popcount(men & (empty << 6))
            return popcount(men & (empty >> 5)) + popcount(men & (empty >> 6))
        again = (
            ((by0 << 10) & (jump0 | jump1 | jump3))
            | ((by1 << 12) & (jump0 | jump1 | jump2))
            | ((by2 >> 10) & (jump1 | jump2 | jump3))
            | ((by3 >> 12) & (jump0 | jump2 | jump3))
        )
        if again == 0:
            return popcount(by0) + popcount(by1) + popcount(by2) + popcount(by3)
    return generate(men, kings, other_men, other_kings, side, board, begin, moves, takes, work) - begin


@lean
def perft(
    position: Ints,
    side: int,
    board: int,
    crowns: tuple[int, int],
    depth: int,
    bulk: bool,
    moves: Ints,
    takes: Ints,
    work: Ints,
    stack: Ints,
) -> int:
    """Count the sequences of `depth` moves; with `bulk`, count the last moves without playing them."""
    for field in range(4):
        stack[field] = position[field]
    stack[4] = 0
    stack[5] = generate(stack[0], stack[1], stack[2], stack[3], side, board, 0, moves, takes, work)
    if depth == 1 and bulk:
        return stack[5]
    last = 2 if bulk else 1
    total, frame = 0, 0
    while True:
        next_move, end = stack[frame + 4], stack[frame + 5]
        if next_move == end:
            if frame == 0:
                return total
            frame -= 8
            depth += 1
            side ^= 1
            continue
        stack[frame + 4] = next_move + 1
        taken = takes[next_move]
        men, kings = moved(stack[frame], stack[frame + 1], moves[next_move], crowns[side])
        left_men, left_kings = stack[frame + 2] & ~taken, stack[frame + 3] & ~taken
        # The position after the move, from the other side.
        stack[frame + 8], stack[frame + 9], stack[frame + 10], stack[frame + 11] = left_men, left_kings, men, kings
        if depth == last:
            total += count(left_men, left_kings, men, kings, side ^ 1, board, moves, takes, work, end) if bulk else 1
            continue
        side ^= 1
        depth -= 1
        frame += 8
        stack[frame + 4] = end
        stack[frame + 5] = generate(left_men, left_kings, men, kings, side, board, end, moves, takes, work)


@inlined
def moved(men: int, kings: int, move: int, crown: int) -> tuple[int, int]:
    """Return a side's men and kings after its move; a man that ends on the last row promotes (D3)."""
    start, end = 1 << (move & 63), 1 << (move >> 6 & 63)
    if move & KING:
        return men, kings ^ start ^ end
    men ^= start
    if end & crown:
        return men, kings | end
    return men | end, kings


# The geometry of a board in one array; two fields if the sides differ.
GEOMETRY_FIELDS = 16
BOARD_AT, CROWN_AT, ROW_BIT_AT, CENTRE_AT, EDGE_AT = 0, 1, 3, 7, 8
KEY_SQUARES_AT, MAIN_LINE_AT, NEAR_AT, START_AT, FARTHEST_AT = 9, 11, 12, 14, 15


def rows(size: int, wanted: Iterable[int]) -> int:
    """Return the squares of some rows."""
    half = size // 2
    return sum(1 << bit for at, bit in enumerate(SQUARES[size]) if at // half in wanted)


def named(size: int, squares: Iterable[int]) -> int:
    """Return squares, given by their numbers, as bits."""
    return sum(1 << SQUARES[size][square - 1] for square in squares)


def geometry(size: int) -> Ints:
    """Return the masks of a board: all squares, promotion squares, and squares for the evaluation."""
    masks = np.zeros(GEOMETRY_FIELDS, dtype=np.int64)
    masks[BOARD_AT] = BOARD[size]
    masks[CROWN_AT : CROWN_AT + 2] = LAST_ROW[size]
    for bit in range(4):
        masks[ROW_BIT_AT + bit] = rows(size, [row for row in range(size) if row >> bit & 1])
    if size == 10:
        masks[CENTRE_AT] = named(10, (17, 18, 19, 22, 23, 24, 27, 28, 29, 32, 33, 34))
        masks[EDGE_AT] = named(10, (6, 16, 26, 36, 46, 5, 15, 25, 35, 45))
        masks[KEY_SQUARES_AT : KEY_SQUARES_AT + 2] = named(10, (47, 48, 49)), named(10, (2, 3, 4))
    else:
        masks[CENTRE_AT] = named(8, (10, 11, 14, 15, 18, 19, 22, 23))
        masks[EDGE_AT] = named(8, (5, 13, 21, 29, 4, 12, 20, 28))
        masks[KEY_SQUARES_AT : KEY_SQUARES_AT + 2] = named(8, (30, 32)), named(8, (1, 3))
    line = SQUARES[size][size // 2 - 1]
    masks[MAIN_LINE_AT] = (ray(line, 5) | 1 << line) & BOARD[size]
    masks[NEAR_AT : NEAR_AT + 2] = rows(size, (1, 2)), rows(size, (size - 3, size - 2))
    masks[START_AT], masks[FARTHEST_AT] = (40 if size == 10 else 24), size - 1
    return masks


# The preferences of a search in one array: the value of a point, of being ahead and of a draw, whether points count,
# a number that decides between moves of nearly the same value, and whether the evaluation is the learned one.
PARAMS = 6
PER_POINT, AHEAD, CONTEMPT, SCORED, TIEBREAK, LEARNED = range(PARAMS)

WIN = 30000
"""The value of a win, minus one for every move until then."""
KNOWN_WIN = 3000
"""The value of an ending that is won in the tables."""
MAN_WORTH, KING_WORTH = 100, 270
DEEPEST = 100
"""The longest line of a search."""


@inlined
def can_capture(men: int, kings: int, others: int, empty: int) -> bool:
    """Return whether a side would have to capture if it were to move."""
    if men & (
        ((others >> 5) & (empty >> 10))
        | ((others >> 6) & (empty >> 12))
        | ((others << 5) & (empty << 10))
        | ((others << 6) & (empty << 12))
    ):
        return True
    while kings:
        at = lowest(kings)
        for way in range(4):
            hit = blocker(at, way, empty)
            if hit & others and beyond(lowest(hit), way, empty):
                return True
        kings &= kings - 1
    return False


@lean
def slides(kings: int, empty: int) -> int:
    """Count the moves of kings without captures."""
    total = 0
    while kings:
        at = lowest(kings)
        for way in range(4):
            total += popcount(beyond(at, way, empty))
        kings &= kings - 1
    return total


@inlined
def steps(men: int, empty: int, side: int) -> int:
    """Count the moves of a side's men without captures."""
    if side == 0:
        return popcount(men & (empty << 5)) + popcount(men & (empty << 6))
    return popcount(men & (empty >> 5)) + popcount(men & (empty >> 6))


@inlined
def structure(men: int, empty: int, side: int, board: Ints) -> int:
    """Evaluate a side's men: number, advance, centre, guard of the last row, support and mobility."""
    number = popcount(men)
    advance = (
        popcount(men & board[ROW_BIT_AT])
        + 2 * popcount(men & board[ROW_BIT_AT + 1])
        + 4 * popcount(men & board[ROW_BIT_AT + 2])
        + 8 * popcount(men & board[ROW_BIT_AT + 3])
    )
    if side == 0:
        advance = board[FARTHEST_AT] * number - advance
        # A man is safe from behind if the squares below it are occupied or off the board.
        held = popcount(men & ~(empty >> 5)) + popcount(men & ~(empty >> 6))
    else:
        held = popcount(men & ~(empty << 5)) + popcount(men & ~(empty << 6))
    return (
        MAN_WORTH * number
        + 2 * advance
        + 12 * popcount(men & board[NEAR_AT + side])
        + 4 * popcount(men & board[CENTRE_AT])
        - 3 * popcount(men & board[EDGE_AT])
        + 7 * popcount(men & board[KEY_SQUARES_AT + side])
        + held
        + 3 * steps(men, empty, side)
    )


@inlined
def evaluate(
    men: int,
    kings: int,
    other_men: int,
    other_kings: int,
    side: int,
    lead: int,
    params: Ints,
    board: Ints,
    weights: Ints,
    pairs: Ints,
) -> int:
    """Evaluate a position without captures for the side to move, in hundredths of a man."""
    empty = board[BOARD_AT] & ~(men | kings | other_men | other_kings)
    freedom = slides(kings, empty) if kings else 0
    if freedom == 0 and steps(men, empty, side) == 0:
        return -WIN
    if params[LEARNED]:
        value = by_patterns(men, kings, other_men, other_kings, side, freedom, empty, board, weights, pairs)
    else:
        value = by_hand(men, kings, other_men, other_kings, side, freedom, empty, board)
    value += tiebreak(men, kings, other_men, other_kings, params)
    if lead and params[PER_POINT]:
        value += points_worth(lead, popcount(men | kings | other_men | other_kings), params, board)
    return value


@inlined
def tiebreak(men: int, kings: int, other_men: int, other_kings: int, params: Ints) -> int:
    """Return up to three hundredths of a man, which decide between positions of nearly the same value."""
    salt = params[TIEBREAK]
    return ((men ^ kings << 3) * salt ^ (other_men ^ other_kings << 3) * (salt + 2)) >> 40 & 3


@inlined
def by_hand(
    men: int, kings: int, other_men: int, other_kings: int, side: int, freedom: int, empty: int, board: Ints
) -> int:
    """Evaluate by rules of thumb; the only way on the 8×8 board."""
    value = structure(men, empty, side, board) - structure(other_men, empty, side ^ 1, board)
    mine, theirs = popcount(men | kings), popcount(other_men | other_kings)
    if kings | other_kings:
        value += KING_WORTH * (popcount(kings) - popcount(other_kings))
        value += 2 * (freedom - slides(other_kings, empty))
        line = board[MAIN_LINE_AT]
        value += 15 * ((kings & line != 0) - (other_kings & line != 0))
        if is_hard_to_win(value, kings, other_kings, mine, theirs):
            value //= 4
    else:
        # Exchanges favour the side that is ahead.
        value += (mine - theirs) * (board[START_AT] - mine - theirs)
    return value


@inlined
def is_hard_to_win(value: int, kings: int, other_kings: int, mine: int, theirs: int) -> bool:
    """A king is hard to catch: a side that has one rarely loses to three pieces or fewer (16 or 5 moves, D8)."""
    if value > 0:
        return other_kings != 0 and mine <= 3 and theirs <= 2
    return kings != 0 and theirs <= 3 and mine <= 2


# The learned evaluation: evaluate.h in training/dames explains it and is its reference. Men stand in windows of six
# rows and four columns, and each arrangement of a window has a weight. A weight is two numbers in one: the lower 16
# bits count in the opening, the rest in the endgame. So both are added at once.
ARRANGEMENTS, TABLES, EXTRAS = 3**12, 6, 8
FEW, SPAN = 8, 24
"""The weights of the endgame count alone from 8 pieces down, those of the opening from 32 up."""
PAIR = 1023
LEFT = sum(0xE3 << 11 * pair for pair in range(5))
SPREAD = 0x000000FF000000FF


@cache
def pair_numbers() -> Ints:
    """Return the number of the men in two rows for each of four windows, a byte each, in base 3.

    The lower four bytes are for a side that moves up. The upper four are for the other, which turns the board.
    """
    digits = (1, 0), (3, 1), (9, 5), (27, 6)
    upright = [
        sum(digit << 8 * window for window in range(4) for digit, at in digits if bits >> window + at & 1)
        for bits in range(1024)
    ]
    turned = (upright[int(f"{bits:010b}"[::-1], 2)] for bits in range(1024))
    return np.array([low | high << 32 for low, high in zip(upright, turned, strict=True)], dtype=np.int64)


@inlined
def windows_of(first: int, second: int, third: int, fourth: int, weights: Ints) -> int:
    """Add the weights of one side's six windows, from the numbers of four pairs of rows."""
    even0, even1, even2, even3 = spread(first), spread(second), spread(third), spread(fourth)
    odd0, odd1, odd2, odd3 = spread(first >> 8), spread(second >> 8), spread(third >> 8), spread(fourth >> 8)
    even = even0 + 81 * even1 + 6561 * even2
    odd = odd0 + 81 * odd1 + 6561 * odd2
    low = (even1 + 81 * even2 + 6561 * even3) & 0xFFFFFFFF
    high = (odd1 + 81 * odd2 + 6561 * odd3) & 0xFFFFFFFF
    return (
        weights[EXTRAS + (even & 0xFFFFFFFF)]
        + weights[EXTRAS + ARRANGEMENTS + (odd & 0xFFFFFFFF)]
        + weights[EXTRAS + 2 * ARRANGEMENTS + (even >> 32 & 0xFFFFFF)]
        + weights[EXTRAS + 3 * ARRANGEMENTS + (odd >> 32 & 0xFFFFFF)]
        + weights[EXTRAS + 4 * ARRANGEMENTS + low]
        + weights[EXTRAS + 5 * ARRANGEMENTS + high]
    )


@inlined
def spread(numbers: int) -> int:
    """Move the first and the third byte to the two halves of a word."""
    return (numbers | numbers << 16) & SPREAD


@inlined
def skew(men: int, board: Ints) -> int:
    """Return how many more men stand on one half of the board than on the other."""
    return abs(2 * popcount(men & LEFT) - popcount(men))


@inlined
def by_patterns(
    men: int,
    kings: int,
    other_men: int,
    other_kings: int,
    side: int,
    freedom: int,
    empty: int,
    board: Ints,
    weights: Ints,
    pairs: Ints,
) -> int:
    """Evaluate with learned weights, on the 10×10 board."""
    up, down = (men, other_men) if side == 0 else (other_men, men)
    up0, down0 = pairs[up & PAIR], pairs[down & PAIR]
    up1, down1 = pairs[up >> 11 & PAIR], pairs[down >> 11 & PAIR]
    up2, down2 = pairs[up >> 22 & PAIR], pairs[down >> 22 & PAIR]
    up3, down3 = pairs[up >> 33 & PAIR], pairs[down >> 33 & PAIR]
    up4, down4 = pairs[up >> 44 & PAIR], pairs[down >> 44 & PAIR]
    low = 0xFFFFFFFF
    total = windows_of(
        up0 + 2 * down0 & low, up1 + 2 * down1 & low, up2 + 2 * down2 & low, up3 + 2 * down3 & low, weights
    ) - windows_of(
        down4 + 2 * up4 >> 32 & low,
        down3 + 2 * up3 >> 32 & low,
        down2 + 2 * up2 >> 32 & low,
        down1 + 2 * up1 >> 32 & low,
        weights,
    )
    if side:
        total = -total
    total += weights[0] * (popcount(men) - popcount(other_men))
    total += weights[5] * (steps(men, empty, side) - steps(other_men, empty, side ^ 1))
    total += weights[6] * (skew(men, board) - skew(other_men, board)) + weights[7]
    if kings | other_kings:
        line = board[MAIN_LINE_AT]
        total += weights[1] * (popcount(kings) - popcount(other_kings))
        total += weights[2] * ((kings != 0) - (other_kings != 0))
        total += weights[3] * (freedom - slides(other_kings, empty))
        total += weights[4] * ((kings & line != 0) - (other_kings & line != 0))
    opening = ((total + 0x8000) & 0xFFFF) - 0x8000
    ending = (total - opening) >> 16
    mine, theirs = popcount(men | kings), popcount(other_men | other_kings)
    phase = min(max(mine + theirs - FEW, 0), SPAN)
    value = towards_zero(opening * phase + ending * (SPAN - phase), SPAN)
    if is_hard_to_win(value, kings, other_kings, mine, theirs):
        value = towards_zero(value, 4)
    return value


@inlined
def towards_zero(value: int, by: int) -> int:
    """Divide as C++ does."""
    return value // by if value >= 0 else -(-value // by)


@lean
def points_worth(lead: int, pieces: int, params: Ints, board: Ints) -> int:
    """Evaluate a lead in points with a match clock: being ahead counts ever more, and its size a little."""
    if lead == 0 or params[PER_POINT] == 0:
        return 0
    gone = board[START_AT] - pieces
    return params[PER_POINT] * lead + params[AHEAD] * lead * gone // ((abs(lead) + 2) * board[START_AT])


# One frame for each ply: boards, key, counters of D8 and lead in points, then the fields of the search.
FRAME = 24
KEY, KING_MOVES, ENDGAME_MOVES, LEAD = 4, 5, 6, 7
ALPHA, BETA, BEST, BEST_MOVE, DEPTH, BEGIN, END, NEXT, WAY, FLOOR, SLOT_KEY, REPLY_DEPTH, TRIED, REAL_DEPTH = range(
    8, 22
)
FULL, SCOUT, REDUCED = 0, 1, 2
"""How the current move is searched: with the full window, with a null window, or that at reduced depth."""

# The state of a search between two slices.
CONTROL = 9
PLY, STAGE, VALUE, NODES, SIDE, PAST, AGE, EXACT_MOVES, PAUSES = range(9)
"""EXACT_MOVES: search so many root moves with the full window, and let none narrow it; 0 is an ordinary search.
PAUSES: return before each root move, so that the caller can take the line of the last one and change the order."""
ENTER, GO_ON, RETURN, DONE = 0, 1, 2, 3

UPPER, LOWER, EXACT = 1, 2, 3

TRIAL_FROM, TRIAL_MARGIN, TRIAL_MOST = 5, 50, WIN - 2 * DEEPEST
"""ProbCut: from which depth, by how much a trial at two fifths of the depth has to exceed the bound, and no wins."""


@inlined
def hashed(men: int, kings: int, other_men: int, other_kings: int, side: int) -> int:
    """Hash a position and its side to move."""
    key = (
        men * 0x1E3779B97F4A7C15
        + kings * 0x3F58476D1CE4E5B9
        + other_men * 0x14D049BB133111EB
        + other_kings * 0x2545F4914F6CDD1D
        + side * 0x5851F42D4C957F2D
    )
    key = (key ^ (key >> 32)) * 0x369DEA0F31A53F85
    return key ^ (key >> 29)


@inlined
def endgame(men: int, kings: int, other_men: int, other_kings: int) -> int:
    """Return the limit of single moves for few pieces against a lone king (D8); 0 is no limit."""
    if kings == 0 or other_kings == 0:
        return 0
    mine, theirs = popcount(men | kings), popcount(other_men | other_kings)
    most = max(mine, theirs)
    if min(mine, theirs) > 1 or most > 3:
        return 0
    return 32 if most == 3 else 10


@inlined
def play(frame: int, move: int, taken: int, side: int, is_keyed: bool, board: Ints, params: Ints, stack: Ints) -> None:
    """Write the position after a move into the next frame, with its key if that is needed."""
    men, kings = stack[frame], stack[frame + 1]
    other_men, other_kings = stack[frame + 2], stack[frame + 3]
    new_men, new_kings = moved(men, kings, move, board[CROWN_AT + side])
    left_men, left_kings = other_men & ~taken, other_kings & ~taken
    after = frame + FRAME
    stack[after], stack[after + 1], stack[after + 2], stack[after + 3] = left_men, left_kings, new_men, new_kings
    if is_keyed:
        stack[after + KEY] = hashed(left_men, left_kings, new_men, new_kings, side ^ 1)
    stack[after + KING_MOVES] = stack[frame + KING_MOVES] + 1 if move & KING and taken == 0 else 0
    limit = endgame(left_men, left_kings, new_men, new_kings)
    begun = limit and taken == 0 and endgame(men, kings, other_men, other_kings)
    stack[after + ENDGAME_MOVES] = stack[frame + ENDGAME_MOVES] + 1 if begun else 0
    gain = 0
    if params[SCORED]:
        gain = points(taken, other_men, other_kings, popcount(new_kings) - popcount(kings))
    stack[after + LEAD] = -(stack[frame + LEAD] + gain)


@inlined
def is_drawn(ply: int, frame: int, past: int, stack: Ints, keys: Ints) -> bool:
    """Return whether a position is drawn by D8; the first repetition counts as a draw."""
    quiet = stack[frame + KING_MOVES]
    if quiet >= 50:
        return True
    spent = stack[frame + ENDGAME_MOVES]
    if spent and spent >= endgame(stack[frame], stack[frame + 1], stack[frame + 2], stack[frame + 3]):
        return True
    here = past + ply
    key = stack[frame + KEY]
    back = 4
    while back <= min(quiet, here) and keys[here - back] != key:
        back += 2
    return back <= min(quiet, here)


@inlined
def slot_of(key: int, table: Ints) -> int:
    """Return the first of the two slots for a key."""
    return (key & (table.size // 2 - 1)) & ~1


@inlined
def probe(key: int, table: Ints) -> int:
    """Return the table's entry for a key; 0 if there is none."""
    slot = slot_of(key, table)
    first, second = table[2 * slot + 1], table[2 * slot + 3]
    if table[2 * slot] ^ first == key:
        return first
    return second if table[2 * slot + 2] ^ second == key else 0


@inlined
def remember(key: int, value: int, depth: int, bound: int, move: int, age: int, table: Ints) -> None:
    """Store a result in the table; replace the same position, else an old or shallow entry."""
    slot = slot_of(key, table)
    deep = table[2 * slot + 1]
    if table[2 * slot] ^ deep != key and (deep >> 45) == age and ((deep >> 16) & 127) > depth:
        slot += 1
    entry = (value + 32768) | max(depth, 0) << 16 | bound << 24 | move << 28 | age << 45
    # Several threads may write here. If the two numbers are not from the same write, they are the entry of no position.
    table[2 * slot] = key ^ entry
    table[2 * slot + 1] = entry


@inlined
def to_table(value: int, ply: int) -> int:
    """Convert the distance to a win: the table counts it from the position, the search from the root."""
    if value > WIN - 2 * DEEPEST:
        return value + ply
    return value - ply if value < 2 * DEEPEST - WIN else value


@inlined
def from_table(value: int, ply: int) -> int:
    if value > WIN - 2 * DEEPEST:
        return value - ply
    return value + ply if value < 2 * DEEPEST - WIN else value


@inlined
def arrange(
    frame: int,
    ply: int,
    side: int,
    wished: int,
    stack: Ints,
    moves: Ints,
    takes: Ints,
    order: Ints,
    history: Ints,
    killers: Ints,
) -> None:
    """Rank the moves of a list: the table's move, then big gains, then moves that caused cutoffs elsewhere."""
    kings = stack[frame + 3]
    for at in range(stack[frame + BEGIN], stack[frame + END]):
        move = moves[at]
        rank = history[side * 4096 + (move & 4095)]
        if takes[at]:
            rank += popcount(takes[at] & kings) << 20
        elif move == killers[2 * ply]:
            rank += 1 << 24
        elif move == killers[2 * ply + 1]:
            rank += 1 << 23
        if move == wished:
            rank += 1 << 30
        order[at] = rank


@inlined
def pick(at: int, end: int, moves: Ints, takes: Ints, order: Ints) -> None:
    """Move the best of the remaining moves to the front."""
    best = at
    for other in range(at + 1, end):
        if order[other] > order[best]:
            best = other
    if best != at:
        moves[at], moves[best] = moves[best], moves[at]
        takes[at], takes[best] = takes[best], takes[at]
        order[at], order[best] = order[best], order[at]


@inlined
def reward(move: int, depth: int, ply: int, side: int, history: Ints, killers: Ints) -> None:
    """Remember a quiet move that caused a cutoff."""
    if killers[2 * ply] != move:
        killers[2 * ply + 1] = killers[2 * ply]
        killers[2 * ply] = move
    at = side * 4096 + (move & 4095)
    history[at] += depth * depth
    if history[at] > 1 << 19:
        for other in range(history.size):
            history[other] >>= 1


@inlined
def extend_line(ply: int, move: int, taken: int, line_moves: Ints, line_takes: Ints, lengths: Ints) -> None:
    """Store the best line of a ply: a move and the best line after it."""
    length = lengths[ply + 1]
    row, below = ply * (DEEPEST + 2), (ply + 1) * (DEEPEST + 2)
    line_moves[row], line_takes[row] = move, taken
    for at in range(length):
        line_moves[row + 1 + at], line_takes[row + 1 + at] = line_moves[below + at], line_takes[below + at]
    lengths[ply] = length + 1


@lean
def search(
    budget: int,
    control: Ints,
    params: Ints,
    board: Ints,
    weights: Ints,
    pairs: Ints,
    tables: Ints,
    stack: Ints,
    keys: Ints,
    moves: Ints,
    takes: Ints,
    order: Ints,
    work: Ints,
    table: Ints,
    history: Ints,
    killers: Ints,
    line_moves: Ints,
    line_takes: Ints,
    lengths: Ints,
) -> bool:
    """Continue a search for some nodes; return whether it is done. Its whole state is in the arrays."""
    ply, stage, value, past = control[PLY], control[STAGE], control[VALUE], control[PAST]
    exact, pauses, first_side = control[EXACT_MOVES], control[PAUSES] != 0, control[SIDE]
    is_far = popcount(stack[0] | stack[1] | stack[2] | stack[3]) > tables[0]
    nodes = 0
    resumed = True
    while stage != DONE and nodes < budget:
        if pauses and ply == 0 and stage == GO_ON and not resumed:
            break
        resumed = False
        side = first_side ^ (ply & 1)
        frame = (ply & 127) * FRAME
        if stage == ENTER:
            nodes += 1
            keys[past + ply] = stack[frame + KEY]
            lengths[ply] = 0
            stage, value = enter(
                ply,
                frame,
                side,
                control,
                params,
                board,
                weights,
                pairs,
                tables,
                is_far,
                stack,
                keys,
                moves,
                takes,
                order,
                work,
                table,
                history,
                killers,
            )
            continue
        if stage == GO_ON:
            at = stack[frame + NEXT]
            if at == stack[frame + END]:
                if stack[frame + REAL_DEPTH]:
                    stage, value = judge_trial(ply, frame, control, stack, table)
                else:
                    finish(ply, frame, control, stack, table)
                    value = stack[frame + BEST]
                    stage = RETURN
                continue
            if stack[frame + END] - at > 1:
                pick(at, stack[frame + END], moves, takes, order)
            move, taken = moves[at], takes[at]
            tried = stack[frame + TRIED]
            depth = stack[frame + REPLY_DEPTH]
            way = SCOUT if tried and (ply or tried >= exact) else FULL
            if tried >= 2 and stack[frame + DEPTH] >= 3 and taken == 0 and ply:
                # Later moves are rarely better if the order is good: search them at reduced depth first.
                depth -= 1 + (tried >= 4 and depth > 3) + (tried >= 8 and depth > 6)
                way = REDUCED
            is_known = False
            if depth <= 0:
                is_known, value = glance(
                    ply, frame, side, move, taken, depth, params, board, weights, pairs, tables, stack
                )
            if not is_known:
                # Only the table and repetitions need a key. At the end of a line, only kings can repeat a position.
                play(frame, move, taken, side, depth > 0 or move & KING != 0, board, params, stack)
                descend(frame, way, depth, stack)
                ply += 1
                stage = ENTER
                continue
            nodes += 1
            stack[frame + WAY] = way
            lengths[ply + 1] = 0
        elif ply == 0:
            stage = DONE
            continue
        else:
            ply -= 1
            frame = (ply & 127) * FRAME
            side ^= 1
        value = -value
        alpha, beta = stack[frame + ALPHA], stack[frame + BETA]
        way = stack[frame + WAY]
        at = stack[frame + NEXT]
        if way != FULL and value > alpha and (way == REDUCED or value < beta):
            # The move is better than expected: search it again, at full depth or with the full window.
            play(frame, moves[at], takes[at], side, True, board, params, stack)
            descend(frame, way - 1, stack[frame + REPLY_DEPTH], stack)
            ply += 1
            stage = ENTER
            continue
        stack[frame + NEXT] = at + 1
        stack[frame + TRIED] += 1
        stage = GO_ON
        if ply == 0:
            # The order is no longer needed here: keep the values of the root moves in it.
            order[at] = value
        if value > stack[frame + BEST]:
            stack[frame + BEST] = value
            stack[frame + BEST_MOVE] = moves[at]
            if value > alpha:
                # If several root moves need exact values, the best does not narrow the window of the next.
                stack[frame + ALPHA] = alpha if ply == 0 and exact else value
                if ply == 0 or beta - alpha > 1:
                    extend_line(ply, moves[at], takes[at], line_moves, line_takes, lengths)
                if value >= beta:
                    if takes[at] == 0:
                        reward(moves[at], max(stack[frame + DEPTH], 1), ply, side, history, killers)
                    stack[frame + NEXT] = stack[frame + END]
    control[PLY], control[STAGE], control[VALUE] = ply, stage, value
    control[NODES] += nodes
    return stage == DONE


@inlined
def glance(
    ply: int,
    frame: int,
    side: int,
    move: int,
    taken: int,
    depth: int,
    params: Ints,
    board: Ints,
    weights: Ints,
    pairs: Ints,
    tables: Ints,
    stack: Ints,
) -> tuple[bool, int]:
    """Value the position after a move at the end of a line at once; return False if it has to be searched."""
    old_kings = stack[frame + 1]
    other_men, other_kings = moved(stack[frame], old_kings, move, board[CROWN_AT + side])
    before_men, before_kings = stack[frame + 2], stack[frame + 3]
    men, kings = before_men & ~taken, before_kings & ~taken
    if kings | other_kings and ((move & KING and taken == 0) or endgame(men, kings, other_men, other_kings)):
        return False, 0  # it may be drawn by D8
    own, others = men | kings, other_men | other_kings
    if tables[0] and popcount(own | others) <= tables[0]:
        return False, 0  # the tables of endings know it
    empty = board[BOARD_AT] & ~(own | others)
    if can_capture(men, kings, others, empty):
        return False, 0
    if depth == 0 and can_capture(other_men, other_kings, own, empty):
        return False, 0
    lead = 0
    if params[SCORED]:
        gain = points(taken, before_men, before_kings, popcount(other_kings) - popcount(old_kings))
        lead = -(stack[frame + LEAD] + gain)
    value = evaluate(men, kings, other_men, other_kings, side ^ 1, lead, params, board, weights, pairs)
    return True, value + ply + 1 if value == -WIN else value


@inlined
def points(taken: int, men: int, kings: int, promoted: int) -> int:
    """D4: 1 point for a man, 3 for a king, 2 for a promotion, and 1 for a capture of several pieces."""
    return popcount(taken & men) + 3 * popcount(taken & kings) + 2 * promoted + (popcount(taken) > 1)


@inlined
def descend(frame: int, way: int, depth: int, stack: Ints) -> None:
    """Set the window, the depth and the list space of the current move."""
    stack[frame + WAY] = way
    after = frame + FRAME
    stack[after + ALPHA] = -stack[frame + BETA] if way == FULL else -stack[frame + ALPHA] - 1
    stack[after + BETA] = -stack[frame + ALPHA]
    stack[after + DEPTH] = depth
    stack[after + BEGIN] = stack[frame + END]


@inlined
def enter(
    ply: int,
    frame: int,
    side: int,
    control: Ints,
    params: Ints,
    board: Ints,
    weights: Ints,
    pairs: Ints,
    tables: Ints,
    is_far: bool,
    stack: Ints,
    keys: Ints,
    moves: Ints,
    takes: Ints,
    order: Ints,
    work: Ints,
    table: Ints,
    history: Ints,
    killers: Ints,
) -> tuple[int, int]:
    """Enter a position: return its value at once, or list its moves and continue with them."""
    men, kings, other_men, other_kings = stack[frame], stack[frame + 1], stack[frame + 2], stack[frame + 3]
    alpha, beta, depth = stack[frame + ALPHA], stack[frame + BETA], stack[frame + DEPTH]
    if ply and is_drawn(ply, frame, control[PAST], stack, keys):
        return RETURN, params[CONTEMPT] if ply & 1 else -params[CONTEMPT]
    key = 0
    if depth > 0:
        # The same pieces are another position if the lead or the counters differ enough to matter.
        extras = stack[frame + LEAD] << 12 | stack[frame + KING_MOVES] >> 3 << 6 | stack[frame + ENDGAME_MOVES]
        key = stack[frame + KEY] ^ (extras * 0x1B873593CC9E2D51)
        stack[frame + SLOT_KEY] = key
        prefetch(table, 2 * slot_of(key, table))
    others, own = other_men | other_kings, men | kings
    if ply and tables[0] and popcount(own | others) <= tables[0]:
        known_as = ending(men, kings, other_men, other_kings, side, tables)
        if known_as == DRAWN:
            return RETURN, params[CONTEMPT] if ply & 1 else -params[CONTEMPT]
        # D8 can turn a win into a draw: search on if it counts the moves, and if the game is in the tables already.
        is_counted = endgame(men, kings, other_men, other_kings) != 0
        if known_as != UNKNOWN and (depth <= 0 or (is_far and not is_counted)):
            value = evaluate(
                men, kings, other_men, other_kings, side, stack[frame + LEAD], params, board, weights, pairs
            )
            return RETURN, ply - WIN if value == -WIN else known_worth(known_as, value, is_counted, ply)
    empty = board[BOARD_AT] & ~(own | others)
    takes_some = False
    begin = stack[frame + BEGIN]
    if depth <= 0 or ply >= DEEPEST - 1:
        takes_some = can_capture(men, kings, others, empty)
        threatened = depth == 0 and not takes_some and can_capture(other_men, other_kings, own, empty)
        if (not takes_some and not threatened) or ply >= DEEPEST - 1 or begin > moves.size - 2 * MOVES:
            lead = stack[frame + LEAD]
            value = evaluate(men, kings, other_men, other_kings, side, lead, params, board, weights, pairs)
            return RETURN, value + ply if value == -WIN else value
    end = generate(men, kings, other_men, other_kings, side, board[BOARD_AT], begin, moves, takes, work)
    if end == begin:
        return RETURN, ply - WIN
    wished = 0
    if depth > 0:
        known = probe(key, table)
        if known:
            wished = known >> 28 & 8191
            bound = known >> 24 & 3
            found = from_table((known & 65535) - 32768, ply)
            if (
                ply
                and beta - alpha == 1
                and (known >> 16 & 127) >= depth
                and (bound == EXACT or (bound == LOWER and found >= beta) or (bound == UPPER and found <= alpha))
            ):
                return RETURN, found
    stack[frame + END], stack[frame + NEXT], stack[frame + TRIED] = end, begin, 0
    stack[frame + BEST], stack[frame + BEST_MOVE], stack[frame + FLOOR] = -WIN - 1, 0, alpha
    # A forced reply costs no depth; neither does an exchange at the end of a line.
    free = takes_some or (end - begin == 1 and depth > 0)
    stack[frame + REPLY_DEPTH] = depth if free else depth - 1
    if end - begin > 1:
        arrange(frame, ply, side, wished, stack, moves, takes, order, history, killers)
    stack[frame + REAL_DEPTH] = 0
    is_quiet = takes[begin] == 0 and not free and not takes_some
    if params[LEARNED] and depth >= TRIAL_FROM and ply and beta - alpha == 1 and is_quiet and abs(beta) < TRIAL_MOST:
        value = evaluate(men, kings, other_men, other_kings, side, stack[frame + LEAD], params, board, weights, pairs)
        if value >= beta:
            begin_trial(frame, beta, depth, stack)
    return GO_ON, 0


@inlined
def known_worth(known_as: int, value: int, is_counted: bool, ply: int) -> int:
    """Value a won or lost ending of the tables: less than a win that the search has seen, and better if it comes soon.

    The evaluation shows the way to the win.
    """
    value = min(max(value, -KNOWN_WIN // 4), KNOWN_WIN // 4)
    if is_counted:
        return value + known_as * MAN_WORTH
    return value + known_as * (KNOWN_WIN - 4 * ply)


@inlined
def begin_trial(frame: int, beta: int, depth: int, stack: Ints) -> None:
    """Search less deep first, but for a better value: if it is reached, the position is good enough (ProbCut)."""
    stack[frame + REAL_DEPTH] = depth
    bound = beta + TRIAL_MARGIN
    stack[frame + ALPHA], stack[frame + BETA], stack[frame + FLOOR] = bound - 1, bound, bound - 1
    stack[frame + DEPTH] = depth * 2 // 5
    stack[frame + REPLY_DEPTH] = stack[frame + DEPTH] - 1


@inlined
def judge_trial(ply: int, frame: int, control: Ints, stack: Ints, table: Ints) -> tuple[int, int]:
    """End a trial: return if its value was reached, else search the moves again as deep as they should be."""
    bound = stack[frame + BETA]
    is_good = stack[frame + BEST] >= bound
    depth = stack[frame + REAL_DEPTH]
    beta = bound - TRIAL_MARGIN
    stack[frame + DEPTH], stack[frame + REAL_DEPTH] = depth, 0
    stack[frame + ALPHA], stack[frame + BETA], stack[frame + FLOOR] = beta - 1, beta, beta - 1
    if is_good:
        stack[frame + BEST] = beta
        finish(ply, frame, control, stack, table)
        return RETURN, beta
    stack[frame + NEXT], stack[frame + TRIED], stack[frame + REPLY_DEPTH] = stack[frame + BEGIN], 0, depth - 1
    stack[frame + BEST], stack[frame + BEST_MOVE] = -WIN - 1, 0
    return GO_ON, 0


@inlined
def finish(ply: int, frame: int, control: Ints, stack: Ints, table: Ints) -> None:
    """Store a position in the table after its last move."""
    if stack[frame + DEPTH] <= 0:
        return
    best = stack[frame + BEST]
    bound = LOWER if best >= stack[frame + BETA] else EXACT if best > stack[frame + FLOOR] else UPPER
    remember(
        stack[frame + SLOT_KEY],
        to_table(best, ply),
        stack[frame + DEPTH],
        bound,
        stack[frame + BEST_MOVE],
        control[AGE],
        table,
    )


# Endings on the 10×10 board (`bitbases.py`). There is a table for each material and side to move. A table is a row of
# blocks of 64 places. A record has 16 blocks: four bits for the kind of each block, and where their units begin. A
# block of one value has no unit, one of two values has a bit a place in one unit, and one of three values has two
# units. Records and units are integers of one array. It begins with the most pieces that it knows and its own size.
MOST_PIECES = 5
LOST, DRAWN, WON, UNKNOWN = -1, 0, 1, 2
"""The value of an ending for the side to move, if the draw rules (D8) did not exist."""
ONE_UNIT, TWO_UNITS = 8, 12
"""The kinds of blocks with units; the lower bits of the first have the value that is missing, plus one."""
UNITS, SECOND_UNITS = -0x7777777777777778, 0x4444444444444444
"""The bits of sixteen kinds that say whether a block has a unit, and a second one."""
BOARD_10, (TOP_ROW, BOTTOM_ROW) = BOARD[10], LAST_ROW[10]
CHOOSE: Ints = np.array([comb(n, k) for k in range(6) for n in range(64)], dtype=np.int64)


def materials(pieces: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield red men, red kings, black men and black kings; of two materials with swapped colours only one."""
    for black in range(1, pieces // 2 + 1):
        red = pieces - black
        for men in range(pieces + 1):
            for red_men in range(max(0, men - black), min(red, men) + 1):
                material = red_men, red - red_men, men - red_men, black - men + red_men
                if material[:2] >= material[2:] or red > black:
                    yield material


def places(material: tuple[int, int, int, int]) -> int:
    """Return how many places a table of a material has."""
    red_men, red_kings, black_men, black_kings = material
    return comb(45, red_men) * comb(45, black_men) * comb(50, red_kings) * comb(50, black_kings)


def sides(material: tuple[int, int, int, int]) -> tuple[int, ...]:
    """Return the sides to move that have a table; if both sides have the same pieces, one is enough."""
    return (0, 1) if material[:2] != material[2:] else (0,)


def layout() -> tuple[list[int], list[int]]:
    """Return where the records of each table begin, -1 if there is no table, and where those of 0, 1, … pieces end."""
    begins, ends, end = [-1] * 1250, [2, 2], 2
    for pieces in range(2, MOST_PIECES + 1):
        for material in materials(pieces):
            for side in sides(material):
                begins[material_code(*material, side)] = end
                end += 2 * (places(material) + 1023 >> 10)
        ends.append(end)
    return begins, ends


def material_code(red_men: int, red_kings: int, black_men: int, black_kings: int, side: int) -> int:
    return (((red_men * 5 + red_kings) * 5 + black_men) * 5 + black_kings) * 2 + side


BEGINS: Ints = np.array(layout()[0], dtype=np.int64)
RECORDS = layout()[1]
"""Where the records of all tables with up to so many pieces end."""


@lean
def rank(squares: int, first: int) -> int:
    """Return the place of a set of squares among all sets of its size, counting squares from `first` on."""
    place, row = 0, 64
    while squares:
        at = lowest(squares)
        place += CHOOSE[row + at - at // 11 - first]
        row += 64
        squares &= squares - 1
    return place


@lean
def rank_turned(squares: int, first: int) -> int:
    """Return the rank of a set of squares after the board has been turned around."""
    place, row = 0, 64
    while squares:
        at = highest(squares)
        place += CHOOSE[row + (53 - at) - (53 - at) // 11 - first]
        row += 64
        squares ^= 1 << at
    return place


@lean
def place_of(men: int, kings: int, other_men: int, other_kings: int, side: int) -> tuple[int, int]:
    """Return the material code of a position with pieces on both sides, and its place in that table."""
    if side:
        men, kings, other_men, other_kings = other_men, other_kings, men, kings
    many_men, many_kings = popcount(men), popcount(kings)
    many_other_men, many_other_kings = popcount(other_men), popcount(other_kings)
    code = (((many_men * 5 + many_kings) * 5 + many_other_men) * 5 + many_other_kings) * 2 + side
    if BEGINS[code] >= 0:
        place = rank(men, 5) * CHOOSE[64 * many_other_men + 45] + rank(other_men, 0)
        place = place * CHOOSE[64 * many_kings + 50] + rank(kings, 0)
        return code, place * CHOOSE[64 * many_other_kings + 50] + rank(other_kings, 0)
    # There is a table for swapped colours: turn the board around.
    code = (((many_other_men * 5 + many_other_kings) * 5 + many_men) * 5 + many_kings) * 2 + (side ^ 1)
    place = rank_turned(other_men, 5) * CHOOSE[64 * many_men + 45] + rank_turned(men, 0)
    place = place * CHOOSE[64 * many_other_kings + 50] + rank_turned(other_kings, 0)
    return code, place * CHOOSE[64 * many_kings + 50] + rank_turned(kings, 0)


@lean
def stored(code: int, place: int, tables: Ints) -> int:
    """Return the value at a place of a table."""
    record = BEGINS[code] + 2 * (place >> 10)
    kinds, shift = tables[record], 4 * (place >> 6 & 15)
    kind = kinds >> shift & 15
    if kind < ONE_UNIT:
        return kind - 1
    before = kinds & ((1 << shift) - 1)
    unit = tables[record + 1] + popcount(before & UNITS) + popcount(before & SECOND_UNITS)
    bit = tables[unit] >> (place & 63) & 1
    if kind == TWO_UNITS:
        return bit + 2 * (tables[unit + 1] >> (place & 63) & 1) - 1
    missing = (kind & 3) - 1
    if missing == LOST:
        return bit
    return bit - 1 if missing == WON else 2 * bit - 1


@lean
def ending(men: int, kings: int, other_men: int, other_kings: int, side: int, tables: Ints) -> int:
    """Return the value of an ending on the 10×10 board for the side to move: LOST, DRAWN or WON.

    UNKNOWN: there are too many pieces for the tables, the side to move must capture, or a man stands on its last row.
    """
    own, others = men | kings, other_men | other_kings
    if popcount(own | others) > tables[0]:
        return UNKNOWN
    if own == 0 or others == 0:
        return LOST if own == 0 else WON
    red_men, black_men = (other_men, men) if side else (men, other_men)
    if red_men & TOP_ROW or black_men & BOTTOM_ROW or can_capture(men, kings, others, BOARD_10 & ~(own | others)):
        return UNKNOWN
    code, place = place_of(men, kings, other_men, other_kings, side)
    return stored(code, place, tables)
