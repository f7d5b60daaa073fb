"""Measure the review of a typical match of each game, in two processes of the study pool as the server runs it.

The bots of a middle level play the match. Starting the processes and loading kernels is not counted.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from time import perf_counter, process_time
from typing import Any

import msgspec
from msgspec import Struct

from common import report
from tablee.bots.decide import players
from tablee.core.chance import SeedChance
from tablee.core.discover import find, games
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.core.replay import Replay, replay
from tablee.review import Piece, Review, assemble, pieces
from tablee.review.work import Finding
from tablee.server.study_pool import StudyPool

WORKERS = 2
LEVEL = "moyen"
MOST_SEATS = 4


def play(key: str) -> Replay:
    """Let bots play a match with up to four seats and the options that the page proposes."""
    seats = min(MOST_SEATS, find(key).rules.info.seats[1])
    match = Match.start(key, seats=seats, options=dict(find(key).proposed), seed="bench")
    bot = players(key)[LEVEL]
    while match.outcome is None:
        seat = min(match.turn.must)
        think = Think(seat, SeedChance("bench", match.ply), 0.1)
        action = bot.choose(match.view(seat), match.legal(seat), think)
        match.play(seat, action)
    return replay(match)


class Timed(Struct):
    """A piece that also returns the processor time that it took."""

    piece: Piece

    def __call__(self) -> tuple[list[Finding], float]:
        begun = process_time()
        return self.piece(), process_time() - begun


async def review(pool: StudyPool, match: Replay) -> tuple[Review, float]:
    """Return a review and the processor time of its pieces."""
    waiting = iter(pieces(match))
    found = await asyncio.gather(*(run(pool, waiting) for _ in range(WORKERS)))
    done = [one for some in found for one in some]
    return assemble(match, [one for findings, _ in done for one in findings]), sum(seconds for _, seconds in done)


async def run(pool: StudyPool, waiting: Iterator[Piece]) -> list[tuple[list[Finding], float]]:
    return [await pool.run("bench", Timed(piece)) for piece in waiting]


async def measure(key: str) -> dict[str, Any]:
    match = play(key)
    pool = StudyPool(WORKERS)
    try:
        first = pieces(match)[0]
        await asyncio.gather(*(pool.run("bench", first) for _ in range(WORKERS)))
        begun = perf_counter()
        made, busy = await review(pool, match)
        seconds = perf_counter() - begun
    finally:
        pool.close()
    errors = [ply.error for ply in made.plies]
    return {
        "seconds": round(seconds, 1),
        "cpu_seconds": round(busy, 1),
        "plies": len(match.steps),
        "seats": match.seats,
        "decisions": len(made.decisions),
        "kilobytes": round(len(msgspec.json.encode(made)) / 1000, 1),
        "mean_error": round(sum(errors) / len(errors), 3),
        "unit": made.unit,
        "own": [seat.own for seat in made.seats],
        "accuracy": [seat.accuracy for seat in made.seats],
        "rating": [seat.rating for seat in made.seats],
    }


def main() -> None:
    figures = {key: asyncio.run(measure(key)) for key in sys.argv[1:] or games()}
    words = ", ".join(
        f"{key} {one['seconds']} s, {one['cpu_seconds']} s of CPU ({one['plies']} actions)"
        for key, one in figures.items()
    )
    report(__file__, f"review of a match on {WORKERS} cores: {words}", figures)


if __name__ == "__main__":
    main()
