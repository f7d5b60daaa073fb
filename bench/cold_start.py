"""What a new machine pays before its bots play: compiling the kernels of each game, and loading what is compiled.

    python bench/cold_start.py [--times 3]
    python bench/cold_start.py --against ../old/src

Each game is compiled into an empty cache, then all are loaded by another process. As in a server, the steps of a game
are compiled beside each other, so a quiet machine needs less time on the clock than processor time. With `--against`,
another source folder is measured in turn.
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
from time import perf_counter

from common import report

HERE = Path(__file__).parent
WORK = """
import json, os, resource, sys
from time import process_time
from tablee.core.discover import find, games, warm_up
games()
keys, step = sys.argv[1].split(","), sys.argv[2]
warm, begun = find(keys[0]).warm, process_time()
for key in keys:
    warm_up(key, int(step)) if step else warm_up(key)
print(json.dumps({
    "steps": 1 if callable(warm) else len(warm),
    "cpu": process_time() - begun,
    "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""
Figures = dict[str, float]


def begin(source: Path, keys: str, cache: str, step: str = "") -> subprocess.Popen[str]:
    """Begin to make some games ready in a new process, or a step of one game."""
    graphs = str(HERE / "cache" / "graphs")
    env = {**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": cache, "TABLEE_CACHE": graphs}
    return subprocess.Popen([sys.executable, "-c", WORK, keys, step], env=env, stdout=subprocess.PIPE, text=True)


def end(process: subprocess.Popen[str]) -> Figures:
    found: Figures = json.loads(process.communicate()[0])
    return found


def measure(source: Path, keys: list[str], steps: Figures) -> Figures:
    """Compile every game into an empty cache, then load them all."""
    found: Figures = {"peak_mb": 0.0}
    with tempfile.TemporaryDirectory() as cache:
        for key in keys:
            start = perf_counter()
            several = map(str, range(int(steps[key]))) if steps[key] > 1 else [""]
            made = [end(one) for one in [begin(source, key, cache, step) for step in several]]
            found[f"{key}_clock"] = perf_counter() - start
            found[f"{key}_cpu"] = sum(one["cpu"] for one in made)
            found["peak_mb"] = max(found["peak_mb"], sum(one["mb"] for one in made))
        loaded = end(begin(source, ",".join(keys), cache))
        files = [path.stat().st_size for path in Path(cache).rglob("*") if path.is_file()]
        return found | {"load": loaded["cpu"], "loaded_mb": loaded["mb"], "cache_mb": sum(files) / 1e6}


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
    # The word graph of Scrabble is made once, and not counted.
    known = str(HERE / "cache" / "numba")
    steps = {name: {key: end(begin(at, key, known))["steps"] for key in keys} for name, at in sources.items()}
    runs: dict[str, list[Figures]] = {name: [] for name in sources}
    for _ in range(options.times):
        for name, source in sources.items():
            runs[name].append(measure(source, keys, steps[name]))
    figures = {
        name: {key: round(median(run[key] for run in found), 2) for key in found[0]} for name, found in runs.items()
    }
    report(__file__, "\n".join(line_of(name, found, keys) for name, found in figures.items()), figures)


def line_of(name: str, found: Figures, keys: list[str]) -> str:
    games = ", ".join(f"{key} {found[f'{key}_cpu']:.1f} ({found[f'{key}_clock']:.1f})" for key in keys)
    return (
        f"cold start of {name}, seconds of processor time (on the clock): {games}, "
        f"all {sum(found[f'{key}_cpu'] for key in keys):.1f}; peak {found['peak_mb']:.0f} MB; "
        f"cache {found['cache_mb']:.1f} MB; loading all {found['load']:.2f} s and {found['loaded_mb']:.0f} MB"
    )


if __name__ == "__main__":
    main()
