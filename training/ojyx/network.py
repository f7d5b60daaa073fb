"""The network: the value of an action for a seat, from what the seat can see.

Two outputs, in units of 20 points: the seat's own score of the manche, and the mean score of the others. The value of
an action is the second minus the first. `observe.h` describes the inputs.
"""

from __future__ import annotations

import torch
from torch import nn

UNIT = 20.0
"""The points of one unit of the outputs."""


class Network(nn.Module):
    def __init__(self, position: int, action: int, first: int, second: int) -> None:
        super().__init__()
        self.position = nn.Linear(position, first)
        self.action = nn.Linear(action, first, bias=False)
        self.middle = nn.Linear(first, second)
        self.last = nn.Linear(second, 2)

    def forward(self, positions: torch.Tensor, actions: torch.Tensor, owners: torch.Tensor | None = None):
        """Return both outputs for each action; `owners` has the row of its position, if they are not in step."""
        seen = self.position(positions)
        hidden = torch.relu((seen if owners is None else seen[owners]) + self.action(actions))
        return self.last(torch.relu(self.middle(hidden)))

    def values(self, positions: torch.Tensor, actions: torch.Tensor, owners: torch.Tensor) -> torch.Tensor:
        """Return how many points fewer than the others the seat will have, for each action."""
        both = self(positions, actions, owners)
        return UNIT * (both[:, 1] - both[:, 0])


class Average:
    """The moving average of a network's weights, which plays better than the weights of any moment."""

    def __init__(self, network: Network, keep: float) -> None:
        self.keep = keep
        self.weights = {name: value.detach().clone() for name, value in network.state_dict().items()}
        self.steps = 0

    @torch.no_grad()
    def follow(self, network: Network) -> None:
        self.steps += 1
        keep = min(self.keep, self.steps / (self.steps + 9))
        for name, value in network.state_dict().items():
            self.weights[name].lerp_(value, 1 - keep)
