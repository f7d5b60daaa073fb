"""Super Président in a real browser: a révolution, a closing out of turn, exchanges; and leaving for a while."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browse import PHONE, OpenPage, assert_accessible, assert_fits, join, last_state, looks, ply_of, record_frames
from live import LiveServer, Person
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from president import choose

# If four people play as `choose` does, this deal has two révolutions and four closings out of turn.
SEED = "soirée 17"


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with a chosen seed."""
    server = LiveServer(tmp_path / "data", "--requests-per-second", "10000", "--workers", "1", seed=SEED)
    server.start()
    yield server
    server.stop()


def act(page: Page, action: dict) -> None:
    """Play an action through the page: pick the cards, then the declaration."""
    if action["type"] == "play":
        page.locator(f'[data-testid="hand-card"][data-card="{action["cards"][0]}"]').click()
        page.get_by_test_id("play").click()
    else:
        page.get_by_test_id(action["type"]).click()


def test_four_people_a_revolution_a_closing_out_of_turn_and_a_second_manche(
    evening: LiveServer, someone: OpenPage
) -> None:
    pages = [someone(evening) for _ in range(4)]
    frames = [record_frames(page) for page in pages]
    created = pages[0].request.post("/api/tables", data={"game": "president", "seats": 4, "options": {"rounds": 2}})
    code = created.json()["code"]
    pages[0].goto(f"/table/{code}")
    for page in pages[1:]:
        join(page, code)
    pages[0].get_by_test_id("start").click()
    for page in pages:
        expect(page.get_by_test_id("hand-card").first).to_be_visible()
    closed_out_of_turn, revolutions, ply = 0, 0, 0
    while last_state(frames[0])["view"]["manche"] == 1:
        states = [last_state(seen) for seen in frames]
        if {ply_of(seen) for seen in frames} != {ply}:
            pages[0].wait_for_timeout(15)
            continue
        offers = [state["offer"] for state in states]
        eager = [seat for seat in range(4) if offers[seat] and not offers[seat]["must"]]
        seat = eager[0] if eager else next(seat for seat in range(4) if offers[seat])
        closed_out_of_turn += bool(eager)
        if states[0]["view"]["revolution"]:
            expect(pages[0].get_by_test_id("revolution")).to_be_visible()
            revolutions += 1
        action = choose(offers[seat]["legal"])
        assert action is not None
        act(pages[seat], action)
        ply += 1
        assert ply < 80, "the manche does not end"
    assert closed_out_of_turn >= 1
    assert revolutions >= 1
    for page in pages:
        expect(page.get_by_test_id("hand-card")).to_have_count(13)
        expect(page.get_by_test_id("constraint")).to_be_visible()
        expect(page.get_by_test_id("exchange")).to_be_visible()


def test_a_bot_holds_the_seat_of_a_leaver_who_may_come_back(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site)
    created = page.request.post(
        "/api/tables", data={"game": "president", "seats": 4, "bots": ["facile"] * 3, "start": True}
    )
    page.goto(f"/table/{created.json()['code']}")
    expect(page.get_by_test_id("hand-card").first).to_be_visible()
    page.get_by_test_id("leave").click()
    page.get_by_test_id("leave-confirm").click()
    page.goto(f"/table/{created.json()['code']}")
    expect(page.get_by_test_id("hand-card")).to_have_count(0)
    page.get_by_test_id("return").click()
    expect(page.get_by_test_id("hand-card").first).to_be_visible()


LATE = "La partie a avancé entre-temps. Regardez où elle en est."


def test_seven_bots_on_a_phone(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, viewport=PHONE, has_touch=True, is_mobile=True)
    frames = record_frames(page)
    created = page.request.post(
        "/api/tables", data={"game": "president", "seats": 8, "bots": ["facile"] * 7, "start": True}
    )
    page.goto(f"/table/{created.json()['code']}")
    expect(page.get_by_test_id("hand-card").first).to_be_visible()
    acted = 0
    for _ in looks(page, 100):
        offer = last_state(frames)["offer"]
        action = choose(offer["legal"]) if offer and offer["must"] else None
        if action:
            before = ply_of(frames)
            try:
                act(page, action)
            except PlaywrightTimeout:  # Somebody else closed the trick first.
                assert ply_of(frames) > before
                continue
            acted += 1
            while ply_of(frames) == before:
                page.wait_for_timeout(20)
        # Or at the same time: the page says so and nothing else.
        assert set(page.get_by_test_id("toast").all_inner_texts()) <= {LATE}
        if acted == 3:
            break
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert acted == 3


def test_a_spectator_s_table_turns_to_the_active_player_while_it_is_asked_to(
    site: LiveServer, someone: OpenPage
) -> None:
    people = [Person(site) for _ in range(4)]
    code = people[0].create("president", seats=4)
    lines = [person.open(code) for person in people]
    for line in lines[1:]:
        line.ask("sit")
    lines[0].send("start")
    for line in lines:
        line.expect("state")
    page = someone(site, f"/table/{code}", viewport=PHONE)
    bottom = page.get_by_test_id("watched").get_by_test_id(re.compile("player-"))
    followed = set()

    def play() -> None:
        seat = lines[0].latest["view"]["waiting"][0]
        offer = lines[seat].latest["offer"]
        assert lines[seat].ask("act", offer=offer["number"], action=choose(offer["legal"]))["type"] == "moved"
        for line in lines[:seat] + lines[seat + 1 :]:
            line.expect("moved")

    for _ in range(6):
        seat = lines[0].latest["view"]["waiting"][0]
        expect(bottom).to_have_attribute("data-testid", f"player-{seat}")
        followed.add(seat)
        play()
    assert len(followed) >= 3
    assert_accessible(page)
    assert_fits(page, PHONE["width"])
    follow = page.get_by_role("button", name="Suivre le joueur actif")
    expect(follow).to_have_attribute("aria-pressed", "true")
    follow.press("Enter")
    expect(follow).to_have_attribute("aria-pressed", "false")
    play()
    expect(bottom).to_have_attribute("data-testid", "player-0")
    page.reload()
    expect(page.get_by_test_id("follow")).to_have_attribute("aria-pressed", "false")
