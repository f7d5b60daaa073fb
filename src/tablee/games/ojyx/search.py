"""Evaluate actions with the kernel: at first sight, or by playing manches to the end.

Importing this module loads Numba, so `bots.py` imports it only inside a decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...core.game import Chance, Seat
from ...core.halving import halve
from ...core.limit import Limit
from . import kernel
from .kernel import BOONS, GRIDS, MARKS, PHASE, ZERO
from .values import Action, ActionCard, Choose, Discard, Draw, Place, Play, React, Store, Throw, TurnUp, View

if TYPE_CHECKING:
    from ...core.machine import Floats, Ints

LONGEST = 60
"""The most turns of a seat in a manche (O6)."""
CHUNK = 24
"""Manches played between two checks of the clock."""
FIRST = 4
"""Manches played after every action before any is dropped."""
PRIOR = 40
"""The first impression of an action counts as much as this many manches."""
POINT = 16
"""The kernel counts the value of stocks in sixteenths of a point."""

Holds = Mapping[ActionCard, float]
"""The value of keeping a card, in points; 0 for cards that are not listed."""

# Values of action cards that the grids do not show, in points.
STORED = 2.0
"""A card in the stock of another seat."""
TURN_LOST = 3.0
"""A lost turn."""
SEEN = 0.4
"""Knowing or turning a card of another seat."""
GIVEN = 2.0
"""A gift before its card is drawn."""
MIXED = -1.0
"""Shuffling the own grid."""


def table_of(view: View) -> Any:
    """Return the kernel's manche at the start of a turn, as the viewer knows it."""
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
    # Shuffled cards are known, but not where they are.
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
    """Return the seat that ended the manche, or -1; a seat beyond the last stands for one that has left."""
    if view.initiator is not None:
        return view.initiator
    return len(view.seats) if view.ending else -1


HURTS = frozenset(("curse", "steal", "skip", "discard", "freeze", "gift"))
"""Cards that only hurt another seat."""


class Effect(NamedTuple):
    """An action card with its actor and its aim."""

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
        """Return the place of the actor's card in the kernel's grids."""
        return 12 * self.actor + self.cell

    @property
    def theirs(self) -> int:
        """Return the place of the card that is hit."""
        return 12 * (self.seat or 0) + self.target_cell


class Belief:
    """What a seat knows of a manche, and the values of its action cards."""

    def __init__(self, view: View, seat: Seat, holds: Holds, weights: Floats, chance: Chance) -> None:
        self.view = view
        self.seat = seat
        self.weights = weights
        self.dice: Ints = np.array([chance.pick(1 << 62)], np.int64)
        others = [other for at, other in enumerate(view.seats) if at != seat and not other.gone]
        self.part = 0.5 + 0.5 / max(1, len(others))
        """The weight of a point of the best opponent, if an own point counts 1; see `kernel.standing`."""
        self.holds = {card: worth * self.part if card in HURTS else worth for card, worth in holds.items()}
        self.last = view.ending and not view.seats[seat].owed
        """Whether this is the seat's last turn, so that it plays its cards now or never."""
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
        """Return how well the seat stands at first sight."""
        return kernel.standing(table, self.weights, self.seat)

    def hold(self, card: ActionCard) -> float:
        """Return the value of keeping a card."""
        return self.holds.get(card, 0.0)

    def keep(self, table: Any, stock: Sequence[ActionCard]) -> None:
        """Write the value of a stock into the table; it is 0 at the end of the last turn."""
        over = self.last and self.view.stage == "play"
        table[BOONS + self.seat] = 0 if over else int(POINT * sum(self.hold(card) for card in stock))
        table[kernel.STOCKS + self.seat] = len(stock)

    def likings(self, actions: Sequence[Action]) -> list[float]:
        """Return how good each action looks, in points."""
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
        """Return what a card gains in an own cell."""
        middle, seen, down, best = self.survey
        place = 12 * self.seat + cell
        return kernel.gain_at(self.root, self.weights, place, card, middle, seen, self.worths, down, best)

    def mean_gain_at(self, cell: int, counts: int) -> float:
        """Return what an unknown card gains on average in an own cell; `counts` is the place of its counts."""
        often: list[int] = self.root[counts : counts + kernel.VALUES].tolist()
        gains = [self.gain_at(cell, card) for card in range(kernel.VALUES)]
        return sum(count * gain for count, gain in zip(often, gains, strict=True)) / max(1, sum(often))

    def worth_of_action(self) -> float:
        """Return the value of drawing an action card: the mean over the cards that can come."""
        cards = self.view.unseen_actions
        total = sum(often * self.worth_drawing(card) for card, often in cards.items())
        lasting = 1.0 if self.last else self.weights[kernel.LASTING]
        return lasting * total / max(1, sum(cards.values()))

    def worth_drawing(self, card: ActionCard) -> float:
        """Return the value of drawing a card: play it at once, or keep it instead of a worse one."""
        now = max(0.0, self.best_now(card))
        if self.last:
            return now
        spare = 0.0 if len(self.view.stock) < 3 else min(self.hold(other) for other in self.view.stock)
        return max(now, self.hold(card) - spare)

    def best_now(self, card: ActionCard) -> float:
        """Return the best gain of playing a card at once, as far as it can be seen at first sight."""
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
        """Return the cells of a seat that have cards, the lowest card first."""
        grid = self.root[GRIDS + 12 * seat : GRIDS + 12 * seat + 12].tolist()
        cells = [cell for cell in range(12) if grid[cell] != kernel.EMPTY]
        return sorted(cells, key=lambda cell: kernel.value_of(grid[cell], self.survey[0]))

    def fresh(self) -> Any:
        """Return a copy of the manche at the end of this turn."""
        table = self.root.copy()
        table[PHASE] = kernel.DONE
        return table

    def after(self, action: Action) -> Any:
        """Return the manche after an action, without its random part; `PHASE` is what the kernel still has to do."""
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
        """Return the effect of an action card or a reaction, or None."""
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
        """Apply an effect, or leave it to the kernel if it is random."""
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
        """Exchange the cards in two places."""
        table[GRIDS + a], table[GRIDS + b] = table[GRIDS + b], table[GRIDS + a]
        for seat in (a // 12, b // 12):
            kernel.settle(table, seat)
            kernel.close(table, seat, actor)

    def take(self, table: Any, victim: Seat) -> int:
        """Take a card from a stock and return its value, the mean of the stock."""
        worth = int(table[BOONS + victim]) // max(1, int(table[kernel.STOCKS + victim]))
        table[BOONS + victim] -= worth
        table[kernel.STOCKS + victim] -= 1
        return worth

    def mean_hold(self) -> float:
        """Return the value of an action card that goes to the stock; less if the stock is nearly full."""
        cards, room = self.view.unseen_actions, 0.4 + 0.2 * (3 - min(3, len(self.view.stock)))
        return room * sum(often * self.hold(card) for card, often in cards.items()) / max(1, sum(cards.values()))

    def unseen(self, action: Action) -> float:
        """Return what an action gains beyond what the kernel can see."""
        effect = self.effect_of(action)
        return 0.0 if effect is None else self.apart(effect)

    def apart(self, effect: Effect) -> float:
        """Return what an effect gains beyond what the kernel can see."""
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
        """Prefer high cards for the opponents who draw next, and a low one for the own turn if it comes soon enough."""
        players = sum(not other.gone for other in self.view.seats)
        worth = 0.0
        for turn, at in enumerate(order, 1):
            card = float(self.view.top[at])
            worth += -card if turn % players == 0 else card / (10 * turn)
        return worth / players

    def try_out(self, actions: Sequence[Action], likings: Sequence[float], budget: int, limit: Limit) -> list[float]:
        """Return the average result of each action when manches are played to the end, with a budget for all together.

        The first impression of an action counts like a few manches, so that luck alone does not favour a worse one.
        """
        tables = [self.after(action) for action in actions]
        totals = self.play_on(tables, FIRST)
        level = sum(totals) / FIRST - sum(likings)
        totals = [total + PRIOR * (level / len(actions) + liked) for total, liked in zip(totals, likings, strict=True)]
        times = [FIRST + PRIOR] * len(actions)

        def play_some(alive: list[int], worlds: int) -> list[float]:
            return self.play_on([tables[at] for at in alive], worlds)

        return halve(totals, times, budget, limit, CHUNK, play_some)

    def play_on(self, tables: Sequence[Any], worlds: int) -> list[float]:
        """Play manches to the end from each table, with the same luck for all, and return the sums of the results."""
        sums = np.zeros(len(tables))
        states: Any = np.concatenate(tables)
        kernel.try_states(states, len(tables), self.seat, self.weights, worlds, self.dice, sums)
        return [float(total) for total in sums]


def warm_up() -> None:
    """Compile or load every kernel function that a decision may call."""
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
