"""Planned moves in a real browser: premoves of Dames and Scrabble, and conditional moves of Dames."""

import pytest
from browse import DESKTOP, PHONE, OpenPage, assert_accessible, assert_fits
from dames_board import UNTIMED, move, seat_two, square
from live import LiveServer
from playwright.sync_api import Page, ViewportSize, expect


def plan(page: Page, *path: int) -> None:
    for number in path:
        square(page, number).click()
    expect(page.locator("[data-planned]")).to_have_count(len(path))


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.soak)])
def test_planned_and_conditional_moves_of_dames(site: LiveServer, someone: OpenPage, size: ViewportSize) -> None:
    red, black = seat_two(someone(site, viewport=size), someone(site, viewport=size), **UNTIMED)
    expect(square(red, 32)).to_have_attribute("data-lit", "piece")
    # A premove is cancelled with a touch, another one is played.
    plan(black, 18, 22)
    square(black, 5).click()
    expect(black.locator("[data-planned]")).to_have_count(0)
    plan(black, 19, 23)
    expect(black.get_by_test_id("prompt")).to_contain_text("19-23")
    move(red, "32-28")
    for page in (red, black):
        expect(square(page, 23).locator('[data-piece="black-man"]')).to_have_count(1)
    # A premove that became illegal is dropped with a notice.
    plan(black, 20, 24)
    move(red, "28x19")
    expect(black.get_by_test_id("prompt")).to_contain_text("n’est plus possible")
    expect(square(black, 20).locator("[data-piece]")).to_have_count(1)
    move(black, "14x23")
    move(red, "33-28")
    move(black, "23x32")
    # Red waits now that 37x28 is played: « s'il joue 18-23, je prends ».
    move(red, "37x28")
    red.get_by_test_id("plans").click()
    dialog = red.get_by_role("dialog")
    for number in (18, 23, 28, 19):
        dialog.locator(f'[data-square="{number}"]').click()
    expect(red.get_by_test_id("plan-line")).to_contain_text("28x19")
    assert_fits(red, size["width"])
    assert_accessible(red)
    red.get_by_test_id("plan-add").click()
    expect(red.get_by_test_id("plan")).to_contain_text("18-23")
    red.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    move(black, "18-23")
    for page in (red, black):
        expect(square(page, 19).locator('[data-piece="red-man"]')).to_have_count(1)
        expect(square(page, 23).locator("[data-piece]")).to_have_count(0)
