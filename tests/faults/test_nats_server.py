"""The tools of the fault tests work: a NATS server that comes and goes, and a proxy that can be cut."""

import socket
from pathlib import Path

import pytest
from nats_server import NatsServer, Proxy


def greeting(port: int, timeout: float = 60) -> bytes:
    """Return the first bytes that a NATS server sends; empty if the connection breaks."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as line:
        return line.recv(4)


def test_a_stopped_server_comes_back_on_its_port(tmp_path: Path) -> None:
    server = NatsServer(tmp_path).start()
    server.stop()
    with pytest.raises(OSError, match="refused"):
        greeting(server.port)
    server.start()
    assert greeting(server.port) == b"INFO"
    server.stop()


def test_a_proxy_can_be_cut_and_mended(tmp_path: Path) -> None:
    server = NatsServer(tmp_path).start()
    proxy = Proxy(server.port).start()
    assert greeting(proxy.port) == b"INFO"
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=60) as line:
        line.recv(4)
        proxy.cut()
        with pytest.raises(OSError, match="reset"):
            list(iter(lambda: line.recv(4096), b""))
    with pytest.raises(OSError, match="reset"):
        greeting(proxy.port)
    proxy.mend()
    proxy.cut(silently=True)
    with pytest.raises(TimeoutError):
        greeting(proxy.port, timeout=0.2)
    proxy.mend()
    assert greeting(proxy.port) == b"INFO"
    proxy.stop()
    server.stop()
