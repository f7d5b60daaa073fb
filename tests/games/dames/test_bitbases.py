"""The tables of endings agree with the rules, with an independent solution and with what theory knows."""

import lzma
import random
from hashlib import sha256
from itertools import combinations, product
from mmap import mmap

import pytest
from typer.testing import CliRunner

from tablee.games.dames import kernel
from tablee.games.dames.bitbase_builder import Builder, build_shipped, check, random_ending
from tablee.games.dames.bitbases import own_file, shipped, shipped_file, tables_of, unpacked, value_of
from tablee.games.dames.board import TEN, Position, singles
from tablee.games.dames.cli import app
from tablee.games.dames.kernel import DRAWN, LOST, UNKNOWN, WON
from tablee.games.dames.notation import read_fen, write_fen
from tablee.games.dames.search import PACKERS
from tablee.games.dames.studies import Analyse, Look, Theory, analyse, look
from tablee.games.dames.values import BLACK, RED


def turned_around(position):
    """Return the position with the board turned and the colours swapped."""
    red_men, red_kings, black_men, black_kings = (
        sum(1 << 50 - one.bit_length() for one in singles(squares)) for squares in position[:4]
    )
    return Position(black_men, black_kings, red_men, red_kings, 1 - position.to_move)


def forces_a_win(position, plies):
    """Return whether the side to move wins within so many moves of both sides, without the tables."""
    if plies <= 0:
        return False
    return any(is_lost(TEN.play(position, move), plies - 1) for move in TEN.moves(position))


def is_lost(position, plies):
    moves = TEN.moves(position)
    return all(forces_a_win(TEN.play(position, move), plies - 1) for move in moves)


def test_the_name_of_the_shipped_file_is_the_hash_of_its_content():
    content = lzma.decompress(shipped_file().read_bytes())
    assert shipped_file().name == f"bitbases4.{sha256(content).hexdigest()[:12]}.xz"
    assert shipped_file().stat().st_size < 2_000_000


@pytest.mark.parametrize(
    ("fen", "value"),
    [
        ("W:WK1:BK50", DRAWN),
        ("W:WK46:BK32", WON),
        ("W:WK1,K2:BK26", DRAWN),
        ("W:WK48,K49,K50:BK5", DRAWN),
        ("W:WK1,K2,K3:BK26", WON),
        ("W:W6,K50:BK45", WON),
        ("B:W6,K50:BK45", DRAWN),
        ("W:W16:B6", LOST),
        ("B:W16:B6", LOST),
        ("W:WK46:BK37,K41", LOST),
    ],
    ids=[
        "king against king",
        "a king that can be taken",
        "two kings against one",
        "three kings against one on the main line",
        "three kings catch one off the main line",
        "a man promotes at once",
        "the lone king stops it",
        "opposition: light must run into the other man",
        "opposition: so must dark",
        "a king locked in the corner",
    ],
)
def test_theory(fen, value):
    assert value_of(read_fen(fen)) == value


def test_random_endings_are_worth_the_best_of_their_moves():
    dice = random.Random("finales")
    for _ in range(400):
        position = random_ending(dice, dice.randint(2, 4))
        check(position, tables_of(10))
        assert value_of(position) == value_of(turned_around(position)), write_fen(position)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_many_random_endings_are_worth_the_best_of_their_moves():
    dice = random.Random("beaucoup de finales")
    for _ in range(100_000):
        check(random_ending(dice, dice.randint(2, tables_of(10)[0])), tables_of(10))


def test_a_short_search_never_contradicts_the_tables():
    dice = random.Random("recherche")
    wins = losses = 0
    for _ in range(60):
        position = random_ending(dice, dice.randint(2, 4))
        if forces_a_win(position, 3):
            wins += 1
            assert value_of(position) == WON, write_fen(position)
        elif is_lost(position, 2):
            losses += 1
            assert value_of(position) == LOST, write_fen(position)
    assert wins
    assert losses


@pytest.mark.parametrize(
    ("text", "variant", "theory"),
    [
        ("W:WK1,K2,K3:BK26", "international", Theory(0, 16)),
        ("B:WK26:BK48,K49,K50", "competitive", Theory(1, 16)),
        ("W:WK1:BK50", "international", Theory(None, None)),
        ("W:W16:B6", "international", Theory(1, None)),
        ("W:W31-50:B1-20", "international", None),
        ("W:WK1,K2,K3:BK26", "classic8", None),
    ],
)
def test_analysis_tells_the_theory_of_an_ending_and_the_moves_that_the_draw_rules_leave(text, variant, theory):
    state = look(Look(fen=text, variant=variant), "").state
    assert analyse(Analyse(state, seconds=0), "").theory == theory


@pytest.mark.parametrize("content", [b"", bytes(7), bytes(8), bytes(800)])
def test_a_damaged_file_with_five_pieces_is_ignored(content, tmp_path, monkeypatch):
    monkeypatch.setenv("TABLEE_DATA", str(tmp_path))
    own_file().parent.mkdir()
    own_file().write_bytes(content)
    tables_of.cache_clear()
    assert tables_of(10)[0] == 4


def test_tables_with_five_pieces_replace_the_shipped_ones(tmp_path, monkeypatch):
    monkeypatch.setenv("TABLEE_DATA", str(tmp_path))
    own_file().parent.mkdir()
    own_file().write_bytes(shipped().tobytes())
    tables_of.cache_clear()
    assert isinstance(tables_of(10).base, memoryview | mmap)
    assert value_of(read_fen("W:WK1,K2,K3:BK26")) == WON
    tables_of.cache_clear()


def endings(red, black):
    """Yield all positions with so many pieces of each side."""
    for red_men, black_men in product(range(red + 1), range(black + 1)):
        spaces = [(range(5, 50), red_men), (range(50), red - red_men)]
        spaces += [(range(45), black_men), (range(50), black - black_men)]
        for chosen in product(*(combinations(squares, many) for squares, many in spaces)):
            sets = [sum(1 << square for square in squares) for squares in chosen]
            position = Position(sets[0], sets[1], sets[2], sets[3], RED)
            if (position.pieces(RED) | position.pieces(BLACK)).bit_count() == red + black:
                yield position
                yield position.turned()


def solved(pieces):
    """Solve all endings with up to so many pieces with the moves of the rules alone."""
    sides = [(many - one, one) for many in range(2, pieces + 1) for one in range(1, many)]
    positions = [position for red, black in sides for position in endings(red, black)]
    ids = {position: number for number, position in enumerate(positions)}
    after = []
    for position in positions:  # It grows: a capture may take the last piece.
        reached = [TEN.play(position, move) for move in TEN.moves(position)]
        for one in reached:
            if one not in ids:
                ids[one] = len(positions)
                positions.append(one)
        after.append([ids[one] for one in reached])
    values = [DRAWN] * len(positions)
    waiting, before = list(range(len(positions))), 0
    while len(waiting) != before:
        before = len(waiting)
        for number in waiting:
            known = [values[one] for one in after[number]]
            values[number] = WON if LOST in known else LOST if all(value == WON for value in known) else DRAWN
        waiting = [number for number in waiting if values[number] == DRAWN]
    return zip(positions, values, strict=True)


def agree(pieces):
    tables = tables_of(10)
    for position, value in solved(pieces):
        found = kernel.ending(*PACKERS[10].boards(position), position.to_move, tables)
        assert found in (value, UNKNOWN), write_fen(position)
        assert (found == UNKNOWN) == bool(TEN.captures(position)), write_fen(position)


def test_two_pieces_agree_with_a_solution_by_the_rules():
    agree(2)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_three_pieces_agree_with_a_solution_by_the_rules():
    agree(3)


def test_an_ending_that_its_moves_contradict_is_found():
    tables = tables_of(10).copy()
    tables[2::2] = 0  # Every block is lost.
    tables.flags.writeable = False
    with pytest.raises(ValueError, match="its moves reach"):
        check(read_fen("W:WK1:BK50"), tables)


def test_the_folder_of_the_file_is_made(tmp_path, monkeypatch):
    """With a few numbers in place of the tables, which take seconds to solve."""
    monkeypatch.setattr(Builder, "run", lambda builder, advance: builder.records)
    path = build_shipped(2, 1, tmp_path / "new" / "folder", lambda places: None)
    assert path.parent == tmp_path / "new" / "folder"
    assert unpacked(path)[0] == 2


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_the_command_builds_the_shipped_file_again(tmp_path):
    result = CliRunner().invoke(app, ["bitbases", "4", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert [path.name for path in tmp_path.iterdir()] == [shipped_file().name]
    assert "5000 random endings agree with the rules" in result.output
