"""Take the screenshots of docs/ from a running server: `.venv/bin/python scripts/screenshots.py`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "tests" / "support"))

from browse import is_over, last_state, play_a_card, play_to_the_end, record_frames  # noqa: E402
from live import LiveServer  # noqa: E402

from tablee.bots.decide import decide  # noqa: E402

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


def visit(browser: Browser, server: LiveServer, name: str, viewport: ViewportSize) -> Page:
    context = browser.new_context(
        base_url=server.url, locale="fr-FR", viewport=viewport, device_scale_factor=1, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto("/")
    page.request.patch("/api/me", data={"name": name, "avatar": 3})
    page.goto("/")
    page.wait_for_load_state("networkidle")
    return page


def play_some(page: Page, cards: int) -> None:
    """Play some cards against a bot; begin again if the deal alone decides, since that shows no play."""
    played = 0
    while played < cards:
        page.goto("/")
        page.get_by_test_id("play-kora").click()
        page.wait_for_selector("[data-testid=hand-card], [data-testid=result]")
        played = 0
        while played < cards and not is_over(page):
            played += play_a_card(page)
            page.wait_for_timeout(100)
    page.wait_for_timeout(1200)


def play_dames(page: Page) -> None:
    page.get_by_test_id("play-dames").click()
    for _ in range(6):
        page.locator('[data-lit="piece"]').last.click(timeout=30_000)
        page.locator('[data-lit="next"], [data-lit="end"]').first.click()
        page.wait_for_timeout(1500)
    page.screenshot(path=DOCS / "dames.png")


def play_president(page: Page) -> None:
    table = {
        "game": "president",
        "seats": 6,
        "bots": ["facile", "moyen", "difficile", "moyen", "facile"],
        "start": True,
    }
    code = page.request.post("/api/tables", data=table).json()["code"]
    page.goto(f"/table/{code}")
    page.wait_for_selector('[data-testid="trick"] svg, [data-testid="play"]')
    page.wait_for_timeout(3000)
    page.screenshot(path=DOCS / "president.png")


def watch(browser: Browser, server: LiveServer, game: str, seats: int, plies: int, picture: str) -> None:
    """Play a match against bots by `play_for` and take a screenshot after some plies."""
    page = visit(browser, server, "Camille", DESKTOP)
    bots = (["moyen", "difficile", "facile"] * 3)[: seats - 1]
    table = {"game": game, "seats": seats, "bots": bots, "start": True}
    code = page.request.post("/api/tables", data=table).json()["code"]
    frames = record_frames(page)
    page.goto(f"/table/{code}")
    for _ in range(600):
        page.wait_for_timeout(200)
        state = last_state(frames) if frames else {}
        offer = state.get("offer")
        ply = state["step"]["ply"] if "step" in state else state.get("ply", 0)
        if ply >= plies and offer:
            break
        if offer:
            play_for(page, game, state)
    page.wait_for_timeout(1500)
    page.screenshot(path=DOCS / picture)


def play_for(page: Page, game: str, state: dict[str, Any]) -> None:
    """Play what a bot of level moyen would choose from the same view."""
    seat = state["view"]["seat"]
    action = decide(game, "moyen", seat, msgspec.json.encode(state["view"]), "advice", 1.0)
    assert action is not None
    page.evaluate(
        """([offer, action]) => {
          const socket = new WebSocket(location.href.replace('http', 'ws').replace('/table/', '/ws/'));
          socket.onopen = () => socket.send(JSON.stringify({type: 'act', id: 1, offer, action}));
        }""",
        [state["offer"]["number"], msgspec.json.decode(action)],
    )
    page.wait_for_timeout(600)
    page.reload()
    page.wait_for_timeout(800)


def main() -> None:
    path = subprocess.check_output([ROOT / "scripts" / "browser"], text=True).strip()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = LiveServer(Path(data), "--bot-pause", "0.2", "--requests-per-second", "1000")
        server.warm = True
        server.start()
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            page = visit(browser, server, "Camille", DESKTOP)
            page.screenshot(path=DOCS / "home.png")
            play_some(page, 2)
            page.screenshot(path=DOCS / "table.png")
            play_to_the_end(page)
            page.screenshot(path=DOCS / "result.png")
            phone = visit(browser, server, "Camille", PHONE)
            play_some(phone, 2)
            phone.screenshot(path=DOCS / "phone.png")
            play_dames(visit(browser, server, "Camille", DESKTOP))
            play_president(visit(browser, server, "Camille", DESKTOP))
            watch(browser, server, "scrabble", 2, 9, "scrabble.png")
            watch(browser, server, "ojyx", 4, 40, "ojyx.png")
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
