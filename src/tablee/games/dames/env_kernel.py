"""Many games of Dames, compiled by Numba, for `tablee.envs.vector`.

`rules.py` and `env.py` stay the reference; a test compares the two step by step. Unlike `kernel.py`, which needs only
the pieces that a capture takes, this one finds its path, because a player chooses one jump after the other. A square
is its number from 0. A game is one array of int64, indexed by the names below.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.machine import Ints, compiled, lean, lowest, popcount

Batch = Any

MEN, KINGS, SIDE, MUST, POINTS, KING_MOVES, ENDGAME, RESULT = 1, 3, 5, 6, 7, 9, 10, 11
"""`MEN`, `KINGS`, `POINTS`: of red, then of black. The first place holds the dice, which no game of Dames needs."""
PATH = 12
"""How many squares of the path are chosen, then the squares."""
HISTORY = 34
"""How many positions could come again, then red kings, black kings and side of each (D8)."""
STATE = HISTORY + 1 + 3 * 51
RED_WINS, BLACK_WINS, DRAWN = 1, 2, 3
SQUARES, HALF, COMPETITIVE, START, EVEN, ODD, EVEN_INNER, ODD_INNER, RAYS = 0, 1, 2, 3, 5, 6, 7, 8, 9
"""The facts of a kernel: after the men of both sides come the rows of the board as in `Board`, then ten squares for
each square and way, filled up with -1."""
MOST_KING_MOVES = 50
LONGEST = 21
"""The most squares of a path: at most twenty pieces are taken."""
ROOM = 2048
FOUND = LONGEST + 1
"""A capture that was found: its squares, then the pieces taken."""
WAITING = ROOM * FOUND
"""Captures that may go on: their squares, the pieces taken, and the number of squares."""
SEEN = WAITING + ROOM * (LONGEST + 2)
ONWARD = SEEN + 2 * ROOM
"""The jumps of one piece: landing square and piece taken of each."""
WORK = ONWARD + 80
"""The size of the memory for a search of captures. Positions of play need a hundredth of it."""


@lean
def jumps(at: int, king: bool, enemy: int, empty: int, facts: Ints, work: Ints) -> int:
    """List landing square and piece taken of each jump, in ascending order; return how many there are (D1)."""
    count = 0
    for way in range(4):
        ray = RAYS + 40 * at + 10 * way
        over = -1
        for far in range(10 if king else 2):
            reached = facts[ray + far]
            if reached < 0:
                break
            if empty >> reached & 1:
                if over >= 0:
                    place = count
                    while place > 0 and work[ONWARD + 2 * place - 2] > reached:
                        work[ONWARD + 2 * place] = work[ONWARD + 2 * place - 2]
                        work[ONWARD + 2 * place + 1] = work[ONWARD + 2 * place - 1]
                        place -= 1
                    work[ONWARD + 2 * place] = reached
                    work[ONWARD + 2 * place + 1] = over
                    count += 1
                elif not king:
                    break
            elif over >= 0 or not enemy >> reached & 1:
                break
            else:
                over = reached
    return count


@lean
def is_seen(work: Ints, count: int, square: int, taken: int) -> bool:
    found = False
    for at in range(count):
        found = found or (work[SEEN + 2 * at] == square and work[SEEN + 2 * at + 1] == taken)
    return found


@lean
def is_found(work: Ints, count: int, length: int, origin: int, target: int, taken: int) -> bool:
    """Return whether the same move was found on a smaller path (D2)."""
    for at in range(count):
        one = at * FOUND
        if work[one] == origin and work[one + length - 1] == target and work[one + LONGEST] == taken:
            return True
    return False


@lean
def takers(enemy: int, empty: int, facts: Ints) -> int:
    """Return the squares from which a man can take: the square behind a neighbouring enemy is empty."""
    half, even, odd = facts[HALF], facts[EVEN], facts[ODD]
    even_inner, odd_inner = facts[EVEN_INNER], facts[ODD_INNER]
    more, less = half + 1, half - 1
    up_left = ((empty & even_inner) << more | (empty & odd) << half) & enemy
    up_right = ((empty & even) << half | (empty & odd_inner) << less) & enemy
    down_left = ((empty & even_inner) >> less | (empty & odd) >> half) & enemy
    down_right = ((empty & even) >> half | (empty & odd_inner) >> more) & enemy
    from_below = (up_left & even_inner) << more | (up_left & odd) << half
    from_below |= (up_right & even) << half | (up_right & odd_inner) << less
    from_above = (down_left & even_inner) >> less | (down_left & odd) >> half
    return from_below | from_above | (down_right & even) >> half | (down_right & odd_inner) >> more


@lean
def captures(s: Ints, side: int, facts: Ints, work: Ints) -> tuple[int, int]:
    """Find the captures that take the most pieces, each with its smallest path; return how many, and their squares."""
    men, kings = s[MEN + side], s[KINGS + side]
    enemy = s[MEN + 1 - side] | s[KINGS + 1 - side]
    free = ((1 << facts[SQUARES]) - 1) & ~(men | kings | enemy)
    found, most = 0, 0
    rest = men & takers(enemy, free, facts) | kings
    while rest:
        origin = lowest(rest)
        rest &= rest - 1
        king, empty = (kings >> origin & 1) == 1, free | 1 << origin
        if jumps(origin, king, enemy, empty, facts, work) == 0:
            continue
        work[WAITING] = origin
        work[WAITING + LONGEST] = 0
        work[WAITING + LONGEST + 1] = 1
        waiting, seen = 1, 0
        while waiting:
            waiting -= 1
            top = WAITING + waiting * (LONGEST + 2)
            length, taken = work[top + LONGEST + 1], work[top + LONGEST]
            square = work[top + length - 1]
            if is_seen(work, seen, square, taken) or seen == ROOM:
                continue
            work[SEEN + 2 * seen] = square
            work[SEEN + 2 * seen + 1] = taken
            seen += 1
            count = jumps(square, king, enemy & ~taken, empty, facts, work)
            if waiting + count >= ROOM or found == ROOM:  # No position of play comes near.
                continue
            if count == 0 and taken and length >= most:
                if length > most:
                    found, most = 0, length
                if not is_found(work, found, length, origin, square, taken):
                    for at in range(length):
                        work[found * FOUND + at] = work[top + at]
                    work[found * FOUND + LONGEST] = taken
                    found += 1
            # The last one goes on first, so the smallest landing square comes last. The path itself is overwritten
            # by its first continuation, so that one is written last.
            for number in range(count):
                place = waiting + number
                at = WAITING + place * (LONGEST + 2)
                if place != waiting:
                    for before in range(length):
                        work[at + before] = work[top + before]
            for number in range(count):
                at = WAITING + (waiting + number) * (LONGEST + 2)
                back = count - 1 - number
                work[at + length] = work[ONWARD + 2 * back]
                work[at + LONGEST] = taken | 1 << work[ONWARD + 2 * back + 1]
                work[at + LONGEST + 1] = length + 1
            waiting += count
    return found, most


@lean
def forward(side: int, number: int) -> int:
    """Return a way in which a man moves: red up, black down (D1)."""
    return number if side == 0 else 2 + number


@lean
def can_step(s: Ints, side: int, facts: Ints) -> bool:
    """Return whether a side has a move without capture."""
    pieces = s[MEN] | s[MEN + 1] | s[KINGS] | s[KINGS + 1]
    rest = s[MEN + side] | s[KINGS + side]
    while rest:
        origin = lowest(rest)
        rest &= rest - 1
        king = s[KINGS + side] >> origin & 1
        for number in range(4 if king else 2):
            way = number if king else forward(side, number)
            target = facts[RAYS + 40 * origin + 10 * way]
            if target >= 0 and not pieces >> target & 1:
                return True
    return False


@lean
def has_move(s: Ints, side: int, facts: Ints, work: Ints) -> bool:
    return can_step(s, side, facts) or captures(s, side, facts, work)[0] > 0


@lean
def endgame(s: Ints) -> int:
    """Return after how many moves few pieces with a king against a lone king are a draw; 0 if it is not so (D8)."""
    for side in range(2):
        alone = s[MEN + 1 - side] == 0 and popcount(s[KINGS + 1 - side]) == 1
        if alone and s[KINGS + side]:
            mine = popcount(s[MEN + side] | s[KINGS + side])
            return 10 if mine <= 2 else 32 if mine == 3 else 0
    return 0


@lean
def by_score(s: Ints) -> int:
    if s[POINTS] == s[POINTS + 1]:
        return DRAWN
    return RED_WINS if s[POINTS] > s[POINTS + 1] else BLACK_WINS


@lean
def times(s: Ints) -> int:
    """Count how often the present kings were there with this side to move."""
    count = 0
    for at in range(s[HISTORY]):
        one = HISTORY + 1 + 3 * at
        count += s[one] == s[KINGS] and s[one + 1] == s[KINGS + 1] and s[one + 2] == s[SIDE]
    return count


@lean
def judge(s: Ints, facts: Ints, work: Ints) -> None:
    """End the game if it is won or drawn (D7, D8); else find how many pieces must be taken."""
    side = s[SIDE]
    found, most = captures(s, side, facts, work)
    mine, theirs = s[MEN + side] | s[KINGS + side], s[MEN + 1 - side] | s[KINGS + 1 - side]
    s[MUST] = most - 1 if found else 0
    if found or can_step(s, side, facts):
        if theirs == 0:
            s[RESULT] = 1 + side
        elif times(s) >= 3 or s[KING_MOVES] >= MOST_KING_MOVES:
            s[RESULT] = DRAWN
        else:
            limit = endgame(s)
            s[RESULT] = DRAWN if limit and s[ENDGAME] >= limit else 0
    elif (mine == 0 and theirs) or has_move(s, 1 - side, facts, work):
        s[RESULT] = 2 - side
    else:
        s[RESULT] = by_score(s)


@lean
def note_position(s: Ints, keep: bool) -> None:
    """Add the position to those that could come again, or forget the others."""
    count = s[HISTORY] if keep else 0
    if count > MOST_KING_MOVES:
        for at in range(3 * MOST_KING_MOVES):
            s[HISTORY + 1 + at] = s[HISTORY + 4 + at]
        count = MOST_KING_MOVES
    one = HISTORY + 1 + 3 * count
    s[one] = s[KINGS]
    s[one + 1] = s[KINGS + 1]
    s[one + 2] = s[SIDE]
    s[HISTORY] = count + 1


@lean
def taken_between(s: Ints, start: int, end: int, facts: Ints) -> int:
    """Return the enemy pieces between two squares on one diagonal."""
    enemy = s[MEN + 1 - s[SIDE]] | s[KINGS + 1 - s[SIDE]]
    for way in range(4):
        met = 0
        for far in range(10):
            reached = facts[RAYS + 40 * start + 10 * way + far]
            if reached < 0:
                break
            if reached == end:
                return met & enemy
            met |= 1 << reached
    return 0


@lean
def move(s: Ints, facts: Ints, work: Ints) -> None:
    """Move along the chosen path, count points and moves, and pass the turn."""
    side, length = s[SIDE], s[PATH]
    origin, target = s[PATH + 1], s[PATH + length]
    taken = 0
    for at in range(length - 1):
        taken |= taken_between(s, s[PATH + 1 + at], s[PATH + 2 + at], facts)
    king = s[KINGS + side] >> origin & 1
    quiet = taken == 0
    s[ENDGAME] = s[ENDGAME] + 1 if quiet and endgame(s) > 0 else 0
    s[KING_MOVES] = s[KING_MOVES] + 1 if quiet and king else 0
    men, kings = popcount(taken & s[MEN + 1 - side]), popcount(taken & s[KINGS + 1 - side])
    row = target // facts[HALF]
    last = row == 0 if side == 0 else row == facts[SQUARES] // facts[HALF] - 1
    promoted = not king and last
    if facts[COMPETITIVE]:
        s[POINTS + side] += men + 3 * kings + 2 * promoted + (men + kings >= 2)
    if king:
        s[KINGS + side] = s[KINGS + side] & ~(1 << origin) | 1 << target
    else:
        s[MEN + side] &= ~(1 << origin)
        if promoted:
            s[KINGS + side] |= 1 << target
        else:
            s[MEN + side] |= 1 << target
    s[MEN + 1 - side] &= ~taken
    s[KINGS + 1 - side] &= ~taken
    s[SIDE] = 1 - side
    s[PATH] = 0
    note_position(s, quiet and king == 1)
    judge(s, facts, work)


@lean
def turned(square: int, side: int, facts: Ints) -> int:
    """Return a square as a side sees the board."""
    return square if side == 0 else facts[SQUARES] - 1 - square


@lean
def apply(s: Ints, one: int, facts: Ints, work: Ints) -> None:
    """Play an id that is not masked."""
    squares, side = facts[SQUARES], s[SIDE]
    if s[PATH] == 0:
        s[PATH] = 1
        s[PATH + 1] = turned(one // squares, side, facts)
    s[PATH] += 1
    s[PATH + s[PATH]] = turned(one % squares, side, facts)
    if s[PATH] > s[MUST]:
        move(s, facts, work)


@lean
def reset(s: Ints, facts: Ints, work: Ints) -> None:
    for at in range(1, HISTORY + 1):
        s[at] = 0
    s[MEN] = facts[START]
    s[MEN + 1] = facts[START + 1]
    note_position(s, False)
    judge(s, facts, work)


@lean
def write_mask(s: Ints, mask: Batch, facts: Ints, work: Ints) -> None:
    """Mark the ids that the side to move can choose."""
    side, squares = s[SIDE], facts[SQUARES]
    if s[MUST]:
        found = captures(s, side, facts, work)[0]
        chosen = max(s[PATH], 1)
        for number in range(found):
            one = number * FOUND
            fits = True
            for at in range(s[PATH]):
                fits = fits and work[one + at] == s[PATH + 1 + at]
            if fits:
                start, end = turned(work[one + chosen - 1], side, facts), turned(work[one + chosen], side, facts)
                mask[squares * start + end] = 1
        return
    pieces = s[MEN] | s[MEN + 1] | s[KINGS] | s[KINGS + 1]
    rest = s[MEN + side] | s[KINGS + side]
    while rest:
        origin = lowest(rest)
        rest &= rest - 1
        king, first = s[KINGS + side] >> origin & 1, squares * turned(origin, side, facts)
        for number in range(4 if king else 2):
            ray = RAYS + 40 * origin + 10 * (number if king else forward(side, number))
            for far in range(10 if king else 1):
                target = facts[ray + far]
                if target < 0 or pieces >> target & 1:
                    break
                mask[first + turned(target, side, facts)] = 1


@lean
def mark_squares(pieces: int, first: int, me: int, out: Batch, facts: Ints) -> None:
    """Mark squares as a side sees them."""
    while pieces:
        out[first + turned(lowest(pieces), me, facts)] = 1
        pieces &= pieces - 1


@lean
def observe(s: Ints, me: int, chooses: bool, out: Batch, facts: Ints) -> None:
    """Write what a side sees, as `DamesEncoding.observe` does."""
    squares = facts[SQUARES]
    mark_squares(s[MEN + me], 0, me, out, facts)
    mark_squares(s[KINGS + me], squares, me, out, facts)
    mark_squares(s[MEN + 1 - me], 2 * squares, me, out, facts)
    mark_squares(s[KINGS + 1 - me], 3 * squares, me, out, facts)
    if chooses:
        for at in range(s[PATH]):
            out[4 * squares + turned(s[PATH + 1 + at], me, facts)] = 1
    first = 5 * squares
    out[first] = s[MUST] if s[SIDE] == me and s[RESULT] == 0 else 0
    out[first + 1] = s[POINTS + me]
    out[first + 2] = s[POINTS + 1 - me]
    out[first + 3] = s[KING_MOVES]
    out[first + 4] = s[ENDGAME]
    out[first + 5] = times(s)
    out[first + 8] = s[SIDE] == me


@compiled
def renew_all(states: Batch, ended: Batch, facts: Ints) -> None:
    work = np.empty(WORK, np.int64)
    for row in range(states.shape[0]):
        if ended[row]:
            reset(states[row], facts, work)


@compiled
def step_all(states: Batch, ids: Ints, scores: Batch, places: Batch, facts: Ints) -> None:
    work = np.empty(WORK, np.int64)
    for row in range(states.shape[0]):
        s = states[row]
        apply(s, ids[row], facts, work)
        result = s[RESULT]
        if result == 0:
            continue
        for side in range(2):
            wins, loses = result == 1 + side, result == 2 - side
            places[row, side] = 1 + loses
            scores[row, side] = s[POINTS + side] if facts[COMPETITIVE] else 1 + wins - loses


@compiled
def look_all(states: Batch, seats: Ints, observations: Batch, masks: Batch, facts: Ints) -> None:
    observations[:] = 0
    masks[:] = 0
    work = np.empty(WORK, np.int64)
    for row in range(states.shape[0]):
        s = states[row]
        seats[row] = s[SIDE]
        observe(s, s[SIDE], True, observations[row], facts)
        write_mask(s, masks[row], facts, work)


@compiled
def show_all(states: Batch, out: Batch, facts: Ints) -> None:
    out[:] = 0
    size = 5 * facts[SQUARES] + 9
    for row in range(states.shape[0]):
        s = states[row]
        for side in range(2):
            observe(s, side, s[SIDE] == side, out[row, size * side : size * (side + 1)], facts)
