"""The board and the tiles: what there is, and how squares are named.

A board is a text of 225 squares, row by row. A line is a row read across or a column read down, as a slice of it; with
lines, every rule is written once and holds in both directions.
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
"""So many tiles a rack holds while the bag lasts (S1)."""
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
"""What a tile is worth, on a rack or on the board."""
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
"""`d` and `t` double and triple a letter, `D` and `T` a word; the centre doubles too (S2)."""
LETTER_BONUS = tuple({"d": 2, "t": 3}.get(mark, 1) for mark in PREMIUMS)
WORD_BONUS = tuple({"D": 2, "T": 3}.get(mark, 1) for mark in PREMIUMS)


class Line(Struct, frozen=True):
    """A row or a column and the names of its squares."""

    squares: tuple[int, ...]
    names: tuple[str, ...]
    down: bool
    crossing: tuple[tuple[int, int], ...]
    """For each square the line that crosses there, and the place of the square in it."""


def name_of(square: int, down: bool) -> str:
    """`H8` across, `8H` down (S9)."""
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
"""The line and the place in it that a name means."""


def letters_of(board: str, number: int) -> str:
    """What stands in a line."""
    return board[number * SIZE : (number + 1) * SIZE] if number < SIZE else board[number - SIZE :: SIZE]


def word_around(letters: str, place: int) -> tuple[int, int]:
    """Where the unbroken run of letters through a place begins and ends, the place itself counted as filled."""
    start = letters.rfind(EMPTY, 0, place) + 1
    end = letters.find(EMPTY, place + 1)
    return start, SIZE if end < 0 else end


def put(board: str, at: str, tiles: str) -> str:
    """Lay the letters of a play, dots for those that are there, from a square on."""
    number, place = PLACES[at]
    changed = list(board)
    for square, tile in zip(LINES[number].squares[place:], tiles, strict=False):
        if tile != EMPTY:
            changed[square] = tile
    return "".join(changed)


def take(board: str, at: str, tiles: str) -> str:
    """Take the letters of a play off the board again."""
    number, place = PLACES[at]
    changed = list(board)
    for square, tile in zip(LINES[number].squares[place:], tiles, strict=False):
        if tile != EMPTY:
            changed[square] = EMPTY
    return "".join(changed)


@cache
def as_tile(letter: str) -> str:
    """The tile that a letter on the board is: lower case is a joker."""
    return JOKER if letter.islower() else letter


def tiles_of(letters: Iterable[str]) -> str:
    """The tiles that letters on the board are, sorted; dots are none."""
    return "".join(sorted(as_tile(letter) for letter in letters if letter != EMPTY))


def without(heap: str, tiles: str) -> str:
    """A heap less some of its tiles; raises ValueError where it does not hold them."""
    left = list(heap)
    for tile in tiles:
        left.remove(tile)
    return "".join(left)


def together(*heaps: str) -> str:
    """Several heaps as one."""
    return "".join(sorted("".join(heaps)))


def value_of(tiles: str) -> int:
    return sum(VALUES[tile] for tile in tiles)
