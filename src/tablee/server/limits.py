"""Rate limits as token buckets: so much at once, so much in the long run."""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import IPv6Address, IPv6Network
from math import ceil

from ..core.game import Refused
from .clock import Clock

MOST_KEYS = 20_000


def address_of(client: tuple[str, int] | None) -> str:
    """Return the address that limits count; all addresses of one IPv6 /64 network count as one."""
    address = client[0] if client else ""
    try:
        six = IPv6Address(address)
    except ValueError:
        return address
    return str(six.ipv4_mapped or IPv6Network((int(six) >> 64 << 64, 64)))


class Bucket:
    """Holds up to `size` tokens and gains `rate` a second."""

    __slots__ = ("rate", "size", "stamp", "time", "tokens")

    def __init__(self, rate: float, size: float, time: Clock) -> None:
        self.rate = rate
        self.size = size
        self.time = time
        self.tokens = size
        self.stamp = time.now()

    def take(self, count: int = 1) -> float:
        """Take tokens and return 0, or return the seconds until there are enough."""
        now = self.time.now()
        tokens = self.tokens + (now - self.stamp) * self.rate
        if tokens > self.size:
            tokens = self.size
        self.stamp = now
        if tokens < count:
            self.tokens = tokens
            return (count - tokens) / self.rate
        self.tokens = tokens - count
        return 0.0


def too_many(wait: float) -> Refused:
    """Return the refusal that says when to try again, in seconds rounded up to a tenth."""
    return Refused("too_many", retry=ceil(wait * 10) / 10)


class Limiter:
    """One bucket per key; forgets the keys that were not used for the longest time first."""

    def __init__(self, rate: float, size: float, time: Clock) -> None:
        self._rate = rate
        self._size = size
        self._time = time
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def demand(self, key: str) -> None:
        """Count one use; raise `Refused` if it is one too many."""
        wait = self.take(key)
        if wait:
            raise too_many(wait)

    def give_back(self, key: str) -> None:
        """Undo one use."""
        self._buckets[key].tokens += 1

    def take(self, key: str, count: int = 1) -> float:
        """Count uses and return 0, or return the seconds until as many are allowed."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._size, self._time)
            if len(self._buckets) > MOST_KEYS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket.take(count)
