"""Golden matches (see tests/support/golden.py) with every way to win a deal and to end a match."""

from pathlib import Path

import pytest
from golden import GoldenGames

GOLDEN = GoldenGames("kora", Path(__file__).parent / "golden")


@pytest.mark.parametrize("path", GOLDEN.paths, ids=lambda path: path.stem)
def test_a_golden_match_replays(path, update_golden):
    GOLDEN.check(path, update=update_golden)


def test_the_golden_matches_cover_every_way_to_win_a_deal_and_to_end():
    reasons, ends = set(), set()
    for path in GOLDEN.paths:
        _, head, steps = GOLDEN.read(path.read_text("utf-8"))
        match = GOLDEN.start(head)
        seen = [match.state]
        for step in steps:
            GOLDEN.play(match, step)
            seen.append(match.state)
        reasons |= {state.last_deal.reason for state in seen if state.last_deal}
        ends.add(match.outcome.reason)
    assert reasons == {"trick", "kora", "33", "333", "sevens", "low_sum"}
    assert ends == {"deals", "bank", "left"}
