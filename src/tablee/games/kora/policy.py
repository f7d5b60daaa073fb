"""The card play of `maitre`: a learned policy that is close to an equilibrium.

A small network gives every playable card a probability, from what one seat knows. It learned against itself
(training/kora). `Deals` prepares what the network reads, exactly as in training: many deals at once, all at the same
step. Step 2k leads to trick k, step 2k + 1 replies. Only processes in which bots decide import this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.cards import DECK, SUITS, Card
from ...core.game import Chance, Seat
from .rules import HAND, LOW_SUM
from .solver import NUMBER
from .values import View

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Weights = NDArray[np.float64]
"""How likely each row is."""

CARDS, RANKS, PLANES = 52, 13, 10
INPUTS = PLANES * RANKS + 2 + 18
"""The inputs of one suit: sets of its cards, the voids of both seats, and what concerns all suits."""
REST = PLANES * RANKS + 2
NONE = CARDS
THREE, SEVEN = 2, 6
MOST = 4.0
"""The most stakes that a deal pays (K7)."""
ENOUGH = 4
"""Count all hands of the other, instead of drawing some, if there are at most so many for each trial."""
DOUBT = 0.03
"""How often, in our eyes, the other plays a card at random. Without it a strange card would rule out every hand."""


Network = dict[str, Floats]
"""The weights of each layer, transposed."""


def read_network(path: Path) -> Network:
    with np.load(path) as stored:
        return {name: stored[name].astype(np.float32).T for name in stored.files}


@cache
def network() -> Network:
    """Return the network of `maitre`; the name of its file carries the hash of what made it."""
    (path,) = Path(__file__).parent.glob("policy-*.npz")
    return read_network(path)


class Deals:
    """Deals in progress, one in each row, all at the same step."""

    def __init__(self, hands: Flags, leader: Seat, caps: tuple[float, float]) -> None:
        count = len(hands)
        self.hands = hands
        self.caps = np.array(caps, np.float32)
        """The most stakes that each seat can win (K8)."""
        self.rows = np.arange(count)
        self.leader = np.full(count, leader)
        self.run = np.zeros(count, np.int64)
        self.cards = np.full((count, 2, HAND), NONE)
        self.led_by = np.zeros((count, HAND), np.int64)
        self.won_by = np.zeros((count, HAND), np.int64)
        self.void = np.zeros((count, 2, len(SUITS)), np.bool_)
        self.led = np.full(count, NONE)
        self.step = 0

    def only(self, rows: Ints) -> Deals:
        """Return a copy with these rows; a row can come several times."""
        some = object.__new__(Deals)
        for name, value in vars(self).items():
            setattr(some, name, value if name in ("caps", "step") else value[rows])
        some.rows = np.arange(len(rows))
        return some

    @property
    def seat(self) -> Ints:
        """Return the seat to act in each deal."""
        return self.leader if self.step % 2 == 0 else 1 - self.leader

    def legal(self) -> Flags:
        """Return the cards that the seat to act can play (K6)."""
        hand: Flags = self.hands[self.rows, self.seat]
        if self.step % 2 == 0:
            return hand
        suited = hand & (np.arange(CARDS) // RANKS == self.led[:, None] // RANKS)
        return np.where(suited.any(1, keepdims=True), suited, hand)

    def inputs(self) -> Floats:
        """Return what the network reads about each suit: what the seat to act knows."""
        seat, trick, replying = self.seat, self.step // 2, self.step % 2
        x = np.zeros((len(seat), len(SUITS), INPUTS), np.float32)
        x[:, :, :RANKS] = self.hands[self.rows, seat].reshape(-1, len(SUITS), RANKS)
        self._mark(x, 1, self.led)
        for past in range(min(trick + 1, 4)):
            self._mark(x, 2 + past, self.cards[self.rows, seat, past])
            self._mark(x, 6 + past, self.cards[self.rows, 1 - seat, past])
        x[:, :, REST - 2] = self.void[self.rows, seat]
        x[:, :, REST - 1] = self.void[self.rows, 1 - seat]
        x[:, :, REST + trick] = 1.0
        x[:, :, REST + 5] = replying
        x[:, :, REST + 6] = self.run[:, None] / 3
        x[:, :, REST + 7] = self.run[:, None] * (1 - replying) / 3
        for past in range(trick):
            x[:, :, REST + 8 + past] = (self.led_by[:, past] == seat)[:, None]
            x[:, :, REST + 12 + past] = (self.won_by[:, past] == seat)[:, None]
        x[:, :, REST + 16] = self.caps[seat][:, None] / MOST
        x[:, :, REST + 17] = self.caps[1 - seat][:, None] / MOST
        return x

    def _mark(self, x: Floats, plane: int, cards: Ints) -> None:
        there = cards != NONE
        x[self.rows[there], cards[there] // RANKS, plane * RANKS + cards[there] % RANKS] = 1.0

    def chances(self, net: Network | None = None) -> Floats:
        """Return the probability with which the policy plays each card, by row."""
        net = net or network()
        x = np.maximum(self.inputs() @ net["read.weight"] + net["read.bias"], 0)
        for layer in ("mix", "again"):
            own, shared = np.split(net[f"{layer}.weight"], 2)
            x = np.maximum(x @ own + (x.sum(1) @ shared + net[f"{layer}.bias"])[:, None], 0)
        logits = (x @ net["tell.weight"] + net["tell.bias"]).reshape(-1, CARDS)
        logits = np.where(self.legal(), logits, -np.inf)
        likely = np.exp(logits - logits.max(1, keepdims=True))
        found: Floats = likely / likely.sum(1, keepdims=True)
        return found

    def branch(self, likely: Weights) -> tuple[Deals, Weights]:
        """Play every card that can be played, each in a row of its own; return the weights of the rows too."""
        rows, cards = np.nonzero(self.legal())
        deals = self.only(rows)
        deals.play(cards)
        return deals, likely[rows] * self.chances()[rows, cards]

    def play(self, card: Ints) -> None:
        """Play one card in every deal."""
        seat, trick = self.seat, self.step // 2
        self.hands[self.rows, seat, card] = False
        self.cards[self.rows, seat, trick] = card
        if self.step % 2 == 0:
            self.led = card
            self.led_by[:, trick] = seat
        else:
            follows = card // RANKS == self.led // RANKS
            takes = follows & (card > self.led)
            self.void[self.rows, seat, self.led // RANKS] |= ~follows
            kept = np.where(self.led % RANKS == THREE, np.minimum(self.run + 1, 3), 0)
            self.run = np.where(takes, card % RANKS == THREE, kept)
            self.leader = np.where(takes, seat, self.leader)
            self.won_by[:, trick] = self.leader
            self.led = np.full_like(self.led, NONE)
        self.step += 1

    def play_on(self, dice: np.random.Generator) -> Floats:
        """Let the policy play all deals to their end; return the stakes that seat 0 wins, negative if it pays."""
        while self.step < 2 * HAND:
            sums = np.cumsum(self.chances(), axis=1) if self.step < 2 * HAND - 2 else np.cumsum(self.legal(), axis=1)
            self.play((dice.random((len(sums), 1)) * sums[:, -1:] < sums).argmax(1))
        paid: Floats = np.minimum(self.run + 1, self.caps[self.leader]).astype(np.float32)
        return np.where(self.leader == 0, paid, -paid)


def flags(cards: Iterable[Card]) -> Flags:
    found = np.zeros(CARDS, np.bool_)
    found[[NUMBER[card] for card in cards]] = True
    return found


def history(view: View) -> list[tuple[Seat, Card]]:
    """Return the cards played in a deal, in order, with the seat that played each."""
    played = [pair for one in view.tricks for pair in ((one.leader, one.led), (1 - one.leader, one.reply))]
    return played if view.led is None else [*played, (view.leader, view.led)]


def replay(view: View, seat: Seat, others: Flags) -> tuple[Deals, Weights]:
    """Play a deal again up to a seat's decision, with a hand of the other in each row.

    Also return how likely each of these hands is, as a weight: how often the policy plays the other's cards with it.
    """
    played = history(view)
    hands = np.zeros((len(others), 2, CARDS), np.bool_)
    hands[:, seat] = flags([held.card for held in view.hand] + [card for by, card in played if by == seat])
    hands[:, 1 - seat] = others | flags(card for by, card in played if by != seat)
    stake, banks = max(1, view.stake), view.banks
    caps = min(MOST, banks[1] / stake), min(MOST, banks[0] / stake)
    deals = Deals(hands, played[0][0] if played else view.leader, caps)
    likely = np.ones(len(others))
    for by, card in played:
        if by != seat and len(others) > 1:
            choices = deals.legal().sum(1)
            likely *= (1 - DOUBT) * deals.chances()[:, NUMBER[card]] + DOUBT / choices
        deals.play(np.full(len(others), NUMBER[card]))
    return deals, likely


def chances(view: View, seat: Seat, cards: Sequence[Card], net: Network | None = None) -> list[float]:
    """Return the probability with which the policy plays each of the playable cards; they add up to one."""
    deals, _ = replay(view, seat, np.zeros((1, CARDS), np.bool_))
    row = deals.chances(net)[0].astype(np.float64)
    likely = [float(row[NUMBER[card]]) for card in cards]
    return [one / sum(likely) for one in likely]


def possible_hands(view: View, seat: Seat, count: int, dice: np.random.Generator) -> tuple[Flags, bool]:
    """Return hands that the other can hold, drawn at random, or all if they are few, and whether these are all."""
    played = history(view)
    lacking = {one.led[1] for one in view.tricks if one.leader == seat and one.led[1] != one.reply[1]}
    gone = {held.card for held in view.hand}.union(card for _, card in played)
    pool = np.array([NUMBER[card] for card in DECK if card not in gone and card[1] not in lacking])
    size = view.cards[1 - seat]
    laid = flags(card for by, card in played if by != seat)
    if comb(len(pool), size) <= ENOUGH * count:
        hands = spread(np.array(list(combinations(pool, size)), np.int64).reshape(comb(len(pool), size), size))
        return hands[~wins_at_once(hands | laid)], True
    kept: list[Flags] = []
    while sum(map(len, kept)) < count:
        hands = spread(pool[dice.random((count, len(pool))).argpartition(size, axis=1)[:, :size]])
        kept.append(hands[~wins_at_once(hands | laid)])
    return np.concatenate(kept)[:count], False


def spread(cards: Ints) -> Flags:
    hands = np.zeros((len(cards), CARDS), np.bool_)
    np.put_along_axis(hands, cards, True, axis=1)
    return hands


def wins_at_once(hands: Flags) -> Flags:
    """Return which hands of five end their deal before the first trick (K5)."""
    ranks = np.arange(CARDS) % RANKS
    found: Flags = (hands @ (ranks + 1) < LOW_SUM) | (hands @ (ranks == SEVEN).astype(np.int64) >= 3)
    return found


def values(view: View, seat: Seat, cards: Sequence[Card], chance: Chance, trials: int) -> list[tuple[float, float]]:
    """Return what each card is worth to a seat in koras, and the standard error.

    The hands of the other are weighted by its play so far, and from now on the policy plays for both. With enough
    trials, all hands and cards of the last two tricks are counted, and the error is 0. Otherwise deals are sampled and
    played out, with the same luck for every card.
    """
    koras = view.stake if seat == 0 else -view.stake
    dice = np.random.default_rng(chance.pick(1 << 62))
    hands, all_of_them = possible_hands(view, seat, trials, dice)
    exact = all_of_them and len(view.hand) <= 2
    start, likely = replay(view, seat, hands)
    likely /= likely.sum()
    drawn = np.arange(len(hands)) if exact else dice.choice(len(hands), trials, p=likely)
    luck = chance.pick(1 << 62)
    found = []
    for card in cards:
        deals = start.only(drawn)
        deals.play(np.full(len(drawn), NUMBER[card]))
        if exact:
            found.append((koras * mean_result(deals, likely), 0.0))
        else:
            won = koras * deals.play_on(np.random.default_rng(luck))
            found.append((float(won.mean()), float(won.std(ddof=1) / trials**0.5)))
    return found


def mean_result(deals: Deals, likely: Weights) -> float:
    """Return the stakes that seat 0 wins on average, over all cards that the policy can play from here."""
    while deals.step < 2 * HAND - 2:
        deals, likely = deals.branch(likely)
    return float(deals.play_on(np.random.default_rng(0)) @ likely)
