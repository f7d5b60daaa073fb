"""Signed links in e-mails: they confirm an address or end the mails, without a cookie."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct

from ..core.game import Refused
from ..store.notifications import Email, Lang
from ..table import PersonId
from .clock import Clock
from .identity import Identity

CONFIRM_SECONDS = 3 * 24 * 3600
LONGEST_TOKEN = 400

Purpose = Literal["confirm", "unsubscribe"]


class Link(Struct, frozen=True, array_like=True):
    """What a link does."""

    purpose: Purpose
    person: PersonId
    address: str
    """The first bytes of a hash of the address: a link for an old address does nothing to a new one."""
    until: float
    """When a link to confirm expires; a link to unsubscribe never does."""
    lang: Lang


def hashed(address: str) -> str:
    return sha256(address.encode()).hexdigest()[:16]


class MailLinks:
    """Makes and reads the links."""

    def __init__(self, identity: Identity, time: Clock) -> None:
        self._key = identity.derive("mail")
        self._time = time

    def make(self, purpose: Purpose, email: Email) -> str:
        until = self._time.wall() + CONFIRM_SECONDS if purpose == "confirm" else 0.0
        body = msgspec.json.encode(Link(purpose, email.person, hashed(email.address), until, email.lang))
        return f"{coded(body)}.{coded(self._sign(body))}"

    def read(self, token: str) -> Link:
        """Return what a link does; raise `Refused` if we did not make it or it has expired."""
        body, _, signature = token.partition(".")
        try:
            data, signed = decoded(body), decoded(signature)
        except (BadBase64, ValueError):
            raise Refused("bad_link") from None
        if len(token) > LONGEST_TOKEN or not hmac.compare_digest(signed, self._sign(data)):
            raise Refused("bad_link")
        link = msgspec.json.decode(data, type=Link)
        if link.purpose == "confirm" and link.until < self._time.wall():
            raise Refused("bad_link")
        return link

    def _sign(self, body: bytes) -> bytes:
        return hmac.new(self._key, body, sha256).digest()[:18]


def coded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
