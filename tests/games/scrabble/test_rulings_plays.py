"""Rulings S1 to S5 of Scrabble français, clause by clause: tiles, placement, scores, jokers, exchanges."""

from collections import Counter

import pytest

from tablee.core.chance import SeedChance
from tablee.core.game import Refused
from tablee.core.match import Match
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.values import Exchange, Options

GAME = Scrabble()
CHALLENGE = "options validation=challenge"
START = "act 0 racks AEMOSTU/AELRSTU"
THREE = "act 0 racks AEMOSTU/AELRSTU/BDEINRT"
LATER = "act 1 racks AEMOSTU/AELRSTU board H8:MOTS"


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


def test_S2_a_later_play_must_share_a_side_with_a_tile(table):
    assert table.code(LATER, "I12 LES") == "not_touching"
    assert table.why_not(LATER, "I11 LES").values["words"] == (
        "SL",
    )  # It touches a tile, so it also makes an invalid word.


def test_S2_not_every_letter_must_touch_a_tile(table):
    assert table.code("act 1 racks AEMOSTU/EELLRSU board H8:MOTS", "11H SELLE") is None


def test_S2_a_parallel_play_scores_its_crossing_words(table):
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


def test_S3_letter_premiums_come_before_word_premiums(table):
    assert table.score("act 0 racks AEEFSTU/A", "H4 FETES") == ({"FETES": 2 * (2 * 4 + 4)}, 24)


def test_S3_two_word_premiums_multiply_and_seven_tiles_score_50(table):
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


def test_S3_seven_letters_with_fewer_new_tiles_score_no_50(table):
    assert table.score("act 0 racks AEIMSTU/A board H8:PORT", "H8 PORTAIS")[1] == 3 + 1 + 1 + 1 + 2 * 1 + 1 + 1


# S4


def test_S4_a_joker_keeps_its_letter_and_its_value_of_0(table):
    state = table.play("act 0 racks ?AEOSTU/AELMRSU", "H8 mOTS")
    assert state.board[7 * 15 + 7] == "m"
    assert table.code(state, "8H MURE") == "contradicts"
    assert table.score(state, "8H mURE")[0] == {"mURE": 0 + 1 + 1 + 1}


@pytest.mark.parametrize("word", ["CŒUR", "ÉTÉ", "ETE ", "L'AMI", "ARC-EN"])
def test_S4_words_are_written_with_the_letters_A_to_Z(table, word):
    with pytest.raises(ValueError, match="not an action"):
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


def test_S5_others_see_only_the_number_of_tiles(table):
    assert GAME.seen(0, Exchange("?AE"), 0) == Exchange("?AE")
    assert GAME.seen(0, Exchange("?AE"), 1) == GAME.seen(0, Exchange("?AE"), None) == Exchange("___")
    view = GAME.view(table.play(START, "exchange AE"), 1)
    assert (view.log[0].count, view.log[0].tiles) == (2, "")


def test_S5_a_hidden_tile_cannot_be_exchanged(table):
    assert table.code(START, "exchange ___") == "not_on_rack"


def test_S5_every_set_of_tiles_is_listed_once(table):
    listed = [text for text in table.legal("act 0 racks AAE/A") if text.startswith("exchange")]
    assert listed == ["exchange A", "exchange E", "exchange AA", "exchange AE", "exchange AAE"]
