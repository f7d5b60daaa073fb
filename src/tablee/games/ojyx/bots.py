"""Ojyx's computer players.

`facile` looks at single cards. `moyen` looks at columns, at the cards still to come and at the danger of closing, one
action ahead. `difficile` sees the same with a better eye, and plays the manche on from everything that looks good.
Values of `moyen` are points, those of `difficile` points with something for the places; those of `facile` only say what
it likes better.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from ...core.game import Ranked, Think
from .values import (
    Action,
    ActionCard,
    Discard,
    Draw,
    EndTurn,
    Place,
    Play,
    React,
    Store,
    View,
    Vote,
)

if TYPE_CHECKING:
    from ...core.machine import Floats
    from .search import Belief

FOLLOW = Vote(None)
"""Computer players go on while somebody else asks to (O8)."""


class OjyxBot(ABC):
    """Ranks what it may do, and does what it ranks first."""

    def choose(self, view: View, legal: Sequence[Action], think: Think) -> Action:
        """Return the action ranked first."""
        if view.stage == "vote":
            return FOLLOW
        return legal[0] if len(legal) == 1 else self.rank(view, legal, think)[0].action

    def rank(self, view: View, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        """Return the legal actions, best first."""
        if view.stage == "vote":
            values = [float(action == FOLLOW) for action in legal]
        else:
            values = self.worth(view, legal, think)
        ranked = [Ranked(action, value) for action, value in zip(legal, values, strict=True)]
        return sorted(ranked, key=lambda one: -one.value)

    @abstractmethod
    def worth(self, view: View, actions: Sequence[Action], think: Think) -> list[float]:
        """Return how good each of the actions is; of equals the first is taken."""


class Facile(OjyxBot):
    """Likes low cards, plays action cards as they come and aims them anywhere; it knows nothing of columns."""

    CARELESS = 8
    """One decision in so many is left to chance."""
    LOW = 4
    """A card that it would keep."""
    HIDDEN = 5.0
    """What it expects of a card that it has not seen."""

    def worth(self, view: View, actions: Sequence[Action], think: Think) -> list[float]:
        careless = think.chance.pick(self.CARELESS) == 0
        luck = [think.chance.pick(1000) / 1000 for _ in actions]
        if careless:
            return luck
        return [self.likes(view, action) + some for action, some in zip(actions, luck, strict=True)]

    def likes(self, view: View, action: Action) -> float:
        match action:
            case Draw("discard"):
                return 3.0 if view.discard is not None and view.discard <= self.LOW else -1.0
            case Draw(source):
                return 1.0 if source == "deck" else 0.5
            case Place(cell):
                return self.expected(view, cell) - held_card(view)
            case Discard():
                return 1.0
            case Play():
                return 2.0
            case EndTurn():
                return 1.5
            case React("shield"):
                return 2.0
            case Store():
                return 1.0
            case _:
                return 0.0

    def expected(self, view: View, cell: int) -> float:
        """What a card of its own counts, as far as it can see."""
        shown = view.seats[view.seat or 0].cells[cell]
        return float(shown) if isinstance(shown, int) else self.HIDDEN


def held_card(view: View) -> int:
    """The number card in hand."""
    return 0 if view.held is None else view.held.card or 0


HOLDS: dict[ActionCard, float] = {"shield": 3.0, "mirror": 3.0, "swap": 2.0, "curse": 2.0, "heal": 2.0}
"""What keeping a card is worth, in points: most are played as soon as they gain anything.

Keeping them for the last turn, where they gain more, was tried and won no more: what is gained early lasts longer.
"""


class Moyen(OjyxBot):
    """Counts the cards, builds columns and fears to close too early, but looks no further than its next action."""

    def worth(self, view: View, actions: Sequence[Action], think: Think) -> list[float]:
        from .kernel import THUMB

        return understand(view, THUMB, think).likings(actions)


class Difficile(OjyxBot):
    """Tries what looks best at first sight and plays the manche on, over and over, all with the same luck."""

    TRIED = 6
    """How many actions are tried by playing on at most …"""
    NEAR = 6.0
    """… of those that look worse than the best by no more than so many points."""
    BUDGET = 4000
    """Manches played on for one decision."""
    SECONDS = 0.16
    """It never thinks longer than this, whatever it may."""

    def worth(self, view: View, actions: Sequence[Action], think: Think) -> list[float]:
        from .kernel import LEARNT

        deadline = perf_counter() + min(think.seconds, self.SECONDS)
        belief = understand(view, LEARNT, think)
        worth = belief.likings(actions)
        if view.stage == "choose":
            return worth
        alike = twins(actions, worth)
        order = sorted(alike, key=lambda group: -worth[group[0]])
        tried = [group for group in order[: self.TRIED] if worth[group[0]] >= worth[order[0][0]] - self.NEAR]
        if len(tried) == 1:
            return worth
        firsts = [group[0] for group in tried]
        found = belief.try_out([actions[at] for at in firsts], [worth[at] for at in firsts], self.BUDGET, deadline)
        # What was not tried stays as far behind the last of those that were as it looked.
        lower = min(found) - worth[firsts[-1]]
        worth = [value + lower for value in worth]
        for group, value in zip(tried, found, strict=True):
            for at in group:
                worth[at] = value
        return worth


def twins(actions: Sequence[Action], likings: Sequence[float]) -> list[list[int]]:
    """Where the actions are that look exactly alike, such as laying a card on one unseen card or on another."""
    groups: dict[tuple[type, float], list[int]] = {}
    for at, (action, liked) in enumerate(zip(actions, likings, strict=True)):
        groups.setdefault((type(action), round(liked, 9)), []).append(at)
    return list(groups.values())


def understand(view: View, weights: Floats, think: Think) -> Belief:
    """Tell the kernel what a seat knows."""
    # Inside a decision: it brings Numba, which only the processes that think need.
    from .search import Belief

    return Belief(view, think.seat, HOLDS, weights, think.chance)


def warm() -> None:
    """Compile or load the kernel, so that the first decision does not wait for it."""
    from .search import warm_up

    warm_up()


BOTS = {"facile": Facile(), "moyen": Moyen(), "difficile": Difficile()}
