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
import tempfile
from pathlib import Path
from typing import Any

import uvloop

from load import measure, open_kora
from processes import Tablee

HERE = Path(__file__).parent
PACED_RATE = 500
PACED_MATCHES = 200


def run(matches: list[int], seconds: float, source: Path | None = None) -> dict[str, Any]:
    """Measure one server flat out with each number of matches, then paced."""
    with tempfile.TemporaryDirectory(dir=HERE) as data:
        server = Tablee(Path(data), source)
        try:
            flat_out = [uvloop.run(measure(server, open_kora, count, seconds)) for count in matches]
            even = uvloop.run(measure(server, open_kora, PACED_MATCHES, seconds, PACED_RATE))
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
