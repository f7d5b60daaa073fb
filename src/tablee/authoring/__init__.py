"""Write a new game from the template: as a folder of this checkout, or as a distribution of its own.

`template/` is the game of docs/adding-a-game.md; a test keeps the two the same.
"""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path

import tablee.games

from ..core import discover

TEMPLATE = files("tablee.authoring") / "template"
SOURCES = ("__init__.py", "rules.py", "bots.py")
NAME = re.compile(r"[a-z][a-z0-9_]{1,31}")


class BadName(ValueError):
    """A game cannot have that key, or cannot be written there; the text says why."""


def write(key: str, *, package: bool, to: Path | None) -> list[Path]:
    """Write a new game and return its files; raise `BadName` if that is not possible."""
    check_key(key)
    if package:
        return write_distribution(key, to or Path())
    return write_folder(key, to or games_folder())


def next_steps(key: str, *, package: bool, to: Path | None) -> str:
    """Say what to do with a new game."""
    install = [f"  pip install -e {(to or Path()) / f'tablee-{key}'}"] if package else []
    commands = {
        f"tablee laws {key}": "check it; run this after every change of the rules",
        f"tablee simulate {key}": "play random games",
        "tablee serve": "play it in the browser",
    }
    width = max(map(len, commands))
    lines = [f"  {command:<{width}}   # {purpose}" for command, purpose in commands.items()]
    return "\n".join(("", "Next:", *install, *lines, "docs/adding-a-game.md explains every part."))


def rendered(name: str, key: str) -> str:
    """Return a file of the template with the names of a new game."""
    text = (TEMPLATE / name).read_text("utf-8")
    return text.replace("chifoumi", key).replace("Chifoumi", class_name(key))


def class_name(key: str) -> str:
    return "".join(part.capitalize() for part in key.split("_"))


def check_key(key: str) -> None:
    """Raise `BadName` if a game cannot have this key or if there is one already."""
    if not NAME.fullmatch(key):
        raise BadName(f"{key!r} is not a key: use 2 to 32 lowercase letters, digits and _, a letter first")
    if keyword.iskeyword(key):
        raise BadName(f"{key!r} is a word of Python; choose another key")
    if key in discover.games() or key in discover.broken():
        raise BadName(f"there is already a game {key!r}")


def games_folder() -> Path:
    """Return the folder of games of this checkout; raise `BadName` if Tablée is installed as a package."""
    folder = Path(tablee.games.__path__[0])
    if not (folder.parents[2] / "pyproject.toml").is_file():
        raise BadName("this Tablée is installed, not a checkout; use --package to write a distribution")
    return folder


def write_folder(key: str, folder: Path) -> list[Path]:
    """Write a game as one folder in a folder of games."""
    return write_files(folder / key, {name: rendered(name, key) for name in SOURCES})


def write_distribution(key: str, folder: Path) -> list[Path]:
    """Write a game as an installable distribution with an entry point and a web board."""
    package = f"src/tablee_{key}"
    wanted = {f"{package}/{name}": rendered(name, key) for name in SOURCES[1:]}
    wanted["pyproject.toml"] = rendered("pyproject.toml.txt", key)
    wanted[f"{package}/__init__.py"] = rendered("package.py.txt", key)
    wanted[f"{package}/board/board.js"] = rendered("board.js.txt", key)
    return write_files(folder / f"tablee-{key}", wanted)


def write_files(folder: Path, wanted: dict[str, str]) -> list[Path]:
    if folder.exists():
        raise BadName(f"{folder} already exists")
    for name, text in wanted.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return [folder / name for name in sorted(wanted)]
