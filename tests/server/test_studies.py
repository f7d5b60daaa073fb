"""Anybody may ask a game for analysis; what is asked is typed and limited."""

import pytest
from live import LiveServer, Person

from tablee.server.studies import LARGEST_QUESTION

LOOK = "/api/games/dames/studies/look"


def test_a_game_answers_a_study(server: LiveServer) -> None:
    answer = Person(server).http.post(LOOK, json={"fen": "W:W32:B28,19"})
    assert (answer.status_code, answer.json()["legal"]) == (200, [[32, 23, 14]])


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        (LOOK, b'{"fen": 3}', 400, "bad_request"),
        (LOOK, b'{"fan": ""}', 400, "bad_request"),
        (LOOK, b"\xff", 400, "bad_request"),
        (LOOK, b"[" * 5000, 400, "bad_request"),
        (LOOK, b'{"fen": "W"}', 400, "fen_sides"),
        (LOOK, b" " * (LARGEST_QUESTION + 1), 413, "too_large"),
        ("/api/games/dames/studies/tarot", b"{}", 404, "unknown_question"),
        ("/api/games/kora/studies/look", b"{}", 404, "unknown_question"),
        ("/api/games/tarot/studies/look", b"{}", 404, "unknown_game"),
    ],
)
def test_a_bad_question_is_refused(server: LiveServer, path: str, body: bytes, status: int, code: str) -> None:
    answer = Person(server).http.post(path, content=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_pieces_of_analysis_are_limited_by_address(server: LiveServer) -> None:
    http = Person(server).http
    asked = (http.post(LOOK, json={"fen": "W:W32:B19"}, headers={"x-forwarded-for": "192.0.2.77"}) for _ in range(400))
    refused = next(answer for answer in asked if not answer.is_success)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
