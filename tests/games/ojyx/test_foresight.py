"""The learned network: the kernel agrees with NumPy, it sees only what its seat sees, and the file is the report's."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from tablee.games.ojyx import foresight
from tablee.games.ojyx import manche_kernel as kernel

REPORT = Path(__file__).parents[3] / "training/ojyx/report.json"
KNOWN = Path(__file__).with_name("foresight.json")
"""Leads that the network expects, and those that were the mean of manches played to the end."""
SPACE = kernel.INPUTS + 2 * kernel.UNITS


def turns(seats: int, seed: int, count: int) -> list[np.ndarray]:
    """Return manches at the beginning of a turn, before anybody has ended them."""
    codes, sites = np.empty(kernel.MOST_ACTIONS, np.int64), np.empty(kernel.SITES, np.int64)
    at, dice = np.empty(kernel.SIGHT), np.array([seed], np.int64)
    s = np.empty(kernel.STATE, np.int64)
    found: list[np.ndarray] = []
    while len(found) < count:
        kernel.deal(s, seats, True, True, -1, dice)
        while s[kernel.STAGE] != kernel.OVER:
            if s[kernel.STAGE] == kernel.DRAW and not s[kernel.ENDING] and kernel.pick(dice, 4) == 0:
                found.append(s.copy())
            kernel.apply(s, kernel.choose_by_thumb(s, kernel.TUNED, codes, at, sites), codes, dice)
    return found[:count]


def sketch(s: np.ndarray, seat: int) -> np.ndarray:
    x = np.full(kernel.INPUTS, np.nan, np.float32)
    kernel.sketch(s, seat, kernel.TUNED, np.empty(kernel.SIGHT), x)
    return x


def foresee(s: np.ndarray, seat: int) -> float:
    x = np.empty(SPACE, np.float32)
    return kernel.foresee(s, seat, kernel.TUNED, foresight.network(), np.empty(kernel.SIGHT), x)


def test_the_shipped_file_is_that_of_the_report():
    report = json.loads(REPORT.read_text())
    assert foresight.FILE.stem == f"foresight-{hashlib.sha256(REPORT.read_bytes()).hexdigest()[:12]}"
    assert hashlib.sha256(foresight.FILE.read_bytes()).hexdigest() == report["weights_sha256"]
    assert foresight.FILE.stat().st_size == report["weights_bytes"] < 2_000_000
    assert foresight.network().size == kernel.NET


@pytest.mark.parametrize("seats", [2, 3, 4, 8])
def test_the_kernel_computes_the_network_like_numpy(seats):
    with np.load(foresight.FILE) as arrays:
        layers = [arrays[name] for name in arrays]
    for s in turns(seats, 5, 20):
        seat = int(s[kernel.TO_ACT])
        x = sketch(s, seat)
        assert np.abs(x).max() <= 4
        for weights, biases in zip(layers[::2], layers[1::2], strict=True):
            x = np.maximum(x, 0) @ weights + biases if len(x) != kernel.INPUTS else x @ weights + biases
        assert foresee(s, seat) == pytest.approx(10 * float(x[0]), abs=1e-3)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_network_sees_only_what_its_seat_sees(seats):
    """Cards that the seat has not seen may have any value: what it sketches does not change."""
    changed = 0
    for s in turns(seats, 7, 30):
        seat = int(s[kernel.TO_ACT])
        before, dice = sketch(s, seat), np.array([3], np.int64)
        kernel.draw_fates(s, dice)
        changed += bool((s[: 12 * seats] > kernel.HIDDEN).any())
        assert np.allclose(sketch(s, seat), before, atol=1e-5)
    assert changed == 30


def test_known_manches_are_worth_what_they_were():
    """The leads that the network expects are those of the training, and near those of manches played to the end."""
    known = json.loads(KNOWN.read_text())
    misses = []
    for one in known:
        s = np.array(one["manche"], np.int64)
        value = foresee(s, int(s[kernel.TO_ACT]))
        assert value == pytest.approx(one["expected"], abs=2e-3)
        misses.append(value - one["played"])
    leads = [one["played"] for one in known]
    assert np.std(misses) < 0.6 * np.std(leads)


def test_the_training_gathers_turns_with_the_leads_they_led_to():
    rows, leads = np.empty(500 * kernel.INPUTS, np.float32), np.empty(500, np.float32)
    manches = kernel.gather(3, True, kernel.TUNED, np.array([11], np.int64), rows, leads)
    assert 20 < manches < 200
    assert np.isfinite(rows).all()
    assert np.abs(leads).max() <= kernel.RUIN - kernel.JACKPOT
    # What a seat expects in its grid says most of its lead: fewer points there, a better lead.
    assert np.corrcoef(rows.reshape(500, -1)[:, 20], leads)[0, 1] < -0.2
