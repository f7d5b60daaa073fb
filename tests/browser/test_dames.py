"""Dames in a real browser: wins by points on the match clock, by blocking, and by resignation."""

from browse import OpenPage, is_over, rematch
from dames_board import UNTIMED, move, seat_two, square
from live import LiveServer
from playwright.sync_api import expect

# Thirty-one moves of 8×8 after which black cannot move.
BLOCKED = """
24-20 11-16 20x11 7x16 22-17 3-7 28-24 16-20 25-22 10-14 17x10x3 12-16 3x12x19 9-14 22-18 2-7 18x9x2x11 5-9 19-12
9-14 29-25 14-18 23x14 1-6 14-9 6x13 12-19 4-8 11x4 13-17 21x14
"""


def test_the_match_clock_ends_a_game_by_points(hourglass: LiveServer, someone: OpenPage) -> None:
    red, black = seat_two(someone(hourglass), someone(hourglass), move_time=0, player_time=0)
    for turn, text in enumerate(("32-28", "19-23", "28x19")):
        move((red, black)[turn % 2], text)
    # Red leads by a point, black does not answer, and the time of the match runs out.
    hourglass.turn(300)
    for page in (red, black):
        expect(page.get_by_test_id("result")).to_contain_text("temps de la partie")
    expect(red.get_by_test_id("result").get_by_role("heading").first).to_contain_text("Vous")
    expect(black.get_by_test_id("result").get_by_role("heading").first).not_to_contain_text("Vous")


def test_a_side_that_cannot_move_has_lost(site: LiveServer, someone: OpenPage) -> None:
    red, black = seat_two(someone(site), someone(site), variant="classic8")
    for turn, text in enumerate(BLOCKED.split()):
        move((red, black)[turn % 2], text)
    for page in (red, black):
        expect(page.get_by_test_id("result")).to_be_visible()
    expect(red.get_by_test_id("result").get_by_role("heading").first).to_contain_text("Vous")


def test_resigning_out_of_turn_asks_first_and_the_rematch_swaps_colours(site: LiveServer, someone: OpenPage) -> None:
    red, black = seat_two(someone(site), someone(site), **UNTIMED)
    black.get_by_test_id("resign").click()
    assert not is_over(red)
    black.get_by_test_id("resign-confirm").click()
    expect(red.get_by_test_id("result")).to_be_visible()
    expect(black.get_by_test_id("result")).to_be_visible()
    rematch(red, black)
    move(black, "32-28")
    expect(square(red, 28).locator('[data-piece="red-man"]')).to_have_count(1)


def test_a_compulsory_capture_is_marked_and_explained(site: LiveServer, someone: OpenPage) -> None:
    red, black = seat_two(someone(site), someone(site), **UNTIMED)
    move(red, "32-28")
    move(black, "19-23")
    expect(red.get_by_test_id("forced")).to_contain_text("1")
    square(red, 31).click()
    expect(red.locator("[data-lit]")).not_to_have_count(0)
    square(red, 28).click()
    square(red, 19).click()
    expect(square(red, 19).locator('[data-piece="red-man"]')).to_have_count(1)
    expect(square(red, 23).locator("[data-piece]")).to_have_count(0)
    # After a reload the moves so far are still there, and can be downloaded.
    red.reload()
    expect(square(red, 19).locator('[data-piece="red-man"]')).to_have_count(1)


def test_a_person_plays_against_a_bot_on_a_phone(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.get_by_test_id("play-dames").tap()
    for _ in range(3):
        expect(page.locator('[data-lit="piece"]').first).to_be_visible(timeout=60_000)
        page.locator('[data-lit="piece"]').first.tap()
        page.locator('[data-lit="next"], [data-lit="end"]').first.tap()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.wait_for_timeout(200)
