"""The analysis board: positions, best lines, and PDN with variations."""

from typing import Any

import msgspec
import pytest

from tablee.core.game import Refused
from tablee.games.dames import analysis
from tablee.games.dames.board import TEN
from tablee.games.dames.notation import read_fen, read_move
from tablee.games.dames.search import PLAIN, Root, Search
from tablee.games.dames.studies import (
    Analyse,
    Look,
    ReadFile,
    TreeMove,
    WriteFile,
    analyse,
    look,
    read_file,
    write_file,
)

COMBINATION = "B:W21,25,33,34,35,36,38,41,46,48,49:B1,2,5,6,10,11,15,16,18,23,24,27"
MIDDLE = "W:W27,28,32,33,34,37,38,48,49:B4,8,9,13,16,21,23,26"


def state_of(fen: str, **rules: Any) -> str:
    return look(Look(fen=fen, **rules), "").state


def lines_of(fen: str, count: int, depth: int) -> list[tuple[int, Any]]:
    """Return the values and first moves of the best lines at a depth."""
    search = Search(10, table_bits=16)
    position = read_fen(fen)
    for known in search.deepen(Root(position), PLAIN, count):
        if known.depth == depth or known.is_final:
            return [(line.value, line.moves) for line in known.lines]
    raise AssertionError("unreachable")


# Positions.


def test_a_position_lists_its_moves_as_paths_and_as_text() -> None:
    seen = look(Look(fen="W:W32,50:B19,28"), "")
    assert (seen.legal, seen.takes, seen.names) == (((32, 23, 14),), ((28, 19),), ("32x14",))
    after = look(Look(state=seen.state, move="32x14"), "")
    assert (after.fen, after.played) == ("B:W14,50:B", "32x14")
    assert after.view.result is not None
    assert after.view.result.reason == "elimination"


@pytest.mark.parametrize(
    ("fen", "code", "values"),
    [
        ("W:WK1-30:BK31-35", "too_many_pieces", {"seat": 0, "count": 30, "most": 20}),
        ("W:W:B", "no_pieces", {}),
        ("bonjour", "fen_turn", {"found": "BONJOUR"}),
        ("W:W31:W32", "fen_sides", {}),
        ("W:W31,x:B1", "fen_square", {"found": "X"}),
        ("W:W51:B1", "fen_range", {"found": "51", "most": 50}),
        ("W:W31,31:B1", "fen_twice", {"square": "31"}),
        ("W:W31:B31", "fen_both", {"square": "31"}),
        ("W:W3:B8", "fen_last_row", {"square": "3"}),
    ],
)
def test_a_bad_fen_is_refused_with_its_problem(fen: str, code: str, values: dict[str, object]) -> None:
    with pytest.raises(Refused) as refused:
        look(Look(fen=fen), "")
    assert refused.value.refusal.code == code
    assert values.items() <= refused.value.refusal.values.items()


@pytest.mark.parametrize("text", ["", "W:W31:B1 history x", "W:W31:B1 moves", "W:W31:B1 options variant=go", "W:W31"])
def test_a_bad_text_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        look(Look(state=text or " "), "")


def test_a_position_remembers_its_repetitions_and_an_analysis_plays_on_after_a_draw() -> None:
    seen = look(Look(fen="W:WK46,45:BK16,6"), "")
    for _ in range(2):
        for name in ("46-41", "16-11", "41-46", "11-16"):
            assert seen.view.result is None
            seen = look(Look(state=seen.state, move=name), "")
    assert seen.view.result is not None
    assert (seen.view.result.reason, seen.view.result.winner) == ("repetition", None)
    assert analyse(Analyse(seen.state), "ada") == analyse(Analyse(seen.state), "bob")
    assert look(Look(state=seen.state, move="45-40"), "").view.result is None


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(Refused, match="bad_move"):
        look(Look(state=state_of("W:W32:B28,19"), move="32-27"), "")


# Best lines.


@pytest.mark.parametrize(
    ("fen", "best"),
    [(COMBINATION, "18-22"), ("W:W32,37:B28,19", "32x14")],
)
def test_the_best_move_of_a_combination_is_found(fen: str, best: str) -> None:
    found = analyse(Analyse(state_of(fen), lines=2, seconds=0.0), "ada")
    while found.lines[0].moves[0] != best and not found.done:
        found = analyse(Analyse(state_of(fen), lines=2, seconds=0.05), "ada")
    assert found.lines[0].moves[0] == best


@pytest.mark.parametrize("fen", [MIDDLE, "W:WK46,32:BK4,9,18", COMBINATION])
def test_the_values_of_several_lines_are_exact_and_sorted(fen: str) -> None:
    search = Search(10, table_bits=16)
    search.think(Root(read_fen(fen)), depth=6, every=True)
    values = sorted((value for _, value in search.values), reverse=True)
    found = lines_of(fen, 5, 6)
    assert len(found) == min(5, len(values))
    assert [value for value, _ in found] == values[:5]
    assert len({moves[0] for _, moves in found}) == len(found)


def test_a_line_is_legal_and_a_win_says_in_how_many_moves() -> None:
    fen = "W:WK32,K33,K40:BK5"
    found = analyse(Analyse(state_of(fen), lines=1), "ada")
    assert (found.done, found.lines[0].win) == (True, 2)
    position = read_fen(fen)
    for name in found.lines[0].moves:
        position = TEN.play(position, TEN.move(position, read_move(TEN, position, name)))
    assert TEN.moves(position) == []
    behind = analyse(Analyse(state_of("B:WK5:BK32,K33,K40"), lines=1), "bob")
    assert found.lines[0].value > 0 > behind.lines[0].value


def test_a_further_piece_goes_on_where_the_last_one_stopped() -> None:
    question = Analyse(state_of(MIDDLE), lines=3, seconds=0.02)
    first, second = analyse(question, "ada"), analyse(question, "ada")
    assert second.nodes > first.nodes > 0
    assert second.depth >= first.depth >= 1
    assert second.seconds > first.seconds
    anew = analyse(Analyse(question.state, lines=3, seconds=0.0), "bob")  # everybody has a search of their own
    assert (anew.depth, anew.nodes < second.nodes) == (1, True)


def test_a_piece_can_have_several_threads() -> None:
    question = Analyse(state_of(COMBINATION), lines=2, seconds=0.05)
    found = analyse(question, "eve")
    while found.depth < 10:
        found = analyse(question, "eve", threads=2)
    assert found.lines[0].moves[0] == "18-22"
    assert len({line.moves[0] for line in found.lines}) == 2


def test_a_search_ends_and_old_ones_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "LONGEST", 0.01)
    question = Analyse(state_of(MIDDLE), seconds=0.02)
    assert analyse(question, "ada").done
    assert analyse(question, "ada").nodes == analyse(question, "ada").nodes
    monkeypatch.setattr(analysis, "MOST_SEARCHES", 2)
    for asker in ("bob", "cleo", "dan"):
        analyse(question, asker)
    assert len(analysis._kept) == 2


@pytest.mark.parametrize("wrong", [{"lines": 0}, {"lines": 6}, {"seconds": 5}, {"seconds": -1}, {"depth": 60}])
def test_what_is_asked_has_limits(wrong: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"state": state_of(MIDDLE), **wrong}, Analyse)


# PDN with variations.

GAME = """[White "Ana"]
[Black "Bea"]
[Result "2-0"]

1. 32-28 {good} 19-23 (1... 18-23 {bad (really)} 2. 34-29 (2. 34-30 {(}) 23x34) (1... 17-21
2. 28-22 {too far} 2... 18x27 (2... 17x28) ) 2. 28x19 14x23 3. 37-32 (3. 34-29) (3. 50-1 11-17) (chatter) 2-0
"""


def shape(read: Any) -> list[tuple[list[str], str]]:
    """Return the moves up to each node, with its comment, in alphabetical order."""
    lines: list[list[str]] = []
    for one in read.moves:
        lines.append([*(lines[one.parent] if one.parent >= 0 else []), one.move])
    return sorted((line, one.comment) for line, one in zip(lines, read.moves, strict=True))


def test_variations_are_read_and_written() -> None:
    read = read_file(ReadFile(GAME), "")
    assert [one.move for one in read.moves if one.parent == 0] == ["19-23", "18-23", "17-21"]
    assert (read.names, read.result, read.skipped) == (("Ana", "Bea"), "2-0", 2)  # 17x28 and 50-1 are not legal
    moves = tuple(TreeMove(one.parent, one.move, one.comment) for one in read.moves)
    written = write_file(WriteFile(read.first, moves, read.names, read.result), "").text
    assert "19-23 (1... 18-23 {bad (really)} 2. 34-29 (2. 34-30" in written
    again = read_file(ReadFile(written), "")
    assert shape(again) == shape(read)
    assert (again.names, again.result, again.skipped) == (read.names, read.result, 0)


def test_a_position_in_the_middle_is_written_with_its_fen() -> None:
    first = state_of("B:W18,32:B12,1", variant="classic8")
    written = write_file(WriteFile(first, (TreeMove(-1, "1-5"),)), "").text
    again = read_file(ReadFile(written), "")
    assert (again.first, [one.move for one in again.moves]) == (first, ["1-5"])
    assert "1... 1-5" in written


def test_a_file_with_several_games_offers_them_all() -> None:
    text = GAME + '\n[White "Cy"]\n[Black "Di"]\n1. 33-28 *\n'
    assert read_file(ReadFile(text), "").games == ("Ana – Bea 2-0", "Cy – Di *")
    assert [one.move for one in read_file(ReadFile(text, game=1), "").moves] == ["33-28"]
    with pytest.raises(Refused, match="no_such_game"):
        read_file(ReadFile(text, game=2), "")


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "no_game"), ("1. 32-28\n1. 99-98 *", "bad_line"), ("1. 32-28 (19-23 *", "bad_line"), ("{", "bad_line")],
)
def test_a_bad_file_is_refused_with_its_line(text: str, code: str) -> None:
    with pytest.raises(Refused, match=code):
        read_file(ReadFile(text), "")


@pytest.mark.parametrize("middle", ["(" * 90_000 + ")" * 90_000, "(31-27)" * 30_000, "\n%(\n(\n%)\n)" * 9_000])
def test_a_hostile_file_is_read_in_linear_time(middle: str) -> None:
    assert read_file(ReadFile(f"1. 32-28 {middle} *"), "").moves[0].move == "32-28"


def test_a_tree_that_cannot_be_written_is_refused() -> None:
    first = state_of("W:W31-50:B1-20")
    for moves in ((TreeMove(0, "32-28"),), (TreeMove(-1, "32-29"),)):
        with pytest.raises(Refused):
            write_file(WriteFile(first, moves), "")
