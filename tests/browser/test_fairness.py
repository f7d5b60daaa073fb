"""« Vérifier la donne » in a real browser: a fair deal passes, and a change is named."""

import json

from browse import OpenPage, play_to_the_end
from live import LiveServer
from playwright.sync_api import Page, Route, expect

BREAK_THE_PROMISE = """() => {
  const key = Object.keys(localStorage).find((one) => one.startsWith('tablee.promises.'));
  const kept = JSON.parse(localStorage[key]);
  for (const promise of Object.values(kept)) promise.commit = 'f'.repeat(64);
  localStorage[key] = JSON.stringify(kept);
}"""
"""Change the commitment that the page kept, as if the server had changed its secret."""


def forge(route: Route) -> None:
    """Replace the third card by another."""
    proof = route.fetch().json()
    proof["draws"][3]["item"] = "7H" if proof["draws"][3]["item"] != "7H" else "KD"
    route.fulfill(body=json.dumps(proof), content_type="application/json")


def verify(page: Page) -> tuple[str | None, list[str | None]]:
    """Return the verdict and the result of each check."""
    page.get_by_test_id("verify-deal").click()
    shown = page.locator("[data-verdict=sound], [data-verdict=wrong]")
    expect(shown).to_be_visible()
    expect(page.locator("[data-found=checking]")).to_have_count(0)
    return shown.get_attribute("data-verdict"), [
        step.get_attribute("data-found") for step in page.locator("[data-found]").all()
    ]


def test_a_fair_deal_is_found_fair_and_a_changed_card_or_secret_is_named(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site)
    page.get_by_test_id("play-kora").click()
    play_to_the_end(page)
    assert verify(page) == ("sound", ["ok", "ok", "ok", "ok"])
    page.route("**/api/matches/*/draws", forge)
    page.reload()
    assert verify(page) == ("wrong", ["ok", "ok", "ok", "bad"])
    expect(page.get_by_test_id("verify-place")).to_contain_text("Mise en place, tirage 4")
    page.unroute("**/api/matches/*/draws")
    page.evaluate(BREAK_THE_PROMISE)
    page.reload()
    assert verify(page) == ("wrong", ["bad", "ok", "ok", "ok"])
