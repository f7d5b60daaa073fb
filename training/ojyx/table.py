"""Many manches at once, played by the compiled rules on torch's arrays."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import torch

HERE = Path(__file__).parent


def compile_rules(work: Path, cpu: bool) -> tuple[ctypes.CDLL, torch.device]:
    """Compile the rules for the GPU, or for the CPU if asked."""
    path, source = work / ("host.so" if cpu else "gpu.so"), str(HERE / "play.cu")
    host = ["g++", "-O2", "-DHOST", "-std=c++17", "-shared", "-fPIC", "-x", "c++", source]
    command = host
    if not cpu:
        nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        if not torch.cuda.is_available() or not Path(nvcc).exists():
            raise SystemExit(f"no GPU, or no {nvcc}; use --cpu for a small training")
        major, minor = torch.cuda.get_device_capability()
        command = [nvcc, "-O3", "-std=c++17", f"-arch=sm_{major}{minor}", "-shared", "-Xcompiler", "-fPIC", source]
    subprocess.run([*command, "-o", str(path)], check=True, timeout=240)
    return ctypes.CDLL(str(path)), torch.device("cpu" if cpu else "cuda")


class Results:
    """The scores of finished manches by number; old ones are overwritten."""

    def __init__(self, room: int, device: torch.device) -> None:
        self.room = room
        self.scores = torch.zeros(room, 8, device=device)
        self.done = torch.full((room,), -1, dtype=torch.int64, device=device)


class Tables:
    """Manches that are played in step. `kind` 0 is the mix of the training, otherwise a number of players."""

    def __init__(self, library: ctypes.CDLL, device: torch.device, count: int, seed: int, kind: int, room: int) -> None:
        self.library, self.device, self.count, self.kind = library, device, count, kind
        whole = {"dtype": torch.int64, "device": device}
        self.games = torch.zeros(count, library.ojyx_state(), dtype=torch.int16, device=device)
        self.dice = torch.zeros(count, **whole)
        self.numbers = torch.zeros(count, **whole)
        self.counts, self.seats, self.chosen = (torch.zeros(count, **whole) for _ in range(3))
        self.sights = torch.zeros(count, library.ojyx_sight(), dtype=torch.uint8, device=device)
        self.positions = torch.zeros(count, library.ojyx_position(), device=device)
        self.results = Results(room, device)
        self.reserve(count * 16)
        self.call("start", count, self.games, self.dice, self.numbers, ctypes.c_uint64(seed), kind)

    def reserve(self, rows: int) -> None:
        self.actions = torch.zeros(rows, self.library.ojyx_action(), device=self.device)
        self.thumbs = torch.zeros(rows, device=self.device)
        self.codes = torch.zeros(rows, dtype=torch.int32, device=self.device)
        self.owners = torch.zeros(rows, dtype=torch.int64, device=self.device)

    def call(self, name: str, *arguments: Any) -> None:
        getattr(self.library, f"ojyx_{name}")(
            *[ctypes.c_void_p(one.data_ptr()) if isinstance(one, torch.Tensor) else one for one in arguments]
        )

    def look(self) -> int:
        """List the actions of every manche and write what the seats see; return the number of actions."""
        self.call("count", self.count, self.games, self.counts)
        self.ends = self.counts.cumsum(0)
        rows = int(self.ends[-1])
        if rows > len(self.actions):
            self.reserve(rows + rows // 4)
        self.positions.zero_()
        self.actions[:rows].zero_()
        self.call(
            "look",
            self.count,
            self.games,
            self.ends,
            self.sights,
            self.positions,
            self.codes,
            self.owners,
            self.seats,
        )
        self.call("act", rows, self.games, self.sights, self.codes, self.owners, self.actions, self.thumbs)
        return rows

    def choose(self, values: torch.Tensor, random: float = 0.0, noisy: float = 0.0, noise: float = 0.0) -> None:
        values = values.float().contiguous()
        luck = [ctypes.c_float(one) for one in (random, noisy, noise)]
        self.call("choose", self.count, self.ends, values, self.dice, *luck, self.chosen)

    def step(self, again: bool) -> None:
        self.call(
            "step",
            self.count,
            self.games,
            self.dice,
            self.ends,
            self.codes,
            self.chosen,
            self.numbers,
            ctypes.c_int64(self.count),
            self.kind,
            int(again),
            self.results.scores,
            self.results.done,
            ctypes.c_int64(self.results.room),
        )

    def check(self) -> None:
        """Raise if a kernel has failed."""
        self.library.ojyx_error.restype = ctypes.c_char_p
        error = self.library.ojyx_error()
        if error:
            raise RuntimeError(error.decode())
