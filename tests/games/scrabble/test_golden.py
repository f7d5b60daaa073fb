"""Golden matches (see tests/support/golden.py) with every ending, contests, jokers, exchanges and leavers."""

from pathlib import Path

import pytest
from golden import GoldenGames

GOLDEN = GoldenGames("scrabble", Path(__file__).parent / "golden")


@pytest.mark.parametrize("path", GOLDEN.paths, ids=lambda path: path.stem)
def test_a_golden_match_replays(path, update_golden):
    GOLDEN.check(path, update=update_golden)


def test_the_golden_matches_cover_every_kind_of_turn_and_ending():
    kinds, ends = set(), set()
    for path in GOLDEN.paths:
        _, head, steps = GOLDEN.read(path.read_text("utf-8"))
        match = GOLDEN.start(head)
        for step in steps:
            GOLDEN.play(match, step)
        kinds |= {move.kind for move in match.state.log}
        if match.outcome is not None:
            ends.add(match.outcome.reason)
    assert kinds == {"place", "withdrawn", "exchange", "pass", "leave"}
    assert ends == {"out", "passes", "stalled", "left"}
