"""A whole match in a real terminal: tmux holds it, and only keys go in."""

import re
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

TMUX = shutil.which("tmux")
ROOT = Path(__file__).parents[2]
SOCKET = "tablee-test"

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed: `apt-get install tmux`"),
]


def tmux(*words):
    command = [TMUX, "-u", "-L", SOCKET, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=20).stdout


def screen():
    return tmux("capture-pane", "-p")


def until(condition, seconds=90):
    """Wait until the screen meets a condition, and return it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = screen()
        if condition(text):
            return text
        time.sleep(0.1)
    raise AssertionError(screen())


def moves(text):
    """Return the numbers of the list of moves."""
    return re.findall(r"│ +(\d+) ", text)


def has_more(before, text):
    return len(moves(text)) > before or "nouvelle partie" in text


@pytest.fixture
def terminal():
    command = [sys.executable, "-m", "tablee", "play", "kora", "--bot", "facile", "--lang", "fr"]
    options = ["--options", "'{\"deals\": 1}'"]
    tmux("new-session", "-d", "-x", "80", "-y", "24", "-c", str(ROOT), " ".join([*command, *options]))
    yield
    tmux("kill-server")


def test_a_match_is_played_through_tmux(terminal):
    """Play the first card that can be played until the result shows, look at the replay, and quit."""
    for _ in range(5):
        text = until(lambda text: "Vous avez la main" in text or "Répondez à" in text or "nouvelle partie" in text)
        if "nouvelle partie" in text:
            break
        numbers = re.findall(r"^((?: +\d)+) +│", text, re.MULTILINE)
        assert numbers, text
        tmux("send-keys", numbers[-1].split()[0], "Enter")
        until(partial(has_more, len(moves(text))))
    text = until(lambda text: "nouvelle partie" in text)
    assert "Vous gagnez" in text or "Vous perdez" in text
    tmux("send-keys", "r")
    until(lambda text: "Coup" in text and "sur" in text)
    tmux("send-keys", "Escape", "C-q")
    end = time.monotonic() + 20
    while tmux("list-sessions") and time.monotonic() < end:
        time.sleep(0.1)
    assert tmux("list-sessions") == ""
