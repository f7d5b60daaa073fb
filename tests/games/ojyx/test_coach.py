"""The coach of Ojyx: known positions, honest errors, and the reasons it gives."""

from statistics import stdev

import pytest

from tablee.core.chance import SeedChance
from tablee.core.game import Outcome, Think
from tablee.games.ojyx.coach import OjyxCoach
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
    plain, known = (
        COACH.estimate(GAME.notation.read_state(f"act 0 grids 1,1,?*10/5,5,{cells} discard 4"), SeedChance("x", 0), 1.0)
        for cells in ("?*10", "?12~1*8,?*2")
    )
    assert known.values[0] > plain.values[0] + 2
    assert sum(known.values) == pytest.approx(0)


def test_stated_errors_match_the_spread_between_seeds():
    lost, errors = [], []
    for number in range(12):
        judgement, _ = judge(TWO_NINES, f"graine {number}")
        first, second = judgement.actions[:2]
        lost.append(first.values[0] - second.values[0])
        errors.append(second.error)
    assert 0.3 < stdev(lost) / (sum(errors) / len(errors)) < 3


def test_the_same_chance_gives_the_same_judgement():
    assert judge(TWO_NINES) == judge(TWO_NINES)
