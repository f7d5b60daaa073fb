"""Rulings P9 to P14 of Super Président, clause by clause: closing, the ranking, points, the clock, and the view."""

import json

import msgspec
import pytest

from tablee.core.game import Cause, Leave, Refused
from tablee.core.match import Match
from tablee.games.president.deck import STRENGTH, cards_of
from tablee.games.president.rules import CLOSING_PAUSE, President
from tablee.games.president.values import Options

GAME = President()
A, B, C, D, E = range(5)


# P9


def test_P9_a_seat_with_all_the_missing_cards_may_close_out_of_turn(table):
    state = table.read(table.CLOSABLE)
    assert table.may(state) == {D}
    assert table.legal(state, D) == ["close 6H+6D+6C"]
    state = table.play(state, "3: close 6H+6D+6C")
    assert (table.trick(state), table.to_act(state), state.last_trick.ending) == ("trick over", D, "four")
    assert [laid.out_of_turn for laid in state.last_trick.plays] == [False, True]


def test_P9_closing_needs_all_the_missing_cards(table):
    assert table.refusal(table.CLOSABLE, "close 6H", D) == ("close_with_all", {"cards": ("6H", "6D", "6C")})
    lacking = table.CLOSABLE.replace("6C,QD", "QD").replace("8H", "6C")
    assert table.refusal(lacking, "close 6H+6D", D) == ("cannot_close", {"reason": "not_all", "rank": "6"})


def test_P9_an_ordinary_play_out_of_turn_is_refused(table):
    assert table.why_not(table.CLOSABLE, "6H", D) == "not_your_turn"
    assert table.why_not(table.CLOSABLE, "pass", D) == "not_your_turn"


def test_P9_the_last_player_cannot_close(table):
    state = "act 1 hands 6H,6D,6C,9S/8H,4H/KD,4S/QD trick 0:6S"
    assert table.may(table.read(state)) == set()
    assert table.refusal(state, "close 6H+6D+6C", A) == ("cannot_close", {"reason": "own_play", "rank": "6"})


def test_P9_a_seat_that_is_out_of_the_trick_cannot_close(table):
    state = "act 1 hands 3S/8H,4H/KD,4S/6H,6D,6C,QD trick 0:6S out 3"
    assert table.may(table.read(state)) == set()
    assert table.refusal(state, "close 6H+6D+6C", D) == ("cannot_close", {"reason": "out", "rank": "6"})


def test_P9_a_seat_that_passed_under_ou_rien_can_close(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/8H,8D,8C,4S/8S,4D", "7S", "7H", "pass", "8S")
    assert table.to_act(state) == A
    assert table.legal(state, C) == ["close 8H+8D+8C"]


def test_P9_a_card_played_in_an_earlier_trick_rules_it_out(table):
    state = "act 1 hands 3S/8H,4H/KD,4S/6H,6D,QD trick 0:6S played 6S,6C"
    assert table.may(table.read(state)) == set()
    assert table.refusal(state, "close 6H+6D", D) == ("cannot_close", {"reason": "broken", "rank": "6"})


def test_P9_a_card_played_earlier_in_the_same_trick_rules_it_out(table):
    state = "act 0 hands 3S/KH,4H/KD,4S,6D,6C/QD trick 0:5S,1:6S-suite,2:7S-reverse,3:6H"
    assert table.may(table.read(state)) == set()
    assert table.refusal(state, "close 6D+6C", C) == ("cannot_close", {"reason": "broken", "rank": "6"})


def test_P9_a_pair_closes_on_a_pair(table):
    state = "act 1 hands 3S/8H,4H/KD,4S/6D,6C,QD trick 0:6S+6H"
    assert table.legal(state, D) == ["close 6D+6C"]


def test_P9_one_card_never_closes_on_a_brelan(table):
    state = "act 1 hands 3S/8H,4H/KD,4S/6C,QD trick 0:6S+6H+6D"
    assert table.legal(state, D) == []
    assert table.refusal(state, "close 6C", D) == ("cannot_close", {"reason": "size", "rank": "6"})


def test_P9_the_closing_rank_cannot_be_closed(table):
    state = table.play("act 0 hands 2S,3S/8H,4H/KD,4S/2H,2D,2C,QD", "2S")
    assert table.may(state) == set()
    assert table.refusal(state, "close 2H+2D+2C", D) == ("cannot_close", {"reason": "no_trick"})


def test_P9_in_a_revolution_2s_close_and_3s_do_not(table):
    state = table.play("act 0 hands 2S,4S/8H,4H/KD,5S/2H,2D,2C,QD revolution yes", "2S")
    assert table.may(state) == {D}


def test_P9_closing_overrides_suite_reverse_and_ou_rien(table):
    suite = "act 2 hands 3S/KH,4H/KD,4S/6H,6D,6C,QD trick 0:5S,1:6S-suite"
    reverse = "act 2 hands 3S/KH,4H/KD,4S/6H,6D,6C,QD trick 0:7S,1:6S-reverse"
    ou_rien = "act 2 hands 3S/KH,4H/KD,4S/6D,6C,QD trick 0:6S,1:6H ou_rien yes"
    assert table.legal(suite, D) == table.legal(reverse, D) == ["close 6H+6D+6C"]
    assert table.legal(ou_rien, D) == ["close 6D+6C"]


def test_P9_a_seat_may_go_out_by_closing(table):
    state = table.play(table.CLOSABLE.replace(",QD", ""), "3: close 6H+6D+6C")
    assert state.finished == (D,)
    assert table.to_act(state) == A  # The next seat with cards leads.


def test_P9_closing_may_end_the_manche(table):
    state = table.play("act 2 hands /8H,4H//6H,6D,6C trick 1:6S finished 0,2 options rounds=1", "3: close 6H+6D+6C")
    assert state.results[-1].ranking == (0, 2, 3, 1)


def test_P9_closing_in_turn_is_legal(table):
    state = "act 1 hands 3S,9S/6H,6D,6C,4H/KD,4S/QD trick 0:6S"
    assert "close 6H+6D+6C" in table.legal(state)
    closed = table.play(state, "close 6H+6D+6C")
    assert (table.to_act(closed), closed.last_trick.plays[-1].out_of_turn) == (B, False)


def test_P9_closing_and_playing_the_same_cards_have_the_same_effect(table):
    state = "act 3 hands 3S,9S/4H/KD,4S/6C,QD trick 0:6S,1:6H,2:6D ou_rien yes"
    assert table.legal(state) == ["6C", "close 6C"]
    assert table.play(state, "6C") == table.play(state, "close 6C")


def test_P9_the_first_logged_wins_a_race(table):
    """The next player's 8 came first: the close is refused with a reason."""
    late = table.play(table.CLOSABLE, "8H")
    assert table.refusal(late, "close 6H+6D+6C", D) == ("cannot_close", {"reason": "not_all", "rank": "8"})
    closed = table.play(table.CLOSABLE, "3: close 6H+6D+6C")
    assert table.why_not(closed, "8H", B) == "not_your_turn"


# P10


def test_P10_others_cannot_see_which_seat_could_close(table):
    """D holds three 6s, or B, C and D one each: the views of A and of a spectator and the pause are the same."""
    one = table.read("act 1 hands 3S,9S/8H,4H,9H/KD,4S,9D/6H,6D,6C trick 0:6S")
    two = table.read("act 1 hands 3S,9S/8H,4H,6H/KD,4S,6D/9H,9D,6C trick 0:6S")
    assert table.may(one) == {D}
    assert table.may(two) == set()
    for seat in (A, None):
        assert GAME.view(one, seat) == GAME.view(two, seat)
    assert GAME.legal_actions(one, A) == GAME.legal_actions(two, A) == []
    assert GAME.pause(GAME.view(one, None)) == GAME.pause(GAME.view(two, None)) == CLOSING_PAUSE


@pytest.mark.parametrize(
    ("state", "pause"),
    [
        ("act 0 hands 3S,9S/8H/KD/6H,6D,6C", False),  # A lead.
        ("act 1 hands 3S/8H,4H,5S/KD/6H trick 0:6S", True),  # B holds three cards: they might be the 6s.
        ("act 1 hands 3S/8H,4H/KD/6H trick 0:6S", False),  # Nobody holds three cards.
        ("act 1 hands 3S/8H,4H,5S/KD/6H trick 0:6S out 1", False),  # B is out of the trick.
        (
            "act 1 hands 6H,6D,6C/8H,4H/KD/QD trick 0:6S",
            False,
        ),  # Only the seat that made the last play holds enough cards.
        ("act 1 hands 3S/8H,4H,5S/KD/6H trick 0:6S played 6S,6C", False),  # A 6 is gone.
        ("act 1 hands 3S/8H,4H,5S/KD/6H trick 0:6S+6H", True),
        ("act 1 hands 3S/8H,4H,5S/KD/6H trick 0:6S+6H+6D", False),
        ("act 2 hands 3S/8H/KD,5D/6C trick 0:6S,1:6H ou_rien yes", True),
        ("act 3 hands 3S/8H/KD,5D/6C trick 0:6S,1:6H,2:6D ou_rien yes", True),
        ("stage alone act 2 hands 3S,KC,KH/6S,9S,9H/4H,4C/3D,KD,8D trick 0:7H,1:6H-reverse,2:5H out 0,1,3", False),
    ],
)
def test_P10_bots_pause_if_the_public_cards_allow_a_close(table, state, pause):
    assert (GAME.pause(GAME.view(table.read(state), None)) > 0) == pause


# P11


def test_P11_going_out_with_the_closing_rank_ends_at_the_bottom(table):
    state = table.play("act 0 hands 2S/8H,4H/KD/QD,3D options rounds=1", "2S")
    assert (state.finished, state.sunk) == ((), (A,))
    state = table.play(state, "4H", "KD", "pass", "pass", "QD", "pass", "3D")
    assert state.results[-1].ranking == (C, D, B, A)
    assert GAME.outcome(state).scores == (-2, -1, 2, 1)


@pytest.mark.parametrize("pair", ["2S+2H", "2S+2H+2D"])
def test_P11_going_out_with_several_cards_of_the_closing_rank(table, pair):
    assert table.play(f"act 0 hands {pair.replace('+', ',')}/8H,4H/KD,4S/QD,3D", pair).sunk == (A,)


def test_P11_a_forced_play_of_the_closing_rank_also_sinks(table):
    state = "act 1 hands 9S,8S/2H/KD,4S/QD,3D trick 0:7S"
    assert table.legal(state) == ["2H"]
    assert table.play(state, "2H").sunk == (B,)


def test_P11_in_a_revolution_3s_sink_and_2s_do_not(table):
    assert table.play("act 0 hands 3S/8H,4H/KD,4S/QD,3D revolution yes", "3S").sunk == (A,)
    assert table.play("act 0 hands 2S/8H,4H/KD,4S/QD,3D revolution yes", "2S").finished == (A,)


def test_P11_the_order_at_the_time_of_the_play_counts(table):
    sunk = table.play("act 0 hands 2S,2H,2D,2C/8H,4H/KD,4S/QD,3D", "2S+2H+2D+2C")
    assert (sunk.sunk, sunk.revolution) == ((A,), True)
    safe = table.play("act 0 hands 3S,3H,3D,3C/8H,4H/KD,4S/QD,5D", "3S+3H+3D+3C")
    assert (safe.finished, safe.revolution) == ((A,), True)


def test_P11_the_last_of_several_to_sink_is_the_trouduc(table):
    state = table.play("act 0 hands 2S/2H/KD/QD,3D options rounds=1", "2S", "2H", "KD")
    assert state.results[-1].ranking == (C, D, A, B)
    assert state.results[-1].sunk == (A, B)


def test_P11_the_last_with_cards_is_president_if_all_others_sank(table):
    state = table.play("act 0 hands 2S/2H/2D/QD,3D options rounds=1", "2S", "2H", "2D")
    assert state.results[-1].ranking == (D, A, B, C)


# P12


def test_P12_the_manche_ends_when_one_player_has_cards_left_in_the_middle_of_a_trick(table):
    state = table.play("act 1 hands 9S/KH// finished 2,3 trick 0:7S options rounds=1", "KH")
    assert (state.stage, state.last_trick.ending) == ("over", "manche")
    assert state.results[-1].ranking == (2, 3, 1, 0)


@pytest.mark.parametrize(
    ("seats", "points"),
    [(4, [2, 1, -1, -2]), (5, [2, 1, 0, -1, -2]), (6, [2, 1, 0, 0, -1, -2]), (8, [2, 1, 0, 0, 0, 0, -1, -2])],
)
def test_P12_points_and_titles(table, seats, points):
    order = list(range(seats))
    cards = "/".join({seats - 2: "5S", seats - 1: "9H"}.get(seat, "") for seat in order)
    gone = ",".join(map(str, order[:-2]))
    state = table.play(f"act {seats - 2} hands {cards} finished {gone} options rounds=2", "5S")
    assert list(state.results[-1].points) == points
    titles = [seat.title for seat in GAME.view(state, None).seats]
    neutral = ["neutre"] * (seats - 4)
    assert titles == ["president", "vice_president", *neutral, "avant_dernier", "trouduc"]


def test_P12_a_partie_has_five_manches_by_default_and_one_to_twenty():
    assert Options().rounds == 5
    for rounds in (0, 21):
        with pytest.raises(Refused, match="bad_option"):
            Match.start("president", options={"rounds": rounds}, seed="s")


@pytest.mark.parametrize("rounds", [1, 3])
def test_P12_a_partie_ends_after_its_manches(rounds):
    match = Match.start("president", options={"rounds": rounds}, seed="fin")
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, match.legal(seat)[0])
    assert len(match.state.results) == rounds


def test_P12_most_points_win(table):
    state = table.play(table.LAST_CARDS.replace("rounds=3", "rounds=2 manche 2 results 0-1-2-3"), "5S")
    assert GAME.outcome(state).scores == (3, 0, 1, -4)
    assert GAME.outcome(state).places == (1, 3, 2, 4)


def test_P12_equal_points_share_a_place_and_the_next_is_skipped(table):
    state = table.play(table.LAST_CARDS.replace("rounds=3", "rounds=2 manche 2 results 0-2-3-1"), "5S")
    assert GAME.outcome(state).scores == (3, -3, 3, -3)
    assert GAME.outcome(state).places == (1, 3, 1, 3)


def test_P12_the_revolution_ends_with_the_manche(table):
    assert not table.play(table.LAST_CARDS.replace("played", "revolution yes played"), "5S").revolution


# P13


@pytest.mark.parametrize(
    ("state", "action"),
    [
        ("act 0 hands 5H,5S,5D,9S/3S/3H/3D", "5S"),  # Weakest rank, fewest cards, first suits.
        ("act 0 hands 5H,2S,9S/3S/3H/3D revolution yes", "2S"),
        ("act 1 hands 3S/4S,8H,8D,8C,KS,KC/3H/3D trick 0:7S+7H", "8H+8D"),
        ("act 1 hands 3S/6S,8H/3H/3D trick 0:7S", "8H"),  # A reverse would be weaker.
        ("act 1 hands 3S/6S,5H/3H/3D trick 0:7S", "pass"),  # Nothing without declaring.
        ("act 1 hands 3S/4C,7H,7D,7C/3H,KS/3D trick 0:6S,3:7S-suite", "pass"),  # It never closes.
        ("stage alone act 2 hands 3S,KC/6S,9S/4H,4C/3D,KD trick 0:7H,1:6H-reverse,2:5H out 0,1,3", "stop"),
    ],
)
def test_P13_the_default_action(table, state, action):
    assert table.clock(state) == action


def test_P13_in_the_exchange_the_worst_cards(table):
    state = table.play(table.CHOICE, "5S")
    for seat, count in ((2, 2), (0, 1)):
        assert table.clock(state, seat) == "give " + "+".join(cards_of(state.hands[seat])[:count])


def test_P13_leaving_does_not_change_the_game(table):
    assert GAME.info.replaces_leavers
    state = table.read(table.CLOSABLE)
    for seat in range(4):
        assert GAME.fallback(state, seat, Cause.LEAVE) == Leave()
        assert GAME.apply(state, seat, Leave(), table.stacked()) == state


# P14


def test_P14_4_to_8_seats():
    assert GAME.info.seats == (4, 8)


# The view


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("act 0 hands 5S/3S/3H/3D", {"size": None, "ranks": list(STRENGTH), "suite": None, "reverse": None}),
        ("act 1 hands 5S/3S/3H/3D trick 0:KS", {"size": 1, "ranks": ["K", "A", "2"], "suite": "A", "reverse": "Q"}),
        (
            "act 1 hands 5S/3S/3H/3D trick 0:5S+5H revolution yes",
            {"size": 2, "ranks": ["5", "4", "3"], "suite": "4", "reverse": "6"},
        ),
        (
            "act 2 hands 5S/3S/3H/3D trick 0:5S,1:6S-suite",
            {"ranks": ["7"], "direction": "suite", "suite": None, "reverse": "7"},
        ),
        ("act 2 hands 5S/3S/3H/3D trick 0:5S,1:4S-reverse", {"ranks": ["3"], "direction": "reverse", "reverse": None}),
        ("act 2 hands 5S/KS/3H/3D trick 0:4S,1:3S-reverse", {"ranks": [], "direction": "reverse"}),
        ("act 2 hands 5S/3S/3H/3D trick 0:JS,1:JH ou_rien yes", {"ranks": ["J"], "ou_rien": True, "direction": None}),
    ],
)
def test_a_view_has_the_demand_for_the_next_play(table, state, expected):
    demand = msgspec.to_builtins(GAME.view(table.read(state), None).demand)
    assert expected.items() <= json.loads(json.dumps(demand)).items()


def test_a_view_has_the_closing_rank(table):
    assert GAME.view(table.read("act 0 hands 5S/3S/3H/3D"), None).closing_rank == "2"
    assert GAME.view(table.read("act 0 hands 5S/3S/3H/3D revolution yes"), None).closing_rank == "3"


def test_an_action_of_another_stage_is_refused(table):
    assert table.refusal("act 0 hands 5S/3S/3H/3D", "give 5S") == ("wrong_stage", {"stage": "play"})
    assert table.refusal(table.play(table.CHOICE, "5S"), "3S", 0) == ("wrong_stage", {"stage": "exchange"})
    assert table.refusal(table.play(table.CHOICE, "5S"), "close 3S", 0) == ("cannot_close", {"reason": "no_trick"})
