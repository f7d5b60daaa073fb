"""E-mails to people who are away, against a local mail server and with a clock that the test turns."""

import re
import sqlite3
from contextlib import closing
from email.message import EmailMessage

import httpx
import pytest
from finished import refused
from live import Line, LiveServer, Person, until, wait_until
from mail_server import LocalMailServer

from tablee.server.digests import EVERY_SECONDS, SWEEP_SECONDS, WAIT_SECONDS
from tablee.server.mail import is_address
from tablee.server.turns import AWAY_SECONDS

UNTIMED = {"move_time": 0, "match_time": 0, "player_time": 0}


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def token_in(mail: EmailMessage) -> str:
    """Return the token of the last signed link of a mail."""
    return re.findall(r"https://tablee\.example/courriel/(\S+)", text_of(mail))[-1]


def confirmed(server: LiveServer, post: LocalMailServer, name: str, lang: str = "fr") -> Person:
    """A person who asked for mails and opened the link."""
    person, count = Person(server, name), len(post.mails)
    address = f"{name.lower()}@example.org"
    person.http.put("/api/me/email", json={"address": address, "lang": lang}).raise_for_status()
    mail = post.wait_for(count + 1)
    assert mail["To"] == address
    done = httpx.post(f"{server.url}/api/mail/{token_in(mail)}")  # on any device
    assert done.json() == {"done": "confirmed", "lang": lang}
    return person


def seat(host: Person, guest: Person) -> tuple[str, Line, Line]:
    code = host.create("dames", options=UNTIMED)
    first, second = host.open(code), guest.open(code)
    second.ask("sit")
    first.send("start")
    for line in (first, second):
        line.expect("state")
    return code, first, second


def leave_and_move(first: Line, second: Line) -> None:
    """The guest closes the page, and the host moves."""
    second.close()
    until(first, lambda table: table["seats"][1]["presence"] != "online")
    first.ask("ping")
    offer = first.latest["offer"]
    assert first.ask("act", offer=offer["number"], action=offer["legal"][0])["type"] == "moved"


def notices(server: LiveServer) -> int:
    """Return how many turns of absent people the server has noticed."""
    with closing(sqlite3.connect(server.data / "tablee.db")) as database:
        return int(database.execute("SELECT count(*) FROM turn_notices").fetchone()[0])


def test_a_digest_names_the_tables_that_wait_once(mailing: LiveServer, post: LocalMailServer) -> None:
    anne, basile = Person(mailing, "Anne"), confirmed(mailing, post, "Basile")
    assert basile.http.get("/api/me/notifications").json()["email"]["confirmed"]
    tables = [seat(anne, basile) for _ in range(2)]
    for _, first, second in tables:
        leave_and_move(first, second)
        first.close()  # a match that everybody left stands still
    wait_until(lambda: httpx.get(f"{mailing.url}/healthz").json()["connections"] == 0)
    mailing.turn(AWAY_SECONDS + 1)
    wait_until(lambda: notices(mailing) == 2)
    mailing.turn(SWEEP_SECONDS + 1)
    assert len(post.mails) == 1  # most people come back by themselves
    mailing.turn(WAIT_SECONDS)
    while len(post.mails) < 2:  # a sweep may still be under way when the clock turns
        mailing.turn(SWEEP_SECONDS + 1)
    mail = post.wait_for(2)
    assert mail["Subject"] == "C’est à vous de jouer à 2 tables"
    text = text_of(mail)
    for code, *_ in tables:
        assert f"À vous\u202f: Dames\nContre Anne\nhttps://tablee.example/table/{code}\n" in text
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    mailing.turn(EVERY_SECONDS + SWEEP_SECONDS)
    assert Person(mailing).http.get("/api/me").status_code == 200
    assert len(post.mails) == 2  # not again until they look

    # One click of the mail program ends it, without a cookie.
    link = mail["List-Unsubscribe"].strip("<>").replace("https://tablee.example", mailing.url)
    assert httpx.post(link, data={"List-Unsubscribe": "One-Click"}).json()["done"] == "unsubscribed"
    assert basile.http.get("/api/me/notifications").json()["email"] is None
    assert httpx.post(link).json()["done"] == "unsubscribed"


def test_a_digest_says_how_a_match_over_days_ended(mailing: LiveServer, post: LocalMailServer) -> None:
    anne, basile = Person(mailing, "Anne"), confirmed(mailing, post, "Basile", "en")
    code = anne.create("dames", pace={"kind": "days", "days": 1})
    first, second = anne.open(code), basile.open(code)
    second.ask("sit")
    first.send("start")
    for line in (first, second):
        line.expect("state")
    second.close()
    until(first, lambda table: table["seats"][1]["presence"] != "online")
    assert first.ask("resign")["type"] != "refused"
    while len(post.mails) < 2:  # the notice is written a moment after the move
        mailing.turn(WAIT_SECONDS)
    mail = post.wait_for(2)
    assert mail["Subject"] == "You won: Draughts"
    assert (
        f"These matches are over:\n\nYou won: Draughts\nAgainst Anne\nhttps://tablee.example/table/{code}\n"
        in text_of(mail)
    )


def test_a_mail_server_that_refuses_is_asked_again_and_the_log_names_nobody(
    mailing: LiveServer, post: LocalMailServer
) -> None:
    person = Person(mailing)
    post.refusals = [b"451 later", b"451 later"]
    person.http.put("/api/me/email", json={"address": "zoe@example.org", "lang": "en"}).raise_for_status()
    for attempts, pause in ((1, 61), (2, 601)):
        # The server begins to wait when it writes this line, which is later than the answer of the mail server.
        wait_until(lambda n=attempts: mailing.log.read_text().count("refused a recipient: [451]") == n)  # type: ignore[misc]
        mailing.turn(pause)
    assert post.wait_for(1)["Subject"] == "Confirm your address for Tablée"
    assert post.attempts == 3
    post.refusals = [b"550 no such user"]
    person.http.put("/api/me/email", json={"address": "nobody@example.org", "lang": "en"}).raise_for_status()
    wait_until(lambda: "refused a recipient: [550]" in mailing.log.read_text())
    assert "@example.org" not in mailing.log.read_text()


def test_a_link_works_only_for_its_address_and_for_three_days(mailing: LiveServer, post: LocalMailServer) -> None:
    person = Person(mailing)
    person.http.put("/api/me/email", json={"address": "old@example.org", "lang": "fr"}).raise_for_status()
    old = token_in(post.wait_for(1))
    person.http.put("/api/me/email", json={"address": "new@example.org", "lang": "fr"}).raise_for_status()
    new = token_in(post.wait_for(2))
    body, _, signature = new.partition(".")
    for token in (old, f"{body}.{signature[::-1]}", body, "x", f"{body}.é", "x" * 500):
        refused(httpx.post(f"{mailing.url}/api/mail/{token}"), 400, "bad_link")
    mailing.turn(3 * 24 * 3600 + 1)
    refused(httpx.post(f"{mailing.url}/api/mail/{new}"), 400, "bad_link")
    assert not person.http.get("/api/me/notifications").json()["email"]["confirmed"]
    assert person.http.get("/api/me/data").json()["email"]["address"] == "new@example.org"
    person.http.delete("/api/me/email").raise_for_status()
    assert person.http.get("/api/me/data").json()["email"] is None


def test_nobody_can_flood_an_address(mailing: LiveServer, post: LocalMailServer) -> None:
    answers = []
    for _ in range(4):
        mailing.turn(60)
        body = {"address": "victim@example.org", "lang": "fr"}
        answers.append(Person(mailing).http.put("/api/me/email", json=body))
    assert [answer.status_code for answer in answers] == [204, 204, 204, 429]
    refused(Person(mailing).http.put("/api/me/email", json={"address": "x@y", "lang": "fr"}), 400, "bad_request")


def test_a_host_without_a_mail_server_offers_no_mail(server: LiveServer) -> None:
    person = Person(server)
    assert person.http.get("/api/me/notifications").json()["mail"] is False
    refused(person.http.put("/api/me/email", json={"address": "a@example.org", "lang": "fr"}), 404, "no_mail")


@pytest.mark.parametrize(
    ("text", "known"),
    [("zoe@example.org", True), ("a.b+c@ex-ample.co.uk", True), ("zoe", False), ("zoe@example", False),
     ("a@b@example.org", False), ("zoe@example.org\nBcc: all@example.org", False), ("<zoe@example.org>", False),
     ("zoe@exa mple.org", False), ("é@example.org", False), ("a" * 250 + "@example.org", False),
     ("@example.org", False)],
)  # fmt: skip
def test_what_can_be_an_address(text: str, known: bool) -> None:
    assert is_address(text) is known
