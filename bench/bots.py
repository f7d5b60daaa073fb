"""Time a move of Kora Battle's computer players, in one process: real decisions of whole parties, choices only."""

from __future__ import annotations

from statistics import fmean
from time import perf_counter

from common import report

from tablee.arena import percentile
from tablee.core.chance import SeedChance
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.kora import BOTS

GAMES = 150


def times(level: str) -> list[float]:
    """Milliseconds of each decision between two or more actions, in order of length."""
    taken = []
    for number in range(GAMES):
        match = Match.start("kora", seed=f"bench {number}")
        while match.outcome is None:
            (seat,) = match.turn.must
            view, legal = match.view(seat), match.legal(seat)
            think = Think(seat, SeedChance(f"{level} {number}", match.ply), 60.0)
            start = perf_counter()
            action = BOTS[level].choose(view, legal, think)
            if len(legal) > 1:
                taken.append(1000 * (perf_counter() - start))
            match.play(seat, action)
    return sorted(taken)


def main() -> None:
    figures = {}
    for level in BOTS:
        taken = times(level)
        figures[level] = {
            "decisions": len(taken),
            "mean_ms": round(fmean(taken), 3),
            "p99_ms": round(percentile(taken, 0.99), 3),
        }
    told = ", ".join(f"{level} {one['mean_ms']:.2f} ms (p99 {one['p99_ms']:.2f})" for level, one in figures.items())
    report(__file__, f"kora, time a move: {told}", {"kora": figures})


if __name__ == "__main__":
    main()
