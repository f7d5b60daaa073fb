"""A game from another distribution is played on the board that it brings."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browse import PHONE, OpenPage, assert_accessible, assert_readable
from installed import server_with_installed_game
from live import LiveServer
from playwright.sync_api import expect

CARD = re.compile(r"^[A-Z0-9][SHDC]$")


@pytest.fixture
def module_server(tmp_path: Path) -> Iterator[LiveServer]:
    server = server_with_installed_game(tmp_path, "--bot-pause", "0", "--workers", "1")
    yield server
    server.stop()


def test_a_match_is_played_on_the_installed_board(module_server: LiveServer, someone: OpenPage) -> None:
    page = someone(module_server, viewport=PHONE)
    expect(page.get_by_role("heading", name="Haute")).to_be_visible()
    page.get_by_test_id("play-haute").click()
    cards = page.get_by_role("button", name=CARD)
    expect(cards.first).to_be_visible()
    expect(page.get_by_test_id("action")).to_have_count(0)
    assert_accessible(page)
    assert_readable(cards.first)
    for left in range(5, 0, -1):
        expect(cards).to_have_count(left)
        cards.first.click()
    expect(page.get_by_test_id("result")).to_be_visible()
