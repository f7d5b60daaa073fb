"""Kora as numbers, for learning programs (`tablee.envs`).

A card is its place in `DECK`. Ids: the 52 cards; with open betting also accept, refuse, and a proposal of 1, 2, … koras
up to a whole bank.
"""

from __future__ import annotations

from ...core.cards import DECK, SUITS
from ...core.encoding import CompiledKernel, Encoding, Ids, Kernel, Observation
from ...core.game import Seat
from .rules import HAND, MOST_DEALS, ORDER
from .values import Accept, Action, Options, Play, Propose, Refuse, View

ACCEPT, REFUSE, PROPOSE = 52, 53, 54
STAGES = {"bet": 0, "answer": 1, "play": 2}
LAYOUT = {
    "hand": 52,
    "led": 52,
    "played": 52,  # by this seat in this deal
    "played_by_other": 52,
    "lacking": 4,  # suits that the other seat failed to follow, in the order SHDC
    "stage": 3,  # bet, answer, play
    "won": HAND,  # the tricks that this seat won
    "lost": HAND,
    "with_a_three": HAND,  # the tricks that were taken with a 3
    "leads": 1,  # this seat has la main
    "cards": 2,  # the number of cards of this seat and of the other
    "stakes": 3,  # of this deal, of the table, the most that can be proposed
    "banks": 2,
    "deals": 2,  # the number of this deal, and of all deals
}


class KoraEncoding(Encoding[Action, View]):
    layout = LAYOUT

    def __init__(self, seats: int, options: Options) -> None:
        super().__init__(seats, options)
        self.actions = PROPOSE + options.bank if options.betting == "open" else len(DECK)

    def ids(self, action: Action, seat: Seat) -> Ids:
        match action:
            case Play(card):
                return (ORDER[card],)
            case Propose(stake):
                return (PROPOSE + stake - 1,)
            case Accept():
                return (ACCEPT,)
            case Refuse():
                return (REFUSE,)
            case _:
                raise ValueError(f"{action} has no id")

    def observe(self, view: View, seat: Seat, chosen: Ids, out: Observation) -> None:
        me, order = seat, ORDER
        for held in view.hand:
            out[order[held.card]] = 1
        if view.led is not None:
            out[52 + order[view.led]] = 1
            out[104 + order[view.led] if view.leader == me else 156 + order[view.led]] = 1
        for at, trick in enumerate(view.tricks):
            led, reply = order[trick.led], order[trick.reply]
            mine, theirs = (led, reply) if trick.leader == me else (reply, led)
            out[104 + mine] = out[156 + theirs] = 1
            if trick.leader == me and trick.reply[1] != trick.led[1]:
                out[208 + SUITS.index(trick.led[1])] = 1
            out[215 + at if trick.winner == me else 220 + at] = 1
            out[225 + at] = trick.taken_with[0] == "3"
        if view.stage != "over":
            out[212 + STAGES[view.stage]] = 1
        other = 1 - me
        out[230:240] = (
            view.leader == me,
            view.cards[me],
            view.cards[other],
            view.stake,
            view.table_stake,
            view.most_stake,
            view.banks[me],
            view.banks[other],
            view.deal,
            view.options.deals or MOST_DEALS,
        )

    def kernel(self, n: int) -> Kernel:
        from . import env_kernel

        options: Options = self.options
        deals = options.deals or MOST_DEALS
        return CompiledKernel(env_kernel, n, (deals, options.stake, options.bank, options.betting == "open"))
