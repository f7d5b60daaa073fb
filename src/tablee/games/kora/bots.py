"""Kora Battle's computer players.

`facile` looks at the trick on the table, `moyen` counts the cards that are still out, `difficile` imagines a hundred
hands behind the other player's cards and plays each of them out perfectly.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from time import perf_counter

from ...core.cards import DECK, Card
from ...core.game import Ranked, Think
from .rules import VALUE, imagine_hands, takes
from .solver import BIT, Pay, Solver, bits
from .values import Accept, Action, Play, Propose, View


def best_first(actions: Sequence[Action], values: Sequence[float]) -> list[Ranked[Action]]:
    """Actions with their values, best first; of equals the one listed first."""
    ranked = [Ranked(action, value) for action, value in zip(actions, values, strict=True)]
    return sorted(ranked, key=lambda one: -one.value)


class KoraBot:
    """Ranks cards and bets, and plays what it ranks first."""

    def choose(self, view: View, legal: Sequence[Action], think: Think) -> Action:
        """Return the legal action ranked first."""
        return self.rank(view, legal, think)[0].action

    def rank(self, view: View, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        """Return the legal actions, best first."""
        if view.stage == "bet":
            wish = self.wished_stake(view, think)
            return best_first(legal, [-abs(action.stake - wish) for action in legal if isinstance(action, Propose)])
        if view.stage == "answer":
            yes = self.accepts(view, think)
            return best_first(legal, [float(isinstance(action, Accept) == yes) for action in legal])
        cards = [action.card for action in legal if isinstance(action, Play)]
        if len(cards) == 1:
            return [Ranked(legal[0], 0.0)]
        return best_first(legal, self.worth(view, cards, think))

    def wished_stake(self, view: View, think: Think) -> int:
        return view.table_stake

    def accepts(self, view: View, think: Think) -> bool:
        return True

    def worth(self, view: View, cards: list[Card], think: Think) -> list[float]:
        raise NotImplementedError


class Facile(KoraBot):
    """Takes a trick cheaply if it can and spends its high cards first; now and then it plays anything."""

    LOOSE = 6
    """One card in so many is played without thinking."""

    def worth(self, view: View, cards: list[Card], think: Think) -> list[float]:
        if think.chance.pick(self.LOOSE) == 0:
            return [float(think.chance.pick(1000)) for _ in cards]
        if view.led is None:
            return [float(VALUE[card]) for card in cards]
        return [float(takes(view.led, card)) * 100 - VALUE[card] for card in cards]


class Moyen(KoraBot):
    """Counts: knows which cards are out, which suits the other has shown to lack, and what a 3 is worth at the end."""

    def worth(self, view: View, cards: list[Card], think: Think) -> list[float]:
        table = Table(view)
        return [table.plan(card) for card in cards]


class Table:
    """What one seat has counted."""

    COMEBACK = 0.3

    def __init__(self, view: View) -> None:
        self.view = view
        self.hand = tuple(held.card for held in view.hand)
        seen = set(self.hand) | {card for trick in view.tricks for card in (trick.led, trick.reply)} | {view.led}
        void = {trick.led[1] for trick in view.tricks if trick.leader == view.seat and trick.reply[1] != trick.led[1]}
        self.out = [card for card in DECK if card not in seen and card[1] not in void]
        self.keep = cache(self._keep)

    def holds(self, card: Card, held: int) -> float:
        """The chance that none of so many hidden cards beats a card that is led."""
        better = sum(takes(card, other) for other in self.out)
        return comb(len(self.out) - better, held) / comb(len(self.out), held)

    def _keep(self, hand: tuple[Card, ...]) -> float:
        """What leading is worth with a hand: the best order to lead it in, as if the tricks were independent."""
        return max((self.lead(card, hand) for card in hand), default=1.0)

    def lead(self, card: Card, hand: tuple[Card, ...]) -> float:
        rest = tuple(other for other in hand if other != card)
        holds = self.holds(card, len(hand))
        if not rest:
            return holds * (2 if card[0] == "3" else 1)
        return holds * self.keep(rest) + (1 - holds) * self.COMEBACK * self.keep(rest)

    def plan(self, card: Card) -> float:
        led = self.view.led
        if led is None:
            return self.lead(card, self.hand)
        rest = tuple(other for other in self.hand if other != card)
        if not rest:
            return 0.0
        return self.keep(rest) * (1.0 if takes(led, card) else self.COMEBACK)


class Difficile(KoraBot):
    """Imagines hands that fit what it saw, solves each deal exactly and plays what is best on average."""

    SAMPLES = 120

    def worth(self, view: View, cards: list[Card], think: Think) -> list[float]:
        assert view.seat is not None
        solver = Solver(pay(view, view.seat), pay(view, 1 - view.seat))
        mine = bits(held.card for held in view.hand)
        totals = [0] * len(cards)
        deadline = perf_counter() + think.seconds
        done = 0
        while done < self.SAMPLES and (done == 0 or perf_counter() < deadline):
            theirs = bits(imagine_hands(view, think.chance)[1 - view.seat])
            for at, card in enumerate(cards):
                totals[at] += after(solver, view, mine, theirs, BIT[card])
            done += 1
        # Of equals the lower card, but a 3 last: it may still multiply the stake.
        return [total / done - (14 if card[0] == "3" else VALUE[card]) * 1e-6 for total, card in zip(totals, cards)]


def pay(view: View, winner: int) -> Pay:
    """What a seat would win with 0, 1, 2 or 3 last tricks won with a 3 (K7), never more than the other has (K8)."""
    one, two, three, four = (min(view.stake * times, view.banks[1 - winner]) for times in (1, 2, 3, 4))
    return one, two, three, four


def run_of_threes(view: View) -> int:
    """How many tricks in a row the leader of the next has just won with a 3."""
    run = 0
    for trick in reversed(view.tricks):
        if trick.winner != view.leader or trick.taken_with[0] != "3":
            break
        run += 1
    return run


def after(solver: Solver, view: View, mine: int, theirs: int, card: int) -> int:
    """What the deal is worth once I have played a card, if the other holds these."""
    run = run_of_threes(view)
    if view.led is not None:
        led = BIT[view.led]
        return solver.after_reply(mine, theirs, run, led, card)
    return solver.after_lead(mine, theirs, run, card)


BOTS = {"facile": Facile(), "moyen": Moyen(), "difficile": Difficile()}
