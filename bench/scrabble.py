"""Scrabble on one thread with the shipped word list.

It measures whole games of expert's static choice against itself, all plays of a position, maître's playouts, the time
per decision of each level, and how many endgames are solved in expert's time. With `--levels N` it also plays N games
of each level against the one below, on paired deals.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from statistics import fmean, median
from time import perf_counter

import numpy as np

from common import best_rate, report, summary, time_decisions
from tablee import arena
from tablee.core.chance import SeedChance
from tablee.core.discover import warm_up
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.scrabble import kernel
from tablee.games.scrabble.bots import BOTS, Expert
from tablee.games.scrabble.engines import engine, likes
from tablee.games.scrabble.graph import build
from tablee.games.scrabble.lexicon import default_ref, lexicon
from tablee.games.scrabble.lookahead import Search
from tablee.games.scrabble.values import View

GAMES, LISTED, MATCHES, ENDED = 400, 60, 12, 60
PEERS = {"fastest_c_program_games_per_second": 263, "older_c_program_games_per_second": 75}
"""Static bots on one thread, with a word graph of their own language, on the same kind of machine."""


class SelfPlay:
    """Games of a bot against itself, from the same bags every time."""

    def __init__(self) -> None:
        self.engine, self.likes = engine(default_ref()), likes(default_ref())
        self.turns, self.points = 0, 0.0

    def run(self) -> int:
        self.turns, totals = self.engine.play_games(self.likes, self.likes, GAMES, np.array([1], np.int64))
        self.points = (int(totals[0]) + int(totals[1])) / (2 * GAMES)
        return GAMES


class Positions:
    """Boards and racks of matches, whose plays are listed."""

    def __init__(self) -> None:
        self.engine, self.likes = engine(default_ref()), likes(default_ref())
        self.views = []
        for number in range(LISTED // 20):
            match = Match.start("scrabble", seats=2, seed=f"bench {number}")
            while match.outcome is None:
                [seat] = match.turn.must
                self.views.append(match.view(seat))
                think = Think(seat, SeedChance("bench", match.ply))
                match.play(seat, BOTS["expert"].choose(self.views[-1], (), think))
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


class Simulations:
    """Playouts of two turns after the best plays of positions in the middle of matches."""

    DEALS = 40

    def __init__(self, views: list[View]) -> None:
        self.searches = [
            Search(view, Think(view.to_act or 0, SeedChance("bench", 0))) for view in views if 20 < view.bag < 70
        ]
        self.deals = [search.deals(self.DEALS) for search in self.searches]

    def run(self) -> int:
        for search, deals in zip(self.searches, self.deals, strict=True):
            search.playouts.run(deals, 2)
        return sum(len(search.candidates) for search in self.searches) * self.DEALS


class EndGames:
    """Positions with an empty bag from games between static bots, and how many of them a search solves in time."""

    def __init__(self) -> None:
        self.engine, self.likes = engine(default_ref()), likes(default_ref())
        self.views = []
        for number in range(ENDED):
            match = Match.start("scrabble", seats=2, seed=f"bench {number}")
            while match.outcome is None:
                [seat] = match.turn.must
                view = match.view(seat)
                if not view.bag:
                    self.views.append(view)
                match.play(seat, BOTS["difficile"].choose(view, (), Think(seat, SeedChance("bench", match.ply))))

    def solve_all(self) -> dict[str, float]:
        times, solved = [], 0
        for view in self.views:
            self.engine.set_board("".join(view.board))
            start = perf_counter()
            solved += self.engine.solve(view.rack, view.unseen, self.likes, start + Expert.SECONDS).exact
            times.append(1000 * (perf_counter() - start))
        return {
            "positions": len(times),
            "solved": solved,
            "median_ms": round(median(times), 2),
            "mean_ms": round(fmean(times), 1),
        }


def meetings(games: int) -> dict[str, dict[str, float]]:
    """Play each level against the one below: its share of the points, and both mean scores."""
    found = {}
    for weak, strong in pairwise(BOTS):
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
    asked.add_argument(
        "--levels", type=int, default=0, metavar="N", help="also play N games of each level against the one below"
    )
    levels = asked.parse_args().levels
    warm_up("scrabble")
    games, listed = SelfPlay(), Positions()
    games.run()
    rate, plays = best_rate(games.run), best_rate(listed.list_all)
    playouts = best_rate(Simulations(listed.views).run)
    start = perf_counter()
    graph = build(lexicon())
    seconds = perf_counter() - start
    times = time_decisions(
        BOTS,
        lambda seed: Match.start("scrabble", seats=2, seed=seed),
        dict.fromkeys(BOTS, MATCHES),
        is_choice=lambda legal: True,
    )
    ended = EndGames().solve_all()
    met = meetings(levels) if levels else {}
    report(
        __file__,
        f"scrabble: {rate:,.0f} games/s and {rate * games.turns / GAMES:,.0f} positions/s of the static choice against "
        f"itself, {games.points:.0f} points a player; all plays {plays / 1e6:.1f} M/s "
        f"(the fastest C program known: 263 games/s); {playouts:,.0f} playouts of two turns per second; "
        f"graph made in {seconds:.1f} s; "
        f"time per decision: {summary(times)}; "
        f"{ended['solved']} of {ended['positions']} endgames solved, {ended['mean_ms']:.0f} ms on average",
        {
            "lexicon": default_ref(),
            "games_per_second": round(rate, 1),
            "positions_per_second": round(rate * games.turns / GAMES),
            "mean_score": round(games.points, 1),
            "plays_per_second": round(plays),
            "playouts_per_second": round(playouts),
            "plays_per_position": round(listed.list_all() / len(listed.boards)),
            "graph_seconds": round(seconds, 2),
            "graph_bytes": graph.nbytes,
            "peers": PEERS,
            "decisions": times,
            "ends": ended,
            "levels": met,
        },
    )


if __name__ == "__main__":
    main()
