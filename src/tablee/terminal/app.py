"""The screen of `tablee play`: one board, the list of moves, a line for typing. Keyboard only."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.events import Key, Resize
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from ..core.game import Refusal
from ..core.terminal import DIGITS, Line, NotRead, Position, Pressed, TerminalBoard
from .paint import clean, paint
from .result import headline, result_lines
from .session import Played, Session

LEAST = (80, 24)
NAMED = {"left", "right", "up", "down", "space", "tab", "enter"}

STYLE = """
Screen { background: #14261d; color: #f4efe2; }
#title { height: 1; background: #20402f; color: #e8c06a; text-style: bold; padding: 0 1; }
#middle { height: 1fr; }
#board { width: 1fr; height: 100%; padding: 0 1; }
#side { width: 25; height: 100%; border-left: solid #3d6b52; padding: 0 1; scrollbar-size: 0 0; }
#prompt, #typed { height: 1; padding: 0 1; }
#prompt { background: #20402f; }
#title, #board, #prompt, #typed, #keys { text-wrap: nowrap; text-overflow: ellipsis; }
#keys { height: 1; padding: 0 1; color: #9aa79f; }
Message { align: center middle; background: #0c1812 60%; }
Message Static { width: auto; max-width: 76; max-height: 22; height: auto; background: #20402f; border: round #e8c06a;
  padding: 0 2; }
"""
PLAIN_STYLE = """
Screen { background: ansi_default; color: ansi_default; }
#title, #prompt, #keys { background: ansi_default; color: ansi_default; }
#side { border-left: ascii ansi_default; }
Message Static { background: ansi_default; border: ascii ansi_default; }
"""


class Message(ModalScreen[str], inherit_bindings=False):
    """A text over the board; the next key closes it and is its answer."""

    def __init__(self, text: Any) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        yield Static(self._text, markup=False)

    def on_key(self, event: Key) -> None:
        event.stop()
        self.dismiss(event.character or event.key)


class TableScreen(Screen[None], inherit_bindings=False):
    """A match: before, during and after it."""

    def __init__(self, session: Session, board: TerminalBoard, *, title: str, remote: bool) -> None:
        super().__init__()
        self.session = session
        self.board = board
        self.words = board.general
        self._title = title
        self._remote = remote
        self.typed = ""
        self.problem = ""
        self._since = monotonic()
        self.history: list[Position] = []
        """Every position that was shown, for the replay."""
        self.replaying: int | None = None
        """The place in the history that is shown; None: the present."""
        self._over = False
        self._tasks: set[asyncio.Task[None]] = set()

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            yield Static(id="board", markup=False)
            with VerticalScroll(id="side", can_focus=False):
                yield Static(id="moves", markup=False)
        yield Static(id="prompt", markup=False)
        yield Static(id="typed", markup=False)
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        self.run_worker(self.session.run(self.changed), exit_on_error=True)
        self.set_interval(0.25, self.show_status)

    def on_resize(self, event: Resize) -> None:
        self.call_after_refresh(self.redraw)

    # What changes

    def changed(self) -> None:
        """Take the present position of the session."""
        position = self.session.position
        if position is not None:
            self._take(position)
        self._since = monotonic()
        self.redraw()
        over = position is not None and (position.outcome is not None or self.session.resigned)
        if over and not self._over:
            self.call_after_refresh(self.show_result)
        self._over = over

    def _take(self, position: Position) -> None:
        if self.history and position.ply < self.history[-1].ply:
            self.history, self.replaying = [], None
        if not self.history or position.ply != self.history[-1].ply:
            self.problem = ""  # It was about the position before.
            self.history.append(position)
        else:
            self.history[-1] = position
        if self.replaying is None:
            self.board.show(position)

    def redraw(self) -> None:
        if self.is_mounted:
            self.show_status()
            self.show_board()
            self.show_moves()

    def show_board(self) -> None:
        columns, rows = self.app.size
        place = self.query_one("#board", Static)
        if columns < LEAST[0] or rows < LEAST[1]:
            place.update(self.words("too_small", columns=columns, rows=rows))
        elif self.history:
            size = place.content_size
            place.update(paint(self.board.draw(size.width, size.height)[: size.height], self.plain))
        else:
            place.update(paint([((line, ""),) for line in self.session.waiting()], self.plain))

    @property
    def plain(self) -> bool:
        return self.board.plain

    def show_moves(self) -> None:
        last = len(self.session.steps) if self.replaying is None else self.history[self.replaying].ply
        lines: list[Line] = [((self.words("moves"), "bold"),)]
        if self.history:
            for number, step in enumerate(self.session.steps[:last], 1):
                name = self.board.name(step.seat)[:12]
                said = (self.describe(step), "last" if number == last else "")
                lines.append(((f"{number:>3} {name} ", "dim"), said))
        text = paint(lines, self.plain)
        text.no_wrap = False
        self.query_one("#moves", Static).update(text)
        self.query_one("#side", VerticalScroll).scroll_end(animate=False)

    def describe(self, step: Played) -> str:
        """Say a step in a few words."""
        if step.cause is not None:
            return self.words(step.cause if step.cause in ("leave", "resign") else "clock")
        return self.words("hidden") if step.action is None else self.board.describe(step.seat, step.action)

    def show_status(self) -> None:
        """Write the lines around the board: they change with the time too."""
        self.query_one("#title", Static).update(f"{clean(self._title)}{self.clock_text()}")
        self.query_one("#prompt", Static).update(clean(self.prompt_text()))
        below = f"> {self.typed}▏" if not self.plain else f"> {self.typed}_"
        self.query_one("#typed", Static).update(self.problem if self.problem and not self.typed else below)
        keys = "  ".join(f"{key} {does}" for key, does in self.key_list())
        self.query_one("#keys", Static).update(keys)

    def clock_text(self) -> str:
        reading = self.session.reading()
        if reading is None:
            return ""
        left = [] if reading.move is None else [minutes(reading.move)]
        for seat, seconds in enumerate(reading.players):
            if seconds is not None:
                left.append(f"{self.board.name(seat)} {minutes(seconds)}")
        if reading.match is not None:
            left.append(f"Σ {minutes(reading.match)}" if not self.plain else f"= {minutes(reading.match)}")
        return "   " + "   ".join(left)

    def prompt_text(self) -> str:
        words, position = self.words, self.session.position
        if self.replaying is not None:
            return words("replay", at=self.history[self.replaying].ply, last=len(self.session.steps))
        if note := self.session.note():
            return words(note)
        if position is None:
            return words("waiting")
        if position.outcome is not None or self.session.resigned:
            return headline(position, self.words, self.session.resigned)
        if position.mine or (position.seat is not None and self.board.may_act()):
            return self.board.prompt()
        seconds = int(monotonic() - self._since)
        names = ", ".join(position.names[seat] for seat in position.must)
        if len(position.must) > 1:
            return words("waits.many", names=names, seconds=seconds)
        return words("waits" if self._remote or len(position.names) > 2 else "thinking", names=names, seconds=seconds)

    def key_list(self) -> list[tuple[str, str]]:
        words = self.words
        if self.replaying is not None:
            return [("← →", words("key.step")), ("Home End", words("key.ends")), ("Esc", words("key.back"))]
        if self._over:
            keys = [("n", words("key.again")), ("r", words("key.replay"))]
        else:
            keys = [*self.board.keys()] if self.history else []
        resign = [] if self._over or not self.history else [("^R", words("key.resign"))]
        return [*keys, ("?", words("key.help")), ("^Q", words("key.quit")), *resign]

    # What the player does

    async def on_key(self, event: Key) -> None:
        event.stop()
        event.prevent_default()
        self.problem = ""
        await self.use(event.key, event.character)
        self.redraw()

    async def use(self, key: str, character: str | None) -> None:
        if key in ("ctrl+q", "ctrl+c"):
            self.ask_to_quit()
        elif key in ("pageup", "pagedown"):
            side = self.query_one("#side", VerticalScroll)
            (side.scroll_page_up if key == "pageup" else side.scroll_page_down)(animate=False)
        elif self.replaying is not None:
            self.step_replay(key)
        elif key == "f1" or (character == "?" and not self.typed):
            self.app.push_screen(Message(paint(self.help_lines(), self.plain)))
        elif key == "ctrl+r" and self.history and not self._over:
            self.app.push_screen(Message(self.words("resign.ask")), self.resign_if)
        elif self._over:
            await self.use_after(key)
        else:
            await self.use_in_match(key, character)

    async def use_in_match(self, key: str, character: str | None) -> None:
        if key == "escape":
            self.typed = ""
            if self.history:
                self.board.reset()
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "enter" and self.typed:
            await self.send_typed()
        elif self.history and not self.typed and await self.press(key, character):
            pass
        elif key == "enter" and self._remote and not self.history:
            await self.tell(await self.session.again())
        elif character is not None and character.isprintable() and len(self.typed) < 60:
            self.typed += character

    async def press(self, key: str, character: str | None) -> bool:
        """Offer a key to the board; return whether it was of use."""
        name = key if key in NAMED else character
        if name is None:
            return False
        pressed = self.board.press(name)
        if pressed is None and name in DIGITS:
            pressed = self.board.press(DIGITS[name])
        if pressed is None:
            return False
        await self.answer(pressed)
        return True

    async def answer(self, pressed: Pressed) -> None:
        self.problem = pressed.problem
        if pressed.action is not None:
            await self.tell(await self.session.act(pressed.action))

    async def send_typed(self) -> None:
        text, self.typed = self.typed, ""
        if not self.history:
            return
        try:
            action = self.board.read(text)
        except NotRead as problem:
            self.problem = str(problem)
            return
        await self.tell(await self.session.act(action))

    async def tell(self, refusal: Refusal | None) -> None:
        """Say why something was refused."""
        if refusal is not None:
            words = self.board.words.find(f"refusals.{refusal.code}", **refusal.values)
            self.problem = clean(words or self.words("refused", code=refusal.code))

    # After the match

    async def use_after(self, key: str) -> None:
        if key == "n":
            await self.tell(await self.session.again())
        elif key == "r" and self.history:
            self.replaying = len(self.history) - 1
            self.step_replay("left")
        elif key == "q":
            self.ask_to_quit()

    def step_replay(self, key: str) -> None:
        last = len(self.history) - 1
        at = last if self.replaying is None else self.replaying
        steps = {"left": at - 1, "right": at + 1, "home": 0, "end": last}
        if key in ("escape", "q"):
            self.replaying = None
            self.board.show(self.history[-1])
        elif key in steps:
            self.replaying = min(max(steps[key], 0), last)
            self.board.show(self.history[self.replaying])

    def show_result(self) -> None:
        position = self.session.position
        if position is not None and self._over:
            reason = self.board.words.find(f"reasons.{position.outcome.reason}") if position.outcome else None
            lines = result_lines(position, self.words, self.session.resigned, reason)
            self.app.push_screen(Message(paint(lines, self.plain)), self.after_result)

    async def after_result(self, key: str | None) -> None:
        if key in ("n", "r"):
            await self.use_after(key)
        self.redraw()

    async def resign_if(self, key: str | None) -> None:
        if key is not None and key in self.words("yes_keys"):
            await self.tell(await self.session.resign())
        self.redraw()

    def ask_to_quit(self) -> None:
        if self._over or not self.history:
            self.app.exit()
            return
        question = "quit.ask.table" if self._remote else "quit.ask"
        self.app.push_screen(Message(self.words(question)), self.quit_if)

    def quit_if(self, key: str | None) -> None:
        if key is not None and (key in self.words("yes_keys") or key in ("ctrl+q", "ctrl+c")):
            self.app.exit()

    def help_lines(self) -> list[Line]:
        words = self.words
        keys = [*(self.board.help() if self.history else ()), (words("enter"), words("key.send"))]
        keys += [("Esc", words("key.clear")), ("PgUp PgDn", words("key.scroll"))]
        keys += [("Ctrl+R", words("key.resign")), ("Ctrl+Q", words("key.quit"))]
        lines: list[Line] = [((words("help"), "bold"),), ()]
        lines += [((f"{key:<14}", "last"), (does, "")) for key, does in keys]
        return [*lines, (), ((words("help.close"), "dim"),)]


def minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class TerminalApp(App[None], inherit_bindings=False):
    """`tablee play`. Every key goes to the screen: Textual's own Ctrl+Q would quit without a question."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: Session, board: TerminalBoard, *, title: str, remote: bool = False) -> None:
        type(self).CSS = STYLE + (PLAIN_STYLE if board.plain else "")
        super().__init__(ansi_color=board.plain)
        self.table = TableScreen(session, board, title=title, remote=remote)

    def on_mount(self) -> None:
        self.push_screen(self.table)
