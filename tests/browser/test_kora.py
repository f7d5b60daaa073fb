"""Kora Battle in a real browser, from the home page to the rematch."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from browse import (
    PHONE,
    OpenPage,
    invite,
    is_over,
    join,
    last_state,
    play_a_card,
    play_to_the_end,
    playable,
    ply_of,
    record_frames,
    rematch,
    start_playable_match,
)
from live import ROOMY, LiveServer
from playwright.sync_api import Locator, Page, expect


def test_two_people_create_join_play_a_deal_see_the_same_result_and_rematch(
    site: LiveServer, someone: OpenPage
) -> None:
    host, guest = someone(site), someone(site)
    join(guest, invite(host))
    start_playable_match(host, guest)
    play_to_the_end(host, guest)
    banks = [[bank(page, seat) for seat in (0, 1)] for page in (host, guest)]
    assert banks[0] == banks[1]
    assert sum(banks[0]) == 200
    titles = {page.get_by_test_id("result").get_by_role("heading").first.inner_text() for page in (host, guest)}
    assert len(titles) == 2, "one has won and the other has not"
    rematch(host, guest)
    play_to_the_end(host, guest)


@pytest.fixture
def lucky_site(tmp_path: Path) -> Iterator[LiveServer]:
    """A server that always deals the guest a low hand, which wins at once."""
    server = LiveServer(tmp_path / "site", *ROOMY, seed="donne 2").start()
    yield server
    server.stop()


def test_a_deal_that_is_won_before_a_card_is_played_shows_its_result(lucky_site: LiveServer, someone: OpenPage) -> None:
    host, guest = someone(lucky_site), someone(lucky_site)
    join(guest, invite(host))
    host.get_by_test_id("start").click()
    for _ in range(2):
        for page in (host, guest):
            expect(page.get_by_test_id("result")).to_be_visible()
        rematch(host, guest)


@pytest.mark.parametrize(
    "level", ["Maître", *(pytest.param(level, marks=pytest.mark.soak) for level in ("Facile", "Moyen", "Difficile"))]
)
def test_a_person_plays_against_each_level(site: LiveServer, someone: OpenPage, level: str) -> None:
    page = someone(site)
    page.get_by_test_id("choose-kora").click()
    page.get_by_role("radio", name=level, exact=True).check()
    page.get_by_test_id("solo-play").click()
    play_to_the_end(page)
    rematch(page)
    play_to_the_end(page)


def hand(page: Page) -> set[str | None]:
    return {card.get_attribute("data-card") for card in page.get_by_test_id("hand-card").all()}


def bank(page: Page, seat: int) -> int:
    return int(page.get_by_test_id(f"bank-{seat}").first.get_attribute("data-koras") or 0)


def test_both_finish_a_deal_that_sigkill_interrupted(own_site: LiveServer, someone: OpenPage) -> None:
    host, guest = someone(own_site), someone(own_site)
    join(guest, invite(host))
    start_playable_match(host, guest)
    while not play_a_card(host) and not play_a_card(guest):
        host.wait_for_timeout(20)
    held = [hand(host), hand(guest)]
    own_site.kill()
    for page in (host, guest):
        expect(page.get_by_test_id("banner")).to_be_visible()
    own_site.start()
    for page in (host, guest):
        expect(page.get_by_test_id("banner")).to_be_hidden(timeout=30_000)
    assert [hand(host), hand(guest)] == held
    play_to_the_end(host, guest)


def test_a_spectator_s_page_never_holds_a_hidden_card(site: LiveServer, someone: OpenPage) -> None:
    host, guest, watcher = someone(site), someone(site), someone(site)
    frames = record_frames(watcher)
    hands = [record_frames(host), record_frames(guest)]
    code = invite(host)
    join(guest, code)
    start_playable_match(host, guest)
    watcher.goto(f"/table/{code}")
    expect(watcher.get_by_test_id("watching")).to_be_visible()
    checked = 0
    everyone = (*hands, frames)
    while not is_over(host):
        # Compare only when all pages show the same ply.
        if len({ply_of(seen) for seen in everyone}) > 1:
            host.wait_for_timeout(20)
            continue
        now = ply_of(frames)
        hidden = [card["card"] for seen in hands for card in last_state(seen)["view"]["hand"]]
        page = watcher.content()
        for card in hidden:
            assert f'"{card}"' not in page, f"{card} is in the page of somebody who only watches"
            assert not any(f'"{card}"' in frame for frame in frames), f"{card} was sent to somebody who only watches"
            checked += 1
        if play_a_card(host) or play_a_card(guest):
            while ply_of(frames) == now:
                host.wait_for_timeout(20)
        else:
            host.wait_for_timeout(30)
    assert checked > 20
    assert all(msgspec.json.decode(frame).get("offer") is None for frame in frames)


def test_a_whole_deal_on_a_phone(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, viewport=PHONE, has_touch=True, is_mobile=True)
    page.get_by_test_id("play-kora").tap()
    for _ in range(500):
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PHONE["width"], f"the page is {wide} pixels wide"
        if is_over(page):
            break
        tops = playable(page).evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().top)")
        assert all(top + 44 <= PHONE["height"] for top in tops), "a card that may be played is below the fold"
        if not play_a_card(page, Locator.tap):
            page.wait_for_timeout(40)
    expect(page.get_by_test_id("rematch")).to_be_in_viewport()


def test_a_deal_with_the_keyboard_alone(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site)
    page.get_by_test_id("play-kora").focus()
    page.keyboard.press("Enter")
    for _ in range(500):
        if is_over(page):
            break
        for key in "12345":
            if playable(page).count():
                page.keyboard.press(key)
        page.wait_for_timeout(40)
    assert is_over(page)


def test_open_bets_are_proposed_and_answered(site: LiveServer, someone: OpenPage) -> None:
    host, guest = someone(site), someone(site)
    frames = record_frames(host)
    host.get_by_test_id("invite-kora").click()
    host.get_by_role("radio", name="Libre").check()
    host.get_by_label("Donnes").select_option("1")
    host.get_by_test_id("create").click()
    join(guest, "".join(host.get_by_test_id("code").inner_text().split()))
    host.get_by_test_id("start").click()
    host.wait_for_selector("[data-testid=stake]")
    leader, other = (host, guest) if last_state(frames)["offer"] else (guest, host)
    leader.get_by_test_id("propose").click()
    expect(other.get_by_test_id("accept")).to_be_visible()
    other.get_by_test_id("refuse").click()
    play_to_the_end(host, guest)


def test_leaving_asks_first_and_gives_the_match_to_the_other(site: LiveServer, someone: OpenPage) -> None:
    host, guest = someone(site), someone(site)
    join(guest, invite(host))
    start_playable_match(host, guest)
    guest.get_by_test_id("leave").click()
    guest.get_by_test_id("leave-confirm").click()
    expect(host.get_by_test_id("result")).to_be_visible()
    expect(host.get_by_test_id("result")).to_contain_text("abandonn")
