"""An authenticator in Python: it creates passkeys and signs challenges as a phone does."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class Authenticator:
    """One key for one site; tests change its fields to misbehave."""

    def __init__(self, origin: str, host: str) -> None:
        self.origin = origin
        self.host = host
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(20)
        self.counter = 0

    def client_data(self, kind: str, options: Any) -> bytes:
        challenge = options["publicKey"]["challenge"]
        return json.dumps({"type": f"webauthn.{kind}", "challenge": challenge, "origin": self.origin}).encode()

    def data(self, flags: int) -> bytes:
        return sha256(self.host.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4, "big")

    def create(self, options: Any, name: str = "Téléphone") -> dict[str, str]:
        """Answer to creation options."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        data = self.data(PRESENT | VERIFIED | ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self.client_data("create", options)
        return {"name": name, "id": b64(self.id), "client_data": b64(client), "attestation": b64(attestation)}

    def answer(self, options: Any) -> dict[str, str]:
        """Sign the challenge of sign-in options."""
        client, data = self.client_data("get", options), self.data(PRESENT | VERIFIED)
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return {
            "id": b64(self.id),
            "client_data": b64(client),
            "authenticator_data": b64(data),
            "signature": b64(signature),
        }


def spoil(text: str) -> str:
    """Change the last byte of a base64url text."""
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return b64(data[:-1] + bytes([data[-1] ^ 1]))
