"""A push service on this machine: it checks the server's signature and reads the messages as a browser would."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_bytes, token_hex
from threading import Thread
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from live import wait_until
from py_vapid import Vapid02


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def claims_of(token: str) -> dict[str, Any]:
    """Return what a signed token says."""
    middle = token.split(".")[1]
    found: dict[str, Any] = json.loads(urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    return found


class Subscription:
    """A browser's subscription, with its private key."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.auth = token_bytes(16)
        self.point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def body(self, lang: str = "fr") -> dict[str, str]:
        return {"endpoint": self.endpoint, "p256dh": text(self.point), "auth": text(self.auth), "lang": lang}

    def read(self, message: bytes) -> dict[str, str]:
        clear = http_ece.decrypt(message, private_key=self.private, auth_secret=self.auth, version="aes128gcm")
        return dict(json.loads(clear))


class PushService:
    """Keeps every message that it got, decrypted; a test may let it refuse some."""

    def __init__(self) -> None:
        self.subscriptions: dict[str, Subscription] = {}
        self.messages: list[tuple[Subscription, dict[str, str]]] = []
        self.headers: list[dict[str, str]] = []
        self.attempts = 0
        self.answers: list[int] = []
        """The next answers; then it takes everything."""
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                status = service._take(self.path, dict(self.headers), body)
                self.send_response(status)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def subscribe(self) -> Subscription:
        made = Subscription(f"{self.origin}/push/{token_hex(8)}")
        self.subscriptions[made.endpoint.removeprefix(self.origin)] = made
        return made

    def _take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        self.attempts += 1
        token = headers["authorization"]
        assert Vapid02.verify(token)
        assert claims_of(token.partition("t=")[2])["aud"] == self.origin
        status = self.answers.pop(0) if self.answers else 201
        if status == 201:
            subscription = self.subscriptions[path]
            self.headers.append(headers)
            self.messages.append((subscription, subscription.read(body)))
        return status

    def texts(self) -> list[dict[str, str]]:
        return [message for _, message in self.messages]

    def wait_for(self, count: int) -> dict[str, str]:
        """Wait until it got some messages; return the last."""
        wait_until(lambda: len(self.messages) >= count)
        assert len(self.messages) == count
        return self.messages[-1][1]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
