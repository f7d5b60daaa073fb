"""The words of notifications and e-mails in French and English: the game, the opponents, « à vous » or the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from ..core.discover import games
from ..core.game import Cause
from ..store.notifications import Lang
from ..table import Table
from .people import People

About = Literal["turn", "won", "lost", "drawn", "over"]
"""Why a person is told about a table: it is their turn, or their match over days has ended."""
Key = Literal[About, "against", "and", "computer", "on_time"]
CLOCKS = (Cause.CLOCK, Cause.PLAYER_CLOCK, Cause.MATCH_CLOCK)

WORDS: dict[Lang, dict[Key, str]] = {
    "fr": {
        "turn": "À vous\u202f: {game}",
        "won": "Partie gagnée\u202f: {game}",
        "lost": "Partie perdue\u202f: {game}",
        "drawn": "Partie nulle\u202f: {game}",
        "over": "Partie finie\u202f: {game}",
        "against": "Contre {names}",
        "on_time": "{against}, au temps",
        "and": " et ",
        "computer": "l’ordinateur",
    },
    "en": {
        "turn": "Your turn: {game}",
        "won": "You won: {game}",
        "lost": "You lost: {game}",
        "drawn": "A draw: {game}",
        "over": "The match is over: {game}",
        "against": "Against {names}",
        "on_time": "{against}, on time",
        "and": " and ",
        "computer": "the computer",
    },
}


class TableNotice(Struct, frozen=True):
    """What a message tells a person about a table."""

    code: str
    game: str
    opponents: tuple[str | None, ...]
    """The names of the others in the order of their seats; None is a bot."""
    about: About = "turn"
    on_time: bool = False
    """Whether a clock ended the match."""

    def title(self, lang: Lang) -> str:
        return WORDS[lang][self.about].format(game=game_name(self.game, lang))

    def against(self, lang: Lang) -> str:
        """Name the opponents; several bots are named once."""
        words = WORDS[lang]
        names = list(dict.fromkeys(name or words["computer"] for name in self.opponents))
        against = words["against"].format(names=listed(names, words["and"]))
        return words["on_time"].format(against=against) if self.on_time else against


def table_notice(table: Table, person: str, people: People) -> TableNotice:
    """Describe a table to a person whose turn it is or whose match is over; nothing else of the match is told."""
    is_over = table.status == "over"
    others = [who for who in (table.players if is_over else table.seats) if who is not None and who.person != person]
    names = tuple(None if who.person is None else people.get(who.person).name for who in others)
    about = result_for(table, person) if is_over else "turn"
    last = table.match.steps[-1] if is_over and table.match is not None and table.match.steps else None
    return TableNotice(table.code, table.game.info.key, names, about, last is not None and last.cause in CLOCKS)


def result_for(table: Table, person: str) -> About:
    """Say how the match ended for a person; with more than two players, who did not win did not simply lose."""
    seats = [seat for seat, who in enumerate(table.players) if who is not None and who.person == person]
    if table.outcome is None or len(seats) != 1:
        return "over"
    places = table.outcome.places
    if len(set(places)) == 1:
        return "drawn"
    if places[seats[0]] == 1:
        return "won"
    return "lost" if len(places) == 2 else "over"


def game_name(key: str, lang: Lang) -> str:
    package = games().get(key)
    return key if package is None else package.names.get(lang, key)


def listed(names: Sequence[str], last: str) -> str:
    """Join names as a sentence does: « Zoé, Anne et Luc »."""
    return last.join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
