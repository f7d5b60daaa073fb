"""Lexicons: the shipped one, how it was made, a host's own, and what can be asked of them."""

import gzip
import lzma
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from tablee.cli import main
from tablee.core.game import Missing, Refused
from tablee.core.text import read_text
from tablee.games.scrabble import leaves
from tablee.games.scrabble import lexicon as lexicons
from tablee.games.scrabble.common import common_words
from tablee.games.scrabble.lexicon import (
    SHIPPED,
    BadLexicon,
    Lexicon,
    UnknownLexicon,
    default_ref,
    lexicon,
    look_up,
    own_folder,
    read_list,
    refs,
    spell,
)
from tablee.games.scrabble.values import Options

TWO_LETTERS = """
AA AH AI AN AS AU AY BA BE BI BU CA CE CI DA DE DO DU EH EN ES ET EU EX FA FI GO HA HE HI HO IF IL IN JE KA LA LE LI LU
MA ME MI MU NA NE NI NO NU OC OH OM ON OR OS OU PI PU QI RA RE RI RU SA SE SI SU TA TE TO TU UD UN US UT VA VE VS VU
WU XI
"""


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("TABLEE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TABLEE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "data"


def run(*arguments):
    return CliRunner().invoke(main, ["lexicon", *map(str, arguments)])


def add(path, name="maison"):
    return run("add", path, "--name", name)


# The shipped list


def test_the_shipped_list_is_what_its_name_promises():
    words = lexicon()
    assert words.ref == default_ref() == refs()[0]
    assert len(words.words) == 403_727
    assert words.words == sorted(words.words)
    assert all(2 <= len(word) <= 15 and word.isascii() and word.isalpha() and word.isupper() for word in words.words)


def test_its_two_letter_words_are_those_that_players_know():
    assert [word for word in lexicon().words if len(word) == 2] == TWO_LETTERS.split()


@pytest.mark.parametrize(
    "word", ["CHEVAUX", "YEUX", "OEUFS", "MANGEASSIONS", "KILOMETRES", "ACTRICES", "EUT", "SACHEZ"]
)
def test_inflected_words_are_valid(word):
    assert word in lexicon()


@pytest.mark.parametrize("word", ["BERLIN", "KM", "MORTEM", "CHEVALS", "MANGONS", "PT", "chat", "ÉTÉ", "A"])
def test_names_units_and_wrong_forms_are_invalid(word):
    assert word not in lexicon()


@pytest.mark.parametrize(
    "word",
    [
        "API",
        "EXO",
        "FIX",
        "GIF",
        "LED",
        "RAM",
        "SAX",
        "TIP",
        "DOUBLECLIQUER",
        "BADAUDAIENT",
        "POGOTONS",
        "EXOS",
        "NORI",
    ],
)
def test_words_that_players_know_are_valid(word):
    assert word in lexicon()


@pytest.mark.parametrize("word", ["ZZZZ", "LOW", "OP", "ABC", "HMM", "YOTTALUX", "PETAVOLTS", "DISCUPUTER"])
def test_words_that_nobody_else_knows_are_invalid(word):
    assert word not in lexicon()


def test_the_list_that_was_shipped_before_stays_for_its_matches():
    old = "dicollecte:5768aa479cc68654"
    assert len(lexicon(old).words) == 405_678
    assert Options(lexicon=old).lexicon == Options(lexicon="dicollecte").lexicon == old
    assert old not in refs()


def test_it_is_shipped_with_its_license_and_is_small():
    assert "Mozilla Public License Version 2.0" in (SHIPPED / "MPL-2.0.txt").read_text()
    assert "For Linguistic Resources" in (SHIPPED / "LGPLLR.txt").read_text()
    assert "hunspell-fr-comprehensive" in (SHIPPED / "README.md").read_text()
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 2_000_000


def test_a_lexicon_contains_exactly_the_words_of_its_list():
    words = lexicon()
    known, dice = set(words.words), random.Random(1)
    for word in dice.sample(words.words, 3000):
        changed = list(word)
        changed[dice.randrange(len(word))] = dice.choice("AEIRSTZ")
        for tried in (word, word[:-1], word + "S", "".join(changed)):
            assert (tried in words) == (tried in known), tried


@pytest.mark.parametrize("text", ["", "A", "ABA", "ABAC\nABACA", "\n", "ZZZZZZ", "AAAAAA"])
def test_membership_at_the_edges(text):
    assert text not in Lexicon("essai", ["ABACA", "ABACAS", "ZUT"])


def test_an_empty_list_has_no_words():
    assert Lexicon("vide", []).words == []
    assert "" not in Lexicon("vide", [])


@pytest.mark.parametrize(
    ("written", "spelled"), [("cœur", "COEUR"), ("Ægosome", "AEGOSOME"), ("été", "ETE"), ("l’an", "L’AN")]
)
def test_words_are_spelled_with_capitals_and_no_accents(written, spelled):
    assert spell(written) == spelled


# Common words


def test_common_words_are_valid_and_short():
    words = common_words(default_ref()).words
    assert 5000 < len(words) < 20_000
    assert all(word in lexicon() and len(word) <= 8 for word in words)
    assert {"MAISON", "CHAT", "ETRE"} <= set(words)


def test_common_words_are_made_from_frequencies(tmp_path):
    file = tmp_path / "large_fr.msgpack.gz"
    steps: list[list[Any]] = [[] for _ in range(700)]
    steps[100], steps[650] = ["maison", "été", "berlin", "anticonstitutionnel"], ["abaca"]
    file.write_bytes(gzip.compress(msgspec.msgpack.encode([{"format": "cB", "version": 1}, *steps])))
    assert run("common", file, "--out", tmp_path / "common.xz").exit_code == 0
    assert lzma.decompress((tmp_path / "common.xz").read_bytes()) == b"ETE\nMAISON"
    file.write_bytes(b"no list")
    assert run("common", file, "--out", tmp_path / "common.xz").exit_code == 2


# A host's own list


ACCENTS = ["été", "école", "prête", "hérité", "façade", "goût", "où", "là", "île", "maïs", "noël", "ambiguë", "rôle"]


@pytest.mark.parametrize(
    ("codec", "encoding"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16-LE"),
        ("utf-16-be", "UTF-16-BE"),
        ("utf-32", "UTF-32"),
        ("cp1252", "Windows-1252"),
        ("iso8859-15", "ISO-8859-15"),
        ("mac-roman", "Mac-Roman"),
    ],
)
@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
def test_add_reads_every_usual_encoding(data, tmp_path, codec, encoding, case):
    file = tmp_path / "liste.txt"
    file.write_bytes("\r\n".join(map(case, [*ACCENTS, "cœur", "", "  zythum  "])).encode(codec))
    done = add(file)
    assert done.exit_code == 0
    assert f"read as {encoding}, 0 lines left out" in done.output
    words = lexicon("maison")
    assert words.words == sorted(map(spell, [*ACCENTS, "cœur", "zythum"]))
    assert words.ref in refs()
    assert lexicon(words.ref) is words


@pytest.mark.parametrize("codec", ["latin-1", "cp850"])
@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
def test_add_reads_encodings_without_ligatures(codec, case):
    content = "\n".join(map(case, ACCENTS)).encode(codec)
    assert read_text(content) == ("\n".join(map(case, ACCENTS)), "CP850" if codec == "cp850" else "Windows-1252")


def test_one_broken_line_does_not_change_the_encoding_of_the_others(tmp_path):
    file = tmp_path / "liste.txt"
    file.write_bytes("\n".join(ACCENTS).encode() + b"\nt\xeate\n")
    found = read_list(file)
    assert (found.encoding, found.bad) == ("UTF-8", ((14, "t\ufffdte"),))


def test_utf_8_stays_utf_8_with_signs_that_are_letters_elsewhere():
    assert read_text("L’AN\nL’EAU\n".encode())[1] == "UTF-8"


def test_add_drops_bad_lines_and_names_them(data, tmp_path):
    file = tmp_path / "liste.txt"
    file.write_text("chat\na\narc-en-ciel\n\nanticonstitutionnellement\nchat 12\nCHAT\nchien\nchats\n")
    done = add(file)
    assert lexicon("maison").words == ["CHAT", "CHATS", "CHIEN"]
    assert "3 words" in done.output
    assert "4 lines left out" in done.output
    assert [number for number in range(1, 8) if f"{file}:{number}:" in done.output] == [2, 3, 5, 6]


def test_only_the_first_bad_lines_are_listed(tmp_path):
    file = tmp_path / "liste.txt"
    file.write_text("12\nchat\n" * 1000)
    found = read_list(file)
    assert (found.dropped, len(found.bad)) == (1000, lexicons.REPORTED)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "found no word"),
        (b"1\n2\n", "found no word"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00", "not text"),
        (b"chat\x00chien", "not text"),
        (bytes(range(256)), "not text"),
        (b"\xff\xfe\x00", "found no word"),
        (b"chat;1\nchien;2\nzut\n", "2 of its 3 lines, read as UTF-8, are not 2 to 15 letters; line 1: chat;1; line 2"),
    ],
)
def test_a_file_that_is_not_a_list_changes_nothing(data, tmp_path, content, problem):
    file = tmp_path / "liste.txt"
    file.write_text("chat\n")
    add(file)
    before = sorted(own_folder().iterdir())
    file.write_bytes(content)
    done = add(file)
    assert done.exit_code == 2
    assert problem in done.output
    assert sorted(own_folder().iterdir()) == before
    assert lexicon("maison").words == ["CHAT"]


def test_an_interrupt_before_the_graph_is_made_changes_nothing(data, tmp_path, monkeypatch):
    file = tmp_path / "liste.txt"
    file.write_text("chat\n")
    add(file)
    file.write_text("chien\n")
    monkeypatch.setattr("tablee.games.scrabble.graph.build", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    assert add(file).exit_code == 130
    assert lexicon("maison").words == ["CHAT"]


def test_a_huge_file_is_refused_unread(data, tmp_path, monkeypatch):
    file = tmp_path / "liste.txt"
    with file.open("wb") as huge:
        huge.truncate(lexicons.LARGEST + 1)
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail("it was read"))
    done = add(file)
    assert done.exit_code == 2
    assert "67 MB" in done.output


def test_a_missing_file_and_a_folder_are_refused(data, tmp_path):
    assert "No such file" in add(tmp_path / "none.txt").output
    assert "directory" in add(tmp_path).output


@pytest.mark.parametrize("name", ["", "Maison", "../x", "a b", "x" * 33, "dicollecte", "francais"])
def test_a_bad_name_is_refused(data, tmp_path, name):
    file = tmp_path / "liste.txt"
    file.write_text("chat\n")
    assert add(file, name).exit_code == 2
    assert not own_folder().exists()


@pytest.mark.slow
def test_the_value_of_kept_tiles_is_estimated_for_a_host_s_list(data, tmp_path):
    file = tmp_path / "liste.txt"
    file.write_text("\n".join(lexicon().words[::200]))
    add(file)
    done = run("leaves", "--lexicon", "maison", "--games", "1")
    assert done.exit_code == 0
    ref = lexicon("maison").ref
    path = leaves.path_in(own_folder(), ref)
    assert str(path) in done.output
    assert (leaves.likes_of(ref) == leaves.read(path)).all()
    assert run("leaves", "--lexicon", "none", "--games", "1").exit_code == 2


def test_a_list_that_was_replaced_stays_for_old_games(data, tmp_path):
    file = tmp_path / "liste.txt"
    file.write_text("chat\n")
    add(file)
    old = lexicon("maison").ref
    file.write_text("chien\n")
    add(file)
    assert lexicon("maison").words == ["CHIEN"]
    assert lexicon(old).words == ["CHAT"]
    assert old not in refs()
    assert run("list").output.count("maison:") == 2


def test_a_write_that_fails_leaves_nothing(data, monkeypatch):
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        Lexicon("maison", ["CHAT"]).write(own_folder())
    assert list(own_folder().iterdir()) == []


def test_a_damaged_list_is_not_used(data):
    path = Lexicon("maison", ["CHAT"]).write(own_folder())
    damaged = Lexicon("autre", ["CHIEN"]).write(own_folder())
    damaged.write_bytes(path.read_bytes())
    with pytest.raises(BadLexicon, match="damaged"):
        Lexicon.read(damaged)
    with pytest.raises(UnknownLexicon, match="damaged"):
        lexicon("autre")
    assert "damaged" in run("list").output


@pytest.mark.parametrize("ref", ["none", "none:0123456789abcdef", "dicollecte:0123456789abcdef", "../dicollecte"])
def test_the_error_names_an_unknown_list(ref):
    with pytest.raises(UnknownLexicon, match=ref.replace(".", r"\.")):
        lexicon(ref)


# What can be asked


def test_check_says_which_words_are_valid():
    assert run("check", "cœur").exit_code == 0
    done = run("check", "cœur", "xyz")
    assert done.exit_code == 1
    assert "COEUR: valid" in done.output
    assert "XYZ: not valid" in done.output
    assert run("check", "--lexicon", "none", "chat").exit_code == 2


def test_look_up_finds_a_word_and_its_neighbours():
    found = look_up("Cœur")
    assert (found.word, found.valid, found.lexicon) == ("COEUR", True, default_ref())
    assert found.back == "S"
    assert found.before == tuple(sorted(found.before))
    assert found.before[-1] < "COEUR" < found.after[0] == "COEURS"
    assert msgspec.json.decode(msgspec.json.encode(found), type=lexicons.Lookup) == found


def test_look_up_knows_other_lists(data):
    own = Lexicon("maison", ["CHAT", "RCHAT", "CHATS", "ZUT"])
    own.write(own_folder())
    found = look_up(f"{own.ref} chat")
    assert (found.valid, found.front, found.back, found.before, found.after) == (
        True,
        "R",
        "S",
        (),
        ("CHATS", "RCHAT", "ZUT"),
    )
    with pytest.raises(Missing, match="none"):
        look_up("none chat")


@pytest.mark.parametrize("text", ["", " ", "é" * 64, "a b c", "💥", "'", "A" * 64])
def test_look_up_withstands_any_text(text):
    try:
        assert not look_up(text).valid
    except Refused:
        assert " " in text.strip()
