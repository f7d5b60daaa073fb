"""Ojyx as text: reading returns what was written, and bad text gets an error with the problem."""

import pytest

from tablee.games.ojyx.grid import EMPTY, HIDDEN, seen_card
from tablee.games.ojyx.notation import read_grid, write_grid
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Choose, Play, React, Vote

NOTATION = Ojyx.notation


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("choose 0+11", Choose((0, 11))),
        ("vote on", Vote(True)),
        ("vote stop", Vote(False)),
        ("vote follow", Vote(None)),
        ("action skip", Play("skip")),
        ("action swap seat=1 cell=0 target_cell=11", Play("swap", seat=1, cell=0, target_cell=11)),
        ("action teleport cells=2+3", Play("teleport", cells=(2, 3))),
        ("action scout order=2+0+1", Play("scout", order=(2, 0, 1))),
        ("react mirror column=3", React("mirror", column=3)),
    ],
)
def test_actions_are_written_and_read(text, action):
    assert NOTATION.write_action(action) == text
    assert NOTATION.read_action(text) == action


@pytest.mark.parametrize(
    "text",
    ["", "choose", "choose 0", "choose 0+12", "draw", "draw sleeve", "place", "place x", "action", "action joker",
     "action peek seat", "react", "react no", "vote", "vote maybe", "fly"],
)  # fmt: skip
def test_bad_actions_are_refused(text):
    with pytest.raises(ValueError, match="is not an action of Ojyx"):
        NOTATION.read_action(text)


@pytest.mark.parametrize(
    ("text", "grid"),
    [
        ("?*12", (HIDDEN,) * 12),
        ("-2,-1,?*9,.", (-2, -1, *[HIDDEN] * 9, EMPTY)),
        ("?7~02,?7,7*3,?*7", (seen_card(7, 0b101), seen_card(7, 0), 7, 7, 7, *[HIDDEN] * 7)),
        ("?-2~7,12,12,?*9", (seen_card(-2, 1 << 7), 12, 12, *[HIDDEN] * 9)),
    ],
)
def test_a_grid_is_twelve_cells_and_runs_are_written_once(text, grid):
    assert read_grid(text) == grid
    assert write_grid(grid) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("act 0", "grids"),
        ("act 0 grids", "'grids' has no value"),
        ("act 0 act 1 grids ?*12/?*12", "given twice"),
        ("act 0 grids ?*11/?*12", "12 cells"),
        ("act 0 grids 13,?*11/?*12", "a card from -2 to 12, not 13"),
        ("act 0 grids -2*6,?*6/?*12", "more cards of a kind"),
        ("act 0 grids ?*12/?*12 stocks curse+curse+curse/", "more cards of a kind"),
        ("act 0 grids ?*12/?*12 ending perhaps", "yes or no"),
        ("act 0 grids ?*12/?*12 weather fine", "unknown keys weather"),
        ("act 0 grids ?*12/?*12 stage asleep", "asleep"),
    ],
)
def test_a_bad_position_gets_an_error_with_the_problem(text, why):
    with pytest.raises(ValueError, match=why):
        NOTATION.read_state(text)


def test_the_unseen_cards_follow_from_the_rest():
    state = NOTATION.read_state("act 0 grids 1,2,?*10/3,?4~0,?*10 discard 5 stocks peek/ held 0:deck:7~0")
    assert sum(state.unseen) == 150 - 6
    assert state.deck_size == 150 - 24 - 2
    assert sum(state.actions) == 33


def test_a_position_with_many_fields_reads_back():
    text = (
        "manche 3 stage react act 1 grids 1,?7~02,?7,?*9/.,5,?,?,.,6,?,?,.,7,?,?/.*12 discard 5,-1 "
        "scouted 0:4+5 stocks heal/swap+mirror/ adiscard peek+swap curses 0010/0000/0000 heals 0000/2000/0000 "
        "attack 1>0:swap:1,0,- plays 1 last swap direction -1 skips 1 shielded 2 frozen 010 turns 3,4,0 starter 1 "
        "initiator 0 ending yes owed 1 gone 2 absent 2 lost 0:7+9@1+2+14 known 1>0:heal results 10/-3/8@1!,4/5/- "
        "options deck=extended,rounds=5"
    )
    assert NOTATION.write_state(NOTATION.read_state(text)) == text
