"""`tablee dames train`, and the rules and evaluations of the training in C++."""

import importlib.util
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tablee.games.dames import kernel, patterns, training
from tablee.games.dames.board import TEN, Position
from tablee.games.dames.cli import app
from tablee.games.dames.notation import read_fen
from tablee.games.dames.search import PACKERS, array

SOURCES = Path(training.SCRIPT).parent
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is missing")


def build(source, target, *options):
    subprocess.run(["g++", "-O1", "-std=c++17", *options, str(SOURCES / source), "-o", str(target)], check=True)
    return target


@needs_compiler
def test_the_rules_in_cpp_count_the_same_moves(tmp_path):
    program = build("perft.cpp", tmp_path / "perft")
    for file in sorted((Path(__file__).parent / "perft").glob("*.txt")):
        fen, *lines = (line for line in file.read_text().splitlines() if line and not line.startswith("#"))
        position = read_fen(fen)
        boards = [f"{PACKERS[10].pack(squares):x}" for squares in position[:4]]
        counts = {int(depth): int(count) for depth, count in map(str.split, lines)}
        depth = max(depth for depth, count in counts.items() if count <= 1_000_000)
        command = [program, str(position.to_move), *boards, str(depth)]
        assert int(subprocess.run(command, capture_output=True, check=True).stdout) == counts[depth], file.stem


def random_quiet_positions(many):
    dice = random.Random("positions calmes")
    while many:
        position = TEN.start
        for _ in range(dice.randint(4, 90)):
            moves = TEN.moves(position)
            if not moves:
                break
            position = TEN.play(position, dice.choice(moves))
        if TEN.moves(position) and not TEN.captures(position):
            yield position
            many -= 1


@pytest.mark.soak
@needs_compiler
@pytest.mark.parametrize("learned", [True, False], ids=["learned", "by hand"])
def test_the_evaluations_in_cpp_give_the_same_values(learned, tmp_path):
    program = build("selfplay.cu", tmp_path / "selfplay", "-DHOST", "-pthread", "-x", "c++")
    positions = [*random_quiet_positions(300)]
    write_samples(tmp_path / "positions", positions)
    command = [program, "eval", "--in", tmp_path / "positions", "--out", tmp_path / "values"]
    if learned:
        weights = patterns.weights()
        opening = (weights + 0x8000 & 0xFFFF) - 0x8000
        np.stack([opening, weights - opening >> 16], 1).astype("<i2").tofile(tmp_path / "weights")
        command += ["--weights", tmp_path / "weights"]
    subprocess.run(command, check=True, capture_output=True)
    board, params, pairs = kernel.geometry(10), array(kernel.PARAMS), kernel.pair_numbers()
    params[kernel.LEARNED] = learned
    for position, value in zip(positions, np.fromfile(tmp_path / "values", "<i4"), strict=True):
        boards = PACKERS[10].boards(position)
        found = kernel.evaluate(*boards, position.to_move, 0, params, board, patterns.weights(), pairs)
        assert found - kernel.tiebreak(*boards, params) == value, position


def write_samples(path: Path, positions: list[Position]) -> None:
    kinds = [(name, "<i8") for name in ("red_men", "red_kings", "black_men", "black_kings")]
    samples = np.zeros(len(positions), [*kinds, ("game", "<u4"), ("ply", "<u2"), ("to_move", "u1"), ("result", "u1")])
    for sample, position in zip(samples, positions, strict=True):
        for (name, _), squares in zip(kinds, position[:4], strict=True):
            sample[name] = PACKERS[10].pack(squares)
        sample["to_move"] = position.to_move
    samples.tofile(path)


def train(*options):
    return CliRunner().invoke(app, ["train", *map(str, options)])


def test_training_needs_a_clone(monkeypatch, tmp_path):
    monkeypatch.setattr(training, "SCRIPT", tmp_path / "train.py")
    result = train("--out", tmp_path)
    assert result.exit_code == 2
    assert "clone" in result.output


def test_training_needs_its_tools(monkeypatch, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(empty))
        assert "g++ is missing" in train("--out", tmp_path).output
    compiler = empty / "g++"
    compiler.touch(0o755)
    monkeypatch.setenv("PATH", str(empty))
    without_torch = empty / "python"
    without_torch.write_text("#!/bin/sh\nexit 1\n")
    without_torch.chmod(0o755)
    assert "torch or numpy is missing" in train("--out", tmp_path, "--python", without_torch).output


SCRIPT = """
import pathlib, sys
out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
out.mkdir()
print("round 1, seed", sys.argv[sys.argv.index("--seed") + 1])
print("stage 1 of 12: 5,000 games, 60,000 positions, 0 steps")
if "--smoke" in sys.argv:
    sys.exit(1)
(out / "patterns-0123456789ab.npz").write_bytes(b"weights")
"""


def test_training_tells_each_step_and_the_result(monkeypatch, tmp_path):
    """With a small program in place of the training, which takes minutes."""
    monkeypatch.setattr(training, "SCRIPT", tmp_path / "train.py")
    monkeypatch.setattr(training, "check", lambda python: None)
    training.SCRIPT.write_text(SCRIPT)
    done = train("--out", tmp_path / "out", "--seed", 7, "--python", sys.executable)
    assert done.exit_code == 0
    assert "round 1, seed 7" in done.output
    assert "patterns-0123456789ab.npz: 7 bytes" in done.output
    failed = train("--out", tmp_path / "failed", "--smoke")
    assert failed.exit_code == 1
    assert "the training failed" in failed.output


def test_the_bar_shows_the_work_done():
    assert training.work_in("stage 1 of 12: 5,000 games, 7 steps") == (1, 12, "5,000 games, 7 steps")
    assert training.work_in("    1.2 s  round 1: played") is None


@pytest.fixture
def program():
    """Return the program of the training, without torch."""
    spec = importlib.util.spec_from_file_location("training_of_dames", training.SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("limited", ["games", "time"])
def test_games_or_the_clock_limit_a_training(limited, program, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["train.py", *(["--games", "5000"] if limited == "games" else [])])
    options = program.arguments()
    commands: list[tuple[float | None, dict[str, Any]]] = []
    players = program.Players(tmp_path, program.Log(tmp_path / "report.json", {}))

    def run(mode: str, limit: float | None, **given: Any) -> dict[str, Any]:
        commands.append((limit, given))
        return {}

    monkeypatch.setattr(players, "run", run)
    rounds = program.plan(options, 500.0)
    for one in rounds:
        players.play(one["play"], options.games, nodes=one["nodes"])
        players.match("new", "hand", one["match"], options.games, options.nodes, 1)
    assert len(commands) == 2 * len(rounds) == 8
    for limit, given in commands:
        if limited == "games":
            assert (limit, given["seconds"], given["hard"]) == (None, program.NEVER, program.NEVER)
            assert given["games"] in (5000, 1000)
        else:
            assert limit is not None
            assert given["seconds"] < given["hard"] < limit < 500
            assert given["games"] >= 4_000_000


@pytest.mark.soak
@needs_compiler
def test_the_same_seed_plays_the_same_games_on_any_number_of_threads(tmp_path):
    program = build("selfplay.cu", tmp_path / "selfplay", "-DHOST", "-pthread", "-x", "c++")
    played = []
    for threads in (1, 3):
        out = tmp_path / f"samples{threads}"
        options = {"nodes": 100, "games": 60, "seconds": 1e8, "hard": 1e8, "seed": 5, "threads": threads, "out": out}
        words = [str(word) for name, value in options.items() for word in (f"--{name}", value)]
        subprocess.run([program, "play", *words], check=True, capture_output=True)
        content = out.read_bytes()
        played.append(sorted(content[at : at + 40] for at in range(0, len(content), 40)))
    assert played[0] == played[1]
    assert len(played[0]) > 60
