"""What the benchmarks share: best of several runs, the time of decisions, one line on the screen, one JSON file."""

from __future__ import annotations

import json
import os
import platform
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from time import perf_counter, process_time
from typing import Any

from tablee.arena import percentile
from tablee.core.chance import SeedChance
from tablee.core.game import Think
from tablee.core.match import Match


class Dice(random.Random):
    """A chance without SHA-256, as a search uses."""

    def pick(self, n: int, /) -> int:
        return int(self.random() * n)


def best_rate(work: Callable[[], int], runs: int = 5) -> float:
    """How many things a second `work` does, in the best of several runs: the others had company on the machine."""
    rates = []
    for _ in range(runs):
        start = perf_counter()
        done = work()
        rates.append(done / (perf_counter() - start))
    return max(rates)


def timed_decisions(
    bot: Any,
    matches: Iterable[Match[Any, Any, Any, Any]],
    is_choice: Callable[[Sequence[Any]], bool] = lambda legal: len(legal) > 1,
    seconds: float = 1.0,
) -> dict[str, float]:
    """Let a player play all seats of matches, and tell what its decisions took where there was a choice.

    Wall time counts whatever else the machine is doing; processor time beside it is what the player itself needs.
    """
    wall, cpu = [], []
    for number, match in enumerate(matches):
        while match.outcome is None:
            turn = match.turn
            for seat in (*sorted(turn.may), min(turn.must)):
                view, legal = match.view(seat), match.legal(seat)
                think = Think(seat, SeedChance(f"bench {number}", match.ply), seconds)
                start = perf_counter(), process_time()
                action = bot.choose(view, legal, think)
                if seat in turn.may or is_choice(legal):
                    wall.append(1000 * (perf_counter() - start[0]))
                    cpu.append(1000 * (process_time() - start[1]))
                if action is not None:
                    match.play(seat, action)
                    break
    wall, cpu = sorted(wall), sorted(cpu)
    return {
        "decisions": len(wall),
        "mean_ms": round(fmean(wall), 3),
        "p99_ms": round(percentile(wall, 0.99), 3),
        "max_ms": round(wall[-1], 3),
        "cpu_mean_ms": round(fmean(cpu), 3),
        "cpu_p99_ms": round(percentile(cpu, 0.99), 3),
    }


def told(levels: Mapping[str, Mapping[str, float]]) -> str:
    """The decisions of each level in a line."""
    return ", ".join(
        f"{level} {one['mean_ms']:.2f} ms (p99 {one['p99_ms']:.1f}, of processor time {one['cpu_p99_ms']:.1f})"
        for level, one in levels.items()
    )


def report(script: str, line: str, figures: dict[str, Any]) -> None:
    """Print the line and write the figures, with the machine they come from, to a file named like the script."""
    machine = {"python": platform.python_version(), "cpus": os.cpu_count()}
    path = Path(script).with_suffix(".json")
    path.write_text(json.dumps({**figures, **machine}, indent=2) + "\n")
    print(f"{line} (Python {machine['python']}, {machine['cpus']} CPUs)")
