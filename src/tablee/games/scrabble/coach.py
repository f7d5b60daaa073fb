"""The coach of Scrabble: the best plays by score and tiles kept, then simulated.

A result is how many points a seat is ahead of the mean of the others. After a play everybody has one more turn, chosen
by score and tiles kept. Then the tiles kept count with their value, and so does the turn to move. The turns after that
count as 0: everybody scores alike. Once the bag is empty, the match is played to its end. With two players it is then
searched, and only this search is limited by time: a value that it could not prove has an error of `UNPROVEN` points.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...core.coach import Coach, Estimate, Judged, Judgement, Marks, Reason
from ...core.game import Chance, Outcome, Seat, Think
from .analysis import Checked, best_places, exchanges, ready
from .board import RACK
from .bots import engine, likes
from .explain import explain
from .lexicon import demand, lexicon
from .rules import PENALTY, Scrabble
from .scoring import score_play
from .simulation import Tried, check_play, deal, prepare, solve_play
from .turns import unanswered
from .values import Accept, Action, Challenge, Exchange, Pass, Place, State, View

if TYPE_CHECKING:
    from .simulation import Trial

TURN = 40.0
"""The points of a turn: 4,573 turns of the engine against itself brought 41 each."""
UNPROVEN = 3.0


class ScrabbleCoach(Coach[State, Action, View]):
    unit = "points"
    marks = Marks(inaccuracy=8.0, mistake=20.0, blunder=40.0)
    ratings = ((2.1, 2670), (20.1, 1970), (26.6, 1500), (34.1, 957))
    """`tablee coach calibrate scrabble --matches 30 --every 2 --seed levels`"""

    PLAYS = 8
    """The plays that are simulated."""
    EXCHANGES = 2
    TRIALS = 160
    KNOWN = 100
    """Trials of an estimate."""
    LEAST = 8
    """Trials that are made even if the time is over."""
    SOLVE = 0.12
    """Seconds for one play at the end of a match."""

    game = Scrabble()

    def result(self, outcome: Outcome) -> tuple[float, ...]:
        """Return the lead of each seat. A seat that left comes last, so it counts no more points than the others."""
        scores = [
            min([own, *(outcome.scores[at] for at, better in enumerate(outcome.places) if better < place)])
            for own, place in zip(outcome.scores, outcome.places, strict=True)
        ]
        total, others = sum(scores), len(scores) - 1
        return tuple(own - (total - own) / others for own in scores)

    def estimate(self, state: State, chance: Chance, seconds: float) -> Estimate:
        from ...core import trials

        deadline = perf_counter() + seconds
        state = self._answered(state, chance)
        outcome = self.game.outcome(state)
        if outcome is not None:
            return Estimate(self.result(outcome))
        assert state.to_act is not None
        view = self.game.view(state, state.to_act)
        order = order_of(view, state.to_act)
        if not state.bag and len(order) == 2:
            return self._solved(state, view, order, min(deadline, perf_counter() + 2 * self.SOLVE))
        # The last player "has just played": then the seat to act has the first turn of the trial.
        order = (order[-1], *order[:-1])
        racks = [state.racks[seat] for seat in order]
        trial, tried = trial_of(view, len(order)), standing(view, racks[0])
        seed = chance.pick(1 << 31)
        results: list[list[float]] = []
        while len(results) < self.KNOWN and (len(results) < self.LEAST or perf_counter() < deadline):
            bag = list(state.bag)
            Random(f"{seed}:{len(results)}").shuffle(bag)
            results.append(whole(view, order, *trial.scores(tried, racks[1:], "".join(bag))))
        return trials.estimate(leads(view, results))

    def _answered(self, state: State, chance: Chance) -> State:
        """Settle a pending play: everybody contests an invalid word, and nobody a valid one (S6)."""
        while (waiting := unanswered(state)) and state.pending is not None:
            words = lexicon(state.options.lexicon)
            wrong = any(one.word.upper() not in words for one in state.pending.play.words)
            state = self.game.apply(state, waiting[0], Challenge() if wrong else Accept(), chance)
        return state

    def _solved(self, state: State, view: View, order: tuple[Seat, ...], deadline: float) -> Estimate:
        """Search the end of a match between two players."""
        found = engine(view.options.lexicon)
        found.set_board(state.board)
        mine, theirs = (state.racks[seat] for seat in order)
        solution = found.solve(mine, theirs, likes(view.options.lexicon), deadline)
        result = whole(view, order, [float(solution.value), 0.0], True)
        return Estimate(tuple(leads(view, [result])[0].tolist()), 0.0 if solution.exact else UNPROVEN)

    def judge(
        self, view: View, legal: Sequence[Action], think: Think, played: Action | None = None
    ) -> Judgement[Action]:
        if view.stage == "challenge":
            return self._judge_answers(view, think.seat)
        deadline = perf_counter() + think.seconds
        order = order_of(view, think.seat)
        checked = Checked(
            "".join(view.board), view.rack, demand(view.options.lexicon), view.unseen, view.bag, len(order)
        )
        actions = self._candidates(view, checked, played)
        if checked.solvable:
            return self._solve(view, checked, actions, order, deadline)
        return self._simulate(view, checked, actions, order, think, deadline)

    def _candidates(self, view: View, checked: Checked, played: Action | None) -> list[Action]:
        """Return the best plays and exchanges by score and tiles kept, best first, and what was played."""
        found = ready(checked)
        listed = [(one.equity, Place(one.at, one.word)) for one in best_places(found, checked, self.PLAYS, None)[0]]
        ranked: list[tuple[float, Action]] = [*listed]
        if view.bag >= RACK:
            ranked += [(one.equity, Exchange(one.tiles)) for one in exchanges(found)[: self.EXCHANGES]]
        actions = [action for _, action in sorted(ranked, key=lambda one: -one[0])] or [Pass()]
        return actions if played is None or played in actions else [*actions, played]

    def _simulate(
        self,
        view: View,
        checked: Checked,
        actions: list[Action],
        order: tuple[Seat, ...],
        think: Think,
        deadline: float,
    ) -> Judgement[Action]:
        import numpy as np

        from ...core import trials

        seed = think.chance.pick(1 << 31)
        tries = [prepared(view, checked, action) for action in actions]
        trial = trial_of(view, len(order))
        rows: list[Any] = []
        while len(rows) < self.TRIALS and (len(rows) < self.LEAST or perf_counter() < deadline):
            racks, bag = deal(checked, seed, len(rows))
            rows.append(leads(view, [whole(view, order, *trial.scores(tried, racks, bag)) for tried in tries]))
        chosen = np.zeros(len(actions))
        chosen[0] = 1  # the reference player takes the first by score and tiles kept
        return trials.judgement(actions, np.stack(rows, axis=1), think.seat, chosen)

    def _solve(
        self, view: View, checked: Checked, actions: list[Action], order: tuple[Seat, ...], deadline: float
    ) -> Judgement[Action]:
        """Search each play to the end of the match."""
        judged = []
        for action in actions:
            end = min(deadline, perf_counter() + self.SOLVE)
            value, exact = solve_play(checked, standing_play(view, checked, action), end)
            result = leads(view, [whole(view, order, [value, 0.0], True)])[0]
            judged.append(Judged(action, tuple(result.tolist()), 0.0 if exact else UNPROVEN))
        judged.sort(key=lambda one: -one.values[order[0]])
        judged[0] = Judged(judged[0].action, judged[0].values)
        return Judgement(before=judged[0].values, actions=tuple(judged))

    def _judge_answers(self, view: View, seat: Seat) -> Judgement[Action]:
        """Judge a contest by what it wins: the score of an invalid play, or the penalty of a valid one (S6)."""
        assert view.pending is not None
        words = lexicon(view.options.lexicon)
        wrong = any(one.word.upper() not in words for one in view.pending.play.words)
        judged: list[Judged[Action]] = []
        for action in (Accept(), Challenge()):
            scores = [float(score) for score in view.scores]
            if wrong and isinstance(action, Challenge):
                pass  # the play is withdrawn
            else:
                scores[view.pending.seat] += view.pending.play.score
                scores[seat] -= PENALTY if isinstance(action, Challenge) else 0
            judged.append(Judged(action, tuple(leads(view, [scores])[0].tolist())))
        judged.sort(key=lambda one: -one.values[seat])
        return Judgement(before=judged[0].values, actions=tuple(judged))

    def explain(self, view: View, judgement: Judgement[Action], seat: Seat) -> Reason:
        return explain(view, judgement, seat)


def order_of(view: View, first: Seat) -> tuple[Seat, ...]:
    """Return the seats that play, clockwise from one of them."""
    seats = len(view.rack_sizes)
    return tuple(seat % seats for seat in range(first, first + seats) if seat % seats not in view.left)


def trial_of(view: View, players: int) -> Trial:
    """Return what plays trials of a match."""
    from .simulation import Trial

    words = demand(view.options.lexicon)
    return Trial(Checked("", "", words, "", 0, players))


def standing(view: View, rack: str) -> Tried:
    """Return the board as it is, with the rack of the player who has just played."""
    found = engine(view.options.lexicon)
    found.set_board("".join(view.board))
    return Tried(score=0, leave=rack, given="", drawn=0, board=found.board.copy())


def standing_play(view: View, checked: Checked, action: Action) -> Any:
    """Return a placed word with its score; None for other actions, and for a word that would be contested (S6)."""
    if not isinstance(action, Place):
        return None
    play = score_play(checked.board, action.at, action.word)
    return play if all(one.word.upper() in checked.words for one in play.words) else None


def prepared(view: View, checked: Checked, action: Action) -> Tried:
    """Return an action ready to simulate; an invalid word is withdrawn, so it is a lost turn."""
    play = standing_play(view, checked, action)
    if isinstance(action, Exchange):
        check_play(checked, action)
        return prepare(checked, action, None)
    if play is None:
        return standing(view, view.rack)
    assert isinstance(action, Place)
    return prepare(checked, action, play)


def whole(view: View, order: tuple[Seat, ...], scores: Sequence[float], over: bool) -> list[float]:
    """Return the points of all seats from those of a trial, whose second player moves next unless it is over."""
    points = [float(score) for score in view.scores]
    players = len(order)
    for at, seat in enumerate(order):
        points[seat] += scores[at]
        if not over:
            points[seat] += TURN * ((players - 1) / 2 - (at - 1) % players) / players
    return points


def leads(view: View, points: Sequence[Sequence[float]]) -> Any:
    """Return the leads of all seats; a seat that left counts no more points than the others."""
    import numpy as np

    totals = np.array(points, np.float64)
    if view.left:
        gone = np.isin(np.arange(totals.shape[-1]), view.left)
        totals = np.where(gone, np.minimum(totals, totals[..., ~gone].min(axis=-1, keepdims=True)), totals)
    others = totals.shape[-1] - 1
    return totals - (totals.sum(axis=-1, keepdims=True) - totals) / others
