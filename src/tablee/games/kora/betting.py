"""The bets of `maitre`: the exact chance to win a match, by backward induction.

Bets precede the cards (K3), so nobody hides anything, and what is good for one player is bad for the other. A perfect
player refuses every stake that is better for the leader than the table stake. The chance of a match is therefore the
one at the table stake in all deals to come; a proposal can only win something against a player who errs.
Only processes in which bots decide import this module.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .rules import MOST_DEALS
from .values import View

Chances = NDArray[np.float64]

LEADER_WINS = {1: 0.4370, 2: 0.0992, 3: 0.0067, -1: 0.3852, -2: 0.0682, -3: 0.0037}
"""How often the first leader wins so many stakes (negative: pays), in 65,994 deals of the policy against itself."""


HORIZON = 150
"""A match until a bank is empty is counted as if it ended after so many deals."""


def deals_left(view: View) -> int:
    """Return how many deals follow the present one."""
    return min(HORIZON, (view.options.deals or MOST_DEALS) - view.deal)


@lru_cache(maxsize=8)
def match_chances(total: int, stake: int, deals: int) -> Chances:
    """Return the chance to win the match by the koras in one's bank, before a number of deals; a draw counts half."""
    banks = np.arange(total + 1)
    chances: Chances = (banks * 2 > total) + 0.5 * (banks * 2 == total)
    stakes = np.minimum(stake, np.minimum(banks, total - banks))
    for _ in range(deals):
        leads, follows = (after_deal(chances, banks, side * stakes) for side in (1, -1))
        chances = (leads + follows) / 2
    return chances


def after_deal(chances: Chances, bank: NDArray[np.int64], stakes: NDArray[np.int64]) -> Chances:
    """Return the chance of a match before a deal for these stakes; negative stakes: the other player leads."""
    total = len(chances) - 1
    found = np.zeros(np.broadcast(bank, stakes).shape)
    for times, often in LEADER_WINS.items():
        found += often * chances[np.clip(bank + times * stakes, 0, total)]
    return found


def chances_at(view: View) -> Chances:
    """Return the chance that the seat to act wins the match, for every stake of this deal from 0 to the highest."""
    assert view.to_act is not None
    chances = match_chances(sum(view.banks), view.options.stake, deals_left(view))
    side = 1 if view.to_act == view.leader else -1
    return after_deal(chances, np.array(view.banks[view.to_act]), side * np.arange(view.most_stake + 1))
