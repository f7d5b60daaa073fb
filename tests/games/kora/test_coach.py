"""The coach of Kora Battle: known positions, honest errors, and the reasons it gives."""

from statistics import stdev

import pytest

from tablee.core.chance import SeedChance
from tablee.core.game import Outcome, Think
from tablee.games.kora.coach import KoraCoach
from tablee.games.kora.rules import Kora
from tablee.games.kora.values import Options

GAME, COACH = Kora(), KoraCoach()
KEEP_THE_KING = "deal 1 stage play banks 100/100 leader 0 stake 10 hands KS,2H,4D/9S,8H,JD tricks 0:AC-5C=1,1:2C-4C=0"


def judge(text, seed="graine", played=None):
    state = GAME.notation.read_state(text)
    (seat,) = GAME.turn(state).must
    view = GAME.view(state, seat)
    think = Think(seat, SeedChance(seed, 0))
    judgement = COACH.judge(view, GAME.legal_actions(state, seat), think, played)
    return judgement, COACH.explain(view, judgement, seat)


def best(text):
    judgement, reason = judge(text)
    return GAME.notation.write_action(judgement.actions[0].action), reason.code


def test_results_are_what_the_banks_gained():
    assert COACH.result(Outcome((120, 80), (1, 2), "deals")) == (20, -20)
    state = GAME.notation.read_state("deal 1 stage over banks 70/130 leader 0 won -30")
    assert COACH.estimate(state, SeedChance("x", 0), 1.0).values == (-30, 30)


def test_a_won_last_trick_is_worth_its_stakes():
    text = "deal 1 stage play banks 90/110 leader 0 stake 10 hands 3S/2S tricks " + ",".join(["0:KH-4C=0"] * 4)
    found = COACH.estimate(GAME.notation.read_state(text), SeedChance("x", 0), 1.0)
    assert found.values == (10, -10)  # 10 behind, and a kora wins two stakes
    assert found.error == 0


def test_the_last_three_is_kept_for_the_end():
    tricks = "tricks 0:KH-4H=0,0:QH-5H=0,0:JH-6H=0"
    assert best(f"deal 1 stage play banks 100/100 leader 0 stake 10 hands 3S,TH/2S,7C {tricks}") == ("TH", "keep_three")


def test_the_lowest_card_that_takes_is_enough():
    text = "deal 1 stage play banks 100/100 leader 0 stake 10 hands 2D,8C/5D,KD led 4D tricks "
    assert best(text + "0:KH-4H=0,0:QH-5H=0,0:JH-6H=0")[1] in ("take_cheap", "take")


def test_a_stake_above_the_tables_is_refused():
    text = "deal 1 stage answer banks 100/100 leader 0 stake 60 options betting=open"
    assert best(text) == ("refuse", "refuse")


def test_the_action_played_is_judged_even_if_it_is_an_odd_stake():
    text = "deal 1 stage bet banks 100/100 leader 0 options betting=open"
    judgement, _ = judge(text, played=GAME.notation.read_action("bet 37"))
    assert "bet 37" in [GAME.notation.write_action(judged.action) for judged in judgement.actions]


def test_stated_errors_match_the_spread_between_seeds():
    lost, errors = [], []
    for number in range(12):
        judgement, _ = judge(KEEP_THE_KING, f"graine {number}")
        worth = {judged.action: judged for judged in judgement.actions}
        first, last = (worth[GAME.notation.read_action(card)] for card in ("KS", "4D"))
        lost.append(first.values[0] - last.values[0])
        errors.append(max(first.error, last.error))
    assert 0.3 < stdev(lost) / (sum(errors) / len(errors)) < 3


def test_the_same_chance_gives_the_same_judgement():
    assert judge(KEEP_THE_KING) == judge(KEEP_THE_KING)


@pytest.mark.parametrize("stake", [10, 25])
def test_marks_are_stakes(stake):
    assert COACH.scale(Options(stake=stake)) == stake
