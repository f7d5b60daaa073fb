"""Paces in a real browser: choose one, see its clocks, and play two games over days one after the other."""

import os

import pytest
from browse import DESKTOP, PHONE, OpenPage, assert_accessible, assert_fits, join
from dames_board import move, square
from live import LiveServer
from playwright.sync_api import Page, ViewportSize, expect

SHOTS = os.environ.get("TABLEE_SHOTS")


def shoot(page: Page, name: str, size: ViewportSize) -> None:
    """Keep a picture of the page if somebody wants to look at it."""
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}-{size['width']}.png")


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.soak)])
def test_games_over_days_one_after_the_other(site: LiveServer, someone: OpenPage, size: ViewportSize) -> None:
    host, guest = someone(site, viewport=size), someone(site, viewport=size)
    host.get_by_test_id("invite-dames").click()
    host.get_by_test_id("pace").locator("select").select_option(label="3 jours par coup")
    expect(host.get_by_role("dialog")).not_to_contain_text("Temps par coup")
    shoot(host, "dialog", size)
    host.get_by_test_id("create").click()
    expect(host.get_by_test_id("room-pace")).to_have_text("3 jours par coup")
    codes = [host.url.rsplit("/", 1)[1]]
    pace = {"kind": "days", "days": 3}
    codes.append(host.request.post("/api/tables", data={"game": "dames", "pace": pace}).json()["code"])
    for code in codes:
        host.goto(f"/table/{code}")
        guest.goto("/")
        join(guest, code)
        expect(guest.get_by_test_id("guest-hint")).to_contain_text("lance la partie")
        host.get_by_test_id("start").click()
        expect(host.get_by_role("timer").last).to_contain_text("j")
    shoot(host, "clock", size)
    # The home page says what waits, the longest waiting first.
    host.goto("/")
    cards = host.get_by_test_id("my-turns").locator("a")
    expect(cards).to_have_count(2)
    expect(cards.first).to_have_attribute("href", f"/table/{codes[0]}")
    shoot(host, "home", size)
    assert_fits(host, size["width"])
    assert_accessible(host)
    # After a move the next game opens by itself.
    cards.first.click()
    move(host, "32-28")
    expect(host.get_by_test_id("next-game")).to_be_visible()
    expect(host.get_by_test_id("prompt")).to_contain_text("de jouer")  # nobody thinks about a move for days
    shoot(host, "next", size)
    host.wait_for_url(f"**/table/{codes[1]}")
    expect(square(host, 32)).to_have_attribute("data-lit", "piece")
    # On vacation: the other player sees it.
    guest.goto("/reglages")
    guest.get_by_test_id("vacation-go").click()
    expect(guest.get_by_test_id("vacation-back")).to_be_visible()
    shoot(guest, "vacation", size)
    expect(host.get_by_text("en vacances").first).to_be_visible()
    shoot(host, "away", size)


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.soak)])
def test_against_the_computer_with_a_pace(site: LiveServer, someone: OpenPage, size: ViewportSize) -> None:
    page = someone(site, viewport=size)
    for game, label in (("kora", "10 min, puis 3 × 30 s"), ("dames", "10 min, 5 s offertes")):
        page.goto("/")
        page.get_by_test_id(f"choose-{game}").click()
        choices = page.get_by_test_id("pace").locator("option")
        texts = [" ".join(text.split()) for text in choices.all_inner_texts()]
        page.get_by_test_id("pace").locator("select").select_option(index=texts.index(label))
        page.get_by_test_id("solo-play").click()
        expect(page.get_by_role("timer").first).to_contain_text(":")
        shoot(page, f"solo-{game}", size)
        assert_fits(page, size["width"])
