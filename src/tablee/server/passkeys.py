"""Passkeys: create one, sign in with it on another device, remove it.

A challenge is a signed token, so any server can check the answer to a challenge of another one. It holds for a few
minutes, for one purpose and one person, and the store notes its first use.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from ..core.game import Refused
from ..store import PersonRow
from ..store.passkeys import Passkey, Spending
from ..table import PersonId
from .house import House
from .passkey_bodies import NewPasskey, PasskeyAnswer, PasskeyInfo, PasskeyOptions
from .people import clean

if TYPE_CHECKING:
    from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
    from webauthn.registration.verify_registration_response import VerifiedRegistration

SITE_NAME = "Tablée"
MOST_KEYS = 10
"""Passkeys of one person."""
CHALLENGE_SECONDS = 300
"""How long a person may take to answer."""
NONCE, EXPIRY = 16, 8
LONGEST_NAME = 40

Purpose = Literal["create", "sign_in"]
log = logging.getLogger("tablee.passkeys")


class Site(Struct, frozen=True):
    """The host name for which keys are made, and the origins whose pages may use them."""

    host: str
    origins: list[str]


def site_of(house: House, host: str) -> Site:
    """Return the site that the operator set, or else the one whose name the browser used.

    Trusting the `Host` header is safe: the authenticator signs the host name that the browser saw, and the browser
    says its origin. An answer that another site got does not match.
    """
    if house.config.url is not None:
        return Site(host_name(house.config.url), [house.config.url])
    name = host_name(f"//{host}")
    if not name or is_address(name):
        raise Refused("passkey_host", host=name[:100])
    is_local = name == "localhost" or name.endswith(".localhost")
    return Site(name, [f"https://{host}", f"http://{host}"] if is_local else [f"https://{host}"])


def host_name(url: str) -> str:
    """Return the host name in a URL; empty if there is none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # a broken IPv6 address
        return ""


def is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Challenges:
    """Makes and checks challenges; they are signed with a key that follows from the one of the cookies."""

    def __init__(self, house: House) -> None:
        self._house = house

    def make(self, purpose: Purpose, person: PersonId) -> bytes:
        expires = int(self._house.time.wall()) + CHALLENGE_SECONDS
        head = secrets.token_bytes(NONCE) + expires.to_bytes(EXPIRY, "big")
        return head + self._seal(purpose, person, head)

    def check(self, challenge: bytes, purpose: Purpose, person: PersonId) -> Spending:
        """Return how to spend a challenge; raise `Refused` if it is too old, or was made for something else."""
        head, seal = challenge[: NONCE + EXPIRY], challenge[NONCE + EXPIRY :]
        if not hmac.compare_digest(seal, self._seal(purpose, person, head)):
            raise Refused("passkey_expired")
        expires, now = int.from_bytes(head[NONCE:], "big"), self._house.time.wall()
        if expires < now:
            raise Refused("passkey_expired")
        return Spending(sha256(challenge).hexdigest(), float(expires), now)

    def _seal(self, purpose: Purpose, person: PersonId, head: bytes) -> bytes:
        key = self._house.identity.derive("passkey challenges")
        return hmac.new(key, b"\0".join([purpose.encode(), person.encode(), head]), sha256).digest()


async def creation_options(house: House, person: PersonRow, host: str) -> PasskeyOptions:
    """Return the options with which a browser creates a passkey for a person."""
    site = site_of(house, host)
    known = await house.store.passkeys.of(person.id)
    if len(known) >= MOST_KEYS:
        raise Refused("passkey_full", most=MOST_KEYS)
    challenge = Challenges(house).make("create", person.id)
    return PasskeyOptions(
        {
            "rp": {"id": site.host, "name": SITE_NAME},
            "user": {"id": encode(person.id.encode()), "name": person.name, "displayName": person.name},
            "challenge": encode(challenge),
            # Ed25519, ECDSA and RSA with SHA-256: every authenticator has one of them.
            "pubKeyCredParams": [{"type": "public-key", "alg": alg} for alg in (-8, -7, -257)],
            "timeout": CHALLENGE_SECONDS * 1000,
            "attestation": "none",
            "authenticatorSelection": {
                "residentKey": "required",
                "requireResidentKey": True,
                "userVerification": "preferred",
            },
            "excludeCredentials": [{"type": "public-key", "id": key.id} for key in known if key.host == site.host],
        }
    )


def sign_in_options(house: House, person: PersonId, host: str) -> PasskeyOptions:
    """Return the options with which a browser asks for any passkey of this site."""
    return PasskeyOptions(
        {
            "rpId": site_of(house, host).host,
            "challenge": encode(Challenges(house).make("sign_in", person)),
            "timeout": CHALLENGE_SECONDS * 1000,
            "userVerification": "preferred",
            "allowCredentials": [],
        }
    )


async def add(house: House, person: PersonId, host: str, answer: NewPasskey) -> PasskeyInfo:
    """Keep a new passkey of a person."""
    site, challenge = site_of(house, host), challenge_in(answer.client_data)
    spending = Challenges(house).check(challenge, "create", person)
    name = clean(answer.name, LONGEST_NAME)
    try:
        made = await asyncio.to_thread(_verify_new, answer, challenge, site)
    except Exception as error:  # the parsers of hostile input raise all kinds of errors
        raise _refused(error) from error
    key = Passkey(
        id=encode(made.credential_id),
        person=person,
        host=site.host,
        public_key=made.credential_public_key,
        sign_count=made.sign_count,
        name=name,
        created=spending.now,
    )
    match await house.store.passkeys.add(key, spending, most=MOST_KEYS):
        case "added":
            return info(key)
        case "full":
            raise Refused("passkey_full", most=MOST_KEYS)
        case "known":
            raise Refused("passkey_known")
        case _:
            raise Refused("passkey_expired")


async def sign_in(house: House, visitor: PersonId, host: str, answer: PasskeyAnswer) -> PersonId:
    """Return the owner of a passkey after it signed the visitor's challenge."""
    site, challenge = site_of(house, host), challenge_in(answer.client_data)
    spending = Challenges(house).check(challenge, "sign_in", visitor)
    key = await house.store.passkeys.find(answer.id)
    if key is None or key.host != site.host:
        raise Refused("passkey_unknown")
    try:
        verified = await asyncio.to_thread(_verify_answer, answer, challenge, site, key)
    except Exception as error:
        raise _refused(error) from error
    match await house.store.passkeys.use(key.id, verified.new_sign_count, spending):
        case "used":
            return key.person
        case "copied":
            log.warning("refused a passkey whose counter went back: there may be a copy of it")
            raise Refused("passkey_copied")
        case "gone":
            raise Refused("passkey_unknown")
        case _:
            raise Refused("passkey_expired")


async def rename(house: House, person: PersonId, id: str, name: str) -> None:
    if not await house.store.passkeys.rename(person, id, clean(name, LONGEST_NAME)):
        raise Refused("passkey_unknown")


async def remove(house: House, person: PersonId, id: str) -> None:
    if not await house.store.passkeys.remove(person, id):
        raise Refused("passkey_unknown")


async def infos(house: House, person: PersonId) -> list[PasskeyInfo]:
    return [info(key) for key in await house.store.passkeys.of(person)]


def info(key: Passkey) -> PasskeyInfo:
    return PasskeyInfo(key.id, key.name, key.host, key.created, key.used)


def challenge_in(client_data: str) -> bytes:
    """Return the challenge that a browser says it passed on; the signature is checked later."""
    try:
        said: Any = msgspec.json.decode(decode(client_data))
        return decode(said["challenge"])
    except (msgspec.DecodeError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise Refused("bad_request", field="client_data", problem="it is not the client data of a browser") from error


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _refused(error: Exception) -> Refused:
    log.info("refused a passkey: %s", error)
    return Refused("passkey_refused")


# webauthn takes a quarter of a second to import, so the first person who needs it waits for that in a thread.


def _verify_new(answer: NewPasskey, challenge: bytes, site: Site) -> VerifiedRegistration:
    from webauthn import verify_registration_response
    from webauthn.helpers.structs import AuthenticatorAttestationResponse, RegistrationCredential

    response = AuthenticatorAttestationResponse(decode(answer.client_data), decode(answer.attestation))
    return verify_registration_response(
        credential=RegistrationCredential(answer.id, decode(answer.id), response),
        expected_challenge=challenge,
        expected_rp_id=site.host,
        expected_origin=site.origins,
    )


def _verify_answer(answer: PasskeyAnswer, challenge: bytes, site: Site, key: Passkey) -> VerifiedAuthentication:
    from webauthn import verify_authentication_response
    from webauthn.helpers.structs import AuthenticationCredential, AuthenticatorAssertionResponse

    response = AuthenticatorAssertionResponse(
        decode(answer.client_data), decode(answer.authenticator_data), decode(answer.signature)
    )
    return verify_authentication_response(
        credential=AuthenticationCredential(answer.id, decode(answer.id), response),
        expected_challenge=challenge,
        expected_rp_id=site.host,
        expected_origin=site.origins,
        credential_public_key=key.public_key,
        credential_current_sign_count=0,  # the store compares the counter in the transaction that changes it
    )
