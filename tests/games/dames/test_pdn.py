"""PDN: every form of a file is read, written games read back, and errors have a place and a reason."""

import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tablee.cli import main
from tablee.core.game import Cause
from tablee.core.match import Match
from tablee.games.dames.board import EIGHT, TEN
from tablee.games.dames.notation import read_fen
from tablee.games.dames.pdn import PdnError, read, replay, score_of, winner_of, write, write_match
from tablee.games.dames.values import Move

FILES = Path(__file__).parent / "pdn"


def sheet(text):
    (only,) = read(text)
    return only


def texts(one):
    return [entry.text for entry in one.entries]


FULL = """\ufeff[Event "Tournoi d’été"]
[White "Élise \\"la Reine\\""]
[Black "Bob"]
[GameType "20"]
[Result "2-0"]
% an escaped line { ( [

1. 32-28 {[%clk 0:04:58] a good move} 19–23 $1 ; the rest of the line { is a comment
2. 28x19! 14:23?! (2... 13x24 3. 37-32 (3. 38-32 {)} 1-1) 10-14) {[%clk w0:04:40.5]}
3. ... 37−32 10-14 2–0
"""


def test_a_game_is_read_with_tags_comments_and_variations():
    one = sheet(FULL)
    assert one.tags == {
        "Event": "Tournoi d’été",
        "White": 'Élise "la Reine"',
        "Black": "Bob",
        "GameType": "20",
        "Result": "2-0",
    }
    assert one.players == 'Élise "la Reine" – Bob'
    assert texts(one) == ["32-28", "19-23", "28x19", "14x23", "37-32", "10-14"]
    assert one.result == "2-0"
    assert one.broken is None
    assert one.entries[0].comment == "a good move"
    assert one.entries[1].comment == "the rest of the line { is a comment"
    assert [entry.clock for entry in one.entries] == [298, None, None, 280.5, None, None]
    assert len(replay(one).paths) == 6


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("2-0", "2-0"),
        ("1-1", "1-1"),
        ("0-2", "0-2"),
        ("1-0", "1-0"),
        ("1/2-1/2", "1/2-1/2"),
        ("0-1", "0-1"),
        ("0-0", "0-0"),
        ("2 - 0", "2-0"),
        ("2-2", "2-2"),
        ("4-6", "4-6"),
        ("10-0", "10-0"),
        ("0-12", "0-12"),
        ("5-5 {even}", "5-5"),
        ("*", "*"),
    ],
)
def test_every_result_is_read(written, result):
    one = sheet(f"1. 32-28 {written}")
    assert one.result == result
    assert replay(one).paths == ((32, 28),)


@pytest.mark.parametrize("dash", "-‐‑‒–—−")
def test_every_kind_of_dash_is_read(dash):
    assert texts(sheet(f"1. 32{dash}28 *")) == ["32-28"]
    assert sheet(f"1. 32-28 2{dash}0").result == "2-0"


@pytest.mark.parametrize("sign", "x:×X")
def test_every_sign_for_a_capture_is_read(sign):
    assert texts(sheet(f"1. 32-28 19-23 2. 28{sign}19 *")) == ["32-28", "19-23", "28x19"]


def test_a_file_has_many_games_with_or_without_results():
    games = read(
        '[White "A"]\n1. 32-28\n\n[White "B"]\n\n1. 31-26 * 1. 33-29 1-1\n[White "D"]\n[Result "0-2"]\n1. 34-30'
    )
    assert [one.tags.get("White") for one in games] == ["A", "B", None, "D"]
    assert [one.result for one in games] == ["*", "*", "1-1", "0-2"]
    assert [texts(one) for one in games] == [["32-28"], ["31-26"], ["33-29"], ["34-30"]]


def test_an_empty_file_has_no_game():
    assert read("") == read(" \n{nothing here}\n; nor here\n% nor here") == []


def test_tags_alone_are_a_game_without_moves():
    one = sheet('[White "A"]\n[Black "B"]\n*')
    assert replay(one).paths == ()


def test_a_game_from_a_position():
    one = sheet('[FEN "B:W28:B1,22."]\n1... 22x33 *')
    played = replay(one)
    assert played.positions[0] == read_fen("B:W28:B1,22")
    assert played.paths == ((22, 33),)


def test_an_ambiguous_capture_is_read_in_full_and_refused_in_short():
    start = '[FEN "W:WK8:B13,22,28,29,31"]\n'
    assert replay(sheet(start + "1. 8x24x42x26 *")).paths == ((8, 24, 42, 26),)
    with pytest.raises(PdnError, match=r"move 1\. 8x26 is ambiguous: write 8x19x37x26 or 8x24x42x26"):
        replay(sheet(start + "1. 8x26 *"))


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("8x19x26", (8, 19, 37, 26)),
        ("8x37x26", (8, 19, 37, 26)),
        ("8x42x26", (8, 24, 42, 26)),
        ("8x24", (8, 24, 42, 26)),
        ("8x42", (8, 24, 42, 26)),
    ],
)
def test_a_partial_path_of_only_one_capture_is_read(written, path):
    assert replay(sheet(f'[FEN "W:WK8:B13,22,28,29,31"]\n1. {written} *')).paths == (path,)


@pytest.mark.parametrize("written", ["8x31", "8x26x19", "8x24x37", "8x24x37x26"])
def test_a_partial_path_of_no_capture_is_refused(written):
    with pytest.raises(PdnError, match=f"{written} is not a legal capture"):
        replay(sheet(f'[FEN "W:WK8:B13,22,28,29,31"]\n1. {written} *'))


def test_squares_may_be_padded():
    first, second = read((FILES / "dutch.pdn").read_text("utf-8"))
    assert texts(first)[-3:] == ["6-11", "34-30", "1-6"]
    assert len(replay(first).paths) == 10
    assert texts(second) == ["47x15"]
    assert replay(second).paths == ((47, 24, 15),)
    assert second.result == "2-0"


@pytest.mark.parametrize("padded", ["1. 32 - 28 *", "1. 32 -28 *", "1.32-\t28*"])
def test_any_side_of_a_dash_may_be_padded(padded):
    assert texts(sheet(padded)) == ["32-28"]


def test_a_line_end_is_no_padding():
    assert sheet("1. 32-\n28 *").broken is not None


def test_scores_of_delft_are_results_unless_they_are_moves():
    games = read((FILES / "delft.pdn").read_text("utf-8"))
    assert [one.result for one in games] == ["4-6", "2-8", "0-0", "*"]
    assert [len(replay(one).paths) for one in games] == [4, 4, 1, 1]
    assert texts(games[-1]) == ["2-8"]


@pytest.mark.parametrize(
    ("result", "scores", "rule", "winner"),
    [
        ("2-0", (2, 0), "points", 0),
        ("1-1", (1, 1), "points", None),
        ("0-1", (0, 1), "chess", 1),
        ("½-½", (0.5, 0.5), "chess", None),
        ("0-0", (0, 0), "forfeit", None),
        ("4-6", (4, 6), "delft", None),
        ("3-1", (3, 1), "delft", None),
        ("0-10", (0, 10), "delft", 1),
        ("12-0", (12, 0), "delft", 0),
    ],
)
def test_a_result_is_a_score_under_a_rule(result, scores, rule, winner):
    score = score_of(result)
    assert score is not None
    assert (score.scores, score.rule) == (scores, rule)
    assert winner_of(score) == winner


@pytest.mark.parametrize("text", ["*", "2-1", "6-6", "", "47-15", "1.5-0.5"])
def test_other_words_are_no_score(text):
    assert score_of(text) is None


def test_the_small_board_is_game_type_26():
    assert replay(sheet('[GameType "26,W,8,8,N2,0"]\n1. 22-18 *')).board is EIGHT


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("1. 32-28 19-23\n2. 37-32 *", 2, 4, "move 2. 37-32 is not a capture; 1 piece must be taken: 28x19"),
        ("1. 32-28 19-24 2. 28-23 18-29", 1, 25, "move 2... 18-29 is not a capture; 1 piece must be taken: 18x29"),
        ("1. 32-26 *", 1, 4, "move 1. 32-26 is not a legal move, and nothing can be taken"),
        ("\n\n  1. 99-100 *", 3, 6, "move 1. 99-100 is off the board"),
        ("1. a3-b4 *", 1, 4, "a comment or a result, not 'a3-b4'"),
        ("1. 32-28 {never closed\n*", 1, 10, "this comment is not closed"),
        ("1. 32-28 (19-23 {)}\n*", 1, 10, "this variation is not closed"),
        ("1. 32-28 ) *", 1, 10, "a comment or a result, not ')'"),
        ("[White A]\n1. 32-28 *", 1, 1, "expected a tag such as [White \"Name\"], not '[White A]'"),
        ('[White "A"\n1. 32-28 *', 1, 1, "expected a tag such as"),
        ('[Result "0-2"]\n1. 32-28 2-0', 2, 10, "the game ends with 2-0, but its Result tag is 0-2"),
        ("1. 32-28 2-1", 1, 10, "'2-1' is not a result"),
        ('[Result "6-4"]\n1. 32-28 4-6', 2, 10, "the game ends with 4-6, but its Result tag is 6-4"),
        ('[GameType "21"]\n*', 1, 1, "GameType '21' is not supported"),
        ('[FEN "W:W31"]\n*', 1, 1, "the FEN 'W:W31': a FEN must list the pieces of each side once"),
        ('[FEN "W:W28:B22"]\n1. 28x17 0-2', 2, 4, "Black cannot move and has lost, but the result is 0-2"),
    ],
)
def test_an_error_has_its_place_and_quotes_the_problem(text, line, column, problem):
    with pytest.raises(PdnError) as caught:
        replay(read(text)[0])
    assert (caught.value.line, caught.value.column) == (line, column), caught.value
    assert problem in caught.value.problem


def test_an_invalid_game_does_not_hide_the_next():
    games = read('[White "A"]\n1. 32-28 nonsense 19-23 *\n\n[White "B"]\n1. 32-28 *')
    assert [one.broken is None for one in games] == [False, True]
    assert games[1].tags == {"White": "B"}


@pytest.mark.parametrize(
    ("before", "again", "after"),
    [
        ("1. 32-28 (", "{", ""),
        ("", '[White "A"]\n{\n', ""),
        ("1. x", "\n", ""),
        ("", '[White "\n', ""),
        ('[White "', "\\\\", ""),
        ("1. 32-28 ", "{a}", "*"),
        ("1. 32-28 {", "[%clk 1:11:11 ", "} *"),
        ("1. 32-28 {[%clk 1:11:11.", "1", "} *"),
        ("1. 32-28 {[%clk ", "1", ":00:00]} *"),
        ("1. 32-28 ", "4-6 ", "*"),
        ("1. 32-28 4-6 ", "{a} ", "5-5"),
        ("1. 32-28 4-6", " ", "*"),
        ("1. 32-28", " ", "*"),
    ],
)
def test_a_malicious_file_is_read_in_linear_time(before, again, after):
    """A pattern that scans the same text twice would take minutes here."""
    games = read(before + again * (2**20 // len(again)) + after)
    assert games
    assert (games[0].broken is None) == bool(after)


def random_match(number, variant="competitive"):
    """Play a match of random moves, with some lost turns and declined draws."""
    dice = random.Random(number)
    match = Match.start("dames", options={"variant": variant}, seed="pdn")
    while match.outcome is None and match.ply < 300:
        seat = match.state.to_move
        if dice.random() < 0.05:
            match.act_for(seat, Cause.CLOCK)
        elif dice.random() < 0.03 and not match.state.has_offered and match.state.offered_by is None:
            match.play(seat, {"type": "offer_draw"})
        else:
            match.play(seat, dice.choice([action for action in match.legal(seat) if isinstance(action, Move)]))
    return match


@pytest.mark.parametrize("variant", ["competitive", "international", "classic8"])
def test_a_written_match_reads_back(variant):
    for number in range(6):
        match = random_match(number, variant)
        text = write_match(match, {"White": 'Anne "A" \\ \n x', "Black": "Bob"})
        assert max(map(len, text.splitlines())) <= 80 or variant == "classic8"
        one = sheet(text)
        played = replay(one)
        moves = [path for path in played.paths if path is not None]
        assert moves == [step.action.path for step in match.steps if isinstance(step.action, Move)]
        assert tuple(played.positions[-1][:4]) == (
            match.state.red_men,
            match.state.red_kings,
            match.state.black_men,
            match.state.black_kings,
        )
        assert one.tags["White"] == 'Anne "A" \\ x'
        assert one.tags["Variant"] == variant
        assert one.tags.get("Termination") == (match.state.result and match.state.result.reason)


def test_a_written_game_is_plain_pdn():
    text = write(TEN, TEN.start, [(32, 28), (19, 23), (28, 19), None], "1-1", {"White": "A"}, [298.7, None, 3661])
    assert text == (
        '[White "A"]\n[Black "?"]\n[Result "1-1"]\n[GameType "20"]\n\n'
        "1. 32-28 {[%clk 0:04:58]} 19-23 2. 28x19 {[%clk 1:01:01]} -- 1-1\n"
    )
    assert [entry.clock for entry in sheet(text).entries] == [298, None, 3661, None]


def test_a_position_that_is_not_the_first_is_written_with_its_fen():
    text = write(TEN, read_fen("B:W28:B1,22"), [(22, 33)])
    assert '[SetUp "1"]\n[FEN "B:W28:B1,22"]' in text
    assert "\n1... 22x33 *\n" in text


def test_lost_turns_are_read():
    assert replay(sheet('[FEN "W:W30,41,47:B36"]\n1. -- -- 2. 30-24 2-0')).paths == (None, None, (30, 24))


def run(path):
    return CliRunner().invoke(main, ["dames", "pdn", str(path)])


def test_the_command_shows_the_players_and_the_errors():
    printed = run(FILES / "mixed.pdn")
    assert printed.exit_code == 1
    assert printed.output.splitlines() == [
        "1. Élise – Bob: 2-0, 3 moves",
        "2. Carla – Denis: invalid, line 14, column 19: move 2. 37-32 is not a capture; 1 piece must be taken: 28x19",
        "3. ? – ?: *, 1 move",
        "3 games, 1 invalid",
    ]


def test_the_command_accepts_a_valid_file(tmp_path):
    file = tmp_path / "latin.pdn"
    file.write_bytes('[White "Zoé"]\n[Black "Al"]\n1. 32-28 19-23 1/2-1/2'.encode("latin-1"))
    printed = run(file)
    assert printed.exit_code == 0
    assert printed.output == "1. Zoé – Al: 1/2-1/2, 1 move\n1 game, 0 invalid\n"


def test_the_command_refuses_a_missing_file_and_one_without_games(tmp_path):
    assert run(tmp_path / "none.pdn").exit_code == 2
    empty = tmp_path / "empty.pdn"
    empty.write_text("")
    assert run(empty).exit_code == 1
