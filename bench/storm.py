"""Let 1,000 clients at 100 tables of all games reconnect at once: CPU time of the server, waits, moves of others.

    python bench/storm.py [--clients 1000] [--tables 100] [--database postgresql://…]
    python bench/storm.py --against ../old/src [--rounds 3]

First all clients lose their connections while ten other matches go on. Then the server is killed and started again.
With `--against`, the server of another source folder is measured in turn with this one.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from common import report
from load import Tally, answer_to_beat, open_kora
from processes import Tablee
from wire import Http, Wire

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

BOTS = {"dames": 0, "kora": 0, "ojyx": 0, "president": 2, "scrabble": 0}
"""The games, and how many bots play with two people."""
PLIES = 12
"""Actions that the first two people of a table play before the storm."""
MATCHES, RATE = 10, 50
"""The matches of those who stay connected, and their moves a second in all."""
PATIENCE = 120.0

Figures = dict[str, float]


class Guest:
    """A person at a table, who plays a little, and comes back at once."""

    def __init__(self, url: str, cookie: str, dice: random.Random) -> None:
        self.url, self.cookie = url, cookie
        self.plies = 0
        """Actions that this person may still play."""
        self._dice = dice
        self._game = ""
        self._is_host = False
        self._asked = ""
        self._wire: Wire | None = None
        self.here = asyncio.Event()
        """Whether the state of the match has come."""
        self.wait = 0.0

    async def come(self) -> None:
        """Open a connection, as often as it takes, and note how long it took until the match was shown."""
        self.here.clear()
        begun = time.perf_counter()
        while True:
            self._wire = Wire(self.url, self.cookie, self._receive)
            try:
                await self._wire.open()
                break
            except (OSError, ConnectionError):
                await asyncio.sleep(0.25 + 0.25 * self._dice.random())
        await self.here.wait()
        self.wait = time.perf_counter() - begun

    def cut(self) -> None:
        assert self._wire is not None
        self._wire.transport.abort()

    def _receive(self, text: bytes) -> None:
        if text.startswith(b'{"type":"state"'):
            self.here.set()
        elif text.startswith(b'{"type":"beat"'):
            self._send(answer_to_beat(msgspec.json.decode(text)["number"]))
        if self.plies:
            self._take(msgspec.json.decode(text))

    def _take(self, frame: dict[str, Any]) -> None:
        """Sit down, start the match, and play."""
        if frame["type"] == "table":
            self._game = frame["game"]
            is_full = all(seat["kind"] != "empty" for seat in frame["seats"])
            if frame["you"] is None and not is_full:
                self._ask("sit")
            elif frame["you"] == 0 and is_full and frame["status"] == "waiting" and frame["commit"]:
                self._ask("start")
        elif frame["type"] in ("state", "moved") and (offer := frame["offer"]) is not None and offer["must"]:
            from players import choose

            self.plies -= 1
            action = choose(self._game, frame["view"], offer, self._dice, hurry=False)
            self._send(msgspec.json.encode({"type": "act", "id": 1, "offer": offer["number"], "action": action}))

    def _ask(self, type: str) -> None:
        if self._asked != type:
            self._asked = type
            self._send(msgspec.json.encode({"type": type, "id": 1}))

    def _send(self, text: bytes) -> None:
        assert self._wire is not None
        self._wire.send(text)


async def furnish(base: str, tables: int, clients: int) -> list[Guest]:
    """Open tables of all games, let two people play at each, and let the others watch."""
    http = Http(base)
    cookies = [http.ask("/api/me")[1] for _ in range(clients)]
    codes = [
        http.ask("/api/tables", {"game": game, "seats": 2 + bots, "bots": ["facile"] * bots}, cookies[at])[0]["code"]
        for at, (game, bots) in enumerate(islice(cycle(BOTS.items()), tables))
    ]
    http.close()
    guests = [
        Guest(f"{base.replace('http', 'ws')}/ws/{code}", cookie, random.Random(cookie))
        for cookie, code in zip(cookies, cycle(codes), strict=False)
    ]
    for guest in guests[: 2 * tables]:
        guest.plies = PLIES
    for first in range(0, clients, 50):
        coming = guests[first : first + 50]
        if first < 2 * tables:  # a host waits for the second player: nobody sees a match before
            for guest in coming:
                asyncio.get_running_loop().create_task(guest.come())
            await asyncio.sleep(0.2)
        else:
            await asyncio.gather(*(guest.come() for guest in coming))
    await asyncio.gather(*(guest.here.wait() for guest in guests))
    await asyncio.sleep(3.0)
    for guest in guests:
        guest.plies = 0
    return guests


async def come_back(guests: Sequence[Guest]) -> None:
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(guest.come() for guest in guests))


async def cut(server: Tablee, guests: Sequence[Guest]) -> Figures:
    """Cut all connections but those of ten matches, which go on meanwhile."""
    players = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "--play", server.url, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert players.stdout is not None
    assert await players.stdout.readline() == b"they play\n"
    await asyncio.sleep(2.0)
    before, begun = server.cpu_seconds(), time.perf_counter()
    for guest in guests:
        guest.cut()
    await come_back(guests)
    ended = time.perf_counter()
    await asyncio.sleep(1.0)  # what was put off counts too
    spent = server.cpu_seconds() - before
    moves = msgspec.json.decode((await players.communicate(b""))[0], type=list[tuple[float, float]])
    return {
        "cpu_ms": round(1000 * spent / len(guests), 3),
        "longest_wait": round(max(guest.wait for guest in guests), 2),
        "longest_move": round(max(took for at, took in moves if begun <= at <= ended), 3),
        "longest_move_before": round(max(took for at, took in moves if at < begun), 3),
    }


class Diary(Tally):
    """Notes when each move was seen too."""

    def __init__(self) -> None:
        super().__init__()
        self.moves: list[tuple[float, float]] = []

    def add(self, seconds: float) -> None:
        self.moves.append((time.perf_counter(), seconds))


async def play(base: str) -> None:
    """Play ten matches at an even rate until the standard input ends; print when each move was seen and its delay."""
    diary = Diary()
    pairs = await open_kora(base, MATCHES, diary)
    diary.is_open = True
    diary.every = MATCHES / RATE
    for at, pair in enumerate(pairs):
        pair.play(asyncio.get_running_loop().time() + diary.every * at / MATCHES)
    print("they play", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    diary.is_open = False
    print(msgspec.json.encode(diary.moves).decode())


async def restart(server: Tablee, guests: Sequence[Guest]) -> Figures:
    """Kill the server and start it; measure from the moment at which it answers."""
    server.process.kill()
    server.process.wait()
    server.start()
    before = server.cpu_seconds()
    await come_back(guests)
    await asyncio.sleep(1.0)
    spent = server.cpu_seconds() - before
    return {
        "cpu_ms": round(1000 * spent / len(guests), 3),
        "longest_wait": round(max(guest.wait for guest in guests), 2),
    }


async def measure(server: Tablee, tables: int, clients: int) -> dict[str, Figures]:
    guests = await furnish(server.url, tables, clients)
    return {"cut": await cut(server, guests), "killed": await restart(server, guests)}


def run(tables: int, clients: int, options: Sequence[str], source: Path | None = None) -> dict[str, Figures]:
    with tempfile.TemporaryDirectory(dir=HERE) as data:
        server = Tablee(Path(data), source, options=options)
        try:
            return uvloop.run(measure(server, tables, clients))
        finally:
            server.stop()


def line(name: str, found: dict[str, Figures]) -> str:
    cut, killed = found["cut"], found["killed"]
    return (
        f"{name}: cut: {cut['cpu_ms']} ms of CPU a reconnection, longest wait {cut['longest_wait']} s, "
        f"a move of others {cut['longest_move']} s at most, {cut['longest_move_before']} s before; "
        f"killed: {killed['cpu_ms']} ms, longest wait {killed['longest_wait']} s"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--clients", type=int, default=1000)
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--database", help="the URL of an empty PostgreSQL database; otherwise SQLite")
    options.add_argument("--play", help=argparse.SUPPRESS)
    options.add_argument("--against", type=Path, help="the src folder of another version, measured in turn")
    options.add_argument("--rounds", type=int, default=3, help="how often both are measured with --against")
    chosen = options.parse_args()
    if chosen.play:
        uvloop.run(play(chosen.play))
        return
    more = ["--database", chosen.database] if chosen.database else []
    if chosen.against:
        for number in range(1, chosen.rounds + 1):
            print(line(f"{number} other", run(chosen.tables, chosen.clients, more, chosen.against)), flush=True)
            print(line(f"{number} this ", run(chosen.tables, chosen.clients, more)), flush=True)
        return
    found = run(chosen.tables, chosen.clients, more)
    report(__file__, line("storm", found), dict(found))


if __name__ == "__main__":
    main()
