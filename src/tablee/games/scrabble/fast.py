"""What the kernel does quicker than the rules, for `tablee simulate`. Importing it loads Numba."""

from __future__ import annotations

from random import Random

from ...core.game import Seat
from .board import RACK
from .engines import engine, no_likes
from .rules import PASS, exchanges
from .values import Accept, Action, Challenge, State


def pick(state: State, seat: Seat, dice: Random) -> Action:
    """Return a random legal action, each equally likely, without listing the plays as actions."""
    if state.stage == "challenge":
        return dice.choice((Accept(), Challenge()))
    words = engine(state.options.lexicon)
    words.set_board(state.board)
    words.set_rack(state.racks[seat], no_likes())
    plays = words.play_arrays()[0]
    others = [*(exchanges(state.racks[seat]) if len(state.bag) >= RACK else ()), PASS]
    at = dice.randrange(len(plays) + len(others))
    return words.place(int(plays[at])) if at < len(plays) else others[at - len(plays)]
