"""Decide which words of the free dictionaries are valid, and keep the base form of each.

The base is Dicollecte, a spelling dictionary with all inflections. Words that only it has stay if texts or the
Wiktionary have them too; verbs stay if they were reviewed. Other dictionaries add what at least two of them have. A
verb has 40 forms, so those about which the sources disagree were reviewed one by one (review/verbs.txt), and so were
short words (review/words.txt).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .lexicon import spell
from .sources import Base, Forms, Sources, playable

REVIEW = Path(__file__).parent / "review"
PARTS = ("mpl", "lgpllr", "ccbysa", "tablee")
"""The parts of the list, by license: a word is in the first part whose source has it."""
SHORT = 4
"""Words up to this length are added only by review."""
MODEL = {"er": "danser", "ir": "finir"}
"""The verbs after which others are inflected if no source has their forms."""


def read_review(path: Path) -> dict[str, list[str]]:
    """Read a reviewed list: `[section]` lines, then words; `#` begins a comment."""
    found: dict[str, list[str]] = {}
    section: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("["):
            section = found.setdefault(text.strip("[]"), [])
        else:
            section.extend(text.split())
    return found


def compose(sources: Sources) -> dict[str, Forms]:
    """Return the valid words with their base forms, part by part."""
    verbs, short = read_review(REVIEW / "verbs.txt"), read_review(REVIEW / "words.txt")
    parts: dict[str, Forms] = {part: {} for part in PARTS}
    parts["mpl"] = base_words(sources, verbs)
    for part, word, base in [*added_verbs(sources, verbs["added"]), *added_words(sources)]:
        parts[part].setdefault(word, set()).add(base)
    for word, base in reviewed_words(sources, short["added"]):
        parts["tablee"].setdefault(word, set()).add(base)
    known = set(map(spell, short["left out"]))
    for part in PARTS:
        parts[part] = {word: bases for word, bases in parts[part].items() if word not in known}
        known.update(parts[part])
    return parts


def base_words(sources: Sources, verbs: dict[str, list[str]]) -> Forms:
    """Return the words of Dicollecte without those that nobody else has."""
    kept, left_out = set(map(spell, verbs["kept"])), set(map(spell, verbs["left out"]))
    dictionaries = sources.dela.keys() | sources.lefff.keys() | sources.gutenberg
    elsewhere = dictionaries | sources.wiktionary.keys() | sources.texts
    used = sources.gutenberg | sources.lexique.keys() | sources.texts
    found: Forms = {}
    for base, words, units in sources.dicollecte:
        stem = spell(base.lemma)
        if base.kind == "v":
            is_valid = stem not in left_out and (stem in dictionaries or stem in kept)
        else:
            is_valid = stem in dictionaries or not elsewhere.isdisjoint(words)
        if is_valid:
            for word in words - {unit for unit in units if {unit, unit.removesuffix("S")}.isdisjoint(used)}:
                found.setdefault(word, set()).add(base)
    return found


def added_verbs(sources: Sources, verbs: Iterable[str]) -> Iterable[tuple[str, str, Base]]:
    """Yield the forms of verbs that the base lacks: from DELA or Lefff, or else inflected after a model."""
    wanted = set(map(spell, verbs))
    found = set()
    for part, forms in (("lgpllr", sources.dela), ("lgpllr", sources.lefff)):
        for word, bases in forms.items():
            for base in bases:
                if base.kind == "v" and spell(base.lemma) in wanted:
                    found.add(spell(base.lemma))
                    yield part, word, base
    flags = {entry.stem: entry.flags for entry in sources.dictionary.entries}
    for verb in verbs:
        if spell(verb) not in found and (model := MODEL.get(verb[-2:])):
            for form in sources.dictionary.forms(verb, flags[model]):
                if word := playable(form):
                    yield "tablee", word, Base(verb, "v")


def added_words(sources: Sources) -> Iterable[tuple[str, str, Base]]:
    """Yield the other words that at least two sources besides the base have."""
    used = sources.texts
    strong = sources.gutenberg | sources.lefff.keys() | sources.wiktionary.keys()
    base = {base for base, _, _ in sources.dicollecte}
    inflected = sources.gutenberg | sources.lexique.keys() | used
    for word, bases in sources.dela.items():
        for found in bases:
            stem = spell(found.lemma)
            if found.kind == "v" or len(stem) <= SHORT:
                continue
            if found in base:
                is_valid = word in inflected
            else:
                is_valid = stem in strong or (stem in sources.lexique and stem in used)
            if is_valid:
                yield "lgpllr", word, found
    for word, bases in sources.wiktionary.items():
        if len(word) > SHORT and word not in sources.dela and word in used:
            for found in bases:
                if found.kind != "v":
                    for form in plural(found):
                        yield "ccbysa", form, found


def plural(base: Base) -> Iterable[str]:
    """Yield the spelling of a word and, for a noun or an adjective, of its plural."""
    word = spell(base.lemma)
    yield word
    if base.kind in ("n", "a") and not word.endswith(("S", "X", "Z")):
        ending = {"AL": "AUX", "AU": "AUX", "EU": "EUX"}.get(word[-2:])
        longer = word[:-2] + ending if ending else word + "S"
        if playable(longer):
            yield longer


def reviewed_words(sources: Sources, entries: Iterable[str]) -> Iterable[tuple[str, Base]]:
    """Yield reviewed words; raise `ValueError` for one that no source has."""
    for entry in entries:
        lemma, _, ending = entry.partition("/")
        word = spell(lemma)
        if word not in sources.attested:
            raise ValueError(f"{word} is in no source")
        for form in {word, word + ending.upper()}:
            yield form, Base(lemma, "")
