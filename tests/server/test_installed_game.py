"""A game of another distribution is discovered by its entry point and played with its own board."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from installed import BOARD, server_with_installed_game
from live import LiveServer, Person, play_on, two_players


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    server = server_with_installed_game(tmp_path_factory.mktemp("installed"), "--bot-pause", "0", "--workers", "1")
    yield server
    server.stop()


def cards(module_server: LiveServer) -> dict[str, Any]:
    return {card["key"]: card for card in Person(module_server).http.get("/api/games").json()}


def test_it_is_offered_with_its_packs_and_its_board(module_server: LiveServer) -> None:
    card = cards(module_server)["haute"]
    assert card["board"] == "/boards/haute/board.js"
    assert card["levels"] == ["moyen"]
    assert list(card["packs"]) == ["cards"]
    assert card["packs"]["cards"]["row"][:3] == ["AS", "7S", "8S"]
    assert "bag" not in card["packs"]["cards"]
    assert cards(module_server)["kora"]["board"] is None


def test_its_board_is_served_as_a_module(module_server: LiveServer) -> None:
    answer = Person(module_server).http.get(cards(module_server)["haute"]["board"])
    assert (answer.status_code, answer.text) == (200, BOARD)
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    style = Person(module_server).http.get("/boards/haute/style.css")
    assert style.headers["content-type"] == "text/css; charset=utf-8"


@pytest.mark.parametrize(
    "path",
    [
        "/boards/haute/../secret.txt",
        "/boards/haute/%2e%2e/secret.txt",
        "/boards/haute/..%2fsecret.txt",
        "/boards/haute//board.js",
        "/boards/haute/absent.js",
        "/boards/haute",
        "/boards/kora/board.js",
        "/boards/../boards/haute/../secret.txt",
    ],
)
def test_nothing_else_is_served_below_boards(module_server: LiveServer, path: str) -> None:
    """Sent by hand: a client would tidy the path first."""
    with socket.create_connection(("127.0.0.1", module_server.port), 5) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"export const meta" not in body
    assert body != b"x"
    if path != "/boards/haute":
        assert head.startswith(b"HTTP/1.1 404 ")


def test_two_people_play_it(module_server: LiveServer) -> None:
    _, first, second = two_players(module_server, game="haute")
    assert len(first.latest["view"]["hand"]) == 5
    assert play_on((first, second)) == 10
    assert first.latest["outcome"] == second.latest["outcome"] is not None


def test_a_person_plays_it_against_the_generic_bot(module_server: LiveServer) -> None:
    person = Person(module_server)
    line = person.open(person.create("haute", bots=["moyen"], start=True))
    line.expect("state")
    while line.latest["outcome"] is None:
        offer = line.latest["offer"]
        if offer is None:
            line.expect("moved")
        else:
            line.ask("act", offer=offer["number"], action=offer["legal"][0])
    assert line.latest["outcome"]["reason"] == "tricks"


def test_a_broken_distribution_is_named_in_the_log_and_stops_nothing(module_server: LiveServer) -> None:
    lines = [line for line in module_server.log.read_text().splitlines() if "cassee" in line]
    assert len(lines) == 1
    assert "skipped the game cassee: ModuleNotFoundError: No module named 'atout'" in lines[0]
    assert "cassee" not in cards(module_server)
    assert "kora" in cards(module_server)
