"""Every page passes axe and fits the screen, in both languages and both themes."""

import re

import pytest
from browse import (
    DESKTOP,
    PHONE,
    OpenPage,
    assert_accessible,
    assert_fits,
    assert_in_sight,
    invite,
    is_over,
    play_against_a_bot,
    play_to_the_end,
)
from live import LiveServer
from playwright.sync_api import expect

from tablee.core.discover import games

PATHS = [
    "/",
    "/statistiques",
    "/classements",
    "/regles",
    "/regles/kora",
    "/reglages",
    "/table/ZZZZZZ",
    "/nulle-part",
]

HIGHEST = "kora", "scrabble"
"""The games that need the most height on a low phone."""


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [
        pytest.param(DESKTOP, "light", id="desktop-light"),
        pytest.param(PHONE, "dark", id="phone-dark"),
        pytest.param(DESKTOP, "dark", id="desktop-dark", marks=pytest.mark.soak),
        pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.soak),
    ],
)
@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_accessible_and_fits(
    site: LiveServer, someone: OpenPage, path: str, viewport: dict[str, int], scheme: str
) -> None:
    page = someone(site, path, viewport=viewport, color_scheme=scheme)
    expect(page.get_by_role("heading").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert_accessible(page)
    assert_fits(page, viewport["width"])


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_table_is_accessible_while_waiting_playing_and_over(
    site: LiveServer, someone: OpenPage, viewport: dict[str, int]
) -> None:
    page = someone(site, viewport=viewport)
    invite(page)
    assert_accessible(page)
    assert_fits(page, viewport["width"])
    play_against_a_bot(page)
    assert_accessible(page)
    assert_fits(page, viewport["width"])
    page.get_by_test_id("leave").click()
    assert_accessible(page)
    page.get_by_test_id("leave-confirm").click()


@pytest.mark.parametrize(
    ("width", "height", "scheme", "locale"),
    [(1280, 720, "light", "fr-FR"), (390, 844, "dark", "en-GB"), (844, 390, "light", "fr-FR")],
)
def test_the_result_has_everything_in_sight_beside_the_final_position(
    site: LiveServer, someone: OpenPage, width: int, height: int, scheme: str, locale: str
) -> None:
    page = someone(site, viewport={"width": width, "height": height}, color_scheme=scheme, locale=locale)
    play_against_a_bot(page)
    play_to_the_end(page)
    result = page.get_by_test_id("result")
    for part in ("rematch", "replay", "verify-deal"):
        expect(result.get_by_test_id(part)).to_be_in_viewport(ratio=1)
    for row in result.locator(".ranking li").all():
        expect(row).to_be_in_viewport(ratio=1)
    cloth, panel = page.get_by_test_id("felt").bounding_box(), page.get_by_test_id("panel").bounding_box()
    assert cloth
    assert panel
    beside = panel["x"] - cloth["x"] > 350
    over = panel["y"] - cloth["y"] > 200
    assert beside or over, "the result covers the cloth"
    assert_accessible(page)
    assert_fits(page, width)
    result.get_by_test_id("replay").click()
    expect(page.get_by_test_id("slider")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert_accessible(page)
    if width < 1024:
        page.get_by_role("button", name=re.compile("Ouvrir le panneau|Open the panel")).click()
    page.get_by_role("tab", name=re.compile("Partie|Game")).click()
    page.get_by_test_id("copy-moment").click()
    toast, buttons = page.get_by_test_id("toast").bounding_box(), page.get_by_test_id("next").bounding_box()
    assert toast
    assert buttons
    assert toast["y"] + toast["height"] < buttons["y"], "the toast covers the controls"


@pytest.mark.parametrize("width", [360, 2560])
def test_home_and_table_fit_the_narrowest_and_the_widest_screen(
    site: LiveServer, someone: OpenPage, width: int
) -> None:
    page = someone(site, viewport={"width": width, "height": 740})
    assert_fits(page, width)
    page.get_by_test_id("play-kora").click()
    page.wait_for_selector("[data-testid=hand-card], [data-testid=result]")
    assert_fits(page, width)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[] if game in HIGHEST else [pytest.mark.soak]) for game in games()]
)
def test_a_game_its_result_and_replay_are_in_sight_on_a_low_phone(
    site: LiveServer, someone: OpenPage, game: str
) -> None:
    page = someone(site, viewport={"width": 360, "height": 640})
    page.get_by_test_id(f"play-{game}").click()
    expect(page.get_by_test_id("felt")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert_in_sight(page)
    if not is_over(page):  # a deal of Kora may win itself
        page.get_by_test_id("menu").click()
        page.get_by_test_id("menu-resign").click()
        page.get_by_test_id("resign-confirm").click()
    expect(page.get_by_test_id("result")).to_be_visible()
    assert_in_sight(page)
    page.get_by_test_id("replay").click()
    expect(page.get_by_test_id("slider")).to_be_visible()
    assert_in_sight(page)


def test_scrabble_is_in_sight_on_a_phone_held_sideways(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, viewport={"width": 844, "height": 390})
    page.get_by_test_id("play-scrabble").click()
    for part in ("plateau", "rack", "place"):
        expect(page.get_by_test_id(part)).to_be_in_viewport(ratio=1)


def test_a_replay_is_in_sight_over_its_controls(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, viewport=PHONE)
    page.get_by_test_id("play-dames").click()
    page.get_by_test_id("resign").click()
    page.get_by_test_id("resign-confirm").click()
    page.get_by_test_id("replay").click()
    expect(page.get_by_test_id("position")).to_be_visible()
    expect(page.get_by_test_id("points-0")).to_be_visible()
    assert_in_sight(page)


def test_a_host_without_a_seat_has_room_for_every_button_at_four_times_the_size(
    site: LiveServer, someone: OpenPage
) -> None:
    page = someone(site, viewport={"width": 320, "height": 256})
    code = page.request.post("/api/tables", data={"game": "president", "seats": 6, "bots": ["facile"]}).json()["code"]
    page.goto(f"/table/{code}")
    page.get_by_test_id("leave").click()
    page.goto(f"/table/{code}")
    expect(page.get_by_test_id("start")).to_be_visible()
    assert_fits(page, 320)
    for seat in range(6):
        row = page.get_by_test_id(f"seat-{seat}")
        wide = row.evaluate("row => row.scrollWidth - row.clientWidth")
        assert wide <= 0, f"seat {seat} is {wide} pixels wider than its row"


def test_every_game_is_in_view_at_home_and_the_header_says_where_one_is(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site)
    for game in games():
        expect(page.get_by_test_id(f"play-{game}")).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id(f"invite-{game}")).to_be_in_viewport(ratio=1)
    banner = page.get_by_role("banner")
    expect(banner.locator("[aria-current]")).to_have_count(0)
    for name in ("Parties", "Classements", "Problèmes", "Règles", "Réglages"):
        banner.get_by_role("link", name=name, exact=True).click()
        expect(banner.locator("[aria-current=page]")).to_have_text(name)


def test_the_last_choice_against_the_computer_is_kept_and_one_click_plays_it(
    site: LiveServer, someone: OpenPage
) -> None:
    page = someone(site)
    page.get_by_test_id("choose-kora").click()
    page.get_by_test_id("solo-reset").click()
    expect(page.get_by_label("Donnes")).to_have_value("5")
    page.keyboard.press("Escape")
    page.get_by_test_id("choose-dames").click()
    page.get_by_role("radio", name="Difficile").check()
    page.get_by_role("radio", name="Noir").check()
    assert_accessible(page)
    page.get_by_test_id("solo-play").click()
    expect(page.locator('[data-lit="piece"]').first).to_be_visible(timeout=60_000)  # the computer has begun
    page.goto("/")
    expect(page.get_by_test_id("choose-dames")).to_contain_text("Difficile · Noir")
    page.get_by_test_id("play-dames").click()
    expect(page.locator('[data-lit="piece"]').first).to_be_visible(timeout=60_000)
    expect(page.get_by_test_id("points-1")).to_be_visible()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_statistics_after_one_match_are_accessible_and_fit(
    site: LiveServer, someone: OpenPage, viewport: dict[str, int]
) -> None:
    page = someone(site, viewport=viewport)
    play_against_a_bot(page)
    page.get_by_test_id("menu").click()
    page.get_by_test_id("menu-resign").click()
    assert_accessible(page)
    page.get_by_test_id("resign-confirm").click()
    expect(page.get_by_test_id("result")).to_be_visible()
    page.goto("/statistiques")
    game = page.get_by_test_id("stats-kora")
    expect(game.get_by_role("table", name="Adversaires")).to_contain_text("Ordinateur moyen")
    assert_accessible(page)
    assert_fits(page, viewport["width"])
    page.goto("/classements/kora")
    expect(page.get_by_test_id("leaders")).to_contain_text("Ordinateur moyen")
    assert_accessible(page)
    assert_fits(page, viewport["width"])


def test_a_table_is_opened_to_all_from_the_list_of_open_tables(site: LiveServer, someone: OpenPage) -> None:
    host, guest = someone(site), someone(site, viewport=PHONE)
    host.get_by_test_id("open-table").click()
    assert_accessible(host)
    host.get_by_test_id("open-scrabble").click()
    host.get_by_test_id("create").click()
    code = "".join(host.get_by_test_id("code").inner_text().split())
    guest.goto("/")
    table = guest.locator(f'a[href="/table/{code}"]')
    expect(table).to_be_in_viewport()
    assert_accessible(guest)
    guest.get_by_test_id("join-code").fill("ZZZZZZ")
    tile = guest.get_by_test_id("game-dames")
    before = tile.bounding_box()
    guest.get_by_test_id("join").click()
    expect(guest.get_by_role("alert")).to_be_visible()
    assert tile.bounding_box() == before


def test_eight_seats_and_a_long_name_leave_the_start_in_view(site: LiveServer, someone: OpenPage) -> None:
    host, guest = someone(site), someone(site, viewport=PHONE)
    for page in (host, guest):
        page.request.patch("/api/me", data={"name": "W" * 24})
    code = host.request.post("/api/tables", data={"game": "president", "seats": 8}).json()["code"]
    for page in (host, guest):
        page.goto(f"/table/{code}")
    expect(host.get_by_test_id("standing")).to_contain_text("1 personne")
    expect(guest.get_by_test_id("sit")).to_be_in_viewport(ratio=1)
    assert_accessible(guest)
    assert_fits(guest, PHONE["width"])
    guest.get_by_test_id("sit").click()
    expect(host.get_by_test_id("standing")).to_be_hidden()
    host.get_by_test_id("fill").click()
    expect(host.get_by_test_id("start")).to_be_enabled()
    expect(host.get_by_test_id("start")).to_be_in_viewport(ratio=1)
    assert_accessible(host)
    assert_fits(guest, PHONE["width"])
    for path in ("/", "/statistiques", "/reglages"):
        guest.goto(path)
        guest.wait_for_load_state("networkidle")
        assert_fits(guest, PHONE["width"])


def test_english_is_complete_and_kept(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "/reglages")
    page.get_by_role("radio", name="English").check()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_test_id("play-kora")).to_contain_text("computer")


def test_a_new_name_is_kept_and_shown(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "/reglages")
    field = page.get_by_role("textbox").first
    field.fill("Marguerite")
    field.press("Enter")
    expect(page.get_by_role("banner")).to_contain_text("Marguerite")
    page.reload()
    expect(page.get_by_role("banner")).to_contain_text("Marguerite")


def test_the_first_load_is_light_and_asks_no_other_host(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "about:blank")
    asked: list[str] = []
    script = 0

    def count(response: object) -> None:
        nonlocal script
        asked.append(response.url)  # type: ignore[attr-defined]
        if response.url.endswith(".js"):  # type: ignore[attr-defined]
            script += int(response.headers.get("content-length", 0))  # type: ignore[attr-defined]

    page.on("response", count)
    page.goto(site.url)
    page.wait_for_load_state("networkidle")
    assert all(url.startswith(site.url) for url in asked)
    assert 0 < script < 120_000, f"{script} bytes of script"


def test_an_unknown_table_says_so_and_offers_another(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "/table/ZZZZZZ")
    expect(page.get_by_test_id("join-code")).to_be_visible()
