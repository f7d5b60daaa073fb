"""The value of keeping tiles, estimated once for a lexicon by self-play and stored in a small file.

Random racks are tried on the boards of many games. Racks with an S score more than others, racks with a Q and no U
less. A linear regression finds by how much, for every tile, every pair of tiles, and every number of vowels and
consonants. The value of a rack includes the tiles that its best play keeps, so the estimate is repeated in rounds.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .lexicon import SHIPPED, own_folder, shipped_ref

if TYPE_CHECKING:
    from .engine import Engine

ROUNDS = 3
"""The number of rounds."""
SAMPLES = 4
"""Random racks for each turn of a game."""
STEADY = 200.0
"""Regularization: this many neutral racks are added for each feature, so that rare features count little."""
STEP = 20
"""Games between two ticks."""


def path_in(folder: Path, ref: str) -> Path:
    """Return the file of the estimates for a lexicon."""
    return folder / f"{ref.replace(':', '.')}.leaves.json"


def estimate(
    engine: Engine, games: int, seed: int = 1, tick: Callable[[int], None] = lambda games: None
) -> tuple[Any, int]:
    """Estimate the value of keeping tiles, in thousandths of a point; return it and the number of racks tried."""
    from . import kernel

    likes: Any = np.zeros(kernel.LIKES, np.int64)
    dice: Any = np.array([seed], np.int64)
    racks = 0
    for _ in range(ROUNDS):
        sums: Any = np.zeros(kernel.LIKES + 2)
        products: Any = np.zeros(kernel.LIKES * kernel.LIKES)
        for start in range(0, games, STEP):
            some = min(STEP, games - start)
            engine.play_games(likes, likes, some, dice, SAMPLES, sums, products)
            tick(some)
        racks += int(sums[-1])
        likes = regress(sums, products.reshape(kernel.LIKES, kernel.LIKES))
    return likes, racks


def regress(sums: Any, products: Any) -> Any:
    """Return the value of each feature beyond the average rack, in thousandths of a point."""
    from .kernel import BALANCE, LIKES, PAIR

    mean = sums[LIKES] / sums[LIKES + 1]
    # Every part of a rack has one balance, so the sum of these columns counts how often each feature occurred.
    times = products[:, BALANCE:].sum(axis=1)
    seen = times > 0
    likes = np.zeros(LIKES)
    system = products[np.ix_(seen, seen)] + STEADY * np.eye(int(seen.sum()))
    likes[seen] = np.linalg.solve(system, (sums[:LIKES] - mean * times)[seen])
    pairs = likes[PAIR:BALANCE].reshape(27, 27)
    pairs += np.triu(pairs, 1).T
    return np.rint(1000 * likes).astype(np.int64)


def write(path: Path, ref: str, likes: Any, games: int, racks: int, seed: int) -> None:
    """Write the estimates and their origin to a file."""
    from .kernel import BALANCE, PAIR, TILES

    about = f"tablee lexicon leaves: {racks} racks on the boards of {games} games against itself, {ROUNDS} times over"
    pairs = likes[PAIR:BALANCE].reshape(27, 27)
    content = {
        "lexicon": ref,
        "made_by": about,
        "seed": seed,
        "unit": "thousandths of a point",
        "tiles": {tile: int(likes[at]) for at, tile in enumerate(TILES)},
        "pairs": {
            one + two: int(pairs[at, to]) for at, one in enumerate(TILES) for to, two in enumerate(TILES) if at <= to
        },
        "vowels_then_consonants": likes[BALANCE:].reshape(8, 8).tolist(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n")


def read(path: Path) -> Any:
    """Read what `write` wrote."""
    from .kernel import BALANCE, LIKES, PAIR, TILES

    content = json.loads(path.read_text())
    likes: Any = np.zeros(LIKES, np.int64)
    likes[:PAIR] = [content["tiles"][tile] for tile in TILES]
    for pair, worth in content["pairs"].items():
        one, two = map(TILES.index, pair)
        likes[PAIR + 27 * one + two] = likes[PAIR + 27 * two + one] = worth
    likes[BALANCE:] = np.array(content["vowels_then_consonants"], np.int64).reshape(-1)
    return likes


def file_of(ref: str) -> Path:
    """Return the file of the estimates for a lexicon, or of the shipped one if there is none."""
    for path in (path_in(own_folder(), ref), path_in(SHIPPED, ref), path_in(SHIPPED, shipped_ref())):
        if path.exists():
            return path
    raise FileNotFoundError(path_in(SHIPPED, shipped_ref()))


def hash_of(ref: str) -> str:
    """Return the hash of that file."""
    return sha256(file_of(ref).read_bytes()).hexdigest()[:16]


@cache
def likes_of(ref: str) -> Any:
    """Return the value of keeping tiles for a lexicon, or for the shipped one if there is no estimate."""
    return read(file_of(ref))
