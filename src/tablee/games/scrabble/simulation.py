"""Simulate plays: what each is worth on average over random racks and draws.

A trial deals the unseen tiles at random. After the play everybody has one more turn, chosen by score and tiles kept.
Then the tiles kept count with their value. If the bag is empty by then, the match is played to its end. The same trial
is used for every play, so that luck cancels out between them. It follows from the seed and its number alone, so a page
asks for more trials again and again, and the answers add up.

If the bag is empty from the start and two players are left, nothing is random: each play is searched to the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from ...core.game import Refused
from .analysis import Checked, Position, check
from .board import RACK, put, tiles_of, value_of, without
from .engines import engine, likes
from .placing import why_not_from, why_not_there
from .scoring import score_play
from .values import Exchange, Pass, Place, Play

if TYPE_CHECKING:
    from .playouts import Playouts

SECONDS = 0.8
"""One call simulates for about so long."""
TOGETHER = 4
"""The trials between two looks at the clock."""
SOLVE_SECONDS = 0.7
"""The longest search of one play at the end of a match."""


class SimulateQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which plays to compare, and which trials to run."""

    position: Position
    plays: Annotated[tuple[Place | Exchange | Pass, ...], Meta(min_length=1, max_length=15)]
    seed: Annotated[int, Meta(ge=0, le=2**31)] = 0
    first: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """The number of the first trial: how many were done before. At the end of a match: of the first play to search."""
    most: Annotated[int, Meta(ge=1, le=1000)] = 1000
    """The most trials of this call."""


class Sum(Struct, frozen=True):
    """What the trials of one play add up to, in points ahead of the other player."""

    play: int
    """Its place in the question."""
    trials: int
    total: float
    squares: float
    """The sum of the squares, for the standard error."""


class SimulateAnswer(Struct, frozen=True):
    """A piece of a simulation; sums of several pieces are added."""

    next: int
    """`first` of the next piece."""
    sums: tuple[Sum, ...]
    exact: bool
    """The rest of the match was searched to its end for all of these plays; nothing is random."""
    finished: bool
    """There is nothing more to ask for."""


class Tried(Struct, frozen=True):
    """A play to simulate: the board after it and what it gives."""

    score: int
    leave: str
    given: str
    """The tiles that an exchange puts back."""
    board: Any
    """The kernel's board after the play."""


def simulate(question: SimulateQuestion, asker: str) -> SimulateAnswer:
    """Run trials for about a second."""
    import numpy as np

    checked = check(question.position)
    scored = [check_play(checked, action) for action in question.plays]
    if checked.solvable:
        return solve_plays(checked, question, scored)
    tries = [prepare(checked, action, play) for action, play in zip(question.plays, scored, strict=True)]
    playouts = playouts_for(checked, tries)
    totals, squares = np.zeros(len(tries)), np.zeros(len(tries))
    number, last, end = question.first, question.first + question.most, perf_counter() + SECONDS
    while number < last and (number == question.first or perf_counter() < end):
        some = min(TOGETHER, last - number)
        points, _ = playouts.run(deals(checked, question.seed, number, some), checked.players)
        values = ahead(points)
        totals += values.sum(axis=1)
        squares += (values * values).sum(axis=1)
        number += some
    done = number - question.first
    sums_of = tuple(
        Sum(at, done, *found) for at, found in enumerate(zip(totals.tolist(), squares.tolist(), strict=True))
    )
    return SimulateAnswer(next=number, sums=sums_of, exact=False, finished=False)


def check_play(checked: Checked, action: Place | Exchange | Pass) -> Play | None:
    """Return a placed word with its score; refuse what the board, the rack or the bag do not allow."""
    refusal = None
    if isinstance(action, Place):
        refusal = why_not_there(checked.board, checked.rack, action.at, action.word)
    elif isinstance(action, Exchange):
        if checked.bag < RACK:
            raise Refused("bag_too_small", left=checked.bag, least=RACK)
        refusal = why_not_from(checked.rack, list(action.tiles))
    if refusal is not None:
        raise Refused(refusal)
    return score_play(checked.board, action.at, action.word) if isinstance(action, Place) else None


def prepare(checked: Checked, action: Place | Exchange | Pass, play: Play | None) -> Tried:
    """Return a play ready to simulate."""
    given = action.tiles if isinstance(action, Exchange) else ""
    laid = tiles_of(play.tiles) if play else given
    found = engine(checked.words.ref)
    found.set_board(put(checked.board, play.at, play.tiles) if play else checked.board)
    leave = without(checked.rack, laid)
    return Tried(
        score=play.score if play else 0,
        leave=leave,
        given=given,
        board=found.board.copy(),
    )


def deals(checked: Checked, seed: int, first: int, count: int) -> Any:
    """Deal the unseen tiles of some trials: the other racks, and then the bag."""
    return codes(shuffled(checked.unseen, seed, number) for number in range(first, first + count))


def shuffled(tiles: str, seed: int, number: int) -> str:
    """Shuffle the tiles of a trial."""
    heap = list(tiles)
    Random(f"{seed}:{number}").shuffle(heap)
    return "".join(heap)


def codes(heaps: Iterable[str]) -> Any:
    """Return the kernel's numbers of the tiles of several heaps of equal size."""
    import numpy as np

    from .kernel import TILES

    return np.array([[TILES.index(tile) for tile in heap] for heap in heaps], np.int64)


def playouts_for(checked: Checked, tries: Sequence[Tried]) -> Playouts:
    """Return what plays on after several plays."""
    from .playouts import Playouts

    ref = checked.words.ref
    others = checked.players - 1
    held = len(checked.unseen) - checked.bag
    sizes = [len(checked.rack), *((held + other) // others for other in range(others))]
    return Playouts(engine(ref), likes(ref), tries, sizes, checked.bag)


def ahead(points: Any) -> Any:
    """Return the points of the first player ahead of the mean of the others."""
    return points[..., 0] - points[..., 1:].mean(axis=-1)


def solve_plays(checked: Checked, question: SimulateQuestion, scored: list[Play | None]) -> SimulateAnswer:
    """Search as many plays to the end of the match as there is time for, at least one."""
    sums: list[Sum] = []
    exact = True
    at, end = question.first, perf_counter() + SECONDS
    while at < len(scored) and (not sums or perf_counter() < end):
        deadline = min(end, perf_counter() + SOLVE_SECONDS) if sums else perf_counter() + SOLVE_SECONDS
        value, proven = solve_play(checked, scored[at], deadline)
        exact = exact and proven
        sums.append(Sum(at, 1, value, value * value))
        at += 1
    return SimulateAnswer(next=at, sums=tuple(sums), exact=exact, finished=at >= len(scored))


def solve_play(checked: Checked, play: Play | None, deadline: float) -> tuple[float, bool]:
    """Return the points ahead at the end after a play, and whether every line was searched."""
    found = engine(checked.words.ref)
    leave = without(checked.rack, tiles_of(play.tiles)) if play else checked.rack
    score = play.score if play else 0
    if not leave or not checked.unseen:
        return float(score + 2 * value_of(checked.unseen) - 2 * value_of(leave)), True
    found.set_board(put(checked.board, play.at, play.tiles) if play else checked.board)
    solution = found.solve(checked.unseen, leave, likes(checked.words.ref), deadline)
    return float(score - solution.value), solution.exact
