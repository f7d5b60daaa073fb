"""Keeps the processes of bots small: arrays that give their memory back, and compiled functions without their source.

Importing this module loads NumPy, so only bots import it.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import sys
import zlib
from contextlib import suppress
from importlib import import_module
from typing import Any

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


class Packed:
    """The code of a function for the compiler, compressed. It stands in for Numba's module of LLVM."""

    def __init__(self, module: Any) -> None:
        self._code = zlib.compress(module.as_bitcode(), 1)

    def as_bitcode(self) -> bytes:
        return zlib.decompress(self._code)

    def clone(self) -> Any:
        """Return the module, as Numba asks for it to compile a function that calls this one."""
        return import_module("llvmlite.binding").parse_bitcode(self.as_bitcode())


def pack_functions() -> None:
    """Compress what Numba keeps of every compiled function for callers that it may yet compile: 28 MB for all games."""
    if "numba" not in sys.modules:
        return
    from numba.core.codegen import CPUCodeLibrary

    for one in gc.get_objects():
        # `isinstance` would ask what weak proxies stand for, and fail if that is gone.
        if not issubclass(type(one), CPUCodeLibrary):
            continue
        if hasattr(module := getattr(one, "_shared_module", None), "link_in"):
            one._shared_module = Packed(module)
    with suppress(OSError, AttributeError):  # only the C library of GNU has this function
        ctypes.CDLL(None).malloc_trim(0)
