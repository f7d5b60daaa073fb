"""Steps per second of the environments, beside PettingZoo's classic games, RLCard and OpenSpiel.

The peers run in an environment of their own, in turn with ours. All rates are per second of processor time, so that
other programs on the machine change little.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from statistics import median
from time import process_time

from common import report
from tablee.core.discover import games
from tablee.envs import aec, vector

HERE = Path(__file__).parent
PEERS = Path(os.environ.get("TABLEE_PEERS", HERE / "cache/envs/bin/python"))
INSTALL = "python -m venv bench/cache/envs && bench/cache/envs/bin/pip install 'pettingzoo[classic]' rlcard open_spiel"
ROUNDS, SECONDS, MATCHES = 3, 0.5, 1024
WARM_UP = 50
"""Steps after which the matches of a batch are no longer all at the same point."""
RATIOS = {
    "AEC president / rlcard doudizhu": ("aec president", "rlcard doudizhu"),
    "AEC president / rlcard uno": ("aec president", "rlcard uno"),
    "AEC kora / rlcard bridge": ("aec kora", "rlcard bridge"),
    "AEC kora / rlcard leduc-holdem": ("aec kora", "rlcard leduc-holdem"),
    "AEC ojyx / rlcard gin-rummy": ("aec ojyx", "rlcard gin-rummy"),
    "AEC dames / pettingzoo chess": ("aec dames", "pettingzoo chess_v6"),
    "vector president / openspiel hearts": ("vector president", "openspiel hearts"),
    "vector president / openspiel hearts with tensors": ("vector president", "openspiel hearts with tensors"),
    "vector dames / openspiel checkers": ("vector dames", "openspiel checkers"),
    "vector dames / openspiel checkers with tensors": ("vector dames", "openspiel checkers with tensors"),
    "vector ojyx / openspiel gin_rummy": ("vector ojyx", "openspiel gin_rummy"),
    "vector ojyx / openspiel gin_rummy with tensors": ("vector ojyx", "openspiel gin_rummy with tensors"),
    "vector kora / openspiel leduc_poker": ("vector kora", "openspiel leduc_poker"),
}


def single(key: str, seconds: float) -> float:
    """Step a PettingZoo environment with random legal actions, as `peers/envs.py` does.

    The marks are read as booleans: NumPy lists those several times as quickly as bytes, which takes longer than a step.
    """
    env, dice = aec(key), random.Random(1)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))  # Compile or load the kernel.
    steps, start = 0, process_time()
    while process_time() - start < seconds:
        env.reset(seed=steps)
        for _ in env.agent_iter():
            observation, _, ended, stopped, _ = env.last()
            if ended or stopped:
                env.step(None)
                continue
            env.step(dice.choice(observation["action_mask"].view(bool).nonzero()[0].tolist()))
            steps += 1
    return steps / (process_time() - start)


def batch(key: str, seconds: float) -> float:
    """Step many matches at once with random legal actions; observations and masks are part of it."""
    env = vector(key, n=MATCHES if vector(key, n=1).has_kernel else 64)
    env.reset(1)
    for _ in range(WARM_UP):
        env.step(env.sample())
    steps, start = 0, process_time()
    while process_time() - start < seconds:
        env.step(env.sample())
        steps += env.n
    return steps / (process_time() - start)


def ours() -> dict[str, float]:
    return {
        **{f"aec {key}": single(key, SECONDS) for key in games()},
        **{f"vector {key}": batch(key, SECONDS) for key in games()},
    }


def theirs() -> dict[str, float]:
    run = subprocess.run([PEERS, HERE / "peers/envs.py", str(SECONDS)], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return found


def main() -> None:
    if not PEERS.exists():
        print(f"envs: the peers are not installed: {INSTALL}, or set TABLEE_PEERS to a Python that has them")
        return
    rounds = [{**ours(), **theirs()} for _ in range(ROUNDS)]
    rates = {name: round(median(one[name] for one in rounds)) for name in rounds[0]}
    ratios = {name: round(rates[mine] / rates[other], 1) for name, (mine, other) in RATIOS.items()}
    line = ", ".join(f"{name} {ratio}×" for name, ratio in ratios.items())
    report(__file__, line, {"steps_per_second": rates, "ratios": ratios})
    for name, rate in rates.items():
        print(f"  {name}: {rate:,}")


if __name__ == "__main__":
    main()
