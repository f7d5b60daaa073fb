"""The chance to win from points and tiles left, estimated by self-play and stored in a small file.

Every seat has its points and the value of the tiles that it kept. The chance to come first is proportional to
exp((points + turn) / scale). `turn` is what it is worth to move earlier than the last in the order. Both numbers depend
on the number of players and on the tiles in the bag. With two players this is a logistic curve of the difference.

The games are those of the engine's choice by score and tiles kept. The name of the file contains a hash of what made
it: the lexicon, the values of the tiles kept, the number of games and the seed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from .lexicon import SHIPPED, own_folder, shipped_ref

if TYPE_CHECKING:
    from .engine import Engine

PLAYERS = (2, 3, 4)
STEP = 250
"""Games between two ticks."""
FORM = 1
"""The version of the method; it is part of the hash."""
VAGUE = 4.0
"""How far the final points of a playout are off what good players would reach: the scale of a logistic curve."""
STEPS = 8
"""Newton steps of a fit; it converges in five."""


class Report(Struct, frozen=True):
    """What made a file."""

    lexicon: str
    leaves: str
    """The hash of the file with the values of tiles kept."""
    games: int
    """For each number of players."""
    seed: int
    form: int = FORM

    @property
    def hash(self) -> str:
        text = f"{self.form} {self.lexicon} {self.leaves} {self.games} {self.seed}"
        return sha256(text.encode()).hexdigest()[:16]


class Curve(Struct, frozen=True):
    """The chances for one number of players; the arrays are indexed by the tiles in the bag."""

    scale: Any
    """In points; a lead of this size makes a win e times as likely."""
    turn: Any
    """In points, for each place in the order from the player to move on; 0 for the last."""

    def chances(self, points: Any, bag: Any, mover: int) -> Any:
        """Return the chance of each seat to come first.

        `points` has a row for each seat, with the tiles kept; `bag` has the tiles in the bag; `mover` is the seat that
        moves next.
        """
        players = len(points)
        bag = np.clip(bag, 1, len(self.scale) - 1)
        order = (np.arange(players) - mover) % players
        powers = (points + np.moveaxis(self.turn[bag][..., order], -1, 0)) / self.scale[bag]
        powers = np.exp(powers - powers.max(axis=0))
        return powers / powers.sum(axis=0)


def shares(points: Any) -> Any:
    """Return the result of each seat at the end: 1 for the first place, and a part of it if it is shared."""
    first = points == points.max(axis=0)
    return first / first.sum(axis=0)


def vague_shares(points: Any) -> Any:
    """Return the chance of each seat to come first if the final points are those of a playout, which are not exact."""
    powers = np.exp((points - points.max(axis=0)) / VAGUE)
    return powers / powers.sum(axis=0)


def fit(rows: Any, finals: Any, players: int) -> tuple[Any, Any]:
    """Return scale and turn by the tiles in the bag, from the rows and the final scores of `record_games`."""
    where, bag, points = rows[:, 0], rows[:, 1], rows[:, 2:] / 1000
    game, mover = where // players, where % players
    order = (mover[:, None] + np.arange(players)) % players
    won = shares(finals.reshape(-1, players).T).T[game[:, None], order]
    most = int(bag.max())
    scale, turn = np.ones(most + 1), np.zeros((most + 1, players))
    for left in range(1, most + 1):
        # Neighbours smooth the curve; there are more of them if the bag is fuller, because less changes then.
        near = np.abs(bag - left) <= 1 + left // 10
        scale[left], turn[left] = fit_one(points[near], won[near])
    return scale, turn


def fit_one(points: Any, won: Any) -> tuple[float, Any]:
    """Fit a scale and the values of the turn by Newton's method (a conditional logit)."""
    count, players = points.shape
    # Each seat has its points and one indicator for each place in the order but the last.
    features = np.zeros((count, players, players))
    features[:, :, 0] = points / 100
    for place in range(players - 1):
        features[:, place, 1 + place] = 1
    found = np.zeros(players)
    for _ in range(STEPS):
        powers = np.exp(features @ found)
        chance = powers / powers.sum(axis=1, keepdims=True)
        mean = np.einsum("nj,njk->nk", chance, features)
        slope = np.einsum("nj,njk->k", won - chance, features)
        curve = np.einsum("nj,njk,njl->kl", chance, features, features) - mean.T @ mean
        found = found + np.linalg.solve(curve + 1e-3 * np.eye(players), slope)
    scale = 100 / found[0]
    return scale, np.append(found[1:] * scale, 0.0)


def record(
    engine: Engine, likes: Any, players: int, games: int, seed: int, tick: Callable[[int], None]
) -> tuple[Any, Any]:
    """Play games and return their rows and final scores."""
    from . import kernel
    from .playouts import game_for

    game = game_for(engine, likes)
    dice: Any = np.array([seed * 8 + players], np.int64)
    rows: Any = np.zeros(STEP * 120 * (2 + players), np.int64)
    finals: Any = np.zeros(STEP * players, np.int64)
    all_rows, all_finals = [], []
    for start in range(0, games, STEP):
        some = min(STEP, games - start)
        count = kernel.record_games(game, players, some, dice, rows, finals)
        found = rows[: count * (2 + players)].reshape(count, -1).copy()
        found[:, 0] += start * players
        all_rows.append(found[found[:, 1] > 0])
        all_finals.append(finals[: some * players].copy())
        tick(some)
    return np.concatenate(all_rows), np.concatenate(all_finals)


def estimate(
    engine: Engine, likes: Any, games: int, seed: int, tick: Callable[[int], None] = lambda games: None
) -> dict[int, Curve]:
    """Estimate the chances for every number of players."""
    curves = {}
    for players in PLAYERS:
        scale, turn = fit(*record(engine, likes, players, games, seed, tick), players)
        curves[players] = Curve(scale, turn)
    return curves


def path_in(folder: Path, report: Report) -> Path:
    """Return the file of a report."""
    return folder / f"{report.lexicon.replace(':', '.')}.winning-{report.hash}.json"


def write(path: Path, report: Report, curves: dict[int, Curve]) -> None:
    """Write the estimates and what made them to a file."""
    content = {
        "made_by": "tablee lexicon winning",
        **{field: getattr(report, field) for field in report.__struct_fields__},
        "unit": "points, by the tiles in the bag from 0 on",
        "scale": {str(players): rounded(curve.scale) for players, curve in curves.items()},
        "turn": {str(players): [rounded(at) for at in curve.turn.T] for players, curve in curves.items()},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items())
    path.write_text("{" + lines + "}\n")


def rounded(numbers: Sequence[float]) -> list[float]:
    return [round(float(number), 2) for number in numbers]


def read(path: Path) -> tuple[Report, dict[int, Curve]]:
    """Read what `write` wrote."""
    content = json.loads(path.read_text())
    report = Report(**{field: content[field] for field in Report.__struct_fields__})
    curves = {
        int(players): Curve(np.array(scale), np.array(content["turn"][players]).T)
        for players, scale in content["scale"].items()
    }
    return report, curves


@cache
def curves_of(ref: str) -> dict[int, Curve]:
    """Return the chances for a lexicon, or those of the shipped one if there is no estimate."""
    for folder, name in ((own_folder(), ref), (SHIPPED, ref), (SHIPPED, shipped_ref())):
        for path in sorted(folder.glob(f"{name.replace(':', '.')}.winning-*.json")):
            return read(path)[1]
    raise FileNotFoundError(SHIPPED / f"{shipped_ref()}.winning-*.json")
