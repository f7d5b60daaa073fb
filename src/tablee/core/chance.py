"""Randomness that anyone can recompute: SHA-256 of the seed, the ply and a counter.

A pick hashes the text `seed/ply/counter` in UTF-8 and reads the first eight bytes as a big-endian integer. A value in
the last, incomplete run of `n` is discarded and the counter goes on, so every result is equally likely.
tests/core/chance-vectors.txt holds published values.
"""

from __future__ import annotations

from hashlib import sha256

_SPAN = 1 << 64


class SeedChance:
    """The chance of one ply of one match."""

    __slots__ = ("_counter", "_ply", "_seed")

    def __init__(self, seed: str, ply: int) -> None:
        self._seed = seed
        self._ply = ply
        self._counter = 0

    def pick(self, n: int, /) -> int:
        """Return an integer drawn uniformly from [0, n)."""
        if not 1 <= n <= _SPAN:
            raise ValueError(f"cannot pick from {n} things")
        while True:
            digest = sha256(f"{self._seed}/{self._ply}/{self._counter}".encode()).digest()
            self._counter += 1
            value = int.from_bytes(digest[:8], "big")
            if value < _SPAN - _SPAN % n:
                return value % n
