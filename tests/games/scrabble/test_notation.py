"""Scrabble as text: reading returns what was written, and bad text gets an error with the problem."""

import pytest

ACTIONS = [
    "H8 MOTS",
    "8H MiETTE",
    "O15 AA",
    "15O aA",
    "exchange ?AE",
    "exchange ___",
    "pass",
    "challenge",
    "accept",
    "leave",
]

POSITIONS = [
    "act 0 racks AEMOSTU/AELRSTU",
    "starter 1 act 1 racks AEMOSTU/AELRSTU",
    "act 1 racks AEIRSTU/?BCDEFG scores 10/0 board H8:MOTS log 0:H8:MOTS",
    "act 0 racks -/AELRSTU bag - scores -5/12 board H8:PoRTE,12H:EAU,A1:X",
    "act 1 racks AEU/AELRSTU/- board H8:PORTE,12G:LES log 0:H8:PORT,1:-3,2:12G:LES!01,0:pass,2:leave left 2",
    "act 0 racks AE/AELRSTU board H8:PORT log 0:H8:PORT,1:8H:.XZ~PXZ!0 pending 11G:A.E answers .. "
    "options validation=challenge,challenge_time=60",
    "racks A/- scores 3/4 board H8:MOT log 0:pass ending passes",
]


@pytest.mark.parametrize("text", ACTIONS)
def test_actions_read_back(table, text):
    assert table.game.notation.write_action(table.action(text)) == text


@pytest.mark.parametrize("text", POSITIONS)
def test_positions_read_back(table, text):
    assert table.write(table.read(text)) == text


def test_fields_and_board_words_come_in_any_order(table):
    one = table.read("racks AEMOSTU/AELRSTU act 1 board H8:PORT,8H:PEU")
    other = table.read("act 1 board 8H:PEU,H8:PORT racks AEMOSTU/AELRSTU")
    assert one == other


def test_the_log_is_scored_on_the_boards_of_its_time(table):
    state = table.read("act 0 racks AEMOSTU/AELRSTU board H8:PORTE log 0:H8:PORT,1:H8:....E")
    assert [(move.word, move.score, move.count) for move in state.log] == [("PORT", 12, 4), ("PORTE", 8, 1)]
    assert (state.last.word, state.last.tiles) == ("PORTE", "....E")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("act 0", "racks"),
        ("act 0 racks", "has no value"),
        ("act 0 act 1 racks A/B", "given twice"),
        ("act 0 racks BA/C", "sorted capitals"),
        ("act 0 racks a/C", "capitals"),
        ("act 0 racks KK/A", "more tiles of a letter"),
        ("act 0 racks A/B board H8:MOT,H8:MAT", "does not fit"),
        ("act 0 racks A/B board H8:M.T", "does not fit"),
        ("act 0 racks A/B board P8:MOT", "P8"),
        ("act 0 racks A/B board H14:MOT", "longer|shorter"),
        ("act 0 racks A/B log 0:H8:MOT", "not on the board"),
        ("act 0 racks A/B log 0:nothing", "not a turn"),
        ("act 0 racks A/B board H8:MOT pending H9:OT answers ..", "does not fit"),
        ("act 0 racks A/B board H8:MOT pending H9:.. answers ..", "only a part"),
        ("act 0 racks A/B pending H8:MOT answers x.", "x"),
        ("act 0 racks A/B options lexicon=ods", "lexicon"),
        ("act 0 racks A/B weather fine", "unknown keys weather"),
        ("act zero racks A/B", "int"),
    ],
)
def test_a_bad_position_gets_an_error_with_the_problem(table, text, problem):
    with pytest.raises(ValueError, match=problem):
        table.read(text)


@pytest.mark.parametrize("text", ["", "H8", "MOTS H8", "h8 mots", "exchange", "exchange ae", "resign"])
def test_bad_actions_are_refused(table, text):
    with pytest.raises(ValueError, match="is not an action of Scrabble"):
        table.action(text)
