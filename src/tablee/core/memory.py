"""Keeps the processes of bots small: arrays that give their memory back.

Importing this module loads NumPy, so only bots import it.
"""

from __future__ import annotations

import mmap
import sys
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray


class Scratch:
    """A large array of int64 that takes memory only while it is used; not for other types, nor for small arrays."""

    def __init__(self, size: int) -> None:
        self._mapping: mmap.mmap | None = None
        self.array: NDArray[np.int64]
        if sys.platform == "linux":
            self._mapping = mmap.mmap(-1, 8 * size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            with suppress(OSError):  # a system may not have large pages
                self._mapping.madvise(mmap.MADV_HUGEPAGE)
            self.array = np.frombuffer(self._mapping, np.int64)
        else:
            self.array = np.zeros(size, np.int64)

    def clear(self) -> None:
        """Set every number to 0 and give the memory back until it is used again."""
        if self._mapping is not None and sys.platform == "linux":
            self._mapping.madvise(mmap.MADV_DONTNEED)
        else:
            self.array.fill(0)
