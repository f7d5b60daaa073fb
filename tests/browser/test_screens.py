"""Every game on every screen: all in sight on a phone held sideways, and no button too small for its words."""

import pytest
from browse import OpenPage, assert_buttons_fit, assert_inside, resize
from live import Line, LiveServer, Person, until
from playwright.sync_api import Page, ViewportSize, expect

SIDEWAYS: list[ViewportSize] = [{"width": 844, "height": 390}, {"width": 740, "height": 360}]
SCREENS: list[ViewportSize] = [
    {"width": 1280, "height": 800},
    {"width": 844, "height": 390},
    {"width": 390, "height": 844},
    {"width": 360, "height": 640},
]
BOTS = {"kora": 1, "dames": 1, "scrabble": 1, "ojyx": 3, "president": 3}
# One deal of Kora in fourteen is won before a card is played: another follows.
OPTIONS = {"kora": {"deals": 5}, "dames": {"move_time": 0, "match_time": 300, "player_time": 300}}
PARTS = {
    "kora": ["[data-testid=hand-card]", "[data-testid=stake]", "[data-testid=prompt]", "[data-testid^=seat-]"],
    "dames": [
        "[data-square]",
        "[data-testid^=seat-]",
        "[data-testid=prompt]",
        *(f"[data-testid={one}]" for one in ("back", "coords", "offer-draw", "resign")),
    ],
    "scrabble": [
        f"[data-testid={one}]"
        for one in ("plateau", "rack", "rack-tile", "prompt", "place", "shuffle", "exchange", "pass", "bag")
    ],
    "ojyx": [f"[data-testid={one}]" for one in ("pile-deck", "cell", "stock", "prompt", "confirm", "cards-open")],
    "president": [
        "[data-testid=hand-card]",
        "[data-testid^=player-]",
        "[data-testid=constraint]",
        "[data-testid=prompt]",
    ],
}
"""What must be in sight: the board, the own hand or rack, the buttons."""


CROWDS = [*((game, BOTS[game]) for game in PARTS), ("ojyx", 1), ("ojyx", 7), ("president", 7)]


def sit_with_bots(page: Page, game: str, bots: int | None = None) -> None:
    """Begin a match against bots and wait until its cloth is shown."""
    count = bots or BOTS[game]
    setup = {"game": game, "seats": count + 1, "bots": ["facile"] * count, "start": True}
    code = page.request.post("/api/tables", data={**setup, "options": OPTIONS.get(game, {})}).json()["code"]
    page.goto(f"/table/{code}")
    expect(page.get_by_test_id("felt")).to_be_visible()


@pytest.mark.parametrize(("game", "bots"), CROWDS)
def test_a_game_is_in_sight_on_phones_held_sideways(site: LiveServer, someone: OpenPage, game: str, bots: int) -> None:
    page = someone(site, viewport=SIDEWAYS[0])
    sit_with_bots(page, game, bots)
    expect(page.locator(PARTS[game][0]).first).to_be_visible()
    for size in SIDEWAYS:
        resize(page, size)
        assert_inside(page, *PARTS[game])


def check_all_screens(page: Page) -> None:
    for size in SCREENS:
        resize(page, size)
        assert_buttons_fit(page)


@pytest.mark.parametrize("locale", ["fr-FR", pytest.param("en-GB", marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", BOTS)
def test_every_button_is_large_enough_for_its_words(
    site: LiveServer, someone: OpenPage, game: str, locale: str
) -> None:
    page = someone(site, locale=locale)
    sit_with_bots(page, game)
    expect(page.locator("main button").first).to_be_visible()
    check_all_screens(page)


def sit_with_a_person(site: LiveServer, page: Page, game: str, **options: object) -> Line:
    """Begin a match against a person without a browser, who has the first seat; return their connection."""
    host = Person(site)
    code = host.create(game, options=options)
    line = host.open(code)
    page.goto(f"/table/{code}")
    page.get_by_test_id("sit").click()
    until(line, lambda table: all(seat["kind"] == "person" for seat in table["seats"]))
    line.send("start")
    line.expect("state")
    return line


@pytest.mark.parametrize("locale", ["fr-FR", "en-GB"])
def test_the_answers_to_a_word_and_to_an_offered_draw_are_large_enough(
    site: LiveServer, someone: OpenPage, locale: str
) -> None:
    page = someone(site, locale=locale)
    line = sit_with_a_person(site, page, "scrabble", validation="challenge")
    if line.latest["offer"] is None:
        page.get_by_test_id("pass").click()
        page.get_by_test_id("pass-confirm").click()
        line.expect("moved")
    # Nobody has to know the word: it can be contested.
    action = {"type": "place", "at": "H8", "word": line.latest["view"]["rack"].replace("?", "")[:2]}
    line.ask("act", offer=line.latest["offer"]["number"], action=action)
    expect(page.get_by_test_id("challenge")).to_be_enabled()
    check_all_screens(page)

    line = sit_with_a_person(site, page, "dames", move_time=0)
    line.ask("act", offer=line.latest["offer"]["number"], action={"type": "offer_draw"})
    expect(page.get_by_test_id("accept-draw")).to_be_visible()
    check_all_screens(page)
