"""Our engine as a program that speaks Hub: a draughts program sends it lines of text and gets lines back.

One thread reads and another searches, so `stop`, `ping` and `quit` work at any time. The parameter `threads` lets more
threads search. A bad line gets an error and changes nothing. `hub_engine.py` is the other side: it asks the engines of
others.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import perf_counter
from typing import TextIO

from msgspec import Struct
from msgspec.structs import replace

from ... import __version__
from .board import TEN
from .hub_lines import Arguments, BadLine, parse, read_move, read_position, write_line, write_move
from .kernel import WIN
from .search import DEEPEST_SEARCH, Found, Preferences, Root, Search, replayed

_LARGEST_TABLE, _MOST_THREADS = 24, 64
EVALUATIONS = "learned", "hand"
"""How the engine evaluates positions: with learned weights, or by the rules of thumb of the weaker levels."""
USUAL_MOVES = 30
"""The assumed number of moves until the end of the game, if the program gives none."""
MARGIN = 0.03
"""Seconds of each move reserved for transmission."""


class Limits(Struct, frozen=True):
    """The limits of a search; None is no limit."""

    depth: int | None = None
    nodes: int | None = None
    move_time: float | None = None
    moves: int | None = None
    time: float | None = None
    inc: float | None = None

    @property
    def seconds(self) -> float | None:
        """Return how long to think about this move."""
        if self.move_time is not None:
            return max(0.0, self.move_time - MARGIN)
        if self.time is None:
            return None
        # The clock gains the increment before every move, so nearly all of it can be spent.
        share = self.time / (self.moves or USUAL_MOVES) + (self.inc or 0.0) * 0.9
        return max(0.0, min(share, self.time * 0.9) - MARGIN)


def number(arguments: Arguments, name: str, kind: Callable[[str], float]) -> float | None:
    """Read a number of 0 or more, or None if it is not given."""
    if name not in arguments:
        return None
    try:
        value = kind(arguments[name])
    except ValueError:
        value = -1
    if not 0 <= value < 1e9:
        raise BadLine(f"{name}={arguments[name]}: expected a number, 0 or more")
    return value


class Hub:
    """One session with a draughts program."""

    def __init__(self, lines: Iterable[str], out: TextIO) -> None:
        self._lines = lines
        self._out = out
        self._writing = threading.Lock()
        self._params = {"variant": "normal", "evaluation": "learned", "tt-size": "20", "threads": "1"}
        self._search: Search | None = None
        self._root = Root(TEN.start)
        self._limits = Limits()
        self._fresh_limits = True
        self._search_thread: threading.Thread | None = None
        self._searching = False
        self._stop = threading.Event()
        self._deadline: float | None = None

    def talk(self) -> None:
        """Execute lines until `quit` or the end of the input."""
        commands: dict[str, Callable[[Arguments], None]] = {
            "hub": self._hub,
            "set-param": self._set_param,
            "init": self._init,
            "new-game": self._new_game,
            "pos": self._pos,
            "level": self._level,
            "go": self._go,
            "ponder-hit": self._ponder_hit,
            "stop": self._halt,
            "ping": lambda arguments: self._say("pong"),
        }
        for line in self._lines:
            try:
                command, arguments = parse(line)
                if command == "quit":
                    break
                if command and command not in commands:
                    raise BadLine(f"unknown command {command[:40]!r}")
                if command:
                    commands[command](arguments)
            except BadLine as error:
                self._say(write_line("error", message=error))
        self._stop.set()
        if self._search_thread is not None:
            self._search_thread.join()

    def _say(self, line: str) -> None:
        # If the program has gone, the end of its input ends the session.
        with self._writing, suppress(BrokenPipeError):
            self._out.write(line + "\n")
            self._out.flush()

    def _refuse_while_searching(self) -> None:
        if self._searching:
            raise BadLine("a search is running: stop it first")

    def _hub(self, arguments: Arguments) -> None:
        self._say(write_line("id", name="Tablee", version=__version__, author="Tablee", country="France"))
        self._say(write_line("param", name="variant", value=self._params["variant"], type="enum", values="normal"))
        evaluation = self._params["evaluation"]
        self._say(write_line("param", name="evaluation", value=evaluation, type="enum", values=" ".join(EVALUATIONS)))
        size = self._params["tt-size"]
        self._say(write_line("param", name="tt-size", value=size, type="int", min=10, max=_LARGEST_TABLE))
        threads = self._params["threads"]
        self._say(write_line("param", name="threads", value=threads, type="int", min=1, max=_MOST_THREADS))
        self._say("wait")

    def _set_param(self, arguments: Arguments) -> None:
        self._refuse_while_searching()
        name, value = arguments.get("name", ""), arguments.get("value", "")
        if name not in self._params:
            raise BadLine(f"unknown parameter {name!r}; expected {' or '.join(self._params)}")
        if name == "variant" and value != "normal":
            raise BadLine(f"variant={value}: expected normal")
        if name == "evaluation" and value not in EVALUATIONS:
            raise BadLine(f"evaluation={value}: expected {' or '.join(EVALUATIONS)}")
        if name == "tt-size" and not (re.fullmatch(r"\d\d", value, re.ASCII) and 10 <= int(value) <= _LARGEST_TABLE):
            raise BadLine(
                f"tt-size={value}: expected 10 to {_LARGEST_TABLE}, the binary logarithm of the number of entries"
            )
        if name == "threads" and not (re.fullmatch(r"\d\d?", value, re.ASCII) and 1 <= int(value) <= _MOST_THREADS):
            raise BadLine(f"threads={value}: expected 1 to {_MOST_THREADS}")
        self._params[name] = value
        self._search = None

    def _init(self, arguments: Arguments) -> None:
        self._refuse_while_searching()
        self._ready_search().think(Root(TEN.start), depth=1)
        self._say("ready")

    def _ready_search(self) -> Search:
        if self._search is None:
            is_learned = self._params["evaluation"] == "learned"
            self._search = Search(TEN.size, table_bits=int(self._params["tt-size"]), learned=is_learned)
        return self._search

    def _new_game(self, arguments: Arguments) -> None:
        self._refuse_while_searching()
        self._ready_search().forget()

    def _pos(self, arguments: Arguments) -> None:
        first = position = read_position(arguments.get("pos", ""))
        moves = []
        for text in arguments.get("moves", "").split():
            moves.append(read_move(position, text))
            position = TEN.play(position, moves[-1])
        self._root = replayed(TEN, first, moves)

    def _level(self, arguments: Arguments) -> None:
        """Set limits; several lines add up until the next search uses them."""
        whole = {name: number(arguments, name, int) for name in ("depth", "nodes", "moves")}
        seconds = {name.replace("-", "_"): number(arguments, name, float) for name in ("move-time", "time", "inc")}
        given = {name: value for name, value in {**whole, **seconds}.items() if value is not None}
        known = Limits() if self._fresh_limits or "infinite" in arguments else self._limits
        self._limits = replace(known, **given)
        self._fresh_limits = False

    def _go(self, arguments: Arguments) -> None:
        self._refuse_while_searching()
        mode = next(iter(arguments), "think")
        if mode not in ("think", "ponder", "analyze"):
            raise BadLine(f"go {mode}: expected think, ponder or analyze")
        if not TEN.moves(self._root.position):
            raise BadLine("the side to move has no move")
        self._stop.clear()
        self._fresh_limits = True
        self._deadline = None if mode == "ponder" else self._deadline_from_now()
        self._searching = True
        self._search_thread = threading.Thread(target=self._think, args=(mode, self._root, self._limits), daemon=True)
        self._search_thread.start()

    def _deadline_from_now(self) -> float | None:
        seconds = self._limits.seconds
        return None if seconds is None else perf_counter() + seconds

    def _ponder_hit(self, arguments: Arguments) -> None:
        if self._searching:
            self._deadline = self._deadline_from_now()

    def _halt(self, arguments: Arguments) -> None:
        self._stop.set()

    def _out_of_time(self) -> bool:
        deadline = self._deadline
        return self._stop.is_set() or (deadline is not None and perf_counter() >= deadline)

    def _think(self, mode: str, root: Root, limits: Limits) -> None:
        """Search and report the result; runs in the search thread."""
        depth = DEEPEST_SEARCH if limits.depth is None else max(1, limits.depth)
        if mode == "think" and len(TEN.moves(root.position)) == 1:
            depth = 1
        found = self._ready_search().think(
            root,
            Preferences(contempt=0 if mode == "analyze" else 10),
            depth=depth,
            nodes=limits.nodes,
            stop=self._out_of_time,
            report=self._inform,
            threads=int(self._params["threads"]),
        )
        line = [write_move(move) for move in found.line]
        # Reset before answering: the program may ask for the next search at once.
        self._searching = False
        self._say(write_line("done", move=line[0], **({"ponder": line[1]} if len(line) > 1 else {})))

    def _inform(self, found: Found) -> None:
        seconds = max(found.seconds, 1e-6)
        self._say(
            write_line(
                "info",
                depth=found.depth,
                score=f"{score(found.value):.2f}",
                nodes=found.nodes,
                time=f"{seconds:.3f}",
                nps=f"{found.nodes / seconds / 1e6:.1f}",
                pv=" ".join(map(write_move, found.line)),
            )
        )


def score(value: int) -> float:
    """Return a value in men; a win is 100 minus a hundredth of a man for each move until then."""
    if abs(value) > WIN // 2:
        distance = WIN - abs(value)
        return (100 - distance / 100) * (1 if value > 0 else -1)
    return value / 100


def serve(lines: Iterable[str], out: TextIO) -> None:
    """Run a session until the program ends it."""
    Hub(lines, out).talk()
