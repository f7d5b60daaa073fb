"""Play Kora over WebSockets with durable appends: moves a second, latency, and the server's CPU time for a move.

    python bench/server.py [--matches 50,200,500] [--seconds 8]
    python bench/server.py --against ../old/src [--rounds 3]

The server is one process, all players are another (`load.py`). With `--against`, the server of another source folder
is measured in turn with this one.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop

from load import Tally, drive, open_kora
from wire import Http

HERE = Path(__file__).parent
PACED_RATE = 500
PACED_MATCHES = 200
NO_LIMITS = [
    *("--frames-per-second", "100000", "--connections-per-address", "100000"),
    *("--requests-per-second", "100000", "--tables-per-minute", "1000000"),
]


async def measure(server: Server, matches: int, seconds: float, rate: float | None) -> dict[str, float]:
    """Play so many matches at a server; return moves per second, latency and the server's CPU time for a move."""
    tally = Tally()
    pairs = await open_kora(server.url, matches, tally)
    cpu = server.cpu_seconds()
    spent = await drive(pairs, tally, seconds, rate)
    cpu = server.cpu_seconds() - cpu
    for pair in pairs:
        await pair.close()
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
                Http(self.url).ask("/api/me")
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
