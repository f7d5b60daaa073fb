"""Players report words, the operator decides, and only new matches follow."""

from collections.abc import Iterator

import httpx
import pytest
from live import ROOMY, LiveServer, Person, wait_until
from pair import open_server

TOKEN = "un-jeton-pour-les-mots"


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    live = open_server(tmp_path_factory.mktemp("words"), *ROOMY, "--admin-token", TOKEN).start()
    yield live
    live.stop()


def admin(live: LiveServer) -> httpx.Client:
    return httpx.Client(base_url=f"{live.url}/api/admin", headers={"authorization": f"Bearer {TOKEN}"}, timeout=60)


def report(live: LiveServer, address: str, **body: object) -> httpx.Response:
    sent = {"list": "", "word": "xyzzy", "wanted": True, **body}
    return httpx.post(f"{live.url}/api/games/scrabble/reports", json=sent, headers={"x-forwarded-for": address})


def options_of(live: LiveServer) -> str:
    [card] = [card for card in httpx.get(f"{live.url}/api/games").json() if card["key"] == "scrabble"]
    return str(card["options"]["$defs"]["Options"]["properties"]["lexicon"]["default"])


def test_an_accepted_report_changes_the_list_of_new_matches_only(module_server: LiveServer) -> None:
    before = options_of(module_server)
    person = Person(module_server)
    code = person.http.post("/api/tables", json={"game": "scrabble"}).json()["code"]
    for _ in range(2):
        assert report(module_server, "192.0.2.1", list=before).status_code == 200
    assert report(module_server, "192.0.2.1", word="chat", wanted=False).status_code == 200
    with admin(module_server) as client:
        shown = client.get("/word-reports").json()
        assert [(row["word"], row["wanted"], row["reports"], row["status"]) for row in shown] == [
            ("XYZZY", True, 2, "open"),
            ("CHAT", False, 1, "open"),
        ]
        assert shown[0]["list"] == "francais"
        assert shown[0]["ref"] == before
        assert shown[0]["at"] > 1_600_000_000  # a date, not the seconds of a monotonic clock
        first = {name: shown[0][name] for name in ("game", "list", "word", "wanted")}
        assert client.post("/word-reports", json={**first, "accepts": True}).status_code == 200
        second = {name: shown[1][name] for name in ("game", "list", "word", "wanted")}
        assert client.post("/word-reports", json={**second, "accepts": False}).status_code == 200
        assert client.get("/word-reports").json() == []
    # Another server has the new list within ten seconds.
    wait_until(lambda: before not in [options_of(module_server) for _ in range(2)])
    after = options_of(module_server)
    assert person.http.get(f"/api/tables/{code}").json()["options"]["lexicon"] == before
    asked = [f"{ref} {word}" for ref in (before, after) for word in ("xyzzy", "chat")]
    answers = [httpx.get(f"{module_server.url}/api/games/scrabble/word", params={"q": q}).json() for q in asked]
    assert [answer["valid"] for answer in answers] == [False, True, True, True]
    again = report(module_server, "192.0.2.1", list=before)
    assert (again.status_code, again.json()["code"]) == (400, "already_so")


def test_an_unknown_report_cannot_be_decided(module_server: LiveServer) -> None:
    nothing = {"game": "scrabble", "list": "francais", "word": "NADANADA", "wanted": True, "accepts": True}
    with admin(module_server) as client:
        answer = client.post("/word-reports", json=nothing)
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_report")
        assert client.post("/word-reports", json={**nothing, "game": "kora"}).status_code == 404
    assert httpx.get(f"{module_server.url}/api/admin/word-reports").status_code == 403


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"word": "arc-en-ciel"}, "not_reportable"),
        ({"word": ""}, "bad_request"),
        ({"word": "x" * 41}, "bad_request"),
        ({"list": "none"}, "missing_resource"),
        ({"wanted": "oui"}, "bad_request"),
        ({"more": 1}, "bad_request"),
    ],
)
def test_bad_reports_are_refused(module_server: LiveServer, body: dict[str, object], code: str) -> None:
    assert report(module_server, "192.0.2.2", **body).json()["code"] == code


@pytest.mark.one_server("each server counts for itself")
def test_reports_and_questions_are_limited(module_server: LiveServer) -> None:
    answers = [report(module_server, "192.0.2.3", word="zzzzq") for _ in range(14)]
    assert (answers[0].status_code, answers[-1].json()["code"]) == (200, "too_many")
    with httpx.Client(base_url=module_server.url, headers={"x-forwarded-for": "192.0.2.4"}) as client:
        asked = [client.get("/api/games/scrabble/meaning?q=finis") for _ in range(130)]
    assert asked[0].json() == {"word": "FINIS", "bases": [{"lemma": "finir", "kind": "v"}], "gloss": ""}
    assert asked[-1].status_code == 429


def test_other_games_have_no_words_to_report(module_server: LiveServer) -> None:
    sent = {"list": "", "word": "xyzzy", "wanted": True}
    answer = httpx.post(f"{module_server.url}/api/games/kora/reports", json=sent)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_question")
