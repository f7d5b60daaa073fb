"""The networks: they treat the four suits alike, so they need not learn anything four times."""

from __future__ import annotations

import torch
from deals import CARDS, GLOBALS, PLANES, RANKS, SUITS
from torch import Tensor, nn

SHARED = GLOBALS - 8
"""The globals without the voids, which belong to a suit."""


class Suits(nn.Module):
    """Read each suit with the same weights, and tell each of them twice about the sum of all."""

    def __init__(self, planes: int, width: int, out: int) -> None:
        super().__init__()
        self.read = nn.Linear(planes * RANKS + 2 + SHARED, width)
        self.mix = nn.Linear(2 * width, width)
        self.again = nn.Linear(2 * width, width)
        self.tell = nn.Linear(width, out)

    def forward(self, planes: Tensor, known: Tensor) -> Tensor:
        count = len(planes)
        cards = planes.reshape(count, -1, SUITS, RANKS).transpose(1, 2).reshape(count, SUITS, -1).to(known.dtype)
        voids = known[:, 16:24].reshape(count, 2, SUITS).transpose(1, 2)
        rest = torch.cat([known[:, :16], known[:, 24:]], 1)[:, None].expand(-1, SUITS, -1)
        x = torch.relu(self.read(torch.cat([cards, voids, rest], 2)))
        for layer in (self.mix, self.again):
            x = torch.relu(layer(torch.cat([x, x.sum(1, keepdim=True).expand_as(x)], 2)))
        told: Tensor = self.tell(x)
        return told


class Actor(nn.Module):
    """Give every legal card a probability, from what one seat knows."""

    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.suits = Suits(PLANES, width, RANKS)
        nn.init.zeros_(self.suits.tell.weight)

    def forward(self, planes: Tensor, known: Tensor, legal: Tensor) -> Tensor:
        logits = self.suits(planes, known).reshape(-1, CARDS).float()
        return torch.log_softmax(logits.masked_fill(~legal, -1e9), 1)


class Critic(nn.Module):
    """Value a deal for the seat to act; unlike the actor it sees both hands, and only training uses it."""

    def __init__(self, width: int = 192) -> None:
        super().__init__()
        self.suits = Suits(PLANES + 1, width, width)
        self.value = nn.Linear(width, 1)

    def forward(self, planes: Tensor, known: Tensor, other: Tensor) -> Tensor:
        told = torch.relu(self.suits(torch.cat([planes, other[:, None]], 1), known).sum(1))
        value: Tensor = self.value(told).squeeze(1)
        return value.float()
