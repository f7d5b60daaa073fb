"""Random play in the environments of other libraries: steps per second of processor time.

It runs in an environment of its own, which has PettingZoo, RLCard and OpenSpiel but not Tablée, and prints JSON.
"""

from __future__ import annotations

import json
import random
import sys
from time import process_time
from typing import Any


def pettingzoo_game(name: str, seconds: float) -> float:
    """Step an AEC environment of PettingZoo's classic games with random legal actions."""
    from importlib import import_module

    env = import_module(f"pettingzoo.classic.{name}").env()
    dice = random.Random(1)
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


def rlcard_game(name: str, seconds: float) -> float:
    """Step an environment of RLCard with random legal actions; its step returns the next observation."""
    import rlcard

    env = rlcard.make(name, config={"seed": 1})
    dice = random.Random(1)
    steps, start = 0, process_time()
    while process_time() - start < seconds:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(dice.choice([*state["legal_actions"]]))
            steps += 1
    return steps / (process_time() - start)


def openspiel_game(name: str, seconds: float, observe: bool) -> float:
    """Play random games of OpenSpiel from Python, with or without the tensor that a network would get."""
    import numpy as np
    import pyspiel

    game: Any = pyspiel.load_game(name)
    dice = random.Random(1)
    tensor = game.get_type().provides_information_state_tensor
    steps, start = 0, process_time()
    while process_time() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(actions, odds)[0])
                continue
            player = state.current_player()
            if observe:
                np.asarray(state.information_state_tensor(player) if tensor else state.observation_tensor(player))
                state.legal_actions_mask(player)
            state.apply_action(dice.choice(state.legal_actions()))
            steps += 1
    return steps / (process_time() - start)


def main(seconds: float) -> None:
    found = {
        **{
            f"pettingzoo {name}": pettingzoo_game(name, seconds)
            for name in ("leduc_holdem_v4", "connect_four_v3", "chess_v6")
        },
        **{
            f"rlcard {name}": rlcard_game(name, seconds)
            for name in ("doudizhu", "bridge", "gin-rummy", "uno", "leduc-holdem")
        },
        **{
            f"openspiel {name}{' with tensors' if observe else ''}": openspiel_game(name, seconds, observe)
            for name in ("hearts", "checkers", "gin_rummy", "leduc_poker")
            for observe in (False, True)
        },
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(float(sys.argv[1]))
