"""The coach of Ojyx: maître's playouts, in which every seat plays action cards, and its network for every seat.

A result is how many points a seat is ahead of the mean of the others, which adds up to 0; low scores are good. A match
of several manches is worth the lead so far and the one expected in the present manche. The next manches count as 0:
they begin anew for everybody.

After an action three rounds are played. Then the network says what the manche is worth to each seat at the beginning of
its turn, and the mean over the seats is subtracted, so that the leads add up to 0. A manche that somebody has ended is
played to its end. Until then a score beyond 60 or below −20 counts as one of these, as in maître's search.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...core.coach import Coach, Estimate, Judgement, Marks, Reason
from ...core.game import Chance, Outcome, Seat, Think
from .explain import explain
from .rules import Ojyx
from .values import Action, Choose, State, View

if TYPE_CHECKING:
    from .playouts import Playouts

MISJUDGED = 0.8
"""How far an estimate is off because of the network, in points, times the root of the number of seats …"""
MISJUDGED_DIFFERENCE = 0.6
"""… and the difference between two actions. `bench/ojyx_coach.py` compares both with manches played to the end."""
HIDDEN, USUAL = 5, 14
"""Points of a hidden card, and of a seat in a manche, on average."""


class OjyxCoach(Coach[State, Action, View]):
    unit = "points"
    marks = Marks(inaccuracy=1.0, mistake=2.5, blunder=5.0)
    ratings = ((0.02, 1880), (0.09, 1739), (0.31, 1500), (0.68, 1281))
    """`tablee coach calibrate ojyx --matches 10 --seats 4 --options '{"rounds":1}'`: about 265 decisions of each level,
    and standard errors of 0.006, 0.02, 0.05 and 0.13."""

    TRIED = 10
    """The most actions that are tried, as many as maître tries."""
    ROUNDS = 3
    """The turns of the seat until the network is asked. With two the differences between actions are off by more."""
    BUDGET = 1800
    """Playouts for one judgement, for all actions together …"""
    MOST = 600
    """… and the most for each of them."""
    FORCED = 40
    """Playouts if there is nothing to choose."""
    KNOWN = 300
    """Playouts for an estimate."""
    CHUNK = 40
    """Playouts for each action between two checks of the clock."""

    game = Ojyx()

    def result(self, outcome: Outcome) -> tuple[float, ...]:
        """Return the lead of each seat. A seat that left comes last, so it counts as many points as the others."""
        scores = [
            max([own, *(outcome.scores[at] for at, better in enumerate(outcome.places) if better < place)])
            for own, place in zip(outcome.scores, outcome.places, strict=True)
        ]
        total, others = sum(scores), len(scores) - 1
        return tuple((total - own) / others - own for own in scores)

    def estimate(self, state: State, chance: Chance, seconds: float) -> Estimate:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return Estimate(self.result(outcome))
        # Imported here because they load Numba, which only bot processes need.
        import numpy as np

        from ...core import trials
        from .playouts import known

        deadline = perf_counter() + seconds
        seat = min(self.game.turn(state).must)
        view = self.game.view(state, seat)
        if view.stage in ("choose", "vote"):
            return trials.estimate(leads(view, np.zeros((1, len(view.seats)))))
        results = self._play(known(state, chance), [0], seat, view, self.KNOWN, deadline)
        return trials.estimate(results[0], 0.0 if view.ending else MISJUDGED * sqrt(len(view.seats)))

    def judge(
        self, view: View, legal: Sequence[Action], think: Think, played: Action | None = None
    ) -> Judgement[Action]:
        import numpy as np

        from ...core import trials
        from .playouts import Trials

        deadline, seat = perf_counter() + think.seconds, think.seat
        if view.stage in ("choose", "vote"):
            actions = self._equals(legal, played)
            return trials.judgement(actions, leads(view, np.zeros((len(actions), 2, len(view.seats)))), seat)
        playouts = Trials(view, seat, legal, think.chance)
        tried = self._promising(playouts.groups(), -1 if played is None else legal.index(played))
        count = min(self.MOST, self.BUDGET // len(tried)) if len(tried) > 1 else self.FORCED
        results = self._play(playouts, tried, seat, view, count, deadline)
        chosen = np.zeros(len(tried))
        chosen[0] = 1
        misjudged = 0.0 if view.ending else MISJUDGED_DIFFERENCE
        return trials.judgement([legal[at] for at in tried], results, seat, chosen, misjudged)

    def _equals(self, legal: Sequence[Action], played: Action | None) -> list[Action]:
        """Return a few actions of a stage in which all are worth the same: what was played, then others."""
        first = [] if played is None else [played]
        others = [action for action in legal if action != played and not isinstance(action, Choose)]
        columns = [action for action in legal if action != played and isinstance(action, Choose)]
        columns.sort(key=lambda choice: isinstance(choice, Choose) and choice.cells[0] % 4 != choice.cells[1] % 4)
        return [*first, *others, *columns][:4]

    def _promising(self, groups: Sequence[Sequence[int]], played: int) -> list[int]:
        """Return the indexes of the actions to try: one of each group that looks good, and the one played, if not -1.

        The first is what the reference player chooses, or an equal of it.
        """
        tried = [played if played in group else group[0] for group in groups[: self.TRIED]]
        return tried if played < 0 or played in tried else [*tried, played]

    def _play(
        self, playouts: Playouts, tried: Sequence[int], seat: Seat, view: View, count: int, deadline: float
    ) -> Any:
        """Return the results by action, playout and seat."""
        import numpy as np

        who = [seat, *(at for at, other in enumerate(view.seats) if at != seat and not other.gone)]
        chunks: list[Any] = []
        while not chunks or (len(chunks) * self.CHUNK < count and perf_counter() < deadline):
            chunks.append(playouts.leads(tried, self.CHUNK, who, self.ROUNDS, not view.ending))
        return leads(view, scores(view, who, np.concatenate(chunks, axis=1)))

    def explain(self, view: View, judgement: Judgement[Action], seat: Seat) -> Reason:
        return explain(view, judgement, seat)


def scores(view: View, who: Sequence[Seat], ahead: Any) -> Any:
    """Return the scores of this manche that make such leads, counted from the mean of all seats that have not left."""
    import numpy as np

    points: Any = np.empty((*ahead.shape[:-1], len(view.seats)))
    for seat, other in enumerate(view.seats):
        points[..., seat] = sum(HIDDEN if cell == "hidden" else cell for cell in other.cells if cell != "empty") - USUAL
    points[..., who] = ahead * (1 / len(who) - 1)
    return points


def leads(view: View, scores: Any) -> Any:
    """Return the leads of all seats from scores of this manche; a seat that left counts as the worst of the others."""
    import numpy as np

    totals = scores + np.array([other.total for other in view.seats], np.float64)
    gone = np.array([other.gone for other in view.seats])
    if gone.any():
        worst = totals[..., ~gone].max(axis=-1, keepdims=True)
        totals = np.where(gone, np.maximum(totals, worst), totals)
    others = len(view.seats) - 1
    return (totals.sum(axis=-1, keepdims=True) - totals) / others - totals
