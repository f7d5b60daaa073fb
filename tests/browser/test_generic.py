"""A game without a board of its own is played with the generic client."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browse import PHONE, OpenPage, assert_accessible, assert_fits, assert_readable, is_over
from installed import server_with_game_of_ranges
from live import LiveServer
from playwright.sync_api import expect
from sixth import server_with_sixth_game


@pytest.fixture
def module_server(tmp_path: Path) -> Iterator[LiveServer]:
    server = server_with_sixth_game(tmp_path, "--bot-pause", "0", "--workers", "1")
    yield server
    server.stop()


def test_a_match_of_a_game_without_a_board_is_played_to_its_end(module_server: LiveServer, someone: OpenPage) -> None:
    page = someone(module_server)
    page.get_by_test_id("play-chifoumi").click()
    expect(page.get_by_test_id("action")).to_have_count(3)
    for _ in range(300):
        if is_over(page):
            return
        actions = page.get_by_test_id("action")
        if actions.count() and actions.first.is_enabled():
            actions.first.click()
        page.wait_for_timeout(50)
    raise AssertionError("the match does not end")


@pytest.fixture
def ranges_server(tmp_path: Path) -> Iterator[LiveServer]:
    server = server_with_game_of_ranges(tmp_path, "--bot-pause", "0", "--workers", "1")
    yield server
    server.stop()


def test_a_number_is_chosen_and_played_on_a_phone(ranges_server: LiveServer, someone: OpenPage) -> None:
    page = someone(ranges_server, viewport=PHONE)
    page.get_by_test_id("play-stash").click()
    number = page.get_by_role("spinbutton", name="points")
    expect(number).to_be_in_viewport()
    assert_accessible(page)
    assert_readable(number)
    assert_fits(page, PHONE["width"])
    number.fill("4")
    page.get_by_test_id("range").click()
    expect(page.get_by_role("definition").filter(has_text="4 ").first).to_be_visible()
