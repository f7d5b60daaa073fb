"""Dames on one thread: perft by the kernel and by the rules, and the nodes of a search per second."""

from __future__ import annotations

from functools import partial

from common import best_rate, report
from tablee.games.dames.board import TEN, perft
from tablee.games.dames.search import Lists, Root, Search

DEPTH = 9
RULES_DEPTH = 5
NODES = 3_000_000


def search(engine: Search) -> int:
    engine.forget()
    return engine.think(Root(TEN.start), nodes=NODES).nodes


def main() -> None:
    lists, engine = Lists(TEN), Search(TEN.size)
    lists.perft(TEN.start, 1)
    engine.think(Root(TEN.start), depth=1)
    one_by_one = best_rate(partial(lists.perft, TEN.start, DEPTH, bulk=False))
    bulk = best_rate(partial(lists.perft, TEN.start, DEPTH))
    rules = best_rate(partial(perft, TEN, TEN.start, RULES_DEPTH))
    searched = best_rate(partial(search, engine))
    report(
        __file__,
        f"dames: perft({DEPTH}) {one_by_one / 1e6:.0f} M nodes/s one by one, {bulk / 1e6:.0f} M in bulk; "
        f"rules alone, perft({RULES_DEPTH}) {rules / 1e3:.0f} k nodes/s; search {searched / 1e6:.1f} M nodes/s",
        {
            "perft9_one_by_one_nodes_per_second": round(one_by_one),
            "perft9_bulk_nodes_per_second": round(bulk),
            "rules_perft5_nodes_per_second": round(rules),
            "search_nodes_per_second": round(searched),
        },
    )


if __name__ == "__main__":
    main()
