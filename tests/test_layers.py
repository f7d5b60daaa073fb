"""Imports go down the layers only, and no layer except the games names a game."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tablee
from tablee.core.discover import games

ROOT = Path(__file__).parents[1]
SOURCE = Path(tablee.__file__).parent
LAYERS = [
    SOURCE / layer
    for layer in ("core", "bots", "review", "envs", "table", "store", "bus", "server", "terminal")
    if (SOURCE / layer).is_dir()
]


def test_imports_go_down_only():
    """Check every contract of import-linter in pyproject.toml."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    result = subprocess.run([*command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"Contracts: [1-9]\d* kept, 0 broken", result.stdout), result.stdout


def named(text):
    """Return the games that a text names, as separate words or as parts of a snake_case name."""
    return [key for key in games() if re.search(rf"(?<![a-z]){key}(?![a-z])", text, re.IGNORECASE)]


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_a_layer_outside_the_games_names_no_game(layer):
    """A docstring's `>>>` example may name one: it shows how the layer is used."""
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()} ({', '.join(named(line))})"
        for path in sorted(layer.rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if not line.lstrip().startswith(">>>") and named(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["kora", '"kora"', "Kora Battle", "is_kora", "kora_view", "tablee.games.kora"])
def test_a_name_is_found_however_it_is_written(text):
    assert named(text) == ["kora"]


def test_a_longer_word_is_not_a_name():
    assert named("decorate korazon") == []
