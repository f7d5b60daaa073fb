"""A state that could lie behind a view.

Hidden cards go to hidden hands so that everything fits that the viewer can be certain of: how many cards each seat
holds; the cards that the viewer gave in the exchange and that were not played since; what follows from the cards that
were received, for all that their giver kept was weaker, or stronger; Q♥, which the opener of the first manche held; and
every play and pass, for a pass says that there was nothing to play. What other seats gave each other is made up from
the hands, and tells nothing about them.

Where nothing is known but the numbers of cards, all deals are equally likely; beyond that they need not be.
"""

from __future__ import annotations

from itertools import pairwise

from ...core.game import Chance, Seat
from .deck import ALL, BIT, FOUR, ONE_EACH, cards_of, read_most, read_set
from .exchange import best, partners, worst
from .trick import derived
from .values import CardSet, Gift, SeatSet, State, View


def imagine(view: View, chance: Chance) -> State:
    """A state with the same view and the same legal actions for its seat."""
    hands = imagine_hands(view, chance)
    told = derived(view.trick, len(hands))
    return State(
        options=view.options,
        stage=view.stage,
        manche=view.manche,
        dealer=view.dealer,
        hands=hands,
        opener=view.opener,
        to_act=None if view.stage == "exchange" or not view.waiting else view.waiting[0],
        revolution=view.revolution,
        trick=view.trick,
        direction=told["direction"],
        ou_rien=view.demand is not None and view.demand.ou_rien,
        run=told["run"],
        out=seats_where([other.out for other in view.seats]),
        waived=seats_where([other.waived for other in view.seats]),
        played=read_set(view.played),
        most=tuple(read_most(other.most) for other in view.seats),
        finished=view.finished,
        sunk=view.sunk,
        gifts=imagine_gifts(view, hands),
        results=view.results,
        last_trick=view.last_trick,
    )


def seats_where(flags: list[bool]) -> SeatSet:
    return sum(flag << seat for seat, flag in enumerate(flags))


def imagine_gifts(view: View, hands: tuple[CardSet, ...]) -> tuple[Gift, ...]:
    """The exchange with cards made up where the viewer saw none."""
    if view.stage == "exchange":
        return (*view.gifts, *hidden_choices(view, hands))
    gifts, taken = [], 0
    for at, gift in enumerate(view.gifts):
        if not gift.cards:
            pool = hands[gift.receiver] & ~taken
            if pool.bit_count() < gift.count:
                pool = read_set(view.played) & ~taken
            chosen = worst(pool, gift.count) if at % 2 == 0 else best(pool, gift.count)
            gift = Gift(gift.giver, gift.receiver, gift.count, chosen)
        taken |= read_set(gift.cards)
        gifts.append(gift)
    return tuple(gifts)


def hidden_choices(view: View, hands: tuple[CardSet, ...]) -> list[Gift]:
    """What others chose to give, as long as the viewer cannot see it."""
    return [
        Gift(upper, lower, count, worst(hands[upper], count))
        for upper, lower, count in partners(view.results[-1].ranking)
        if upper not in view.waiting and upper != view.seat
    ]


def imagine_hands(view: View, chance: Chance) -> tuple[CardSet, ...]:
    """Hands that fit everything the viewer is certain of."""
    hands = certain_hands(view)
    unseen = ALL & ~read_set(view.played)
    for hand in hands:
        unseen &= ~hand
    spread = Spread(view, hands, possible_cards(view))
    for card in reversed(bits_of(unseen)):  # Passes tell most about strong cards: these have the fewest places to go.
        spread.place(card, chance)
    return tuple(spread.hands)


def bits_of(cards: CardSet) -> list[int]:
    """The places of a set's cards in the pack, weakest first."""
    return [BIT[card].bit_length() - 1 for card in cards_of(cards)]


def certain_hands(view: View) -> list[CardSet]:
    """The cards that the viewer knows in each hand."""
    hands = [0] * len(view.seats)
    if view.manche == 1:  # P1
        hands[view.opener] = BIT["QH"]
    if view.stage != "exchange":
        for gift in view.gifts:
            if gift.giver == view.seat:
                hands[gift.receiver] |= read_set(gift.cards)
    if view.seat is not None:
        hands[view.seat] = read_set(view.hand)
    played = read_set(view.played)
    return [hand & ~played for hand in hands]


def possible_cards(view: View) -> list[CardSet]:
    """The cards that each seat may have been dealt, by what it gave to the viewer (P2)."""
    possible = [ALL] * len(view.seats)
    for at, gift in enumerate(view.gifts):
        if gift.receiver != view.seat or not gift.cards:
            continue
        given = read_set(gift.cards)
        if at % 2 == 1:  # The best cards of a lower rank: all others are weaker.
            possible[gift.giver] = (given & -given) - 1
        elif view.options.exchange == "automatic":  # The worst cards of an upper rank: all others are stronger.
            possible[gift.giver] = ALL & -(1 << given.bit_length())
    return possible


class Spread:
    """Hands in the making. A card is its place in the pack, so that `card & ~3` is the first place of its rank."""

    def __init__(self, view: View, hands: list[CardSet], possible: list[CardSet]) -> None:
        self.hands = hands
        self.possible = possible
        self.movable: list[set[int]] = [set() for _ in hands]
        self.room = [other.cards - hand.bit_count() for other, hand in zip(view.seats, hands, strict=True)]
        self.spare = [read_most(other.most) for other in view.seats]
        """How many more cards of each rank a seat may hold, one hex digit a rank."""
        for seat, hand in enumerate(hands):
            for card in bits_of(hand):
                self.spare[seat] -= 1 << (card & ~3)
        self.open = [self.openings(seat) for seat in range(len(hands))]
        """The cards that may come to each seat as things stand."""

    def openings(self, seat: Seat) -> CardSet:
        """The cards that may come to a seat: it has room, may have been dealt them, and may hold more of their rank."""
        if not self.room[seat]:
            return 0
        spare = self.spare[seat]
        some = (spare | spare >> 1 | spare >> 2) & ONE_EACH
        return self.possible[seat] & some * FOUR

    def place(self, card: int, chance: Chance) -> None:
        """Give a card to a seat that may hold it, the likelier the more room it has; make room where there is none."""
        takers = [seat for seat, cards in enumerate(self.open) if cards >> card & 1]
        if not takers:
            return self.shift(card)
        drawn = chance.pick(sum([self.room[seat] for seat in takers])) if len(takers) > 1 else 0
        for seat in takers:
            drawn -= self.room[seat]
            if drawn < 0:
                return self.add(seat, card)

    def add(self, seat: Seat, card: int) -> None:
        self.hands[seat] |= 1 << card
        self.movable[seat].add(card)
        self.room[seat] -= 1
        self.spare[seat] -= 1 << (card & ~3)
        self.open[seat] = self.openings(seat)

    def remove(self, seat: Seat, card: int) -> None:
        self.hands[seat] ^= 1 << card
        self.movable[seat].remove(card)
        self.room[seat] += 1
        self.spare[seat] += 1 << (card & ~3)
        self.open[seat] = self.openings(seat)

    def shift(self, card: int) -> None:
        """Find the shortest chain of cards that move from seat to seat until one comes to a seat with room.

        The true hands are a way to place every card, so there is always such a chain: it is an augmenting path.
        """
        chains = self.moves(card)
        moved: set[int] = {card}
        reached: set[tuple[Seat, int | None]] = set()
        for chain in chains:  # It grows meanwhile.
            coming, seat = chain[-1]
            full = not self.spare[seat] >> (coming & ~3) & FOUR
            if self.open[seat] >> coming & 1:
                return self.follow(chain)
            node = seat, coming & ~3 if full else None
            if node in reached:
                continue
            reached.add(node)
            for leaving in sorted(self.movable[seat] - moved):
                if not full or leaving & ~3 == coming & ~3:
                    moved.add(leaving)
                    chains += [[*chain, *move] for move in self.moves(leaving, seat)]
        raise ValueError("no hands fit this view")

    def moves(self, card: int, giver: Seat | None = None) -> list[list[tuple[int, Seat]]]:
        """The seats where a card may go, each as a chain of one."""
        return [[(card, seat)] for seat, cards in enumerate(self.possible) if seat != giver and cards >> card & 1]

    def follow(self, chain: list[tuple[int, Seat]]) -> None:
        for (_, seat), (leaving, _) in pairwise(chain):
            self.remove(seat, leaving)
        for coming, seat in chain:
            self.add(seat, coming)
