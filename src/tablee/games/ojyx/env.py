"""Ojyx as numbers, for learning programs (`tablee.envs`).

An action is a row of ids: what to do, then its aim. `Play("swap", seat=2, cell=0, target_cell=5)` of seat 1 is the ids
of swap, of the next seat, of the own cell 0 and of the other's cell 5. Seats are counted clockwise from the own one.
Cards in an observation are their value + 3, so that 0 is no card or an unknown one.
"""

from __future__ import annotations

from itertools import permutations

from ...core.encoding import CompiledKernel, Encoding, Ids, Kernel, Observation
from ...core.game import Seat
from .cards import INDEX
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
    SeatView,
    Store,
    Throw,
    TurnUp,
    View,
    Vote,
)

SOURCES = {"deck": 0, "discard": 1, "action": 2, "gift": 3}
PLACE, DISCARD, TURN, STORE, END_TURN = 3, 15, 16, 28, 29
PLAY, THROW = 30, 51
ANSWERS = {"accept": 72, "shield": 73, "mirror": 74}
VOTES = {True: 75, False: 76, None: 77}
CELL, THEIR_CELL, COLUMN, ORDER, SEAT = 78, 90, 102, 106, 115
"""The ids of aims; a draw has the ids from 0 on."""
ORDERS = {order: at for at, order in enumerate(one for count in (1, 2, 3) for one in permutations(range(count)))}
STAGES = ("choose", "draw", "decide", "turn", "action", "play", "react", "gift", "scout", "vote")
BALLOTS = ("on", "stop", "follow")
PART = 58
"""For each seat: kind, card and knowers of twelve cells, curses and heals of four columns, and fourteen numbers."""
MOST_POINTS = (1 << 15) - 1
KINDS = {"empty": 0, "hidden": 1}
"""A hidden card that this seat has looked at is 2, and one that lies face up is 3."""


class OjyxEncoding(Encoding[Action, View]):
    lowest_wins = True

    def __init__(self, seats: int, options: Options) -> None:
        super().__init__(seats, options)
        self.actions = SEAT + seats
        self.layout = {
            "stage": 10,
            "stock": 21,  # this seat's stored action cards
            "held_from": 4,  # deck, discard, action, gift
            "held_card": 1,
            "held_action": 21,
            "attack": 5,  # attacker and target, counted from 1; own cell, target cell and column, each + 1
            "attack_card": 21,
            "last_card": 21,  # the card that a duplicate repeats
            "turn": 5,  # stored cards played, direction, skips, last lap, the number of this manche
            "piles": 6,  # deck, top of the discard pile, its size, action deck, the scout from 1, cards scouted
            "top": 3,  # the cards that this seat scouted
            "discards": 15,
            "unseen": 15,
            "refilled": 15,
            "action_discards": 21,
            "unseen_actions": 21,
            "choice": 12,  # the own first cells, until all have chosen
            "vote": 3,
            "chosen": self.actions,  # the ids chosen of the next action
        } | {f"seat_{number}": PART for number in range(seats)}
        self._ids: dict[tuple[Seat, Action], Ids] = {}
        """The ids of all actions so far; there are only a few thousand."""
        self._starts = {name: part.start for name, part in self.parts.items()}

    def ids(self, action: Action, seat: Seat) -> Ids:
        known = self._ids.get((seat, action))
        if known is None:
            known = self._ids[seat, action] = self.find_ids(action, seat)
        return known

    def find_ids(self, action: Action, seat: Seat) -> Ids:
        match action:
            case Choose((one, other)):
                return CELL + one, CELL + other
            case Draw(source):
                return (SOURCES[source],)
            case Place(cell):
                return (PLACE + cell,)
            case Discard():
                return (DISCARD,)
            case TurnUp(cell):
                return (TURN + cell,)
            case Store():
                return (STORE,)
            case EndTurn():
                return (END_TURN,)
            case Throw(card):
                return (THROW + INDEX[card],)
            case Vote(go_on):
                return (VOTES[go_on],)
            case React(answer):
                return (ANSWERS[answer], *aim_of(action))
            case Play(card):
                return (PLAY + INDEX[card], *self.target_of(action, seat), *aim_of(action))
            case _:
                raise ValueError(f"{action} has no id")

    def target_of(self, action: Play, seat: Seat) -> list[int]:
        """Return the ids of the parts of an aim that only a player in turn chooses."""
        found = [] if action.seat is None else [SEAT + (action.seat - seat) % self.seats]
        if action.cells is not None:
            found += [CELL + cell for cell in action.cells]
        if action.order is not None:
            found.append(ORDER + ORDERS[action.order])
        return found

    def observe(self, view: View, seat: Seat, chosen: Ids, out: Observation) -> None:
        start = self._starts
        if view.stage in STAGES:
            out[STAGES.index(view.stage)] = 1
        for card in view.stock:
            out[start["stock"] + INDEX[card]] += 1
        self.observe_cards(view, seat, out)
        out[start["turn"] : start["turn"] + 5] = view.plays, view.direction, view.skips, view.ending, view.manche
        scout = 0 if view.scout is None else 1 + (view.scout - seat) % self.seats
        top = number(view.discard)
        out[start["piles"] : start["piles"] + 6] = (
            view.deck,
            top,
            view.discard_size,
            view.action_deck,
            scout,
            view.scouted,
        )
        for name, counts in (("discards", view.discards), ("unseen", view.unseen), ("refilled", view.refilled)):
            out[start[name] : start[name] + len(counts)] = counts
        for name, held in (("action_discards", view.action_discards), ("unseen_actions", view.unseen_actions)):
            for card, count in held.items():
                out[start[name] + INDEX[card]] = count
        for at, card_seen in enumerate(view.top):
            out[start["top"] + at] = card_seen + 3
        for cell in view.chosen:
            out[start["choice"] + cell] = 1
        if view.vote is not None:
            out[start["vote"] + BALLOTS.index(view.vote)] = 1
        for one in chosen:
            out[start["chosen"] + one] = 1
        for at in range(self.seats):
            other = (seat + at) % self.seats
            observe_seat(view, other, out[start[f"seat_{at}"] :])

    def observe_cards(self, view: View, seat: Seat, out: Observation) -> None:
        """Write the card in hand, the attack and the last card played."""
        start, held, attack = self._starts, view.held, view.attack
        if held is not None:
            out[start["held_from"] + SOURCES[held.source]] = 1
            out[start["held_card"]] = number(held.card)
            if held.action is not None:
                out[start["held_action"] + INDEX[held.action]] = 1
        if attack is not None:
            aim = attack.cell, attack.target_cell, attack.column
            who = (1 + (other - seat) % self.seats for other in (attack.seat, attack.target))
            out[start["attack"] : start["attack"] + 5] = (*who, *(0 if one is None else one + 1 for one in aim))
            out[start["attack_card"] + INDEX[attack.card]] = 1
        if view.last_card is not None:
            out[start["last_card"] + INDEX[view.last_card]] = 1

    def kernel(self, n: int) -> Kernel:
        from . import env_kernel

        options: Options = self.options
        rounds = 0 if options.rounds == "vote" else options.rounds
        facts = self.seats, options.deck == "extended", options.reveal_after_discard, rounds
        return CompiledKernel(env_kernel, n, facts)


def aim_of(action: Play | React) -> list[int]:
    """Return the ids of the parts of an aim that a mirror chooses too."""
    found = [] if action.cell is None else [CELL + action.cell]
    if action.target_cell is not None:
        found.append(THEIR_CELL + action.target_cell)
    if action.column is not None:
        found.append(COLUMN + action.column)
    return found


def number(card: int | None) -> int:
    return 0 if card is None else card + 3


def clipped(points: int) -> int:
    """Return points that fit into an observation; a column with ten curses has more."""
    return max(-MOST_POINTS, min(MOST_POINTS, points))


def observe_seat(view: View, seat: Seat, out: Observation) -> None:
    """Write a seat's grid, columns and numbers."""
    one: SeatView = view.seats[seat]
    cells = [0] * 36
    for cell, code in enumerate(one.cells):
        if isinstance(code, int):
            cells[3 * cell], cells[3 * cell + 1] = 3, code + 3
        else:
            cells[3 * cell] = KINDS[code]
    for peeked in one.peeked:
        if peeked.card is not None:
            cells[3 * peeked.cell] = 2
        cells[3 * peeked.cell + 1] = number(peeked.card)
        cells[3 * peeked.cell + 2] = len(peeked.by)
    out[:PART] = (
        *cells,
        *one.curses,
        *one.heals,
        clipped(one.points),
        one.hidden,
        one.stock,
        one.frozen,
        one.shielded,
        one.owed,
        one.turns,
        one.gone,
        one.absent,
        one.ready,
        clipped(one.total),
        view.initiator == seat,
        view.to_act == seat,
        seat in view.waiting,
    )
