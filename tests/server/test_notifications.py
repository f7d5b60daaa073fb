"""Push messages to people who are away, against a local push service and with a clock that the test turns."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from finished import refused
from live import ROOMY, Line, LiveServer, Person, seat_two, until, wait_until
from pair import open_server
from push_service import PushService

from tablee.core.game import Refused
from tablee.server.correspondence import SWEEP_SECONDS
from tablee.server.push_endpoint import Endpoint, Undeliverable, is_public, read_endpoint, resolve
from tablee.server.turns import AWAY_SECONDS
from tablee.table.pace import DAY

UNTIMED = {"move_time": 0, "match_time": 0, "player_time": 0}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose push services may be local, and whose clock the tests turn."""
    live = open_server(tmp_path_factory.mktemp("told"), *ROOMY, "--push-local", turned=True).start()
    yield live
    live.stop()


@pytest.fixture
def service() -> Iterator[PushService]:
    push = PushService()
    yield push
    push.close()


def seat(server: LiveServer) -> tuple[str, Person, Person, Line, Line]:
    """Seat Anne (white, who moves first) and Basile at a table of Dames."""
    anne, basile = Person(server, "Anne"), Person(server, "Basile")
    code = anne.create("dames", options=UNTIMED)
    first, second = anne.open(code), basile.open(code)
    second.ask("sit")
    first.send("start")
    for line in (first, second):
        line.expect("state")
    return code, anne, basile, first, second


def move(line: Line) -> None:
    """Play the first legal move."""
    line.ask("ping")  # the latest frames have arrived
    offer = line.latest["offer"]
    assert line.ask("act", offer=offer["number"], action=offer["legal"][0])["type"] == "moved"


def go(watcher: Line, leaver: Line, seat: int) -> None:
    """Close a player's page, and wait until the other one sees it."""
    leaver.close()
    until(watcher, lambda table: table["seats"][seat]["presence"] != "online")


def test_an_absent_player_gets_one_message_until_they_look(told: LiveServer, service: PushService) -> None:
    code, _, basile, first, second = seat(told)
    subscription = service.subscribe()
    assert basile.http.put("/api/me/push", json=subscription.body()).status_code == 204
    assert basile.http.get("/api/me/notifications").json()["devices"] == 1
    go(first, second, 1)
    move(first)
    told.turn(AWAY_SECONDS + 1)
    # It names the game and the opponent, and nothing of the match.
    expected = {"title": "À vous\u202f: Dames", "body": "Contre Anne", "url": f"/table/{code}", "tag": code}
    assert service.wait_for(1) == expected
    sent = {name.lower(): value for name, value in service.headers[0].items()}
    assert (sent["content-encoding"], sent["ttl"], sent["topic"]) == ("aes128gcm", "86400", code)
    # Quiet until they look, however long it takes.
    told.turn(60)
    back = basile.open(code)
    back.expect("state")
    back.ask("ping")
    move(back)
    go(first, back, 1)
    move(first)
    told.turn(AWAY_SECONDS + 1)
    service.wait_for(2)


@pytest.mark.one_server("a clock that jumps makes servers forget each other")
def test_a_match_over_days_that_ends_on_time_tells_its_absent_players(told: LiveServer, service: PushService) -> None:
    other = PushService()
    code, people, (first, second) = seat_two(told, game="dames", pace={"kind": "days", "days": 1})
    for person, push in zip(people, (service, other), strict=True):
        person.http.put("/api/me/push", json=push.subscribe().body()).raise_for_status()
    go(first, second, 1)
    move(first)
    told.turn(AWAY_SECONDS + 1)
    assert other.wait_for(1)["title"] == "À vous\u202f: Dames"
    first.close()
    # Basile never looked, and still learns how it ended.
    told.turn(DAY + SWEEP_SECONDS)
    lost, won = other.wait_for(2), service.wait_for(1)
    names = [person.http.get("/api/me").json()["name"] for person in people]
    assert (lost["title"], lost["body"]) == ("Partie perdue\u202f: Dames", f"Contre {names[0]}, au temps")
    assert (won["title"], won["body"]) == ("Partie gagnée\u202f: Dames", f"Contre {names[1]}, au temps")
    assert lost["url"] == f"/table/{code}"
    other.close()


def test_nobody_is_told_while_they_look_and_a_hidden_page_does_not_count(
    told: LiveServer, service: PushService
) -> None:
    _, _, basile, first, second = seat(told)
    basile.http.put("/api/me/push", json=service.subscribe().body("en")).raise_for_status()
    move(first)
    told.turn(AWAY_SECONDS + 1)
    second.ask("ping")
    assert service.attempts == 0
    second.ask("ping", hidden=True)
    told.turn(AWAY_SECONDS + 1)
    assert service.wait_for(1)["title"] == "Your turn: Draughts"


def test_somebody_who_comes_back_at_once_is_not_told(told: LiveServer, service: PushService) -> None:
    code, _, basile, first, second = seat(told)
    basile.http.put("/api/me/push", json=service.subscribe().body()).raise_for_status()
    go(first, second, 1)
    move(first)
    told.turn(AWAY_SECONDS - 5)
    back = basile.open(code)
    back.expect("state")
    told.turn(AWAY_SECONDS)
    back.ask("ping")
    assert service.attempts == 0


@pytest.mark.one_server("a clock that jumps makes servers forget each other")
def test_a_busy_push_service_is_asked_again_and_a_device_that_is_gone_is_forgotten(
    told: LiveServer, service: PushService
) -> None:
    _, _, basile, first, second = seat(told)
    basile.http.put("/api/me/push", json=service.subscribe().body()).raise_for_status()
    go(first, second, 1)
    service.answers = [429, 503, 410]
    move(first)
    told.turn(AWAY_SECONDS + 1)
    for attempts, pause in ((1, 6), (2, 61), (3, 601)):
        wait_until(lambda attempts=attempts: service.attempts == attempts)  # type: ignore[misc]
        told.turn(pause)
    wait_until(lambda: basile.http.get("/api/me/notifications").json()["devices"] == 0)
    assert (service.attempts, service.messages) == (3, [])


def test_a_browser_can_replace_its_own_subscription_only(told: LiveServer, service: PushService) -> None:
    told.turn(60)  # within the limit of requests
    _, anne, basile, first, second = seat(told)
    old, new = service.subscribe().body("en"), service.subscribe().body()
    basile.http.put("/api/me/push", json=old).raise_for_status()
    del new["lang"]
    renewal = new | {"old": old["endpoint"]}
    refused(anne.http.post("/api/me/push/renew", json=renewal), 404, "unknown_device")
    bad = {"endpoint": "ftp://127.0.0.1/x"}
    refused(basile.http.post("/api/me/push/renew", json=renewal | bad), 400, "bad_request")
    assert basile.http.post("/api/me/push/renew", json=renewal).status_code == 204
    (device,) = basile.http.get("/api/me/data").json()["devices"]
    assert (device["endpoint"], device["lang"]) == (new["endpoint"], "en")
    refused(basile.http.post("/api/me/push/renew", json=renewal), 404, "unknown_device")
    go(first, second, 1)
    move(first)
    told.turn(AWAY_SECONDS + 1)
    assert service.wait_for(1)["title"] == "Your turn: Draughts"


def test_a_device_is_removed_moves_to_another_person_and_is_forgotten_with_them(
    told: LiveServer, service: PushService
) -> None:
    anne, basile = Person(told), Person(told)
    body = service.subscribe().body()

    def devices(person: Person) -> int:
        return int(person.http.get("/api/me/notifications").json()["devices"])

    anne.http.put("/api/me/push", json=body).raise_for_status()
    assert anne.http.get("/api/me/data").json()["devices"][0]["endpoint"] == body["endpoint"]
    basile.http.put("/api/me/push", json=body).raise_for_status()
    assert (devices(anne), devices(basile)) == (0, 1)
    anne.http.post("/api/me/push/remove", json={"endpoint": body["endpoint"]}).raise_for_status()
    assert devices(basile) == 1
    basile.http.post("/api/me/push/remove", json={"endpoint": body["endpoint"]}).raise_for_status()
    assert devices(basile) == 0
    for _ in range(12):
        told.turn(10)  # within the limit of requests
        anne.http.put("/api/me/push", json=service.subscribe().body()).raise_for_status()
    assert devices(anne) == 10
    anne.http.delete("/api/me").raise_for_status()
    assert devices(anne) == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("endpoint", "ftp://127.0.0.1/x"),
        ("endpoint", "https://user@push.example/x"),
        ("endpoint", "https://push.example/" + "x" * 1000),
        ("endpoint", "https://push.example/a b"),
        ("endpoint", "nonsense"),
        ("p256dh", "AAAA"),
        ("p256dh", "A" * 87),
        ("auth", "AAAA"),
        ("auth", "not base64!"),
        ("lang", "de"),
    ],
)
def test_a_bad_subscription_is_refused(told: LiveServer, service: PushService, field: str, value: str) -> None:
    person = Person(told)
    told.turn(10)
    refused(person.http.put("/api/me/push", json=service.subscribe().body() | {field: value}), 400, "bad_request")


@pytest.mark.parametrize(
    "url",
    [
        "http://push.example/x",
        "https://127.0.0.1/x",
        "https://169.254.169.254/latest",
        "https://10.0.0.1/",
        "https://[::1]/x",
        "https://push.example:8443/x",
        "https://push.example/x#y",
        "https://push.example\r\nhost: evil/",
    ],
)
def test_only_public_https_is_a_push_service(url: str) -> None:
    with pytest.raises(Refused):
        read_endpoint(url, allow_local=False)


@pytest.mark.parametrize(
    ("address", "public"),
    [("8.8.8.8", True), ("2606:4700::1", True), ("64:ff9b::808:808", True), ("::ffff:127.0.0.1", False),
     ("100.64.0.1", False), ("fe80::1%eth0", False), ("64:ff9b:1::1", False), ("64:ff9b::7f00:1", False),
     ("2002:7f00:1::", False), ("224.0.0.1", False), ("0.0.0.0", False)],
)  # fmt: skip
def test_an_address_of_a_private_network_is_not_public(address: str, public: bool) -> None:
    assert is_public(address) is public


async def test_a_name_that_leads_home_is_not_followed() -> None:
    with pytest.raises(Undeliverable):
        await asyncio.wait_for(resolve(Endpoint("https", "localhost", 443, "/"), allow_local=False), 30)


@pytest.mark.one_server("it reads the data folder")
def test_the_key_of_a_server_stays_and_is_secret(own_server: LiveServer) -> None:
    person = Person(own_server)
    before = person.http.get("/api/me/notifications").json()["push_key"]
    assert (own_server.data / "vapid.key").stat().st_mode & 0o777 == 0o600
    own_server.stop()
    own_server.start()
    assert person.http.get("/api/me/notifications").json()["push_key"] == before


def test_a_restart_does_not_tell_people_again(tmp_path: Path, service: PushService) -> None:
    server = open_server(tmp_path / "again", *ROOMY, "--push-local", turned=True).start()
    _, _, basile, first, second = seat(server)
    basile.http.put("/api/me/push", json=service.subscribe().body()).raise_for_status()
    go(first, second, 1)
    move(first)
    server.turn(AWAY_SECONDS + 1)
    service.wait_for(1)
    server.stop()
    server.start()
    server.turn(AWAY_SECONDS + 1)
    server.turn(AWAY_SECONDS + 1)
    assert Person(server).http.get("/api/me").status_code == 200
    server.stop()
    assert service.attempts == 1
