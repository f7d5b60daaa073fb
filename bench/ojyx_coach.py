"""Compare the coach of Ojyx with manches played to the end: how far are its estimates and its differences off?

Maître plays manches with few playouts. At some decisions the coach judges; then manches are played to the end, from the
same view after the best three actions, and from the state for the estimate. The coach's errors should say how far
the two lie apart. The spread of the manches and of the coach's own playouts is taken off.

    python bench/ojyx_coach.py --seats 4 --decisions 40 --manches 4000
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import sqrt
from statistics import fmean
from typing import Any

from common import report
from tablee.core.chance import SeedChance
from tablee.core.game import Seat, Think
from tablee.core.match import Match
from tablee.games.ojyx import coach as coaching
from tablee.games.ojyx.bots import Maitre
from tablee.games.ojyx.manche_kernel import MOST_TURNS
from tablee.games.ojyx.playouts import Playouts, Trials, known

COMPARED = 3
"""The actions of a judgement that are compared."""
SMALL = 3.0
"""Larger differences matter less: their sign is certain."""


class Quick(Maitre):
    """Maître with few playouts."""

    BUDGET = 300


def decisions(seats: int, deck: str, count: int, every: int) -> Iterator[tuple[Match, Seat, list[Any]]]:
    """Yield some decisions before the last lap; there the coach plays to the end too."""
    bot, number, met = Quick(), 0, 0
    while True:
        match = Match.start("ojyx", seats=seats, options={"rounds": 1, "deck": deck}, seed=f"coach {number}")
        number += 1
        while match.outcome is None:
            seat = min(match.turn.must)
            view, legal = match.view(seat), match.legal(seat)
            if len(legal) > 1 and view.stage not in ("choose", "vote") and not view.ending:
                met += 1
                if met % every == 0:
                    yield match, seat, legal
                    if met == count * every:
                        return
            match.play(seat, bot.choose(view, legal, Think(seat, SeedChance("bench", match.ply), 9.0)))


def to_the_end(playouts: Playouts, actions: int, seat: Seat, seats: int, manches: int) -> Any:
    """Return the leads by action, manche and seat; those of the seat come first."""
    who = [seat, *(other for other in range(seats) if other != seat)]
    return playouts.leads(range(actions), manches, who, MOST_TURNS + 1)


def off(found: list[tuple[float, float]]) -> float:
    """Return the root mean square of misses, without that of their noise."""
    return sqrt(max(0.0, fmean(miss * miss - noise * noise for miss, noise in found)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--deck", choices=("standard", "extended"), default="standard")
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--every", type=int, default=7, help="take one decision in this many")
    parser.add_argument("--manches", type=int, default=4000, help="manches played to the end after each action")
    asked = parser.parse_args()
    coach = coaching.OjyxCoach()
    values: list[tuple[float, float]] = []
    differences: list[tuple[float, float]] = []
    small: list[tuple[float, float]] = []
    for match, seat, legal in decisions(asked.seats, asked.deck, asked.decisions, asked.every):
        luck = SeedChance("truth", match.ply)
        judged = coach.judge(match.view(seat), legal, Think(seat, SeedChance("judge", match.ply), 9.0)).actions[
            :COMPARED
        ]
        trials = Trials(match.view(seat), seat, [one.action for one in judged], luck)
        ends = to_the_end(trials, len(judged), seat, asked.seats, asked.manches)[:, :, 0]
        for one, end in zip(judged[1:], ends[1:], strict=True):
            apart = ends[0] - end
            truth, spread = float(apart.mean()), float(apart.std()) / sqrt(asked.manches)
            own = max(0.0, one.error**2 - coaching.MISJUDGED_DIFFERENCE**2)
            differences.append((judged[0].values[seat] - one.values[seat] - truth, sqrt(spread**2 + own)))
            if abs(truth) < SMALL:
                small.append(differences[-1])
        estimate = coach.estimate(match.state, SeedChance("estimate", match.ply), 9.0)
        end = to_the_end(known(match.state, luck), 1, seat, asked.seats, asked.manches)[0, :, 0]
        own = max(0.0, estimate.error**2 - coaching.MISJUDGED**2 * asked.seats)
        values.append((estimate.values[seat] - float(end.mean()), sqrt(float(end.var()) / asked.manches + own)))
    figures = {
        "seats": asked.seats,
        "decisions": len(values),
        "estimate_off": off(values),
        "estimate_bias": fmean(miss for miss, _ in values),
        "differences": len(differences),
        "difference_off": off(differences),
        "difference_bias": fmean(miss for miss, _ in differences),
        "small_differences": len(small),
        "small_difference_off": off(small),
    }
    report(
        __file__,
        f"ojyx, coach against manches to the end, {asked.seats} players: {len(values)} estimates are off by "
        f"{figures['estimate_off']:.2f} points, {len(differences)} differences between actions by "
        f"{figures['difference_off']:.2f}, {len(small)} of them below {SMALL:.0f} points by "
        f"{figures['small_difference_off']:.2f}",
        figures,
    )


if __name__ == "__main__":
    main()
