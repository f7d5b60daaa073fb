"""A person creates a bot and a token in the settings; a host invites the bot, and both play."""

import os
from pathlib import Path

import pytest
from browse import DESKTOP, PHONE, OpenPage, assert_accessible, assert_fits, invite
from live import Line, LiveServer
from playwright.sync_api import Page, expect

SHOTS = os.environ.get("TABLEE_SHOTS")


def shoot(page: Page, name: str) -> None:
    """Keep a picture for somebody who wants to look at it."""
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [
        pytest.param(DESKTOP, "light", id="desktop"),
        pytest.param(PHONE, "dark", id="phone", marks=pytest.mark.soak),
    ],
)
def test_a_bot_is_created_invited_and_marked(
    site: LiveServer, someone: OpenPage, viewport: dict[str, int], scheme: str
) -> None:
    page = someone(site, "/reglages", viewport=viewport, color_scheme=scheme)
    page.get_by_label("Nom du robot").fill("Robinson")
    page.get_by_test_id("bot-create").click()
    expect(page.get_by_test_id("bot")).to_contain_text("Robinson")
    page.get_by_test_id("token-new").click()
    page.get_by_test_id("token-create").click()
    token = page.get_by_test_id("token-made").inner_text()
    shoot(page, f"made-{scheme}")
    page.get_by_test_id("token-done").click()
    expect(page.get_by_test_id("token")).to_contain_text("Joue pour Robinson")
    expect(page.get_by_text(token)).to_have_count(0)
    assert_accessible(page)
    assert_fits(page, viewport["width"])
    shoot(page, f"settings-{scheme}")

    events = Line(site, "me", {"authorization": f"Bearer {token}"})
    table = someone(site, viewport=viewport, color_scheme=scheme)
    invite(table)
    table.get_by_test_id("invite-bot").click()
    expect(table.get_by_test_id("invite-none")).to_contain_text("Créer un robot")
    assert events.ask("offers", games=["kora"])["type"] == "done"
    expect(table.get_by_test_id("invite-bots")).to_contain_text("Robinson")
    shoot(table, f"invite-{scheme}")
    table.get_by_test_id("invite-Robinson").click()
    asked = events.expect("challenge")["challenge"]
    assert events.ask("decline", challenge=asked["id"], why="busy")["type"] == "done"
    expect(table.get_by_test_id("invite-outcome")).to_contain_text("occupé")
    table.get_by_test_id("invite-Robinson").click()
    asked = events.expect("challenge")["challenge"]
    assert events.ask("accept", challenge=asked["id"])["type"] == "done"
    expect(table.get_by_test_id("seat-1").get_by_test_id("robot")).to_be_visible()
    expect(table.get_by_test_id("invite-bots")).to_have_count(0)
    shoot(table, f"seated-{scheme}")

    page.get_by_test_id("token-revoke").click()
    page.get_by_test_id("token-revoke-confirm").click()
    expect(page.get_by_test_id("token")).to_have_count(0)
