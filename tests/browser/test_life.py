"""Life at the table in a real browser: a lost network, grace, chat, a take-back, a replay, a checked deal."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browse import (
    PHONE,
    OpenPage,
    assert_accessible,
    assert_fits,
    assert_readable,
    invite,
    is_over,
    join,
    last_state,
    play_to_the_end,
    record_frames,
    start_playable_match,
)
from dames_board import UNTIMED, move, seat_two, square
from live import ROOMY, LiveServer
from playwright.sync_api import Page, expect


@pytest.fixture(scope="module")
def dealer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with real deals, which can be verified."""
    server = LiveServer(tmp_path_factory.mktemp("dealer"), *ROOMY).start()
    yield server
    server.stop()


def draughts(site: LiveServer, someone: OpenPage) -> tuple[Page, Page, str]:
    """Seat two people at a board without clocks; return their pages and the code of the table."""
    host, guest = seat_two(someone(site), someone(site), **UNTIMED)
    return host, guest, host.url.rsplit("/", 1)[1]


def test_forty_seconds_without_a_network_and_back_to_the_right_state(hourglass: LiveServer, someone: OpenPage) -> None:
    host, guest, _ = draughts(hourglass, someone)
    guest.get_by_test_id("say").fill("J’allais dire que")
    guest.context.set_offline(True)
    expect(guest.get_by_test_id("banner")).to_be_visible()
    expect(host.locator("[data-testid=seat-1]:visible")).to_contain_text("Reconnexion")
    hourglass.turn(40)
    expect(host.locator("[data-testid=seat-1]:visible")).to_contain_text("Déconnecté")
    expect(host.locator("[data-testid=seat-1]:visible").get_by_role("timer")).to_contain_text("1:")
    expect(host.get_by_test_id("absent")).to_contain_text("a perdu la connexion")
    move(host, "32-28")  # the game goes on meanwhile
    guest.context.set_offline(False)
    expect(guest.get_by_test_id("banner")).to_be_hidden(timeout=30_000)
    expect(square(guest, 28).locator("[data-piece]")).to_have_count(1)
    expect(guest.get_by_test_id("say")).to_have_value("J’allais dire que")
    expect(host.locator("[data-testid=seat-1]:visible")).not_to_contain_text("Déconnecté")
    expect(host.get_by_test_id("cloth-event")).to_contain_text("est de retour")
    move(guest, "19-23")


def test_a_player_absent_for_the_grace_has_left_and_the_score_stands(hourglass: LiveServer, someone: OpenPage) -> None:
    host, guest, _ = draughts(hourglass, someone)
    guest.context.close()
    expect(host.locator("[data-testid=seat-1]:visible")).to_contain_text("Reconnexion")
    hourglass.turn(121)
    expect(host.get_by_test_id("result")).to_be_visible()
    expect(host.get_by_test_id("result").get_by_role("heading").first).to_contain_text("Vous")


def test_a_lost_turn_is_seen_on_every_screen_and_the_panel_folds_away(hourglass: LiveServer, someone: OpenPage) -> None:
    host, guest = seat_two(someone(hourglass), someone(hourglass, viewport=PHONE), move_time=20)
    hourglass.turn(12)
    host.reload()
    alarm = host.locator("[data-testid=seat-0]:visible").locator("[data-alarm]")
    expect(alarm).to_be_visible()
    assert_readable(alarm)
    hourglass.turn(9)
    expect(host.get_by_test_id("cloth-event")).to_contain_text("vous perdez votre tour")
    expect(guest.get_by_test_id("cloth-event")).to_contain_text("perd son tour")
    for page in (host, guest):
        assert_readable(page.get_by_test_id("cloth-event"))
    expect(host.get_by_test_id("moves")).to_be_in_viewport()
    expect(host.get_by_test_id("say")).to_be_in_viewport(ratio=1)
    assert_accessible(host)
    assert_accessible(guest)
    narrow = host.get_by_test_id("felt").bounding_box()
    host.get_by_role("button", name="Fermer le panneau").press("Enter")
    expect(host.get_by_test_id("moves")).to_be_hidden()
    host.reload()  # the device remembers
    expect(host.get_by_role("button", name="Ouvrir le panneau")).to_have_attribute("aria-expanded", "false")
    wide = host.get_by_test_id("felt").bounding_box()
    assert narrow
    assert wide
    assert wide["width"] > narrow["width"] + 200


def test_a_spectator_watches_and_talks_and_a_player_may_mute_them(hourglass: LiveServer, someone: OpenPage) -> None:
    host, guest, code = draughts(hourglass, someone)
    watcher = someone(hourglass, f"/table/{code}", viewport=PHONE)
    expect(watcher.get_by_test_id("watching")).to_be_visible()
    watcher.get_by_role("button", name="Ouvrir le panneau").click()
    watcher.get_by_role("tab", name="Discussion").click()
    watcher.get_by_test_id("say").fill("Quel suspense <3")
    watcher.get_by_test_id("say").press("Enter")
    expect(host.get_by_test_id("said")).to_contain_text("Quel suspense <3")
    expect(host.get_by_test_id("said")).to_contain_text("spectateur")
    assert_accessible(host)
    assert_accessible(watcher)
    assert_fits(watcher, PHONE["width"])
    host.get_by_role("button", name="Bien joué !").click()
    expect(guest.get_by_test_id("said").last).to_contain_text("Bien joué")
    guest.get_by_role("switch", name="Masquer les spectateurs").check(force=True)
    expect(guest.get_by_test_id("said")).to_have_count(1)
    watcher.get_by_test_id("say").fill("<b>gras</b>")
    watcher.get_by_test_id("say").press("Enter")
    expect(watcher.get_by_test_id("toast")).to_contain_text("Du texte simple")


def test_a_take_back_is_agreed(hourglass: LiveServer, someone: OpenPage) -> None:
    host, guest, _ = draughts(hourglass, someone)
    move(host, "32-28")
    host.get_by_test_id("menu").click()
    assert_accessible(host)
    host.get_by_test_id("propose-take_back").click()
    expect(guest.get_by_test_id("proposal")).to_contain_text("reprendre")
    assert_accessible(guest)
    guest.get_by_test_id("proposal-yes").click()
    for page in (host, guest):
        expect(square(page, 32).locator("[data-piece]")).to_have_count(1)
        expect(square(page, 28).locator("[data-piece]")).to_have_count(0)
    move(host, "33-29")
    host.get_by_test_id("menu").click()
    host.get_by_test_id("propose-pause").click()
    guest.get_by_test_id("proposal-yes").click()
    expect(host.get_by_test_id("paused")).to_be_visible()
    guest.get_by_test_id("resume").click()
    expect(host.get_by_test_id("paused")).to_be_hidden()


def test_a_match_is_stopped_by_agreement_and_nobody_waits_for_a_player_who_goes_home(
    hourglass: LiveServer, someone: OpenPage
) -> None:
    host, guest, code = draughts(hourglass, someone)
    host.get_by_test_id("menu").click()
    host.get_by_test_id("propose-end").click()
    guest.get_by_test_id("proposal-no").click()
    expect(host.get_by_test_id("cloth-event")).to_contain_text("a refusé")
    guest.get_by_test_id("menu").click()
    guest.get_by_test_id("propose-end").click()
    host.get_by_test_id("proposal-yes").click()
    for page in (host, guest):
        result = page.get_by_test_id("result")
        expect(result.get_by_role("heading").first).to_have_text("Partie arrêtée d’un commun accord")
        expect(result.locator(".place")).to_have_count(0)
    assert_accessible(host)
    host.get_by_test_id("rematch").click()
    expect(host.get_by_test_id("result")).to_contain_text("En attente de")
    guest.get_by_test_id("result").get_by_role("link", name="Accueil").click()
    expect(host.get_by_test_id("result")).to_contain_text("Une place s’est libérée")
    guest.goto("/parties")
    expect(guest.get_by_test_id(f"match-{code}-1")).to_contain_text("Sans résultat")
    host.get_by_test_id("rearrange").click()
    host.get_by_test_id("add-bot-1").click()
    assert_accessible(host)
    host.get_by_test_id("start").click()
    expect(square(host, 1)).to_be_visible()
    expect(host.get_by_test_id("result")).to_be_hidden()


def test_the_newer_tab_takes_over_without_a_fight(hourglass: LiveServer, someone: OpenPage) -> None:
    host, _, code = draughts(hourglass, someone)
    newer = host.context.new_page()
    newer.goto(f"/table/{code}")
    expect(square(newer, 1)).to_be_visible()
    expect(host.get_by_test_id("gone")).to_contain_text("autre onglet")
    assert_accessible(host)
    host.get_by_test_id("take-over").click()
    expect(square(host, 1)).to_be_visible()
    expect(newer.get_by_test_id("gone")).to_be_visible()


def test_a_match_is_left_found_again_at_home_and_replayed_from_the_link_of_one_moment(
    hourglass: LiveServer, someone: OpenPage
) -> None:
    host, guest, code = draughts(hourglass, someone)
    move(host, "32-28")
    host.goto("/")
    expect(host.get_by_test_id(f"mine-{code}")).to_be_visible()
    assert_accessible(host)
    host.get_by_test_id(f"mine-{code}").click()
    expect(square(host, 28).locator("[data-piece]")).to_have_count(1)
    move(guest, "19-23")
    guest.get_by_test_id("leave").click()
    guest.get_by_test_id("leave-confirm").click()
    host.get_by_test_id("replay").click()
    host.get_by_test_id("slider").focus()
    host.keyboard.press("End")
    host.get_by_test_id("previous").click()
    host.get_by_test_id("previous").click()
    expect(host.get_by_test_id("position")).to_contain_text("1 / 3")
    assert host.url.endswith(f"/partie/{code}-1#1.0")  # as the host saw it
    assert_accessible(host)
    stranger = someone(hourglass, f"/partie/{code}-1#1", viewport=PHONE)
    expect(square(stranger, 28).locator("[data-piece]")).to_have_count(1)
    expect(square(stranger, 23).locator("[data-piece]")).to_have_count(0)
    assert_fits(stranger, PHONE["width"])
    stranger.get_by_test_id("next").click()
    expect(square(stranger, 23).locator("[data-piece]")).to_have_count(1)
    host.goto("/parties")
    expect(host.get_by_test_id(f"match-{code}-1")).to_contain_text("Dames")
    assert_accessible(host)
    host.goto("/statistiques")
    expect(host.get_by_test_id("stats-dames")).to_be_visible()
    assert_accessible(host)
    host.goto("/classements/dames")
    expect(host.get_by_test_id("leaders")).to_be_visible()
    assert_accessible(host)
    host.set_viewport_size(PHONE)
    for path, shown in (("/parties", "history"), ("/statistiques", "stats-dames"), ("/classements/dames", "leaders")):
        host.goto(path)
        expect(host.get_by_test_id(shown)).to_be_visible()
        assert_fits(host, PHONE["width"])


def test_a_deal_is_verified_and_a_tampered_record_is_caught(
    dealer: LiveServer, someone: OpenPage, tmp_path: Path
) -> None:
    host, guest = someone(dealer), someone(dealer)
    frames = record_frames(host)
    join(guest, invite(host))
    start_playable_match(host, guest)
    play_to_the_end(host, guest)
    assert last_state(frames)["outcome"]
    host.get_by_test_id("verify-deal").click()
    expect(host.get_by_test_id("verify")).to_have_attribute("data-verdict", "sound")
    assert_accessible(host)
    host.keyboard.press("Escape")
    host.get_by_test_id("replay").click()
    host.wait_for_selector("[data-testid=slider]")
    identity = host.url.split("/partie/")[1].split("#")[0]
    record = host.request.get(f"/api/matches/{identity}/record.json").json()
    fine, forged = tmp_path / "fine.json", tmp_path / "forged.json"
    fine.write_text(json.dumps(record))
    card = record["steps"][2]["action"]["card"]
    record["steps"][2]["action"]["card"] = "AS" if card != "AS" else "KH"
    forged.write_text(json.dumps(record))
    page = someone(dealer, "/partie")
    page.get_by_test_id("upload").set_input_files(fine)
    expect(page.get_by_test_id("position")).to_contain_text("0 / 10")
    page.goto("/partie")
    page.get_by_test_id("upload").set_input_files(forged)
    expect(page.get_by_test_id("toast")).to_contain_text("3")
    assert not is_over(page)


def test_the_operator_sees_the_tables_and_announces_to_everyone(hourglass: LiveServer, someone: OpenPage) -> None:
    host, _, code = draughts(hourglass, someone)
    host.request.post("/api/me/bots", data={"name": "Vendredi"})
    page = someone(hourglass, "/admin", viewport=PHONE)
    assert_accessible(page)
    page.goto("/admin#jeton-de-la-maison")
    page.reload()
    expect(page.get_by_test_id(f"close-{code}")).to_be_visible()
    assert_accessible(page)
    assert_fits(page, PHONE["width"])
    page.get_by_text("Bloquer Vendredi").click()
    expect(page.get_by_test_id("toast")).to_contain_text("Vendredi est bloqué")
    assert host.request.get("/api/me/bots").json()["bots"][0]["blocked"]
    page.get_by_test_id("admin-notice").fill("Redémarrage à 22 h")
    page.get_by_test_id("admin-announce").click()
    expect(host.get_by_test_id("notice")).to_contain_text("22 h")
    passer_by = someone(hourglass)
    expect(passer_by.get_by_test_id("notice")).to_contain_text("22 h")
    assert_accessible(passer_by)
    passer_by.get_by_test_id("notice-close").click()
    passer_by.reload()
    expect(passer_by.get_by_test_id("play-kora")).to_be_visible()
    expect(passer_by.get_by_test_id("notice")).to_be_hidden()
    page.get_by_test_id(f"close-{code}").click()
    page.get_by_test_id("close-confirm").click()
    expect(host.get_by_test_id("gone")).to_contain_text("fermé")
    page.get_by_test_id("admin-notice").fill("")
    page.get_by_test_id("admin-announce").click()


def test_a_recovery_code_restores_a_person_on_another_device(hourglass: LiveServer, someone: OpenPage) -> None:
    page = someone(hourglass, "/reglages")
    own = page.get_by_role("banner").get_by_role("link").last
    expect(own).not_to_have_text("Réglages")  # the name comes last, once the page knows it
    name = own.inner_text()
    page.get_by_test_id("make-recovery").click()
    code = page.get_by_test_id("recovery-code").inner_text()
    elsewhere = someone(hourglass, "/reglages")
    elsewhere.get_by_test_id("recover-code").fill("faux-code")
    elsewhere.get_by_test_id("recover").click()
    expect(elsewhere.get_by_test_id("toast")).to_be_visible()
    elsewhere.get_by_test_id("recover-code").fill(code)
    elsewhere.get_by_test_id("recover").click()
    expect(elsewhere.get_by_role("dialog")).to_contain_text(name)
    elsewhere.get_by_test_id("restored-go").click()
    expect(elsewhere.get_by_role("banner")).to_contain_text(name)
    elsewhere.goto("/reglages")
    elsewhere.get_by_test_id("erase").click()
    elsewhere.get_by_test_id("erase-confirm").click()
    expect(elsewhere.get_by_test_id("play-kora")).to_be_visible()
