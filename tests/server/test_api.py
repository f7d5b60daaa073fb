"""The HTTP API keeps to its own description, whatever it is sent."""

from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from live import LiveServer, Person
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tablee.core.game import Refused
from tablee.server.api import create_api
from tablee.server.moderation import Filter
from tablee.server.people import _ANIMALS, _ENGLISH_ANIMALS, _ENGLISH_MOODS, _MOODS, LONGEST_NAME, People
from tablee.store import PersonRow, open_store

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


DESCRIBED = schemathesis.openapi.from_dict(create_api().openapi_schema.to_schema())
OPERATIONS = {operation.ok().label: operation.ok() for operation in DESCRIBED.get_all_operations()}


@pytest.mark.parametrize("label", OPERATIONS)
@given(data=st.data())
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(server: LiveServer, label: str, data: st.DataObject) -> None:
    case = data.draw(OPERATIONS[label].as_strategy())
    case.call_and_validate(base_url=server.url, checks=CHECKS)


@pytest.mark.parametrize("path", ["people/a%00/stats", "challenges/%00", "leaders?game=%00", "history?game=kora%00"])
def test_an_address_with_a_nul_character_is_refused(server: LiveServer, path: str) -> None:
    """PostgreSQL cannot compare such a text; that must not look like a database that does not work."""
    answer = httpx.get(f"{server.url}/api/{path}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_no_text_with_a_nul_character_reaches_the_database(server: LiveServer) -> None:
    person = Person(server)
    answer = person.http.post("/api/me/push/remove", json={"endpoint": "https://push.example/\0"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    line = person.open("searches")
    assert line.refused("search", game="kora", after="\0")["code"] == "bad_frame"
    assert line.refused("search", game="\0")["code"] == "unknown_game"
    assert line.refused("search", game="kora", pace="\0")["code"] == "unknown_pace"
    assert line.ask("search", game="kora")["type"] == "done"
    assert line.refused("accept", pairing="\0", salt="0a")["code"] == "bad_frame"
    line.send("cancel")


def test_the_cookie_is_signed_http_only_and_same_site(server: LiveServer) -> None:
    cookie = httpx.get(f"{server.url}/api/me").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "Secure" not in cookie  # plain http on this machine; behind TLS it is
    person = Person(server)
    assert person.http.get("/api/me").headers.get("set-cookie") is None
    forged = httpx.get(f"{server.url}/api/me", headers={"cookie": f"tablee={person.id}.forged"})
    assert forged.json()["id"] != person.id


def test_only_requests_that_need_a_person_set_the_cookie(server: LiveServer) -> None:
    for path in ("/api/games", "/api/tables", "/healthz", "/"):
        assert "set-cookie" not in httpx.get(f"{server.url}{path}").headers
    assert "set-cookie" in httpx.post(f"{server.url}/api/tables", json={"game": "kora"}).headers


def test_every_answer_carries_the_security_headers(server: LiveServer) -> None:
    for path in ("/", "/api/me", "/table/ABCDEF", "/healthz"):
        headers = httpx.get(f"{server.url}{path}").headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_client_is_served_compressed_and_named_by_content(server: LiveServer) -> None:
    page = httpx.get(f"{server.url}/table/ABCDEF")
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["cache-control"] == "no-cache"
    again = httpx.get(f"{server.url}/", headers={"if-none-match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    script = page.text.split('src="/assets/')[1].split('"')[0]
    asset = httpx.get(f"{server.url}/assets/{script}")
    assert "immutable" in asset.headers["cache-control"]
    assert asset.headers["content-encoding"] == "gzip"
    assert httpx.get(f"{server.url}/assets/none.js").status_code == 404
    assert httpx.post(server.url).status_code == 405
    for path in ("/../secret.key", "/assets/../../app.py", "/%2e%2e/app.py"):
        assert b"import" not in httpx.get(f"{server.url}{path}").content[:200]


def test_a_new_person_has_a_name_and_an_avatar(server: LiveServer) -> None:
    me = Person(server).http.get("/api/me").json()
    assert len(me["name"].split()) == 2
    assert 0 <= me["avatar"] < 16


@pytest.mark.parametrize(
    ("languages", "english"),
    [
        ("en-GB,en;q=0.9,fr;q=0.8", True),
        ("de,en;q=0.7", True),
        ("fr-FR,fr;q=0.9,en;q=0.8", False),
        ("de", False),
        ("", False),
    ],
)
def test_a_new_name_is_in_the_visitor_s_language(server: LiveServer, languages: str, english: bool) -> None:
    with httpx.Client(base_url=server.url, headers={"accept-language": languages}) as somebody:
        me = somebody.get("/api/me").json()
        mood, animal = me["name"].split()
        assert (mood in _ENGLISH_MOODS and animal in _ENGLISH_ANIMALS) is english
        assert (mood in _ANIMALS and animal in _MOODS) is not english
        # The name follows from the id for good, whatever language the browser asks for later.
        again = somebody.get("/api/me", headers={"accept-language": "fr" if english else "en"})
        assert again.json() == me


def test_every_generated_name_is_short_and_decent() -> None:
    unwanted = Filter()
    for first, second in ((_ANIMALS, _MOODS), (_ENGLISH_MOODS, _ENGLISH_ANIMALS)):
        assert len(set(first)) == len(set(second)) == 24
        names = [f"{one} {other}" for one in first for other in second]
        assert max(map(len, names)) <= LONGEST_NAME
        assert all(unwanted.mask(name) == name for name in names)


def test_a_name_has_no_word_that_the_chat_filter_masks(server: LiveServer) -> None:
    person = Person(server, "Zoé")
    for name in ("Connard", "le c\u0336onnard", "Ｆuck you"):
        answer = person.http.patch("/api/me", json={"name": name})
        assert (answer.status_code, answer.json()["code"]) == (400, "name_unwanted")
    assert person.http.get("/api/me").json()["name"] == "Zoé"
    assert person.http.patch("/api/me", json={"name": "Connardin"}).json()["name"] == "Connardin"


def test_a_name_covers_nothing_above_or_below(server: LiveServer) -> None:
    person = Person(server, "Z" + "\u0335" * 20 + "oé")
    assert person.http.get("/api/me").json()["name"] == "Z\u0335\u0335\u0335oé"
    person.http.patch("/api/me", json={"name": "\u0301Zoe\u0301"})
    assert person.http.get("/api/me").json()["name"] == "Zoé"


async def test_a_name_from_before_the_filter_stays_and_its_face_may_change(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path / 'tablee.db'}")
    try:
        await store.save_person(PersonRow("anne", "Salope", 1))
        people = People(store)
        changed = await people.change("anne", name="Salope", avatar=2)
        assert (changed.name, changed.avatar) == ("Salope", 2)
        (tmp_path / "filter.txt").write_text("crapaud")
        strict = People(store, Filter(tmp_path))
        with pytest.raises(Refused):
            await strict.change("anne", name="Crapaud", avatar=None)
    finally:
        await store.close()


def test_the_creator_of_a_table_chooses_a_seat_and_bots_take_the_others(server: LiveServer) -> None:
    person = Person(server, "Zoé")
    me = person.http.get("/api/me").json()["id"]
    chosen = {"game": "president", "seats": 5, "seat": 3, "bots": ["facile"] * 4}
    answer = person.http.post("/api/tables", json=chosen)
    (mine,) = [one for one in person.http.get("/api/me/tables").json() if one["code"] == answer.json()["code"]]
    assert mine["you"] == 3
    assert [seat["person"] for seat in mine["seats"]] == [None, None, None, me, None]
    problem = person.http.post("/api/tables", json={"game": "kora", "seat": 2}).json()
    assert (problem["code"], problem["values"]) == ("no_such_seat", {"seat": 2})


def test_a_game_proposes_options_that_its_rules_accept(server: LiveServer) -> None:
    cards = {card["key"]: card for card in httpx.get(f"{server.url}/api/games").json()}
    fields = cards["kora"]["options"]["$defs"]["Options"]["properties"]
    proposed = {name: field["default"] for name, field in fields.items()}
    assert proposed == {"deals": 5, "stake": 25, "bank": 100, "betting": "fixed"}
    assert Person(server).http.post("/api/tables", json={"game": "kora", "options": proposed}).is_success
    assert [key for key, card in cards.items() if card["seats_differ"]] == ["dames"]
