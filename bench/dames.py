"""Dames on one thread: perft by the kernel and by the rules, and the nodes of a search per second.

Rates are for processor time, so that other processes disturb them less.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time

from common import report
from tablee.games.dames.board import TEN, perft
from tablee.games.dames.search import Lists, Root, Search

DEPTH = 9
RULES_DEPTH = 5
NODES = 3_000_000


def best_rate(work: Callable[[], int], runs: int = 5) -> float:
    """Return how many things `work` does per second, in the best of several runs."""
    rates = []
    for _ in range(runs):
        start = process_time()
        done = work()
        rates.append(done / (process_time() - start))
    return max(rates)


def search(engine: Search) -> int:
    engine.forget()
    return engine.think(Root(TEN.start), nodes=NODES).nodes


def main() -> None:
    lists, by_hand, learned = Lists(TEN), Search(TEN.size, 19), Search(TEN.size, learned=True)
    lists.perft(TEN.start, 1)
    by_hand.think(Root(TEN.start), depth=1)
    one_by_one = best_rate(partial(lists.perft, TEN.start, DEPTH, bulk=False))
    bulk = best_rate(partial(lists.perft, TEN.start, DEPTH))
    rules = best_rate(partial(perft, TEN, TEN.start, RULES_DEPTH))
    plain, searched = best_rate(partial(search, by_hand)), best_rate(partial(search, learned))
    report(
        __file__,
        f"dames: perft({DEPTH}) {one_by_one / 1e6:.0f} M nodes/s one by one, {bulk / 1e6:.0f} M in bulk; "
        f"rules alone, perft({RULES_DEPTH}) {rules / 1e3:.0f} k nodes/s; "
        f"search {searched / 1e6:.1f} M nodes/s with the learned evaluation, {plain / 1e6:.1f} M by hand",
        {
            "perft9_one_by_one_nodes_per_second": round(one_by_one),
            "perft9_bulk_nodes_per_second": round(bulk),
            "rules_perft5_nodes_per_second": round(rules),
            "search_nodes_per_second": round(searched),
            "search_by_hand_nodes_per_second": round(plain),
        },
    )


if __name__ == "__main__":
    main()
