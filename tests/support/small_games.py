"""Three small games that obey the laws. The planted bugs change one thing each in one of them."""

from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from tablee.core.game import (
    Cause,
    Clocks,
    Game,
    GameInfo,
    Leave,
    OpenGame,
    Outcome,
    Range,
    Ranked,
    Refusal,
    Turn,
)


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    pass


# An open game: take one to three matches in turn; the player who takes the last one wins.


class Take(Struct, frozen=True, tag="take", tag_field="type", forbid_unknown_fields=True):
    matches: int


class Heap(Struct, frozen=True):
    matches: int
    to_act: int = 0
    left: int | None = None


class Nim(OpenGame[Heap, Take | Leave]):
    info = GameInfo(
        key="nim",
        version=1,
        seats=(2, 2),
        options=NoOptions,
        state=Heap,
        action=Take | Leave,
        view=Heap,
        longest=20,
        hides=False,
    )

    def setup(self, seats, options, chance):
        return Heap(10 + chance.pick(11))

    def turn(self, state):
        return Turn(frozenset() if self.outcome(state) else frozenset({state.to_act}))

    def legal_actions(self, state, seat):
        if seat not in self.turn(state).must:
            return []
        return [Take(n) for n in (1, 2, 3) if n <= state.matches]

    def why_not(self, state, seat, action):
        return None if 1 <= action.matches <= min(3, state.matches) else Refusal("too_many")

    def apply(self, state, seat, action, chance):
        if isinstance(action, Leave):
            return replace(state, left=seat)
        return Heap(state.matches - action.matches, 1 - seat)

    def outcome(self, state):
        if state.left is None and state.matches:
            return None
        winner = 1 - (state.to_act if state.left is None else state.left)
        return Outcome((int(winner == 0), int(winner == 1)), (1 + (winner != 0), 1 + (winner != 1)), "taken")

    def fallback(self, state, seat, cause):
        return Leave() if cause is Cause.LEAVE else Take(1)


# A game with simultaneous, hidden choices: three rounds of rock, paper, scissors for two to four seats.

SIGNS = ("rock", "paper", "scissors")


class Show(Struct, frozen=True, tag="show", tag_field="type", forbid_unknown_fields=True):
    sign: str


class Round(Struct, frozen=True):
    wins: tuple[int, ...]
    chosen: tuple[str, ...]
    """What each seat has chosen; empty: nothing yet, `?`: a choice that the viewer may not see."""
    left: tuple[bool, ...]
    played: int = 0
    seat: int | None = None


class Signs(Game[Round, Show | Leave, Round]):
    info = GameInfo(
        key="signs",
        version=1,
        seats=(2, 4),
        options=NoOptions,
        state=Round,
        action=Show | Leave,
        view=Round,
        longest=12,
    )

    def setup(self, seats, options, chance):
        return Round((0,) * seats, ("",) * seats, (False,) * seats)

    def turn(self, state):
        if self.outcome(state):
            return Turn(frozenset())
        waiting = [seat for seat, sign in enumerate(state.chosen) if not sign and not state.left[seat]]
        return Turn(frozenset(waiting), stage="choose")

    def legal_actions(self, state, seat):
        return [Show(sign) for sign in SIGNS] if seat in self.turn(state).must else []

    def why_not(self, state, seat, action):
        return None if action.sign in SIGNS else Refusal("no_such_sign", {"sign": action.sign})

    def apply(self, state, seat, action, chance):
        if isinstance(action, Leave):
            left = tuple(gone or at == seat for at, gone in enumerate(state.left))
            chosen = tuple("" if at == seat else sign for at, sign in enumerate(state.chosen))
            return self.resolved(replace(state, left=left, chosen=chosen))
        return self.resolved(replace(state, chosen=self.put(state.chosen, seat, action.sign)))

    def put(self, chosen, seat, sign):
        return (*chosen[:seat], sign, *chosen[seat + 1 :])

    def resolved(self, state):
        """Count the round once everyone who is still there has chosen."""
        if not all(sign or gone for sign, gone in zip(state.chosen, state.left, strict=True)):
            return state
        signs = [SIGNS.index(sign) if sign else None for sign in state.chosen]
        beaten = [sum(other == (sign - 1) % 3 for other in signs) if sign is not None else 0 for sign in signs]
        wins = tuple(had + now for had, now in zip(state.wins, beaten, strict=True))
        return replace(state, wins=wins, chosen=("",) * len(wins), played=state.played + 1)

    def outcome(self, state):
        if state.played < 3 and state.left.count(False) > 1:
            return None
        ranks = [(gone, -wins) for gone, wins in zip(state.left, state.wins, strict=True)]
        return Outcome(state.wins, tuple(1 + sum(other < rank for other in ranks) for rank in ranks), "played")

    def fallback(self, state, seat, cause):
        return Leave() if cause is Cause.LEAVE else Show("rock")

    def view(self, state, seat):
        chosen = tuple(sign and (sign if at == seat else "?") for at, sign in enumerate(state.chosen))
        return replace(state, chosen=chosen, seat=seat)

    def seen(self, actor, action, seat):
        return action if actor == seat or isinstance(action, Leave) else None

    def imagine(self, view, chance):
        chosen = tuple(SIGNS[chance.pick(3)] if sign == "?" else sign for sign in view.chosen)
        return replace(view, chosen=chosen, seat=None)


# A game of hidden cards with lists of cards, a range, a concession, clocks and previews: lay one or two cards of your
# hand, or bid while it is early. The most points win.

CARDS = tuple(f"{suit}{value}" for suit in "abc" for value in range(1, 5))
EARLY = 4
LATEST = 10


class Lay(Struct, frozen=True, tag="lay", tag_field="type", forbid_unknown_fields=True):
    cards: tuple[str, ...]


class Bid(Struct, frozen=True, tag="bid", tag_field="type", forbid_unknown_fields=True):
    points: int


class Fold(Struct, frozen=True, tag="fold", tag_field="type", forbid_unknown_fields=True):
    pass


class Hands(Struct, frozen=True):
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    laid: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    bids: tuple[int, int] = (0, 0)
    to_act: int = 0
    turns: int = 0
    loser: int | None = None


class Hand(Struct, frozen=True):
    seat: int | None
    hand: tuple[str, ...]
    sizes: tuple[int, int]
    laid: tuple[tuple[str, ...], tuple[str, ...]]
    bids: tuple[int, int]
    to_act: int
    turns: int
    loser: int | None


def changed(pair, seat, value):
    return (value, pair[1]) if seat == 0 else (pair[0], value)


class Stash(Game[Hands, Lay | Bid | Fold | Leave, Hand]):
    info = GameInfo(
        key="stash",
        version=1,
        seats=(2, 2),
        options=NoOptions,
        state=Hands,
        action=Lay | Bid | Fold | Leave,
        view=Hand,
        longest=LATEST + 2,
        concessions=(Fold,),
    )

    def setup(self, seats, options, chance):
        deck = list(CARDS)
        drawn = [deck.pop(chance.pick(len(deck))) for _ in range(8)]
        return Hands((tuple(sorted(drawn[:4])), tuple(sorted(drawn[4:]))))

    def is_over(self, state):
        return state.loser is not None or state.turns == LATEST or not state.hands[state.to_act]

    def turn(self, state):
        if self.is_over(state):
            return Turn(frozenset(), stage="over")
        return Turn(frozenset({state.to_act}), stage="early" if state.turns < EARLY else "late")

    def lays(self, hand):
        return [Lay(cards) for size in (1, 2) for cards in combinations(hand, size)]

    def legal_actions(self, state, seat):
        if seat not in self.turn(state).must:
            return []
        bids = [Bid(points) for points in range(1, 6)] if state.turns < EARLY else []
        return [*bids, *self.lays(state.hands[seat]), Fold()]

    def offers(self, state, seat):
        listed = self.legal_actions(state, seat)
        if not listed or state.turns >= EARLY:
            return listed
        return [Range(Bid(1), "points", 1, 5), *listed[5:]]

    def why_not(self, state, seat, action):
        if isinstance(action, Lay) and action not in self.lays(state.hands[seat]):
            return Refusal("cannot_lay", {"cards": action.cards})
        if isinstance(action, Bid) and (state.turns >= EARLY or not 1 <= action.points <= 5):
            return Refusal("cannot_bid", {"points": action.points})
        return None

    def preview(self, state, seat, action):
        return sum(int(card[1]) for card in action.cards) if isinstance(action, Lay) else None

    def apply(self, state, seat, action, chance):
        if isinstance(action, Fold | Leave):
            return replace(state, loser=seat)
        state = replace(state, to_act=1 - seat, turns=state.turns + 1)
        if isinstance(action, Bid):
            return replace(state, bids=changed(state.bids, seat, action.points))
        hand = tuple(card for card in state.hands[seat] if card not in action.cards)
        laid = changed(state.laid, seat, (*state.laid[seat], *action.cards))
        return replace(state, hands=changed(state.hands, seat, hand), laid=laid)

    def outcome(self, state):
        if not self.is_over(state):
            return None
        scores = [sum(int(card[1]) for card in laid) + bid for laid, bid in zip(state.laid, state.bids, strict=True)]
        ranks = [(seat == state.loser, -score) for seat, score in enumerate(scores)]
        return Outcome(tuple(scores), tuple(1 + sum(other < rank for other in ranks) for rank in ranks), "points")

    def fallback(self, state, seat, cause):
        return Leave() if cause is Cause.LEAVE else Lay(state.hands[seat][:1])

    def clocks(self, state):
        return Clocks(move=30 if state.turns < EARLY else 20)

    def view(self, state, seat):
        return Hand(
            seat=seat,
            hand=() if seat is None else state.hands[seat],
            sizes=(len(state.hands[0]), len(state.hands[1])),
            laid=state.laid,
            bids=state.bids,
            to_act=state.to_act,
            turns=state.turns,
            loser=state.loser,
        )

    def seen(self, actor, action, seat):
        return action

    def imagine(self, view, chance):
        known = {*view.hand, *view.laid[0], *view.laid[1]}
        deck = [card for card in CARDS if card not in known]
        hands = [
            [deck.pop(chance.pick(len(deck))) for _ in range(size if seat != view.seat else 0)]
            for seat, size in enumerate(view.sizes)
        ]
        both = [view.hand if seat == view.seat else tuple(sorted(hand)) for seat, hand in enumerate(hands)]
        return Hands((both[0], both[1]), view.laid, view.bids, view.to_act, view.turns, view.loser)


class Careful:
    """A sound bot: it lays what is worth most, and of equals what its chance picks."""

    def choose(self, view, legal, think):
        return self.rank(view, legal, think)[0].action

    def rank(self, view, legal, think):
        def worth(action):
            return float(sum(int(card[1]) for card in action.cards)) if isinstance(action, Lay) else 0.0

        first = think.chance.pick(len(legal))
        ranked = [Ranked(action, worth(action)) for action in (*legal[first:], *legal[:first])]
        return sorted(ranked, key=lambda one: -one.value)
