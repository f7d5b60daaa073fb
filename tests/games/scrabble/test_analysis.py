"""The analysis of Scrabble: best plays, simulation, anagrams, hooks, and GCG of what was built."""

import re
from collections import Counter

import msgspec
import pytest

from tablee.core.game import Missing, Refused
from tablee.games.scrabble.analysis import PlaysQuestion, Position, find_plays
from tablee.games.scrabble.board import ALL_TILES, EMPTY_BOARD, put, value_of
from tablee.games.scrabble.finder import AnagramsQuestion, HooksQuestion, find_anagrams, find_hooks
from tablee.games.scrabble.gcg_reading import read
from tablee.games.scrabble.gcg_studies import ExportQuestion, OpenQuestion, Turn, export_file, open_file, rows_of
from tablee.games.scrabble.lexicon import lexicon
from tablee.games.scrabble.movegen import plays as all_plays
from tablee.games.scrabble.scoring import score_play
from tablee.games.scrabble.simulation import SimulateQuestion, simulate
from tablee.games.scrabble.values import Exchange, Pass, Place

MOTS = put(EMPTY_BOARD, "H8", "MOTS")


def position(rack, board=MOTS, **more):
    return Position(rows_of(board), rack, **more)


def find(rack, board=MOTS, most=100, **filters):
    return find_plays(PlaysQuestion(position(rack, board), most=most, **filters), "anyone")


def refusal(work, question):
    with pytest.raises(Refused) as refused:
        work(question, "anyone")
    return refused.value.refusal


# Best plays


def test_the_plays_are_all_legal_ones_with_their_scores():
    answer = find("EIRSUVZ", most=500)
    placed = [one for one in answer.plays if one.kind == "place"]
    listed = {(one.at, one.word): one.score for one in placed}
    expected = {(one.at, one.word): score_play(MOTS, one.at, one.word).score for one in every_play("EIRSUVZ")}
    assert answer.found == len({new_tiles(MOTS, at, word) for at, word in expected})
    best = sorted(expected.values(), reverse=True)[:20]
    assert sorted(listed.values(), reverse=True)[:20] == best
    assert all(expected[play] == score for play, score in listed.items())
    assert [one.equity for one in answer.plays] == sorted((one.equity for one in answer.plays), reverse=True)


def every_play(rack):
    return all_plays(MOTS, "".join(sorted(rack)), lexicon().ref)


def new_tiles(board, at, word):
    after = put(board, at, word)
    return frozenset((square, tile) for square, tile in enumerate(after) if board[square] != tile)


def test_the_best_play_of_a_known_rack():
    best = find("AEIRSTN").plays[0]
    assert (best.at, best.word, best.score, best.leave, best.bingo) == ("11D", "TRANSIES", 82, "", True)
    assert best.tiles == "TRAN.IES"


def test_a_leave_is_what_stays_and_its_value_counts():
    for one in find("?EIRSTU").plays:
        given = one.tiles.replace(".", "") if one.kind == "place" else one.tiles
        laid = "".join("?" if tile.islower() else tile for tile in given)
        assert Counter(laid) + Counter(one.leave) == Counter("?EIRSTU")
        assert one.equity == one.score + one.keep


def test_filters():
    for one in find("AEIRSTN", squares=("H8", "I8")).plays:
        assert one.at[-1] <= "H"
        assert one.word[ord("H") - ord(one.at[-1])] == "M"
    containing = find("AEIRSTN", contains="tr?n").plays
    assert "TRAINES" in {one.word for one in find("AEIRSTN", contains="tra").plays}
    assert containing
    assert all(re.search("TR.N", one.word) for one in containing)
    assert all(len(one.word) >= 8 for one in find("AEIRSTN", least=8).plays)
    bingos = find("AEIRSTN", bingo=True)
    assert bingos.found > 10
    assert all(one.bingo and one.score > 50 and not one.leave for one in bingos.plays)


def test_an_empty_board_and_jokers():
    answer = find("??EIRST", EMPTY_BOARD)
    best = answer.plays[0]
    assert best.bingo
    assert sum(letter.islower() for letter in best.word) == 2
    assert answer.bag == 102 - 7 - 7
    assert all("8" in one.at or "H" in one.at for one in answer.plays if one.kind == "place")


def test_a_full_board_has_no_plays_and_no_tile_is_invented():
    board = ALL_TILES.replace("?", "e").ljust(225, ".")
    answer = find("", board)
    assert (answer.found, answer.plays, answer.unseen, answer.bag) == (0, (), "", 0)
    assert answer.apart
    assert answer.invalid


def test_exchange_is_advised_if_nothing_else_is_good():
    answer = find("AIIIUUU", EMPTY_BOARD)
    assert answer.plays[0].kind == "exchange"
    assert "U" in answer.plays[0].tiles
    assert not any(one.kind == "exchange" for one in find("AIIIUUU", EMPTY_BOARD, least=3).plays)


def test_invalid_words_on_the_board_are_reported_and_not_refused():
    answer = find("AEIRSTN", put(MOTS, "A1", "KU"))
    assert answer.invalid == ("KU",)
    assert answer.apart


@pytest.mark.parametrize(
    ("rack", "board", "code", "values"),
    [
        ("AEIRSTUNL", MOTS, "rack_too_large", {"count": 9, "most": 7}),
        ("AEI5", MOTS, "not_a_tile", {"letter": "5"}),
        ("KK", MOTS, "too_many_tiles_of", {"letter": "K", "count": 2, "most": 1}),
        ("???", MOTS, "too_many_tiles_of", {"letter": "?", "count": 3, "most": 2}),
        ("E", put(MOTS, "A1", "ZZ"), "too_many_tiles_of", {"letter": "Z", "count": 2, "most": 1}),
        ("E", put(MOTS, "A1", "abc"), "too_many_tiles_of", {"letter": "?", "count": 3, "most": 2}),
    ],
)
def test_tiles_that_nobody_has_are_refused(rack, board, code, values):
    found = refusal(find_plays, PlaysQuestion(position(rack, board)))
    assert (found.code, found.values) == (code, values)


def test_an_unknown_lexicon_is_named():
    with pytest.raises(Missing) as missing:
        find_plays(PlaysQuestion(position("AEI", lexicon="ods")), "anyone")
    assert missing.value.refusal.values["name"] == "ods"


@pytest.mark.parametrize(
    "body",
    [
        {"position": {"board": ["." * 15] * 14, "rack": ""}},
        {"position": {"board": ["." * 14] * 15, "rack": ""}},
        {"position": {"board": ["." * 14 + "!"] * 15, "rack": ""}},
        {"position": {"board": ["." * 15 + "\n"] * 15, "rack": ""}},
        {"position": {"board": ["." * 15] * 15, "rack": "A" * 41}},
        {"position": {"board": ["." * 15] * 15, "rack": "A"}, "squares": ["P1"]},
        {"position": {"board": ["." * 15] * 15, "rack": "A"}, "most": 10_000},
    ],
)
def test_a_malformed_question_is_no_question(body):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body, PlaysQuestion)


# Simulation


def test_trials_follow_from_the_seed_and_their_number():
    plays = (Place("11D", "TRANSIES"), Exchange("AEI"), Pass())
    asked = SimulateQuestion(position("AEIRSTN"), plays, seed=7, most=6)
    whole = simulate(asked, "anyone")
    assert whole.next == 6
    assert not whole.finished
    pieces = [simulate(msgspec.structs.replace(asked, first=first, most=2), "another") for first in (0, 2, 4)]
    for play, total in enumerate(whole.sums):
        assert total.total == pytest.approx(sum(piece.sums[play].total for piece in pieces))
        assert total.squares == pytest.approx(sum(piece.sums[play].squares for piece in pieces))
    best, exchange, _ = (one.total / one.trials for one in whole.sums)
    assert best > exchange
    other = simulate(msgspec.structs.replace(asked, seed=8), "anyone")
    assert other.sums[0].total != whole.sums[0].total


def test_a_simulated_play_must_fit():
    cases: list[tuple[Place | Exchange, str]] = [
        (Place("H8", "MATS"), "contradicts"),
        (Place("A1", "SI"), "not_touching"),
        (Place("H12", "W"), "part_of_line"),
        (Exchange("Z"), "not_on_rack"),
    ]
    for play, code in cases:
        assert refusal(simulate, SimulateQuestion(position("AEIRSTN"), (play,))).code == code


def end_of_match(rack):
    """Return a board on which only this rack and `EU` are unseen."""
    rest = list(ALL_TILES)
    for tile in rack + "EU" + "MOTS":
        rest.remove(tile)
    filled = [*MOTS]
    for square in [at for at in range(225) if at // 15 > 8 or at // 15 < 2][: len(rest)]:
        tile = rest.pop()
        filled[square] = "e" if tile == "?" else tile
    return "".join(filled)


def test_the_end_of_a_match_is_searched():
    board = end_of_match("AS")
    best = next(one for one in find("AS", board).plays if not one.leave)
    asked = SimulateQuestion(position("AS", board), (Place(best.at, best.word), Pass()))
    answer = simulate(asked, "anyone")
    assert answer.finished
    assert answer.sums[0].total == best.score + 2 * value_of("EU")
    assert answer.sums[0].total > answer.sums[1].total


def test_three_players_and_a_short_rack_can_be_simulated():
    asked = SimulateQuestion(position("AES", players=3), (Pass(),), most=3)
    assert simulate(asked, "anyone").sums[0].trials == 3


# Words


def missing(word, letters):
    """Return how many letters of a word are not among some letters."""
    for letter in letters:
        word = word.replace(letter, "", 1)
    return len(word)


def test_anagrams_are_those_of_a_plain_search():
    answer = find_anagrams(AnagramsQuestion("Chiens?"), "anyone")
    words = [word for word in lexicon().words if len(word) <= 8]
    makeable = {word for word in words if missing(word, "CHIENS") <= 1 and len(word) <= 7}
    assert {one.length: one.count for one in answer.lengths} == Counter(map(len, makeable))
    listed = {entry.word.upper() for one in answer.lengths for entry in one.words}
    assert listed <= makeable
    assert len(listed) == min(600, len(makeable))
    sevens = {entry.word for entry in answer.lengths[0].words}
    assert {"CHENIlS", "lICHENS"} <= sevens
    longer = {word for word in words if len(word) == 8 and missing(word, "CHIENS") <= 2}
    assert {entry.word.upper() for entry in answer.more} == longer
    assert answer.more_count == len(longer)


def test_anagrams_know_the_base_form():
    [length, *_] = find_anagrams(AnagramsQuestion("finis"), "anyone").lengths
    entry = next(one for one in length.words if one.word == "FINIS")
    assert "finir" in {base.lemma for base in entry.bases}


def test_hooks_are_those_of_a_plain_search():
    answer = find_hooks(HooksQuestion("tour"), "anyone")
    words = set(lexicon().words)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert answer.valid
    assert [one.word for one in answer.front] == [x + "TOUR" for x in letters if x + "TOUR" in words]
    assert [one.word for one in answer.back] == ["TOUR" + x for x in letters if "TOUR" + x in words]
    assert {one.word for one in answer.inside} == {"TO", "OU", "OUR"} & words
    around = sorted(
        one for one in words if "TOUR" in one[1:-1] and not one.startswith("TOUR") and not one.endswith("TOUR")
    )
    assert [one.word for one in answer.around] == around[:200]
    assert all(one.word.endswith("TOUR") and len(one.word) > 5 for one in answer.before)
    assert any(one.word == "DETOUR" for one in answer.before)


@pytest.mark.parametrize("letters", ["", "A", "A" * 16, "AB1", "???A", "ÄЖ"])
def test_letters_that_make_no_sense_are_refused(letters):
    assert refusal(find_anagrams, AnagramsQuestion(letters)).code in (
        "letters_count",
        "not_a_tile",
        "too_many_tiles_of",
    )
    assert refusal(find_hooks, HooksQuestion(letters)).code == "not_a_word_to_extend"


# GCG


def test_an_exported_analysis_is_read_again():
    turns = (
        Turn(0, "place", rack="AEIMOST", at="H8", word="MOTS"),
        Turn(1, "exchange", rack="AIIIUUU", tiles="IIUU"),
        Turn(0, "place", rack="?AEINRU", at="11H", word="SAiNE"),
        Turn(1, "pass", rack="AEIRSTU"),
    )
    asked = ExportQuestion(rows_of(EMPTY_BOARD), turns, ("Anne Marie", "Léo"), to_act=0, rack="EIRSUVZ")
    text = export_file(asked, "anyone").gcg
    replay = read(text)
    last = replay.states[-1]
    assert replay.names == ("Anne Marie", "Léo")
    assert last.board == put(MOTS, "11H", ".AiNE")
    assert last.scores[1] == 0
    opened = open_file(OpenQuestion(text), "anyone")
    assert [(one.turn.kind, one.turn.rack, one.turn.tiles) for one in opened.moments[1:] if one.turn] == [
        ("place", "AEIMOST", ""),
        ("exchange", "AIIIUUU", "IIUU"),
        ("place", "?AEINRU", ""),
        ("pass", "AEIRSTU", ""),
    ]
    assert [one.to_act for one in opened.moments] == [0, 1, 0, 1, 0]
    again = ExportQuestion(
        opened.moments[0].board, tuple(one.turn for one in opened.moments[1:] if one.turn), opened.names
    )
    assert read(export_file(again, "anyone").gcg).states[-1].board == last.board


def test_a_board_that_was_set_up_is_written_as_turns():
    board = put(put(MOTS, "11H", ".AiNE"), "L8", "PAN.S")
    replay = read(export_file(ExportQuestion(rows_of(board), to_act=1), "anyone").gcg)
    assert replay.states[-1].board == board
    assert replay.states[-1].to_act == 1


def code_of(asked):
    try:
        export_file(asked, "anyone")
    except Refused as refused:
        return refused.refusal.code
    return None


def test_any_connected_board_is_written_even_without_valid_words():
    board = list(EMPTY_BOARD)
    for number, square in enumerate(range(105, 120)):
        board[square] = "EAINORSTULEAINO"[number]
    for square, letter in zip((9, 24, 39, 54, 69, 84, 99), "BCDFGHJ", strict=True):
        board[square] = letter
    text = "".join(board)
    assert read(export_file(ExportQuestion(rows_of(text)), "anyone").gcg).states[-1].board == text


def test_racks_that_contradict_each_other_are_left_out():
    turns = (
        Turn(0, "place", rack="KMOST", at="H8", word="MOTS"),
        Turn(1, "pass", rack="KAEI"),
        Turn(0, "pass", rack="KAEI"),
        Turn(1, "pass", rack="KAEI"),
    )
    text = export_file(ExportQuestion(rows_of(EMPTY_BOARD), turns), "anyone").gcg
    assert read(text).states[-1].board == MOTS


@pytest.mark.parametrize(
    ("board", "turns", "code"),
    [
        (put(EMPTY_BOARD, "A1", "SI"), (), "board_apart"),
        (MOTS, (Turn(0, "place", rack="AEI", at="H8", word="MAIE"),), "contradicts"),
        (MOTS, (Turn(0, "place", rack="AEI", at="Z99", word="MA"),), "off_board"),
        (MOTS, (Turn(0, "place", rack="AEI", at="I8", word="OE"),), "not_on_rack"),
        (MOTS, (Turn(0, "exchange", rack="AEI", tiles="Z"),), "not_on_rack"),
        (MOTS, (Turn(3, "pass"),), "no_such_seat"),
        (put(MOTS, "11H", ".AK"), (Turn(0, "place", rack="K", at="L8", word="KA"),), "too_many_tiles_of"),
    ],
)
def test_what_does_not_fit_is_not_written(board, turns, code):
    assert code_of(ExportQuestion(rows_of(board), turns)) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_record"),
        ("#player1 a A\n#player2 b B\n>a: AEI 8H XYZ +99 99\n", "bad_line"),
        ("#player1 a A\n#player2 b B\n>a: MOTS 8H MOTS +14 14\n>b: AE 7H TA +3 3", "bad_line"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(text, code):
    assert refusal(open_file, OpenQuestion(text)).code == code
