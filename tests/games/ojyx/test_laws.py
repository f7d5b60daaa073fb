"""The laws with the extended deck on every number of seats; tests/core checks the default deck."""

import pytest

from tablee.core.laws import check_match
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Options


@pytest.mark.parametrize("seats", range(2, 9))
def test_the_extended_deck_obeys_the_laws(seats: int) -> None:
    check_match(Ojyx(), seats, Options(deck="extended"), f"extended {seats}", looks=8, troubled=seats % 2 == 0)
