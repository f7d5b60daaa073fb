"""The coach of Dames: known positions and the reasons it gives."""

from math import tanh

import pytest
from msgspec.structs import replace

from tablee.core.chance import SeedChance
from tablee.core.discover import find
from tablee.core.game import Outcome, Think
from tablee.core.match import Match
from tablee.games.dames.bots import BOTS
from tablee.games.dames.coach import DamesCoach, expected
from tablee.games.dames.curve import HAND_MEN, LEARNED_MEN
from tablee.games.dames.rules import Dames

GAME, COACH = Dames(), DamesCoach()
PLAIN = "options variant=international"
SHOT = f"W:W27,28,32,37,38,42:B14,16,18,19,23,26 {PLAIN}"
"""A quiet position with men in contact."""


class QuickCoach(DamesCoach):
    NODES = 30_000


QUICK = QuickCoach()


def judge(text, played=None):
    state = GAME.notation.read_state(text)
    seat = min(GAME.turn(state).must)
    legal = list(GAME.legal_actions(state, seat))
    judgement = QUICK.judge(state, legal, Think(seat, SeedChance("graine", 0)), played)
    return judgement, QUICK.explain(state, judgement, seat)


def test_the_estimated_rating_knows_every_level():
    losses, ratings = zip(*COACH.ratings, strict=True)
    assert list(losses) == sorted(losses)
    assert list(ratings) == sorted(find("dames").strengths.values(), reverse=True)


def test_results_are_wins_draws_and_losses():
    assert COACH.result(Outcome((2, 0), (1, 2), "elimination")) == (1, -1)
    assert COACH.result(Outcome((1, 1), (1, 1), "agreement")) == (0, 0)


def test_a_man_next_to_the_last_row_becomes_a_king():
    judgement, reason = judge(f"W:W8,46:B45,35 {PLAIN}")
    assert judgement.actions[0].action.path[0] == 8
    assert reason.code in ("crown", "wins", "winning")


def test_the_better_of_two_captures_comes_first():
    """Both captures take one piece; 28x19 leaves a man to be taken."""
    judgement, reason = judge(f"W:W28,37:B22,23,8,12,13 {PLAIN}")
    values = [judged.values[0] for judged in judgement.actions]
    assert values == sorted(values, reverse=True)
    assert reason.code in ("take", "take_line", "resists")


def test_an_offered_draw_is_accepted_in_a_lost_position_only():
    for men, code in (("W46:B1,2,3,K26,K36", "accept"), ("W31,32,33,K46,K41:B1", "decline")):
        state = GAME.notation.read_state(f"W:{men} offered_by 1 {PLAIN}")
        legal = list(GAME.legal_actions(state, 0))
        judgement = QUICK.judge(state, legal, Think(0, SeedChance("graine", 0)))
        first = QUICK.explain(state, judgement, 0).code
        assert (first == "accept") == (code == "accept"), (men, first)


def test_values_rise_with_the_lead_and_differ_only_in_sign():
    light, dark = (GAME.notation.read_state(f"{side}:W31,32:B1,2 {PLAIN}") for side in "WB")
    values = [expected(value, light)[0] for value in (-30_000, -300, 0, 100, 300, 30_000)]
    assert values == sorted(values)
    assert values[2] == 0
    assert values[-1] == 1
    assert expected(100, dark) == expected(-100, light)


def test_a_lead_is_worth_what_the_evaluation_of_its_board_says():
    ten, eight = (
        GAME.notation.read_state(f"W:W31,32:B1,2 options variant={name}") for name in ("international", "classic8")
    )
    assert expected(100, ten)[0] == tanh(1 / LEARNED_MEN)
    assert expected(100, eight)[0] == tanh(1 / HAND_MEN)


@pytest.mark.parametrize(("pieces", "result"), [("WK46,K47,K50:BK3", 0), ("WK4:B11,16,36", 0), ("W26,K49:BK16,24", 1)])
def test_the_tables_of_endings_are_used(pieces, result):
    """Two draws with uneven material, and a win with even material."""
    judgement, _ = judge(f"W:{pieces} {PLAIN}")
    assert judgement.before[0] == result


def test_maitre_loses_less_than_difficile():
    """Maître wins 96 % of its games against difficile, so its moves must not be losses."""
    bots = [replace(BOTS[name], nodes=20_000, seconds=60.0) for name in ("maitre", "difficile")]
    losses = [0.0, 0.0]
    for game in range(2):
        match = Match.start("dames", options={"variant": "international"}, seed=f"graine {game}")
        while match.outcome is None and match.ply < 60:
            seat = min(match.turn.must)
            think = Think(seat, SeedChance(f"graine {game}", match.ply), 60.0)
            legal = list(match.legal(seat))
            action = bots[seat ^ game].choose(match.view(seat), legal, think)
            judged = QUICK.judge(match.view(seat), legal, think, action).actions
            own = next(one for one in judged if one.action == action)
            losses[seat ^ game] += judged[0].values[seat] - own.values[seat]
            match.play(seat, action)
    assert 2 * losses[0] < losses[1]


@pytest.mark.parametrize("at", [0, -1])
def test_what_was_played_is_judged_and_the_best_move_is_the_reference(at):
    state = GAME.notation.read_state(SHOT)
    played = list(GAME.legal_actions(state, 0))[at]
    judgement, _ = judge(SHOT, played)
    assert played in [judged.action for judged in judgement.actions]
    assert judgement.before == judgement.actions[0].values


def test_the_same_position_gives_the_same_judgement():
    assert judge(SHOT) == judge(SHOT)
