"""Chifoumi: both players choose a sign at the same time; more rounds won wins the match."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tablee.core.game import Cause, Chance, Game, GameInfo, Leave, Outcome, Seat, Turn

Sign = Literal["rock", "paper", "scissors"]
SIGNS: tuple[Sign, ...] = ("rock", "paper", "scissors")
BEATS: dict[Sign, Sign] = {"rock": "scissors", "paper": "rock", "scissors": "paper"}


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Literal[3, 1, 5] = 3


class Show(Struct, frozen=True, tag="show", tag_field="type", forbid_unknown_fields=True):
    sign: Sign


Action = Show | Leave


class State(Struct, frozen=True):
    options: Options
    wins: tuple[int, int] = (0, 0)
    shown: tuple[tuple[Sign, Sign], ...] = ()
    chosen: tuple[Sign | None, Sign | None] = (None, None)
    left: Seat | None = None


class View(Struct, frozen=True):
    options: Options
    wins: tuple[int, int]
    shown: tuple[tuple[Sign, Sign], ...]
    chosen: tuple[bool, bool]
    mine: Sign | None
    seat: Seat | None
    left: Seat | None


class Chifoumi(Game[State, Action, View]):
    info = GameInfo(
        key="chifoumi",
        version=1,
        seats=(2, 2),
        options=Options,
        state=State,
        action=Action,
        view=View,
        longest=12,
    )

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        return State(options)

    def turn(self, state: State) -> Turn:
        if self.outcome(state):
            return Turn(frozenset(), stage="over")
        return Turn(frozenset(seat for seat in (0, 1) if state.chosen[seat] is None))

    def legal_actions(self, state: State, seat: Seat) -> list[Action]:
        return [Show(sign) for sign in SIGNS] if seat in self.turn(state).must else []

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> State:
        if isinstance(action, Leave):
            return replace(state, left=seat, chosen=(None, None))
        first, second = (action.sign, state.chosen[1]) if seat == 0 else (state.chosen[0], action.sign)
        if first is None or second is None:
            return replace(state, chosen=(first, second))
        wins = state.wins[0] + (BEATS[first] == second), state.wins[1] + (BEATS[second] == first)
        return replace(state, wins=wins, shown=(*state.shown, (first, second)), chosen=(None, None))

    def outcome(self, state: State) -> Outcome | None:
        mine, theirs = state.wins
        if state.left is not None:
            return Outcome(state.wins, (2, 1) if state.left == 0 else (1, 2), "left")
        if len(state.shown) < state.options.rounds:
            return None
        return Outcome(state.wins, (1 + (mine < theirs), 1 + (theirs < mine)), "rounds")

    def fallback(self, state: State, seat: Seat, cause: Cause) -> Action:
        return Leave() if cause is Cause.LEAVE else Show("rock")

    def view(self, state: State, seat: Seat | None) -> View:
        chosen = (state.chosen[0] is not None, state.chosen[1] is not None)
        mine = None if seat is None else state.chosen[seat]
        return View(state.options, state.wins, state.shown, chosen, mine, seat, state.left)

    def seen(self, actor: Seat, action: Action, seat: Seat | None) -> Action | None:
        return action if actor == seat or isinstance(action, Leave) else None

    def imagine(self, view: View, chance: Chance) -> State:
        chosen = [SIGNS[chance.pick(3)] if has else None for has in view.chosen]
        if view.seat is not None:
            chosen[view.seat] = view.mine
        return State(view.options, view.wins, view.shown, (chosen[0], chosen[1]), view.left)
