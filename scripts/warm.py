"""Compile the kernels of all games into Numba's cache, on every core.

The processes of a test run would otherwise compile them several times at once.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tablee.core.discover import games, warm_up
from tablee.envs import vector


def warm_env(key: str) -> None:
    """Compile the kernel of an environment, if the game has one; no server needs it."""
    env = vector(key, n=1, full_state=True)
    if env.has_kernel:
        env.reset(0)
        env.step(env.sample())


if __name__ == "__main__":
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        done = [pool.submit(work, key) for work in (warm_up, warm_env) for key in games()]
        for one in done:
            one.result()
