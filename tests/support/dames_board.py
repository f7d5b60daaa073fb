"""The board of Dames in a browser."""

from playwright.sync_api import Locator, Page, expect


def square(page: Page, number: int) -> Locator:
    return page.locator(f'[data-square="{number}"]')


def move(page: Page, text: str) -> None:
    """Play a move by touching its squares one after the other."""
    path = [int(part) for part in text.replace("x", "-").split("-")]
    # The other player's move may still be on its way to this page.
    expect(square(page, path[0])).to_have_attribute("data-lit", "piece")
    for number in path:
        square(page, number).click()
    expect(square(page, path[0]).locator("[data-piece]")).to_have_count(0)
