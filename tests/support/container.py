"""Runs programs in an image as a container would: its files are the only ones, and its user is not root."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from dockerfile import Image

ENTER = """
import os, sys
root, folder, user, *command = sys.argv[1:]
if os.getuid():  # as an ordinary user: be root in a namespace of our own
    import ctypes
    uid, gid = os.getuid(), os.getgid()
    if ctypes.CDLL(None, use_errno=True).unshare(0x10000000):
        sys.exit(f"no user namespace: {os.strerror(ctypes.get_errno())}")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {uid} 1"), ("gid_map", f"{user} {gid} 1")):
        open(f"/proc/self/{name}", "w").write(text)
    os.chroot(root)
else:
    os.chroot(root)
    os.setgroups([])
    os.setgid(int(user))
    os.setuid(int(user))
os.chdir(folder)
os.execve(command[0], command, dict(os.environ))
"""
"""Change the root folder and the user, then run a command."""


def prepare(image: Image) -> None:
    """Add what Docker adds to a container: devices, shared memory, and the owners of COPY --chown."""
    memory = image.root / "dev/shm"
    memory.mkdir(parents=True)
    memory.chmod(0o1777)
    null = image.root / "dev/null"  # an ordinary file, because not every machine lets us make a device
    null.touch()
    null.chmod(0o666)
    if os.getuid() == 0:
        for folder, owner in image.owners.items():
            os.chown(image.root / folder.lstrip("/"), owner, owner)


def start(image: Image, command: list[str], log: Path | None = None, **more: str) -> subprocess.Popen[bytes]:
    """Start a command in the image with more variables; its output goes to `log`, or to a pipe."""
    enter = [sys.executable, "-c", ENTER, str(image.root), image.workdir, str(image.user), *command]
    variables = image.environment | more
    if log is None:
        return subprocess.Popen(enter, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with log.open("wb") as output:
        return subprocess.Popen(enter, env=variables, stdout=output, stderr=subprocess.STDOUT)


def why_not(image: Image) -> str | None:
    """Return why this machine cannot run programs in an image, or None if it can."""
    with start(image, ["/usr/local/bin/python3", "-c", ""]) as process:
        text, _ = process.communicate()
    return text.decode() if process.returncode and b"no user namespace" in text else None


def run(image: Image, *command: str) -> str:
    """Run a command in the image and return what it prints."""
    process = start(image, list(command))
    text, _ = process.communicate(timeout=240)
    assert process.returncode == 0, f"{command}: {text.decode()}"
    return text.decode()
