"""Identifies people without sign-up: a random id in a cookie that this server signs."""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

from ..table import PersonId

COOKIE = "tablee"
LIFETIME = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""
ENGLISH = "en~"
"""Prefix of the ids of people whose browser preferred English to French on their first visit."""
LONGEST_COOKIE = 128
KEY_FILE = "secret.key"
"""In the data folder: the key that signs the cookies."""
KEY_BYTES = 32


class Identity:
    """Signs and reads the cookie with a key in the data folder."""

    def __init__(self, data: Path) -> None:
        self._key = _load_key(data / KEY_FILE)

    def new(self, languages: str = "") -> PersonId:
        """Return a new id; `languages` is the browser's `Accept-Language` header."""
        return (ENGLISH if prefers_english(languages) else "") + secrets.token_urlsafe(12)

    def sign(self, person: PersonId) -> str:
        return f"{person}.{self._signature(person)}"

    def read(self, header: str | None) -> PersonId | None:
        """Return the person of a Cookie header; None if there is no cookie or we did not sign it."""
        person, dot, signature = _cookie(header or "").partition(".")
        if dot and hmac.compare_digest(signature.encode(), self._signature(person).encode()):
            return person
        return None

    def set_cookie(self, person: PersonId, *, secure: bool) -> str:
        """Return the Set-Cookie header."""
        flags = "; Secure" if secure else ""
        return f"{COOKIE}={self.sign(person)}; Path=/; Max-Age={LIFETIME}; HttpOnly; SameSite=Lax{flags}"

    def clear_cookie(self) -> str:
        """Return the Set-Cookie header that removes the cookie."""
        return f"{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"

    def derive(self, purpose: str) -> bytes:
        """Return a key for another purpose than cookies; it is the same on every server."""
        return hmac.new(self._key, f"{purpose}\0".encode(), sha256).digest()

    def _signature(self, person: PersonId) -> str:
        digest = hmac.new(self._key, person.encode(), sha256).digest()
        return urlsafe_b64encode(digest[:18]).decode()


def prefers_english(languages: str) -> bool:
    """Whether English comes before French in an `Accept-Language` header."""
    wanted = [part.partition(";")[0].partition("-")[0].strip().lower() for part in languages.split(",")]
    return next((language for language in wanted if language in ("fr", "en")), "fr") == "en"


def _cookie(header: str) -> str:
    """Return the value of our cookie; empty if there is none, or if it is longer than any of ours.

    The parser of the standard library takes quadratic time (CVE-2024-7592).
    """
    parts = (part.strip() for part in header.split(";"))
    mine = next((part for part in parts if part.startswith(f"{COOKIE}=")), "")
    return mine.removeprefix(f"{COOKIE}=") if len(mine) <= LONGEST_COOKIE else ""


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def _load_key(path: Path) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(new_key())
    except FileExistsError:
        pass
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise RuntimeError(
            f"{path} is damaged: it must hold {KEY_BYTES} bytes. "
            "Remove it to create a new one; everyone then starts anew."
        )
    return key
