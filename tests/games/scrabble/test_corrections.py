"""Reports of words, and the lists that the operator corrects after them."""

import pytest
from typer.testing import CliRunner

from tablee.cli import main
from tablee.core.discover import find
from tablee.core.game import Missing, Refused
from tablee.games.scrabble.corrections import check_report, choose, correct
from tablee.games.scrabble.lexicon import Lexicon, default_ref, lexicon, own_folder, refs, shipped_ref
from tablee.games.scrabble.values import Options


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("TABLEE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TABLEE_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("list", "word", "wanted", "answer"),
    [
        ("", "xyzzy", True, ("francais", "XYZZY")),
        ("francais", "chat", False, ("francais", "CHAT")),
        ("dicollecte", " Cœurs ", False, ("francais", "COEURS")),
    ],
)
def test_a_report_names_the_list_for_new_matches(list, word, wanted, answer):
    assert check_report(list, word, wanted) == answer


@pytest.mark.parametrize("word", ["", "a", "arc-en-ciel", "x" * 16, "l’an", "💥", "chat\nchien"])
def test_only_words_can_be_reported(word):
    with pytest.raises(Refused, match="not_reportable"):
        check_report("", word, True)


def test_a_report_that_would_change_nothing_is_refused():
    for word, wanted in (("chat", True), ("xyzzy", False)):
        with pytest.raises(Refused, match="already_so"):
            check_report("", word, wanted)
    with pytest.raises(Missing):
        check_report("none", "chat", False)


def test_a_corrected_list_is_for_new_matches_only():
    running = Options()
    made = correct("francais", {"XYZZY": True, "CHAT": False})
    assert made == default_ref() == Options().lexicon == Options(lexicon="francais").lexicon == refs()[0]
    assert "XYZZY" in lexicon()
    assert "CHAT" not in lexicon()
    assert running.lexicon == shipped_ref() != made
    assert "CHAT" in lexicon(running.lexicon)
    assert next(iter(find("scrabble").choices["lexicon"]())) == made


def test_corrections_start_from_the_shipped_list_and_can_be_undone():
    correct("francais", {"XYZZY": True})
    made = correct("francais", {"XYZZT": True})
    assert "XYZZY" not in lexicon(made)
    assert correct("francais", {"CHAT": True}) == shipped_ref() == default_ref()


def test_an_own_list_is_corrected_until_it_is_added_again(tmp_path):
    Lexicon("club", ["CHAT", "CHIEN"]).write(own_folder())
    correct("club", {"ZUT": True, "CHIEN": False})
    assert lexicon("club").words == ["CHAT", "ZUT"]
    assert lexicon("club").ref in refs()
    file = tmp_path / "liste.txt"
    file.write_text("oie\n")
    assert CliRunner().invoke(main, ["lexicon", "add", str(file), "--name", "club"]).exit_code == 0
    assert lexicon("club").words == ["OIE"]


@pytest.mark.parametrize("content", [b"", b"no json", b'{"francais": 3}', b'{"francais": "0123456789abcdef"}'])
def test_a_damaged_choice_leaves_the_shipped_list(content):
    own_folder().mkdir(parents=True)
    (own_folder() / "current.json").write_bytes(content)
    assert default_ref() == shipped_ref()
    choose("francais", None)
    assert default_ref() == shipped_ref()
