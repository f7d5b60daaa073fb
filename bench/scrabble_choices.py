"""What maître's choices in Scrabble gain over the best static one, judged by a larger simulation.

    python bench/scrabble_choices.py [--seats 4] [--positions 112] [--deals 1500]

Positions come from games of experts. In each, all candidates are valued by the same new deals, and several versions of
maître's search choose. A gain is how much likelier the first place is than after the choice by score and tiles kept.
The last rows say how much there is to gain: the best candidate by one half of the deals, judged by the other half. This
needs far fewer games than matches do. A position takes about 30 s.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from multiprocessing import get_context
from random import Random
from statistics import fmean, pstdev
from time import process_time
from typing import Any, NamedTuple

from tablee.core.chance import SeedChance
from tablee.core.discover import warm_up
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.scrabble.bots import BOTS
from tablee.games.scrabble.lookahead import Search, Settings

ENDLESS = 1e9
VERSIONS = {
    "maître, half the playouts": Settings(patience=ENDLESS, playouts=3250),
    "maître": Settings(patience=ENDLESS),
    "twice the playouts": Settings(patience=ENDLESS, playouts=13_000),
    "four times the playouts": Settings(patience=ENDLESS, playouts=26_000),
    "8 plays": Settings(patience=ENDLESS, plays=8),
    "30 plays": Settings(patience=ENDLESS, plays=30),
    "prior × 3": Settings(patience=ENDLESS, prior=60, prior_by_bag=1.5),
    "prior / 3": Settings(patience=ENDLESS, prior=7, prior_by_bag=0.17),
    "no inferred racks": Settings(patience=ENDLESS, inferred=0),
}
JUDGE = Settings(patience=ENDLESS, plays=30, inferred=6000)
BAGS = ((1, 14), (15, 40), (41, 100))


class Studied(NamedTuple):
    """A position: its bag, and the gain and the CPU seconds of each version."""

    bag: int
    gains: dict[str, float]
    seconds: dict[str, float]


def position(number: int, seats: int) -> tuple[Any, int] | None:
    """Return the view and the seat after some turns of experts; None if the bag is empty or the match over."""
    seed = f"regret/{number}"
    match = Match.start("scrabble", seats=seats, options={}, seed=seed)
    turns = Random(seed).randrange(7 * seats)
    while match.outcome is None and match.ply < turns:
        seat = min(match.turn.must)
        match.play(seat, BOTS["expert"].choose(match.view(seat), (), Think(seat, SeedChance(seed, match.ply), 1.0)))
    if match.outcome is not None:
        return None
    seat = min(match.turn.must)
    view = match.view(seat)
    return (view, seat) if view.bag else None


def study(seats: int, deals: int, number: int) -> Studied | None:
    """Let each version choose in a position and judge the choices; None if there is no such position."""
    found = position(number, seats)
    if found is None:
        return None
    view, seat = found

    def search(name: str, settings: Settings) -> Search:
        return Search(view, Think(seat, SeedChance(f"{number}/{name}", 1), 1.0), settings)

    judge = search("judge", JUDGE)
    actions = [one.action for one in judge.candidates]
    static = int(judge.guessed().argmax())
    rounds: dict[str, Any] = {}
    dealt = judge.deals(deals)
    for name, turns in (("one turn each", seats), ("two turns each", 2 * seats)):
        points, left = judge.playouts.run(dealt, turns)
        rounds[name] = judge.values(points, left, (1 + turns) % seats)
    values = rounds["two turns each"]
    gains, seconds = {}, {}
    for name, settings in VERSIONS.items():
        start = process_time()
        chosen = search("own", settings).run()[0].action
        seconds[name] = process_time() - start
        if chosen in actions:
            gains[name] = float((values[actions.index(chosen)] - values[static]).mean())
    half = deals // 2
    for name, by in rounds.items():
        best = int(by[:, :half].mean(axis=1).argmax())
        gains[f"the best, {name}"] = float((values[best, half:] - values[static, half:]).mean())
    return Studied(view.bag, gains, seconds)


def summary(rows: list[Studied], title: str) -> str:
    lines = [f"{title}: {len(rows)} positions"]
    for name in rows[0].gains if rows else ():
        gains = [100 * row.gains[name] for row in rows if name in row.gains]
        cost = fmean(row.seconds.get(name, 0.0) for row in rows)
        lines.append(f"  {name:28} {fmean(gains):6.2f} points ± {pstdev(gains) / sqrt(len(gains)):.2f}  {cost:.2f} s")
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seats", type=int, default=4, choices=(3, 4))
    options.add_argument("--positions", type=int, default=112)
    options.add_argument("--deals", type=int, default=1500)
    given = options.parse_args()
    work = partial(study, given.seats, given.deals)
    spawn = get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), spawn, initializer=warm_up, initargs=("scrabble",)) as pool:
        rows = []
        for row in pool.map(work, range(given.positions)):
            if row is not None:
                rows.append(row)
                print(f"{len(rows)} positions", end="\r", flush=True)
    print(summary(rows, "all"))
    for least, most in BAGS:
        some = [row for row in rows if least <= row.bag <= most]
        if some:
            print(summary(some, f"{least} to {most} tiles in the bag"))


if __name__ == "__main__":
    main()
