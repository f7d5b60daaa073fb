"""Time a move of Kora Battle's computer players, in one process: the decisions of whole parties that leave a choice.

Wall time counts whatever else the machine is doing; processor time beside it is what the player itself needs.
"""

from __future__ import annotations

from statistics import fmean
from time import perf_counter, process_time

from common import report
from tablee.arena import percentile
from tablee.core.chance import SeedChance
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.kora import BOTS

GAMES = 150


def times(level: str) -> tuple[list[float], list[float]]:
    """Wall and processor milliseconds of every decision between two or more actions."""
    wall, cpu = [], []
    for number in range(GAMES):
        match = Match.start("kora", seed=f"bench {number}")
        while match.outcome is None:
            (seat,) = match.turn.must
            view, legal = match.view(seat), match.legal(seat)
            think = Think(seat, SeedChance(f"{level} {number}", match.ply), 60.0)
            start = perf_counter(), process_time()
            action = BOTS[level].choose(view, legal, think)
            if len(legal) > 1:
                wall.append(1000 * (perf_counter() - start[0]))
                cpu.append(1000 * (process_time() - start[1]))
            match.play(seat, action)
    return wall, cpu


def measured(level: str) -> dict[str, float]:
    wall, cpu = map(sorted, times(level))
    return {
        "decisions": len(wall),
        "mean_ms": round(fmean(wall), 3),
        "p99_ms": round(percentile(wall, 0.99), 3),
        "cpu_mean_ms": round(fmean(cpu), 3),
        "cpu_p99_ms": round(percentile(cpu, 0.99), 3),
    }


def main() -> None:
    figures = {level: measured(level) for level in BOTS}
    told = ", ".join(
        f"{level} {one['mean_ms']:.2f} ms (p99 {one['p99_ms']:.2f}, of processor time {one['cpu_p99_ms']:.2f})"
        for level, one in figures.items()
    )
    report(__file__, f"kora, time a move: {told}", {"kora": figures})


if __name__ == "__main__":
    main()
