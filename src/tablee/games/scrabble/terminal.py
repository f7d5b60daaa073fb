"""Scrabble in the terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, ClassVar

from ...core.game import Seat
from ...core.terminal import Drawing, Line, NotRead, Pressed, TerminalBoard
from .board import CENTRE, EMPTY, LINES, PLACES, PREMIUMS, SIZE, letters_of, name_of, value_of, word_around
from .values import Accept, Challenge, Exchange, Pass, Place, View

FRENCH = {
    "bag": "Sac {bag}",
    "left": "parti",
    "prompt.play": "À vous : H8 MAISON, ou la case aux flèches et le mot. Minuscule : joker.",
    "prompt.first": "À vous : le premier mot passe par l’étoile, comme H8 MAISON.",
    "prompt.contest": "{name} joue {word} pour {score} : a accepte, c conteste.",
    "prompt.wait": "Votre coup attend les réponses.",
    "key.square": "case",
    "key.turn": "sens",
    "key.accept": "accepter",
    "key.contest": "contester",
    "key.word": "horizontal ; 8H MAISON : vertical ; minuscule : joker",
    "key.exchange": "échanger ces jetons (? : joker)",
    "key.pass": "passer son tour",
    "exchange": "échange",
    "pass": "passe",
    "say.place": "{at} {word}",
    "say.exchange.one": "échange de {count} jeton",
    "say.exchange.other": "échange de {count} jetons",
    "say.pass": "passe",
    "say.accept": "coup accepté",
    "say.contest": "coup contesté",
    "last": "{name} : {word}, {score} points",
    "withdrawn": "{name} : {word} retiré, pas dans le lexique : {invalid}",
    "no_cursor": "Dites aussi la case, comme H8 MAISON, ou choisissez-la avec les flèches.",
    "across": "horizontal",
    "down": "vertical",
}
ENGLISH = {
    "bag": "Bag {bag}",
    "left": "gone",
    "prompt.play": "Your turn: H8 MAISON, or a square by arrows and the word. Lower case: joker.",
    "prompt.first": "Your turn: the first word covers the star, such as H8 MAISON.",
    "prompt.contest": "{name} plays {word} for {score}: a accepts, c contests.",
    "prompt.wait": "Your play waits for the answers.",
    "key.square": "square",
    "key.turn": "direction",
    "key.accept": "accept",
    "key.contest": "contest",
    "key.word": "across; 8H MAISON: down; lower case: joker",
    "key.exchange": "exchange these tiles (? is a joker)",
    "key.pass": "pass the turn",
    "exchange": "exchange",
    "pass": "pass",
    "say.place": "{at} {word}",
    "say.exchange.one": "exchange of {count} tile",
    "say.exchange.other": "exchange of {count} tiles",
    "say.pass": "pass",
    "say.accept": "play accepted",
    "say.contest": "play contested",
    "last": "{name}: {word}, {score} points",
    "withdrawn": "{name}: {word} withdrawn, not in the word list: {invalid}",
    "no_cursor": "Give the square too, as in H8 MAISON, or choose it with the arrows.",
    "across": "across",
    "down": "down",
}
SQUARES = {"d": (" ' ", "double"), "t": (' " ', "triple"), "D": (" = ", "double_word"), "T": (" # ", "triple_word")}
"""The signs of the premiums: two and three times a letter, two and three times a word."""
LOW_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
AT_SQUARE = re.compile(r"([A-Oa-o]\d{1,2}|\d{1,2}[A-Oa-o])\s+(\S+)")


class ScrabbleBoard(TerminalBoard):
    texts: ClassVar = {"fr": FRENCH, "en": ENGLISH}
    cursor: int | None = None
    down = False

    @property
    def view(self) -> View:
        view: View = self.position.view
        return view

    def reset(self) -> None:
        pass  # the cursor stays while others play

    def draw(self, width: int, height: int) -> list[Line]:
        view = self.view
        drawing = Drawing()
        drawing.line("   " + "".join(f"{column:^3}" for column in range(1, SIZE + 1)), "dim")
        fresh = self._fresh()
        for row, letters in enumerate(view.board):
            drawing.put(f" {chr(ord('A') + row)} ", "dim")
            for column, letter in enumerate(letters):
                self._square(drawing, row * SIZE + column, letter, fresh)
            drawing.line()
        self._rack(drawing)
        drawing.line("  ".join(self._score(seat) for seat in range(len(view.scores))), "bold")
        if view.last is not None:
            drawing.line(self._last())
        return drawing.lines()

    def _square(self, drawing: Drawing, square: int, letter: str, fresh: set[int]) -> None:
        sign, style = SQUARES.get(PREMIUMS[square], (" · " if not self.plain else " . ", "dim"))
        if square == CENTRE:
            sign = " * "
        if letter != EMPTY:
            sign = f"({letter.upper()})" if letter.islower() else f" {letter} "
            style = "picked" if square in fresh else "tile"
        if square == self.cursor:
            arrow = ("v" if self.down else ">") if self.plain else ("↓" if self.down else "→")
            sign, style = f"[{sign[1] if letter != EMPTY else arrow}]", "cursor"
        drawing.put(sign, style)

    def _fresh(self) -> set[int]:
        """Return the squares of the last play."""
        last = self.view.last
        if last is None or last.withdrawn:
            return set()
        number, place = PLACES[last.play.at]
        squares = LINES[number].squares[place:]
        return {square for square, tile in zip(squares, last.play.tiles, strict=False) if tile != EMPTY}

    def _rack(self, drawing: Drawing) -> None:
        drawing.put(f"{self.words('bag', bag=self.view.bag)}  ", "dim")
        for tile in self.view.rack:
            value = str(value_of(tile))
            sign = f" {tile}{value if self.plain else value.translate(LOW_DIGITS)} "
            drawing.put(sign, "tile").put(" ")
        drawing.line()

    def _score(self, seat: Seat) -> str:
        gone = f" ({self.words('left')})" if seat in self.view.left else ""
        longest = 14 if len(self.view.scores) == 2 else 7
        return f"{self.name(seat)[:longest]} {self.view.scores[seat]}{gone}"

    def _last(self) -> str:
        last = self.view.last
        assert last is not None
        name, word = self.name(last.seat), last.play.word.upper()
        if last.withdrawn:
            return self.words("withdrawn", name=name, word=word, invalid=", ".join(last.invalid))
        return self.words("last", name=name, word=word, score=last.play.score)

    def prompt(self) -> str:
        view = self.view
        if view.pending is not None:
            play = view.pending.play
            name = self.name(view.pending.seat)
            return self.words("prompt.contest", name=name, word=play.word.upper(), score=play.score)
        return self.words("prompt.first" if view.board[SIZE // 2][SIZE // 2] == EMPTY else "prompt.play")

    def keys(self) -> Sequence[tuple[str, str]]:
        words = self.words
        if self.view.pending is not None:
            return (("a", words("key.accept")), ("c", words("key.contest"))) if self.position.mine else ()
        return (("← ↑ ↓ →", words("key.square")), ("Tab", words("key.turn")))

    def help(self) -> Sequence[tuple[str, str]]:
        words = self.words
        typed = (f"{words('exchange')} AE?", words("key.exchange")), (words("pass"), words("key.pass"))
        contest = ("a", words("key.accept")), ("c", words("key.contest"))
        cursor = ("← ↑ ↓ →", words("key.square")), ("Tab", words("key.turn"))
        return (("H8 MAISON", words("key.word")), *typed, *cursor, *contest)

    def press(self, key: str) -> Pressed | None:
        if self.view.pending is not None and self.position.mine:
            return {"a": Pressed(Accept()), "c": Pressed(Challenge())}.get(key)
        if key == "tab":
            self.down = not self.down
            return Pressed()
        if key in ("left", "right", "up", "down"):
            self._move_cursor(key)
            return Pressed()
        return None

    def _move_cursor(self, key: str) -> None:
        if self.cursor is None:
            self.cursor = CENTRE
            return
        row, column = divmod(self.cursor, SIZE)
        row += {"up": -1, "down": 1}.get(key, 0)
        column += {"left": -1, "right": 1}.get(key, 0)
        self.cursor = row % SIZE * SIZE + column % SIZE

    def read(self, text: str) -> Any:
        typed = " ".join(unaccented(text).split())
        first, _, rest = typed.partition(" ")
        if first.lower() in (unaccented(self.words("exchange")), "exchange") and rest:
            return Exchange("".join(sorted(rest.upper().replace(" ", ""))))
        if typed.lower() in (self.words("pass"), "pass"):
            return Pass()
        found = AT_SQUARE.fullmatch(typed)
        if found is not None:
            return self._place(found[1].upper(), found[2])
        if not re.fullmatch("[A-Za-z]+", typed):
            raise NotRead(self.words("not_read", text=text))
        if self.cursor is None:
            raise NotRead(self.words("no_cursor"))
        return self._place(name_of(self.cursor, self.down), typed)

    def _place(self, at: str, word: str) -> Place:
        """Return a play. A word all in lower case is meant in capitals, unless the rack needs a joker for it."""
        if at not in PLACES or not re.fullmatch("[A-Za-z]{1,15}", word):
            raise NotRead(self.words("not_read", text=f"{at} {word}"))
        number, place = PLACES[at]
        letters = letters_of("".join(self.view.board), number)
        spelled = word if any(letter.isupper() for letter in word) else word.upper()
        if place and letters[place - 1] != EMPTY:  # the word continues letters on the board
            start = word_around(letters, place)[0]
            at, spelled, place = LINES[number].names[start], letters[start:place] + spelled, start
        there = letters[place : place + len(spelled)].ljust(len(spelled), EMPTY)
        # A joker on the board stays in lower case, however it is typed.
        pairs = zip(there, spelled, strict=True)
        return Place(at, "".join(old if old.upper() == new.upper() else new for old, new in pairs))

    def describe(self, seat: Seat, action: Any) -> str:
        match action:
            case Place(at, word):
                return self.words("say.place", at=at, word=word)
            case Exchange(tiles):
                return self.words("say.exchange", count=len(tiles))
            case Pass():
                return self.words("say.pass")
            case Accept():
                return self.words("say.accept")
            case Challenge():
                return self.words("say.contest")
        return super().describe(seat, action)


def unaccented(text: str) -> str:
    """Return a text without accents: the tiles have none."""
    return "".join(one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one))
