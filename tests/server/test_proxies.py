"""A proxy on another machine: `--proxies` names it, so that each of its clients has limits of its own."""

import subprocess
import sys

import httpx
import pytest
from live import PATIENCE, LiveServer
from pair import open_server

from tablee.server.connection_limits import ConnectionLimits

ELSEWHERE = "127.0.0.2"
"""An address of this machine that is not the usual one."""


def people(server: LiveServer, count: int) -> list[int]:
    """Send requests of this many people through a proxy at another address; return the answers."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=ELSEWHERE), timeout=PATIENCE) as proxy:
        asked = (proxy.get(f"{server.url}/api/me", headers={"x-forwarded-for": f"192.0.2.{n}"}) for n in range(count))
        return [answer.status_code for answer in asked]


@pytest.mark.one_server("each server counts for itself")
@pytest.mark.parametrize(("proxies", "is_trusted"), [("127.0.0.1", False), ("127.0.0.1,127.0.0.2/31", True)])
def test_the_clients_of_a_proxy_have_their_own_limits(tmp_path, monkeypatch, proxies, is_trusted):
    monkeypatch.setenv("TABLEE_PROXIES", proxies)
    server = open_server(tmp_path, "--requests-per-second", "1", "--workers", "1").start()
    try:
        answers = people(server, 30)  # ten come at once from one address
    finally:
        server.stop()
    assert (answers == [200] * 30) is is_trusted
    assert (429 in answers) is not is_trusted


@pytest.mark.parametrize(
    ("address", "is_counted"),
    [("10.1.2.3", False), ("192.0.2.1", True), ("2001:db8::/64", False), ("2001:db8:1::/64", True), ("", True)],
)
def test_a_proxy_may_open_any_number_of_connections(address, is_counted):
    limits = ConnectionLimits(2, "10.0.0.0/8, 2001:db8::1")
    admitted = [limits.enter(address) for _ in range(5)]
    assert admitted == [True, True, not is_counted, not is_counted, not is_counted]


def test_a_wrong_proxy_is_one_clear_line(tmp_path):
    command = [sys.executable, "-m", "tablee", "serve", "--data", str(tmp_path), "--proxies", "caddy"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "'caddy' does not appear to be an IPv4 or IPv6 network" in ended.stderr
