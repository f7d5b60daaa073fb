"""Super Président: the first player without cards wins, unless the last card is a 2.

Functions on values come first, one for each rule. The class `President` at the end connects them to the contract. `P1`,
`P2`, … are the numbers of rulings on the rules page, docs/regles/president.md. The strength of a card is the position
of its rank in the normal order: `3` is 0 and `2` is 12. A revolution changes only the direction in which strengths are
compared.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from msgspec.structs import replace

from ...core.cards import DECK, Card, draw
from ...core.game import Cause, Chance, Game, GameInfo, Leave, Outcome, Refusal, Seat, Turn
from ...core.trace import place_in
from .deck import BIT, FOUR, FREE, STRENGTH, STRENGTH_OF, cards_of
from .exchange import exchange, gift_size, give, waiting, worst
from .imagine import imagine
from .notation import PresidentNotation
from .ranks import points_of
from .trick import (
    DECLARES,
    ORDERS,
    allowed,
    closers,
    closing_strength,
    declarable,
    following,
    missing,
    size_of,
    step,
    top_of,
)
from .values import (
    Action,
    CardSet,
    Close,
    Declare,
    Ending,
    FinishedTrick,
    Give,
    Laid,
    MancheResult,
    Options,
    Pass,
    Play,
    SeatSet,
    State,
    Stop,
    View,
)
from .view import closing_is_possible, view_of

PASS, STOP = Pass(), Stop()
MOST_ACTIONS = 2 + 52 * 9
"""The most actions in a manche: two gifts, and at most 52 plays, each followed by seven passes and a stop."""
CLOSING_PAUSE = 2.0

SUBSETS: tuple[tuple[tuple[CardSet, ...], ...], ...] = tuple(
    tuple(
        tuple(sum(chosen) for chosen in combinations([bit for bit in (1, 2, 4, 8) if held & bit], size))
        for size in range(5)
    )
    for held in range(16)
)
"""SUBSETS[cards held of a rank][size]: the sets of that size, first suits first."""


def plays_by_size(strength: int, held: int, declare: Declare | None) -> tuple[tuple[Play, ...], ...]:
    """Return the plays of each size with the cards held of a rank."""
    return tuple(
        tuple(Play(cards_of(chosen << 4 * strength), declare) for chosen in SUBSETS[held][size]) for size in range(5)
    )


PLAYS: dict[Declare | None, tuple[tuple[tuple[tuple[Play, ...], ...], ...], ...]] = {
    declare: tuple(tuple(plays_by_size(strength, held, declare) for held in range(16)) for strength in range(13))
    for declare in (None, "suite", "reverse")
}
"""PLAYS[declare][strength][cards held of that rank][size]"""
LEADS = tuple(tuple(sum(sizes[1:], ()) for sizes in by_held) for by_held in PLAYS[None])
"""LEADS[strength][cards held of that rank]: plays of every size, fewest cards first."""
SET_OF: dict[tuple[Card, ...], CardSet] = {
    cards_of(held << 4 * strength): held << 4 * strength for strength in range(13) for held in range(1, 16)
}
"""The set for each sorted tuple of cards of one rank."""


def plain_plays(state: State, seat: Seat) -> list[Action]:
    """Return a seat's legal plays without a declaration: weakest rank, fewest cards, first suits first."""
    hand = state.hands[seat]
    plays: list[Action] = []
    if not state.trick:
        for strength in ORDERS[state.revolution]:
            plays += LEADS[strength][hand >> 4 * strength & FOUR]
        return plays
    size = size_of(state)
    for strength in following(top_of(state), state.direction, state.ou_rien, state.revolution):
        plays += PLAYS[None][strength][hand >> 4 * strength & FOUR][size]
    return plays


def declared_plays(state: State, seat: Seat) -> list[Action]:
    """Return a seat's legal plays that declare a suite or a reverse (P5, P6)."""
    plays: list[Action] = []
    if len(state.trick) > 1 and state.direction != "suite":
        return plays
    for declare in DECLARES:
        strength = declarable(state, declare)
        if strength is not None:
            plays += PLAYS[declare][strength][state.hands[seat] >> 4 * strength & FOUR][size_of(state)]
    return plays


def ending_of(state: State, cards: tuple[Card, ...], run: CardSet) -> Ending | None:
    """Return how a play ends the trick at once, or None if it does not (P8)."""
    if len(cards) == 4:
        return "carre"
    if STRENGTH_OF[cards[0]] == closing_strength(state.revolution):
        return "closing_rank"
    return "four" if run.bit_count() == 4 else None


def set_at(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*values[:at], value, *values[at + 1 :])


def lay(state: State, seat: Seat, cards: tuple[Card, ...], declare: Declare | None, chance: Chance) -> State:
    """Lay cards, in turn or out of turn, and go on to the next seat, trick or manche."""
    laid, strength = SET_OF[cards], STRENGTH_OF[cards[0]]
    trick = state.trick
    same = bool(trick) and strength == STRENGTH_OF[trick[-1].cards[0]]
    run = state.run | laid if same else laid
    hand = state.hands[seat] ^ laid
    ending = ending_of(state, cards, run)
    finished, sunk = state.finished, state.sunk
    if not hand:
        if strength == closing_strength(state.revolution):  # P11
            sunk = (*sunk, seat)
        else:
            finished = (*finished, seat)
    state = replace(
        state,
        hands=set_at(state.hands, seat, hand),
        trick=(*trick, Laid(seat, cards, declare, seat != state.to_act)),
        direction=declare or state.direction,
        ou_rien=same and len(cards) == 1 and ending is None,  # P7
        run=run,
        waived=0,
        played=state.played | laid,
        most=set_at(state.most, seat, state.most[seat] - (len(cards) << 4 * strength)),
        finished=finished,
        sunk=sunk,
    )
    if not hand and state.hands.count(0) == len(state.hands) - 1:
        return end_manche(state, ending or "manche", chance)
    if ending is not None:
        return end_trick(state, ending)
    return ask_next(state, seat)


def pass_turn(state: State, seat: Seat) -> State:
    """Put a seat out of the trick, or end Ou-Rien (P4, P7), and note which cards it cannot hold."""
    held = state.most[seat]
    fewer = size_of(state) - 1
    for strength in allowed(state):
        if held >> 4 * strength & FOUR > fewer:
            held = held & ~(FOUR << 4 * strength) | fewer << 4 * strength
    most = set_at(state.most, seat, held)
    if state.ou_rien:
        state = replace(state, ou_rien=False, waived=state.waived | 1 << seat, most=most)
    else:
        state = replace(state, out=state.out | 1 << seat, most=most)
    return ask_next(state, seat)


def ask_next(state: State, seat: Seat) -> State:
    """Pass the turn to the next seat in the trick; if there is none, end it or let its last player go on (P4, P6)."""
    last, hands, done = state.trick[-1].seat, state.hands, state.out | state.waived
    asked = (seat + 1) % len(hands)
    while asked != last:
        if hands[asked] and not done >> asked & 1:
            return replace(state, to_act=asked)
        asked = (asked + 1) % len(hands)
    if state.direction == "reverse" and hands[last] and step(top_of(state), "reverse", state.revolution) is not None:
        return replace(state, stage="alone", to_act=last)
    return end_trick(state, "passes")


def end_trick(state: State, ending: Ending) -> State:
    """Clear the table; the last seat that laid cards leads, or the next seat that has cards (P4)."""
    leader = state.trick[-1].seat
    while not state.hands[leader]:
        leader = (leader + 1) % len(state.hands)
    return replace(
        state,
        stage="play",
        to_act=leader,
        revolution=state.revolution != (ending == "carre"),
        trick=(),
        direction=None,
        ou_rien=False,
        run=0,
        out=0,
        waived=0,
        last_trick=FinishedTrick(state.manche, state.trick, ending),
    )


def end_manche(state: State, ending: Ending, chance: Chance) -> State:
    """Rank the seats (P11), count the points (P12), then deal again or end the match."""
    last = next(seat for seat, hand in enumerate(state.hands) if hand)
    ranking = (*state.finished, last, *state.sunk)
    result = MancheResult(ranking, state.sunk, points_of(ranking))
    state = replace(end_trick(state, ending), results=(*state.results, result))
    if state.manche == state.options.rounds:
        return replace(state, stage="over", to_act=None, revolution=False)
    return begin_manche(state, ranking[-1], chance)


def begin_manche(state: State, dealer: Seat, chance: Chance) -> State:
    """Deal (P1), then exchange or wait for the choices of the two upper ranks (P2)."""
    seats = len(state.hands)
    hands = deal(seats, dealer, chance)
    first = not state.results
    opener = next(seat for seat in range(seats) if hands[seat] & BIT["QH"]) if first else dealer
    state = State(
        state.options,
        "play" if first else "exchange",
        state.manche + 1,
        dealer,
        hands,
        opener,
        opener if first else None,
        most=(FREE,) * seats,
        results=state.results,
        last_trick=state.last_trick,
    )
    return state if first or state.options.exchange == "choice" else exchange(state)


def deal(seats: int, dealer: Seat, chance: Chance) -> tuple[CardSet, ...]:
    """Deal all cards one by one, clockwise from the seat after the dealer (P1)."""
    deck = list(DECK)
    hands = [0] * seats
    for dealt in range(1, 53):
        hands[(dealer + dealt) % seats] |= BIT[draw(deck, chance)]
    return tuple(hands)


def why_not_play(state: State, seat: Seat, cards: tuple[Card, ...], declare: Declare | None) -> Refusal | None:
    """Return why a play of the seat in turn is not legal, or None if it is."""
    laid, hand = SET_OF.get(cards), state.hands[seat]
    if laid is None or hand & laid != laid:  # Not sorted cards of one rank that the seat holds.
        return why_not_cards(hand, cards) or Refusal("mixed_ranks")
    if state.trick and len(cards) != size_of(state):
        return Refusal("wrong_size", {"size": size_of(state)})
    strength = STRENGTH_OF[cards[0]]
    if declare is not None:
        if declarable(state, declare) == strength:
            return None
        return Refusal("cannot_declare", {"declare": declare})
    ranks = allowed(state)
    if strength in ranks:
        return None
    if len(ranks) > 1:
        return Refusal("too_weak", {"rank": STRENGTH[top_of(state)]})
    return Refusal("must_be_rank", {"rank": STRENGTH[ranks[0]]}) if ranks else Refusal("nothing_follows")


def why_not_cards(hand: CardSet, cards: tuple[Card, ...]) -> Refusal | None:
    """Refuse cards that are not in the hand, not sorted or given twice."""
    for card in cards:
        if not hand & BIT[card]:
            return Refusal("not_in_hand", {"card": card})
    in_order = cards_of(sum({BIT[card] for card in cards}))
    return None if cards == in_order else Refusal("not_sorted", {"cards": in_order})


def why_not_close(state: State, seat: Seat, cards: tuple[Card, ...]) -> Refusal | None:
    """Return which part of P9 forbids a close, or None; the refusal reveals nothing that the seat does not know."""
    if state.stage != "play" or not state.trick:
        return Refusal("cannot_close", {"reason": "no_trick"})
    rest = FOUR << 4 * top_of(state) & ~state.run
    if state.trick[-1].seat == seat:
        reason = "own_play"
    elif state.out >> seat & 1:
        reason = "out"
    elif state.played & rest:
        reason = "broken"
    elif rest.bit_count() % size_of(state):
        reason = "size"
    elif state.hands[seat] & rest != rest:
        reason = "not_all"
    elif cards != cards_of(rest):
        return Refusal("close_with_all", {"cards": cards_of(rest)})
    else:
        return None
    return Refusal("cannot_close", {"reason": reason, "rank": STRENGTH[top_of(state)]})


def why_not_give(state: State, seat: Seat, cards: tuple[Card, ...]) -> Refusal | None:
    if len(cards) != gift_size(state, seat):
        return Refusal("wrong_size", {"size": gift_size(state, seat)})
    return why_not_cards(state.hands[seat], cards)


def can_follow(state: State, seat: Seat) -> bool:
    """Return whether a seat has a play without a declaration, so that it cannot pass (P3)."""
    hand, size = state.hands[seat], size_of(state)
    return any((hand >> 4 * strength & FOUR).bit_count() >= size for strength in allowed(state))


@cache
def turn_of(must: tuple[Seat, ...], may: SeatSet, stage: str) -> Turn:
    return Turn(frozenset(must), frozenset(seat for seat in range(8) if may >> seat & 1) - set(must), stage)


class President(Game[State, Action, View]):
    info = GameInfo(
        key="president",
        version=1,
        seats=(4, 8),
        options=Options,
        state=State,
        action=Action,
        view=View,
        longest=20 * MOST_ACTIONS,
        replaces_leavers=True,
    )
    notation = PresidentNotation()

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        before = State(options, "play", manche=0, dealer=0, hands=(0,) * seats, opener=0, to_act=None)
        return begin_manche(before, place_in(range(seats), chance, "seats"), chance)

    def turn(self, state: State) -> Turn:
        return turn_of(waiting(state), closers(state), state.stage)

    def legal_actions(self, state: State, seat: Seat) -> list[Action]:
        if state.stage == "exchange":
            if seat not in waiting(state):
                return []
            return [Give(cards) for cards in combinations(cards_of(state.hands[seat]), gift_size(state, seat))]
        if seat != state.to_act:
            return [Close(cards_of(missing(state)))] if seat >= 0 and closers(state) >> seat & 1 else []
        actions = plain_plays(state, seat)
        if state.stage == "alone":
            return [*actions, STOP]
        if not state.trick:
            return actions
        stuck = not actions
        actions += declared_plays(state, seat)
        if closers(state) >> seat & 1:
            actions.append(Close(cards_of(missing(state))))
        if stuck:
            actions.append(PASS)
        return actions

    def check(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Return why an action is refused; a bad close gets its own reason, never « not your turn »."""
        if isinstance(action, Close) and state.stage != "over" and 0 <= seat < len(state.hands):
            return self.why_not(state, seat, action)
        return super().check(state, seat, action)

    def why_not(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        if isinstance(action, Close):
            return why_not_close(state, seat, action.cards)
        if state.stage == "exchange":
            if isinstance(action, Give):
                return why_not_give(state, seat, action.cards)
            return Refusal("wrong_stage", {"stage": state.stage})
        if seat != state.to_act:
            return Refusal("not_your_turn")
        match action:
            case Play(cards, declare):
                return why_not_play(state, seat, cards, declare)
            case Stop() if state.stage == "alone":
                return None
            case Pass() if state.stage == "play":
                return Refusal("must_play") if not state.trick or can_follow(state, seat) else None
            case _:
                return Refusal("wrong_stage", {"stage": state.stage})

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> State:
        match action:
            case Play(cards, declare):
                return lay(state, seat, cards, declare, chance)
            case Close(cards):
                return lay(state, seat, cards, None, chance)
            case Pass():
                return pass_turn(state, seat)
            case Stop():
                return end_trick(state, "stop")
            case Give(cards):
                return give(state, seat, cards)
            case Leave():  # P13: a bot takes the seat over, and the game goes on
                return state

    def outcome(self, state: State) -> Outcome | None:
        if state.stage != "over":
            return None
        seats = range(len(state.hands))
        scores = tuple(sum(result.points[seat] for result in state.results) for seat in seats)
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        return Outcome(scores, places, "rounds")  # P12: equal points share a place

    def fallback(self, state: State, seat: Seat, cause: Cause) -> Action:
        if cause is Cause.LEAVE:
            return Leave()
        if state.stage == "exchange":
            return Give(worst(state.hands[seat], gift_size(state, seat)))
        if state.stage == "alone":
            return STOP
        plays = plain_plays(state, seat)
        return plays[0] if plays else PASS

    def pause(self, view: View) -> float:
        return CLOSING_PAUSE if closing_is_possible(view) else 0.0

    def view(self, state: State, seat: Seat | None) -> View:
        return view_of(state, seat)

    def seen(self, actor: Seat, action: Action, seat: Seat | None) -> Action | None:
        return Give() if isinstance(action, Give) and seat != actor else action

    def imagine(self, view: View, chance: Chance) -> State:
        return imagine(view, chance)
