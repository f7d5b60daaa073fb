from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browse import DESKTOP, ROOT, OpenPage
from live import OPENED, ROOMY, LiveServer
from mail_server import mailing, post  # noqa: F401
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    # The address bar loads two pages of its own for every window, which cost more than a page of ours. A spare
    # process for the next page is of no use: every person has a separate browser.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess",
]
QUICK = ("--bot-pause", "0.05", "--requests-per-second", "10000", "--tables-per-minute", "10000", "--workers", "1")


# A busy machine may take long; only a test that fails waits for it.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("BROWSER") or subprocess.check_output([ROOT / "scripts" / "browser"], text=True).strip()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    server = LiveServer(tmp_path_factory.mktemp("site"), *QUICK)
    server.warm = True
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def hourglass(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose clock the tests turn."""
    folder = tmp_path_factory.mktemp("hourglass")
    server = LiveServer(folder, *ROOMY, "--admin-token", "jeton-de-la-maison", seed="soirée 3", turned=True).start()
    yield server
    server.stop()


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[LiveServer]:
    """A server that a test may kill and restart."""
    server = LiveServer(tmp_path / "site", *QUICK).start()
    yield server
    server.stop()


ONE_DEAL = """if (location.protocol === 'http:' && !localStorage.getItem('tablee.solo'))
  localStorage.setItem('tablee.solo', JSON.stringify({ kora: { options: { deals: 1 } } }));"""
"""The last choice against the computer: one deal of Kora, so that a match is short."""


@pytest.fixture
def someone(browser: Browser) -> Iterator[OpenPage]:
    """Open the site as a new person in a separate browser; any error in the page fails the test."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def open_page(server: LiveServer, path: str = "/", **context: object) -> Page:
        # Tests of the installed app allow service workers; the others must not wait for one.
        quiet = {"reduced_motion": "reduce", "service_workers": "block"}
        options = {"locale": "fr-FR", "viewport": DESKTOP, **quiet, **context}
        contexts.append(browser.new_context(base_url=server.url, **options))  # type: ignore[arg-type]
        contexts[-1].add_init_script(ONE_DEAL)
        page = contexts[-1].new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda line: problems.append(line.text) if is_error(line.type, line.text) else None)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


def is_error(kind: str, text: str) -> bool:
    """Whether an error comes from the client; the browser reports what it cannot load, which tests cause on purpose."""
    unloaded = ("WebSocket connection", "Failed to load resource", "strict MIME checking")
    return kind == "error" and not any(words in text for words in unloaded)


@pytest.fixture(autouse=True)
def no_line_left_open() -> Iterator[None]:
    yield
    OPENED.close()
