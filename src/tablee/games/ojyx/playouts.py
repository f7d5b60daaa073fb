"""The search of maître: play two rounds after the promising actions, many times, and ask the network what follows.

A playout to the end of the manche tells little: its lead varies by 20 points, whatever the action. The network predicts
the mean of many such playouts, and two rounds show what an action leads to. The coach makes the same playouts, for the
leads of all seats.

Importing this module loads Numba, so bots and coach import it only inside a decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from ...core.game import Chance, Seat
from ...core.halving import halve
from ...core.limit import Limit
from . import manche_kernel as kernel
from .encoding import code_of, table_of
from .foresight import network
from .imagine import imagine
from .values import Action, State, View

WORLDS = 32
"""States imagined for a decision: the stocks and the cards that only others know. A playout draws the rest itself."""
ROUNDS = 2
"""The turns of the seat until the network is asked."""
ALL_ROUNDS = 1 << 30
"""Playouts of so many rounds end with the manche."""
CHUNK = 384
"""Playouts between two checks of the clock."""
FIRST = 2
"""Playouts after every action before any is dropped."""
PRIOR = 10
"""The first impression of an action counts as much as this many playouts."""
MISJUDGED = 2.0
"""How far the network is off on average, in points: it was compared with the mean of many manches played to the end."""
UNTRIED = 20.0
"""The stated error of the value of an action that was not tried, in points."""


class Worth(NamedTuple):
    """The value of an action, in points ahead of the mean of the others at the end of the manche, and its error."""

    value: float
    error: float


class Playouts:
    """Playouts after some actions, from one or more manches in turn."""

    def __init__(self, tables: Any, codes: Sequence[int], dice: Any) -> None:
        self.tables = tables
        self.codes = codes
        self.dice = dice
        self.worlds = len(tables) // kernel.STATE
        self.played = 0

    def leads(
        self, actions: Sequence[int], count: int, who: Sequence[Seat], rounds: int = ROUNDS, capped: bool = True
    ) -> Any:
        """Make so many playouts after each action, with the same luck for all; `capped` leaves out extreme scores.

        Return the leads of the seats of `who` by action, playout and seat; see `try_actions` of the kernel.
        """
        return self._play(actions, count, who, rounds, capped)[0]

    def doubled(self, action: int, count: int, seat: Seat) -> int:
        """Play so many manches after an action to the end; return how often the seat ends them and scores double."""
        return int(self._play([action], count, [seat], ALL_ROUNDS, capped=False)[1][0])

    def _play(self, actions: Sequence[int], count: int, who: Sequence[Seat], rounds: int, capped: bool) -> Any:
        leads: Any = np.empty((len(actions), count, len(who)))
        doubled: Any = np.zeros(len(actions), np.int64)
        codes: Any = np.array([self.codes[at] for at in actions], np.int64)
        kernel.try_actions(
            self.tables, self.worlds, self.played, count, codes, np.array(who, np.int64), kernel.TUNED, network(),
            rounds, capped, self.dice, leads.reshape(-1), doubled,
        )  # fmt: skip
        self.played += count
        return leads, doubled


class Trials(Playouts):
    """The playouts of one decision, from manches that fit the view of a seat."""

    def __init__(self, view: View, seat: Seat, actions: Sequence[Action], chance: Chance, worlds: int = WORLDS) -> None:
        dice = dice_of(chance)
        tables: Any = np.concatenate([table_of(imagine(view, chance)) for _ in range(worlds)])
        super().__init__(tables, [code_of(action) for action in actions], dice)
        self.seat = seat
        self.likings = self.first_impressions()

    def first_impressions(self) -> list[float]:
        """Return the value of each action by the rule of thumb."""
        at, sites, s = np.empty(kernel.SIGHT), np.empty(kernel.SITES, np.int64), self.tables[: kernel.STATE]
        kernel.look(s, self.seat, kernel.TUNED, at)
        return [kernel.thumb_of(s, at, kernel.TUNED, code, sites) for code in self.codes]

    def groups(self) -> list[list[int]]:
        """Return the indexes of the actions in groups of equals, the best group first.

        Only actions that the kernel lists in short can lead a group: an aim that differs from another one only by the
        order of equal cards joins its group, and an action without any effect is left out.
        """
        listed: Any = np.empty(kernel.MOST_ACTIONS, np.int64)
        found = kernel.list_actions(self.tables[: kernel.STATE], True, listed)
        leaders = set(listed[:found].tolist())
        groups: dict[tuple[int, float], list[int]] = {}
        for at in sorted(range(len(self.codes)), key=lambda at: self.codes[at] not in leaders):
            key = (self.codes[at] & 0x1FFF, round(self.likings[at], 9))
            if self.codes[at] in leaders or key in groups:
                groups.setdefault(key, []).append(at)
        return sorted(groups.values(), key=lambda group: -self.likings[group[0]])

    def try_out(self, tried: Sequence[int], budget: int, limit: Limit) -> list[Worth]:
        """Return the worth of some actions after playouts, with a budget for all together.

        Without time for any playout the worth is the first impression.
        """
        if limit.over():
            return [Worth(self.likings[at], UNTRIED) for at in tried]
        sums, squares = sums_of(self.leads(tried, FIRST, [self.seat]))
        counts = [FIRST] * len(tried)
        liked = [self.likings[at] for at in tried]
        level = float(sums.mean()) / FIRST - sum(liked) / len(liked)
        totals = [float(total) + PRIOR * (level + one) for total, one in zip(sums, liked, strict=True)]
        times = [FIRST + PRIOR] * len(tried)

        def play_some(alive: list[int], count: int) -> list[float]:
            found, squared = sums_of(self.leads([tried[at] for at in alive], count, [self.seat]))
            for at, one, square in zip(alive, found, squared, strict=True):
                sums[at] += one
                squares[at] += square
                counts[at] += count
            return [float(one) for one in found]

        values = halve(totals, times, budget, limit, CHUNK, play_some)
        errors = [spread(*one) for one in zip(sums.tolist(), squares.tolist(), counts, strict=True)]
        return [Worth(*one) for one in zip(values, errors, strict=True)]


def dice_of(chance: Chance) -> Any:
    """Return the random numbers of the kernel."""
    return np.array([chance.pick(1 << 62)], np.int64)


def known(state: State, chance: Chance) -> Playouts:
    """Return the playouts of a state, in which the seat that must act plays on."""
    return Playouts(table_of(state), [kernel.NO_ACTION], dice_of(chance))


def sums_of(leads: Any) -> tuple[Any, Any]:
    """Return the sums and the sums of squares of the leads after each action."""
    return leads.sum(axis=(1, 2)), np.square(leads).sum(axis=(1, 2))


def spread(total: float, squares: float, count: int) -> float:
    """Return the standard error of a mean, with that of the network."""
    mean = total / count
    return sqrt(max(0.0, squares / count - mean * mean) / max(1, count - 1) + MISJUDGED**2)


def warm_up() -> None:
    """Compile or load every function of the kernel that a decision may call."""
    s, codes, dice = np.empty(kernel.STATE, np.int64), np.empty(kernel.MOST_ACTIONS, np.int64), np.array([1], np.int64)
    at, sites = np.empty(kernel.SIGHT), np.empty(kernel.SITES, np.int64)
    kernel.deal(s, 2, True, True, 0, dice)
    kernel.list_actions(s, True, codes)
    kernel.look(s, 0, kernel.TUNED, at)
    kernel.thumb_of(s, at, kernel.TUNED, int(codes[0]), sites)
    Playouts(s, [int(codes[0])], dice).leads([0], 1, [0])
