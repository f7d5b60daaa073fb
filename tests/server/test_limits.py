"""Rate limits, and the addresses that they count."""

import pytest

from tablee.core.game import Refused
from tablee.server.clock import Clock
from tablee.server.limits import Limiter, address_of

COUNTED_AS = {
    "192.0.2.7": "192.0.2.7",
    "::ffff:192.0.2.7": "192.0.2.7",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
    "2001:DB8:1:2::": "2001:db8:1:2::/64",
    "2001:db8:1:3::1": "2001:db8:1:3::/64",
    "fe80::1%eth0": "fe80::/64",
    "unix:": "unix:",
    "": "",
}


@pytest.mark.parametrize("address", COUNTED_AS)
def test_an_address_is_counted_as_its_network(address: str) -> None:
    assert address_of((address, 1)) == COUNTED_AS[address]


def test_nobody_s_address_is_counted_too() -> None:
    assert address_of(None) == ""


def test_one_network_does_not_get_more_by_changing_its_address() -> None:
    limiter = Limiter(0.001, 5, Clock())
    for last in range(5):
        limiter.demand(address_of((f"2001:db8::{last}", 1)))
    with pytest.raises(Refused, match="too_many"):
        limiter.demand(address_of(("2001:db8::ffff", 1)))
    limiter.demand(address_of(("2001:db8:0:1::", 1)))
