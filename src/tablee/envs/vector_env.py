"""Many matches of a game at once, as NumPy arrays."""

from __future__ import annotations

from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.encoding import Dice, Encoding, Kernel, Mask, Observation, scrambled
from ..core.game import Game
from . import Reward
from .episode import Episode
from .rewards import rewards_of

NO_MASKS: Mask = np.zeros(0, np.int8)


class Batch(NamedTuple):
    """All matches after a step, one row each. The arrays are overwritten by the next step."""

    seats: NDArray[np.int64]
    """The seat that chooses next."""
    observations: Observation
    """What that seat sees."""
    masks: Mask
    """What it can choose: 1 for each id that is legal."""
    rewards: NDArray[np.float32]
    """What the step paid to each seat; 0 unless it ended the match."""
    ended: NDArray[np.bool_]
    """Whether the step ended a match; the rest of the row then shows the next one."""
    states: Observation | None
    """What all seats know together, for training only; None without `full_state=True`."""


class VectorEnv:
    """Many matches at once; `tablee.envs.vector` makes one."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        encoding: Encoding[Any, Any],
        n: int,
        reward: Reward,
        kernel: Kernel | None,
        *,
        full_state: bool,
    ) -> None:
        self.n = n
        self.encoding = encoding
        self.has_kernel = kernel is not None
        """Whether the matches run in machine code."""
        self._kernel = RulesKernel(game, encoding, n) if kernel is None else kernel
        self._reward = reward
        self._begun = False
        seats = encoding.seats
        self._dice, self._sampled = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._scores, self._places = np.zeros((n, seats), np.int64), np.zeros((n, seats), np.int64)
        # Eight marks make a word, in which `sample` finds them quicker.
        self._words = np.zeros((n, (encoding.actions + 7) // 8), np.int64)
        self._batch = Batch(
            seats=np.zeros(n, np.int64),
            observations=np.zeros((n, encoding.size), np.int16),
            masks=NO_MASKS,
            rewards=np.zeros((n, seats), np.float32),
            ended=np.zeros(n, np.bool_),
            states=np.zeros((n, seats * encoding.size), np.int16) if full_state else None,
        )
        self._take_views()

    def _take_views(self) -> None:
        """Make the arrays that are parts of others."""
        self._marks = self._words.view(np.int8)
        self._all_marks = self._marks.reshape(-1)
        self._firsts = np.arange(self.n) * self._marks.shape[1]
        self._batch = self._batch._replace(masks=self._marks[:, : self.encoding.actions])
        self.batch = Batch._make(None if array is None else read_only(array) for array in self._batch)
        """What the last `reset` or `step` returned."""

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy needs, without the arrays that are parts of others."""
        state = {**self.__dict__, "_batch": self._batch._replace(masks=NO_MASKS)}
        for view in ("_marks", "_all_marks", "_firsts", "batch"):
            del state[view]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._take_views()

    def reset(self, seed: SupportsIndex) -> Batch:
        """Begin all matches. Match `i` is dealt like `aec(...).reset(seed=seeds(seed)[i])`."""
        seeds = self.seeds(seed)
        self._kernel.reset(states_of(seeds))
        self._dice = states_of([-1 - one for one in seeds])
        self._begun = True
        self._batch.rewards[:] = 0
        self._batch.ended[:] = False
        return self._look()

    def seeds(self, seed: SupportsIndex) -> list[int]:
        """Return the seed of each match."""
        first = scrambled(seed)
        return [(first + number) & (1 << 64) - 1 for number in range(self.n)]

    def step(self, actions: ArrayLike) -> Batch:
        """Choose one id in each match; raise `ValueError` and change nothing if one of them is masked."""
        ids = self._checked(actions)
        self._places[:] = 0
        self._kernel.step(ids, self._scores, self._places)
        batch = self._batch
        np.not_equal(self._places[:, 0], 0, out=batch.ended)
        batch.rewards[:] = 0
        over = np.flatnonzero(batch.ended)
        if over.size:
            lowest = self.encoding.lowest_wins
            batch.rewards[over] = rewards_of(self._scores[over], self._places[over], self._reward, lowest)
            self._kernel.renew(batch.ended)
        return self._look()

    def sample(self) -> NDArray[np.int64]:
        """Return a random legal id for each match; they follow from the seed of `reset`."""
        if not self._begun:
            raise ValueError("call reset() first")
        self._kernel.choose(self._words, self._dice, self._sampled)
        return self._sampled.copy()

    @property
    def scores(self) -> NDArray[np.int64]:
        """The scores of the matches that the last step ended; other rows mean nothing."""
        return self._scores

    def _look(self) -> Batch:
        batch = self._batch
        # The whole rows, because a kernel is compiled anew for an array with gaps.
        self._kernel.look(batch.seats, batch.observations, self._marks)
        if batch.states is not None:
            self._kernel.show(batch.states)
        return self.batch

    def _checked(self, actions: ArrayLike) -> NDArray[np.int64]:
        """Return the ids; raise `ValueError` if one of them cannot be chosen."""
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions have shape {given.shape} and type {given.dtype}; expected {self.n} integers")
        ids = given.astype(np.int64)
        if ids.min() < 0 or ids.max() >= self.encoding.actions or not self._all_marks[self._firsts + ids].all():
            raise ValueError(self._why_not(ids))
        return ids

    def _why_not(self, ids: NDArray[np.int64]) -> str:
        """Return why the first id that cannot be chosen cannot."""
        count, masks = self.encoding.actions, self._batch.masks
        if not self._begun:
            return "call reset() first"
        row = next(row for row, one in enumerate(ids) if not 0 <= one < count or not masks[row, one])
        if 0 <= ids[row] < count:
            return f"action {ids[row]} of match {row} is masked for seat {self._batch.seats[row]}"
        return f"action {ids[row]} of match {row} is out of range: they go from 0 to {count - 1}"


def states_of(seeds: list[int]) -> NDArray[np.int64]:
    """Return the first state of the dice of each seed."""
    return np.array([Dice(seed).state for seed in seeds], np.uint64).view(np.int64)


def read_only(array: Any) -> Any:
    """Return a view of an array that cannot be written."""
    view = array.view()
    view.flags.writeable = False
    return view


class RulesKernel(Kernel):
    """Matches through the rules, for games without machine code. Kernels are tested against it."""

    def __init__(self, game: Game[Any, Any, Any], encoding: Encoding[Any, Any], n: int) -> None:
        self._episodes = [Episode(game, encoding) for _ in range(n)]

    def reset(self, dice: NDArray[np.int64]) -> None:
        for episode, state in zip(self._episodes, dice.view(np.uint64).tolist(), strict=True):
            episode.dice.state = state
            episode.reset()

    def step(self, ids: NDArray[np.int64], scores: NDArray[np.int64], places: NDArray[np.int64]) -> None:
        for row, (episode, one) in enumerate(zip(self._episodes, ids.tolist(), strict=True)):
            episode.step(one)
            if episode.outcome is not None:
                scores[row], places[row] = episode.outcome.scores, episode.outcome.places

    def renew(self, ended: NDArray[np.bool_]) -> None:
        for row in np.flatnonzero(ended).tolist():
            self._episodes[row].reset()

    def look(self, seats: NDArray[np.int64], observations: Observation, masks: Mask) -> None:
        observations[:] = 0
        masks[:] = 0
        for row, episode in enumerate(self._episodes):
            assert episode.seat is not None
            seats[row] = episode.seat
            episode.observe(episode.seat, observations[row])
            episode.mark(masks[row])

    def show(self, states: Observation) -> None:
        for row, episode in enumerate(self._episodes):
            states[row] = episode.full_state()
