"""The coach of Scrabble: known positions, honest errors, and the reasons it gives."""

from statistics import stdev

import pytest

from tablee.core.chance import SeedChance
from tablee.core.coach import Judged, Judgement
from tablee.core.game import Outcome, Think
from tablee.games.scrabble.coach import ScrabbleCoach
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.values import Action, Exchange

GAME, COACH = Scrabble(), ScrabbleCoach()
OPENING = "act 0 racks AEIRSTU/?BCDEFG scores 0/0"
ENDING = "act 0 racks EU/Z bag - scores 20/34 board H8:MOTS log 0:H8:MOTS"


class QuickCoach(ScrabbleCoach):
    TRIALS = 40


QUICK = QuickCoach()


def judge(text, seed="graine", played=None):
    state = GAME.notation.read_state(text)
    seat = min(GAME.turn(state).must)
    view = GAME.view(state, seat)
    judgement = QUICK.judge(view, (), Think(seat, SeedChance(seed, 0)), played)
    return judgement, QUICK.explain(view, judgement, seat)


def test_results_are_leads_and_a_seat_that_left_is_last():
    assert COACH.result(Outcome((100, 200, 300), (3, 2, 1), "out")) == (-150, 0, 150)
    assert COACH.result(Outcome((90, 20), (2, 1), "left")) == (0, 0)


def test_seven_tiles_come_first():
    judgement, reason = judge(OPENING)
    assert len(judgement.actions[0].action.word) == 7
    assert reason.code == "bingo"
    assert sum(judgement.actions[0].values) == pytest.approx(0)


def test_the_end_of_a_match_is_searched():
    judgement, _ = judge(ENDING)
    assert all(judged.error == 0 for judged in judgement.actions)
    best = judgement.actions[0]
    state = GAME.apply(GAME.notation.read_state(ENDING), 0, best.action, SeedChance("x", 0))
    assert COACH.estimate(state, SeedChance("x", 0), 1.0).values == pytest.approx(best.values)


def test_exchanges_are_judged_too():
    judgement, _ = judge("act 0 racks IIIUUUV/?BCDEFG scores 0/0")
    assert "exchange" in {GAME.notation.write_action(one.action).split()[0] for one in judgement.actions}


def test_an_exchange_of_all_tiles_keeps_none():
    view = GAME.view(GAME.notation.read_state("act 0 racks IIIUUUV/?BCDEFG scores 0/0"), 0)
    for tiles, code in (("IIIUUUV", "exchange_all"), ("IIUUV", "exchange")):
        judgement = Judgement[Action]((0.0, 0.0), (Judged(Exchange(tiles), (0.0, 0.0), 0.0),))
        assert QUICK.explain(view, judgement, 0).code == code


def test_an_invalid_word_is_contested_and_playing_one_loses_the_turn():
    state = GAME.notation.read_state(OPENING + " options validation=challenge")
    played = GAME.notation.read_action("H8 AEIRSTU")
    view = GAME.view(state, 0)
    judgement = QUICK.judge(view, (), Think(0, SeedChance("x", 0)), played)
    worth = {judged.action: judged.values[0] for judged in judgement.actions}
    assert worth[played] < max(worth.values()) - 10
    after = GAME.apply(state, 0, played, SeedChance("x", 0))
    answers = QUICK.judge(GAME.view(after, 1), (), Think(1, SeedChance("x", 0)))
    reason = QUICK.explain(GAME.view(after, 1), answers, 1)
    assert (reason.code, reason.values["words"]) == ("challenge", ("AEIRSTU",))


def test_stated_errors_match_the_spread_between_seeds():
    lost, errors = [], []
    played = GAME.notation.read_action("pass")
    for number in range(10):
        judgement, _ = judge(OPENING, f"graine {number}", played)
        judged = next(one for one in judgement.actions if one.action == played)
        lost.append(judgement.actions[0].values[0] - judged.values[0])
        errors.append(judged.error)
    assert 0.3 < stdev(lost) / (sum(errors) / len(errors)) < 3


def test_the_same_chance_gives_the_same_judgement():
    assert judge(OPENING) == judge(OPENING)
