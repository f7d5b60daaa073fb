"""What a person does on the site, in the words of a player."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from live import PATIENCE, LiveServer, wait_until
from playwright.sync_api import Locator, Page, ViewportSize, expect

ROOT = Path(__file__).parents[2]
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}

TOUCH: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
"""The options of a browser on a phone."""

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}

OpenPage = Callable[..., Page]


CONTROLLED = "navigator.serviceWorker.controller !== null"


def open_app(someone: OpenPage, server: LiveServer, path: str = "/", **context: object) -> Page:
    """Open the site, and wait until its service worker answers for it."""
    page = someone(server, path, service_workers="allow", **context)
    wait_until(lambda: bool(page.evaluate(CONTROLLED)))  # a string that waits in the page would break its policy
    return page


def record_frames(page: Page) -> list[str]:
    """Keep every frame that a page receives from now on; call it before it opens a table."""
    frames: list[str] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda data: frames.append(str(data))))
    return frames


def invite(page: Page, game: str = "kora") -> str:
    """Open a table for friends and return its code; a match of Kora has one deal."""
    page.get_by_test_id(f"invite-{game}").click()
    if game == "kora":
        page.locator("dialog select").first.select_option("1")
    page.get_by_test_id("create").click()
    code = page.get_by_test_id("code")
    expect(code).to_be_visible()
    return "".join(code.inner_text().split())


def join(page: Page, code: str) -> None:
    """Type a friend's code at home and take a seat."""
    page.get_by_test_id("join-code").fill(code.lower())
    page.get_by_test_id("join").click()
    page.get_by_test_id("sit").click()
    expect(page.get_by_test_id("guest-hint")).to_be_visible()


def looks(page: Page, milliseconds: int) -> Iterator[None]:
    """Yield again and again, with a pause in between, until the patience of a test ends."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        yield
        page.wait_for_timeout(milliseconds)


def playable(page: Page) -> Locator:
    return page.locator('[data-testid="hand-card"][data-playable="true"]')


def is_over(page: Page) -> bool:
    return page.get_by_test_id("result").is_visible()


def play_a_card(page: Page, touch: Callable[[Locator], None] = Locator.click) -> bool:
    """Play the first card that may be played, if it is this person's turn; True once it left the hand."""
    cards = playable(page)
    if not cards.count():
        return False
    code = cards.first.get_attribute("data-card")
    touch(cards.first)
    expect(page.locator(f'[data-testid="hand-card"][data-card="{code}"][data-playable="true"]')).to_have_count(0)
    return True


def play_to_the_end(*pages: Page) -> None:
    """Everyone plays what they may until everyone sees the result."""
    for _ in range(2000):
        if all(is_over(page) for page in pages):
            return
        if not any(play_a_card(page) for page in pages if not is_over(page)):
            pages[0].wait_for_timeout(30)
    raise AssertionError("the match does not end")


def play_against_a_bot(page: Page) -> None:
    """Begin a deal of Kora from the home page; begin another if it is won automatically, as one in fourteen is."""
    for _ in range(20):
        page.goto("/")
        page.get_by_test_id("play-kora").click()
        page.wait_for_selector("[data-testid=hand-card], [data-testid=result]")
        if not is_over(page):
            return
    raise AssertionError("twenty deals in a row won themselves")


def rematch(*pages: Page) -> None:
    """Everyone asks for another match; returns when everyone sees it."""
    number = int(pages[0].locator("main").get_attribute("data-match") or 0)
    for page in pages:
        page.get_by_test_id("rematch").click()
    for page in pages:
        expect(page.locator("main")).to_have_attribute("data-match", str(number + 1))


def start_playable_match(host: Page, guest: Page) -> None:
    """Start, and ask for rematches while the deal is won before a card is played."""
    host.get_by_test_id("start").click()
    for _ in range(20):
        # Cards appear before the result of a deal that they win: wait for somebody's turn or for the result.
        host.wait_for_selector("[data-turn], [data-testid=result]")
        if not is_over(host):
            return
        rematch(host, guest)
    raise AssertionError("twenty deals in a row won themselves")


def whose_turn(*pages: Page, sign: str = '[data-testid="hand-card"][data-playable="true"]') -> Page:
    """Return the page of the person who is to play, once one of the pages shows the sign of it."""
    for _ in range(1000):
        for page in pages:
            if page.locator(sign).count():
                return page
        pages[0].wait_for_timeout(30)
    raise AssertionError("nobody is to play")


def axe_finds(page: Page) -> list[str]:
    """Return the rules of axe that a page breaks, and where."""
    page.evaluate(AXE.read_text())
    found = page.evaluate("rules => axe.run(document, rules)", RULES)["violations"]
    return [f"{rule['id']}: {[node['html'][:200] for node in rule['nodes']]}" for rule in found]


def assert_accessible(page: Page) -> None:
    found = axe_finds(page)
    assert not found, found


CONTRAST = """(text) => {
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
  const light = (colour) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((one) => (one / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  let box = text;
  while (getComputedStyle(box).backgroundColor === 'rgba(0, 0, 0, 0)') box = box.parentElement;
  const both = [getComputedStyle(text).color, getComputedStyle(box).backgroundColor].map(light);
  return Math.max(...both) / Math.min(...both);
}"""
"""The contrast of an element's text with the plain colour behind it."""


def assert_readable(text: Locator) -> None:
    """Check the contrast of a text on the cloth, which axe cannot measure because the cloth has a pattern."""
    contrast = text.evaluate(CONTRAST)
    assert contrast >= 4.5, f"{text} has a contrast of {contrast:.1f}"


def assert_fits(page: Page, width: int) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, f"{page.url} is {wide} pixels wide on a screen of {width}"


def assert_in_sight(page: Page) -> None:
    """Check that the whole page is visible without scrolling."""
    hidden = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert hidden <= 0, f"{page.url} has {hidden} pixels more than the screen is high"


DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def resize(page: Page, size: ViewportSize) -> None:
    """Change the size of the window, and return when the page has been drawn for it."""
    page.set_viewport_size(size)
    page.evaluate(DRAWN)


OUTSIDE = """(selectors) => selectors.flatMap((selector) => {
  const found = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  if (!found.length) return [`no ${selector}`];
  const outside = found.map((one) => one.getBoundingClientRect())
    .filter((box) => box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
    .map((box) => [box.left, box.top, box.right, box.bottom].map(Math.round));
  return outside.length ? [`${selector} at ${outside[0]}`] : [];
})"""
"""The elements that are missing or not entirely on the screen."""


def assert_inside(page: Page, *selectors: str) -> None:
    """Check that all of these elements are entirely on the screen, and that nothing has to be scrolled."""
    assert_in_sight(page)
    found = page.evaluate(OUTSIDE, selectors)
    assert not found, f"{page.viewport_size}: {found}"


CROWDED = """(root) => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  const buttons = [...(root ?? document).querySelectorAll('button, a.button')].filter(seen);
  const name = (one) => one.innerText.trim() || one.getAttribute('aria-label');
  const found = [];
  for (const button of buttons) {
    const box = button.getBoundingClientRect();
    const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const hidden = text.parentElement.closest('.visually-hidden, svg') || !seen(text.parentElement);
      if (hidden || !text.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right, top, bottom, width } = range.getBoundingClientRect();
      const { clipPath, overflow } = getComputedStyle(text.parentElement);
      if (width <= 1 || clipPath !== 'none' || overflow !== 'visible') continue; // cut on purpose
      if (left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1)
        found.push(`« ${text.data.trim()} » is larger than its button`);
    }
  }
  const plain = buttons.filter((one) => one.classList.contains('button'));
  plain.forEach((one, at) => {
    const a = one.getBoundingClientRect();
    for (const other of plain.slice(at + 1)) {
      const b = other.getBoundingClientRect();
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        found.push(`« ${name(one)} » and « ${name(other)} » overlap`);
    }
  });
  return found;
}"""
"""The buttons whose words do not fit into them, and those that overlap."""


def assert_buttons_fit(page: Page) -> None:
    found = page.evaluate(CROWDED)
    assert not found, f"{page.viewport_size}: {found}"


def assert_whole(page: Page) -> None:
    """Check that a page fits its screen, whatever its width."""
    assert page.viewport_size is not None
    assert_fits(page, page.viewport_size["width"])
    assert_buttons_fit(page)


def last_state(frames: list[str]) -> dict[str, Any]:
    """Return the last frame with the state of the match."""
    for text in reversed(frames):
        frame: dict[str, Any] = msgspec.json.decode(text)
        if frame["type"] in ("state", "moved"):
            return frame
    raise AssertionError("no frame about a match yet")


def ply_of(frames: list[str]) -> int:
    """Return the ply of the last frame."""
    state = last_state(frames)
    return int(state["ply"] if state["type"] == "state" else state["step"]["ply"])
