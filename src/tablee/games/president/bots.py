"""The bots of Super Président.

`facile` looks at its own hand and the rank on top. `moyen` counts the cards played and plans its groups. `difficile`
samples the other hands and plays each sample to the end by tuned weights. `maitre` does so with a learned network and
asks a second one. The values of the last two are points of the manche; those of the others only order the actions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.game import Ranked, Think
from ...core.limit import Limit
from .deck import STRENGTH_OF, TWO
from .values import Action, Close, Give, Pass, Play, Stop, View

if TYPE_CHECKING:
    from .search import Belief, Estimate

Option = Action | None
"""An action, or None to wait instead of closing out of turn."""


class PresidentBot(ABC):
    """Rank the legal actions and play the first."""

    def choose(self, view: View, legal: Sequence[Action], think: Think) -> Action | None:
        """Return the action ranked first, or None to wait instead of closing out of turn."""
        if think.seat not in view.waiting:
            close, wait = self.worth(view, (legal[0], None), think)
            return legal[0] if close > wait else None
        return legal[0] if len(distinct(legal)) == 1 else self.rank(view, legal, think)[0].action

    def rank(self, view: View, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        """Return the legal actions, best first; actions that differ only in suits have the same value."""
        options = distinct(legal)
        values = dict(zip(options, self.worth(view, [*options.values()], think), strict=True))
        ranked = [Ranked(action, values[kind(action)]) for action in legal]
        return sorted(ranked, key=lambda one: -one.value)

    @abstractmethod
    def worth(self, view: View, options: Sequence[Option], think: Think) -> list[float]:
        """Return how good each option is; all of them are gifts or none is, and the bot takes the first of equals."""


def kind(action: Action) -> tuple[str, str, str | None]:
    """Return what an action is, without suits."""
    cards = "".join(card[0] for card in action.cards) if isinstance(action, Play | Close | Give) else ""
    return type(action).__name__, cards, action.declare if isinstance(action, Play) else None


def distinct(actions: Sequence[Action]) -> dict[tuple[str, str, str | None], Action]:
    """Return the first action of each kind."""
    found: dict[tuple[str, str, str | None], Action] = {}
    for action in actions:
        found.setdefault(kind(action), action)
    return found


class Facile(PresidentBot):
    """Play the weakest cards without a plan, and sometimes at random."""

    CARELESS = 8
    """One in this many decisions is random."""
    DECLARES, PASSES, WAITS = -30.0, -40.0, 0.0

    def worth(self, view: View, options: Sequence[Option], think: Think) -> list[float]:
        if think.chance.pick(self.CARELESS) == 0:
            return [float(think.chance.pick(1000)) for _ in options]
        return [self.likes(view, option) for option in options]

    def likes(self, view: View, option: Option) -> float:
        match option:
            case Play(cards, declare):
                strength = STRENGTH_OF[cards[0]]
                value = len(cards) / 8 - (TWO - strength if view.revolution else strength)
                return value if declare is None else value + self.DECLARES
            case Close(cards):
                return float(len(cards))
            case Give(cards):
                return -float(sum(STRENGTH_OF[card] for card in cards))
            case Pass() | Stop():
                return self.PASSES
            case _:
                return self.WAITS


class Moyen(PresidentBot):
    """Count cards, keep groups together and save the closing rank until it helps, all by rules of thumb."""

    BROKEN = 4.0
    """The cost of giving a card away and keeping others of its rank, in steps of strength."""

    def worth(self, view: View, options: Sequence[Option], think: Think) -> list[float]:
        gifts = [option for option in options if isinstance(option, Give)]
        if gifts:
            return [-self.loss(view, gift) for gift in gifts]
        belief, codes = understand(view, options, think)
        return belief.likings(codes)

    def loss(self, view: View, gift: Give) -> float:
        """Return what a gift costs the hand."""
        left = {card[0] for card in view.hand if card not in gift.cards}
        broken = sum(card[0] in left for card in gift.cards)
        return sum(STRENGTH_OF[card] for card in gift.cards) + self.BROKEN * broken


class Difficile(PresidentBot):
    """Sample hands that fit the view, try every action on each and play to the end with tuned weights."""

    BUDGET = 6000
    """Manches played for one decision."""
    SECONDS = 0.15
    """The longest time for a decision, even if the table allows more."""
    GIVEN_UP = -3.0
    """The value of gifts that are not tried, less than that of the last place."""
    SPARE = 7
    """Only this many of the worst cards are considered as gifts."""

    def worth(self, view: View, options: Sequence[Option], think: Think) -> list[float]:
        limit = Limit(min(think.seconds, self.SECONDS))
        belief, codes = understand(view, options, think)
        if view.stage != "exchange":
            return belief.try_actions(codes, self.BUDGET, limit)
        tried = self.spare_gifts(view, options)
        values = [self.GIVEN_UP] * len(options)
        found = belief.try_gifts([codes[at] for at in tried], self.BUDGET, limit)
        for at, value in zip(tried, found, strict=True):
            values[at] = value
        return values

    def spare_gifts(self, view: View, options: Sequence[Option]) -> list[int]:
        """Return the numbers of the gifts that have only some of the worst cards."""
        spare = set(view.hand[: self.SPARE])
        return [at for at, option in enumerate(options) if isinstance(option, Give) and spare.issuperset(option.cards)]


class Maitre(Difficile):
    """Sample hands, play them to the end with a learned network, and weigh in what a larger one expects."""

    BUDGET = 16_000
    SECONDS = 1.0
    HEAT = 1.0, 0.8, 0.6, 0.4, 0.25
    """The temperature of the playouts with 4 to 8 seats: 1 is the policy that the small network learned.

    With more seats most places bring no points, so values lie closer together, and the learned policy is too random.
    """
    TRUST = 0.5
    """The part of the judge in a value."""

    def rank(self, view: View, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        options = distinct(legal)
        found = dict(zip(options, self.estimates(view, [*options.values()], think), strict=True))
        ranked = [Ranked(action, *found[kind(action)]) for action in legal]
        return sorted(ranked, key=lambda one: -one.value)

    def worth(self, view: View, options: Sequence[Option], think: Think) -> list[float]:
        return [one.value for one in self.estimates(view, options, think)]

    def estimates(self, view: View, options: Sequence[Option], think: Think) -> list[Estimate]:
        """Return the value of each option with its error; less time means fewer playouts."""
        from .search import Estimate, Plan

        seconds = min(think.seconds, self.SECONDS)
        if None in options:
            # The seat in turn does not wait for a bot that may close, and two options need fewer playouts.
            seconds /= 4
        limit = Limit(seconds)
        belief, codes = understand(view, options, think)
        plan = Plan(int(self.BUDGET * seconds / self.SECONDS), self.HEAT[len(view.seats) - 4], self.TRUST)
        if view.stage != "exchange":
            return belief.explore_actions(codes, plan, limit)
        tried = self.spare_gifts(view, options)
        found = dict(zip(tried, belief.explore_gifts([codes[at] for at in tried], plan, limit), strict=True))
        return [found.get(at, Estimate(self.GIVEN_UP, None)) for at in range(len(options))]


def understand(view: View, options: Sequence[Option], think: Think) -> tuple[Belief, list[int]]:
    """Return what the seat knows, and its options, in the kernel's terms."""
    # Imported here because it loads Numba, which only bot processes need.
    from .search import Belief, code

    return Belief(view, think.seat, think.chance), [code(option) for option in options]


def warm() -> None:
    """Compile or load the kernel, so that the first decision does not wait for it."""
    from .search import warm_up

    warm_up()


BOTS = {"facile": Facile(), "moyen": Moyen(), "difficile": Difficile(), "maitre": Maitre()}
