"""Golden matches (see tests/support/golden.py) that cover every special rule."""

from pathlib import Path

import pytest
from golden import GoldenGames

from tablee.games.president.values import Close, Give, Stop

GOLDEN = GoldenGames("president", Path(__file__).parent / "golden")


@pytest.mark.parametrize("path", GOLDEN.paths, ids=lambda path: path.stem)
def test_a_golden_match_replays(path, update_golden):
    GOLDEN.check(path, update=update_golden)


def test_the_golden_matches_cover_every_special_rule():
    endings, shown = set(), set()
    for path in GOLDEN.paths:
        _, head, steps = GOLDEN.read(path.read_text("utf-8"))
        match = GOLDEN.start(head)
        for step in steps:
            before = match.state
            GOLDEN.play(match, step)
            after, seat, action = match.state, step[0], match.steps[-1].action
            if after.last_trick is not before.last_trick:
                endings.add(after.last_trick.ending)
            shown |= {kind.__name__ for kind in (Close, Give, Stop) if isinstance(action, kind)}
            shown |= {"out of turn"} if seat != before.to_act and isinstance(action, Close) else set()
            shown |= {"ou_rien"} if after.ou_rien else set()
            shown |= {"reverse in a suite"} if (before.direction, after.direction) == ("suite", "reverse") else set()
            shown |= {"revolution"} if after.revolution > before.revolution else set()
            shown |= {"counter"} if before.revolution > after.revolution and after.manche == before.manche else set()
            shown |= {"sunk"} if after.sunk else set()
    assert endings == {"passes", "stop", "closing_rank", "carre", "four", "manche"}
    assert shown == {
        "Close", "Give", "Stop", "out of turn", "ou_rien", "reverse in a suite", "revolution", "counter", "sunk"
    }  # fmt: skip
