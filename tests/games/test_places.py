"""In every game that scores decide, equal scores share a place and a better score has a better place."""

import pytest

from tablee.arena import random_game
from tablee.core.game import Outcome
from tablee.table.history import lower_wins

MATCHES = [
    ("kora", 2, {"deals": 10}),
    ("ojyx", 4, {"rounds": 1}),
    ("president", 4, {}),
    ("president", 8, {"rounds": 1}),
]


def by_scores(outcome: Outcome) -> tuple[int, ...]:
    """Return the places that the scores alone give."""
    sign = -1 if lower_wins(outcome) else 1
    return tuple(1 + sum(sign * other > sign * score for other in outcome.scores) for score in outcome.scores)


@pytest.mark.parametrize(("game", "seats", "options"), MATCHES)
def test_equal_scores_share_a_place(game: str, seats: int, options: dict[str, int]) -> None:
    shared = False
    for number in range(30):
        outcome = random_game(game, seats=seats, options=options, seed=f"places {number}").outcome
        assert outcome is not None
        assert outcome.places == by_scores(outcome)
        shared |= len(set(outcome.places)) < seats
        if shared and number >= 5:
            break
    assert shared, "no two players had equal scores"
