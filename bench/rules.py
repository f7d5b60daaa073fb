"""Random deals of Kora per second on one core: through Match, as the server plays them, and through the rules alone."""

from __future__ import annotations

from common import Dice, best_rate, report
from tablee.arena import random_game
from tablee.games.kora.rules import Kora
from tablee.games.kora.values import Options

GAME = Kora()
DEALS = 1000


def through_match() -> int:
    for number in range(DEALS):
        random_game("kora", seats=2, options={}, seed=str(number))
    return DEALS


def through_rules() -> int:
    dice, options = Dice(1), Options()
    for _ in range(DEALS):
        state = GAME.setup(2, options, dice)
        while GAME.outcome(state) is None:
            (seat,) = GAME.turn(state).must
            legal = GAME.legal_actions(state, seat)
            state = GAME.apply(state, seat, legal[dice.pick(len(legal))], dice)
    return DEALS


def main() -> None:
    match, rules = best_rate(through_match), best_rate(through_rules)
    report(
        __file__,
        f"kora: {match:,.0f} random deals/s through Match, {rules:,.0f} through the rules alone",
        {"match_deals_per_second": round(match), "rules_deals_per_second": round(rules)},
    )


if __name__ == "__main__":
    main()
