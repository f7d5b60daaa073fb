"""One match after another, one id at a time: through the rules, or in machine code."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.encoding import REFUSED, Choices, Dice, Encoding, Ids, Kernel, Later, Mask, Observation
from ..core.game import Game, Outcome, Seat

Seen = dict[str, NDArray[Any]]
"""What a seat sees, its `observation`, and what it can choose, its `action_mask`."""


class WAIT:
    """What the id `Encoding.wait` stands for. A class, because it is the same in every copy and in every process."""


class Episode:
    """A match in which one seat at a time chooses one id.

    Seats that can cut in are asked first, because the game does not wait for them. In a simultaneous choice the lowest
    seat is asked first; nobody sees what it chose.
    """

    def __init__(self, game: Game[Any, Any, Any], encoding: Encoding[Any, Any], *, concessions: bool = False) -> None:
        self.game = game
        self.encoding = encoding
        self.concessions = concessions
        self.dice = Dice(0)
        self.state: Any = None
        self.seat: Seat | None = None
        """The seat that chooses next; None if the match is over or has not begun."""
        self.choices: Choices = {}
        """What that seat can choose."""
        self.chosen: Ids = ()
        """What it has chosen of its next action."""
        self.outcome: Outcome | None = None
        self._asked: list[Seat] = []
        self._must = 0

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        """Share the state and the choices, which never change."""
        twin = copy(self)
        twin.dice, twin._asked = copy(self.dice), [*self._asked]
        return twin

    def reset(self) -> None:
        """Begin a match; one that the deal alone decides is dealt again."""
        encoding = self.encoding
        self.seat = None
        while self.seat is None:
            self.state = self.game.setup(encoding.seats, encoding.options, self.dice)
            self.outcome = None
            self._next_turn()

    def step(self, one: int) -> None:
        """Choose an id for the seat in turn; raise `ValueError` and change nothing if it cannot choose it."""
        seat = self.seat
        if seat is None:
            raise ValueError("call reset() first")
        chosen = opened(self.choices, one, seat, self.encoding)
        if isinstance(chosen, dict):
            self.chosen = (*self.chosen, one)
            self.choices = chosen
        elif chosen is WAIT:
            self._ask()
        else:
            self.state = self.game.apply(self.state, seat, chosen, self.dice)
            self._next_turn()

    def observe(self, seat: Seat, out: Observation) -> None:
        """Write the observation of a seat into zeros."""
        self.encoding.observe(self.game.view(self.state, seat), seat, self.chosen if seat == self.seat else (), out)

    def mark(self, out: Mask) -> None:
        """Mark what the seat in turn can choose, in zeros."""
        out[[*self.choices]] = 1

    def look(self, seat: Seat) -> Seen:
        """Return what a seat sees and can choose."""
        observation: Observation = np.zeros(self.encoding.size, np.int16)
        mask: Mask = np.zeros(self.encoding.actions, np.int8)
        self.observe(seat, observation)
        if seat == self.seat:
            self.mark(mask)
        return {"observation": observation, "action_mask": mask}

    def full_state(self) -> Observation:
        """Return the observations of all seats, one after the other."""
        size, seats = self.encoding.size, self.encoding.seats
        out: Observation = np.zeros(size * seats, np.int16)
        for seat in range(seats):
            self.observe(seat, out[size * seat : size * (seat + 1)])
        return out

    def _next_turn(self) -> None:
        turn = self.game.turn(self.state)
        if not turn.must:
            self.seat, self.choices, self.chosen = None, {}, ()
            self.outcome = self.game.outcome(self.state)
            return
        self._must = min(turn.must)
        self._asked = [*sorted(turn.may), self._must] if turn.may else [self._must]
        self._ask()

    def _ask(self) -> None:
        """Ask the next seat."""
        self.seat = seat = self._asked.pop(0)
        self.chosen = ()
        self.choices = choices_of(
            self.game, self.encoding, self.state, seat, must=seat == self._must, concessions=self.concessions
        )
        if not self.choices and seat != self._must:
            self._ask()


def choices_of(
    game: Game[Any, Any, Any],
    encoding: Encoding[Any, Any],
    state: Any,
    seat: Seat,
    *,
    must: bool,
    concessions: bool = False,
) -> Choices:
    """Return what a seat can choose; a seat that does not have to act can also wait, unless it can only wait."""
    choices = encoding.choices(game, state, seat, concessions)
    if must:
        # A seat that can only give up has to.
        return choices or encoding.choices(game, state, seat, True)
    if choices:
        if encoding.wait is None:
            raise TypeError(f"seat {seat} can cut in, but the encoding of {game.info.key} has no `wait`")
        choices[encoding.wait] = WAIT
    return choices


def opened(choices: Choices, one: int, seat: Seat, encoding: Encoding[Any, Any]) -> Any:
    """Return an action, `WAIT` or more choices; raise `ValueError` if the seat cannot choose this id."""
    try:
        chosen = choices[one]
    except KeyError:
        raise ValueError(why_not(one, encoding.actions, seat, [*choices])) from None
    return chosen.open() if isinstance(chosen, Later) else chosen


def why_not(one: int, count: int, seat: Seat, legal: list[int]) -> str:
    """Return why a seat cannot choose an id."""
    if not 0 <= one < count:
        return f"action {one} is out of range: actions are numbered from 0 to {count - 1}"
    some = ", ".join(map(str, sorted(legal)[:20])) + (" …" if len(legal) > 20 else "")
    return f"action {one} is masked for seat {seat}: it can choose {some}"


class KernelEpisode:
    """An `Episode` in machine code."""

    def __init__(self, kernel: Kernel, encoding: Encoding[Any, Any]) -> None:
        """Take a kernel of one match."""
        from ..core.desk_kernel import new_desk

        self.encoding = encoding
        self.dice: Dice | None = Dice(0)
        """A new seed; None: the kernel goes on with its own dice."""
        self.seat: Seat | None = None
        self.outcome: Outcome | None = None
        self._kernel = kernel
        self._desk = new_desk(encoding.seats, encoding.size, encoding.actions)
        self._sit_down()

    def _sit_down(self) -> None:
        """Take the arrays of the desk."""
        from ..core.desk_kernel import arrays_of

        self._begins, self._seeds = np.ones(1, np.bool_), np.zeros(1, np.uint64)
        self._signed_seeds = self._seeds.view(np.int64)
        _, self._seats, self._scores, self._places, self._observations, self._masks = arrays_of(self._desk)
        self._play = self._kernel.player(self._desk)
        # The rows themselves: indexing costs as much as a step of a kernel.
        self._observation, self._mask = self._observations[0], self._masks[0]

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy needs; the arrays of its desk are its own."""
        return {name: getattr(self, name) for name in ("encoding", "dice", "seat", "outcome", "_kernel", "_desk")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._sit_down()

    def reset(self) -> None:
        """Begin a match."""
        if self.dice is None:
            self._kernel.renew(self._begins)
        else:
            self._seeds[0] = self.dice.state
            self._kernel.reset(self._signed_seeds)
            self.dice = None
        self.outcome = None
        self._places[:] = 0
        self._kernel.look(self._seats, self._observations, self._masks)
        self.seat = self._seats.item()

    def step(self, one: int) -> None:
        """Choose an id for the seat in turn; raise `ValueError` and change nothing if it cannot choose it."""
        seat = self.seat
        if seat is None:
            raise ValueError("call reset() first")
        try:
            found = self._play(one)
        except OverflowError:  # The id does not fit into 64 bits.
            found = REFUSED
        if found >= 0:
            self.seat = found
        elif found == REFUSED:
            raise ValueError(why_not(one, self.encoding.actions, seat, np.flatnonzero(self._mask).tolist()))
        else:
            self.seat = None
            self.outcome = Outcome(tuple(self._scores[0].tolist()), tuple(self._places[0].tolist()), "")

    def look(self, seat: Seat) -> Seen:
        """Return what a seat sees and can choose."""
        if seat == self.seat:
            return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        size = self.encoding.size
        observation = self.full_state()[size * seat : size * (seat + 1)]
        return {"observation": observation, "action_mask": np.zeros(self.encoding.actions, np.int8)}

    def full_state(self) -> Observation:
        """Return the observations of all seats, one after the other."""
        states: Observation = np.zeros(self.encoding.size * self.encoding.seats, np.int16)
        self._kernel.show(states.reshape(1, -1))
        return states
