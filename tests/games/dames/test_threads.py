"""Several threads search one position and share its table: they find what one thread finds, and one finds the same."""

import random
import threading
from itertools import islice

import numpy as np
import pytest
from numba import njit

from tablee.games.dames import kernel
from tablee.games.dames.analysis import told_moves
from tablee.games.dames.bitbase_builder import random_ending
from tablee.games.dames.bitbases import value_of
from tablee.games.dames.board import TEN
from tablee.games.dames.notation import read_fen, write_fen
from tablee.games.dames.puzzles import MARGINS, DamesPuzzles
from tablee.games.dames.search import PLAIN, Found, Ranking, Root, Search, array

SEVERAL = pytest.mark.parametrize("threads", [2, 4])
TINY = 5
"""The binary logarithm of the entries of a table in which all threads write to the same places."""


def result(value):
    """Return 1 for an announced win, -1 for a loss and 0 if the search has not seen the end."""
    return (abs(value) > kernel.WIN - 2 * kernel.DEEPEST) * (1 if value > 0 else -1)


def completed(search, position, **limits):
    """Return the result of the last completed depth; at a depth that is not, better moves may come."""
    done: list[Found] = []
    search.think(Root(position), report=done.append, **limits)
    return done[-1]


def check_line(position, moves):
    assert moves, write_fen(position)
    for move in moves:
        assert move in TEN.moves(position), write_fen(position)
        position = TEN.play(position, move)


def endings(seed, count):
    """Yield endings with a choice of moves; the tables of endings know all of them."""
    dice = random.Random(seed)
    while count:
        position = random_ending(dice, dice.randint(2, 4))
        if len(TEN.moves(position)) > 1:
            yield position
            count -= 1


BEFORE = [
    ("W:W31-50:B1-20", True, 1, 11, "34-29 18-23 29x18 12x23"),
    ("W:W31-50:B1-20", False, 1, 10, "35-30 20-24 40-35 15-20"),
    ("W:W27,28,32,33,34,37,38,48,49:B4,8,9,13,16,21,23,26", True, 199, 13, "28x19 13x24 48-43 9-14"),
    ("W:W27,28,32,33,34,37,38,48,49:B4,8,9,13,16,21,23,26", False, 162, 12, "28x19 13x24 33-28 8-12"),
    ("B:W21,25,33,34,35,36,38,41,46,48,49:B1,2,5,6,10,11,15,16,18,23,24,27", True, 173, 12, "18-22 21x32 23-28 32x23"),
    ("B:W21,25,33,34,35,36,38,41,46,48,49:B1,2,5,6,10,11,15,16,18,23,24,27", False, 285, 10, "18-22 21x32 23-28 32x23"),
    ("W:WK46,32:BK4,9,18", True, 0, 21, "32-27 4-15 27-22 18x27"),
    ("W:WK46,32:BK4,9,18", False, -21, 13, "32-27 4-15 46-28 15-24"),
]
"""What a search found with one thread before there were more (version 73e07b8)."""


@pytest.mark.parametrize(("fen", "learned", "value", "depth", "line"), BEFORE)
def test_one_thread_finds_what_it_always_found(fen, learned, value, depth, line):
    position = read_fen(fen)
    found = Search(10, table_bits=14, learned=learned).think(Root(position), nodes=200_000)
    names = [name for name, _ in told_moves(TEN, position, found.line)]
    assert (found.value, found.depth, " ".join(names[:4])) == (value, depth, line)
    assert found.nodes == 200_000


@SEVERAL
def test_no_value_contradicts_the_tables_of_endings(threads):
    """The hand-made evaluation does not look into the tables; a tiny table makes the threads meet in it."""
    search, decided = Search(10, table_bits=TINY), 0
    for position in endings("fils", 60):
        found = completed(search, position, nodes=30_000, threads=threads)
        check_line(position, found.line)
        if result(found.value):
            assert result(found.value) == value_of(position), write_fen(position)
            decided += 1
    assert decided > 10


@SEVERAL
def test_a_win_or_loss_that_one_thread_sees_is_seen_by_several(threads):
    alone, together, seen = Search(10, table_bits=14), Search(10, table_bits=14), set()
    for position in endings("gains", 40):
        alone.forget()
        together.forget()
        expected = result(completed(alone, position, nodes=10_000).value)
        if expected:
            found = completed(together, position, nodes=1_000_000, threads=threads)
            assert result(found.value) == expected, write_fen(position)
            seen.add(expected)
    assert seen == {1, -1}


@SEVERAL
def test_drawn_endings_are_worth_a_draw(threads):
    search = Search(10, table_bits=TINY, learned=True)
    drawn = [position for position in endings("nulles", 120) if value_of(position) == kernel.DRAWN]
    assert len(drawn) > 20
    for position in drawn:
        assert search.think(Root(position), depth=6, threads=threads).value == 0, write_fen(position)


@SEVERAL
def test_puzzles_are_solved(threads):
    """Only one move of a puzzle is right, by a margin."""
    search = Search(10, table_bits=16)
    for puzzle in DamesPuzzles().book.of_kind("combination")[:200:10]:
        position = read_fen(puzzle.position)
        search.forget()
        found = search.think(Root(position), depth=MARGINS["find_depth"], threads=threads)
        check_line(position, found.line)
        assert next(told_moves(TEN, position, found.line))[1] == tuple(map(int, puzzle.line[0].split("-"))), puzzle


@SEVERAL
@pytest.mark.parametrize("most", [1, 3])
def test_an_analysis_with_helpers_goes_on_piece_by_piece(threads, most):
    position = read_fen("W:WK32,K33,K40:BK5")
    search, pieces, known = Search(10, table_bits=14), 0, Ranking(0, ())
    going = search.deepen(Root(position), PLAIN, most)
    while known.depth < 8 and not known.is_final:
        with search.helped(threads):
            known = list(islice(going, 3))[-1]
        pieces += 1
    assert pieces > 1
    assert len(known.lines) == most
    assert result(known.lines[0].value) == 1
    for line in known.lines:
        check_line(position, line.moves)


@SEVERAL
def test_helpers_count_their_nodes_and_end_with_the_search(threads):
    search, before = Search(10, table_bits=14), threading.active_count()
    found = search.think(Root(TEN.start), nodes=300_000, threads=threads)
    assert search.nodes >= found.nodes >= 300_000
    assert threading.active_count() == before
    with pytest.raises(ZeroDivisionError):
        search.think(Root(TEN.start), report=lambda found: 1 // 0, threads=threads)
    assert threading.active_count() == before


@pytest.mark.parametrize(("word", "other"), [(0, 1), (1, 0)])
def test_an_entry_of_two_writes_is_the_entry_of_no_position(word, other):
    """A thread may read between the two writes of another one."""
    keys, tables = (0x123456789ABCDE0, 0x5EDCBA987654320), (array(4), array(4))
    for key, depth, table in zip(keys, (7, 9), tables, strict=True):
        kernel.remember(key, 250, depth, kernel.EXACT, 77, 1, table)
        assert kernel.probe(key, table) >> 16 & 127 == depth
    tables[word][other] = tables[other][other]
    assert [kernel.probe(key, tables[word]) for key in keys] == [0, 0]


@njit(nogil=True)
def hammer(keys, rounds, table, seen):
    """Write and read entries that follow from their keys; count those that were found, and the wrong ones."""
    dice = seen[0]
    hits = wrong = 0
    for _ in range(rounds):
        dice = dice * 6364136223846793005 + 1442695040888963407
        key = keys[(dice >> 33) % keys.size]
        kernel.remember(key, key >> 8 & 1023, key >> 20 & 63, kernel.EXACT, key >> 30 & 8191, 1, table)
        key = keys[(dice >> 45) % keys.size]
        found = kernel.probe(key, table)
        if found:
            hits += 1
            is_right = (found & 65535) - 32768 == key >> 8 & 1023 and found >> 16 & 127 == key >> 20 & 63
            wrong += not (is_right and found >> 28 & 8191 == key >> 30 & 8191)
    seen[0], seen[1] = hits, wrong


def test_four_threads_never_read_a_wrong_entry():
    """All keys share the two slots of a table, so the threads write over each other all the time."""
    dice, table = random.Random("table"), array(4)
    keys = np.array([dice.getrandbits(62) for _ in range(8)])
    seen = [np.array([seed, 0]) for seed in range(4)]
    threads = [threading.Thread(target=hammer, args=(keys, 3_000_000, table, one)) for one in seen]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(hits > 1000 for hits, _ in seen)
    assert [wrong for _, wrong in seen] == [0, 0, 0, 0]
