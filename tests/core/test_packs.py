"""Packs: games draw only from what they declare."""

import re
from types import SimpleNamespace
from typing import Any

import hundred
import pytest
from msgspec.structs import replace
from proofs import COMMIT, PAGE, SALTS, SECRET, with_draw, wrong

from tablee.arena import random_game
from tablee.core import discover
from tablee.core.discover import games
from tablee.core.fairness import Check, draws, proven, seed_of, undeclared, verify
from tablee.core.trace import Draw, Pack

SHIPPED = ("dames", "kora", "ojyx", "president", "scrabble")


def test_the_page_lists_the_packs_that_the_games_declare():
    rows = re.findall(r"^\| `(\w+)` \| (row|bag) \| ([^…]*?) \|$", PAGE, re.MULTILINE)
    pages = {}
    for name, kind, things in rows:
        counted = tuple(
            (name, int(count)) for name, _, count in (one.partition("×") for one in things.split()) if count
        )
        pages[name] = Pack(row=tuple(things.split())) if kind == "row" else Pack(bag=counted)
    declared = {name: pack for key in SHIPPED for name, pack in games()[key].packs.items()}
    assert declared.pop("stock") == declared["actions"]
    assert pages == declared


@pytest.mark.parametrize("key", games())
def test_every_draw_of_a_game_is_from_a_pack_that_it_declares(key):
    package = games()[key]
    drawn = set()
    for number in range(6):
        for seats in set(package.rules.info.seats):
            match = random_game(key, seats=seats, options={}, seed=f"paquets {number}")
            given = draws(match)
            assert list(undeclared(given, package.packs, seats)) == []
            drawn |= {draw.pack for draw in given}
    if key in SHIPPED:
        assert drawn - {None, "seats"} == set(package.packs)


@pytest.fixture
def haute(monkeypatch):
    """A game that draws from 32 cards, and a function that changes the packs which it declares."""

    def declare(packs=hundred.PACKAGE.packs):
        package = replace(hundred.PACKAGE, packs=packs)
        point = SimpleNamespace(name="haute", load=lambda: package)
        monkeypatch.setattr(discover, "entry_points", lambda group: [point])
        discover.found.cache_clear()
        return proven(random_game("haute", seats=2, options={}, seed=seed_of(SECRET, SALTS)), SECRET, SALTS)

    yield declare
    discover.found.cache_clear()


def draws_check(record):
    return next(check for check in verify(record, COMMIT) if check.what == "draws")


def test_a_game_with_a_deck_of_its_own_is_no_cheat(haute):
    assert wrong(haute()) == {}
    assert draws_check(haute()) == Check("draws", True, "10 draws recomputed")


def test_a_game_without_packs_passes_and_lists_the_skipped_checks(haute):
    record = haute({})
    assert draws_check(record) == Check(
        "draws", None, "10 draws recomputed; the game declares no packs, so what it drew from is not checked"
    )
    assert wrong(with_draw(record, 3, item="7H" if record.draws[3].item != "7H" else "8H")).keys() == {"draws"}


def test_a_draw_from_a_pack_that_the_game_does_not_declare_is_named(haute):
    record = haute({"tarots": Pack(row=hundred.CARDS)})
    assert wrong(record) == {"draws": "ply 0: the game draws from 'cards' and declares no such pack"}


@pytest.mark.parametrize("pack", [Pack(row=hundred.CARDS[::-1]), Pack(row=hundred.CARDS[:-1]), Pack(bag=(("AS", 32),))])
def test_a_draw_from_another_deck_than_the_declared_one_is_named(haute, pack):
    assert wrong(haute({"cards": pack}))["draws"].startswith(
        "ply 0: the pack 'cards' that the game declares cannot leave AS 7S 8S "
    )


@pytest.mark.parametrize(
    ("row", "bag", "fits"),
    [
        (None, (("a", 2), ("b", 1)), True),
        (None, (("b", 1),), True),
        (None, (), True),
        (None, (("a", 3),), False),
        (None, (("a", 0),), False),
        (None, (("c", 1),), False),
        (None, (("b", 1), ("a", 1)), False),
        (None, (("a", 1), ("a", 1)), False),
        (("b", "a", "a"), None, True),
        (("b", "b"), None, False),
        (("c",), None, False),
    ],
)
def test_a_bag_allows_only_its_own_items(row, bag, fits):
    assert Pack(bag=(("a", 2), ("b", 1))).allows(row, bag) is fits


def test_a_row_allows_only_itself():
    pack = Pack(row=("a", "b"))
    assert pack.allows(("a", "b"), None)
    assert not pack.allows(("b", "a"), None)
    assert not pack.allows(("a",), None)
    assert not pack.allows(None, (("a", 1), ("b", 1)))


def test_the_first_draw_of_a_pack_lists_its_items():
    packs = {"letters": Pack(row=("a", "b"))}
    first, second = Draw(0, 0, 2, 0, "letters", "a", ("a", "b")), Draw(0, 1, 1, 0, "letters", "b")
    assert list(undeclared([first, second], packs, 2)) == []
    assert list(undeclared([second], packs, 2)) == ["ply 0: the first draw from 'letters' does not say what is in it"]
    seats = Draw(0, 0, 3, 0, "seats", "0", ("0", "1", "2"))
    assert list(undeclared([seats], {}, 3)) == []
    assert list(undeclared([seats], {}, 2)) != []


def test_a_pack_is_a_row_or_a_bag():
    wrong: list[dict[str, Any]] = [{}, {"row": ("a",), "bag": (("a", 1),)}]
    for both in wrong:
        with pytest.raises(ValueError, match="either a row or a bag"):
            Pack(**both)
    with pytest.raises(ValueError, match="every game has that pack"):
        replace(hundred.PACKAGE, packs={"seats": Pack(row=("0", "1"))}).__post_init__()
