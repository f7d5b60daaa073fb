"""Chifoumi's bots."""

from __future__ import annotations

from collections.abc import Sequence

from tablee.core.game import Bot, Ranked, Think

from .rules import BEATS, Action, Show, View


class Copycat:
    """Beats the sign that the other player showed last."""

    def choose(self, view: View, legal: Sequence[Action], think: Think) -> Action | None:
        if not view.shown:
            return legal[think.chance.pick(len(legal))]
        return self.rank(view, legal, think)[0].action

    def rank(self, view: View, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        expected = view.shown[-1][1 - think.seat] if view.shown else None
        good = [isinstance(action, Show) and BEATS[action.sign] == expected for action in legal]
        ranked = [Ranked(action, float(value)) for action, value in zip(legal, good, strict=True)]
        return sorted(ranked, key=lambda one: -one.value)


BOTS: dict[str, Bot[Action, View]] = {"facile": Copycat()}
