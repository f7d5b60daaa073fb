"""A new version of the client arrives while somebody plays: nothing breaks, and the page takes it at a good moment."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browse import (
    ROOT,
    OpenPage,
    assert_accessible,
    invite,
    is_over,
    join,
    open_app,
    play_a_card,
    play_to_the_end,
    start_playable_match,
)
from live import ROOMY, LiveServer, wait_until
from playwright.sync_api import Locator, Page, expect

BUILT = ROOT / "src/tablee/server/static"
WAITING = "navigator.serviceWorker.getRegistration().then((found) => Boolean(found.waiting))"
ACTIVATE = "navigator.serviceWorker.getRegistration().then((found) => found.waiting.postMessage('activate'))"
FILLED = """async () => {
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) if (url.includes('/assets/Admin-')) return true;
  return false;
}"""
"""Whether the worker has all files, also those that nobody asked for."""


class Deployed:
    """A server whose client the test replaces."""

    def __init__(self, folder: Path) -> None:
        self.client = folder / "client"
        shutil.copytree(BUILT, self.client)
        self.server = LiveServer(folder / "data", *ROOMY, turned=True)
        self.server.environment["TABLEE_TEST_STATIC"] = str(self.client)
        self.server.start()

    def release(self) -> None:
        """Restart with another version, in which every file with a hash in its name has another name."""
        self.server.stop()
        names = {path.name: renamed(path) for path in (self.client / "assets").iterdir()}
        for path in [*self.client.glob("*.*"), *(self.client / "assets").iterdir()]:
            if path.suffix in (".html", ".js", ".css"):
                text = path.read_text()
                for old, new in names.items():
                    text = text.replace(old, new)
                path.write_text(re.sub('const VERSION = "[^"]+"', 'const VERSION = "another"', text))
        for old, new in names.items():
            (self.client / "assets" / old).rename(self.client / "assets" / new)
        self.server.start()


def script(page: Page) -> Locator:
    """Return the element that loads the client; its address tells the versions apart."""
    return page.locator("script[src]").first


def renamed(path: Path) -> str:
    return f"{path.stem[:-1]}{'B' if path.stem[-1] == 'A' else 'A'}{path.suffix}"


@pytest.fixture
def deployed(tmp_path: Path) -> Iterator[Deployed]:
    site = Deployed(tmp_path)
    yield site
    site.server.stop()


def play_while_it_is_released(deployed: Deployed, someone: OpenPage) -> tuple[Page, Page, str]:
    """Begin a match of Anne, who has the app, and Basile, and deploy in the middle; return Anne's old script too."""
    anne, basile = open_app(someone, deployed.server), someone(deployed.server)
    code = invite(anne)
    join(basile, code)
    start_playable_match(anne, basile)
    wait_until(lambda: anne.evaluate(FILLED))
    old = script(anne).get_attribute("src")
    assert old
    deployed.release()
    # The table is back; the page learns of the new version because the server was away.
    for page in (anne, basile):
        expect(page.get_by_test_id("banner")).to_be_hidden(timeout=60_000)
    wait_until(lambda: anne.evaluate(WAITING))
    wait_until(lambda: any(play_a_card(page) for page in (anne, basile) if not is_over(page)) or is_over(anne))
    return anne, basile, old


def test_an_update_waits_for_the_end_of_a_match_and_a_missing_file_brings_it_at_once(
    deployed: Deployed, someone: OpenPage
) -> None:
    visitor = open_app(someone, deployed.server)  # has the files of the home page only
    passer_by = someone(deployed.server)  # has no service worker
    anne, basile, old = play_while_it_is_released(deployed, someone)
    expect(anne.get_by_test_id("update")).to_have_count(0)
    play_to_the_end(anne, basile)
    expect(anne.get_by_test_id("update")).to_have_count(0)
    anne.get_by_role("link", name="Accueil").last.click()
    expect(anne.get_by_test_id("update")).to_contain_text("nouvelle version")
    assert_accessible(anne)
    # The old version still works as a whole.
    anne.get_by_role("link", name="Réglages").click()
    expect(anne.get_by_test_id("notifications")).to_be_visible()
    expect(script(anne)).to_have_attribute("src", old)
    anne.get_by_test_id("apply-update").click()
    expect(script(anne)).not_to_have_attribute("src", old)
    expect(anne.get_by_test_id("notifications")).to_be_visible()
    expect(anne.get_by_test_id("update")).to_have_count(0)

    for page in (visitor, passer_by):
        expect(script(page)).to_have_attribute("src", old)
        page.get_by_role("link", name="Réglages").click()
        expect(page.get_by_test_id("notifications")).to_be_visible()
        expect(script(page)).not_to_have_attribute("src", old)


@pytest.mark.soak
def test_a_match_goes_on_if_another_tab_takes_the_update(deployed: Deployed, someone: OpenPage) -> None:
    anne, basile, old = play_while_it_is_released(deployed, someone)
    anne.evaluate(ACTIVATE)
    wait_until(lambda: not anne.evaluate(WAITING))
    play_to_the_end(anne, basile)
    expect(script(anne)).to_have_attribute("src", old)
    # Its files are still there, and it changes by itself once the table is left.
    assert anne.evaluate("(src) => fetch(src).then((answer) => answer.ok)", old)
    anne.get_by_role("link", name="Accueil").last.click()
    expect(script(anne)).not_to_have_attribute("src", old)
    expect(anne.get_by_test_id("my-tables").or_(anne.get_by_test_id("invite-kora")).first).to_be_visible()
