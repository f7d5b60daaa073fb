"""Maître against difficile on paired deals, with budgets in playouts: Super Président and Ojyx.

`tablee arena` gives both the time that they take at a table. Here the budgets are numbers of playouts: a busy machine
changes nothing, and a match takes seconds. Both take every second seat, and a round plays its cards twice, with changed
seats. Rounds are played on every core.

    python bench/level_match.py president --seats 4 --rounds 100 --playouts 4000 1500
    python bench/level_match.py ojyx --seats 2 --rounds 300 --playouts 100 70
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from statistics import fmean
from typing import Any, NamedTuple

from tablee.arena import interval
from tablee.bots.decide import Listed
from tablee.bots.monte_carlo import share
from tablee.core.chance import SeedChance
from tablee.core.discover import warm_up
from tablee.core.game import Bot, Outcome, Think
from tablee.core.match import Match
from tablee.games.ojyx import bots as ojyx
from tablee.games.president import bots as president

FOREVER = 1e9
LEVELS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "ojyx": (ojyx.Maitre, ojyx.Difficile),
    "president": (president.Maitre, president.Difficile),
}
OPTIONS: dict[str, dict[str, Any]] = {"ojyx": {"rounds": 1}, "president": {}}
"""A match of Ojyx is one manche."""


class Result(NamedTuple):
    """What a seat of maître reached on average."""

    share: float
    """The share of all others whom it beat, the other maîtres too; an equal place counts half."""
    beaten: float
    """The same among the seats of difficile."""
    ahead: float
    """The difference between its score and the mean score of difficile."""


@cache
def bots_of(game: str, playouts: tuple[int, int]) -> list[Bot[Any, Any]]:
    """Return both levels with a budget of playouts and any time."""
    bots = [kind() for kind in LEVELS[game]]
    for bot, budget in zip(bots, playouts, strict=True):
        bot.BUDGET, bot.SECONDS = budget, FOREVER
    return bots


def play(game: str, seats: int, playouts: tuple[int, int], seed: str, turn: int) -> Outcome:
    """Play a match in which maître has the seats with the parity of `turn`."""
    bots = bots_of(game, playouts)
    match = Match.start(game, seats=seats, options=OPTIONS[game], seed=seed)
    while (outcome := match.outcome) is None:
        waiting = match.turn
        for seat in (*sorted(waiting.may), min(waiting.must)):
            think = Think(seat, SeedChance(f"{seed}/seat {seat}", match.ply), FOREVER)
            action = bots[(seat + turn) % 2].choose(match.view(seat), Listed(partial(match.legal, seat)), think)
            if action is not None or seat in waiting.must:
                match.play(seat, action)
                break
    return outcome


def play_round(game: str, seats: int, playouts: tuple[int, int], seed: str, number: int) -> Result:
    """Play the same cards twice, with changed seats."""
    results = []
    for turn in range(2):
        outcome = play(game, seats, playouts, f"{seed}/{number}", turn)
        mine, theirs = range(turn, seats, 2), range(1 - turn, seats, 2)
        place = outcome.places
        results.append(
            Result(
                fmean(share(outcome, seat) for seat in mine),
                fmean((place[own] < place[it]) + (place[own] == place[it]) / 2 for own in mine for it in theirs),
                fmean(outcome.scores[seat] for seat in mine) - fmean(outcome.scores[seat] for seat in theirs),
            )
        )
    return Result(*map(fmean, zip(*results, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=LEVELS)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=60, help="two matches each, with the same cards")
    parser.add_argument("--playouts", type=int, nargs=2, default=(400, 1000), help="of maître and of difficile")
    parser.add_argument("--seed", default="maitre")
    given = parser.parse_args()
    work = partial(play_round, given.game, given.seats, tuple(given.playouts), given.seed)
    with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=warm_up, initargs=(given.game,)) as pool:
        rounds: list[Result] = []
        for result in pool.map(work, range(given.rounds)):
            rounds.append(result)
            if len(rounds) % 10 == 0 or len(rounds) == given.rounds:
                print(f"{2 * len(rounds)} matches, {given.seats} seats: {summary(rounds)}", flush=True)


def summary(rounds: list[Result]) -> str:
    """Return the mean of each figure with its 95 % confidence interval."""
    parts = []
    for name, values in zip(Result._fields, zip(*rounds, strict=True), strict=True):
        low, high = interval(values)
        parts.append(f"{name} {fmean(values):.3f} ({low:.3f} to {high:.3f})")
    return ", ".join(parts)


if __name__ == "__main__":
    main()
