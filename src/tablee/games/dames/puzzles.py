"""The puzzles of Dames: combinations, and endings with a single move that wins or draws.

The search values moves in hundredths of a man. It proves a puzzle if, at each of the solver's choices, the best move is
better than the second by a margin. `MARGINS` has the depths and the margins; docs/puzzles.md explains them. Only the
processes that make or prove puzzles import Numba.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.chance import SeedChance
from ...core.game import Chance
from ...core.puzzles import Puzzle, Puzzles, Unproven, clamp
from .board import TEN, Position
from .board import Move as BoardMove
from .notation import position_of, read_fen, write_fen
from .rules import Dames, begin
from .values import RED, Action, Move, Options, State

if TYPE_CHECKING:
    from .search import Lists, Search

COMBINATION, ENDING = "combination", "ending"
OPTIONS = Options(variant="international", move_time=0, match_time=0, player_time=0)
"""Puzzles have neither clocks nor points."""
MARGINS = {
    "glance_depth": 1,
    "quick_depth": 5,
    "find_depth": 7,
    "proof_depth": 10,
    "margin": 100,
    "gain": 80,
    "ending_find_depth": 9,
    "ending_proof_depth": 11,
    "ending_margin": 200,
    "level": 60,
    "ending_pieces": 8,
    "choices": 3,
    "most_moves": 8,
    "nodes": 1_000_000,
}
"""In plies, hundredths of a man, pieces, moves and positions of one search."""
FORKS = 5
"""How many times a self-played match is played on from the moment when few pieces are left."""


@cache
def search() -> Search:
    """Return this process's search for puzzles."""
    from .search import Search

    return Search(10, table_bits=16)


@cache
def lists() -> Lists:
    from .search import Lists

    return Lists(TEN)


def only_move(kind: str, position: Position, depth: int, before: int, *, first: bool) -> tuple[BoardMove, int] | None:
    """Return the only right move of a position and its value, or None; `before` is the lead in the first position.

    Search the best move, then show that no other move reaches a bound. It takes few positions to show that. The
    search remembers nothing of earlier ones.
    """
    from .search import Root

    moves = lists().moves(position)
    if len(moves) == 1:
        return moves[0], 0
    found = search()
    found.forget()
    best = found.think(Root(position), depth=depth, nodes=MARGINS["nodes"])
    bound = bound_for(kind, best.value, before, first=first)
    if bound is None or best.nodes >= MARGINS["nodes"]:
        return None
    for move in moves:
        if move != best.line[0]:
            nodes = MARGINS["nodes"] // 4
            if found.exceeds(Root(TEN.play(position, move)), -bound - 1, depth - 1, nodes) is not True:
                return None
    return best.line[0], best.value


def bound_for(kind: str, value: int, before: int, *, first: bool) -> int | None:
    """Return what no other move may exceed if the best one has this value; None if that is not good enough."""
    level, margin = MARGINS["level"], MARGINS["ending_margin"]
    if kind == COMBINATION:
        if value - before < MARGINS["gain"]:
            return None
        return min(value - MARGINS["margin"], before + level) if first else value - MARGINS["margin"]
    if value >= margin:
        return min(value - margin, level)
    return value - margin if abs(value) <= level else None


def reply_to(position: Position, depth: int) -> BoardMove:
    """Return the best defence."""
    from .search import Root

    moves = lists().moves(position)
    if len(moves) == 1:
        return moves[0]
    found = search()
    found.forget()
    return found.think(Root(position), depth=depth).line[0]


def material(position: Position, seat: int) -> int:
    """Return the lead of a seat in hundredths of a man; a king counts as three men."""
    red = position.red_men.bit_count() + 3 * position.red_kings.bit_count()
    black = position.black_men.bit_count() + 3 * position.black_kings.bit_count()
    return 100 * (red - black if seat == RED else black - red)


def pieces(position: Position) -> int:
    return (position.pieces(0) | position.pieces(1)).bit_count()


def starts_quietly(position: Position) -> bool:
    """Return whether the side to move has a real choice and nothing to take."""
    moves = lists().moves(position)
    return len(moves) >= MARGINS["choices"] and not moves[0][2]


def line_of(kind: str, start: Position) -> tuple[str, list[BoardMove]] | None:
    """Return the goal and the line of a puzzle that begins here, or None if there is none."""
    depth = MARGINS["find_depth" if kind == COMBINATION else "ending_find_depth"]
    before, seat = material(start, start.to_move), start.to_move
    position, line, lost, unique, goal = start, list[BoardMove](), 0, 0, "gain"
    while len(line) < 2 * MARGINS["most_moves"]:
        right = only_move(kind, position, depth, before, first=not line)
        if right is None:
            break
        move, value = right
        if kind == ENDING and not line:
            goal = "win" if value > MARGINS["level"] else "hold"
        if len(lists().moves(position)) > 1:
            unique = len(line) + 1
        line.append(move)
        position = TEN.play(position, move)
        replies = lists().moves(position)
        if kind == COMBINATION and (not replies or not replies[0][2]) and material(position, seat) > before:
            return (goal, line) if lost else None
        if not replies:
            break
        line.append(reply_to(position, depth))
        lost += line[-1][2].bit_count()
        position = TEN.play(position, line[-1])
        if not lists().moves(position):
            break
    # An ending stops with the last move that has no equal. A single move must not be obvious.
    if kind == COMBINATION or not unique or (unique == 1 and is_obvious(start, line[0])):
        return None
    return goal, line[:unique]


def is_obvious(position: Position, move: BoardMove) -> bool:
    """Return whether a glance finds a move."""
    best, second, values = glance(position, MARGINS["glance_depth"])
    return best - second >= MARGINS["margin"] and values[move] == best


def glance(position: Position, depth: int) -> tuple[int, int, dict[BoardMove, int]]:
    """Return the best two values of a shallow search, and the value of each move."""
    from .search import Root

    search().forget()
    search().think(Root(position), depth=depth, every=True)
    values = dict(search().values)
    best, second, *_ = sorted(values.values(), reverse=True)
    return best, second, values


def sacrificed(line: Sequence[BoardMove]) -> int:
    """Return how many pieces the solver gives up."""
    return sum(move[2].bit_count() for move in line[1::2])


def first_rating(kind: str, start: Position, line: Sequence[BoardMove]) -> int:
    """Guess how hard a puzzle is: long lines, quiet moves and many choices are hard."""
    mine = line[::2]
    quiet = sum(not move[2] for move in mine)
    choices = len(lists().moves(start))
    if kind == COMBINATION:
        return clamp(650 + 110 * len(mine) + 130 * quiet + 40 * sacrificed(line) + 10 * choices)
    return clamp(850 + 100 * len(mine) + 80 * quiet + 12 * choices)


def path_of(position: Position, move: BoardMove) -> tuple[int, ...]:
    """Return the path of a move by the numbers of its squares."""
    return tuple(stop.bit_length() for stop in TEN.captures(position).get(move, move[:2]))


class DamesPuzzles(Puzzles[State, Action]):
    rules = Dames()
    kinds = (COMBINATION, ENDING)
    margins = MARGINS
    file = Path(__file__).parent / "puzzles.jsonl"
    code = ("puzzles.py", "search.py", "kernel.py", "board.py")

    def self_play(self, seed: str) -> list[State]:
        """Play with a shallow search whose values are off by up to 0.8 men; play the ending several times."""
        chance = SeedChance(seed, 0)
        search().forget()
        opening = self._play_on([begin(OPTIONS, TEN.start)], chance, until=MARGINS["ending_pieces"])
        states = list(opening)
        for _ in range(FORKS):
            states += self._play_on(opening[-1:], chance, until=0)[1:]
        return states

    def _play_on(self, states: list[State], chance: Chance, until: int) -> list[State]:
        """Play on until so few pieces are left, the match is over, or it is long."""
        from .search import Root

        state = states[-1]
        while state.result is None and len(states) < 120 and pieces(position := position_of(state)) > until:
            if state.moves < 6:
                moves = lists().moves(position)
                move = sorted(moves)[chance.pick(len(moves))]
            else:
                search().think(Root(position), depth=2, every=True)
                move = max((value + chance.pick(161), move) for move, value in search().values)[1]
            state = self.rules.apply(state, state.to_move, Move(path_of(position, move)), chance)
            states.append(state)
        return states

    def find(self, states: Sequence[State], kinds: Collection[str]) -> Iterator[Puzzle]:
        for kind in kinds:
            seen = set[Position]()
            for state in states:
                start = position_of(state)
                if start in seen or state.result is not None or state.options.variant == "classic8":
                    continue
                seen.add(start)
                puzzle = self._puzzle(kind, start)
                if puzzle is not None:
                    # The rest of a puzzle is not another one.
                    seen.update(position_of(after) for after in self.states(puzzle, len(puzzle.line)))
                    yield puzzle

    def _puzzle(self, kind: str, start: Position) -> Puzzle | None:
        """Return the proven puzzle of a kind that begins in a position, or None."""
        few = pieces(start) <= MARGINS["ending_pieces"]
        if few != (kind == ENDING) or not starts_quietly(start) or not promises(kind, start):
            return None
        found = line_of(kind, start)
        if found is None:
            return None
        goal, line = found
        texts, position = [], start
        for move in line:
            texts.append(self.rules.notation.write_action(Move(path_of(position, move))))
            position = TEN.play(position, move)
        puzzle = Puzzle(kind, goal, write_fen(start), tuple(texts), first_rating(kind, start, line))
        try:
            self.prove(puzzle)
        except Unproven:
            return None
        return puzzle

    def prove(self, puzzle: Puzzle) -> None:
        """Search each of the solver's choices deeper than they were found."""
        kind = puzzle.kind
        depth = MARGINS["proof_depth" if kind == COMBINATION else "ending_proof_depth"]
        state = self.read(puzzle)
        before = material(position_of(state), state.to_move)
        for ply in range(len(puzzle.line)):
            position, action = position_of(state), self.action(puzzle, ply)
            if state.result is not None:
                raise Unproven(f"{puzzle.position}: the game is over before {puzzle.line[ply]}")
            if ply % 2 == 0:
                right = only_move(kind, position, depth, before, first=ply == 0)
                if right is None or not isinstance(action, Move) or right[0] != TEN.move(position, action.path):
                    raise Unproven(f"{puzzle.position}: {puzzle.line[ply]} is not the only right move")
            state = self.apply(puzzle, state, ply, action)

    def read(self, puzzle: Puzzle) -> State:
        return begin(OPTIONS, read_fen(puzzle.position))


def promises(kind: str, start: Position) -> bool:
    """Return whether a quick search makes a puzzle possible."""
    from .search import Root

    before, depth, margin = material(start, start.to_move), MARGINS["quick_depth"], MARGINS["ending_margin"]
    if kind == ENDING:
        best, second, _ = glance(start, depth - 2)
        return best - second >= margin // 2 and second <= margin and best >= -margin
    search().forget()
    if search().think(Root(start), depth=depth - 1).value - before < MARGINS["gain"]:
        return False
    best, second, _ = glance(start, depth)
    return best - second >= MARGINS["margin"] // 2 and second - before <= MARGINS["gain"]
