"""Every example in the document that describes Super Président, 3.2 to 5.6."""

import pytest

A, B, C, D, E = range(5)


def test_3_2_equal_or_stronger(table):
    """A 5 is followed by a 5 or a stronger card; two 7s by two cards of an equal or stronger rank."""
    singles = table.legal("act 1 hands KS/4H,5H,6H,7H,2H/3D/3C trick 0:5S")
    assert [text for text in singles if " " not in text] == ["5H", "6H", "7H", "2H"]
    pairs = table.legal("act 1 hands KS/6S,6H,8S,8H,9D/3D/3C trick 0:7S+7H")
    assert [text for text in pairs if " " not in text] == ["8S+8H"]


def test_3_3_the_last_player_leads_with_any_card(table):
    """A plays a 9 and the others pass: A leads with any card."""
    state = table.play("act 0 hands 9S,3S,4S,4H/5H,5C/6D,6C/7D,7C", "9S", "pass", "pass", "pass")
    assert (state.trick, table.to_act(state)) == ((), A)
    assert table.legal(state) == ["3S", "4S", "4H", "4S+4H"]


def test_3_4_the_same_combination_as_the_lead(table):
    for led, size in (("7S", 1), ("7S+7H", 2), ("7S+7H+7D", 3)):
        legal = table.legal(f"act 1 hands KS/TS,TH,TD/3D/3C trick 0:{led}")
        assert {text.count("+") + 1 for text in legal} == {size}


def test_4_1_a_suite_of_singles_and_of_pairs(table):
    """6, then suite 7: next an 8, then a 9. Two 8s, suite two 9s: next two 10s."""
    state = table.play("act 0 hands 6S,TS/7S,KS/8S,KH/9S,KD", "6S", "7S suite", "8S", "9S")
    assert [laid.cards[0] for laid in state.trick] == ["6S", "7S", "8S", "9S"]
    state = table.play("act 0 hands 8S,8H,KC/9S,9H,KS/TS,TH,KH/3S,3D", "8S+8H", "9S+9H suite", "TS+TH")
    assert table.legal(state) == ["pass"]


@pytest.mark.parametrize(
    ("order", "actions"),
    [("no", ["KS", "AS suite", "2S"]), ("yes", ["5S", "4S suite", "3S"])],
)
def test_4_1_a_suite_ends_with_the_strongest_rank(table, order, actions):
    hands = "/".join(f"{action.split()[0]},7{suit}" for action, suit in zip([*actions, "8S"], "SHDC", strict=True))
    state = table.play(f"act 0 hands {hands} revolution {order}", *actions)
    assert (state.trick, table.to_act(state)) == ((), C)


def test_4_2_a_reverse_goes_down_and_up_in_a_revolution(table):
    """6, reverse 5, then 4, then 3. In a revolution, after a 4 comes a 5."""
    state = table.play("act 0 hands 6S,TS/5S,KS/4S,KH/3S,KD", "6S", "5S reverse", "4S", "3S")
    assert len(state.trick) == 4
    state = table.play("act 0 hands 4S,TS/5S,KS/6S,KH/3D,KD revolution yes", "4S", "5S reverse")
    assert table.legal(state) == ["6S"]


def test_4_2_the_next_trick_has_the_current_order_again(table):
    state = table.play("act 0 hands 6S,TS/5S,KS/8S,KH/9S,KD", "6S", "5S reverse", "pass", "pass", "pass", "stop")
    assert (state.direction, table.to_act(state)) == (None, B)
    state = table.play(state, "KS", "KH")
    assert state.ou_rien


def test_4_3_the_possible_case_by_P9(table):
    """One 3 is on the table, and the player with the three others lays them at once."""
    state = table.play("act 0 hands 3S,KC/4H,KS/5H,KH/3H,3D,3C,KD", "3S", "3: close 3H+3D+3C")
    assert table.to_act(state) == D


def test_4_3_the_impossible_case(table):
    """After three 3s laid at once, the last 3 cannot close."""
    state = table.play("act 0 hands 3S,3H,3D,KC/4H,KS/5H,KH/3C,KD", "3S+3H+3D")
    assert table.legal(state, D) == []
    assert table.why_not(state, "close 3C", D) == "cannot_close"


def test_4_7_the_powers_of_the_2_go_to_the_3(table):
    state = table.play("act 0 hands 7S,7H,7D,7C,2S,3S/KS,AS/KH,AH/KD,AD", "7S+7H+7D+7C", "2S")
    assert table.to_act(state) == B  # A 2 no longer closes.
    state = table.play(state, "AS", "AH", "AD")
    assert table.legal(state) == ["pass"]  # Ou-Rien: the 3 is not an ace.


def test_4_8_the_complex_interaction(table):
    """Révolution: A plays 6, B declares a suite with 5, C a reverse with 4, D must play 5."""
    state = table.play("act 0 hands 6S,KS/5S,KH/4S,KD/5H,3H,KC revolution yes", "6S", "5S suite", "4S reverse")
    assert table.to_act(state) == D
    assert table.legal(state) == ["5H"]
    assert table.refusal(state, "3H") == ("must_be_rank", {"rank": "5"})


def test_5_1_the_suite(table):
    start = "act 0 hands 5S,8S,3S/6S,3H,3C/7S,9S,4S/4D,4C,KD"
    state = table.play(start, "5S", "6S suite", "7S")
    assert (table.to_act(state), table.legal(state)) == (D, ["pass"])
    state = table.play(state, "pass", "8S")
    assert (table.to_act(state), table.legal(state)) == (B, ["pass"])
    state = table.play(state, "pass", "9S", "pass")  # D is out of the trick: only A acts.
    assert (state.trick, state.direction, table.to_act(state)) == ((), None, C)


def test_5_2_the_reverse(table):
    start = "act 0 hands 9S,6S,KS/8S,3H,3C/7S,9H,4S/4D,4C,KD"
    state = table.play(start, "9S", "8S reverse", "7S")
    assert (table.to_act(state), table.legal(state)) == (D, ["pass"])
    state = table.play(state, "pass", "6S")
    assert state.direction == "reverse"
    state = table.play(state, "pass", "pass", "stop")
    assert (state.direction, table.to_act(state)) == (None, A)


def test_5_3_ou_rien(table):
    start = "act 0 hands JS,3S/JH,3H/JD,KD/QC,4C"
    state = table.play(start, "JS", "JH")
    assert table.legal(state) == ["JD"]
    state = table.play(state, "JD")
    assert (table.to_act(state), table.legal(state)) == (D, ["pass"])
    state = table.play(state, "pass")
    assert not state.ou_rien


def test_5_4_the_revolution(table):
    """The document continues with B, but by P8b A leads again, with the 5, and C's 4 beats it."""
    state = table.play("act 0 hands 7S,7H,7D,7C,5S,KC/6H,KS/4H,KH/6D,KD", "7S+7H+7D+7C")
    assert (state.revolution, table.to_act(state)) == (True, A)
    state = table.play(state, "5S")
    assert table.legal(state) == ["6H reverse", "pass"]
    state = table.play(state, "pass")
    assert table.legal(state) == ["4H", "4H suite"]


def test_5_5_going_out_with_a_2(table):
    state = table.play("act 0 hands 8S,2S/9H,TH/4D,4S/KD,5D", "8S", "9H", "pass", "KD", "2S")
    assert state.sunk == (A,)
    assert state.finished == ()


def test_5_6_closing_out_of_turn_at_five(table):
    """A, B and C play a 6; E holds the last one and is faster than D."""
    start = "act 0 hands 6S,3S/6H,3H/6D,3D/KC,3C/6C,4C"
    state = table.play(start, "6S", "6H", "6D")
    assert table.to_act(state) == D
    state = table.play(state, "4: close 6C")
    assert (state.trick, table.to_act(state)) == ((), E)
    assert state.last_trick.plays[-1].out_of_turn


def test_5_6_at_four_D_is_simply_next(table):
    state = table.play("act 0 hands 6S,3S/6H,3H/6D,3D/6C,3C", "6S", "6H", "6D", "6C")
    assert (state.trick, table.to_act(state)) == ((), D)
