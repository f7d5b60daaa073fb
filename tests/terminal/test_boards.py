"""The boards of the games in the terminal: what they draw, and what keys mean."""

import subprocess
import sys
from pathlib import Path

import pytest
from terminals import start

from tablee.arena import random_game
from tablee.cli.terminal import board_of, names_of
from tablee.core.discover import find, games
from tablee.core.match import Match
from tablee.core.terminal import STYLES, NotRead, Position
from tablee.terminal.generic import GenericBoard
from tablee.terminal.paint import COLOURS, PLAIN
from tablee.terminal.words import TEXTS, preferred_language, words_of

ROOT = Path(__file__).parents[2]
WIDTH, HEIGHT = 53, 20
"""What a board has at 80 by 24."""
BUILT_IN = [key for key, package in games().items() if package.terminal]


def position_of(match, seat=0):
    must = tuple(sorted(match.turn.must))
    names = tuple(names_of(match.seats, words_of("fr")))
    return Position(match.game, match.view(seat), seat, names, must, match.outcome, match.ply)


def shown(match, seat=0, *, lang="fr", plain=False):
    board = board_of(find(match.game.info.key), words_of(lang), plain)
    board.show(position_of(match, seat))
    return board


def text_of(board):
    return "\n".join("".join(text for text, _ in line) for line in board.draw(WIDTH, HEIGHT))


def press(board, *keys):
    pressed = None
    for key in keys:
        pressed = board.press(key)
    return pressed.action


@pytest.mark.parametrize("key", BUILT_IN)
@pytest.mark.parametrize("many", [False, True], ids=["fewest seats", "most seats"])
def test_every_position_fits_80_by_24_and_says_what_to_do(key, many):
    """A random match, looked at now and then from a seat and by a spectator, in both languages."""
    seats = find(key).rules.info.seats[many]
    whole = random_game(key, seats=seats, options={}, seed="boards")
    match = Match.start(key, seats=seats, options={}, seed="boards")
    for number, step in enumerate(whole.steps):
        if number % max(1, len(whole.steps) // 12) == 0:
            for seat in (step.seat, None):
                board = shown(match, seat, lang="en" if number % 2 else "fr", plain=number % 3 == 0)
                lines = board.draw(WIDTH, HEIGHT)
                assert len(lines) <= HEIGHT, text_of(board)
                too_wide = [line for line in text_of(board).splitlines() if len(line.rstrip()) > WIDTH]
                assert too_wide == []
                assert {style for line in lines for _, style in line} <= {"", *STYLES}
                if seat is not None:
                    assert board.prompt()
                    assert "{" not in board.prompt()
                    assert all("{" not in does for _, does in board.help())
                    assert "{" not in board.describe(step.seat, step.action)
                assert "{" not in text_of(board)
        match.play(step.seat, step.action)
    assert "{" not in text_of(shown(match))


@pytest.mark.parametrize("key", BUILT_IN)
def test_both_languages_have_the_same_texts(key):
    texts = board_of(find(key), words_of("fr"), False).texts
    assert texts["fr"].keys() == texts["en"].keys()


def test_the_general_texts_are_complete():
    assert TEXTS["fr"].keys() == TEXTS["en"].keys()


def test_every_style_has_a_colour():
    assert {*STYLES} == {*COLOURS} >= {*PLAIN}


def test_the_texts_of_the_page_are_current():
    command = [sys.executable, str(ROOT / "scripts/terminal_words.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_nobody_elses_cards_are_drawn():
    """Two deals with the same own hand and public part look the same."""
    match = start("kora", seed="a")
    for card in match.state.hands[1]:
        assert card not in repr(shown(match, 0).position.view)
    match = start("scrabble", seed="a")
    assert shown(match, 0).view.rack == match.state.racks[0]
    assert match.state.racks[1] not in text_of(shown(match, 0))


def test_a_game_without_a_board_lists_its_actions():
    match = start("kora")
    legal = match.legal(1)
    board = GenericBoard(words_of("fr"))
    board.show(position_of(match, 1))
    assert "[  1  " in text_of(board)
    assert press(board, "down", "enter") == legal[1]
    assert board.read("1") == legal[0]
    with pytest.raises(NotRead):
        board.read("rien")


def test_draughts_by_cursor_and_by_typing():
    match = start("dames")
    board = shown(match)
    paths = {action.path: action for action in match.legal(0) if hasattr(action, "path")}
    # The cursor appears in the third row from below; up and down go along the dark squares.
    assert press(board, "up", "enter", "up", "enter") is not None
    assert board.read("32-28") == paths[32, 28]
    with pytest.raises(NotRead):
        board.read("bonjour")


def test_a_capture_is_chosen_by_its_first_and_last_square():
    game = find("dames").rules
    match = Match(game, 2, game.info.options(), "capture")
    match.state = game.notation.read_state("W:W46:B41,32,23")
    board = shown(match)
    (path,) = {action.path for action in match.legal(0) if hasattr(action, "path")}
    assert len(path) > 2
    while board.square_under_cursor() != path[0]:
        board.press("left" if board.cursor and board.cursor[0] == 9 else "down")
    board.press("enter")
    assert board.path == path[:1]
    assert board.read("x".join(map(str, path))).path == path
    while board.square_under_cursor() != path[-1]:
        board.press("up" if board.cursor[0] != board.board.place(path[-1])[0] else "right")
    assert press(board, "enter").path == path


def test_scrabble_reads_words_squares_and_jokers():
    match = start("scrabble", seed="a")
    board = shown(match)
    at_centre = board.read("h8 maison")
    assert (at_centre.at, at_centre.word) == ("H8", "MAISON")
    assert board.read("8h MAiSON").word == "MAiSON"
    assert board.read("échange ea?").tiles == "?AE"
    assert type(board.read("passe")).__name__ == "Pass"
    with pytest.raises(NotRead, match="case"):
        board.read("maison")
    press(board, "right", "tab")
    assert board.read("maison").at == "8H"
    with pytest.raises(NotRead):
        board.read("Z99 MAISON")


def test_president_picks_one_more_card_of_a_rank_with_each_press():
    match = start("president", seed="a", seats=4)
    seat = min(match.turn.must)
    board = shown(match, seat)
    rank = board.view.hand[0][0]
    held = [card for card in board.view.hand if card[0] == rank]
    for count in range(1, len(held) + 1):
        board.press(rank)
        assert len(board.picked) == count
    board.press(rank)
    assert board.picked == frozenset()
    assert board.press("enter").problem or len(match.legal(seat)) == 1


def test_ojyx_narrows_an_action_down_to_its_cells():
    match = start("ojyx", seats=2)
    board = shown(match)
    chosen = press(board, "right", "enter", "down", "enter")
    assert chosen in match.legal(0)
    assert len(chosen.cells) == 2


@pytest.mark.parametrize(
    ("value", "lang"), [("fr_FR.UTF-8", "fr"), ("en_GB.UTF-8", "en"), ("C.UTF-8", "fr"), ("de_DE", "en"), ("", "fr")]
)
def test_the_language_follows_the_environment(value, lang, monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", value)
    assert preferred_language() == lang


def by_keys_of_ojyx(board, action):
    """Choose an action part by part, as a player would."""
    while (part := board.part()) != "":
        values = [value for value, _ in board.choices()]
        if part == "kind":
            value = board.kind(action)
        elif part == "cells":
            value = next(cell for cell in action.cells if cell != board.first_cell)
        else:
            value = getattr(action, part)
        assert value in values
        if board.on_grid() is None:
            board.cursor = values.index(value)
        else:
            board.cursor = value
        pressed = board.press("enter")
        if pressed.action is not None:
            return pressed.action
    return board.press("enter").action


def by_keys_of_dames(board, action):
    """Choose the squares of a move one after the other, until it is played."""
    for square in action.path:
        row, column = board.board.place(square)
        last = board.board.size - 1
        if board.position.seat == 1:
            row, column = last - row, last - column
        board.cursor = row, column // 2
        assert board.square_under_cursor() == square
        pressed = board.press("enter")
        if pressed.action is not None:
            return pressed.action
    raise AssertionError(action)


def by_keys_of_president(board, action):
    match type(action).__name__:
        case "Pass":
            return board.press("p").action
        case "Stop":
            return board.press("x").action
        case "Close":
            return board.press("f").action
    for at, card in enumerate(board.view.hand):
        if card in action.cards:
            board.cursor = at
            board.press("space")
    for _ in range(3):
        if board.declare == getattr(action, "declare", None):
            return board.press("enter").action
        board.press("tab")
    raise AssertionError(action)


@pytest.mark.parametrize(
    ("key", "by_keys", "options"),
    [
        ("dames", by_keys_of_dames, {}),
        ("ojyx", by_keys_of_ojyx, {"deck": "extended", "rounds": 1}),
        ("president", by_keys_of_president, {"rounds": 2, "exchange": "choice"}),
    ],
)
@pytest.mark.parametrize("seed", ["un", "deux", "trois"])
def test_whatever_random_play_chooses_can_be_chosen_by_keys(key, by_keys, options, seed):
    whole = random_game(key, options=options, seed=seed)
    match = Match.start(key, options=options, seed=seed)
    for step in whole.steps:
        board = shown(match, step.seat)
        assert match.legal(step.seat) == board.position.legal
        assert by_keys(board, step.action) == step.action
        match.play(step.seat, step.action)
