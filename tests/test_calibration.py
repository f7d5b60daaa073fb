"""Calibrating a coach: weak bots lose more than strong ones, and the command prints it."""

import json

import pytest
from typer.testing import CliRunner

from tablee.calibration import calibrate
from tablee.cli import main


def test_random_play_loses_more_than_good_play():
    measured = {one.level: one for one in calibrate("kora", matches=12, seconds=0.02, options={"deals": 3})}
    assert measured["difficile"].loss < measured["random"].loss
    assert measured["difficile"].rating == 1538
    assert measured["random"].rating is None
    assert all(0 <= sum(one.marks) <= 1 for one in measured.values())


def test_the_command_judges_one_decision_in_some():
    arguments = ["coach", "calibrate", "kora", "--matches", "2", "--every", "3", "--json"]
    some = json.loads(CliRunner().invoke(main, arguments).stdout)
    every = calibrate("kora", matches=2)
    decisions = {one.level: one.decisions for one in every}
    assert sum(one["decisions"] for one in some) == pytest.approx(sum(decisions.values()) / 3, abs=2)


def test_an_unknown_game_is_refused():
    found = CliRunner().invoke(main, ["coach", "calibrate", "poker"])
    assert found.exit_code == 2
    assert "there is no game 'poker'" in found.output
