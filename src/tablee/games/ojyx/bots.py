"""The bots of Ojyx.

`facile` looks at single cards. `moyen` looks one action ahead, at columns, the cards still to come and the risk of
ending the manche, but decides one time in three like `facile`. `difficile` has better weights for the same and plays
the manche to its end after every promising action, but without action cards. `maitre` plays two rounds with these too,
and asks a learned network what follows. The values of `moyen` are points, those of `difficile` points with a bonus for
places, those of `maitre` points ahead of the mean of the others; those of `facile` only order the actions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.game import Ranked, Think
from ...core.limit import Limit
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
    from .playouts import Worth
    from .search import Belief

FOLLOW = Vote(None)
"""Bots go on if somebody else wants to (O8)."""


class OjyxBot(ABC):
    """Rank the legal actions and play the first."""

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
        """Return how good each action is; the bot takes the first of equals."""


class Facile(OjyxBot):
    """Prefer low cards, play action cards at once with a random aim, and ignore columns."""

    CARELESS = 8
    """One in this many decisions is random."""
    LOW = 4
    """The highest card worth taking."""
    HIDDEN = 5.0
    """The expected value of a hidden card."""

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
        """Return what a card of the bot's own grid counts, as far as it can see."""
        shown = view.seats[view.seat or 0].cells[cell]
        return float(shown) if isinstance(shown, int) else self.HIDDEN


def held_card(view: View) -> int:
    """Return the number card in hand."""
    return 0 if view.held is None else view.held.card or 0


HOLDS: dict[ActionCard, float] = {"shield": 3.0, "mirror": 3.0, "swap": 2.0, "curse": 2.0, "heal": 2.0}
"""The value of keeping a card, in points. Other cards are played as soon as they gain anything.

Keeping more cards for the last turn, in which they gain more, did not win more manches.
"""


class Moyen(OjyxBot):
    """Count cards, build columns and avoid ending too early, but look only one action ahead, and not always."""

    HASTY = 3
    """One in this many decisions is made like facile's."""
    IN_HASTE = Facile()

    def worth(self, view: View, actions: Sequence[Action], think: Think) -> list[float]:
        if self.HASTY and think.chance.pick(self.HASTY) == 0:
            return self.IN_HASTE.worth(view, actions, think)
        from .kernel import THUMB

        return understand(view, THUMB, think).likings(actions)


class Difficile(OjyxBot):
    """Try the promising actions by playing the manche to its end many times, with the same luck for all."""

    TRIED = 6
    """The most actions that are tried by playing to the end …"""
    NEAR = 6.0
    """… if they look worse than the best by at most this many points."""
    BUDGET = 4000
    """Manches played for one decision."""
    SECONDS = 0.16
    """The longest time for a decision, even if the table allows more."""

    def worth(self, view: View, actions: Sequence[Action], think: Think) -> list[float]:
        from .kernel import LEARNT

        limit = Limit(min(think.seconds, self.SECONDS))
        belief = understand(view, LEARNT, think)
        worth = belief.likings(actions)
        if view.stage == "choose":
            return worth
        alike = group_equal(actions, worth)
        order = sorted(alike, key=lambda group: -worth[group[0]])
        tried = [group for group in order[: self.TRIED] if worth[group[0]] >= worth[order[0][0]] - self.NEAR]
        if len(tried) == 1:
            return worth
        firsts = [group[0] for group in tried]
        found = belief.try_out([actions[at] for at in firsts], [worth[at] for at in firsts], self.BUDGET, limit)
        # Actions that were not tried keep their distance to the last one that was.
        lower = min(found) - worth[firsts[-1]]
        worth = [value + lower for value in worth]
        for group, value in zip(tried, found, strict=True):
            for at in group:
                worth[at] = value
        return worth


class Maitre(OjyxBot):
    """Play two rounds many times after every promising action, and ask the network what the manche is worth then."""

    TRIED = 10
    """The most actions that are tried."""
    BUDGET = 12_000
    """Playouts for one decision."""
    SECONDS = 0.9
    """The longest time for a decision, even if the table allows more."""
    WORLDS = 32
    """States imagined for a decision."""

    def rank(self, view: View, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        """Return the legal actions, best first; a value is the expected lead in this manche, in points."""
        if view.stage == "vote":
            return super().rank(view, legal, think)
        worth = self.judge(view, legal, think)
        ranked = [Ranked(action, *one) for action, one in zip(legal, worth, strict=True)]
        return sorted(ranked, key=lambda one: -one.value)

    def worth(self, view: View, actions: Sequence[Action], think: Think) -> list[float]:
        return [one.value for one in self.judge(view, actions, think)]

    def judge(self, view: View, actions: Sequence[Action], think: Think) -> list[Worth]:
        # Imported here because it loads Numba, which only bot processes need.
        from .playouts import UNTRIED, Trials, Worth

        limit = Limit(min(think.seconds, self.SECONDS))
        trials = Trials(view, think.seat, actions, think.chance, self.WORLDS)
        tried = trials.groups()[: self.TRIED]
        found = trials.try_out([group[0] for group in tried], self.BUDGET, limit)
        # Actions that were not tried come after those that were, in the order of their first impression.
        lowest, least = min(one.value for one in found), max(trials.likings) + 1e-6
        worth = [Worth(lowest + liked - least, UNTRIED) for liked in trials.likings]
        for group, one in zip(tried, found, strict=True):
            for at in group:
                worth[at] = one
        return worth


def group_equal(actions: Sequence[Action], likings: Sequence[float]) -> list[list[int]]:
    """Group the indexes of actions with the same score, such as placing a card on either of two unseen cards."""
    groups: dict[tuple[type, float], list[int]] = {}
    for at, (action, liked) in enumerate(zip(actions, likings, strict=True)):
        groups.setdefault((type(action), round(liked, 9)), []).append(at)
    return list(groups.values())


def understand(view: View, weights: Floats, think: Think) -> Belief:
    """Return what the seat knows, in the kernel's terms."""
    # Imported here because it loads Numba, which only bot processes need.
    from .search import Belief

    return Belief(view, think.seat, HOLDS, weights, think.chance)


def warm_beliefs() -> None:
    """Compile or load the kernel of moyen and difficile, so that the first decision does not wait for it."""
    from . import search

    search.warm_up()


def warm_playouts() -> None:
    """Compile or load the kernel of maître and the coach."""
    from . import playouts

    playouts.warm_up()


BOTS = {"facile": Facile(), "moyen": Moyen(), "difficile": Difficile(), "maitre": Maitre()}
