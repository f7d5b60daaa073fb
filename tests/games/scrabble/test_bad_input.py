"""Bad input is refused with a reason and the square, letter or word."""

import re
from pathlib import Path

import pytest

from tablee.core.game import Refused
from tablee.core.match import Match
from tablee.games import scrabble

CHALLENGE = "options validation=challenge"
BOARD = "act 0 racks AEIRSTU/AEMOSTU board H8:PORT"
EMPTY = "act 0 racks AEIRSTU/AEMOSTU"
WINDOW = f"act 0 racks AIRSTU/AEMOSTU board H8:PORT pending H8:....E answers .. {CHALLENGE}"
WINDOW_OF_THREE = f"act 0 racks AIRSTU/AEMOSTU/BDELNRT board H8:PORT pending H8:....E answers .n. {CHALLENGE}"

REFUSED = [
    ("off_board", BOARD, "H12 ARTISTE", {"square": "H12", "word": "ARTISTE"}),
    ("off_board", BOARD, "12I ARTISTES", {"square": "12I", "word": "ARTISTES"}),
    ("off_board", BOARD, "12K ARTISE", {"square": "12K", "word": "ARTISE"}),
    ("off_board", BOARD, "P3 ART", {"square": "P3", "word": "ART"}),
    ("off_board", BOARD, "H16 ART", {"square": "H16", "word": "ART"}),
    ("off_board", BOARD, "99Z ART", {"square": "99Z", "word": "ART"}),
    ("gap", BOARD, "12H E.U", {"square": "12I"}),
    ("gap", EMPTY, "H8 AR.S", {"square": "H10"}),
    ("contradicts", BOARD, "H8 PART", {"square": "H9", "letter": "O", "word": "PART"}),
    ("contradicts", BOARD, "H8 PO.TE", {"square": "H10", "letter": "R", "word": "PO.TE"}),
    ("part_of_line", BOARD, "H9 ORTE", {"square": "H8", "word": "PORTE"}),
    ("part_of_line", BOARD, "H8 POR", {"square": "H8", "word": "PORT"}),
    ("part_of_line", BOARD, "H5 SUE", {"square": "H5", "word": "SUEPORT"}),
    ("one_letter", EMPTY, "H8 A", {"word": "A"}),
    ("one_letter", BOARD, "A1 A", {"word": "A"}),
    ("nothing_new", BOARD, "H8 PORT", {"word": "PORT"}),
    ("not_on_rack", BOARD, "H8 PORTO", {"letter": "O"}),
    ("not_on_rack", BOARD, "H8 PORTe", {"letter": "?"}),
    ("not_on_rack", BOARD, "12H EE", {"letter": "E"}),
    ("not_on_rack", EMPTY, "exchange AEZ", {"letter": "Z"}),
    ("not_on_rack", EMPTY, "exchange AA", {"letter": "A"}),
    ("not_on_rack", EMPTY, "exchange _", {"letter": "_"}),
    ("not_on_centre", EMPTY, "A1 ART", {"square": "H8"}),
    ("not_touching", BOARD, "A1 ART", {"square": "A1", "word": "ART"}),
    ("not_touching", BOARD, "I12 ART", {"square": "I12", "word": "ART"}),
    ("not_a_word", EMPTY, "H8 TRA", None),
    ("bag_too_small", f"{EMPTY} bag AAAAAA", "exchange A", {"left": 6, "least": 7}),
    ("not_sorted", EMPTY, "exchange EA", {"tiles": "AE"}),
    ("no_contest", EMPTY, "challenge", {}),
    ("no_contest", EMPTY, "accept", {}),
    ("too_late", f"{BOARD} {CHALLENGE}", "1: challenge", {}),
    ("too_late", f"{BOARD} {CHALLENGE}", "0: accept", {}),
    ("own_play", WINDOW, "0: challenge", {}),
    ("already_answered", WINDOW_OF_THREE, "1: challenge", {}),
    ("answer_first", WINDOW, "1: pass", {}),
    ("answer_first", WINDOW, "1: exchange A", {}),
    ("not_your_turn", BOARD, "1: pass", {}),
    ("not_your_turn", WINDOW, "0: pass", {}),
    ("reserved", BOARD, "leave", {}),
]


@pytest.mark.parametrize(("code", "position", "action", "values"), REFUSED)
def test_a_bad_action_is_refused_with_a_reason(table, code, position, action, values):
    refusal = table.why_not(position, action)
    assert refusal is not None
    assert refusal.code == code
    if values is not None:
        assert dict(refusal.values) == values


def test_every_action_is_refused_after_the_end(table):
    state = table.play("act 0 racks E/A board H8:MOT", *["pass"] * 6)
    for action in ("pass", "H8 MOTE", "challenge", "accept", "exchange E"):
        assert table.code(state, action, seat=0) == "over"


def test_every_refusal_of_the_game_is_tested_by_name():
    found = {
        code
        for path in Path(scrabble.__file__).parent.glob("*.py")
        if path.name != "gcg_reading.py"  # test_gcg.py covers the refusals of files
        for code in re.findall(r'Refusal\(\s*"(\w+)"', path.read_text("utf-8"))
    }
    assert found <= {code for code, *_ in REFUSED}


@pytest.mark.parametrize(
    "action",
    [
        {"type": "place", "at": "H8"},
        {"type": "place", "at": "H8", "word": ""},
        {"type": "place", "at": "H8", "word": "A" * 16},
        {"type": "place", "at": "H8", "word": "ÉTÉ"},
        {"type": "place", "at": "H8", "word": "ART\n"},
        {"type": "place", "at": "H8", "word": "A T"},
        {"type": "place", "at": "H08", "word": "ART"},
        {"type": "place", "at": "H0", "word": "ART"},
        {"type": "place", "at": "88", "word": "ART"},
        {"type": "place", "at": "h8", "word": "ART"},
        {"type": "place", "at": "H8\n", "word": "ART"},
        {"type": "place", "at": 8, "word": "ART"},
        {"type": "place", "at": "H8", "word": "ART", "score": 100},
        {"type": "exchange", "tiles": ""},
        {"type": "exchange", "tiles": "AAAAAAAA"},
        {"type": "exchange", "tiles": "ab"},
        {"type": "exchange", "tiles": ["A", "B"]},
        {"type": "exchange"},
        {"type": "contest"},
        {},
        "pass",
        None,
    ],
)
def test_a_malformed_action_is_refused_and_changes_nothing(action):
    match = Match.start("scrabble", seed="s")
    before = match.state
    with pytest.raises(Refused, match="bad_action"):
        match.play(match.state.to_act, action)
    assert match.state is before


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"validation": "none"}, "validation"),
        ({"challenge_time": 4}, "challenge_time"),
        ({"challenge_time": 301}, "challenge_time"),
        ({"challenge_time": "30"}, "challenge_time"),
        ({"lexicon": None}, "lexicon"),
        ({"words": "all"}, "words"),
    ],
)
def test_bad_options_are_refused_with_the_name_of_the_field(options, field):
    with pytest.raises(Refused) as caught:
        Match.start("scrabble", seed="s", options=options)
    assert (caught.value.refusal.code, caught.value.refusal.values["field"]) == ("bad_option", field)
