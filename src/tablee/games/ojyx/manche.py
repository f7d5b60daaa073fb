"""A manche from the deal to the vote: first choices, the final turning, the next manche (O2, O5, O8)."""

from __future__ import annotations

from msgspec.structs import replace

from ...core.game import Chance, Seat
from .cards import LEAST, NUMBERS, action_deck
from .deck import draw_number, pick
from .grid import CELLS, EMPTY, HIDDEN, NEW_GRID, NO_GRID, column_scores, full_columns, value_of, without_column
from .knowledge import turn_up
from .order import begin_turn, present
from .scoring import MOST_MANCHES, result_of
from .values import Ballot, CellView, Event, Grid, State, Table

NO_MARKS = (0, 0, 0, 0)
BALLOTS: dict[bool | None, Ballot] = {True: "on", False: "stop", None: "follow"}
WISHES: dict[Ballot | None, bool | None] = {ballot: wish for wish, ballot in BALLOTS.items()}


def begin_manche(before: State, chance: Chance) -> State:
    """Deal 12 hidden cards to every seat that is present and start the discard pile."""
    seats = len(before.grids)
    here = present(before)
    starter = None
    if before.initiator is not None:  # O2: the initiator of the last manche starts, or the next seat
        starter = next_seat(before, before.initiator)
    state = State(
        before.options,
        "choose",
        before.manche + 1,
        None,
        grids=tuple(NO_GRID if before.gone >> seat & 1 else NEW_GRID for seat in range(seats)),
        unseen=NUMBERS,
        deck_size=sum(NUMBERS) - 12 * len(here),
        discard=(),
        actions=action_deck(before.options),
        stocks=((),) * seats,
        curses=(NO_MARKS,) * seats,
        heals=(NO_MARKS,) * seats,
        frozen=(0,) * seats,
        turns=(0,) * seats,
        starter=starter,
        chosen=((),) * seats,
        gone=before.gone,
        absent=before.gone,
        results=before.results,
        tables=before.tables,
        events=before.events,
    )
    state, card = draw_number(state, chance)
    return replace(state, discard=(card,))


def next_seat(state: State, seat: Seat) -> Seat:
    """Return the seat itself, or the next one clockwise that is present."""
    while state.gone >> seat & 1:
        seat = (seat + 1) % len(state.grids)
    return seat


def choosing(state: State) -> list[Seat]:
    """Return the seats that have not chosen two cards."""
    return [seat for seat in present(state) if not state.chosen[seat]]


def voting(state: State) -> list[Seat]:
    """Return the seats that have not voted."""
    return [seat for seat in present(state) if state.votes[seat] is None]


def choose(state: State, seat: Seat, cells: tuple[int, ...], chance: Chance) -> State:
    chosen = (*state.chosen[:seat], cells, *state.chosen[seat + 1 :])
    return open_choices(replace(state, chosen=chosen, events=()), chance)


def open_choices(state: State, chance: Chance) -> State:
    """Turn the chosen cards once all have chosen; the last initiator begins, or the highest sum (O2)."""
    if choosing(state):
        return state
    for seat in present(state):
        for cell in state.chosen[seat]:
            state = turn_up(state, seat, cell, chance)
    starter = state.starter
    if starter is None:
        sums = {seat: sum(state.grids[seat][cell] for cell in state.chosen[seat]) for seat in present(state)}
        starter = max(sums, key=lambda seat: (sums[seat], -seat))
    return begin_turn(replace(state, chosen=(), starter=starter), starter)


def finish_manche(state: State, chance: Chance) -> State:
    """Turn all cards, clear full columns and score; then vote, deal again or end the match."""
    grids, tables = [], []
    unseen, discard = list(state.unseen), list(state.discard)
    for seat, before in enumerate(state.grids):
        grid = tuple([turned(code, unseen, chance) for code in before])
        after = grid
        for column in full_columns(grid):
            discard += [grid[column]] * 3
            after = without_column(after, column)
        grids.append(after)
        columns = column_scores(after, state.curses[seat], state.heals[seat])
        tables.append(Table(shown(grid), tuple(cell for cell in CELLS if before[cell] >= HIDDEN), columns))
    state = replace(
        state,
        stage="vote",
        to_act=None,
        grids=tuple(grids),
        unseen=tuple(unseen),
        discard=tuple(discard),
        skips=0,
        lost=(),
        votes=(None,) * len(grids),
        results=(*state.results, result_of(state, [sum(table.columns) for table in tables])),
        tables=tuple(tables),
        events=(*state.events, Event("manche")),
    )
    rounds = state.options.rounds
    if state.manche == (MOST_MANCHES if rounds == "vote" else rounds):
        return end_match(state)
    return state if rounds == "vote" else begin_manche(state, chance)


def turned(code: int, unseen: list[int], chance: Chance) -> int:
    """Return the value of a card; draw it from the unseen ones if nobody has looked at it."""
    if code < HIDDEN:
        return code
    if code > HIDDEN:
        return value_of(code)
    at = pick(tuple(unseen), chance)
    unseen[at] -= 1
    return at + LEAST


def shown(grid: Grid) -> tuple[CellView, ...]:
    """Return the public side of a grid."""
    return tuple(["hidden" if code >= HIDDEN else "empty" if code == EMPTY else code for code in grid])


def vote(state: State, seat: Seat, go_on: bool | None, chance: Chance) -> State:
    votes = (*state.votes[:seat], BALLOTS[go_on], *state.votes[seat + 1 :])
    return count_votes(replace(state, votes=votes, events=()), chance)


def count_votes(state: State, chance: Chance) -> State:
    """Once all have voted, begin another manche if two or more go on and one of them voted so (O8)."""
    if voting(state):
        return state
    here = present(state)
    events = tuple(Event("voted", seat, go_on=WISHES[state.votes[seat]]) for seat in here)
    stops = [seat for seat in here if state.votes[seat] == "stop"]
    state = replace(state, events=(*state.events, *events))
    if "on" not in [state.votes[seat] for seat in here] or len(here) - len(stops) < 2:
        return end_match(state)
    gone = state.gone | sum(1 << seat for seat in stops)
    left = tuple(Event("left", seat) for seat in stops)
    return begin_manche(replace(state, gone=gone, events=(*state.events, *left)), chance)


def end_match(state: State) -> State:
    return replace(state, stage="over", to_act=None, votes=(), chosen=())
