"""Properties of every match of Dames, checked on random play."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.core.game import Cause
from tablee.core.laws import Moment, look
from tablee.core.match import Match, Step, read_options
from tablee.games.dames.notation import most_taken, position_of, read_fen, write_fen
from tablee.games.dames.rules import Dames, begin, board_of
from tablee.games.dames.values import Move, Options

GAME = Dames()
VARIANTS = ("competitive", "international", "classic8")


def choose_without_resigning(match, dice):
    """Choose for the side to move: mostly a move, sometimes a lost turn, or to offer, accept or decline a draw."""
    seat = match.state.to_move
    chosen = dice.random()
    if chosen < 0.03:
        return Step(seat, GAME.fallback(match.state, seat, Cause.CLOCK), Cause.CLOCK)
    legal = match.legal(seat)
    others = [action for action in legal if not isinstance(action, Move)][:-1]
    if chosen < 0.1 and others and (match.ply > 60 or match.state.offered_by is None):
        return Step(seat, dice.choice(others))
    return Step(seat, dice.choice([action for action in legal if isinstance(action, Move)]))


def games(number, variant, start=None):
    """Yield the match after each action of players who do not resign."""
    dice = random.Random(f"{variant} {number}")
    match = Match(GAME, 2, read_options(GAME, {"variant": variant}), "dames")
    if start is not None:
        match.state = begin(match.options, start)
    yield match, dice
    while match.outcome is None:
        match.advance(choose_without_resigning(match, dice))
        yield match, dice


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_laws_hold_deep_in_the_game(variant):
    """Random players resign early; these play on to endgames."""
    for number in range(3):
        for match, dice in games(number, variant):
            if match.ply % 7 == 0 or match.outcome is not None:
                look(Moment(match, dice), f"{variant}, game {number}")


@pytest.mark.parametrize("fen", ["W:WK46,K47,K36:BK5", "B:WK46,K47:BK5,K4,6", "W:WK50,K45,31:BK1,K6,20"])
def test_the_laws_hold_among_kings(fen):
    for number in range(3):
        for match, dice in games(number, "competitive", read_fen(fen)):
            look(Moment(match, dice), f"{fen}, game {number}")


@given(st.integers(0, 10_000), st.sampled_from(VARIANTS))
@settings(max_examples=25, deadline=None)
def test_the_counters_of_a_state_match_its_moves(number, variant):
    """Points follow the formula of D4, pieces follow the captures, and the counters of D8 follow the moves."""
    kings_in_a_row = 0
    for match, _ in games(number, variant):
        state = match.state
        board, position = board_of(state), position_of(state)
        men = board.start.red_men.bit_count()
        for seat, score in enumerate(state.scores):
            formula = score.pieces_captured + 3 * score.kings_captured + 2 * score.promotions + score.multi_captures
            assert score.points == formula
            taken = score.pieces_captured + score.kings_captured
            if variant == "competitive":
                assert taken == men - position.pieces(1 - seat).bit_count()
            else:
                assert score.points == taken == 0
        if state.result is None:
            assert state.must_take == most_taken(board, position)
            assert board.moves(position)
        if match.steps and isinstance(match.steps[-1].action, Move):
            played = state.last_move
            landed = 1 << played.path[-1] - 1
            by_king = landed & (position.red_kings | position.black_kings) and not played.promoted
            kings_in_a_row = kings_in_a_row + 1 if by_king and not played.captured else 0
            assert state.king_moves == kings_in_a_row < 51
            assert len(state.history) <= kings_in_a_row + 1


def test_random_matches_end_in_many_ways_and_within_the_bound():
    reasons = set()
    for number in range(60):
        *_, (match, _) = games(number, VARIANTS[number % 3])
        reasons.add(match.state.result.reason)
        assert match.ply < 2000
    assert {"elimination", "blocked", "agreement"} <= reasons
    assert reasons & {"repetition", "5_moves", "16_moves", "25_moves"}


def test_a_game_fits_in_numbers_that_javascript_holds():
    *_, (match, _) = games(1, "competitive")
    for squares in (*position_of(match.state)[:4], *(squares for one in match.state.history for squares in one)):
        assert 0 <= squares < 2**50


@given(st.integers(0, 2**50 - 1), st.integers(0, 2**50 - 1), st.integers(0, 2**50 - 1), st.integers(0, 1))
@settings(max_examples=200, deadline=None)
def test_any_fen_reads_back(occupied, red, kings, to_move):
    board = board_of(begin(Options(), read_fen("W:W31:B20")))
    light, dark = occupied & red, occupied & ~red
    light_kings, dark_kings = light & (kings | board.top), dark & (kings | board.bottom)
    position = board.start._replace(
        red_men=light & ~light_kings,
        red_kings=light_kings,
        black_men=dark & ~dark_kings,
        black_kings=dark_kings,
        to_move=to_move,
    )
    assert read_fen(write_fen(position)) == position
