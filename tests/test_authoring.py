"""`tablee new` writes a game that works, and `tablee laws` says what is wrong with one that does not."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tablee import authoring
from tablee.cli import main

ROOT = Path(__file__).parents[1]
WITH_GAMES = """
import sys, tablee.games
tablee.games.__path__.append(sys.argv.pop(1))
from tablee.cli import main
main()
"""


def tablee(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, words)
    return result.exit_code, result.output


def run_with_games(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that looks for games in one more folder."""
    return subprocess.run(
        [sys.executable, "-c", WITH_GAMES, str(folder), *words], capture_output=True, text=True, timeout=120
    )


def test_a_new_game_obeys_the_laws_and_can_be_simulated(tmp_path: Path) -> None:
    code, output = tablee("new", "petit_jeu", "--to", str(tmp_path))
    assert code == 0, output
    assert "tablee laws petit_jeu" in output
    assert sorted(path.name for path in (tmp_path / "petit_jeu").iterdir()) == ["__init__.py", "bots.py", "rules.py"]
    assert "class PetitJeu(" in (tmp_path / "petit_jeu" / "rules.py").read_text()
    result = run_with_games(tmp_path, "laws", "petit_jeu")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "petit_jeu obeys the laws" in result.stdout
    assert run_with_games(tmp_path, "simulate", "petit_jeu", "--games", "3").returncode == 0


def test_a_broken_law_is_named_with_its_sentence_match_and_ply(tmp_path: Path) -> None:
    tablee("new", "tricheur", "--to", str(tmp_path))
    rules = tmp_path / "tricheur" / "rules.py"
    text = rules.read_text()
    assert "return action if actor == seat or isinstance(action, Leave) else None" in text
    rules.write_text(
        text.replace("return action if actor == seat or isinstance(action, Leave) else None", "return action")
    )
    result = run_with_games(tmp_path, "laws", "tricheur", "--matches", "1", "--seed", "vu")
    assert result.returncode == 1
    assert "tricheur breaks the law seen_tells_no_more_than_the_view." in result.stderr
    assert "The law: Two actions that lead to different states" in result.stderr
    assert "seed 'vu-0', ply 0" in result.stderr


def test_laws_of_an_unknown_game_is_an_error_in_one_line() -> None:
    code, output = tablee("laws", "sans-nom")
    assert code == 2
    assert "there is no game 'sans-nom'" in output


def test_a_new_distribution_is_discovered_by_its_entry_point_with_its_board(tmp_path: Path) -> None:
    code, output = tablee("new", "pierre", "--package", "--to", str(tmp_path))
    assert code == 0, output
    folder = tmp_path / "tablee-pierre"
    project = tomllib.loads((folder / "pyproject.toml").read_text())
    points = project["project"]["entry-points"]["tablee.games"]
    assert points == {"pierre": "tablee_pierre:PACKAGE"}
    # As pip would install it: the sources on the path, and metadata beside them.
    metadata = folder / "src" / "tablee_pierre-1.0.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: tablee-pierre\nVersion: 1.0.0\n")
    (metadata / "entry_points.txt").write_text("[tablee.games]\npierre = tablee_pierre:PACKAGE\n")
    script = (
        "import json; from tablee.core import discover; p = discover.find('pierre'); print(json.dumps(str(p.board)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    found = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert found.returncode == 0, found.stderr
    assert (Path(json.loads(found.stdout)) / "board.js").is_file()
    command = [sys.executable, "-m", "tablee", "laws", "pierre"]
    checked = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("Belote", "'Belote' is not a key: use 2 to 32 lowercase letters"),
        ("b", "is not a key"),
        ("ma-belote", "is not a key"),
        ("2belote", "is not a key"),
        ("../belote", "is not a key"),
        ("lambda", "'lambda' is a word of Python"),
        ("kora", "there is already a game 'kora'"),
        ("taken", "already exists"),
    ],
)
def test_a_bad_or_taken_name_is_refused_and_writes_nothing(tmp_path: Path, key: str, problem: str) -> None:
    (tmp_path / "taken").mkdir()
    code, output = tablee("new", key, "--to", str(tmp_path))
    assert code == 2
    assert problem in output
    assert [path.name for path in tmp_path.rglob("*")] == ["taken"]


def test_an_installed_tablee_asks_for_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablee.games.__path__", [str(tmp_path / "site-packages" / "tablee" / "games")])
    with pytest.raises(authoring.BadName, match="--package"):
        authoring.games_folder()


def test_the_games_of_a_checkout_are_where_new_games_go() -> None:
    assert authoring.games_folder() == ROOT / "src" / "tablee" / "games"
