"""The words of notifications and e-mails, in French and English. They say the game, the opponents and « à vous »."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from ..core.discover import games
from ..store.notifications import Lang
from ..table import Table
from .people import People

Key = Literal["turn", "against", "and", "computer"]

WORDS: dict[Lang, dict[Key, str]] = {
    "fr": {"turn": "À vous\u202f: {game}", "against": "Contre {names}", "and": " et ", "computer": "l’ordinateur"},
    "en": {"turn": "Your turn: {game}", "against": "Against {names}", "and": " and ", "computer": "the computer"},
}


class WaitingTable(Struct, frozen=True):
    """A table that waits for a person, as a message may name it."""

    code: str
    game: str
    opponents: tuple[str | None, ...]
    """The names of the others in the order of their seats; None is a bot."""

    def title(self, lang: Lang) -> str:
        return WORDS[lang]["turn"].format(game=game_name(self.game, lang))

    def against(self, lang: Lang) -> str:
        """Name the opponents; several bots are named once."""
        words = WORDS[lang]
        names = list(dict.fromkeys(name or words["computer"] for name in self.opponents))
        return words["against"].format(names=listed(names, words["and"]))


def waiting_table(table: Table, person: str, people: People) -> WaitingTable:
    """Describe a table to a person whose turn it is; nothing of the match itself is told."""
    others = [who for who in table.seats if who is not None and who.person != person]
    names = tuple(None if who.person is None else people.get(who.person).name for who in others)
    return WaitingTable(table.code, table.game.info.key, names)


def game_name(key: str, lang: Lang) -> str:
    package = games().get(key)
    return key if package is None else package.names.get(lang, key)


def listed(names: Sequence[str], last: str) -> str:
    """Join names as a sentence does: « Zoé, Anne et Luc »."""
    return last.join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
