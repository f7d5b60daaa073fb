"""How much memory a process of bots takes."""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from every_level import megabytes, play_everything

from tablee.core.memory import Scratch

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
