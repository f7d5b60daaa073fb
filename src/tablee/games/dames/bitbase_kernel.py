"""The solver of endings, compiled by Numba.

Men only go forward. So the positions of one material fall into slices: a slice has the men of both sides on fixed
squares. Inside a slice only kings move, and the move of a man leads to a slice that is solved already. A slice is
solved from the ends of games backward: a position before a lost one is won, and one whose moves all lead to won ones is
lost. What is left is a draw.

This code calls the kernel and is compiled anew in every process. Numba's cache would not notice a change of the kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ...core.machine import Bytes, Ints, lowest
from .kernel import (
    BOARD_10,
    BOTTOM_ROW,
    CHOOSE,
    DRAWN,
    LOST,
    MOST_PIECES,
    ONE_UNIT,
    TOP_ROW,
    TWO_UNITS,
    WON,
    beyond,
    can_capture,
    generate,
    material_code,
    materials,
    moved,
    place_of,
    places,
    rank,
    sides,
    slides,
)

if TYPE_CHECKING:
    F = TypeVar("F")

    def uncached(function: F) -> F: ...
else:
    from functools import partial

    from ...core.machine import lean

    uncached = partial(lean, cache=False)

# A byte for each position. Below SOLVED it is the number of king moves that are not known to lose, or 0 if a move of a
# man draws. From SOLVED on it has the value plus one, and flags.
SOLVED, SPREAD, FREE = 128, 64, 32
"""SPREAD: the positions before it know its value. FREE: nobody looks it up, because it is impossible or a capture."""


def solved_layout() -> tuple[list[int], list[int]]:
    """Return where the solved values of each table begin, two bits a place, and the bytes for 0, 1, … pieces."""
    begins, ends, end = [-1] * 1250, [0, 0], 0
    for pieces in range(2, MOST_PIECES + 1):
        for material in materials(pieces):
            for side in sides(material):
                begins[material_code(*material, side)] = end
                end += places(material) + 3 >> 2
        ends.append(end)
    return begins, ends


SOLVED_AT: Ints = np.array(solved_layout()[0], dtype=np.int64)
SOLVED_BYTES = solved_layout()[1]

RED_MEN, RED_KINGS, BLACK_MEN, BLACK_KINGS, BLACK_MEN_SETS, RED_KING_SETS, BLACK_KING_SETS, PLACES = range(8)


@uncached
def known(men: int, kings: int, other_men: int, other_kings: int, side: int, solved: Bytes) -> int:
    """Return the value of a position that is solved already."""
    if men | kings == 0:
        return LOST
    code, place = place_of(men, kings, other_men, other_kings, side)
    return (solved[SOLVED_AT[code] + (place >> 2)] >> 2 * (place & 3) & 3) - 1


STEPS_OF_SIDE = 32
"""Space for the steps of a side's men: from, to, and the slice after it or -1, two a man."""


@uncached
def solve(
    slices: Ints,
    material: Ints,
    men_sets: tuple[Ints, Ints],
    king_sets: tuple[Ints, Ints],
    values: Bytes,
    solved: Bytes,
    steps: Ints,
    lists: tuple[Ints, Ints, Ints],
    stack: Ints,
) -> int:
    """Solve slices of a material; return the number of positions in which neither side can move."""
    blocked = 0
    size = material[RED_KING_SETS] * material[BLACK_KING_SETS]
    for at in range(slices.size):
        number = slices[at]
        red_men = men_sets[0][number // material[BLACK_MEN_SETS]]
        black_men = men_sets[1][number % material[BLACK_MEN_SETS]]
        begin = number * size
        list_steps(red_men, black_men, material, steps)
        blocked += set_up(red_men, black_men, begin, material, king_sets, values, solved, steps, lists)
        if material[RED_KINGS] or material[BLACK_KINGS]:
            while spread(red_men | black_men, begin, material, king_sets, values, stack):
                pass
        for side in range(2):
            first = side * material[PLACES] + begin
            for place in range(first, first + size):
                if values[place] < SOLVED:
                    values[place] = SOLVED | SPREAD | (DRAWN + 1)
    return blocked


@uncached
def list_steps(red_men: int, black_men: int, material: Ints, steps: Ints) -> None:
    """List the steps of both sides' men, with the slices to which they lead."""
    for side in range(2):
        at = side * STEPS_OF_SIDE
        men = black_men if side else red_men
        while men:
            man = lowest(men)
            men &= men - 1
            for way in range(2):
                target = man + 5 + way if side else man - 5 - way
                if target < 0 or not BOARD_10 >> target & 1 or (red_men | black_men) >> target & 1:
                    continue
                after = 1 << man | 1 << target
                steps[at], steps[at + 1], steps[at + 2] = man, target, -1
                if side == 0 and not TOP_ROW >> target & 1:
                    steps[at + 2] = rank(red_men ^ after, 5) * material[BLACK_MEN_SETS] + rank(black_men, 0)
                elif side == 1 and not BOTTOM_ROW >> target & 1:
                    steps[at + 2] = rank(red_men, 5) * material[BLACK_MEN_SETS] + rank(black_men ^ after, 0)
                at += 3
        steps[at] = -1


@uncached
def set_up(
    red_men: int,
    black_men: int,
    begin: int,
    material: Ints,
    king_sets: tuple[Ints, Ints],
    values: Bytes,
    solved: Bytes,
    steps: Ints,
    lists: tuple[Ints, Ints, Ints],
) -> int:
    """Give each position of a slice what follows from captures and moves of men; count the mutual blocks."""
    men, places, blocked = red_men | black_men, material[PLACES], 0
    overlap = red_men & black_men != 0
    at = begin
    for red in range(material[RED_KING_SETS]):
        red_kings = king_sets[0][red]
        for black in range(material[BLACK_KING_SETS]):
            black_kings = king_sets[1][black]
            if overlap or red_kings & men or black_kings & (men | red_kings):
                values[at] = values[places + at] = SOLVED | SPREAD | FREE | (DRAWN + 1)
            else:
                values[at] = first_value(
                    red_men, red_kings, black_men, black_kings, 0, at - begin, material, values, solved, steps, lists
                )
                values[places + at] = first_value(
                    black_men, black_kings, red_men, red_kings, 1, at - begin, material, values, solved, steps, lists
                )
                if values[at] == values[places + at] == BLOCKED:
                    # D7: if neither side can move, nobody wins.
                    values[at] = values[places + at] = SOLVED | SPREAD | (DRAWN + 1)
                    blocked += 1
                elif values[at] == BLOCKED:
                    values[at] = SOLVED | (LOST + 1)
                elif values[places + at] == BLOCKED:
                    values[places + at] = SOLVED | (LOST + 1)
            at += 1
    return blocked


BLOCKED = 127
"""The byte of a position without a move, while the slice is set up."""


@uncached
def first_value(
    men: int,
    kings: int,
    other_men: int,
    other_kings: int,
    side: int,
    place: int,
    material: Ints,
    values: Bytes,
    solved: Bytes,
    steps: Ints,
    lists: tuple[Ints, Ints, Ints],
) -> int:
    """Return the byte of a position before the kings of its slice have moved."""
    others = other_men | other_kings
    empty = BOARD_10 & ~(men | kings | others)
    crown = BOTTOM_ROW if side else TOP_ROW
    best = LOST
    if can_capture(men, kings, others, empty):
        moves, takes, work = lists
        end = generate(men, kings, other_men, other_kings, side, BOARD_10, 0, moves, takes, work)
        for at in range(end):
            new_men, new_kings = moved(men, kings, moves[at], crown)
            left = ~takes[at]
            best = max(best, -known(other_men & left, other_kings & left, new_men, new_kings, side ^ 1, solved))
            if best == WON:
                break
        return SOLVED | FREE | (best + 1) if best != DRAWN else SOLVED | SPREAD | FREE | (DRAWN + 1)
    size = material[RED_KING_SETS] * material[BLACK_KING_SETS]
    at, walked = side * STEPS_OF_SIDE, False
    while steps[at] >= 0:
        if empty >> steps[at + 1] & 1:
            walked = True
            if steps[at + 2] >= 0:
                # The slice after the step is solved: read its value for the other side.
                reached = values[(side ^ 1) * material[PLACES] + steps[at + 2] * size + place]
                best = max(best, 1 - (reached & 3))
            else:
                after = men ^ 1 << steps[at]
                promoted = kings | 1 << steps[at + 1]
                best = max(best, -known(other_men, other_kings, after, promoted, side ^ 1, solved))
        at += 3
    if best == WON:
        return SOLVED | (WON + 1)
    slid = slides(kings, empty)
    if slid:
        return 0 if best == DRAWN else slid
    if not walked:
        return BLOCKED
    return SOLVED | (LOST + 1) if best == LOST else SOLVED | SPREAD | (DRAWN + 1)


@uncached
def spread(men: int, begin: int, material: Ints, king_sets: tuple[Ints, Ints], values: Bytes, stack: Ints) -> bool:
    """Tell the positions before each solved one about it; return whether some are left, because the stack was full."""
    places = material[PLACES]
    blacks = material[BLACK_KING_SETS]
    size = material[RED_KING_SETS] * blacks
    some_left = False
    for start in range(2 * size):
        side = start >= size
        first = (places + begin + start - size) if side else begin + start
        if values[first] & (SOLVED | SPREAD) != SOLVED:
            continue
        stack[0] = first
        top = 1
        while top:
            top -= 1
            at = stack[top]
            values[at] |= SPREAD
            wins = values[at] & 3 == LOST + 1
            # The other side moved last: move its kings back.
            mover = 0 if at >= places else 1
            here = at - places - begin if at >= places else at - begin
            red, black = here // blacks, here % blacks
            red_kings, black_kings = king_sets[0][red], king_sets[1][black]
            empty = BOARD_10 & ~(men | red_kings | black_kings)
            kings = black_kings if mover else red_kings
            base = places + begin + red * blacks if mover else begin + black
            stride = 1 if mover else blacks
            movers = kings
            while movers:
                king = lowest(movers)
                movers &= movers - 1
                rest = kings ^ 1 << king
                targets = (
                    beyond(king, 0, empty) | beyond(king, 1, empty) | beyond(king, 2, empty) | beyond(king, 3, empty)
                )
                while targets:
                    before = base + stride * rank(rest | (targets & -targets), 0)
                    targets &= targets - 1
                    left = values[before]
                    if left >= SOLVED or (left == 0 and not wins):
                        continue
                    if wins:
                        values[before] = SOLVED | (WON + 1)
                    elif left == 1:
                        values[before] = SOLVED | (LOST + 1)
                    else:
                        values[before] = left - 1
                        continue
                    if top < stack.size:
                        stack[top] = before
                        top += 1
                    else:
                        some_left = True
    return some_left


@uncached
def pack(values: Bytes, start: int, places: int, solved: Bytes, begin: int) -> None:
    """Keep the solved values for larger materials, two bits each."""
    for at in range(0, places, 4):
        byte = 0
        for part in range(min(4, places - at)):
            byte |= (values[start + at + part] & 3) << 2 * part
        solved[begin + (at >> 2)] = byte


@uncached
def encode(values: Bytes, start: int, places: int, records: Ints, begin: int, first: int, units: Ints) -> int:
    """Write a table as the kernel reads it; `first` is the place of its first unit. Return the number of units."""
    end, kind = 0, DRAWN + 1
    for block in range(places + 63 >> 6):
        record, shift = begin + 2 * (block >> 4), 4 * (block & 15)
        if shift == 0:
            records[record], records[record + 1] = 0, first + end
        low = high = seen = 0
        for place in range(64 * block, min(64 * block + 64, places)):
            value = values[start + place]
            if not value & FREE:
                seen |= 1 << (value & 3)
                low |= (value & 1) << (place & 63)
                high |= (value >> 1 & 1) << (place & 63)
        if seen == 7:
            kind = TWO_UNITS
            units[end], units[end + 1] = low, high
            end += 2
        elif seen == 6:
            kind, units[end] = ONE_UNIT | (LOST + 1), high
            end += 1
        elif seen == 5:
            kind, units[end] = ONE_UNIT | (DRAWN + 1), high
            end += 1
        elif seen == 3:
            kind, units[end] = ONE_UNIT | (WON + 1), low
            end += 1
        elif seen:
            kind = lowest(seen)
        elif kind >= ONE_UNIT:
            kind = DRAWN + 1
        records[record] |= kind << shift
    return end


@uncached
def sets(count: int, many: int, bits: Ints, found: Ints) -> None:
    """List all sets of so many squares, in the order of their ranks."""
    for place in range(many):
        squares, left = 0, place
        for size in range(count, 0, -1):
            at = size - 1
            while CHOOSE[64 * size + at + 1] <= left:
                at += 1
            left -= CHOOSE[64 * size + at]
            squares |= 1 << bits[at]
        found[place] = squares
