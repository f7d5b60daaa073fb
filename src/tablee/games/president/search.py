"""What a computer player knows, told to the kernel: likings, imagined hands, actions tried on them.

`bots.py` imports this module inside a decision and nowhere else: it brings the kernel and Numba, which a server that
merely offers the game does without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import ceil, log2
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.cards import Card
from ...core.game import Chance, Seat
from . import kernel
from .deck import FOUR, STRENGTH_OF, cards_of
from .exchange import partners
from .imagine import certain_hands, imagine_hands, possible_cards
from .kernel import HANDS, WAIT
from .ranks import points_of
from .values import Action, CardSet, Close, Give, Pass, Play, Stop, View

if TYPE_CHECKING:
    from ...core.machine import Floats, Ints

BURN_IN = 2000
"""Exchanges of cards before the first imagined deal."""
CHUNK = 200
"""Manches played on between two looks at the clock."""
DEALS = 20_000
"""Deals from which is learnt what the exchange does to hands."""
ORDER = 0.25
"""What the first place is worth beyond its points, and the last one less: titles count in the next manche."""
DECLARED = {None: 0, "suite": kernel.SUITE, "reverse": kernel.REVERSE}


def code(option: Action | None) -> int:
    """The kernel's number of an action or of waiting, or the cards of a gift; suits do not matter to it."""
    match option:
        case None:
            return WAIT
        case Play(cards, declare):
            return STRENGTH_OF[cards[0]] << 5 | len(cards) << 2 | DECLARED[declare]
        case Close():
            return kernel.CLOSE
        case Stop():
            return kernel.STOP
        case Pass():
            return kernel.PASS
        case Give(cards):
            return counts(cards)
        case _:
            raise ValueError(f"no player chooses {option}")


def counts(cards: Sequence[Card]) -> int:
    """The kernel's hand of some cards."""
    return sum(1 << 4 * STRENGTH_OF[card] for card in cards)


def table_of(view: View) -> Any:
    """The kernel's state of a manche, the hands aside."""
    s = np.zeros(kernel.STATE, np.int64)
    s[kernel.SEATS] = len(view.seats)
    s[kernel.TURN] = view.waiting[0] if view.stage != "exchange" else view.opener
    s[kernel.REVOLUTION] = view.revolution
    s[kernel.TOP] = s[kernel.LAST] = -1
    if view.trick:
        last = view.trick[-1]
        s[kernel.SIZE] = len(view.trick[0].cards)
        s[kernel.TOP] = STRENGTH_OF[last.cards[0]]
        s[kernel.LAST] = last.seat
        s[kernel.PLAYS] = len(view.trick)
        for laid in reversed(view.trick):
            if laid.cards[0][0] != last.cards[0][0]:
                break
            s[kernel.RUN] += len(laid.cards)
    if view.demand is not None:
        s[kernel.MODE] = kernel.OU_RIEN if view.demand.ou_rien else DECLARED[view.demand.direction]
    s[kernel.OUT] = sum(other.out << seat for seat, other in enumerate(view.seats))
    s[kernel.WAITING] = sum(other.waived << seat for seat, other in enumerate(view.seats))
    s[kernel.ALONE] = view.stage == "alone"
    s[kernel.PLAYED] = counts(view.played)
    s[kernel.LEFT] = sum(other.cards > 0 for other in view.seats)
    s[kernel.SAFE], s[kernel.SUNK] = len(view.finished), len(view.sunk)
    return s


@cache
def traded(seats: int) -> tuple[tuple[float, ...], ...]:
    """By title, Président first, then Vice-Président, last but one, Trouduc: how many times more of each rank it holds.

    The exchange brings the best cards of the lower ranks to the upper ones and worse ones back.
    """
    found = np.zeros(52, np.int64)
    kernel.count_traded(seats, DEALS, np.array([1], np.int64), found)
    more = found * seats / (4 * DEALS)
    return tuple(tuple(more[13 * title : 13 * title + 13].tolist()) for title in range(4))


def odds_of(view: View, seat: Seat, certain: list[CardSet]) -> Any:
    """How likely each seat is to hold 0 to 4 cards of each rank: none after a pass, more of what an exchange brings."""
    odds = np.ones((8, 13, 5))
    for other, (possible, known) in enumerate(zip(possible_cards(view), certain, strict=True)):
        for rank in range(13):
            most = min(int(view.seats[other].most[rank]), ((possible | known) >> 4 * rank & FOUR).bit_count())
            odds[other, rank, most + 1 :] = 0.0
    if view.gifts and view.stage != "exchange":
        pairs = partners(view.results[-1].ranking)
        for (upper, lower, _), titles in zip(pairs, ((0, 3), (1, 2)), strict=True):
            if seat not in (upper, lower):
                for other, title in zip((upper, lower), titles, strict=True):
                    more = np.array(traded(len(view.seats))[title])
                    odds[other] *= more[:, None] ** np.arange(5)
    return odds.reshape(-1)


@cache
def worth_of_places(seats: int) -> Any:
    """What each place is worth: its points, and a little for its order."""
    points = points_of(tuple(range(seats)))
    return np.array([points[place] + ORDER * (1 - 2 * place / (seats - 1)) for place in range(seats)])


class Belief:
    """A manche as a seat knows it: the kernel's state, which cards are hidden, and who may hold them."""

    def __init__(self, view: View, seat: Seat, chance: Chance) -> None:
        self.seat = seat
        self.dice: Ints = np.array([chance.pick(1 << 62)], np.int64)
        self.root: Ints = table_of(view)
        self.worth: Floats = worth_of_places(len(view.seats))
        self._view = view
        certain, owners, ranks = certain_hands(view), [], []
        for other, hand in enumerate(imagine_hands(view, chance)):
            self.root[HANDS + other] = counts(cards_of(hand))
            for card in cards_of(hand & ~certain[other]):
                owners.append(other)
                ranks.append(STRENGTH_OF[card])
        self.owners: Ints = np.array(owners, np.int64)
        self.ranks: Ints = np.array(ranks, np.int64)
        self.odds: Floats = odds_of(view, seat, certain)

    def mix(self) -> None:
        """Forget the first deal and obey the odds."""
        kernel.mix(self.root, self.owners, self.ranks, self.odds, BURN_IN, self.dice)

    def likings(self, codes: Sequence[int]) -> list[float]:
        """How much rules of thumb speak for each action, or for closing out of turn rather than waiting."""
        if self.root[kernel.TURN] != self.seat:
            close = kernel.worth_closing(self.root, kernel.THUMB, self.seat)
            return [0.0 if action == WAIT else close for action in codes]
        return [kernel.score(self.root, kernel.THUMB, action) for action in codes]

    def try_actions(self, codes: Sequence[int], budget: int, deadline: float) -> list[float]:
        """What each action brings on average over imagined hands, as many manches as the budget says all together."""
        self.mix()

        def play(tried: Any, worlds: int, totals: Any) -> None:
            kernel.try_actions(
                self.root,
                self.seat,
                tried,
                self.owners,
                self.ranks,
                self.odds,
                kernel.LIKINGS,
                self.worth,
                worlds,
                self.dice,
                totals,
            )

        return halve(codes, budget, deadline, play)

    def try_gifts(self, gifts: Sequence[int], budget: int, deadline: float) -> list[float]:
        """What each gift of an exchange by choice brings on average over imagined hands."""
        ranking: Ints = np.array(self._view.results[-1].ranking, np.int64)
        place = self._view.results[-1].ranking.index(self.seat)
        self.mix()

        def play(tried: Any, worlds: int, totals: Any) -> None:
            kernel.try_gifts(
                self.root,
                ranking,
                place,
                tried,
                self.owners,
                self.ranks,
                self.odds,
                kernel.LIKINGS,
                self.worth,
                worlds,
                self.dice,
                totals,
            )

        return halve(gifts, budget, deadline, play)


def halve(codes: Sequence[int], budget: int, deadline: float, play: Callable[[Any, int, Any], None]) -> list[float]:
    """Spend a budget of manches by sequential halving: after each round the worse half is tried no more."""
    totals, times = [0.0] * len(codes), [0] * len(codes)
    alive = list(range(len(codes)))
    rounds = max(1, ceil(log2(len(codes))))
    ranked: list[int] = []
    for number in range(rounds):
        worlds = max(1, budget // (rounds * len(alive)))
        tried = np.array([codes[at] for at in alive], np.int64)
        while worlds and (times[alive[0]] == 0 or perf_counter() < deadline):
            some = min(worlds, max(1, CHUNK // len(alive)))
            sums = np.zeros(len(alive))
            play(tried, some, sums)
            for at, found in zip(alive, sums.tolist(), strict=True):
                totals[at] += found
                times[at] += some
            worlds -= some
        alive.sort(key=lambda at: -totals[at] / times[at])
        kept = 1 if number == rounds - 1 else (len(alive) + 1) // 2
        ranked[:0] = alive[kept:]
        alive = alive[:kept]
    ranked[:0] = alive
    # What was dropped early had less to show, and never counts for more than what outlived it.
    values, most = [0.0] * len(codes), float("inf")
    for at in ranked:
        most = values[at] = min(most, totals[at] / times[at])
    return values


def warm_up() -> None:
    """Compile or load everything that a decision may ask of the kernel."""
    dice: Ints = np.array([1], np.int64)
    root: Ints = np.zeros(kernel.STATE, np.int64)
    kernel.deal(root, 4, dice)
    nothing: Ints = np.zeros(0, np.int64)
    odds: Floats = np.ones(8 * 65)
    weights, worth, totals = kernel.LIKINGS, worth_of_places(4), np.zeros(1)
    kernel.mix(root, nothing, nothing, odds, 1, dice)
    kernel.score(root, weights, kernel.PASS)
    kernel.worth_closing(root, weights, 0)
    ranking: Ints = np.arange(4)
    kernel.try_actions(root, 0, nothing, nothing, nothing, odds, weights, worth, 1, dice, totals)
    kernel.try_gifts(root, ranking, 0, nothing, nothing, nothing, odds, weights, worth, 1, dice, totals)
    traded(4)
