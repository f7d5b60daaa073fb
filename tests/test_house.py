"""The rules of the house: imports go down, and the rooms below the games never name one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tablee
from tablee.core.discover import games

ROOT = Path(__file__).parents[1]
SOURCE = Path(tablee.__file__).parent
ROOMS = [SOURCE / room for room in ("core", "bots", "table", "store", "bus", "server") if (SOURCE / room).is_dir()]


def test_imports_go_down_the_house_only():
    """Every contract of import-linter in pyproject.toml is kept."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    told = subprocess.run([*command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    assert re.search(r"Contracts: [1-9]\d* kept, 0 broken", told.stdout), told.stdout


def named(text):
    """The games that a text names, as words of their own or as parts of a snake_case name."""
    return [key for key in games() if re.search(rf"(?<![a-z]){key}(?![a-z])", text, re.IGNORECASE)]


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_below_the_games_names_no_game(room):
    """A docstring's `>>>` example may: it shows how the room is used."""
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()} ({', '.join(named(line))})"
        for path in sorted(room.rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if not line.lstrip().startswith(">>>") and named(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["kora", '"kora"', "Kora Battle", "is_kora", "kora_view", "tablee.games.kora"])
def test_a_name_is_found_however_it_is_written(text):
    assert named(text) == ["kora"]


def test_another_word_is_no_name():
    assert named("decorate korazon") == []
