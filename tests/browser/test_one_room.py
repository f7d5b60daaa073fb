"""One room: two people at one device, and a board on a large screen with each hand on a phone."""

from browse import OpenPage, assert_accessible
from live import LiveServer
from playwright.sync_api import Locator, Page, expect


def square(page: Page, number: int) -> Locator:
    return page.locator(f'[data-square="{number}"]')


def top_square(page: Page) -> int:
    """The number of a square in the row farthest from the players: 1 to 5 unless the board is turned."""
    boxes = [(page.locator(f'[data-square="{n}"]').bounding_box(), n) for n in (3, 48)]
    return min((box["y"], number) for box, number in boxes if box is not None)[1]


def test_two_people_play_on_one_device(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site)
    page.get_by_test_id("share-dames").click()
    page.get_by_test_id("guest-name").fill("Zoé")
    assert_accessible(page)
    page.get_by_test_id("shared-play").click()
    expect(square(page, 33)).to_have_attribute("data-lit", "piece")
    assert top_square(page) == 3
    for number in (33, 28):
        square(page, number).click()
    expect(square(page, 18)).to_have_attribute("data-lit", "piece")  # the guest's turn: the board turns to them
    assert top_square(page) == 48
    page.get_by_test_id("menu").click()
    page.get_by_role("switch", name="Le plateau tourne").click()
    page.keyboard.press("Escape")
    assert top_square(page) == 3
    for number in (18, 23):
        square(page, number).click()
    expect(square(page, 28)).to_have_attribute("data-lit", "piece")
    page.get_by_test_id("resign").click()
    page.get_by_test_id("resign-confirm").click()
    expect(page.get_by_test_id("result").get_by_role("heading").first).to_have_text("Zoé gagne")
    page.get_by_test_id("rematch").click()
    expect(square(page, 33)).to_have_attribute("data-lit", "piece")
    expect(page.locator("main")).to_contain_text("Zoé")
