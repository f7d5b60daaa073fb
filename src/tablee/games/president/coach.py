"""The coach of Super Président: sampled hands, played to the end of the manche by the kernel's weighted player.

A result is the points of a match; those of all seats add up to 0. A match of several manches is worth the points so
far and those expected in the present manche. Of the later manches only the titles count: a Président begins the next
one with better cards. How far each title climbs or falls is measured once for each number of seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from time import perf_counter
from typing import Any

from ...core.coach import Coach, Estimate, Judgement, Marks, Reason
from ...core.game import Chance, Outcome, Seat, Think
from .bots import distinct, kind
from .deck import cards_of
from .exchange import exchange
from .explain import explain
from .ranks import points_of
from .rules import President
from .values import Action, Give, State, View


class PresidentCoach(Coach[State, Action, View]):
    unit = "points"
    marks = Marks(inaccuracy=0.15, mistake=0.3, blunder=0.6)
    ratings = ((0.009, 1664), (0.133, 1500), (0.227, 1254))
    """`tablee coach calibrate president --matches 24 --seats 5 --options '{"rounds":2,"exchange":"choice"}'`"""

    BUDGET = 24_000
    """Manches played for one judgement, for all actions together."""
    WORLDS = (300, 1500)
    """The fewest and the most sampled hands for a judgement."""
    CHUNK = 50
    """Sampled hands between two checks of the clock."""
    KNOWN = 600
    """Manches played for an estimate."""
    SPARE = 7
    """Only this many of the worst cards are considered as gifts."""

    game = President()

    def result(self, outcome: Outcome) -> tuple[float, ...]:
        return tuple(float(score) for score in outcome.scores)

    def estimate(self, state: State, chance: Chance, seconds: float) -> Estimate:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return Estimate(self.result(outcome))
        import numpy as np

        from ...core import trials
        from . import kernel
        from .search import counts, table_of

        if state.stage == "exchange":
            state = exchange(state)
        view = self.game.view(state, None)
        root = with_finished(table_of(view), view)
        for seat, hand in enumerate(state.hands):
            root[kernel.HANDS + seat] = counts(cards_of(hand))
        places: Any = np.zeros((self.KNOWN, len(state.hands)), np.int64)
        dice: Any = np.array([chance.pick(1 << 62)], np.int64)
        kernel.judge_state(root, kernel.LIKINGS, self.KNOWN, dice, places.reshape(-1))
        return trials.estimate(points(view, places))

    def judge(
        self, view: View, legal: Sequence[Action], think: Think, played: Action | None = None
    ) -> Judgement[Action]:
        from ...core import trials
        from . import kernel
        from .search import Belief, code

        deadline = perf_counter() + think.seconds
        actions = self._candidates(view, legal, played)
        codes = [code(action) for action in actions]
        belief = Belief(view, think.seat, think.chance)
        with_finished(belief.root, view)
        belief.mix()
        if view.stage == "exchange":
            return trials.judgement(actions, points(view, self._try(belief, view, codes, deadline)), think.seat)
        waits = think.seat not in view.waiting
        tried = [*codes, kernel.WAIT] if waits else codes
        results = points(view, self._try(belief, view, tried, deadline))
        if not waits:
            return trials.judgement(actions, results, think.seat, choices(belief.root, codes))
        closes = kernel.worth_closing(belief.root, kernel.LIKINGS, think.seat) > 0
        found = trials.judgement(actions, results[:-1], think.seat)
        reference = results[0 if closes else -1].mean(axis=0)
        return Judgement(before=tuple(reference.tolist()), actions=found.actions)

    def _candidates(self, view: View, legal: Sequence[Action], played: Action | None) -> list[Action]:
        """Return one action of each kind: suits do not matter. Of the gifts, return only those of bad cards."""
        found = distinct(legal)
        if view.stage == "exchange":
            spare = set(view.hand[: self.SPARE])
            gifts = found.items()
            found = {key: gift for key, gift in gifts if isinstance(gift, Give) and spare.issuperset(gift.cards)}
        if played is not None:
            found[kind(played)] = played
        return list(found.values())

    def _try(self, belief: Any, view: View, codes: Sequence[int], deadline: float) -> Any:
        """Return the places of all seats by action, sampled hands and seat."""
        import numpy as np

        from . import kernel

        seats = len(view.seats)
        worlds = min(max(self.WORLDS[0], self.BUDGET // len(codes)), self.WORLDS[1 if len(codes) > 1 else 0])
        tried: Any = np.array(codes, np.int64)
        chunks: list[Any] = []
        done = 0
        while done < worlds and (not chunks or perf_counter() < deadline):
            some = min(self.CHUNK, worlds - done)
            places: Any = np.zeros((len(codes), some, seats), np.int64)
            rest = (tried, belief.owners, belief.ranks, belief.odds, kernel.LIKINGS, some, belief.dice)
            if view.stage == "exchange":
                ranking: Any = np.array(view.results[-1].ranking, np.int64)
                place = view.results[-1].ranking.index(belief.seat)
                kernel.judge_gifts(belief.root, ranking, place, *rest, places.reshape(-1))
            else:
                kernel.judge_actions(belief.root, belief.seat, *rest, places.reshape(-1))
            chunks.append(places)
            done += some
        return np.concatenate(chunks, axis=1)

    def explain(self, view: View, judgement: Judgement[Action], seat: Seat) -> Reason:
        return explain(view, judgement, seat)


def with_finished(root: Any, view: View) -> Any:
    """Write into the kernel's state in which order the seats went out, and return it."""
    from . import kernel

    for order, seat in enumerate(view.finished, 1):
        root[kernel.FINISH + seat] = order
    for order, seat in enumerate(view.sunk, 1):
        root[kernel.FINISH + seat] = -order
    return root


def choices(root: Any, codes: Sequence[int]) -> Any:
    """Return how often the reference player chooses each action of the seat to act: its scores and some noise."""
    import numpy as np

    from . import kernel

    scores = np.array([kernel.score(root, kernel.LIKINGS, code) for code in codes])
    noise = np.random.default_rng(1).random((200, len(codes))) * kernel.LOOSE
    return np.bincount((scores + noise).argmax(axis=1), minlength=len(codes))


def points(view: View, places: Any) -> Any:
    """Return results from places in this manche: the points so far, those of the place, and the worth of its title."""
    import numpy as np

    seats = len(view.seats)
    worth = np.array(points_of(tuple(range(seats)))) + np.array(titles_worth(seats, view.options.rounds - view.manche))
    return worth[places] + np.array([other.score for other in view.seats], np.float64)


@cache
def titles_worth(seats: int, manches: int) -> tuple[float, ...]:
    """Return the points that each title, from Président to Trouduc, can expect in so many manches."""
    import numpy as np

    if manches == 0:
        return (0.0,) * seats
    own = np.array(points_of(tuple(range(seats))))
    worth = np.array(climbs(seats)) @ (own + np.array(titles_worth(seats, manches - 1)))
    return tuple((worth - worth.mean()).tolist())


CLIMBS = 4000
"""Manches played to measure how titles change."""


@cache
def climbs(seats: int) -> tuple[tuple[float, ...], ...]:
    """Return how likely each title reaches each place in the next manche."""
    import numpy as np

    from . import kernel

    counts: Any = np.zeros((seats, seats), np.int64)
    dice: Any = np.array([1], np.int64)
    kernel.count_climbs(seats, CLIMBS, kernel.LIKINGS, dice, counts.reshape(-1))
    return tuple(tuple(row) for row in (counts / CLIMBS).tolist())


def warm_coach() -> None:
    """Compile or load the functions of the kernel that only the coach calls."""
    import numpy as np

    from . import kernel

    climbs(4)
    dice: Any = np.array([1], np.int64)
    root: Any = np.zeros(kernel.STATE, np.int64)
    kernel.deal(root, 4, dice)
    places: Any = np.zeros(4, np.int64)
    nothing: Any = np.zeros(0, np.int64)
    odds: Any = np.ones(8 * 65)
    ranking: Any = np.arange(4)
    kernel.judge_state(root, kernel.LIKINGS, 1, dice, places)
    rest = (nothing, nothing, nothing, odds, kernel.LIKINGS, 1, dice, places)
    kernel.judge_actions(root, 0, *rest)
    kernel.judge_gifts(root, ranking, 0, *rest)
