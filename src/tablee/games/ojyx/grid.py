"""A grid of twelve cells: its cards, its columns and their scores.

A cell is one number, so that the knowledge about a card moves with it:

    -2 … 12     a card that lies face up
    EMPTY       a cell whose column was discarded
    HIDDEN      a hidden card that nobody has looked at; it has no value yet
    SEEN + 16 × seats + value + 2
                a hidden card that somebody looked at, and the set of seats that know it
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.game import Seat
from .values import CellCode, Grid, SeatSet

EMPTY: CellCode = 15
HIDDEN: CellCode = 16
SEEN: CellCode = 32
EVERYBODY: SeatSet = 0xFF
"""The set of all seats, for a card that all have seen."""
CELLS = range(12)
COLUMNS = range(4)
NEW_GRID: Grid = (HIDDEN,) * 12
NO_GRID: Grid = (EMPTY,) * 12


def seen_card(value: int, knowers: SeatSet) -> CellCode:
    """Return the code of a hidden card with a value and the seats that know it."""
    return SEEN + 16 * knowers + value + 2


def value_of(code: CellCode) -> int:
    """Return the value of a card that is face up or was looked at."""
    return code if code < EMPTY else (code & 15) - 2


def knowers_of(code: CellCode) -> SeatSet:
    """Return the seats that know a card that was looked at."""
    return (code - SEEN) >> 4


def column_of(grid: Grid, column: int) -> Sequence[CellCode]:
    return grid[column::4]


def full_columns(grid: Grid) -> list[int]:
    """Return the columns of three equal face-up cards, left to right (O5)."""
    return [at for at in COLUMNS if grid[at] < EMPTY and grid[at] == grid[at + 4] == grid[at + 8]]


def without_column(grid: Grid, column: int) -> Grid:
    return tuple([EMPTY if cell & 3 == column else code for cell, code in enumerate(grid)])


def with_cell(grid: Grid, cell: int, code: CellCode) -> Grid:
    return (*grid[:cell], code, *grid[cell + 1 :])


def cards_in(grid: Grid) -> list[int]:
    """Return the cells that are not empty."""
    return [cell for cell in CELLS if grid[cell] != EMPTY]


def hidden_in(grid: Grid) -> list[int]:
    """Return the cells with a hidden card."""
    return [cell for cell in CELLS if grid[cell] >= HIDDEN]


def all_face_up(grid: Grid) -> bool:
    """Return whether no card is hidden; an empty grid counts (O6)."""
    return max(grid) < HIDDEN


def column_scores(grid: Grid, curses: Sequence[int], heals: Sequence[int]) -> tuple[int, ...]:
    """Return the score of each column's face-up cards: ⌊sum × 2^(curses − heals)⌋ (O7)."""
    scores = []
    for at in COLUMNS:
        total = sum([code for code in grid[at::4] if code < EMPTY])
        shift = curses[at] - heals[at]
        scores.append(total << shift if shift >= 0 else total >> -shift)
    return tuple(scores)


def place_of(seat: Seat, cell: int) -> int:
    """Return the number of a cell among the cells of all grids."""
    return 12 * seat + cell
