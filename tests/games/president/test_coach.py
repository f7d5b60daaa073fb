"""The coach of Super Président: known positions, honest errors, and the reasons it gives."""

import re
from statistics import stdev

import pytest

from tablee.core.cards import DECK
from tablee.core.chance import SeedChance
from tablee.core.game import Outcome, Think
from tablee.games.president.coach import PresidentCoach, titles_worth
from tablee.games.president.rules import President

GAME, COACH = President(), PresidentCoach()


def rest(text):
    """Complete a position: all cards that it does not name were played."""
    named = set(re.findall(r"\b[2-9TJQKA][SHDC]\b", text))
    trick = re.findall(r"[2-9TJQKA][SHDC]", text.partition("trick ")[2].partition(" ")[0])
    played = [card for card in DECK if card not in named or card in trick]
    return f"{text} played {','.join(played)} options rounds=1"


EIGHT_LEFT = rest("act 0 hands JS,JH,QS,2S/QH,KH/JD,KD,AD/KS,QD,AH,2H")


def judge(text, seed="graine", played=None, seat=None):
    state = GAME.notation.read_state(text)
    seat = min(GAME.turn(state).must) if seat is None else seat
    view = GAME.view(state, seat)
    think = Think(seat, SeedChance(seed, 0))
    judgement = COACH.judge(view, list(GAME.legal_actions(state, seat)), think, played)
    return judgement, COACH.explain(view, judgement, seat)


def best(text, seat=None):
    judgement, reason = judge(text, seat=seat)
    return GAME.notation.write_action(judgement.actions[0].action), reason.code


def test_results_are_points():
    assert COACH.result(Outcome((2, 1, -1, -2), (1, 2, 3, 4), "rounds")) == (2, 1, -1, -2)
    state = GAME.notation.read_state("act 1 hands /5S//9H,9D finished 2,0 played 2C options rounds=1")
    found = COACH.estimate(state, SeedChance("x", 0), 1.0)
    assert found.values == (1, -1, 2, -2)  # seat 1 goes out at once, and seat 3 is last


def test_a_last_card_that_goes_out_is_played():
    assert best(rest("act 1 hands 3S,4S/9S,9H//KD,4D finished 2")) == ("9S+9H", "go_out")


def test_the_closing_rank_is_not_kept_for_last():
    text = "act 0 hands 2S,KS/3S,4S,5S,6S/3H,4H,5H,6H/3D,4D,5D,6D trick 3:QS"
    assert best(rest(text)) == ("2S", "sink_less")


def test_closing_takes_the_trick():
    text = "act 1 hands 3S,9S,KH,KC/8H,4H,JS,JD/KD,4S,TD,TC/6H,6D,6C,QD trick 0:6S"
    judgement, reason = judge(rest(text), seat=3)
    assert reason.code == "only"  # out of turn there is nothing but closing, or waiting
    assert judgement.actions[0].values[3] >= judgement.before[3] - 1e-9


def test_the_suits_that_were_played_are_judged():
    played = GAME.notation.read_action("JH")
    judgement, _ = judge(EIGHT_LEFT, played=played)
    assert played in [judged.action for judged in judgement.actions]


def test_a_title_is_worth_something_in_the_next_manche():
    worth = titles_worth(5, 1)
    assert worth[0] > 0 > worth[-1]
    assert sum(worth) == pytest.approx(0)
    assert titles_worth(5, 0) == (0,) * 5


def test_stated_errors_match_the_spread_between_seeds():
    lost, errors = [], []
    for number in range(12):
        judgement, _ = judge(EIGHT_LEFT, f"graine {number}")
        worth = {GAME.notation.write_action(judged.action): judged for judged in judgement.actions}
        lost.append(worth["2S"].values[0] - worth["QS"].values[0])
        errors.append(max(worth["2S"].error, worth["QS"].error))
    assert 0.3 < stdev(lost) / (sum(errors) / len(errors)) < 3


def test_the_same_chance_gives_the_same_judgement():
    assert judge(EIGHT_LEFT) == judge(EIGHT_LEFT)
