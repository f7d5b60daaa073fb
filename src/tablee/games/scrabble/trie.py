"""The words of a lexicon as a trie in flat arrays, for the rules.

Nodes are numbered level by level, and the children of a node are adjacent, in the order of their letters. Numpy builds
the trie from the sorted list in a fraction of a second. The bots have their own word graph, made for the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .board import RACK
from .lexicon import lexicon

FIRST_LETTER = ord("A")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ANY_LETTER = (1 << 26) - 1
END = 1 << 26
"""The bit of a node where a word ends."""


class Trie:
    """A trie; a letter is a bit, `A` is 1, and a set of letters is a mask."""

    __slots__ = ("first", "letters", "reach")

    def __init__(self, words: Sequence[str]) -> None:
        import numpy as np

        table = np.array(words, dtype="S15").view(np.uint8).reshape(len(words), 15)
        lengths = (table != 0).sum(axis=1)
        common = np.zeros(len(words), dtype=np.int64)
        """The number of letters that each word shares with the one before it."""
        common[1:] = np.logical_and.accumulate((table[1:] == table[:-1]) & (table[1:] != 0), axis=1).sum(axis=1)
        levels = [np.zeros(1, dtype=np.int64)]
        """The first word of every node, for each depth."""
        levels += [np.flatnonzero((lengths >= depth) & (common < depth)) for depth in range(1, 16)]
        starts = np.cumsum([0, *map(len, levels)])
        letters = np.zeros(starts[-1], dtype=np.uint32)
        first = np.zeros(starts[-1], dtype=np.uint32)
        reach = np.zeros((RACK + 1, starts[-1]), dtype=np.uint32)
        for depth in range(15, 0, -1):
            rows, above = levels[depth], levels[depth - 1]
            nodes = np.arange(starts[depth], starts[depth + 1])
            letters[nodes[lengths[rows] == depth]] |= END
            if not len(rows):
                continue
            owners = np.searchsorted(above, rows, side="right") - 1
            eldest = np.flatnonzero(np.diff(owners, prepend=-1))
            parents = starts[depth - 1] + owners[eldest]
            first[parents] = nodes[eldest]
            bits = np.uint32(1) << (table[rows, depth - 1] - FIRST_LETTER).astype(np.uint32)
            letters[parents] |= np.bitwise_or.reduceat(bits, eldest)
            reach[1, parents] = np.bitwise_or.reduceat(bits, eldest)
            for ahead in range(2, RACK + 1):
                reach[ahead, parents] = np.bitwise_or.reduceat(reach[ahead - 1, nodes], eldest)
        self.letters = letters.data
        """The letters that can follow each node, and END."""
        self.first = first.data
        """The first child of each node."""
        self.reach = [row.data for row in reach]
        """`reach[n][node]`: the letters that can come n places after a node."""

    def child(self, node: int, bit: int) -> int:
        """Return the child for a letter, which must exist."""
        return self.first[node] + (self.letters[node] & (bit - 1)).bit_count()

    def walk(self, node: int, word: str) -> int | None:
        """Return the node after some capital letters, or None."""
        for letter in word:
            bit = 1 << ord(letter) - FIRST_LETTER
            if not self.letters[node] & bit:
                return None
            node = self.child(node, bit)
        return node


@lru_cache(maxsize=4)
def trie_of(ref: str) -> Trie:
    return Trie(lexicon(ref).words)
