"""How much memory a process of bots takes."""

import sys
import weakref
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from every_level import megabytes, play_everything

from tablee.core.memory import Packed, Scratch, pack_functions

MOST = 300.0
"""Megabytes of a process that has played every level of every game."""
linux = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


@linux
@pytest.mark.slow
def test_a_process_that_played_every_level_stays_below_300_megabytes() -> None:
    for _ in range(2):  # the first may have to compile the kernels, which takes more
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            most = pool.submit(play_everything).result()
        if most < MOST:
            return
    pytest.fail(f"{most:.0f} MB")


@linux
def test_a_scratch_array_gives_its_memory_back() -> None:
    scratch = Scratch(4 << 20)
    before = megabytes("VmRSS")
    scratch.array.fill(7)
    assert megabytes("VmRSS") > before + 30
    scratch.clear()
    assert megabytes("VmRSS") < before + 4
    assert not scratch.array.any()


def test_packing_passes_over_proxies_of_things_that_are_gone() -> None:
    import numba

    class Thing:
        pass

    kept = weakref.proxy(Thing())
    assert numba.__version__  # without it there would be nothing to pack
    pack_functions()
    with pytest.raises(ReferenceError):
        kept.name  # noqa: B018


def test_packed_functions_can_be_called_and_compiled_into_others() -> None:
    import numba

    compiled: Any = numba.njit

    @compiled
    def twice(number: Any) -> Any:
        return 2 * number

    @compiled
    def four_times(number: Any) -> Any:
        return twice(twice(number))

    assert four_times(3) == 12
    pack_functions()
    (overload,) = twice.overloads.values()
    assert isinstance(overload.library._shared_module, Packed)
    assert twice(4) == 8

    @compiled
    def six_times(number: Any) -> Any:
        return twice(number) + four_times(number)

    assert six_times(5) == 30
