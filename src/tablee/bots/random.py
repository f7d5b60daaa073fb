"""The player who does anything legal: the floor that every other player must stand above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.game import Ranked, Think


class RandomBot:
    """Plays every legal action as often as any other."""

    def choose(self, view: Any, legal: Sequence[Any], think: Think) -> Any:
        """Return one of the legal actions, each as likely as any other."""
        return legal[think.chance.pick(len(legal))]

    def rank(self, view: Any, legal: Sequence[Any], think: Think) -> list[Ranked[Any]]:
        """Return the legal actions as they came, all worth the same."""
        return [Ranked(action, 0.0) for action in legal]
