"""Play many deals of Kora Battle at once on tensors, for training.

A card is 13 × suit + rank, as in the game's kernel, so that the 3 of a suit has rank 2. All deals are at the same step:
step 2k leads to trick k, step 2k + 1 replies. Steps 8 and 9 play the last cards and need no choice.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

CARDS, SUITS, RANKS, HAND = 52, 4, 13, 5
CHOICES = 8
"""The steps that can need a choice."""
THREE, SEVEN, LOW_SUM = 2, 6, 21
PLANES = 10
"""Sets of cards: the hand, the led card, the own card of tricks 1 to 4, the other's card of tricks 1 to 4."""
GLOBALS = 26
"""Trick (5), replying, run of 3s, the run is ours, tricks led (4), tricks won (4), voids of both (4 + 4), caps (2)."""
NONE = CARDS

Policy = Callable[[Tensor, Tensor, Tensor], Tensor]
"""From planes, globals and legal cards to the logarithm of the probability of each card."""


class Deals:
    """A batch of deals in progress."""

    def __init__(self, count: int, device: str, dice: torch.Generator, capped: float = 0.4) -> None:
        self.dice = dice
        self.hands = deal(count, device, dice)
        self.at = torch.arange(count, device=device)
        self.leader = torch.randint(2, (count,), device=device, generator=dice)
        self.run = torch.zeros(count, dtype=torch.long, device=device)
        self.cards = torch.full((count, 2, HAND), NONE, device=device)
        self.led_by = torch.zeros((count, HAND), dtype=torch.long, device=device)
        self.won_by = torch.zeros((count, HAND), dtype=torch.long, device=device)
        self.void = torch.zeros((count, 2, SUITS), dtype=torch.bool, device=device)
        self.led = torch.full((count,), NONE, device=device)
        self.step = 0
        some = torch.tensor([1.0, 1.5, 2.0, 2.5, 3.0, 4.0], device=device)
        caps = some[torch.randint(6, (count, 2), device=device, generator=dice)]
        free = torch.rand(count, 1, device=device, generator=dice) >= capped
        self.caps = torch.where(free, 4.0, caps)
        """The most stakes that each seat can win (K8)."""

    def copy(self) -> Deals:
        """Return the same deals before the first card, for another pair of players."""
        assert self.step == 0
        twin = object.__new__(Deals)
        for name, value in vars(self).items():
            setattr(twin, name, value.clone() if isinstance(value, Tensor) else value)
        return twin

    @property
    def seat(self) -> Tensor:
        """Return the seat to act in each deal."""
        return self.leader if self.step % 2 == 0 else 1 - self.leader

    def legal(self) -> Tensor:
        """Return the cards that the seat to act can play (K6)."""
        hand = self.hands[self.at, self.seat]
        if self.step % 2 == 0:
            return hand
        suited = hand & (torch.arange(CARDS, device=hand.device) // RANKS == (self.led // RANKS)[:, None])
        return torch.where(suited.any(1, keepdim=True), suited, hand)

    def planes(self) -> Tensor:
        """Return the sets of cards that the seat to act knows."""
        seat = self.seat
        planes = torch.zeros((len(seat), PLANES, CARDS + 1), dtype=torch.bool, device=seat.device)
        planes[:, 0, :CARDS] = self.hands[self.at, seat]
        planes[self.at, 1, self.led] = True
        for trick in range(4):
            planes[self.at, 2 + trick, self.cards[self.at, seat, trick]] = True
            planes[self.at, 6 + trick, self.cards[self.at, 1 - seat, trick]] = True
        return planes[:, :, :CARDS]

    def globals(self) -> Tensor:
        """Return what else the seat to act knows."""
        seat, trick, replying = self.seat, self.step // 2, self.step % 2
        known = torch.zeros((len(seat), GLOBALS), device=seat.device)
        known[:, trick] = 1.0
        known[:, 5] = replying
        known[:, 6] = self.run / 3
        known[:, 7] = self.run * (1 - replying) / 3
        for past in range(trick):
            known[:, 8 + past] = (self.led_by[:, past] == seat).float()
            known[:, 12 + past] = (self.won_by[:, past] == seat).float()
        known[:, 16:20] = self.void[self.at, seat].float()
        known[:, 20:24] = self.void[self.at, 1 - seat].float()
        known[:, 24] = self.caps[self.at, seat] / 4
        known[:, 25] = self.caps[self.at, 1 - seat] / 4
        return known

    def play(self, card: Tensor) -> None:
        """Play one card in every deal."""
        seat, trick = self.seat, self.step // 2
        self.hands[self.at, seat, card] = False
        self.cards[self.at, seat, trick] = card
        if self.step % 2 == 0:
            self.led = card
            self.led_by[:, trick] = seat
        else:
            follows = card // RANKS == self.led // RANKS
            takes = follows & (card > self.led)
            self.void[self.at, seat, self.led // RANKS] |= ~follows
            kept = torch.where(self.led % RANKS == THREE, (self.run + 1).clamp(max=3), 0)
            self.run = torch.where(takes, (card % RANKS == THREE).long(), kept)
            self.leader = torch.where(takes, seat, self.leader)
            self.won_by[:, trick] = self.leader
            self.led = torch.full_like(self.led, NONE)
        self.step += 1

    def finish(self) -> Tensor:
        """Play the last cards and return the stakes that seat 0 wins, negative if it pays."""
        for _ in range(CHOICES, 2 * HAND):
            self.play(self.hands[self.at, self.seat].float().argmax(1))
        paid = torch.minimum(self.run + 1.0, self.caps[self.at, self.leader])
        return torch.where(self.leader == 0, paid, -paid)


def deal(count: int, device: str, dice: torch.Generator) -> Tensor:
    """Deal two hands of five to each deal; none of them wins automatically (K5)."""
    kept: list[Tensor] = []
    missing = count
    while missing > 0:
        order = torch.rand(missing * 5 // 4 + 64, CARDS, device=device, generator=dice).topk(2 * HAND).indices
        hands = torch.stack([order[:, :HAND], order[:, HAND:]], 1)
        low = (hands % RANKS + 1).sum(2) < LOW_SUM
        sevens = (hands % RANKS == SEVEN).sum(2) >= 3
        kept.append(hands[~(low | sevens).any(1)][:missing])
        missing -= len(kept[-1])
    cards = torch.cat(kept)
    hands = torch.zeros((count, 2, CARDS), dtype=torch.bool, device=device)
    return hands.scatter_(2, cards, True)


def draw(logs: Tensor, dice: torch.Generator) -> Tensor:
    """Draw a card from logarithms of probabilities."""
    noise = torch.rand(logs.shape, device=logs.device, generator=dice).clamp_(1e-10, 1 - 1e-7)
    return (logs - (-noise.log()).log()).argmax(1)


@torch.no_grad()
def play_out(deals: Deals, first: Policy, second: Policy) -> Tensor:
    """Play deals between two policies, one in each seat, and return the stakes that seat 0 wins."""
    for _ in range(CHOICES):
        known = deals.planes(), deals.globals(), deals.legal()
        logs = torch.where((deals.seat == 0)[:, None], first(*known), second(*known))
        deals.play(draw(logs, deals.dice))
    return deals.finish()
