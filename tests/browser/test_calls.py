"""What calls a person back: the title of the tab and a sound, and the links of e-mails."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browse import TOUCH, OpenPage, assert_accessible, assert_whole, invite, join
from dames_board import move, square
from live import LiveServer, wait_until
from mail_server import LocalMailServer
from playwright.sync_api import expect

WIDTHS = pytest.mark.parametrize("device", [{}, pytest.param(TOUCH, marks=pytest.mark.soak)], ids=["1280", "390"])

HIDDEN = """() => {
  window.away = false;
  Object.defineProperty(document, 'hidden', { get: () => window.away });
  window.turnAway = (away) => {
    window.away = away;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  window.knocks = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) {
    window.knocks++;
    return start.apply(this, at);
  };
}"""
"""A page that can be in the background, and counts the tones that it plays."""


@WIDTHS
def test_a_turn_changes_the_title_and_sounds_while_the_page_is_in_the_background(
    site: LiveServer, someone: OpenPage, device: dict[str, Any]
) -> None:
    anne, basile = someone(site), someone(site, **device)
    basile.goto("/reglages")
    basile.get_by_role("switch", name="Sons").click()
    basile.goto("/")
    join(basile, invite(anne, "dames"))
    anne.get_by_test_id("start").click()
    expect(square(anne, 32)).to_have_attribute("data-lit", "piece")
    basile.evaluate(HIDDEN)
    basile.evaluate("turnAway(true)")
    expect(basile).not_to_have_title(re.compile("À vous"))
    move(anne, "32-28")
    expect(basile).to_have_title("● À vous de jouer")
    wait_until(lambda: basile.evaluate("knocks") >= 2)
    basile.evaluate("turnAway(false)")
    expect(basile).to_have_title("À vous — Tablée")


@WIDTHS
def test_a_link_of_a_mail_confirms_the_address(
    mailing: LiveServer, post: LocalMailServer, someone: OpenPage, device: dict[str, Any]
) -> None:
    page = someone(mailing, "/reglages", **device)
    box = page.get_by_test_id("notifications")
    box.get_by_role("textbox").fill("anne@example.org")
    box.get_by_role("button", name="M’écrire").click()
    body = post.wait_for(1).get_body(("plain",))
    assert body is not None
    link = re.findall(r"https://tablee\.example(/courriel/\S+)", str(body.get_content()))[-1]
    # Nobody answers: the link may still be good.
    page.route("**/api/mail/**", lambda route: route.abort())
    page.goto(link)
    expect(page.get_by_role("main")).to_contain_text("La table ne répond pas")
    page.unroute("**/api/mail/**")
    page.get_by_role("button", name="Réessayer").click()
    expect(page.get_by_test_id("mail-done")).to_contain_text("Votre adresse est confirmée")
    assert_accessible(page)
    assert_whole(page)
    page.goto("/reglages")
    expect(box).to_contain_text("Adresse confirmée")
    page.goto(f"{link[:-4]}abcd")
    expect(page.get_by_test_id("mail-done")).to_contain_text("ne fonctionne pas")
    assert_whole(page)
