"""The two networks: the judge, which is played by itself, and the small one, which is fast enough for playouts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from torch import nn

from tables import BITS, STATE_WORDS

PLACES = 8
SMALL = 261
"""The small network sees so many bits of the state."""
ORDER = 0.25
"""The bonus of the first place beyond its points, as in search.py."""
FROM_SEATS = 130
"""The bit for four seats; the next ones are for five to eight."""


def place_values() -> torch.Tensor:
    """Return the value of each place for 4 to 8 seats: its points and a bonus for its order."""
    worth = torch.full((5, PLACES), -3.0)
    for seats in range(4, 9):
        for place in range(seats):
            points = {0: 2, 1: 1, seats - 2: -1, seats - 1: -2}.get(place, 0)
            worth[seats - 4, place] = points + ORDER * (1 - 2 * place / (seats - 1))
    return worth


class Judge(nn.Module):
    """Predict the place that an option leads to: 576 bits, hidden layers with ReLU, eight logits."""

    def __init__(self, hidden: tuple[int, ...]) -> None:
        super().__init__()
        sizes = (BITS, *hidden)
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.last = nn.Linear(sizes[-1], PLACES)
        for layer in self.hidden:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
        nn.init.normal_(self.last.weight, std=0.01)
        nn.init.zeros_(self.last.bias)
        self.register_buffer("worth", place_values())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.last(x)

    def values(self, x: torch.Tensor) -> torch.Tensor:
        """Return the expected value of each option."""
        odds = torch.softmax(self(x).float(), 1)
        return (odds * (x[:, FROM_SEATS : FROM_SEATS + 5].float() @ self.worth)).sum(1)


class Small(nn.Module):
    """Score options with one hidden layer: the bits of the state that need no history, and those of the action."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.first = nn.Linear(SMALL + BITS - 32 * STATE_WORDS, hidden)
        self.last = nn.Linear(hidden, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        seen = torch.cat([x[:, :SMALL], x[:, 32 * STATE_WORDS :]], 1)
        return self.last(torch.relu(self.first(seen)))[:, 0]

    values = forward


def exported(judge: Judge, small: Small) -> dict[str, np.ndarray]:
    """Return the weights as arrays with one row for each input: the judge in 16 bits, the small network in 32."""
    arrays: dict[str, np.ndarray] = {}
    for at, layer in enumerate([*judge.hidden, judge.last]):
        arrays[f"judge_weights_{at}"] = layer.weight.detach().float().cpu().numpy().T.astype(np.float16)
        arrays[f"judge_biases_{at}"] = layer.bias.detach().float().cpu().numpy().astype(np.float32)
    for at, layer in enumerate((small.first, small.last)):
        arrays[f"small_weights_{at}"] = np.ascontiguousarray(layer.weight.detach().float().cpu().numpy().T)
        arrays[f"small_biases_{at}"] = layer.bias.detach().float().cpu().numpy()
    return arrays


def evaluated(arrays: dict[str, np.ndarray], bits: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Evaluate rows of bits with exported weights in NumPy: odds of the places, values, scores of the small network."""
    layers = sum(name.startswith("judge_weights") for name in arrays)
    x = bits.astype(np.float32)
    for at in range(layers):
        x = x @ arrays[f"judge_weights_{at}"].astype(np.float32) + arrays[f"judge_biases_{at}"]
        if at < layers - 1:
            x = np.maximum(x, 0)
    odds = np.exp(x - x.max(1, keepdims=True))
    odds /= odds.sum(1, keepdims=True)
    worth = bits[:, FROM_SEATS : FROM_SEATS + 5].astype(np.float32) @ place_values().numpy()
    seen = np.concatenate([bits[:, :SMALL], bits[:, 32 * STATE_WORDS :]], 1).astype(np.float32)
    inner = np.maximum(seen @ arrays["small_weights_0"] + arrays["small_biases_0"], 0)
    return odds, (odds * worth).sum(1), (inner @ arrays["small_weights_1"] + arrays["small_biases_1"])[:, 0]
