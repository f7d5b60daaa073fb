"""The engines of a process, one for each lexicon, and the value of keeping tiles with it.

Only bot and study processes call these functions, because an engine imports Numba.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from .lexicon import lexicon

if TYPE_CHECKING:
    from .engine import Engine


@cache
def engine(ref: str) -> Engine:
    """Return the engine with all words of a lexicon."""
    from .engine import Engine

    return Engine(lexicon(ref))


@cache
def common_engine(ref: str) -> Engine:
    """Return the engine with the common words of a lexicon; their graph is small and built at once."""
    from .common import common_words
    from .engine import Engine
    from .graph import build

    words = common_words(ref)
    return Engine(words, build(words))


@cache
def no_likes() -> Any:
    """Return a value of zero for every tile kept."""
    import numpy as np

    from .kernel import LIKES

    return np.zeros(LIKES, np.int64)


@cache
def likes(ref: str) -> Any:
    """Return the value of keeping tiles with a lexicon."""
    from .leaves import likes_of

    return likes_of(ref)
