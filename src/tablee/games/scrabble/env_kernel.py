"""Many games of Scrabble without contests, compiled by Numba, for `tablee.envs.vector`.

`rules.py` and `env.py` stay the reference; a test compares the two step by step. Plays are found by `kernel.py` once a
turn. Each id that is chosen then leaves fewer of them.

A game is one array of int64, indexed by the names below. Tiles are counted with the joker first, then A to Z, as in the
rules, but in plays and on the board they have the numbers of `kernel.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core.machine import Ints, compiled, follow, lowest, part
from . import kernel
from .kernel import BY_JOKER, COUNT, JOKER, LIKES, SEARCH, VALUE, find_all, lay, pick, set_board, set_rack

Batch = Any

SEATS, SEAT, ENDED, PASSES, IDLE, BAG_SIZE = 1, 2, 3, 4, 5, 6
"""The first place holds the dice."""
START, CHOSEN, TILES, LAST = 7, 8, 9, 10
"""What the seat has chosen of its action: the first id or -1, the number of tiles, the tiles as in a play, and the last
tile that an exchange gives."""
KEPT = 11
"""The number of plays that begin so and are in the list; -1 if there were too many to keep them."""
SCORES, SIZES, BAG, GIVEN, RACKS = 12, 16, 20, 47, 74
MARKS = RACKS + 4 * 27
"""The legal ids, as bits."""
MARK_WORDS = 9
BOARD = MARKS + MARK_WORDS
PLAYS = BOARD + kernel.BOARD
"""The list of plays, each with its score."""
MOST = 1024
"""The space of the list. Racks with jokers can have more plays; they are then found again after each id."""
STATE = PLAYS + 2 * MOST

FIRST_DOWN, LETTER, END, EXCHANGE, TILE, PASS = 225, 450, 502, 503, 504, 531
"""The ids, as in `env.py`."""
FULL = 7


class Work(NamedTuple):
    """Memory for a search."""

    search: Ints
    likes: Ints
    rack: Ints
    plays: Ints
    scores: Ints


WORK = SEARCH + LIKES + FULL + 8 * MOST
"""The size of that memory."""


@compiled
def work_in(memory: Ints) -> Work:
    rack = SEARCH + LIKES
    plays = rack + FULL
    return Work(
        part(memory, 0, SEARCH),
        part(memory, SEARCH, LIKES),
        part(memory, rack, FULL),
        part(memory, plays, 4 * MOST),
        part(memory, plays + 4 * MOST, 4 * MOST),
    )


@compiled
def start_of(play: int) -> int:
    """Return the first id of a play."""
    line, place = play >> 51, play >> 47 & 15
    return 15 * line + place if line < 15 else FIRST_DOWN + 15 * place + line - 15


@compiled
def code_of(tile: int) -> int:
    """Return the number of a tile of a play among its ids: letters, then letters of jokers."""
    return tile - BY_JOKER + 26 if tile >= BY_JOKER else tile


@compiled
def mark(s: Ints, one: int) -> None:
    s[MARKS + (one >> 6)] |= 1 << (one & 63)


@compiled
def find_plays(s: Ints, graph: Ints, work: Work) -> tuple[Ints, Ints, int]:
    """Find all plays of the seat in turn; return them, their scores and their number."""
    size, rack = 0, RACKS + 27 * s[SEAT]
    for tile in range(27):
        held = tile + 1 if tile < JOKER else 0
        for _ in range(s[rack + held]):
            work.rack[size] = tile
            size += 1
    set_rack(work.search, work.rack, size, work.likes)
    plays, scores = work.plays, work.scores
    board = part(s, BOARD, kernel.BOARD)
    count = find_all(graph, board, work.search, plays, scores)
    if count > plays.size:
        plays, scores = np.empty(count, np.int64), np.empty(count, np.int64)
        find_all(graph, board, work.search, plays, scores)
    return plays, scores, count


@compiled
def begins_so(s: Ints, play: int) -> bool:
    """Return whether a play begins with the ids that were chosen."""
    tiles = (1 << 6 * s[CHOSEN]) - 1
    return s[START] < 0 or (
        start_of(play) == s[START] and (play >> 43 & 15) >= s[CHOSEN] and (play ^ s[TILES]) & tiles == 0
    )


@compiled
def keep(s: Ints, kept: int, play: int, score: int) -> int:
    """Add a play to the list and mark the id that comes next in it; return the number of plays."""
    if kept < MOST:
        s[PLAYS + 2 * kept] = play
        s[PLAYS + 2 * kept + 1] = score
    if s[START] < 0:
        mark(s, start_of(play))
    elif (play >> 43 & 15) == s[CHOSEN]:
        mark(s, END)
    else:
        mark(s, LETTER + code_of(play >> 6 * s[CHOSEN] & 63))
    return kept + 1


@compiled
def list_plays(s: Ints, graph: Ints, work: Work) -> None:
    """List the plays that begin with the ids that were chosen, and mark the ids that can follow."""
    for word in range(MARK_WORDS):
        s[MARKS + word] = 0
    kept = 0
    if s[KEPT] < 0:
        plays, scores, count = find_plays(s, graph, work)
        for at in range(count):
            if begins_so(s, plays[at]):
                kept = keep(s, kept, plays[at], scores[at])
    else:
        for at in range(PLAYS, PLAYS + 2 * s[KEPT], 2):
            if begins_so(s, s[at]):
                kept = keep(s, kept, s[at], s[at + 1])
    s[KEPT] = kept if kept <= MOST else -1


@compiled
def begin_turn(s: Ints, graph: Ints, work: Work) -> None:
    """Find what the seat in turn can do."""
    s[START] = s[KEPT] = -1
    s[CHOSEN] = s[TILES] = s[LAST] = 0
    for tile in range(27):
        s[GIVEN + tile] = 0
    list_plays(s, graph, work)
    if s[BAG_SIZE] >= FULL:
        mark(s, EXCHANGE)
    mark(s, PASS)


@compiled
def mark_tiles(s: Ints) -> None:
    """Mark the tiles that an exchange can still give: they are chosen in order (S5)."""
    for word in range(MARK_WORDS):
        s[MARKS + word] = 0
    for tile in range(s[LAST], 27):
        if s[RACKS + 27 * s[SEAT] + tile] > s[GIVEN + tile]:
            mark(s, TILE + tile)
    if s[CHOSEN]:
        mark(s, END)


@compiled
def draw(s: Ints, seat: int, count: int) -> None:
    """Draw tiles from the bag, which lies in order."""
    for _ in range(min(count, s[BAG_SIZE])):
        left, tile = pick(s, s[BAG_SIZE]), 0
        while left >= s[BAG + tile]:
            left -= s[BAG + tile]
            tile += 1
        s[BAG + tile] -= 1
        s[BAG_SIZE] -= 1
        s[RACKS + 27 * seat + tile] += 1
        s[SIZES + seat] += 1


@compiled
def play(s: Ints, graph: Ints) -> None:
    """Lay the play that is complete, score it and draw (S3)."""
    seat, at = s[SEAT], PLAYS
    while (s[at] >> 43 & 15) != s[CHOSEN]:
        at += 2
    lay(graph, part(s, BOARD, kernel.BOARD), s[at])
    s[SCORES + seat] += s[at + 1]
    for number in range(s[CHOSEN]):
        tile = s[TILES] >> 6 * number & 63
        s[RACKS + 27 * seat + (0 if tile >= BY_JOKER else tile + 1)] -= 1
    s[SIZES + seat] -= s[CHOSEN]
    draw(s, seat, FULL - s[SIZES + seat])
    s[PASSES] = s[IDLE] = 0


@compiled
def exchange(s: Ints) -> None:
    """Draw as many tiles as are given, then put the given ones into the bag (S5)."""
    seat = s[SEAT]
    draw(s, seat, s[CHOSEN])
    for tile in range(27):
        s[RACKS + 27 * seat + tile] -= s[GIVEN + tile]
        s[BAG + tile] += s[GIVEN + tile]
    s[SIZES + seat] -= s[CHOSEN]
    s[BAG_SIZE] += s[CHOSEN]
    s[PASSES] = 0
    s[IDLE] += 1


@compiled
def end_turn(s: Ints, graph: Ints, work: Work) -> None:
    """End the match (S7) or pass the turn."""
    seat, seats = s[SEAT], s[SEATS]
    out = s[SIZES + seat] == 0 and s[BAG_SIZE] == 0
    if not out and s[PASSES] < 3 * seats and s[IDLE] < 6 * seats:
        s[SEAT] = (seat + 1) % seats
        begin_turn(s, graph, work)
        return
    s[ENDED], s[START], s[CHOSEN] = 1, -1, 0
    for other in range(seats):
        for tile in range(1, 27):
            value = VALUE[tile - 1] * s[RACKS + 27 * other + tile]
            s[SCORES + other] -= value
            s[SCORES + seat] += value if out else 0


@compiled
def apply(s: Ints, one: int, graph: Ints, work: Work) -> None:
    """Play an id that is not masked."""
    if one == PASS:
        s[PASSES] += 1
        s[IDLE] += 1
        end_turn(s, graph, work)
    elif one == END:
        if s[START] == EXCHANGE:
            exchange(s)
        else:
            play(s, graph)
        end_turn(s, graph, work)
    elif one >= EXCHANGE:
        if one == EXCHANGE:
            s[START] = one
        else:
            s[LAST] = one - TILE
            s[GIVEN + one - TILE] += 1
            s[CHOSEN] += 1
        mark_tiles(s)
    else:
        if one < LETTER:
            s[START] = one
        else:
            tile = one - LETTER if one < LETTER + 26 else one - LETTER - 26 + BY_JOKER
            s[TILES] |= tile << 6 * s[CHOSEN]
            s[CHOSEN] += 1
        list_plays(s, graph, work)


@compiled
def reset(s: Ints, graph: Ints, work: Work) -> None:
    for at in range(SEAT, MARKS):
        s[at] = 0
    set_board(graph, part(s, BOARD, kernel.BOARD), np.full(225, kernel.EMPTY, np.int64))
    for tile in range(27):
        s[BAG + (tile + 1 if tile < JOKER else 0)] = COUNT[tile]
    s[BAG_SIZE] = kernel.ALL
    s[SEAT] = pick(s, s[SEATS])
    for seat in range(s[SEATS]):
        draw(s, seat, FULL)
    begin_turn(s, graph, work)


@compiled
def observe_choice(s: Ints, out: Batch) -> None:
    """Write the ids that the seat in turn has chosen, and take their tiles from its rack."""
    if s[START] == EXCHANGE:
        for tile in range(27):
            out[452 + tile] -= s[GIVEN + tile]
            out[479 + tile] = s[GIVEN + tile]
        return
    square, down = s[START] % FIRST_DOWN, s[START] // FIRST_DOWN
    out[450] = square + 1
    out[451] = 1 + down
    for number in range(s[CHOSEN]):
        tile = s[TILES] >> 6 * number & 63
        while out[square]:
            square += 15 if down else 1
        out[225 + square] = 1 + code_of(tile)
        out[452 + (0 if tile >= BY_JOKER else tile + 1)] -= 1
        square += 15 if down else 1


@compiled
def observe(s: Ints, me: int, out: Batch) -> None:
    """Write what a seat sees, as `ScrabbleEncoding.observe` does, into zeros."""
    seats = s[SEATS]
    for row in range(15):
        for column in range(15):
            tile = s[BOARD + 16 * row + column]
            out[15 * row + column] = 0 if tile < 0 else 1 + code_of(tile)
    for tile in range(27):
        out[452 + tile] = s[RACKS + 27 * me + tile]
        out[506 + tile] = s[BAG + tile]
        for other in range(seats):
            out[506 + tile] += s[RACKS + 27 * other + tile] if other != me else 0
    if s[SEAT] == me and s[START] >= 0:
        observe_choice(s, out)
    out[533] = s[BAG_SIZE]
    out[534] = s[PASSES]
    out[535] = s[IDLE]
    out[536] = 3 * seats
    out[537] = 6 * seats
    out[538] = s[ENDED] == 0
    for number in range(seats):
        other, at = (me + number) % seats, 542 + 4 * number
        out[at] = s[SIZES + other]
        out[at + 1] = s[SCORES + other]
        out[at + 3] = s[SEAT] == other and s[ENDED] == 0


@compiled
def renew_all(states: Batch, ended: Batch, graph: Ints, memory: Ints) -> None:
    work = work_in(memory)
    for row in range(states.shape[0]):
        if ended[row]:
            reset(states[row], graph, work)


@compiled
def step_all(states: Batch, ids: Ints, scores: Batch, places: Batch, graph: Ints, memory: Ints) -> None:
    work = work_in(memory)
    for row in range(states.shape[0]):
        s = states[row]
        apply(s, ids[row], graph, work)
        if s[ENDED]:
            for seat in range(s[SEATS]):
                scores[row, seat] = s[SCORES + seat]
                places[row, seat] = 1
                for other in range(s[SEATS]):
                    places[row, seat] += s[SCORES + other] > s[SCORES + seat]


@compiled
def look_all(states: Batch, seats: Ints, observations: Batch, masks: Batch, graph: Ints) -> None:
    observations[:] = 0
    masks[:] = 0
    for row in range(states.shape[0]):
        s = states[row]
        seats[row] = s[SEAT]
        observe(s, s[SEAT], observations[row])
        for word in range(MARK_WORDS):
            marks = s[MARKS + word]
            while marks:
                masks[row, 64 * word + lowest(marks)] = 1
                marks &= marks - 1


@compiled
def show_all(states: Batch, out: Batch, graph: Ints) -> None:
    out[:] = 0
    for row in range(states.shape[0]):
        size = out.shape[1] // states[row, SEATS]
        for seat in range(states[row, SEATS]):
            observe(states[row], seat, out[row, size * seat : size * (seat + 1)])


follow(globals(), kernel.__file__)
