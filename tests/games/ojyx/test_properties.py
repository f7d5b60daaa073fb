"""Properties of every match of Ojyx, checked on random deals and random play."""

import random
from collections import Counter
from functools import cache
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.core.chance import SeedChance
from tablee.core.match import Match, Step
from tablee.games.ojyx.cards import CARDS, NUMBERS, VALUES, action_deck
from tablee.games.ojyx.grid import EMPTY, HIDDEN, full_columns, knowers_of, value_of
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Options, Play

steady = settings(max_examples=24, deadline=None, derandomize=True, database=None)

GAME = Ojyx()


@cache
def random_match(number):
    """Play a match at random; return every state and the action before it."""
    dice = random.Random(number)
    options = Options(
        deck=("standard", "extended")[number % 2],
        reveal_after_discard=number % 5 != 0,
        rounds=dice.choice(["vote", 1]),
    )
    match = Match(GAME, 2 + number % 7, options, f"random_match {number}")
    states = [(None, match.state)]
    while match.outcome is None and match.ply < 1200:
        seat = dice.choice(sorted(match.turn.must))
        legal = match.legal(seat)
        cards = [action for action in legal if isinstance(action, Play)]
        action = dice.choice(cards if cards and dice.random() < 0.7 else legal)
        match.advance(Step(seat, action))
        states.append((action, match.state))
    return states


numbers = st.integers(0, 27)


def note(state):
    return GAME.notation.write_state(state)


def viewers(state):
    return (*range(len(state.grids)), None)


def seen_cards(state):
    """Return all number cards that have a value."""
    cards = Counter(state.discard) + Counter(state.scouted)
    cards.update(value_of(code) for grid in state.grids for code in grid if code not in (EMPTY, HIDDEN))
    if state.held is not None and state.held.card is not None:
        cards[state.held.card] += 1
    return cards


@steady
@given(numbers)
def test_each_of_the_150_number_cards_is_in_one_place(number):
    states = random_match(number)
    for _, state in states:
        cards = seen_cards(state)
        for at, value in enumerate(VALUES):
            in_deck = state.deck[at] if state.deck else 0
            assert cards[value] + state.unseen[at] + in_deck == NUMBERS[at], note(state)


@steady
@given(numbers)
def test_the_unseen_cards_are_the_hidden_ones_and_the_deck(number):
    states = random_match(number)
    for _, state in states:
        hidden = sum(grid.count(HIDDEN) for grid in state.grids)
        rest = state.deck_size - len(state.scouted)
        assert sum(state.unseen) == hidden + (0 if state.deck else rest), note(state)
        assert not state.deck or sum(state.deck) == rest, note(state)


@steady
@given(numbers)
def test_each_action_card_is_in_one_place(number):
    states = random_match(number)
    for _, state in states:
        cards = Counter(state.action_discard)
        for stock in state.stocks:
            cards.update(stock)
        if state.held is not None and state.held.action is not None:
            cards[state.held.action] += 1
        left = dict(zip(CARDS, state.actions, strict=True))
        deck = dict(zip(CARDS, action_deck(state.options), strict=True))
        assert {card: cards[card] + left[card] for card in CARDS} == deck, note(state)


@steady
@given(numbers)
def test_a_stock_has_at_most_three_cards_out_of_turn_and_no_demi_tour(number):
    states = random_match(number)
    for _, state in states:
        for seat, stock in enumerate(state.stocks):
            assert len(stock) <= 3 or seat == state.to_act, note(state)
            assert "turnAround" not in stock, note(state)
        assert state.held is None or state.held.action != "turnAround", note(state)


@steady
@given(numbers)
def test_no_full_column_remains(number):
    states = random_match(number)
    for _, state in states:
        assert not any(full_columns(grid) for grid in state.grids), note(state)


@steady
@given(numbers)
def test_the_manche_is_ending_once_a_grid_has_no_hidden_card(number):
    states = random_match(number)
    ending = False
    for _, state in states:
        if state.stage in ("vote", "over"):
            continue
        here = [seat for seat in range(len(state.grids)) if not state.gone >> seat & 1]
        done = any(max(state.grids[seat]) < HIDDEN for seat in here)
        ending = state.ending and ending
        assert state.ending == (done or ending), note(state)
        assert state.ending == (state.initiator is not None), note(state)
        ending = state.ending


@steady
@given(numbers)
def test_what_a_seat_knows_is_true(number):
    states = random_match(number)
    for _, state in states:
        for one in state.lost:
            hidden: Counter[int | None] = Counter()
            for place in one.places:
                code = state.grids[place // 12][place % 12]
                assert code >= HIDDEN, note(state)
                hidden[value_of(code) if code > HIDDEN else None] += 1
            assert not Counter(one.cards) - hidden, note(state)
        for one in state.known_stored:
            known = [other.card for other in state.known_stored if (other.seat, other.holder) == (one.seat, one.holder)]
            assert not Counter(known) - Counter(state.stocks[one.holder]), note(state)


@steady
@given(numbers)
def test_a_view_shows_a_hidden_card_only_to_seats_that_know_it(number):
    states = random_match(number)
    for _, state in states[::5]:
        for viewer in viewers(state):
            view = GAME.view(state, viewer)
            for grid, seat in zip(state.grids, view.seats, strict=True):
                known = {cell: code for cell, code in enumerate(grid) if code > HIDDEN and knowers_of(code)}
                assert {peeked.cell for peeked in seat.peeked} == set(known), note(state)
                for peeked in seat.peeked:
                    mine = viewer is not None and knowers_of(known[peeked.cell]) >> viewer & 1
                    assert peeked.card == (value_of(known[peeked.cell]) if mine else None), note(state)


@steady
@given(numbers)
def test_a_view_counts_every_card_once(number):
    """The cards that a viewer sees, knows and has not seen add up to the 150 cards, and so do the action cards."""
    states = random_match(number)
    for _, state in states[::5]:
        for viewer in viewers(state):
            view = GAME.view(state, viewer)
            total = [sum(both) for both in zip(view.unseen, view.discards, strict=True)]
            located = [*view.top, *(card for lost in view.lost for card in lost.cards)]
            located += [cell for seat in view.seats for cell in seat.cells if isinstance(cell, int)]
            located += [one.card for seat in view.seats for one in seat.peeked if one.card is not None]
            located += [view.held.card] if view.held and view.held.card is not None else []
            for card in located:
                total[card + 2] += 1
            if view.refilled:
                total = [sum(both) for both in zip(total, view.refilled, strict=True)]
            assert tuple(total) == NUMBERS, note(state)
            actions = Counter(view.unseen_actions) + Counter(view.action_discards) + Counter(view.stock)
            actions.update(known.card for known in view.known_stored)
            actions.update([view.held.action] if view.held and view.held.action else [])
            deck = zip(CARDS, action_deck(state.options), strict=True)
            assert actions == {card: count for card, count in deck if count}, note(state)


@steady
@given(numbers, st.integers(0, 10**6))
def test_imagined_states_are_valid(number, seed):
    """An imagined state has all the cards, and can be played on."""
    states, dice = random_match(number), random.Random(seed)
    for _, state in dice.sample(states, min(8, len(states))):
        viewer = dice.choice(viewers(state))
        chance = SeedChance(f"imagine {seed}", 0)
        other = GAME.imagine(GAME.view(state, viewer), chance)
        assert GAME.notation.read_state(note(other)) == other
        assert seen_cards(other).total() + sum(other.unseen) + sum(other.deck) == 150
        for _ in range(6):
            waiting = sorted(GAME.turn(other).must)
            if not waiting:
                break
            legal = GAME.legal_actions(other, waiting[0])
            other = GAME.apply(other, waiting[0], dice.choice(legal), chance)


@steady
@given(numbers)
def test_a_target_reacts_exactly_if_it_has_a_stored_card_and_is_not_frozen(number):
    states = random_match(number)
    for (_, before), (action, after) in pairwise(states):
        if not isinstance(action, Play) or action.seat is None:
            continue
        asked = bool(before.stocks[action.seat]) and not before.frozen[action.seat]
        assert (after.stage == "react") == asked, note(before)


@steady
@given(numbers)
def test_in_the_last_lap_each_other_seat_has_one_turn_or_is_skipped(number):
    states = random_match(number)
    at_ending = None
    for (_, before), (_, after) in pairwise(states):
        if after.ending and not before.ending:
            at_ending = before.turns, after.initiator
        if after.stage in ("vote", "over") and before.stage not in ("vote", "over") and at_ending is not None:
            turns, initiator = at_ending
            more = [last - first for first, last in zip(turns, after.turns, strict=True)]
            here = [seat for seat in range(len(more)) if not after.gone >> seat & 1]
            assert [more[seat] for seat in here] == [int(seat != initiator) for seat in here], note(after)
        if after.stage == "choose":
            at_ending = None


@steady
@given(numbers)
def test_the_scores_of_a_manche_follow_from_the_grids(number):
    states = random_match(number)
    for (_, before), (_, after) in pairwise(states):
        if len(after.results) == len(before.results) or after.stage == "choose":
            continue
        sums = []
        for seat, table in enumerate(after.tables):
            columns = []
            for column in range(4):
                cards = [cell for cell in table.cells[column::4] if cell != "empty"]
                total = 0 if len(set(cards)) <= 1 else sum(cards)
                columns.append(int(total * 2.0 ** (after.curses[seat][column] - after.heals[seat][column]) // 1))
            assert tuple(columns) == table.columns, note(after)
            sums.append(sum(columns))
        result = after.results[-1]
        for seat, score in enumerate(result.scores):
            if score is not None:
                assert score == sums[seat] * (2 if result.doubled and seat == result.initiator else 1), note(after)


def test_the_random_matches_cover_every_special_case():
    found: Counter[str] = Counter()
    for number in range(28):
        for _, state in random_match(number):
            found["lost"] += bool(state.lost)
            found["known_stored"] += bool(state.known_stored)
            found["scouted"] += bool(state.scouted)
            found["refilled"] += bool(state.deck)
            found["known"] += any(code > HIDDEN for grid in state.grids for code in grid)
            found["frozen"] += any(state.frozen)
            found["void"] += any(event.kind == "void" for event in state.events)
            found["skipped"] += any(event.kind == "skipped" for event in state.events)
    assert min(found.values()) > 10, found
