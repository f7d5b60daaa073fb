"""Rulings S7 to S12 of Scrabble français, clause by clause: the end, leaving, notation, views, lexicons."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tablee.core.chance import SeedChance
from tablee.core.game import Cause, Missing
from tablee.core.match import Match
from tablee.core.record import CannotReplay
from tablee.core.trace import TracedChance
from tablee.games.scrabble.board import together
from tablee.games.scrabble.lexicon import default_ref
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.values import Options, Place

GAME = Scrabble()
CHALLENGE = "options validation=challenge"
START = "act 0 racks AEMOSTU/AELRSTU"
THREE = "act 0 racks AEMOSTU/AELRSTU/BDEINRT"


def log_of(state):
    return [(move.seat, move.kind) for move in state.log]


# S7


@pytest.mark.parametrize(("racks", "passes"), [("E/A", 6), ("E/A/I", 9), ("E/A/I/O", 12)])
def test_S7_three_passes_of_every_seat_in_a_row_end_the_game(table, racks, passes):
    state = table.read(f"act 0 racks {racks} board H8:MOT")
    for _ in range(passes):
        assert GAME.outcome(state) is None
        state = table.play(state, "pass")
    assert GAME.outcome(state).reason == "passes"


def test_S7_only_seats_still_playing_count(table):
    state = table.leave("act 0 racks E/A/I board H8:MOT", 2)
    for _ in range(6):
        state = table.play(state, "pass")
    assert GAME.outcome(state).reason == "passes"


def test_S7_passes_of_the_clock_count(table):
    state = table.read("act 0 racks E/A board H8:MOT")
    for turn in range(6):
        action = GAME.fallback(state, turn % 2, Cause.CLOCK)
        state = GAME.apply(state, turn % 2, action, SeedChance("s", turn))
    assert GAME.outcome(state).reason == "passes"


def test_S7_an_exchange_breaks_the_row(table):
    state = table.play(START, *["pass"] * 5, "exchange A", *["pass"] * 5)
    assert GAME.outcome(state) is None
    assert GAME.outcome(table.play(state, "pass")).reason == "passes"


def test_S7_a_withdrawn_play_breaks_the_row(table):
    state = table.play(f"{START} {CHALLENGE}", *["pass"] * 5)
    state = table.play(state, "8H LERST", "challenge", *["pass"] * 5)
    assert GAME.outcome(state) is None
    assert GAME.outcome(table.play(state, "pass")).reason == "passes"


def test_S7_a_player_leaving_breaks_the_row(table):
    state = table.leave(table.play(THREE, *["pass"] * 5), 2)
    assert (GAME.view(state, None).passes, GAME.view(state, None).idle) == (0, 5)
    state = table.play(state, *["pass"] * 5)
    assert GAME.outcome(state) is None
    assert GAME.outcome(table.play(state, "pass")).reason == "passes"


def test_S7_too_many_turns_without_a_new_tile_end_the_game(table):
    state = table.read(START)
    for turn in range(12):
        assert GAME.outcome(state) is None, turn
        state = table.play(state, f"exchange {state.racks[state.to_act][0]}" if turn % 2 else "pass")
    assert GAME.outcome(state).reason == "stalled"


def test_S7_withdrawn_plays_count_as_turns_without_a_tile(table):
    state = table.read(f"act 0 racks X/Z board H8:MOT {CHALLENGE}")
    for _ in range(6):
        assert GAME.outcome(state) is None
        state = table.play(state, "H8 MOTX", "challenge", "H8 MOTZ", "challenge")
    assert GAME.outcome(state).reason == "stalled"


def test_S7_a_new_tile_resets_the_count(table):
    state = table.play(START, "pass", "exchange A", "8H MOTS")
    view = GAME.view(state, None)
    assert (view.passes, view.idle, view.most_idle) == (0, 0, 12)


def test_S7_everyone_loses_the_value_of_the_tiles_left(table):
    state = table.play("act 0 racks KZ/?EQ scores 10/5 board H8:MOT", *["pass"] * 6)
    assert GAME.outcome(state).scores == (10 - 20, 5 - 9)
    assert GAME.view(state, None).final.adjustments == (-20, -9)


def test_S7_a_player_who_goes_out_gains_the_value_of_the_other_tiles(table):
    state = table.play("act 1 racks KZ/E/?EQ bag - scores 10/5/7 board H8:PORT", "H8 PORTE")
    assert GAME.outcome(state).scores == (10 - 20, 5 + 8 + 20 + 9, 7 - 9)


def test_S7_scores_may_be_negative(table):
    assert GAME.outcome(table.play("act 0 racks KZ/E board H8:MOT", *["pass"] * 6)).scores == (-20, -1)


def test_S7_equal_scores_share_a_place_and_the_next_is_skipped(table):
    state = table.play("act 0 racks E/A/KZ scores 9/9/9 board H8:MOT", *["pass"] * 9)
    assert GAME.outcome(state).places == (1, 1, 3)


# S8


@pytest.mark.parametrize("cause", [Cause.CLOCK, Cause.PLAYER_CLOCK, Cause.MATCH_CLOCK])
def test_S8_the_clock_passes_and_accepts(table, window, cause):
    assert GAME.fallback(table.read(START), 0, cause) == table.action("pass")
    assert GAME.fallback(window, 1, cause) == table.action("accept")


def test_S8_with_two_the_other_wins_and_scores_stay(table):
    state = table.leave(f"{START} scores 90/12 board H8:MOT", 0)
    over = GAME.outcome(state)
    assert (over.scores, over.places, over.reason) == ((90, 12), (2, 1), "left")


def test_S8_with_more_the_tiles_go_back_the_score_is_frozen_and_the_seat_is_skipped(table):
    state = table.leave(f"{THREE} scores 30/20/10", 1)
    assert (state.racks[1], len(state.bag), state.scores, state.to_act) == ("", 102 - 14, (30, 20, 10), 0)
    assert table.play(state, "pass").to_act == 2
    assert table.code(state, "1: pass") == "not_your_turn"


def test_S8_the_turn_of_a_leaver_passes_to_the_next_seat(table):
    assert table.leave(THREE, 0).to_act == 1


def test_S8_an_unsettled_play_of_a_leaver_is_withdrawn(table, window):
    state = table.leave(table.play(window, "1: challenge"), 0)
    assert (state.stage, state.pending, state.to_act) == ("play", None, 1)
    assert (state.board, state.racks[0], len(state.bag)) == ("." * 225, "", 102 - 14)
    assert log_of(state) == [(0, "leave")]


def test_S8_a_leaver_does_not_answer_and_an_earlier_answer_does_not_count(table, window):
    assert GAME.turn(table.leave(window, 2)).must == {1}
    state = table.leave(table.play(window, "2: challenge"), 2)
    state = table.play(state, "1: accept")
    assert (state.log[-1].kind, state.log[-1].contesters) == ("place", ())


def test_S8_the_contest_of_a_leaver_costs_nothing_and_takes_nothing_back(table, window):
    """`window` has an invalid word, so that a contest that counted would take it back."""
    before = table.play(window, "2: challenge")
    alone = table.play(table.leave(before, 2), "1: accept")
    assert log_of(alone) == [(2, "leave"), (0, "place")]
    assert alone.scores[2] == before.scores[2]
    both = table.play(table.leave(before, 2), "1: challenge")
    assert (both.log[-1].kind, both.log[-1].contesters) == ("withdrawn", (1,))
    wrong = table.play(table.leave(table.play(f"{THREE} {CHALLENGE}", "H8 MOTS", "2: challenge"), 2), "1: accept")
    assert wrong.scores[2] == 0


def test_S8_with_two_the_pending_play_is_withdrawn_if_its_contester_leaves(table):
    laid = table.play(f"{START} {CHALLENGE}", "H8 MOTS")
    state = table.leave(laid, 1)
    assert (state.pending, state.scores, GAME.outcome(state).places) == (None, (0, 0), (1, 2))


def test_S8_the_play_is_settled_if_the_last_unanswered_seat_leaves(table, window):
    state = table.leave(table.play(window, "1: challenge"), 2)
    assert log_of(state) == [(2, "leave"), (0, "withdrawn")]


def test_S8_leavers_rank_behind_those_who_stayed(table):
    state = table.leave("act 0 racks E/A/KZ scores 0/9/90 board H8:MOT", 2)
    state = table.play(state, *["pass"] * 6)
    assert GAME.outcome(state).scores == (-1, 8, 90)
    assert GAME.outcome(state).places == (2, 1, 3)


def test_S8_the_last_seat_left_wins(table):
    state = table.leave(table.leave(f"{THREE} scores 9/5/90", 2), 0)
    over = GAME.outcome(state)
    assert (over.scores, over.places, over.reason) == ((9, 5, 90), (3, 1, 2), "left")


def test_S8_if_all_others_leave_the_pending_play_is_withdrawn(table, window):
    state = table.leave(table.leave(window, 1), 2)
    assert (GAME.outcome(state).places, state.racks[0], state.pending) == ((1, 2, 2), "AEMOSTU", None)


# S9


def test_S9_H8_is_across_and_8H_down(table):
    across, down = table.play(START, "H8 MOTS"), table.play(START, "8H MOTS")
    assert across.board[7 * 15 + 7 : 7 * 15 + 11] == "MOTS"
    assert down.board[7 * 15 + 7 :: 15][:4] == "MOTS"


def test_S9_at_is_the_first_square_of_the_whole_word(table):
    before = "act 0 racks E/A board H8:PORT"
    assert table.code(before, "H8 PORTE") is None
    refusal = table.why_not(before, "H12 E")
    assert (refusal.code, refusal.values) == ("part_of_line", {"square": "H8", "word": "PORTE"})


@pytest.mark.parametrize("part", ["H9 ORTE", "H8 POR", "H10 RT"])
def test_S9_a_part_of_the_word_is_refused_never_corrected(table, part):
    assert table.code("act 0 racks E/A board H8:PORT", part) == "part_of_line"


def test_S9_a_letter_that_differs_from_the_board_is_refused(table):
    refusal = table.why_not("act 0 racks ES/A board H8:PORT", "H8 PONTE")
    assert (refusal.code, refusal.values["square"], refusal.values["letter"]) == ("contradicts", "H10", "R")


def test_S9_lower_case_is_exactly_for_jokers(table):
    before = "act 0 racks ?E/A board H8:PoRT"
    assert table.code(before, "H8 PoRTE") is None
    assert table.code(before, "H8 PoRTe") is None
    assert table.code(before, "H8 PORTE") == "contradicts"
    assert table.code(before, "H8 PorTE") == "contradicts"
    assert table.code("act 0 racks E/A board H8:PoRT", "H8 PoRTe") == "not_on_rack"


def test_S9_a_single_tile_that_forms_two_words_can_be_given_as_either(table):
    before = "act 0 racks S/A board H8:DE,10F:LE"
    assert table.score(before, "H8 DES")[1] == table.score(before, "10F LES")[1]
    assert {"H8 DES", "10F LES"} <= set(table.legal(before))
    across, down = table.play(before, "H8 DES"), table.play(before, "10F LES")
    assert (across.board, across.scores) == (down.board, down.scores)


# S10


def test_S10_racks_and_bag_are_secret_for_opponents_and_spectators(table):
    state = table.play(START, "H8 MOTS")
    mixed = together(state.bag, state.racks[0])
    other = replace(state, racks=(mixed[-7:], state.racks[1]), bag=mixed[:-7])
    assert GAME.view(other, 1) == GAME.view(state, 1)
    assert GAME.view(other, 0) != GAME.view(state, 0)
    everything = together(mixed, state.racks[1])
    hidden = replace(state, racks=(everything[:7], everything[7:14]), bag=everything[14:])
    assert GAME.view(hidden, None) == GAME.view(state, None)


def test_S10_board_scores_and_numbers_of_tiles_are_public(table):
    view = GAME.view(table.play(START, "H8 MOTS"), None)
    assert view.board[7] == ".......MOTS...."
    assert (view.scores, view.bag, view.rack_sizes, view.rack) == ((10, 0), 102 - 18, (7, 7), "")
    assert len(view.unseen) == 102 - 4


def test_S10_a_view_has_the_unseen_tiles(table):
    view = GAME.view(table.play(START, "H8 MOTS"), 1)
    assert len(view.unseen) == 102 - 4 - 7
    assert Counter(view.unseen)["T"] == 6 - 1 - 1


def test_S10_racks_left_are_shown_at_the_end(table):
    state = table.play("act 0 racks KZ/?EQ board H8:MOT", *["pass"] * 5)
    assert GAME.view(state, None).final is None
    state = table.play(state, "pass")
    assert GAME.view(state, None).final.racks == ("KZ", "?EQ")


# S11


def test_S11_the_lexicon_is_part_of_the_options_by_name_and_hash():
    match = Match.start("scrabble", seed="s")
    assert match.record().options["lexicon"] == default_ref()
    name, _, content = default_ref().partition(":")
    assert len(content) == 16
    assert Options(lexicon=name).lexicon == Options(lexicon="").lexicon == default_ref()


def test_S11_a_host_may_choose_another_list(table, own_lexicon):
    ref = own_lexicon("maison", "MOTS TSOM")
    state = table.read(f"{START} options lexicon={ref}")
    assert [text for text in table.legal(state) if text.startswith("H8 ")] == ["H8 MOTS", "H8 TSOM"]
    assert table.code(state, "H8 TSOM") is None
    assert table.code(state, "H8 OS") == "not_a_word"
    assert Options(lexicon="maison").lexicon == ref


@pytest.mark.parametrize("ref", ["ods", "ods:0123456789abcdef", "ods" + 1000 * "s", "../../etc/passwd"])
def test_S11_an_unknown_list_is_named(ref):
    with pytest.raises(Missing) as caught:
        Match.start("scrabble", seed="s", options={"lexicon": ref})
    assert caught.value.refusal.code == "missing_resource"
    assert caught.value.refusal.values["kind"] == "lexicon"
    assert caught.value.refusal.values["name"] == ref[:49].partition(":")[0]
    assert ref[:49] in caught.value.refusal.values["problem"]


def test_S11_a_replay_without_that_list_is_refused(own_lexicon):
    ref = own_lexicon("maison", "MOTS TSOM")
    match = Match.start("scrabble", seed="s", options={"lexicon": "maison"})
    match.play(match.state.to_act, {"type": "pass"})
    record = match.record()
    assert record.options["lexicon"] == ref
    assert Match.replay(record).state == match.state
    elsewhere = replace(record, options={**record.options, "lexicon": "maison:0123456789abcdef"})
    with pytest.raises(CannotReplay, match="unknown lexicon 'maison:0123456789abcdef'"):
        Match.replay(elsewhere)


# S12


def test_S12_the_list_holds_valid_words_and_check_accepts_every_well_placed_play(table):
    auto, challenge = table.read(START), table.read(f"{START} {CHALLENGE}")
    assert table.legal(auto) == table.legal(challenge)
    assert "H8 MOSTU" not in table.legal(challenge)
    assert table.code(challenge, "H8 MOSTU") is None


def test_S12_the_list_is_declared_partial_and_not_sent():
    assert GAME.info.partial
    assert not GAME.info.sends_legal


def test_S12_in_auto_mode_the_list_is_all_that_check_accepts(table):
    state = table.play(START, "H8 MOTS")
    listed = set(table.legal(state))
    rack = state.racks[1]
    for at in ("11H", "8G", "G11", "I8", "H7", "H8"):
        for word in ("SEL", "AME", "AS", "SE", "LES", "MOTSE", "EMOTS", "TA"):
            text = f"{at} {word}"
            assert (text in listed) == (table.code(state, text) is None), (text, rack)


def test_a_place_is_an_action_of_the_record(table):
    assert msgspec.to_builtins(Place("H8", "MOTS")) == {"type": "place", "at": "H8", "word": "MOTS"}


# Fairness


def test_every_tile_is_drawn_from_the_published_pack():
    kept: list[Any] = []
    state = GAME.setup(2, Options(), TracedChance("promesse", 0, kept))
    assert [draw.pack for draw in kept] == ["seats"] + ["tiles"] * 14
    assert together(*(draw.item for draw in kept[1:8])) == state.racks[0]
    assert kept[1].bag[:3] == (("?", 2), ("A", 9), ("B", 2))
