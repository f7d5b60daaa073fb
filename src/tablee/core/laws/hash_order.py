"""The law that a game does not depend on the order of a set.

Python orders the strings of a set differently in each process, so a rule that takes "the first of a set" replays
differently after a restart. The same short matches are played in three processes with different hash seeds.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from ..game import FALLBACK_CAUSES
from ..match import Match
from .moment import AnyGame, LawBroken, sentence_of, text_of
from .play import act_at_random

HASH_SEEDS = ("1", "2", "3")
PLIES = 20
CHILD = "TABLEE_LAWS_CHILD"
"""Set in the processes that this module starts: a module that calls `check_laws` on import must not start more."""


def is_child() -> bool:
    return CHILD in os.environ


def check_hash_order(game: AnyGame, seed: str) -> None:
    """The same seed gives the same match in every process, whatever the order in which sets are iterated.

    A game is checked if its class can be imported by name, so not if it is defined inside a function.
    """
    order = packed(game, seed)
    if order is None:
        return
    children = [start(order, hash_seed) for hash_seed in HASH_SEEDS]
    played = [finish(child) for child in children]
    for lines in zip(*played, strict=True):
        texts = [json.loads(line) for line in lines]
        where, parts = texts[0]["where"], texts[0]["parts"]
        for name, text in parts.items():
            for other in texts[1:]:
                if other["parts"][name] != text:
                    detail = f"{name}: {difference(text, other['parts'][name])}"
                    raise LawBroken("hash_order_changes_nothing", sentence_of(check_hash_order), where, detail)


def packed(game: AnyGame, seed: str) -> str | None:
    """The game and how to import it, or None if it cannot be imported by name."""
    kind = type(game)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if file is None or kind.__module__ == "__main__" or "<locals>" in kind.__qualname__:
        return None
    names = kind.__module__.split(".")
    packages = [".".join(names[:end]) for end in range(1, len(names))]
    order = {
        "seed": seed,
        "module": kind.__module__,
        "file": file,
        # A folder that was added to a package while running is not found otherwise.
        "paths": {name: list(getattr(sys.modules.get(name), "__path__", [])) for name in packages},
        "game": base64.b64encode(pickle.dumps(game)).decode(),
    }
    return json.dumps(order)


def start(order: str, hash_seed: str) -> subprocess.Popen[str]:
    """Start a process that plays the matches."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path), CHILD: "1"}
    command = [sys.executable, "-c", f"from {__name__} import play_in_child; play_in_child()"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    child = subprocess.Popen(command, env=environment, text=True, encoding="utf-8", **pipes)  # noqa: S603
    assert child.stdin is not None
    child.stdin.write(order + "\n")
    child.stdin.flush()
    return child


def finish(child: subprocess.Popen[str]) -> list[str]:
    """Wait for a process and return what it printed."""
    output, errors = child.communicate()
    if child.returncode:
        raise RuntimeError(f"the game cannot be played in a process of its own:\n{errors}")
    return output.splitlines()


def play_in_child() -> None:
    """Read an order, play its matches and print one line for each moment."""
    from importlib import import_module

    order = json.loads(sys.stdin.readline())
    for name, path in order["paths"].items():
        try:
            package = import_module(name)
        except ImportError:
            break
        package.__path__ = list(dict.fromkeys([*package.__path__, *path]))
    try:
        import_module(order["module"])
    except ImportError:
        load_file(order["module"], order["file"])
    game = pickle.loads(base64.b64decode(order["game"]))  # noqa: S301  it comes from our own parent process
    for line in transcript(game, order["seed"]):
        print(line)


def load_file(name: str, file: str) -> None:
    """Import a module that is not in a package from its file."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


def transcript(game: AnyGame, seed: str) -> Iterator[str]:
    """Play a few short matches and yield what the game answers at each moment, as JSON."""
    for seats in sorted({*game.info.seats}):
        name = f"{seed}-hash"
        dice = random.Random(name)
        match = Match(game, seats, game.info.options(), name)
        while True:
            where = f"{game.info.key}, {seats} seats, {match.options}, seed {name!r}, ply {match.ply}"
            yield json.dumps({"where": where, "parts": said(match)})
            if match.outcome is not None or match.ply >= PLIES:
                break
            act_at_random(match, dice)


def said(match: Match) -> dict[str, str]:
    """Return the answers of a game about a state, by method."""
    game, state, seats = match.game, match.state, range(match.seats)
    turn = game.turn(state)
    parts = {
        "setup or apply": state,
        "turn": turn,
        "legal_actions": [match.legal(seat) for seat in seats],
        "fallback": [[game.fallback(state, seat, cause) for cause in FALLBACK_CAUSES] for seat in sorted(turn.must)],
        "view": [game.view(state, seat) for seat in (*seats, None)],
        "clocks": game.clocks(state),
        "outcome": game.outcome(state),
        "notation": game.notation.write_state(state),
    }
    return {name: text_of(value).decode() for name, value in parts.items()}


def difference(one: str, other: str, around: int = 80) -> str:
    """Two texts around the first character in which they differ."""
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    start = max(0, at - around)
    return f"…{one[start : at + around]}… and in another process …{other[start : at + around]}…"
