"""Run the training of the evaluation, `training/dames/train.py` of a clone, and show how far it is."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

SCRIPT = Path(__file__).parents[4] / "training" / "dames" / "train.py"


class CannotTrain(Exception):
    """Raised if something is missing; the text says what, and what to do."""


def check(python: str) -> None:
    """Raise `CannotTrain` unless this is a clone and its tools are installed."""
    if not SCRIPT.is_file():
        raise CannotTrain("the training is not part of the package: run this command in a clone of the repository")
    if shutil.which("g++") is None:
        raise CannotTrain("g++ is missing: install a C++ compiler")
    if shutil.which(python) is None:
        raise CannotTrain(f"{python} is not a program: give --python one that has torch and numpy")
    found = subprocess.run([python, "-c", "import torch, numpy"], capture_output=True, check=False)  # noqa: S603
    if found.returncode:
        raise CannotTrain(f"torch or numpy is missing in {python}: install them, or give another one with --python")


def train(python: str, options: list[str], told: Callable[[str], object]) -> int:
    """Train, and call `told` with each line of the program. Return its exit status."""
    command = [python, "-u", str(SCRIPT), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:  # noqa: S603
        try:
            for line in process.stdout or ():
                told(line.rstrip())
            return process.wait()
        finally:
            process.terminate()


def work_in(line: str) -> tuple[int, int, str] | None:
    """Return the stages done, all stages and the work done, if a line of the training tells them."""
    found = re.fullmatch(r"stage (\d+) of (\d+): (.*)", line)
    return (int(found[1]), int(found[2]), found[3]) if found else None


def shipped(out: Path) -> Path | None:
    """Return the weights that a training has written, if it came so far."""
    return max(out.glob("patterns-*.npz"), key=lambda path: path.stat().st_mtime, default=None)
