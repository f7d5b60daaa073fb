"""The HTTP API of notifications."""

from __future__ import annotations

from litestar import delete, get, post, put
from litestar.params import FromPath, JSONBody

from ..core.game import Refused
from ..store.notifications import Device, Email
from ..table import PersonId
from .dependencies import REFUSED, TOO_LARGE, TOO_MANY, UNKNOWN, ApiRequest, address_of, house_of, person_of
from .digests import Digests
from .house import House
from .mail import is_address
from .mail_links import hashed
from .notify_bodies import MailDone, MyEmail, NewDevice, NewEmail, NotifyState, OldDevice, RenewedDevice
from .push import check_keys
from .push_endpoint import read_endpoint

MOST_DEVICES = 10
"""Devices of one person; a new one replaces the oldest."""


@get("/me/notifications")
async def show_notifications(request: ApiRequest) -> NotifyState:
    """Show how you are told that it is your turn."""
    house, person = house_of(request), person_of(request)
    return NotifyState(
        push_key=house.notifier.signer.public_key,
        devices=len(await house.store.notifications.devices(person)),
        mail=house.digests is not None,
        email=await email_of(house, person),
    )


async def email_of(house: House, person: PersonId) -> MyEmail | None:
    email = await house.store.notifications.email(person)
    return None if email is None else MyEmail(email.address, email.confirmed, email.lang)


@put("/me/push", status_code=204, responses=REFUSED | TOO_LARGE | TOO_MANY)
async def add_device(request: ApiRequest, data: JSONBody[NewDevice]) -> None:
    """Send push messages to this browser; a device belongs to the last person who asked."""
    house = house_of(request)
    house.subscriptions.demand(address_of(request))
    read_endpoint(data.endpoint, allow_local=house.config.push_local)
    check_keys(data.p256dh, data.auth)
    device = Device(data.endpoint, data.p256dh, data.auth, data.lang, house.time.wall())
    await house.store.notifications.save_device(person_of(request), device, MOST_DEVICES)


@post("/me/push/renew", status_code=204, responses=REFUSED | TOO_LARGE | TOO_MANY | UNKNOWN)
async def renew_device(request: ApiRequest, data: JSONBody[RenewedDevice]) -> None:
    """Replace the subscription of a browser of yours, for which the browser made a new one."""
    house, person = house_of(request), person_of(request)
    house.subscriptions.demand(address_of(request))
    read_endpoint(data.endpoint, allow_local=house.config.push_local)
    check_keys(data.p256dh, data.auth)
    # Only what was there is replaced: this browser may belong to somebody now who asked for no messages.
    old = next((one for one in await house.store.notifications.devices(person) if one.endpoint == data.old), None)
    if old is None:
        raise Refused("unknown_device")
    device = Device(data.endpoint, data.p256dh, data.auth, old.lang, house.time.wall())
    await house.store.notifications.remove_device(data.old, person)
    await house.store.notifications.save_device(person, device, MOST_DEVICES)


@post("/me/push/remove", status_code=204, responses=REFUSED | TOO_LARGE)
async def remove_device(request: ApiRequest, data: JSONBody[OldDevice]) -> None:
    """Send no more push messages to a browser of yours."""
    await house_of(request).store.notifications.remove_device(data.endpoint, person_of(request))


@put("/me/email", status_code=204, responses=REFUSED | TOO_LARGE | TOO_MANY | UNKNOWN)
async def save_email(request: ApiRequest, data: JSONBody[NewEmail]) -> None:
    """Send digests to an address, once the link in a first mail was opened."""
    house, person = house_of(request), person_of(request)
    digests = digests_of(house)
    if not is_address(data.address):
        raise Refused("bad_request", field="address", problem="not an e-mail address")
    house.subscriptions.demand(address_of(request))
    old = await house.store.notifications.email(person)
    is_confirmed = old is not None and old.confirmed and old.address == data.address
    email = Email(person, data.address, data.lang, is_confirmed, house.time.wall(), old.mailed if old else 0.0)
    if not is_confirmed:
        house.confirmations.demand(hashed(data.address.lower()))
    await house.store.notifications.save_email(email)
    if not is_confirmed:
        digests.ask_to_confirm(email)


@delete("/me/email")
async def remove_email(request: ApiRequest) -> None:
    """Send no more mails, and forget the address."""
    await house_of(request).store.notifications.remove_email(person_of(request))


@post("/mail/{token:str}", status_code=200, responses=REFUSED | TOO_MANY | UNKNOWN)
async def follow_mail_link(request: ApiRequest, token: FromPath[str]) -> MailDone:
    """Do what a link of a mail is for: confirm an address or end the mails. Mail programs call it too (RFC 8058)."""
    house = house_of(request)
    house.mail_links_followed.demand(address_of(request))
    digests, link = digests_of(house), house.mail_links.read(token)
    if link.purpose == "unsubscribe":
        await digests.unsubscribe(link.person, link.address)
        return MailDone("unsubscribed", link.lang)
    if not await digests.confirm(link.person, link.address):
        raise Refused("bad_link")
    return MailDone("confirmed", link.lang)


def digests_of(house: House) -> Digests:
    if house.digests is None:
        raise Refused("no_mail")
    return house.digests


notify_api = [
    show_notifications,
    add_device,
    renew_device,
    remove_device,
    save_email,
    remove_email,
    follow_mail_link,
]
