"""Advice at the table, « Et si ? » in a replay, and a moment played on, in a real browser."""

import pytest
from browse import PHONE, OpenPage, assert_accessible, is_over, play_against_a_bot, play_to_the_end, playable
from live import LiveServer
from playwright.sync_api import Page, expect

COMPILING = 120_000
"""A new server may still compile what its bots and coaches need."""


def ask(page: Page) -> None:
    """Press the lamp's key when it is one's turn; a server that still compiles says so, then press it again."""
    lamp = page.locator("[data-testid=advice][aria-disabled=false]")
    bar, toasts = page.get_by_test_id("advice-bar"), page.get_by_test_id("toast")
    for _ in range(20):
        expect(lamp).to_be_visible(timeout=COMPILING)
        page.keyboard.press("!")
        expect(bar.or_(toasts).first).to_be_visible()
        if bar.is_visible():
            return
        expect(toasts).to_have_count(0)
    expect(bar).to_be_visible()


def test_advice_is_asked_for_and_followed_then_another_choice_is_played_out(
    site: LiveServer, someone: OpenPage
) -> None:
    page = someone(site)
    play_against_a_bot(page)
    expect(playable(page).first).to_be_visible(timeout=COMPILING)
    ask(page)
    advised = page.locator("[data-testid=hand-card]:has([data-advised])")
    expect(advised).to_have_count(1)
    card = advised.get_attribute("data-card")
    assert_accessible(page)
    page.get_by_test_id("follow-advice").click()
    expect(page.locator(f'[data-testid="hand-card"][data-card="{card}"]')).to_have_count(0)
    expect(page.get_by_test_id("advice-bar")).to_have_count(0)
    expect(page.get_by_test_id("advised")).to_be_visible()
    play_to_the_end(page)
    assert is_over(page)

    code = page.url.rpartition("/")[2]
    page.goto(f"/partie/{code}-1#0")
    page.get_by_role("tab", name="Et si").click()
    choices = page.get_by_test_id("what-if").get_by_role("radio")
    expect(choices.first).to_be_checked(timeout=COMPILING)
    choices.last.check()
    assert_accessible(page)
    page.get_by_test_id("play-on").click()
    expect(page.get_by_test_id("branch")).to_contain_text("après le coup 0")
    expect(page.get_by_role("link", name="Revoir cette partie")).to_have_attribute("href", f"/partie/{code}-1#0")


@pytest.mark.soak
@pytest.mark.parametrize("size", [None, PHONE])
@pytest.mark.parametrize(("game", "seats"), [("dames", 2), ("kora", 2), ("ojyx", 3), ("president", 4), ("scrabble", 2)])
def test_advice_is_followed_in_every_game(
    site: LiveServer, someone: OpenPage, game: str, seats: int, size: object
) -> None:
    page = someone(site) if size is None else someone(site, viewport=size)
    page.goto("/")
    code = page.evaluate(
        """async (table) => {
          const headers = { 'content-type': 'application/json' };
          const answer = await fetch('/api/tables', { method: 'POST', headers, body: JSON.stringify(table) });
          return (await answer.json()).code;
        }""",
        {"game": game, "seats": seats, "bots": ["facile"] * (seats - 1), "start": True},
    )
    page.goto(f"/table/{code}")
    for _ in range(3):
        ask(page)
        expect(page.locator("[data-advised]").first).to_be_visible()
        page.get_by_test_id("follow-advice").click()
        expect(page.get_by_test_id("advice-bar")).to_have_count(0)
