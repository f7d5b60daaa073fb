"""Scrabble as numbers, for learning programs (`tablee.envs`).

A play is a row of ids: where its word begins and in which direction, then the new tiles in order, then the end of the
row. An exchange is its own id, the tiles in order, and the end. So 534 ids are enough for every play. Only ids that
lead to a valid word are legal, also at a table with contests, at which people may try other words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.encoding import Choices, CompiledKernel, Encoding, Ids, Kernel, Later, Observation
from ...core.game import Game, Seat
from .board import EMPTY, LINES, PLACES, RACK, SIZE
from .engine import letter_of
from .engines import engine, no_likes
from .rules import PASS as PASSES
from .values import Accept, Action, Challenge, Exchange, Options, Pass, Place, State, View

SQUARES = SIZE * SIZE
LETTER, END, EXCHANGE, TILE, PASS, ACCEPT, CHALLENGE = 450, 502, 503, 504, 531, 532, 533
"""Before these: the squares across, then down. 26 letters and 26 letters of jokers; `TILE` is a joker, then letters."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CODE = {letter: at for at, letter in enumerate(LETTERS + LETTERS.lower())}
TILES = {tile: at for at, tile in enumerate("?" + LETTERS)}
STARTS = {name: LINES[line].squares[place] + SQUARES * LINES[line].down for name, (line, place) in PLACES.items()}
START_OF_LINE = np.array([[STARTS[name] for name in line.names] for line in LINES])
LINE_OF = {start: PLACES[name] for name, start in STARTS.items()}
CODE_OF_TILE = np.array([CODE.get(letter_of(tile), 0) if tile & 31 < 27 else 0 for tile in range(64)])
"""The code of each of the kernel's tiles."""
CODE_OF_BYTE = np.zeros(128, np.int16)
CODE_OF_BYTE[[ord(letter) for letter in CODE]] = [code + 1 for code in CODE.values()]
PART = 4
"""For each seat: the size of its rack, its score, whether it left, whether the game waits for it."""


class ScrabbleEncoding(Encoding[Action, View]):
    actions = CHALLENGE + 1

    def __init__(self, seats: int, options: Options) -> None:
        super().__init__(seats, options)
        self.layout = {
            "board": SQUARES,  # 0 is empty, 1 to 26 a letter, 27 to 52 a joker's letter
            "laid": SQUARES,  # the tiles of the play that this seat has begun, or that can be contested
            "start": 2,  # the square where that play begins, counted from 1; 1 is across and 2 is down
            "rack": 27,  # the tiles left on it, jokers first
            "given": 27,  # the tiles of the exchange that this seat has begun
            "unseen": 27,
            "bag": 1,
            "ends": 4,  # passes in a row, turns without a tile in a row, and how many of each end the match
            "stage": 2,  # play, challenge
            "contested": 2,  # the seat of the play that can be contested, counted from 1, and its score
        } | {f"seat_{number}": PART for number in range(seats)}

    def ids(self, action: Action, seat: Seat) -> Ids:
        match action:
            case Place():
                raise ValueError("the ids of a play depend on the board: ask `choices`")
            case Exchange(tiles):
                return (EXCHANGE, *[TILE + TILES[tile] for tile in tiles], END)
            case Pass():
                return (PASS,)
            case Accept():
                return (ACCEPT,)
            case Challenge():
                return (CHALLENGE,)
            case _:
                raise ValueError(f"{action} has no id")

    def choices(self, game: Game[Any, Action, View], state: State, seat: Seat, concessions: bool) -> Choices:
        """Return a seat's legal actions by id; the plays come from the kernel, because the rules list them slowly."""
        if state.stage != "play":
            return super().choices(game, state, seat, concessions)
        rack, words = state.racks[seat], engine(self.options.lexicon)
        words.set_board(state.board)
        words.set_rack(rack, no_likes())
        plays = words.play_arrays()[0].copy()
        starts = START_OF_LINE[plays >> 51, plays >> 47 & 15]
        lexicon = self.options.lexicon
        tree: Choices = {one: Plays(lexicon, state.board, plays[starts == one]) for one in np.unique(starts).tolist()}
        if len(state.bag) >= RACK:
            tree[EXCHANGE] = Tiles(rack)
        tree[PASS] = PASSES
        return tree

    def observe(self, view: View, seat: Seat, chosen: Ids, out: Observation) -> None:
        board = "".join(view.board)
        out[:SQUARES] = CODE_OF_BYTE[np.frombuffer(board.encode(), np.uint8)]
        left = [TILES[tile] for tile in view.rack]
        if chosen and chosen[0] == EXCHANGE:
            for one in chosen[1:]:
                left.remove(one - TILE)
                out[479 + one - TILE] += 1
        elif chosen:
            tiles = [one - LETTER for one in chosen[1:]]
            observe_play(board, chosen[0], tiles, out)
            for tile in tiles:
                left.remove(tile + 1 if tile < 26 else 0)
        elif view.pending is not None:
            play = view.pending.play
            observe_play(board, STARTS[play.at], [CODE[tile] for tile in play.tiles if tile != EMPTY], out)
            out[540:542] = 1 + (view.pending.seat - seat) % self.seats, play.score
        for tile in left:
            out[452 + tile] += 1
        for letter in view.unseen:
            out[506 + TILES[letter]] += 1
        out[533:538] = view.bag, view.passes, view.idle, view.most_passes, view.most_idle
        out[538], out[539] = view.stage == "play", view.stage == "challenge"
        for number in range(self.seats):
            other, at = (seat + number) % self.seats, 542 + PART * number
            facts = view.rack_sizes[other], view.scores[other], other in view.left, other in view.waiting
            out[at : at + PART] = facts

    def kernel(self, n: int) -> Kernel | None:
        """Return a kernel; there is none for tables with contests."""
        return ScrabbleKernel(self.seats, self.options, n) if self.options.validation == "auto" else None


class ScrabbleKernel(CompiledKernel):
    def __init__(self, seats: int, options: Options, n: int) -> None:
        from . import env_kernel

        super().__init__(env_kernel, n, engine(options.lexicon).graph)
        self._lexicon = options.lexicon
        self._states[:, env_kernel.SEATS] = seats

    def __getstate__(self) -> dict[str, Any]:
        """Leave the words out: they are many, and the same in each process."""
        return super().__getstate__() | {"_facts": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state | {"_facts": engine(state["_lexicon"]).graph})


def observe_play(board: str, start: int, tiles: list[int], out: Observation) -> None:
    """Write where a play begins, and its new tiles."""
    line, place = LINE_OF[start]
    out[450], out[451] = start % SQUARES + 1, 1 + start // SQUARES
    empty = [square for square in LINES[line].squares[place:] if board[square] == EMPTY]
    for square, tile in zip(empty, tiles, strict=False):
        out[SQUARES + square] = tile + 1


class Plays(Later):
    """The plays that begin alike."""

    def __init__(self, lexicon: str, board: str, plays: Any, count: int = 0) -> None:
        self.lexicon = lexicon
        self.board = board
        self.plays = plays
        self.count = count
        """The number of tiles that have been chosen."""

    def open(self) -> Choices:
        plays, count = self.plays, self.count
        sizes = plays >> 43 & 15
        longer = plays[sizes > count]
        codes = CODE_OF_TILE[longer >> 6 * count & 63]
        tree: Choices = {
            LETTER + code: Plays(self.lexicon, self.board, longer[codes == code], count + 1)
            for code in np.unique(codes).tolist()
        }
        ended = plays[sizes == count]
        if ended.size:
            tree[END] = Written(self.lexicon, self.board, int(ended[0]))
        return tree


class Written(Later):
    """A play that is complete."""

    def __init__(self, lexicon: str, board: str, play: int) -> None:
        self.lexicon = lexicon
        self.board = board
        self.play = play

    def open(self) -> Place:
        words = engine(self.lexicon)
        words.set_board(self.board)
        return words.place(self.play)


class Tiles(Later):
    """The exchanges that begin with some tiles; they are chosen in the order of the rack."""

    def __init__(self, rack: str, given: str = "") -> None:
        self.rack = rack
        """The tiles that can follow."""
        self.given = given

    def open(self) -> Choices:
        tree: Choices = {
            TILE + TILES[tile]: Tiles(self.rack[self.rack.index(tile) + 1 :], self.given + tile) for tile in self.rack
        }
        if self.given:
            tree[END] = Exchange(self.given)
        return tree
