"""Ojyx: twelve hidden cards each, the lowest sum wins, and action cards interfere.

Each module has one part of the rules: `grid.py` columns, `deck.py` drawing, `knowledge.py` which seat knows which card,
`order.py` turns and the last lap, `effects.py` the action cards, `turn.py` a turn, `play.py` playing cards and reacting
to them, `manche.py` the deal and the vote, `leave.py` leaving, `scoring.py` the scores. This file connects them to the
contract. `O1`, `O2`, … are the numbers of rulings on the rules page, docs/regles/ojyx.md.
"""

from __future__ import annotations

from itertools import permutations

from msgspec.structs import replace

from ...core.game import UNTIMED, Cause, Chance, Clocks, Game, GameInfo, Leave, Outcome, Refusal, Seat, Turn, turn_of
from .deck import actions_left
from .effects import PAIRS, card_at, hidden_at
from .grid import CELLS, cards_in, hidden_in
from .imagine import imagine
from .leave import leave
from .manche import begin_manche, choose, choosing, vote, voting
from .notation import OjyxNotation
from .order import MOST_TURNS
from .play import can_play, gifts, mirrors, play, plays_of, react, why_not_play, why_not_react
from .scoring import MOST_MANCHES, outcome_of
from .turn import (
    MOST_STORED,
    discard,
    draw,
    drawn_card,
    pass_turn,
    place,
    store,
    throw,
    throwable,
    turn_one,
    why_not_throw,
)
from .values import (
    Action,
    Choose,
    Discard,
    Draw,
    EndTurn,
    Options,
    Place,
    Play,
    React,
    Source,
    State,
    Store,
    Throw,
    TurnUp,
    View,
    Vote,
)
from .view import view_of

REACTION_SECONDS = 10.0
"""The time to react to an attack (O10)."""
PAUSE = 0.6
"""The pause before a bot acts, so that people can follow."""
SHOW_PAUSE = 1.5
"""The pause after an attack, a cleared column or the end of a manche."""

CHOICES = [Choose(pair) for pair in PAIRS]
DRAWS: dict[Source, Draw] = {"deck": Draw("deck"), "discard": Draw("discard"), "action": Draw("action")}
PLACES = [Place(cell) for cell in CELLS]
TURNS = [TurnUp(cell) for cell in CELLS]
DISCARD, STORE, END_TURN = Discard(), Store(), EndTurn()
ACCEPT, SHIELD = React("accept"), React("shield")
ORDERS = [[Play("scout", order=order) for order in permutations(range(count))] for count in range(4)]
VOTES: list[Action] = [Vote(True), Vote(False), Vote(None)]

MOST_IN_A_TURN = 1 + 4 * 3 + 5 + 1
"""Draw an action card; play it and three stored ones, each with aim and reaction; throw five; end the turn."""
MOST_IN_A_MANCHE = 8 * (1 + (MOST_TURNS + 1) * MOST_IN_A_TURN + 1)
"""For each seat: a choice, sixty turns, one turn in the last lap and a vote."""


def sources(state: State, seat: Seat) -> list[Source]:
    """Return where a seat can draw from; a seat without cards cannot take from the discard pile."""
    found: list[Source] = ["deck"]
    if state.discard and cards_in(state.grids[seat]):
        found.append("discard")
    if actions_left(state):
        found.append("action")
    return found


def must_place(state: State) -> bool:
    """Return whether the card in hand comes from the discard pile, so that it cannot go back there."""
    return state.held is not None and state.held.source == "discard"


def reactions(state: State, seat: Seat) -> list[Action]:
    """Return the legal reactions to an attack (O10)."""
    found: list[Action] = [ACCEPT]
    if "shield" in state.stocks[seat]:
        found.append(SHIELD)
    if "mirror" in state.stocks[seat]:
        found += mirrors(state)
    return found


def first_place(state: State, seat: Seat) -> Place:
    """Return the first hidden card, else the first card (O13)."""
    grid = state.grids[seat]
    return PLACES[(hidden_in(grid) or cards_in(grid))[0]]


def next_gift(state: State, seat: Seat) -> Play:
    """Return a gift on the first card of the next opponent in the current direction (O13)."""
    seats = len(state.grids)
    return min(gifts(state, seat), key=lambda gift: ((gift.seat or 0) - seat) * state.direction % seats)


def waiting(state: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for."""
    match state.stage:
        case "choose":
            return tuple(choosing(state))
        case "vote":
            return tuple(voting(state))
        case "over":
            return ()
        case "react":
            return () if state.attack is None else (state.attack.target,)
        case _:
            return () if state.to_act is None else (state.to_act,)


class Ojyx(Game[State, Action, View]):
    info = GameInfo(
        key="ojyx",
        version=1,
        seats=(2, 8),
        options=Options,
        state=State,
        action=Action,
        view=View,
        longest=MOST_MANCHES * MOST_IN_A_MANCHE + 8,
    )
    notation = OjyxNotation()

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        nothing = State(options, "over", 0, None, ((),) * seats, (), 0, (), (), ())
        return begin_manche(nothing, chance)

    def turn(self, state: State) -> Turn:
        return turn_of(waiting(state), state.stage)

    def legal_actions(self, state: State, seat: Seat) -> list[Action]:
        if seat not in waiting(state):
            return []
        match state.stage:
            case "choose":
                return [*CHOICES]
            case "draw":
                return [DRAWS[source] for source in sources(state, seat)]
            case "decide":
                places: list[Action] = [PLACES[cell] for cell in cards_in(state.grids[seat])]
                return places if must_place(state) else [*places, DISCARD]
            case "turn":
                return [TURNS[cell] for cell in hidden_in(state.grids[seat])]
            case "react":
                return reactions(state, seat)
            case "gift":
                return [*gifts(state, seat)]
            case "scout":
                return [*ORDERS[len(state.scouted)]]
            case "vote":
                return [*VOTES]
            case _:
                return self.card_actions(state, seat)

    def card_actions(self, state: State, seat: Seat) -> list[Action]:
        """Return what a seat can do with the action card that it drew, or with its stock."""
        drawn = state.held.action if state.held is not None else None
        stock = state.stocks[seat]
        actions: list[Action] = []
        if drawn is None and len(stock) <= MOST_STORED:
            actions.append(END_TURN)
        if drawn is not None and len(stock) < MOST_STORED:
            actions.append(STORE)
        if can_play(state, seat):
            for card in (drawn,) if drawn is not None else dict.fromkeys(stock):
                actions += plays_of(state, seat, card)
        return [*actions, *[Throw(card) for card in throwable(state, seat)]]

    def check(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Return why an action is refused; a reaction without an attack gets its own reason."""
        refusal = super().check(state, seat, action)
        if refusal is not None and refusal.code == "not_your_turn" and isinstance(action, React):
            return Refusal("not_asked")
        return refusal

    def why_not(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        stage = state.stage
        match action:
            case Choose(cells) if stage == "choose":
                return None if cells in PAIRS else Refusal("two_cells", {"cells": cells})
            case Draw(source) if stage == "draw":
                return None if source in sources(state, seat) else Refusal("nothing_to_draw", {"source": source})
            case Place(cell) if stage == "decide":
                return card_at(state, seat, cell)
            case Discard() if stage == "decide":
                return Refusal("must_place") if must_place(state) else None
            case TurnUp(cell) if stage == "turn":
                return hidden_at(state, seat, cell)
            case Store() if stage == "action":
                full = len(state.stocks[seat]) >= MOST_STORED
                return Refusal("stock_full", {"most": MOST_STORED}) if full else None
            case Throw(card) if stage in ("action", "play"):
                return why_not_throw(state, seat, card)
            case Play() if stage in ("action", "play", "gift", "scout"):
                return why_not_play(state, seat, action)
            case Play(card) if stage in ("draw", "decide", "turn") and card in state.stocks[seat]:
                return Refusal("decide_first")
            case React():
                return why_not_react(state, seat, action)
            case EndTurn() if stage == "play":
                over = len(state.stocks[seat]) - MOST_STORED
                return Refusal("throw_first", {"count": over}) if over > 0 else None
            case Vote() if stage == "vote":
                return None
            case _:
                return Refusal("wrong_stage", {"stage": stage})

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> State:
        if state.events:
            state = replace(state, events=())
        match action:
            case Draw(source):
                return draw(state, seat, source, chance)
            case Place(cell):
                return place(state, seat, cell, chance)
            case Discard():
                return discard(state, seat, chance)
            case TurnUp(cell):
                return turn_one(state, seat, cell, chance)
            case EndTurn():
                return pass_turn(state, chance)
            case Store():
                return store(state, seat, chance)
            case Play():
                return play(state, seat, action, chance)
            case Throw(card):
                return throw(state, seat, card, chance)
            case React():
                return react(state, seat, action, chance)
            case Choose(cells):
                return choose(state, seat, cells, chance)
            case Vote(go_on):
                return vote(state, seat, go_on, chance)
            case Leave():
                return leave(state, seat, chance)

    def outcome(self, state: State) -> Outcome | None:
        return outcome_of(state) if state.stage == "over" else None

    def fallback(self, state: State, seat: Seat, cause: Cause) -> Action:
        """Return what the table plays for a seat that does not act (O13)."""
        if cause is Cause.LEAVE:
            return Leave()
        match state.stage:
            case "choose":
                return CHOICES[0]
            case "draw":
                return DRAWS["deck"]
            case "decide":
                return first_place(state, seat) if must_place(state) else DISCARD
            case "turn":
                return TURNS[hidden_in(state.grids[seat])[0]]
            case "action":
                return STORE if len(state.stocks[seat]) < MOST_STORED else Throw(drawn_card(state))
            case "react":
                return ACCEPT
            case "gift":
                return next_gift(state, seat)
            case "scout":
                return ORDERS[len(state.scouted)][0]
            case "vote":
                return VOTES[0]
            case _:
                stock = state.stocks[seat]
                return Throw(stock[-1]) if len(stock) > MOST_STORED else END_TURN

    def clocks(self, state: State) -> Clocks:
        return Clocks(move=REACTION_SECONDS, thinking=False) if state.stage == "react" else UNTIMED

    def pause(self, view: View) -> float:
        notable = ("hit", "void", "cleared", "ending", "manche", "played", "answered")
        shown = view.stage == "react" or any(event.kind in notable for event in view.events)
        return SHOW_PAUSE if shown else PAUSE

    def view(self, state: State, seat: Seat | None) -> View:
        return view_of(state, seat, waiting(state))

    def seen(self, actor: Seat, action: Action, seat: Seat | None) -> Action | None:
        """Hide choices and votes until all are made, and the order in which scout puts the cards back."""
        if seat == actor:
            return action
        if isinstance(action, Choose | Vote):
            return None
        if isinstance(action, Play) and action.order is not None:
            return Play("scout")
        return action

    def imagine(self, view: View, chance: Chance) -> State:
        return imagine(view, chance)
