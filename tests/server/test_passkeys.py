"""Passkeys: create, sign in on another device, remove; and every answer that must be refused."""

from typing import Any

import httpx
import pytest
from authenticator import Authenticator, b64, spoil
from finished import refused
from live import LiveServer, Person
from pair import need_one_server

OPTIONS, KEYS = "/api/me/passkeys/options", "/api/me/passkeys"
ASK, SIGN_IN = "/api/passkeys/options", "/api/passkeys/sign-in"


class Device:
    """A browser that opened the site under a host name, with an authenticator."""

    def __init__(self, server: LiveServer, name: str | None = None, key: Authenticator | None = None) -> None:
        self.person = Person(server, name)
        self.host = f"localhost:{server.port}"
        self.key = key or Authenticator(f"http://{self.host}", "localhost")

    def post(self, path: str, body: Any = None, host: str | None = None) -> httpx.Response:
        # The server closes idle connections when its clock is turned, so none is kept.
        headers = {"host": host or self.host, "connection": "close"}
        return self.person.http.post(path, json=body, headers=headers)

    def create(self, name: str = "Téléphone") -> httpx.Response:
        return self.post(KEYS, self.key.create(self.post(OPTIONS).json(), name))

    def sign_in(self) -> httpx.Response:
        return self.post(SIGN_IN, self.key.answer(self.post(ASK).json()))

    @property
    def me(self) -> str:
        return str(self.person.http.get("/api/me").json()["id"])


@pytest.fixture
def site(hourglass: LiveServer) -> LiveServer:
    hourglass.turn(60)  # the limits are full again
    return hourglass


def test_a_passkey_makes_another_device_the_same_person(site: LiveServer) -> None:
    owner = Device(site, "Zoé")
    made = owner.create(" Mon  téléphone ")
    assert made.status_code == 201, made.text
    listed = owner.person.http.get(KEYS).json()
    assert listed == [made.json()]
    assert (listed[0]["name"], listed[0]["host"], listed[0]["used"]) == ("Mon téléphone", "localhost", None)
    elsewhere = Device(site, key=owner.key)
    answer = elsewhere.sign_in()
    assert (answer.json()["id"], answer.json()["name"]) == (owner.person.id, "Zoé")
    assert len(answer.headers.get_list("set-cookie")) == 1
    assert elsewhere.me == owner.person.id
    assert elsewhere.person.http.get(KEYS).json()[0]["used"] is not None
    assert [key["name"] for key in owner.person.http.get("/api/me/data").json()["passkeys"]] == ["Mon téléphone"]

    renamed = owner.person.http.patch(f"{KEYS}/{made.json()['id']}", json={"name": "Clé du salon"})
    assert renamed.status_code == 204
    assert elsewhere.person.http.get(KEYS).json()[0]["name"] == "Clé du salon"
    assert owner.person.http.delete(f"{KEYS}/{made.json()['id']}").status_code == 204
    refused(Device(site, key=owner.key).sign_in(), 404, "passkey_unknown")
    assert elsewhere.me == owner.person.id  # who is signed in stays so


def test_a_challenge_holds_once_for_one_purpose_one_person_and_five_minutes(site: LiveServer) -> None:
    owner, other = Device(site), Device(site)
    owner.create()
    options = owner.post(ASK).json()
    used = owner.key.answer(options)
    refused(other.post(SIGN_IN, used), 400, "passkey_expired")  # it was another visitor's
    assert owner.post(SIGN_IN, used).status_code == 200
    refused(owner.post(SIGN_IN, used), 400, "passkey_expired")
    # A challenge to create a key does not sign in.
    refused(owner.post(SIGN_IN, owner.key.answer(owner.post(OPTIONS).json())), 400, "passkey_expired")
    invented = {"publicKey": {"challenge": b64(bytes(56))}}
    refused(owner.post(SIGN_IN, owner.key.answer(invented)), 400, "passkey_expired")
    late, new = owner.key.answer(owner.post(ASK).json()), other.key.create(other.post(OPTIONS).json())
    site.turn(301)
    refused(owner.post(SIGN_IN, late), 400, "passkey_expired")
    refused(other.post(KEYS, new), 400, "passkey_expired")


def test_an_answer_that_nobody_signed_for_this_site_is_refused(site: LiveServer) -> None:
    owner = Device(site)
    owner.create()
    for field in ("signature", "authenticator_data"):
        answer = owner.key.answer(owner.post(ASK).json())
        refused(owner.post(SIGN_IN, {**answer, field: spoil(answer[field])}), 400, "passkey_refused")
    thief = Authenticator(owner.key.origin, "localhost")
    thief.id = owner.key.id
    refused(Device(site, key=thief).sign_in(), 400, "passkey_refused")
    owner.key.origin = "https://evil.example"
    refused(owner.sign_in(), 400, "passkey_refused")
    owner.key.origin, owner.key.host = f"http://{owner.host}", "evil.example"
    refused(owner.sign_in(), 400, "passkey_refused")
    refused(Device(site, key=owner.key).create(), 400, "passkey_refused")
    bad = owner.key.answer(owner.post(ASK).json()) | {"client_data": b64(b"[1]")}
    refused(owner.post(SIGN_IN, bad), 400, "bad_request")
    refused(owner.post(SIGN_IN, {**bad, "signature": "é"}), 400, "bad_request")
    bomb = Device(site)
    made = bomb.key.create(bomb.post(OPTIONS).json()) | {"attestation": b64(b"\x9f" * 5000)}
    refused(bomb.post(KEYS, made), 400, "passkey_refused")


def test_a_key_whose_counter_goes_back_may_be_a_copy(site: LiveServer) -> None:
    owner = Device(site)
    owner.key.counter = 2**31 + 7
    owner.create()
    owner.key.counter += 1
    assert owner.sign_in().status_code == 200
    refused(owner.sign_in(), 400, "passkey_copied")
    owner.key.counter += 1
    assert owner.sign_in().status_code == 200


def test_a_key_belongs_to_one_person_and_a_person_has_at_most_ten(site: LiveServer) -> None:
    owner = Device(site)
    first = owner.create().json()
    refused(Device(site, key=owner.key).create(), 400, "passkey_known")
    stranger = Device(site)
    refused(stranger.person.http.delete(f"{KEYS}/{first['id']}"), 404, "passkey_unknown")
    for _ in range(9):
        owner.key = Authenticator(f"http://{owner.host}", "localhost")
        assert owner.create().status_code == 201
    refused(owner.post(OPTIONS), 400, "passkey_full")
    assert len(owner.person.http.get(KEYS).json()) == 10


def test_hosts_that_cannot_have_passkeys_and_too_many_tries_are_told(site: LiveServer) -> None:
    device = Device(site)
    for host in (f"127.0.0.1:{site.port}", "[::1]:80", "[::1", "@"):
        refused(device.post(OPTIONS, host=host), 400, "passkey_host")
    device.key.origin, device.key.host = "http://jeux.example.org", "jeux.example.org"
    insecure = device.key.create(device.post(OPTIONS, host="jeux.example.org").json())
    refused(device.post(KEYS, insecure, host="jeux.example.org"), 400, "passkey_refused")
    device.key.origin = "https://jeux.example.org"
    secure = device.key.create(device.post(OPTIONS, host="jeux.example.org").json())
    assert device.post(KEYS, secure, host="jeux.example.org").json()["host"] == "jeux.example.org"
    refused(device.sign_in(), 404, "passkey_unknown")  # made for another host name
    need_one_server("each server counts for itself")
    answers = [device.post(ASK) for _ in range(31)]
    refused(answers[-1], 429, "too_many")


def test_the_address_that_the_operator_set_counts_whatever_the_host_header_says(tmp_path: Any) -> None:
    server = LiveServer(tmp_path, "--url", "https://Jeux.example.org/").start()
    device = Device(server, key=Authenticator("https://jeux.example.org", "jeux.example.org"))
    assert device.create().json()["host"] == "jeux.example.org"
    assert device.sign_in().json()["id"] == device.person.id
    assert device.person.http.delete("/api/me").status_code == 204
    refused(Device(server, key=device.key).sign_in(), 404, "passkey_unknown")  # erased with the person
    server.stop()
