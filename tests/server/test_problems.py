"""Every 4xx answer is a `Problem`, whatever the client sent."""

import json
import socket
from http.client import HTTPResponse

import httpx
import pytest
from live import PATIENCE, LiveServer, Person

UPGRADE = b"GET /ws/ABCDEF HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nHost: x\r\n"
JSON = POST + b"Content-Type: application/json\r\n"
REQUESTS = {
    "not HTTP": (b"bonjour\r\n\r\n", 400, "bad_request"),
    "TLS": (bytes.fromhex("1603010200010001fc0303"), 400, "bad_request"),
    "no such version": (b"GET / HTTP/9.9\r\n\r\n", 400, "bad_request"),
    "no such method": (b"BREW /api/me HTTP/1.1\r\n\r\n", 400, "bad_request"),
    "a broken header": (b"GET /api/me HTTP/1.1\r\nHost x\r\n\r\n", 400, "bad_request"),
    "a broken length": (POST + b"Content-Length: many\r\n\r\n", 400, "bad_request"),
    "two lengths": (POST + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "bad_request"),
    "a broken chunk": (JSON + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "bad_request"),
    "a broken address": (b"GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
    "huge headers": (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 40_000 + b"\r\n\r\n", 400, "bad_request"),
    "half of JSON": (JSON + b"Content-Length: 1\r\n\r\n{", 400, "bad_request"),
    "no body": (JSON + b"Content-Length: 0\r\n\r\n", 400, "bad_request"),
    "a form": (POST + b"Content-Type: multipart/form-data\r\nContent-Length: 1\r\n\r\nx", 400, "bad_request"),
    "an unknown path": (b"GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\n", 404, "unknown_path"),
    "an unknown schema": (b"GET /api/schema/nothing HTTP/1.1\r\nHost: x\r\n\r\n", 404, "unknown_path"),
    "an unknown asset": (b"GET /assets/nothing.js HTTP/1.1\r\nHost: x\r\n\r\n", 404, "unknown_path"),
    "a wrong method": (b"PUT /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 405, "bad_method"),
    "a form for the client": (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 405, "bad_method"),
    "a handshake without a key": (UPGRADE + b"Sec-WebSocket-Version: 13\r\n\r\n", 400, "bad_request"),
    "an old WebSocket": (UPGRADE + KEY + b"Sec-WebSocket-Version: 8\r\n\r\n", 400, "bad_request"),
}


@pytest.mark.parametrize("what", REQUESTS)
def test_a_bad_request_gets_a_problem(server: LiveServer, what: str) -> None:
    request, status, code = REQUESTS[what]
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(request)
        answer = HTTPResponse(line)
        answer.begin()
        problem = json.loads(answer.read())
    assert (answer.status, problem["code"]) == (status, code)
    assert answer.headers.get_content_type() == "application/json"
    assert problem["values"].get("problem", "-")
    assert "Traceback" not in server.log.read_text()


def test_a_wrong_method_learns_the_right_ones(server: LiveServer) -> None:
    assert "GET" in httpx.put(f"{server.url}/api/me").headers["allow"]
    assert httpx.post(server.url).headers["allow"] == "GET, HEAD"


def test_head_is_get_without_its_body(server: LiveServer) -> None:
    for path in ("/healthz", "/readyz", "/api/games", "/"):
        head = httpx.head(f"{server.url}{path}")
        assert (head.status_code, head.content) == (200, b"")


def test_the_api_describes_itself(server: LiveServer) -> None:
    schema = httpx.get(f"{server.url}/api/schema/openapi.json").json()
    assert {"/healthz", "/readyz", "/api/tables"} <= set(schema["paths"])


@pytest.mark.parametrize("headers", [{}, {"origin": "null"}])
def test_a_cross_site_request_is_refused_without_an_origin_too(server: LiveServer, headers: dict[str, str]) -> None:
    person = Person(server)
    code = person.create()
    headers = {**headers, "sec-fetch-site": "cross-site"}
    answer = person.http.post("/api/tables", json={"game": "kora"}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
    assert person.open(code, **headers).expect("refused")["code"] == "foreign_origin"
    assert person.http.get("/api/me", headers=headers).status_code == 200
    assert person.http.post("/api/tables", json={"game": "kora"}, headers={"sec-fetch-site": "same-origin"}).is_success
