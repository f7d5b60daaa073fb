"""Super Président: maître against difficile on paired deals, with budgets in playouts.

`tablee arena` gives both the time that they take at a table. Here the budgets are numbers of playouts: a busy machine
changes nothing, and a match takes seconds. A playout of maître costs three times as much as one of difficile.

    python bench/president_match.py --seats 4 --rounds 60 --playouts 400 1000
"""

from __future__ import annotations

import argparse
from functools import partial
from statistics import fmean, stdev
from time import process_time

from tablee.bots.decide import Listed
from tablee.bots.monte_carlo import share
from tablee.core.chance import SeedChance
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.president.bots import Difficile, Maitre, PresidentBot, warm

FOREVER = 1e9


def level(kind: type[Difficile], playouts: int) -> PresidentBot:
    """Return a level with a budget of playouts and any time."""
    bot = kind()
    bot.BUDGET, bot.SECONDS = playouts, FOREVER
    return bot


def play(bots: list[PresidentBot], seats: int, seed: str, turn: int) -> tuple[float, float]:
    """Play a match in which the bots take every second seat; return share and points of the first, a seat."""
    match = Match.start("president", seats=seats, seed=seed)
    while (outcome := match.outcome) is None:
        waiting = match.turn
        for seat in (*sorted(waiting.may), min(waiting.must)):
            think = Think(seat, SeedChance(f"{seed}/seat {seat}", match.ply), FOREVER)
            action = bots[(seat + turn) % 2].choose(match.view(seat), Listed(partial(match.legal, seat)), think)
            if action is not None:
                match.play(seat, action)
                break
    mine = [seat for seat in range(seats) if (seat + turn) % 2 == 0]
    return fmean(share(outcome, seat) for seat in mine), fmean(outcome.scores[seat] for seat in mine)


def interval(values: list[float]) -> str:
    """Return the mean with its 95 % confidence interval."""
    return f"{fmean(values):.3f} ± {1.96 * stdev(values) / len(values) ** 0.5:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=60, help="two matches each, with the same cards")
    parser.add_argument("--playouts", type=int, nargs=2, default=(400, 1000), help="of maître and of difficile")
    parser.add_argument("--seed", default="maitre")
    given = parser.parse_args()
    warm()
    bots = [level(Maitre, given.playouts[0]), level(Difficile, given.playouts[1])]
    shares: list[float] = []
    points: list[float] = []
    for number in range(given.rounds):
        pair = [play(bots, given.seats, f"{given.seed}/{number}", turn) for turn in range(2)]
        shares.append(fmean(one[0] for one in pair))
        points.append(fmean(one[1] for one in pair))
        if number:
            print(
                f"{2 * number + 2} matches, {given.seats} seats: share {interval(shares)}, points {interval(points)}, "
                f"{process_time():.0f} s of processor time",
                flush=True,
            )


if __name__ == "__main__":
    main()
