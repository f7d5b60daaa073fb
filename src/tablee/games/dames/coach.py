"""The coach of Dames: one search with every move valued to the same depth.

The search is maître's: on the 10×10 board it has the learned evaluation and the tables of endings. A result is 1 for a
win, 0 for a draw and −1 for a loss. The search values positions in men. How often a lead of so many men wins was fitted
to games of the bots against themselves. A search has no random error, so every error is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.coach import Coach, Estimate, Judged, Judgement, Marks, Reason
from ...core.game import Chance, Outcome, Seat, Think
from ...core.limit import Limit
from . import curve
from .bots import by_squares, preferences_for, root_of, search_of
from .explain import explain
from .rules import Dames, board_of
from .values import AcceptDraw, Action, DeclineDraw, Move, OfferDraw, Resign, State

if TYPE_CHECKING:
    from .search import Search

MOST_WORTH = 15.0
"""A won game is worth as much as this many men."""


class DamesCoach(Coach[State, Action, State]):
    unit = "win"
    marks = Marks(inaccuracy=0.05, mistake=0.12, blunder=0.22)
    ratings = ((0.0031, 2521), (0.0199, 1978), (0.0287, 1500), (0.0383, 915))
    """`tablee coach calibrate dames --matches 40 --every 2 --options '{"variant":"international"}' --seconds 0.2`, with
    bots that no clock cut short: about 300 decisions of each level, and standard errors of 0.0005 to 0.0036."""

    NODES = 900_000
    """For a judgement; an estimate, which values only the best move, takes a third."""

    game = Dames()

    def result(self, outcome: Outcome) -> tuple[float, ...]:
        first, second = outcome.places
        return float(second - first), float(first - second)

    def estimate(self, state: State, chance: Chance, seconds: float) -> Estimate:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return Estimate(self.result(outcome))
        return Estimate(expected(self._search(state, self.NODES // 3, seconds)[1], state))

    def judge(
        self, view: State, legal: Sequence[Action], think: Think, played: Action | None = None
    ) -> Judgement[Action]:
        moves = [action for action in legal if isinstance(action, Move)]
        judged: list[Judged[Action]] = []
        if think.seat == view.to_move and moves:
            search, _ = self._search(view, self.NODES, think.seconds, every=True)
            values = dict(search.values)
            for squares, action in by_squares(view, moves).items():
                judged.append(Judged(action, expected(values[squares], view), worth=in_men(values[squares])))
            judged.sort(key=lambda one: -one.values[think.seat])
            going_on = judged[0]
        else:
            value = self._search(view, self.NODES // 3, think.seconds)[1]
            men = in_men(value if think.seat == view.to_move else -value)
            going_on = Judged(DeclineDraw(), expected(value, view), worth=men)
        judged += [
            self._settled(action, going_on, think.seat)
            for action in legal
            if isinstance(action, AcceptDraw | DeclineDraw) or (action == played and not isinstance(action, Move))
        ]
        judged.sort(key=lambda one: -one.values[think.seat])
        return Judgement(before=judged[0].values, actions=tuple(judged))

    def _settled(self, action: Action, going_on: Judged[Action], seat: Seat) -> Judged[Action]:
        """Judge an offer or an answer to one, or giving up; an offer is worth as much as playing on."""
        if isinstance(action, AcceptDraw):
            return Judged(action, (0.0, 0.0), worth=0.0)
        if isinstance(action, DeclineDraw | OfferDraw):
            return Judged(action, going_on.values, worth=going_on.worth)
        assert isinstance(action, Resign)
        return Judged(action, (-1.0, 1.0) if seat == 0 else (1.0, -1.0), worth=-MOST_WORTH)

    def _search(self, state: State, nodes: int, seconds: float, *, every: bool = False) -> tuple[Search, int]:
        """Search without memory of earlier positions; return the search and the value for the side to move."""
        search = search_of(board_of(state).size, learned=True)
        search.forget()
        preferences = preferences_for(state, 1)._replace(contempt=0)
        stop = Limit(seconds).over
        found = search.think(root_of(state), preferences, nodes=nodes, stop=stop, every=every)
        search.forget()
        return search, found.value

    def explain(self, view: State, judgement: Judgement[Action], seat: Seat) -> Reason:
        return explain(view, judgement, seat)


def expected(value: int, state: State) -> tuple[float, float]:
    """Return the expected result of each side from the value for the side to move, in hundredths of a man."""
    mine = curve.expected(value / 100, curve.width_of(board_of(state).size))
    return (mine, -mine) if state.to_move == 0 else (-mine, mine)


def in_men(value: int) -> float:
    """Return a value of the search in men."""
    return max(-MOST_WORTH, min(MOST_WORTH, value / 100))
