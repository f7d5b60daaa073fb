"""Solve a deal exactly, with both hands known and both players perfect.

A hand is a set of bits: sixteen for each suit, higher cards at higher bits. A position between two tricks is the
leader's hand `a`, the follower's hand `b` and `run`: how many tricks in a row the leader has just won with a 3.
`rules.py` stays the reference: a test plays all endings of small deals through it and compares.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...core.cards import DECK, RANKS, SUITS, Card
from .rules import VALUE

BIT = {card: 1 << (16 * SUITS.index(card[1]) + VALUE[card]) for card in DECK}
SUIT = {BIT[card]: 0xFFFF << 16 * SUITS.index(card[1]) for card in DECK}
NUMBER = {card: 13 * SUITS.index(card[1]) + RANKS.index(card[0]) for card in DECK}
"""The number of each card in the kernel and in the policy."""
THREES = sum(BIT[card] for card in DECK if card[0] == "3")
SUIT_MASKS = tuple(0xFFFF << 16 * at for at in range(len(SUITS)))

Pay = tuple[int, int, int, int]
"""The koras for winning a deal whose last 0, 1, 2 or 3 tricks were won with a 3 (K7)."""


def bits(cards: Iterable[Card]) -> int:
    return sum(BIT[card] for card in cards)


def singles(hand: int) -> list[int]:
    """Split a hand into its cards, lowest bit first."""
    found = []
    while hand:
        card = hand & -hand
        found.append(card)
        hand ^= card
    return found


def distinct(hand: int, other: int) -> list[int]:
    """Return one card for each group of equivalent cards.

    Equivalent are neighbours in a suit, and all cards of suits that the other hand does not hold. A 3 is never
    equivalent to another rank.
    """
    found = []
    free = 0
    for suit in SUIT_MASKS:
        mine = hand & suit
        if not mine:
            continue
        theirs = other & suit
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
    """Return the lowest card of each run in a suit that no card of the other hand interrupts."""
    found = []
    last = 0
    for card in singles(mine):
        if not last or (card | last) & THREES or theirs & (card - last):
            found.append(card)
        last = card
    return found


Known = dict[tuple[int, int, int], int]


class Solver:
    """Solve positions for one player and remember every position solved."""

    def __init__(self, mine: Pay, theirs: Pay) -> None:
        self.mine = mine
        self.theirs = theirs
        self.i_lead: Known = {}
        self.they_lead: Known = {} if mine != theirs else self.i_lead

    def after_lead(self, mine: int, theirs: int, run: int, led: int) -> int:
        """Return what leading a card is worth to me."""
        return reply(mine ^ led, theirs, run, led, self.mine, self.theirs, self.i_lead, self.they_lead)

    def after_reply(self, mine: int, theirs: int, run: int, led: int, card: int) -> int:
        """Return what replying with a card is worth to me."""
        sides = self.theirs, self.mine, self.they_lead, self.i_lead
        return -settle(theirs, mine ^ card, run, led, card, *sides)


def lead(a: int, b: int, run: int, gain: Pay, loss: Pay, known: Known, other: Known) -> int:
    """Return what a position is worth to its leader, with `gain` and `loss` as the payments."""
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
    """Return the longest run of 3s, at most three, with which the leader can still end the deal."""
    threes = (hand & THREES).bit_count()
    return min(3, threes + run if threes == hand.bit_count() else threes)


def reply(
    a: int, b: int, run: int, led: int, gain: Pay, loss: Pay, known: Known, other: Known, enough: int = -1_000_000
) -> int:
    """Return what a led card is worth to its leader, who keeps `a`; exact only if it is above `enough`."""
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
    """Return what a finished trick is worth to its leader: its winner leads the next one or has won the deal."""
    if card > led and card & SUIT[led]:
        run = 1 if card & THREES else 0
        return -lead(b, a, run, loss, gain, other, known) if b else -loss[run]
    run = min(3, run + 1) if led & THREES else 0
    return lead(a, b, run, gain, loss, known, other) if a else gain[run]
