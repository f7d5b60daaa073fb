"""Judgements from trials: means, errors of differences, and the error that no number of trials takes away."""

from math import hypot

import numpy as np
import pytest

from tablee.core import trials

RESULTS = np.array([[[1.0, -1.0], [3.0, -3.0]], [[2.0, -2.0], [6.0, -6.0]]])
"""Two actions, two trials, two seats."""


def test_the_best_action_has_no_error_and_the_others_that_of_the_difference():
    found = trials.judgement(["a", "b"], RESULTS, 0)
    assert [one.action for one in found.actions] == ["b", "a"]
    assert [one.error for one in found.actions] == [0.0, pytest.approx(1.0)]
    assert found.before == (4.0, -4.0)


def test_what_trials_cannot_tell_is_added_to_the_errors():
    judged = trials.judgement(["a", "b"], RESULTS, 0, misjudged=0.6).actions
    assert [one.error for one in judged] == [0.0, pytest.approx(hypot(1.0, 0.6))]
    plain, wrong = trials.estimate(RESULTS[0]), trials.estimate(RESULTS[0], 2.0)
    assert wrong.values == plain.values
    assert wrong.error == pytest.approx(hypot(plain.error, 2.0))
