"""Kora Battle as text: reading returns what was written, and bad text gets an error with the problem."""

import pytest

from tablee.core.game import Leave
from tablee.games.kora.notation import KoraNotation
from tablee.games.kora.values import Accept, DealResult, Options, Play, Propose, Refuse, State, Trick

NOTATION = KoraNotation()


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("7H", Play("7H")),
        ("TS", Play("TS")),
        ("bet 10", Propose(10)),
        ("accept", Accept()),
        ("refuse", Refuse()),
        ("leave", Leave()),
    ],
)
def test_actions_are_written_and_read(text, action):
    assert NOTATION.read_action(text) == action
    assert NOTATION.write_action(action) == text


@pytest.mark.parametrize(
    "text",
    ["", "7", "7h", "10H", "1S", "7H ", "7H\n", "bet", "bet x", "bet 0", "bet -5", "bet 10001", "bet 10 ", "Accept"],
)
def test_bad_actions_are_refused(text):
    with pytest.raises(ValueError, match="is not an action of Kora Battle"):
        NOTATION.read_action(text)


def test_a_position_contains_everything_but_defaults():
    result = DealResult(1, 0, "sevens", 10, 1, 10, (), (("7S", "7H", "7D", "KS", "QC"), ("KH", "QH", "JH", "TH", "9C")))
    state = State(
        options=Options(deals=3, betting="open"),
        stage="play",
        deal=2,
        banks=(110, 90),
        leader=1,
        stake=25,
        hands=(("3S",), ("4S", "5D")),
        led=None,
        tricks=(Trick(0, "JC", "8C", 0), Trick(0, "2D", "QD", 1)),
        last_deal=result,
        won=(10,),
    )
    text = (
        "deal 2 stage play banks 110/90 leader 1 stake 25 hands 3S/4S,5D tricks 0:JC-8C=0,0:2D-QD=1 won 10 "
        "last 1;0;sevens;10;1;10;;7S,7H,7D,KS,QC/KH,QH,JH,TH,9C options deals=3,betting=open"
    )
    assert NOTATION.write_state(state) == text
    assert NOTATION.read_state(text) == state


def test_fields_come_in_any_order():
    one = NOTATION.read_state("deal 1 stage play banks 100/100 leader 0 stake 10 hands 3S/4S led 5H")
    other = NOTATION.read_state("led 5H hands 3S/4S stake 10 leader 0 banks 100/100 stage play deal 1")
    assert one == other


PLAIN = "deal 1 stage play banks 100/100 leader 0"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'deal' is missing"),
        ("deal 1", "'stage' is missing"),
        (f"{PLAIN} stake", "'stake' has no value"),
        (f"{PLAIN} wind 3", "unknown keys wind"),
        (f"{PLAIN} deal 2", "a key is given twice"),
        (PLAIN.replace("play", "dance"), "dance"),
        (PLAIN.replace("100/100", "100/100/100"), "length 2, got 3"),
        (PLAIN.replace("deal 1", "deal one"), r"\$\.deal"),
        (f"{PLAIN} hands 1S/2S", r"\$\.hands\[0\]\[0\]"),
        (f"{PLAIN} hands 2S", "length 2, got 1"),
        (f"{PLAIN} tricks 0:2S", "is not a position"),
        (f"{PLAIN} options deals=2", r"\$\.deals"),
        (f"{PLAIN} options color=2", "color"),
        (f"{PLAIN} last 1;2", "is not a position"),
    ],
)
def test_a_bad_position_gets_an_error_with_the_problem(text, why):
    with pytest.raises(ValueError, match=why):
        NOTATION.read_state(text)
