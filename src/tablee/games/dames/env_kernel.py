"""Many games of Dames, compiled by Numba, for `tablee.envs.vector`.

`rules.py` and `env.py` stay the reference; a test compares the two step by step. The squares are those of `kernel.py`,
with its ghosts. Unlike that kernel, which needs only the pieces that a capture takes, this one finds its path, because
a player chooses one jump after the other. A game is one array of int64, indexed by the names below. It holds the legal
ids, so that moves are looked for once a turn, and a mask is written without touching the rest of it.
"""

from __future__ import annotations

from typing import Any

from ...core import desk_kernel
from ...core.desk_kernel import on_desk
from ...core.encoding import MATCH_OVER, REFUSED
from ...core.machine import Ints, compiled, follow, highest, inlined, lean, lowest, popcount, prefetch
from . import kernel
from .kernel import RAYS, beyond, blocker, can_capture

Batch = Any

MEN, KINGS, SIDE, MUST, POINTS, KING_MOVES, ENDGAME, RESULT, TIMES, LEGAL, SHOWN = 1, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14
"""`MEN`, `KINGS`, `POINTS`: of red, then of black. The first place holds the dice, which no game of Dames needs."""
PATH = 15
"""How many squares of the path are chosen, then the squares."""
LONGEST = 21
"""The most squares of a path: at most twenty pieces are taken."""
IDS = PATH + 1 + LONGEST
"""The legal ids in ascending order. An id that the last mask shows follows each, so that few lines of memory are used;
`LEGAL` and `SHOWN` count the two."""
MOST_IDS = 400
"""More than twenty kings have on an empty board."""
HISTORY = IDS + 2 * MOST_IDS
"""Red kings and black kings before a row of king moves and after each of them; the sides alternate (D8)."""
MOST_KING_MOVES = 50
STATE = HISTORY + 2 * (MOST_KING_MOVES + 1)
RED_WINS, BLACK_WINS, DRAWN = 1, 2, 3
SIZE, COMPETITIVE, START, EVERY, CROWN, NUMBER, BIT = 0, 1, 2, 4, 5, 7, 135
"""The facts of a kernel: the number of squares, whether points count, the men of both sides, all squares, the squares
on which each side promotes. Then the number of each square as each side sees it, and the square of each number."""
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
def man_jumps(at: int, enemy: int, empty: int, work: Ints) -> int:
    """List the jumps of a man as `jumps` does; each is written and counts only if it is there."""
    here, end = 1 << at, ONWARD
    work[end], work[end + 1] = at - 12, here >> 6
    end += 2 * (enemy << 6 & empty << 12 & here != 0)
    work[end], work[end + 1] = at - 10, here >> 5
    end += 2 * (enemy << 5 & empty << 10 & here != 0)
    work[end], work[end + 1] = at + 10, here << 5
    end += 2 * (enemy >> 5 & empty >> 10 & here != 0)
    work[end], work[end + 1] = at + 12, here << 6
    end += 2 * (enemy >> 6 & empty >> 12 & here != 0)
    return (end - ONWARD) // 2


@lean
def jumps(at: int, king: bool, enemy: int, empty: int, work: Ints) -> int:
    """List landing square and piece taken of each jump, in ascending order; return how many there are (D1)."""
    if not king:
        return man_jumps(at, enemy, empty, work)
    landings = 0
    for way in range(4):
        hit = blocker(at, way, empty)
        free = beyond(lowest(hit), way, empty) if hit & enemy else 0
        while free:
            landing = lowest(free)
            free &= free - 1
            place = landings
            while place > 0 and work[ONWARD + 2 * place - 2] > landing:
                work[ONWARD + 2 * place] = work[ONWARD + 2 * place - 2]
                work[ONWARD + 2 * place + 1] = work[ONWARD + 2 * place - 1]
                place -= 1
            work[ONWARD + 2 * place] = landing
            work[ONWARD + 2 * place + 1] = hit
            landings += 1
    return landings


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
def captures(s: Ints, takers: int, free: int, work: Ints) -> tuple[int, int]:
    """Find the captures of some pieces that take the most, each with its smallest path; return how many, and squares.

    `free` are the empty squares.
    """
    side = s[SIDE]
    kings = s[KINGS + side]
    enemy = s[MEN + 1 - side] | s[KINGS + 1 - side]
    found, most = 0, 0
    while takers:
        origin = lowest(takers)
        takers &= takers - 1
        king, empty = (kings >> origin & 1) == 1, free | 1 << origin
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
            count = jumps(square, king, enemy & ~taken, empty, work)
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
            for number in range(1, count):
                at = WAITING + (waiting + number) * (LONGEST + 2)
                for before in range(length):
                    work[at + before] = work[top + before]
            for number in range(count):
                at = WAITING + (waiting + number) * (LONGEST + 2)
                back = count - 1 - number
                work[at + length] = work[ONWARD + 2 * back]
                work[at + LONGEST] = taken | work[ONWARD + 2 * back + 1]
                work[at + LONGEST + 1] = length + 1
            waiting += count
    return found, most


@inlined
def add(s: Ints, count: int, start: int, end: int, facts: Ints) -> int:
    """Insert the id of a jump into the legal ones unless it is there; return their number."""
    numbers = NUMBER + 64 * s[SIDE]
    one = facts[SIZE] * facts[numbers + start] + facts[numbers + end]
    at = count
    while at > 0 and s[IDS + 2 * at - 2] > one:
        at -= 1
    if at > 0 and s[IDS + 2 * at - 2] == one:
        return count
    for later in range(count, at, -1):
        s[IDS + 2 * later] = s[IDS + 2 * later - 2]
    s[IDS + 2 * at] = one
    return count + 1


@lean
def add_jumps(s: Ints, count: int, men: int, step: int, facts: Ints) -> int:
    """Insert the capture of one piece by each man; return the number of legal ids."""
    while men:
        at = lowest(men)
        men &= men - 1
        count = add(s, count, at, at + 2 * step, facts)
    return count


@lean
def list_captures(s: Ints, empty: int, facts: Ints, work: Ints) -> int:
    """List the ids of captures, and note how many pieces must be taken (D2); return how many ids there are."""
    side = s[SIDE]
    men, others = s[MEN + side], s[MEN + 1 - side] | s[KINGS + 1 - side]
    # The squares from which a man can jump down-left, down-right, up-right, up-left.
    jump0, jump1 = others >> 5 & empty >> 10, others >> 6 & empty >> 12
    jump2, jump3 = others << 5 & empty << 10, others << 6 & empty << 12
    by0, by1, by2, by3 = men & jump0, men & jump1, men & jump2, men & jump3
    takers, rest = 0, s[KINGS + side]
    while rest:
        at = lowest(rest)
        rest &= rest - 1
        for way in range(4):
            hit = blocker(at, way, empty)
            if hit & others and beyond(lowest(hit), way, empty):
                takers |= 1 << at
    s[MUST] = 0
    s[PATH] = 0
    if takers == 0:
        if by0 | by1 | by2 | by3 == 0:
            return 0
        # A second jump never goes straight back, so it does not depend on the first piece taken or the start.
        again = by0 << 10 & (jump0 | jump1 | jump3) | by1 << 12 & (jump0 | jump1 | jump2)
        again |= by2 >> 10 & (jump1 | jump2 | jump3) | by3 >> 12 & (jump0 | jump2 | jump3)
        if again == 0:
            s[MUST] = 1
            count = add_jumps(s, add_jumps(s, 0, by0, 5, facts), by1, 6, facts)
            return add_jumps(s, add_jumps(s, count, by2, -5, facts), by3, -6, facts)
    found, most = captures(s, takers | by0 | by1 | by2 | by3, empty, work)
    s[MUST] = most - 1
    return list_paths(s, found, facts, work)


@lean
def list_paths(s: Ints, found: int, facts: Ints, work: Ints) -> int:
    """List the next id of each capture that begins with the chosen path; return how many ids there are."""
    count, chosen = 0, max(s[PATH], 1)
    for number in range(found):
        one = number * FOUND
        fits = True
        for at in range(s[PATH]):
            fits = fits and work[one + at] == s[PATH + 1 + at]
        if fits:
            count = add(s, count, work[one + chosen - 1], work[one + chosen], facts)
    return count


@lean
def list_steps(s: Ints, empty: int, facts: Ints) -> int:
    """List the ids of moves without capture; return how many there are. They come in ascending order."""
    side, size, count = s[SIDE], facts[SIZE], 0
    men, kings = s[MEN + side], s[KINGS + side]
    numbers, way = NUMBER + 64 * side, -1 if side == 0 else 1
    lower = men & (empty << 6 if side == 0 else empty >> 6)
    upper = men & (empty << 5 if side == 0 else empty >> 5)
    rest = kings | lower | upper
    while rest:
        at = lowest(rest) if side == 0 else highest(rest)
        rest ^= 1 << at
        first = size * facts[numbers + at]
        if kings >> at & 1:
            targets = beyond(at, 0, empty) | beyond(at, 1, empty) | beyond(at, 2, empty) | beyond(at, 3, empty)
            while targets:
                to = lowest(targets) if side == 0 else highest(targets)
                targets ^= 1 << to
                s[IDS + 2 * count] = first + facts[numbers + to]
                count += 1
        else:  # Write both steps and count those that are there, which is quicker than to ask.
            s[IDS + 2 * count] = first + facts[numbers + at + 6 * way]
            count += lower >> at & 1
            s[IDS + 2 * count] = first + facts[numbers + at + 5 * way]
            count += upper >> at & 1
    return count


@lean
def has_move(s: Ints, side: int, empty: int) -> bool:
    men, kings = s[MEN + side], s[KINGS + side]
    above, below = empty << 5 | empty << 6, empty >> 5 | empty >> 6
    if men & (above if side == 0 else below) or kings & (above | below):
        return True
    return can_capture(men, kings, s[MEN + 1 - side] | s[KINGS + 1 - side], empty)


@lean
def endgame(s: Ints) -> int:
    """Return after how many moves few pieces with a king against a lone king are a draw; 0 if it is not so (D8)."""
    if s[KINGS] == 0 or s[KINGS + 1] == 0:
        return 0
    for side in range(2):
        if s[MEN + 1 - side] == 0 and popcount(s[KINGS + 1 - side]) == 1:
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
    if s[KING_MOVES] == 0:
        return 1
    count, red, black = 0, s[KINGS], s[KINGS + 1]
    for at in range(HISTORY + 2 * s[KING_MOVES], HISTORY - 1, -4):
        count += s[at] == red and s[at + 1] == black
    return count


@lean
def judge(s: Ints, facts: Ints, work: Ints) -> None:
    """List the legal ids; end the game if it is won or drawn (D7, D8)."""
    side = s[SIDE]
    mine, theirs = s[MEN + side] | s[KINGS + side], s[MEN + 1 - side] | s[KINGS + 1 - side]
    empty = facts[EVERY] & ~(mine | theirs)
    count = list_captures(s, empty, facts, work)
    s[LEGAL] = count if count else list_steps(s, empty, facts)
    s[TIMES] = times(s)
    s[RESULT] = 0
    if s[LEGAL]:
        if theirs == 0:
            s[RESULT] = 1 + side
        elif s[TIMES] >= 3 or s[KING_MOVES] >= MOST_KING_MOVES:
            s[RESULT] = DRAWN
        elif s[ENDGAME]:
            limit = endgame(s)
            s[RESULT] = DRAWN if limit and s[ENDGAME] >= limit else 0
    elif (mine == 0 and theirs) or has_move(s, 1 - side, empty):
        s[RESULT] = 2 - side
    else:
        s[RESULT] = by_score(s)


@lean
def between(start: int, end: int) -> int:
    """Return the squares between two on one diagonal."""
    for way in range(0, 256, 64):
        if RAYS[way + start] >> end & 1:
            return RAYS[way + start] & ~RAYS[way + end]
    return 0


@lean
def move(s: Ints, facts: Ints, work: Ints) -> None:
    """Move along the chosen path, count points and moves, and pass the turn."""
    side, length = s[SIDE], s[PATH]
    origin, target = s[PATH + 1], s[PATH + length]
    king = s[KINGS + side] >> origin & 1
    promoted = king == 0 and facts[CROWN + side] >> target & 1 == 1
    quiet = s[MUST] == 0
    s[ENDGAME] = s[ENDGAME] + 1 if quiet and endgame(s) > 0 else 0
    s[KING_MOVES] = s[KING_MOVES] + 1 if quiet and king else 0
    if s[KING_MOVES] == 1:
        s[HISTORY] = s[KINGS]
        s[HISTORY + 1] = s[KINGS + 1]
    points = 2 * promoted
    if not quiet:
        taken = 0
        for at in range(PATH + 1, PATH + length):
            taken |= between(s[at], s[at + 1])
        men, kings = taken & s[MEN + 1 - side], taken & s[KINGS + 1 - side]
        points += popcount(men) + 3 * popcount(kings) + (length > 2)
        s[MEN + 1 - side] ^= men
        s[KINGS + 1 - side] ^= kings
    if facts[COMPETITIVE]:
        s[POINTS + side] += points
    s[KINGS + side if king else MEN + side] ^= 1 << origin
    s[KINGS + side if king or promoted else MEN + side] |= 1 << target
    s[SIDE] = 1 - side
    if s[KING_MOVES]:
        s[HISTORY + 2 * s[KING_MOVES]] = s[KINGS]
        s[HISTORY + 2 * s[KING_MOVES] + 1] = s[KINGS + 1]
    judge(s, facts, work)


@lean
def apply(s: Ints, one: int, facts: Ints, work: Ints) -> None:
    """Play an id that is not masked."""
    size, places = facts[SIZE], BIT + 64 * s[SIDE]
    if s[PATH] == 0:
        s[PATH] = 1
        s[PATH + 1] = facts[places + one // size]
    s[PATH] += 1
    s[PATH + s[PATH]] = facts[places + one % size]
    if s[PATH] > s[MUST]:
        move(s, facts, work)
        return
    mine, theirs = s[MEN + s[SIDE]] | s[KINGS + s[SIDE]], s[MEN + 1 - s[SIDE]] | s[KINGS + 1 - s[SIDE]]
    found, _ = captures(s, 1 << s[PATH + 1], facts[EVERY] & ~(mine | theirs), work)
    s[LEGAL] = list_paths(s, found, facts, work)


@lean
def reset(s: Ints, facts: Ints, work: Ints) -> None:
    for at in range(1, LEGAL):
        s[at] = 0
    s[PATH] = 0
    s[MEN] = facts[START]
    s[MEN + 1] = facts[START + 1]
    judge(s, facts, work)


@lean
def mark_squares(pieces: int, first: int, numbers: int, out: Batch, facts: Ints) -> None:
    """Mark squares as a side sees them."""
    while pieces:
        out[first + facts[numbers + lowest(pieces)]] = 1
        pieces &= pieces - 1


@lean
def observe(s: Ints, me: int, chooses: bool, out: Batch, facts: Ints) -> None:
    """Write what a side sees, as `DamesEncoding.observe` does, into zeros."""
    size, numbers = facts[SIZE], NUMBER + 64 * me
    mark_squares(s[MEN + me], 0, numbers, out, facts)
    mark_squares(s[KINGS + me], size, numbers, out, facts)
    mark_squares(s[MEN + 1 - me], 2 * size, numbers, out, facts)
    mark_squares(s[KINGS + 1 - me], 3 * size, numbers, out, facts)
    if chooses:
        for at in range(s[PATH]):
            out[4 * size + facts[numbers + s[PATH + 1 + at]]] = 1
    first = 5 * size
    out[first] = s[MUST] if s[SIDE] == me and s[RESULT] == 0 else 0
    out[first + 1] = s[POINTS + me]
    out[first + 2] = s[POINTS + 1 - me]
    out[first + 3] = s[KING_MOVES]
    out[first + 4] = s[ENDGAME]
    out[first + 5] = s[TIMES]
    out[first + 8] = s[SIDE] == me


@lean
def write_mask(s: Ints, mask: Batch) -> None:
    """Mark the legal ids instead of those that were marked last."""
    for at in range(IDS + 1, IDS + 1 + 2 * s[SHOWN], 2):
        mask[s[at]] = 0
    for at in range(IDS, IDS + 2 * s[LEGAL], 2):
        s[at + 1] = s[at]
        mask[s[at]] = 1
    s[SHOWN] = s[LEGAL]


@compiled
def renew_all(states: Batch, ended: Batch, facts: Ints, work: Ints) -> None:
    for row in range(states.shape[0]):
        if ended[row]:
            reset(states[row], facts, work)


@compiled
def step_all(states: Batch, ids: Ints, scores: Batch, places: Batch, facts: Ints, work: Ints) -> None:
    for row in range(states.shape[0]):
        s = states[row]
        if row + 1 < states.shape[0]:
            for at in range(0, IDS + 24, 8):  # What most steps need of the next game.
                prefetch(states[row + 1], at)
        apply(s, ids[row], facts, work)
        result = s[RESULT]
        if result == 0:
            continue
        for side in range(2):
            wins, loses = result == 1 + side, result == 2 - side
            places[row, side] = 1 + loses
            scores[row, side] = s[POINTS + side] if facts[COMPETITIVE] else 1 + wins - loses


@lean
def fetch_mask(s: Ints, mask: Batch) -> None:
    """Ask the memory for the marks that `write_mask` changes: they are far apart, so it would wait for each."""
    for at in range(IDS + 1, IDS + 1 + 2 * s[SHOWN], 2):
        prefetch(mask, s[at])
    for at in range(IDS, IDS + 2 * s[LEGAL], 2):
        prefetch(mask, s[at])


@compiled
def look_all(states: Batch, seats: Ints, observations: Batch, masks: Batch, facts: Ints) -> None:
    for row in range(states.shape[0]):
        s = states[row]
        if row + 1 < states.shape[0]:
            fetch_mask(states[row + 1], masks[row + 1])
        seats[row] = s[SIDE]
        observations[row, :] = 0
        observe(s, s[SIDE], True, observations[row], facts)
        write_mask(s, masks[row])


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
    size = 5 * facts[SIZE] + 9
    for row in range(states.shape[0]):
        s = states[row]
        for side in range(2):
            observe(s, side, s[SIDE] == side, out[row, size * side : size * (side + 1)], facts)


@compiled
def choose_all(states: Batch, dice: Ints, ids: Ints) -> None:
    """Write one of the legal ids of each game, each equally likely; `dice` has a state for each."""
    for row in range(states.shape[0]):
        s = states[row]
        dice[row] = dice[row] * 6364136223846793005 + 1442695040888963407
        ids[row] = s[IDS + 2 * (((dice[row] >> 32 & 0xFFFFFFFF) * s[LEGAL]) >> 32)]


follow(globals(), desk_kernel.__file__, kernel.__file__)
