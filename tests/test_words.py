"""Every refusal code of the server has a French message in the client."""

import json
import re
from pathlib import Path

import pytest

from tablee.core.discover import games

ROOT = Path(__file__).parents[1]
CODE = re.compile(r'Refus(?:al|ed)\(\s*"(\w+)"')


def codes(folder: str) -> set[str]:
    return {code for path in (ROOT / "src/tablee" / folder).rglob("*.py") for code in CODE.findall(path.read_text())}


def words(path: str) -> set[str]:
    keys = json.loads((ROOT / "web/src" / path).read_text())
    return {key.removeprefix("refusals.").removesuffix(".other") for key in keys if key.startswith("refusals.")}


@pytest.mark.parametrize("folder", ["core", "table", "server"])
def test_every_refusal_outside_games_has_words(folder: str) -> None:
    found = codes(folder) - {"not_the_fallback"}  # about a record, never sent to a player
    assert len(found) > 3
    pages = (ROOT / "web/src/i18n").glob("*fr.json")  # a page may have its own words
    assert found <= set[str]().union(*(words(f"i18n/{page.name}") for page in pages))


@pytest.mark.parametrize("key", [key for key in games() if (ROOT / f"web/src/games/{key}/fr.json").exists()])
def test_every_refusal_of_a_game_with_a_board_has_words(key: str) -> None:
    pages = (ROOT / f"web/src/games/{key}").glob("*.fr.json")  # a page of the game's own may have its own words
    own = set[str]().union(*(words(f"games/{key}/{page.name}") for page in pages))
    assert codes(f"games/{key}") <= words(f"games/{key}/fr.json") | own | words("i18n/fr.json")
