"""The installed app: it opens without a network, and a push message reaches a person whose page is closed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browse import (
    TOUCH,
    OpenPage,
    assert_accessible,
    assert_whole,
    invite,
    join,
    open_app,
    play_against_a_bot,
    playable,
    start_playable_match,
    whose_turn,
)
from finished import played
from live import ROOMY, LiveServer, wait_until
from playwright.sync_api import CDPSession, Page, expect
from push_service import PushService, Subscription, text

from tablee.server.turns import AWAY_SECONDS

WIDTHS = pytest.mark.parametrize("device", [{}, pytest.param(TOUCH, marks=pytest.mark.soak)], ids=["1280", "390"])
KEPT = "async (path) => (await (await caches.open('tablee-data')).match(path)) !== undefined"


def cdp_of(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


@WIDTHS
def test_the_site_can_be_installed_and_opens_offline_with_its_last_state(
    site: LiveServer, someone: OpenPage, device: dict[str, Any]
) -> None:
    match, *_ = played(site, options={"deals": 1})
    # The very first page is a lesson: its worker has not seen how it was loaded.
    page = open_app(someone, site, "/lecons/kora", **device)
    expect(page.get_by_test_id("lesson")).to_be_visible()
    wait_until(lambda: page.evaluate(KEPT, "/api/games/kora/lessons"))
    cdp = cdp_of(page)
    assert cdp.send("Page.getAppManifest")["errors"] == []
    errors = cdp.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []
    # The worker leaves the pages of the server alone.
    for path in ("/docs/", "/healthz"):
        answer = page.goto(path)
        assert answer is not None
        assert not answer.from_service_worker, path
    # The files of a page that nobody opened are not here; it opens once the network is back.
    page.context.set_offline(True)
    page.goto("/reglages")
    expect(page.get_by_role("main")).to_contain_text("n’est pas sur cet appareil")
    assert_accessible(page)
    assert_whole(page)
    page.context.set_offline(False)
    expect(page.get_by_test_id("notifications")).to_be_visible()
    play_against_a_bot(page)
    table = page.url
    wait_until(lambda: page.evaluate(KEPT, f"/last/table/{table.rpartition('/')[2]}"))
    page.goto("/regles/kora")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto(f"/partie/{match}")
    last = page.get_by_test_id("position").inner_text().split(" / ")[-1]
    page.goto("/")
    expect(page.get_by_test_id("my-tables")).to_be_visible()
    wait_until(lambda: page.evaluate(KEPT, "/api/me/tables"))

    page.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_test_id("my-tables")).to_be_visible()
    expect(page.get_by_test_id("offline")).to_contain_text("Hors ligne, état du")
    assert_accessible(page)
    assert_whole(page)
    page.goto("/regles/kora")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Kora Battle")
    page.goto("/lecons/kora")
    expect(page.get_by_test_id("lesson")).to_contain_text("Kora")
    expect(page.get_by_test_id("offline")).to_be_visible()
    page.goto(f"/partie/{match}")
    page.get_by_test_id("slider").focus()
    page.keyboard.press("End")
    expect(page.get_by_test_id("position")).to_contain_text(f"{last} / {last}")
    expect(page.get_by_test_id("offline")).to_be_visible()
    assert_whole(page)
    # What was never seen says so, and does not claim that it does not exist.
    for path in ("/lecons/dames", "/partie/jamais-vue", "/table/JAMAIS", "/classements"):
        page.goto(path)
        expect(page.get_by_role("main")).to_contain_text("n’est pas sur cet appareil")
        assert_whole(page)
    page.goto(table)
    expect(page.get_by_test_id("hand-card").first).to_be_visible()
    expect(page.get_by_test_id("offline")).to_contain_text("Hors ligne, état du")
    page.get_by_test_id("hand-card").first.click(force=True)  # whoever is to play, nothing is sent later
    assert_whole(page)
    page.context.set_offline(False)
    expect(page.get_by_test_id("offline")).to_have_count(0)

    # Nothing of a person stays after they erased themselves.
    page.goto("/reglages")
    page.get_by_test_id("erase").click()
    page.get_by_test_id("erase-confirm").click()
    expect(page).to_have_url(f"{site.url}/")
    kept = page.evaluate("async () => (await (await caches.open('tablee-data')).keys()).map((one) => one.url)")
    assert not [url for url in kept if "/last/table/" in url]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[LiveServer]:
    server = LiveServer(tmp_path / "told", *ROOMY, "--push-local", turned=True).start()
    yield server
    server.stop()


SUBSCRIBE = """() => void (PushManager.prototype.subscribe = async function (options) {
  const given = %s;
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const key = new Uint8Array(options.applicationServerKey);
  if (!options.userVisibleOnly || key.length !== 65 || key[0] !== 4) throw new TypeError('bad options');
  return { endpoint: given.endpoint, getKey: (name) => bytes(given[name]).buffer };
})"""
"""A push manager of which only the subscription is ours: a test cannot reach a real push service."""


def stub_push(page: Page, subscription: Subscription) -> None:
    given = {"endpoint": subscription.endpoint, "p256dh": text(subscription.point), "auth": text(subscription.auth)}
    page.evaluate(SUBSCRIBE % json.dumps(given))


@WIDTHS
def test_a_push_message_reaches_somebody_whose_page_is_closed(
    told: LiveServer, someone: OpenPage, device: dict[str, Any]
) -> None:
    service = PushService()
    basile = open_app(someone, told, permissions=["notifications"], **device)
    anne = someone(told)
    code = invite(anne)
    basile.goto("/reglages")
    stub_push(basile, service.subscribe())
    basile.get_by_test_id("notifications").get_by_role("switch").click()
    expect(basile.get_by_test_id("toast")).to_contain_text("cet appareil vous préviendra")
    assert_whole(basile)
    basile.goto("/")
    join(basile, code)
    start_playable_match(anne, basile)
    # Whoever has the move closes the page, or plays so that the other one has it.
    if whose_turn(anne, basile) is anne:
        playable(anne).first.click()
    expect(playable(basile).first).to_be_visible()
    basile.goto("/regles")
    told.turn(AWAY_SECONDS + 1)
    message = service.wait_for(1)
    assert (message["title"], message["url"]) == ("À vous\u202f: Kora Battle", f"/table/{code}")
    service.close()

    # What the push service decrypted is what the browser shows.
    cdp = cdp_of(basile)
    found: list[str] = []
    cdp.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(
        one["registrationId"] for one in event["registrations"]))  # fmt: skip
    cdp.send("ServiceWorker.enable")
    wait_until(lambda: basile.evaluate("navigator.serviceWorker.ready.then(() => true)") and bool(found))
    pushed = {"origin": told.url, "registrationId": found[0], "data": json.dumps(message)}
    cdp.send("ServiceWorker.deliverPushMessage", pushed)
    shown = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
      .map(({ title, body, tag }) => [title, body, tag])"""
    wait_until(lambda: bool(basile.evaluate(shown)))
    assert basile.evaluate(shown) == [[message["title"], message["body"], code]]
    # Opening the table clears the message.
    basile.goto(f"/table/{code}")
    wait_until(lambda: not basile.evaluate(shown))
