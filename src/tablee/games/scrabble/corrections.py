"""Words that players report, and the corrected lists that the operator makes of them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ...core.game import Refused
from ...core.package import Corrections
from .lexicon import (
    CURRENT_FILE,
    DEFAULT,
    RETIRED,
    WORD,
    Lexicon,
    by_ref,
    demand,
    lexicon,
    newest,
    own_folder,
    shipped_ref,
    spell,
    write_atomically,
)


def check_report(list: str, entry: str, wanted: bool) -> tuple[str, str]:
    """Return the name of the list and the word as tiles spell it; refuse what would change nothing."""
    name = demand(list).name
    name = DEFAULT if name in RETIRED else name
    word = spell(entry.strip())
    if not WORD.fullmatch(word):
        raise Refused("not_reportable", word=word[:15])
    if (word in lexicon(name)) == wanted:
        raise Refused("already_so", word=word)
    return name, word


def correct(name: str, accepted: Mapping[str, bool]) -> str:
    """Write the list with these words added or left out, choose it for new matches, and return its name and hash."""
    base = by_ref(shipped_ref() if name == DEFAULT else newest()[name])
    added = {word for word, wanted in accepted.items() if wanted}
    made = Lexicon(name, (set(base.words) | added) - (accepted.keys() - added))
    if made.ref != shipped_ref() and not (own_folder() / f"{name}.{made.hash}.txt.xz").exists():
        made.write(own_folder())
    choose(name, made.hash)
    return made.ref


def choose(name: str, hash: str | None) -> None:
    """Choose the version of a list for new matches; None leaves it to the newest file."""
    path = own_folder() / CURRENT_FILE
    try:
        hashes = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        hashes = {}
    before = dict(hashes)
    hashes.pop(name, None)
    if hash is not None:
        hashes[name] = hash
    if hashes != before:
        write_atomically(path, msgspec.json.encode(hashes, order="sorted"))


CORRECTIONS = Corrections(check=check_report, apply=correct)
