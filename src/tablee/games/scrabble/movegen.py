"""Generate all plays with valid words, in plain Python.

Each line is searched alone. First, each empty square gets the letters that form a word with its neighbours across the
line (S2). Then, from every square where a word may begin, the trie is followed along the line: over tiles on the board,
and with tiles of the rack on empty squares. A search that cannot reach the first tile or neighbour stops early.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from .board import CENTRE, EMPTY, EMPTY_BOARD, JOKER, LINES, SIZE, letters_of, word_around
from .trie import ANY_LETTER, END, LETTERS, Trie, trie_of
from .values import Place

LETTER_OF = {1 << at: letter for at, letter in enumerate(LETTERS)}
BIT_OF = {letter: bit for bit, letter in LETTER_OF.items()} | {letter.lower(): bit for bit, letter in LETTER_OF.items()}


@lru_cache(maxsize=16)
def plays(board: str, rack: str, ref: str) -> tuple[Place, ...]:
    """Return every play with valid words: rows, then columns, each from its first square on."""
    return tuple(
        Place(LINES[number].names[start], word)
        for number, *line in open_lines(board, ref)
        for start, word in plays_in_line(*line, rack, ref)
    )


@lru_cache(maxsize=64)
def open_lines(board: str, ref: str) -> tuple[tuple[int, str, tuple[int, ...], tuple[bool, ...]], ...]:
    """Return the lines that allow a play: number, letters, the letters that fit each square, and anchors.

    A play must include an anchor: a filled square, one beside a tile, or the centre of an empty board (S2).
    """
    found = []
    for number, line in enumerate(LINES):
        letters = letters_of(board, number)
        allowed = tuple(crossing_letters(board, number, place, ref) for place in range(SIZE))
        if board == EMPTY_BOARD:
            anchors = tuple(square == CENTRE for square in line.squares)
        else:
            anchors = tuple(is_anchor(letters, place) or allowed[place] != ANY_LETTER for place in range(SIZE))
        if any(anchors):
            found.append((number, letters, allowed, anchors))
    return tuple(found)


def is_anchor(letters: str, place: int) -> bool:
    """Return whether a square is filled or has a neighbour in its line."""
    return letters[max(place - 1, 0) : place + 2] != EMPTY * len(letters[max(place - 1, 0) : place + 2])


def crossing_letters(board: str, number: int, place: int, ref: str) -> int:
    """Return the letters that form a word across a line; any letter if there is no neighbour, or a tile."""
    crossing, at = LINES[number].crossing[place]
    letters = letters_of(board, crossing)
    if letters[at] != EMPTY:
        return ANY_LETTER
    first, end = word_around(letters, at)
    return ANY_LETTER if end - first == 1 else fitting(letters[first:at].upper(), letters[at + 1 : end].upper(), ref)


@lru_cache(maxsize=1 << 14)
def fitting(before: str, after: str, ref: str) -> int:
    """Return the letters that form a word between `before` and `after`."""
    trie = trie_of(ref)
    node = trie.walk(0, before)
    if node is None:
        return 0
    fits = 0
    for bit in bits_of(trie.letters[node] & ANY_LETTER):
        end = trie.walk(trie.child(node, bit), after)
        if end is not None and trie.letters[end] & END:
            fits |= bit
    return fits


def bits_of(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


@lru_cache(maxsize=1 << 12)
def plays_in_line(
    letters: str, allowed: tuple[int, ...], anchors: tuple[bool, ...], rack: str, ref: str
) -> tuple[tuple[int, str], ...]:
    """Return the start and the word of each play in a line."""
    walk = Walk(trie_of(ref), letters, allowed, rack)
    for start in range(SIZE):
        if start and letters[start - 1] != EMPTY:
            continue
        meeting = next((place for place in range(start, SIZE) if anchors[place]), None)
        if meeting is None:
            break
        if meeting - start < len(rack):
            walk.begin(start, meeting)
    return tuple(walk.found)


class Walk:
    """The search of one line with one rack."""

    def __init__(self, trie: Trie, letters: str, allowed: tuple[int, ...], rack: str) -> None:
        self.trie = trie
        self.letters = letters
        self.allowed = allowed
        self.held = {bit: rack.count(letter) for bit, letter in LETTER_OF.items()}
        self.jokers = rack.count(JOKER)
        self.mask = sum(bit for bit, count in self.held.items() if count)
        self.found: list[tuple[int, str]] = []
        self.start = self.meeting = 0

    def begin(self, start: int, meeting: int) -> None:
        """Find the words that begin at a place and reach at least the place where they meet a tile or neighbour."""
        self.start, self.meeting = start, meeting
        self.step(start, 0, "", False)

    def step(self, place: int, node: int, word: str, laid: bool) -> None:
        """Continue from a place with the letters so far."""
        trie = self.trie
        there = self.letters[place] if place < SIZE else EMPTY
        if there != EMPTY:
            bit = BIT_OF[there]
            if trie.letters[node] & bit:
                self.step(place + 1, trie.child(node, bit), word + there, laid)
            return
        if laid and place > self.meeting and trie.letters[node] & END and len(word) > 1:
            self.found.append((self.start, word))
        if place == SIZE:
            return
        ahead = self.meeting - place + 1
        if ahead > 1 and not trie.reach[ahead][node] & self.wanted():
            return
        fits = trie.letters[node] & self.allowed[place]
        for bit in bits_of(fits & self.mask):
            self.held[bit] -= 1
            if not self.held[bit]:
                self.mask ^= bit
            self.step(place + 1, trie.child(node, bit), word + LETTER_OF[bit], True)
            if not self.held[bit]:
                self.mask ^= bit
            self.held[bit] += 1
        if self.jokers:
            self.jokers -= 1
            for bit in bits_of(fits & ANY_LETTER):
                self.step(place + 1, trie.child(node, bit), word + LETTER_OF[bit].lower(), True)
            self.jokers += 1

    def wanted(self) -> int:
        """Return the letters that fit at the meeting place."""
        there = self.letters[self.meeting]
        if there != EMPTY:
            return BIT_OF[there]
        return self.allowed[self.meeting] & (ANY_LETTER if self.jokers else self.mask)
