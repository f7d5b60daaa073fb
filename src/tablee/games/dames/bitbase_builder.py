"""Build the tables of endings (`bitbases.py`) on several threads.

Each material needs the tables of its captures and promotions, so materials follow each other: fewer pieces first, then
fewer men. The slices of one material are shared among the threads.
"""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from math import comb
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from . import bitbase_kernel as solver
from .bitbases import Tables, value_of
from .board import TEN, Position
from .kernel import BEGINS, LOST, MOVES, RECORDS, SQUARES, WORK, material_code, materials, places, sides
from .notation import write_fen
from .values import BLACK, RED

Material = tuple[int, int, int, int]
STACK = 1 << 20
"""Positions that a thread remembers while it solves a slice; if there are more, it looks for them again."""


def array(size: int) -> NDArray[np.int64]:
    return np.zeros(size, dtype=np.int64)


def sets_of(squares: range, count: int) -> NDArray[np.int64]:
    """Return all sets of so many of these squares of the 10×10 board, in the order of their ranks."""
    found = array(comb(len(squares), count))
    bits = np.array([SQUARES[10][square] for square in squares], dtype=np.int64)
    solver.sets(count, found.size, bits, found)
    return found


class Builder:
    """Build the tables of one material after the other."""

    def __init__(self, pieces: int, threads: int, solved: NDArray[np.uint8]) -> None:
        self.pieces, self.threads, self.solved = pieces, threads, solved
        self.records = array(RECORDS[pieces])
        self.records[0] = pieces
        self.units: list[NDArray[np.int64]] = []
        self.end = self.records.size
        self.blocked = 0
        """Positions in which neither side can move."""

    def run(self, advance: Callable[[int], object] = lambda places: None) -> NDArray[np.int64]:
        """Build all tables; call `advance` with the places that are done."""
        with ThreadPoolExecutor(self.threads) as pool:
            for pieces in range(2, self.pieces + 1):
                for material in materials(pieces):
                    self.build(material, pool, advance)
        self.records[1] = self.end
        return np.concatenate([self.records, *self.units])

    def build(self, material: Material, pool: ThreadPoolExecutor, advance: Callable[[int], object]) -> None:
        """Build the tables of one material. Those of its captures and promotions exist."""
        red_men, red_kings, black_men, black_kings = material
        men_sets = sets_of(range(5, 50), red_men), sets_of(range(45), black_men)
        king_sets = sets_of(range(50), red_kings), sets_of(range(50), black_kings)
        size = king_sets[0].size * king_sets[1].size
        many = places(material)
        fields = np.array([*material, men_sets[1].size, king_sets[0].size, king_sets[1].size, many], dtype=np.int64)
        values = np.zeros(2 * many, dtype=np.uint8)

        def solve(slices: NDArray[np.int64]) -> int:
            lists = array(MOVES), array(MOVES), array(WORK + 64)
            steps, stack = array(2 * solver.STEPS_OF_SIDE), array(min(STACK, 2 * size + 1))
            return solver.solve(slices, fields, men_sets, king_sets, values, self.solved, steps, lists, stack)

        for level in levels(*men_sets):
            parts = np.array_split(level, min(level.size, 4 * self.threads))
            for part, blocked in zip(parts, pool.map(solve, parts), strict=True):
                self.blocked += blocked
                advance(2 * size * part.size)
        for side in sides(material):
            self.keep(material_code(*material, side), values, side * many, many)

    def keep(self, code: int, values: NDArray[np.uint8], start: int, many: int) -> None:
        """Keep a solved table: all its values for larger materials, and what people look up for the file."""
        solver.pack(values, start, many, self.solved, solver.SOLVED_AT[code])
        units = array(2 * (many + 63 >> 6))
        count = solver.encode(values, start, many, self.records, BEGINS[code], self.end, units)
        self.units.append(units[:count].copy())
        self.end += count


def levels(red_sets: NDArray[np.int64], black_sets: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield slices by how far their men have come, the farthest first; a step of a man leads to an earlier level."""
    red = np.array([sum(row_of(square, 0) for square in bits(one)) for one in red_sets.tolist()], dtype=np.int64)
    black = np.array([sum(row_of(square, 1) for square in bits(one)) for one in black_sets.tolist()], dtype=np.int64)
    for level in range(int(red.max() + black.max()), -1, -1):
        found = [
            (np.flatnonzero(red == far)[:, None] * black.size + np.flatnonzero(black == level - far)).ravel()
            for far in range(level + 1)
        ]
        slices = np.concatenate(found)
        if slices.size:
            yield slices


def bits(squares: int) -> Iterator[int]:
    while squares:
        yield (squares & -squares).bit_length() - 1
        squares &= squares - 1


def row_of(bit: int, side: int) -> int:
    """Return how many rows a man has come from its own end."""
    row = bit // 11 * 2 + (bit % 11 >= 5)
    return row if side else 9 - row


def work_of(pieces: int) -> int:
    """Return the number of places to solve for tables with up to so many pieces."""
    return sum(2 * places(material) for many in range(2, pieces + 1) for material in materials(many))


def build_shipped(pieces: int, threads: int, folder: Path, advance: Callable[[int], object]) -> Path:
    """Build the tables with up to so many pieces and write them compressed; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    solved = np.zeros(solver.SOLVED_BYTES[pieces], dtype=np.uint8)
    content = Builder(pieces, threads, solved).run(advance).astype("<i8").tobytes()
    path = folder / f"bitbases{pieces}.{sha256(content).hexdigest()[:12]}.xz"
    path.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    return path


def build_mapped(pieces: int, threads: int, path: Path, advance: Callable[[int], object]) -> str:
    """Build the tables with up to so many pieces in a file that workers map into memory; return its SHA-256.

    The file appears under its name when it is complete. Until then all solved values are in a file beside it, 472 MB
    with five pieces. The largest material needs two bytes for each of its places, 0.25 GB of memory.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    free, need = shutil.disk_usage(path.parent).free, solver.SOLVED_BYTES[pieces] * 3 // 2
    if free < need:
        raise OSError(f"{path.parent} has {free >> 20} MB free, and building the tables needs {need >> 20} MB")
    draft, scratch = path.with_name(f".{path.name}.part"), path.with_name(f".{path.name}.solved")
    try:
        solved = np.memmap(scratch, dtype=np.uint8, mode="w+", shape=(solver.SOLVED_BYTES[pieces],))
        content = Builder(pieces, threads, solved).run(advance).astype("<i8")
        content.tofile(draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
        scratch.unlink(missing_ok=True)
    return sha256(content.data).hexdigest()


def random_ending(dice: Random, pieces: int) -> Position:
    """Return an ending with so many pieces, at least one on each side."""
    while True:
        men, kings = [0, 0], [0, 0]
        for square in dice.sample(range(50), pieces):
            seat, last_row = dice.choice(((RED, TEN.top), (BLACK, TEN.bottom)))
            is_king = dice.randrange(2) or 1 << square & last_row
            (kings if is_king else men)[seat] |= 1 << square
        position = Position(men[RED], kings[RED], men[BLACK], kings[BLACK], dice.randrange(2))
        if position.pieces(RED) and position.pieces(BLACK):
            return position


def check(position: Position, tables: Tables) -> None:
    """Compare the value of an ending with the best that its moves reach; raise ValueError if they differ."""
    after = [value_of(TEN.play(position, move), tables) for move in TEN.moves(position)]
    best = max((-value for value in after if value is not None), default=LOST)
    found = value_of(position, tables)
    if found != best or None in after:
        raise ValueError(f"{write_fen(position)} is {found} in the tables, and its moves reach {best}")
