"""HTTP bodies about notifications."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ..store.notifications import Lang
from .push_endpoint import LONGEST_ENDPOINT

EndpointUrl = Annotated[str, Meta(min_length=1, max_length=LONGEST_ENDPOINT)]
Key = Annotated[str, Meta(min_length=1, max_length=120, pattern=r"^[\w-]+=*$")]


class NotifyState(Struct, frozen=True):
    """How a person is told that it is their turn."""

    push_key: str
    """The server's public key; a browser needs it to subscribe."""
    devices: int
    """How many devices get push messages."""


class NewDevice(Struct, frozen=True, forbid_unknown_fields=True):
    """A push subscription of a browser."""

    endpoint: EndpointUrl
    p256dh: Key
    auth: Key
    lang: Lang


class OldDevice(Struct, frozen=True, forbid_unknown_fields=True):
    """A push subscription that ends."""

    endpoint: EndpointUrl


class MyDevice(Struct, frozen=True):
    """A device of a person, in the export of their data."""

    endpoint: str
    lang: Lang
    since: float
