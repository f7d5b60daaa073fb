"""Sequential halving: the budget goes to the best options, and the deadline ends it."""

from math import inf

import pytest

from tablee.core.halving import halve
from tablee.core.limit import Limit


def test_halving_spends_its_budget_on_the_best_options() -> None:
    worths, spent = [0.1, 0.9, 0.5, 0.8, -0.3], [0] * 5

    def play(alive: list[int], trials: int) -> list[float]:
        for one in alive:
            spent[one] += trials
        return [trials * worths[one] for one in alive]

    assert halve([0.0] * 5, [0] * 5, 3000, Limit(inf), 200, play) == pytest.approx(worths)
    assert spent[1] == max(spent)
    assert spent[4] == min(spent)
    assert sum(spent) <= 3000


def test_halving_tries_every_option_once_after_the_deadline() -> None:
    calls: list[int] = []

    def play(alive: list[int], trials: int) -> list[float]:
        calls.append(trials)
        return [0.0] * len(alive)

    assert halve([0.0] * 3, [0] * 3, 10**9, Limit(0.0), 200, play) == [0.0] * 3
    assert len(calls) == 1


def test_an_option_dropped_early_never_ranks_above_one_that_stayed() -> None:
    """The last option is dropped with a mean of 0; the first stays and falls to -2."""
    results = iter([[5.0, 6.0, 0.0], [0.0, -9.0]])
    values = halve([0.0] * 3, [0] * 3, 0, Limit(inf), 1, lambda alive, trials: next(results), least=1)
    assert values == [-2.0, 3.0, -2.0]
