"""Golden matches (see tests/support/golden.py) that cover every card and every kind of event."""

from pathlib import Path
from typing import get_args

import pytest
from golden import GoldenGames

from tablee.games.ojyx.cards import CARDS
from tablee.games.ojyx.values import EventKind, Stage

GOLDEN = GoldenGames("ojyx", Path(__file__).parent / "golden")


@pytest.mark.parametrize("path", GOLDEN.paths, ids=lambda path: path.stem)
def test_a_golden_match_replays(path, update_golden):
    GOLDEN.check(path, update=update_golden)


def test_the_golden_matches_cover_every_card_and_every_kind_of_event():
    cards, kinds, answers, stages = set(), set(), set(), set()
    for path in GOLDEN.paths:
        _, head, steps = GOLDEN.read(path.read_text("utf-8"))
        match = GOLDEN.start(head)
        for step in steps:
            GOLDEN.play(match, step)
            stages.add(match.state.stage)
            for event in match.state.events:
                kinds.add(event.kind)
                answers.add(event.answer)
                if event.kind == "played":
                    cards |= {event.action}
    assert cards == set(CARDS) - {"shield", "mirror"}
    assert answers == {None, "accept", "shield", "mirror"}
    assert kinds == set(get_args(EventKind))
    assert stages == set(get_args(Stage))
