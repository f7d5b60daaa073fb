"""Scrabble in a real browser: challenges that succeed, fail or do not come, a joker, an exchange, the final count."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browse import PHONE, OpenPage, assert_accessible, join, last_state, record_frames
from live import LiveServer
from playwright.sync_api import Page, expect

from scrabble import best, drag, new_letters, touch
from tablee.games.scrabble.gcg_reading import read

BOT_PATIENCE = 60_000
"""The first decision of a bot may still wait for the compiler."""

# Seat 0 begins with ?AEKORZ, seat 1 holds ABDEEOO.
SEED = "soirée 46"


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with a chosen seed and a clock that the test turns."""
    server = LiveServer(tmp_path / "data", "--requests-per-second", "10000", "--workers", "1", seed=SEED, turned=True)
    server.start()
    yield server
    server.stop()


def score(page: Page, seat: int, points: str) -> None:
    expect(page.get_by_test_id(f"score-{seat}")).to_contain_text(points)


def exchange(page: Page, *places: int) -> None:
    page.get_by_test_id("exchange").click()
    for at in places:
        page.get_by_test_id("exchange-tile").nth(at).click()
    page.get_by_test_id("exchange-confirm").click()


def test_two_people_contest_a_joker_an_exchange_and_the_last_counting(evening: LiveServer, someone: OpenPage) -> None:
    anne, paul = someone(evening), someone(evening)
    frames = record_frames(anne)
    created = anne.request.post("/api/tables", data={"game": "scrabble", "options": {"validation": "challenge"}})
    code = created.json()["code"]
    anne.goto(f"/table/{code}")
    join(paul, code)
    anne.get_by_test_id("start").click()
    for page in (anne, paul):
        expect(page.get_by_test_id("rack-tile")).to_have_count(7)

    # An invalid word, typed: no advice, and the tiles come back after the challenge.
    anne.locator('[data-square="H8"]').click()
    anne.keyboard.type("kroza")
    expect(anne.get_by_test_id("place")).to_contain_text("48 points")
    expect(anne.get_by_label("Valable")).to_have_count(0)
    anne.keyboard.press("Enter")
    expect(paul.get_by_test_id("contest")).to_contain_text("KROZA")
    expect(anne.get_by_test_id("contest-state")).to_be_visible()
    expect(anne.get_by_test_id("challenge")).to_have_count(0)
    paul.get_by_test_id("challenge").click()
    for page in (anne, paul):
        expect(page.get_by_test_id("last")).to_contain_text("KROZA")
        score(page, 0, "0")
    expect(anne.get_by_test_id("rack-tile")).to_have_count(7)

    # A valid word, dragged, and challenged: the challenger loses ten points.
    for at, letter in enumerate("BADEE", start=4):
        drag(paul, f"H{at}", letter)
    expect(paul.get_by_test_id("place")).to_contain_text("22 points")
    paul.get_by_test_id("place").click()
    anne.get_by_test_id("challenge").click()
    for page in (anne, paul):
        score(page, 0, "−10")
        score(page, 1, "22")

    # A joker, by touch; nobody answers in time and the word stands.
    touch(anne, "H9", "s")
    expect(anne.get_by_test_id("place")).to_contain_text("8 points")
    anne.get_by_test_id("place").click()
    expect(paul.get_by_test_id("accept")).to_be_visible()
    evening.turn(31)
    expect(paul.get_by_test_id("accept")).to_be_hidden()
    for page in (anne, paul):
        expect(page.locator('[data-square="H9"]')).to_have_attribute("data-letter", "s")
        score(page, 0, "−2")

    exchange(paul, 0, 3)

    # Everybody passes three times: the remaining tiles are subtracted.
    for page in (anne, paul) * 3:
        expect(page.get_by_test_id("pass")).not_to_have_attribute("aria-disabled", "true")
        page.get_by_test_id("pass").click()
        page.get_by_test_id("pass-confirm").click()
    for page in (anne, paul):
        expect(page.get_by_test_id("result")).to_be_visible()
    final = last_state(frames)["view"]["final"]
    assert [-2 + final["adjustments"][0], 22 + final["adjustments"][1]] == last_state(frames)["outcome"]["scores"]
    for seat, lost in enumerate(final["adjustments"]):
        assert lost < 0
        expect(anne.get_by_test_id(f"change-{seat}")).to_have_text(f"−{-lost}")

    # The replay leads to the analysis of the same position: the joker lies on H9.
    anne.goto(f"/partie/{code}-1#6.0")
    anne.get_by_role("tab", name="Partie").click()
    anne.get_by_test_id("analyse").click()
    expect(anne.get_by_test_id("turn")).to_contain_text("H4 BADEES", timeout=BOT_PATIENCE)
    expect(anne.locator('[data-square="H9"]')).to_have_attribute("data-letter", "s")


def test_each_level_on_a_phone(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, viewport=PHONE, has_touch=True, is_mobile=True)
    for level in ("facile", "moyen", "difficile"):
        frames = record_frames(page)
        created = page.request.post("/api/tables", data={"game": "scrabble", "bots": [level], "start": True})
        page.goto(f"/table/{created.json()['code']}")
        expect(page.get_by_test_id("rack-tile")).to_have_count(7)
        for _ in range(2):
            expect(page.get_by_test_id("pass")).not_to_have_attribute("aria-disabled", "true", timeout=BOT_PATIENCE)
            view = last_state(frames)["view"]
            play = best(view)
            if play is None:  # One rack in hundreds makes no word.
                exchange(page, 0)
                continue
            for name, letter in new_letters(view, play):
                touch(page, name, letter)
            expect(page.get_by_test_id("plateau")).to_have_attribute("data-zoom", "close")
            expect(page.get_by_test_id("place")).to_contain_text("point")
            page.get_by_test_id("place").click()
            expect(page.get_by_test_id("recall")).to_have_count(0)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        expect(page.get_by_test_id("toast")).to_have_count(0)


def test_anyone_looks_a_word_up(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "/mots", viewport=PHONE)
    for word, valid in (("œufs", "true"), ("zzyx", "false")):
        page.get_by_test_id("look-up").fill(word)
        page.get_by_test_id("look-up-ask").click()
        expect(page.get_by_test_id("look-up-answer")).to_have_attribute("data-valid", valid)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_anyone_analyses_a_position(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "/analyse/scrabble", bypass_csp=True)
    page.locator('[data-square="H8"]').click()
    page.keyboard.type("mot")
    page.keyboard.press("Shift+S")  # a joker
    page.get_by_test_id("rack").fill("aeirstnul")
    expect(page.get_by_test_id("analysis-problem")).to_contain_text("7 lettres", timeout=BOT_PATIENCE)
    page.get_by_test_id("rack").fill("aeirstn")
    play = page.get_by_test_id("play")
    expect(play.first).to_contain_text("MARTIENS", timeout=BOT_PATIENCE)
    page.get_by_test_id("filter-contains").fill("min")
    expect(play.first).to_contain_text("MIN")
    page.get_by_test_id("simulate").click()
    expect(page.get_by_test_id("simulated")).not_to_have_attribute("data-trials", "0", timeout=BOT_PATIENCE)
    page.get_by_test_id("stop-simulation").click()
    expect(play.first).to_contain_text("±")
    play.first.get_by_role("button").first.click()
    expect(page.locator('[data-look="pending"]')).not_to_have_count(0)
    assert_accessible(page)

    play.first.get_by_role("button").last.click()
    expect(page.get_by_test_id("turn")).to_contain_text("MIN")
    expect(page.get_by_test_id("score-0")).not_to_have_value("0")
    with page.expect_download() as download:
        page.get_by_test_id("export-gcg").click()
    replay = read(download.value.path().read_text("utf-8"))
    assert "MOTs" in replay.states[-1].board
    assert replay.names[replay.states[-1].to_act] == "Joueur 2"

    page.get_by_test_id("tab-anagrams").click()
    page.get_by_test_id("anagrams-letters").fill("chiens")
    page.get_by_test_id("anagrams-ask").click()
    page.locator('[data-word="NICHES"]').click()
    expect(page.get_by_test_id("hooks")).to_contain_text("CANICHES")
    assert_accessible(page)


def test_a_gcg_file_is_analysed_on_a_phone(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "/analyse/scrabble", viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB")
    page.get_by_test_id("open-gcg").click()
    page.get_by_test_id("gcg-text").fill("#player1 a A\n#player2 b B\n>a: EMOST 8H MOTS +99 99")
    page.get_by_test_id("gcg-open").click()
    expect(page.get_by_test_id("analysis-problem")).to_contain_text("3", timeout=BOT_PATIENCE)
    page.get_by_test_id("open-gcg").click()
    page.get_by_test_id("gcg-text").fill("#player1 a A\n#player2 b B\n>a: EMOST 8H MOTS +10 10\n>b: AEIRSTN - +0 0")
    page.get_by_test_id("gcg-open").click()
    page.get_by_test_id("next-turn").tap()
    expect(page.get_by_test_id("turn")).to_contain_text("A: H8 MOTS, 10 points")
    expect(page.get_by_test_id("rack")).to_have_value("AEINRST")
    expect(page.get_by_test_id("play").first).to_contain_text("TRANSIES", timeout=BOT_PATIENCE)
    page.get_by_test_id("play").first.get_by_role("button").first.tap()
    page.get_by_test_id("play-shown").tap()
    expect(page.get_by_test_id("turn")).to_contain_text("B: 11D TRANSIES, 82 points")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
