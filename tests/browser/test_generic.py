"""A game without a board of its own is played with the generic client."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browse import OpenPage, is_over
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
