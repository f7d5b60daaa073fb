"""Runs commands as a user who may write nothing except their own files, also if the tests run as root."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import tablee

NOBODY = 65534
CAPABILITIES = ("--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search")
"""May read everything: the checkout may lie in a home folder."""
DROP = "import os, sys; os.setgroups([]); os.setgid(65534); os.setuid(65534); os.execv(sys.argv[1], sys.argv[1:])"


def prefix() -> list[str]:
    """Return what to put before a command so that it runs without privileges; nothing for an ordinary user."""
    if os.geteuid() != 0:
        return []
    who = (f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    for capabilities in (CAPABILITIES, ()):
        command = ["setpriv", *who, *capabilities]
        if shutil.which("setpriv") and not subprocess.run([*command, "true"], capture_output=True).returncode:
            return command
    return [sys.executable, "-c", DROP]


def give(folder: Path) -> Path:
    """Let the unprivileged user own a folder."""
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    return folder


def read_only_copy(folder: Path, *games: str) -> Path:
    """Copy the package with some of its games to where nobody may write; return the folder for PYTHONPATH."""
    source = Path(tablee.__file__).parent
    target = folder / "tablee"
    ours = {path.name for path in (source / "games").iterdir() if path.is_dir()} - set(games)

    def ignore(path: str, names: list[str]) -> set[str]:
        left_out = {"__pycache__", "static"} | (ours if Path(path) == source / "games" else set())
        return left_out & set(names)

    shutil.copytree(source, target, ignore=ignore)
    for path in (*target.rglob("*"), target, folder):
        path.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH | (0o111 if path.is_dir() else 0))
    return folder


def allow_removal(folder: Path) -> None:
    """Make a read-only copy removable again."""
    for path in (folder, *folder.rglob("*")):
        if path.is_dir():
            path.chmod(0o755)
