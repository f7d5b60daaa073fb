"""The coach of Ojyx: known positions, honest errors, and the reasons it gives."""

from math import sqrt
from statistics import stdev

import pytest

from tablee.calibration import calibrate
from tablee.core.chance import SeedChance
from tablee.core.game import Outcome, Think
from tablee.games.ojyx.coach import MISJUDGED, MISJUDGED_DIFFERENCE, OjyxCoach
from tablee.games.ojyx.rules import Ojyx

GAME, COACH = Ojyx(), OjyxCoach()
TWO_NINES = "act 0 grids 9,1,2,3,9,1,5,?,?,4,?,?/5,5,?*10 discard 9"
"""Seat 0 can complete the first column with the 9 of the discard pile."""
LAST_CARD = "act 0 stage decide held 0:deck:12 grids 11,10,9,8,12,10,9,7,10,8,7,?/0,0,1,1,0,1,0,1,?*4 discard 4"
"""Seat 0 has a bad grid and one hidden card; seat 1 has nearly nothing."""


def judge(text, seed="graine", played=None):
    state = GAME.notation.read_state(text)
    seat = min(GAME.turn(state).must)
    view = GAME.view(state, seat)
    think = Think(seat, SeedChance(seed, 0))
    judgement = COACH.judge(view, list(GAME.legal_actions(state, seat)), think, played)
    return judgement, COACH.explain(view, judgement, seat)


def estimate(text):
    found = COACH.estimate(GAME.notation.read_state(text), SeedChance("x", 0), 1.0)
    assert sum(found.values) == pytest.approx(0)
    return found


def test_results_are_leads_and_a_seat_that_left_is_last():
    assert COACH.result(Outcome((10, 20, 30), (1, 2, 3), "rounds")) == (15, 0, -15)
    assert COACH.result(Outcome((0, 20), (2, 1), "left")) == (0, 0)


def test_a_third_equal_card_completes_the_column():
    judgement, reason = judge(TWO_NINES)
    assert GAME.notation.write_action(judgement.actions[0].action) == "draw discard"
    assert reason.code == "draw_column"


def test_the_last_card_stays_hidden_if_the_score_would_double():
    judgement, reason = judge(LAST_CARD)
    assert GAME.notation.write_action(judgement.actions[0].action).startswith("place")
    assert reason.code == "no_end"
    assert reason.values["percent"] > 60


def test_what_was_played_is_judged():
    played = GAME.notation.read_action("place 2")
    judgement, _ = judge(LAST_CARD, played=played)
    assert played in [judged.action for judged in judgement.actions]


def test_hidden_cards_that_somebody_knows_change_an_estimate():
    """Seat 1 has looked at its own hidden cards: twelve points each instead of five."""
    plain, known = (estimate(f"act 0 grids 1,1,?*10/5,5,{cells} discard 4") for cells in ("?*10", "?12~1*8,?*2"))
    assert known.values[0] > plain.values[0] + 2


def test_a_card_in_stock_is_played_in_an_estimate():
    """Seat 1 has the last turn; a Malédiction makes the worst column of seat 0 count twice."""
    text = "act 1 grids 12,1,2,0,11,1,3,0,12,2,2,0/0,1,?,0,1,0,1,1,0,0,1,2 discard 4 initiator 0 ending yes stocks "
    plain, cursed = (estimate(text + stocks) for stocks in ("/shield", "/curse"))
    assert cursed.values[0] < plain.values[0] - 50  # 35 points twice, and seat 0 counts double


def test_a_seat_that_left_is_last_in_an_estimate():
    grids = "grids 1,1,?*10/5,5,?*10/9,9,?*10 discard 4"
    here, left = estimate(f"act 0 {grids}"), estimate(f"act 0 {grids} gone 2")
    assert left.values[2] <= min(left.values[:2])
    assert here.values[0] > here.values[2]


def test_the_network_has_no_say_once_somebody_has_ended_the_manche():
    last = "act 0 grids 9,1,2,3,9,1,5,?,?,4,?,?/5,5,1,1,1,2,2,3,3,4,4,0 discard 9 initiator 1 ending yes"
    assert 0 < estimate(last).error < MISJUDGED * sqrt(2) + 0.1 < estimate(TWO_NINES).error + 0.1
    judgement, _ = judge(last)
    assert GAME.notation.write_action(judgement.actions[0].action) == "draw discard"


def test_the_action_played_takes_the_place_of_its_equals():
    groups = [[4, 5], [1], [3, 2]]
    assert COACH._promising(groups, -1) == [4, 1, 3]
    assert COACH._promising(groups, 2) == [4, 1, 2]
    assert COACH._promising(groups, 7) == [4, 1, 3, 7]


@pytest.mark.soak
def test_better_levels_lose_less():
    """Maître also plays action cards well, which a judge without them would call mistakes."""
    found = calibrate("ojyx", matches=5, seats=4, options={"rounds": 1})
    lost = {one.level: one.loss for one in found}
    assert lost["maitre"] < min(lost["difficile"], lost["moyen"]) < max(lost["difficile"], lost["moyen"])
    assert max(lost["difficile"], lost["moyen"]) < lost["facile"] < lost["random"]


def test_stated_errors_match_the_spread_between_seeds():
    lost, errors = [], []
    for number in range(12):
        judgement, _ = judge(TWO_NINES, f"graine {number}")
        first, second = judgement.actions[:2]
        lost.append(first.values[0] - second.values[0])
        errors.append(sqrt(second.error**2 - MISJUDGED_DIFFERENCE**2))
    assert 0.3 < stdev(lost) / (sum(errors) / len(errors)) < 3


def test_the_same_chance_gives_the_same_judgement():
    assert judge(TWO_NINES) == judge(TWO_NINES)
