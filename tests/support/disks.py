"""Disks that are full for a while."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from live import LiveServer

SIZE = 64 * 2**20


class Disk(Protocol):
    def fill(self) -> None:
        """Leave no room for anything that a server writes."""
        ...

    def free(self) -> None:
        """Make room again."""
        ...


class SmallDisk:
    """A file system of its own in memory, filled by a file."""

    def __init__(self, folder: Path) -> None:
        self._filler = folder / "filler"

    def fill(self) -> None:
        with self._filler.open("wb", buffering=0) as filler:
            for size in (2**20, 4096, 1):
                with suppress(OSError):
                    while True:
                        filler.write(bytes(size))

    def free(self) -> None:
        self._filler.unlink()


class LimitedFiles:
    """A limit on the size of a server's files, which the kernel enforces like a quota."""

    def __init__(self, server: LiveServer) -> None:
        self._server = server

    def fill(self) -> None:
        self._limit(4096)

    def free(self) -> None:
        self._limit(resource.RLIM_INFINITY)

    def _limit(self, size: int) -> None:
        assert self._server.process is not None
        process = self._server.process.pid
        _, most = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (size, most))


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk | None]:
    """Put a folder on a small disk of its own; give None without the right to mount one."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
