"""Names and avatars. Both follow from a person's id until they choose others; only then something is stored.

The name that follows from an id is English if the id begins with `en~`, otherwise French.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from hashlib import sha256

from ..core.game import Refused
from ..store import PersonRow, Store
from ..table import Occupant, PersonId, is_bot
from .identity import ENGLISH
from .moderation import Filter, is_blank, is_seen, with_few_marks

AVATARS = 16
LONGEST_NAME = 24
MOST_KNOWN = 50_000
"""Names in memory; the others are read from the store when needed."""

_ANIMALS = (
    "Blaireau", "Bouvreuil", "Cigogne", "Colibri", "Écureuil", "Geai", "Grillon", "Hérisson", "Hermine", "Hibou",
    "Lièvre", "Loutre", "Lynx", "Martinet", "Mésange", "Moineau", "Mouette", "Panda", "Phoque", "Pie", "Pinson",
    "Renard", "Sittelle", "Tortue",
)  # fmt: skip
_MOODS = (
    "agile", "allègre", "calme", "célèbre", "énergique", "espiègle", "fantasque", "habile", "honnête", "intrépide",
    "lunaire", "magique", "poétique", "rapide", "sage", "sensible", "solaire", "stoïque", "svelte", "tendre",
    "timide", "tranquille", "unique", "volontaire",
)  # fmt: skip
_ENGLISH_ANIMALS = (
    "badger", "beaver", "crane", "cricket", "dolphin", "falcon", "finch", "fox", "hare", "hedgehog", "heron", "jay",
    "koala", "lynx", "magpie", "otter", "owl", "panda", "robin", "seal", "sparrow", "squirrel", "swift", "tortoise",
)  # fmt: skip
_ENGLISH_MOODS = (
    "Agile", "Bold", "Bright", "Calm", "Cheerful", "Clever", "Curious", "Daring", "Dreamy", "Gentle", "Honest", "Jolly",
    "Lively", "Lunar", "Magical", "Merry", "Playful", "Quick", "Quiet", "Shy", "Sunny", "Tender", "Unique", "Wise",
)  # fmt: skip


class People:
    """Everyone known at this moment, by id."""

    def __init__(self, store: Store, unwanted: Filter | None = None) -> None:
        self._store = store
        self._unwanted = unwanted or Filter()
        self._known: dict[PersonId, PersonRow] = {}

    def get(self, id: PersonId) -> PersonRow:
        """Return a person as last loaded, or with the name and avatar that follow from the id."""
        return self._known.get(id) or unnamed(id)

    def know(self, ids: Iterable[PersonId]) -> bool:
        """Whether nobody of these has to be loaded."""
        return all(id in self._known for id in ids)

    async def load(self, id: PersonId) -> PersonRow:
        """Return a person from the store."""
        if id not in self._known:
            row = await self._store.person(id)
            if row is None:
                return unnamed(id)
            self._remember(row)
        return self._known[id]

    async def change(self, id: PersonId, *, name: str | None, avatar: int | None) -> PersonRow:
        """Change a name or an avatar; raise `Refused` if the name is blank or has an unwanted word."""
        self.forget(id)  # another server may have changed it
        old = await self.load(id)
        called = old.name if name is None else clean(name)
        # A person keeps a name that was chosen before the word was unwanted.
        if called != old.name and self._unwanted.mask(called) != called:
            raise Refused("name_unwanted")
        new = PersonRow(id, called, old.avatar if avatar is None else marked(id, avatar))
        await self._store.save_person(new)
        self._remember(new)
        return new

    def clean_guest(self, name: str) -> str:
        """Return the name of a guest as it is shown; raise `Refused` as for a person's name."""
        called = clean(name)
        if self._unwanted.mask(called) != called:
            raise Refused("name_unwanted")
        return called

    async def refresh(self) -> None:
        """Read everyone again who is known, after other servers could not tell about changes."""
        for row in (await self._store.people(list(self._known))).values():
            self._remember(row)

    def forget(self, id: PersonId) -> None:
        self._known.pop(id, None)

    def _remember(self, row: PersonRow) -> None:
        if row.id not in self._known and len(self._known) >= MOST_KNOWN:
            del self._known[next(iter(self._known))]
        self._known[row.id] = row


def face_of(who: Occupant, holder: PersonRow) -> tuple[str, int]:
    """Return the name and avatar of the player on a seat that a person holds: a guest's, or the person's own."""
    if who.guest is None:
        return holder.name, holder.avatar
    return who.guest, (holder.avatar + 1) % AVATARS


def clean(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name without control characters, runs of spaces or marks, and characters that reverse the text."""
    readable = "".join(
        " " if is_blank(char) else char
        for char in with_few_marks(unicodedata.normalize("NFC", name))
        if is_blank(char) or not unicodedata.category(char).startswith("C")
    )
    tidy = " ".join(readable.split())[:longest].strip()
    if not is_seen(tidy):
        raise Refused("bad_request", field="name", problem="a name needs at least one visible character")
    return tidy


def unnamed(id: PersonId) -> PersonRow:
    animal, mood, face, *_ = sha256(id.encode()).digest()
    if id.startswith(ENGLISH):
        name = f"{_ENGLISH_MOODS[mood % len(_ENGLISH_MOODS)]} {_ENGLISH_ANIMALS[animal % len(_ENGLISH_ANIMALS)]}"
    else:
        name = f"{_ANIMALS[animal % len(_ANIMALS)]} {_MOODS[mood % len(_MOODS)]}"
    return PersonRow(id, name, marked(id, face % AVATARS))


def marked(id: PersonId, avatar: int) -> int:
    """Return the avatar of a person; those of bot accounts have numbers from `AVATARS` on, so pages draw them apart."""
    return AVATARS + avatar if is_bot(id) else avatar
