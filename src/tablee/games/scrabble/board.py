"""The board and the tiles: their values, premiums and the names of squares.

A board is a text of 225 squares, row by row. A line is a row, read across, or a column, read down. With lines, every
rule is written once for both directions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from ...core.trace import Pack

SIZE = 15
EMPTY = "."
EMPTY_BOARD = EMPTY * (SIZE * SIZE)
CENTRE = SIZE * SIZE // 2
RACK = 7
"""The number of tiles on a rack while the bag lasts (S1)."""
JOKER = "?"

VALUES: dict[str, int] = {
    **dict.fromkeys("AEILNORSTU", 1),
    **dict.fromkeys("DGM", 2),
    **dict.fromkeys("BCP", 3),
    **dict.fromkeys("FHV", 4),
    **dict.fromkeys("JQ", 8),
    **dict.fromkeys("KWXYZ", 10),
    **dict.fromkeys("?abcdefghijklmnopqrstuvwxyz", 0),
}
"""The value of each tile, on a rack or on the board."""
COUNTS: dict[str, int] = {
    "?": 2,
    "E": 15,
    "A": 9,
    "I": 8,
    **dict.fromkeys("NORSTU", 6),
    "L": 5,
    **dict.fromkeys("DM", 3),
    **dict.fromkeys("BCFGHPV", 2),
    **dict.fromkeys("JKQWXYZ", 1),
}
ALL_TILES = "".join(sorted(tile * count for tile, count in COUNTS.items()))
"""The 102 tiles, jokers first."""
PACKS = {"tiles": Pack(bag=tuple(sorted(COUNTS.items())))}
"""What can be drawn."""

PREMIUMS = (
    "T..d...T...d..T"
    ".D...t...t...D."
    "..D...d.d...D.."
    "d..D...d...D..d"
    "....D.....D...."
    ".t...t...t...t."
    "..d...d.d...d.."
    "T..d...D...d..T"
    "..d...d.d...d.."
    ".t...t...t...t."
    "....D.....D...."
    "d..D...d...D..d"
    "..D...d.d...D.."
    ".D...t...t...D."
    "T..d...T...d..T"
)
"""`d` and `t` double and triple a letter, `D` and `T` a word; the centre doubles the word (S2)."""
LETTER_BONUS = tuple({"d": 2, "t": 3}.get(mark, 1) for mark in PREMIUMS)
WORD_BONUS = tuple({"D": 2, "T": 3}.get(mark, 1) for mark in PREMIUMS)


class Line(Struct, frozen=True):
    """A row or a column with the names of its squares."""

    squares: tuple[int, ...]
    names: tuple[str, ...]
    down: bool
    crossing: tuple[tuple[int, int], ...]
    """For each square, the line that crosses there and the place of the square in it."""


def name_of(square: int, down: bool) -> str:
    """Return the name of a square and direction: `H8` across, `8H` down (S9)."""
    row, column = chr(ord("A") + square // SIZE), str(square % SIZE + 1)
    return column + row if down else row + column


def make_line(number: int) -> Line:
    down, at = number >= SIZE, number % SIZE
    squares = range(at, SIZE * SIZE, SIZE) if down else range(at * SIZE, (at + 1) * SIZE)
    return Line(
        squares=tuple(squares),
        names=tuple(name_of(square, down) for square in squares),
        down=down,
        crossing=tuple((place if down else place + SIZE, at) for place in range(SIZE)),
    )


LINES = tuple(make_line(number) for number in range(2 * SIZE))
"""The fifteen rows, then the fifteen columns."""
PLACES = {name: (number, place) for number, line in enumerate(LINES) for place, name in enumerate(line.names)}
"""The line, and the place in it, of each name."""


def letters_of(board: str, number: int) -> str:
    """Return the letters of a line."""
    return board[number * SIZE : (number + 1) * SIZE] if number < SIZE else board[number - SIZE :: SIZE]


def word_around(letters: str, place: int) -> tuple[int, int]:
    """Return the start and end of the run of letters through a place, which itself counts as filled."""
    start = letters.rfind(EMPTY, 0, place) + 1
    end = letters.find(EMPTY, place + 1)
    return start, SIZE if end < 0 else end


def put(board: str, at: str, tiles: str) -> str:
    """Put the tiles of a play on the board; a dot is a letter that is already there."""
    number, place = PLACES[at]
    changed = list(board)
    for square, tile in zip(LINES[number].squares[place:], tiles, strict=False):
        if tile != EMPTY:
            changed[square] = tile
    return "".join(changed)


def take(board: str, at: str, tiles: str) -> str:
    """Remove the tiles of a play from the board."""
    number, place = PLACES[at]
    changed = list(board)
    for square, tile in zip(LINES[number].squares[place:], tiles, strict=False):
        if tile != EMPTY:
            changed[square] = EMPTY
    return "".join(changed)


@cache
def as_tile(letter: str) -> str:
    """Return the tile of a letter on the board; lower case is a joker."""
    return JOKER if letter.islower() else letter


def tiles_of(letters: Iterable[str]) -> str:
    """Return the sorted tiles of letters on the board, without dots."""
    return "".join(sorted(as_tile(letter) for letter in letters if letter != EMPTY))


def without(heap: str, tiles: str) -> str:
    """Remove tiles from a heap; raise ValueError if it does not contain them."""
    left = list(heap)
    for tile in tiles:
        left.remove(tile)
    return "".join(left)


def together(*heaps: str) -> str:
    """Return several heaps as one."""
    return "".join(sorted("".join(heaps)))


def value_of(tiles: str) -> int:
    return sum(VALUES[tile] for tile in tiles)
