"""Work for the processes of a pool; they must be able to import it."""

import os
import signal
from pathlib import Path


def die_once(mark: str) -> int:
    """Kill the own process, unless the mark shows that this happened before."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 7


def note(file: str, text: str) -> None:
    with Path(file).open("a") as notes:
        notes.write(text)


def tell_threads(key: str, name: str, question: object, asker: str, threads: int) -> bytes:
    """Stand in for a study: answer how many threads it may use."""
    return b"%d" % threads
