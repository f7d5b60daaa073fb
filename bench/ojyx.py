"""Ojyx: random manches per second on one core, through the rules and in the kernel, and the time per decision.

The decisions are those of whole manches with eight players and the extended deck; forced actions do not count.

`--levels N` instead plays N manches of each level against the one below, each deal once in every seating. It prints
shares and mean scores with 95 % confidence. `moyen` is the heuristic that looks at columns one action ahead.
"""

from __future__ import annotations

import argparse
import os
from itertools import pairwise
from statistics import fmean
from typing import Any

import numpy as np

from common import Dice, rates_by_seats, report, summary, time_decisions
from tablee.arena import enter, interval, play_rounds, rounds_for
from tablee.core.discover import warm_up
from tablee.core.match import Match
from tablee.games.ojyx import kernel, manche_kernel
from tablee.games.ojyx.bots import BOTS
from tablee.games.ojyx.playouts import Playouts
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Options

GAME = Ojyx()
RULES_MANCHES, KERNEL_MANCHES = 60, 2_000
SEATS = 8
MANCHES = {"facile": 4, "moyen": 4, "difficile": 2, "maitre": 1}
DECISIONS = Options(rounds=1, deck="extended")


def through_rules(seats: int) -> int:
    dice, options = Dice(1), Options(rounds=1)
    for _ in range(RULES_MANCHES):
        state = GAME.setup(seats, options, dice)
        while must := GAME.turn(state).must:
            seat = min(must)
            legal = GAME.legal_actions(state, seat)
            state = GAME.apply(state, seat, legal[dice.pick(len(legal))], dice)
    return RULES_MANCHES


def in_kernel(seats: int) -> int:
    """Play manches with the kernel's bot, two for each deal."""
    dice, totals = np.array([1], np.int64), np.zeros(4)
    kernel.contest(seats, KERNEL_MANCHES // 2, kernel.THUMB, kernel.THUMB, dice, totals)
    return KERNEL_MANCHES


def with_action_cards(seats: int) -> int:
    """Play manches to their end with the player of maître's playouts, which also plays action cards."""
    dice, table = np.array([1], np.int64), np.empty(manche_kernel.STATE, np.int64)
    manche_kernel.deal(table, seats, False, True, -1, dice)
    Playouts(table, [manche_kernel.NO_ACTION], dice).leads([0], KERNEL_MANCHES, [0], manche_kernel.MOST_TURNS + 1)
    return KERNEL_MANCHES


def compare(better: str, worse: str, manches: int, seats: int, deck: str) -> dict[str, Any]:
    """Play one level against another, each deal in every seating."""
    contest = enter("ojyx", (better, worse), seats=seats, options={"rounds": 1, "deck": deck}, seed="levels")
    rounds = list(play_rounds(contest, rounds_for(contest, manches), os.cpu_count() or 1))
    shares = [fmean(mine.shares) for mine, _ in rounds]
    scores = [[fmean(played.scores) for played in both] for both in rounds]
    fewer = [theirs - mine for mine, theirs in scores]
    return {
        "manches": len(rounds) * len(contest.seatings),
        "seats": seats,
        "deck": deck,
        "share": fmean(shares),
        "share_interval": interval(shares),
        "scores": [fmean(each) for each in zip(*scores, strict=True)],
        "fewer_points": fmean(fewer),
        "fewer_points_interval": interval(fewer),
    }


def outcome(better: str, worse: str, one: dict[str, Any]) -> str:
    (low, high), (least, most) = one["share_interval"], one["fewer_points_interval"]
    return (
        f"ojyx, {better} – {worse}, {one['manches']} manches with {one['seats']} players, {one['deck']} deck: "
        f"{one['share']:.1%} ({low:.1%} to {high:.1%}), mean score {one['scores'][0]:.1f} against "
        f"{one['scores'][1]:.1f}, {one['fewer_points']:.1f} points fewer ({least:.1f} to {most:.1f})"
    )


def speed() -> None:
    players = {"rules": through_rules, "kernel": in_kernel, "playouts": with_action_cards}
    rates = rates_by_seats(players, (2, 4, 8))
    times = time_decisions(BOTS, lambda seed: Match.start("ojyx", seats=SEATS, options=DECISIONS, seed=seed), MANCHES)
    rules, in_it, cards = (
        ", ".join(f"{rates[f'{name}_{seats}_seats']:,.0f}" for seats in (2, 4, 8)) for name in players
    )
    report(
        __file__,
        f"ojyx, manches/s with 2, 4 and 8 players: random through the rules {rules}, by the kernel's bot {in_it}, with "
        f"action cards {cards}; "
        f"time per decision with {SEATS} players, extended deck: {summary(times)}",
        {"manches_per_second": rates, "decisions": times},
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, metavar="N", help="manches of each level against the one below")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deck", choices=("standard", "extended"), default="standard")
    asked = parser.parse_args()
    if asked.levels is None:
        warm_up("ojyx")
        in_kernel(2)
        with_action_cards(2)
        speed()
    else:
        for worse, better in pairwise(BOTS):
            print(outcome(better, worse, compare(better, worse, asked.levels, asked.seats, asked.deck)), flush=True)


if __name__ == "__main__":
    main()
