"""Every game as an environment for learning programs (docs/python.md).

`aec` makes a PettingZoo environment, which needs `pip install tablee[envs]`. `vector` makes many matches at once, as
NumPy arrays. Both give the same observations and number the actions alike. `bot` makes a bot of what a program learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec import Struct

from ..core.discover import find
from ..core.encoding import Encoding, Kernel, load_encoding
from ..core.match import check_seats, read_options

if TYPE_CHECKING:
    from .pettingzoo_env import TableeEnv
    from .policy import Policy, PolicyBot
    from .vector_env import VectorEnv

__all__ = ["Reward", "aec", "bot", "encoding", "vector"]

Reward = Literal["places", "scores"]
"""What a finished match pays: 1 for beating everybody to -1 for losing to everybody, or the scores of the game."""
Options = Mapping[str, Any] | Struct | None


def encoding(key: str, *, seats: int | None = None, options: Options = None) -> Encoding[Any, Any]:
    """Return the numbers of a game's observations and actions; raise `ValueError` if it has none.

    >>> encoding("kora").parts["hand"]
    slice(0, 52, None)
    """
    package = find(key)
    if package.encoding is None:
        raise ValueError(f"the game {key!r} has no encoding: set `encoding` in its Package")
    rules = package.rules
    return load_encoding(package.encoding, check_seats(rules, seats), read_options(rules, options or {}))


def aec(
    key: str,
    *,
    seats: int | None = None,
    options: Options = None,
    reward: Reward = "places",
    concessions: bool = False,
    full_state: bool = False,
    render_mode: Literal["ansi"] | None = None,
    kernel: bool | None = None,
) -> TableeEnv:
    """Return a game as a PettingZoo AEC environment.

    With `concessions`, players can also resign and agree on a draw. With `full_state`, `state()` shows what all seats
    know together: it is for training only, because no player may see it. `kernel` is as in `vector`; matches with
    concessions, and those that can be rendered, run through the rules.
    """
    try:
        import pettingzoo  # noqa: F401
    except ModuleNotFoundError:
        raise ModuleNotFoundError("PettingZoo is missing: pip install 'tablee[envs]'", name="pettingzoo") from None
    from .episode import Episode, KernelEpisode
    from .pettingzoo_env import TableeEnv

    if render_mode not in (None, "ansi"):
        raise ValueError(f"render_mode is {render_mode!r}; it can be 'ansi' or None")
    coded = encoding(key, seats=seats, options=options)
    fast = None if concessions or render_mode else kernel_of(key, coded, 1, kernel)
    episode = Episode(find(key).rules, coded, concessions=concessions) if fast is None else KernelEpisode(fast, coded)
    return TableeEnv(key, episode, checked(reward), full_state=full_state, render_mode=render_mode)


def vector(
    key: str,
    *,
    n: int,
    seats: int | None = None,
    options: Options = None,
    reward: Reward = "places",
    full_state: bool = False,
    kernel: bool | None = None,
) -> VectorEnv:
    """Return `n` matches that are played at once; a match that ends begins again by itself.

    They run in machine code if the game has a kernel for these options, else through the rules, which is slow.
    `kernel=True` raises `ValueError` instead of being slow, and `kernel=False` always takes the rules.
    """
    from .vector_env import VectorEnv

    if n < 1:
        raise ValueError(f"n is {n}; there must be at least one match")
    coded = encoding(key, seats=seats, options=options)
    fast = kernel_of(key, coded, n, kernel)
    return VectorEnv(find(key).rules, coded, n, checked(reward), fast, full_state=full_state)


def bot(key: str, policy: Policy, *, seats: int | None = None, options: Options = None) -> PolicyBot:
    """Return a policy as a bot for matches with these seats and options.

    A policy takes an observation and a mask, as the environments give them, and returns an id. It is asked once for
    each id of an action.
    """
    from .policy import PolicyBot

    return PolicyBot(find(key).rules, encoding(key, seats=seats, options=options), policy)


def kernel_of(key: str, coded: Encoding[Any, Any], n: int, wanted: bool | None) -> Kernel | None:
    """Return the kernel of a game unless it is not wanted; raise `ValueError` if it is wanted and there is none."""
    found = None if wanted is False else coded.kernel(n)
    if wanted and found is None:
        raise ValueError(f"{key} has no kernel for these options: leave `kernel` out to play through the rules")
    return found


def checked(reward: Reward) -> Reward:
    """Return the kind of reward; raise `ValueError` if there is no such kind."""
    if reward not in get_args(Reward):
        raise ValueError(f"reward is {reward!r}; it can be 'places' or 'scores'")
    return reward
