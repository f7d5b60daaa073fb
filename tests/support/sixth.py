"""The game of docs/adding-a-game.md as a folder, and a server that has it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from live import LiveServer

from tablee.authoring import SOURCES

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
BLOCK = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

# Worker processes start from this file too, so they find the game as well.
LAUNCHER = """
import sys
import tablee.games
tablee.games.__path__.append({games!r})
if __name__ == "__main__":
    from tablee.cli import main
    main()
"""


def example() -> dict[str, str]:
    """The files in docs/adding-a-game.md, by name."""
    return dict(BLOCK.findall(PAGE.read_text("utf-8")))


def write_game(folder: Path, key: str = "chifoumi") -> None:
    """Write the game into a folder, under another key if an author has followed the page."""
    folder.mkdir(parents=True)
    for name in SOURCES:
        (folder / name).write_text(example()[name].replace('key="chifoumi"', f'key="{key}"'), "utf-8")


def server_with_sixth_game(folder: Path, *options: str) -> LiveServer:
    write_game(folder / "games" / "chifoumi")
    launcher = folder / "launcher.py"
    launcher.write_text(LAUNCHER.format(games=str(folder / "games")))
    server = LiveServer(folder / "data", *options)
    server.command = [sys.executable, str(launcher)]
    return server.start()
