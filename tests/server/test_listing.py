"""The order of the public list follows the tables as they change."""

import random
from collections import Counter

from tablee.server.listing import Listing, Rank

MOST = 3


def by_sorting(tables: dict[str, tuple[Rank, str]]) -> list[str]:
    """Sort all tables, then leave out those of a host who has enough."""
    shown: list[str] = []
    count: Counter[str] = Counter()
    for code in sorted(tables, key=lambda code: (tables[code][0], code)):
        host = tables[code][1]
        count[host] += 1
        if count[host] <= MOST:
            shown.append(code)
    return shown


def test_a_listing_that_changes_is_as_if_sorted_anew() -> None:
    dice = random.Random("listing")
    listing, tables = Listing(MOST), dict[str, tuple[Rank, str]]()
    for _ in range(2000):
        code = f"T{dice.randrange(40):02}"
        if dice.random() < 0.3:
            tables.pop(code, None)
            listing.drop(code)
        else:
            tables[code] = (dice.random() < 0.5, dice.random() < 0.5), dice.choice("abcdefgh")
            listing.put(code, *tables[code])
        assert list(listing.codes()) == by_sorting(tables)
