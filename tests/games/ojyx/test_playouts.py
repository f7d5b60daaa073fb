"""Playouts from a state: the same luck for all, and leads of every seat that add up."""

import numpy as np
import pytest

from tablee.core.chance import SeedChance
from tablee.games.ojyx import manche_kernel as kernel
from tablee.games.ojyx.playouts import Trials, known
from tablee.games.ojyx.rules import Ojyx

GAME = Ojyx()
FOUR = "act 2 grids 5,7,?*10/1,?*3,1,?*7/?*5,11,?*5,12/0,?*3,0,?*7 discard 4 stocks peek+swap/shield/curse+skip/heal"


def state():
    return GAME.notation.read_state(FOUR)


def test_the_other_seats_change_nothing_for_the_first():
    view, legal = GAME.view(state(), 2), list(GAME.legal_actions(state(), 2))
    alone, together = (Trials(view, 2, legal, SeedChance("x", 0)).leads([0, 1, 2], 30, who) for who in ([2], [2, 0, 3]))
    assert np.array_equal(alone[:, :, 0], together[:, :, 0])
    assert len({tuple(row) for row in alone[:, :, 0].tolist()}) == 3


def test_the_leads_of_whole_manches_add_up_to_nothing():
    leads = known(state(), SeedChance("x", 0)).leads([0], 100, [2, 0, 1, 3], kernel.MOST_TURNS + 1)
    assert np.abs(leads.sum(axis=2)).max() < 1e-9
    assert leads.std(axis=1).min() > 5


def test_the_leads_after_a_few_rounds_are_near_those_of_whole_manches():
    few, whole = (known(state(), SeedChance("x", 0)).leads([0], 2000, [2, 0, 1, 3], rounds) for rounds in (2, 61))
    assert few.mean(axis=(0, 1)) == pytest.approx(whole.mean(axis=(0, 1)), abs=5)
    assert few.std(axis=1).max() < 0.6 * whole.std(axis=1).min()
