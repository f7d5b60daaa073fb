"""Scrabble on one thread and the shipped lexicon: whole games of difficile's static choice against itself, all plays of
a position, and the time a decision takes at each level.

With `--levels N` the levels also meet on N paired deals each; wall time counts whatever else the machine is doing, and
processor time beside it is what the player itself needs.
"""

from __future__ import annotations

import argparse
from statistics import fmean
from time import perf_counter, process_time

import numpy as np

from common import best_rate, report
from tablee import arena
from tablee.arena import percentile
from tablee.core.chance import SeedChance
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.scrabble import BOTS, kernel, warm
from tablee.games.scrabble.bots import engine, likes
from tablee.games.scrabble.graph import build
from tablee.games.scrabble.lexicon import default_ref, lexicon

GAMES, LISTED, MATCHES = 400, 60, 12
PEERS = {"fastest_c_program_games_per_second": 263, "older_c_program_games_per_second": 75}
"""Static players, one thread, an ordinary word graph of their own language, on the same kind of machine."""


class SelfPlay:
    """Games against itself from the same bags every time."""

    def __init__(self) -> None:
        self.engine, self.likes = engine(default_ref()), likes(default_ref())
        self.turns, self.points = 0, 0.0

    def run(self) -> int:
        self.turns, totals = self.engine.play_games(self.likes, self.likes, GAMES, np.array([1], np.int64))
        self.points = (int(totals[0]) + int(totals[1])) / (2 * GAMES)
        return GAMES


class Positions:
    """Boards and racks of matches, to list all plays of."""

    def __init__(self) -> None:
        self.engine, self.likes = engine(default_ref()), likes(default_ref())
        self.views = []
        for number in range(LISTED // 20):
            match = Match.start("scrabble", seats=2, seed=f"bench {number}")
            while match.outcome is None:
                [seat] = match.turn.must
                self.views.append(match.view(seat))
                think = Think(seat, SeedChance("bench", match.ply))
                match.play(seat, BOTS["difficile"].choose(self.views[-1], (), think))
        self.boards = []
        for view in self.views:
            self.engine.set_board("".join(view.board))
            tiles = np.array(sorted(kernel.TILES.index(tile) for tile in view.rack), np.int64)
            self.boards.append((self.engine.board.copy(), tiles))

    def list_all(self) -> int:
        made, one = 0, self.engine
        for board, rack in self.boards:
            kernel.set_rack(one.search, rack, len(rack), self.likes)
            made += kernel.find_all(one.graph, board, one.search, one.plays, one.scores)
        return made


def decisions(level: str) -> dict[str, float]:
    """Wall and processor milliseconds of the decisions of whole matches against itself."""
    wall, cpu = [], []
    for number in range(MATCHES):
        match = Match.start("scrabble", seats=2, seed=f"bench {number}")
        while match.outcome is None:
            [seat] = match.turn.must
            view, think = match.view(seat), Think(seat, SeedChance(f"{level} {number}", match.ply))
            start = perf_counter(), process_time()
            action = BOTS[level].choose(view, (), think)
            wall.append(1000 * (perf_counter() - start[0]))
            cpu.append(1000 * (process_time() - start[1]))
            match.play(seat, action)
    wall, cpu = sorted(wall), sorted(cpu)
    return {
        "decisions": len(wall),
        "mean_ms": round(fmean(wall), 3),
        "p99_ms": round(percentile(wall, 0.99), 3),
        "max_ms": round(wall[-1], 3),
        "cpu_mean_ms": round(fmean(cpu), 3),
        "cpu_p99_ms": round(percentile(cpu, 0.99), 3),
    }


def meetings(games: int) -> dict[str, dict[str, float]]:
    """How the stronger of two neighbouring levels does: its share of the points, and its mean lead."""
    found = {}
    for weak, strong in (("facile", "moyen"), ("moyen", "difficile")):
        contest = arena.enter("scrabble", [strong, weak], seed="bench")
        first, second = arena.hold(contest, arena.rounds_for(contest, games))
        best, other = (first, second) if first.bot == strong else (second, first)
        found[f"{strong} against {weak}"] = {
            "games": best.games,
            "share": round(best.share, 3),
            "mean_score": round(best.score, 1),
            "mean_score_of_the_other": round(other.score, 1),
        }
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--levels", type=int, default=0, metavar="N", help="let the levels meet in so many games")
    levels = asked.parse_args().levels
    warm()
    games, listed = SelfPlay(), Positions()
    games.run()
    rate, plays = best_rate(games.run), best_rate(listed.list_all)
    start = perf_counter()
    graph = build(lexicon())
    seconds = perf_counter() - start
    times = {level: decisions(level) for level in BOTS}
    told = ", ".join(
        f"{level} {one['mean_ms']:.1f} ms (p99 {one['p99_ms']:.1f}, of processor time {one['cpu_p99_ms']:.1f})"
        for level, one in times.items()
    )
    met = meetings(levels) if levels else {}
    report(
        __file__,
        f"scrabble: {rate:,.0f} games/s and {rate * games.turns / GAMES:,.0f} positions/s of the static choice against "
        f"itself, {games.points:.0f} points a player; all plays {plays / 1e6:.1f} M/s "
        f"(the fastest C program known: 263 games/s); graph made in {seconds:.1f} s; time a decision: {told}",
        {
            "lexicon": default_ref(),
            "games_per_second": round(rate, 1),
            "positions_per_second": round(rate * games.turns / GAMES),
            "mean_score": round(games.points, 1),
            "plays_per_second": round(plays),
            "plays_per_position": round(listed.list_all() / len(listed.boards)),
            "graph_seconds": round(seconds, 2),
            "graph_bytes": graph.nbytes,
            "peers": PEERS,
            "decisions": times,
            "levels": met,
        },
    )


if __name__ == "__main__":
    main()
