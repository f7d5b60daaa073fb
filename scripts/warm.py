"""Compile the kernels of all games into Numba's cache, on every core.

The processes of a test run would otherwise compile them several times at once.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tablee.core.discover import games, warm_up

if __name__ == "__main__":
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        list(pool.map(warm_up, games()))
