"""Dames' computer players: one search, three depths of thought.

`facile` looks at exchanges and little else, and is sometimes careless; `moyen` looks a few moves ahead; `difficile`
deepens as far as its budget goes. Budgets are nodes, not seconds: a level plays the same on a busy machine, and the
clock only cuts it short on a very slow one. They never resign nor offer a draw; they accept one where they stand worse,
or where nothing is left to play for.

Where the clock of the match will end the game by score (D6), they care for points too. A view does not say what time it
is: a lead counts for more the more pieces have gone, as if time went with them.

Numba is imported by whoever thinks and never by the server itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.game import Ranked, Think
from .board import Move as BoardMove
from .board import Position
from .notation import position_of
from .rules import board_of
from .values import RED, AcceptDraw, Action, DeclineDraw, Move, Resign, State

if TYPE_CHECKING:
    from .search import Found, Root, Search, Taste

SHARE = 0.75
"""What part of its seconds a search may fill; the rest is for what surrounds it."""
PER_POINT, AHEAD = 12, 150
"""What a point is worth while a match clock runs, and what being ahead is at the very end; a man is worth 100."""
CONTEMPT = 20
"""How much less than an equal position a draw is worth."""
LOST = 1000.0
"""What giving up costs, in men."""


@cache
def search_of(size: int) -> Search:
    """The search of this process on a board of some size."""
    from .search import Search

    return Search(size, table_bits=19)


def warm() -> None:
    """Compile the kernel, or load what was compiled before, so that nobody waits for it later."""
    from .board import TEN
    from .search import Root

    search_of(10).think(Root(TEN.start), depth=1)


class DamesBot(Struct, frozen=True, kw_only=True):
    """Searches within its budget, misjudges as it is told to, and plays what it likes best."""

    depth: int
    nodes: int
    seconds: float
    """The most it takes for a decision; given less, it searches so many fewer nodes."""
    noise: int = 0
    """By how many hundredths of a man it may misjudge a move, either way."""
    careless: int = 0
    """One move in so many is played without a look; 0: none."""

    def choose(self, view: State, legal: Sequence[Action], think: Think) -> Action:
        """Return the move it likes best, or its answer to the offer of a draw."""
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
        """Return the legal actions, best first, valued in men: a draw is worth nothing, giving up least of all."""
        moves = [action for action in legal if isinstance(action, Move)]
        ranked: list[tuple[Action, float]] = [*self.rank_moves(view, moves, think)] if moves else []
        goes_on = ranked[0][1] if ranked else self.value(view, think)
        worth: dict[Action, float] = {AcceptDraw(): 0.0, Resign(): -LOST}
        ranked += [(action, worth.get(action, goes_on)) for action in legal if not isinstance(action, Move)]
        return [Ranked(action, value) for action, value in sorted(ranked, key=lambda one: -one[1])]

    def rank_moves(self, view: State, moves: Sequence[Move], think: Think) -> list[tuple[Move, float]]:
        """Return moves and their values in men, best first; of equals the first on the board."""
        self.search(view, think, every=True)
        values = dict(search_of(board_of(view).size).values)
        seen = [(action, values[squares]) for squares, action in by_squares(view, moves).items()]
        if self.noise:
            seen = [(action, value + think.chance.pick(2 * self.noise + 1) - self.noise) for action, value in seen]
        return sorted(((action, value / 100) for action, value in seen), key=lambda one: -one[1])

    def accepts(self, view: State, think: Think) -> bool:
        """Whether it agrees to a draw: it stands worse, or there are only kings and it does not stand better."""
        return self.value(view, think) < (-0.5 if view.red_men | view.black_men else 0.5)

    def value(self, view: State, think: Think) -> float:
        """What the position is worth to the seat that thinks, in men."""
        value = self.search(view, think, part=4).value / 100
        return value if think.seat == view.to_move else -value

    def search(self, view: State, think: Think, *, every: bool = False, part: int = 1) -> Found:
        """Search a position with a part of the budget; nothing is kept of any search before."""
        from .search import until

        start = perf_counter()
        seconds = min(self.seconds, think.seconds)
        nodes = max(1, int(self.nodes * seconds / self.seconds) // part)
        search = search_of(board_of(view).size)
        search.forget()
        stop = until(start + SHARE * seconds / part)
        taste = taste_for(view, 1 + think.chance.pick(1 << 40))
        return search.think(root_of(view), taste, depth=self.depth, nodes=nodes, stop=stop, every=every)


def root_of(view: State) -> Root:
    """What a search must know of a state."""
    from .search import Root

    red, black = (score.points for score in view.scores)
    lead = red - black if view.to_move == RED else black - red
    past = tuple(Position(view.red_men, kings[0], view.black_men, kings[1], kings[2]) for kings in view.history[:-1])
    return Root(position_of(view), past, view.king_moves, view.endgame_moves, lead)


def taste_for(view: State, whim: int) -> Taste:
    """What to care about: points where the variant has them, and much where its clock will end the game (D6, D9)."""
    from .search import Taste

    scored = view.options.variant == "competitive"
    timed = scored and view.options.match_time > 0
    return Taste(scored, PER_POINT if timed else int(scored), AHEAD if timed else 0, CONTEMPT, whim)


def by_squares(view: State, moves: Sequence[Move]) -> dict[BoardMove, Move]:
    """The moves by what makes them different: where from, where to and what they take (D2)."""
    board, position = board_of(view), position_of(view)
    return {board.move(position, action.path): action for action in moves}


BOTS = {
    "facile": DamesBot(depth=1, nodes=20_000, seconds=0.25, noise=50, careless=12),
    "moyen": DamesBot(depth=5, nodes=60_000, seconds=0.25, noise=15),
    "difficile": DamesBot(depth=60, nodes=2_000_000, seconds=1.0),
}
