"""A Scrabble player for browser tests: it finds the best play in a view and lays it on the board."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

from tablee.games.scrabble.board import EMPTY, LINES, PLACES
from tablee.games.scrabble.movegen import plays
from tablee.games.scrabble.scoring import score_play
from tablee.games.scrabble.values import Place


def best(view: dict[str, Any]) -> Place | None:
    """Return the play with the highest score, the first of equals, or None if there is no play."""
    board = "".join(view["board"])
    found = plays(board, view["rack"], view["options"]["lexicon"])
    return max(found, key=lambda play: score_play(board, play.at, play.word).score, default=None)


def new_letters(view: dict[str, Any], play: Place) -> list[tuple[str, str]]:
    """Return the empty squares that a play fills, such as `H8`, with their letters."""
    number, start = PLACES[play.at]
    board = "".join(view["board"])
    squares = LINES[number].squares[start : start + len(play.word)]
    names = [f"{'ABCDEFGHIJKLMNO'[square // 15]}{square % 15 + 1}" for square in squares]
    laid = zip(squares, names, play.word, strict=True)
    return [(name, letter) for square, name, letter in laid if board[square] == EMPTY]


def tile(page: Page, letter: str) -> Locator:
    """Return a tile on the rack; `?` or any lower case letter is a joker."""
    return page.locator(f'[data-testid="rack-tile"][data-letter="{"?" if letter.islower() else letter}"]').first


def square(page: Page, name: str) -> Locator:
    return page.locator(f'[data-square="{name}"]')


def touch(page: Page, name: str, letter: str) -> None:
    """Click a tile, then its square; choose the letter of a joker."""
    tile(page, letter).click()
    square(page, name).click()
    if letter.islower():
        page.get_by_test_id(f"joker-{letter.upper()}").click()


def drag(page: Page, name: str, letter: str) -> None:
    """Drag a tile to a square."""
    start, end = tile(page, letter).bounding_box(), square(page, name).bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()
