"""The search of maître: simulate the best plays and choose by the chance to win.

The candidates are the best plays and exchanges by score and tiles kept. All are tried in the same deals of the unseen
tiles. The racks of the others are drawn in the light of their last plays (`inference.py`). Everybody then has some
turns, chosen by score and tiles kept, and `winning.py` values the position. If the bag is empty by then, the match is
played out. With few tiles in the bag, `preendgame.py` searches instead.

After every few deals, candidates that are clearly worse than the best are dropped, and at fixed shares of the budget
all but the better half. The search ends early if one candidate is left. Its budget is a number of playouts, so the same
seed gives the same choice; the clock only ends the search on very slow machines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...core.game import Ranked, Seat, Think
from ...core.limit import Limit
from . import kernel
from .board import RACK
from .coach import scores_after
from .endgame import Solver
from .engine import racked
from .engines import engine, likes
from .inference import Guess, guesses
from .playouts import Playouts
from .preendgame import Ending, distinct
from .simulation import Tried
from .values import Action, Exchange, Pass, View
from .view import order_of
from .winning import Curve, curves_of, vague_shares

if TYPE_CHECKING:
    from .engine import Engine


class Settings(Struct, frozen=True):
    """How much is tried."""

    plays: int = 16
    exchanges: int = 3
    playouts: int = 6500
    """The budget of one second, for two or three players; with more players a playout takes longer."""
    inferred: int = 1500
    """The racks that are tried to infer the tiles of an opponent, in one second."""
    turns: int = 2
    """The turns after a play, for two players; with more players everybody has one."""
    batch: int = 16
    """The deals between two comparisons."""
    doubt: float = 2.3
    """A candidate is dropped if it is worse by so many standard errors."""
    prior: float = 20
    prior_by_bag: float = 0.5
    """The value by score and tiles kept counts as much as `prior` deals, and so many more for each tile in the bag. It
    is off by 0.012 at the beginning and 0.023 later; a deal is off by 0.1."""
    last_bag: int = 4
    """With at most so many tiles in the bag, two players search the endgames that follow."""
    last_deals: int = 600
    """The deals that are drawn then; many are equal."""
    searches: int = 48
    """The endgames that are searched then, in one second."""
    nodes: int = 2000
    """The positions of such a search."""
    patience: float = 1.3
    """The clock ends a search after so many times its seconds."""


SETTINGS = Settings()
HALVES = (0.25, 0.45, 0.7)
"""The shares of the budget after which the worse half of the candidates is dropped."""
FEWEST = 20
"""With fewer searches before the bag is empty, chance decides more than they do: then score and tiles kept decide."""
UNTRIED = 0.1
"""The standard error of a chance that follows from score and tiles kept alone."""
CERTAIN = 1e-4
"""The least standard error of a difference."""


class Weighed(Struct, frozen=True):
    """A candidate with its chance to win."""

    action: Action
    value: float
    """The chance to come first; a shared first place counts in part."""
    error: float
    """The standard error."""
    lead: float
    """The expected lead over the best of the others, in points."""
    trials: int


class Candidate(Struct, frozen=True):
    action: Action
    tried: Tried
    keep: float
    """The value of the tiles kept, in points."""


def candidates(view: View, found: Engine, settings: Settings) -> list[Candidate]:
    """Return the best plays and exchanges by score and tiles kept, best first; a pass if there are none."""
    plays, scores = found.play_arrays()
    left = found.left_by(plays)
    keeps = found.values_of(left)
    order: Any = np.argsort(-(1000 * scores + keeps), kind="stable")
    best: list[Candidate] = []
    seen = set[bytes]()
    for at in order[: 4 * settings.plays].tolist():
        board = found.board.copy()
        kernel.lay(found.graph, board, int(plays[at]))
        # A single tile that makes two words is one play with two names.
        if (key := board[: kernel.SQUARES].tobytes()) in seen:
            continue
        seen.add(key)
        tried = Tried(int(scores[at]), found.tiles_in(int(left[at])), "", board)
        best.append(Candidate(found.place(int(plays[at])), tried, float(keeps[at]) / 1000))
        if len(best) == settings.plays:
            break
    if view.bag >= RACK:
        swaps = sorted(found.keeps().items(), key=lambda one: (-one[1], one[0]))[: settings.exchanges]
        best += [exchanged(view, found, tiles, keep) for tiles, keep in swaps]
        best.sort(key=lambda one: -one.tried.score - one.keep)
    if not best:
        best.append(Candidate(Pass(), Tried(0, view.rack, "", found.board.copy()), 0.0))
    return best


def exchanged(view: View, found: Engine, tiles: str, keep: float) -> Candidate:
    leave = view.rack
    for tile in tiles:
        leave = leave.replace(tile, "", 1)
    return Candidate(Exchange(tiles), Tried(0, leave, tiles, found.board.copy()), keep)


@cache
def short_solver(ref: str) -> Solver:
    """Return what searches endgames shortly with a lexicon."""
    return Solver(engine(ref).graph, Solver.SMALL)


class Search:
    """One decision of maître."""

    def __init__(self, view: View, think: Think, settings: Settings = SETTINGS) -> None:
        self.view, self.settings = view, settings
        self.order = order_of(view, think.seat)
        self.share = max(0.0, min(1.0, think.seconds))
        self.clock = Limit(settings.patience * think.seconds)
        self.dice: Any = np.array([think.chance.pick(1 << 31)], np.int64)
        ref = view.options.lexicon
        self.engine, self.likes = engine(ref), likes(ref)
        self.curve: Curve = curves_of(ref)[max(2, len(self.order))]
        self.engine.set_board("".join(view.board))
        self.engine.set_rack(view.rack, self.likes, None if view.bag else view.unseen)
        self.candidates = candidates(view, self.engine, settings)
        self.sizes = [view.rack_sizes[seat] for seat in self.order]
        self.playouts = Playouts(self.engine, self.likes, [one.tried for one in self.candidates], self.sizes, view.bag)
        self.scores: Any = np.array([view.scores[seat] for seat in self.order], np.float64)

    def deals(self, count: int) -> Any:
        """Deal the unseen tiles, with racks that fit the last plays."""
        unseen = racked(self.view.unseen)
        deals: Any = np.zeros((count, unseen.size), np.int64)
        kernel.deal_tiles(unseen, deals.reshape(-1), self.dice)
        tries = int(self.settings.inferred * self.share / (len(self.order) - 1))
        found = guesses(self.view, self.order[1:], self.engine, self.playouts.game, tries, self.dice)
        for guess in found:
            self.assume(deals, guess)
        return deals

    def assume(self, deals: Any, guess: Guess) -> None:
        """Give a seat tiles that were inferred in every deal."""
        start = sum(self.sizes[1 : self.order.index(guess.seat)])
        count, kept = guess.leaves.shape
        kernel.assume(deals.reshape(-1), deals.shape[1], start, guess.leaves.reshape(-1), count, kept, self.dice)

    def values(self, points: Any, left: Any, mover: int) -> Any:
        """Return the chance to come first after points of all seats, with the tiles in the bag (-1: the end)."""
        totals = np.moveaxis(points + self.scores, -1, 0)
        chances = self.curve.chances(totals, left, mover)[0]
        return np.where(left < 0, vague_shares(totals)[0], chances)

    def guessed(self) -> Any:
        """Return the chance of each candidate by score and tiles kept alone."""
        points = np.zeros((len(self.candidates), len(self.order)))
        drawn = []
        for at, one in enumerate(self.candidates):
            points[at, 0] = one.tried.score + one.keep
            drawn.append(len(self.view.rack) - len(one.tried.leave) if not one.tried.given else 0)
        return self.values(points, np.maximum(1, self.view.bag - np.array(drawn)), 1 % len(self.order))

    def rank(self, points: Mapping[Action, float], best: Action | None) -> list[Ranked[Action]]:
        """Return all actions by the chance to win, `best` first if it is known.

        Actions that were not simulated are valued by their points alone, and not above those that were.
        """
        weighed = {one.action: one for one in self.run()}
        if best in weighed:
            most = max(one.value for one in weighed.values())
            weighed[best] = replace(weighed[best], value=most)
            weighed = {best: weighed.pop(best), **weighed}
        least = min(one.value for one in weighed.values())
        ranked = [Ranked(one.action, one.value, one.error) for one in weighed.values() if one.action in points]
        others = [action for action in points if action not in weighed]
        gained = np.zeros((len(others), len(self.order)))
        gained[:, 0] = [points[action] for action in others]
        bag = np.full(len(others), max(1, self.view.bag))
        values = np.minimum(self.values(gained, bag, 1 % len(self.order)), least) if others else []
        ranked += [Ranked(action, float(value), UNTRIED) for action, value in zip(others, values, strict=True)]
        return sorted(ranked, key=lambda one: -one.value)

    def run(self) -> list[Weighed]:
        """Simulate the candidates; return them best first."""
        settings, count = self.settings, len(self.candidates)
        budget = int(settings.playouts * self.share * min(1, 3 / len(self.order)))
        prior, weight = self.guessed(), settings.prior + settings.prior_by_bag * self.view.bag
        if budget < count or count == 1:
            return self.by_guess(prior)
        if self.view.bag <= settings.last_bag and len(self.order) == 2:
            return self.settle(prior) if settings.searches * self.share >= FEWEST else self.by_guess(prior)
        turns = settings.turns if len(self.order) == 2 else len(self.order)
        mover = (1 + turns) % len(self.order)
        most = budget // 2
        deals = self.deals(most)
        values: Any = np.zeros((count, most))
        lead: Any = np.zeros((count, most))
        active, done, spent = list(range(count)), 0, 0
        trials = np.zeros(count, np.int64)
        while len(active) > 1 and spent < budget and done < most:
            some = min(settings.batch, most - done)
            points, left = self.playouts.run(deals[done : done + some], turns, active)
            values[active, done : done + some] = self.values(points, left, mover)
            totals = points + self.scores
            lead[active, done : done + some] = totals[..., 0] - totals[..., 1:].max(axis=-1)
            done += some
            spent += some * len(active)
            trials[active] = done
            active = self.keep(active, values[:, :done], prior, weight, spent / budget)
            if self.clock.over():
                break
        return self.weigh(active[0], values, lead, trials, prior, weight)

    def settle(self, prior: Any) -> list[Weighed]:
        """Search the endgames that follow, if the bag is nearly empty and two players are left."""
        settings = self.settings
        deals, weights = distinct(self.deals(settings.last_deals), self.sizes[1])
        most = max(1, int(settings.playouts * self.share / 2) // len(self.candidates))
        deals, weights = deals[:most], weights[:most]
        ending = Ending(self.playouts, short_solver(self.view.options.lexicon), settings.nodes)
        ahead = float(self.scores[0] - self.scores[1])
        found = ending.settle(deals, weights, prior, ahead, int(settings.searches * self.share), self.clock.over)
        return [
            Weighed(
                self.candidates[at].action,
                found.value(at),
                max(CERTAIN, found.error(at)),
                found.lead(at),
                found.searched[at],
            )
            for at in found.best()
        ]

    def keep(self, active: list[int], values: Any, prior: Any, weight: float, spent: float) -> list[int]:
        """Return the candidates that may still be the best, best first."""
        done = values.shape[1]
        found = values[active]
        means = (found.sum(axis=1) + weight * prior[active]) / (done + weight)
        best = int(means.argmax())
        errors = np.maximum((found - found[best]).std(axis=1) / sqrt(done + weight), CERTAIN)
        order = np.argsort(-means, kind="stable")
        kept = [int(at) for at in order if at == best or means[best] - means[at] < self.settings.doubt * errors[at]]
        halvings = sum(spent >= half for half in HALVES)
        most = max(2, len(self.candidates) >> halvings)
        return [active[at] for at in kept[:most]]

    def weigh(self, best: int, values: Any, lead: Any, trials: Any, prior: Any, weight: float) -> list[Weighed]:
        """Return all candidates, best first; the others are compared with the best in the deals of both."""
        most = int(trials[best])
        base = (values[best, :most].sum() + weight * prior[best]) / (most + weight)
        found = []
        for at, one in enumerate(self.candidates):
            done = int(trials[at])
            behind = (values[at, :done] - values[best, :done]).sum() + weight * (prior[at] - prior[best])
            ahead = lead[best, :most].mean() + (lead[at, :done] - lead[best, :done]).mean()
            value = min(1.0, max(0.0, float(base + behind / (done + weight))))
            error = max(CERTAIN, float(values[at, :done].std()) / sqrt(done))
            found.append(Weighed(one.action, round(value, 3), error, float(ahead), done))
        return sorted(found, key=lambda one: (-one.value, -one.lead))

    def by_guess(self, prior: Any) -> list[Weighed]:
        """Return the candidates in the order of score and tiles kept, without any trial."""
        return [
            Weighed(one.action, float(prior[at]), UNTRIED, one.tried.score + one.keep, 0)
            for at, one in enumerate(self.candidates)
        ]


def rank_answers(view: View, legal: Sequence[Action], seat: Seat) -> list[Ranked[Action]]:
    """Return the answers to the pending play, best first, by the chance to come first; points alone decide it (S6)."""
    assert view.pending is not None
    order = order_of(view, seat)
    mover = order.index(order_of(view, view.pending.seat)[1])
    curve = curves_of(view.options.lexicon)[len(order)]
    points = {action: np.array(scores_after(view, seat, action))[list(order)] for action in legal}
    ranked = [
        Ranked(action, float(curve.chances(found, max(1, view.bag), mover)[0]), UNTRIED)
        for action, found in points.items()
    ]
    return sorted(ranked, key=lambda one: (-one.value, points[one.action][1:].max() - points[one.action][0]))
