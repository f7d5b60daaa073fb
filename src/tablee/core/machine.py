"""Shared by the kernels of games: the compiler, the types of their arrays, and machine instructions.

This module imports Numba, so only kernels import it, and only bots import kernels. `jit.py` is the compiler. Numba's
cache looks at the date of a function's own file, so a kernel does not notice a change here or there: keep both stable.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    F = TypeVar("F")

    class Ints(Protocol):
        """An array of int64."""

        @property
        def size(self) -> int: ...
        def __getitem__(self, at: int, /) -> int: ...
        def __setitem__(self, at: int, value: int, /) -> None: ...

    class Floats(Protocol):
        """An array of float64."""

        def __getitem__(self, at: int, /) -> float: ...
        def __setitem__(self, at: int, value: float, /) -> None: ...

    class Bytes(Protocol):
        """An array of uint8."""

        @property
        def size(self) -> int: ...
        def __getitem__(self, at: int, /) -> int: ...
        def __setitem__(self, at: int, value: int, /) -> None: ...

    def compiled(function: F) -> F: ...
    def lean(function: F) -> F: ...
    def inlined(function: F) -> F: ...
    def summing(function: F) -> F: ...
    def popcount(bits: int) -> int: ...
    def lowest(bits: int) -> int: ...
    def highest(bits: int) -> int: ...
    def pick(dice: Ints, n: int) -> int: ...
    def part(numbers: Ints, start: int, size: int) -> Ints: ...
    def prefetch(numbers: Ints, at: int) -> None: ...
else:
    from functools import partial

    from numba import types
    from numba.extending import intrinsic

    from .jit import kernel_function

    Ints = Floats = Bytes = Any

    compiled = partial(kernel_function, error_model="numpy")
    # Numba counts references to arrays, with an atomic instruction for each array of a call. A function that makes no
    # arrays and returns none can do without.
    lean = partial(kernel_function, error_model="numpy", _nrt=False)
    inlined = partial(lean, forceinline=True)
    # Sums of floats in any order, which lets the compiler use vectors.
    summing = partial(kernel_function, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})

    def instruction(emit: Any) -> Any:
        """Make a machine instruction callable: one int64 in, one int64 out."""

        def typed(context, bits):
            return types.int64(types.int64), lambda context, builder, signature, args: emit(builder, args[0])

        return intrinsic(typed)

    def never_zero(builder):
        from llvmlite import ir

        return ir.Constant(ir.IntType(1), 1)

    @instruction
    def popcount(builder, bits):
        return builder.ctpop(bits)

    @instruction
    def lowest(builder, bits):
        return builder.cttz(bits, never_zero(builder))

    @instruction
    def highest(builder, bits):
        return builder.sub(bits.type(63), builder.ctlz(bits, never_zero(builder)))

    @lean
    def pick(dice, n):
        """Draw from [0, n) as `Dice` does; the first number is the state of the dice."""
        dice[0] = dice[0] * 6364136223846793005 + 1442695040888963407
        return ((dice[0] >> 32 & 0xFFFFFFFF) * n) >> 32

    @compiled
    def part(numbers, start, size):
        return numbers[start : start + size]

    @intrinsic
    def prefetch(context, numbers, at):
        """Ask the memory for an element that is needed soon."""

        def emit(context, builder, signature, args):
            from llvmlite import ir
            from numba.core import cgutils

            array = context.make_array(signature.args[0])(context, builder, args[0])
            address = builder.bitcast(builder.gep(array.data, [args[1]]), cgutils.voidptr_t)
            flag = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, flag, flag, flag])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            builder.call(function, [address, flag(0), flag(3), flag(1)])
            return context.get_dummy_value()

        return types.none(numbers, at), emit


def follow(module: Mapping[str, Any], *sources: str) -> None:
    """Let the cached functions of a module be compiled again if one of some other source files changes.

    Call it at the end of a kernel that calls functions of other ones.
    """
    stamps = [(stat.st_mtime, stat.st_size) for stat in map(os.stat, sources)]
    for function in module.values():
        if getattr(function, "__module__", None) == module["__name__"] and hasattr(function, "_cache"):
            cached = function._cache._cache_file
            cached._source_stamp = (cached._source_stamp, *stamps)
