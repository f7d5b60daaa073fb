"""A bot that plays at random: every other bot must beat it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.game import Game, Ranked, Think, ordinary


class RandomBot:
    """Plays each legal action as often as any other, but concedes only if nothing else is legal."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game = game

    def choose(self, view: Any, legal: Sequence[Any], think: Think) -> Any:
        """Return a random action; None, as likely as each action, if the seat does not have to act."""
        options = ordinary(self.game, legal)
        if think.seat not in self.game.turn(self.game.imagine(view, think.chance)).must:
            options.append(None)
        return (options or legal)[think.chance.pick(len(options or legal))]

    def rank(self, view: Any, legal: Sequence[Any], think: Think) -> list[Ranked[Any]]:
        """Return the legal actions in their order, with equal values."""
        return [Ranked(action, 0.0) for action in legal]
