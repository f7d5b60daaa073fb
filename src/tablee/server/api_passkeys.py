"""The HTTP API of passkeys."""

from __future__ import annotations

from litestar import Response, delete, get, patch, post
from litestar.datastructures import ResponseHeader
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody

from . import passkeys
from .bodies import Me
from .dependencies import REFUSED, TOO_LARGE, TOO_MANY, UNKNOWN, ApiRequest, address_of, house_of, person_of
from .house import House
from .passkey_bodies import NewPasskey, PasskeyAnswer, PasskeyInfo, PasskeyOptions, RenamePasskey


def limited(request: ApiRequest) -> House:
    """Return the house; raise `Refused` if this address asks too often."""
    house = house_of(request)
    house.passkey_requests.demand(address_of(request))
    return house


def host_of(request: ApiRequest) -> str:
    return request.headers.get("host", "")


@get("/me/passkeys")
async def list_passkeys(request: ApiRequest) -> list[PasskeyInfo]:
    """List your passkeys, oldest first."""
    return await passkeys.infos(house_of(request), person_of(request))


@post("/me/passkeys/options", status_code=200, responses=REFUSED | TOO_MANY)
async def creation_options(request: ApiRequest) -> PasskeyOptions:
    """Return what the browser needs to create a passkey."""
    house = limited(request)
    return await passkeys.creation_options(house, await house.people.load(person_of(request)), host_of(request))


@post("/me/passkeys", responses=REFUSED | TOO_LARGE | TOO_MANY)
async def add_passkey(request: ApiRequest, data: JSONBody[NewPasskey]) -> PasskeyInfo:
    """Keep a passkey that the browser has created."""
    return await passkeys.add(limited(request), person_of(request), host_of(request), data)


@patch("/me/passkeys/{id:str}", status_code=204, responses=REFUSED | TOO_LARGE | UNKNOWN | TOO_MANY)
async def rename_passkey(request: ApiRequest, id: FromPath[str], data: JSONBody[RenamePasskey]) -> None:
    """Give one of your passkeys another name."""
    await passkeys.rename(limited(request), person_of(request), id, data.name)


@delete(
    "/me/passkeys/{id:str}",
    status_code=204,
    responses=UNKNOWN | TOO_MANY | {204: ResponseSpec(None, description="Removed")},
)
async def remove_passkey(request: ApiRequest, id: FromPath[str]) -> None:
    """Remove one of your passkeys; it no longer signs in."""
    await passkeys.remove(limited(request), person_of(request), id)


@post("/passkeys/options", status_code=200, responses=REFUSED | TOO_MANY)
async def sign_in_options(request: ApiRequest) -> PasskeyOptions:
    """Return what the browser needs to ask for a passkey of this site."""
    return passkeys.sign_in_options(limited(request), person_of(request), host_of(request))


@post("/passkeys/sign-in", status_code=200, responses=REFUSED | TOO_LARGE | UNKNOWN | TOO_MANY)
async def sign_in(request: ApiRequest, data: JSONBody[PasskeyAnswer]) -> Response[Me]:
    """Become the person whose passkey this is."""
    house = limited(request)
    person = await house.people.load(await passkeys.sign_in(house, person_of(request), host_of(request), data))
    cookie = house.identity.set_cookie(person.id, secure=request.url.scheme == "https")
    return Response(
        Me(person.id, person.name, person.avatar), headers=[ResponseHeader(name="set-cookie", value=cookie)]
    )


passkeys_api = [
    list_passkeys,
    creation_options,
    add_passkey,
    rename_passkey,
    remove_passkey,
    sign_in_options,
    sign_in,
]
