"""The rules and examples of the document that describes Scrabble, in its order."""

from collections import Counter

import pytest

from tablee.core.game import Cause
from tablee.games.scrabble.board import ALL_TILES, CENTRE, COUNTS, PREMIUMS, SIZE, VALUES, name_of
from tablee.games.scrabble.values import Options

CHALLENGE = "options validation=challenge"


# Distribution des lettres


def test_there_are_102_tiles():
    assert len(ALL_TILES) == 102


def test_two_jokers_are_worth_0_points():
    assert COUNTS["?"] == 2
    assert VALUES["?"] == 0


@pytest.mark.parametrize(
    ("letters", "count", "points"),
    [
        ("E", 15, 1),
        ("A", 9, 1),
        ("I", 8, 1),
        ("NORSTU", 6, 1),
        ("L", 5, 1),
        ("D", 3, 2),
        ("M", 3, 2),
        ("G", 2, 2),
        ("BCP", 2, 3),
        ("FHV", 2, 4),
        ("JQ", 1, 8),
        ("KWXYZ", 1, 10),
    ],
)
def test_the_distribution_is_the_official_one(letters, count, points):
    for letter in letters:
        assert (Counter(ALL_TILES)[letter], VALUES[letter]) == (count, points)


# Grille de jeu


def test_the_board_has_225_squares():
    assert (SIZE, len(PREMIUMS)) == (15, 225)


def test_the_centre_square_is_a_star_that_doubles_the_first_word(table):
    assert name_of(CENTRE, down=False) == "H8"
    assert table.score("act 0 racks AEMOSTU/AAAAAAA", "H8 MOTS") == ({"MOTS": 2 * (2 + 1 + 1 + 1)}, 10)


def test_the_kinds_of_premium_squares():
    assert Counter(PREMIUMS) == {"T": 8, "D": 17, "t": 12, "d": 24, ".": 164}


def test_the_board_is_symmetric():
    rows = [PREMIUMS[row * SIZE : (row + 1) * SIZE] for row in range(SIZE)]
    assert rows == rows[::-1]
    assert rows == [row[::-1] for row in rows]
    assert rows == ["".join(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize(
    ("mark", "squares"),
    [
        ("T", "A1 A8 A15 H1 H15 O1 O8 O15"),
        ("D", "B2 C3 D4 E5 H8 B14 C13 D12 E11 K5 L4 M3 N2 K11 L12 M13 N14"),
        ("t", "B6 B10 F2 F6 F10 F14 J2 J6 J10 J14 N6 N10"),
        ("d", "A4 A12 C7 C9 D1 D8 D15 G3 G7 G9 G13 H4 H12 I3 I7 I9 I13 L1 L8 L15 M7 M9 O4 O12"),
    ],
)
def test_the_places_of_premium_squares(mark, squares):
    found = {name_of(square, down=False) for square, there in enumerate(PREMIUMS) if there == mark}
    assert found == set(squares.split())


# Placement des mots


def test_the_first_word_covers_the_centre(table):
    start = "act 0 racks AEMOSTU/AAAAAAA"
    assert table.code(start, "H8 MOTS") is None
    assert table.code(start, "H5 MOTS") is None
    assert table.code(start, "8H MOTS") is None
    assert table.code(start, "H9 MOTS") == "not_on_centre"


def test_later_words_touch_others(table):
    later = "act 1 racks AAAAAAA/AEELSTU board H8:MOTS"
    assert table.code(later, "11H SEL") is None
    assert table.code(later, "A1 SEL") == "not_touching"


def test_a_word_runs_across_or_down(table):
    """A play is one word in one line: an action cannot describe two tiles in two lines."""
    later = "act 1 racks AAAAAAA/AEELSTU board H8:MOTS"
    down = table.play(later, "11H SEL")
    across = table.play(later, "G11 AS")
    assert [down.board[at] for at in (7 * 15 + 10, 8 * 15 + 10, 9 * 15 + 10)] == ["S", "E", "L"]
    assert across.board[6 * 15 + 10 : 6 * 15 + 12] == "AS"


def test_the_first_word_has_at_least_two_letters(table):
    assert table.code("act 0 racks AEMOSTU/AAAAAAA", "H8 A") == "one_letter"


# Calcul des scores


def test_the_basic_score(table):
    words, total = table.score("act 1 racks AAAAAAA/DEELSTU board H8:MOTS,11H:SEL,J11:LE", "12J EU")
    assert words == {"EU": 2}
    assert total == 2


def test_letter_premiums_come_before_word_premiums(table):
    words, _ = table.score("act 0 racks AEEFSTU/AAAAAAA", "H4 FETES")  # H4 doubles the F, H8 the word
    assert words == {"FETES": 2 * (2 * 4 + 1 + 1 + 1 + 1)}


def test_a_bingo_brings_50_points(table):
    assert table.score("act 0 racks EEMNORT/AAAAAAA", "H2 REMONTE") == ({"REMONTE": 20}, 70)


def test_a_square_in_two_words_counts_for_both(table):
    words, total = table.score("act 1 racks AAAAAAA/AELSTUU board H8:PORT", "12H EAU")  # H12 doubles the E, twice
    assert words == {"EAU": 2 * 1 + 1 + 1, "PORTE": 3 + 1 + 1 + 1 + 2 * 1}
    assert total == 4 + 8


# Jokers


def test_a_joker_is_worth_0_points(table):
    plain, _ = table.score("act 0 racks AEMOSTU/AAAAAAA", "H8 MOTS")
    joker, _ = table.score("act 0 racks ?AEOSTU/AAAAAAA", "H8 mOTS")
    assert plain["MOTS"] - joker["mOTS"] == 2 * 2


def test_a_joker_stands_for_any_letter(table):
    start = "act 0 racks ?/AAAAAAA board H8:MOT"
    assert {"H8 MOTs", "H8 MOTo"} <= set(table.legal(start))
    for letter in "abcdefghijklmnopqrstuvwxyz":
        assert table.code(f"{start} {CHALLENGE}", f"H8 MOT{letter}") is None


def test_a_laid_joker_cannot_be_replaced(table):
    state = table.play("act 0 racks ?AEOSTU/ELMNSSU", "H8 mOTS")
    assert table.code(state, "H8 MOTS") == "contradicts"
    assert table.code(state, "8H MUSE") == "contradicts"
    assert table.code(state, "8H mUSEE") == "not_on_rack"
    assert table.code(state, "8H mUSE") is None


# Passer


def test_passing_is_always_allowed(table):
    for text in ("act 0 racks AEMOSTU/AAAAAAA", "act 1 racks AAAAAAA/E bag - board H8:MOTS"):
        assert table.code(text, "pass") is None


def test_a_pass_scores_nothing_and_ends_the_turn(table):
    state = table.play("act 0 racks AEMOSTU/AAAAAAA", "pass")
    assert (state.scores, state.to_act) == ((0, 0), 1)


# Échanger


@pytest.mark.parametrize(("bag", "code"), [("AAAAAAA", None), ("AAAAAA", "bag_too_small")])
def test_an_exchange_needs_seven_tiles_in_the_bag(table, bag, code):
    assert table.code(f"act 0 racks AEMOSTU/EEEEEEE bag {bag}", "exchange AE") == code


def test_one_to_seven_tiles_are_exchanged(table):
    start = "act 0 racks AEMOSTU/AAAAAAA"
    assert table.code(start, "exchange A") is None
    assert table.code(start, "exchange AEMOSTU") is None
    with pytest.raises(ValueError, match="not an action"):
        table.action("exchange ")
    with pytest.raises(ValueError, match="not an action"):
        table.action("exchange AEMOSTUU")


def test_an_exchange_scores_nothing_and_ends_the_turn(table):
    state = table.play("act 0 racks AEMOSTU/AAAAAAA", "exchange AE, draws ZK")
    assert (state.scores, state.to_act, state.racks[0]) == ((0, 0), 1, "KMOSTUZ")


# Contestation


def test_a_play_can_be_contested_for_thirty_seconds(table):
    state = table.play(f"act 0 racks AEMOSTU/AAAAAAA {CHALLENGE}", "H8 MOTS")
    assert table.game.clocks(state).move == 30
    assert Options().challenge_time == 30


def test_after_an_invalid_word_the_player_takes_the_tiles_back(table):
    state = table.play(f"act 0 racks AEMOSTU/AAAAAAA {CHALLENGE}", "H8 MOSTU", "challenge")
    assert (state.racks[0], state.scores, state.board.strip(".")) == ("AEMOSTU", (0, 0), "")


def test_a_wrong_contest_costs_10_points(table):
    state = table.play(f"act 0 racks AEMOSTU/AAAAAAA {CHALLENGE}", "H8 MOTS", "challenge")
    assert state.scores == (10, -10)


def test_when_the_time_is_over_the_word_stands(table):
    state = table.play(f"act 0 racks AEMOSTU/AAAAAAA {CHALLENGE}", "H8 MOSTU")
    forced = table.game.fallback(state, 1, Cause.CLOCK)
    assert table.game.notation.write_action(forced) == "accept"
    assert "MOSTU" in table.play(state, "accept").board


# Fin de partie


def test_the_game_ends_when_a_player_goes_out_with_an_empty_bag(table):
    over = table.play("act 0 racks E/A bag - board H8:PORT", "H8 PORTE")
    assert table.game.outcome(over).reason == "out"
    goes_on = table.play("act 0 racks E/A bag Z board H8:PORT", "H8 PORTE")
    assert table.game.outcome(goes_on) is None


def test_the_game_ends_after_six_passes_in_a_row(table):
    state = table.read("act 0 racks E/A board H8:MOT")
    for turn in range(6):
        assert table.game.outcome(state) is None, turn
        state = table.play(state, "pass")
    assert table.game.outcome(state).reason == "passes"


def test_the_example_of_a_final_count(table):
    """A ends at 150 with no tile, B at 120 with three tiles worth 8: 158 and 112."""
    before = "act 0 racks E/DGH bag - scores 142/120 board H8:PORT"
    assert table.score(before, "H8 PORTE") == ({"PORTE": 8}, 8)
    state = table.play(before, "H8 PORTE")
    outcome = table.game.outcome(state)
    assert outcome.scores == (158, 112)
    assert outcome.places == (1, 2)
    assert table.game.view(state, None).final.adjustments == (8, -8)


# Fonctionnalités


def test_scores_are_shown_in_detail(table):
    state = table.play("act 1 racks AAAAAAA/AELSTUU board H8:PORT", "12H EAU")
    last = table.game.view(state, None).last
    assert (last.seat, last.play.score, last.play.bingo) == (1, 12, 0)
    main, cross = last.play.words
    assert (main.word, main.at, main.points, main.letter_bonus) == ("EAU", "12H", (1, 1, 1), (2, 1, 1))
    assert (cross.word, cross.at, cross.letter_bonus) == ("PORTE", "H8", (1, 1, 1, 1, 2))


def test_words_are_checked_in_real_time(table):
    refusal = table.why_not("act 0 racks AEMOSTU/AAAAAAA", "H8 MOSTU")
    assert refusal.code == "not_a_word"
    assert refusal.values["words"] == ("MOSTU",)
    assert refusal.values["score"] == 14


def test_passes_in_a_row_are_counted(table):
    state = table.play("act 0 racks AEMOSTU/AAAAAAA", "pass", "pass")
    view = table.game.view(state, None)
    assert (view.passes, view.most_passes) == (2, 6)
