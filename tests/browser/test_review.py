"""The review of a match, from its result to the moment that is played again."""

from __future__ import annotations

import re

from browse import (
    PHONE,
    OpenPage,
    assert_accessible,
    assert_fits,
    is_over,
    play_a_card,
    play_against_a_bot,
    resize,
)
from live import LiveServer
from playwright.sync_api import Page, expect

MINUTES = 300_000
"""The first review of a new machine also compiles the kernel of its game."""


def play_a_match(page: Page) -> None:
    play_against_a_bot(page)
    while not is_over(page):
        if not play_a_card(page):
            page.wait_for_timeout(30)


def amount(text: str) -> float:
    """Read « −11,8 koras »."""
    found = re.search(r"([+−]?)([\d ]+,?\d*)", text)
    assert found is not None, text
    return float(found[2].replace(",", ".").replace(" ", "")) * (-1 if found[1] == "−" else 1)


def test_a_finished_match_is_reviewed_from_its_result(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site)
    play_a_match(page)
    page.get_by_test_id("review").click()
    expect(page.get_by_test_id("review-curve")).to_be_visible(timeout=MINUTES)
    assert_accessible(page)
    figures = page.get_by_test_id("review-player-0")
    parts = [amount(text) for text in figures.locator(".parts dd.numbers").all_inner_texts()]
    assert abs(sum(parts) - amount(figures.locator(".result").inner_text())) <= 0.16  # each is rounded to a tenth
    page.get_by_test_id("review-curve").click(position={"x": 200, "y": 40})
    expect(page).not_to_have_url(re.compile("#0"))
    page.get_by_text("Voir en tableau").click()
    rows = page.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(int(page.get_by_role("slider").get_attribute("max") or 0) + 2)
    page.get_by_role("tab", name="Coups").click()
    expect(page.get_by_test_id("steps").locator("[data-mark]").first).to_be_visible()
    resize(page, PHONE)
    assert_fits(page, PHONE["width"])
    page.get_by_role("tab", name="Analyse").click()
    assert_accessible(page)
    again = page.get_by_test_id("replay-moment")
    if again.count():  # a short deal may have been decided before its first card
        again.first.click()
        expect(page).to_have_url(re.compile("/table/"))
        expect(page.get_by_test_id("hand-card").first).to_be_visible()
