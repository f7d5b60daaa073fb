"""A game is found by its folder: a sixth one edits no existing file."""

import importlib
import sys
from pathlib import Path

import pytest
from sixth import PAGE, write_game

import tablee.games
from tablee.core import discover
from tablee.core.chance import SeedChance
from tablee.core.game import Outcome, Refused, Think
from tablee.core.laws import LAWS, check_laws
from tablee.core.match import Match


@pytest.fixture
def house(tmp_path, monkeypatch):
    """An empty folder where games are looked for as well; everything is put back afterwards."""
    known = set(sys.modules)
    monkeypatch.setattr(tablee.games, "__path__", [*tablee.games.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    discover.games.cache_clear()
    yield tmp_path
    discover.games.cache_clear()
    for name in set(sys.modules) - known:
        if name.startswith("tablee.games."):
            del sys.modules[name]
            vars(tablee.games).pop(name.split(".")[2], None)


@pytest.fixture
def chifoumi(house):
    write_game(house / "chifoumi")
    return "chifoumi"


def test_every_folder_of_games_is_a_game_in_alphabetical_order():
    folders = sorted(path.parent.name for path in Path(tablee.games.__file__).parent.glob("*/__init__.py"))
    assert list(discover.games()) == folders
    assert "kora" in folders


def test_a_game_has_its_folder_s_key_and_computer_players_by_level():
    for key, module in discover.games().items():
        assert discover.find(key) is module
        assert module.GAME.info.key == key
        assert all(isinstance(level, str) for level in module.BOTS)


def test_an_unknown_key_raises_unknown_game():
    with pytest.raises(discover.UnknownGame, match="belote"):
        discover.find("belote")


def test_a_new_folder_is_a_new_game(chifoumi):
    known = [path.parent.name for path in Path(tablee.games.__path__[0]).glob("*/__init__.py")]
    assert list(discover.games()) == sorted([*known, chifoumi])
    assert discover.find(chifoumi).GAME.info.seats == (2, 2)


def test_the_new_game_is_gone_once_its_folder_is():
    """The fixture above leaves nothing behind."""
    assert "chifoumi" not in discover.games()
    assert "tablee.games.chifoumi" not in sys.modules


def test_the_new_game_obeys_the_laws(chifoumi):
    check_laws(discover.find(chifoumi).GAME)


def test_a_match_of_the_new_game_is_played_and_replayed(chifoumi):
    match = Match.start(chifoumi, options={"rounds": 1}, seed="une graine")
    match.play(1, {"type": "show", "sign": "paper"})
    assert (match.turn.must, match.view(0).chosen, match.view(0).mine) == ({0}, (False, True), None)
    with pytest.raises(Refused, match="not_your_turn"):
        match.play(1, {"type": "show", "sign": "rock"})
    match.play(0, {"type": "show", "sign": "rock"})
    assert match.outcome == Outcome((0, 1), (2, 1), "rounds")
    assert match.game.notation.write_state(match.state) == "rounds 1 wins 0/1 shown rock-paper chosen ./."
    assert Match.replay(match.record()).state == match.state


def test_the_computer_player_of_the_new_game_beats_what_was_shown_last(chifoumi):
    match = Match.start(chifoumi, seed="une graine")
    for seat, sign in enumerate(("rock", "scissors")):
        match.play(seat, {"type": "show", "sign": sign})
    think = Think(0, SeedChance("une autre", 0))
    chosen = discover.find(chifoumi).BOTS["facile"].choose(match.view(0), match.legal(0), think)
    assert chosen.sign == "rock"


def test_a_folder_whose_game_has_another_name_is_a_clear_error(house):
    write_game(house / "ciseaux")
    with pytest.raises(ValueError, match="the game in folder 'ciseaux' calls itself 'chifoumi'"):
        discover.games()


def test_a_plain_module_among_the_games_is_no_game(house):
    (house / "helpers.py").write_text("raise AssertionError('imported')\n")
    assert "helpers" not in discover.games()


def test_the_page_on_adding_a_game_explains_every_law():
    page = PAGE.read_text("utf-8")
    missing = [check.__name__ for check in LAWS if f"| `{check.__name__}` |" not in page]
    assert not missing
