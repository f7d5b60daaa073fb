"""Views and actions as numbers, for programs that learn (`tablee.envs`).

A game declares its encoding in `Package.encoding`. An encoding belongs to one number of seats and one set of options.
It imports NumPy, so nothing imports it before an environment is made.

An action is one id or a short row of ids. A capture in several jumps or a word of seven tiles is a row: its player
chooses one id after the other. No row begins with another row, so the end of a row is never in doubt.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from itertools import accumulate, pairwise
from operator import index
from typing import Any, ClassVar, Generic, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from .game import A, Game, Seat, V, ordinary

Observation = NDArray[np.int16]
Mask = NDArray[np.int8]
Ids = tuple[int, ...]
"""The ids of one action, in the order in which its player chooses them."""

MATCH_OVER, REFUSED = -1, -2
"""What a single match returns after a step, instead of the seat that chooses next."""

_WORD = (1 << 64) - 1


class Dice:
    """The chance of environments: a 64-bit generator that a kernel repeats exactly.

    It is far quicker than `SeedChance`, and nobody needs to check the deals of a learning program.
    """

    __slots__ = ("state",)

    def __init__(self, seed: SupportsIndex) -> None:
        self.state = scrambled(seed)

    def pick(self, n: int, /) -> int:
        """Return an integer drawn from [0, n), for n below 2 to the 32."""
        self.state = state = (self.state * 6364136223846793005 + 1442695040888963407) & _WORD
        return ((state >> 32) * n) >> 32


def scrambled(seed: SupportsIndex) -> int:
    """Return 64 bits that differ in about half of their places for neighbouring seeds (SplitMix64)."""
    bits = (index(seed) + 0x9E3779B97F4A7C15) & _WORD
    bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & _WORD
    return bits ^ bits >> 31


class Later(ABC):
    """Where an id leads, if finding that out for all ids at once would be slow."""

    @abstractmethod
    def open(self) -> Any:
        """Return the action, or the choices that follow."""


Choices = dict[int, Any]
"""Where each id leads: to an action, to more choices, or to a `Later`."""


class Kernel(ABC):
    """Many matches of one game in machine code, with the ids and observations of its encoding.

    The arrays have one row for each match. A kernel keeps its matches in an array of its own.
    """

    @abstractmethod
    def reset(self, dice: NDArray[np.int64]) -> None:
        """Begin every match; `dice` holds the state of the `Dice` of each."""

    @abstractmethod
    def step(self, ids: NDArray[np.int64], scores: NDArray[np.int64], places: NDArray[np.int64]) -> None:
        """Play one id that is not masked in each match; if one ends, write its outcome.

        The places of a match that goes on stay as they are.
        """

    @abstractmethod
    def renew(self, ended: NDArray[np.bool_]) -> None:
        """Begin some matches again."""

    @abstractmethod
    def look(self, seats: NDArray[np.int64], observations: Observation, masks: Mask) -> None:
        """Write the seat that chooses next in each match, what it sees, and which ids it can choose.

        The arrays are the same at every call: zeros at first, then what the last call wrote.
        """

    def choose(self, words: NDArray[np.int64], dice: NDArray[np.int64], ids: NDArray[np.int64]) -> None:
        """Write a random legal id of each match; `words` are the masks of the last look, eight marks in each word."""
        from .choose_kernel import choose_all

        choose_all(words, dice, ids)

    def player(self, desk: NDArray[np.int64]) -> Callable[[int], int]:
        """Return a function that plays an id in the only match, whose arrays lie on a desk (`desk_kernel.py`).

        The function returns the seat that chooses next, `MATCH_OVER`, or `REFUSED` if it changed nothing because the id
        is masked or does not exist.
        """
        from .desk_kernel import arrays_of

        ids, seats, scores, places, observations, masks = arrays_of(desk)

        def play(one: int) -> int:
            if not (0 <= one < masks.size and masks[0, one]):
                return REFUSED
            ids[0] = one
            self.step(ids, scores, places)
            if places[0, 0]:
                return MATCH_OVER
            self.look(seats, observations, masks)
            return int(seats[0])

        return play

    @abstractmethod
    def show(self, states: Observation) -> None:
        """Write the observations of all seats of each match, one after the other."""


class CompiledKernel(Kernel):
    """Matches that the functions of a compiled module play.

    The module has `STATE`, the size of one match, and functions over many: `renew_all`, `step_all`, `look_all` and
    `show_all`. The first place of a match holds its dice. `facts` are the options and tables of the game. If the module
    has `WORK`, functions that change matches also get so much memory to work in. It may have `play_one`, which makes a
    step of a single match quicker.
    """

    def __init__(self, code: Any, n: int, facts: Iterable[int] | NDArray[np.int64]) -> None:
        self._states: NDArray[np.int64] = np.zeros((n, code.STATE), np.int64)
        self._facts: NDArray[np.int64] = facts if isinstance(facts, np.ndarray) else np.array([*facts], np.int64)
        self._all: NDArray[np.bool_] = np.ones(n, np.bool_)
        self._run(code)

    def _run(self, code: Any) -> None:
        """Play with the functions of a module."""
        self._code = code
        self._rest = (self._facts, np.zeros(code.WORK, np.int64)) if hasattr(code, "WORK") else (self._facts,)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy needs: the name of the module, and no memory to work in."""
        state = {**self.__dict__, "_code": self._code.__name__}
        del state["_rest"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._run(import_module(state["_code"]))

    def reset(self, dice: NDArray[np.int64]) -> None:
        self._states[:, 0] = dice
        self.renew(self._all)

    def renew(self, ended: NDArray[np.bool_]) -> None:
        self._code.renew_all(self._states, ended, *self._rest)

    def step(self, ids: NDArray[np.int64], scores: NDArray[np.int64], places: NDArray[np.int64]) -> None:
        self._code.step_all(self._states, ids, scores, places, *self._rest)

    def look(self, seats: NDArray[np.int64], observations: Observation, masks: Mask) -> None:
        self._code.look_all(self._states, seats, observations, masks, self._facts)

    def player(self, desk: NDArray[np.int64]) -> Callable[[int], int]:
        if not hasattr(self._code, "play_one"):
            return super().player(desk)
        from .desk_kernel import bound

        return bound(self._code.play_one, desk, self._states, *self._rest)

    def show(self, states: Observation) -> None:
        self._code.show_all(self._states, states, self._facts)


class Encoding(ABC, Generic[A, V]):
    """Numbers for the views and actions of one game, with a number of seats and options."""

    layout: Mapping[str, int]
    """The parts of an observation, in order, each with its number of values."""
    actions: int
    """The number of ids."""
    wait: int | None = None
    """The id with which a seat that can cut in lets the others go on; None if no seat can ever cut in."""
    lowest_wins: ClassVar[bool] = False
    """Whether a lower score is better."""

    def __init__(self, seats: int, options: Any) -> None:
        self.seats = seats
        self.options = options

    @cached_property
    def size(self) -> int:
        """The number of values of an observation."""
        return sum(self.layout.values())

    @cached_property
    def parts(self) -> dict[str, slice]:
        """The place of each part in an observation."""
        ends = accumulate(self.layout.values(), initial=0)
        return {name: slice(*place) for name, place in zip(self.layout, pairwise(ends), strict=True)}

    @abstractmethod
    def ids(self, action: A, seat: Seat) -> Ids:
        """Return the ids of an action of a seat; equal ids, equal actions."""

    @abstractmethod
    def observe(self, view: V, seat: Seat, chosen: Ids, out: Observation) -> None:
        """Write an observation into zeros: a seat's view, and the ids that it has chosen of its next action."""

    def choices(self, game: Game[Any, A, V], state: Any, seat: Seat, concessions: bool) -> Choices:
        """Return a seat's legal actions by id, if asked for with concessions.

        An id that others follow leads to a dictionary of these. A game with many actions leads to a `Later` instead.
        """
        legal = game.legal_actions(state, seat)
        if not concessions and game.info.concessions:
            legal = ordinary(game, legal)
        tree: Choices = {}
        for action in legal:
            *first, last = self.ids(action, seat)
            node = tree
            for one in first:
                node = node.setdefault(one, {})
            node[last] = action
        return tree

    def kernel(self, n: int) -> Kernel | None:
        """Return a kernel for so many matches, or None if there is none for these options."""
        return None


def load_encoding(name: str, seats: int, options: Any) -> Encoding[Any, Any]:
    """Return the encoding that a package names as `module:attribute`."""
    module, _, attribute = name.partition(":")
    encoding: Encoding[Any, Any] = getattr(import_module(module), attribute)(seats, options)
    return encoding


def bits(numbers: int) -> Iterator[int]:
    """Yield the places of the bits of a set, lowest first."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest
