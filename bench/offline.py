"""Open the installed site without a network in Chromium: the time until the home page is painted.

    python bench/offline.py [--times 9] [--width 1280 --height 800]

A real server fills the service worker, then the network and the server go away. Each time a new tab opens the site;
the figures are the browser's own `first-contentful-paint` and the moment at which the games are on the page, from the
start of the navigation. This is wall time, so a busy machine makes it longer. The target is one second.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import BrowserContext, Page, sync_playwright

from common import report
from processes import Tablee

ROOT = Path(__file__).parents[1]
TARGET_MS = 1000
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
CONTROLLED = "navigator.serviceWorker.controller !== null"
KEPT = "async () => (await (await caches.open('tablee-data')).match('/api/games')) !== undefined"
PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (one.name === 'first-contentful-paint') done(one.startTime);
}).observe({ type: 'paint', buffered: true }))"""
NOW = "performance.now()"


def wait_for(page: Page, condition: str) -> None:
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise RuntimeError(f"the page never was ready: {condition}")


def install(context: BrowserContext) -> None:
    """Open the site twice: once to start its service worker, and once through it."""
    page = context.new_page()
    page.goto("/")
    wait_for(page, CONTROLLED)
    page.reload()
    page.get_by_test_id("play-kora").wait_for()
    wait_for(page, KEPT)
    page.close()


def open_offline(context: BrowserContext) -> tuple[float, float]:
    """Return the milliseconds until the first paint and until the games are shown."""
    page = context.new_page()
    page.goto("/", wait_until="commit")
    page.get_by_test_id("play-kora").wait_for()
    shown = float(page.evaluate(NOW))
    painted = float(page.evaluate(PAINTED))
    assert page.get_by_test_id("offline").count() == 1, "the page does not know that it is offline"
    page.close()
    return painted, shown


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--times", type=int, default=9)
    options.add_argument("--width", type=int, default=1280)
    options.add_argument("--height", type=int, default=800)
    chosen = options.parse_args()
    path = subprocess.check_output([ROOT / "scripts" / "browser"], text=True).strip()
    with tempfile.TemporaryDirectory(dir=ROOT / "bench") as data, sync_playwright() as playwright:
        server = Tablee(Path(data))
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            size = {"width": chosen.width, "height": chosen.height}
            context = browser.new_context(base_url=server.url, viewport=size, locale="fr-FR")  # type: ignore[arg-type]
            install(context)
            server.stop()
            context.set_offline(True)
            found = [open_offline(context) for _ in range(chosen.times)]
        finally:
            browser.close()
            server.stop()
    painted, shown = (sorted(times) for times in zip(*found, strict=True))
    words = f"first paint {median(painted):.0f} ms (slowest {painted[-1]:.0f}), games {median(shown):.0f} ms"
    figures = {"first_paint_ms": painted, "games_shown_ms": shown, "target_ms": TARGET_MS}
    report(__file__, f"the site without a network: {words}", figures)


if __name__ == "__main__":
    main()
