"""The puzzles of Scrabble: the best play, and the only play that wins.

For the best play, a play is worth its score and the value of the tiles that it keeps, as for the bot `expert`. For the
only winning play the bag is empty, both racks are known, and the endgame solver searches every play to the end of the
match. The scores of such a position are moved as little as possible until exactly one play wins. `MARGINS` has the
margins; docs/puzzles.md explains them. Only the processes that make or prove puzzles import Numba.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from ...core.chance import SeedChance
from ...core.puzzles import Puzzle, Puzzles, Unproven, clamp
from .board import RACK, put, tiles_of, value_of, without
from .bots import PASS
from .common import common_words
from .engines import engine, likes
from .lexicon import shipped_ref
from .rules import Scrabble
from .scoring import score_play
from .values import Action, Exchange, Options, Place, Play, State

if TYPE_CHECKING:
    from .engine import Engine

BEST, WINNING = "best", "winning"
MARGINS = {
    "best_margin": 12,
    "best_tiles": 3,
    "plays": 20,
    "winning_margin": 2,
    "winning_tiles": 10,
}
"""In points of value, tiles laid, possible plays, points at the end of the match, and tiles on both racks."""
SECONDS = 1.0
"""The longest search of one endgame when puzzles are made; a position that takes longer is no puzzle."""


class Option(NamedTuple):
    """A play and what it leads to."""

    value: float
    """Its score and the value of the tiles kept."""
    place: Place
    play: Play
    board: str
    """The board after it."""


def ready(state: State) -> Engine:
    """Set this process's engine to a position."""
    ref, seat = state.options.lexicon, mover(state)
    found = engine(ref)
    found.set_board(state.board)
    found.set_rack(state.racks[seat], likes(ref), others=None if state.bag else state.racks[1 - seat])
    return found


def mover(state: State) -> int:
    assert state.to_act is not None
    return state.to_act


def options_of(state: State) -> list[Option]:
    """Return the plays of the seat to act, best first; of those that give the same board, the first."""
    found = ready(state)
    listed = sorted(((one.score + found.kept_by(one.play), one.play) for one in found.all_plays()), reverse=True)
    options: dict[str, Option] = {}
    for value, number in listed:
        place = found.place(number)
        play = score_play(state.board, place.at, place.word)
        board = put(state.board, play.at, play.tiles)
        options.setdefault(board, Option(value, place, play, board))
    return list(options.values())


def best_exchange(state: State) -> float:
    """Return the value of the best exchange, or one that is worse than any play."""
    return ready(state).best_exchange()[1] if len(state.bag) >= RACK else -100.0


def gain(state: State, option: Option | None, seconds: float) -> int | None:
    """Return what a play, or a pass, gains over the other player until the end; None if the search takes too long."""
    seat = mover(state)
    mine, theirs = state.racks[seat], state.racks[1 - seat]
    left = mine if option is None else without(mine, tiles_of(option.play.tiles))
    score = 0 if option is None else option.play.score
    if not left:
        return score + 2 * value_of(theirs)
    found = engine(state.options.lexicon)
    found.set_board(state.board if option is None else option.board)
    solved = found.solve(theirs, left, likes(state.options.lexicon), perf_counter() + seconds)
    return score - solved.value if solved.exact else None


def only_winner(state: State, seconds: float) -> tuple[Option, int, int] | None:
    """Return the best play of an endgame, its gain and the greatest gain of the others; None if they are too close."""
    options = options_of(state)
    if len(options) < MARGINS["plays"]:
        return None
    seat = mover(state)
    found = engine(state.options.lexicon)
    found.set_board(state.board)
    weights = likes(state.options.lexicon)
    solved = found.solve(state.racks[seat], state.racks[1 - seat], weights, perf_counter() + seconds)
    if not solved.exact or not solved.play:
        return None
    place = found.place(solved.play)
    play = score_play(state.board, place.at, place.word)
    best = put(state.board, play.at, play.tiles)
    winner, others = None, list[int]()
    for option in (*options, None):
        if option is not None and option.board == best:
            winner = option
            continue
        other = gain(state, option, seconds)
        if other is None or solved.value - other < 2 * MARGINS["winning_margin"]:
            return None
        others.append(other)
    return None if winner is None else (winner, solved.value, max(others))


def with_scores(state: State, best: int, second: int) -> State:
    """Move the solver's score as little as possible so that only the best play wins, by the margin."""
    seat, margin = mover(state), MARGINS["winning_margin"]
    lead = state.scores[seat] - state.scores[1 - seat]
    fitting = min(max(lead, margin - best), -margin - second)
    scores = list(state.scores)
    scores[seat] += fitting - lead
    if scores[seat] < 0:
        scores = [score - scores[seat] for score in scores]
    return replace(state, scores=tuple(scores))


def first_rating(state: State, option: Option, margin: float) -> int:
    """Guess how hard a play is to find: many tiles, rare words, hooks and jokers are hard, a large margin is easy."""
    common = common_words(state.options.lexicon)
    rare = sum(one.word.upper() not in common for one in option.play.words)
    laid = tiles_of(option.play.tiles)
    hooks = len(option.play.words) - 1
    through = option.play.tiles.count(".")
    joker = "?" in state.racks[mover(state)]
    size = 55 * len(laid) + 25 * through + 60 * hooks
    return clamp(750 + size + 170 * min(rare, 2) + 90 * joker - 4 * min(margin, 40))


class ScrabblePuzzles(Puzzles[State, Action]):
    rules = Scrabble()
    kinds = (BEST, WINNING)
    margins = MARGINS
    file = Path(__file__).parent / "puzzles.jsonl"
    code = ("puzzles.py", "engine.py", "kernel.py", "movegen.py")

    def self_play(self, seed: str) -> list[State]:
        """Play the best value on both seats; different bags give different matches."""
        state = self.rules.setup(2, Options(lexicon=shipped_ref()), SeedChance(seed, 0))
        states = [state]
        while state.ending is None:
            found = ready(state)
            number = found.best_play()
            action: Action = found.place(number) if number else PASS
            if not number and len(state.bag) >= RACK:
                action = Exchange(found.best_exchange()[0])
            state = self.rules.apply(state, mover(state), action, SeedChance(seed, len(states)))
            states.append(state)
        return states

    def find(self, states: Sequence[State], kinds: Collection[str]) -> Iterator[Puzzle]:
        for state in states:
            if state.to_act is None or state.stage != "play" or len(state.racks) != 2 or state.left:
                continue
            state = replace(state, options=Options(lexicon=shipped_ref()), log=(), last=None, starter=0)
            puzzle = None
            if state.bag and BEST in kinds:
                puzzle = self._best(state)
            elif not state.bag and WINNING in kinds:
                puzzle = self._winning(state)
            if puzzle is not None:
                yield puzzle

    def _best(self, state: State) -> Puzzle | None:
        options = options_of(state)
        if len(options) < MARGINS["plays"]:
            return None
        best, second, *_ = options
        margin = best.value - max(second.value, best_exchange(state))
        if margin < MARGINS["best_margin"] or len(tiles_of(best.play.tiles)) < MARGINS["best_tiles"]:
            return None
        return self._puzzle(BEST, "best", state, best, margin)

    def _winning(self, state: State) -> Puzzle | None:
        if sum(map(len, state.racks)) > MARGINS["winning_tiles"]:
            return None
        found = only_winner(state, SECONDS)
        if found is None:
            return None
        option, best, second = found
        return self._puzzle(WINNING, "win", with_scores(state, best, second), option, best - second)

    def _puzzle(self, kind: str, goal: str, state: State, option: Option, margin: float) -> Puzzle:
        line = (self.rules.notation.write_action(option.place),)
        return Puzzle(kind, goal, self.rules.notation.write_state(state), line, first_rating(state, option, margin))

    def prove(self, puzzle: Puzzle) -> None:
        """Value every play again."""
        state, answer = self.read(puzzle), self.action(puzzle, 0)
        if puzzle.kind == BEST:
            best, second, *_ = options_of(state)
            margin = best.value - max(second.value, best_exchange(state))
            if margin < MARGINS["best_margin"] or not self.same(state, best.place, answer):
                raise Unproven(f"{puzzle.position}: {puzzle.line[0]} is not best by the margin")
            return
        found, seat = only_winner(state, float("inf")), mover(state)
        if found is None or not self.same(state, found[0].place, answer):
            raise Unproven(f"{puzzle.position}: {puzzle.line[0]} is not the best play of the endgame")
        lead = state.scores[seat] - state.scores[1 - seat]
        if lead + found[1] < MARGINS["winning_margin"] or lead + found[2] > -MARGINS["winning_margin"]:
            raise Unproven(f"{puzzle.position}: {puzzle.line[0]} is not the only play that wins")

    def read(self, puzzle: Puzzle) -> State:
        state = self.rules.notation.read_state(puzzle.position)
        return replace(state, options=Options(lexicon=shipped_ref()))

    def same(self, state: State, one: Action, other: Action) -> bool:
        """Return whether two plays give the same board: a single tile can be written across and down."""
        if not isinstance(one, Place) or not isinstance(other, Place):
            return one == other
        boards = [
            put(state.board, place.at, score_play(state.board, place.at, place.word).tiles) for place in (one, other)
        ]
        return boards[0] == boards[1]
