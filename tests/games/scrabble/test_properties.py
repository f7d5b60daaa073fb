"""Properties of every match of Scrabble; hypothesis chooses among random ones, each played once."""

import random
from functools import cache
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.core.chance import SeedChance
from tablee.core.game import Cause
from tablee.core.match import Match, Step
from tablee.core.replay import replay
from tablee.games.scrabble.board import ALL_TILES, tiles_of, together, value_of
from tablee.games.scrabble.gcg_reading import read
from tablee.games.scrabble.gcg_writing import write
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.values import Options, Place

GAME = Scrabble()
SOME = settings(max_examples=8, deadline=None)


@cache
def played(seed):
    """Play a random match with some invalid words, clocks and leavers; return it and all its states."""
    dice = random.Random(seed)
    seats = 2 + seed % 3
    options = Options(validation=dice.choice(["auto", "challenge"]))
    match = Match(GAME, seats, options, f"au hasard {seed}")
    while match.outcome is None:
        seat = dice.choice(sorted(match.turn.must))
        if seed % 2 and dice.random() < 0.01:
            match.act_for(dice.randrange(seats), Cause.LEAVE)
        elif dice.random() < 0.03:
            match.act_for(seat, Cause.CLOCK)
        else:
            match.advance(Step(seat, chosen(match, seat, dice)))
    return match, replay(match).states


def chosen(match, seat, dice):
    """Choose mostly a play; with contests, sometimes one with an invalid word."""
    legal = match.legal(seat)
    words = [action for action in legal if isinstance(action, Place)]
    if not words or dice.random() < 0.1:
        return dice.choice(legal)
    action = dice.choice(words)
    if match.options.validation == "challenge" and dice.random() < 0.3:
        letters = list(action.word)
        dice.shuffle(letters)
        swapped = Place(action.at, "".join(letters))
        if GAME.check(match.state, seat, swapped) is None:
            return swapped
    return action


MATCHES = st.integers(min_value=0, max_value=9).map(played)


@SOME
@given(MATCHES)
def test_the_102_tiles_are_conserved(played_match):
    for state in played_match[1]:
        laid = tiles_of(state.pending.play.tiles) if state.pending else ""
        assert together(tiles_of(state.board), state.bag, laid, *state.racks) == ALL_TILES


@SOME
@given(MATCHES)
def test_scores_agree_with_the_naive_count(naive, played_match):
    _, states = played_match
    for before, after in pairwise(states):
        gained = [0] * len(after.racks)
        if after.board != before.board:
            move = next(move for move in reversed(after.log) if move.kind == "place")
            assert move.score == naive.score(before.board, after.board)
            gained[move.seat] += move.score
            for seat in move.contesters:
                gained[seat] -= 10
        if after.ending is None:
            assert list(after.scores) == [one + more for one, more in zip(before.scores, gained, strict=True)]


@SOME
@given(MATCHES)
def test_the_unseen_tiles_are_all_tiles_that_a_seat_does_not_see(played_match):
    match, states = played_match
    for state in states:
        for seat in (*range(match.seats), None):
            view = GAME.view(state, seat)
            laid = tiles_of(view.pending.play.tiles) if view.pending else ""
            assert together(view.unseen, view.rack, tiles_of("".join(view.board)), laid) == ALL_TILES
            assert len(view.unseen) == view.bag + sum(view.rack_sizes) - len(view.rack)


@SOME
@given(MATCHES)
def test_every_position_and_action_reads_back(played_match):
    match, states = played_match
    notation = GAME.notation
    for state in states:
        assert notation.read_state(notation.write_state(state)) == state
    for step in match.steps:
        assert notation.read_action(notation.write_action(step.action)) == step.action


def by_log(states):
    """Return the last state with this many turns in its log."""
    return {len(state.log): state for state in states}


@SOME
@given(MATCHES)
def test_a_gcg_file_gives_the_same_boards_and_scores(played_match):
    match, states = played_match
    shown = read(write(match, ["Alice", "Bob Martin", "Zoé", "Zoé"][: match.seats]))
    twins = by_log(shown.states)
    first = match.state.starter
    for turns, state in by_log(states).items():
        assert twins[turns].board == state.board
        assert twins[turns].scores == tuple(state.scores[(first + at) % match.seats] for at in range(match.seats))
    assert sorted(shown.outcome.scores) == sorted(match.outcome.scores)
    assert sorted(shown.outcome.places) == sorted(match.outcome.places)


@SOME
@given(MATCHES)
def test_the_tiles_left_are_counted_once_at_the_end(played_match):
    match, _ = played_match
    state, final = match.state, match.view(None).final
    lost = 0 if final.ending in ("out", "left") else sum(value_of(rack) for rack in state.racks)
    assert sum(final.adjustments) == -lost
    scored = sum(move.score - 10 * len(move.contesters) * (move.kind == "place") for move in state.log)
    assert sum(match.outcome.scores) == scored - lost


@SOME
@given(MATCHES, st.integers(min_value=0))
def test_imagined_racks_come_from_the_unseen_tiles(played_match, number):
    match, states = played_match
    for state in states[number % 5 :: 5]:
        for seat in (*range(match.seats), None):
            view = GAME.view(state, seat)
            imagined = GAME.imagine(view, SeedChance("devine", number))
            assert GAME.view(imagined, seat) == view
            assert together(imagined.bag, *imagined.racks) == together(state.bag, *state.racks)
