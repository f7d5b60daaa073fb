"""Whole games as text (see tests/support/golden.py): every way to end one, contests, jokers, exchanges, leavers."""

from pathlib import Path

import pytest
from golden import GoldenGames

GOLDEN = GoldenGames("scrabble", Path(__file__).parent / "golden")


@pytest.mark.parametrize("path", GOLDEN.paths, ids=lambda path: path.stem)
def test_a_golden_game_plays_as_it_is_written(path, update_golden):
    GOLDEN.check(path, update=update_golden)


def test_the_golden_games_show_every_kind_of_turn_and_of_end():
    kinds, ends = set(), set()
    for path in GOLDEN.paths:
        _, head, steps = GOLDEN.read(path.read_text("utf-8"))
        match = GOLDEN.start(head)
        for told in steps:
            GOLDEN.play(match, told)
        kinds |= {move.kind for move in match.state.log}
        if match.outcome is not None:
            ends.add(match.outcome.reason)
    assert kinds == {"place", "withdrawn", "exchange", "pass", "leave"}
    assert ends == {"out", "passes", "stalled", "left"}
