"""Super Président: random manches a second on one core, through the rules and in the kernel, and the time a decision.

Decisions are those of whole manches with eight players that leave a choice, closing out of turn included. Wall time
counts whatever else the machine is doing; processor time beside it is what the player itself needs.
"""

from __future__ import annotations

import random
from statistics import fmean
from time import perf_counter, process_time

import numpy as np

from common import best_rate, report
from tablee.arena import percentile
from tablee.core.chance import SeedChance
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.president import BOTS, GAME, kernel, warm
from tablee.games.president.bots import distinct
from tablee.games.president.values import Options

RULES_MANCHES, KERNEL_MANCHES = 500, 20_000
SEATS = 8
PARTIES = {"facile": 6, "moyen": 6, "difficile": 2}
PEERS = {"rlcard_dou_dizhu_games_per_second": 165, "openspiel_dou_dizhu_games_per_second": 2279}
"""Rules alone, measured on the same kind of machine."""


class Dice(random.Random):
    """A chance without SHA-256, as a search uses."""

    def pick(self, n: int, /) -> int:
        return int(self.random() * n)


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


def times(level: str) -> tuple[list[float], list[float]]:
    """Wall and processor milliseconds of every decision between two or more things to do."""
    wall, cpu = [], []
    for number in range(PARTIES[level]):
        match = Match.start("president", seats=SEATS, seed=f"bench {number}")
        while match.outcome is None:
            turn = match.turn
            for seat in (*sorted(turn.may), min(turn.must)):
                view, legal = match.view(seat), match.legal(seat)
                think = Think(seat, SeedChance(f"{level} {number}", match.ply))
                start = perf_counter(), process_time()
                action = BOTS[level].choose(view, legal, think)
                if len(distinct(legal)) > 1 or seat in turn.may:
                    wall.append(1000 * (perf_counter() - start[0]))
                    cpu.append(1000 * (process_time() - start[1]))
                if action is not None:
                    match.play(seat, action)
                    break
    return wall, cpu


def measured(level: str) -> dict[str, float]:
    wall, cpu = map(sorted, times(level))
    return {
        "decisions": len(wall),
        "mean_ms": round(fmean(wall), 3),
        "p99_ms": round(percentile(wall, 0.99), 3),
        "max_ms": round(wall[-1], 3),
        "cpu_mean_ms": round(fmean(cpu), 3),
        "cpu_p99_ms": round(percentile(cpu, 0.99), 3),
    }


def main() -> None:
    warm()
    in_kernel(4)
    rates = {
        f"{name}_{seats}_seats": round(best_rate(lambda work=work, seats=seats: work(seats), runs=3))
        for name, work in (("rules", through_rules), ("kernel", in_kernel))
        for seats in (4, 8)
    }
    decisions = {level: measured(level) for level in BOTS}
    told = ", ".join(
        f"{level} {one['mean_ms']:.1f} ms (p99 {one['p99_ms']:.1f}, of processor time {one['cpu_p99_ms']:.1f})"
        for level, one in decisions.items()
    )
    report(
        __file__,
        f"president, random manches/s with 4 and 8 players: {rates['rules_4_seats']:,} and {rates['rules_8_seats']:,} "
        f"through the rules, {rates['kernel_4_seats']:,} and {rates['kernel_8_seats']:,} in the kernel "
        f"(dou dizhu: RLCard 165, OpenSpiel 2,279); time a decision with {SEATS} players: {told}",
        {"manches_per_second": rates, "peers": PEERS, "decisions": decisions},
    )


if __name__ == "__main__":
    main()
