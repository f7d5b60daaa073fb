"""The analysis board: its nodes per second beside the engine's own, and moves at other tables while ten people analyse.

    python bench/analysis.py [--rounds 3] [--seconds 8]

Runs with and without analysts take turns, because the machine may have other work too.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from urllib.parse import urlsplit

import uvloop

from common import report
from load import measure, open_kora
from processes import Tablee
from tablee.games.dames.board import TEN
from tablee.games.dames.search import Root, Search
from tablee.games.dames.studies import Analyse, Look, analyse, look

HERE = Path(__file__).parent
NODES = 2_000_000
ANALYSTS = 10
MATCHES, RATE = 50, 200
START = "W:W31-50:B1-20"


def engine_rate() -> float:
    """Return the nodes per second of processor time of a search without pauses."""
    engine = Search(TEN.size, learned=True)
    begin = process_time()
    nodes = engine.think(Root(TEN.start), nodes=NODES).nodes
    return nodes / (process_time() - begin)


def board_rate(asker: str) -> float:
    """Return the same for the pieces of an analysis with one line, with reading the question and telling the lines."""
    question = Analyse(look(Look(fen=START), asker).state, lines=1, seconds=0.4)
    begin, nodes = process_time(), 0
    while nodes < NODES:
        nodes = analyse(question, asker).nodes
    return nodes / (process_time() - begin)


class Analyst(threading.Thread):
    """Somebody who looks at a position until told to stop; everyone has an own address and cookie."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(daemon=True)
        parts = urlsplit(url)
        self._http = HTTPConnection(parts.hostname or "", parts.port)
        self._headers = {"content-type": "application/json", "x-forwarded-for": f"192.0.2.{number}"}
        self._number = number
        self.depth = self.pieces = 0
        self.slowest = 0.0
        self.goes_on = True

    def ask(self, study: str, question: dict[str, object]) -> dict[str, object]:
        self._http.request("POST", f"/api/games/dames/studies/{study}", json.dumps(question), self._headers)
        answer = self._http.getresponse()
        body = answer.read()
        cookie = answer.getheader("set-cookie")
        if cookie:
            self._headers["cookie"] = cookie.split(";")[0]
        if answer.status != 200:
            raise RuntimeError(body.decode())
        found: dict[str, object] = json.loads(body)
        return found

    def run(self) -> None:
        black = ",".join(map(str, range(1, 21 - self._number % 8)))
        state = self.ask("look", {"fen": f"W:W31-50:B{black}"})["state"]
        while self.goes_on:
            begin = perf_counter()
            answer = self.ask("analyse", {"state": state, "lines": 3})
            self.slowest = max(self.slowest, perf_counter() - begin)
            self.depth = max(self.depth, int(str(answer["depth"])))
            self.pieces += 1


def crowd(server: Tablee) -> list[Analyst]:
    """Seat ten people at the analysis board, and wait until everyone has seen something."""
    people = [Analyst(server.url, number) for number in range(1, ANALYSTS + 1)]
    for one in people:
        one.start()
    while any(one.pieces == 0 and one.is_alive() for one in people):
        people[0].join(0.1)
    for one in people:
        one.slowest, one.pieces = 0.0, 0
    return people


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=float, default=8)
    chosen = options.parse_args()
    engine_rate(), board_rate("warm")
    rates = [(engine_rate(), board_rate(f"round {number}")) for number in range(2 * chosen.rounds + 1)]
    engine, board = (max(rate) for rate in zip(*rates, strict=True))
    alone, beside = [], []
    with tempfile.TemporaryDirectory(dir=HERE) as data:
        server = Tablee(Path(data), warm=True)
        try:
            for _ in range(chosen.rounds):
                alone.append(uvloop.run(measure(server, open_kora, MATCHES, chosen.seconds, RATE)))
                people = crowd(server)
                beside.append(uvloop.run(measure(server, open_kora, MATCHES, chosen.seconds, RATE)))
                for one in people:
                    one.goes_on = False
                for one in people:
                    one.join()
        finally:
            server.stop()
    figures = {
        "engine_nodes_per_second": round(engine),
        "board_nodes_per_second": round(board),
        "board_share": round(board / engine, 3),
        "analysts": ANALYSTS,
        "p50_ms_alone": median(one["p50_ms"] for one in alone),
        "p50_ms_with_analysts": median(one["p50_ms"] for one in beside),
        "p99_ms_alone": median(one["p99_ms"] for one in alone),
        "p99_ms_with_analysts": median(one["p99_ms"] for one in beside),
        "p99_ms_alone_of_each_round": [one["p99_ms"] for one in alone],
        "p99_ms_with_analysts_of_each_round": [one["p99_ms"] for one in beside],
        "pieces_of_each_analyst": sorted(one.pieces for one in people),
        "slowest_piece_seconds": round(max(one.slowest for one in people), 2),
    }
    report(
        __file__,
        f"analysis: {board / 1e6:.2f} M nodes/s on the board, {engine / 1e6:.2f} M of the engine alone "
        f"({100 * board / engine:.0f} %); a move at other tables p99 {figures['p99_ms_alone']} ms, "
        f"with {ANALYSTS} people analysing {figures['p99_ms_with_analysts']} ms; "
        f"pieces of each {figures['pieces_of_each_analyst']}",
        figures,
    )


if __name__ == "__main__":
    main()
