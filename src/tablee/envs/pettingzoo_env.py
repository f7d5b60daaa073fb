"""A game as a PettingZoo AEC environment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from operator import index
from typing import Any, SupportsIndex

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from ..core.encoding import Dice
from . import Reward
from .episode import Episode, KernelEpisode, Seen
from .rewards import rewards_of_one

LEAST, MOST = -(1 << 15), (1 << 15) - 1


class Turns(AECIterable):  # type: ignore[misc]  # PettingZoo has no types
    """The agents in turn, quicker than PettingZoo's own iterator."""

    def __iter__(self) -> Iterator[str]:
        env = self.env
        for _ in range(min(self.max_iter, sys.maxsize)):
            if not env.agents:
                return
            yield env.agent_selection


class TableeEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match as PettingZoo sees it; `tablee.envs.aec` makes one.

    An observation is a dictionary with the seat's `observation` and its `action_mask`. An action of several ids is
    several steps of the same agent.
    """

    def __init__(
        self,
        key: str,
        episode: Episode | KernelEpisode,
        reward: Reward,
        *,
        full_state: bool,
        render_mode: str | None,
    ) -> None:
        super().__init__()
        encoding = episode.encoding
        self.metadata = {"name": f"tablee_{key}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.encoding = encoding
        self.possible_agents = [f"player_{seat}" for seat in range(encoding.seats)]
        self.agents: list[str] = []
        self._seats = {name: seat for seat, name in enumerate(self.possible_agents)}
        self._reward = reward
        self._episode = episode
        self._full_state = full_state
        size, actions = encoding.size, encoding.actions
        self.observation_spaces = {
            name: Dict(
                {
                    "observation": Box(LEAST, MOST, (size,), np.int16),
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for name in self.possible_agents
        }
        self.action_spaces = {name: Discrete(actions) for name in self.possible_agents}
        self.state_space = Box(LEAST, MOST, (size * encoding.seats,), np.int16)

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; without a seed the randomness goes on from the match before."""
        episode = self._episode
        if seed is not None:
            episode.dice = Dice(seed)
        episode.reset()
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        assert episode.seat is not None
        self.agent_selection = self.agents[episode.seat]

    def step(self, action: int | None) -> None:
        """Choose an id for the agent in turn; raise `ValueError` and change nothing if it is masked."""
        if not self.agents:
            raise ValueError("call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:  # Wrappers of PettingZoo end matches, too.
            self._was_dead_step(action)
            return
        try:
            one = index(action)  # type: ignore[arg-type]
        except TypeError:
            raise ValueError(f"action is {action!r}; an agent chooses a whole number until the match is over") from None
        episode = self._episode
        episode.step(one)
        if episode.seat is None:
            self._finish()
        else:
            self.agent_selection = self.possible_agents[episode.seat]

    def agent_iter(self, max_iter: int = 2**63) -> Turns:
        """Yield the agent in turn until all agents are done; step once for each."""
        return Turns(self, max_iter)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what the agent in turn sees, the reward since its last step, whether it is done, and infos."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Seen:
        return self._episode.look(self._seats[agent])

    def state(self) -> Any:
        """Return what all seats know together; only with `full_state=True`."""
        if not self._full_state:
            raise ValueError("the full state shows hidden cards: make the environment with full_state=True")
        return self._episode.full_state()

    def render(self) -> str | None:
        """Return the position as the game writes it, hidden cards included; None without `render_mode="ansi"`."""
        episode = self._episode
        if self.render_mode is None or not isinstance(episode, Episode):
            return None
        if episode.state is None:
            raise ValueError("call reset() first")
        return episode.game.notation.write_state(episode.state)

    def close(self) -> None:
        """Do nothing: an environment holds no window and no file."""

    def _finish(self) -> None:
        outcome = self._episode.outcome
        assert outcome is not None
        paid = rewards_of_one(outcome, self._reward, self.encoding.lowest_wins)
        for name, one in zip(self.agents, paid, strict=True):
            self.rewards[name] = self._cumulative_rewards[name] = one
            self.terminations[name] = True
            self.infos[name] = {"score": outcome.scores[self._seats[name]]}
