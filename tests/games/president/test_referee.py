"""Compare the rules with a second, slow and simple implementation of the rulings in random matches.

The referee keeps its own hands, trick and ranks and lists the legal actions of every seat. The rules and the referee
must agree on every seat at every ply.
"""

import random
from itertools import combinations
from typing import Any

import pytest

from tablee.core.match import Match, Step
from tablee.games.president.deck import cards_of
from tablee.games.president.rules import President
from tablee.games.president.values import Close, Give, Options, Pass, Play, Stop

GAME = President()
NORMAL = list("3456789TJQKA2")
SUITS = "SHDC"


def by_strength(cards):
    """Sort cards, the worst first; among equal ranks the suits count S < H < D < C."""
    return sorted(cards, key=lambda card: (NORMAL.index(card[0]), SUITS.index(card[1])))


class Referee:
    def __init__(self, hands, first):
        self.hands = [set(hand) for hand in hands]
        self.ranks_of_before = None
        self.new_manche(first)

    def new_manche(self, first):
        self.order = list(NORMAL)
        self.gone, self.sunk = [], []
        self.new_trick(first)

    def new_trick(self, leader):
        while not self.hands[leader]:
            leader = self.after(leader)
        self.laid = []  # (seat, cards), in order
        self.out, self.passed_under_ou_rien = set(), set()
        self.suite = self.reverse = self.ou_rien = False
        self.asked, self.alone = leader, False

    def after(self, seat):
        return (seat + 1) % len(self.hands)

    def next_rank(self, rank):
        at = self.order.index(rank) + 1
        return self.order[at] if at < 13 else None

    def previous_rank(self, rank):
        at = self.order.index(rank) - 1
        return self.order[at] if at >= 0 else None

    @property
    def closing_rank(self):
        return self.order[-1]

    @property
    def top(self):
        return self.laid[-1][1][0][0]

    def groups(self, seat, rank, size):
        held = by_strength(card for card in self.hands[seat] if card[0] == rank)
        return list(combinations(held, size))

    def ranks_without_declaring(self):
        """P3, P5, P6, P7."""
        if not self.laid:
            return list(NORMAL)
        if self.ou_rien:
            return [self.top]
        if self.reverse:
            return [rank for rank in [self.previous_rank(self.top)] if rank]
        if self.suite:
            return [rank for rank in [self.next_rank(self.top)] if rank]
        return [rank for rank in self.order if self.order.index(rank) >= self.order.index(self.top)]

    def legal_actions(self, seat):
        """Return every legal action of a seat in a trick."""
        found: list[Any] = []
        if self.can_close(seat):
            found.append(Close(self.closing_cards(seat)))
        if seat != self.asked:
            return found
        sizes = [len(self.laid[0][1])] if self.laid else [1, 2, 3, 4]
        plain = [Play(group) for rank in self.ranks_without_declaring() for size in sizes
                 for group in self.groups(seat, rank, size)]  # fmt: skip
        if self.alone:
            return [*plain, Stop()]
        if not plain:
            found.append(Pass())
        if len(self.laid) == 1:  # P5, P6: the second play
            up, down = self.next_rank(self.top), self.previous_rank(self.top)
            found += [Play(group, "suite") for group in self.groups(seat, up, sizes[0])]
            found += [Play(group, "reverse") for group in self.groups(seat, down, sizes[0])]
        elif self.suite and not self.reverse:  # P6: inside a suite
            found += [Play(group, "reverse") for group in self.groups(seat, self.next_rank(self.top), sizes[0])]
        return plain + found

    def latest_run(self):
        """Return the cards of the rank on top that were laid in a row until now."""
        run = []
        for _, cards in reversed(self.laid):
            if cards[0][0] != self.top:
                break
            run += cards
        return run

    def closing_cards(self, seat):
        return tuple(by_strength(card for card in self.hands[seat] if card[0] == self.top))

    def can_close(self, seat):
        """P9."""
        if not self.laid or self.alone or self.top == self.closing_rank:
            return False
        if seat in self.out or self.laid[-1][0] == seat:
            return False
        mine = self.closing_cards(seat)
        everything = len(mine) + len(self.latest_run()) == 4
        return bool(mine) and everything and len(mine) % len(self.laid[0][1]) == 0

    def apply(self, seat, action):
        """Apply an action of the trick; return the ranking if the manche is over."""
        if isinstance(action, Stop):
            self.new_trick(seat)
        elif isinstance(action, Pass):
            if self.ou_rien:
                self.ou_rien = False
                self.passed_under_ou_rien.add(seat)
            else:
                self.out.add(seat)
            self.ask_after(seat)
        else:
            return self.apply_play(seat, action)
        return None

    def apply_play(self, seat, action):
        cards = action.cards
        self.hands[seat] -= set(cards)
        rank = cards[0][0]
        closing = rank == self.closing_rank
        if not self.hands[seat]:
            (self.sunk if closing else self.gone).append(seat)
        lead = not self.laid
        singles = len(self.laid[0][1]) == 1 if self.laid else len(cards) == 1
        twice = bool(self.laid) and self.laid[-1][0] != seat and self.top == rank
        self.laid.append((seat, cards))
        self.passed_under_ou_rien = set()
        left = [other for other in range(len(self.hands)) if self.hands[other]]
        if len(left) == 1:
            return [*self.gone, *left, *self.sunk]
        if lead and len(cards) == 4:  # P8b
            self.order.reverse()
            self.new_trick(seat)
        elif closing or len(self.latest_run()) == 4:  # P8a, P8c
            self.new_trick(seat)
        else:
            declare = getattr(action, "declare", None)
            self.suite = self.suite or declare == "suite"
            self.reverse = self.reverse or declare == "reverse"
            self.ou_rien = singles and twice and not self.suite and not self.reverse
            self.ask_after(seat)
        return None

    def ask_after(self, seat):
        """P4, P6."""
        last = self.laid[-1][0]
        done = self.out | self.passed_under_ou_rien | {last}
        waiting = [other for other in range(len(self.hands)) if self.hands[other] and other not in done]
        if not waiting:
            if self.reverse and self.hands[last] and self.previous_rank(self.top):
                self.asked, self.alone = last, True
            else:
                self.new_trick(last)
            return
        self.asked, self.alone = self.after(seat), False
        while self.asked not in waiting:
            self.asked = self.after(self.asked)


def listed(actions):
    return sorted(map(repr, actions))


@pytest.mark.parametrize("seats", range(4, 9))
@pytest.mark.parametrize("style", ["any", "singles", "declare"])
def test_the_rules_and_the_referee_agree_on_every_seat_at_every_ply(seats, style):
    seen = set()
    for number in range(9):
        seen |= watch(
            seats, style, f"{style} {number}", Options(rounds=2, exchange=("automatic", "choice")[number % 2])
        )
    assert {"play", "pass", "close"} <= seen
    if style == "declare":
        assert {"suite", "reverse", "stop"} <= seen


def watch(seats, style, seed, options):
    """Play a match at random and compare at every ply; return the kinds of actions that occurred."""
    match, dice, seen = Match(GAME, seats, options, seed), random.Random(seed), set()
    hands = [cards_of(hand) for hand in match.state.hands]
    referee = Referee(hands, next(seat for seat in range(seats) if "QH" in hands[seat]))
    while match.outcome is None:
        if match.turn.stage == "exchange":
            exchange(match, referee, dice)
            continue
        where = f"{seed}, ply {match.ply}: {GAME.notation.write_state(match.state)}"
        expected = {seat: listed(referee.legal_actions(seat)) for seat in range(seats)}
        assert {seat: listed(match.legal(seat)) for seat in range(seats)} == expected, where
        assert match.turn.must == {referee.asked}, where
        assert match.turn.may == {seat for seat in range(seats) if expected[seat]} - {referee.asked}, where
        seat = dice.choice(sorted(match.turn.may)) if match.turn.may and dice.random() < 0.3 else referee.asked
        action = choose(match.legal(seat), style, dice)
        seen |= {type(action).__name__.lower(), getattr(action, "declare", None)}
        dealt_before = match.state.manche
        match.advance(Step(seat, action))
        ranking = referee.apply(seat, action)
        assert (ranking is not None) == (match.state.manche > dealt_before or match.outcome is not None), where
        if ranking is not None:
            assert list(match.state.results[-1].ranking) == ranking, where
            referee.ranks_of_before = ranking
            if match.outcome is None and options.exchange == "automatic":
                begin_again(match, referee)
    return seen


def choose(legal, style, dice):
    """Prefer singles, which lead to Ou-Rien and closing, or declarations, which lead to suites and reverses."""
    if style == "singles":
        legal = [action for action in legal if not isinstance(action, Play) or len(action.cards) == 1] or legal
    if style == "declare":
        declared = [action for action in legal if getattr(action, "declare", None)]
        legal = declared if declared and dice.random() < 0.7 else legal
    return dice.choice(legal)


def exchange(match, referee, dice):
    """Check P2 by choice: both upper ranks give from the hand as dealt, and nothing moves before the second choice."""
    dealt = [set(cards_of(hand)) for hand in match.state.hands]
    president, vice, *_, before_last, trouduc = referee.ranks_of_before
    assert match.turn.must == {president, vice}
    gifts = {}
    for seat, count in ((president, 2), (vice, 1)) if dice.random() < 0.5 else ((vice, 1), (president, 2)):
        expected = [Give(cards) for cards in combinations(by_strength(dealt[seat]), count)]
        assert match.legal(seat) == expected
        assert [set(cards_of(hand)) for hand in match.state.hands] == dealt
        gifts[seat] = dice.choice(expected)
        match.advance(Step(seat, gifts[seat]))
    swap(dealt, president, trouduc, gifts[president].cards, 2)
    swap(dealt, vice, before_last, gifts[vice].cards, 1)
    begin_again(match, referee, dealt)


def swap(hands, upper, lower, given, count):
    best = by_strength(hands[lower])[-count:]
    hands[upper] = hands[upper] - set(given) | set(best)
    hands[lower] = hands[lower] - set(best) | set(given)


def begin_again(match, referee, expected=None):
    referee.hands = [set(cards_of(hand)) for hand in match.state.hands]
    assert expected is None or referee.hands == expected
    referee.new_manche(referee.ranks_of_before[-1])
