"""The coach of Scrabble: the best plays by score and tiles kept, then simulated.

A result is how many points a seat is ahead of the mean of the others. After a play everybody has one more turn, chosen
by score and tiles kept. Then the tiles kept count with their value, and so does the turn to move. The turns after that
count as 0: everybody scores alike. Once the bag is empty, the match is played to its end. With two players it is then
searched, and only this search is limited by time: a value that it could not prove has an error of `UNPROVEN` points.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...core.coach import Coach, Estimate, Judged, Judgement, Marks, Reason
from ...core.game import Chance, Outcome, Seat, Think
from .analysis import Checked, best_places, exchanges, ready
from .board import RACK
from .engines import engine, likes
from .explain import explain
from .lexicon import demand, lexicon
from .rules import PENALTY, Scrabble
from .scoring import score_play
from .simulation import Tried, check_play, codes, deals, prepare, shuffled, solve_play
from .turns import unanswered
from .values import Accept, Action, Challenge, Exchange, Pass, Place, State, View
from .view import order_of

if TYPE_CHECKING:
    from .playouts import Playouts

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
    """Trials between two looks at the clock; so many are made even if the time is over."""
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
        import numpy as np

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
        playouts = playouts_of(view, [standing(view, racks[0])], [len(rack) for rack in racks])
        seed, held = chance.pick(1 << 31), "".join(racks[1:])
        rows: list[Any] = []
        while len(rows) * self.LEAST < self.KNOWN and (not rows or perf_counter() < deadline):
            numbers = range(len(rows) * self.LEAST, (len(rows) + 1) * self.LEAST)
            points, left = playouts.run(codes(held + shuffled(state.bag, seed, at) for at in numbers), len(order))
            rows.append(leads(view, whole(view, order, points, left))[0])
        return trials.estimate(np.concatenate(rows))

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
        return Estimate(finished(view, order, float(solution.value)), 0.0 if solution.exact else UNPROVEN)

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
        playouts = playouts_of(view, tries, [view.rack_sizes[seat] for seat in order])
        rows: list[Any] = []
        while len(rows) * self.LEAST < self.TRIALS and (not rows or perf_counter() < deadline):
            dealt = deals(checked, seed, len(rows) * self.LEAST, self.LEAST)
            rows.append(leads(view, whole(view, order, *playouts.run(dealt, len(order)))))
        chosen = np.zeros(len(actions))
        chosen[0] = 1  # the reference player takes the first by score and tiles kept
        return trials.judgement(actions, np.concatenate(rows, axis=1), think.seat, chosen)

    def _solve(
        self, view: View, checked: Checked, actions: list[Action], order: tuple[Seat, ...], deadline: float
    ) -> Judgement[Action]:
        """Search each play to the end of the match."""
        judged = []
        for action in actions:
            end = min(deadline, perf_counter() + self.SOLVE)
            value, exact = solve_play(checked, standing_play(view, checked, action), end)
            judged.append(Judged(action, finished(view, order, value), 0.0 if exact else UNPROVEN))
        judged.sort(key=lambda one: -one.values[order[0]])
        judged[0] = Judged(judged[0].action, judged[0].values)
        return Judgement(before=judged[0].values, actions=tuple(judged))

    def _judge_answers(self, view: View, seat: Seat) -> Judgement[Action]:
        """Judge a contest by what it wins: the score of an invalid play, or the penalty of a valid one (S6)."""
        judged: list[Judged[Action]] = []
        for action in (Accept(), Challenge()):
            scores = scores_after(view, seat, action)
            judged.append(Judged(action, tuple(leads(view, [scores])[0].tolist())))
        judged.sort(key=lambda one: -one.values[seat])
        return Judgement(before=judged[0].values, actions=tuple(judged))

    def explain(self, view: View, judgement: Judgement[Action], seat: Seat) -> Reason:
        return explain(view, judgement, seat)


def scores_after(view: View, seat: Seat, answer: Action) -> list[float]:
    """Return the points of all seats after an answer to the pending play, if nobody else contests it (S6)."""
    assert view.pending is not None
    words, scores = lexicon(view.options.lexicon), [float(score) for score in view.scores]
    contests = isinstance(answer, Challenge)
    if contests and any(one.word.upper() not in words for one in view.pending.play.words):
        return scores  # the play is withdrawn
    scores[view.pending.seat] += view.pending.play.score
    scores[seat] -= PENALTY if contests else 0
    return scores


def playouts_of(view: View, tries: Sequence[Tried], sizes: Sequence[int]) -> Playouts:
    """Return what plays on after several plays, with the sizes of the racks from the player's own on."""
    from .playouts import Playouts

    ref = view.options.lexicon
    return Playouts(engine(ref), likes(ref), tries, sizes, view.bag)


def standing(view: View, rack: str) -> Tried:
    """Return the board as it is, with the rack of the player who has just played."""
    found = engine(view.options.lexicon)
    found.set_board("".join(view.board))
    return Tried(score=0, leave=rack, given="", board=found.board.copy())


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


def whole(view: View, order: tuple[Seat, ...], points: Any, left: Any) -> Any:
    """Return the points of all seats after trials, whose second player moves next unless it is the end (-1 left)."""
    import numpy as np

    players = len(order)
    turns = TURN * ((players - 1) / 2 - (np.arange(players) - 1) % players) / players
    totals = np.tile(np.array(view.scores, np.float64), (*left.shape, 1))
    totals[..., list(order)] += points + np.where(left < 0, 0.0, 1.0)[..., None] * turns
    return totals


def finished(view: View, order: tuple[Seat, ...], gained: float) -> tuple[float, ...]:
    """Return the leads of all seats at the end if the first of two players gains so many points on the other."""
    totals = [float(score) for score in view.scores]
    totals[order[0]] += gained
    return tuple(leads(view, [totals])[0].tolist())


def leads(view: View, points: Any) -> Any:
    """Return the leads of all seats; a seat that left counts no more points than the others."""
    import numpy as np

    totals = np.array(points, np.float64)
    if view.left:
        gone = np.isin(np.arange(totals.shape[-1]), view.left)
        totals = np.where(gone, np.minimum(totals, totals[..., ~gone].min(axis=-1, keepdims=True)), totals)
    others = totals.shape[-1] - 1
    return totals - (totals.sum(axis=-1, keepdims=True) - totals) / others
