"""« Jouer maintenant » in a real browser: two strangers meet and play; nobody comes and the computer does."""

import pytest
from browse import DESKTOP, PHONE, OpenPage, assert_accessible, assert_fits, assert_in_sight, whose_turn
from live import LiveServer
from playwright.sync_api import Page, ViewportSize, expect

from tablee.server.search_plan import ACCEPT_SECONDS
from tablee.table.pairing import COMPUTER_SECONDS

COVERED = """() => {
  const bar = [...document.querySelectorAll('header > *')].filter((one) => one.getClientRects().length);
  const boxes = bar.map((one) => one.getBoundingClientRect());
  return boxes.slice(1).map((box, i) => box.left - boxes[i].right).filter((gap) => gap < 0);
}"""
"""How far parts of the bar at the top lie over each other, in pixels."""


def seek(page: Page, game: str = "dames") -> None:
    """Choose a game at home and search; the pace is the usual one."""
    page.get_by_test_id("play-now").locator("select").first.select_option(game)
    page.get_by_test_id("play-now-start").click()
    expect(page.get_by_test_id("search-status")).to_be_visible()


def accept(*pages: Page) -> None:
    for page in pages:
        page.get_by_test_id("found-accept").click()
    for page in pages:
        page.wait_for_url("**/table/*")


def open_square(page: Page, number: int) -> None:
    page.locator(f'[data-square="{number}"]').click()


def test_two_strangers_meet_play_and_part(hourglass: LiveServer, someone: OpenPage) -> None:
    one, two = someone(hourglass), someone(hourglass, viewport=PHONE)
    expect(one.get_by_test_id("play-dames")).to_be_visible()
    assert_in_sight(one)
    seek(one)
    assert_accessible(one)
    seek(two)
    for page in (one, two):
        expect(page.get_by_test_id("found")).to_be_visible()
        assert_accessible(page)
    accept(one, two)
    for page in (one, two):
        expect(page.locator('[data-square="31"]')).to_be_visible()
    white = whose_turn(one, two, sign='[data-square="32"][data-lit="piece"]')
    open_square(white, 32)
    open_square(white, 28)
    for page in (one, two):
        expect(page.locator('[data-square="28"] [data-piece]')).to_be_visible()
    one.reload()
    expect(one.locator('[data-square="28"] [data-piece]')).to_be_visible()


def test_nobody_comes_and_the_computer_does_while_the_search_goes_on(hourglass: LiveServer, someone: OpenPage) -> None:
    one = someone(hourglass, viewport=PHONE)
    seek(one, "kora")
    hourglass.turn(COMPUTER_SECONDS)
    one.get_by_test_id("search-play-computer").click()
    one.wait_for_url("**/table/*")
    table = one.url
    expect(one.get_by_test_id("search-sign")).to_be_visible()
    assert_fits(one, PHONE["width"])
    for width in (360, 390, 641, 768, 1024, 1280):
        one.set_viewport_size({"width": width, "height": 844})
        assert_fits(one, width)
        assert one.evaluate(COVERED) == []
    one.set_viewport_size(PHONE)
    two = someone(hourglass)
    seek(two, "kora")
    accept(one, two)
    assert two.url != table
    expect(one).to_have_url(two.url)
    expect(one.get_by_test_id("search-sign")).to_have_count(0)


@pytest.mark.soak
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("locale", ["fr-FR", "en-GB"])
def test_decline_miss_and_another_opponent(
    hourglass: LiveServer, someone: OpenPage, viewport: ViewportSize, locale: str
) -> None:
    one, two = (someone(hourglass, viewport=viewport, locale=locale) for _ in range(2))
    seek(one)
    seek(two)
    two.get_by_test_id("found-decline").click()
    expect(two.get_by_test_id("play-now-start")).to_be_visible()
    expect(one.get_by_test_id("search-status")).to_be_visible()
    seek(two)
    one.get_by_test_id("found-accept").click()
    hourglass.turn(ACCEPT_SECONDS + 1)
    expect(two.get_by_test_id("play-now-start")).to_be_visible()
    expect(one.get_by_test_id("found")).not_to_be_visible()
    one.reload()  # the search goes on
    expect(one.get_by_test_id("search-status")).to_be_visible()
    three = someone(hourglass, viewport=viewport, locale=locale)
    seek(three)
    accept(one, three)
