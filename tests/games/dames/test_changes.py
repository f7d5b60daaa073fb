"""What Dames sends to a board that knows no rules: the pieces that a move takes, and every change so far."""

from random import Random

import pytest

from tablee.core.chance import SeedChance
from tablee.games.dames.values import Move, OfferDraw

UNUSED = SeedChance("dames", 0)


@pytest.mark.parametrize(
    ("position", "path", "taken"),
    [
        ("W:W28:B1", (28, 22), ()),
        ("W:W48:B33,43", (48, 39, 28), (43, 33)),
        ("W:WK46:B14,20,23", (46, 19, 10), (23, 14)),
        ("B:W22,50:B28", (28, 17), (22,)),
    ],
)
def test_a_preview_names_the_piece_of_each_jump(table, position, path, taken):
    state = table.read(position)
    assert Move(path) in table.game.legal_actions(state, state.to_move)
    assert table.game.preview(state, state.to_move, Move(path)) == taken


def test_only_moves_have_a_preview(table):
    assert table.game.preview(table.begin(), 0, OfferDraw()) is None


def pieces(state):
    """Return the pieces by square: their side, and whether they are kings."""
    sets = {(0, False): state.red_men, (0, True): state.red_kings, (1, False): state.black_men}
    sets[1, True] = state.black_kings
    return {square: kind for square in range(1, 51) for kind, held in sets.items() if held >> square - 1 & 1}


@pytest.mark.parametrize("seed", range(12))
def test_paths_and_changes_give_every_position_again(table, seed):
    dice, state = Random(seed), table.begin(variant="competitive" if seed % 2 else "classic8")
    states, paths = [state], []
    while state.result is None:
        moves = [action for action in table.game.legal_actions(state, state.to_move) if isinstance(action, Move)]
        paths.append(dice.choice(moves).path)
        state = table.game.apply(state, state.to_move, Move(paths[-1]), UNUSED)
        states.append(state)
    changes = {change.move: change for change in state.changes}
    assert state.moves == len(paths)
    now = pieces(states[0])
    for number, (path, after) in enumerate(zip(paths, states[1:], strict=True), 1):
        side, king = now.pop(path[0])
        change = changes.get(number)
        for square in change.captured if change else ():
            del now[square]
        now[path[-1]] = side, king or (change is not None and change.promoted)
        assert now == pieces(after)
