"""The learned networks: NumPy and the kernel agree with the training, and the shipped file is that of the report."""

import hashlib
import json
from pathlib import Path

import numpy as np

from tablee.games.president import kernel, networks
from tablee.games.president.search import Belief, place_values, titles_of

from .test_bots import random_decisions, think

REPORT = Path(__file__).parents[3] / "training/president/report.json"
GOLDEN = json.loads(Path(__file__).with_name("networks.json").read_text())["choices"]


def test_the_shipped_file_is_that_of_the_report():
    report = json.loads(REPORT.read_text())
    assert networks.FILE.stem == f"networks-{hashlib.sha256(REPORT.read_bytes()).hexdigest()[:12]}"
    assert hashlib.sha256(networks.FILE.read_bytes()).hexdigest() == report["weights_sha256"]
    assert networks.FILE.stat().st_size == report["weights_bytes"] < 2_000_000


def golden():
    """Yield the choices that the training wrote down, with the state in the kernel's terms."""
    for choice in GOLDEN:
        numbers = np.array(choice["state"], np.int64)
        yield choice, numbers[: kernel.STATE], numbers[kernel.STATE :]


def test_the_judge_expects_what_the_training_says():
    on = np.zeros(kernel.ON, np.int64)
    firsts = set()
    for choice, s, most in golden():
        me, actions = choice["seat"], choice["actions"]
        bits = np.zeros((len(actions), kernel.STATE_BITS + kernel.ACTION_BITS), np.float32)
        seen = kernel.observe_limits(s, most, me, on, kernel.observe(s, choice["titles"], me, on))
        for row, action in zip(bits, actions, strict=True):
            row[on[: kernel.describe(s, me, action, on, seen)]] = 1
        odds = networks.judge().odds(bits)
        np.testing.assert_allclose(odds, choice["odds"], atol=1e-4)
        seats = int(s[kernel.SEATS])
        np.testing.assert_allclose(odds[:, :seats] @ place_values(seats), choice["values"], atol=2e-3)
        firsts.add(round(float(odds[0, 0]), 3))
    assert len(firsts) > 20


def test_the_kernel_scores_options_like_the_small_network():
    """Scores are compared with that of the first option: the last bias is the same for all and is left out."""
    net, last = networks.small()
    assert len(net) == kernel.NET_ROWS
    units = np.empty((2, last.size), np.float32)
    for choice, s, _ in golden():
        kernel.feel_state(s, choice["titles"], choice["seat"], net, units)
        found = [kernel.feel(s, choice["seat"], action, net, last, units) for action in choice["actions"]]
        first = choice["scores"][0]
        np.testing.assert_allclose(np.array(found) - found[0], np.array(choice["scores"]) - first, atol=2e-3)


def test_every_row_of_the_small_network_is_the_sum_of_its_bits():
    """Random play meets options that the golden choices do not have."""
    with np.load(networks.FILE) as arrays:
        first, biases = arrays["small_weights_0"], arrays["small_biases_0"]
    net, last = networks.small()
    on = np.zeros(kernel.ON, np.int64)
    units = np.empty((2, last.size), np.float32)
    out = np.zeros(kernel.ACTIONS, np.int64)
    dice = np.array([5], np.int64)
    s = np.zeros(kernel.STATE, np.int64)
    for number in range(10):
        seats = 4 + number % 5
        titles = 0x4 << 4 * (seats - 1) | 0x213
        kernel.deal(s, seats, dice)
        over = False
        while not over:
            cuts, count = kernel.closer(s), kernel.legal(s, out)
            options = [(s[kernel.TURN], action) for action in out[:count]]
            options += [(cuts, kernel.CLOSE), (cuts, kernel.WAIT)] if cuts >= 0 else []
            for me, action in options:
                kernel.feel_state(s, titles, me, net, units)
                kernel.feel(s, me, action, net, last, units)
                seen = kernel.describe(s, me, action, on, kernel.observe(s, titles, me, on))
                bits = [bit if bit < networks.SMALL_BITS else bit - 448 + networks.SMALL_BITS for bit in on[:seen]]
                np.testing.assert_allclose(units[1], first[bits].sum(0) + biases, atol=1e-4)
            over = kernel.apply(s, s[kernel.TURN], out[kernel.pick(dice, count)])


def test_the_judge_sees_only_the_view():
    """The judge says the same whatever hands are imagined for the others."""
    for match, seat in random_decisions(2):
        if match.turn.stage == "exchange":
            continue
        view = match.view(seat)
        said = []
        for seed in ("un", "deux"):
            belief = Belief(view, seat, think(seat, seed).chance)
            belief.mix()
            said.append(belief.judged([kernel.PASS]))
        assert (said[0] == said[1]).all()


def test_titles_are_four_bits_a_seat():
    for match, _ in random_decisions(3):
        if match.state.results:
            ranking = match.state.results[-1].ranking
            titles = titles_of(match.view(0))
            numbers = [titles >> 4 * seat & 15 for seat in ranking]
            assert numbers[:2] == [1, 2]
            assert numbers[-2:] == [3, 4]
            assert set(numbers[2:-2]) <= {0}
            return
