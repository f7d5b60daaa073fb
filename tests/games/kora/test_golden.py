"""Whole parties as text (see tests/support/golden.py): every way to win a deal and to end a partie."""

from pathlib import Path

import pytest
from golden import GoldenGames

GOLDEN = GoldenGames("kora", Path(__file__).parent / "golden")


@pytest.mark.parametrize("path", GOLDEN.paths, ids=lambda path: path.stem)
def test_a_golden_game_plays_as_it_is_written(path, update_golden):
    GOLDEN.check(path, update=update_golden)


def test_the_golden_games_show_every_way_to_win_a_deal_and_to_end_a_partie():
    reasons, ends = set(), set()
    for path in GOLDEN.paths:
        _, head, steps = GOLDEN.read(path.read_text("utf-8"))
        match = GOLDEN.start(head)
        seen = [match.state]
        for told in steps:
            GOLDEN.play(match, told)
            seen.append(match.state)
        reasons |= {state.last_deal.reason for state in seen if state.last_deal}
        ends.add(match.outcome.reason)
    assert reasons == {"trick", "kora", "33", "333", "sevens", "low_sum"}
    assert ends == {"deals", "bank", "left"}
