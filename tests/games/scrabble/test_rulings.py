"""Every ruling on Scrabble français, clause by clause; `S…` is its number on the rules page."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tablee.core.chance import SeedChance
from tablee.core.game import UNTIMED, Cause, Clocks, Missing, Refused
from tablee.core.match import Match
from tablee.core.record import CannotReplay
from tablee.core.trace import TracedChance
from tablee.games.scrabble.board import together
from tablee.games.scrabble.lexicon import default_ref
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.values import Exchange, Options, Pass, Place
from tablee.table import Table, dealing, playing, seating

GAME = Scrabble()
CHALLENGE = "options validation=challenge"
START = "act 0 racks AEMOSTU/AELRSTU"
THREE = "act 0 racks AEMOSTU/AELRSTU/BDEINRT"
LATER = "act 1 racks AEMOSTU/AELRSTU board H8:MOTS"


def log_of(state):
    return [(move.seat, move.kind) for move in state.log]


# S1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_S1_two_to_four_players_draw_seven_tiles_each(seats):
    state = GAME.setup(seats, Options(), SeedChance("s", 0))
    assert [len(rack) for rack in state.racks] == [7] * seats
    assert len(state.bag) == 102 - 7 * seats


@pytest.mark.parametrize("seats", [1, 5])
def test_S1_other_numbers_of_seats_are_refused(seats):
    with pytest.raises(Refused, match="bad_seats"):
        Match.start("scrabble", seats=seats, seed="s")


def test_S1_the_starter_is_drawn_uniformly():
    starters = Counter(GAME.setup(3, Options(), SeedChance(f"s{n}", 0)).starter for n in range(300))
    assert set(starters) == {0, 1, 2}
    assert min(starters.values()) > 70


def test_S1_turns_go_clockwise(table):
    state = table.play(THREE.replace("act 0", "act 1"), "pass")
    assert state.to_act == 2
    assert table.play(state, "pass").to_act == 0


def test_S1_a_rack_is_filled_to_seven_after_a_play(table):
    assert table.play(START, "H8 MOTS, draws ZKJQ").racks[0] == "AEJKQUZ"


def test_S1_the_bag_gives_what_it_has(table):
    state = table.play(f"{START} bag KZ", "H8 MOTS")
    assert (state.racks[0], state.bag) == ("AEKUZ", "")


def test_S1_a_short_rack_is_filled_only_after_its_own_next_play(table):
    state = table.leave("act 0 racks AEU/AELRSTU/BDEINRT bag - board H8:MOTS", 2)
    assert (state.racks, state.bag) == (("AEU", "AELRSTU", ""), "BDEINRT")
    state = table.play(state, "pass")
    assert state.racks[0] == "AEU"
    state = table.play(state, "pass", "8G AME")
    assert len(state.racks[0]) == 7


def test_S1_an_exchange_draws_as_many_as_it_gives(table):
    state = table.play("act 0 racks AEU/AELRSTU bag BDEINRTZ board H8:MOTS", "exchange AE, draws ZT")
    assert (state.racks[0], len(state.bag)) == ("TUZ", 8)


# S2


@pytest.mark.parametrize("first", ["H8 MOTS", "H5 MOTS", "8H MOTS", "8E MOTS", "H7 OS"])
def test_S2_the_first_play_covers_the_centre_across_or_down(table, first):
    assert table.code(START, first) is None


@pytest.mark.parametrize("first", ["H9 MOTS", "H4 MOTS", "8I MOTS", "A1 MOTS", "G8 MOTS"])
def test_S2_a_first_play_beside_the_centre_is_refused(table, first):
    refusal = table.why_not(START, first)
    assert (refusal.code, refusal.values["square"]) == ("not_on_centre", "H8")


def test_S2_the_first_play_has_at_least_two_letters(table):
    assert table.code(START, "H8 A") == "one_letter"


def test_S2_the_centre_star_doubles_the_first_word_and_no_other(table):
    assert table.score(START, "H8 MOTS") == ({"MOTS": 10}, 10)
    assert table.score(LATER, "8G AME") == ({"AME": 4}, 4)


def test_S2_a_later_play_shares_a_side_with_a_tile_not_a_corner(table):
    assert table.code(LATER, "I12 LES") == "not_touching"
    assert table.why_not(LATER, "I11 LES").values["words"] == ("SL",)  # It touches, and so makes a word that is none.


def test_S2_the_play_must_touch_not_every_letter_of_it(table):
    assert table.code("act 1 racks AEMOSTU/EELLRSU board H8:MOTS", "11H SELLE") is None


def test_S2_words_across_count_for_a_play_beside_others(table):
    words, total = table.score("act 1 racks AEMOSTU/AEORSTU board H8:DE", "I8 US")
    assert words == {"US": 1 + 2, "DU": 2 + 1, "ES": 1 + 2}
    assert total == 9


@pytest.mark.parametrize(("play", "invalid"), [("I8 US", None), ("I8 SU", ("DS",)), ("I8 UE", ("UE", "EE"))])
def test_S2_every_word_of_two_or_more_letters_must_be_valid(table, play, invalid):
    refusal = table.why_not("act 1 racks AEMOSTU/AEORSTU board H8:DE", play)
    assert (refusal and refusal.values["words"]) == invalid


# S3


def test_S3_premium_squares_count_only_in_the_turn_that_covers_them(table):
    assert table.score("act 0 racks AELOPRT/E", "H8 PORT") == ({"PORT": 2 * 6}, 12)
    assert table.score("act 0 racks E/A board H8:PORT", "H8 PORTE") == ({"PORTE": 3 + 1 + 1 + 1 + 2 * 1}, 8)


def test_S3_letters_first_then_words(table):
    assert table.score("act 0 racks AEEFSTU/A", "H4 FETES") == ({"FETES": 2 * (2 * 4 + 4)}, 24)


def test_S3_two_word_premiums_multiply_each_other_and_seven_tiles_bring_50(table):
    words, total = table.score(f"act 0 racks ABCEFGH/A board 4M:XYZ {CHALLENGE}", "O1 ABCZEFGH")
    assert words == {"ABCZEFGH": 9 * (1 + 3 + 3 + 10 + 1 + 4 + 2 + 4)}
    assert total == 252 + 50


def test_S3_a_premium_counts_for_every_word_that_uses_the_new_tile(table):
    words, _ = table.score("act 1 racks AEMOSTU/AEORSTU board H8:PORT", "12H EAU")
    assert words == {"EAU": 2 * 1 + 1 + 1, "PORTE": 3 + 1 + 1 + 1 + 2 * 1}


def test_S3_a_joker_on_a_word_premium_still_multiplies_the_word(table):
    assert table.score("act 0 racks ?AEOSTU/A", "H8 mOTS") == ({"mOTS": 2 * (0 + 1 + 1 + 1)}, 6)


def test_S3_a_joker_on_a_letter_premium_stays_0(table):
    assert table.score("act 0 racks ?AEESTU/A", "H4 fETES") == ({"fETES": 2 * (2 * 0 + 4)}, 8)


def test_S3_seven_letters_of_which_fewer_are_new_bring_no_50(table):
    assert table.score("act 0 racks AEIMSTU/A board H8:PORT", "H8 PORTAIS")[1] == 3 + 1 + 1 + 1 + 2 * 1 + 1 + 1


# S4


def test_S4_a_joker_keeps_its_letter_and_is_worth_0_later_too(table):
    state = table.play("act 0 racks ?AEOSTU/AELMRSU", "H8 mOTS")
    assert state.board[7 * 15 + 7] == "m"
    assert table.code(state, "8H MURE") == "contradicts"
    assert table.score(state, "8H mURE")[0] == {"mURE": 0 + 1 + 1 + 1}


@pytest.mark.parametrize("word", ["CŒUR", "ÉTÉ", "ETE ", "L'AMI", "ARC-EN"])
def test_S4_words_are_written_with_the_letters_A_to_Z(table, word):
    with pytest.raises(ValueError, match="no action"):
        table.action(f"H8 {word}")


def test_S4_a_ligature_is_two_letters(table):
    assert table.code("act 0 racks CEOORRU/A", "H6 COEUR") is None


def test_S4_jokers_may_be_exchanged(table):
    state = table.play("act 0 racks ??AEOST/A", "exchange ??, draws ZK")
    assert (state.racks[0], state.bag.count("?")) == ("AEKOSTZ", 2)


# S5


@pytest.mark.parametrize("tiles", ["A", "AEMOSTU"])
def test_S5_one_to_seven_tiles_are_exchanged(table, tiles):
    assert table.code(START, f"exchange {tiles}") is None


def test_S5_an_exchange_needs_seven_tiles_in_the_bag(table):
    assert table.code(f"{START} bag BBCCDDF", "exchange A") is None
    refusal = table.why_not(f"{START} bag BBCCDD", "exchange A")
    assert (refusal.code, refusal.values) == ("bag_too_small", {"left": 6, "least": 7})
    assert not any(text.startswith("exchange") for text in table.legal(f"{START} bag BBCCDD"))


def test_S5_the_tiles_go_back_after_the_new_ones_are_drawn(table):
    state = table.play(f"{START} bag BBCCDDF", "exchange AEMOSTU")
    assert (state.racks[0], state.bag) == ("BBCCDDF", "AEMOSTU")


@pytest.mark.parametrize(("tiles", "sorted_"), [("EA", "AE"), ("A?", "?A"), ("AEA", "AAE")])
def test_S5_tiles_are_one_sorted_string_jokers_first(table, tiles, sorted_):
    refusal = table.why_not("act 0 racks ?AAEOST/A", f"exchange {tiles}")
    assert (refusal.code, refusal.values) == ("not_sorted", {"tiles": sorted_})


def test_S5_others_see_only_how_many(table):
    assert GAME.seen(0, Exchange("?AE"), 0) == Exchange("?AE")
    assert GAME.seen(0, Exchange("?AE"), 1) == GAME.seen(0, Exchange("?AE"), None) == Exchange("___")
    view = GAME.view(table.play(START, "exchange AE"), 1)
    assert (view.log[0].count, view.log[0].tiles) == (2, "")


def test_S5_a_tile_that_nobody_can_name_is_not_on_a_rack(table):
    assert table.code(START, "exchange ___") == "not_on_rack"


def test_S5_every_heap_of_tiles_is_listed_once(table):
    listed = [text for text in table.legal("act 0 racks AAE/A") if text.startswith("exchange")]
    assert listed == ["exchange A", "exchange E", "exchange AA", "exchange AE", "exchange AAE"]


# S6: automatic validation


def test_S6_auto_is_the_default_and_refuses_an_unknown_word_to_its_player_alone(table):
    state = table.read(START)
    assert state.options.validation == "auto"
    for _ in range(20):  # Tries are not limited, and nothing is lost.
        assert table.code(state, "H8 MOSTU") == "not_a_word"
    assert table.code(state, "H8 MOTS") is None


def test_S6_auto_says_which_words_are_none_and_what_the_play_would_count(table):
    refusal = table.why_not("act 1 racks AEMOSTU/AEORSTU board H8:DE", "I8 UE")
    assert refusal.values["words"] == ("UE", "EE")
    assert refusal.values["score"] == refusal.values["play"].score == 9
    msgspec.json.encode(refusal)


def test_S6_auto_settles_a_play_at_once(table):
    state = table.play(START, "H8 MOTS")
    assert (state.stage, state.scores, state.pending) == ("play", (10, 0), None)


def test_S6_auto_the_clock_runs_on_while_words_are_refused():
    people = ("anne", "basile")
    table = Table("ABCDEF", Table.create("scrabble", {}, 2, False, people[0], move_time=60))
    for person in people:
        table.apply_all(seating.sit(table, person, None))
    table.apply_all(dealing.start(table, people[0], "graine"), 0.0)
    (seat,) = table.turn.must
    rack = table.match.state.racks[seat]
    nonsense = "".join(sorted(tile for tile in rack if tile != "?"))[:5]
    for moment in (10.0, 30.0, 59.0):
        with pytest.raises(Refused, match="not_a_word"):
            playing.act(
                table,
                people[seat],
                table.offers[seat],
                b'{"type":"place","at":"H8","word":"%s"}' % nonsense.encode(),
                moment,
            )
    assert not playing.expire(table, 59.9)
    assert [table.read_action(event.action) for event in playing.expire(table, 60.0)] == [Pass()]


@pytest.mark.parametrize("answer", ["challenge", "accept"])
def test_S6_auto_knows_no_contest(table, answer):
    assert table.code(LATER, answer) == "no_contest"
    assert table.code(LATER, answer, seat=0) == "no_contest"


# S6: contestation


@pytest.fixture
def window(table):
    """Seat 0 has laid MOSTU, which is no word; two others may contest it."""
    return table.play(f"{THREE} {CHALLENGE}", "H8 MOSTU")


def test_S6_any_well_placed_play_is_accepted_and_opens_a_window(table, window):
    assert window.stage == "challenge"
    assert GAME.turn(window).must == {1, 2}
    assert window.board == "." * 225
    assert table.code(f"{THREE} {CHALLENGE}", "A1 MOTS") == "not_on_centre"


def test_S6_the_window_has_its_own_time_in_which_thinking_clocks_stand_still(table, window):
    assert GAME.clocks(window) == Clocks(move=30, thinking=False)
    assert GAME.clocks(table.read(START)) == UNTIMED
    longer = table.play(f"{START} {CHALLENGE},challenge_time=60", "H8 MOTS")
    assert GAME.clocks(longer).move == 60


def test_S6_every_opponent_still_playing_answers(table, window):
    assert GAME.turn(table.play(window, "2: accept")).must == {1}
    left = table.leave(f"{THREE.replace('act 0', 'act 1')} {CHALLENGE}", 0)
    assert GAME.turn(table.play(left, "8H LES")).must == {2}


def test_S6_answers_are_hidden_until_the_last_is_in(table, window):
    contested, accepted = table.play(window, "2: challenge"), table.play(window, "2: accept")
    for viewer in (0, 1, None):
        assert GAME.view(contested, viewer) == GAME.view(accepted, viewer)
        assert GAME.view(contested, viewer).pending.answered == (2,)
        assert GAME.seen(2, table.action("challenge"), viewer) is None
    assert GAME.view(contested, 2).pending.mine is True
    assert GAME.view(accepted, 2).pending.mine is False
    assert GAME.view(window, 2).pending.mine is None


def test_S6_an_answer_is_given_once(table, window):
    state = table.play(window, "2: accept")
    assert table.code(state, "2: challenge") == "already_answered"


def test_S6_nobody_contests_or_accepts_their_own_play(table, window):
    assert table.code(window, "0: challenge") == "own_play"
    assert table.code(window, "0: accept") == "own_play"


def test_S6_in_the_window_nothing_else_is_played(table, window):
    assert table.code(window, "1: pass") == "answer_first"
    assert table.code(window, "1: 8H LES") == "answer_first"
    assert table.code(window, "0: pass") == "not_your_turn"
    assert table.legal(window, 1) == ["accept", "challenge"]


def test_S6_after_the_window_a_contest_is_too_late(table, window):
    state = table.play(window, "1: accept", "2: accept")
    assert table.code(state, "2: challenge") == "too_late"
    assert table.code(state, "1: challenge") == "too_late"


def test_S6_an_invalid_word_that_is_contested_comes_back_for_nothing(table, window):
    state = table.play(window, "1: accept", "2: challenge")
    assert (state.board, state.racks[0], state.scores) == ("." * 225, "AEMOSTU", (0, 0, 0))
    assert state.to_act == 1
    (move,) = state.log
    assert (move.kind, move.word, move.score, move.contesters, move.invalid) == (
        "withdrawn",
        "MOSTU",
        0,
        (2,),
        ("MOSTU",),
    )
    last = GAME.view(state, None).last
    assert (last.withdrawn, last.play.word, last.play.score, last.contesters) == (True, "MOSTU", 14, (2,))


def test_S6_a_contest_covers_all_words_of_the_play(table):
    before = f"act 1 racks AEMOSTU/AEORSTU board H8:DE {CHALLENGE}"
    state = table.play(before, "I8 SU", "challenge")  # SU and EU are words, DS is none
    assert state.log[-1].invalid == ("DS",)
    assert state.racks[1] == "AEORSTU"


def test_S6_every_contester_of_valid_words_loses_10(table):
    state = table.play(f"{THREE} {CHALLENGE}", "H8 MOTS", "2: challenge", "1: challenge")
    assert state.scores == (10, -10, -10)
    assert (state.log[-1].kind, state.log[-1].contesters) == ("place", (1, 2))
    state = table.play(f"{THREE} {CHALLENGE}", "H8 MOTS", "2: challenge", "1: accept")
    assert state.scores == (10, 0, -10)


def test_S6_where_nobody_contests_a_play_stands_valid_or_not(table, window):
    state = table.play(window, "1: accept", "2: accept")
    assert state.board[7 * 15 + 7 : 7 * 15 + 12] == "MOSTU"
    assert state.scores == (14, 0, 0)


def test_S6_tiles_are_drawn_only_once_the_play_stands(table, window):
    assert (window.racks[0], len(window.bag)) == ("AE", 102 - 21)
    assert GAME.view(window, 0).rack_sizes == (2, 7, 7)
    state = table.play(window, "1: accept", "2: accept")
    assert (len(state.racks[0]), len(state.bag)) == (7, 102 - 26)


def test_S6_only_then_can_it_end_the_game_after_any_10_lost(table):
    state = table.play(f"act 0 racks E/A bag - scores 142/120 board H8:PORT {CHALLENGE}", "H8 PORTE")
    assert GAME.outcome(state) is None
    over = GAME.outcome(table.play(state, "challenge"))
    assert (over.reason, over.scores) == ("out", (142 + 8 + 1, 120 - 10 - 1))


def test_S6_a_last_play_that_is_taken_back_does_not_end_the_game(table):
    state = table.play(f"act 0 racks X/A bag - board H8:PORT {CHALLENGE}", "H8 PORTX", "challenge")
    assert (GAME.outcome(state), state.racks, state.to_act) == (None, ("X", "A"), 1)


def test_S6_the_client_gets_no_advice_on_validity(table):
    state = table.read(f"{START} {CHALLENGE}")
    good, bad = (GAME.preview(state, 0, table.action(text)) for text in ("H8 MOTUS", "H8 MOSTU"))
    assert good is not None
    assert bad is not None
    assert msgspec.structs.replace(bad, word=good.word, tiles=good.tiles, words=good.words) == good
    pending = GAME.view(table.play(state, "H8 MOSTU"), 1).pending
    assert {"valid", "invalid"}.isdisjoint(msgspec.to_builtins(pending))


def test_S6_a_withdrawn_play_shows_tiles_that_everybody_then_knows(table, window):
    state = table.play(window, "1: accept", "2: challenge")
    for number in range(20):
        imagined = GAME.imagine(GAME.view(state, 1), SeedChance("devine", number))
        assert not Counter("MOSTU") - Counter(imagined.racks[0])


# S7


@pytest.mark.parametrize(("racks", "passes"), [("E/A", 6), ("E/A/I", 9), ("E/A/I/O", 12)])
def test_S7_three_passes_of_every_seat_in_a_row_end_the_game(table, racks, passes):
    state = table.read(f"act 0 racks {racks} board H8:MOT")
    for _ in range(passes):
        assert GAME.outcome(state) is None
        state = table.play(state, "pass")
    assert GAME.outcome(state).reason == "passes"


def test_S7_passes_of_the_seats_still_playing_are_counted(table):
    state = table.leave("act 0 racks E/A/I board H8:MOT", 2)
    for _ in range(6):
        state = table.play(state, "pass")
    assert GAME.outcome(state).reason == "passes"


def test_S7_clock_passes_count(table):
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


def test_S7_turns_in_which_no_tile_stays_end_the_game_too(table):
    state = table.read(START)
    for turn in range(12):
        assert GAME.outcome(state) is None, turn
        state = table.play(state, f"exchange {state.racks[state.to_act][0]}" if turn % 2 else "pass")
    assert GAME.outcome(state).reason == "stalled"


def test_S7_withdrawn_plays_leave_no_tile_either(table):
    state = table.read(f"act 0 racks X/Z board H8:MOT {CHALLENGE}")
    for _ in range(6):
        assert GAME.outcome(state) is None
        state = table.play(state, "H8 MOTX", "challenge", "H8 MOTZ", "challenge")
    assert GAME.outcome(state).reason == "stalled"


def test_S7_a_tile_that_stays_begins_the_count_again(table):
    state = table.play(START, "pass", "exchange A", "8H MOTS")
    view = GAME.view(state, None)
    assert (view.passes, view.idle, view.most_idle) == (0, 0, 12)


def test_S7_everyone_loses_the_value_of_the_tiles_left(table):
    state = table.play("act 0 racks KZ/?EQ scores 10/5 board H8:MOT", *["pass"] * 6)
    assert GAME.outcome(state).scores == (10 - 20, 5 - 9)
    assert GAME.view(state, None).final.adjustments == (-20, -9)


def test_S7_who_went_out_gains_the_sum_of_the_others(table):
    state = table.play("act 1 racks KZ/E/?EQ bag - scores 10/5/7 board H8:PORT", "H8 PORTE")
    assert GAME.outcome(state).scores == (10 - 20, 5 + 8 + 20 + 9, 7 - 9)


def test_S7_scores_may_be_negative(table):
    assert GAME.outcome(table.play("act 0 racks KZ/E board H8:MOT", *["pass"] * 6)).scores == (-20, -1)


def test_S7_equal_scores_share_a_place_and_the_next_is_skipped(table):
    state = table.play("act 0 racks E/A/KZ scores 9/9/9 board H8:MOT", *["pass"] * 9)
    assert GAME.outcome(state).places == (1, 1, 3)


# S8


@pytest.mark.parametrize("cause", [Cause.CLOCK, Cause.PLAYER_CLOCK, Cause.MATCH_CLOCK])
def test_S8_the_default_is_to_pass_and_in_the_window_to_accept(table, window, cause):
    assert GAME.fallback(table.read(START), 0, cause) == table.action("pass")
    assert GAME.fallback(window, 1, cause) == table.action("accept")


def test_S8_with_two_the_other_wins_and_scores_stay_as_they_are(table):
    state = table.leave(f"{START} scores 90/12 board H8:MOT", 0)
    over = GAME.outcome(state)
    assert (over.scores, over.places, over.reason) == ((90, 12), (2, 1), "left")


def test_S8_with_more_the_tiles_go_back_the_score_is_frozen_and_the_seat_is_skipped(table):
    state = table.leave(f"{THREE} scores 30/20/10", 1)
    assert (state.racks[1], len(state.bag), state.scores, state.to_act) == ("", 102 - 14, (30, 20, 10), 0)
    assert table.play(state, "pass").to_act == 2
    assert table.code(state, "1: pass") == "not_your_turn"


def test_S8_the_turn_of_a_leaver_goes_to_the_next(table):
    assert table.leave(THREE, 0).to_act == 1


def test_S8_an_unsettled_play_of_a_leaver_is_taken_back(table, window):
    state = table.leave(table.play(window, "1: challenge"), 0)
    assert (state.stage, state.pending, state.to_act) == ("play", None, 1)
    assert (state.board, state.racks[0], len(state.bag)) == ("." * 225, "", 102 - 14)
    assert log_of(state) == [(0, "leave")]


def test_S8_a_leaver_is_no_longer_asked_and_an_earlier_answer_does_not_count(table, window):
    assert GAME.turn(table.leave(window, 2)).must == {1}
    state = table.leave(table.play(window, "2: challenge"), 2)
    state = table.play(state, "1: accept")
    assert (state.log[-1].kind, state.log[-1].contesters) == ("place", ())


def test_S8_the_last_one_asked_who_leaves_settles_the_play(table, window):
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


def test_S8_when_all_others_leave_in_the_window_the_tiles_come_back(table, window):
    state = table.leave(table.leave(window, 1), 2)
    assert (GAME.outcome(state).places, state.racks[0], state.pending) == ((1, 2, 2), "AEMOSTU", None)


# S9


def test_S9_H8_is_across_and_8H_down(table):
    across, down = table.play(START, "H8 MOTS"), table.play(START, "8H MOTS")
    assert across.board[7 * 15 + 7 : 7 * 15 + 11] == "MOTS"
    assert down.board[7 * 15 + 7 :: 15][:4] == "MOTS"


def test_S9_at_is_the_first_letter_of_the_whole_word_also_where_it_was_there(table):
    before = "act 0 racks E/A board H8:PORT"
    assert table.code(before, "H8 PORTE") is None
    refusal = table.why_not(before, "H12 E")
    assert (refusal.code, refusal.values) == ("part_of_line", {"square": "H8", "word": "PORTE"})


@pytest.mark.parametrize("part", ["H9 ORTE", "H8 POR", "H10 RT"])
def test_S9_a_part_of_the_line_is_refused_never_corrected(table, part):
    assert table.code("act 0 racks E/A board H8:PORT", part) == "part_of_line"


def test_S9_a_letter_that_differs_from_the_board_is_refused(table):
    refusal = table.why_not("act 0 racks ES/A board H8:PORT", "H8 PONTE")
    assert (refusal.code, refusal.values["square"], refusal.values["letter"]) == ("contradicts", "H10", "R")


def test_S9_lower_case_exactly_where_a_joker_stands_on_the_board_too(table):
    before = "act 0 racks ?E/A board H8:PoRT"
    assert table.code(before, "H8 PoRTE") is None
    assert table.code(before, "H8 PoRTe") is None
    assert table.code(before, "H8 PORTE") == "contradicts"
    assert table.code(before, "H8 PorTE") == "contradicts"
    assert table.code("act 0 racks E/A board H8:PoRT", "H8 PoRTe") == "not_on_rack"


def test_S9_a_single_tile_that_forms_two_words_may_name_either(table):
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


def test_S10_the_tiles_one_does_not_see_are_counted_for_everyone(table):
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


def test_S11_a_host_may_choose_a_list_of_their_own(table, own_lexicon):
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
    with pytest.raises(CannotReplay, match="there is no lexicon 'maison:0123456789abcdef'"):
        Match.replay(elsewhere)


# S12


def test_S12_the_list_holds_valid_words_and_check_accepts_every_well_placed_play(table):
    auto, challenge = table.read(START), table.read(f"{START} {CHALLENGE}")
    assert table.legal(auto) == table.legal(challenge)
    assert "H8 MOSTU" not in table.legal(challenge)
    assert table.code(challenge, "H8 MOSTU") is None


def test_S12_the_game_says_that_its_list_is_partial_and_never_sent():
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


# The dealer can be checked


def test_every_tile_is_drawn_from_the_published_pack():
    kept: list[Any] = []
    state = GAME.setup(2, Options(), TracedChance("promesse", 0, kept))
    assert [draw.pack for draw in kept] == ["seats"] + ["tiles"] * 14
    assert together(*(draw.item for draw in kept[1:8])) == state.racks[0]
    assert kept[1].bag[:3] == (("?", 2), ("A", 9), ("B", 2))
