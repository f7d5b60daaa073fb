"""A policy that was learned in an environment, as a bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import Any, SupportsIndex

import numpy as np

from ..core.encoding import Encoding, Ids, Mask, Observation
from ..core.game import Game, Ranked, Think
from .episode import WAIT, choices_of, opened

Policy = Callable[[Observation, Mask], SupportsIndex]
"""Takes what an environment shows, an observation and a mask, and returns an id that is not masked."""


class PolicyBot:
    """A bot that asks a policy; `tablee.envs.bot` makes one. It never concedes unless it has to."""

    def __init__(self, game: Game[Any, Any, Any], encoding: Encoding[Any, Any], policy: Policy) -> None:
        self._game = game
        self._encoding = encoding
        self._policy = policy

    def choose(self, view: Any, legal: Sequence[Any], think: Think) -> Any:
        """Ask the policy for one id after the other; raise `ValueError` if one is masked."""
        game, encoding, seat = self._game, self._encoding, think.seat
        # Any state that fits the view will do: the choices depend only on the view.
        state = game.imagine(view, think.chance)
        found: Any = choices_of(game, encoding, state, seat, must=seat in game.turn(state).must)
        chosen: Ids = ()
        while isinstance(found, dict) and found:
            observation: Observation = np.zeros(encoding.size, np.int16)
            mask: Mask = np.zeros(encoding.actions, np.int8)
            encoding.observe(view, seat, chosen, observation)
            mask[[*found]] = 1
            one = index(self._policy(observation, mask))
            found, chosen = opened(found, one, seat, encoding), (*chosen, one)
        return None if found is WAIT or not found else found

    def rank(self, view: Any, legal: Sequence[Any], think: Think) -> list[Ranked[Any]]:
        """Return the action of the policy, worth 1, and then the others, worth 0."""
        best = self.choose(view, legal, think)
        others = [Ranked(action, 0.0) for action in legal if action != best]
        return others if best is None else [Ranked(best, 1.0), *others]
