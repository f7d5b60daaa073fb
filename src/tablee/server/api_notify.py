"""The HTTP API of notifications."""

from __future__ import annotations

from litestar import Router, get, post, put
from litestar.params import JSONBody

from ..store.notifications import Device
from .dependencies import REFUSED, TOO_LARGE, TOO_MANY, ApiRequest, address_of, house_of, person_of
from .notify_bodies import NewDevice, NotifyState, OldDevice
from .push import check_keys
from .push_endpoint import read_endpoint

MOST_DEVICES = 10
"""Devices of one person; a new one replaces the oldest."""


@get("/me/notifications")
async def show_notifications(request: ApiRequest) -> NotifyState:
    """Show how you are told that it is your turn."""
    house = house_of(request)
    devices = await house.store.notifications.devices(person_of(request))
    return NotifyState(house.notifier.signer.public_key, len(devices))


@put("/me/push", status_code=204, responses=REFUSED | TOO_LARGE | TOO_MANY)
async def add_device(request: ApiRequest, data: JSONBody[NewDevice]) -> None:
    """Send push messages to this browser; a device belongs to the last person who asked."""
    house = house_of(request)
    house.subscriptions.demand(address_of(request))
    read_endpoint(data.endpoint, allow_local=house.config.push_local)
    check_keys(data.p256dh, data.auth)
    device = Device(data.endpoint, data.p256dh, data.auth, data.lang, house.time.wall())
    await house.store.notifications.save_device(person_of(request), device, MOST_DEVICES)


@post("/me/push/remove", status_code=204, responses=REFUSED | TOO_LARGE)
async def remove_device(request: ApiRequest, data: JSONBody[OldDevice]) -> None:
    """Send no more push messages to a browser of yours."""
    await house_of(request).store.notifications.remove_device(data.endpoint, person_of(request))


notify_api = Router("/", route_handlers=[show_notifications, add_device, remove_device])
