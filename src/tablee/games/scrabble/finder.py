"""Find words: anagrams of some letters, and what a word becomes with letters before and after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any

from msgspec import Meta, Struct

from ...core.game import Refused
from .analysis import Ref
from .board import COUNTS, JOKER
from .lexicon import LETTERS, WORD, Lexicon, demand, lexicon, spell
from .meanings import meaning_of
from .sources import Base

LONGEST = 15
MOST_JOKERS = 2
MOST_WORDS = 600
"""The most words of one answer to `anagrams`; the longest come first."""
MOST_LONGER = 200
"""The most longer words of each kind in an answer to `hooks`."""


class Entry(Struct, frozen=True):
    """A word with its base forms."""

    word: str
    """In capitals; in `anagrams` a joker's letter is in lower case."""
    bases: tuple[Base, ...]
    gloss: str
    """A short explanation in French, or nothing."""


class AnagramsQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """The letters to make words of."""

    letters: Annotated[str, Meta(max_length=40)]
    """2 to 15 letters in any spelling; `?` is any letter."""
    lexicon: Ref = ""


class Length(Struct, frozen=True):
    """The words of one length."""

    length: int
    count: int
    """How many there are, listed or not."""
    words: tuple[Entry, ...]


class AnagramsAnswer(Struct, frozen=True):
    """The words that some letters make."""

    lexicon: str
    letters: str
    """As spelled with tiles, sorted, jokers first."""
    more: tuple[Entry, ...]
    """The words of all letters and one more, which is in lower case."""
    more_count: int
    lengths: tuple[Length, ...]
    """The words of all letters or fewer, longest first."""


class HooksQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """The word to look at."""

    word: Annotated[str, Meta(max_length=40)]
    lexicon: Ref = ""


class HooksAnswer(Struct, frozen=True):
    """What can be added to a word, and what is in it."""

    lexicon: str
    word: Entry
    valid: bool
    front: tuple[Entry, ...]
    """The word with one letter before it."""
    back: tuple[Entry, ...]
    """The word with one letter after it."""
    before: tuple[Entry, ...]
    """The word with several letters before it."""
    after: tuple[Entry, ...]
    """The word with several letters after it."""
    around: tuple[Entry, ...]
    """The word with letters before and after it."""
    inside: tuple[Entry, ...]
    """The words inside it, longest first."""


@lru_cache(maxsize=3)
def letter_counts(ref: str) -> tuple[Any, Any, Any]:
    """Return all words of a lexicon as fixed-size bytes, their lengths, and for each letter how often each has it."""
    import numpy as np

    words: Any = np.array(lexicon(ref).text.split(), dtype=f"S{LONGEST}")
    table = words.view(np.uint8).reshape(len(words), LONGEST)
    counts: Any = np.zeros((26, len(words)), np.int8)
    for column in table.T:
        for number in range(26):
            counts[number] += column == ord(LETTERS[number])
    return words, counts.sum(axis=0, dtype=np.int8), counts


def entry(word: str) -> Entry:
    known = meaning_of(word)
    return Entry(word, known.bases, known.gloss)


def find_anagrams(question: AnagramsQuestion, asker: str) -> AnagramsAnswer:
    """Find the words of some letters, of fewer, and of one more."""
    import numpy as np

    letters = check_letters(question.letters)
    words, sizes, counts = letter_counts(demand(question.lexicon).ref)
    jokers = letters.count(JOKER)
    missing: Any = np.zeros(len(words), np.int8)
    for letter, has in zip(LETTERS, counts, strict=True):
        missing += np.maximum(has - np.int8(letters.count(letter)), 0)
    found = {size: words[(missing <= jokers) & (sizes == size)] for size in range(len(letters), 1, -1)}
    more = words[(missing <= jokers + 1) & (sizes == len(letters) + 1)]
    room = MOST_WORDS
    lengths = []
    for size, some in found.items():
        listed = entries(some[:room], letters)
        room -= len(listed)
        lengths.append(Length(size, len(some), listed))
    return AnagramsAnswer(
        lexicon=demand(question.lexicon).ref,
        letters=letters,
        more=entries(more[:MOST_WORDS], letters),
        more_count=len(more),
        lengths=tuple(one for one in lengths if one.count),
    )


def check_letters(typed: str) -> str:
    """Return letters as sorted tiles; refuse fewer than 2, more than 15, and what is not a letter."""
    letters = "".join(sorted(spell("".join(typed.split()))))
    if wrong := [letter for letter in letters if letter not in COUNTS]:
        raise Refused("not_a_tile", letter=wrong[0])
    if not 2 <= len(letters) <= LONGEST:
        raise Refused("letters_count", count=len(letters), least=2, most=LONGEST)
    if letters.count(JOKER) > MOST_JOKERS:
        raise Refused("too_many_tiles_of", letter=JOKER, count=letters.count(JOKER), most=MOST_JOKERS)
    return letters


def entries(words: Iterable[bytes], letters: str) -> tuple[Entry, ...]:
    """Return words with the letters that are not held in lower case."""
    found = []
    for word in words:
        known = entry(word.decode())
        found.append(Entry(spelled_with(known.word, letters), known.bases, known.gloss))
    return tuple(found)


def spelled_with(word: str, letters: str) -> str:
    """Write the letters of a word that are not among some letters in lower case.

    >>> spelled_with("SALLES", "AELS?")
    'SALles'
    """
    left = list(letters)
    text = ""
    for letter in word:
        if letter in left:
            left.remove(letter)
            text += letter
        else:
            text += letter.lower()
    return text


def find_hooks(question: HooksQuestion, asker: str) -> HooksAnswer:
    """Find the words around and inside a word."""
    words = demand(question.lexicon)
    word = spell("".join(question.word.split()))
    if not WORD.fullmatch(word):
        raise Refused("not_a_word_to_extend", word=word[:LONGEST])
    longer = list(containing(words, word))
    return HooksAnswer(
        lexicon=words.ref,
        word=entry(word),
        valid=word in words,
        front=tuple(map(entry, some(one for one in longer if one[1:] == word))),
        back=tuple(map(entry, some(one for one in longer if one[:-1] == word))),
        before=tuple(map(entry, some(one for one in longer if one.endswith(word) and len(one) > len(word) + 1))),
        after=tuple(map(entry, some(one for one in longer if one.startswith(word) and len(one) > len(word) + 1))),
        around=tuple(map(entry, some(one for one in longer if not one.startswith(word) and not one.endswith(word)))),
        inside=tuple(map(entry, inside(words, word))),
    )


def some(words: Iterable[str]) -> list[str]:
    return list(islice(words, MOST_LONGER))


def containing(words: Lexicon, word: str) -> Iterator[str]:
    """Yield the longer words of a lexicon that contain a word, in order."""
    text, sought = words.text, word.encode()
    at = text.find(sought)
    while at >= 0:
        start, end = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at)
        end = len(text) if end < 0 else end
        if end - start > len(sought):
            yield text[start:end].decode()
        at = text.find(sought, end)


def inside(words: Lexicon, word: str) -> list[str]:
    """Return the words inside a word, longest first."""
    found = {word[at:end] for at in range(len(word)) for end in range(at + 2, len(word) + 1)} - {word}
    return sorted((one for one in found if one in words), key=lambda one: (-len(one), one))
