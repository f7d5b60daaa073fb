"""Scrabble, compiled by Numba: the word graph, all plays, the best play, whole games, the endgame.

The graph is a GADDAG, one array of int64. It contains a word once for each of its letters: from that letter leftwards,
then a separator, then the rest; and once wholly backwards, without a separator. So a play grows from any square, first
to the left and then to the right. A node is one integer. Its low half is the set of letters that may follow and whether
a word ends here; its high half is the position of its children, which are adjacent. Equal lists of children are stored
once.

The board has 30 lines, fifteen rows and fifteen columns; a square is `16 * line + place` and so is on the board twice.
A play is one integer: the tiles it lays, first to last, then its line, its first square and the number of tiles.

The best play is found without generating all: `estimate` gives an upper bound for the plays of every place, and the
places are tried in that order until no other can be better.

All compiled code is in this one file, because Numba's cache checks the date of a function's own file only.
`rules.py` stays the reference; a test compares the two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core.machine import Floats, Ints, compiled, lowest, part, popcount
from .board import COUNTS, LETTER_BONUS, LINES, VALUES, WORD_BONUS

TILES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ?"
JOKER = 26
SEPARATOR = 26
LETTERS = (1 << 26) - 1
TURN = 1 << SEPARATOR
ENDS = 1 << 31
"""The bit of a node where a word ends."""
FOLLOWING = (1 << 27) - 1
BOTH = LETTERS | LETTERS << 32
"""Every letter, as its own tile (low half) or as a joker (high half)."""
DAWG, GADDAG = 0, 1
"""The positions of the two roots: words forwards, and the graph described above."""
SAME, BUT_ONE = 2, 3
"""The positions of the starts of the bit sets that `index_letters` builds."""
FIRST = 4
SAME_SIZE, BUT_ONE_SIZE = 1 << 16, 1 << 18

VALUE: Ints = np.array([VALUES[tile] for tile in TILES], np.int64)
COUNT: Ints = np.array([COUNTS[tile] for tile in TILES], np.int64)
ALL = 102
BINGO = 50
VOWELS = sum(1 << TILES.index(vowel) for vowel in "AEIOUY")

HASHES: Ints = np.random.default_rng(102).integers(1 << 62, size=27)
"""A hash of each letter; the sum is a hash of letters in any order."""
PAIR = 27
BALANCE = PAIR + 27 * 27
LIKES = BALANCE + 64
"""What keeping tiles is worth, in thousandths of a point: each tile, each pair of tiles, and how many vowels (times 8)
and consonants there are."""

SIDE = 15
SQUARES = 16 * 30
CROSS = SQUARES
"""Which letters fit the word that crosses a square, like `BOTH`."""
BESIDE = 2 * SQUARES
"""The value of the tiles of the crossing word; -1 if there is none."""
BOARD = 3 * SQUARES
EMPTY = -1
BY_JOKER = 32
"""Added to the letter of a joker."""


def by_square(of: tuple[int, ...]) -> Any:
    found = np.ones(SQUARES, np.int64)
    for number, line in enumerate(LINES):
        for place, square in enumerate(line.squares):
            found[16 * number + place] = of[square]
    return found


LETTER_TIMES: Ints = by_square(LETTER_BONUS)
WORD_TIMES: Ints = by_square(WORD_BONUS)

# The fields of a search: the rack, the plays wanted, the plays found.
FIELD = 0
"""For each tile, its bits in a set of the rack's tiles."""
ALLOWS = 32
"""For each set of tiles left, the letters that can be laid, like `BOTH`."""
KEEP = ALLOWS + 128
"""For each set of tiles left, the value of keeping it, in thousandths of a point."""
KINDS = KEEP + 128
"""For each set of tiles, its numbers of vowels and consonants."""
TOP = KINDS + 128
"""The sum of the rack's highest values, for each number of tiles."""
BEST_KEEP = TOP + 8
"""The highest value of the tiles kept, for each number of tiles laid."""
LIMIT = BEST_KEEP + 8
"""The upper bound of a play from the current place with so many tiles or more."""
RACK = LIMIT + 9
"""The set of all tiles of the rack."""
TILE = RACK + 1
"""The tile of each bit."""
DEAR = TILE + 7
"""The tiles of the rack, highest value first."""
HASH = DEAR + 7
"""The sum of the hashes of the rack's letters."""
JOKERS = HASH + 1
BEST = JOKERS + 1
"""The value of the best play so far, in thousandths of a point."""
FOUND = BEST + 1
"""The best play so far, 0 for none."""
FOUND_SCORE = FOUND + 1
FOUND_LEFT = FOUND + 2
"""The set of tiles that the best play leaves."""
MADE = FOUND + 3
"""The number of plays found, if all are wanted."""
STACK = FOUND + 4
LEVEL = 12
PLACES = STACK + LEVEL * 10
"""The places where plays can start."""
P_MOST, P_LINE, P_START, P_END, P_FREE, P_NODE, P_WORTH, P_LETTERS, P_BY_LAID = range(9)
"""The numbers of a place: the most that a play can be worth, its line, where it starts and ends, how far to the left a
play may reach, the node after its letters, what these are worth and their hash, and the most by how many are laid."""
PLACE = 16
SEARCH = PLACES + PLACE * 30 * 15
WORST = -(1 << 40)


@compiled
def child(graph: Ints, node: int, letter: int) -> int:
    """Return the child for a letter that may follow."""
    return graph[(node >> 32) + popcount(node & ((1 << letter) - 1))]


@compiled
def twice(node: int) -> int:
    """Return the letters that may follow, like `BOTH`."""
    letters = node & LETTERS
    return letters | letters << 32


@compiled
def freeze(graph: Ints, used: int, slots: Ints, nodes: Ints, at: int, mask: int) -> int:
    """Store the children of a node, unless the same are stored already; return their position, or -1 if full."""
    size = popcount(mask)
    mixed = mask
    for child_number in range(size):
        mixed = (mixed ^ nodes[at + child_number]) * -7046029254386353131
        mixed ^= mixed >> 29 & 0x7FFFFFFFF
    last = slots.size - 1
    slot = mixed & last
    while slots[slot]:
        if slots[slot] & FOLLOWING == mask:
            where = slots[slot] >> 32
            same = True
            for child_number in range(size):
                if graph[where + child_number] != nodes[at + child_number]:
                    same = False
                    break
            if same:
                return where
        slot = slot + 1 & last
    # Keep one number free for the root.
    if used + size >= graph.size:
        return -1
    for child_number in range(size):
        graph[used + child_number] = nodes[at + child_number]
    slots[slot] = used << 32 | mask
    return used


@compiled
def letter_of(first: int, rest: int, place: int) -> int:
    """Return a letter of a word in two integers, five bits each from 1 on, twelve in the first; 0 after its end."""
    return first >> 5 * (11 - place) & 31 if place < 12 else rest >> 5 * (14 - place) & 31


@compiled
def add_words(graph: Ints, slots: Ints, used: int, words: Ints, ends: Ints, out: Ints, out_ends: Ints) -> int:
    """Add sorted words, two integers each, to the graph; each word ends in a given node.

    Return the size used, with the root last, or -1 if there is no space. If `out` has space, write every beginning of a
    word to it backwards, with its node.
    """
    nodes = np.zeros(17 * 27, np.int64)
    masks, turns = np.zeros(17, np.int64), np.zeros(17, np.int64)
    depth = made = 0
    first = rest = 0
    count = words.size // 2
    for number in range(count + 1):
        more = number < count
        new_first, new_rest = (words[2 * number], words[2 * number + 1]) if more else (0, 0)
        common = 0
        while more and common < depth and letter_of(first, rest, common) == letter_of(new_first, new_rest, common):
            common += 1
        while depth > common or (not more and depth >= 0):
            mask = masks[depth]
            size = popcount(mask)
            if turns[depth] & FOLLOWING:
                nodes[depth * 27 + size] = turns[depth] & ~ENDS
                mask |= TURN
                size += 1
            where = freeze(graph, used, slots, nodes, depth * 27, mask) if mask else 0
            if where < 0:
                return -1
            used = max(used, where + size)
            node = where << 32 | turns[depth] & ENDS | mask
            masks[depth] = turns[depth] = 0
            if depth == 0:
                graph[used] = node
                return used + 1
            if made * 2 < out.size:
                back_first = back_rest = 0
                for place in range(depth):
                    letter = letter_of(first, rest, depth - 1 - place)
                    if place < 12:
                        back_first |= letter << 5 * (11 - place)
                    else:
                        back_rest |= letter << 5 * (14 - place)
                out[2 * made], out[2 * made + 1] = back_first, back_rest
                out_ends[made] = node
                made += 1
            depth -= 1
            nodes[depth * 27 + popcount(masks[depth])] = node
            masks[depth] |= 1 << letter_of(first, rest, depth) - 1
        first, rest = new_first, new_rest
        while depth < 15 and letter_of(first, rest, depth):
            depth += 1
        turns[depth] = ends[number]
    return used


@compiled
def pack_words(text: Ints, words: Ints) -> int:
    """Pack the words of a text, one a line, into two integers each, and return the number of beginnings."""
    number = place = beginnings = common = 0
    same = True
    for at in range(text.size):
        letter = text[at] - 64
        if letter < 0:
            number += 1
            place = 0
            same = True
            continue
        if place < 12:
            words[2 * number] |= letter << 5 * (11 - place)
        else:
            words[2 * number + 1] |= letter << 5 * (14 - place)
        if same:
            before = number - 1
            same = number > 0 and letter_of(words[2 * before], words[2 * before + 1], place) == letter
            common = common + 1 if same else common
        beginnings += 0 if same else 1
        place += 1
    return beginnings


@compiled
def index_letters(graph: Ints, words: Ints) -> None:
    """Index the letters of each word in bit sets: all letters, and for seven or more also all but one."""
    for number in range(words.size // 2):
        first, rest = words[2 * number], words[2 * number + 1]
        total = length = 0
        while length < 15 and letter_of(first, rest, length):
            total += HASHES[letter_of(first, rest, length) - 1]
            length += 1
        graph[graph[SAME] + (total >> 16 & SAME_SIZE - 1)] |= 1 << (total >> 50 & 63)
        if length >= 7:
            for place in range(length):
                part = total - HASHES[letter_of(first, rest, place) - 1]
                graph[graph[BUT_ONE] + (part >> 16 & BUT_ONE_SIZE - 1)] |= 1 << (part >> 50 & 63)


@compiled
def possible(graph: Ints, total: int, jokers: int) -> bool:
    """Return whether some word may have letters with this hash plus the jokers; never a false no."""
    if jokers == 0:
        return graph[graph[SAME] + (total >> 16 & SAME_SIZE - 1)] >> (total >> 50 & 63) & 1 == 1
    if jokers == 1:
        return graph[graph[BUT_ONE] + (total >> 16 & BUT_ONE_SIZE - 1)] >> (total >> 50 & 63) & 1 == 1
    return True


@compiled
def square_across(square: int) -> int:
    """Return the same square in the crossing line."""
    line, place = square >> 4, square & 15
    return place + 15 << 4 | line if line < 15 else place << 4 | line - 15


@compiled
def is_empty(board: Ints, line: int, place: int) -> bool:
    """Return whether a place has no tile; places off the board have none."""
    return place < 0 or place >= SIDE or board[16 * line + place] < 0


@compiled
def find_cross(graph: Ints, board: Ints, square: int) -> None:
    """Find the letters that fit an empty square because of the word that crosses it."""
    other = square_across(square)
    line, place = other >> 4, other & 15
    above, below = not is_empty(board, line, place - 1), not is_empty(board, line, place + 1)
    if not above and not below:
        board[CROSS + square] = BOTH
        board[BESIDE + square] = -1
        return
    worth = fits = 0
    node = graph[GADDAG]
    alive = True
    last = place
    while not is_empty(board, line, last + 1):
        last += 1
    start = last if below else place - 1
    while start >= 0 and start != place and board[16 * line + start] >= 0:
        tile = board[16 * line + start]
        worth += VALUE[tile] if tile < BY_JOKER else 0
        alive = alive and node >> (tile & 31) & 1 == 1
        node = child(graph, node, tile & 31) if alive else 0
        start -= 1
    if alive and above and not below:
        alive = node >> SEPARATOR & 1 == 1
        node = child(graph, node, SEPARATOR) if alive else 0
    if not alive:
        node = 0
    letters = node & LETTERS
    while letters:
        letter = lowest(letters)
        letters &= letters - 1
        after = child(graph, node, letter)
        if above and below:
            at = place - 1
            while at >= 0 and board[16 * line + at] >= 0:
                tile = board[16 * line + at] & 31
                if not after >> tile & 1:
                    after = 0
                    break
                after = child(graph, after, tile)
                at -= 1
        if after & ENDS:
            fits |= 1 << letter
    if above and below:
        at = place - 1
        while at >= 0 and board[16 * line + at] >= 0:
            tile = board[16 * line + at]
            worth += VALUE[tile] if tile < BY_JOKER else 0
            at -= 1
    board[CROSS + square] = fits | fits << 32
    board[BESIDE + square] = worth


@compiled
def set_board(graph: Ints, board: Ints, tiles: Ints) -> None:
    """Set the 225 squares, row by row: a letter, plus `BY_JOKER` for a joker, or -1 for none."""
    for square in range(SQUARES):
        board[square] = EMPTY
        board[CROSS + square] = BOTH
        board[BESIDE + square] = -1
    for row in range(SIDE):
        for column in range(SIDE):
            board[16 * row + column] = board[16 * (15 + column) + row] = tiles[SIDE * row + column]
    for line in range(30):
        for place in range(SIDE):
            if board[16 * line + place] < 0:
                find_cross(graph, board, 16 * line + place)


@compiled
def play_of(line: int, start: int, count: int, tiles: int) -> int:
    """Return the number of a play."""
    return line << 51 | start << 47 | count << 43 | 1 << 42 | tiles


@compiled
def lay(graph: Ints, board: Ints, play: int) -> int:
    """Lay a play on the board and return the lines whose plays have changed, as bits."""
    line, place, count, tiles = play >> 51, play >> 47 & 15, play >> 43 & 15, play
    base = 16 * line
    changed = 1 << line
    for _ in range(count):
        while board[base + place] >= 0:
            place += 1
        square = base + place
        other = square_across(square)
        changed |= 1 << (other >> 4)
        board[square] = board[other] = tiles & 63
        board[CROSS + square] = board[CROSS + other] = BOTH
        board[BESIDE + square] = board[BESIDE + other] = -1
        tiles >>= 6
    place = play >> 47 & 15
    first = place
    while place < SIDE and board[base + place] >= 0:
        other = square_across(base + place)
        # The ends of older tiles are checked again, which is harmless and rare.
        changed |= find_ends(graph, board, other >> 4, other & 15)
        place += 1
    return changed | find_ends(graph, board, line, first)


@compiled
def find_ends(graph: Ints, board: Ints, line: int, place: int) -> int:
    """Update the letters that fit before and after the run of tiles through a place; return the crossing lines."""
    changed = 0
    at = place
    while at >= 0 and board[16 * line + at] >= 0:
        at -= 1
    if at >= 0:
        square = square_across(16 * line + at)
        find_cross(graph, board, square)
        changed |= 1 << (square >> 4)
    at = place
    while at < SIDE and board[16 * line + at] >= 0:
        at += 1
    if at < SIDE:
        square = square_across(16 * line + at)
        find_cross(graph, board, square)
        changed |= 1 << (square >> 4)
    return changed


@compiled
def set_rack(s: Ints, rack: Ints, size: int, likes: Ints) -> None:
    """Set the sorted rack of a search and compute the value of keeping each part of it."""
    for tile in range(27):
        s[FIELD + tile] = 0
    s[HASH] = s[JOKERS] = 0
    for at in range(size):
        tile = rack[at]
        s[TILE + at] = tile
        s[FIELD + tile] |= 1 << at
        if tile == JOKER:
            s[JOKERS] += 1
        else:
            s[HASH] += HASHES[tile]
    full = (1 << size) - 1
    s[RACK] = full
    s[ALLOWS] = s[KEEP] = s[KINDS] = 0
    for tiles in range(1, full + 1):
        tile, rest = s[TILE + lowest(tiles)], tiles & tiles - 1
        if tile == JOKER:
            s[ALLOWS + tiles] = s[ALLOWS + rest] | LETTERS << 32
            s[KINDS + tiles] = s[KINDS + rest]
        else:
            s[ALLOWS + tiles] = s[ALLOWS + rest] | 1 << tile
            s[KINDS + tiles] = s[KINDS + rest] + (8 if VOWELS >> tile & 1 else 1)
        # Values of pairs add up: both parts, minus what is counted twice, plus the pair that both lack.
        if rest:
            second = s[TILE + lowest(rest)]
            apart = rest & rest - 1
            without = tiles ^ rest | apart
            both = likes[PAIR + 27 * tile + second]
            s[KEEP + tiles] = s[KEEP + rest] + s[KEEP + without] - s[KEEP + apart] + both
        else:
            s[KEEP + tiles] = likes[tile]
    for laid in range(8):
        s[BEST_KEEP + laid] = WORST
    for tiles in range(full + 1):
        s[KEEP + tiles] += likes[BALANCE + s[KINDS + tiles]]
        laid = size - popcount(tiles)
        s[BEST_KEEP + laid] = max(s[BEST_KEEP + laid], s[KEEP + tiles])
    set_values(s, size)


@compiled
def set_values(s: Ints, size: int) -> None:
    """Sort a rack by value, highest first."""
    for at in range(size):
        tile = s[TILE + at]
        to = at
        while to > 0 and VALUE[s[DEAR + to - 1]] < VALUE[tile]:
            s[DEAR + to] = s[DEAR + to - 1]
            to -= 1
        s[DEAR + to] = tile
    s[TOP] = 0
    for at in range(size):
        s[TOP + at + 1] = s[TOP + at] + VALUE[s[DEAR + at]]


@compiled
def set_last_rack(s: Ints, others: int) -> None:
    """Value the tiles kept when the bag is empty: they cost twice their value; going out gains the other tiles."""
    full = s[RACK]
    size = popcount(full)
    for laid in range(8):
        s[BEST_KEEP + laid] = WORST
    s[KEEP] = 2000 * others
    for tiles in range(1, full + 1):
        rest = tiles & tiles - 1
        s[KEEP + tiles] = (s[KEEP + rest] if rest else -10000) - 2000 * VALUE[s[TILE + lowest(tiles)]]
    for tiles in range(full + 1):
        laid = size - popcount(tiles)
        s[BEST_KEEP + laid] = max(s[BEST_KEEP + laid], s[KEEP + tiles])


@compiled
def dearest(s: Ints, size: int, fits: int) -> int:
    """Return the highest value of a tile of the rack that fits, or -1."""
    if not fits & s[ALLOWS + s[RACK]]:
        return -1
    for at in range(size):
        tile = s[DEAR + at]
        if tile != JOKER and fits >> tile & 1:
            return VALUE[tile]
    return 0


@compiled
def find_places(graph: Ints, board: Ints, s: Ints) -> int:
    """Find the places where plays can start and return their number."""
    count = 0
    for line in range(30):
        count = find_places_in(graph, board, s, line, count)
    return count


@compiled
def find_places_in(graph: Ints, board: Ints, s: Ints, line: int, count: int) -> int:
    """Add the places of a line where plays can start, and return the new number of places.

    A place is a run of tiles in a line, or an empty square that a word crosses. A play belongs to the leftmost place
    that it covers, so it cannot reach the place to the left. On an empty board the only place is the centre.
    """
    base = 16 * line
    free = at = 0
    while at < SIDE:
        if board[base + at] >= 0:
            start = at
            while at + 1 < SIDE and board[base + at + 1] >= 0:
                at += 1
            node, worth, letters = graph[GADDAG], 0, 0
            for place in range(at, start - 1, -1):
                tile = board[base + place]
                worth += VALUE[tile] if tile < BY_JOKER else 0
                letters += HASHES[tile & 31]
                node = child(graph, node, tile & 31) if node >> (tile & 31) & 1 else 0
            if node & FOLLOWING:
                note_place(s, count, line, start, at, free, node, worth, letters)
                count += 1
            free = at + 2
            at += 2
        elif board[BESIDE + base + at] >= 0:
            if board[CROSS + base + at] & s[ALLOWS + s[RACK]]:
                note_place(s, count, line, at + 1, at, free, 0, 0, 0)
                count += 1
            free = at + 1
            at += 1
        else:
            at += 1
    if line % SIDE == 7 and is_bare(board):
        note_place(s, count, line, 8, 7, 0, 0, 0, 0)
        count += 1
    return count


@compiled
def is_bare(board: Ints) -> bool:
    """Return whether the board is empty."""
    tiles = 0
    for square in range(16 * SIDE):
        tiles += board[square] >= 0
    return tiles == 0


@compiled
def note_place(
    s: Ints, number: int, line: int, start: int, end: int, free: int, node: int, worth: int, letters: int
) -> None:
    """Store a place: a run from start to end, or an empty square if the start is after the end."""
    at = PLACES + PLACE * number
    s[at + P_LINE], s[at + P_START], s[at + P_END], s[at + P_FREE] = line, start, end, free
    s[at + P_NODE], s[at + P_WORTH], s[at + P_LETTERS] = node, worth, letters


@compiled
def estimate(graph: Ints, board: Ints, s: Ints, at: int) -> None:
    """Compute the upper bound of a play from a place, for each number of tiles and in all.

    The bound puts the highest tiles on the best squares, without regard to words. Seven tiles count as possible only if
    some word has their letters and those on the board.
    """
    s[at + P_MOST] = WORST
    for laid in range(8):
        s[at + P_BY_LAID + laid] = WORST
    start, end, free = s[at + P_START], s[at + P_END], s[at + P_FREE]
    worth, total = s[at + P_WORTH], s[at + P_LETTERS]
    base = 16 * s[at + P_LINE]
    size = popcount(s[RACK])
    left = min(start, end)
    # Empty squares to the left, then all squares to the right.
    loose = double = triple = laid = cross = 0
    times = 1
    if start > end:
        square = base + end
        high = dearest(s, size, board[CROSS + square])
        if high < 0:
            return
        high *= LETTER_TIMES[square]
        worth += high
        times = WORD_TIMES[square]
        if board[BESIDE + square] >= 0:
            cross = (board[BESIDE + square] + high) * times
        laid = 1
    best = WORST
    while True:
        r_worth, r_loose, r_double, r_triple = worth, loose, double, triple
        r_laid, r_cross, r_times, r_total = laid, cross, times, total
        place = end + 1
        while True:
            if place < SIDE and board[base + place] >= 0:
                tile = board[base + place]
                r_worth += VALUE[tile] if tile < BY_JOKER else 0
                r_total += HASHES[tile & 31]
                place += 1
                continue
            if r_laid:
                score = r_worth + s[TOP + r_loose] + s[TOP + r_double] + s[TOP + r_triple]
                score = score * r_times + r_cross
                if r_laid == 7:
                    score += BINGO
                if r_laid < 7 or possible(graph, r_total + s[HASH], s[JOKERS]):
                    value = 1000 * score + s[BEST_KEEP + r_laid]
                    s[at + P_BY_LAID + r_laid] = max(s[at + P_BY_LAID + r_laid], value)
                    best = max(best, value)
            if place >= SIDE or r_laid == size:
                break
            square = base + place
            if board[BESIDE + square] >= 0:
                high = dearest(s, size, board[CROSS + square])
                if high < 0:
                    break
                high *= LETTER_TIMES[square]
                r_worth += high
                r_cross += (board[BESIDE + square] + high) * WORD_TIMES[square]
            else:
                r_loose += 1
                r_double += LETTER_TIMES[square] >= 2
                r_triple += LETTER_TIMES[square] >= 3
            r_times *= WORD_TIMES[square]
            r_laid += 1
            place += 1
        left -= 1
        if left < free or laid == size:
            break
        square = base + left
        loose += 1
        double += LETTER_TIMES[square] >= 2
        triple += LETTER_TIMES[square] >= 3
        times *= WORD_TIMES[square]
        laid += 1
    s[at + P_MOST] = best


# The fields of one level of a walk.
L_OPTIONS, L_NODE, L_PLACE, L_RACK, L_SUM, L_TIMES, L_CROSS, L_TILES, L_LEFT, L_LAID, L_RIGHT = range(11)


@compiled
def walk(graph: Ints, board: Ints, s: Ints, at: int, plays: Ints, scores: Ints) -> None:
    """Generate the plays of a place that can beat the best so far; if `plays` has space, store all of them."""
    line, start, end, free = s[at + P_LINE], s[at + P_START], s[at + P_END], s[at + P_FREE]
    node, worth = s[at + P_NODE], s[at + P_WORTH]
    base = 16 * line
    every = plays.size > 0
    best, made = s[BEST], s[MADE]
    end_is_open = is_empty(board, line, end + 1)
    allowed = s[ALLOWS + s[RACK]]
    depth = STACK
    if start > end:
        node = graph[GADDAG]
        s[depth + L_OPTIONS] = twice(node) & allowed & board[CROSS + base + end]
        s[depth + L_PLACE] = end
    else:
        options = 0
        if start - 1 >= free:
            options = twice(node) & allowed
        if end + 1 < SIDE:
            options |= node & TURN
        s[depth + L_OPTIONS] = options
        s[depth + L_PLACE] = start - 1
    s[depth + L_NODE] = node
    s[depth + L_RACK] = s[RACK]
    s[depth + L_SUM] = worth
    s[depth + L_TIMES] = 1
    s[depth + L_CROSS] = s[depth + L_TILES] = s[depth + L_LAID] = s[depth + L_RIGHT] = 0
    s[depth + L_LEFT] = start
    while depth >= STACK:
        options = s[depth + L_OPTIONS]
        if options == 0:
            depth -= LEVEL
            continue
        s[depth + L_OPTIONS] = options & options - 1
        option = lowest(options)
        letter = option & 31
        node = child(graph, s[depth + L_NODE], letter)
        place, rack = s[depth + L_PLACE], s[depth + L_RACK]
        total, times, cross = s[depth + L_SUM], s[depth + L_TIMES], s[depth + L_CROSS]
        tiles, left, laid = s[depth + L_TILES], s[depth + L_LEFT], s[depth + L_LAID]
        right = s[depth + L_RIGHT]
        ends = False
        if letter == SEPARATOR:
            right = 1
            place = end + 1
        else:
            square = base + place
            if option >= 32:
                field = s[FIELD + JOKER]
                high = 0
            else:
                field = s[FIELD + letter]
                high = VALUE[letter] * LETTER_TIMES[square]
            field &= rack
            rack ^= field & -field
            total += high
            times *= WORD_TIMES[square]
            if board[BESIDE + square] >= 0:
                cross += (board[BESIDE + square] + high) * WORD_TIMES[square]
            ends = node & ENDS != 0
            if right:
                tiles |= option << 6 * laid
                place += 1
            else:
                tiles = tiles << 6 | option
                left = place
                place -= 1
            laid += 1
        if right:
            while place < SIDE and board[base + place] >= 0:
                tile = board[base + place]
                if not node >> (tile & 31) & 1:
                    node = 0
                    ends = False
                    break
                node = child(graph, node, tile & 31)
                ends = node & ENDS != 0
                total += VALUE[tile] if tile < BY_JOKER else 0
                place += 1
        elif not end_is_open:
            ends = False
        if ends:
            score = total * times + cross
            if laid == 7:
                score += BINGO
            if every:
                if made < plays.size:
                    plays[made] = play_of(line, left, laid, tiles)
                    scores[made] = score
                made += 1
            else:
                value = 1000 * score + s[KEEP + rack]
                if value > best:
                    best = value
                    s[FOUND] = play_of(line, left, laid, tiles)
                    s[FOUND_SCORE] = score
                    s[FOUND_LEFT] = rack
        options = 0
        more = rack != 0 and s[LIMIT + laid + 1] > best
        if right:
            if more and place < SIDE:
                options = twice(node) & s[ALLOWS + rack] & board[CROSS + base + place]
        else:
            if more and place >= free:
                options = twice(node) & s[ALLOWS + rack]
            if end + 1 < SIDE and (more or not end_is_open):
                options |= node & TURN
        if options:
            depth += LEVEL
            s[depth + L_OPTIONS] = options
            s[depth + L_NODE] = node
            s[depth + L_PLACE] = place
            s[depth + L_RACK] = rack
            s[depth + L_SUM] = total
            s[depth + L_TIMES] = times
            s[depth + L_CROSS] = cross
            s[depth + L_TILES] = tiles
            s[depth + L_LEFT] = left
            s[depth + L_LAID] = laid
            s[depth + L_RIGHT] = right
    s[BEST] = best
    s[MADE] = made


@compiled
def find_best(graph: Ints, board: Ints, s: Ints) -> None:
    """Find the play with the best sum of score and tiles kept; `FOUND` is 0 if there is none."""
    find_better(graph, board, s, WORST)


@compiled
def find_better(graph: Ints, board: Ints, s: Ints, value: int) -> None:
    """Find the best play if it is worth more than a value; otherwise `FOUND` is 0 and `BEST` that value."""
    nothing = np.zeros(0, np.int64)
    s[BEST], s[FOUND] = value, 0
    count = find_places(graph, board, s)
    for number in range(count):
        estimate(graph, board, s, PLACES + PLACE * number)
    while True:
        chosen = 0
        most = s[BEST]
        for number in range(count):
            at = PLACES + PLACE * number
            if s[at + P_MOST] > most:
                most = s[at + P_MOST]
                chosen = at
        if chosen == 0:
            return
        limit = s[LIMIT + 8] = WORST
        for laid in range(7, 0, -1):
            limit = s[LIMIT + laid] = max(limit, s[chosen + P_BY_LAID + laid])
        walk(graph, board, s, chosen, nothing, nothing)
        s[chosen + P_MOST] = WORST


@compiled
def find_all(graph: Ints, board: Ints, s: Ints, plays: Ints, scores: Ints) -> int:
    """Find all plays and their scores and return their number, which may exceed the space."""
    s[MADE] = 0
    s[BEST] = WORST
    for laid in range(9):
        s[LIMIT + laid] = -WORST
    count = find_places(graph, board, s)
    for number in range(count):
        walk(graph, board, s, PLACES + PLACE * number, plays, scores)
    return s[MADE]


@compiled
def pick(dice: Ints, n: int) -> int:
    """Draw from [0, n)."""
    dice[0] = dice[0] * 6364136223846793005 + 1442695040888963407
    return ((dice[0] >> 32 & 0xFFFFFFFF) * n) >> 32


@compiled
def fill_bag(bag: Ints, dice: Ints) -> int:
    """Put all tiles into the bag in random order and return their number."""
    size = 0
    for tile in range(27):
        for _ in range(COUNT[tile]):
            to = pick(dice, size + 1)
            bag[size] = bag[to]
            bag[to] = tile
            size += 1
    return size


@compiled
def put_in_order(rack: Ints, size: int) -> None:
    for at in range(1, size):
        tile = rack[at]
        to = at
        while to > 0 and rack[to - 1] > tile:
            rack[to] = rack[to - 1]
            to -= 1
        rack[to] = tile


@compiled
def play_games(
    graph: Ints,
    likes: Ints,
    others: Ints,
    games: int,
    dice: Ints,
    totals: Ints,
    samples: int,
    sums: Floats,
    products: Floats,
) -> int:
    """Play games of two players that choose by score and tiles kept; return the number of turns.

    Add the scores of both players, the wins of the first and the draws to `totals`. The players start in turn. With
    `samples`, try so many random racks on every board and add the results to `sums` and `products`.
    """
    board = np.empty(BOARD, np.int64)
    tiles = np.empty(SIDE * SIDE, np.int64)
    s = np.zeros(SEARCH, np.int64)
    bag = np.zeros(ALL, np.int64)
    racks = np.zeros((2, 7), np.int64)
    sizes, scores = np.zeros(2, np.int64), np.zeros(2, np.int64)
    pool = np.zeros(ALL, np.int64)
    turns = 0
    for game in range(games):
        tiles[:] = EMPTY
        set_board(graph, board, tiles)
        left = fill_bag(bag, dice)
        scores[:] = 0
        sizes[:] = 0
        for seat in range(2):
            left = refill(bag, left, racks[seat], sizes, seat)
        seat, passes, idle = game & 1, 0, 0
        while passes < 6 and idle < 12:
            turns += 1
            rack = racks[seat]
            if left > 0 and samples:
                unseen = left
                pool[:left] = bag[:left]
                for hidden in range(2):
                    for at in range(sizes[hidden]):
                        pool[unseen] = racks[hidden][at]
                        unseen += 1
                for _ in range(samples):
                    gather(graph, board, s, likes, pool, unseen, left, dice, sums, products)
            set_rack(s, rack, sizes[seat], likes if seat == 0 else others)
            if left == 0:
                held = 0
                for at in range(sizes[1 - seat]):
                    held += VALUE[racks[1 - seat][at]]
                set_last_rack(s, held)
            find_best(graph, board, s)
            swap = best_exchange(s) if left >= 7 else s[RACK]
            if swap != s[RACK] and s[KEEP + swap] > s[BEST]:
                passes = 0
                idle += 1
                left = exchange(bag, left, s, racks[seat], swap, dice)
            elif s[FOUND]:
                passes = idle = 0
                scores[seat] += s[FOUND_SCORE]
                lay(graph, board, s[FOUND])
                keep_tiles(s, rack, sizes, seat, s[FOUND_LEFT])
                left = refill(bag, left, rack, sizes, seat)
                if sizes[seat] == 0:
                    break
            else:
                passes += 1
                idle += 1
            seat = 1 - seat
        for seat in range(2):
            for at in range(sizes[seat]):
                value = VALUE[racks[seat][at]]
                scores[seat] -= value
                if sizes[1 - seat] == 0:
                    scores[1 - seat] += value
        totals[0] += scores[0]
        totals[1] += scores[1]
        totals[2] += scores[0] > scores[1]
        totals[3] += scores[0] == scores[1]
    return turns


@compiled
def gather(
    graph: Ints,
    board: Ints,
    s: Ints,
    likes: Ints,
    pool: Ints,
    unseen: int,
    left: int,
    dice: Ints,
    sums: Floats,
    products: Floats,
) -> None:
    """Draw a rack from the unseen tiles, find its best value on a board, and credit parts of it of every size.

    `sums` adds the values of the racks that had each feature of `likes`, `products` counts how often two features came
    together, for a linear regression. The last numbers of `sums` are for all racks together.
    """
    rack = np.empty(7, np.int64)
    for at in range(7):
        from_ = at + pick(dice, unseen - at)
        pool[at], pool[from_] = pool[from_], pool[at]
        rack[at] = pool[at]
    put_in_order(rack, 7)
    set_rack(s, rack, 7, likes)
    find_best(graph, board, s)
    best = max(s[BEST], 0)
    if left >= 7:
        best = max(best, s[KEEP + best_exchange(s)])
    brought = best / 1000
    sums[LIKES] += brought
    sums[LIKES + 1] += 1
    there = np.empty(32, np.int64)
    taken = np.empty(7, np.int64)
    for size in range(7):
        # `pool` has the rack's tiles first; a part is a random choice of `size` of them.
        count = vowels = consonants = 0
        for at in range(size):
            from_ = at + pick(dice, 7 - at)
            pool[at], pool[from_] = pool[from_], pool[at]
            tile = taken[at] = pool[at]
            there[count] = tile
            count += 1
            if tile != JOKER:
                if VOWELS >> tile & 1:
                    vowels += 1
                else:
                    consonants += 1
            for before in range(at):
                there[count] = PAIR + 27 * min(tile, taken[before]) + max(tile, taken[before])
                count += 1
        there[count] = BALANCE + 8 * vowels + consonants
        count += 1
        for one in range(count):
            sums[there[one]] += brought
            for two in range(count):
                products[there[one] * LIKES + there[two]] += 1


@compiled
def best_exchange(s: Ints) -> int:
    """Return the best tiles to keep in an exchange."""
    full = s[RACK]
    best = 0
    for tiles in range(1, full):
        if s[KEEP + tiles] > s[KEEP + best]:
            best = tiles
    return best


@compiled
def keep_tiles(s: Ints, rack: Ints, sizes: Ints, seat: int, kept: int) -> None:
    """Remove the tiles that are not kept from a rack."""
    size = 0
    for at in range(popcount(s[RACK])):
        if kept >> at & 1:
            rack[size] = s[TILE + at]
            size += 1
    sizes[seat] = size


@compiled
def refill(bag: Ints, left: int, rack: Ints, sizes: Ints, seat: int) -> int:
    """Fill a rack to seven tiles and return the number left in the bag."""
    size = sizes[seat]
    while size < 7 and left > 0:
        left -= 1
        rack[size] = bag[left]
        size += 1
    sizes[seat] = size
    put_in_order(rack, size)
    return left


@compiled
def exchange(bag: Ints, left: int, s: Ints, rack: Ints, kept: int, dice: Ints) -> int:
    """Draw as many tiles as are not kept, then put those into the bag, whose size stays."""
    given = np.empty(7, np.int64)
    count = size = 0
    for at in range(7):
        if kept >> at & 1:
            rack[size] = s[TILE + at]
            size += 1
        else:
            given[count] = s[TILE + at]
            count += 1
    for at in range(count):
        left -= 1
        rack[size + at] = bag[left]
    for at in range(count):
        to = pick(dice, left + 1)
        bag[left] = bag[to]
        bag[to] = given[at]
        left += 1
    put_in_order(rack, 7)
    return left


# Simulation: what follows after a play, for given racks and a given order of the bag.
#
# Everybody chooses by score and tiles kept. The player whose play is simulated draws from the front of the bag, the
# others from the back. So they draw the same tiles after plays of different lengths, and luck cancels out between them.
MOST_PLAYERS = 4
G_FRONT, G_BACK, G_SEAT, G_IDLE = range(4)
"""The state of a game: where the bag starts and ends, the seat that played last, turns in a row without a new tile."""
OPEN, OVER = 0, 1
"""How `play_on` ends: after its turns, or with the match."""


class Game(NamedTuple):
    """A game in play."""

    graph: Ints
    likes: Ints
    search: Ints
    board: Ints
    racks: Ints
    """Seven places for each seat."""
    sizes: Ints
    scores: Ints
    keeps: Ints
    """The value of the tiles that each seat kept in its last turn, in thousandths of a point."""
    bag: Ints
    state: Ints


@compiled
def play_on(game: Game, players: int, turns: int, to_end: bool) -> int:
    """Play some turns, and if the bag is empty then, to the end of the match; settle the scores there.

    Return `OVER` at the end of the match. Without `to_end`, stop as soon as the bag is empty.
    """
    state, sizes, scores = game.state, game.sizes, game.scores
    seat = state[G_SEAT]
    while sizes[seat] and state[G_IDLE] < 2 * players:
        left = state[G_BACK] - state[G_FRONT]
        if (left and turns <= 0) or not (left or to_end):
            state[G_SEAT] = seat
            return OPEN
        turns -= 1
        seat = (seat + 1) % players
        take_turn(game, players, seat, left)
    state[G_SEAT] = seat
    out = 0
    for other in range(players):
        rack = part(game.racks, 7 * other, 7)
        for at in range(sizes[other]):
            scores[other] -= VALUE[rack[at]]
            out += VALUE[rack[at]]
    if sizes[seat] == 0:
        scores[seat] += out
    return OVER


@compiled
def take_turn(game: Game, players: int, seat: int, left: int) -> None:
    """Play the best turn of a seat by score and tiles kept."""
    s, state, sizes = game.search, game.state, game.sizes
    rack = part(game.racks, 7 * seat, 7)
    set_rack(s, rack, sizes[seat], game.likes)
    if left == 0:
        held = 0
        for other in range(players):
            for at in range(sizes[other] if other != seat else 0):
                held += VALUE[game.racks[7 * other + at]]
        set_last_rack(s, held)
    find_best(game.graph, game.board, s)
    swap = best_exchange(s) if left >= 7 else s[RACK]
    if swap != s[RACK] and s[KEEP + swap] > s[BEST]:
        state[G_IDLE] += 1
        game.keeps[seat] = s[KEEP + swap]
        give_back(game, seat, swap)
    elif s[FOUND]:
        state[G_IDLE] = 0
        game.scores[seat] += s[FOUND_SCORE]
        game.keeps[seat] = s[KEEP + s[FOUND_LEFT]]
        lay(game.graph, game.board, s[FOUND])
        keep_tiles(s, rack, sizes, seat, s[FOUND_LEFT])
        draw(game, seat)
    else:
        state[G_IDLE] += 1
        game.keeps[seat] = 0


@compiled
def draw(game: Game, seat: int) -> None:
    """Fill a rack to seven tiles: the first seat from the front of the bag, the others from the back."""
    state, size = game.state, game.sizes[seat]
    while size < 7 and state[G_FRONT] < state[G_BACK]:
        if seat == 0:
            game.racks[size] = game.bag[state[G_FRONT]]
            state[G_FRONT] += 1
        else:
            state[G_BACK] -= 1
            game.racks[7 * seat + size] = game.bag[state[G_BACK]]
        size += 1
    game.sizes[seat] = size
    put_in_order(part(game.racks, 7 * seat, 7), size)


@compiled
def give_back(game: Game, seat: int, kept: int) -> None:
    """Exchange the tiles that are not kept; those given back go to the middle of the bag."""
    s = game.search
    given = np.empty(7, np.int64)
    count = 0
    for at in range(popcount(s[RACK])):
        if not kept >> at & 1:
            given[count] = s[TILE + at]
            count += 1
    keep_tiles(s, part(game.racks, 7 * seat, 7), game.sizes, seat, kept)
    draw(game, seat)
    for at in range(count):
        put_back(game, seat, given[at])


@compiled
def put_back(game: Game, seat: int, tile: int) -> None:
    """Put a tile into the middle of the bag, at the end that the seat draws from."""
    state, bag = game.state, game.bag
    if seat == 0:
        state[G_FRONT] -= 1
        end = state[G_FRONT]
    else:
        end = state[G_BACK]
        state[G_BACK] += 1
    middle = (state[G_FRONT] + state[G_BACK]) // 2
    bag[end] = bag[middle]
    bag[middle] = tile


# A play to simulate: its score, the value of the tiles kept, how many are kept and given back, and which.
Y_SCORE, Y_KEEP, Y_KEPT, Y_GIVEN = range(4)
Y_TILES = 4
TRY = Y_TILES + 14


@compiled
def start_try(game: Game, players: int, one: Ints, board: Ints, deal: Ints, sizes: Ints, bag: int) -> None:
    """Set a game to the position after a play; `deal` has the tiles of the other racks and then of the bag."""
    state = game.state
    for square in range(BOARD):
        game.board[square] = board[square]
    at = 0
    for seat in range(players):
        game.scores[seat] = game.keeps[seat] = 0
        game.sizes[seat] = sizes[seat]
        for place in range(sizes[seat] if seat else 0):
            game.racks[7 * seat + place] = deal[at]
            at += 1
        put_in_order(part(game.racks, 7 * seat, 7), sizes[seat] if seat else 0)
    for place in range(bag):
        game.bag[place] = deal[at + place]
    state[G_FRONT], state[G_BACK], state[G_SEAT], state[G_IDLE] = 0, bag, 0, one[Y_SCORE] == 0
    game.scores[0], game.keeps[0], game.sizes[0] = one[Y_SCORE], one[Y_KEEP], one[Y_KEPT]
    for place in range(one[Y_KEPT]):
        game.racks[place] = one[Y_TILES + place]
    draw(game, 0)
    for place in range(one[Y_GIVEN]):
        put_back(game, 0, one[Y_TILES + 7 + place])


@compiled
def simulate(
    game: Game,
    players: int,
    turns: int,
    tries: Ints,
    boards: Ints,
    active: Ints,
    deals: Ints,
    count: int,
    sizes: Ints,
    bag: int,
    found: Ints,
) -> None:
    """Play on after each active play in each of some deals.

    `found` has for each play and deal what every seat has then, in thousandths of a point with the tiles kept, and the
    number of tiles left in the bag, or -1 at the end of the match.
    """
    unseen = bag
    for seat in range(1, players):
        unseen += sizes[seat]
    for number in range(count):
        deal = part(deals, number * unseen, unseen)
        for at in range(active.size):
            one = active[at]
            start_try(game, players, part(tries, TRY * one, TRY), part(boards, BOARD * one, BOARD), deal, sizes, bag)
            over = play_on(game, players, turns, True)
            to = (one * count + number) * (players + 1)
            for seat in range(players):
                found[to + seat] = 1000 * game.scores[seat] + (0 if over else game.keeps[seat])
            found[to + players] = -1 if over else game.state[G_BACK] - game.state[G_FRONT]


@compiled
def deal_tiles(tiles: Ints, deals: Ints, dice: Ints) -> None:
    """Shuffle the unseen tiles once for each deal."""
    for deal in range(deals.size // tiles.size):
        to = part(deals, deal * tiles.size, tiles.size)
        for place in range(tiles.size):
            from_ = pick(dice, place + 1)
            to[place] = to[from_]
            to[from_] = tiles[place]


@compiled
def infer(
    game: Game,
    laid: Ints,
    score: int,
    bag: int,
    unseen: Ints,
    kept: int,
    softness: Ints,
    tries: int,
    dice: Ints,
    leaves: Ints,
) -> int:
    """Draw leaves of a player from the unseen tiles and keep those with which they would have made their last play.

    `softness` has, by points lost against the best play, how often in 65,536 a player makes the play all the same.
    Return how many leaves of `kept` tiles each were found; `leaves` limits their number.
    """
    s, found = game.search, 0
    rack = np.empty(7, np.int64)
    for _ in range(tries):
        for at in range(kept):
            from_ = at + pick(dice, unseen.size - at)
            unseen[at], unseen[from_] = unseen[from_], unseen[at]
            rack[at] = unseen[at]
        for at in range(laid.size):
            rack[kept + at] = laid[at]
        size = kept + laid.size
        put_in_order(rack, size)
        set_rack(s, rack, size, game.likes)
        left = s[RACK]
        for at in range(laid.size):
            field = left & s[FIELD + laid[at]]
            left ^= field & -field
        value = 1000 * score + s[KEEP + left]
        find_better(game.graph, game.board, s, value)
        best = s[BEST]
        if bag >= 7:
            best = max(best, s[KEEP + best_exchange(s)])
        lost = min((best - value) // 1000, softness.size - 1)
        if pick(dice, 1 << 16) < softness[lost]:
            for at in range(kept):
                leaves[found * kept + at] = unseen[at]
            found += 1
            if (found + 1) * kept > leaves.size:
                break
    return found


@compiled
def assume(deals: Ints, unseen: int, at: int, leaves: Ints, count: int, kept: int, dice: Ints) -> None:
    """Give the rack at a place of each deal one of the leaves, by exchanging tiles with the rest of the deal."""
    for number in range(deals.size // unseen):
        deal = part(deals, number * unseen, unseen)
        leaf = part(leaves, pick(dice, count) * kept, kept)
        for place in range(kept):
            # The tiles of other leaves come before this place and stay.
            from_ = at + place
            while from_ < unseen and deal[from_] != leaf[place]:
                from_ += 1
            if from_ < unseen:
                deal[at + place], deal[from_] = deal[from_], deal[at + place]


@compiled
def record_games(game: Game, players: int, games: int, dice: Ints, rows: Ints, finals: Ints) -> int:
    """Play whole games and record every position with tiles in the bag; return the number of rows.

    A row has the position of the final score of the seat to move, the tiles in the bag, and what every seat has in
    thousandths of a point, from the seat to move on. `finals` has the final scores of each game by seat.
    """
    tiles = np.full(SIDE * SIDE, EMPTY, np.int64)
    empty = np.empty(BOARD, np.int64)
    set_board(game.graph, empty, tiles)
    state, count = game.state, 0
    for number in range(games):
        for square in range(BOARD):
            game.board[square] = empty[square]
        state[G_FRONT], state[G_BACK] = 0, fill_bag(game.bag, dice)
        for seat in range(players):
            game.sizes[seat] = game.scores[seat] = game.keeps[seat] = 0
            draw(game, seat)
        state[G_SEAT], state[G_IDLE] = players - 1, 0
        over = OPEN
        while over == OPEN:
            mover = (state[G_SEAT] + 1) % players
            row = part(rows, count * (2 + players), 2 + players)
            row[0], row[1] = number * players + mover, state[G_BACK] - state[G_FRONT]
            for place in range(players):
                seat = (mover + place) % players
                row[2 + place] = 1000 * game.scores[seat] + game.keeps[seat]
            count += 1
            over = play_on(game, players, 1, True)
        for seat in range(players):
            finals[number * players + seat] = game.scores[seat]
    return count


# The endgame, with an empty bag and both racks known: alpha-beta with iterative deepening, in slices.
#
# The plays of a line depend only on its tiles, its crossing words and the rack. So they are listed once for each state
# of a line, with the rack that a side began with. The plays of a position are those of its thirty lines for which the
# side still has the tiles.
#
# If the other side can go out next turn, the value of a play that does not block this is bounded by it, which excludes
# most plays without trying them. So plays after which the side itself can go out are tried first: they need not be the
# best, only good enough.
NEED = 0xFFFFFFF
GUARDS = 0x8888888
"""A rack has four bits for the count of each kind of tile that the side began with; the highest bit is spare."""
F_SCORE, F_WORTH, F_SQUARES = 28, 40, 48
"""A fact about a play: the tiles it takes, as a rack, its score, what its tiles are worth, its places in the line."""
SCORE, WORTH = 0xFFF, 0xFF
EVERY = (1 << 30) - 1
"""All lines, as bits."""
PASS = -1
"""Stands for no listed play."""
FAR = 1 << 20
UNKNOWN = 1 << 30
EXACT, AT_LEAST, AT_MOST = 0, 1, 2

# The fields of a level of the tree.
T_ALPHA, T_BETA, T_FIRST_ALPHA, T_BEST, T_BEST_PLAY, T_FROM, T_COUNT, T_TRIED = range(8)
T_SIDE, T_PASSES, T_DEPTH, T_TAKEN, T_PLAY, T_GAIN, T_SCOUTS, T_CUT = range(8, 16)
T_MINE, T_THEIRS, T_MINE_WORTH, T_THEIRS_WORTH, T_BOARD_KEY, T_KEY = range(16, 22)
T_KILLER = 22
"""The play that was last good enough at this level; other positions there often have it too."""
T_STALE = 23
"""From here on, for each side: the lines, as bits, of which the plays are yet to be listed."""
T_LISTS = T_STALE + 2
"""From here on, for each side and line: where the plays are listed, and how many (low 16 bits)."""
TREE_LEVEL = T_LISTS + 60
DEEPEST = 32
"""The most levels of a tree; also the depth of a position searched to the end."""
KNOWN = 3
"""The fields of a stored position: key; value, depth (6 bits) and kind of bound (2 bits); best play."""
KILLER = 40
"""How much sooner, in points, the play that was last good enough is tried."""
WAYS = 6
"""The most ways for the other side to go out that are considered."""
SCRATCH = 32 * WAYS + 256

# The state of a search besides its arrays: position, counters, results, sizes of lists, and whether space ran out.
E_LEVEL, E_NODES, E_DONE, E_VALUE, E_PLAY, E_CUT, E_LINES, E_LISTED, E_FULL = range(9)
E_UNITS = 9
"""From here on, for each side: one of each tile as a rack."""
E_TILES = E_UNITS + 54
"""From here on, for each side: which tile each kind is."""
E_JOKER = E_TILES + 14
"""For each side: where in its racks the jokers are counted."""
E_SALT = E_JOKER + 2
"""Changes with each search, so that no search reads what another stored: the same search takes the same path."""
STATE = E_SALT + 1


class Room(NamedTuple):
    """The arrays of a search."""

    graph: Ints
    searches: Ints
    """The rack of each side, for every number of jokers that it may still have."""
    tree: Ints
    boards: Ints
    chosen: Ints
    hopes: Ints
    bounds: Ints
    """The plays that the levels still have to try: position in the list, expected value, upper bound."""
    plays: Ints
    facts: Ints
    slots: Ints
    """The plays of lines, and the index of the states of lines."""
    memory: Ints
    """The values of positions."""
    scratch: Ints
    """For `find_ways`: the ways, what they bring, and what they need; for `promise`: what a second play brings."""
    state: Ints


@compiled
def mix(key: int, value: int) -> int:
    """Combine a key with a value."""
    key = (key ^ value) * -7046029254386353131
    return key ^ key >> 31 & 0x1FFFFFFFF


@compiled
def begin(room: Room) -> None:
    """Start a search with the first board and both racks."""
    tree, state, slots = room.tree, room.state, room.slots
    state[E_PLAY] = UNKNOWN
    state[E_SALT] += 0x632BE59BD9B4E019
    state[E_LINES] = state[E_LISTED] = state[E_FULL] = 0
    for slot in range(slots.size):
        slots[slot] = 0
    for side in range(2):
        most = part(room.searches, (3 * side + 2) * SEARCH, SEARCH)
        kinds = rack = worth = 0
        state[E_JOKER + side] = 32
        for tile in range(27):
            count = popcount(most[FIELD + tile])
            if count:
                state[E_UNITS + 27 * side + tile] = 1 << 4 * kinds
                state[E_TILES + 7 * side + kinds] = tile
                if tile == JOKER:
                    state[E_JOKER + side] = 4 * kinds
                rack |= count << 4 * kinds
                worth += count * VALUE[tile]
                kinds += 1
        tree[T_MINE + side], tree[T_MINE_WORTH + side] = rack, worth
    for holder in range(6):
        s = part(room.searches, holder * SEARCH, SEARCH)
        s[BEST] = WORST
        for laid in range(9):
            s[LIMIT + laid] = -WORST
    tree[T_SIDE] = tree[T_BOARD_KEY] = 0
    for square in range(16 * SIDE):
        if room.boards[square] >= 0:
            tree[T_BOARD_KEY] ^= mix(square, 64 + room.boards[square])
    tree[T_STALE] = tree[T_STALE + 1] = EVERY
    for level in range(DEEPEST):
        tree[level * TREE_LEVEL + T_KILLER] = 0


@compiled
def begin_depth(room: Room, depth: int) -> None:
    """Start a search of some depth; the best play of the search before is tried first."""
    tree, state = room.tree, room.state
    state[E_LEVEL] = state[E_NODES] = state[E_DONE] = state[E_CUT] = 0
    tree[T_ALPHA] = tree[T_FIRST_ALPHA] = tree[T_BEST] = -FAR
    tree[T_BETA] = FAR
    tree[T_BEST_PLAY], tree[T_COUNT], tree[T_FROM] = 0, -1, 0
    tree[T_PASSES], tree[T_DEPTH], tree[T_TRIED] = 0, depth, 0


@compiled
def list_lines(room: Room, level: int, side: int, rack: int) -> None:
    """List the plays of a side with a rack in the lines whose plays are not known yet."""
    tree, slots = room.tree, room.slots
    at, board = level * TREE_LEVEL, part(room.boards, level * BOARD, BOARD)
    holder = holder_of(room, side, rack)
    last = slots.size // 2 - 1
    lines = tree[at + T_STALE + side]
    tree[at + T_STALE + side] = 0
    while lines:
        line = lowest(lines)
        lines &= lines - 1
        key = 6 * line + holder + 1
        for square in range(16 * line, 16 * line + SIDE):
            there = board[CROSS + square] & LETTERS | board[BESIDE + square] + 1 << 26
            key = mix(key, there if board[square] < 0 else -1 - board[square])
        slot = key & last
        while slots[2 * slot] and slots[2 * slot] != key:
            slot = slot + 1 & last
        if slots[2 * slot] == 0:
            slots[2 * slot + 1] = list_line(room, board, holder, line)
            slots[2 * slot] = key
        tree[at + T_LISTS + 30 * side + line] = slots[2 * slot + 1]


@compiled
def holder_of(room: Room, side: int, rack: int) -> int:
    """Return which of the six racks applies to a side, by the jokers that it still has."""
    began = room.tree[T_MINE + side] >> room.state[E_JOKER + side] & 7
    return 3 * side + 2 - began + (rack >> room.state[E_JOKER + side] & 7)


@compiled
def list_line(room: Room, board: Ints, holder: int, line: int) -> int:
    """List the plays of a line for a rack; return their position, and their number (low 16 bits)."""
    state = room.state
    s = part(room.searches, holder * SEARCH, SEARCH)
    used = state[E_LISTED]
    free = room.plays.size - used
    plays, facts = part(room.plays, used, free), part(room.facts, used, free)
    s[MADE] = 0
    for number in range(find_places_in(room.graph, board, s, line, 0)):
        walk(room.graph, board, s, PLACES + PLACE * number, plays, facts)
    if s[MADE] > free or s[MADE] >= 1 << 16 or 4 * state[E_LINES] > room.slots.size:
        state[E_FULL] = 1
        return 0
    units = part(state, E_UNITS + 27 * (holder // 3), 27)
    kept = 0
    for number in range(s[MADE]):
        play, score = plays[number], facts[number]
        count = play >> 43 & 15
        if count == 1 and line >= SIDE and is_beside(board, play):
            # The same tile on the same square is already listed in its row.
            continue
        place, tiles = play >> 47 & 15, play
        need = worth = squares = 0
        for _ in range(count):
            while board[16 * line + place] >= 0:
                place += 1
            tile = tiles & 63
            need += units[JOKER if tile >= BY_JOKER else tile]
            worth += VALUE[tile] if tile < BY_JOKER else 0
            squares |= 1 << place
            place += 1
            tiles >>= 6
        plays[kept], facts[kept] = play, need | score << F_SCORE | worth << F_WORTH | squares << F_SQUARES
        kept += 1
    state[E_LISTED] = used + kept
    state[E_LINES] += 1
    return used << 16 | kept


@compiled
def is_beside(board: Ints, play: int) -> bool:
    """Return whether the single tile of a play also forms a word across, so that the play exists there too."""
    square = 16 * (play >> 51) + (play >> 47 & 15)
    while board[square] >= 0:
        square += 1
    return board[BESIDE + square] >= 0


@compiled
def rack_key(room: Room, side: int, rack: int) -> int:
    """Return a hash of the tiles of a rack, the same for both sides."""
    total = kind = 0
    while rack:
        total += (rack & 7) * HASHES[room.state[E_TILES + 7 * side + kind]]
        rack >>= 4
        kind += 1
    return total


@compiled
def key_after(key: int, play: int, fact: int) -> int:
    """Return the hash of a board after a play."""
    squares, tiles, line = fact >> F_SQUARES, play, play >> 51
    while squares:
        square = 16 * line + lowest(squares)
        squares &= squares - 1
        key ^= mix(square if line < SIDE else square_across(square), 64 + (tiles & 63))
        tiles >>= 6
    return key


@compiled
def play_out(room: Room, level: int) -> int:
    """Estimate the value of the current play if both sides then choose the best listed plays."""
    tree, plays, facts = room.tree, room.plays, room.facts
    at, board = level * TREE_LEVEL, part(room.boards, level * BOARD, BOARD)
    side, mine, theirs = tree[at + T_SIDE], tree[at + T_MINE], tree[at + T_THEIRS]
    mine_worth, theirs_worth = tree[at + T_MINE_WORTH], tree[at + T_THEIRS_WORTH]
    taken = part(room.scratch, 0, 30)
    for line in range(30):
        taken[line] = 0
    total = passes = 0
    sign, found = 1, tree[at + T_TAKEN]
    while True:
        passes += 1
        if found != PASS:
            passes = 0
            fact = facts[found]
            total += sign * (fact >> F_SCORE & SCORE)
            mine -= fact & NEED
            mine_worth -= fact >> F_WORTH & WORTH
            if mine == 0:
                return total + sign * 2 * theirs_worth
            find_needs(board, plays[found], fact, taken)
        mine, theirs = theirs, mine
        mine_worth, theirs_worth = theirs_worth, mine_worth
        side, sign = 1 - side, -sign
        if passes == 2:
            return total + sign * (theirs_worth - mine_worth)
        best, found = WORST, PASS
        guarded = mine | GUARDS
        for line in range(30):
            start = tree[at + T_LISTS + 30 * side + line] >> 16
            for number in range(start, start + (tree[at + T_LISTS + 30 * side + line] & 0xFFFF)):
                fact = facts[number]
                need = fact & NEED
                if guarded - need & GUARDS != GUARDS or fact >> F_SQUARES & taken[line]:
                    continue
                hope = (fact >> F_SCORE & SCORE) + 2 * (fact >> F_WORTH & WORTH)
                if need == mine:
                    hope += 10 + 2 * theirs_worth
                if hope > best:
                    best, found = hope, number


@compiled
def solve(room: Room, nodes: int) -> None:
    """Continue a search for some positions; `E_DONE` is set at its end, `E_FULL` if there is no space left.

    Values are the gain of the side to move over the other until the end. A pass after a pass ends the game, because a
    side that prefers to pass would do so again.
    """
    tree, state = room.tree, room.state
    level = state[E_LEVEL]
    until = state[E_NODES] + nodes
    while state[E_NODES] < until:
        at = level * TREE_LEVEL
        value = UNKNOWN
        if tree[at + T_COUNT] < 0:
            state[E_NODES] += 1
            value = look_at(room, level)
            if state[E_FULL]:
                return
        if value == UNKNOWN and (tree[at + T_COUNT] == 0 or tree[at + T_ALPHA] >= tree[at + T_BETA]):
            value = tree[at + T_BEST]
            remember(room, at)
        if value != UNKNOWN:
            if level == 0:
                state[E_DONE], state[E_VALUE], state[E_PLAY], state[E_CUT] = 1, value, tree[T_BEST_PLAY], tree[T_CUT]
                return
            level -= 1
            state[E_LEVEL] = level
            if answer(room, at - TREE_LEVEL, -value, tree[at + T_CUT]):
                continue
            # The play may beat the best: search it again with a wider window for its exact value.
            at -= TREE_LEVEL
            tree[at + T_SCOUTS] = 0
        elif take_best(room, at):
            tree[at + T_SCOUTS] = tree[at + T_TRIED] > 1
        else:
            continue
        if tree[at + T_TAKEN] == PASS and tree[at + T_PASSES]:
            tree[at + T_SCOUTS] = 0
            answer(room, at, tree[at + T_THEIRS_WORTH] - tree[at + T_MINE_WORTH], 0)
        elif tree[at + T_DEPTH] == 1:
            tree[at + T_SCOUTS] = 0
            state[E_NODES] += 1
            answer(room, at, play_out(room, level) - tree[at + T_GAIN], 1)
        else:
            descend(room, level)
            level += 1
            state[E_LEVEL] = level


@compiled
def descend(room: Room, level: int) -> None:
    """Set the next level to the position after the current play."""
    tree, boards = room.tree, room.boards
    at, to = level * TREE_LEVEL, (level + 1) * TREE_LEVEL
    board = part(boards, (level + 1) * BOARD, BOARD)
    before = part(boards, level * BOARD, BOARD)
    for square in range(BOARD):
        board[square] = before[square]
    side, number, alpha = tree[at + T_SIDE], tree[at + T_TAKEN], tree[at + T_ALPHA]
    fact = room.facts[number] if number != PASS else 0
    tree[to + T_SIDE] = 1 - side
    tree[to + T_MINE], tree[to + T_MINE_WORTH] = tree[at + T_THEIRS], tree[at + T_THEIRS_WORTH]
    tree[to + T_THEIRS] = tree[at + T_MINE] - (fact & NEED)
    tree[to + T_THEIRS_WORTH] = tree[at + T_MINE_WORTH] - (fact >> F_WORTH & WORTH)
    tree[to + T_PASSES], tree[to + T_DEPTH] = number == PASS, tree[at + T_DEPTH] - 1
    tree[to + T_BETA] = tree[at + T_GAIN] - alpha
    tree[to + T_ALPHA] = tree[to + T_BETA] - 1 if tree[at + T_SCOUTS] else tree[at + T_GAIN] - tree[at + T_BETA]
    tree[to + T_FIRST_ALPHA] = tree[to + T_ALPHA]
    tree[to + T_BEST], tree[to + T_BEST_PLAY], tree[to + T_COUNT] = -FAR, 0, -1
    tree[to + T_FROM] = tree[at + T_FROM] + tree[at + T_COUNT]
    for listed in range(T_STALE, TREE_LEVEL):
        tree[to + listed] = tree[at + listed]
    tree[to + T_BOARD_KEY] = tree[at + T_BOARD_KEY]
    if number != PASS:
        play = room.plays[number]
        tree[to + T_BOARD_KEY] = key_after(tree[at + T_BOARD_KEY], play, fact)
        lines = lay(room.graph, board, play)
        tree[to + T_STALE] |= lines
        tree[to + T_STALE + 1] |= lines
        if holder_of(room, side, tree[at + T_MINE]) != holder_of(room, side, tree[to + T_THEIRS]):
            tree[to + T_STALE + side] = EVERY


@compiled
def look_at(room: Room, level: int) -> int:
    """Enter a position: return its value if it is stored, or choose the plays to try."""
    tree, memory = room.tree, room.memory
    at = level * TREE_LEVEL
    side, mine, theirs = tree[at + T_SIDE], tree[at + T_MINE], tree[at + T_THEIRS]
    key = mix(mix(tree[at + T_BOARD_KEY], rack_key(room, side, mine)), rack_key(room, 1 - side, theirs))
    key = tree[at + T_KEY] = key + tree[at + T_PASSES]
    tree[at + T_CUT] = tree[at + T_TRIED] = tree[at + T_COUNT] = 0
    slot = KNOWN * (key & memory.size // KNOWN - 1)
    first = room.state[E_PLAY] if level == 0 else UNKNOWN
    if level and memory[slot] == key ^ room.state[E_SALT]:
        value, deep, how = memory[slot + 1] >> 8, memory[slot + 1] >> 2 & 63, memory[slot + 1] & 3
        above, below = value >= tree[at + T_BETA], value <= tree[at + T_ALPHA]
        if deep >= tree[at + T_DEPTH] and (how == EXACT or (how == AT_LEAST and above) or (how == AT_MOST and below)):
            tree[at + T_CUT] = deep < DEEPEST
            return value
        first = memory[slot + 2]
    list_lines(room, level, side, mine)
    choose_plays(room, at)
    if tree[at + T_ALPHA] < tree[at + T_BETA]:
        list_lines(room, level, 1 - side, theirs)
        promise(room, at, find_ways(room, level), first)
    return UNKNOWN


@compiled
def choose_plays(room: Room, at: int) -> None:
    """Choose the plays to try; plays that go out are valued at once."""
    tree, facts, chosen = room.tree, room.facts, room.chosen
    side, mine, to = tree[at + T_SIDE], tree[at + T_MINE], tree[at + T_FROM]
    guarded = mine | GUARDS
    for line in range(30 * side, 30 * side + 30):
        start = tree[at + T_LISTS + line] >> 16
        for number in range(start, start + (tree[at + T_LISTS + line] & 0xFFFF)):
            need = facts[number] & NEED
            if guarded - need & GUARDS != GUARDS:
                continue
            if need == mine:
                value = (facts[number] >> F_SCORE & SCORE) + 2 * tree[at + T_THEIRS_WORTH]
                if value > tree[at + T_BEST]:
                    tree[at + T_BEST], tree[at + T_BEST_PLAY] = value, room.plays[number]
            elif to + 1 < chosen.size:
                chosen[to] = number
                to += 1
            else:
                room.state[E_FULL] = 1
    tree[at + T_ALPHA] = max(tree[at + T_ALPHA], tree[at + T_BEST])
    chosen[to] = PASS
    tree[at + T_COUNT] = to + 1 - tree[at + T_FROM]


@compiled
def find_ways(room: Room, level: int) -> int:
    """Find the best ways for the other side to go out and the squares that they need; return their number."""
    tree, facts = room.tree, room.facts
    at, board = level * TREE_LEVEL, part(room.boards, level * BOARD, BOARD)
    ways, gains = part(room.scratch, 0, WAYS), part(room.scratch, WAYS, WAYS)
    other = 30 - 30 * tree[at + T_SIDE]
    count = 0
    for line in range(other, other + 30):
        start = tree[at + T_LISTS + line] >> 16
        for number in range(start, start + (tree[at + T_LISTS + line] & 0xFFFF)):
            if facts[number] & NEED == tree[at + T_THEIRS]:
                gain = facts[number] >> F_SCORE & SCORE
                if count < WAYS:
                    count += 1
                elif gains[count - 1] >= gain:
                    continue
                to = count - 1
                while to > 0 and gains[to - 1] < gain:
                    gains[to], ways[to] = gains[to - 1], ways[to - 1]
                    to -= 1
                gains[to], ways[to] = gain, number
    for way in range(count):
        needs = part(room.scratch, 2 * WAYS + 30 * way, 30)
        for line in range(30):
            needs[line] = 0
        find_needs(board, room.plays[ways[way]], facts[ways[way]], needs)
    return count


@compiled
def promise(room: Room, at: int, ways: int, first: int) -> None:
    """Compute the expected value and the upper bound of each chosen play, and drop those that cannot be good enough.

    The best play of the search before comes first, then plays after which the side can go out.
    """
    tree, facts, chosen = room.tree, room.facts, room.chosen
    base, mine = tree[at + T_FROM], tree[at + T_MINE]
    end = base + tree[at + T_COUNT]
    gains, needs = part(room.scratch, WAYS, WAYS), part(room.scratch, 2 * WAYS, 30 * WAYS)
    seconds = part(room.scratch, 32 * WAYS, 256)
    for slot in range(256):
        seconds[slot] = 0
    for number in range(base, end - 1):
        fact = facts[chosen[number]]
        slot = slot_of(fact & NEED)
        seconds[slot] = max(seconds[slot], fact >> F_SCORE & SCORE)
    kept = base
    for number in range(base, end):
        play = score = worth = way = hope = 0
        if chosen[number] != PASS:
            fact, play = facts[chosen[number]], room.plays[chosen[number]]
            score, worth = fact >> F_SCORE & SCORE, fact >> F_WORTH & WORTH
            while way < ways and needs[30 * way + (play >> 51)] & fact >> F_SQUARES:
                way += 1
            second = seconds[slot_of(mine - (fact & NEED))]
            hope = score + 2 * worth + (30 + second if second else 0)
        bound = FAR
        if way < ways:
            bound = score - gains[way] - 2 * (tree[at + T_MINE_WORTH] - worth)
            hope += gains[0] - gains[way]
        if bound <= tree[at + T_ALPHA]:
            tree[at + T_BEST] = max(tree[at + T_BEST], bound)
            continue
        if play == first:
            hope = FAR
        elif play and play == tree[at + T_KILLER]:
            hope += KILLER
        chosen[kept], room.hopes[kept], room.bounds[kept] = chosen[number], hope, bound
        kept += 1
    tree[at + T_COUNT] = kept - base


@compiled
def slot_of(rack: int) -> int:
    """Return a hash of a rack below 256."""
    return rack * 0x9E3779B1 >> 24 & 255


@compiled
def find_needs(board: Ints, play: int, fact: int, needs: Ints) -> None:
    """Find the squares that must stay empty for a play to stay legal with the same score, as bits for each line."""
    line, squares, place = play >> 51, fact >> F_SQUARES, play >> 47 & 15
    if place > 0:
        need_square(needs, line, place - 1)
    while place < SIDE and (board[16 * line + place] >= 0 or squares >> place & 1):
        if squares >> place & 1:
            need_square(needs, line, place)
            other = square_across(16 * line + place)
            across, up, down = other >> 4, (other & 15) - 1, (other & 15) + 1
            while up >= 0 and board[16 * across + up] >= 0:
                up -= 1
            while down < SIDE and board[16 * across + down] >= 0:
                down += 1
            if up >= 0:
                need_square(needs, across, up)
            if down < SIDE:
                need_square(needs, across, down)
        place += 1
    if place < SIDE:
        need_square(needs, line, place)


@compiled
def need_square(needs: Ints, line: int, place: int) -> None:
    """Mark a square in both of its lines."""
    other = square_across(16 * line + place)
    needs[line] |= 1 << place
    needs[other >> 4] |= 1 << (other & 15)


@compiled
def remember(room: Room, at: int) -> None:
    """Store the value of a position, its kind of bound and its best play."""
    tree, memory = room.tree, room.memory
    value = tree[at + T_BEST]
    slot = KNOWN * (tree[at + T_KEY] & memory.size // KNOWN - 1)
    how = AT_LEAST if value >= tree[at + T_BETA] else AT_MOST if value <= tree[at + T_FIRST_ALPHA] else EXACT
    deep = tree[at + T_DEPTH] if tree[at + T_CUT] else DEEPEST
    memory[slot] = tree[at + T_KEY] ^ room.state[E_SALT]
    memory[slot + 1], memory[slot + 2] = value << 8 | deep << 2 | how, tree[at + T_BEST_PLAY]


@compiled
def take_best(room: Room, at: int) -> bool:
    """Take the untried play with the best expected value, unless it cannot be good enough."""
    tree, chosen, hopes, bounds = room.tree, room.chosen, room.hopes, room.bounds
    base = tree[at + T_FROM]
    last = base + tree[at + T_COUNT] - 1
    best = base
    for number in range(base + 1, last + 1):
        if hopes[number] > hopes[best]:
            best = number
    number, bound = chosen[best], bounds[best]
    chosen[best], hopes[best], bounds[best] = chosen[last], hopes[last], bounds[last]
    tree[at + T_COUNT] -= 1
    if bound <= tree[at + T_ALPHA]:
        tree[at + T_BEST] = max(tree[at + T_BEST], bound)
        return False
    tree[at + T_TRIED] += 1
    tree[at + T_TAKEN] = number
    tree[at + T_PLAY] = room.plays[number] if number != PASS else 0
    tree[at + T_GAIN] = room.facts[number] >> F_SCORE & SCORE if number != PASS else 0
    return True


@compiled
def answer(room: Room, at: int, value: int, cut: int) -> bool:
    """Pass the value of the play just tried, and whether its search was cut, to its level.

    Return whether that is enough; a scout only shows that a play is better.
    """
    tree = room.tree
    value += tree[at + T_GAIN]
    if tree[at + T_SCOUTS] and tree[at + T_ALPHA] < value < tree[at + T_BETA]:
        return False
    if value >= tree[at + T_BETA]:
        tree[at + T_CUT] = cut
        tree[at + T_KILLER] = tree[at + T_PLAY]
    else:
        tree[at + T_CUT] |= cut
    if value > tree[at + T_BEST]:
        tree[at + T_BEST] = value
        tree[at + T_BEST_PLAY] = tree[at + T_PLAY]
        tree[at + T_ALPHA] = max(tree[at + T_ALPHA], value)
    return True
