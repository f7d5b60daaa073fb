"""Endings with few pieces on the 10×10 board: tables that know whether the side to move wins, draws or loses.

The tables ignore the draw rules (D8): a win may take more moves than they allow. Those with up to four pieces are
shipped. `tablee dames bitbases 5` builds those with five in the data folder, and each process maps that file into its
memory. Importing this module loads Numba, so only bot and study processes import it.
"""

from __future__ import annotations

import lzma
import mmap
import os
import sys
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import kernel
from .board import TEN, Position
from .kernel import UNKNOWN

Tables = NDArray[np.int64]

LARGEST_SHIPPED = 4
HEADER = 16
"""Bytes before the records."""
FORMAT = 1
"""Increase it if the layout of the tables changes, so that nobody reads an older file."""


def own_file() -> Path:
    """Return where the tables with five pieces are, if the operator has built them."""
    return Path(os.environ.get("TABLEE_DATA") or "data") / "bitbases" / f"dames5.{FORMAT}.bin"


def shipped_file() -> Path:
    """Return the shipped tables; the name has the first digits of the SHA-256 of their content."""
    (path,) = Path(__file__).parent.glob(f"bitbases{LARGEST_SHIPPED}.*.xz")
    return path


@cache
def tables_of(size: int) -> Tables:
    """Return the tables for a size of board, read-only, for `kernel.ending`; they know 0 pieces if it is 8×8."""
    if size != 10:
        return np.frombuffer(bytes(8), dtype="<i8")
    return own if (own := mapped(own_file())) is not None else shipped()


def shipped() -> Tables:
    """Return the shipped tables."""
    return unpacked(shipped_file())


def unpacked(path: Path) -> Tables:
    """Return the tables of a compressed file."""
    return np.frombuffer(lzma.decompress(path.read_bytes()), dtype="<i8")


def mapped(path: Path) -> Tables | None:
    """Map a file of tables into memory: only the pages that somebody looks up are read. None if it is not complete."""
    if not path.is_file() or path.stat().st_size < HEADER or path.stat().st_size % 8:
        return None
    with path.open("rb") as file:
        mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    tables: Tables = np.frombuffer(mapping, dtype="<i8")
    if tables[1] != tables.size:
        return None
    _mappings.append(mapping)
    return tables


_mappings: list[mmap.mmap] = []


def release() -> None:
    """Give the pages of mapped tables back, so that they do not add up; the system still has them in its cache."""
    for mapping in _mappings:
        if sys.platform == "linux":
            mapping.madvise(mmap.MADV_DONTNEED)


def value_of(position: Position, tables: Tables | None = None) -> int | None:
    """Return LOST, DRAWN or WON for the side to move on the 10×10 board; None if there are too many pieces."""
    from .search import PACKERS  # A search uses this module.

    tables = tables_of(10) if tables is None else tables
    value = kernel.ending(*PACKERS[10].boards(position), position.to_move, tables)
    if value != UNKNOWN:
        return int(value)
    captures = TEN.captures(position)
    pieces = (position.pieces(0) | position.pieces(1)).bit_count()
    if not captures or pieces > tables[0]:
        return None
    after = [value_of(TEN.play(position, move), tables) for move in captures]
    return max(-value for value in after if value is not None)
