"""HTTP bodies about notifications."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..store.notifications import Lang
from .mail import LONGEST_ADDRESS
from .push_endpoint import LONGEST_ENDPOINT

EndpointUrl = Annotated[str, Meta(min_length=1, max_length=LONGEST_ENDPOINT, pattern=r"^[!-~]+$")]
"""Browsers write the address of a push service in ASCII, without spaces."""
Key = Annotated[str, Meta(min_length=1, max_length=120, pattern=r"^[\w-]+=*$")]


class MyEmail(Struct, frozen=True):
    """Where digests go, once the address is confirmed."""

    address: str
    confirmed: bool
    lang: Lang


class NotifyState(Struct, frozen=True):
    """How a person is told that it is their turn."""

    push_key: str
    """The server's public key; a browser needs it to subscribe."""
    devices: int
    """How many devices get push messages."""
    mail: bool
    """Whether this host sends mails."""
    email: MyEmail | None


class NewDevice(Struct, frozen=True, forbid_unknown_fields=True):
    """A push subscription of a browser."""

    endpoint: EndpointUrl
    p256dh: Key
    auth: Key
    lang: Lang


class RenewedDevice(Struct, frozen=True, forbid_unknown_fields=True):
    """A push subscription that replaces one that the browser ended."""

    old: EndpointUrl
    endpoint: EndpointUrl
    p256dh: Key
    auth: Key


class OldDevice(Struct, frozen=True, forbid_unknown_fields=True):
    """A push subscription that ends."""

    endpoint: EndpointUrl


class NewEmail(Struct, frozen=True, forbid_unknown_fields=True):
    """An address for digests."""

    address: Annotated[str, Meta(min_length=3, max_length=LONGEST_ADDRESS)]
    lang: Lang


class MailDone(Struct, frozen=True):
    """What a link of a mail did."""

    done: Literal["confirmed", "unsubscribed"]
    lang: Lang


class MyDevice(Struct, frozen=True):
    """A device of a person, in the export of their data."""

    endpoint: str
    lang: Lang
    since: float
