"""What a deal is worth when both hands lie open and both play perfectly.

A hand is a set of bits, sixteen to a suit, higher cards at higher bits. A position between two tricks is the hand of
whoever leads, the hand of whoever follows, and `run`: how many tricks in a row the leader has just won with a 3. The
rules in `rules.py` stay the reference; a test plays every line of small deals through them.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...core.cards import DECK, SUITS, Card
from .rules import VALUE

BIT = {card: 1 << (16 * SUITS.index(card[1]) + VALUE[card]) for card in DECK}
SUIT = {BIT[card]: 0xFFFF << 16 * SUITS.index(card[1]) for card in DECK}
THREES = sum(BIT[card] for card in DECK if card[0] == "3")
LANES = tuple(0xFFFF << 16 * at for at in range(len(SUITS)))

Pay = tuple[int, int, int, int]
"""What winning a deal brings when its last 0, 1, 2 or 3 tricks were won with a 3 (K7)."""


def bits(cards: Iterable[Card]) -> int:
    return sum(BIT[card] for card in cards)


def singles(hand: int) -> list[int]:
    """The cards of a hand, one bit each."""
    found = []
    while hand:
        card = hand & -hand
        found.append(card)
        hand ^= card
    return found


def distinct(hand: int, other: int) -> list[int]:
    """One card for each group that plays alike: neighbours in a suit, and all that the other hand cannot follow."""
    found = []
    free = 0
    for lane in LANES:
        mine = hand & lane
        if not mine:
            continue
        theirs = other & lane
        if not theirs:
            free |= mine
        elif mine & (mine - 1):
            found += neighbours(mine, theirs)
        else:
            found.append(mine)
    if free:
        threes = free & THREES
        plain = free ^ threes
        if plain:
            found.append(plain & -plain)
        if threes:
            found.append(threes & -threes)
    return found


def neighbours(mine: int, theirs: int) -> list[int]:
    found = []
    last = 0
    for card in singles(mine):
        if not last or (card | last) & THREES or theirs & (card - last):
            found.append(card)
        last = card
    return found


Known = dict[tuple[int, int, int], int]


class Solver:
    """Solves positions of one deal for one player, remembering every position it met."""

    def __init__(self, mine: Pay, theirs: Pay) -> None:
        self.mine = mine
        self.theirs = theirs
        self.i_lead: Known = {}
        self.they_lead: Known = {} if mine != theirs else self.i_lead

    def after_lead(self, mine: int, theirs: int, run: int, led: int) -> int:
        """What it is worth to me to lead a card."""
        return reply(mine ^ led, theirs, run, led, self.mine, self.theirs, self.i_lead, self.they_lead)

    def after_reply(self, mine: int, theirs: int, run: int, led: int, card: int) -> int:
        """What it is worth to me to answer a card that was led."""
        sides = self.theirs, self.mine, self.they_lead, self.i_lead
        return -settle(theirs, mine ^ card, run, led, card, *sides)


def lead(a: int, b: int, run: int, gain: Pay, loss: Pay, known: Known, other: Known) -> int:
    """What a position is worth to its leader, who gains or loses by the given tables."""
    if not a & (a - 1):  # one card each: nothing to choose
        return settle(0, 0, run, a, b, gain, loss, known, other)
    key = a, b, run
    best = known.get(key)
    if best is not None:
        return best
    most = gain[longest_run(a, run)]
    best = -loss[3] - 1
    for led in distinct(a, b):
        value = reply(a ^ led, b, run, led, gain, loss, known, other, best)
        if value > best:
            best = value
            if best == most:
                break
    known[key] = best
    return best


def longest_run(hand: int, run: int) -> int:
    """The longest run of 3s, at most three, that the leader can still end the deal with."""
    threes = (hand & THREES).bit_count()
    return min(3, threes + run if threes == hand.bit_count() else threes)


def reply(
    a: int, b: int, run: int, led: int, gain: Pay, loss: Pay, known: Known, other: Known, enough: int = -1_000_000
) -> int:
    """What a led card is worth to its leader, who holds the rest `a`; exact unless it is no more than `enough`."""
    follow = b & SUIT[led]
    worst = gain[3]
    for card in reversed(singles(follow)) if follow else distinct(b, a):
        value = settle(a, b ^ card, run, led, card, gain, loss, known, other)
        if value < worst:
            worst = value
            if worst <= enough:
                break
    return worst


def settle(a: int, b: int, run: int, led: int, card: int, gain: Pay, loss: Pay, known: Known, other: Known) -> int:
    """What a finished trick is worth to its leader: the winner leads the next, or has won the deal."""
    if card > led and card & SUIT[led]:
        run = 1 if card & THREES else 0
        return -lead(b, a, run, loss, gain, other, known) if b else -loss[run]
    run = min(3, run + 1) if led & THREES else 0
    return lead(a, b, run, gain, loss, known, other) if a else gain[run]
