"""The compiled kernel gives the same moves and the same positions as the rules."""

import random
from pathlib import Path

import pytest

from tablee.games.dames import kernel, patterns
from tablee.games.dames.board import EIGHT, TEN, Position
from tablee.games.dames.notation import read_fen, write_fen
from tablee.games.dames.search import PACKERS, Lists, array

BOARDS = {"10×10": TEN, "8×8": EIGHT}


@pytest.fixture(scope="module")
def lists():
    return {board: Lists(board) for board in BOARDS.values()}


def agree(board, lists, position):
    """Return the legal moves after checking that the kernel finds the same ones, each once."""
    ruled, found = board.moves(position), lists[board].moves(position)
    assert len(found) == len(set(found)), f"a move twice in {write_fen(position)}"
    assert set(found) == set(ruled), f"{write_fen(position)}: {set(found) ^ set(ruled)}"
    return ruled


def played(board, position, move):
    """Play a move with the kernel."""
    packer = PACKERS[board.size]
    men, kings, other_men, other_kings = packer.boards(position)
    origin, target, taken = (packer.pack(squares) for squares in move)
    packed = origin.bit_length() - 1 | target.bit_length() - 1 << 6 | (kernel.KING if origin & kings else 0)
    own = kernel.moved(men, kings, packed, kernel.LAST_ROW[board.size][position.to_move])
    men, kings = map(packer.unpack, own)
    mine, theirs = (men, kings), (packer.unpack(other_men & ~taken), packer.unpack(other_kings & ~taken))
    red, black = (mine, theirs) if position.to_move == 0 else (theirs, mine)
    return Position(red[0], red[1], black[0], black[1], 1 - position.to_move)


def random_position(board, dice):
    """Return a few pieces at random, most of them kings, so that long captures are likely."""
    squares = dice.sample(range(board.squares), dice.randint(2, 16))
    boards = [0, 0, 0, 0]
    for square in squares:
        boards[dice.choices(range(4), (1, 3, 2, 2))[0]] |= 1 << square
    red_men, red_kings, black_men, black_kings = boards
    red_men, red_kings = red_men & ~board.top, red_kings | red_men & board.top
    black_men, black_kings = black_men & ~board.bottom, black_kings | black_men & board.bottom
    return Position(red_men, red_kings, black_men, black_kings, dice.randrange(2))


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_kernel_agrees_with_the_rules_in_random_games(board, lists):
    dice = random.Random(f"parties {board.size}")
    position, ply = board.start, 0
    for _ in range(60_000):
        moves = agree(board, lists, position)
        if not moves or ply == 200:
            position, ply = board.start, 0
            continue
        move = dice.choice(moves)
        after = board.play(position, move)
        assert played(board, position, move) == after, f"{write_fen(position)}: {move}"
        position, ply = after, ply + 1


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_kernel_agrees_with_the_rules_in_random_positions(board, lists):
    dice = random.Random(f"prises {board.size}")
    most = 0
    for _ in range(50_000):
        position = random_position(board, dice)
        moves = agree(board, lists, position)
        if moves:
            move = dice.choice(moves)
            most = max(most, move[2].bit_count())
            assert played(board, position, move) == board.play(position, move), f"{write_fen(position)}: {move}"
    assert most > 6


PERFT = sorted((Path(__file__).parent / "perft").glob("*.txt"))
MOST = 10_000_000
"""Deeper counts are left to the benchmark."""


@pytest.mark.parametrize("bulk", [True, False], ids=["bulk", "one by one"])
@pytest.mark.parametrize("file", PERFT, ids=lambda file: file.stem)
def test_perft(file, bulk, lists):
    fen, *lines = (line for line in file.read_text().splitlines() if line and not line.startswith("#"))
    position, tried = read_fen(fen), 0
    for line in lines:
        depth, count = map(int, line.split())
        if count <= MOST:
            assert lists[TEN].perft(position, depth, bulk=bulk) == count
            tried += 1
    assert tried > 6


def test_packing_squares_is_reversible():
    for board in BOARDS.values():
        packer = PACKERS[board.size]
        assert packer.pack(board.every) == kernel.BOARD[board.size]
        for at in range(board.squares):
            assert packer.unpack(packer.pack(1 << at)) == 1 << at


@pytest.mark.parametrize(
    ("board", "learned"), [(TEN, True), (TEN, False), (EIGHT, False)], ids=["learned", "10×10", "8×8"]
)
def test_the_evaluation_is_symmetric(board, learned):
    """Turning the board and exchanging the colours does not change the value."""

    def turned(squares):
        return int(f"{squares:0{board.squares}b}"[::-1], 2)

    dice, packer, masks = random.Random("miroir"), PACKERS[board.size], kernel.geometry(board.size)
    params, weights, pairs = array(kernel.PARAMS), patterns.weights(), kernel.pair_numbers()
    params[kernel.LEARNED] = learned
    for _ in range(2000):
        one = random_position(board, dice)
        red_men, red_kings, black_men, black_kings = map(turned, one[:4])
        other = Position(black_men, black_kings, red_men, red_kings, 1 - one.to_move)
        values = [
            kernel.evaluate(*packer.boards(position), position.to_move, 0, params, masks, weights, pairs)
            for position in (one, other)
        ]
        # The tiebreak adds up to three hundredths of a man.
        assert abs(values[0] - values[1]) <= 3, write_fen(one)
