"""Sequential halving: find the best of several options with a budget of random trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2

from .limit import Limit


def halve(
    totals: list[float],
    times: list[int],
    budget: int,
    limit: Limit,
    chunk: int,
    play: Callable[[list[int], int], Sequence[float]],
    least: int = 0,
) -> list[float]:
    """Return the mean result of each option, at most that of an option that stayed longer.

    Each round spends the same share of the budget and drops the worse half of the options. `totals` and `times` are the
    sums and numbers of results so far, and change. `play` takes the numbers of some options, tries each so many times
    and returns the sum for each. A call makes about `chunk` trials in all, so that the limit is checked often;
    options without a trial get a first call even after the limit. `least` is the smallest number of trials of an
    option in a round.
    """
    alive = list(range(len(totals)))
    rounds = max(1, ceil(log2(len(totals))))
    ranked: list[int] = []
    for number in range(rounds):
        trials = max(least, budget // (rounds * len(alive)))
        while trials > 0 and (times[alive[0]] == 0 or not limit.over()):
            some = min(trials, max(1, chunk // len(alive)))
            for at, found in zip(alive, play(alive, some), strict=True):
                totals[at] += found
                times[at] += some
            trials -= some
        alive.sort(key=lambda at: -totals[at] / times[at])
        kept = 1 if number == rounds - 1 else (len(alive) + 1) // 2
        ranked[:0] = alive[kept:]
        alive = alive[:kept]
    ranked[:0] = alive
    # An option dropped early has fewer trials: it must not rank above one that stayed.
    values, most = [0.0] * len(totals), float("inf")
    for at in ranked:
        most = values[at] = min(most, totals[at] / times[at])
    return values
