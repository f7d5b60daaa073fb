"""The public Python API: its names, and what they do."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import tablee
from tablee import Match, envs, perft, playouts, simulate
from tablee.games.dames.board import TEN
from tablee.games.dames.board import perft as slow_perft
from tablee.games.scrabble.fast import pick
from tablee.simulation import count

PAGE = Path(__file__).parents[1] / "docs/python.md"


def test_every_public_name_is_there_and_documented():
    documented = set(re.findall(r"^\| `(\w+)`", PAGE.read_text("utf-8"), re.MULTILINE))
    assert {name for name in tablee.__all__ if getattr(tablee, name) is None} == set()
    assert set(tablee.__all__) <= documented
    assert set(tablee.__all__) <= set(dir(tablee))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(tablee, "nothing")  # noqa: B009


def test_importing_the_package_imports_nothing_else():
    program = "import sys, tablee; print(sorted({'numpy', 'msgspec', 'typer', 'tablee.core'} & {*sys.modules}))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_the_rules_import_no_numpy():
    program = "import sys; from tablee import Match; Match.start('president', seed='s'); print('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_a_fork_goes_on_by_itself():
    match = Match.start("kora", seed="une graine")
    seat = min(match.turn.must)
    twin = match.fork()
    twin.play(seat, twin.legal(seat)[0])
    assert (match.ply, twin.ply) == (0, 1)
    other = match.fork()
    other.play(seat, other.legal(seat)[-1])
    assert other.state != twin.state
    assert Match.replay(twin.record()).state == twin.state
    match.play(seat, match.legal(seat)[0])
    assert match.state == twin.state


@pytest.mark.parametrize("variant", ["competitive", "classic8"])
def test_perft_counts_as_the_rules_do(variant):
    start = Match.start("dames", options={"variant": variant}, seed="s")
    assert perft("dames", 3, options={"variant": variant}) == count(start.game, start.state, 3)
    assert perft("dames", 0) == 1
    assert perft("dames", 5) == slow_perft(TEN, TEN.start, 5)


def test_perft_needs_a_game_that_hides_nothing():
    with pytest.raises(ValueError, match="kora hides cards"):
        perft("kora", 2)
    with pytest.raises(ValueError, match="negative"):
        perft("dames", -1)


def test_playouts_follow_from_their_seed():
    once, again, other = (playouts("kora", 300, seed=seed) for seed in (1, 1, 2))
    assert once == again != other
    assert once.games == 300
    assert sum(once.scores) == pytest.approx(200)
    assert sum(once.rewards) == pytest.approx(0)
    assert playouts("ojyx", 2, seats=3, options={"rounds": 1}).games == 2
    with pytest.raises(ValueError, match="at least one"):
        playouts("kora", 0)


def test_a_simulation_is_the_same_on_any_number_of_cores():
    one, two = (simulate("kora", 200, seed="s", workers=workers) for workers in (1, 2))
    assert (one.workers, two.workers) == (1, 2)
    assert (one.actions, one.reasons) == (two.actions, two.reasons)
    assert one.games == sum(one.reasons.values()) == 200
    assert one.actions_per_core > one.games_per_core > 0


def test_a_random_pick_is_one_of_the_listed_actions():
    match = Match.start("scrabble", seed="s")
    for number in range(25):
        if match.outcome:
            break
        seat = min(match.turn.must)
        action = pick(match.state, seat, random.Random(number))
        assert action in match.legal(seat)
        match.play(seat, action)
    assert match.ply > 10


def test_results_can_be_written_as_json():
    assert json.loads(msgspec.json.encode(simulate("kora", 2)))["games"] == 2


def test_the_environments_are_part_of_it():
    assert envs.encoding("kora").actions == 52
