"""Dames in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...core.game import Seat
from ...core.terminal import Drawing, Line, NotRead, Pressed, TerminalBoard
from .board import Board
from .notation import position_of, read_move
from .rules import board_of
from .values import BLACK, RED, AcceptDraw, DeclineDraw, Flag, LoseTurn, Move, OfferDraw, Resign, State

FRENCH = {
    "red": "Rouges",
    "black": "Noirs",
    "side": "{side} : {name}",
    "points.one": "{count} point",
    "points.other": "{count} points",
    "pieces": "{men} pions, {kings} dames",
    "prompt.take.one": "À vous : il faut prendre {count} pièce.",
    "prompt.take.other": "À vous : il faut prendre {count} pièces.",
    "prompt.move": "À vous : choisissez une pièce, ou écrivez le coup, comme 32-28.",
    "prompt.where": "Choisissez la case d’arrivée.",
    "prompt.offered": "La nulle est proposée : o accepte, n refuse.",
    "no_piece": "Cette pièce ne peut pas jouer.",
    "no_way": "Cette pièce ne peut pas aller là.",
    "key.cursor": "déplacer",
    "key.pick": "choisir",
    "key.draw": "proposer nulle",
    "key.accept": "accepter",
    "key.decline": "refuser",
    "draw": "nulle",
    "say.resign": "abandon",
    "say.offer": "nulle proposée",
    "say.accept": "nulle acceptée",
    "say.decline": "nulle refusée",
    "say.lost": "tour perdu",
    "say.flag": "temps écoulé",
    "yes": "o",
    "no": "n",
    "last": "Dernier coup : {move}",
}
ENGLISH = {
    "red": "Red",
    "black": "Black",
    "side": "{side}: {name}",
    "points.one": "{count} point",
    "points.other": "{count} points",
    "pieces": "{men} men, {kings} kings",
    "prompt.take.one": "Your turn: {count} piece must be taken.",
    "prompt.take.other": "Your turn: {count} pieces must be taken.",
    "prompt.move": "Your turn: choose a piece, or type the move, such as 32-28.",
    "prompt.where": "Choose the square to go to.",
    "prompt.offered": "A draw is offered: y accepts, n declines.",
    "no_piece": "This piece cannot move.",
    "no_way": "This piece cannot go there.",
    "key.cursor": "move",
    "key.pick": "choose",
    "key.draw": "offer a draw",
    "key.accept": "accept",
    "key.decline": "decline",
    "draw": "draw",
    "say.resign": "resignation",
    "say.offer": "draw offered",
    "say.accept": "draw accepted",
    "say.decline": "draw declined",
    "say.lost": "turn lost",
    "say.flag": "out of time",
    "yes": "y",
    "no": "n",
    "last": "Last move: {move}",
}
CELL = 4
"""The width of a square; its height is one line, which looks square in most fonts at half of that."""


class DamesBoard(TerminalBoard):
    texts: ClassVar = {"fr": FRENCH, "en": ENGLISH}
    cursor: tuple[int, int] | None = None
    """The row on the screen, and the place of the dark square in it."""
    path: tuple[int, ...] = ()
    """The squares chosen so far."""

    @property
    def state(self) -> State:
        state: State = self.position.view
        return state

    @property
    def board(self) -> Board:
        return board_of(self.state)

    @property
    def moves(self) -> list[tuple[int, ...]]:
        """The legal moves that begin with the chosen squares."""
        paths = [action.path for action in self.position.legal if isinstance(action, Move)]
        return [path for path in paths if path[: len(self.path)] == self.path]

    def reset(self) -> None:
        self.path = ()

    def square_at(self, row: int, column: int) -> int | None:
        """Return the square at a place on the screen; Black sees the board from the other side."""
        last = self.board.size - 1
        return (
            self.board.number(last - row, last - column)
            if self.position.seat == BLACK
            else self.board.number(row, column)
        )

    def square_under_cursor(self) -> int | None:
        if self.cursor is None:
            return None
        row, place = self.cursor
        return self.square_at(row, 2 * place + 1 - row % 2)

    def draw(self, width: int, height: int) -> list[Line]:
        state, size = self.state, self.board.size
        drawing = Drawing()
        me = RED if self.position.seat is None else self.position.seat
        self._side(drawing, 1 - me)
        high = height >= 2 * size + 6 and width >= 2 * CELL * size
        cell = 2 * CELL - 2 if high else CELL
        targets = self._targets()
        for row in range(size):
            for lower in (False, True) if high else (False,):
                for column in range(size):
                    number = self.square_at(row, column)
                    if number is None:
                        drawing.put(" " * cell, "light")
                    elif lower:
                        drawing.put(self._lower_half(number).center(cell), self._piece(number)[1] or "dark")
                    else:
                        self._square(drawing, number, cell, targets)
                drawing.line()
        self._side(drawing, me)
        if state.last_move is not None:
            mark = "x" if state.last_move.captured else "-"
            drawing.line().put(self.words("last", move=mark.join(map(str, state.last_move.path))), "last")
        return drawing.lines()

    def _targets(self) -> set[int]:
        """Return the squares that the next choice can name."""
        if not self.position.mine:
            return set()
        at = len(self.path)
        return {path[at] for path in self.moves if len(path) > at}

    def _square(self, drawing: Drawing, number: int, cell: int, targets: set[int]) -> None:
        shape, style = self._piece(number)
        if shape == "●" and cell > CELL:
            shape = "██"
        last = self.state.last_move
        if number == self.square_under_cursor():
            drawing.put(f"[{shape.strip() or number!s:}]".center(cell), "cursor")
        elif number in self.path:
            drawing.put(f"({shape.strip() or number!s:})".center(cell), "picked")
        elif number in targets and (self.path or self.state.must_take):
            drawing.put(f"<{shape or number}>".center(cell), "target")
        elif last is not None and number in (last.path[0], last.path[-1]) and shape:
            drawing.put(f"·{shape}·".center(cell) if not self.plain else f":{shape}:".center(cell), style)
        else:
            whole = "▗██▖" if shape == "██" else shape
            drawing.put((whole or str(number)).center(cell), style if shape else "dark")

    def _lower_half(self, number: int) -> str:
        """Return the lower line of a square that has two: the rest of its piece."""
        shape = self._piece(number)[0]
        return "" if not shape else shape if self.plain else "▝██▘"

    def _piece(self, number: int) -> tuple[str, str]:
        """Return the sign of the piece on a square, and its style; nothing if it is empty."""
        bit, state = 1 << number - 1, self.state
        signs = ("o", "O", "x", "X") if self.plain else ("●", "♛", "●", "♛")
        heaps = (state.red_men, state.red_kings, state.black_men, state.black_kings)
        styles = ("first", "first", "second", "second")
        return next(
            ((sign, style) for sign, heap, style in zip(signs, heaps, styles, strict=True) if heap & bit), ("", "")
        )

    def _side(self, drawing: Drawing, seat: Seat) -> None:
        state, words = self.state, self.words
        men, kings = (state.red_men, state.red_kings) if seat == RED else (state.black_men, state.black_kings)
        sign = ("o" if seat == RED else "x") if self.plain else "●"
        drawing.put(f" {sign} ", "first" if seat == RED else "second")
        text = words("side", side=words("red" if seat == RED else "black"), name=self.name(seat))
        drawing.put(f" {text}", "bold")
        drawing.put("  " + words("pieces", men=men.bit_count(), kings=kings.bit_count()), "dim")
        if state.options.variant == "competitive":
            drawing.put("  " + words("points", count=state.scores[seat].points), "last")
        drawing.line()

    def offered(self) -> bool:
        """Whether the player can accept a draw."""
        offerer = self.state.offered_by
        return offerer is not None and self.position.seat is not None and offerer != self.position.seat

    def may_act(self) -> bool:
        return self.offered()

    def prompt(self) -> str:
        state = self.state
        if self.offered():
            return self.words("prompt.offered")
        if self.path:
            return self.words("prompt.where")
        return self.words("prompt.take", count=state.must_take) if state.must_take else self.words("prompt.move")

    def keys(self) -> Sequence[tuple[str, str]]:
        words = self.words
        if self.offered():
            return ((words("yes"), words("key.accept")), (words("no"), words("key.decline")))
        if not self.position.mine:
            return ()
        return (("← ↑ ↓ →", words("key.cursor")), (words("enter"), words("key.pick")), ("32-28", ""))

    def help(self) -> Sequence[tuple[str, str]]:
        words = self.words
        keys = (
            ("← ↑ ↓ →", words("key.cursor")),
            (words("enter"), words("key.pick")),
            ("32-28 19x30", words("key.play")),
        )
        return (*keys, (words("draw"), words("key.draw")))

    def press(self, key: str) -> Pressed | None:
        if self.offered() and key in (self.words("yes"), self.words("no")):
            return Pressed(AcceptDraw() if key == self.words("yes") else DeclineDraw())
        if not self.position.mine:
            return None
        if key in ("left", "right", "up", "down"):
            self._move_cursor(key)
            return Pressed()
        return self._pick() if key in ("enter", "space") else None

    def _move_cursor(self, key: str) -> None:
        size, half = self.board.size, self.board.half
        row, place = (size - 4, half // 2) if self.cursor is None else self.cursor
        if self.cursor is not None:
            row += {"up": -1, "down": 1}.get(key, 0)
            place += {"left": -1, "right": 1}.get(key, 0)
        self.cursor = row % size, place % half

    def _pick(self) -> Pressed:
        """Add the square under the cursor to the path, and play the move if it is complete."""
        square = self.square_under_cursor()
        if square is None:
            self._move_cursor("up")
            return Pressed()
        if self.path and square == self.path[0] and all(path[len(self.path)] != square for path in self.moves):
            self.path = ()
            return Pressed()
        longer = (*self.path, square)
        further = [path for path in self.moves if path[: len(longer)] == longer]
        ends = [path for path in self.moves if self.path and path[-1] == square]
        if not further and len(ends) != 1:
            return self._pick_other(square)
        if further == [longer] or (not further and ends):
            return Pressed(Move((further or ends)[0]))
        self.path = longer
        return Pressed()

    def _pick_other(self, square: int) -> Pressed:
        """Begin with another piece, if it can move."""
        chosen, self.path = self.path, ()
        if any(path[0] == square for path in self.moves):
            self.path = (square,)
            return Pressed()
        self.path = chosen
        return Pressed(problem=self.words("no_way" if chosen else "no_piece"))

    def read(self, text: str) -> Any:
        typed = text.strip().lower()
        if typed == self.words("draw"):
            return OfferDraw()
        if not self.position.mine:
            raise NotRead(self.words("refusals.not_your_turn"))
        try:
            return Move(read_move(self.board, position_of(self.state), typed))
        except ValueError:
            try:
                return self.position.game.notation.read_action(typed.replace(":", "x"))
            except ValueError:
                raise NotRead(self.words("not_read", text=text)) from None

    def describe(self, seat: Seat, action: Any) -> str:
        match action:
            case Move(path):
                return ("-" if len(path) == 2 else "x").join(map(str, path))
            case Resign():
                return self.words("say.resign")
            case OfferDraw():
                return self.words("say.offer")
            case AcceptDraw():
                return self.words("say.accept")
            case DeclineDraw():
                return self.words("say.decline")
            case LoseTurn():
                return self.words("say.lost")
            case Flag():
                return self.words("say.flag")
        return super().describe(seat, action)
