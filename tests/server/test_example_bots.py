"""The bots of docs/bots.md play a match each against a live server, as their readers would run them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from live import Line, LiveServer, Person, until, wait_until
from robots import Robot, challenge

ROOT = Path(__file__).parents[2]
KORA, DAMES = re.findall(
    r"^```python\n(.*?)^```$", (ROOT / "docs" / "bots.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
)


@contextmanager
def running(program: str, server: LiveServer, robot: Robot, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a bot in a process of its own."""
    (folder / "bot.py").write_text(program, "utf-8")
    command = [sys.executable, str(folder / "bot.py"), server.url, robot.token]
    with (folder / "bot.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
        print((folder / "bot.log").read_text())


def play_first_actions(line: Line) -> None:
    """Play the first legal action of our seat until the match is over."""
    answered = None
    while line.latest["outcome"] is None:
        offer = line.latest["offer"]
        if offer is not None and offer["number"] != answered:
            answered = offer["number"]
            line.ask("act", offer=offer["number"], action=offer["legal"][0])
        else:
            line.expect("moved", "state")


def test_the_examples_are_short() -> None:
    assert len(KORA.splitlines()) <= 40
    assert len(DAMES.splitlines()) <= 40


def test_the_first_bot_accepts_a_challenge_and_plays_a_match(server: LiveServer, tmp_path: Path) -> None:
    host, robot = Person(server, "Ada"), Robot(server, Person(server), "Koraline")
    with running(KORA, server, robot, tmp_path):
        wait_until(lambda: robot.id in str(host.http.get("/api/bots", params={"game": "kora"}).json()))
        code = host.create("kora", options={"deals": 3})
        line = host.open(code)
        challenge(host, code, robot)
        until(line, lambda frame: frame["seats"][1]["person"] == robot.id)
        line.send("start")
        line.expect("state")
        play_first_actions(line)
        assert line.latest["outcome"]["reason"]


def test_the_second_bot_opens_a_table_and_plays_a_match(server: LiveServer, tmp_path: Path) -> None:
    guest, robot = Person(server, "Zoé"), Robot(server, Person(server), "Damien")
    with running(DAMES, server, robot, tmp_path) as process:
        assert process.stdout is not None
        code = process.stdout.readline().strip().rpartition("/")[2]
        line = guest.open(code)
        line.send("sit")
        line.expect("state")
        play_first_actions(line)
        assert "Outcome" in process.stdout.readline()
        assert process.wait(60) == 0
