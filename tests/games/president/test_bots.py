"""The bots of Super Président: they play legally, use only their view, and choose well in known positions."""

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tablee.core.chance import SeedChance
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.president import kernel
from tablee.games.president.bots import BOTS, Difficile, Maitre, distinct, kind, warm
from tablee.games.president.deck import ALL
from tablee.games.president.imagine import certain_hands, possible_cards
from tablee.games.president.rules import President
from tablee.games.president.search import Belief, Estimate, code, exchange_effect, place_values, table_of
from tablee.games.president.values import Close, Give, Pass, Play

GAME = President()
CHOICE = {"exchange": "choice", "rounds": 3}


class Patient(Difficile):
    """A bot with plenty of time, so that it plays the same on a busy machine."""

    SECONDS = 60.0


class Quick(Patient):
    BUDGET = 40


class PatientMaitre(Maitre):
    SECONDS = 60.0


class QuickMaitre(PatientMaitre):
    BUDGET = 40


PLAYERS = {**BOTS, "difficile": Quick(), "maitre": QuickMaitre()}
CAREFUL = {**BOTS, "difficile": Patient(), "maitre": PatientMaitre()}


def think(seat, seed="graine", seconds=60.0):
    return Think(seat, SeedChance(seed, 0), seconds)


def position(text):
    """Read a position in which every card outside the hands was played."""
    state = GAME.notation.read_state(text)
    return replace(state, played=ALL & ~sum(state.hands))


def ask(level, text, seat=None, seed="graine"):
    """Return what a level plays in a position, both as text."""
    state = position(text)
    seat = state.to_act if seat is None else seat
    action = CAREFUL[level].choose(GAME.view(state, seat), GAME.legal_actions(state, seat), think(seat, seed))
    return action and GAME.notation.write_action(action)


def random_decisions(matches):
    """Yield every decision of random matches of 4 to 8 seats, with gifts and closing out of turn."""
    dice = random.Random("positions")
    for number in range(matches):
        match = Match.start("president", seats=4 + number % 5, options=CHOICE, seed=f"partie {number}")
        while match.outcome is None:
            turn = match.turn
            for seat in sorted(turn.must | turn.may):
                yield match, seat
            seat = dice.choice(sorted(turn.must | turn.may))
            match.play(seat, dice.choice(match.legal(seat)))


@pytest.mark.parametrize("level", PLAYERS)
def test_a_level_ranks_exactly_the_legal_actions_best_first(level):
    bot, kinds = PLAYERS[level], set()
    for match, seat in random_decisions(1 if level == "maitre" else 5):
        view, legal = match.view(seat), match.legal(seat)
        ranked = bot.rank(view, legal, think(seat))
        assert {one.action for one in ranked} == set(legal)
        assert len(ranked) == len(legal)
        assert [one.value for one in ranked] == sorted((one.value for one in ranked), reverse=True)
        chosen = bot.choose(view, legal, think(seat))
        if seat in match.turn.must:
            assert chosen == (ranked[0].action if len(distinct(legal)) > 1 else legal[0])
        else:
            assert chosen in (None, *legal)
        kinds.add(type(chosen))
    assert kinds >= {Play, Pass, Close, Give}


@pytest.mark.parametrize("level", PLAYERS)
def test_a_choice_depends_only_on_the_view(level):
    bot = PLAYERS[level]
    for match, seat in random_decisions(1 if level == "maitre" else 2):
        chosen = bot.choose(match.view(seat), match.legal(seat), think(seat))
        other = GAME.imagine(match.view(seat), SeedChance("autre", match.ply))
        assert bot.choose(GAME.view(other, seat), GAME.legal_actions(other, seat), think(seat)) == chosen


def test_actions_that_differ_only_in_suits_have_the_same_value():
    for match, seat in random_decisions(5):
        values: dict[Any, Any] = {}
        for one in PLAYERS["difficile"].rank(match.view(seat), match.legal(seat), think(seat)):
            assert values.setdefault(kind(one.action), one.value) == one.value


def test_the_kernel_gets_the_seat_s_view():
    """The kernel and the rules give the same legal actions to the seat in turn."""
    out = np.zeros(kernel.ACTIONS, np.int64)
    for match, seat in random_decisions(10):
        if match.turn.stage == "exchange":
            continue
        belief = Belief(match.view(seat), seat, SeedChance("", 0))
        if seat in match.turn.must:
            actions = out[: kernel.legal(belief.root, out)].tolist()
            assert set(actions) == {code(action) for action in match.legal(seat)}
        else:
            assert kernel.closer(belief.root) == seat


def test_imagined_hands_agree_with_all_that_is_known():
    tight = 0
    for match, seat in random_decisions(10):
        view = match.view(seat)
        belief = Belief(view, seat, SeedChance("mains", match.ply))
        belief.mix()
        hands = [belief.root[seat] for seat in range(match.seats)]
        assert sum(hands) + int(belief.root[kernel.PLAYED]) == kernel.DECK
        assert [kernel.total(hand) for hand in hands] == [other.cards for other in view.seats]
        certain, possible = certain_hands(view), possible_cards(view)
        for other, hand in enumerate(hands):
            for rank in range(13):
                known, maybe = (cards >> 4 * rank & 15 for cards in (certain[other], possible[other]))
                most = min(int(view.seats[other].most[rank]), (known | maybe).bit_count())
                assert known.bit_count() <= kernel.held(hand, rank) <= most
                tight += most < 4
    assert tight > 1000


def test_imagined_hands_vary():
    match = Match.start("president", seats=5, seed="x")
    belief = Belief(match.view(0), 0, SeedChance("", 0))
    seen = set()
    for _ in range(50):
        belief.mix()
        seen.add(tuple(belief.root[seat] for seat in range(5)))
    assert len(seen) == 50
    assert len({hands[0] for hands in seen}) == 1


@pytest.mark.parametrize("seats", range(4, 9))
def test_exchanges_bring_the_best_cards_up_and_the_worst_down(seats):
    president, vice_president, avant_dernier, trouduc = exchange_effect(seats)
    assert president[12] > vice_president[12] > 1 > avant_dernier[12] > trouduc[12]
    assert president[0] < vice_president[0] < 1 < avant_dernier[0] < trouduc[0]


@pytest.mark.parametrize("seats", range(4, 9))
def test_a_place_is_worth_its_points_and_a_small_bonus(seats):
    worth = place_values(seats).tolist()
    assert worth == sorted(set(worth), reverse=True)
    assert [round(one) for one in (*worth[:2], *worth[-2:])] == [2, 1, -1, -2]


def test_the_server_does_not_load_the_kernel():
    program = "import sys, tablee.games.president as p, tablee.games.president.bots; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_warming_up_compiles_everything():
    """After `warm` a decision does not compile anything."""
    warm()
    loaded = {name: len(getattr(kernel, name).signatures) for name in dir(kernel) if is_compiled(name)}
    for match, seat in random_decisions(1):
        for bot in PLAYERS.values():
            bot.choose(match.view(seat), match.legal(seat), think(seat))
    for name, signatures in loaded.items():
        assert len(getattr(kernel, name).signatures) <= max(1, signatures), name


def is_compiled(name):
    return hasattr(getattr(kernel, name), "signatures")


SKILLED = ["moyen", "difficile", "maitre"]


@pytest.mark.parametrize("level", SKILLED)
def test_the_closing_rank_is_not_kept_for_the_end(level):
    assert ask(level, "act 0 hands 8S,2S/5S,9H/7C,KD/TD,JD") == "2S"
    assert ask(level, "act 0 hands 8S,3S/5S,9H/7C,KD/TD,JD revolution yes") == "3S"


def test_facile_keeps_the_closing_rank():
    answers = [ask("facile", "act 0 hands 8S,2S/5S,9H/7C,KD/TD,JD", seed=str(number)) for number in range(100)]
    assert answers.count("8S") > 80
    assert "2S" in answers


@pytest.mark.parametrize("level", SKILLED)
def test_a_trick_is_closed_out_of_turn(level):
    """Seat 3 goes out with the missing 6s, or can then lead its last weak card."""
    assert ask(level, "act 1 hands 9S,KS/8S,9H/7C,KD/6D,6H,6C trick 0:6S", seat=3) == "close 6H+6D+6C"
    assert ask(level, "act 1 hands 9S,KS/8S,9H/7C,KD/4S,6D,6C trick 3:5S,0:6S+6H", seat=3) is not None


@pytest.mark.parametrize("level", SKILLED)
def test_a_trick_is_not_closed_if_only_the_closing_rank_would_be_left(level):
    text = "act 1 hands 9S,KS,TS/8S,9H,4S/7C,KD,5H/6H,6D,6C,2S trick 0:6S"
    assert ask(level, text, seat=3) is None


@pytest.mark.parametrize("level", SKILLED)
def test_a_sure_winner_is_led_before_the_last_card(level):
    """Nothing beats the aces: the 4 goes out after them, but would be beaten before."""
    assert ask(level, "act 0 hands 4S,AS,AH/5S,9H,QS/7C,KD,QD/TD,JD,8D") == "AS+AH"


def test_groups_are_led_whole_and_weak_ones_first():
    for level in SKILLED:
        assert ask(level, "act 0 hands 4S,4H,9S,KS/5S,9H,QS,AS/7C,KD,QD,AD/TD,JD,8D,2S") == "4S+4H"


@pytest.mark.parametrize("level", SKILLED)
def test_a_weak_card_leaves_by_a_reverse(level):
    """Seat 1 would pass, and the 4 would stay."""
    assert ask(level, "act 1 hands 9S,KS/3S,4S,2S/7C,KD/TD,JD trick 0:5S") == "4S reverse"


@pytest.mark.parametrize("level", SKILLED)
def test_a_bot_goes_on_alone_in_a_reverse(level):
    text = "stage alone act 1 hands 9S,KS/5S,8S/7C,KD/TD,JD trick 0:7S,1:6S-reverse out 0,2,3"
    assert ask(level, text) == "5S"


GIFT = "manche 2 stage exchange hands {} results 0-1-2-3 options exchange=choice"
DEALT = (
    "3S,3H,3D,4S,6S,8H,9S,9H,JS,QS,KS,AS,2S/4H,4D,5S,5H,7S,7H,8S,6H,TS,JH,QH,KH,AH/"
    "3C,4C,5D,6D,7D,8D,9D,TH,JD,QD,KD,AD,2H/5C,6C,7C,8C,9C,TD,TC,JC,QC,KC,AC,2D,2C"
)


@pytest.mark.parametrize("level", SKILLED)
def test_a_gift_is_weak_and_breaks_no_brelan(level):
    state = GAME.notation.read_state(GIFT.format(DEALT))
    gift = CAREFUL[level].choose(GAME.view(state, 0), GAME.legal_actions(state, 0), think(0))
    assert set(gift.cards) < {"4S", "6S", "8H"}


def test_facile_gives_its_worst_cards():
    state = GAME.notation.read_state(GIFT.format(DEALT))
    view, legal = GAME.view(state, 0), GAME.legal_actions(state, 0)
    gifts = [BOTS["facile"].choose(view, legal, think(0, str(number))) for number in range(60)]
    assert gifts.count(Give(("3S", "3H"))) > 40


@pytest.mark.parametrize("level", ["difficile", "maitre"])
def test_a_decision_without_time_is_still_made(level):
    """With no time at all, every action is tried once."""
    for match, seat in random_decisions(1):
        chosen = BOTS[level].choose(match.view(seat), match.legal(seat), think(seat, seconds=0.0))
        assert chosen in (None, *match.legal(seat))


def test_less_time_means_fewer_playouts(monkeypatch):
    asked = []

    def explore(belief, codes, plan, deadline):
        asked.append(plan.budget)
        return [Estimate(0.0, 1.0)] * len(codes)

    monkeypatch.setattr(Belief, "explore_actions", explore)
    match = Match.start("president", seats=4, seed="x")
    seat = min(match.turn.must)
    for seconds in (0.0, 0.25, 1.0, 5.0):
        Maitre().rank(match.view(seat), match.legal(seat), think(seat, seconds=seconds))
    assert asked == [0, Maitre.BUDGET // 4, Maitre.BUDGET, Maitre.BUDGET]
    state = position("act 1 hands 9S,KS/8S,9H/7C,KD/6D,6H,6C trick 0:6S")
    Maitre().choose(GAME.view(state, 3), GAME.legal_actions(state, 3), think(3))
    assert asked[-1] == Maitre.BUDGET // 4


def test_the_values_of_maitre_have_errors_that_shrink_with_more_playouts():
    match = Match.start("president", seats=5, seed="x")
    seat = min(match.turn.must)
    errors = []
    for budget in (100, 10_000):
        bot = PatientMaitre()
        bot.BUDGET = budget
        ranked = bot.rank(match.view(seat), match.legal(seat), think(seat))
        assert all(-2.25 <= one.value <= 2.25 for one in ranked)
        assert ranked[0].error is not None
        errors.append(ranked[0].error)
    few, many = errors
    assert 0 < many < few / 4 < 0.5


def test_the_kernel_s_table_without_a_trick_has_no_top():
    view = Match.start("president", seats=4, seed="x").view(0)
    table = table_of(view)
    assert table[kernel.TOP] == table[kernel.LAST] == -1
    assert table[kernel.TURN] == view.opener
