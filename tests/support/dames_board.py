"""The board of Dames in a browser."""

from browse import join
from playwright.sync_api import Locator, Page, expect

UNTIMED = {"move_time": 0, "match_time": 0, "player_time": 0}


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


def seat_two(red: Page, black: Page, **options: object) -> tuple[Page, Page]:
    """Seat two people at a new table, start their match, and return when both see the board."""
    code = red.request.post("/api/tables", data={"game": "dames", "options": options}).json()["code"]
    red.goto(f"/table/{code}")
    join(black, code)
    red.get_by_test_id("start").click()
    for page in (red, black):
        expect(square(page, 1)).to_be_visible()
    return red, black
