"""Web Push (RFC 8030): encrypts a message for one device (RFC 8291) and signs it with the server's key (RFC 8292)."""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode
from binascii import Error as BadBase64
from pathlib import Path
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02, b64urlencode

from ..core.game import Refused
from ..store.notifications import Device
from .clock import Clock
from .push_endpoint import Endpoint

VAPID_FILE = "vapid.key"
"""In the data folder: the key that signs push messages."""
LIFETIME = 24 * 3600
"""Seconds that a push service keeps a message for a device that is offline."""
TOKEN_SECONDS = 12 * 3600
"""A token is valid for so long; push services refuse more than a day."""
MOST_TOKENS = 100
CURVE = ec.SECP256R1()


def new_vapid_key() -> bytes:
    keys = Vapid02()
    keys.generate_keys()
    return bytes(keys.private_pem())


def load_vapid_key(path: Path) -> bytes:
    """Return the key in a file; make it if it is missing."""
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(new_vapid_key())
    except FileExistsError:
        pass
    return path.read_bytes()


def decoded(text: str) -> bytes:
    """Decode base64url with or without padding; raise `ValueError` if it is none."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (BadBase64, UnicodeError) as error:
        raise ValueError("not base64url") from error


def check_keys(p256dh: str, auth: str) -> None:
    """Raise `Refused` if a message cannot be encrypted with the keys of a device."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(p256dh))
        if len(decoded(auth)) != 16:
            raise ValueError("a secret has 16 bytes")
    except ValueError:
        raise Refused("bad_request", field="p256dh", problem="not the keys of a push subscription") from None


class PushSigner:
    """Signs and encrypts the messages of this server. Its methods take a millisecond: call them in a thread."""

    def __init__(self, data: Path, contact: str, time: Clock) -> None:
        """`contact` is the address of the operator or of the site, for the push service."""
        path = data / VAPID_FILE
        try:
            self._keys = Vapid02.from_pem(load_vapid_key(path))
        except ValueError as error:
            raise RuntimeError(
                f"{path} is damaged. Remove it to create a new one; everyone then has to allow notifications again."
            ) from error
        self._keys.conf["no-strict"] = True  # its check of the contact knows no ports
        self._contact = contact
        self._time = time
        self._tokens: dict[str, tuple[float, str]] = {}

    @property
    def public_key(self) -> str:
        """The key that a browser needs to subscribe."""
        point = self._keys.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return str(b64urlencode(point))

    def encrypt(self, device: Device, message: bytes) -> bytes:
        return bytes(
            http_ece.encrypt(
                message,
                private_key=ec.generate_private_key(CURVE),
                dh=decoded(device.p256dh),
                auth_secret=decoded(device.auth),
                version="aes128gcm",
            )
        )

    def headers(self, endpoint: Endpoint, topic: str) -> dict[str, str]:
        """Return the headers of a message; an undelivered one with the same topic is replaced."""
        return {
            "authorization": self._token(endpoint.origin),
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "ttl": str(LIFETIME),
            "urgency": "high",
            "topic": topic,
        }

    def _token(self, origin: str) -> str:
        """Return the Authorization header for a push service; one token serves for hours."""
        now = self._time.wall()
        until, token = self._tokens.get(origin, (0.0, ""))
        if until < now + TOKEN_SECONDS / 2:
            until = now + TOKEN_SECONDS
            claims: dict[str, Any] = {"aud": origin, "exp": int(until), "sub": self._contact}
            token = str(self._keys.sign(claims)["Authorization"])
            if len(self._tokens) >= MOST_TOKENS:
                self._tokens.clear()
            self._tokens[origin] = until, token
        return token
