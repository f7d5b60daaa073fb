"""Golden matches as text, one for each way in which a match can end.

A file in golden/ starts with a title, and the position that it starts `from` if it is not the usual one. Then come the
actions, with moves as in a score (`1:accept_draw` is an answer out of turn), and the final position.
"""

from pathlib import Path
from typing import get_args

import pytest

from tablee.games.dames.values import Reason

GAMES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


def read(path):
    heading, *lines = path.read_text("utf-8").splitlines()
    assert heading.startswith("# ")
    head = dict(line.split(" ", 1) for line in lines if line.startswith(("from ", "options ", "end ")))
    actions = [word for line in lines if line.startswith("  ") for word in line.split()]
    return head, actions


def play(table, path):
    head, actions = read(path)
    options = dict(pair.split("=") for pair in head["options"].split(",")) if "options" in head else {}
    state = table.read(head["from"]) if "from" in head else table.begin(**options)
    return table.play(state, *actions), head


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_match_ends_in_its_final_position(table, path):
    state, head = play(table, path)
    assert table.write(state) == head["end"]
    assert state.result.reason in path.stem


def test_the_golden_matches_cover_every_way_to_end(table):
    assert {play(table, path)[0].result.reason for path in GAMES} == set(get_args(Reason))
