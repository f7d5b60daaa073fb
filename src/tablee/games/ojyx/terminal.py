"""Ojyx in the terminal: a choice is made part by part, from what is legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...core.game import Seat
from ...core.terminal import Drawing, Line, NotRead, Position, Pressed, TerminalBoard
from .values import (
    Choose,
    Discard,
    Draw,
    EndTurn,
    Place,
    Play,
    React,
    Store,
    Throw,
    TurnUp,
    View,
    Vote,
)

FRENCH = {
    "manche": "Manche {manche}",
    "points": "{points} pts, total {total}",
    "piles": "Pioche {deck}  Défausse {discard}  Actions {actions}",
    "held": "En main : {card}",
    "stock": "Gardées : {cards}",
    "attack": "{name} vous attaque : {card}",
    "ending": "Dernier tour",
    "gone": "parti",
    "frozen": "gelé",
    "shielded": "protégé",
    "prompt.choose": "Choisissez deux cartes à retourner.",
    "prompt.menu": "À vous : un numéro ou les flèches, puis Entrée.",
    "prompt.cell": "Quelle place de {name} ? Flèches ou 1-12, puis Entrée.",
    "prompt.again": "Et la seconde ?",
    "kind.choose": "Retourner",
    "kind.draw.deck": "Piocher",
    "kind.draw.discard": "Prendre la défausse ({card})",
    "kind.draw.action": "Carte action",
    "kind.place": "Poser sur votre grille",
    "kind.discard": "Défausser",
    "kind.turn": "Retourner une carte cachée",
    "kind.store": "Garder {card}",
    "kind.play": "Jouer {card}",
    "kind.throw": "Jeter {card}",
    "kind.react.accept": "Laisser faire",
    "kind.react.shield": "Bouclier",
    "kind.react.mirror": "Miroir",
    "kind.end": "Finir le tour",
    "kind.vote.on": "Encore une manche",
    "kind.vote.stop": "Arrêter là",
    "kind.vote.follow": "Comme les autres",
    "column": "Colonne {column}",
    "order": "Ordre {order}",
    "key.menu": "choisir",
    "key.cell": "place",
    "say.choose": "choix fait",
    "say.draw.deck": "pioche",
    "say.draw.discard": "défausse prise",
    "say.draw.action": "carte action",
    "say.place": "pose en {cell}",
    "say.discard": "défausse",
    "say.turn": "place {cell} retournée",
    "say.store": "carte gardée",
    "say.play": "{card}{target}",
    "say.target": " > {name}",
    "say.throw": "{card} jetée",
    "say.accept": "pas de réponse",
    "say.shield": "bouclier",
    "say.mirror": "miroir",
    "say.end": "fin du tour",
    "say.vote": "vote",
}
ENGLISH = {
    "manche": "Round {manche}",
    "points": "{points} pts, total {total}",
    "piles": "Deck {deck}  Discard {discard}  Actions {actions}",
    "held": "In hand: {card}",
    "stock": "Kept: {cards}",
    "attack": "{name} attacks you: {card}",
    "ending": "Last lap",
    "gone": "gone",
    "frozen": "frozen",
    "shielded": "shielded",
    "prompt.choose": "Choose two cards to turn.",
    "prompt.menu": "Your turn: a number or the arrows, then Enter.",
    "prompt.cell": "Which place of {name}? Arrows or 1-12, then Enter.",
    "prompt.again": "And the second one?",
    "kind.choose": "Turn",
    "kind.draw.deck": "Draw",
    "kind.draw.discard": "Take the discard ({card})",
    "kind.draw.action": "Action card",
    "kind.place": "Put it on your grid",
    "kind.discard": "Discard it",
    "kind.turn": "Turn a hidden card",
    "kind.store": "Keep {card}",
    "kind.play": "Play {card}",
    "kind.throw": "Throw {card}",
    "kind.react.accept": "Let it happen",
    "kind.react.shield": "Shield",
    "kind.react.mirror": "Mirror",
    "kind.end": "End the turn",
    "kind.vote.on": "Another round",
    "kind.vote.stop": "Stop here",
    "kind.vote.follow": "As the others",
    "column": "Column {column}",
    "order": "Order {order}",
    "key.menu": "choose",
    "key.cell": "place",
    "say.choose": "choice made",
    "say.draw.deck": "draw",
    "say.draw.discard": "discard taken",
    "say.draw.action": "action card",
    "say.place": "placed at {cell}",
    "say.discard": "discard",
    "say.turn": "place {cell} turned",
    "say.store": "card kept",
    "say.play": "{card}{target}",
    "say.target": " > {name}",
    "say.throw": "{card} thrown",
    "say.accept": "no answer",
    "say.shield": "shield",
    "say.mirror": "mirror",
    "say.end": "end of turn",
    "say.vote": "vote",
}
CELLS, COLUMNS, ROWS = 12, 4, 3
CELL = 4
GRID = CELL * COLUMNS
PARTS = ("seat", "cell", "cells", "target_cell", "column", "order")
"""The parts of an action that are chosen one after the other, after its kind."""


class OjyxBoard(TerminalBoard):
    """A choice narrows the legal actions down: first the kind of action, then its target, its cells and so on."""

    texts: ClassVar = {"fr": FRENCH, "en": ENGLISH}
    left: list[Any]
    """The legal actions that fit what was chosen."""
    first_cell: int | None = None
    """The first of two cells."""
    cursor = 0
    """The place in the choices."""

    @property
    def view(self) -> View:
        view: View = self.position.view
        return view

    def show(self, position: Position) -> None:
        """Keep a choice that is under way while others make theirs."""
        before: list[Any] = self.position.legal if hasattr(self, "position") else []
        self.position = position
        if not before or before != position.legal:
            self.reset()

    def reset(self) -> None:
        self.left, self.first_cell, self.cursor = list(self.position.legal), None, 0
        self._skip_single()

    # What can be chosen next

    def part(self) -> str:
        """Return the part of the action that is chosen next: `kind`, a field, or nothing if one action is left."""
        if len({self.kind(action) for action in self.left}) > 1:
            return "kind"
        for part in PARTS:
            if len({getattr(action, part, None) for action in self.left}) > 1:
                return part
        return ""

    def choices(self) -> list[tuple[Any, str]]:
        """Return the values of the next part with their labels, in the order of the legal actions."""
        part = self.part()
        if part == "kind":
            return list({self.kind(action): self.label(action) for action in self.left}.items())
        if part == "cells":
            pairs = [set(action.cells) for action in self.left]
            return [(cell, str(cell + 1)) for cell in sorted(set().union(*pairs) - {self.first_cell})]
        values = dict.fromkeys(getattr(action, part) for action in self.left) if part else {}
        return [(value, self.part_label(part, value)) for value in values]

    def part_label(self, part: str, value: Any) -> str:
        if part == "seat":
            return self.name(value)
        if part == "column":
            return self.words("column", column=value + 1)
        if part == "order":
            return self.words("order", order=" ".join(str(self.view.top[at]) for at in value))
        return str(value + 1) if isinstance(value, int) else "–"

    def choose(self, value: Any) -> None:
        """Keep the actions that fit a choice."""
        part = self.part()
        if part == "kind":
            self.left = [action for action in self.left if self.kind(action) == value]
        elif part == "cells":
            self.first_cell = value
            self.left = [action for action in self.left if value in action.cells]
        else:
            self.left = [action for action in self.left if getattr(action, part) == value]
        self.cursor = 0
        self._skip_single()

    def _skip_single(self) -> None:
        """Put the cursor on a cell of the grid if cells are chosen, so that arrows move on it."""
        if self.part() in ("cell", "cells", "target_cell"):
            self.cursor = min((value for value, _ in self.choices() if isinstance(value, int)), default=0)

    def on_grid(self) -> Seat | None:
        """Return the seat on whose grid the next part lies."""
        part = self.part()
        if part in ("cell", "cells") and self.left:
            return self.position.seat
        if part == "target_cell":
            if isinstance(self.left[0], React):
                return None if self.view.attack is None else self.view.attack.seat
            target = getattr(self.left[0], "seat", None)
            return target if isinstance(target, int) else None
        return None

    def kind(self, action: Any) -> tuple[str, str]:
        """Return what the player chooses first: the type of an action, and its card or source."""
        match action:
            case Draw(source):
                return "draw", source
            case Play(card) | Throw(card):
                return type(action).__name__.lower(), card
            case React(answer):
                return "react", answer
            case Vote(go_on):
                return "vote", {True: "on", False: "stop", None: "follow"}[go_on]
        return type(action).__name__.lower(), ""

    def label(self, action: Any) -> str:
        words = self.words
        match action:
            case Draw(source):
                return words(f"kind.draw.{source}", card=self.number(self.view.discard))
            case Play(card):
                return words("kind.play", card=self.card(card))
            case Throw(card):
                return words("kind.throw", card=self.card(card))
            case Store():
                held = self.view.held
                return words("kind.store", card=self.card(held.action) if held and held.action else "")
            case React(answer):
                return words(f"kind.react.{answer}")
            case Vote():
                return words(f"kind.vote.{self.kind(action)[1]}")
        kinds: dict[Any, str] = {Choose: "choose", Place: "place", Discard: "discard", TurnUp: "turn", EndTurn: "end"}
        return words(f"kind.{kinds[type(action)]}")

    def card(self, card: str) -> str:
        return self.words.find(f"card.{card}") or card

    def number(self, card: int | None) -> str:
        return "–" if card is None else str(card)

    # The drawing

    def draw(self, width: int, height: int) -> list[Line]:
        view, words = self.view, self.words
        drawing = Drawing()
        drawing.put(words("manche", manche=view.manche), "bold")
        piles = words("piles", deck=view.deck, discard=self.number(view.discard), actions=view.action_deck)
        drawing.line(f"  {piles}", "dim")
        per_row = max(1, (width + 2) // (GRID + 2))
        seats = self._order()
        for first in range(0, len(seats), per_row):
            self._grids(drawing, seats[first : first + per_row])
        self._hand(drawing, width)
        if self.position.legal and self.on_grid() is None:
            self._menu(drawing, width)
        return drawing.lines()

    def _order(self) -> list[Seat]:
        """Return the seats, the player's own first."""
        count, me = len(self.view.seats), self.position.seat or 0
        return [(me + at) % count for at in range(count)]

    def _grids(self, drawing: Drawing, seats: Sequence[Seat]) -> None:
        for seat in seats:
            active = seat in self.view.waiting
            name = f"{'>' if active else ' '}{self.name(seat)[:11]} {self._notes(seat)}"
            drawing.put(f"{name[:GRID]:<{GRID}}  ", "last" if active else "bold")
        drawing.line()
        for row in range(ROWS):
            for seat in seats:
                for column in range(COLUMNS):
                    self._cell(drawing, seat, row * COLUMNS + column)
                drawing.put(" " * (GRID - CELL * COLUMNS + 2))
            drawing.line()
        for seat in seats:
            one = self.view.seats[seat]
            points = self.words("points", points=one.points, total=one.total)
            drawing.put(f"{points[:GRID]:<{GRID}}  ", "dim")
        drawing.line()

    def _notes(self, seat: Seat) -> str:
        one, words = self.view.seats[seat], self.words
        notes = [words("gone")] if one.gone else []
        notes += [words("frozen")] if one.frozen else []
        notes += [words("shielded")] if one.shielded else []
        return " ".join([*notes, "*" * one.stock])

    def _cell(self, drawing: Drawing, seat: Seat, cell: int) -> None:
        one = self.view.seats[seat]
        value = one.cells[cell]
        known = next((peeked.card for peeked in one.peeked if peeked.cell == cell), None)
        text, style = str(value), "tile"
        if value == "empty":
            text, style = "", ""
        elif value == "hidden":
            back = "##" if self.plain else "▒▒"
            text, style = (back, "dim") if known is None else (f"({known})", "dim")
        elif isinstance(value, int) and value <= 0:
            style = "good"
        if self.position.legal and seat == self.on_grid() and cell == self.cursor:
            drawing.put(f"[{text:^2}]"[:CELL], "cursor")
        elif seat == self.position.seat and cell == self.first_cell:
            drawing.put(f"<{text:^2}>"[:CELL], "picked")
        else:
            drawing.put(f"{text:^3}", style).put(" ")

    def _hand(self, drawing: Drawing, width: int) -> None:
        view, words = self.view, self.words
        held, parts = view.held, [(words("ending"), "bad")] if view.ending else []
        if held is not None and (held.card is not None or held.action is not None):
            card = self.number(held.card) if held.action is None else self.card(held.action)
            parts.append((words("held", card=card), "target"))
        if view.attack is not None and view.attack.target == self.position.seat:
            text = words("attack", name=self.name(view.attack.seat)[:8], card=self.card(view.attack.card))
            parts.append((text, "bad"))
        if view.stock:
            parts.append((words("stock", cards=", ".join(map(self.card, view.stock))), "last"))
        flow(drawing, [(f"{text}   ", style) for text, style in parts], width)

    def _menu(self, drawing: Drawing, width: int) -> None:
        parts = []
        for at, (_, label) in enumerate(self.choices()):
            left, right = "[]" if at == self.cursor else "  "
            parts.append((f"{left}{at + 1} {label}{right}", "cursor" if at == self.cursor else ""))
        flow(drawing, parts, width)

    # What the player does

    def may_act(self) -> bool:
        return bool(self.position.legal)

    def prompt(self) -> str:
        words = self.words
        if self.first_cell is not None:
            return words("prompt.again")
        if self.view.stage == "choose":
            return words("prompt.choose")
        grid = self.on_grid()
        return words("prompt.menu") if grid is None else words("prompt.cell", name=self.name(grid))

    def keys(self) -> Sequence[tuple[str, str]]:
        if not self.position.legal:
            return ()
        words = self.words
        if self.on_grid() is not None:
            return (("← ↑ ↓ → 1-12", words("key.cell")), (words("enter"), words("key.play")))
        return (("1-9 ← →", words("key.menu")), (words("enter"), words("key.play")))

    def press(self, key: str) -> Pressed | None:
        if not self.position.legal:
            return None
        on_grid = self.on_grid() is not None
        choices = self.choices()
        if key == "enter":
            return self._take(self.cursor if on_grid else choices[self.cursor][0] if choices else None)
        if key in ("left", "right", "up", "down"):
            step = {"left": -1, "right": 1, "up": -COLUMNS, "down": COLUMNS}[key]
            self.cursor = (self.cursor + step) % (CELLS if on_grid else max(1, len(choices)))
            return Pressed()
        if key.isdecimal() and not on_grid and 1 <= int(key) <= len(choices):
            return self._take(choices[int(key) - 1][0])
        return None

    def _take(self, value: Any) -> Pressed:
        """Choose a value; play the action as soon as it is the only one left."""
        if self.part():
            if value not in [one for one, _ in self.choices()]:
                return Pressed(problem=self.words("refusals.not_legal"))
            self.choose(value)
        if self.part():
            return Pressed()
        action = self.left[0]
        self.reset()
        return Pressed(action)

    def read(self, text: str) -> Any:
        """Read the number of a choice or of a cell, or the game's notation; a choice that is not complete is taken."""
        typed = text.strip()
        if typed.isdecimal() and self.position.legal:
            on_grid, choices = self.on_grid() is not None, self.choices()
            values = [value for value, _ in choices]
            value = int(typed) - 1 if on_grid else values[int(typed) - 1] if 1 <= int(typed) <= len(values) else None
            pressed = self._take(value)
            if pressed.action is None:
                raise NotRead(pressed.problem)
            return pressed.action
        return super().read(text)

    def describe(self, seat: Seat, action: Any) -> str:
        words = self.words
        match action:
            case Draw(source):
                return words(f"say.draw.{source}")
            case Place(cell):
                return words("say.place", cell=cell + 1)
            case TurnUp(cell):
                return words("say.turn", cell=cell + 1)
            case Play(card):
                target = "" if action.seat is None else words("say.target", name=self.name(action.seat))
                return words("say.play", card=self.card(card), target=target)
            case Throw(card):
                return words("say.throw", card=self.card(card))
            case React(answer):
                return words(f"say.{answer}")
        kinds: dict[Any, str] = {Choose: "choose", Discard: "discard", Store: "store", EndTurn: "end", Vote: "vote"}
        return words(f"say.{kinds[type(action)]}") if type(action) in kinds else super().describe(seat, action)


def flow(drawing: Drawing, parts: Sequence[tuple[str, str]], width: int) -> None:
    """Write parts one after the other, and go to the next line before one that would pass the width."""
    used = 0
    for text, style in parts:
        if used and used + len(text.rstrip()) > width:
            drawing.line()
            used = 0
        drawing.put(text, style)
        used += len(text)
    drawing.line()
