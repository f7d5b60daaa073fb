"""The bots of Dames: one search with four budgets.

`facile` sees short combinations, errs by up to a man and now and then plays at random. `moyen` looks a few moves ahead.
`difficile` deepens as far as its budget allows. `maitre` has a larger budget, the learned evaluation and the tables of
endings. Budgets are nodes, not seconds, so a level plays the same on a busy machine; the clock cuts a search short only
on a slow one. The bots never resign and never offer a draw. They accept one if they stand worse, or if only kings are
left and they do not stand better.

A bot's choice must depend on its view alone, and one process serves all tables, so it clears the transposition table
before each decision. That costs a third of a ply (bench/README.md). The Hub engine and the analysis board keep theirs
between moves.

If the match clock can end the game by score (D6), they also play for points. A view does not contain the time left, so
a lead counts for more as pieces disappear.

Only bot processes import Numba, never the server itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.game import Ranked, Think
from ...core.limit import Limit
from .board import Move as BoardMove
from .board import Position
from .curve import DECIDED, expected, width_of
from .notation import position_of
from .rules import board_of
from .values import RED, AcceptDraw, Action, DeclineDraw, Move, Resign, State

if TYPE_CHECKING:
    from .search import Found, Preferences, Root, Search

MAITRE_ERROR = 0.02
"""How much eight times the nodes change maître's values, in results (`python bench/dames_error.py 40 300000`)."""
PER_POINT, AHEAD = 12, 150
"""With a match clock: the value of a point, and of being ahead at the very end. A man is worth 100."""
CONTEMPT = 20
"""How much worse a draw is than an equal position."""
LOST = 1000.0
"""The cost of resigning, in men."""


@cache
def search_of(size: int, *, learned: bool = False) -> Search:
    """Return this process's search for a size of board, with the evaluation by hand or the learned one."""
    from .search import Search

    return Search(size, table_bits=20 if learned else 19, learned=learned)


def warm() -> None:
    """Compile the kernel, or load it from the cache, so that no player waits for it later."""
    from .board import TEN
    from .search import Root

    search_of(10, learned=True).think(Root(TEN.start), depth=1)


class DamesBot(Struct, frozen=True, kw_only=True):
    """Search within a budget, add the noise of the level, and play the best move."""

    depth: int
    nodes: int
    seconds: float
    """The most seconds for a decision. With less, the bot searches proportionally fewer nodes."""
    share: float = 0.75
    """The share of its seconds that a search may use; the rest covers the overhead."""
    noise: int = 0
    """The largest error in the value of a move, in hundredths of a man, either way."""
    careless: int = 0
    """One in this many moves is random; 0 means none."""
    learned: bool = False
    """Whether it uses the learned evaluation and the tables of endings."""
    error: float | None = None
    """The standard error of its values in results; None: it values actions in men."""

    def choose(self, view: State, legal: Sequence[Action], think: Think) -> Action:
        """Return the best move, or the answer to a draw offer."""
        if AcceptDraw() in legal:
            if self.accepts(view, think):
                return AcceptDraw()
            if think.seat != view.to_move:
                return DeclineDraw()
        moves = [action for action in legal if isinstance(action, Move)]
        if len(moves) == 1:
            return moves[0]
        if self.careless and think.chance.pick(self.careless) == 0:
            return moves[think.chance.pick(len(moves))]
        if self.noise:
            return self.rank_moves(view, moves, think)[0][0]
        return by_squares(view, moves)[self.search(view, think).line[0]]

    def rank(self, view: State, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        """Return the legal actions, best first: a draw is worth 0, and resigning comes last.

        A level that knows its error values them in results, from -1 to 1, the others in men. What is proven has
        no error.
        """
        moves = [action for action in legal if isinstance(action, Move)]
        ranked: list[tuple[Action, float]] = [*self.rank_moves(view, moves, think)] if moves else []
        going_on = ranked[0][1] if ranked else self.value(view, think)
        worth: dict[Action, float] = {AcceptDraw(): 0.0, Resign(): -LOST}
        ranked += [(action, worth.get(action, going_on)) for action in legal if not isinstance(action, Move)]
        ranked.sort(key=lambda one: -one[1])
        if self.error is None:
            return [Ranked(action, value) for action, value in ranked]
        width = width_of(board_of(view).size)
        return [
            Ranked(action, expected(value, width), 0.0 if self.is_proven(view, action, value) else self.error)
            for action, value in ranked
        ]

    def is_proven(self, view: State, action: Action, value: float) -> bool:
        """Return whether a value is no estimate: the search or a table of endings has seen how the game ends."""
        if isinstance(action, AcceptDraw | Resign) or abs(value) >= DECIDED:
            return True
        return isinstance(action, Move) and self.learned and is_known_draw(view, action)

    def rank_moves(self, view: State, moves: Sequence[Move], think: Think) -> list[tuple[Move, float]]:
        """Return moves and their values in men, best first; equal moves keep their order."""
        self.search(view, think, every=True)
        values = dict(self.search_for(view).values)
        seen = [(action, values[squares]) for squares, action in by_squares(view, moves).items()]
        if self.noise:
            seen = [(action, value + think.chance.pick(2 * self.noise + 1) - self.noise) for action, value in seen]
        return sorted(((action, value / 100) for action, value in seen), key=lambda one: -one[1])

    def accepts(self, view: State, think: Think) -> bool:
        """Accept a draw if the bot stands worse, or if only kings are left and it does not stand better."""
        return self.value(view, think) < (-0.5 if view.red_men | view.black_men else 0.5)

    def value(self, view: State, think: Think) -> float:
        """Return what the position is worth to the bot's seat, in men."""
        value = self.search(view, think, part=4).value / 100
        return value if think.seat == view.to_move else -value

    def search_for(self, view: State) -> Search:
        return search_of(board_of(view).size, learned=self.learned)

    def search(self, view: State, think: Think, *, every: bool = False, part: int = 1) -> Found:
        """Search a position with a part of the budget, without memory of earlier searches."""
        seconds = min(self.seconds, think.seconds)
        nodes = max(1, int(self.nodes * seconds / self.seconds) // part)
        search = self.search_for(view)
        search.forget()
        stop = Limit(self.share * seconds / part).over
        preferences = preferences_for(view, 1 + think.chance.pick(1 << 40))
        if every and self.error is not None:
            preferences = preferences._replace(contempt=0)  # the values are results, and a draw is 0
        found = search.think(root_of(view), preferences, depth=self.depth, nodes=nodes, stop=stop, every=every)
        search.forget()
        return found


def root_of(view: State) -> Root:
    """Return what a search needs of a state."""
    from .search import Root

    red, black = (score.points for score in view.scores)
    lead = red - black if view.to_move == RED else black - red
    past = tuple(Position(view.red_men, kings[0], view.black_men, kings[1], kings[2]) for kings in view.history[:-1])
    return Root(position_of(view), past, view.king_moves, view.endgame_moves, lead)


def preferences_for(view: State, tiebreak: int) -> Preferences:
    """Weigh points if the variant has them, and more if a match clock can end the game (D6, D9)."""
    from .search import Preferences

    scored = view.options.variant == "competitive"
    timed = scored and view.options.match_time > 0
    return Preferences(scored, PER_POINT if timed else int(scored), AHEAD if timed else 0, CONTEMPT, tiebreak)


def is_known_draw(view: State, move: Move) -> bool:
    """Return whether the tables of endings know that a move leads to a draw."""
    from .bitbases import value_of
    from .kernel import DRAWN

    board, position = board_of(view), position_of(view)
    return board.size == 10 and value_of(board.play(position, board.move(position, move.path))) == DRAWN


def by_squares(view: State, moves: Sequence[Move]) -> dict[BoardMove, Move]:
    """Map each move's origin, target and pieces taken to the move (D2)."""
    board, position = board_of(view), position_of(view)
    return {board.move(position, action.path): action for action in moves}


BOTS = {
    "facile": DamesBot(depth=3, nodes=20_000, seconds=0.25, noise=80, careless=40),
    "moyen": DamesBot(depth=5, nodes=60_000, seconds=0.25, noise=15),
    "difficile": DamesBot(depth=60, nodes=2_000_000, seconds=1.0),
    "maitre": DamesBot(depth=60, nodes=7_000_000, seconds=1.0, share=0.95, learned=True, error=MAITRE_ERROR),
}
