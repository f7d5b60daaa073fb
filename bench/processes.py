"""Servers in processes of their own: start, measure, stop."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from wire import Http

NO_LIMITS = [
    *("--frames-per-second", "100000", "--connections-per-address", "100000"),
    *("--requests-per-second", "100000", "--tables-per-minute", "1000000"),
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def cpu_times(process: int) -> list[float]:
    """Return the CPU seconds of a process, user and system, and those of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return [int(ticks) / os.sysconf("SC_CLK_TCK") for ticks in fields[11:15]]


def cpu_of_family(process: int) -> float:
    """Return the CPU seconds of a process and its children so far: PostgreSQL has one for each connection."""
    total = sum(cpu_times(process))
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        with suppress(OSError):  # it has just ended
            total += sum(cpu_times(int(child)))
    return total


class ServerProcess:
    """A server on a free port of this machine. Its log goes to a file."""

    def __init__(self, command: list[str], port: int, path: str, log: Path, environment: dict[str, str]) -> None:
        """Start it; return when it answers a GET of the path."""
        self.url = f"http://127.0.0.1:{port}"
        self._command, self._path, self._log, self._environment = command, path, log, environment
        self.start()

    def start(self) -> None:
        """Start the process, perhaps once more after it was killed; return when it answers."""
        with self._log.open("ab") as output:
            self.process = subprocess.Popen(self._command, stdout=output, stderr=output, env=self._environment)
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                Http(self.url).ask(self._path)
                return
            except (OSError, RuntimeError):  # it does not listen yet, or it answers 503 until it is ready
                time.sleep(0.1)
        raise RuntimeError(f"the server did not start: {self._log.read_text()}")

    def cpu_seconds(self) -> float:
        """Return the CPU time of the process and all its threads so far; not that of its children."""
        return sum(cpu_times(self.process.pid)[:2])

    def memory_kilobytes(self) -> int:
        """Return the memory that the process holds; not that of its children."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Tablee(ServerProcess):
    """Tablée from this source folder, or from another."""

    def __init__(
        self, data: Path, source: Path | None = None, *, warm: bool = False, options: Sequence[str] = ()
    ) -> None:
        """With `warm`, compile at once what bots need; `options` are those of `tablee serve`."""
        port = free_port()
        command = [sys.executable, "-m", "tablee", "serve", "--port", str(port), "--data", str(data)]
        command += ["--workers", "1", "--warm-up" if warm else "--no-warm-up", *NO_LIMITS, *options]
        environment = dict(os.environ) if source is None else {**os.environ, "PYTHONPATH": str(source.resolve())}
        super().__init__(command, port, "/api/me", data / "log", environment)
