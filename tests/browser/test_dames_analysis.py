"""The analysis board of Dames in a real browser."""

from pathlib import Path

from browse import OpenPage
from live import LiveServer
from playwright.sync_api import expect

PATIENCE = 180_000
"""The engine has a low priority, so on a busy machine it takes long to start."""


def test_a_position_is_pasted_analysed_played_on_and_exported(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "/analyse/dames")
    page.get_by_test_id("fen").fill("W:WK1-30:BK31")
    page.get_by_test_id("fen-open").click()
    expect(page.get_by_role("alert")).to_contain_text("30 pièces")

    page.get_by_test_id("fen").fill("W:W32,37:B19,28,4")
    page.get_by_test_id("fen-open").click()
    expect(page.get_by_test_id("fen-now")).to_have_text("W:W32,37:B4,19,28")
    line = page.get_by_test_id("lines").get_by_role("button").first
    expect(line).to_contain_text("32x14", timeout=PATIENCE)
    expect(page.get_by_test_id("arrows")).to_be_visible()

    line.click()
    expect(page.get_by_test_id("tree")).to_contain_text("32x14")
    expect(page.get_by_test_id("verdict")).to_contain_text("noirs")
    for square in (4, 10):
        page.locator(f'[data-square="{square}"]').click()
    expect(page.get_by_test_id("tree")).to_contain_text("4-10")
    # Back to the position before, with the keyboard, and another move there: a variation.
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("ArrowLeft")
    for square in (4, 9):
        page.locator(f'[data-square="{square}"]').click()
    expect(page.get_by_test_id("tree")).to_contain_text("4-9")
    with page.expect_download() as saved:
        page.get_by_test_id("export").click()
    text = Path(saved.value.path()).read_text()
    assert '[FEN "W:W32,37:B4,19,28"]' in text
    assert "1. 32x14 4-10 (1... 4-9" in text
