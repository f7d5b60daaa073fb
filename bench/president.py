"""Super Président: random manches a second on one core, through the rules and in the kernel, and the time a decision.

Decisions are those of whole manches with eight players that leave a choice, closing out of turn included.
"""

from __future__ import annotations

import numpy as np

from common import Dice, best_rate, report, timed_decisions, told
from tablee.core.match import Match
from tablee.games.president import kernel
from tablee.games.president.bots import BOTS, distinct, warm
from tablee.games.president.rules import President
from tablee.games.president.values import Options

GAME = President()
RULES_MANCHES, KERNEL_MANCHES = 500, 20_000
SEATS = 8
PARTIES = {"facile": 6, "moyen": 6, "difficile": 2}
PEERS = {"rlcard_dou_dizhu_games_per_second": 165, "openspiel_dou_dizhu_games_per_second": 2279}
"""Rules alone, measured on the same kind of machine."""


def through_rules(seats: int) -> int:
    dice, options = Dice(1), Options(rounds=1)
    for _ in range(RULES_MANCHES):
        state = GAME.setup(seats, options, dice)
        while state.stage != "over":
            turn = GAME.turn(state)
            may = min(turn.may, default=None)
            seat = state.to_act if may is None or dice.pick(2) else may
            legal = GAME.legal_actions(state, seat)
            state = GAME.apply(state, seat, legal[dice.pick(len(legal))], dice)
    return RULES_MANCHES


def in_kernel(seats: int) -> int:
    kernel.random_manches(seats, KERNEL_MANCHES, np.array([1], np.int64))
    return KERNEL_MANCHES


def decisions(level: str) -> dict[str, float]:
    matches = (Match.start("president", seats=SEATS, seed=f"bench {number}") for number in range(PARTIES[level]))
    return timed_decisions(BOTS[level], matches, is_choice=lambda legal: len(distinct(legal)) > 1)


def main() -> None:
    warm()
    in_kernel(4)
    rates = {
        f"{name}_{seats}_seats": round(best_rate(lambda work=work, seats=seats: work(seats), runs=3))
        for name, work in (("rules", through_rules), ("kernel", in_kernel))
        for seats in (4, 8)
    }
    times = {level: decisions(level) for level in BOTS}
    report(
        __file__,
        f"president, random manches/s with 4 and 8 players: {rates['rules_4_seats']:,} and {rates['rules_8_seats']:,} "
        f"through the rules, {rates['kernel_4_seats']:,} and {rates['kernel_8_seats']:,} in the kernel "
        f"(dou dizhu: RLCard 165, OpenSpiel 2,279); time a decision with {SEATS} players: {told(times)}",
        {"manches_per_second": rates, "peers": PEERS, "decisions": times},
    )


if __name__ == "__main__":
    main()
