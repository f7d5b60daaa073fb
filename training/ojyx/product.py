"""The product's states as arrays of the training's rules, and a player with the network for the product's arena.

    PYTHONPATH=src python training/ojyx/product.py --weights out/network-HASH.npz --against difficile --manches 200
    PYTHONPATH=src python training/ojyx/product.py --against moyen          # the rule of thumb

It needs the product and g++, but neither torch nor a GPU.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import tempfile
from itertools import permutations
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from tablee.arena import enter, interval, play_rounds
from tablee.core.game import Seat
from tablee.games.ojyx import bots
from tablee.games.ojyx.cards import INDEX
from tablee.games.ojyx.deck import count_actions
from tablee.games.ojyx.imagine import imagine
from tablee.games.ojyx.values import (
    Action,
    Choose,
    Discard,
    Draw,
    EndTurn,
    Place,
    Play,
    React,
    State,
    Store,
    Throw,
    TurnUp,
)

SOURCE = Path(__file__).parent / "play.cu"
STAGES = ("choose", "draw", "decide", "turn", "action", "play", "react", "gift", "scout", "over")
SOURCES = ("", "deck", "discard", "action", "gift")
ORDERS = {order: at for count in (1, 2, 3) for at, order in enumerate(permutations(range(count)))}
STATE, POSITION, ACTION = 522, 632, 255
UNIT = 20.0


def compile_rules(path: Path) -> ctypes.CDLL:
    """Compile the rules for the CPU."""
    command = ["g++", "-O1", "-std=c++17", "-DHOST", "-shared", "-fPIC", "-x", "c++", SOURCE, "-o", path]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(path))


def pointer(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def code_of(action: Action) -> int:
    """Return the number of an action in the C++ rules."""
    kind = card = seat = cell = theirs = column = 0
    match action:
        case Choose((cell, theirs)):
            kind = 0
        case Draw(source):
            kind = {"deck": 1, "discard": 2, "action": 3}[source]
        case Place(cell):
            kind = 4
        case Discard():
            kind = 5
        case TurnUp(cell):
            kind = 6
        case Store():
            kind = 7
        case Throw(name):
            kind, card = 8, INDEX[name]
        case EndTurn():
            kind = 9
        case Play("scout", order=tuple(order)):
            kind, column = 15, ORDERS[order]
        case Play("gift", seat=int(seat), target_cell=theirs):
            kind = 14
        case Play(name):
            kind, card, seat = 10, INDEX[name], action.seat or 0
            cell, theirs = action.cells or (action.cell or 0, action.target_cell or 0)
            column = action.column or 0
        case React(answer):
            kind = {"accept": 11, "shield": 12, "mirror": 13}[answer]
            cell, theirs, column = action.cell or 0, action.target_cell or 0, action.column or 0
    return kind | card << 4 | seat << 9 | cell << 13 | theirs << 17 | column << 21


def or_none(number: int | None) -> int:
    return -1 if number is None else number


def table_of(state: State) -> Any:
    """Return the array of the C++ rules for a state."""
    s, seats = np.zeros(522, np.int16), len(state.grids)
    s[:96], s[310:406], s[472:480] = 15, -1, -1
    for seat, grid in enumerate(state.grids):
        s[12 * seat : 12 * seat + 12] = [code + 2 if code < 13 else code for code in grid]
        s[96 + 4 * seat : 100 + 4 * seat] = np.subtract(state.curses[seat], state.heals[seat])
        stock = [INDEX[card] for card in state.stocks[seat]]
        s[310 + 12 * seat : 310 + 12 * seat + len(stock)] = stock
        s[406 + seat] = len(stock)
        if state.chosen and state.chosen[seat]:
            one, other = state.chosen[seat]
            s[472 + seat] = one | other << 4
    s[128:143] = state.unseen
    s[143:158] = state.deck or 0
    s[158 : 158 + len(state.discard)] = np.array(state.discard, np.int16) + 2
    s[414 : 414 + seats], s[422 : 422 + seats] = state.frozen, state.turns
    s[430:451], s[451:472] = state.actions, count_actions(state.action_discard)
    s[480 : 480 + len(state.scouted)] = np.array(state.scouted, np.int16) + 2
    held, attack = state.held, state.attack
    s[491:494] = seats, STAGES.index(state.stage), or_none(state.to_act)
    s[494:498] = 0, -1, -1, 0
    if held is not None:
        card = -1 if held.card is None else held.card + 2
        action = -1 if held.action is None else INDEX[held.action]
        s[494:498] = SOURCES.index(held.source), card, action, held.known
    top = INDEX[state.action_discard[-1]] if state.action_discard else -1
    s[498:504] = state.deck_size, bool(state.deck), len(state.discard), top, len(state.scouted), or_none(state.scout)
    s[504:510] = -1
    if attack is not None:
        aim = attack.cell or 0, attack.target_cell or 0, attack.column or 0
        s[504:510] = attack.seat, attack.target, INDEX[attack.card], *aim
    last = -1 if state.last_card is None else INDEX[state.last_card]
    s[510:516] = state.plays, last, state.direction, state.skips, state.shielded, or_none(state.starter)
    s[516:519] = or_none(state.initiator), state.ending, state.owed
    s[519:522] = state.options.deck == "extended", state.options.reveal_after_discard, state.gone
    return s


def rows_of(library: ctypes.CDLL, state: State, seat: Seat) -> tuple[list[int], Any, Any, Any]:
    """Return the actions that the network values, its inputs, and the values of the rule of thumb."""
    s, codes = table_of(state), np.zeros(5000, np.int32)
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
