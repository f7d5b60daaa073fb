"""Puzzles in the browser: one is solved, one is failed and tried again."""

import re

from browse import PHONE, OpenPage, assert_accessible, assert_fits
from live import LiveServer
from playwright.sync_api import Locator, Page, expect

from tablee.core.discover import find
from tablee.core.puzzles import Puzzle


def puzzle_on(page: Page, which: str) -> Puzzle:
    """The puzzle that the server gives to this page, with its solution."""
    puzzles = find("dames").puzzles
    assert puzzles is not None
    return puzzles.book.by_id[page.request.get(f"/api/puzzles/dames/{which}").json()["id"]]


def move(page: Page, text: str) -> None:
    squares = [int(part) for part in re.split("[-x]", text)]
    expect(page.locator(f'[data-square="{squares[0]}"]')).to_have_attribute("data-lit", "piece")
    for number in squares:
        page.locator(f'[data-square="{number}"]').click()


def phase(page: Page, wanted: str) -> Locator:
    panel = page.get_by_test_id("puzzle")
    expect(panel).to_have_attribute("data-phase", wanted)
    return panel


def test_the_daily_puzzle_is_solved(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site)
    page.get_by_test_id("daily-puzzles").get_by_role("link", name="Dames").click()
    phase(page, "solve")
    assert_accessible(page)
    for text in puzzle_on(page, "daily").line[::2]:
        phase(page, "solve")
        move(page, text)
    panel = phase(page, "right")
    expect(panel).to_contain_text("Bravo")
    expect(panel).to_contain_text("1 jour de suite")
    expect(panel.get_by_test_id("rating-change")).to_contain_text("1 500 →".replace(" ", "\u202f", 1))
    assert_accessible(page)
    page.goto("/problemes")
    expect(page.get_by_test_id("puzzles-dames")).to_contain_text("Résolu aujourd’hui")
    assert_accessible(page)
    assert_fits(page, 1280)


def test_a_failed_puzzle_shows_its_solution_and_is_tried_again(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "/problemes", viewport=PHONE)
    page.get_by_test_id("kind-combination").click()
    phase(page, "solve")
    puzzle = puzzle_on(page, "next?kind=combination")
    legal = page.request.get(f"/api/puzzles/dames/{puzzle.id}").json()["offer"]["legal"]
    wrong = next("-".join(map(str, one["path"])) for one in legal if "-".join(map(str, one["path"])) != puzzle.line[0])
    move(page, wrong)
    panel = phase(page, "wrong")
    expect(panel).to_contain_text("Voici la solution")
    expect(panel).to_contain_text(f"Coup {len(puzzle.line)} sur {len(puzzle.line)}")
    assert_accessible(page)
    assert_fits(page, 390)
    page.get_by_test_id("puzzle-retry").click()
    for text in puzzle.line[::2]:
        phase(page, "solve")
        move(page, text)
    expect(phase(page, "right")).not_to_contain_text("Classement")
    page.get_by_test_id("puzzle-next").click()
    phase(page, "solve")
