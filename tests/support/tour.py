"""A visitor who plays a whole match by touching what is lit, and looks at the page after each touch."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from browse import CROWDED, assert_fits, axe_finds, is_over, last_state, ply_of
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from scrabble import best, new_letters, touch

PATIENCE = 60.0
"""Seconds until a touch must have changed something. Only a test that fails waits so long."""
LONGEST = 420.0
"""Seconds for a whole match on a very busy machine."""
QUICKLY = 5_000
"""Milliseconds for a touch. Somebody else may move first, and what was lit is gone."""

Choose = Callable[[Locator], None]


def pick(beside: str, value: str) -> Choose:
    """Choose a value of the option that also has the value `beside`."""

    def choose(dialog: Locator) -> None:
        box = dialog.locator(f'select:has(option[value="{beside}"])')
        if box.count():
            box.select_option(value)
        else:
            dialog.locator(f'fieldset:has(input[value="{beside}"]) input[value="{value}"]').check()

    return choose


def number(value: str) -> Choose:
    """Fill in the last number of the dialog."""
    return lambda dialog: dialog.locator("input[type=number]").last.fill(value)


@dataclass(frozen=True)
class Route:
    """How a game is played by touch alone."""

    game: str
    options: tuple[Choose, ...]
    """What makes a match short."""
    needs: tuple[str, ...]
    """What must be in sight all the time."""
    lit: tuple[str, ...]
    """What may be touched, the best first."""
    middle: int
    """The number of own touches after which the match is in its middle."""


def by_id(name: str, more: str = "") -> str:
    return f'[data-testid="{name}"]{more}'


ON = ':not([aria-disabled="true"])'
UP = ':not([aria-pressed="true"])'

DAMES = Route(
    game="dames",
    options=(),
    needs=("[data-square]", by_id("prompt"), by_id("resign")),
    lit=('[data-lit="end"]', '[data-lit="next"]', by_id("decline-draw"), '[data-lit="piece"]'),
    middle=30,
)
ROUTES = {
    "kora": Route(
        game="kora",
        options=(pick("10", "5"),),
        needs=(by_id("hand-card"), by_id("prompt"), by_id("stake")),
        lit=(by_id("accept"), by_id("hand-card", '[data-playable="true"]')),
        middle=2,
    ),
    "dames": DAMES,
    "dames-8": replace(DAMES, options=(pick("classic8", "classic8"),), middle=16),
    "ojyx": Route(
        game="ojyx",
        options=(pick("vote", "1"),),
        needs=(by_id("cell"), by_id("prompt"), by_id("pile-deck"), by_id("pile-discard"), by_id("pile-action")),
        lit=(
            by_id("confirm", ":enabled"),
            '[data-testid^="tile-"][data-lit]',
            by_id("cell", ON + UP),
            *(by_id(name) for name in ("react-accept", "scout-put", "play-held", "store", "throw")),
            by_id("pile-deck", ON),
            by_id("pile-action", ON),
            by_id("end-turn"),
            by_id("stock-card", ON),
        ),
        middle=9,
    ),
    "president": Route(
        game="president",
        options=(number("1"),),
        needs=(by_id("hand-card"), by_id("prompt"), by_id("constraint")),
        lit=(
            *(by_id(name, ":enabled") for name in ("close", "play", "give", "suite", "reverse")),
            by_id("hand-card", '[data-playable="true"]' + UP),
            *(by_id(name, ":enabled") for name in ("stop", "pass")),
        ),
        middle=5,
    ),
    "scrabble": Route(
        game="scrabble",
        options=(),
        needs=(by_id("plateau"), by_id("rack"), by_id("place"), by_id("pass"), by_id("exchange")),
        lit=(by_id("pass", ON),),
        middle=5,
    ),
}

AT_RESULT = (by_id("result"), by_id("rematch"), by_id("replay"))
AT_REPLAY = (by_id("felt"), by_id("position"), by_id("previous"))
"""What must be in sight when a match is over, and in its replay."""

LIT = """(lit) => {
  for (const one of lit) {
    const at = [...document.querySelectorAll(one)].findIndex((each) => each.checkVisibility() && each.offsetWidth);
    if (at >= 0) return [one, at];
  }
  return null;
}"""
"""The first visible thing that may be touched: its selector, and which one."""

SIGN = "(lit) => [...document.querySelectorAll(lit)].map((one) => [one.outerHTML.slice(0, 400), one.disabled])"

IN_SIGHT = """(part) => [...document.querySelectorAll(part)].some((one) =>
  one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))"""

LOOK = """([needed, shown, width, height, lit]) => {
  const found = [];
  const name = (one) =>
    one.dataset.testid ?? one.dataset.square ?? one.getAttribute('aria-label') ?? one.textContent.trim();
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && one.offsetWidth > 1;
  const scrolls = (one) => {
    for (let box = one.parentElement; box && box !== document.body; box = box.parentElement)
      if (/auto|scroll/.test(getComputedStyle(box).overflow))
        if (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1) return true;
    return false;
  };

  // The computer plays on meanwhile: whether it is this person's turn is asked at the same moment.
  if (lit.length && ![...document.querySelectorAll(lit.join())].some(seen)) return found;

  const page = document.documentElement;
  if (page.scrollWidth > width) found.push(`the page is ${page.scrollWidth} pixels wide`);
  if (document.querySelector('dialog[open]')) return found;

  // A closed sheet lies over the page; nothing that one needs may lie under it.
  const sheet = document.querySelector('[data-testid=panel]');
  const fixed = sheet && getComputedStyle(sheet).position === 'fixed';
  const lid = fixed && !sheet.classList.contains('open') ? sheet.getBoundingClientRect() : null;
  const inside = (one) => {
    const box = one.getBoundingClientRect();
    const stays = fixed && sheet.contains(one);
    const [top, left] = stays ? [box.top, box.left] : [box.top + scrollY, box.left + scrollX];
    const where = `${Math.round(left)},${Math.round(top)} ${Math.round(box.width)}×${Math.round(box.height)}`;
    if (left < -1 || top < -1 || left + box.width > width + 1 || top + box.height > height + 1)
      found.push(`${name(one)} is not in sight: ${where}`);
    else if (lid && !stays && box.right > lid.left + 1 && box.bottom > lid.top + 1)
      found.push(`${name(one)} lies under the sheet: ${where}`);
  };
  for (const one of needed)
    if (![...document.querySelectorAll(one)].some(seen)) found.push(`there is no ${one}`);
  const buttons = [...document.querySelectorAll('button, a.button')].filter(seen);
  const parts = [...document.querySelectorAll([...needed, ...shown].join())].filter(seen);
  const own = buttons.filter((one) => one.closest('#main, [data-testid=result]'));
  new Set([...own, ...parts].filter((one) => !scrolls(one))).forEach(inside);
  return found;
}"""
"""What is wrong with the page: parts that are missing or out of sight, a sideways scroll."""


@dataclass
class Tour:
    """One match at one size of screen, from the home page to its replay and back."""

    page: Page
    frames: list[str]
    route: Route
    pictures: Path | None = None
    """The folder for pictures."""
    seen: list[str] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)
    """What was wrong with the page, and when it was first seen. The match goes on, so that it shows everything."""

    @property
    def size(self) -> tuple[int, int]:
        box = self.page.viewport_size
        assert box is not None
        return box["width"], box["height"]

    def begin(self) -> None:
        """Open a table against easy computer players."""
        page = self.page
        page.get_by_test_id(f"choose-{self.route.game}").click()
        dialog = page.locator("dialog[open]")
        dialog.locator('input[value="facile"]').check()
        for choose in self.route.options:
            choose(dialog)
        page.get_by_test_id("solo-play").click()
        expect(page.get_by_test_id("felt")).to_be_visible()

    def look(self, when: str, needed: tuple[str, ...] | None = None, lit: tuple[str, ...] = ()) -> None:
        """Check that everything is in sight and that no words overflow their button; `lit`: only if one of these is."""
        needs = self.route.needs
        found = self.page.evaluate(LOOK, [needs if needed is None else needed, needs, *self.size, lit])
        # On a phone the result covers the buttons of the board; only its own count then.
        crowded = self.page.locator(by_id("result") if is_over(self.page) else "#main").evaluate(CROWDED)
        for problem in found + crowded:
            self.problems.setdefault(problem, when)

    def examine(self, name: str, needed: tuple[str, ...] | None = None) -> None:
        """Look, take a picture, and run axe."""
        for part in needed or ():  # a sheet that rises is not yet in sight
            self.page.wait_for_function(IN_SIGHT, arg=part)
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=self.pictures / f"{name}.png")
        self.look(name, needed)
        for problem in axe_finds(self.page):
            self.problems.setdefault(problem, name)
        self.seen.append(name)

    def lit(self) -> Locator | None:
        """Return what to touch now, or None if it is not this person's turn."""
        found = self.page.evaluate(LIT, self.route.lit)
        return self.page.locator(found[0]).nth(found[1]) if found else None

    def sign(self) -> tuple[int, Any]:
        """Return a value that changes if a touch had an effect."""
        return ply_of(self.frames), self.page.evaluate(SIGN, ", ".join(self.route.lit))

    def act(self) -> bool:
        """Touch what is lit; return False if nothing is. Return after the touch had its effect."""
        target = self.lit()
        if target is None:
            return False
        before = self.sign()
        try:
            if self.route.game == "scrabble":
                self.place()
            elif self.page.evaluate("navigator.maxTouchPoints"):
                target.tap(timeout=QUICKLY)
            else:
                target.click(timeout=QUICKLY)
        except PlaywrightTimeout:
            assert self.sign()[0] != before[0], f"{target} cannot be touched"
        end = time.monotonic() + PATIENCE
        while self.sign() == before and not is_over(self.page):
            assert time.monotonic() < end, f"a touch of {target} changes nothing"
            self.page.wait_for_timeout(20)
        return True

    def place(self) -> None:
        """Lay the best word of Scrabble; pass if there is none."""
        page, view = self.page, last_state(self.frames)["view"]
        play = best(view)
        if play is None:
            page.get_by_test_id("pass").click()
            page.get_by_test_id("pass-confirm").click()
            return
        for name, letter in new_letters(view, play):
            touch(page, name, letter)
        page.get_by_test_id("place").click()

    def play(self) -> None:
        """Play until the result is shown, and look at the page after every touch."""
        touches = 0
        end = time.monotonic() + LONGEST
        while not is_over(self.page):
            assert time.monotonic() < end, f"the match does not end after {touches} touches"
            if not self.act():
                self.page.wait_for_timeout(40)
                continue
            touches += 1
            if touches == self.route.middle:
                self.examine("middle")
            elif touches % 4 == 0:
                self.look(f"touch {touches}", lit=self.route.lit)

    def replay(self) -> None:
        """Step through the replay to its end: the first step with the button, the others with the keyboard."""
        page = self.page
        page.get_by_test_id("replay").click()
        position = page.get_by_test_id("position")
        expect(position).to_be_visible()
        plies = int(position.inner_text().split("/")[1])
        page.get_by_test_id("next").click()
        for at in range(1, plies + 1):
            expect(position).to_have_text(f"{at} / {plies}")
            page.keyboard.press("ArrowRight")
            if at == plies // 2:
                self.examine("replay", AT_REPLAY)
        self.look("the end of the replay", AT_REPLAY)

    def home(self) -> None:
        self.page.locator("a.wordmark").click()
        expect(self.page.get_by_test_id(f"play-{self.route.game}")).to_be_visible()
        assert_fits(self.page, self.size[0])
