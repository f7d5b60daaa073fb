"""`tablee` without a command starts the site in a terminal and opens the browser."""

from __future__ import annotations

import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from live import PATIENCE, wait_until

from tablee.cli import start_here

COMMAND = [sys.executable, "-m", "tablee"]


@contextmanager
def in_a_terminal(
    command: list[str], environment: dict[str, str]
) -> Iterator[tuple[subprocess.Popen[bytes], list[str]]]:
    """Run a command in a pseudo-terminal; yield its process and the list of what it prints."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    printed: list[str] = []

    def copy() -> None:
        with suppress(OSError):  # the terminal ends with the process
            while data := os.read(ours, 4096):
                printed.append(data.decode("utf-8", "replace"))

    reader = threading.Thread(target=copy)
    reader.start()
    try:
        yield process, printed
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        reader.join()
        os.close(ours)


def test_a_terminal_starts_the_site_on_a_free_port_and_opens_the_browser(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": f"{browser} %s", "XDG_DATA_HOME": str(tmp_path), "COLUMNS": "200"}
    environment.pop("TABLEE_DATA", None)
    with closing(socket.socket()) as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):  # if somebody else has it, it is taken as well
            taken.bind(("127.0.0.1", start_here.PORT))
            taken.listen()
        with in_a_terminal(COMMAND, environment) as (process, printed):
            wait_until(lambda: (tmp_path / "opened").exists() and bool((tmp_path / "opened").read_text()))
            address = (tmp_path / "opened").read_text().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+", address)
            assert not address.endswith(f":{start_here.PORT}")
            assert httpx.get(f"{address}/healthz", timeout=PATIENCE).status_code == 200
            wait_until(lambda: "Ctrl-C" in "".join(printed))
            assert address in "".join(printed)
            assert (tmp_path / "tablee" / "tablee.db").exists()
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0


def test_without_a_terminal_the_help_is_printed() -> None:
    said = subprocess.run(COMMAND, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert said.returncode == 2
    assert "Usage:" in said.stdout
    assert "serve" in said.stdout


def test_the_data_lie_where_the_system_wants_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TABLEE_DATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert start_here.user_folder() == tmp_path / ".local/share/tablee"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert start_here.user_folder() == Path("/data/tablee")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert start_here.user_folder() == tmp_path / "Library/Application Support/Tablee"
    monkeypatch.setenv("TABLEE_DATA", "/mine")
    assert start_here.user_folder() == Path("/mine")
