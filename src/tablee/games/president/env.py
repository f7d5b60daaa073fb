"""Super Président as numbers, for learning programs (`tablee.envs`).

A card is its place in `CARDS`: 4 × strength + suit. Ids: first the plays, for each declaration (none, suite, reverse),
rank and set of suits; then close, pass, stop and wait. In an exchange by choice each card has an id: two of them are a
gift of two cards, the weaker card first. Other seats are counted clockwise from the own one.
"""

from __future__ import annotations

from ...core.encoding import CompiledKernel, Encoding, Ids, Kernel, Observation
from ...core.game import Seat
from .deck import CARDS, STRENGTH, STRENGTH_OF
from .rules import SET_OF
from .values import Action, Close, Give, Options, Pass, Play, Stop, View

SETS = 15
"""The sets of suits of one rank."""
DECLARED = {None: 0, "suite": 13 * SETS, "reverse": 26 * SETS}
CLOSE, PASS, STOP, WAIT, GIVE = 585, 586, 587, 588, 589
PLAY_IDS = {cards: SETS * (at := STRENGTH_OF[cards[0]]) + (chosen >> 4 * at) - 1 for cards, chosen in SET_OF.items()}
CARD_IDS = {card: at for at, card in enumerate(CARDS)}
STAGES = {"exchange": 0, "play": 1, "alone": 2}
TITLES = {"president": 0, "vice_president": 1, "neutre": 2, "avant_dernier": 3, "trouduc": 4}
TABLE = {
    "hand": 52,
    "played": 52,  # all cards laid in this manche
    "top": 13,  # the rank on top of the trick
    "size": 4,  # the cards of each play, from 1 to 4; nothing before a lead
    "ranks": 13,  # the ranks that can be played without a declaration
    "declared": 2,  # suite, reverse
    "ou_rien": 1,
    "run": 1,  # the cards of the rank on top laid in a row
    "revolution": 1,
    "stage": 3,  # exchange, play, alone
    "given": 52,  # what this seat gave in the exchange
    "received": 52,
    "manches": 2,  # the number of this manche, and of all manches
}
SEAT = 26
"""For each seat: cards, out, waived, place, sunk, five titles, score, last to lay, asked, the most of each rank."""


class PresidentEncoding(Encoding[Action, View]):
    wait = WAIT

    def __init__(self, seats: int, options: Options) -> None:
        super().__init__(seats, options)
        self.layout = TABLE | {f"seat_{number}": SEAT for number in range(seats)}
        self.actions = GIVE + (52 if options.exchange == "choice" else 0)

    def ids(self, action: Action, seat: Seat) -> Ids:
        match action:
            case Play(cards, declare):
                return (DECLARED[declare] + PLAY_IDS[cards],)
            case Pass():
                return (PASS,)
            case Close():
                return (CLOSE,)
            case Stop():
                return (STOP,)
            case Give(cards):
                return tuple([GIVE + CARD_IDS[card] for card in cards])
            case _:
                raise ValueError(f"{action} has no id")

    def observe(self, view: View, seat: Seat, chosen: Ids, out: Observation) -> None:
        for card in view.hand:
            out[CARD_IDS[card]] = 1
        for card in view.played:
            out[52 + CARD_IDS[card]] = 1
        if view.trick:
            observe_trick(view, out)
        demand = view.demand
        if demand is not None:
            for rank in demand.ranks:
                out[121 + STRENGTH.index(rank)] = 1
            if demand.direction is not None:
                out[134 if demand.direction == "suite" else 135] = 1
            out[136] = demand.ou_rien
        out[138] = view.revolution
        if view.stage != "over":
            out[139 + STAGES[view.stage]] = 1
        for gift in view.gifts:
            if seat in (gift.giver, gift.receiver):
                first = 142 if gift.giver == seat else 194
                for card in gift.cards:
                    out[first + CARD_IDS[card]] = 1
        for one in chosen:
            out[142 + one - GIVE] = 1
        out[246], out[247] = view.manche, view.options.rounds
        observe_seats(view, seat, out)

    def kernel(self, n: int) -> Kernel | None:
        """Return a kernel; there is none for an exchange by choice."""
        options: Options = self.options
        if options.exchange == "choice":
            return None
        from . import env_kernel

        return CompiledKernel(env_kernel, n, (self.seats, options.rounds))


def observe_trick(view: View, out: Observation) -> None:
    """Write the rank on top, the size of plays and the run of equal ranks."""
    rank = view.trick[-1].cards[0][0]
    out[104 + STRENGTH.index(rank)] = 1
    out[117 + len(view.trick[0].cards) - 1] = 1
    run = 0
    for laid in reversed(view.trick):
        if laid.cards[0][0] != rank:
            break
        run += len(laid.cards)
    out[137] = run


def observe_seats(view: View, me: Seat, out: Observation) -> None:
    seats = len(view.seats)
    last = view.trick[-1].seat if view.trick else None
    for number in range(seats):
        seat = (me + number) % seats
        one, at = view.seats[seat], 248 + SEAT * number
        out[at], out[at + 1], out[at + 2] = one.cards, one.out, one.waived
        out[at + 3], out[at + 4] = one.place or 0, one.sunk
        if one.title is not None:
            out[at + 5 + TITLES[one.title]] = 1
        out[at + 10], out[at + 11] = one.score, seat == last
        out[at + 12] = seat in view.waiting
        out[at + 13 : at + 26] = [*map(int, one.most)]
