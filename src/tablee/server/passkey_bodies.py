"""Bodies of the passkey API. Binary values are base64url without padding, as WebAuthn's JSON has them."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

KeyId = Annotated[str, Meta(min_length=1, max_length=1400, pattern="^[A-Za-z0-9_-]+$")]
"""A credential id has at most 1023 bytes."""
KeyName = Annotated[str, Meta(min_length=1, max_length=40)]
Binary = Annotated[str, Meta(min_length=1, max_length=8000, pattern="^[A-Za-z0-9_-]+$")]


class PasskeyInfo(Struct, frozen=True):
    """A passkey of the person behind the cookie."""

    id: str
    name: str
    host: str
    """The host name that it works for."""
    created: float
    used: float | None
    """When it last signed in."""


class PasskeyOptions(Struct, frozen=True, rename={"public_key": "publicKey"}):
    """What the browser passes to `navigator.credentials`."""

    public_key: dict[str, Any]


class NewPasskey(Struct, frozen=True, forbid_unknown_fields=True):
    """What an authenticator answered to `navigator.credentials.create`."""

    name: KeyName
    id: KeyId
    client_data: Binary
    attestation: Binary


class RenamePasskey(Struct, frozen=True, forbid_unknown_fields=True):
    name: KeyName


class PasskeyAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """What an authenticator answered to `navigator.credentials.get`."""

    id: KeyId
    client_data: Binary
    authenticator_data: Binary
    signature: Binary
