"""Real Kora matches over real WebSockets, with durable appends: accepted moves a second and the time from sent to seen.

    python bench/server.py [--matches 50,200,500] [--seconds 8]

One server process; the players are a second process. « Seen » is the moment at which the other player holds the frame.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

HERE = Path(__file__).parent
NEW_TABLE = {"game": "kora", "options": {"deals": 10, "bank": 10_000}}
PACED_RATE = 500
PACED_MATCHES = 200


class Table:
    """One match between two players on two connections; starts the next when one is over."""

    def __init__(self, code: str, lines: list[ClientConnection], tally: Tally) -> None:
        self.code = code
        self.lines = lines
        self.tally = tally
        self.dice = random.Random(code)
        self.id = 0
        self.offers: list[dict[str, Any] | None] = [None, None]
        self.asked = False

    async def send(self, seat: int, frame: dict[str, Any]) -> None:
        self.id += 1
        await self.lines[seat].send(msgspec.json.encode({**frame, "id": self.id}).decode())

    async def next_frame(self, seat: int) -> dict[str, Any]:
        frame: dict[str, Any] = msgspec.json.decode(await self.lines[seat].recv())
        if frame["type"] == "refused":
            raise RuntimeError(f"{self.code}: {frame}")
        return frame

    async def until(self, seat: int, kind: str) -> dict[str, Any]:
        while (frame := await self.next_frame(seat))["type"] != kind:
            pass
        return frame

    async def begin(self, kind: str) -> None:
        """Start a match and wait until both hold its first state; one that ends at the deal starts another."""
        while True:
            if kind == "start":
                await self.send(0, {"type": "start"})
            else:
                await self.send(0, {"type": "rematch"})
                await self.send(1, {"type": "rematch"})
            states = [await self.until(seat, "state") for seat in (0, 1)]
            self.offers = [state["offer"] for state in states]
            if states[0]["outcome"] is None:
                return
            kind = "rematch"

    async def move(self) -> None:
        """Play one random legal action and wait until the other player has seen it."""
        seat = 0 if self.offers[0] is not None else 1
        offer = self.offers[seat]
        assert offer is not None
        sent = time.perf_counter()
        action = self.dice.choice(offer["legal"])
        await self.send(seat, {"type": "act", "offer": offer["number"], "action": action})
        other = await self.until(1 - seat, "moved")
        self.tally.add(time.perf_counter() - sent)
        mine = await self.until(seat, "moved")
        self.offers[seat], self.offers[1 - seat] = mine["offer"], other["offer"]
        if mine["outcome"] is not None:
            await self.begin("rematch")


class Tally:
    def __init__(self) -> None:
        self.times: list[float] = []

    def add(self, seconds: float) -> None:
        self.times.append(seconds)

    def at(self, share: float) -> float:
        return sorted(self.times)[int(share * (len(self.times) - 1))] * 1000


def ask(base: str, path: str, body: Any = None, cookie: str = "") -> tuple[Any, str]:
    headers = {"cookie": cookie, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{base}{path}", data, headers)) as answer:
        set_cookie = answer.headers.get("set-cookie", "")
        return json.loads(answer.read()), set_cookie.partition(";")[0] or cookie


async def open_table(base: str, cookies: list[str], tally: Tally) -> Table:
    loop = asyncio.get_running_loop()
    created, _ = await loop.run_in_executor(None, ask, base, "/api/tables", NEW_TABLE, cookies[0])
    url = f"{base.replace('http', 'ws')}/ws/{created['code']}"
    lines = [
        await connect(url, additional_headers={"cookie": cookie}, compression=None, ping_interval=None)
        for cookie in cookies
    ]
    table = Table(created["code"], lines, tally)
    await table.send(1, {"type": "sit"})
    await table.until(1, "done")
    await table.begin("start")
    return table


async def flat_out(table: Table, end: float) -> None:
    while time.perf_counter() < end:
        await table.move()


async def paced(table: Table, end: float, every: float, delay: float) -> None:
    due = time.perf_counter() + delay
    while due < end:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await table.move()
        due += every


async def measure(base: str, matches: int, seconds: float, rate: float | None) -> dict[str, float]:
    tally = Tally()
    # Sixteen pairs of people share the tables, so that nobody holds more lines than a person may.
    pairs = [[ask(base, "/api/me")[1] for _ in range(2)] for _ in range(max(1, matches // 8))]
    tables = [await open_table(base, pairs[at % len(pairs)], tally) for at in range(matches)]
    start = time.perf_counter()
    end = start + seconds
    if rate is None:
        await asyncio.gather(*(flat_out(table, end) for table in tables))
    else:
        every = matches / rate
        await asyncio.gather(*(paced(table, end, every, every * at / matches) for at, table in enumerate(tables)))
    spent = time.perf_counter() - start
    for table in tables:
        for line in table.lines:
            await line.close()
    return {
        "matches": matches,
        "moves_per_second": round(len(tally.times) / spent),
        "p50_ms": round(tally.at(0.5), 2),
        "p99_ms": round(tally.at(0.99), 2),
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(port: int, data: str) -> subprocess.Popen[bytes]:
    limits = ["--frames-per-second", "100000", "--connections-per-address", "100000"]
    limits += ["--requests-per-second", "100000", "--tables-per-minute", "1000000"]
    command = [
        sys.executable,
        "-m",
        "tablee",
        "serve",
        "--port",
        str(port),
        "--data",
        data,
        "--workers",
        "1",
        "--no-warm-up",
        *limits,
    ]
    with open(Path(data) / "log", "wb") as log:
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
    for _ in range(100):
        try:
            ask(f"http://127.0.0.1:{port}", "/healthz")
            return server
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", default="50,200,500")
    options.add_argument("--seconds", type=float, default=8)
    chosen = options.parse_args()
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(dir=HERE) as data:
        server = start_server(port, data)
        try:
            runs = [
                uvloop.run(measure(base, int(matches), chosen.seconds, None)) for matches in chosen.matches.split(",")
            ]
            even = uvloop.run(measure(base, PACED_MATCHES, chosen.seconds, PACED_RATE))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(20)
    result = {"flat_out": runs, "paced": even, "python": platform.python_version(), "cpus": os.cpu_count()}
    (HERE / "server.json").write_text(json.dumps(result, indent=2) + "\n")
    flat = "; ".join(
        f"{r['matches']} matches {r['moves_per_second']}/s p50 {r['p50_ms']} p99 {r['p99_ms']} ms" for r in runs
    )
    print(f"server: {flat}; paced {even['moves_per_second']}/s p50 {even['p50_ms']} p99 {even['p99_ms']} ms")


if __name__ == "__main__":
    main()
