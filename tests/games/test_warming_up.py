"""The steps in which a game's kernels are compiled, each in a process of its own."""

from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from multiprocessing import get_context

import pytest
from warm_steps import compiled_by

from tablee.core.discover import games


@pytest.mark.parametrize("key", [key for key, game in games().items() if len(game.warm) > 1])
def test_two_steps_never_compile_a_function_for_different_types(key: str) -> None:
    """Numba's cache would mix up what two processes write at once for one function."""
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        steps = [pool.submit(compiled_by, key, step).result() for step in range(len(games()[key].warm))]
    for one, other in combinations(steps, 2):
        assert one.keys() != other.keys()
        assert all(one[name] == other[name] for name in one.keys() & other.keys())
