"""One room: two people at one device, and a board on a large screen with each hand on a phone."""

import msgspec
from browse import DESKTOP, PHONE, OpenPage, assert_accessible, play_a_card, record_frames
from live import LiveServer
from playwright.sync_api import Locator, Page, expect


def square(page: Page, number: int) -> Locator:
    return page.locator(f'[data-square="{number}"]')


def top_square(page: Page) -> int:
    """The number of a square in the row farthest from the players: 1 to 5 unless the board is turned."""
    boxes = [(page.locator(f'[data-square="{n}"]').bounding_box(), n) for n in (3, 48)]
    return min((box["y"], number) for box, number in boxes if box is not None)[1]


def test_two_people_play_on_one_device(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site)
    page.get_by_test_id("share-dames").click()
    page.get_by_test_id("guest-name").fill("Zoé")
    assert_accessible(page)
    page.get_by_test_id("shared-play").click()
    expect(square(page, 33)).to_have_attribute("data-lit", "piece")
    assert top_square(page) == 3
    for number in (33, 28):
        square(page, number).click()
    expect(square(page, 18)).to_have_attribute("data-lit", "piece")  # the guest's turn: the board turns to them
    assert top_square(page) == 48
    page.get_by_test_id("menu").click()
    page.get_by_role("switch", name="Le plateau tourne").click()
    page.keyboard.press("Escape")
    assert top_square(page) == 3
    for number in (18, 23):
        square(page, number).click()
    expect(square(page, 28)).to_have_attribute("data-lit", "piece")
    page.get_by_test_id("resign").click()
    page.get_by_test_id("resign-confirm").click()
    expect(page.get_by_test_id("result").get_by_role("heading").first).to_have_text("Zoé gagne")
    page.get_by_test_id("rematch").click()
    expect(square(page, 33)).to_have_attribute("data-lit", "piece")
    expect(page.locator("main")).to_contain_text("Zoé")


def test_the_board_on_a_screen_and_each_hand_on_a_phone(site: LiveServer, someone: OpenPage) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    host = someone(site, **phone)
    expect(host.get_by_test_id("play-kora")).to_be_visible()
    made = host.request.post("/api/tables", data={"game": "kora", "options": {"deals": 10}})
    code = made.json()["code"]
    host.goto(f"/table/{code}")
    # A screen in the host's own browser shows what a spectator sees, and does not take the table over.
    screen = host.context.new_page()
    screen.set_viewport_size(DESKTOP)
    frames = record_frames(screen)
    screen.goto(f"/table/{code}/ecran")
    expect(screen.get_by_test_id("screen-code")).to_have_text(code)
    expect(screen.get_by_test_id("screen")).to_contain_text("1 place libre")
    assert_accessible(screen)
    guest = someone(site, f"/table/{code}/main", **phone)  # as the QR code says
    guest.get_by_test_id("sit").tap()
    host.bring_to_front()  # Chromium draws a tab behind another one once a second
    host.get_by_test_id("menu").tap()
    host.get_by_test_id("hand-alone").tap()
    host.get_by_test_id("start").tap()
    for page in (host, guest):
        expect(page.get_by_test_id("hand-card")).to_have_count(5)
        expect(page.locator(".tricks").first).to_be_hidden()
        assert_accessible(page)
    expect(screen.get_by_test_id("screen-turn")).to_contain_text("de jouer")
    expect(screen.get_by_test_id("hand-card")).to_have_count(0)
    assert_accessible(screen)
    begun = next(msgspec.json.decode(frame) for frame in frames if frame.startswith('{"type":"state"'))
    assert (begun["offer"], begun["view"]["hand"]) == (None, [])
    before = int(screen.get_by_test_id("screen").get_attribute("data-ply") or 0)
    assert play_a_card(host) or play_a_card(guest)
    expect(screen.get_by_test_id("screen")).to_have_attribute("data-ply", str(before + 1))
    expect(screen.locator("aside")).to_contain_text("joue")
