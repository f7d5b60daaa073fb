"""Imagine a state that fits a view.

The hidden cards are dealt so that they agree with everything the viewer knows: the number of cards in each hand; the
cards that the viewer gave in the exchange and that have not been played since; for cards that the viewer received, that
their giver kept only weaker, or only stronger, ones; Q♥ in the hand of the first manche's opener; and every play and
pass, because a seat that passed had nothing to play. Gifts between other seats are made up from their hands.

If only the numbers of cards are known, all deals are equally likely; otherwise they need not be.
"""

from __future__ import annotations

from itertools import pairwise

from ...core.game import Chance, Seat
from .deck import ALL, BIT, FOUR, ONE_EACH, cards_of, read_most, read_set
from .exchange import best, partners, worst
from .trick import derived
from .values import CardSet, Gift, SeatSet, State, View


def imagine(view: View, chance: Chance) -> State:
    """Return a state with the same view and the same legal actions for its seat."""
    hands = imagine_hands(view, chance)
    derived_values = derived(view.trick, len(hands))
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
        direction=derived_values["direction"],
        ou_rien=view.demand is not None and view.demand.ou_rien,
        run=derived_values["run"],
        out=seat_set([other.out for other in view.seats]),
        waived=seat_set([other.waived for other in view.seats]),
        played=read_set(view.played),
        most=tuple(read_most(other.most) for other in view.seats),
        finished=view.finished,
        sunk=view.sunk,
        gifts=imagine_gifts(view, hands),
        results=view.results,
        last_trick=view.last_trick,
    )


def seat_set(flags: list[bool]) -> SeatSet:
    return sum(flag << seat for seat, flag in enumerate(flags))


def imagine_gifts(view: View, hands: tuple[CardSet, ...]) -> tuple[Gift, ...]:
    """Return the exchange, with invented cards for the gifts that the viewer did not see."""
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
    """Return the invented choices of other seats while the exchange lasts."""
    return [
        Gift(upper, lower, count, worst(hands[upper], count))
        for upper, lower, count in partners(view.results[-1].ranking)
        if upper not in view.waiting and upper != view.seat
    ]


def imagine_hands(view: View, chance: Chance) -> tuple[CardSet, ...]:
    """Return hands that agree with everything the viewer knows."""
    hands = certain_hands(view)
    unseen = ALL & ~read_set(view.played)
    for hand in hands:
        unseen &= ~hand
    spread = Spread(view, hands, possible_cards(view))
    for card in reversed(bits_of(unseen)):  # Strong cards first: because of passes they fit in the fewest hands.
        spread.place(card, chance)
    return tuple(spread.hands)


def bits_of(cards: CardSet) -> list[int]:
    """Return the positions of a set's cards in the pack, weakest first."""
    return [BIT[card].bit_length() - 1 for card in cards_of(cards)]


def certain_hands(view: View) -> list[CardSet]:
    """Return the cards that the viewer knows in each hand."""
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
    """Return the cards that each seat can have been dealt, given its gifts to the viewer (P2)."""
    possible = [ALL] * len(view.seats)
    for at, gift in enumerate(view.gifts):
        if gift.receiver != view.seat or not gift.cards:
            continue
        given = read_set(gift.cards)
        if at % 2 == 1:  # A lower rank gives its best cards: it keeps only weaker ones.
            possible[gift.giver] = (given & -given) - 1
        elif view.options.exchange == "automatic":  # An upper rank gives its worst cards: it keeps only stronger ones.
            possible[gift.giver] = ALL & -(1 << given.bit_length())
    return possible


class Spread:
    """Hands while they are dealt. A card is its position in the pack; `card & ~3` is the first of its rank."""

    def __init__(self, view: View, hands: list[CardSet], possible: list[CardSet]) -> None:
        self.hands = hands
        self.possible = possible
        self.movable: list[set[int]] = [set() for _ in hands]
        self.room = [other.cards - hand.bit_count() for other, hand in zip(view.seats, hands, strict=True)]
        self.spare = [read_most(other.most) for other in view.seats]
        """How many more cards of each rank each seat can take, one hex digit a rank."""
        for seat, hand in enumerate(hands):
            for card in bits_of(hand):
                self.spare[seat] -= 1 << (card & ~3)
        self.open = [self.openings(seat) for seat in range(len(hands))]
        """The cards that each seat can take now."""

    def openings(self, seat: Seat) -> CardSet:
        """Return the cards that a seat can take: there is room, the deal allows them, and the rank has no limit."""
        if not self.room[seat]:
            return 0
        spare = self.spare[seat]
        some = (spare | spare >> 1 | spare >> 2) & ONE_EACH
        return self.possible[seat] & some * FOUR

    def place(self, card: int, chance: Chance) -> None:
        """Give a card to a seat that can take it, in proportion to its room; move other cards if there is none."""
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
        """Place a card by moving others along the shortest chain of seats that ends in a seat with room.

        There is always such a chain, an augmenting path, because the true hands are a complete deal.
        """
        chains = self.moves(card)
        moved: set[int] = {card}
        reached: set[tuple[Seat, int | None]] = set()
        for chain in chains:  # The loop adds to the list.
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
        raise ValueError("no hands agree with this view: it cannot come from a state")

    def moves(self, card: int, giver: Seat | None = None) -> list[list[tuple[int, Seat]]]:
        """Return the seats that a card can go to, each as a chain of one."""
        return [[(card, seat)] for seat, cards in enumerate(self.possible) if seat != giver and cards >> card & 1]

    def follow(self, chain: list[tuple[int, Seat]]) -> None:
        for (_, seat), (leaving, _) in pairwise(chain):
            self.remove(seat, leaving)
        for coming, seat in chain:
            self.add(seat, coming)
