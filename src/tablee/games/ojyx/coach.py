"""The coach of Ojyx: the manche played to its end by the kernel's weighted player.

A result is how many points a seat is ahead of the mean of the others, which adds up to 0; low scores are good. A match
of several manches is worth the lead so far and the one expected in the present manche. The next manches count as 0:
they begin anew for everybody.

This kernel does not play action cards. A card in stock counts as the points that it saves on average, so judgements of
action cards are rougher than those of number cards, and their errors say nothing about that. The player of maître's
playouts (`manche_kernel.py`) plays them, but plays a quarter to a seventh as many manches a second (bench/README.md).
With it a judgement would take seconds, or have twice the error. Maître itself plays two rounds only and values its own
seat; a judgement needs the results of all seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from ...core.coach import Coach, Estimate, Judgement, Marks, Reason
from ...core.game import Chance, Outcome, Seat, Think
from .bots import HOLDS, group_equal
from .explain import explain
from .grid import HIDDEN, value_of
from .rules import Ojyx
from .values import Action, Choose, State, View


class OjyxCoach(Coach[State, Action, View]):
    unit = "points"
    marks = Marks(inaccuracy=1.0, mistake=2.5, blunder=5.0)
    ratings = ((0.19, 1739), (0.47, 1500), (0.83, 1281))
    """`tablee coach calibrate ojyx --matches 6 --seats 4 --options '{"rounds":1}' --every 2`"""

    BUDGET = 1800
    """Manches played for one judgement, for all actions together."""
    WORLDS = (240, 600)
    """The fewest and the most manches for each action."""
    FORCED = 60
    """Manches played if there is nothing to choose."""
    CHUNK = 30
    """Manches for each action between two checks of the clock."""
    KNOWN = 300
    """Manches played for an estimate."""
    TRIED = 6
    """The most actions that are tried by playing to the end …"""
    NEAR = 8.0
    """… if they look worse than the best by at most this many points."""

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
        import numpy as np

        from ...core import trials

        seat = min(self.game.turn(state).must)
        view = self.game.view(state, seat)
        if view.stage in ("choose", "vote"):
            return trials.estimate(leads(view, np.zeros((1, len(view.seats)))))
        think = Think(seat, chance, seconds)
        belief = understand(view, think)
        actions = list(self.game.legal_actions(state, seat))
        table = belief.after(actions[best_of(belief.likings(actions))])
        know_all(table, state)
        return trials.estimate(leads(view, self._play(belief, [table], view, self.KNOWN, seconds)[0]))

    def judge(
        self, view: View, legal: Sequence[Action], think: Think, played: Action | None = None
    ) -> Judgement[Action]:
        import numpy as np

        from ...core import trials

        if view.stage in ("choose", "vote"):
            actions = self._equals(legal, played)
            nothing = np.zeros((len(actions), 2, len(view.seats)))
            return trials.judgement(actions, leads(view, nothing), think.seat)
        belief = understand(view, think)
        likings = belief.likings(legal)
        tried = self._promising(legal, likings, played)
        actions = [legal[at] for at in tried]
        least, most = self.WORLDS
        worlds = min(most, max(least, self.BUDGET // len(actions))) if len(actions) > 1 else self.FORCED
        scores = self._play(belief, [belief.after(action) for action in actions], view, worlds, think.seconds)
        results = leads(view, scores)
        for row, action in zip(results, actions, strict=True):
            credit(row, think.seat, unplayed(belief, action))
        chosen = np.zeros(len(actions))
        chosen[best_of([likings[at] for at in tried])] = 1
        return trials.judgement(actions, results, think.seat, chosen)

    def _equals(self, legal: Sequence[Action], played: Action | None) -> list[Action]:
        """Return a few actions of a stage in which all are worth the same: what was played, then others."""
        first = [] if played is None else [played]
        others = [action for action in legal if action != played and not isinstance(action, Choose)]
        columns = [action for action in legal if action != played and isinstance(action, Choose)]
        columns.sort(key=lambda choice: isinstance(choice, Choose) and choice.cells[0] % 4 != choice.cells[1] % 4)
        return [*first, *others, *columns][:4]

    def _promising(self, legal: Sequence[Action], likings: Sequence[float], played: Action | None) -> list[int]:
        """Return the indexes of the actions to try: one of each group that looks good, and the one played."""
        groups = sorted(group_equal(legal, likings), key=lambda group: -likings[group[0]])
        good = [group for group in groups[: self.TRIED] if likings[group[0]] >= likings[groups[0][0]] - self.NEAR]
        if len(good) == 1:
            good = groups[:2]
        if played is None:
            return [group[0] for group in good]
        at = legal.index(played)
        return [at, *(group[0] for group in good if at not in group)]

    def _play(self, belief: Any, tables: Sequence[Any], view: View, worlds: int, seconds: float) -> Any:
        """Return the scores of this manche by table, world and seat."""
        import numpy as np

        from . import kernel

        deadline = perf_counter() + seconds
        states: Any = np.concatenate(tables)
        chunks: list[Any] = []
        for _ in range(worlds // self.CHUNK):
            scores: Any = np.zeros((len(tables), self.CHUNK, len(view.seats)))
            kernel.judge_states(states, len(tables), belief.weights, self.CHUNK, belief.dice, scores.reshape(-1))
            chunks.append(scores)
            if perf_counter() >= deadline:
                break
        return np.concatenate(chunks, axis=1)

    def explain(self, view: View, judgement: Judgement[Action], seat: Seat) -> Reason:
        return explain(view, judgement, seat)


def understand(view: View, think: Think) -> Any:
    """Return what the seat knows, in the kernel's terms."""
    from .kernel import LEARNT
    from .search import Belief

    return Belief(view, think.seat, HOLDS, LEARNT, think.chance)


def best_of(likings: Sequence[float]) -> int:
    """Return the index of the action that the reference player chooses: the one that looks best."""
    return max(range(len(likings)), key=likings.__getitem__)


def know_all(table: Any, state: State) -> None:
    """Write the hidden cards that anybody has looked at into the kernel's state of one seat."""
    from . import kernel

    for seat, grid in enumerate(state.grids):
        for cell, code in enumerate(grid):
            if code > HIDDEN and table[kernel.GRIDS + 12 * seat + cell] == kernel.UNSEEN:
                card = value_of(code) + kernel.ZERO
                if table[kernel.COUNTS + card] > 0:
                    table[kernel.GRIDS + 12 * seat + cell] = card + kernel.DOWN
                    table[kernel.COUNTS + card] -= 1
                    table[kernel.LEFT] -= 1


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


def credit(results: Any, seat: Seat, points: float) -> None:
    """Add points to the lead of a seat, at the expense of all others."""
    others = results.shape[-1] - 1
    results -= points / others
    results[..., seat] += points + points / others


def unplayed(belief: Any, action: Action) -> float:
    """Return what an action card gains that the kernel neither plays nor sees."""
    effect = belief.effect_of(action)
    if effect is None:
        return 0.0
    first_step = (effect.card == "scout" and not effect.order) or (effect.card == "gift" and belief.held < 0)
    return float(belief.apart(effect)) if first_step or effect.card in ("peek", "freeze") else 0.0


def warm_coach() -> None:
    """Compile or load the functions of the kernel that only the coach calls."""
    import numpy as np

    from . import kernel

    dice: Any = np.array([1], np.int64)
    table: Any = np.zeros(kernel.STATE, np.int64)
    kernel.deal(table, 2, dice)
    kernel.judge_states(table, 1, kernel.LEARNT, 1, dice, np.zeros(2))
    kernel.count_doubled(table, 0, kernel.LEARNT, 1, dice)
