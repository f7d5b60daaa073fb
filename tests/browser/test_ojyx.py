"""Ojyx in a real browser: a peek, a shield, columns, a penalty and a vote; and eight players on a phone."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browse import PHONE, OpenPage, join, last_state, looks, record_frames
from live import LiveServer
from playwright.sync_api import Locator, Page, expect

from ojyx import choose

# If three people play as `choose` does, this deal has a peek, a shielded swap, cleared columns and an initiator who
# counts double.
SEED = "soirée 75"

TOUCH = 44
"""Minimum size of a touch target, in pixels."""
FOLLOWED = """() => {
  const seen = new Set();
  const look = () => seen.add(document.querySelector('[data-testid=pane-looked]')?.dataset.seat);
  const what = { subtree: true, attributes: true, attributeFilter: ['data-seat'] };
  new MutationObserver(look).observe(document.body, what);
  window.followed = () => seen.size;
}"""
"""Record whose grid is shown large."""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with a chosen seed."""
    server = LiveServer(tmp_path / "data", "--requests-per-second", "10000", "--workers", "1", seed=SEED)
    server.start()
    yield server
    server.stop()


def cell(page: Page, seat: int, at: int) -> Locator:
    return page.locator(f'[data-testid="cell"][data-seat="{seat}"][data-cell="{at}"]:visible')


def aim(page: Page, action: dict[str, Any], own: int, other: int | None) -> None:
    """Choose the targets of a card, then confirm."""
    for at in action.get("cells") or []:
        cell(page, own, at).click()
    if "cell" in action:
        cell(page, own, action["cell"]).click()
    tile = page.locator(f'[data-testid="tile-{other}"][data-lit="true"]')
    if "seat" in action and tile.count():
        tile.click()
    owner = own if other is None else other
    if "target_cell" in action:
        cell(page, owner, action["target_cell"]).click()
    if "column" in action:
        cell(page, owner, action["column"]).click()
    page.get_by_test_id("confirm").click()


def act(page: Page, view: dict[str, Any], action: dict[str, Any]) -> None:
    """Play an action through the page."""
    own, kind, stage = view["seat"], action["type"], view["stage"]
    stored = page.locator(f'[data-testid="stock-card"][data-card="{action.get("card")}"]').first
    if kind == "draw":
        page.get_by_test_id(f"pile-{action['source']}").click()
    elif kind in ("place", "turn"):
        cell(page, own, action["cell"]).click()
        hidden = [at for at, what in enumerate(view["seats"][own]["cells"]) if what == "hidden"]
        if not view["ending"] and hidden in ([], [action["cell"]]):
            page.get_by_test_id("confirm").click()
    elif kind in ("discard", "store", "end_turn"):
        page.get_by_test_id(kind.replace("_", "-")).click()
    elif kind == "vote":
        page.get_by_test_id("vote-on" if action["go_on"] else "vote-stop").click()
    elif kind == "throw":
        if stage == "action" and view["held"]["action"] == action["card"]:
            page.get_by_test_id("throw").click()
        else:
            stored.click()
            if page.get_by_test_id("throw").count():
                page.get_by_test_id("throw").click()
        page.get_by_test_id("confirm").click()
    elif kind == "react":
        page.get_by_test_id(f"react-{action['answer']}").click()
        if action["answer"] == "mirror":
            aim(page, action, own, view["attack"]["seat"])
    elif stage == "scout":
        page.get_by_test_id("scout-put").click()
    else:
        if stage == "action":
            page.get_by_test_id("play-held").click()
        elif stage == "play":
            stored.click()
        aim(page, action, own, action.get("seat"))


def see(pages: list[Page], event: dict[str, Any]) -> str | None:
    """Check that the pages show the last action; return its name if the test looks for it."""
    actor, target = event["seat"], event["target"]
    if event["kind"] == "hit" and event["action"] == "peek":
        pages[actor].get_by_test_id(f"tile-{target}").click()
        expect(cell(pages[actor], target, event["target_cell"])).to_have_attribute(
            "aria-label", re.compile("connue de vous")
        )
        expect(cell(pages[target], target, event["target_cell"])).to_have_attribute(
            "aria-label", re.compile("déjà regardée")
        )
        return "peek"
    if event["kind"] == "void" and event["action"] == "swap":
        for page in pages:
            expect(page.get_by_test_id("announcer")).to_contain_text("L’attaque est annulée.")
        return "shield"
    if event["kind"] == "cleared":
        place = cell(pages[actor], actor, event["column"])
        expect(place).to_have_attribute("aria-label", re.compile("place vide"))
        return "column"
    if event["kind"] == "ending":
        for page in pages:
            expect(page.get_by_test_id("ending")).to_be_visible()
        return "ending"
    return None


def test_three_people_a_manche_with_everything_and_a_vote(evening: LiveServer, someone: OpenPage) -> None:
    pages = [someone(evening) for _ in range(3)]
    frames = [record_frames(page) for page in pages]
    code = pages[0].request.post("/api/tables", data={"game": "ojyx", "seats": 3}).json()["code"]
    pages[0].goto(f"/table/{code}")
    for page in pages[1:]:
        join(page, code)
    pages[0].get_by_test_id("start").click()
    for page in pages:
        expect(page.get_by_test_id("prompt")).to_contain_text("Choisissez deux cartes")
    seen, ply = set(), 0
    while not last_state(frames[0])["view"]["results"]:
        states = [last_state(some) for some in frames]
        if {state["step"]["ply"] if state["type"] == "moved" else state["ply"] for state in states} != {ply}:
            pages[0].wait_for_timeout(15)
            continue
        seen |= {see(pages, event) for event in states[0]["view"]["events"]}
        seat = states[0]["view"]["waiting"][0]
        view = states[seat]["view"]
        act(pages[seat], view, choose(view, states[seat]["offer"]["legal"]))
        if view["stage"] == "choose" and seat < 2:
            expect(pages[seat].get_by_test_id("prompt")).to_contain_text("En attente de")
        ply += 1
        assert ply < 120, "the manche does not end"
    assert seen - {None} == {"peek", "shield", "column", "ending"}
    for page in pages:
        expect(page.get_by_test_id("doubled")).to_contain_text("doublé")
    for page in pages[:2]:
        page.get_by_test_id("vote-on").click()
        expect(page.get_by_test_id("vote-waiting")).to_contain_text("Vous continuez.")
    pages[2].get_by_test_id("vote-stop").click()
    for page in pages[:2]:
        expect(page.get_by_test_id("prompt")).to_contain_text("Choisissez deux cartes")
        expect(page.get_by_test_id("tile-2")).to_contain_text("a quitté la partie")
    pages[0].get_by_role("tab", name="Score").click()
    expect(pages[0].get_by_test_id("manches").locator("tbody tr")).to_have_count(1)


def test_seven_bots_on_a_phone_with_all_cards(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, viewport=PHONE, has_touch=True, is_mobile=True)
    frames = record_frames(page)
    table = {"game": "ojyx", "seats": 8, "options": {"deck": "extended"}, "bots": ["facile"] * 7, "start": True}
    page.goto(f"/table/{page.request.post('/api/tables', data=table).json()['code']}")
    expect(page.get_by_test_id("tile-7")).to_be_visible()
    page.evaluate(FOLLOWED)
    box = cell(page, 0, 0).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= TOUCH
    page.get_by_test_id("tile-4").click()
    expect(cell(page, 4, 0)).to_be_visible()
    expect(page.get_by_test_id("pane-own")).to_be_hidden()
    page.get_by_test_id("own-grid").click()
    expect(page.get_by_test_id("pane-own")).to_be_visible()
    done: set[int] = set()
    for _ in looks(page, 50):
        state = last_state(frames)
        offer, view = state["offer"], state["view"]
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        if offer and offer["number"] not in done:
            act(page, view, choose(view, offer["legal"]))
            done.add(offer["number"])
            expect(page.get_by_test_id("toast")).to_have_count(0)
        if view["seats"][0]["turns"] >= 1 and page.evaluate("window.followed()") >= 4:
            break
    assert view["seats"][0]["turns"] >= 1
    assert page.evaluate("window.followed()") >= 4
