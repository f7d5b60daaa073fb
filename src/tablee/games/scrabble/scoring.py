"""The score of a play: all its words, with the premium squares that it covers (S2, S3)."""

from __future__ import annotations

from .board import EMPTY, LETTER_BONUS, LINES, PLACES, RACK, VALUES, WORD_BONUS, letters_of, word_around
from .values import Formed, Play

BINGO = 50


def formed(board: str, number: int, start: int, word: str) -> Formed:
    """Score one word from a place in a line on; premium squares count only for new tiles (S3)."""
    line = LINES[number]
    squares = line.squares[start : start + len(word)]
    points = tuple(VALUES[letter] for letter in word)
    letter_bonus = tuple(LETTER_BONUS[square] if board[square] == EMPTY else 1 for square in squares)
    word_bonus = tuple(WORD_BONUS[square] if board[square] == EMPTY else 1 for square in squares)
    score = sum(value * bonus for value, bonus in zip(points, letter_bonus, strict=True))
    for bonus in word_bonus:
        score *= bonus
    return Formed(word, line.names[start], points, letter_bonus, word_bonus, score)


def score_play(board: str, at: str, word: str) -> Play:
    """Score a well-placed play with every word it forms: the main word, then the others in order."""
    number, start = PLACES[at]
    line = LINES[number]
    words = [formed(board, number, start, word)]
    tiles = ""
    for place, letter in enumerate(word, start):
        if board[line.squares[place]] != EMPTY:
            tiles += EMPTY
            continue
        tiles += letter
        crossing, cross_place = line.crossing[place]
        letters = letters_of(board, crossing)
        first, end = word_around(letters, cross_place)
        if end - first > 1:
            cross = letters[first:cross_place] + letter + letters[cross_place + 1 : end]
            words.append(formed(board, crossing, first, cross))
    bingo = BINGO if len(tiles) - tiles.count(EMPTY) == RACK else 0
    return Play(at, word, tiles, tuple(words), bingo, sum(one.score for one in words) + bingo)
