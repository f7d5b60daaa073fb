"""The learned evaluation: the kernel agrees with the training, and the shipped weights are those of the report."""

import hashlib
import json
from pathlib import Path

from tablee.games.dames import kernel, patterns
from tablee.games.dames.search import array

ROOT = Path(__file__).parents[3]
REPORT = ROOT / "training/dames/report.json"
GOLDEN = json.loads(Path(__file__).with_name("patterns.json").read_text())["positions"]


def test_the_kernel_evaluates_like_the_training():
    board, params, weights, pairs = kernel.geometry(10), array(kernel.PARAMS), patterns.weights(), kernel.pair_numbers()
    params[kernel.LEARNED] = 1
    values = set()
    for *boards, to_move, expected in GOLDEN:
        men, kings, other_men, other_kings = boards if to_move == 0 else [*boards[2:], *boards[:2]]
        found = kernel.evaluate(
            men, kings, other_men, other_kings, to_move, 0, params, board, weights, pairs
        ) - kernel.tiebreak(men, kings, other_men, other_kings, params)
        assert found == expected, (boards, to_move)
        values.add(found)
    assert len(values) > 100


def test_the_shipped_weights_are_those_of_the_report():
    report = json.loads(REPORT.read_text())
    assert patterns.FILE.stem == f"patterns-{hashlib.sha256(REPORT.read_bytes()).hexdigest()[:12]}"
    assert hashlib.sha256(patterns.FILE.read_bytes()).hexdigest() == report["shipped"]["sha256"]
    assert patterns.FILE.stat().st_size == report["shipped"]["bytes"] < 4_000_000


def test_sums_of_weights_fit_into_their_half_of_a_number():
    """Both phases are added in one number: the sums for the opening must stay within 16 bits."""
    weights = patterns.weights().astype(int)
    opening = (weights + 0x8000 & 0xFFFF) - 0x8000
    tables = opening[kernel.EXTRAS :].reshape(kernel.TABLES, -1)
    windows = (tables.max(1) - tables.min(1)).sum()
    men, kings, has_king, slides, line, steps, skew, turn = abs(opening[: kernel.EXTRAS])
    assert windows + 20 * (men + kings + skew) + has_king + 40 * (slides + steps) + line + turn < 1 << 15
