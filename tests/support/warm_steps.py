"""Steps of warming up that the processes of a test take instead of compiling a game."""

import gc
import os
import time
from pathlib import Path


def busy(key: str, step: int) -> None:
    time.sleep(120)


def note_and_wait(key: str, step: int) -> None:
    """Leave a note in the folder `NOTES`, and wait until two steps have begun."""
    notes = Path(os.environ["NOTES"])
    (notes / f"{key} {step}").touch()
    end = time.monotonic() + 60
    while len(list(notes.iterdir())) < 2:
        assert time.monotonic() < end
        time.sleep(0.01)


def compiled_by(key: str, step: int) -> dict[str, set[str]]:
    """Take a step of a game; return the functions that it made ready for Python, each with its types."""
    from tablee.core.discover import warm_up
    from tablee.core.jit import KernelFunction

    warm_up(key, step)
    functions = [one for one in gc.get_objects() if type(one) is KernelFunction and one.signatures]
    return {f"{one.__module__}.{one.__name__}": set(map(str, one.signatures)) for one in functions}
