"""Lexicons: which words are valid.

A lexicon is known by its name and by a hash of its words, `francais:0123456789abcdef`, and a record keeps both. It
is one file, `NAME.HASH.txt.xz`: the words in capitals, sorted, one a line. The shipped one has several files,
`NAME.HASH.LICENSE.txt.xz`, because its sources have different licenses. A host's own lists lie in the folder `lexicons`
of the server's data, which `TABLEE_DATA` names. A replaced list stays, so that the matches played with it can be
replayed. If the operator corrected a list, `current.json` beside them names the version for new matches.

In memory a lexicon is that text and no more: a word is found by halving it.
"""

from __future__ import annotations

import lzma
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec
from msgspec import Struct

from ...core.game import Missing
from ...core.text import read_text

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SHIPPED = Path(__file__).parent / "data"
DEFAULT = "francais"
"""The name of the shipped list."""
RETIRED = frozenset({"dicollecte"})
"""Lists that were shipped before: they stay for old matches, and nobody can choose them for a new table."""
CURRENT_FILE = "current.json"
"""In the folder of the operator's lists: the hash of the version that new matches use, by name."""
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
LONGEST_REF = 32 + 1 + 16
WORD = re.compile(r"[A-Z]{2,15}")
LARGEST = 64 << 20
"""The largest file, in bytes, that is read as a word list."""
REPORTED = 20
"""The most bad lines that are reported one by one."""
LIGATURES = str.maketrans({"Œ": "OE", "Æ": "AE"})
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class UnknownLexicon(LookupError):
    """Raised if there is no lexicon with that name and hash."""


class BadLexicon(ValueError):
    """Raised for a file that is not a valid word list; nothing has changed."""


class Lexicon:
    """A sorted list of words with a name."""

    def __init__(self, name: str, words: Iterable[str]) -> None:
        self._text = "\n".join(sorted(set(words))).encode("ascii")
        self.name = name
        self.hash = sha256(self._text).hexdigest()[:16]

    @classmethod
    def read(cls, path: Path, *others: Path) -> Lexicon:
        """Read the files of a list; raise `BadLexicon` if their words do not match the hash in the first one's name."""
        name, promised, *_ = path.name.split(".")
        self = cls.__new__(cls)
        try:
            texts = [lzma.decompress(part.read_bytes()) for part in (path, *others)]
        except (OSError, lzma.LZMAError) as error:
            raise BadLexicon(f"{path}: cannot be read: {error}") from error
        self._text = texts[0] if not others else merge(texts)
        self.name, self.hash = name, sha256(self._text).hexdigest()[:16]
        if self.hash != promised:
            raise BadLexicon(f"{path}: its words have the hash {self.hash}, not {promised}: the file is damaged")
        return self

    def write(self, folder: Path) -> Path:
        """Write the list atomically to a folder and return the path of its file."""
        path = folder / f"{self.name}.{self.hash}.txt.xz"
        write_atomically(path, lzma.compress(self._text, preset=0))  # 20 % larger than the best, 20 times as fast
        return path

    @property
    def ref(self) -> str:
        """Return name and hash, the form in options and records."""
        return f"{self.name}:{self.hash}"

    @property
    def words(self) -> list[str]:
        """Return all words, sorted, as a new list."""
        return self._text.decode("ascii").split("\n") if self._text else []

    @property
    def text(self) -> bytes:
        """Return all words, sorted, separated by line breaks."""
        return self._text

    def __contains__(self, word: object) -> bool:
        """Return whether a word in capitals is valid."""
        if not isinstance(word, str) or not word.isascii():
            return False
        at = place_in(self._text, sought := word.encode())
        end = at + len(sought)
        return bool(sought) and self._text[at:end] == sought and self._text[end : end + 1] in (b"\n", b"")

    def after(self, word: str) -> Iterator[str]:
        """Yield the words after one in the list."""
        at = place_in(self._text, word.encode())
        while at < len(self._text):
            end = self._text.find(b"\n", at)
            end = len(self._text) if end < 0 else end
            found = self._text[at:end].decode()
            if found != word:
                yield found
            at = end + 1

    def before(self, word: str) -> Iterator[str]:
        """Yield the words before one in the list, nearest first."""
        at = place_in(self._text, word.encode()) - 1
        while at > 0:
            start = self._text.rfind(b"\n", 0, at) + 1
            yield self._text[start:at].decode()
            at = start - 1

    def __repr__(self) -> str:
        return f"<Lexicon {self.ref}>"


def merge(texts: Iterable[bytes]) -> bytes:
    """Merge sorted lists that have no word in common."""
    # `sort` finds the sorted runs and merges them, so this takes a tenth of the time of sorting a set. One first letter
    # at a time, because all words as objects would take 50 MB for a moment.
    texts = list(texts)
    parts = []
    for first, after in pairwise((*LETTERS, "[")):
        words: list[bytes] = []
        for text in texts:
            words += text[place_in(text, first.encode()) : place_in(text, after.encode())].split()
        if words:
            words.sort()
            parts.append(b"\n".join(words))
    return b"\n".join(parts)


def place_in(text: bytes, sought: bytes) -> int:
    """Return the offset of the first word of a sorted list that is equal to or after another."""
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


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that whoever reads it finds the old content or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".lexicon-", delete=False) as file:
        try:
            file.write(content)
            file.close()
            Path(file.name).chmod(0o644)
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def spell(word: str) -> str:
    """Spell a word with tiles (S4): capitals without accents or ligatures; other characters stay."""
    capitals = unicodedata.normalize("NFD", word.upper().translate(LIGATURES))
    return "".join(letter for letter in capitals if not unicodedata.combining(letter))


def own_folder() -> Path:
    """Return the folder of the operator's own lexicons."""
    return Path(os.environ.get("TABLEE_DATA") or "data") / "lexicons"


def files() -> list[Path]:
    """Return the files of all lexicons: the shipped one, then the operator's own, newest first for each name."""
    found = sorted(SHIPPED.glob("*.txt.xz"))
    with suppress(OSError):
        own = [path for path in own_folder().glob("*.txt.xz") if not path.name.startswith(".")]
        found += sorted(own, key=lambda path: (path.name.split(".")[0], -path.stat().st_mtime_ns))
    return found


def ref_of(path: Path) -> str:
    """Return name and hash of a lexicon from the name of its file."""
    return ":".join(path.name.split(".")[:2])


def refs() -> list[str]:
    """Return the lexicons that a host can choose: of each name the corrected version, or else the newest."""
    found = newest()
    chosen = corrected()
    return [chosen.get(name, ref) for name, ref in found.items() if name not in RETIRED]


def newest() -> dict[str, str]:
    """Return the newest version of every list, by name, as far as the dates of files tell."""
    found: dict[str, str] = {}
    for path in files():
        found.setdefault(path.name.split(".")[0], ref_of(path))
    return found


def corrected() -> dict[str, str]:
    """Return the lists that the operator corrected, by name, as `CURRENT_FILE` has them."""
    path = own_folder() / CURRENT_FILE
    try:
        hashes = _read_hashes(path, path.stat().st_mtime_ns)
    except OSError:
        return {}
    return {
        name: ref
        for name, hash in hashes.items()
        if (ref := f"{name}:{hash}") == shipped_ref() or (path.parent / f"{name}.{hash}.txt.xz").exists()
    }


@lru_cache(maxsize=4)
def _read_hashes(path: Path, written: int) -> dict[str, str]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except msgspec.MsgspecError:
        return {}


@cache
def shipped_ref() -> str:
    """Return name and hash of the shipped lexicon, from the name of its file alone."""
    return next(ref for ref in map(ref_of, sorted(SHIPPED.glob("*.txt.xz"))) if ref.startswith(f"{DEFAULT}:"))


def default_ref() -> str:
    """Return name and hash of the lexicon of a new table: the shipped one, with the operator's corrections."""
    return corrected().get(DEFAULT) or shipped_ref()


def lexicon(ref: str = "") -> Lexicon:
    """Return a lexicon by `name:hash`, by name alone, or the default; raise `UnknownLexicon` if there is none."""
    if ":" in ref:
        return by_ref(ref)
    if ref in ("", DEFAULT):
        return by_ref(default_ref())
    return by_ref(corrected().get(ref) or newest().get(ref) or ref)


@cache
def by_ref(ref: str) -> Lexicon:
    paths = [path for path in files() if ref_of(path) == ref]
    if not paths:
        raise UnknownLexicon(f"unknown lexicon {ref[:LONGEST_REF]!r}; this server has {', '.join(refs())}")
    try:
        return Lexicon.read(*paths)
    except BadLexicon as error:
        raise UnknownLexicon(str(error)) from error


def demand(ref: str) -> Lexicon:
    """Return the lexicon that a match or a question names; raise `Missing` if this server does not have it."""
    try:
        return lexicon(ref)
    except UnknownLexicon as error:
        name = ref[:LONGEST_REF].partition(":")[0]
        raise Missing(kind="lexicon", name=name, problem=str(error)) from error


class Reading(Struct, frozen=True):
    """The content of a word list."""

    words: frozenset[str]
    encoding: str
    dropped: int
    """The number of lines that are not a word of 2 to 15 letters, without empty ones."""
    bad: tuple[tuple[int, str], ...]
    """The first of them, with their line numbers."""


def read_list(path: Path) -> Reading:
    """Read an operator's list, one word a line in any spelling (S11); raise `BadLexicon` if it is not valid."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise BadLexicon(f"the file has {size / 1e6:,.0f} MB, but a word list has at most {LARGEST / 1e6:,.0f} MB")
        content = path.read_bytes()
    except OSError as error:
        raise BadLexicon(error.strerror or str(error)) from error
    text, encoding = read_text(content)
    if CONTROL.search(text):
        raise BadLexicon("this is not text: expected a list with one word a line")
    words, bad, lines, dropped = set(), [], 0, 0
    for number, line in enumerate(text.splitlines(), start=1):
        if entry := line.strip():
            lines += 1
            word = spell(entry)
            if WORD.fullmatch(word):
                words.add(word)
            else:
                dropped += 1
                if dropped <= REPORTED:
                    bad.append((number, entry[:40]))
    first = "".join(f"; line {number}: {entry}" for number, entry in bad[:3])
    if not words:
        raise BadLexicon(f"found no word of 2 to 15 letters{first}")
    if 2 * dropped > lines:
        raise BadLexicon(f"{dropped} of its {lines} lines, read as {encoding}, are not 2 to 15 letters{first}")
    return Reading(frozenset(words), encoding, dropped, tuple(bad))


class Lookup(Struct, frozen=True):
    """The entry of a word in a lexicon."""

    lexicon: str
    word: str
    """The word as spelled with tiles."""
    valid: bool
    front: str
    """The letters that form a word in front of it."""
    back: str
    """The letters that form a word behind it."""
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
