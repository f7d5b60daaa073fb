"""Haute: a whole card game in less than a hundred lines. Five cards each out of 32; the higher card takes the trick."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tablee.core.cards import DECK, Card, draw
from tablee.core.game import Cause, Chance, Game, GameInfo, Leave, Outcome, Seat, Turn
from tablee.core.package import Package
from tablee.core.trace import Pack

RANKS = "789TJQKA"
CARDS = tuple(card for card in DECK if card[0] in RANKS)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Play(Struct, frozen=True, tag="play", tag_field="type", forbid_unknown_fields=True):
    card: Card


class State(Struct, frozen=True):
    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    to_act: Seat = 0
    led: Card | None = None
    played: tuple[Card, ...] = ()
    tricks: tuple[int, int] = (0, 0)
    left: Seat | None = None


class View(Struct, frozen=True):
    seat: Seat | None
    hand: tuple[Card, ...]
    cards: tuple[int, int]
    to_act: Seat
    led: Card | None
    played: tuple[Card, ...]
    tricks: tuple[int, int]
    left: Seat | None


class Haute(Game[State, Play | Leave, View]):
    info = GameInfo(
        key="haute", version=1, seats=(2, 2), options=Options, state=State, action=Play | Leave, view=View, longest=11
    )

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        deck = list(CARDS)
        cards = [draw(deck, chance) for _ in range(10)]
        return State((tuple(cards[:5]), tuple(cards[5:])))

    def turn(self, state: State) -> Turn:
        return Turn(frozenset() if self.outcome(state) else frozenset({state.to_act}))

    def legal_actions(self, state: State, seat: Seat) -> list[Play | Leave]:
        return [Play(card) for card in state.hands[seat]] if seat in self.turn(state).must else []

    def apply(self, state: State, seat: Seat, action: Play | Leave, chance: Chance) -> State:
        if isinstance(action, Leave):
            return replace(state, left=seat)
        hand = tuple(card for card in state.hands[seat] if card != action.card)
        hands = (hand, state.hands[1]) if seat == 0 else (state.hands[0], hand)
        state = replace(state, hands=hands, played=(*state.played, action.card))
        if state.led is None:
            return replace(state, led=action.card, to_act=1 - seat)
        winner = seat if RANKS.index(action.card[0]) > RANKS.index(state.led[0]) else 1 - seat
        tricks = state.tricks[0] + (winner == 0), state.tricks[1] + (winner == 1)
        return replace(state, led=None, to_act=winner, tricks=tricks)

    def outcome(self, state: State) -> Outcome | None:
        if state.left is not None:
            return Outcome(state.tricks, (2, 1) if state.left == 0 else (1, 2), "left")
        places = (1, 2) if state.tricks[0] > state.tricks[1] else (2, 1)
        return Outcome(state.tricks, places, "tricks") if sum(state.tricks) == 5 else None

    def fallback(self, state: State, seat: Seat, cause: Cause) -> Play | Leave:
        return Leave() if cause is Cause.LEAVE else Play(state.hands[seat][0])

    def view(self, state: State, seat: Seat | None) -> View:
        hand, cards = () if seat is None else state.hands[seat], (len(state.hands[0]), len(state.hands[1]))
        return View(seat, hand, cards, state.to_act, state.led, state.played, state.tricks, state.left)

    def seen(self, actor: Seat, action: Play | Leave, seat: Seat | None) -> Play | Leave:
        return action

    def imagine(self, view: View, chance: Chance) -> State:
        deck = [card for card in CARDS if card not in view.hand and card not in view.played]
        hands = [tuple(draw(deck, chance) for _ in range(count)) for count in view.cards]
        if view.seat is not None:
            hands[view.seat] = view.hand
        return State((hands[0], hands[1]), view.to_act, view.led, view.played, view.tricks, view.left)


PACKAGE = Package(rules=Haute(), packs={"cards": Pack(row=CARDS)})
