"""Super Président: random manches per second on one core, through the rules and in the kernel; time per decision.

The decisions are those of whole matches with eight players, closing out of turn included; forced actions do not count.
"""

from __future__ import annotations

import numpy as np

from common import Dice, rates_by_seats, report, summary, time_decisions
from tablee.core.match import Match
from tablee.games.president import kernel
from tablee.games.president.bots import BOTS, distinct, warm
from tablee.games.president.rules import President
from tablee.games.president.values import Options

GAME = President()
RULES_MANCHES, KERNEL_MANCHES = 500, 20_000
SEATS = 8
MATCHES = {"facile": 6, "moyen": 6, "difficile": 2, "maitre": 1}
PEERS = {"rlcard_dou_dizhu_games_per_second": 165, "openspiel_dou_dizhu_games_per_second": 2279}
"""Measured through their rules on the same kind of machine."""


def through_rules(seats: int) -> int:
    dice, options = Dice(1), Options(rounds=1)
    for _ in range(RULES_MANCHES):
        state = GAME.setup(seats, options, dice)
        while state.stage != "over":
            turn = GAME.turn(state)
            may = min(turn.may, default=None)
            seat = state.to_act if may is None or dice.pick(2) else may
            assert seat is not None
            legal = GAME.legal_actions(state, seat)
            state = GAME.apply(state, seat, legal[dice.pick(len(legal))], dice)
    return RULES_MANCHES


def in_kernel(seats: int) -> int:
    kernel.random_manches(seats, KERNEL_MANCHES, np.array([1], np.int64))
    return KERNEL_MANCHES


def main() -> None:
    warm()
    in_kernel(4)
    rates = rates_by_seats({"rules": through_rules, "kernel": in_kernel}, (4, 8))
    times = time_decisions(
        BOTS,
        lambda seed: Match.start("president", seats=SEATS, seed=seed),
        MATCHES,
        is_choice=lambda legal: len(distinct(legal)) > 1,
    )
    report(
        __file__,
        f"president, random manches/s with 4 and 8 players: {rates['rules_4_seats']:,.0f} and "
        f"{rates['rules_8_seats']:,.0f} through the rules, {rates['kernel_4_seats']:,.0f} and "
        f"{rates['kernel_8_seats']:,.0f} in the kernel (dou dizhu: RLCard 165, OpenSpiel 2,279); "
        f"time per decision with {SEATS} players: {summary(times)}",
        {"manches_per_second": rates, "peers": PEERS, "decisions": times},
    )


if __name__ == "__main__":
    main()
