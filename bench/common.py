"""Shared by the benchmarks: the best of several runs, the time of decisions, one printed line, one JSON file."""

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
from tablee.core.game import Bot, Think
from tablee.core.match import Match

Works = Mapping[str, Callable[[int], int]]
"""Functions that play with a number of players and return how many manches they played, by name."""


class Dice(random.Random):
    """A chance without SHA-256, as searches use."""

    def pick(self, n: int, /) -> int:
        return int(self.random() * n)


def best_rate(work: Callable[[], int], runs: int = 5) -> float:
    """Return how many things `work` does per second, in the best of several runs: the machine slowed the others."""
    rates = []
    for _ in range(runs):
        start = perf_counter()
        done = work()
        rates.append(done / (perf_counter() - start))
    return max(rates)


def rates_by_seats(works: Works, seats: Sequence[int]) -> dict[str, float]:
    """Measure each function with each number of players."""
    return {
        f"{name}_{count}_seats": round(best_rate(lambda work=work, count=count: work(count), runs=3), 1)  # type: ignore[misc]
        for name, work in works.items()
        for count in seats
    }


def time_decisions(
    bots: Mapping[str, Bot[Any, Any]],
    start: Callable[[str], Match],
    matches: Mapping[str, int],
    is_choice: Callable[[Sequence[Any]], bool] = lambda legal: len(legal) > 1,
    seconds: float = 1.0,
) -> dict[str, dict[str, float]]:
    """Measure the decisions of each level in its number of matches; `start` begins a match from a seed."""
    return {
        level: time_bot(bot, (start(f"bench {number}") for number in range(matches[level])), is_choice, seconds)
        for level, bot in bots.items()
    }


def time_bot(
    bot: Bot[Any, Any], matches: Iterable[Match], is_choice: Callable[[Sequence[Any]], bool], seconds: float
) -> dict[str, float]:
    """Let a bot play all seats of some matches, and measure the decisions in which it had a choice.

    Wall time includes everything else that the machine does; processor time is what the bot itself needs.
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


def summary(levels: Mapping[str, Mapping[str, float]]) -> str:
    """Return the decisions of all levels as one line."""
    return ", ".join(
        f"{level} {one['mean_ms']:.2f} ms (p99 {one['p99_ms']:.1f}, processor time p99 {one['cpu_p99_ms']:.1f})"
        for level, one in levels.items()
    )


def report(script: str, line: str, figures: dict[str, Any]) -> None:
    """Print the line, and write the figures and the machine to a JSON file named like the script."""
    machine = {"python": platform.python_version(), "cpus": os.cpu_count()}
    path = Path(script).with_suffix(".json")
    path.write_text(json.dumps({**figures, **machine}, indent=2) + "\n")
    print(f"{line} (Python {machine['python']}, {machine['cpus']} CPUs)")
