"""Every example in the document that describes Kora Battle."""

import pytest

from tablee.core.cards import DECK
from tablee.games.kora.rules import VALUE, exploit
from tablee.games.kora.values import Trick

A, B = 0, 1


def test_composition_du_jeu():
    """52 cards: four suits of thirteen; ace 1, then face value, Valet 11, Dame 12, Roi 13; 100 koras each."""
    assert len(DECK) == len(set(DECK)) == 52
    assert {suit: [VALUE[rank + suit] for rank in "A23456789TJQK"] for suit in "SHDC"} == {
        suit: list(range(1, 14)) for suit in "SHDC"
    }


def test_mise_initiale(table):
    start = table.begin("leader 0", "3S,9S,7H,2D,JC/4S,KS,5H,QD,8C")
    assert start.banks == (100, 100)


def test_exemple_de_tour(table):
    """A leads 7♠, B has spades and takes with 10♠; B leads 5♥, A has no heart, K♣ takes nothing."""
    state = table.read("deal 1 stage play banks 100/100 leader 0 stake 10 hands 7S,QD,2C,5C,KC/TS,QS,5H,8H,9D")

    state = table.play(state, "7S")
    assert table.to_act(state) == B
    assert table.legal(state) == ["TS", "QS"]
    state = table.play(state, "TS")
    assert state.tricks[-1] == Trick(A, "7S", "TS", winner=B)
    assert state.leader == table.to_act(state) == B

    state = table.play(state, "5H")
    assert table.to_act(state) == A
    assert table.legal(state) == ["QD", "2C", "5C", "KC"]
    state = table.play(state, "KC")
    assert state.tricks[-1] == Trick(B, "5H", "KC", winner=B)
    assert state.leader == table.to_act(state) == B


@pytest.fixture
def sequence(table):
    """« Séquence Complète d'une Partie »: the hands of the document; A leads."""
    return table.begin("leader 0", "3S,7H,JC,2D,9S/KS,5H,8C,QD,4S")


def test_sequence_complete_sums(sequence):
    """32 and 42: no automatic win."""
    assert [sum(VALUE[card] for card in hand) for hand in sequence.hands] == [32, 42]
    assert (sequence.stage, sequence.last_deal) == ("play", None)


def test_sequence_complete_trick_1_is_corrected_by_K6(table, sequence):
    """In the document B replies K♠ to 7♥, but B holds 5♥ and must play it."""
    state = table.play(sequence, "7H")
    assert table.why_not(state, "KS") == "must_follow"
    assert table.legal(state) == ["5H"]
    assert table.play(state, "5H").leader == A


def test_sequence_complete_tricks_2_and_3(table, sequence):
    state = table.play(sequence, "7H", "5H", "JC")
    assert table.legal(state) == ["8C"]
    state = table.play(state, "8C")
    assert state.leader == A
    state = table.play(state, "2D")
    assert table.legal(state) == ["QD"]
    state = table.play(state, "QD")
    assert state.leader == B
    assert table.write(state) == (
        "deal 1 stage play banks 100/100 leader 1 stake 10 hands 3S,9S/4S,KS tricks 0:7H-5H=0,0:JC-8C=0,0:2D-QD=1"
    )


def test_sequence_complete_to_its_end(table, sequence):
    """Without 5♥, B leads K♠ in trick 4. A replies 9♠ as in the document, and 4♠ beats 3♠ at the end."""
    state = table.play(sequence, "7H", "5H", "JC", "8C", "2D", "QD", "KS", "9S")
    assert state.leader == B
    state = table.play(state, "4S")
    assert table.legal(state) == ["3S"]
    state = table.play(state, "3S")
    assert (state.last_deal.winner, state.last_deal.reason, state.last_deal.multiplier) == (B, "trick", 1)
    assert state.banks == (90, 110)
    assert table.game.outcome(state).places == (2, 1)


def test_sequence_complete_tricks_4_and_5_of_the_document(table):
    """Start from the document's position after trick 3, in which B still holds 5♥."""
    state = table.read("deal 1 stage play banks 100/100 leader 1 stake 10 hands 3S,9S/4S,5H tricks "
                       "0:7H-KS=0,0:JC-8C=0,0:2D-QD=1")  # fmt: skip
    state = table.play(state, "5H")
    assert table.legal(state) == ["3S", "9S"]
    state = table.play(state, "9S")
    assert state.leader == B
    state = table.play(state, "4S")
    assert table.legal(state) == ["3S"]
    state = table.play(state, "3S")
    assert (state.last_deal.winner, state.banks) == (B, (90, 110))


@pytest.mark.parametrize(
    ("hands", "winner"),
    [
        ("7S,7H,7D,KS,QC/KH,QH,JH,TH,9C", A),
        ("KH,QH,JH,TH,9C/7S,7H,7D,7C,QC", B),
        ("AS,2H,3D,4C,TC/KH,QH,JH,TH,9C", A),
        ("KH,QH,JH,TH,9C/AS,AH,AD,AC,2C", B),
    ],
)
def test_verifications_automatiques(table, hands, winner):
    """At least three 7s, or a sum below 21, win at once."""
    state = table.begin("leader 0", hands)
    assert (state.stage, state.last_deal.winner) == ("over", winner)


EXPLOITS = {
    "Gagner le tour 5 sans 3": ("9S 8S 7S 6S 5S", "trick", 1),
    "Kora simple": ("9S 8S 7S 6S 3S", "kora", 2),
    "Double Kora (33 Export)": ("9S 8S 7S 3S 3H", "33", 3),
    "Triple Kora (333)": ("9S 8S 3S 3H 3D", "333", 4),
}


@pytest.mark.parametrize("name", EXPLOITS)
def test_cas_speciaux_kora_et_exploits(name):
    """A wins five tricks with these cards while B throws kings away."""
    cards, reason, multiplier = EXPLOITS[name]
    tricks = tuple(Trick(A, card, "KC", winner=A) for card in cards.split())
    assert exploit(tricks) == (reason, multiplier)


@pytest.mark.parametrize(
    ("case", "position", "playable"),
    [
        ("avec la main", "leader 0 hands 3S,9S,7H,2D,JC/4S,KS,5H,QD,8C", "3S 9S 7H 2D JC"),
        ("sans la main, a la famille", "leader 0 led 7H hands 3S,9S,2D,JC/4S,KS,5H,QH,8C", "5H QH"),
        ("sans la main, n'a pas la famille", "leader 0 led 7H hands 3S,9S,2D,JC/4S,KS,5D,QD,8C", "4S KS 5D QD 8C"),
    ],
)
def test_cartes_jouables(table, case, position, playable):
    state = table.read(f"deal 1 stage play banks 100/100 stake 10 {position}")
    assert table.legal(state) == playable.split(), case
    shown = table.game.view(state, table.to_act(state)).hand
    assert [held.card for held in shown if held.playable] == playable.split(), case


def test_fin_de_partie_after_five_tricks(table, sequence):
    """After five tricks no cards are left, and the last leader has won."""
    state = table.play(sequence, "7H", "5H", "JC", "8C", "2D", "QD", "KS", "3S", "4S")
    assert table.game.outcome(state) is None
    state = table.play(state, "9S")
    assert (state.stage, state.leader, state.last_deal.winner) == ("over", A, A)
    assert len(state.last_deal.tricks) == 5
    assert state.hands == ((), ())
