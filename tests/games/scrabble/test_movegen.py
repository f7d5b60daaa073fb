"""The list of plays agrees with trying every word on every square."""

import random

import pytest

from tablee.games.scrabble.board import LINES, PLACES, letters_of
from tablee.games.scrabble.lexicon import lexicon
from tablee.games.scrabble.movegen import fitting, plays
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.trie import LETTERS, Trie, trie_of
from tablee.games.scrabble.values import Place

GAME = Scrabble()
SMALL = "AS AU DE DES EAU EAUX ES ET EU EUX LE LES MOT MOTS OS PEU PORT PORTE PORTES SA SE SEL SU TES TU US UT"


def tried(naive, state, words):
    """Return every play of some words that the rules accept."""
    seat = state.to_act
    jokers = state.racks[seat].count("?")
    for at, (number, start) in PLACES.items():
        for word in words:
            line = letters_of(state.board, number)[start : start + len(word)]
            if len(line) == len(word) and "." in line:
                for spelled in naive.spellings(line, word, jokers):
                    if GAME.check(state, seat, Place(at, spelled)) is None:
                        yield Place(at, spelled)


@pytest.mark.parametrize(
    "position",
    [
        "act 0 racks AEOPRST/A",
        "act 0 racks ?EOSTTU/A",
        "act 0 racks AEESTUX/A board H8:PORT",
        "act 0 racks ?AESTUX/A board H8:PoRT,11H:TES",
        "act 0 racks EELSTUU/A board H8:MOTS,11H:SEL,J11:LES",
        "act 0 racks ??S/A board A1:DE,O14:SA,15M:DEA,H8:LE",
        "act 0 racks X/A board H8:EAU,8H:EU,I8:US",
        "act 0 racks AEOPRST/A board A1:PORT,A6:US,1A:PEU,15A:EAU,O1:LES",
    ],
)
def test_the_list_agrees_with_trying_every_word_on_every_square(table, naive, own_lexicon, position):
    state = table.read(f"{position} options lexicon={own_lexicon('petit', SMALL)}")
    listed = [action for action in GAME.legal_actions(state, 0) if isinstance(action, Place)]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(tried(naive, state, SMALL.split()))
    assert listed


def test_an_empty_rack_and_a_full_line_have_no_plays(table, own_lexicon):
    ref = own_lexicon("petit", SMALL)
    assert plays("." * 225, "", ref) == ()
    assert plays("A" * 225, "S", ref) == ()


def test_letters_that_fit_between_others(own_lexicon):
    ref = own_lexicon("petit", SMALL)

    def between(before, after):
        return "".join(letter for at, letter in enumerate(LETTERS) if fitting(before, after, ref) >> at & 1)

    assert between("", "ES") == "DLT"
    assert between("E", "") == "STU"
    assert between("P", "RT") == "O"
    assert between("XYZ", "") == ""


def test_the_trie_contains_exactly_its_words():
    words = sorted(set(SMALL.split()) | {"A" * 15, "B" * 15, "ABC"})
    trie = Trie(words)
    assert list(walked(trie)) == words


def walked(trie, node=0, word=""):
    if trie.letters[node] >> 26:
        yield word
    for at, letter in enumerate(LETTERS):
        if trie.letters[node] >> at & 1:
            yield from walked(trie, trie.child(node, 1 << at), word + letter)


def test_the_trie_of_the_shipped_list_has_its_words_and_no_others():
    shipped, dice = lexicon(), random.Random("mots")
    trie = trie_of(shipped.ref)
    for word in dice.sample(shipped.words, 2000):
        for spelled in (word, word[:-1], word + "S", word[::-1]):
            node = trie.walk(0, spelled)
            assert (node is not None and bool(trie.letters[node] >> 26)) == (spelled in shipped)


def test_reach_has_the_letters_so_many_places_ahead():
    trie = Trie(["PEU", "PORT", "PORTE"])
    after_p = trie.walk(0, "P")
    assert trie.reach[1][after_p] == sum(1 << LETTERS.index(letter) for letter in "EO")
    assert trie.reach[2][after_p] == sum(1 << LETTERS.index(letter) for letter in "UR")
    assert trie.reach[5][after_p] == 0
    assert trie.reach[4][after_p] == 1 << LETTERS.index("E")


def test_every_square_has_one_name_in_each_direction():
    assert len(PLACES) == 450
    assert {LINES[number].squares[place] for number, place in PLACES.values()} == set(range(225))
