"""Super Président as text: reading returns what was written, and bad text gets an error with the problem."""

import pytest

from tablee.core.game import Leave
from tablee.games.president.deck import FREE, read_set
from tablee.games.president.notation import PresidentNotation
from tablee.games.president.values import (
    Close,
    FinishedTrick,
    Gift,
    Give,
    Laid,
    MancheResult,
    Options,
    Pass,
    Play,
    State,
    Stop,
)

NOTATION = PresidentNotation()


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("7S", Play(("7S",))),
        ("7S+7H", Play(("7S", "7H"))),
        ("TS suite", Play(("TS",), "suite")),
        ("3S+3C reverse", Play(("3S", "3C"), "reverse")),
        ("close 6D+6C", Close(("6D", "6C"))),
        ("pass", Pass()),
        ("stop", Stop()),
        ("give 3S+4H", Give(("3S", "4H"))),
        ("give ", Give()),
        ("leave", Leave()),
    ],
)
def test_actions_are_written_and_read(text, action):
    assert NOTATION.read_action(text) == action
    assert NOTATION.write_action(action) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "7s",
        "10H",
        "7S+",
        "7S,7H",
        "7S ",
        "7S Suite",
        "7S+7H+7D+7C+7S",
        "close",
        "give 3S+4S+5S",
        "Pass",
        "7S\n",
    ],
)
def test_bad_actions_are_refused(text):
    with pytest.raises(ValueError, match="is not an action of Super Président"):
        NOTATION.read_action(text)


def test_a_position_contains_everything_but_defaults():
    state = State(
        options=Options(rounds=3, exchange="choice"),
        stage="play",
        manche=2,
        dealer=3,
        hands=(read_set(("3S", "9H")), read_set(("KD",)), 0, read_set(("4S", "5D"))),
        opener=3,
        to_act=1,
        revolution=True,
        trick=(Laid(3, ("8S",)), Laid(0, ("7H",), "suite")),
        direction="suite",
        run=read_set(("7H",)),
        out=0b1000,
        played=read_set(("3C", "7H", "8S")),
        most=(FREE, FREE - 2, FREE, FREE),
        finished=(2,),
        gifts=(Gift(1, 3, 2, ("3D", "4H")), Gift(3, 1, 2, ("KC", "2C"))),
        results=(MancheResult((1, 0, 2, 3), (3,), (1, 2, -1, -2)),),
        last_trick=FinishedTrick(2, (Laid(1, ("6S",)), Laid(2, ("6H", "6D", "6C"), None, True)), "four"),
    )
    text = (
        "manche 2 dealer 3 opener 3 act 1 hands 3S,9H/KD//4S,5D revolution yes trick 3:8S,0:7H-suite out 3 "
        "played 3C,7H,8S most 4444444444444/2444444444444/4444444444444/4444444444444 finished 2 "
        "gifts 1>3:3D+4H,3>1:KC+2C results 1-0-2-3~1 last 2;four;1:6S,2:6H+6D+6C! options rounds=3,exchange=choice"
    )
    assert NOTATION.write_state(state) == text
    assert NOTATION.read_state(text) == state


def test_fields_come_in_any_order():
    one = NOTATION.read_state("act 1 hands 3S/4S/5S/6S trick 0:9S")
    assert one == NOTATION.read_state("trick 0:9S hands 3S/4S/5S/6S act 1")


PLAIN = "act 1 hands 3S/4S/5S/6S"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "hands"),
        ("act 1", "hands"),
        (f"{PLAIN} trick", "'trick' has no value"),
        (f"{PLAIN} act 1", "given twice"),
        (f"{PLAIN} wind 3", "unknown keys wind"),
        (f"{PLAIN} stage dance", "dance"),
        (f"{PLAIN} revolution maybe", "yes or no, not 'maybe'"),
        (PLAIN.replace("3S", "1S"), "is not a position"),
        (f"{PLAIN} trick 0:2X", "is not a position"),
        (f"{PLAIN} trick 0:5S-walk", "walk"),
        (f"{PLAIN} results 0-1-1-2", "a ranking with every seat once"),
        (f"{PLAIN} most 1/2/3/4", "thirteen digits"),
        (f"{PLAIN} last 1;passes", "is not a position"),
        (f"{PLAIN} options rounds=0", r"\$\.rounds"),
        (f"{PLAIN} options color=2", "color"),
    ],
)
def test_a_bad_position_gets_an_error_with_the_problem(text, why):
    with pytest.raises(ValueError, match=why):
        NOTATION.read_state(text)
