"""Token buckets: so much at once, so much in the long run."""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import IPv6Address, IPv6Network
from math import ceil
from time import monotonic

from ..core.game import Refused

MOST_KEYS = 20_000


def address_of(client: tuple[str, int] | None) -> str:
    """From where somebody asks, as it is counted: who has one address of IPv6 has its whole network of 2⁶⁴."""
    address = client[0] if client else ""
    try:
        six = IPv6Address(address)
    except ValueError:
        return address
    return str(six.ipv4_mapped or IPv6Network((int(six) >> 64 << 64, 64)))


class Bucket:
    """Holds up to `size` tokens and gains `rate` a second."""

    __slots__ = ("rate", "size", "stamp", "tokens")

    def __init__(self, rate: float, size: float) -> None:
        self.rate = rate
        self.size = size
        self.tokens = size
        self.stamp = monotonic()

    def take(self, count: int = 1) -> float:
        """Take so many tokens and return 0, or return the seconds until there are enough."""
        now = monotonic()
        self.tokens = min(self.size, self.tokens + (now - self.stamp) * self.rate)
        self.stamp = now
        if self.tokens < count:
            return (count - self.tokens) / self.rate
        self.tokens -= count
        return 0.0


def too_many(wait: float) -> Refused:
    """The refusal that says in how many seconds, rounded up to a tenth, it is worth trying again."""
    return Refused("too_many", retry=ceil(wait * 10) / 10)


class Limiter:
    """A bucket for each key; the keys unused for longest are forgotten first."""

    def __init__(self, rate: float, size: float) -> None:
        self._rate = rate
        self._size = size
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def demand(self, key: str) -> None:
        """Count one use; raises `Refused` where it is one too many."""
        wait = self.take(key)
        if wait:
            raise too_many(wait)

    def give_back(self, key: str) -> None:
        """Forget one use that was none."""
        self._buckets[key].tokens += 1

    def take(self, key: str, count: int = 1) -> float:
        """Count some uses and return 0, or return the seconds until there may be as many."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._size)
            if len(self._buckets) > MOST_KEYS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket.take(count)
