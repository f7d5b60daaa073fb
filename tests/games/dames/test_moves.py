"""The moves of board.py, compared with perft and with the slow implementation in naive.py."""

import importlib.util
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.games.dames.board import EIGHT, TEN, Position, numbers, perft, singles
from tablee.games.dames.notation import read_fen, write_fen

HERE = Path(__file__).parent
_spec = importlib.util.spec_from_file_location("naive", HERE / "naive.py")
assert _spec is not None
assert _spec.loader is not None
naive = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(naive)

MOST_NODES = 200_000
COUNTS = [
    pytest.param(fen, depth, count, id=f"{path.stem}-{depth}")
    for path in sorted((HERE / "perft").glob("*.txt"))
    for fen in [path.read_text().splitlines()[1]]
    for depth, count in (map(int, line.split()) for line in path.read_text().splitlines()[2:])
    if count < MOST_NODES
]


@pytest.mark.parametrize(("fen", "depth", "count"), COUNTS)
def test_perft(fen, depth, count):
    assert perft(TEN, read_fen(fen), depth) == count


def test_perft_of_depth_0_is_1():
    assert perft(TEN, TEN.start, 0) == 1


def rows_and_columns(board, position):
    sides = (
        (position.red_men, ("red", False)),
        (position.red_kings, ("red", True)),
        (position.black_men, ("black", False)),
        (position.black_kings, ("black", True)),
    )
    return {board.place(number): piece for squares, piece in sides for number in numbers(squares)}


def agree(board, position):
    """Compare the moves of a position, with their paths, with those of naive.py."""
    color = ("red", "black")[position.to_move]
    expected = naive.moves(rows_and_columns(board, position), board.size, color)
    captures = board.captures(position)
    found = {
        (origin.bit_length(), target.bit_length(), frozenset(numbers(taken))): (origin, target, taken)
        for origin, target, taken in board.moves(position)
    }
    assert len(found) == len(board.moves(position)), f"a move twice in {write_fen(position)}"
    assert found.keys() == expected.keys(), write_fen(position)
    for key, move in found.items():
        if move in captures:
            assert tuple(stop.bit_length() for stop in captures[move]) == expected[key], write_fen(position)
            assert board.move(position, expected[key]) == move == board.along(position, expected[key])


def scattered(board, dice, most_pieces, kings):
    """Return a random position without men on their last row."""
    squares = dice.sample(range(board.squares), dice.randint(2, most_pieces))
    sets = [0, 0, 0, 0]
    for square in squares:
        side = dice.randrange(2)
        last = board.top if side == 0 else board.bottom
        king = dice.random() < kings or last >> square & 1
        sets[2 * side + bool(king)] |= 1 << square
    return Position(sets[0], sets[1], sets[2], sets[3], dice.randrange(2))


@pytest.mark.parametrize(
    ("board", "most_pieces", "kings", "many"),
    [(TEN, 40, 0.0, 4000), (TEN, 30, 0.3, 4000), (TEN, 18, 1.0, 4000), (EIGHT, 24, 0.2, 2000), (EIGHT, 12, 1.0, 2000)],
    ids=["men", "mixed", "kings", "eight", "eight-kings"],
)
def test_random_positions_agree_with_the_naive_moves(board, most_pieces, kings, many):
    dice = random.Random(f"dames {board.size} {most_pieces} {kings}")
    for _ in range(many):
        agree(board, scattered(board, dice, most_pieces, kings))


@pytest.mark.parametrize("board", [TEN, EIGHT], ids=["ten", "eight"])
def test_random_games_agree_with_the_naive_moves(board):
    dice = random.Random(f"parties {board.size}")
    for _ in range(12):
        position = board.start
        for _ in range(120):
            agree(board, position)
            moves = board.moves(position)
            if not moves:
                break
            position = board.play(position, dice.choice(moves))


@st.composite
def positions(draw, board=TEN):
    seed = draw(st.integers(0, 2**32))
    most = draw(st.integers(2, board.squares * 4 // 5))
    return scattered(board, random.Random(seed), most, draw(st.sampled_from([0.0, 0.2, 0.6])))


def turned(board, squares):
    return sum(1 << board.squares - number for number in numbers(squares))


def from_the_other_side(board, position):
    red_men, red_kings, black_men, black_kings, to_move = position
    one, two, three, four = (turned(board, squares) for squares in (black_men, black_kings, red_men, red_kings))
    return Position(one, two, three, four, 1 - to_move)


@pytest.mark.parametrize("board", [TEN, EIGHT], ids=["ten", "eight"])
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_both_sides_move_in_the_same_way(board, data):
    """Turning the board and exchanging the colours does not change the moves."""
    position = data.draw(positions(board))
    other = from_the_other_side(board, position)
    moves = {tuple(turned(board, squares) for squares in move) for move in board.moves(position)}
    assert moves == set(board.moves(other))
    for move in board.moves(position):
        mirrored = board.play(other, tuple(turned(board, squares) for squares in move))
        assert mirrored == from_the_other_side(board, board.play(position, move))


@given(positions())
@settings(max_examples=200, deadline=None)
def test_a_move_moves_one_piece_and_removes_the_pieces_taken(position):
    mine = position.to_move
    for move in TEN.moves(position):
        origin, target, taken = move
        after = TEN.play(position, move)
        assert after.to_move == 1 - mine
        assert after.pieces(mine) == position.pieces(mine) & ~origin | target
        assert after.pieces(1 - mine) == position.pieces(1 - mine) & ~taken
        assert taken & position.pieces(1 - mine) == taken
        everything = [*after[:4]]
        assert sum(squares.bit_count() for squares in everything) == (after.pieces(0) | after.pieces(1)).bit_count()


@given(positions())
@settings(max_examples=200, deadline=None)
def test_every_capture_takes_the_most(position):
    captures = TEN.captures(position)
    assert len({taken.bit_count() for _, _, taken in captures}) <= 1
    for (_, _, taken), path in captures.items():
        assert taken.bit_count() == len(path) - 1


@pytest.mark.parametrize("board", [TEN, EIGHT], ids=["ten", "eight"])
def test_squares_are_numbered_from_the_top_left(board):
    assert [board.number(*place) for place in naive.dark(board.size)] == list(range(1, board.squares + 1))
    for number in range(1, board.squares + 1):
        assert board.number(*board.place(number)) == number
    assert board.number(0, 0) is None
    assert board.number(-1, 0) is None
    assert board.number(0, board.size + 1) is None
    assert list(singles(0b1010)) == [2, 8]


def test_a1_is_46():
    assert TEN.place(46) == (9, 0)
    assert TEN.place(5) == (0, 9)


def test_a_board_with_very_many_paths_is_fast():
    """A king among many pieces has many paths; equivalent ones are followed once."""
    dice = random.Random("beaucoup")
    inner = [square for square, rays in TEN.rays.items() if all(rays)]
    for _ in range(200):
        enemies = sum(dice.sample(inner, dice.randint(10, 22)))
        free = [square for square in singles(TEN.every) if not square & enemies]
        TEN.captures(Position(0, sum(dice.sample(free, 3)), enemies, 0))
