"""What a computer player knows, told to the kernel: what it likes at first sight, and what playing on says of it.

`bots.py` imports this module inside a decision and nowhere else: it brings the kernel and Numba, which a server that
merely offers the game does without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, log2
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...core.game import Chance, Seat
from . import kernel
from .kernel import BOONS, GRIDS, MARKS, PHASE, ZERO
from .values import Action, ActionCard, Choose, Discard, Draw, Place, Play, React, Store, Throw, TurnUp, View

if TYPE_CHECKING:
    from ...core.machine import Floats, Ints

LONGEST = 60
"""Turns of a seat in a manche (O6)."""
CHUNK = 24
"""Manches played on between two looks at the clock."""
FIRST = 4
"""Manches played on from everything before any is dropped."""
PRIOR = 40
"""So many manches count as much as how an action looks."""
POINT = 16
"""The kernel counts what stocks are worth in such parts of a point."""

Holds = Mapping[ActionCard, float]
"""What keeping a card is worth, in points; what is not named is worth nothing."""

# What action cards bring that cannot be seen on the grids, in points.
STORED = 2.0
"""A card in the stock of somebody else."""
TURN_LOST = 3.0
"""A turn that somebody loses."""
SEEN = 0.4
"""Knowing a card of somebody else, or turning it."""
GIVEN = 2.0
"""A gift before its card is drawn."""
MIXED = -1.0
"""One's own grid shuffled."""


def table_of(view: View) -> Any:
    """The kernel's manche, as the viewer knows it, at the start of a turn."""
    s = np.zeros(kernel.STATE, np.int64)
    s[GRIDS:MARKS] = kernel.EMPTY
    unknown = 0
    for seat, other in enumerate(view.seats):
        seen = {one.cell: one.card for one in other.peeked if one.card is not None}
        for cell, shown in enumerate(other.cells):
            if shown == "empty":
                card = kernel.EMPTY
            elif shown != "hidden":
                card = shown + ZERO
            elif cell in seen:
                card = seen[cell] + ZERO + kernel.DOWN
            else:
                card = kernel.UNSEEN
                unknown += 1
            s[GRIDS + 12 * seat + cell] = card
        for column in range(4):
            s[MARKS + 4 * seat + column] = other.curses[column] - other.heals[column]
        s[kernel.OWED] |= other.owed << seat
        s[kernel.PLAYING] |= (not other.gone) << seat
        s[kernel.LIMIT] += 0 if other.gone else max(0, LONGEST - other.turns)
        s[kernel.STOCKS + seat] = other.stock
    s[kernel.COUNTS : kernel.COUNTS + kernel.VALUES] = view.unseen
    s[kernel.DECK] = view.deck
    if view.refilled:
        s[kernel.REFILLED] = 1
        s[kernel.REFILL : kernel.REFILL + kernel.VALUES] = view.refilled
    else:
        unknown += view.deck - len(view.top)
    s[kernel.LEFT] = sum(view.unseen)
    # Cards that a shuffle mixed are seen, yet it is not known where they lie.
    for card in (card for lost in view.lost for card in lost.cards):
        if s[kernel.LEFT] < unknown:
            s[kernel.COUNTS + card + ZERO] += 1
            s[kernel.LEFT] += 1
    for at, card in enumerate(view.top):
        s[kernel.KNOWN + at] = card + ZERO
    s[kernel.KNOWN_CARDS] = len(view.top)
    s[kernel.KNOWER] = view.seat or 0
    s[kernel.PILE : kernel.PILE + kernel.VALUES] = view.discards
    s[kernel.TOP] = -1
    if view.discard is not None:
        s[kernel.TOP] = view.discard + ZERO
        s[kernel.PILE + view.discard + ZERO] -= 1
    s[kernel.SEATS] = len(view.seats)
    s[kernel.TURN] = view.to_act or 0
    s[kernel.DIRECTION] = view.direction
    s[kernel.SKIPS] = view.skips
    s[kernel.INITIATOR] = initiator_of(view)
    s[kernel.REVEALS] = view.options.reveal_after_discard
    return s


def initiator_of(view: View) -> int:
    """Who ended the manche, or -1; a seat that is gone stands in for one that left while it was ending."""
    if view.initiator is not None:
        return view.initiator
    return len(view.seats) if view.ending else -1


HURTS = frozenset(("curse", "steal", "skip", "discard", "freeze", "gift"))
"""Cards that do nothing but hurt one of the others."""


class Effect(NamedTuple):
    """What an action card does, whoever played it, and what it hits."""

    card: ActionCard
    actor: Seat
    seat: Seat | None = None
    cell: int = 0
    target_cell: int = 0
    column: int = 0
    cells: tuple[int, ...] = (0, 0)
    order: tuple[int, ...] = ()

    @property
    def mine(self) -> int:
        """The place of the actor's card in the kernel's grids."""
        return 12 * self.actor + self.cell

    @property
    def theirs(self) -> int:
        """The place of the card that is hit."""
        return 12 * (self.seat or 0) + self.target_cell


class Belief:
    """A manche as a seat knows it, and what it thinks of its action cards."""

    def __init__(self, view: View, seat: Seat, holds: Holds, weights: Floats, chance: Chance) -> None:
        self.view = view
        self.seat = seat
        self.weights = weights
        self.dice: Ints = np.array([chance.pick(1 << 62)], np.int64)
        others = [other for at, other in enumerate(view.seats) if at != seat and not other.gone]
        self.part = 0.5 + 0.5 / max(1, len(others))
        """What a point of the best of the others counts, where one's own counts 1; see `kernel.standing`."""
        self.holds = {card: worth * self.part if card in HURTS else worth for card, worth in holds.items()}
        self.last = view.ending and not view.seats[seat].owed
        """It has no turn after this one: its cards are played now or never."""
        self.held = -1 if view.held is None or view.held.card is None else view.held.card + ZERO
        self.drawn = None if view.held is None else view.held.action
        self.root: Any = table_of(view)
        for at, other in enumerate(view.seats):
            if not view.ending or other.owed:
                self.root[BOONS + at] = int(POINT * STORED * other.stock)
        self.keep(self.root, view.stock)
        self.before = self.stands(self.root)
        self.worths = np.zeros(kernel.WORTHS)
        self.survey = kernel.survey(self.root, weights, seat, self.worths)

    def stands(self, table: Any) -> float:
        """How well it stands at first sight."""
        return kernel.standing(table, self.weights, self.seat)

    def hold(self, card: ActionCard) -> float:
        """What keeping a card is worth."""
        return self.holds.get(card, 0.0)

    def keep(self, table: Any, stock: Sequence[ActionCard]) -> None:
        """Note what a stock will save; once only its cards are left to play in the last turn, that is nothing."""
        over = self.last and self.view.stage == "play"
        table[BOONS + self.seat] = 0 if over else int(POINT * sum(self.hold(card) for card in stock))
        table[kernel.STOCKS + self.seat] = len(stock)

    def likings(self, actions: Sequence[Action]) -> list[float]:
        """How good each action looks, in points."""
        return [self.likes(action) for action in actions]

    def likes(self, action: Action) -> float:
        middle, seen, down, best = self.survey
        match action:
            case Choose(cells):
                return float(cells[0] % 4 == cells[1] % 4)
            case Draw("deck"):
                return kernel.deck_gain(self.root, self.weights, self.seat, middle, seen, self.worths, down, best)
            case Draw("discard"):
                top = self.root[kernel.TOP]
                return kernel.best_place(
                    self.root, self.weights, self.seat, top, middle, seen, self.worths, down, best
                )[1]
            case Place(cell):
                return self.gain_at(cell, self.held)
            case Discard():
                return kernel.worth_discarding(self.root, self.weights, self.worths, down, best)
            case TurnUp(cell):
                return self.mean_gain_at(cell, kernel.COUNTS)
            case _:
                return self.stands(self.after(action)) - self.before + self.unseen(action)

    def gain_at(self, cell: int, card: int) -> float:
        """What a card brings at a cell of one's own."""
        middle, seen, down, best = self.survey
        place = 12 * self.seat + cell
        return kernel.gain_at(self.root, self.weights, place, card, middle, seen, self.worths, down, best)

    def mean_gain_at(self, cell: int, counts: int) -> float:
        """What an unknown card brings there, one of those that the kernel counts at a place."""
        often: list[int] = self.root[counts : counts + kernel.VALUES].tolist()
        gains = [self.gain_at(cell, card) for card in range(kernel.VALUES)]
        return sum(count * gain for count, gain in zip(often, gains, strict=True)) / max(1, sum(often))

    def worth_of_action(self) -> float:
        """What drawing an action card is worth: the mean of what can be made of each card that may come."""
        cards = self.view.unseen_actions
        total = sum(often * self.worth_drawing(card) for card, often in cards.items())
        lasting = 1.0 if self.last else self.weights[kernel.LASTING]
        return lasting * total / max(1, sum(cards.values()))

    def worth_drawing(self, card: ActionCard) -> float:
        """What can be made of an action card: play it at once, or keep it in the place of a worse one."""
        now = max(0.0, self.best_now(card))
        if self.last:
            return now
        spare = 0.0 if len(self.view.stock) < 3 else min(self.hold(other) for other in self.view.stock)
        return max(now, self.hold(card) - spare)

    def best_now(self, card: ActionCard) -> float:
        """What a card brings when it is played at once, where that can be told at first sight."""
        effects = [Effect(card, self.seat)] if card in ("skip", "draw") else []
        mine = self.cells(self.seat)
        if card == "heal":
            effects = [Effect(card, self.seat, column=cell) for cell in mine if cell < 4]
        elif card == "teleport":
            effects = [Effect(card, self.seat, cells=(a, b)) for a in mine for b in mine if a % 4 < b % 4]
        elif card in ("curse", "swap"):
            for seat, other in enumerate(self.view.seats):
                theirs = [] if seat == self.seat or other.gone else self.cells(seat)
                if card == "curse":
                    effects += [Effect(card, self.seat, seat, column=cell) for cell in theirs if cell < 4]
                elif mine and theirs:
                    effects.append(Effect(card, self.seat, seat, mine[-1], theirs[0]))
        found = [self.stands(self.work(self.fresh(), one)) - self.before + self.apart(one) for one in effects]
        return max(found, default=0.0)

    def cells(self, seat: Seat) -> list[int]:
        """The places where a seat has cards, the lowest card first."""
        grid = self.root[GRIDS + 12 * seat : GRIDS + 12 * seat + 12].tolist()
        cells = [cell for cell in range(12) if grid[cell] != kernel.EMPTY]
        return sorted(cells, key=lambda cell: kernel.value_of(grid[cell], self.survey[0]))

    def fresh(self) -> Any:
        """The manche as it is, with nothing more to come in this turn."""
        table = self.root.copy()
        table[PHASE] = kernel.DONE
        return table

    def after(self, action: Action) -> Any:
        """The manche after an action, as far as it needs no luck; `PHASE` says what is still to come."""
        table, stock = self.fresh(), list(self.view.stock)
        match action:
            case Draw("action"):
                table[BOONS + self.seat] += int(POINT * self.worth_of_action())
                table[kernel.STOCKS + self.seat] += 1
            case Draw(source):
                table[PHASE] = kernel.FROM_DECK if source == "deck" else kernel.FROM_PILE
            case Place(cell):
                self.aim(table, kernel.PUT, 12 * self.seat + cell)
            case Discard():
                kernel.discard(table, self.held)
                table[PHASE] = kernel.TURN_ONE if self.view.options.reveal_after_discard else kernel.DONE
            case TurnUp(cell):
                self.aim(table, kernel.FLIP, 12 * self.seat + cell)
            case Store() | Throw() | Play() | React():
                if self.drawn is not None:
                    stock.append(self.drawn)
                spent = action.answer if isinstance(action, React) else getattr(action, "card", None)
                if spent in stock and self.view.stage not in ("gift", "scout"):
                    stock.remove(spent)
                self.keep(table, stock)
                effect = self.effect_of(action)
                if effect is not None:
                    self.work(table, effect)
        return table

    def effect_of(self, action: Action) -> Effect | None:
        """What an action card or an answer to one does; None: nothing."""
        attack = self.view.attack
        match action:
            case Play(card, seat, cell, cells, target_cell, column, order):
                played = self.view.last_card if card == "duplicate" else card
                if played is None:
                    return None
                return Effect(
                    played, self.seat, seat, cell or 0, target_cell or 0, column or 0, cells or (0, 0), order or ()
                )
            case React("accept") if attack is not None:
                return Effect(
                    attack.card, attack.seat, self.seat, attack.cell or 0, attack.target_cell or 0, attack.column or 0
                )
            case React("mirror", cell, target_cell, column) if attack is not None:
                return Effect(attack.card, self.seat, attack.seat, cell or 0, target_cell or 0, column or 0)
            case _:
                return None

    def work(self, table: Any, effect: Effect) -> Any:
        """Let an effect happen, or leave it to the kernel where luck has a part in it."""
        victim = effect.seat or 0
        match effect.card:
            case "teleport":
                a, b = effect.cells
                self.exchange(table, 12 * effect.actor + a, 12 * effect.actor + b, effect.actor)
            case "swap":
                self.exchange(table, effect.mine, effect.theirs, effect.actor)
            case "heal":
                table[MARKS + 4 * effect.actor + effect.column] -= 1
            case "curse":
                table[MARKS + 4 * victim + effect.column] += 1
            case "turnAround" | "reverse":
                table[kernel.DIRECTION] *= -1
            case "skip":
                table[kernel.SKIPS] += 1
            case "shuffle":
                table[PHASE] = kernel.SHUFFLE
            case "gamble":
                self.aim(table, kernel.GAMBLE, effect.mine)
            case "reveal":
                self.aim(table, kernel.FLIP, effect.theirs)
            case "bomb":
                self.aim(table, kernel.FLIP_COLUMN, 12 * victim + effect.column)
            case "gift" if self.held >= 0:
                self.aim(table, kernel.PUT, effect.theirs)
            case "steal":
                worth = self.take(table, victim)
                table[BOONS + effect.actor] += worth
                table[kernel.STOCKS + effect.actor] += 1
            case "discard":
                self.take(table, victim)
            case "scout":
                for at, card in enumerate(effect.order):
                    table[kernel.KNOWN + at] = self.view.top[card] + ZERO
            case "draw" if not self.last:
                table[BOONS + effect.actor] += int(2 * POINT * self.mean_hold())
        return table

    def aim(self, table: Any, phase: int, place: int) -> None:
        table[PHASE], table[kernel.AT], table[kernel.HELD] = phase, place, self.held

    def exchange(self, table: Any, a: int, b: int, actor: Seat) -> None:
        """Let the cards at two places change them."""
        table[GRIDS + a], table[GRIDS + b] = table[GRIDS + b], table[GRIDS + a]
        for seat in (a // 12, b // 12):
            kernel.settle(table, seat)
            kernel.close(table, seat, actor)

    def take(self, table: Any, victim: Seat) -> int:
        """Take a card from a stock, and return its worth: the mean of them."""
        worth = int(table[BOONS + victim]) // max(1, int(table[kernel.STOCKS + victim]))
        table[BOONS + victim] -= worth
        table[kernel.STOCKS + victim] -= 1
        return worth

    def mean_hold(self) -> float:
        """What an action card is worth that goes to the stock; the fourth makes another one go."""
        cards, room = self.view.unseen_actions, 0.4 + 0.2 * (3 - min(3, len(self.view.stock)))
        return room * sum(often * self.hold(card) for card, often in cards.items()) / max(1, sum(cards.values()))

    def unseen(self, action: Action) -> float:
        """What an action brings besides what the kernel sees of it."""
        effect = self.effect_of(action)
        return 0.0 if effect is None else self.apart(effect)

    def apart(self, effect: Effect) -> float:
        """What an effect brings besides what the kernel sees of it."""
        worth = 0.0
        match effect.card:
            case "peek" | "reveal" | "bomb":
                worth = SEEN
            case "freeze":
                worth = SEEN * self.view.seats[effect.seat or 0].stock
            case "skip":
                worth = TURN_LOST * self.part
            case "shuffle":
                worth = MIXED
            case "scout":
                worth = self.likes_order(effect.order) if effect.order else SEEN
            case "gamble":
                worth = self.mean_gain_at(effect.cell, kernel.REFILL if self.view.refilled else kernel.COUNTS)
            case "gift" if effect.seat is None or self.held < 0:
                worth = GIVEN * self.part
            case "gift":
                table = self.root.copy()
                table[GRIDS + effect.theirs] = self.held
                return self.stands(table) - self.before
        return worth if effect.actor == self.seat else -worth

    def likes_order(self, order: Sequence[int]) -> float:
        """High cards for those who draw next, a low one for one's own turn, if it comes so soon."""
        players = sum(not other.gone for other in self.view.seats)
        worth = 0.0
        for turn, at in enumerate(order, 1):
            card = float(self.view.top[at])
            worth += -card if turn % players == 0 else card / (10 * turn)
        return worth / players

    def try_out(self, actions: Sequence[Action], likings: Sequence[float], budget: int, deadline: float) -> list[float]:
        """What each action brings on average when the manche is played on, so many times all together.

        By sequential halving: after each round the worse half is tried no more. How an action looked counts like a few
        manches, so that luck alone does not speak for one that looks worse.
        """
        tables = [self.after(action) for action in actions]
        alive = list(range(len(actions)))
        totals = self.play_on(tables, FIRST)
        level = sum(totals) / FIRST - sum(likings)
        totals = [total + PRIOR * (level / len(actions) + liked) for total, liked in zip(totals, likings, strict=True)]
        times = [FIRST + PRIOR] * len(actions)
        rounds = max(1, ceil(log2(len(actions))))
        ranked: list[int] = []
        for number in range(rounds):
            worlds = budget // (rounds * len(alive))
            while worlds > 0 and perf_counter() < deadline:
                some = min(worlds, max(1, CHUNK // len(alive)))
                for at, found in zip(alive, self.play_on([tables[at] for at in alive], some), strict=True):
                    totals[at] += found
                    times[at] += some
                worlds -= some
            alive.sort(key=lambda at: -totals[at] / times[at])
            kept = 1 if number == rounds - 1 else (len(alive) + 1) // 2
            ranked[:0] = alive[kept:]
            alive = alive[:kept]
        ranked[:0] = alive
        # What was dropped early had less to show, and never counts for more than what outlived it.
        values, most = [0.0] * len(actions), float("inf")
        for at in ranked:
            most = values[at] = min(most, totals[at] / times[at])
        return values

    def play_on(self, tables: Sequence[Any], worlds: int) -> list[float]:
        """The sums of what manches bring that are played on from each table, with the same luck for all."""
        sums = np.zeros(len(tables))
        states: Any = np.concatenate(tables)
        kernel.try_states(states, len(tables), self.seat, self.weights, worlds, self.dice, sums)
        return [float(total) for total in sums]


def warm_up() -> None:
    """Compile or load everything that a decision may ask of the kernel."""
    dice: Ints = np.array([1], np.int64)
    table: Any = np.zeros(kernel.STATE, np.int64)
    kernel.deal(table, 2, dice)
    weights, worths = kernel.THUMB, np.zeros(kernel.WORTHS)
    middle, seen, down, best = kernel.survey(table, weights, 0, worths)
    kernel.standing(table, weights, 0)
    kernel.value_of(kernel.UNSEEN, middle)
    kernel.deck_gain(table, weights, 0, middle, seen, worths, down, best)
    kernel.best_place(table, weights, 0, 0, middle, seen, worths, down, best)
    kernel.gain_at(table, weights, 0, 0, middle, seen, worths, down, best)
    kernel.worth_discarding(table, weights, worths, down, best)
    kernel.discard(table, 0)
    kernel.settle(table, 0)
    kernel.close(table, 0, 0)
    kernel.try_states(table, 1, 0, weights, 1, dice, np.zeros(1))
