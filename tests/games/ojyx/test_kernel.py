"""The kernel of Ojyx agrees with the rules on cards, turns and scores."""

import random

import numpy as np
import pytest

from tablee.core.chance import SeedChance
from tablee.core.match import Match
from tablee.games.ojyx import kernel
from tablee.games.ojyx.kernel import EMPTY, FATED, GRIDS, LEARNT, THUMB, UNSEEN, VALUES, ZERO
from tablee.games.ojyx.search import Belief, table_of
from tablee.games.ojyx.values import Discard, Place, Play, TurnUp

NUMBERS = np.array([5, 10, 15, *[10] * 12])
SAME = [
    *range(GRIDS, kernel.LIMIT),  # Grids, marks, counts, both piles, the turn and the last lap.
    *range(kernel.REFILLED, kernel.KNOWN),
    kernel.LEFT,
]


def dice(seed=1):
    return np.array([seed], np.int64)


def manches(count, **options):
    """Yield the actions of random manches, mostly with number cards, with the views before and after each."""
    luck = random.Random("noyau")
    for number in range(count):
        match = Match.start("ojyx", seats=2 + number % 7, options={"rounds": 1, **options}, seed=f"noyau {number}")
        while match.outcome is None:
            seat = min(match.turn.must)
            legal = match.legal(seat)
            if match.turn.stage == "draw" and luck.random() < 0.8:
                legal = legal[:2]
            action, before = luck.choice(legal), match.view(seat)
            match.play(seat, action)
            yield seat, action, before, match.view(seat)


def fate(table, place, value):
    """Set the value of an unseen card."""
    if table[GRIDS + place] == UNSEEN:
        table[GRIDS + place] = FATED + value + ZERO


def passed(table, view):
    """Pass the turn in the kernel's manche if the rules did."""
    if view.stage == "draw":
        kernel.pass_on(table)
    return table


def differences(table, view):
    expected = table_of(view)
    return [(at, int(table[at]), int(expected[at])) for at in SAME if table[at] != expected[at]]


def test_placing_and_turning_cards_agrees_with_the_rules():
    done = ended = cleared = 0
    for seat, action, before, after in manches(14):
        if not isinstance(action, Place | TurnUp | Discard) or after.stage == "over":
            continue
        table = table_of(before)
        (event,) = [one for one in after.events if one.kind in ("placed", "turned", "discarded")]
        if isinstance(action, Discard):
            kernel.discard(table, event.card + ZERO)
        else:
            place = 12 * seat + action.cell
            if isinstance(action, Place):
                fate(table, place, event.old)
                kernel.put(table, place, event.card + ZERO, seat, dice())
            else:
                fate(table, place, event.card)
                kernel.turn_up(table, place, seat, dice())
        assert differences(passed(table, after), after) == []
        done += 1
        ended += before.initiator is None and after.initiator is not None
        cleared += any(event.kind == "cleared" for event in after.events)
    assert done > 1000
    assert ended > 5
    assert cleared > 0


def test_action_cards_agree_with_the_rules():
    """Compare cards without luck and without a reaction."""
    done = set()
    for seat, action, before, after in manches(35, deck="extended"):
        if (
            not isinstance(action, Play)
            or after.stage not in ("play", "draw")
            or before.stage not in ("play", "action")
        ):
            continue
        belief = Belief(before, seat, {}, THUMB, SeedChance("", 0))
        effect = belief.effect_of(action)
        assert effect is not None
        if effect.card in ("teleport", "swap", "heal", "curse", "reverse", "turnAround", "skip"):
            table = belief.work(belief.fresh(), effect)
            assert differences(passed(table, after), after) == []
            done.add(effect.card)
    assert done >= {"teleport", "swap", "heal", "curse", "reverse", "skip"}


def test_scores_agree_with_the_rules():
    doubled = marked = 0
    for _, _, _, after in manches(25, deck="extended"):
        if after.stage != "over":
            continue
        (result,) = after.results
        table = np.zeros(kernel.STATE, np.int64)
        table[kernel.SEATS] = len(after.seats)
        table[kernel.PLAYING] = (1 << len(after.seats)) - 1
        table[kernel.TOP] = table[kernel.INITIATOR] = -1
        if result.initiator is not None:
            table[kernel.INITIATOR] = result.initiator
        for seat, shown in enumerate(after.tables):
            for cell, card in enumerate(shown.cells):
                table[GRIDS + 12 * seat + cell] = EMPTY if card == "empty" else card + ZERO
            for column in range(4):
                marks = after.seats[seat].curses[column] - after.seats[seat].heals[column]
                table[kernel.MARKS + 4 * seat + column] = marks
                marked += marks != 0
        scores = np.zeros(8)
        kernel.finish(table, scores, dice())
        assert scores[: len(after.seats)].tolist() == list(result.scores)
        doubled += result.doubled
    assert doubled > 5
    assert marked > 5


@pytest.mark.parametrize("weights", [THUMB, LEARNT], ids=["thumb", "learnt"])
def test_the_deck_is_worth_the_mean_of_its_cards(weights):
    for seat, _, before, _ in manches(6):
        table, worths = table_of(before), np.zeros(kernel.WORTHS)
        if before.stage != "draw" or all(cell == "empty" for cell in before.seats[seat].cells):
            continue
        middle, seen, down, best = kernel.survey(table, weights, seat, worths)
        least = kernel.worth_discarding(table, weights, worths, down, best)
        counts = before.refilled or before.unseen
        gains = [
            max(least, kernel.best_place(table, weights, seat, card, middle, seen, worths, down, best)[1])
            for card in range(VALUES)
        ]
        mean = sum(count * gain for count, gain in zip(counts, gains, strict=True)) / max(1, sum(counts))
        if before.deck:
            found = kernel.deck_gain(table, weights, seat, middle, seen, worths, down, best)
            assert found == pytest.approx(mean)


def test_fates_are_the_unseen_cards():
    for _, _, before, _ in manches(5):
        if before.stage == "choose":
            continue
        table = table_of(before)
        kernel.draw_fates(table, dice(7))
        fated = [card - FATED for card in table[GRIDS : GRIDS + 96].tolist() if card >= FATED]
        order = table[kernel.ORDER : kernel.ORDER + table[kernel.ORDERED]].tolist()
        assert UNSEEN not in table[GRIDS : GRIDS + 12 * len(before.seats)].tolist()
        drawn = np.bincount([*fated, *order], minlength=VALUES)
        known = np.array(before.refilled) if before.refilled else np.zeros(VALUES, np.int64)
        assert drawn.tolist() == (np.array(before.unseen) + known).tolist()


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_playouts_end_and_lose_no_card(seats):
    table, scores, luck = np.zeros(kernel.STATE, np.int64), np.zeros(8), dice(3)
    for _ in range(30):
        kernel.deal(table, seats, luck)
        kernel.draw_fates(table, luck)
        kernel.play_on(table, THUMB, scores, luck)
        cards = [card for card in table[GRIDS : GRIDS + 12 * seats].tolist() if card < VALUES]
        counts = np.bincount(cards, minlength=VALUES) + table[kernel.PILE : kernel.PILE + VALUES]
        counts += table[kernel.COUNTS : kernel.COUNTS + VALUES] + table[kernel.REFILL : kernel.REFILL + VALUES]
        if table[kernel.TOP] >= 0:
            counts[table[kernel.TOP]] += 1
        assert counts.tolist() == NUMBERS.tolist()
        assert table[kernel.LIMIT] >= 0
