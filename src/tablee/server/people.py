"""Names and avatars. Both follow from a person's id until they choose others; only then something is stored.

The name that follows from an id is English if the id begins with `en~`, otherwise French.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Iterable
from hashlib import sha256
from typing import TypeVar

from ..core.game import Refused
from ..store import PersonRow, Store
from ..table import Occupant, PersonId, is_bot
from .identity import ENGLISH
from .moderation import Filter, is_blank, is_seen, with_few_marks

T = TypeVar("T")

AVATARS = 16
LONGEST_NAME = 24
MOST_KNOWN = 50_000
"""People in memory, with a name and without; the others are read from the store when needed."""

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
        self._nameless: dict[PersonId, None] = {}
        """People without anything in the store: most visitors. They need no place among those with a name."""
        self._wanted: set[PersonId] = set()
        """The people that the next read is for."""
        self._awaited: set[PersonId] = set()
        """The people of the read under way, without those who changed since it began."""
        self._next: asyncio.Task[None] | None = None
        self._reading = asyncio.Lock()

    def get(self, id: PersonId) -> PersonRow:
        """Return a person as last loaded, or with the name and avatar that follow from the id."""
        return self._known.get(id) or unnamed(id)

    def know(self, ids: Iterable[PersonId]) -> bool:
        """Whether nobody of these has to be loaded."""
        return all(id in self._known or id in self._nameless for id in ids)

    async def load(self, id: PersonId) -> PersonRow:
        """Return a person from the store."""
        await self.load_all((id,))
        return self.get(id)

    async def load_all(self, ids: Iterable[PersonId]) -> None:
        """Read the people who are not known yet. All who are asked for during a read share the next one."""
        ids = set(ids)
        while unknown := {id for id in ids if id not in self._known and id not in self._nameless}:
            self._wanted |= unknown
            if self._next is None:
                self._next = asyncio.create_task(self._read_wanted())
            await asyncio.shield(self._next)

    async def _read_wanted(self) -> None:
        async with self._reading:
            self._awaited, self._wanted, self._next = self._wanted, set(), None
            found = await self._store.people(list(self._awaited))
            for id in self._awaited.copy():
                self._remember(id, found.get(id))

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
        self._remember(id, new)
        return new

    def clean_guest(self, name: str) -> str:
        """Return the name of a guest as it is shown; raise `Refused` as for a person's name."""
        called = clean(name)
        if self._unwanted.mask(called) != called:
            raise Refused("name_unwanted")
        return called

    async def refresh(self) -> None:
        """Read everyone again who is known, after other servers could not tell about changes."""
        self._nameless.clear()
        for id, row in (await self._store.people(list(self._known))).items():
            self._remember(id, row)

    def forget(self, id: PersonId) -> None:
        self._known.pop(id, None)
        self._nameless.pop(id, None)
        self._awaited.discard(id)

    def _remember(self, id: PersonId, row: PersonRow | None) -> None:
        self.forget(id)
        if row is None:
            _put(self._nameless, id, None)
        else:
            _put(self._known, id, row)


def _put(kept: dict[PersonId, T], id: PersonId, value: T) -> None:
    """Add a value; forget the oldest if there are too many."""
    if len(kept) >= MOST_KNOWN:
        del kept[next(iter(kept))]
    kept[id] = value


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
