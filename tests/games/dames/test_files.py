"""PDN files: a match that was written and read again has the same replay."""

import pytest

from tablee.arena import random_game
from tablee.core.replay import CannotRead, replay
from tablee.games.dames.files import MOST_MOVES, Pdn
from tablee.games.dames.pdn import score_of
from tablee.games.dames.rules import KING_MOVES
from tablee.games.dames.values import Move


@pytest.mark.parametrize("variant", ["competitive", "international", "classic8"])
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_a_written_match_reads_back_as_the_same_replay(variant: str, seed: str) -> None:
    match = random_game("dames", seats=2, options={"variant": variant}, seed=seed)
    moves = [step for step in match.steps if isinstance(step.action, Move)]
    read = Pdn().read(Pdn().write(match, ("Anne", "Basile")))
    assert read.names == ("Anne", "Basile")
    assert [step.action for step in read.steps] == [step.action for step in moves]
    shown = [state.scores for state, step in zip(replay(match).states[1:], match.steps, strict=True) if step in moves]
    assert [state.scores for state in read.states[1:]] == shown
    assert read.outcome is not None
    assert match.outcome is not None
    assert read.outcome.places == match.outcome.places


def test_a_file_of_another_program_needs_only_its_moves() -> None:
    read = Pdn().read('[White "Sijbrands"]\n[Black "?"]\n1. 32-28 19-23 2. 28x19 14x23 1-1')
    assert read.names == ("Sijbrands", "")
    assert read.options.variant == "international"
    assert len(read.states) == 5
    assert read.outcome is not None
    assert read.outcome.places == (1, 1)


def shuttling_kings(moves: int) -> str:
    """Return a game of kings that move back and forth, two half-moves a line."""
    turns = ("48-43 3-8", "43-48 8-3")
    lines = (f"{number + 1}. {turns[number % 2]}" for number in range(moves // 2))
    return "\n".join(['[FEN "W:WK46,K48:BK5,K3"]', *lines, "*"])


def test_a_game_with_too_many_moves_is_refused() -> None:
    assert len(Pdn().read(shuttling_kings(MOST_MOVES)).steps) == MOST_MOVES
    with pytest.raises(CannotRead, match="line 1002, column 7: more than 2000 half-moves"):
        Pdn().read(shuttling_kings(MOST_MOVES + 2))


def test_the_history_of_a_long_game_is_bounded() -> None:
    assert max(len(state.history) for state in Pdn().read(shuttling_kings(200)).states) == KING_MOVES + 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [("", "no game"), ("1. 32-28 19-24 2. 1-2 *", "line 1"), ('[GameType "99"] 1. 32-28 *', "GameType")],
)
def test_an_error_in_a_file_names_its_place(text: str, problem: str) -> None:
    with pytest.raises(CannotRead, match=problem):
        Pdn().read(text)


@pytest.mark.parametrize(
    ("result", "places", "reason"),
    [("4-6", (1, 1), "agreement"), ("10-0", (1, 2), "resign"), ("0-1", (2, 1), "resign"), ("0-0", None, None)],
)
def test_the_score_of_a_file_is_shown_with_its_rule(result: str, places: tuple[int, int], reason: str) -> None:
    read = Pdn().read(f"1. 32-28 19-23 2. 28x19 14x23 {result}")
    assert read.file_score == score_of(result)
    assert (read.outcome and read.outcome.places) == places
    assert (read.outcome and read.outcome.reason) == reason


def test_an_unfinished_file_states_no_score() -> None:
    assert Pdn().read("1. 32-28 19-23 *").file_score is None
