"""Word graphs: built once for each lexicon, stored in a cache folder and memory-mapped by every process."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np

from .lexicon import Lexicon

FORM = 2
"""The version of the file format; files of another version are not read."""
STEPS = 4
"""How often `build` calls `tick`."""


def cache_folder() -> Path:
    """Return the folder for graphs: `TABLEE_CACHE`, or `cache` in the server's data folder."""
    return Path(os.environ.get("TABLEE_CACHE") or Path(os.environ.get("TABLEE_DATA") or "data") / "cache")


def build(words: Lexicon, tick: Callable[[], None] = lambda: None) -> Any:
    """Build the graph of a lexicon."""
    from . import kernel

    text: Any = np.frombuffer(words.text, np.uint8)
    packed: Any = np.zeros(2 * (words.text.count(b"\n") + 1), np.int64)
    beginnings = kernel.pack_words(text, packed)
    tick()
    room = kernel.FIRST + 32 + 2 * beginnings
    while (nodes := connect(packed, beginnings, room, tick)) is None:
        room *= 2
    graph = np.append(nodes, np.zeros(kernel.SAME_SIZE + kernel.BUT_ONE_SIZE, np.int64))
    graph[kernel.SAME], graph[kernel.BUT_ONE] = nodes.size, nodes.size + kernel.SAME_SIZE
    kernel.index_letters(graph, packed)
    # Read-only like a mapped array, because Numba would compile everything for both kinds.
    graph.setflags(write=False)
    tick()
    return graph


def connect(packed: Any, beginnings: int, room: int, tick: Callable[[], None]) -> Any:
    """Return the nodes of a graph, or None if the space is too small."""
    from . import kernel

    graph: Any = np.zeros(room, np.int64)
    slots: Any = np.zeros(1 << (2 * room).bit_length(), np.int64)
    backwards, nodes = np.zeros(2 * beginnings, np.int64), np.zeros(beginnings, np.int64)
    ends = np.full(packed.size // 2 + 1, kernel.ENDS, np.int64)
    used = kernel.add_words(graph, slots, kernel.FIRST, packed, ends, backwards, nodes)
    if used < 0:
        return None
    graph[kernel.DAWG] = graph[used - 1]
    tick()
    order = np.lexsort((backwards[1::2], backwards[::2]))
    backwards, nodes = backwards.reshape(-1, 2)[order].reshape(-1), np.append(nodes[order], 0)
    nothing: Any = np.zeros(0, np.int64)
    used = kernel.add_words(graph, slots, used, backwards, nodes, nothing, nothing)
    if used < 0:
        return None
    graph[kernel.GADDAG] = graph[used - 1]
    tick()
    return graph[:used]


def graph_for(words: Lexicon, tick: Callable[[], None] = lambda: None) -> Any:
    """Map the graph of a lexicon from its file; build it first if there is none."""
    path = cache_folder() / f"{words.name}.{words.hash}.graph{FORM}.npy"
    with suppress(OSError, ValueError):
        return np.load(path, mmap_mode="r")
    graph = build(words, tick)
    with suppress(OSError):
        return keep(graph, path)
    return graph


def keep(graph: Any, path: Path) -> Any:
    """Write a graph atomically and map it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".graph-", delete=False) as file:
        try:
            np.save(file, graph)
            file.close()
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
    return np.load(path, mmap_mode="r")
