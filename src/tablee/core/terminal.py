"""The contract of a game in the terminal: it draws a view as text and turns keys into actions.

Nothing here knows the library that paints the text. `tablee.terminal` does, and has a board for games without one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from inspect import getfile
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from .chance import SeedChance
from .game import Game, Outcome, Seat

Span = tuple[str, str]
"""Text and its style: one of `STYLES`, or nothing."""
Line = tuple[Span, ...]
STYLES = (
    *("bold", "dim", "cursor", "picked", "target", "last", "warm", "cold", "good", "bad"),
    *("first", "second", "light", "dark", "tile", "double", "triple", "double_word", "triple_word"),
)
"""What a span can be. Without colours only brackets and letters tell these apart, so no board relies on a style."""

DIGITS = dict(zip("&é\"'(-è_çà", "1234567890", strict=True))
"""The upper row of a French keyboard without shift."""


class Position(Struct, frozen=True, dict=True):
    """A moment of a match as one seat sees it."""

    game: Game[Any, Any, Any]
    view: Any
    seat: Seat | None
    """The seat that looks; None is a spectator."""
    names: tuple[str, ...]
    must: tuple[Seat, ...]
    outcome: Outcome | None = None
    ply: int = 0

    @property
    def mine(self) -> bool:
        """Whether the game waits for the seat that looks."""
        return self.seat in self.must

    @cached_property
    def legal(self) -> list[Any]:
        """The legal actions, listed on first use. They depend only on the view, so any imagined state has them."""
        if self.seat is None or self.outcome is not None:
            return []
        return list(self.game.legal_actions(self.state, self.seat))

    @cached_property
    def state(self) -> Any:
        """A state that fits the view."""
        return self.game.imagine(self.view, SeedChance("terminal", self.ply))


class Words:
    """Texts of one language by key, with values in braces."""

    def __init__(self, lang: str, texts: Mapping[str, str]) -> None:
        self.lang = lang
        self._texts = texts

    def __call__(self, key: str, /, **values: object) -> str:
        """Return a text; the key itself if there is none."""
        text = self.find(key, **values)
        return key if text is None else text

    def find(self, key: str, /, **values: object) -> str | None:
        """Return a text, or None if there is none."""
        count = values.get("count")
        plural = f"{key}.{'one' if count == 1 else 'other'}" if isinstance(count, int) else key
        text = self._texts.get(plural, self._texts.get(key))
        if text is None:
            return None
        for name, value in values.items():
            shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            text = text.replace(f"{{{name}}}", shown)
        return text

    def __or__(self, texts: Mapping[str, str]) -> Words:
        """Return these texts and others, which win."""
        return Words(self.lang, {**self._texts, **texts})


def page_texts(folder: Path) -> Mapping[str, Mapping[str, str]]:
    """Return the texts by language in `terminal.json`, if a folder has one: those that the page of the game has too."""
    path = folder / "terminal.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, str]]) if path.is_file() else {}


class Pressed(Struct, frozen=True):
    """What a key did: an action to play, or the reason why it did nothing, or neither."""

    action: Any = None
    problem: str = ""


class NotRead(ValueError):
    """Raised for typed text that is no action; the message is for the player."""


class Drawing:
    """Lines of spans, built from left to right and from top to bottom."""

    def __init__(self) -> None:
        self._lines: list[list[Span]] = [[]]

    def put(self, text: str, style: str = "") -> Drawing:
        """Write at the end of the last line."""
        self._lines[-1].append((text, style))
        return self

    def line(self, text: str = "", style: str = "") -> Drawing:
        """Write the rest of a line."""
        if text:
            self.put(text, style)
        self._lines.append([])
        return self

    def lines(self) -> list[Line]:
        """Return the lines, without an empty one at the end."""
        lines = self._lines if self._lines[-1] else self._lines[:-1]
        return [tuple(line) for line in lines]


class TerminalBoard(ABC):
    """A game in the terminal: the drawing of a position, and the choice that the player is making."""

    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """The texts of the board by language; `words` has them and the general ones."""

    def __init__(self, words: Words, *, plain: bool = False) -> None:
        self.general = words
        """The texts around the board."""
        shared = page_texts(Path(getfile(type(self))).parent).get(words.lang, {})
        self.words = words | shared | self.texts.get(words.lang, {})
        self.plain = plain
        """Draw with ASCII only."""
        self.position: Position

    def show(self, position: Position) -> None:
        """Take a new position; what was chosen in the old one is forgotten."""
        self.position = position
        self.reset()

    @abstractmethod
    def reset(self) -> None:
        """Forget what was chosen."""

    @abstractmethod
    def draw(self, width: int, height: int) -> list[Line]:
        """Draw the position in at most so many columns and lines."""

    @abstractmethod
    def prompt(self) -> str:
        """Say what the player can do now, if it is their turn."""

    def keys(self) -> Sequence[tuple[str, str]]:
        """List the keys that do something now, each with a word or two."""
        return ()

    def help(self) -> Sequence[tuple[str, str]]:
        """List all keys of the board, for the page of help."""
        return self.keys()

    def may_act(self) -> bool:
        """Whether the player can cut in although the game does not wait for them."""
        return False

    def press(self, key: str) -> Pressed | None:
        """Use a key: a character, or `left`, `right`, `up`, `down`, `space`, `tab`, `enter`. None: it has no use."""
        return None

    def read(self, text: str) -> Any:
        """Read an action that the player typed; raise `NotRead`."""
        try:
            return self.position.game.notation.read_action(text.strip())
        except ValueError:
            raise NotRead(self.words("not_read", text=text)) from None

    def describe(self, seat: Seat, action: Any) -> str:
        """Say an action in a few words, for the list of moves."""
        return self.position.game.notation.write_action(action)

    def name(self, seat: Seat) -> str:
        """Return the name of a player, or « vous »."""
        return self.words("you") if seat == self.position.seat else self.position.names[seat]


SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def card_text(card: str, words: Words, plain: bool) -> str:
    """Return a card of the 52 as a player of that language writes it: `D♥` in French, `Q♥` in English."""
    ranks = {"T": "10", **({"J": "V", "Q": "D", "K": "R"} if words.lang == "fr" else {})}
    letters = {"S": "P", "H": "C", "D": "K", "C": "T"} if words.lang == "fr" else {}
    suit = letters.get(card[1], card[1]).lower() if plain else SUITS[card[1]]
    return ranks.get(card[0], card[0]) + suit


def card_style(card: str) -> str:
    return "warm" if card[1] in "HD" else "cold"
