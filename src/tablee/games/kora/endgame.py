"""Solve the last two tricks as a game of hidden hands, by counterfactual regret minimisation (CFR+).

Two cards are left to each. The play so far tells both how likely each hand of either is, by the policy. The leader
chooses which card to lead and which to keep, the other which to reply with and which to keep; then the last cards fall.
That is small enough to count every hand of both. Only processes in which bots decide import this module.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ...core.cards import Card
from ...core.game import Seat
from .policy import MOST, RANKS, THREE, possible_hands, replay
from .solver import NUMBER
from .values import View

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

LEFT = 2
"""The cards that each holds before the fourth trick."""
ALL = 1 << 20
"""More than the number of hands, to ask for all of them."""


class Side:
    """The hands that a seat can hold before the fourth trick. Each has two rows: one for each card to play first."""

    def __init__(self, view: View, seat: Seat) -> None:
        before = replace(view, led=None, hand=(), cards=(LEFT, LEFT))
        hands, _ = possible_hands(before, 1 - seat, ALL, np.random.default_rng(0))
        self.deals, likely = replay(before, 1 - seat, hands)
        pairs = np.nonzero(hands)[1].reshape(-1, LEFT)
        self.first: Ints = np.concatenate([pairs[:, 0], pairs[:, 1]])
        self.last: Ints = np.concatenate([pairs[:, 1], pairs[:, 0]])
        self.weights: Floats = np.tile(likely / likely.sum(), 2).astype(np.float32)

    def turned(self, values: Floats) -> Floats:
        """Return the values of the same hands with the other card played first."""
        return np.roll(values, len(self.first) // 2, axis=-1)

    def row(self, first: int, last: int) -> int:
        return int(np.nonzero((self.first == first) & (self.last == last))[0][0])


class Ending:
    """The game of the last two tricks."""

    def __init__(self, view: View, run: int) -> None:
        self.leader, self.other = Side(view, view.leader), Side(view, 1 - view.leader)
        stake, banks = max(1, view.stake), view.banks
        caps = [min(MOST, banks[1 - seat] / stake) for seat in (view.leader, 1 - view.leader)]
        self.pay = payments(self.leader, self.other, run, caps[0], caps[1])
        """What the leader wins, by row of the leader and of the other."""
        self.led = np.unique(self.leader.first)
        self.rows = [np.nonzero(self.leader.first == card)[0] for card in self.led]
        suits = self.led[:, None] // RANKS
        follows, kept = self.other.first // RANKS == suits, self.other.last // RANKS == suits
        self.legal: NDArray[np.bool_] = follows | ~kept
        """Whether the other can play the first card of a row (K6), by led card."""

    def values_of_other(self, lead: Floats) -> Floats:
        """Return what each row is worth to the other after each led card, times the chance of that card."""
        weights = self.leader.weights * lead
        return np.stack([-(weights[rows] @ self.pay[rows]) for rows in self.rows])

    def values_of_leader(self, reply: Floats) -> Floats:
        """Return what each row is worth to the leader."""
        values = np.zeros(len(self.leader.first), np.float32)
        for rows, chances in zip(self.rows, reply, strict=True):
            values[rows] = self.pay[rows] @ (self.other.weights * chances)
        return values

    def solve(self, rounds: int) -> tuple[Floats, Floats]:
        """Return the average strategies: the chance of each row of the leader, and of the other by led card."""
        regret_lead = np.zeros(len(self.leader.first), np.float32)
        regret_reply = np.zeros(self.legal.shape, np.float32)
        sum_lead, sum_reply = np.zeros_like(regret_lead), np.zeros_like(regret_reply)
        everything = np.ones_like(regret_lead, np.bool_)
        for number in range(1, rounds + 1):
            lead = shares(self.leader, regret_lead, everything)
            values = self.values_of_other(lead)
            reply = shares(self.other, regret_reply, self.legal)
            regret_reply = self._regret(self.other, regret_reply, reply, values, self.legal)
            reply = shares(self.other, regret_reply, self.legal)
            values = self.values_of_leader(reply)
            regret_lead = self._regret(self.leader, regret_lead, lead, values, everything)
            sum_lead += number * lead
            sum_reply += number * reply
        return shares(self.leader, sum_lead, everything), shares(self.other, sum_reply, self.legal)

    @staticmethod
    def _regret(side: Side, regret: Floats, played: Floats, values: Floats, legal: NDArray[np.bool_]) -> Floats:
        mean = played * values + side.turned(played) * side.turned(values)
        return np.where(legal, np.maximum(regret + values - mean, 0), 0)

    def gains(self, lead: Floats, reply: Floats) -> tuple[float, float]:
        """Return what a best response gains for the leader and for the other, in stakes."""
        met = float(self.leader.weights @ self._meets() @ self.other.weights) / 4
        ours, theirs = self.values_of_leader(reply), self.values_of_other(lead)
        best_lead = np.maximum(ours, self.leader.turned(ours)) / 2
        allowed = np.where(self.legal, theirs, -np.inf)
        best_reply = np.maximum(allowed, self.other.turned(allowed)) / 2
        gain_lead = float(self.leader.weights @ (best_lead - lead * ours))
        gain_reply = float((best_reply - np.where(self.legal, reply * theirs, 0)).sum(0) @ self.other.weights)
        return gain_lead / met, gain_reply / met

    def _meets(self) -> Floats:
        """Return 1 for rows that can meet: no card is in both hands."""
        ours, theirs = self.leader, self.other
        same = np.zeros(self.pay.shape, np.bool_)
        for mine in (ours.first, ours.last):
            for other in (theirs.first, theirs.last):
                same |= mine[:, None] == other
        return (~same).astype(np.float32)

    def network(self) -> tuple[Floats, Floats]:
        """Return the strategies of the policy, in the form of `solve`."""
        half = len(self.leader.first) // 2
        found = self.leader.deals.chances()
        hands = np.arange(half)
        lead = np.concatenate([found[hands, self.leader.first[:half]], found[hands, self.leader.last[:half]]])
        reply = np.zeros(self.legal.shape, np.float32)
        hands = np.arange(len(self.other.first) // 2)
        for at, card in enumerate(self.led):
            deals = self.other.deals.only(hands)
            deals.play(np.full(len(hands), card))
            found = deals.chances()
            firsts = np.split(self.other.first, 2)
            reply[at] = np.concatenate([found[hands, firsts[0]], found[hands, firsts[1]]])
        return lead, reply


def shares(side: Side, values: Floats, legal: NDArray[np.bool_]) -> Floats:
    """Return strategies in proportion to values; if a hand has none, its legal cards are equally likely."""
    total = values + side.turned(values)
    even = np.where(legal, 1 / (1 + side.turned(legal.astype(np.float32))), 0)
    return np.where(total > 0, values / np.where(total > 0, total, 1), even).astype(np.float32)


def payments(leader: Side, other: Side, run: int, most: float, most_other: float) -> Floats:
    """Return the stakes that the leader wins, by row of both; 0 if a card is in both hands (K7, K8)."""
    led, keeps = leader.first.astype(np.int8)[:, None], leader.last.astype(np.int8)[:, None]
    reply, kept = other.first.astype(np.int8)[None], other.last.astype(np.int8)[None]
    takes = (led // RANKS == reply // RANKS) & (reply > led)
    # If the reply takes, the other leads its last card to the fifth trick; otherwise the leader does.
    same = keeps // RANKS == kept // RANKS
    ours = np.where(takes, same & (keeps > kept), ~(same & (kept > keeps)))
    three, three_other = keeps % RANKS == THREE, kept % RANKS == THREE
    run_leader = np.where(led % RANKS == THREE, min(3, run + 1), 0).astype(np.float32)
    stakes = np.where(takes, np.float32(1), np.minimum(3, run_leader + 1)) * three + np.float32(1)
    pay = np.where(ours, np.minimum(stakes, np.float32(most)), np.float32(0))
    stakes = (np.float32(1) + (takes & (reply % RANKS == THREE))) * three_other + np.float32(1)
    pay -= np.where(ours, np.float32(0), np.minimum(stakes, np.float32(most_other)))
    pay[(led == reply) | (led == kept) | (keeps == reply) | (keeps == kept)] = 0
    return pay


def chances(view: View, seat: Seat, cards: Sequence[Card], run: int, rounds: int) -> list[float]:
    """Return the probability of each of the two cards that a seat holds, in the solved ending; they add up to one."""
    ending = Ending(view, run)
    lead, reply = ending.solve(rounds)
    one, two = (NUMBER[held.card] for held in view.hand)
    if view.led is None:
        found = {card: lead[ending.leader.row(card, other)] for card, other in ((one, two), (two, one))}
    else:
        at = int(np.nonzero(ending.led == NUMBER[view.led])[0][0])
        found = {card: reply[at, ending.other.row(card, other)] for card, other in ((one, two), (two, one))}
    return [float(found[NUMBER[card]]) for card in cards]
