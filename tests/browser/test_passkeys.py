"""A passkey, with Chromium's virtual authenticator."""

from typing import Any

import pytest
from browse import TOUCH, OpenPage, assert_accessible, assert_whole
from live import LiveServer
from playwright.sync_api import CDPSession, Page, expect

VIRTUAL = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def give_authenticator(page: Page) -> tuple[CDPSession, str]:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": VIRTUAL})
    return session, made["authenticatorId"]


@pytest.mark.parametrize("device", [{}, pytest.param(TOUCH, marks=pytest.mark.soak)], ids=["1280", "390"])
def test_a_passkey_is_created_used_after_the_device_forgot_and_removed(
    site: LiveServer, someone: OpenPage, device: dict[str, Any]
) -> None:
    local = f"http://localhost:{site.port}/reglages"  # WebAuthn takes no numeric address
    page = someone(site, local, **device)
    session, authenticator = give_authenticator(page)
    own = page.get_by_role("banner").get_by_role("link").last
    expect(own).not_to_have_text("Réglages")
    name = own.inner_text()
    page.get_by_test_id("passkey-create").click()
    expect(page.get_by_test_id("passkey")).to_contain_text("Créée le")
    page.get_by_test_id("passkey-rename").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("Clé du salon")
    page.get_by_test_id("passkey-save").click()
    expect(page.get_by_test_id("passkey")).to_contain_text("Clé du salon")
    assert_accessible(page)
    assert_whole(page)
    page.get_by_test_id("passkey-create").click()
    expect(page.get_by_test_id("toast").last).to_contain_text("déjà une clé")

    page.context.clear_cookies()
    page.goto(local)
    expect(own).not_to_have_text("Réglages")
    expect(own).not_to_have_text(name)
    expect(page.get_by_test_id("passkey")).to_have_count(0)
    page.get_by_test_id("passkey-sign-in").click()
    expect(page.get_by_role("dialog")).to_contain_text(name)
    page.get_by_test_id("restored-go").click()
    expect(page.get_by_role("banner")).to_contain_text(name)

    page.goto(local)
    expect(page.get_by_test_id("passkey")).to_contain_text("utilisée le")
    page.get_by_test_id("passkey-remove").click()
    page.get_by_test_id("passkey-remove-confirm").click()
    expect(page.get_by_test_id("passkey")).to_have_count(0)
    page.get_by_test_id("passkey-sign-in").click()
    expect(page.get_by_test_id("toast").last).to_contain_text("ne connaît pas")
    session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": authenticator})


@pytest.mark.soak
def test_an_insecure_address_says_why_there_are_no_passkeys(site: LiveServer, someone: OpenPage) -> None:
    page = someone(site, "/reglages")
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.reload()
    expect(page.get_by_test_id("passkeys-hindered")).to_contain_text("https")
    expect(page.get_by_test_id("passkey-create")).to_have_count(0)
