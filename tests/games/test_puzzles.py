"""The puzzles that games ship: how they were made, and that each has exactly one solution."""

from pathlib import Path
from typing import Any

import pytest

from tablee.core.discover import find, games
from tablee.core.puzzles import Puzzle, Puzzles, Unproven, read_book, write_book
from tablee.puzzle_making import CannotMake, Order, make, read_count

GAMES = [key for key, package in games().items() if package.puzzles is not None]
SHIPPED = {"dames": 2000, "scrabble": 1000}


def puzzles_of(key: str) -> Puzzles[Any, Any]:
    found = find(key).puzzles
    assert found is not None
    return found


@pytest.mark.parametrize("key", GAMES)
def test_a_file_says_how_it_was_made(key: str) -> None:
    puzzles = puzzles_of(key)
    book = puzzles.book
    header = book.header
    assert (header.game, header.version) == (key, puzzles.rules.info.version)
    assert header.margins == puzzles.margins
    assert {kind: len(book.of_kind(kind)) for kind in puzzles.kinds} == header.count
    assert len(book.by_id) == len(book.puzzles) >= SHIPPED[key]
    assert puzzles.file.stat().st_size < 600_000
    assert read_book(write_book(book)).puzzles == book.puzzles


@pytest.mark.parametrize("key", GAMES)
def test_every_line_is_legal_and_ends_with_the_solver(key: str) -> None:
    puzzles = puzzles_of(key)
    for puzzle in puzzles.book.puzzles[:: 1 if key == "dames" else 10]:
        assert len(puzzle.line) % 2
        state = puzzles.read(puzzle)
        solver = puzzles.seat(state)
        for ply in range(len(puzzle.line)):
            action = puzzles.action(puzzle, ply)
            assert (puzzles.seat(state) == solver) == (ply % 2 == 0)
            assert puzzles.rules.check(state, puzzles.seat(state), action) is None
            state = puzzles.apply(puzzle, state, ply, action)


@pytest.mark.parametrize("key", GAMES)
def test_some_puzzles_are_proven_again(key: str) -> None:
    puzzles = puzzles_of(key)
    for puzzle in puzzles.book.puzzles[::50]:
        puzzles.prove(puzzle)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("key", GAMES)
def test_all_puzzles_are_proven_again(key: str) -> None:
    puzzles = puzzles_of(key)
    for puzzle in puzzles.book.puzzles:
        puzzles.prove(puzzle)


@pytest.mark.parametrize("key", GAMES)
def test_another_action_is_not_proven(key: str) -> None:
    puzzles = puzzles_of(key)
    puzzle = puzzles.book.puzzles[0]
    state, rules = puzzles.read(puzzle), puzzles.rules
    answer = puzzles.action(puzzle, 0)
    for action in list(rules.legal_actions(state, puzzles.seat(state)))[:3]:
        if not puzzles.same(state, action, answer):
            line = (rules.notation.write_action(action), *puzzle.line[1:])
            with pytest.raises(Unproven):
                puzzles.prove(Puzzle(puzzle.kind, puzzle.goal, puzzle.position, line, puzzle.rating))


def test_the_same_seed_gives_the_same_puzzles_also_after_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = Order(game="dames", count={"combination": 2}, seed="a test")
    whole, parted = tmp_path / "whole.jsonl", tmp_path / "parted.jsonl"
    book = make(order, whole)
    assert len(book.puzzles) == 2

    class Stopped(Exception):
        pass

    def stop(found: int) -> None:
        if found:
            raise Stopped

    with pytest.raises(Stopped):
        make(order, parted, tick=stop)
    part = tmp_path / "parted.jsonl.part"
    part.write_bytes(part.read_bytes() + b'[99,[["comb')  # a line that was not written to its end
    with pytest.raises(CannotMake, match="another command"):
        make(Order(game="dames", count={"ending": 1}, seed="a test"), parted)
    with monkeypatch.context() as later:
        later.setattr(Puzzles, "engine", lambda self: "another hash")
        with pytest.raises(CannotMake, match="other code"):
            make(order, parted)
    make(order, parted)
    assert parted.read_bytes() == whole.read_bytes()
    assert not part.exists()


def test_puzzles_are_found_in_a_real_match(tmp_path: Path) -> None:
    puzzles = puzzles_of("dames")
    puzzle = next(one for one in puzzles.book.puzzles if one.kind == "combination")
    found = list(puzzles.find(puzzles.states(puzzle, 0), ["combination"]))
    assert found == [puzzle]
    (tmp_path / "bad.pdn").write_text("1. 99-98 *")
    with pytest.raises(CannotMake, match=r"bad\.pdn"):
        make(Order(game="dames", count={"ending": 1}, seed="s", sources=(str(tmp_path / "bad.pdn"),)), tmp_path / "x")
    assert read_count("dames", "3") == {"combination": 3, "ending": 3}
    assert read_count("dames", "ending=2") == {"ending": 2}
    for bad in ("x", "ending=x", "chess=3", "ending=-1"):
        with pytest.raises(CannotMake):
            read_count("dames", bad)
