"""Play Kora over WebSockets with durable appends: moves a second, latency, and the server's CPU time for a move.

    python bench/server.py [--matches 50,200,500] [--seconds 8]
    python bench/server.py --against ../old/src [--rounds 3]

The server is one process, all players are another. Latency is the time from sending a move until the other player has
its frame. With `--against`, the server of another source folder is measured in turn with this one.
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
NO_LIMITS = [
    *("--frames-per-second", "100000", "--connections-per-address", "100000"),
    *("--requests-per-second", "100000", "--tables-per-minute", "1000000"),
]


class Table:
    """A table with two players on two connections, who play one match after the other."""

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
        """Start a match and wait until both have its first state; start another if the deal decides it."""
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
        """Play one random legal action and wait until the other player has its frame."""
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


async def measure(server: Server, matches: int, seconds: float, rate: float | None) -> dict[str, float]:
    tally = Tally()
    base = server.url
    # A few pairs of people share the tables, so that nobody has more connections than a person may.
    pairs = [[ask(base, "/api/me")[1] for _ in range(2)] for _ in range(max(1, matches // 8))]
    tables = [await open_table(base, pairs[at % len(pairs)], tally) for at in range(matches)]
    start = time.perf_counter()
    cpu = server.cpu_seconds()
    end = start + seconds
    if rate is None:
        await asyncio.gather(*(flat_out(table, end) for table in tables))
    else:
        every = matches / rate
        await asyncio.gather(*(paced(table, end, every, every * at / matches) for at, table in enumerate(tables)))
    spent = time.perf_counter() - start
    cpu = server.cpu_seconds() - cpu
    for table in tables:
        for line in table.lines:
            await line.close()
    return {
        "matches": matches,
        "moves_per_second": round(len(tally.times) / spent),
        "p50_ms": round(tally.at(0.5), 2),
        "p99_ms": round(tally.at(0.99), 2),
        "cpu_us_per_move": round(1e6 * cpu / len(tally.times)),
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A server process of this source folder, or of another."""

    def __init__(self, data: str, source: Path | None = None) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "tablee", "serve", "--port", str(port), "--data", data]
        command += ["--workers", "1", "--no-warm-up", *NO_LIMITS]
        environment = os.environ if source is None else {**os.environ, "PYTHONPATH": str(source.resolve())}
        with open(Path(data) / "log", "wb") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=environment)
        for _ in range(300):
            try:
                ask(self.url, "/healthz")
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the server did not start")

    def cpu_seconds(self) -> float:
        """Return the CPU time of the server process so far; not that of its bot processes."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)


def run(matches: list[int], seconds: float, source: Path | None = None) -> dict[str, Any]:
    """Measure one server flat out with each number of matches, then paced."""
    with tempfile.TemporaryDirectory(dir=HERE) as data:
        server = Server(data, source)
        try:
            flat_out = [uvloop.run(measure(server, count, seconds, None)) for count in matches]
            even = uvloop.run(measure(server, PACED_MATCHES, seconds, PACED_RATE))
        finally:
            server.stop()
    return {"flat_out": flat_out, "paced": even}


def line(name: str, result: dict[str, Any]) -> str:
    parts = [
        f"{one['matches']} matches {one['moves_per_second']}/s p50 {one['p50_ms']} p99 {one['p99_ms']} ms"
        f" cpu {one['cpu_us_per_move']} µs"
        for one in result["flat_out"]
    ]
    even = result["paced"]
    paced = f"paced {even['moves_per_second']}/s p50 {even['p50_ms']} p99 {even['p99_ms']} ms"
    return f"{name}: {'; '.join(parts)}; {paced} cpu {even['cpu_us_per_move']} µs"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", default="50,200,500", help="how many at the same time; a comma between two runs")
    options.add_argument("--seconds", type=float, default=8)
    options.add_argument("--against", type=Path, help="the src folder of another version, measured in turn")
    options.add_argument("--rounds", type=int, default=3, help="how often both are measured with --against")
    chosen = options.parse_args()
    matches = [int(count) for count in chosen.matches.split(",")]
    if chosen.against:
        for number in range(1, chosen.rounds + 1):
            print(line(f"{number} other", run(matches, chosen.seconds, chosen.against)), flush=True)
            print(line(f"{number} this ", run(matches, chosen.seconds)), flush=True)
        return
    result = run(matches, chosen.seconds) | {"python": platform.python_version(), "cpus": os.cpu_count()}
    (HERE / "server.json").write_text(json.dumps(result, indent=2) + "\n")
    print(line("server", result))


if __name__ == "__main__":
    main()
