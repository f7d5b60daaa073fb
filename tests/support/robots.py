"""Bots of people, for tests: an account, a token, an event stream."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import httpx
from live import OPENED, PATIENCE, Line, LiveServer, Person
from websockets.exceptions import ConnectionClosed


class Robot:
    """A bot account with a token, as its program sees it."""

    def __init__(self, server: LiveServer, owner: Person, name: str = "Robinson") -> None:
        self.server = server
        self.owner = owner
        made = owner.http.post("/api/me/bots", json={"name": name})
        assert made.status_code == 201, made.text
        self.id: str = made.json()["id"]
        token = make_token(owner, self.id)
        self.token: str = token["token"]
        self.token_id: str = token["info"]["id"]
        self.http = client_of(server, self.token)

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}

    def open(self, code: str) -> Line:
        return Line(self.server, code, self.headers)

    def listen(self, *games: str) -> Line:
        """Open the event stream and offer games."""
        line = self.open("me")
        line.expect("welcome")
        assert line.ask("offers", games=list(games))["type"] == "done"
        return line


def make_token(owner: Person, bot: str | None = None, name: str = "essai") -> dict[str, Any]:
    made = owner.http.post("/api/me/tokens", json={"name": name, "bot": bot})
    assert made.status_code == 201, made.text
    token: dict[str, Any] = made.json()
    return token


def client_of(server: LiveServer, token: str) -> httpx.Client:
    headers = {"authorization": f"Bearer {token}"}
    return OPENED.enter_context(httpx.Client(base_url=server.url, timeout=PATIENCE, headers=headers))


def challenge(host: Person, code: str, robot: Robot, seat: int = 1) -> dict[str, Any]:
    made = host.http.post(f"/api/tables/{code}/challenges", json={"bot": robot.id, "seat": seat})
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


def closed_with(line: Line) -> tuple[int, str]:
    """Read until the server closes the connection; return the code and the reason."""
    with suppress(ConnectionClosed):
        while True:
            line.next()
    assert line.socket.close_code is not None
    return line.socket.close_code, line.socket.close_reason or ""
