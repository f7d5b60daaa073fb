"""A grid of twelve cells: what lies in them, their columns and what these score.

A cell is one number, so that whatever is known of a card moves with it:

    -2 … 12     a card that lies face up
    EMPTY       a place whose column was discarded
    HIDDEN      a hidden card that nobody has looked at; it has no value yet
    SEEN + 16 × seats + value + 2
                a hidden card that was looked at, and the set of the seats that know it is here
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.game import Seat
from .values import CellCode, Grid, SeatSet

EMPTY: CellCode = 15
HIDDEN: CellCode = 16
SEEN: CellCode = 32
EVERYBODY: SeatSet = 0xFF
"""Who knows a card that all have seen."""
CELLS = range(12)
COLUMNS = range(4)
NEW_GRID: Grid = (HIDDEN,) * 12
NO_GRID: Grid = (EMPTY,) * 12


def seen_card(value: int, knowers: SeatSet) -> CellCode:
    """A hidden card with a value, and who knows it."""
    return SEEN + 16 * knowers + value + 2


def value_of(code: CellCode) -> int:
    """The value of a card that lies face up or was looked at."""
    return code if code < EMPTY else (code & 15) - 2


def knowers_of(code: CellCode) -> SeatSet:
    """Who knows a card that was looked at."""
    return (code - SEEN) >> 4


def column_of(grid: Grid, column: int) -> Sequence[CellCode]:
    return grid[column::4]


def full_columns(grid: Grid) -> list[int]:
    """The columns of three equal face-up cards, left to right (O5)."""
    return [at for at in COLUMNS if grid[at] < EMPTY and grid[at] == grid[at + 4] == grid[at + 8]]


def without_column(grid: Grid, column: int) -> Grid:
    return tuple([EMPTY if cell & 3 == column else code for cell, code in enumerate(grid)])


def with_cell(grid: Grid, cell: int, code: CellCode) -> Grid:
    return (*grid[:cell], code, *grid[cell + 1 :])


def cards_in(grid: Grid) -> list[int]:
    """The cells that are not empty."""
    return [cell for cell in CELLS if grid[cell] != EMPTY]


def hidden_in(grid: Grid) -> list[int]:
    """The cells with a hidden card."""
    return [cell for cell in CELLS if grid[cell] >= HIDDEN]


def all_face_up(grid: Grid) -> bool:
    """Whether all cards left are face up; an empty grid counts (O6)."""
    return max(grid) < HIDDEN


def column_scores(grid: Grid, curses: Sequence[int], heals: Sequence[int]) -> tuple[int, ...]:
    """What the face-up cards of each column score: ⌊sum × 2^(curses − heals)⌋ (O7)."""
    scores = []
    for at in COLUMNS:
        total = sum([code for code in grid[at::4] if code < EMPTY])
        shift = curses[at] - heals[at]
        scores.append(total << shift if shift >= 0 else total >> -shift)
    return tuple(scores)


def place_of(seat: Seat, cell: int) -> int:
    """A cell's number among those of all grids."""
    return 12 * seat + cell
