"""A game is found by its folder or its entry point; a new one changes no other file."""

import importlib
import re
import sys
from pathlib import Path

import hundred
import pytest
from sixth import PAGE, write_game

import tablee.games
from tablee.core import discover, laws
from tablee.core.chance import SeedChance
from tablee.core.game import Outcome, Refused, Think
from tablee.core.laws import LAWS, check_laws
from tablee.core.laws.bots import BOT_LAWS
from tablee.core.match import Match
from tablee.core.package import Package


@pytest.fixture
def folder_of_games(tmp_path, monkeypatch):
    """An empty folder where games are looked for as well; everything is put back afterwards."""
    known = set(sys.modules)
    monkeypatch.setattr(tablee.games, "__path__", [*tablee.games.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    discover.found.cache_clear()
    yield tmp_path
    discover.found.cache_clear()
    for name in set(sys.modules) - known:
        if name.startswith("tablee.games."):
            del sys.modules[name]
            vars(tablee.games).pop(name.split(".")[2], None)


@pytest.fixture
def chifoumi(folder_of_games):
    write_game(folder_of_games / "essai", "essai")
    return "essai"


def shipped() -> list[str]:
    return sorted(path.parent.name for path in Path(tablee.games.__path__[0]).glob("*/__init__.py"))


def test_every_folder_of_games_is_a_game_in_alphabetical_order():
    assert [key for key in discover.games() if key in shipped()] == shipped()
    assert list(discover.games()) == sorted(discover.games())
    assert "kora" in shipped()


def test_a_game_has_its_folder_s_key_and_bots_by_level():
    for key, package in discover.games().items():
        assert discover.find(key) is package
        assert package.rules.info.key == key
        assert all(isinstance(level, str) for level in package.bots)


def test_an_unknown_key_raises_unknown_game():
    with pytest.raises(discover.UnknownGame, match="sans-nom"):
        discover.find("sans-nom")


def test_a_new_folder_is_a_new_game(chifoumi):
    assert list(discover.games()) == sorted({*shipped(), *discover.games(), chifoumi})
    assert discover.find(chifoumi).rules.info.seats == (2, 2)


def test_the_new_game_is_gone_once_its_folder_is():
    """The fixture above leaves nothing behind."""
    assert "essai" not in discover.games()
    assert "tablee.games.essai" not in sys.modules


def test_the_new_game_obeys_the_laws(chifoumi):
    check_laws(discover.find(chifoumi).rules, bots=discover.find(chifoumi).bots)


def test_a_match_of_the_new_game_is_played_and_replayed(chifoumi):
    match = Match.start(chifoumi, options={"rounds": 1}, seed="une graine")
    match.play(1, {"type": "show", "sign": "paper"})
    assert (match.turn.must, match.view(0).chosen, match.view(0).mine) == ({0}, (False, True), None)
    with pytest.raises(Refused, match="not_your_turn"):
        match.play(1, {"type": "show", "sign": "rock"})
    match.play(0, {"type": "show", "sign": "rock"})
    assert match.outcome == Outcome((0, 1), (2, 1), "rounds")
    assert '"shown": [["rock", "paper"]]' in match.game.notation.write_state(match.state)
    assert Match.replay(match.record()).state == match.state


def test_the_bot_of_the_new_game_beats_what_was_shown_last(chifoumi):
    match = Match.start(chifoumi, seed="une graine")
    for seat, sign in enumerate(("rock", "scissors")):
        match.play(seat, {"type": "show", "sign": sign})
    think = Think(0, SeedChance("une autre", 0))
    chosen = discover.find(chifoumi).bots["facile"].choose(match.view(0), match.legal(0), think)
    assert chosen.sign == "rock"


def test_a_folder_whose_game_has_another_name_is_skipped_and_named(folder_of_games):
    write_game(folder_of_games / "ciseaux")
    assert discover.broken() == {"ciseaux": "ValueError: the game in 'ciseaux' calls itself 'chifoumi'"}
    assert set(shipped()) <= set(discover.games())
    assert "ciseaux" not in discover.games()


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("raise RuntimeError('no luck')", "RuntimeError: no luck"),
        ("def broken(:", "SyntaxError: "),
        ("", "TypeError: tablee.games.cassee exports no PACKAGE"),
        ("PACKAGE = 3", "TypeError: the game 'cassee' exports 3; it must be a tablee.core.package.Package"),
        ("PACKAGE = Package(rules=3)", "TypeError: `rules` is 3; it must be a Game"),
        ("PACKAGE = Package(rules=Kora(), strenghts={})", "TypeError: Unexpected keyword argument 'strenghts'"),
        ("PACKAGE = Package(rules=Kora(), strengths={'a': 1})", "ValueError: `strengths` has a; the game has none"),
        ("PACKAGE = Package(rules=Kora(), warm=print)", "TypeError: `warm` is <built-in function print>; write"),
        ("PACKAGE = Package(rules=Kora(), choices={'lexicn': list})", "ValueError: `choices` has lexicn; the game has"),
        (
            "from pathlib import Path\nPACKAGE = Package(rules=Kora(), board=Path('b'))",
            "ValueError: `board` is b; there is",
        ),
        ("PACKAGE = Package(rules=Kora()).bot", "AttributeError: 'Package' object has no attribute 'bot'"),
    ],
)
def test_a_broken_game_is_skipped_and_named_and_the_others_work(folder_of_games, source, error):
    (folder_of_games / "cassee").mkdir()
    head = "from tablee.core.package import Package\nfrom tablee.games.kora.rules import Kora\n" if source else ""
    (folder_of_games / "cassee" / "__init__.py").write_text(f"{head}{source}\n")
    assert list(discover.broken()) == ["cassee"]
    assert discover.broken()["cassee"].startswith(error)
    assert "cassee" not in discover.games()
    assert set(shipped()) <= set(discover.games())


def test_a_game_whose_preparation_fails_is_skipped_and_named(chifoumi, folder_of_games):
    file = folder_of_games / "essai" / "__init__.py"
    file.write_text(file.read_text("utf-8").replace("bots=BOTS", "bots=BOTS, prepare=lambda: open('/absent')"))
    assert chifoumi in discover.games()
    discover.prepare()
    assert list(discover.broken()) == [chifoumi]
    assert chifoumi not in discover.games()


class Point:
    """An entry point that leads to a given package."""

    def __init__(self, name, package):
        self.name = name
        self.load = lambda: package


def test_an_entry_point_brings_a_game(folder_of_games, monkeypatch):
    monkeypatch.setattr(discover, "entry_points", lambda group: [Point("haute", hundred.PACKAGE)])
    assert discover.find("haute") is hundred.PACKAGE
    assert list(discover.games()) == sorted([*shipped(), "haute"])


def test_a_key_fits_into_a_url(folder_of_games, monkeypatch):
    monkeypatch.setattr(discover, "entry_points", lambda group: [Point("Haute/..", hundred.PACKAGE)])
    assert discover.broken() == {
        "Haute/..": "ValueError: the key 'Haute/..' is not made of lower-case letters, digits and _"
    }


def test_a_shipped_game_wins_over_an_entry_point_of_its_name(folder_of_games, monkeypatch):
    other = Package(rules=discover.find("kora").rules)
    discover.found.cache_clear()
    monkeypatch.setattr(discover, "entry_points", lambda group: [Point("kora", other)])
    assert discover.find("kora") is not other
    assert discover.broken() == {"kora (entry point)": "a game 'kora' is already there"}


def test_a_plain_module_among_the_games_is_no_game(folder_of_games):
    (folder_of_games / "helpers.py").write_text("raise AssertionError('imported')\n")
    assert "helpers" not in discover.games()


def test_the_page_on_adding_a_game_explains_every_law():
    page = PAGE.read_text("utf-8")
    named = {check.__name__ for check in (*LAWS, *BOT_LAWS)} | {law for law in law_names() if law != "check_secrets"}
    assert len(named) > 20
    assert not [name for name in sorted(named) if f"| `{name}` |" not in page]


def law_names():
    """The laws that are raised by name, outside the lists."""
    folder = Path(laws.__file__).parent
    return {name for path in folder.glob("*.py") for name in re.findall(r'LawBroken\(\s*"(\w+)"', path.read_text())}
