"""What the benchmarks share: best of several runs, one line on the screen, one JSON file beside the script."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any


def best_rate(work: Callable[[], int], runs: int = 5) -> float:
    """How many things a second `work` does, in the best of several runs: the others had company on the machine."""
    rates = []
    for _ in range(runs):
        start = perf_counter()
        done = work()
        rates.append(done / (perf_counter() - start))
    return max(rates)


def report(script: str, line: str, figures: dict[str, Any]) -> None:
    """Print the line and write the figures, with the machine they come from, to a file named like the script."""
    machine = {"python": platform.python_version(), "cpus": os.cpu_count()}
    path = Path(script).with_suffix(".json")
    path.write_text(json.dumps({**figures, **machine}, indent=2) + "\n")
    print(f"{line} (Python {machine['python']}, {machine['cpus']} CPUs)")
