"""Every block of code in README.md and docs/*.md works."""

import importlib
import re
import shlex
import sys
from pathlib import Path

import pytest
import typer
from doc_blocks import blocks
from sixth import example, write_game

import tablee.games
from tablee.authoring import TEMPLATE
from tablee.cli import main
from tablee.core import discover
from tablee.core.match import Match

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^(?:    )?tablee (.*?)(?:\s+#.*)?$", re.MULTILINE)

SMALLER = {
    "arena kora --bots difficile,moyen --games 200 --seed s": "arena kora --bots facile,moyen --games 2 --seed s",
    "arena kora --bots difficile,facile --games 2000 --seed poids": "arena kora --bots moyen,facile --games 2 --seed s",
    "simulate kora --games 10000": "simulate kora --games 10",
    "dames perft 9": "dames perft 2",
    "lexicon check ZOE": "lexicon check ZOE",
    "lexicon check ZOE YEBLE": "lexicon check ZOE YEBLE",
    "lexicon list --data data": "lexicon list --data {folder}",
    "verify partie.json": "verify {folder}/partie.json",
    "new belote": "new essai_des_pages --to {folder}",
    "new belote --package": "new essai_des_pages --package --to {folder}",
    "laws belote": "laws chifoumi --matches 1",
    "laws kora --matches 1": "laws kora --matches 1 --looks 5",
    "types": "types --web {folder}/web",
}
"""Commands that are run, each with arguments that make it short and keep it inside a temporary folder."""

PARSED = {
    "arena president --bots difficile,facile --seats 4 --games 80 --seconds 0.03 --seed poids2": "it takes minutes",
    "arena kora --bots trained:agent,difficile --games 1000": "tests/test_arena.py runs it with a module",
    "arena kora --bots trained:agent,facile --games 4000 --seed s": "tests/test_arena.py runs it with a module",
    "dames bitbases 5 --data data": "it takes minutes",
    "play dames --bot difficile": "tests/terminal runs it",
    "play --join K7QX2M@tablee.example.org": "tests/terminal runs it",
    "play --join K7QX2M@tablee.example.org --name Camille": "tests/terminal runs it",
    "decision RECORD --ply 12 --level maitre --seconds 1": "tests/test_cli.py runs it",
    "dames hub": "it waits for a program on its standard input",
    "dames pdn games.pdn": "the file is the reader's",
    "puzzles make dames --count combination=1900,ending=120 --seed 'Tablée 2026'": "it takes half an hour",
    "puzzles make scrabble --count best=900,winning=120 --seed 'Tablée 2026'": "it takes a quarter of an hour",
    "puzzles make dames --count 50 --from partie.pdn --out problemes.jsonl": "the file is the reader's",
    "puzzles prove dames": "tests/games/test_puzzles.py proves some of them",
    "lesson check premiere.json": "tests/core/test_lessons.py runs it",
    "lexicon add liste.txt --name club --data data": "the file is the reader's",
    "lexicon leaves --help": "its page of help is all there is to see",
    "lexicon winning --help": "its page of help is all there is to see",
    "verify RECORD [--commit HASH] [--json]": "it is a synopsis",
    "backup --data data evening.tar.gz": "tests/operations runs it",
    "restore evening.tar.gz --data data": "tests/operations runs it",
    "copy --from sqlite:///data/tablee.db --to postgresql://tablee@localhost/tablee": "tests/operations runs it",
    "check --data data": "tests/operations runs it",
    "doctor --data data --port 8000": "tests/operations runs it",
}
"""Commands that are only parsed, and why."""


def commands() -> list[str]:
    return sorted({line for page in PAGES for line in COMMAND.findall(page.read_text("utf-8"))})


@pytest.fixture
def chifoumi(tmp_path, monkeypatch):
    """The game of docs/adding-a-game.md among the games; everything is put back afterwards."""
    known = set(sys.modules)
    write_game(tmp_path / "games" / "chifoumi")
    monkeypatch.setattr(tablee.games, "__path__", [*tablee.games.__path__, str(tmp_path / "games")])
    importlib.invalidate_caches()
    discover.found.cache_clear()
    yield tmp_path
    discover.found.cache_clear()
    for name in set(sys.modules) - known:
        if name.startswith("tablee.games.chifoumi"):
            del sys.modules[name]
    vars(tablee.games).pop("chifoumi", None)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page, chifoumi):
    """The blocks of a page run in their order, in one namespace."""
    namespace = {"__name__": page.stem}
    for block in blocks(page):
        if block.language == "python" and not block.file and not block.reason:
            exec(compile(block.text, page.name, "exec"), namespace)


def test_most_pages_have_something_to_run():
    assert sum(bool(PYTHON.search(page.read_text("utf-8"))) for page in PAGES) >= 3
    assert len(commands()) > 10


@pytest.mark.parametrize("number", range(60))
def test_the_example_of_the_readme_runs_with_any_seed(number, capsys):
    block = PYTHON.findall((ROOT / "README.md").read_text("utf-8"))[0]
    assert '"any text"' in block
    exec(block.replace("any text", f"seed {number}"), {})
    assert "Outcome" in capsys.readouterr().out


def test_the_tutorial_is_the_template_of_tablee_new():
    files = example()
    assert {*files} == {"__init__.py", "rules.py", "bots.py", "pyproject.toml", "package.py", "board.js"}
    for name, text in files.items():
        source = TEMPLATE / name if (TEMPLATE / name).is_file() else TEMPLATE / f"{name}.txt"
        assert text == source.read_text("utf-8"), name


def test_the_first_game_fits_in_about_a_hundred_lines():
    assert len(example()["rules.py"].splitlines()) <= 110


def test_every_command_of_the_pages_is_run_or_parsed():
    assert [line for line in commands() if line not in SMALLER and line not in PARSED] == []
    assert [line for line in (*SMALLER, *PARSED) if line not in commands() and line not in OTHERS] == []


OTHERS = {"new belote --package"}
"""Commands that stand inside a sentence."""


@pytest.mark.parametrize("line", commands())
def test_a_command_is_one_of_ours_with_arguments_that_it_takes(line):
    words = shlex.split(re.sub(r"\[|\]", "", line))
    if words[-1] == "--help":
        words.pop()
    command = typer.main.get_command(main)
    context = command.make_context("tablee", list(words))
    while hasattr(command, "resolve_command"):
        rest = [*context._protected_args, *context.args] if hasattr(context, "_protected_args") else context.args
        _, command, rest = command.resolve_command(context, rest)
        context = command.make_context(command.name, rest, parent=context)
    assert command.callback is not None


@pytest.mark.parametrize("line", SMALLER)
def test_a_short_form_of_a_command_runs(line, chifoumi):
    match = Match.start("kora", seed="une graine")
    (chifoumi / "partie.json").write_bytes(match.record().to_json())
    words = shlex.split(SMALLER[line].format(folder=chifoumi))
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code in (0, None)


def test_the_changelog_has_a_section_for_this_version_and_one_for_the_next():
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[:2] == ["Unreleased", tablee.__version__]
