"""Fit the pattern weights to results of games by logistic regression.

evaluate.h explains the windows. Every table of arrangements is the sum of a table of its own and three smaller ones for
eight of its twelve squares: four rows each. So an arrangement that was never seen still gets the weight of its parts.
"""

from __future__ import annotations

import hashlib
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

ARRANGEMENTS, PART, TABLES, EXTRAS = 3**12, 3**8, 6, 8
FEW, SPAN = 8, 24
PAIR = 1023
BOARD = sum(PAIR << 11 * pair for pair in range(5))
LEFT = sum(0xE3 << 11 * pair for pair in range(5))
MAIN_LINE = sum(1 << (number - 1) // 10 * 11 + (number - 1) % 10 for number in (5, 10, 14, 19, 23, 28, 32, 37, 41, 46))
HELD_OUT = 20
"""One game in so many is held out."""

SAMPLE = np.dtype(
    [
        ("red_men", "<i8"),
        ("red_kings", "<i8"),
        ("black_men", "<i8"),
        ("black_kings", "<i8"),
        ("game", "<u4"),
        ("ply", "<u2"),
        ("to_move", "u1"),
        ("result", "u1"),
    ]
)


class Boards(NamedTuple):
    """Positions as sets of squares, one number for each."""

    red_men: torch.Tensor
    red_kings: torch.Tensor
    black_men: torch.Tensor
    black_kings: torch.Tensor
    to_move: torch.Tensor


@dataclass
class Data:
    """What the regression needs to know of positions, from red's side."""

    windows: torch.Tensor
    """The arrangement in each of the twelve windows, counted through all the tables."""
    extras: torch.Tensor
    phase: torch.Tensor
    """1 in the opening, 0 in the endgame."""
    target: torch.Tensor
    """1 if red won, 0.5 for a draw."""
    held_out: torch.Tensor


@dataclass
class Weights:
    """Weights in hundredths of a man: for the opening in column 0, for the endgame in column 1."""

    own: torch.Tensor
    parts: torch.Tensor
    extras: torch.Tensor

    def merged(self) -> torch.Tensor:
        return merge(self.own, self.parts)


def device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def popcount(bits: torch.Tensor) -> torch.Tensor:
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (bits * 0x0101010101010101) >> 56


def slides(kings: torch.Tensor, empty: torch.Tensor) -> torch.Tensor:
    """Count the moves of kings without captures."""
    total = torch.zeros_like(kings)
    for step in (5, 6, -5, -6):
        at = kings
        for _ in range(9):
            at = (at << step if step > 0 else at >> -step) & empty
            total += popcount(at)
    return total


def pair_numbers() -> torch.Tensor:
    """Return the number of two rows in each of the four windows."""
    bits = torch.arange(1024)[:, None] >> torch.arange(4)
    return (bits & 1) + 3 * (bits >> 1 & 1) + 9 * (bits >> 5 & 1) + 27 * (bits >> 6 & 1)


def turned(pairs: torch.Tensor) -> torch.Tensor:
    """Return the table for two rows of the turned board."""
    backwards = torch.tensor([int(f"{bits:010b}"[::-1], 2) for bits in range(1024)])
    return pairs[backwards]


def windows(boards: Boards) -> torch.Tensor:
    """Return the arrangement in each window: six of red, then the same six of black with the board turned."""
    pairs = pair_numbers().to(boards.red_men.device)
    numbers = []
    for men, others, table, order in (
        (boards.red_men, boards.black_men, pairs, (0, 1, 2, 3)),
        (boards.black_men, boards.red_men, turned(pairs.cpu()).to(pairs.device), (4, 3, 2, 1)),
    ):
        rows = [table[men >> 11 * at & PAIR] + 2 * table[others >> 11 * at & PAIR] for at in order]
        upper = rows[0] + 81 * rows[1] + 6561 * rows[2]
        middle = (rows[1] + 81 * rows[2] + 6561 * rows[3])[:, :2]
        numbers.append(torch.cat([upper, middle], 1) + ARRANGEMENTS * torch.arange(TABLES, device=pairs.device))
    return torch.cat(numbers, 1).to(torch.int32)


def extras(boards: Boards) -> torch.Tensor:
    """Return the other features: red's number minus black's."""
    red, red_kings, black, black_kings, to_move = boards
    empty = BOARD & ~(red | red_kings | black | black_kings)

    def skew(men: torch.Tensor) -> torch.Tensor:
        return (popcount(men & LEFT) - popcount(men & (BOARD & ~LEFT))).abs()

    walks = popcount(red & empty << 5) + popcount(red & empty << 6)
    walks -= popcount(black & empty >> 5) + popcount(black & empty >> 6)
    return torch.stack(
        [
            popcount(red) - popcount(black),
            popcount(red_kings) - popcount(black_kings),
            (red_kings != 0).long() - (black_kings != 0).long(),
            slides(red_kings, empty) - slides(black_kings, empty),
            (red_kings & MAIN_LINE != 0).long() - (black_kings & MAIN_LINE != 0).long(),
            walks,
            skew(red) - skew(black),
            1 - 2 * to_move,
        ],
        1,
    )


def pieces(boards: Boards) -> torch.Tensor:
    return sum(popcount(board) for board in boards[:4])  # type: ignore[return-value]


def read_boards(samples: np.ndarray) -> Boards:
    fields = (torch.from_numpy(samples[name].astype(np.int64)).to(device()) for name in SAMPLE.names[:4])
    return Boards(*fields, torch.from_numpy(samples["to_move"].astype(np.int64)).to(device()))


def is_hard_to_win(boards: Boards) -> torch.Tensor:
    """Return which positions have a value that is divided by 4: they tell nothing about the weights."""
    red = popcount(boards.red_men | boards.red_kings)
    black = popcount(boards.black_men | boards.black_kings)
    return ((boards.black_kings != 0) & (red <= 3) & (black <= 2)) | (
        (boards.red_kings != 0) & (black <= 3) & (red <= 2)
    )


def prepare(samples: np.ndarray, step: int = 1 << 22) -> Data:
    """Turn samples into features; a position that comes several times counts once with its mean result."""
    parts: list[tuple[torch.Tensor, ...]] = []
    for at in range(0, len(samples), step):
        some = samples[at : at + step]
        boards = read_boards(some)
        key = boards.to_move * 0x5851F42D4C957F2D
        for board in boards[:4]:
            key = (key ^ board) * 0x369DEA0F31A53F85
            key = key ^ key >> 29
        result = torch.from_numpy(some["result"].astype(np.float32) / 2).to(device())
        game = torch.from_numpy(some["game"].astype(np.int64)).to(device())
        use = ~is_hard_to_win(boards)
        phase = ((pieces(boards) - FEW).clamp(0, SPAN) / SPAN).float()
        fields = windows(boards), extras(boards).to(torch.int8), phase, result, game % HELD_OUT == 0, key
        parts.append(tuple(field[use] for field in fields))
    found, small, phase, result, held_out, key = (torch.cat(fields) for fields in zip(*parts, strict=True))
    _, group = torch.unique(key, return_inverse=True)
    count = torch.zeros(int(group.max()) + 1, device=device()).index_add_(0, group, torch.ones_like(result))
    mean = torch.zeros_like(count).index_add_(0, group, result) / count
    first = torch.full_like(count, len(key), dtype=torch.int64)
    first.scatter_reduce_(0, group, torch.arange(len(key), device=device()), "amin")
    return Data(found[first], small[first], phase[first], mean, held_out[first])


def merge(own: torch.Tensor, parts: torch.Tensor) -> torch.Tensor:
    """Add the tables of the parts to the tables of whole windows."""
    total = own + parts[0].repeat(1, 81, 1)
    total = total + parts[1].view(TABLES, 1, PART, 1, 2).expand(-1, 9, -1, 9, -1).reshape(total.shape)
    return total + parts[2].repeat_interleave(81, 1)


def split(gradient: torch.Tensor) -> torch.Tensor:
    """Return the gradient of the parts from that of the merged tables."""
    low = gradient.view(TABLES, 81, PART, 2).sum(1)
    middle = gradient.view(TABLES, 9, PART, 9, 2).sum((1, 3))
    high = gradient.view(TABLES, PART, 81, 2).sum(2)
    return torch.stack([low, middle, high])


SIGN = [1.0] * 6 + [-1.0] * 6


class Model:
    """The regression: logits from red's side, and gradients by hand because the tables are large and sparse."""

    def __init__(self) -> None:
        where = device()
        self.own = torch.zeros(TABLES, ARRANGEMENTS, 2, device=where)
        self.parts = torch.zeros(3, TABLES, PART, 2, device=where)
        self.extras = torch.zeros(EXTRAS, 2, device=where)
        self.sign = torch.tensor(SIGN, device=where)

    def weights(self) -> list[torch.Tensor]:
        return [self.own, self.parts, self.extras]

    def logits(self, merged: torch.Tensor, data: Data, rows: torch.Tensor) -> torch.Tensor:
        found = merged.view(-1, 2)[data.windows[rows]]
        both = (found * self.sign[None, :, None]).sum(1) + data.extras[rows].float() @ self.extras
        phase = data.phase[rows]
        return both[:, 0] * phase + both[:, 1] * (1 - phase)

    def gradients(self, data: Data, rows: torch.Tensor, step: int = 1 << 21) -> tuple[list[torch.Tensor], float]:
        """Return the gradient of the mean loss for each weight, and that loss."""
        own = torch.zeros(TABLES * ARRANGEMENTS, 2, device=rows.device)
        small = torch.zeros(EXTRAS, 2, device=rows.device)
        loss = torch.zeros((), device=rows.device, dtype=torch.float64)
        merged = merge(self.own, self.parts)
        for some in rows.split(step):
            logits = self.logits(merged, data, some)
            target, phase = data.target[some], data.phase[some]
            error = (torch.sigmoid(logits) - target) / len(rows)
            both = torch.stack([error * phase, error * (1 - phase)], 1)
            spread = (both[:, None, :] * self.sign[None, :, None]).view(-1, 2)
            own.index_add_(0, data.windows[some].view(-1), spread)
            small += data.extras[some].float().T @ both
            loss += torch.nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="sum")
        own = own.view(TABLES, ARRANGEMENTS, 2)
        return [own, split(own), small], float(loss) / len(rows)

    def curvature(self, data: Data, rows: torch.Tensor, step: int = 1 << 20) -> list[torch.Tensor]:
        """Return the second derivative of the loss for each weight."""
        own = torch.zeros(TABLES * ARRANGEMENTS, 2, device=rows.device)
        small = torch.zeros(EXTRAS, 2, device=rows.device)
        merged = merge(self.own, self.parts)
        for some in rows.split(step):
            chance, phase = torch.sigmoid(self.logits(merged, data, some)), data.phase[some]
            curve = chance * (1 - chance) / len(rows)
            both = torch.stack([curve * phase**2, curve * (1 - phase) ** 2], 1)
            own.index_add_(0, data.windows[some].view(-1), both.repeat_interleave(2 * TABLES, 0))
            small += data.extras[some].float().square().T @ both
        own = own.view(TABLES, ARRANGEMENTS, 2)
        return [own, split(own), small]

    def loss(self, data: Data, rows: torch.Tensor, step: int = 1 << 20) -> float:
        merged, total = merge(self.own, self.parts), 0.0
        for some in rows.split(step):
            logits = self.logits(merged, data, some)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, data.target[some], reduction="sum")
            total += float(loss)
        return total / max(len(rows), 1)


def worth_of_a_man(data: Data) -> float:
    """Return the logit of one man more, from positions without kings."""
    difference = data.extras[:, 0].double()
    use = (data.extras[:, 1] == 0) & (data.extras[:, 2] == 0) & (difference.abs() <= 3)
    difference, target = difference[use], data.target[use].double()
    worth = 0.5
    for _ in range(20):
        chance = torch.sigmoid(worth * difference)
        slope = float(((target - chance) * difference).mean())
        curve = float((chance * (1 - chance) * difference**2).mean())
        worth += slope / max(curve, 1e-9)
    return worth


@dataclass
class Options:
    seconds: float | None = None
    """The clock ends a fit after so long; None: only the steps count."""
    steps: int = 300
    rate: float = 0.02
    """Steps are divided by the curvature. About a hundred weights share a position, so a larger step may diverge."""
    own_decay: float = 100
    """The inverse of the expected variance of a weight of a whole window, in logits."""
    part_decay: float = 30
    extra_decay: float = 1


MOMENTUM = 0.9
CHECK, PATIENCE = 5, 6
"""Steps between two looks at the held-out games, and looks without progress before the end."""


def fit(data: Data, options: Options) -> tuple[Weights, dict[str, object]]:
    """Fit weights within a limit; return them with a report. Keep those with the least loss on held-out games."""
    began = time.monotonic()
    worth = worth_of_a_man(data)
    model = Model()
    # Start from material alone.
    model.extras[0], model.extras[1] = worth, 3 * worth
    train = (~data.held_out).nonzero().view(-1)
    held_out = data.held_out.nonzero().view(-1)
    decays = [decay / len(train) for decay in (options.own_decay, options.part_decay, options.extra_decay)]
    centres = [torch.zeros_like(model.own), torch.zeros_like(model.parts), model.extras.clone()]
    sizes = [curve + decay for curve, decay in zip(model.curvature(data, train), decays, strict=True)]
    speeds = [torch.zeros_like(weight) for weight in model.weights()]
    best, kept, losses, worse, step = math.inf, [], [], 0, 0
    late = False
    while step < options.steps and worse < PATIENCE and not late:
        gradients, loss = model.gradients(data, train)
        for weight, gradient, centre, size, speed, decay in zip(
            model.weights(), gradients, centres, sizes, speeds, decays, strict=True
        ):
            speed.mul_(MOMENTUM).sub_((gradient + (weight - centre) * decay) / size, alpha=options.rate)
            weight.add_(speed)
        step += 1
        late = options.seconds is not None and time.monotonic() - began > options.seconds
        if step % CHECK == 1 or late:
            found = model.loss(data, held_out)
            losses.append({"step": step, "train": loss, "held_out": found})
            worse = 0 if found < best else worse + 1
            if found < best:
                best, kept = found, [weight.clone() for weight in model.weights()]
    weights = Weights(*((part * (100 / worth)).round_().clamp_(-8000, 8000).to(torch.int16) for part in kept))
    report = {
        "positions": len(train) + len(held_out),
        "held_out_positions": len(held_out),
        "best_held_out_loss": best,
        "rounded_held_out_loss": rounded_loss(weights, data, held_out, worth),
        "material_held_out_loss": material_loss(data, held_out, worth),
        "worth_of_a_man_in_logits": worth,
        "losses": losses,
        "steps": step,
        "ended_by": "time" if late else "steps" if step == options.steps else "no progress",
        "seconds": round(time.monotonic() - began, 2),
        "options": vars(options),
        "extras": weights.extras.tolist(),
        "weights_not_zero": int((weights.own != 0).sum()),
    }
    return weights, report


def material_loss(data: Data, rows: torch.Tensor, worth: float) -> float:
    """Return the loss if only men and kings, as three men, counted: what the weights must beat."""
    logits = (data.extras[rows, 0].float() + 3 * data.extras[rows, 1].float()) * worth
    return float(torch.nn.functional.binary_cross_entropy_with_logits(logits, data.target[rows]))


def rounded_loss(weights: Weights, data: Data, rows: torch.Tensor, worth: float) -> float:
    model = Model()
    model.own, model.parts = weights.own * (worth / 100), weights.parts * (worth / 100)
    model.extras = weights.extras * (worth / 100)
    return model.loss(data, rows)


def values(weights: Weights, boards: Boards) -> torch.Tensor:
    """Evaluate positions exactly as the search does, for the side to move; it can move."""
    merged = weights.merged().to(torch.int64).view(-1, 2)
    sign = torch.tensor(SIGN, device=merged.device).to(torch.int64)
    both = (merged[windows(boards).long()] * sign[None, :, None]).sum(1)
    both += (extras(boards)[:, :, None] * weights.extras.to(torch.int64)[None]).sum(1)
    both = both * (1 - 2 * boards.to_move)[:, None]
    phase = (pieces(boards) - FEW).clamp(0, SPAN)
    value = torch.div(both[:, 0] * phase + both[:, 1] * (SPAN - phase), SPAN, rounding_mode="trunc")
    red, black = popcount(boards.red_men | boards.red_kings), popcount(boards.black_men | boards.black_kings)
    ahead_red = torch.where(boards.to_move == 0, value, -value) > 0
    hard_red = (boards.black_kings != 0) & (red <= 3) & (black <= 2)
    hard_black = (boards.red_kings != 0) & (black <= 3) & (red <= 2)
    hard = torch.where(ahead_red, hard_red, hard_black)
    return torch.where(hard, torch.div(value, 4, rounding_mode="trunc"), value)


def save(weights: Weights, path: Path) -> str:
    """Write the weights that the product ships; return the hash of the file."""
    own, parts, small = (part.cpu().numpy() for part in (weights.own, weights.parts, weights.extras))
    np.savez_compressed(path, own=own, parts=parts, extras=small)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def load(path: Path) -> Weights:
    with np.load(path) as arrays:
        return Weights(*(torch.from_numpy(arrays[name]).to(device()) for name in ("own", "parts", "extras")))


def save_merged(weights: Weights, path: Path) -> None:
    """Write the weights for selfplay.cu."""
    with path.open("wb") as file:
        file.write(weights.extras.cpu().numpy().tobytes())
        file.write(weights.merged().to(torch.int16).cpu().numpy().tobytes())


def read_samples(paths: list[Path], most: int) -> np.ndarray:
    """Read samples, the last files first, in the order of their games, whichever thread played them."""
    parts = []
    for at, path in enumerate(reversed(paths)):
        samples = np.fromfile(path, SAMPLE)
        samples = samples[np.lexsort((samples["ply"], samples["game"]))][: most - sum(map(len, parts))]
        # Games of different rounds are different games.
        samples["game"] += np.uint32(at * 1_000_000_007 % 4_000_000_000)
        parts.append(samples)
    return np.concatenate(parts)
