"""Simulate plays: what each is worth on average over random racks and draws.

A trial deals the unseen tiles at random. After the play everybody has one more turn, chosen by score and tiles kept.
Then the tiles kept count with their value. If the bag is empty by then, the match is played to its end. The same trial
is used for every play, so that luck cancels out between them. It follows from the seed and its number alone, so a page
asks for more trials again and again, and the answers add up.

If the bag is empty from the start and two players are left, nothing is random: each play is searched to the end.
"""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from ...core.game import Refused
from .analysis import Checked, Position, check
from .board import RACK, put, tiles_of, value_of, without
from .bots import engine, likes
from .placing import why_not_from, why_not_there
from .scoring import score_play
from .values import Exchange, Pass, Place, Play

if TYPE_CHECKING:
    from .engine import Engine

SECONDS = 0.8
"""One call simulates for about so long."""
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
    drawn: int
    """The number of tiles to draw: a rack that is not full is filled up."""
    board: Any
    """The kernel's board after the play."""


def simulate(question: SimulateQuestion, asker: str) -> SimulateAnswer:
    """Run trials for about a second."""
    checked = check(question.position)
    scored = [check_play(checked, action) for action in question.plays]
    if checked.solvable:
        return solve_plays(checked, question, scored)
    tries = [prepare(checked, action, play) for action, play in zip(question.plays, scored, strict=True)]
    trial = Trial(checked)
    totals = [[0.0, 0.0] for _ in tries]
    number, last, end = question.first, question.first + question.most, perf_counter() + SECONDS
    while number < last and (number == question.first or perf_counter() < end):
        racks, bag = deal(checked, question.seed, number)
        for tried, sums in zip(tries, totals, strict=True):
            value = trial.value(tried, racks, bag)
            sums[0] += value
            sums[1] += value * value
        number += 1
    done = number - question.first
    sums_of = tuple(Sum(at, done, total, squares) for at, (total, squares) in enumerate(totals))
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
        drawn=RACK - len(leave),
        board=found.board.copy(),
    )


def deal(checked: Checked, seed: int, number: int) -> tuple[list[str], str]:
    """Deal the unseen tiles of a trial: the other racks, and the bag."""
    tiles = list(checked.unseen)
    Random(f"{seed}:{number}").shuffle(tiles)
    others = checked.players - 1
    held = len(tiles) - checked.bag
    racks = ["".join(tiles[other:held:others]) for other in range(others)]
    return racks, "".join(tiles[held:])


class Trial:
    """Plays on after a play, with the engine's own choices for everybody."""

    def __init__(self, checked: Checked) -> None:
        self.engine: Engine = engine(checked.words.ref)
        self.likes = likes(checked.words.ref)
        self.players = checked.players

    def value(self, tried: Tried, others: list[str], bag: str) -> float:
        """Return how many points a play is worth, ahead of the mean of the other players."""
        return ahead(self.scores(tried, others, bag)[0])

    def scores(self, tried: Tried, others: list[str], bag: str) -> tuple[list[float], bool]:
        """Return what each player scores, the one who played first, and whether the match came to its end."""
        drawn, bag = bag[: tried.drawn], bag[tried.drawn :] + tried.given
        racks = [tried.leave + drawn, *others]
        scores = [float(tried.score)] + [0.0] * len(others)
        keeps = [0.0] * self.players
        self.engine.board[:] = tried.board
        seat, turns, idle = 0, 0, 0
        while racks[seat] and idle < 2 * self.players:
            if bag and turns == self.players:
                return [score + keep for score, keep in zip(scores, keeps, strict=True)], False
            seat = (seat + 1) % self.players
            turns += 1
            score, left, given, keeps[seat] = self.turn(racks, seat, bag)
            scores[seat] += score
            idle = idle + 1 if len(left) == len(racks[seat]) else 0
            count = len(racks[seat]) - len(left)
            racks[seat], bag = left + bag[:count], bag[count:] + given
        for at, rack in enumerate(racks):
            scores[at] -= value_of(rack)
            if at == seat and not rack:
                scores[at] += sum(map(value_of, racks))
        return scores, True

    def turn(self, racks: list[str], seat: int, bag: str) -> tuple[int, str, str, float]:
        """Play a turn; return its score, the tiles left, those put back, and the value of the tiles left."""
        others = "".join(rack for at, rack in enumerate(racks) if at != seat)
        return self.engine.take_turn(racks[seat], self.likes, len(bag), others)


def ahead(scores: list[float]) -> float:
    """Return the points of the first player ahead of the mean of the others."""
    return scores[0] - sum(scores[1:]) / (len(scores) - 1)


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
