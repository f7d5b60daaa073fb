"""A player with the network, or with the rule of thumb of the training, for the product's arena.

    PYTHONPATH=src python training/ojyx/product.py --weights out/network-HASH.npz --against difficile --manches 200
    PYTHONPATH=src python training/ojyx/product.py --against moyen          # the rule of thumb

It needs the product and g++, but neither torch nor a GPU.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import tempfile
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from tablee.arena import enter, interval, play_rounds
from tablee.core.game import Seat
from tablee.games.ojyx import bots
from tablee.games.ojyx.encoding import code_of, table_of
from tablee.games.ojyx.imagine import imagine
from tablee.games.ojyx.values import State

SOURCE = Path(__file__).parent / "play.cu"
POSITION, ACTION = 632, 255
UNIT = 20.0


def compile_rules(path: Path) -> ctypes.CDLL:
    """Compile the rules for the CPU."""
    command = ["g++", "-O1", "-std=c++17", "-DHOST", "-shared", "-fPIC", "-x", "c++", SOURCE, "-o", path]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(path))


def pointer(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def rows_of(library: ctypes.CDLL, state: State, seat: Seat) -> tuple[list[int], Any, Any, Any]:
    """Return the actions that the network values, its inputs, and the values of the rule of thumb."""
    s, codes = table_of(state).astype(np.int16), np.zeros(5000, np.int32)
    found = library.ojyx_actions(pointer(s), 1, pointer(codes))
    position, actions = np.zeros(POSITION, np.float32), np.zeros((found, ACTION), np.float32)
    thumbs = np.zeros(found, np.float32)
    library.ojyx_observe(pointer(s), seat, pointer(codes), found, pointer(position), pointer(actions), pointer(thumbs))
    return codes[:found].tolist(), position, actions, thumbs


class Learned(bots.OjyxBot):
    """Play the action that the network values most; without weights, follow the rule of thumb."""

    def __init__(self, library: ctypes.CDLL, weights: Path | None) -> None:
        self.library = library
        self.weights = (
            None if weights is None else {name: one.astype(np.float32) for name, one in np.load(weights).items()}
        )

    def values(self, position: Any, actions: Any, thumbs: Any) -> Any:
        w = self.weights
        if w is None:
            return thumbs
        seen = w["position.weight"] @ position + w["position.bias"]
        hidden = np.maximum(seen + actions @ w["action.weight"].T, 0)
        hidden = np.maximum(hidden @ w["middle.weight"].T + w["middle.bias"], 0)
        both = hidden @ w["last.weight"].T + w["last.bias"]
        return UNIT * (both[:, 1] - both[:, 0])

    def worth(self, view: Any, actions: Any, think: Any) -> list[float]:
        codes, position, rows, thumbs = rows_of(self.library, imagine(view, think.chance), think.seat)
        found = dict(zip(codes, self.values(position, rows, thumbs).tolist(), strict=True))
        # Equal actions are valued once; the others of a group are never chosen.
        return [found.get(code_of(action), -1000.0) for action in actions]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--against", default="difficile")
    parser.add_argument("--manches", type=int, default=100)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deck", choices=("standard", "extended"), default="standard")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        library = compile_rules(Path(work) / "rules.so")
    # A fixed number of playouts for difficile, so that a busy machine does not weaken it.
    bots.Difficile.SECONDS = 1e6
    bots.BOTS["learned"] = Learned(library, asked.weights)
    options = {"rounds": 1, "deck": asked.deck}
    contest = enter("ojyx", ("learned", asked.against), seats=asked.seats, options=options, seed="learned", seconds=1e6)
    fewer, mine, theirs = [], [], []
    for number, (own, other) in enumerate(play_rounds(contest, -(-asked.manches // 2), 1), 1):
        mine.append(fmean(own.scores))
        theirs.append(fmean(other.scores))
        fewer.append(theirs[-1] - mine[-1])
        if number % 10 == 0:
            low, high = interval(fewer)
            print(
                f"{2 * number} manches: {fmean(mine):.1f} against {fmean(theirs):.1f}, "
                f"{fmean(fewer):.2f} fewer ({low:.2f} to {high:.2f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
