"""Dames: perft by the kernel and by the rules, the nodes of a search per second, and what more threads bring.

Rates are for processor time, so that other processes disturb them less. Searches with one and with more threads take
turns. If every thread had a processor of its own, the time of the first thread would be the time on the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter, process_time, thread_time

from common import report
from tablee.games.dames.board import TEN, perft
from tablee.games.dames.notation import read_fen
from tablee.games.dames.search import Found, Lists, Root, Search

DEPTH = 9
RULES_DEPTH = 5
NODES = 3_000_000
THREADS = 1, 2, 4
THREADS_DEPTH = 16
SECONDS = 1.0
MIDDLES = (
    "W:W31-50:B1-20",
    "W:W27,28,32,33,34,37,38,39,43,48:B8,9,12,13,14,16,18,19,23,24",
    "W:W25,31,33,34,35,36,38,40,42,43,48,49:B3,6,8,9,13,14,16,18,19,20,24,26",
    "B:W27,28,30-35,37,38,40,41,43,44,47,49:B1,2,5-8,10,14-17,19-21,23,25",
)


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


def search_with(engine: Search, threads: int) -> dict[str, float]:
    """Search some positions to a depth, then for a time; return rates, times and the mean completed depth."""
    nodes = reached = 0
    begin = perf_counter(), process_time(), thread_time()
    for fen in MIDDLES:
        engine.forget()
        nodes += engine.think(Root(read_fen(fen)), depth=THREADS_DEPTH, threads=threads).nodes
    clock, spent, first = perf_counter() - begin[0], process_time() - begin[1], thread_time() - begin[2]
    for fen in MIDDLES:
        engine.forget()
        reached += depth_after(engine, fen, SECONDS, threads)
    return {
        "nodes_per_second_of_processor_time": nodes / spent,
        "nodes_per_second_on_the_clock": nodes / clock,
        "first_thread_seconds": first,
        "clock_seconds": clock,
        "depth_in_equal_time_on_the_clock": reached / len(MIDDLES),
    }


def depth_after(engine: Search, fen: str, seconds: float, threads: int) -> int:
    """Return the depth that a search completes in a time on the clock."""
    done: list[Found] = []
    end = perf_counter() + seconds
    engine.think(Root(read_fen(fen)), stop=lambda: perf_counter() >= end, report=done.append, threads=threads)
    return done[-1].depth


def compare_threads(engine: Search, rounds: int = 5) -> dict[int, dict[str, float]]:
    """Return the medians of several rounds, by the number of threads."""
    runs = [{threads: search_with(engine, threads) for threads in THREADS} for _ in range(rounds)]
    return {
        threads: {name: round(median(run[threads][name] for run in runs), 2) for name in runs[0][threads]}
        for threads in THREADS
    }


def main() -> None:
    lists, by_hand, learned = Lists(TEN), Search(TEN.size, 19), Search(TEN.size, learned=True)
    lists.perft(TEN.start, 1)
    by_hand.think(Root(TEN.start), depth=1)
    one_by_one = best_rate(partial(lists.perft, TEN.start, DEPTH, bulk=False))
    bulk = best_rate(partial(lists.perft, TEN.start, DEPTH))
    rules = best_rate(partial(perft, TEN, TEN.start, RULES_DEPTH))
    plain, searched = best_rate(partial(search, by_hand)), best_rate(partial(search, learned))
    by_threads = compare_threads(learned)
    report(
        __file__,
        f"dames: perft({DEPTH}) {one_by_one / 1e6:.0f} M nodes/s one by one, {bulk / 1e6:.0f} M in bulk; "
        f"rules alone, perft({RULES_DEPTH}) {rules / 1e3:.0f} k nodes/s; "
        f"search {searched / 1e6:.1f} M nodes/s with the learned evaluation, {plain / 1e6:.1f} M by hand; "
        + "; ".join(
            f"{threads} {'thread' if threads == 1 else 'threads'}: depth {THREADS_DEPTH} in "
            f"{one['first_thread_seconds']:.2f} s of the first thread, {one['clock_seconds']:.2f} s on the clock, "
            f"{one['nodes_per_second_of_processor_time'] / 1e6:.1f} M nodes/s of processor time, "
            f"{one['nodes_per_second_on_the_clock'] / 1e6:.1f} M on the clock, "
            f"depth {one['depth_in_equal_time_on_the_clock']} after {SECONDS} s"
            for threads, one in by_threads.items()
        ),
        {
            "perft9_one_by_one_nodes_per_second": round(one_by_one),
            "perft9_bulk_nodes_per_second": round(bulk),
            "rules_perft5_nodes_per_second": round(rules),
            "search_nodes_per_second": round(searched),
            "search_by_hand_nodes_per_second": round(plain),
            "by_threads": by_threads,
        },
    )


if __name__ == "__main__":
    main()
