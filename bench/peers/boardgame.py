"""boardgame.io as a peer: installed from npm into the benchmarks' cache, played over its own protocol."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from load import Pair, Tally
from processes import ServerProcess, free_port
from wire import Http, Wire

HERE = Path(__file__).parent / "boardgame"
ROOT = Path(__file__).parents[2]
CACHE = ROOT / "bench" / "cache" / "boardgame"
GAME = "nine"
EVENT = f"42/{GAME},".encode()


def install() -> None:
    """Install boardgame.io into the cache unless it is there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    wanted = (HERE / "package.json").read_bytes()
    installed = CACHE / "node_modules" / ".package-lock.json"
    if not installed.exists() or (CACHE / "package.json").read_bytes() != wanted:
        (CACHE / "package.json").write_bytes(wanted)
        npm = [str(ROOT / "scripts" / "npm"), "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]
        subprocess.run(npm, cwd=CACHE, check=True)
    shutil.copy(HERE / "server.cjs", CACHE)


class Boardgame(ServerProcess):
    """boardgame.io with its matches in memory, or in files of a folder."""

    def __init__(self, data: Path, *, in_files: bool) -> None:
        port = free_port()
        command = ["node", str(CACHE / "server.cjs"), str(port), *([str(data / "matches")] if in_files else [])]
        super().__init__(command, port, "/games", data / "log", {**os.environ, "NODE_ENV": "production"})


class _Board(Struct):
    cells: list[str | None]


class _Turn(Struct):
    current: str = field(name="currentPlayer")


class _State(Struct):
    """The parts of a state that a player needs."""

    board: _Board = field(name="G")
    turn: _Turn = field(name="ctx")
    number: int = field(name="_stateID")


class _Synced(Struct):
    state: _State


read_parts = msgspec.json.Decoder(list[Raw]).decode
read_state = msgspec.json.Decoder(_State).decode
read_synced = msgspec.json.Decoder(_Synced).decode


class NinePair(Pair):
    """Two players of noughts and crosses."""

    def __init__(self, match: str, credentials: list[str], tally: Tally) -> None:
        super().__init__(tally)
        self._match = match
        self._credentials = credentials
        self._dice = random.Random(match)
        self._state: _State | None = None
        self._synced = 0
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, http: Http, tally: Tally) -> NinePair:
        """Create a match, let both players join it, and wait until both know its state."""
        match = http.ask(f"/games/{GAME}/create", {"numPlayers": 2})[0]["matchID"]
        join = f"/games/{GAME}/{match}/join"
        credentials = [
            http.ask(join, {"playerID": seat, "playerName": seat})[0]["playerCredentials"] for seat in ("0", "1")
        ]
        pair = cls(match, credentials, tally)
        url = f"{http.base.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket"
        for seat in (0, 1):
            pair.wires.append(Wire(url, "", partial(pair.receive, seat)))
            await pair.wires[seat].open()
            pair.wires[seat].send(f"40/{GAME},".encode())
        await asyncio.wait_for(pair._ready, 60)
        return pair

    def _emit(self, seat: int, *parts: Any) -> None:
        self.wires[seat].send(EVENT + msgspec.json.encode(parts))

    def receive(self, seat: int, text: bytes) -> None:
        if text == b"2":  # a ping
            self.wires[seat].send(b"3")
        elif text.startswith(b"40/"):
            self._emit(seat, "sync", self._match, str(seat), self._credentials[seat], 2)
        elif text.startswith(EVENT):
            kind, *rest = read_parts(text[len(EVENT) :])
            if bytes(kind) == b'"update"':
                self._state = read_state(rest[1])
                self.moved(seat)
            elif bytes(kind) == b'"sync"':
                self._state = read_synced(rest[1]).state
                self._synced += 1
                if self._synced == 2:
                    self._ready.set_result(None)

    def send_move(self) -> int:
        state = self._state
        assert state is not None
        player = state.turn.current
        at = self._dice.choice([at for at, mark in enumerate(state.board.cells) if mark is None])
        seat = int(player)
        move = {"type": "mark", "args": [at], "playerID": player, "credentials": self._credentials[seat]}
        self._emit(seat, "update", {"type": "MAKE_MOVE", "payload": move}, state.number, self._match, player)
        return seat


async def open_nine(base: str, matches: int, tally: Tally) -> list[Pair]:
    """Open so many matches of noughts and crosses."""
    http = Http(base)
    try:
        return [await NinePair.open(http, tally) for _ in range(matches)]
    finally:
        http.close()
