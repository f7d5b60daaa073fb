"""Lessons in the browser: finished with the keyboard alone, offered once, readable on every screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browse import DESKTOP, PHONE, OpenPage, assert_accessible, assert_fits
from live import LiveServer
from playwright.sync_api import Page, expect

Action = dict[str, Any]


def reach(page: Page, css: str) -> None:
    """Press Tab until an element that fits has the focus."""
    for _ in range(150):
        if page.evaluate("css => document.activeElement.matches(css)", css):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {css}")


def press(page: Page, testid: str) -> None:
    reach(page, f"[data-testid='{testid}']")
    page.keyboard.press("Enter")


def focused(page: Page, name: str) -> str:
    """Return a data attribute of the focused element."""
    return str(page.evaluate("name => document.activeElement.dataset[name] ?? ''", name))


def act_in_kora(page: Page, action: Action) -> None:
    if action["type"] == "play":
        hand = page.get_by_test_id("hand-card")
        cards = [card.get_attribute("data-card") for card in hand.all()]
        page.keyboard.press(str(1 + cards.index(action["card"])))
    elif action["type"] == "propose":
        reach(page, "button:not([data-testid])")
        for _ in range(20):
            if "50" in page.evaluate("document.activeElement.textContent"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        press(page, "propose")
    else:
        press(page, action["type"])


def act_in_president(page: Page, action: Action) -> None:
    cards = action.get("cards", [])
    if action["type"] == "give":
        for card in cards:
            go_to_card(page, card)
            page.keyboard.press("Enter")
        press(page, "give")
    elif action["type"] == "play":
        go_to_card(page, cards[0][0])
        page.keyboard.press(str(len(cards)))
        press(page, action["declare"] or "play")
    else:
        press(page, action["type"])


def go_to_card(page: Page, wanted: str) -> None:
    """Move to a card, or to the first of a rank."""
    reach(page, "[data-testid='hand-card']")
    page.keyboard.press("Home")
    for _ in range(20):
        if focused(page, "card").startswith(wanted):
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError("the arrows do not lead to the card")


def act_in_dames(page: Page, action: Action) -> None:
    if action["type"] != "move":
        return press(page, action["type"].replace("_", "-"))
    show = page.get_by_test_id("lesson-show")
    at = page.get_by_test_id("lesson").get_attribute("data-at")
    for square in action["path"]:
        if not show.is_visible() or page.get_by_test_id("lesson").get_attribute("data-at") != at:
            return  # the board completed the only path
        reach(page, "[data-square]")
        for _ in range(20):
            here, there = int(focused(page, "square")) - 1, square - 1
            if here == there:
                break
            up, left = there // 5 < here // 5, there % 5 < here % 5
            if there // 5 != here // 5:
                page.keyboard.press("ArrowUp" if up else "ArrowDown")
            else:
                page.keyboard.press("ArrowLeft" if left else "ArrowRight")
        page.keyboard.press("Enter")


def act_in_ojyx(page: Page, action: Action) -> None:
    match action["type"]:
        case "choose":
            for cell in action["cells"]:
                pick_cell(page, 0, cell)
            page.keyboard.press("Enter")
        case "draw":
            page.keyboard.press({"deck": "p", "discard": "d", "action": "a"}[action["source"]])
        case "place" | "turn":
            pick_cell(page, 0, action["cell"])
            if page.get_by_test_id("confirm").is_visible():  # it ends the manche
                press(page, "confirm")
        case "action":
            if page.get_by_test_id("play-held").is_visible():
                press(page, "play-held")
            else:
                page.keyboard.press("1")
            if "cell" in action:
                pick_cell(page, 0, action["cell"])
            pick_cell(page, 1, action["target_cell"] if "target_cell" in action else action["column"])
            if page.get_by_test_id("confirm").is_visible():
                press(page, "confirm")
        case "react":
            press(page, f"react-{action['answer']}")
        case "vote":
            press(page, "vote-stop")
        case kind:
            press(page, kind.replace("_", "-"))


def pick_cell(page: Page, seat: int, cell: int) -> None:
    reach(page, f"[data-cell][data-seat='{seat}']")
    for _ in range(12):
        here = int(focused(page, "cell"))
        if here == cell:
            break
        if here // 4 != cell // 4:
            page.keyboard.press("ArrowUp" if cell // 4 < here // 4 else "ArrowDown")
        else:
            page.keyboard.press("ArrowLeft" if cell % 4 < here % 4 else "ArrowRight")
    page.keyboard.press("Enter")


def act_in_scrabble(page: Page, action: Action) -> None:
    match action["type"]:
        case "place":
            reach(page, "[role=grid] [data-index]")
            row, column = "ABCDEFGHIJKLMNO".index(action["at"][0]), int(action["at"][1:]) - 1
            for _ in range(40):
                here = int(focused(page, "index"))
                if here == 15 * row + column:
                    break
                if here // 15 != row:
                    page.keyboard.press("ArrowUp" if row < here // 15 else "ArrowDown")
                else:
                    page.keyboard.press("ArrowLeft" if column < here % 15 else "ArrowRight")
            page.keyboard.press("ArrowRight")  # the last arrow is the direction of the word
            page.keyboard.press("ArrowLeft")
            page.keyboard.type(action["word"].lower())
            page.keyboard.press("Enter")
        case "exchange":
            press(page, "exchange")
            left = list(action["tiles"])
            for at, tile in enumerate(page.get_by_test_id("exchange-tile").all()):
                letter = tile.get_attribute("data-letter") or ""
                if letter in left:
                    left.remove(letter)
                    tile.evaluate("(tile, at) => (tile.dataset.wanted = at)", at)
                    reach(page, f"[data-wanted='{at}']")
                    page.keyboard.press("Space")
            press(page, "exchange-confirm")
        case "pass":
            press(page, "pass")
            press(page, "pass-confirm")
        case kind:
            press(page, kind)


def finish(page: Page, game: str, act: Callable[[Page, Action], None]) -> None:
    """Read and play a lesson to its end with the keyboard; every remark is also spoken."""
    lesson = page.request.get(f"/api/games/{game}/lessons/premiere").json()
    panel, done = page.get_by_test_id("lesson"), page.get_by_test_id("lesson-done")
    expect(panel).to_be_visible()
    for at, moment in enumerate(lesson["moments"]):
        expect(panel).to_have_attribute("data-at", str(at))
        expect(page.get_by_test_id("announcer")).to_contain_text(moment["say"]["fr"])
        if moment["answers"]:
            expect(panel).to_have_attribute("data-ready", "true")
            act(page, moment["answers"][0]["action"])
            if moment["done"]:
                expect(page.get_by_test_id("remark")).to_have_text(moment["done"]["fr"])
        if moment["done"] or not moment["answers"]:
            following = page.get_by_test_id("lesson-next")
            for _ in range(2):  # the first key may only show what is still to come
                expect(following).to_be_focused()
                page.keyboard.press("Enter")
                if done.is_visible() or panel.get_attribute("data-at") != str(at):
                    break
    expect(done).to_be_visible()


def test_a_lesson_is_finished_with_the_keyboard_alone(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "/lecons/kora")
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-at", "0")
    assert_accessible(page)
    page.keyboard.press("Enter")
    page.keyboard.press("1")  # another card than the lesson wants
    expect(page.get_by_test_id("lesson")).to_contain_text("Essayez plutôt le 7♥")
    press(page, "lesson-again")
    finish(page, "kora", act_in_kora)
    assert_accessible(page)
    expect(page.get_by_test_id("lesson-play")).to_be_focused()
    page.goto("/")
    expect(page.get_by_test_id("lesson-kora").get_by_label("Leçon terminée")).to_be_visible()


def test_a_lesson_is_offered_once_at_a_table(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site)
    page.get_by_test_id("play-dames").click()
    offer = page.get_by_test_id("lesson-offer")
    expect(offer).to_contain_text("Première partie ? La leçon dure 5 minutes.")
    page.get_by_test_id("no-lesson").click()
    expect(offer).to_have_count(0)
    page.reload()
    expect(page.locator("[data-square]").first).to_be_visible()
    expect(offer).to_have_count(0)


ACTS = {
    "dames": act_in_dames,
    "kora": act_in_kora,
    "ojyx": act_in_ojyx,
    "president": act_in_president,
    "scrabble": act_in_scrabble,
}


@pytest.mark.soak
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("game", ACTS)
def test_every_lesson_is_finished_with_the_keyboard(
    site: LiveServer, someone: OpenPage, game: str, viewport: dict[str, int]
) -> None:
    page = someone(site, f"/lecons/{game}", viewport=viewport, color_scheme="dark")
    expect(page.get_by_test_id("lesson")).to_be_visible()
    assert_accessible(page)
    assert_fits(page, viewport["width"])
    finish(page, game, ACTS[game])
    assert_accessible(page)
