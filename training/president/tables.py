"""Many matches at once, in C++ or CUDA, on memory of torch tensors.

observe.h has the layout of a row, selfplay.cu the fields of a game.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from ctypes import POINTER, c_float, c_int, c_int64, c_void_p
from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).parent
WORDS, STATE_WORDS = 18, 14
BITS = 32 * WORDS
ACTIONS = 64
SEATS, TITLES, DICE, NUMBER, ROUND, SEAT, COUNT, WAITED, BEGAN, PLAYERS, MATCHES, POINTS = (8, *range(40, 51))
"""Fields of a game, as in selfplay.cu."""
TALLIES = 5 * 8 * 8


class Job(ctypes.Structure):
    """The arguments of the compiled functions, as in selfplay.cu."""

    _fields_ = (
        ("games", c_void_p),
        ("options", c_void_p),
        ("chosen", c_void_p),
        ("seats", c_void_p),
        ("labels", c_void_p),
        ("tallies", c_void_p),
        ("seed", c_int64),
        ("count", c_int),
        ("steps", c_int),
        ("step", c_int),
        ("rounds", c_int),
        ("endless", c_int),
        ("noise", c_float),
    )


def build(work: Path, cpu: bool) -> ctypes.CDLL:
    """Compile selfplay.cu and load it."""
    source, target = str(HERE / "selfplay.cu"), work / ("host.so" if cpu else "gpu.so")
    shared = ["-shared", "-std=c++17", "-O3", source, "-o", str(target)]
    if cpu:
        command = ["g++", "-DHOST", "-fPIC", "-x", "c++", *shared]
    else:
        major, minor = torch.cuda.get_device_capability()
        command = ["nvcc", f"-arch=sm_{major}{minor}", "-Xcompiler", "-fPIC", *shared]
    if shutil.which(command[0]) is None:
        raise SystemExit(f"{command[0]} is needed to compile the rules, but it is not installed")
    subprocess.run(command, check=True, timeout=180)
    lib = ctypes.CDLL(str(target))
    lib.go_on.argtypes = [POINTER(Job), c_void_p]
    lib.write_rows.argtypes = [POINTER(Job), c_void_p, c_void_p, c_void_p]
    lib.choose.argtypes = [POINTER(Job), c_void_p, c_void_p, c_void_p, c_float, c_void_p]
    lib.spread.argtypes = [c_int, c_void_p, c_void_p, c_void_p, ctypes.c_uint32]
    for function in (lib.go_on, lib.write_rows, lib.choose, lib.spread):
        function.errcheck = checked
    if lib.job_size() != ctypes.sizeof(Job):
        raise SystemExit(f"a job has {lib.job_size()} bytes in C++ and {ctypes.sizeof(Job)} here: compare the fields")
    return lib


def checked(status: int, function: object, arguments: object) -> int:
    """Raise if the GPU refused to start a function."""
    if status:
        raise RuntimeError(f"the GPU answered with error {status}")
    return status


class Tables:
    """Matches that are played at the same time; `step` stops at the next choice of a network in each of them."""

    def __init__(
        self,
        lib: ctypes.CDLL,
        device: torch.device,
        seats: Sequence[int],
        seed: int,
        *,
        players: Sequence[int] | None = None,
        numbers: Sequence[int] | None = None,
        ring: int = 0,
        rounds: int = 5,
        noise: float = 0.5,
    ) -> None:
        count = len(seats)
        self.lib, self.device, self.count, self.ring = lib, device, count, ring
        games = torch.zeros(count, lib.game_fields(), dtype=torch.int64)
        games[:, SEATS] = torch.tensor(seats)
        games[:, NUMBER] = torch.arange(count) if numbers is None else torch.tensor(numbers)
        games[:, DICE] = torch.randint(1 << 62, (count,), generator=torch.Generator().manual_seed(seed))
        games[:, ROUND], games[:, WAITED] = -1, -1
        if players is not None:
            games[:, PLAYERS] = torch.tensor(players)
        self.games = games.to(device)
        self.options = torch.zeros(count, ACTIONS, dtype=torch.int32, device=device)
        self.chosen = torch.zeros(count, dtype=torch.int32, device=device)
        self.picked = torch.zeros(count, dtype=torch.int64, device=device)
        self.tallies = torch.zeros(TALLIES + 2, dtype=torch.int64, device=device)
        self.deciders = torch.full((max(ring, 1), count), -1, dtype=torch.int8, device=device)
        self.labels = torch.full((max(ring, 1), count), -1, dtype=torch.int8, device=device)
        self.rows = torch.zeros(count * 8, WORDS, dtype=torch.int32, device=device)
        self.ends = torch.zeros(count, dtype=torch.int64, device=device)
        self.total = 0
        self.job = Job(
            self.games.data_ptr(),
            self.options.data_ptr(),
            self.chosen.data_ptr(),
            self.deciders.data_ptr(),
            self.labels.data_ptr() if ring else None,
            self.tallies.data_ptr(),
            seed,
            count,
            max(ring, 1),
            0,
            rounds,
            int(ring > 0),
            noise,
        )

    @property
    def _stream(self) -> int | None:
        return torch.cuda.current_stream().cuda_stream if self.device.type == "cuda" else None

    def step(self) -> torch.Tensor:
        """Apply the chosen options, go on to the next choices and return a row for each of their options."""
        self.lib.go_on(ctypes.byref(self.job), self._stream)
        torch.cumsum(self.games[:, COUNT], 0, out=self.ends)
        self.total = int(self.ends[-1])
        if self.total > len(self.rows):
            self.rows = torch.zeros(self.total * 5 // 4, WORDS, dtype=torch.int32, device=self.device)
        self.lib.write_rows(ctypes.byref(self.job), self._stream, self.ends.data_ptr(), self.rows.data_ptr())
        return self.rows[: self.total]

    def choose(self, values: torch.Tensor, epsilon: float = 0.0) -> None:
        """Choose by the values of the options; `picked` is the row of each choice."""
        values = values.float().contiguous()
        self.lib.choose(
            ctypes.byref(self.job),
            self._stream,
            self.ends.data_ptr(),
            values.data_ptr(),
            epsilon,
            self.picked.data_ptr(),
        )
        self.job.step += 1

    def spread(self, rows: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
        """Return rows with a number, 0 or 1, for each bit."""
        if self.device.type == "cpu":
            octets = rows.contiguous().numpy().view(np.uint8)
            return torch.from_numpy(np.unpackbits(octets, axis=1, bitorder="little")).to(kind)
        rows = rows.contiguous()
        found = torch.empty(len(rows), BITS, dtype=kind, device=self.device)
        one = {torch.bfloat16: 0x3F80, torch.float16: 0x3C00}[kind]
        self.lib.spread(rows.numel(), self._stream, rows.data_ptr(), found.data_ptr(), one)
        return found
