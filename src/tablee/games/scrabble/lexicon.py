"""Lexicons: which words are valid.

A lexicon is known by its name and by a hash of its words, `dicollecte:0123456789abcdef`, and a record keeps both. It
is one file, `NAME.HASH.txt.xz`: the words in capitals, sorted, one a line. The product ships one in `data/`; a host's
own lie in the folder `lexicons` of the server's data, which `TABLEE_DATA` names. A list that was replaced stays, so
that the games played with it can be told again.

In memory a lexicon is that text and no more: a word is found by halving it.
"""

from __future__ import annotations

import lzma
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile

from msgspec import Struct

from ...core.game import Missing
from ...core.text import read_text

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SHIPPED = Path(__file__).parent / "data"
DEFAULT = "dicollecte"
"""The name of the list that is shipped."""
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
LONGEST_REF = 32 + 1 + 16
WORD = re.compile(r"[A-Z]{2,15}")
LARGEST = 64 << 20
"""A file of more bytes is no list of words."""
TOLD = 20
"""So many lines that are no words are told one by one."""
LIGATURES = str.maketrans({"Œ": "OE", "Æ": "AE"})
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class UnknownLexicon(LookupError):
    """There is no lexicon of that name, or not with those words."""


class BadLexicon(ValueError):
    """A file that is no list of words; nothing was replaced."""


class Lexicon:
    """A sorted list of words with a name."""

    def __init__(self, name: str, words: Iterable[str]) -> None:
        self._text = "\n".join(sorted(set(words))).encode("ascii")
        self.name = name
        self.hash = sha256(self._text).hexdigest()[:16]

    @classmethod
    def read(cls, path: Path) -> Lexicon:
        """Read a file that `write` wrote; raises `BadLexicon` where its words are not those its name promises."""
        name, promised, *_ = path.name.split(".")
        self = cls.__new__(cls)
        try:
            self._text = lzma.decompress(path.read_bytes())
        except (OSError, lzma.LZMAError) as error:
            raise BadLexicon(f"{path}: cannot be read: {error}") from error
        self.name, self.hash = name, sha256(self._text).hexdigest()[:16]
        if self.hash != promised:
            raise BadLexicon(f"{path}: its words have the hash {self.hash}, not {promised}: the file is damaged")
        return self

    def write(self, folder: Path) -> Path:
        """Keep it in a folder, whole or not at all, and return the path of its file."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.{self.hash}.txt.xz"
        with NamedTemporaryFile(dir=folder, prefix=".lexicon-", delete=False) as file:
            try:
                file.write(lzma.compress(self._text, preset=9 | lzma.PRESET_EXTREME))
                file.close()
                Path(file.name).chmod(0o644)
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
        return path

    @property
    def ref(self) -> str:
        """Name and hash: what options and records keep."""
        return f"{self.name}:{self.hash}"

    @property
    def words(self) -> list[str]:
        """All words, sorted: a new list each time."""
        return self._text.decode("ascii").split("\n") if self._text else []

    @property
    def text(self) -> bytes:
        """All words, sorted, with a line break between two."""
        return self._text

    def __contains__(self, word: object) -> bool:
        """Whether a word in capitals is valid."""
        if not isinstance(word, str) or not word.isascii():
            return False
        at = self._place(sought := word.encode())
        end = at + len(sought)
        return bool(sought) and self._text[at:end] == sought and self._text[end : end + 1] in (b"\n", b"")

    def _place(self, sought: bytes) -> int:
        """Where the first word begins that does not come before another."""
        text = self._text
        low, high = 0, len(text)
        while low < high:
            start = text.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = text.find(b"\n", start, high)
            end = high if end < 0 else end
            if text[start:end] < sought:
                low = end + 1
            else:
                high = start
        return min(low, len(text))

    def after(self, word: str) -> Iterator[str]:
        """The words that follow one in the list, itself left out."""
        at = self._place(word.encode())
        while at < len(self._text):
            end = self._text.find(b"\n", at)
            end = len(self._text) if end < 0 else end
            found = self._text[at:end].decode()
            if found != word:
                yield found
            at = end + 1

    def before(self, word: str) -> Iterator[str]:
        """The words that come before one in the list, nearest first."""
        at = self._place(word.encode()) - 1
        while at > 0:
            start = self._text.rfind(b"\n", 0, at) + 1
            yield self._text[start:at].decode()
            at = start - 1

    def __repr__(self) -> str:
        return f"<Lexicon {self.ref}>"


def spell(word: str) -> str:
    """A word as tiles spell it (S4): capitals without accents or ligatures; what is no letter stays."""
    capitals = unicodedata.normalize("NFD", word.upper().translate(LIGATURES))
    return "".join(letter for letter in capitals if not unicodedata.combining(letter))


def own_folder() -> Path:
    """Where a host's own lexicons lie."""
    return Path(os.environ.get("TABLEE_DATA") or "data") / "lexicons"


def files() -> list[Path]:
    """The files of all lexicons: the shipped one first, then the host's, the newest of a name before older ones."""
    found = sorted(SHIPPED.glob("*.txt.xz"))
    with suppress(OSError):
        own = [path for path in own_folder().glob("*.txt.xz") if not path.name.startswith(".")]
        found += sorted(own, key=lambda path: (path.name.split(".")[0], -path.stat().st_mtime_ns))
    return found


def ref_of(path: Path) -> str:
    """Name and hash of a lexicon by its file."""
    return ":".join(path.name.split(".")[:2])


def refs() -> list[str]:
    """The lexicons that a host may choose: of each name the newest."""
    newest: dict[str, str] = {}
    for path in files():
        newest.setdefault(path.name.split(".")[0], ref_of(path))
    return list(newest.values())


@cache
def default_ref() -> str:
    """Name and hash of the shipped lexicon; nothing is read but the name of its file."""
    return next(ref for ref in map(ref_of, files()) if ref.startswith(f"{DEFAULT}:"))


def lexicon(ref: str = "") -> Lexicon:
    """Return a lexicon by `name:hash`, by name alone, or the shipped one; raises `UnknownLexicon`."""
    if ":" in ref:
        return by_ref(ref)
    return by_ref(next((found for found in refs() if found.startswith(f"{ref or DEFAULT}:")), ref))


@cache
def by_ref(ref: str) -> Lexicon:
    path = next((path for path in files() if ref_of(path) == ref), None)
    if path is None:
        raise UnknownLexicon(f"there is no lexicon {ref[:LONGEST_REF]!r}; there is {', '.join(refs())}")
    try:
        return Lexicon.read(path)
    except BadLexicon as error:
        raise UnknownLexicon(str(error)) from error


def demand(ref: str) -> Lexicon:
    """The lexicon that a match or a question names; raise `Missing` if this server does not have it."""
    try:
        return lexicon(ref)
    except UnknownLexicon as error:
        name = ref[:LONGEST_REF].partition(":")[0]
        raise Missing(kind="lexicon", name=name, problem=str(error)) from error


class Reading(Struct, frozen=True):
    """What a file of words holds."""

    words: frozenset[str]
    encoding: str
    dropped: int
    """Lines that are no word of 2 to 15 letters; empty ones do not count."""
    bad: tuple[tuple[int, str], ...]
    """The first of them, by the number of the line."""


def read_fields(path: Path) -> Reading:
    """Read a host's list: one word a line, spelt anyhow (S11); raises `BadLexicon`."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise BadLexicon(f"{size / 1e6:,.0f} MB: a list of words has {LARGEST / 1e6:,.0f} MB at most")
        content = path.read_bytes()
    except OSError as error:
        raise BadLexicon(error.strerror or str(error)) from error
    text, encoding = read_text(content)
    if CONTROL.search(text):
        raise BadLexicon("this is no text: a list of words has one word a line")
    words, bad, lines, dropped = set(), [], 0, 0
    for number, line in enumerate(text.splitlines(), start=1):
        if said := line.strip():
            lines += 1
            word = spell(said)
            if WORD.fullmatch(word):
                words.add(word)
            else:
                dropped += 1
                if dropped <= TOLD:
                    bad.append((number, said[:40]))
    first = "".join(f"; line {number}: {said}" for number, said in bad[:3])
    if not words:
        raise BadLexicon(f"there is not one word of 2 to 15 letters in it{first}")
    if 2 * dropped > lines:
        raise BadLexicon(f"{dropped} of its {lines} lines, read as {encoding}, are not 2 to 15 letters{first}")
    return Reading(frozenset(words), encoding, dropped, tuple(bad))


class Lookup(Struct, frozen=True):
    """What a lexicon says of a word."""

    lexicon: str
    word: str
    """As tiles spell it."""
    valid: bool
    front: str
    """The letters that make a word before it."""
    back: str
    """The letters that make a word after it."""
    before: tuple[str, ...]
    """The nearest words before it in the list, in order."""
    after: tuple[str, ...]


def look_up(question: str) -> Lookup:
    """Answer `MOT` or `lexicon:hash MOT`; raise `Missing` if there is no such list."""
    ref, _, asked = question.strip().rpartition(" ")
    words, word = demand(ref.strip()), spell(asked)[:15]
    return Lookup(
        lexicon=words.ref,
        word=word,
        valid=word in words,
        front="".join(letter for letter in LETTERS if letter + word in words),
        back="".join(letter for letter in LETTERS if word + letter in words),
        before=tuple(reversed([*islice(words.before(word), 3)])),
        after=tuple(islice(words.after(word), 3)),
    )


QUESTIONS = {"word": look_up}
"""What anybody may ask of the game outside a match, by the name of the question."""
