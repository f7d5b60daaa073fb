"""Fit the curve from the search's value in men to the expected result, for `games/dames/coach.py`.

The bots play themselves; every sixth position is searched as an estimate is, and the value compared with the result.
With `learned`, maître's search with few nodes plays and values the positions of the 10×10 board.

    python bench/dames_curve.py [games] [learned]
"""

from __future__ import annotations

import random
import sys
from math import tanh

from msgspec.structs import replace

from tablee.bots.decide import player
from tablee.core.chance import SeedChance
from tablee.core.discover import warm_up
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.dames.bots import BOTS
from tablee.games.dames.coach import DamesCoach
from tablee.games.dames.values import Move

EVERY = 6
LEVELS = ("moyen",)
VARIANTS = ("international", "classic8", "competitive")


def learned_samples(games: int) -> list[tuple[float, float]]:
    """Return the same for the learned evaluation."""
    coach, found = DamesCoach(), []
    quick = replace(BOTS["maitre"], nodes=20_000, seconds=60.0)
    deep = replace(quick, nodes=coach.NODES // 3)
    for number in range(games):
        match = Match.start("dames", options={"variant": "international"}, seed=f"curve {number}")
        dice, values = random.Random(number), []
        while match.outcome is None:
            seat = match.state.to_move
            think = Think(seat, SeedChance(f"curve {number}", match.ply), 60.0)
            moves = [action for action in match.legal(seat) if isinstance(action, Move)]
            if match.ply % EVERY == 0:
                value = deep.value(match.view(seat), think)
                values.append(value if seat == 0 else -value)
            # The first moves, and a few others, are random, so that games differ and are decided.
            is_random = match.ply < 4 or dice.randrange(25) == 0
            match.play(seat, dice.choice(moves) if is_random else quick.choose(match.view(seat), moves, think))
        found += [(value, coach.result(match.outcome)[0]) for value in values]
        print(f"game {number + 1}: {match.outcome.reason}", flush=True)
    return found


def samples(games: int) -> list[tuple[float, float]]:
    """Return values in men and results, both for the first seat."""
    coach, found = DamesCoach(), []
    hand = replace(BOTS["difficile"], nodes=4 * coach.NODES // 3, seconds=60.0)  # `value` takes a quarter
    for number in range(games):
        variant, level = VARIANTS[number % len(VARIANTS)], LEVELS[number // len(VARIANTS) % len(LEVELS)]
        match = Match.start("dames", options={"variant": variant}, seed=f"curve {number}")
        values = []
        while match.outcome is None:
            seat = match.state.to_move
            if match.ply % EVERY == 0:
                value = hand.value(match.view(seat), Think(seat, SeedChance(f"curve {number}", match.ply), 60.0))
                values.append(value if seat == 0 else -value)
            think = Think(seat, SeedChance(f"curve {number}", match.ply), 0.25)
            match.play(seat, player("dames", level).choose(match.view(seat), match.legal(seat), think))
        found += [(value, coach.result(match.outcome)[0]) for value in values]
        print(f"game {number + 1}: {variant}, {level}, {match.outcome.reason}", flush=True)
    return found


def main() -> None:
    warm_up("dames")
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    pairs = learned_samples(games) if "learned" in sys.argv else samples(games)
    errors = {
        step / 20: sum((tanh(value / (step / 20)) - result) ** 2 for value, result in pairs) for step in range(4, 100)
    }
    best = min(errors, key=errors.__getitem__)
    print(f"{len(pairs)} positions; the best width is {best} men (mean squared error {errors[best] / len(pairs):.3f})")
    for low in (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0):
        high = {0.0: 0.25, 0.25: 0.5, 0.5: 1.0, 1.0: 1.5, 1.5: 2.0, 2.0: 3.0, 3.0: 5.0}.get(low, 1000.0)
        inside = [(abs(v), r if v >= 0 else -r) for v, r in pairs if low <= abs(v) < high]
        if inside:
            mean = sum(result for _, result in inside) / len(inside)
            curve = sum(tanh(value / best) for value, _ in inside) / len(inside)
            print(f"{low:5} to {high:6} men: {len(inside):5} positions, result {mean:+.2f}, curve {curve:+.2f}")


if __name__ == "__main__":
    main()
