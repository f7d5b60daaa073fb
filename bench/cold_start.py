"""What a new machine pays before its bots play: compiling the kernels of each game, and loading what is compiled.

    python bench/cold_start.py [--times 3]
    python bench/cold_start.py --against ../old/src

Each game is compiled by a process of its own into an empty cache, then loaded by another one, as a server does. Other
programs change the time on the clock, so this is processor time. With `--against`, another source folder is measured in
turn.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from common import report

HERE = Path(__file__).parent
WORK = """
import json, os, resource, sys
from time import process_time
from tablee.core.discover import games, warm_up
games()
begun = process_time()
for key in sys.argv[1].split(","):
    warm_up(key)
files = [os.path.join(folder, name) for folder, _, names in os.walk(os.environ["NUMBA_CACHE_DIR"]) for name in names]
print(json.dumps({
    "seconds": process_time() - begun,
    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "cache_mb": sum(map(os.path.getsize, files)) / 1e6,
}))
"""


def warm(source: Path, keys: str, cache: str) -> dict[str, float]:
    """Make some games ready in a new process."""
    graphs = str(HERE / "cache" / "graphs")
    env = {**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": cache, "TABLEE_CACHE": graphs}
    done = subprocess.run([sys.executable, "-c", WORK, keys], env=env, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure(source: Path, keys: list[str]) -> dict[str, float]:
    """Compile every game into an empty cache, then load them all."""
    with tempfile.TemporaryDirectory() as cache:
        found = {}
        for key in keys:
            made = warm(source, key, cache)
            found[key] = made["seconds"]
            found["peak_mb"] = max(found.get("peak_mb", 0.0), made["peak_mb"])
        loaded = warm(source, ",".join(keys), cache)
        return found | {"load": loaded["seconds"], "loaded_mb": loaded["peak_mb"], "cache_mb": loaded["cache_mb"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", type=Path, help="the folder src of another version")
    parser.add_argument("--times", type=int, default=1)
    options = parser.parse_args()
    sources = {"this version": HERE.parent / "src"}
    if options.against:
        sources = {"other version": options.against.resolve(), **sources}
    keys = ["kora", "dames", "president", "scrabble", "ojyx"]
    (HERE / "cache").mkdir(exist_ok=True)
    warm(HERE.parent / "src", "scrabble", str(HERE / "cache" / "numba"))  # The word graph is made once.
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in sources}
    for _ in range(options.times):
        for name, source in sources.items():
            runs[name].append(measure(source, keys))
    figures = {
        name: {key: round(median(run[key] for run in found), 2) for key in found[0]} for name, found in runs.items()
    }
    report(__file__, "\n".join(line_of(name, found, keys) for name, found in figures.items()), figures)


def line_of(name: str, found: dict[str, float], keys: list[str]) -> str:
    games = ", ".join(f"{key} {found[key]:.1f}" for key in keys)
    return (
        f"cold start of {name}, seconds of processor time: {games}, all {sum(found[key] for key in keys):.1f}; "
        f"peak {found['peak_mb']:.0f} MB; cache {found['cache_mb']:.1f} MB; "
        f"loading all {found['load']:.2f} s and {found['loaded_mb']:.0f} MB"
    )


if __name__ == "__main__":
    main()
