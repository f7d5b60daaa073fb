"""Evaluate actions with the kernel: by rules of thumb, or by playing sampled hands to the end.

Importing this module loads Numba, so `bots.py` imports it only inside a decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...core.cards import Card
from ...core.game import Chance, Seat
from ...core.halving import halve
from ...core.limit import Limit
from . import kernel
from .deck import FOUR, STRENGTH_OF, cards_of, read_most
from .exchange import partners
from .imagine import certain_hands, imagine_hands, possible_cards
from .kernel import HANDS, WAIT
from .networks import judge, small
from .ranks import points_of
from .values import Action, CardSet, Close, Give, Pass, Play, Stop, Title, View

if TYPE_CHECKING:
    from ...core.machine import Floats, Ints

BURN_IN = 2000
"""Swaps of cards before the first sampled deal."""
CHUNK = 200
"""Manches played between two checks of the clock."""
DEALS = 20_000
"""Deals for measuring what the exchange does to hands."""
ORDER = 0.25
"""The bonus of the first place beyond its points, and the malus of the last: titles count in the next manche."""
DECLARED = {None: 0, "suite": kernel.SUITE, "reverse": kernel.REVERSE}


PLACES = 8
"""Space for the places of a manche."""
TITLES: dict[Title | None, int] = {"president": 1, "vice_president": 2, "avant_dernier": 3, "trouduc": 4}
"""The numbers of titles in the networks."""


@dataclass(frozen=True)
class Plan:
    """How to explore options with the networks."""

    budget: int
    """Playouts for one decision."""
    heat: float
    """The temperature of the small network's policy; without heat it plays its best action."""
    trust: float
    """The part of the judge in a value; the rest is from playouts."""


class Estimate(NamedTuple):
    """The value of an option with its standard error, in points of the manche."""

    value: float
    error: float | None
    """None if the option was not tried."""


def code(option: Action | None) -> int:
    """Return the kernel's number of an action or of waiting, or the cards of a gift; suits do not matter."""
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
            raise ValueError(f"{option} is not an action that a player can choose")


def counts(cards: Sequence[Card]) -> int:
    """Return some cards as a hand of the kernel."""
    return sum(1 << 4 * STRENGTH_OF[card] for card in cards)


def table_of(view: View) -> Any:
    """Return the kernel's state of a manche without the hands."""
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


def titles_of(view: View) -> int:
    """Return the titles of all seats as the networks see them, four bits a seat."""
    return sum(TITLES.get(other.title, 0) << 4 * seat for seat, other in enumerate(view.seats))


@cache
def exchange_effect(seats: int) -> tuple[tuple[float, ...], ...]:
    """Return how the exchange changes the expected number of cards of each rank, as a factor for each title.

    The titles are Président, Vice-Président, last but one and Trouduc: good cards go up and bad cards go down.
    """
    found = np.zeros(52, np.int64)
    kernel.count_traded(seats, DEALS, np.array([1], np.int64), found)
    more = found * seats / (4 * DEALS)
    return tuple(tuple(more[13 * title : 13 * title + 13].tolist()) for title in range(4))


def odds_of(view: View, seat: Seat, certain: list[CardSet]) -> Any:
    """Return how likely each seat holds 0 to 4 cards of each rank, from its passes and from the exchange."""
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
                    more = np.array(exchange_effect(len(view.seats))[title])
                    odds[other] *= more[:, None] ** np.arange(5)
    return odds.reshape(-1)


@cache
def place_values(seats: int) -> Any:
    """Return the value of each place: its points and a small bonus for its order."""
    points = points_of(tuple(range(seats)))
    return np.array([points[place] + ORDER * (1 - 2 * place / (seats - 1)) for place in range(seats)])


class Belief:
    """What a seat knows of a manche: the kernel's state, the hidden cards, and the seats that may hold them."""

    def __init__(self, view: View, seat: Seat, chance: Chance) -> None:
        self.seat = seat
        self.dice: Ints = np.array([chance.pick(1 << 62)], np.int64)
        self.root: Ints = table_of(view)
        self.worth: Floats = place_values(len(view.seats))
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
        self._rest = (self.owners, self.ranks, self.odds, kernel.LIKINGS, self.worth)
        """The arguments that every sampling function of the kernel takes."""

    def mix(self) -> None:
        """Swap hidden cards until the deal follows the odds and not the first sample."""
        kernel.mix(self.root, self.owners, self.ranks, self.odds, BURN_IN, self.dice)

    def likings(self, codes: Sequence[int]) -> list[float]:
        """Score each action by rules of thumb; out of turn, score closing against waiting."""
        if self.root[kernel.TURN] != self.seat:
            close = kernel.worth_closing(self.root, kernel.THUMB, self.seat)
            return [0.0 if action == WAIT else close for action in codes]
        return [kernel.score(self.root, kernel.THUMB, action) for action in codes]

    def try_actions(self, codes: Sequence[int], budget: int, limit: Limit) -> list[float]:
        """Return the average result of each action over sampled hands, with a budget of manches for all together."""
        self.mix()

        def play(tried: Any, worlds: int, totals: Any) -> None:
            kernel.try_actions(self.root, self.seat, tried, *self._rest, worlds, self.dice, totals)

        return try_codes(codes, budget, limit, play)

    def judged(self, codes: Sequence[int]) -> Any:
        """Return what the judge expects of each action: the odds of each place."""
        on = np.zeros(kernel.ON, np.int64)
        bits = np.zeros((len(codes), kernel.STATE_BITS + kernel.ACTION_BITS), np.float32)
        most: Ints = np.array([read_most(other.most) for other in self._view.seats], np.int64)
        seen = kernel.observe(self.root, titles_of(self._view), self.seat, on)
        seen = kernel.observe_limits(self.root, most, self.seat, on, seen)
        for row, action in zip(bits, codes, strict=True):
            row[on[: kernel.describe(self.root, self.seat, action, on, seen)]] = 1
        return judge().odds(bits)[:, : len(self._view.seats)]

    def _learned(self, heat: float) -> tuple[Ints, Ints, Floats, int, Any, Any, float]:
        """Return the arguments that every function of the kernel with playouts by the small network takes."""
        return self.owners, self.ranks, self.odds, titles_of(self._view), *small(), heat

    def explore_actions(self, codes: Sequence[int], plan: Plan, limit: Limit) -> list[Estimate]:
        """Return the value of each action: what the judge expects, and the average over playouts of sampled hands."""
        learned = self._learned(plan.heat)
        self.mix()

        def play(tried: Any, worlds: int, places: Any) -> None:
            kernel.explore_actions(self.root, self.seat, tried, *learned, worlds, self.dice, places)

        return explore(codes, plan, limit, self.judged(codes), self.worth, play)

    def explore_gifts(self, gifts: Sequence[int], plan: Plan, limit: Limit) -> list[Estimate]:
        """Return the value of each gift in an exchange by choice: the average over playouts of sampled hands."""
        ranking: Ints = np.array(self._view.results[-1].ranking, np.int64)
        place = self._view.results[-1].ranking.index(self.seat)
        learned = self._learned(plan.heat)
        self.mix()

        def play(tried: Any, worlds: int, places: Any) -> None:
            kernel.explore_gifts(self.root, ranking, place, tried, *learned, worlds, self.dice, places)

        # The judge does not know gifts.
        seats = len(self._view.seats)
        odds = np.full((len(gifts), seats), 1 / seats)
        return explore(gifts, replace(plan, trust=0.0), limit, odds, self.worth, play)

    def try_gifts(self, gifts: Sequence[int], budget: int, limit: Limit) -> list[float]:
        """Return the average result of each gift in an exchange by choice over sampled hands."""
        ranking: Ints = np.array(self._view.results[-1].ranking, np.int64)
        place = self._view.results[-1].ranking.index(self.seat)
        self.mix()

        def play(tried: Any, worlds: int, totals: Any) -> None:
            kernel.try_gifts(self.root, ranking, place, tried, *self._rest, worlds, self.dice, totals)

        return try_codes(gifts, budget, limit, play)


def try_codes(codes: Sequence[int], budget: int, limit: Limit, play: Callable[[Any, int, Any], None]) -> list[float]:
    """Try options by sequential halving; `play` adds up the results of trying some of them so many times."""

    def play_some(alive: list[int], worlds: int) -> list[float]:
        sums = np.zeros(len(alive))
        play(np.array([codes[at] for at in alive], np.int64), worlds, sums)
        return [float(total) for total in sums]

    return halve([0.0] * len(codes), [0] * len(codes), budget, limit, CHUNK, play_some, least=1)


def explore(
    codes: Sequence[int],
    plan: Plan,
    limit: Limit,
    odds: Any,
    worth: Any,
    play: Callable[[Any, int, Any], None],
) -> list[Estimate]:
    """Try options by sequential halving; `play` counts the places that playouts of some of them reach.

    `odds` are the judge's for each option. They also count as one playout in the error, so that it is never 0.
    """
    places = np.zeros((len(codes), PLACES), np.int64)
    expected = odds @ worth

    def play_some(alive: list[int], worlds: int) -> list[float]:
        found = np.zeros((len(alive), PLACES), np.int64)
        play(np.array([codes[at] for at in alive], np.int64), worlds, found.reshape(-1))
        places[alive] += found
        sums = (1 - plan.trust) * (found[:, : len(worth)] @ worth) + plan.trust * worlds * expected[alive]
        return [float(total) for total in sums]

    times = [0] * len(codes)
    values = halve([0.0] * len(codes), times, plan.budget, limit, CHUNK, play_some, least=1)
    reached = (places[:, : len(worth)] + odds) / (np.array(times)[:, None] + 1)
    variances = np.maximum(0.0, reached @ worth**2 - (reached @ worth) ** 2)
    errors = (1 - plan.trust) * np.sqrt(variances / times)
    return [Estimate(value, float(error)) for value, error in zip(values, errors, strict=True)]


def warm_up() -> None:
    """Compile or load every kernel function that a decision may call."""
    dice: Ints = np.array([1], np.int64)
    root: Ints = np.zeros(kernel.STATE, np.int64)
    kernel.deal(root, 4, dice)
    nothing: Ints = np.zeros(0, np.int64)
    odds: Floats = np.ones(8 * 65)
    weights, worth, totals = kernel.LIKINGS, place_values(4), np.zeros(1)
    kernel.mix(root, nothing, nothing, odds, 1, dice)
    kernel.score(root, weights, kernel.PASS)
    kernel.worth_closing(root, weights, 0)
    ranking: Ints = np.arange(4)
    kernel.try_actions(root, 0, nothing, nothing, nothing, odds, weights, worth, 1, dice, totals)
    kernel.try_gifts(root, ranking, 0, nothing, nothing, nothing, odds, weights, worth, 1, dice, totals)
    exchange_effect(4)
    warm_up_networks(root, odds, dice)


def warm_up_networks(root: Ints, odds: Floats, dice: Ints) -> None:
    """Load the networks and compile or load the functions that use them."""
    nothing: Ints = np.zeros(0, np.int64)
    ranking: Ints = np.arange(4)
    learned = (nothing, nothing, nothing, odds, 0, *small(), 1.0, 1, dice, nothing)
    kernel.explore_actions(root, 0, *learned)
    kernel.explore_gifts(root, ranking, 0, *learned)
    on: Ints = np.zeros(kernel.ON, np.int64)
    seen = kernel.observe_limits(root, ranking, 0, on, kernel.observe(root, 0, 0, on))
    kernel.describe(root, 0, kernel.PASS, on, seen)
    judge().odds(np.zeros((1, kernel.STATE_BITS + kernel.ACTION_BITS), np.float32))
