"""Kora Battle: two players, five cards each, and the winner of the fifth trick wins the stake.

This is the smallest game and the model for the others. Read `values.py` first, then this file from top to bottom.
Functions on values come first, one for each rule. The class `Kora` at the end connects them to the contract in
`core/game.py`. `K1`, `K2`, … are the numbers of rulings on the rules page, docs/regles/kora.md.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from ...core.cards import DECK, RANKS, Card, draw
from ...core.game import Cause, Chance, Game, GameInfo, Leave, Outcome, Range, Refusal, Seat, Turn
from ...core.trace import place_in
from .notation import KoraNotation
from .values import (
    Accept,
    Action,
    DealResult,
    Hand,
    HandCard,
    Options,
    Play,
    Propose,
    Reason,
    Refuse,
    State,
    Trick,
    View,
)

HAND = 5
MOST_DEALS = 500
LOW_SUM = 21
"""A hand with a sum below this wins automatically (K5)."""

VALUE = {card: RANKS.index(card[0]) + 1 for card in DECK}  # K1
ORDER = {card: at for at, card in enumerate(DECK)}
FALLBACK_ORDER = {card: (VALUE[card], "CDHS".index(card[1])) for card in DECK}  # K11


def takes(led: Card, reply: Card) -> bool:
    """Return whether the reply takes the trick: it must be a higher card of the led suit (K6)."""
    return led[1] == reply[1] and VALUE[reply] > VALUE[led]


def playable(hand: Hand, led: Card | None) -> Hand:
    """Return the cards that can be played: those of the led suit, or the whole hand if it has none (K6)."""
    if led is None:
        return hand
    return tuple([card for card in hand if card[1] == led[1]]) or hand


def is_sevens(hand: Hand) -> bool:
    return sum(card[0] == "7" for card in hand) >= 3


def is_low_sum(hand: Hand) -> bool:
    return sum(VALUE[card] for card in hand) < LOW_SUM


def automatic(hands: tuple[Hand, Hand]) -> tuple[Seat, Reason] | Literal["redeal"] | None:
    """Return the seat that wins without playing and why, `redeal` if both have the same low sum, else None (K5)."""
    for seat in (0, 1):
        if is_sevens(hands[seat]):
            return seat, "sevens"
    low = [seat for seat in (0, 1) if is_low_sum(hands[seat])]
    if not low:
        return None
    if len(low) == 1:
        return low[0], "low_sum"
    sums = [sum(VALUE[card] for card in hand) for hand in hands]
    if sums[0] == sums[1]:
        return "redeal"
    return sums.index(min(sums)), "low_sum"


EXPLOITS: tuple[Reason, ...] = ("trick", "kora", "33", "333")


def exploit(tricks: tuple[Trick, ...]) -> tuple[Reason, int]:
    """Return how the last trick was won and how many stakes that pays (K7)."""
    threes = 0
    for trick in reversed(tricks):
        if threes == 3 or trick.winner != tricks[-1].winner or trick.taken_with[0] != "3":
            break
        threes += 1
    return EXPLOITS[threes], threes + 1


def most_stake(state: State) -> int:
    return min(state.banks)


def table_stake(state: State) -> int:
    """Return the stake of a deal if the players agree on no other (K2)."""
    return min(state.options.stake, most_stake(state))


def to_act(state: State) -> Seat | None:
    if state.stage == "over":
        return None
    if state.stage == "answer" or state.led is not None:
        return 1 - state.leader
    return state.leader


def begin_deal(state: State, chance: Chance) -> State:
    """Draw the leader (K4), then ask for a bet or deal at once (K3)."""
    state = replace(
        state,
        deal=state.deal + 1,
        leader=place_in(range(2), chance, "seats"),
        stake=0,
        hands=((), ()),
        led=None,
        tricks=(),
        stage="bet",
    )
    if state.options.betting == "open":
        return state
    return deal_cards(state, table_stake(state), chance)


def deal_cards(state: State, stake: int, chance: Chance) -> State:
    """Deal five cards each, seat 0 first (K4). Settle the deal at once if a hand wins automatically (K5)."""
    won: tuple[Seat, Reason] | Literal["redeal"] | None = "redeal"
    while won == "redeal":
        deck = list(DECK)
        cards = [draw(deck, chance) for _ in range(2 * HAND)]
        hands = sorted_hand(cards[::2]), sorted_hand(cards[1::2])
        won = automatic(hands)
    state = replace(state, stage="play", stake=stake, hands=hands)
    if won is None:
        return state
    winner, reason = won
    return settle(state, winner, reason, 1, hands, chance)


def sorted_hand(cards: list[Card]) -> Hand:
    return tuple(sorted(cards, key=ORDER.__getitem__))


def play_card(state: State, seat: Seat, card: Card, chance: Chance) -> State:
    """Lead a card, or reply to one and finish the trick; the fifth trick settles the deal."""
    mine = tuple([held for held in state.hands[seat] if held != card])
    hands = (mine, state.hands[1]) if seat == 0 else (state.hands[0], mine)
    if state.led is None:
        return replace(state, hands=hands, led=card)
    winner = seat if takes(state.led, card) else state.leader
    tricks = (*state.tricks, Trick(state.leader, state.led, card, winner))
    state = replace(state, hands=hands, led=None, tricks=tricks, leader=winner)
    if len(tricks) < HAND:
        return state
    return settle(state, winner, *exploit(tricks), None, chance)


def settle(
    state: State, winner: Seat, reason: Reason, multiplier: int, shown: tuple[Hand, Hand] | None, chance: Chance
) -> State:
    """Pay the winner of a deal, then begin the next deal or end the match (K8, K9)."""
    paid = min(state.stake * multiplier, state.banks[1 - winner])
    gain = paid if winner == 0 else -paid
    state = replace(
        state,
        banks=(state.banks[0] + gain, state.banks[1] - gain),
        won=(*state.won, gain),
        last_deal=DealResult(state.deal, winner, reason, state.stake, multiplier, paid, state.tricks, shown),
        hands=((), ()),
        tricks=(),
    )
    if state.deal == (state.options.deals or MOST_DEALS) or 0 in state.banks:
        return replace(state, stage="over")
    return begin_deal(state, chance)


def wins_automatically(hand: Hand) -> bool:
    """Return whether a hand of five ends its deal before the first trick (K5)."""
    return is_sevens(hand) or is_low_sum(hand)


def imagine_hands(view: View, chance: Chance) -> tuple[Hand, Hand]:
    """Draw hands that fit a view: no card seen elsewhere, no suit that a seat failed to follow, no automatic win."""
    known = {held.card for held in view.hand}
    played: tuple[set[Card], set[Card]] = (set(), set())
    void: tuple[set[str], set[str]] = (set(), set())
    for trick in view.tricks:
        played[trick.leader].add(trick.led)
        played[1 - trick.leader].add(trick.reply)
        if trick.reply[1] != trick.led[1]:
            void[1 - trick.leader].add(trick.led[1])
    if view.led is not None:
        played[view.leader].add(view.led)
    unseen = [card for card in DECK if card not in known and card not in played[0] and card not in played[1]]
    while True:
        deck = list(unseen)
        hands: list[Hand] = []
        for seat in (0, 1):
            if seat == view.seat:
                hands.append(tuple(held.card for held in view.hand))
                continue
            hand = [draw(deck, chance) for _ in range(view.cards[seat])]
            if any(card[1] in void[seat] for card in hand) or wins_automatically((*hand, *played[seat])):
                break
            hands.append(sorted_hand(hand))
        else:
            return hands[0], hands[1]


PLAYABLE = {card: HandCard(card, True) for card in DECK}
NOT_PLAYABLE = {card: HandCard(card, False) for card in DECK}

TURNS = {
    (seat, stage): Turn(frozenset() if seat is None else frozenset((seat,)), stage=stage)
    for seat in (0, 1, None)
    for stage in ("bet", "answer", "play", "over")
}


class Kora(Game[State, Action, View]):
    info = GameInfo(
        key="kora",
        version=1,
        seats=(2, 2),
        options=Options,
        state=State,
        action=Action,
        view=View,
        longest=MOST_DEALS * (2 + 2 * HAND),
    )
    notation = KoraNotation()

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        banks = (options.bank, options.bank)
        return begin_deal(State(options, "bet", deal=0, banks=banks, leader=0, stake=0), chance)

    def turn(self, state: State) -> Turn:
        return TURNS[to_act(state), state.stage]

    def legal_actions(self, state: State, seat: Seat) -> list[Action]:
        if seat != to_act(state):
            return []
        if state.stage == "bet":
            return [Propose(stake) for stake in range(1, most_stake(state) + 1)]
        if state.stage == "answer":
            return [Accept(), Refuse()]
        return [Play(card) for card in playable(state.hands[seat], state.led)]

    def offers(self, state: State, seat: Seat) -> list[Action | Range]:
        if state.stage == "bet" and seat == to_act(state):
            return [Range(Propose(1), "stake", 1, most_stake(state))]
        return [*self.legal_actions(state, seat)]

    def why_not(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        match state.stage, action:
            case "play", Play(card):
                if card not in state.hands[seat]:
                    return Refusal("not_in_hand", {"card": card})
                if card not in playable(state.hands[seat], state.led):
                    return Refusal("must_follow", {"card": card, "led": state.led})
            case "bet", Propose(stake):
                if not 1 <= stake <= most_stake(state):
                    return Refusal("stake_out_of_range", {"stake": stake, "most": most_stake(state)})
            case "answer", Accept() | Refuse():
                pass
            case _:
                return Refusal("wrong_stage", {"stage": state.stage})
        return None

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> State:
        match action:
            case Play(card):
                return play_card(state, seat, card, chance)
            case Propose(stake):
                return replace(state, stage="answer", stake=stake)
            case Accept():
                return deal_cards(state, state.stake, chance)
            case Refuse():
                return deal_cards(state, table_stake(state), chance)
            case Leave():  # K11: the deal is void
                return replace(state, stage="over", left=seat, stake=0, hands=((), ()), led=None, tricks=())

    def outcome(self, state: State) -> Outcome | None:
        if state.stage != "over":
            return None
        if state.left is not None:
            return Outcome(state.banks, (2, 1) if state.left == 0 else (1, 2), "left")
        mine, theirs = state.banks
        places = (1 + (mine < theirs), 1 + (theirs < mine))
        return Outcome(state.banks, places, "bank" if 0 in state.banks else "deals")

    def fallback(self, state: State, seat: Seat, cause: Cause) -> Action:
        if cause is Cause.LEAVE:
            return Leave()
        if state.stage == "bet":
            return Propose(table_stake(state))
        if state.stage == "answer":
            return Accept()
        return Play(min(playable(state.hands[seat], state.led), key=FALLBACK_ORDER.__getitem__))

    def view(self, state: State, seat: Seat | None) -> View:
        acting = to_act(state)
        hand = () if seat is None else state.hands[seat]
        allowed = playable(hand, state.led) if seat == acting else ()
        return View(
            seat=seat,
            options=state.options,
            stage=state.stage,
            deal=state.deal,
            banks=state.banks,
            leader=state.leader,
            to_act=acting,
            stake=state.stake,
            table_stake=table_stake(state),
            most_stake=most_stake(state),
            hand=tuple([(PLAYABLE if card in allowed else NOT_PLAYABLE)[card] for card in hand]),
            cards=(len(state.hands[0]), len(state.hands[1])),
            led=state.led,
            tricks=state.tricks,
            last_deal=state.last_deal,
            won=state.won,
            left=state.left,
        )

    def seen(self, actor: Seat, action: Action, seat: Seat | None) -> Action | None:
        return action

    def imagine(self, view: View, chance: Chance) -> State:
        return State(
            options=view.options,
            stage=view.stage,
            deal=view.deal,
            banks=view.banks,
            leader=view.leader,
            stake=view.stake,
            hands=imagine_hands(view, chance) if view.stage == "play" else ((), ()),
            led=view.led,
            tricks=view.tricks,
            last_deal=view.last_deal,
            won=view.won,
            left=view.left,
        )
