"""Servers as copies of one process that has imported everything: the imports take longer than all else in a start."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import Any

AT_ONCE = 1 << 16
"""Bytes that are read at once; a request is a line, and most of it is the environment."""
ASKING = Lock()
"""One request at a time: the next one begins after the answer."""


@cache
def mould() -> socket.socket:
    """Start the one process that all servers of this test process are copies of; it ends with this process."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen([sys.executable, __file__], stdin=theirs.fileno())

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


class ForkedProcess:
    """`tablee` with some arguments; it has the methods of `Popen` that tests use."""

    def __init__(self, arguments: Sequence[str], environment: dict[str, str], log: Path) -> None:
        request = {"arguments": arguments, "environment": environment, "log": str(log), "folder": os.getcwd()}
        self._line, theirs = socket.socketpair()
        self._reader = self._line.makefile()
        self._lock = Lock()
        text = json.dumps(request).encode() + b"\n"
        with ASKING:
            with theirs:
                sent = socket.send_fds(mould(), [text], [theirs.fileno()])
            mould().sendall(text[sent:])
            self.pid = int(self._reader.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("tablee", timeout or 0)
        return code

    def send_signal(self, how: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, how)

    def _look(self, timeout: float | None) -> int | None:
        with self._lock:
            if self.returncode is None and select.select([self._line], [], [], timeout)[0]:
                self.returncode = int(self._reader.readline())
                self._reader.close()
                self._line.close()
            return self.returncode


def await_copy() -> dict[str, Any]:
    """Make a copy of this process for each request; return the request in the copy."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a keeper
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = socket.socket(fileno=0)
    while True:
        text, lines = b"", list[int]()
        while not text.endswith(b"\n"):
            part, more, _, _ = socket.recv_fds(requests, AT_ONCE, 1)
            if not part:
                sys.exit()
            text += part
            lines += more
        if os.fork() == 0 and keep(lines[0]):
            return dict(json.loads(text))
        os.close(lines[0])


def keep(line: int) -> bool:
    """Start a copy, and tell its number and how it ended; return True in the copy."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    process = os.fork()
    if process == 0:
        os.close(line)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return True
    os.write(line, b"%d\n" % process)
    with open(os.devnull, "w") as nowhere:  # whoever reads the output of the tests must not wait for a keeper
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    Thread(target=end_with, args=(line, process), daemon=True).start()
    _, status = os.waitpid(process, 0)
    os.write(line, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def end_with(line: int, process: int) -> None:
    """End a copy once the tests that asked for it are gone."""
    if not os.read(line, 1):
        os.kill(process, signal.SIGKILL)


def become(environment: dict[str, str], log: str, folder: str) -> None:
    for target, path, flags in ((0, os.devnull, os.O_RDONLY), (1, log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)):
        opened = os.open(path, flags, 0o644)
        os.dup2(opened, target)
        os.close(opened)
    os.dup2(1, 2)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)


if __name__ == "__main__":
    import launcher

    from tablee.core.discover import games

    games()
    arguments = (request := await_copy()).pop("arguments")
    become(**request)
    launcher.launch(arguments)
