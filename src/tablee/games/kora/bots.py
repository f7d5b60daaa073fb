"""The bots of Kora Battle.

`facile` looks only at the current trick, `moyen` counts the cards that are still out, `difficile` samples the other
player's hand and solves each sample exactly. `maitre` plays a learned policy that is close to an equilibrium. Cards
have values in koras for `difficile` and `maitre`; all other values only order the actions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import comb
from time import perf_counter

from ...core.cards import DECK, Card
from ...core.game import Ranked, Think
from .rules import FALLBACK_ORDER, VALUE, imagine_hands, takes
from .solver import BIT, Pay, Solver, bits
from .values import Accept, Action, Hand, Play, Propose, View


class KoraBot(ABC):
    """Rank cards and bets, and play the first of the ranking."""

    def choose(self, view: View, legal: Sequence[Action], think: Think) -> Action:
        """Return the legal action ranked first."""
        return legal[0] if len(legal) == 1 else self.rank(view, legal, think)[0].action

    def rank(self, view: View, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        """Return the legal actions, best first."""
        ranked: list[Ranked[Action]]
        if view.stage == "bet":
            wish = self.wished_stake(view, think)
            ranked = [Ranked(bet, -float(abs(bet.stake - wish))) for bet in legal if isinstance(bet, Propose)]
        elif view.stage == "answer":
            accepts = view.stake <= self.most_accepted(view)
            ranked = [Ranked(answer, float(isinstance(answer, Accept) == accepts)) for answer in legal]
        else:
            cards = sorted((action.card for action in legal if isinstance(action, Play)), key=spare)
            values = self.worth(view, cards, think)
            ranked = [Ranked(Play(card), value) for card, value in zip(cards, values, strict=True)]
        return sorted(ranked, key=lambda one: -one.value)

    @abstractmethod
    def worth(self, view: View, cards: list[Card], think: Think) -> list[float]:
        """Return how good each of the playable cards is; the bot plays the first of equals."""

    @abstractmethod
    def wished_stake(self, view: View, think: Think) -> int:
        """Return the stake that the bot would like; it proposes the nearest legal one."""

    @abstractmethod
    def most_accepted(self, view: View) -> int:
        """Return the highest stake that the bot accepts."""


def spare(card: Card) -> tuple[bool, tuple[int, int]]:
    """Sort key for the cards to part with first: low cards, and the 3s last because they multiply the stake."""
    return card[0] == "3", FALLBACK_ORDER[card]


class Facile(KoraBot):
    """Take a trick with the lowest card that can, but lead at random; sometimes reply at random too."""

    CARELESS = 8
    """One in this many cards is played at random."""

    def worth(self, view: View, cards: list[Card], think: Think) -> list[float]:
        careless = think.chance.pick(self.CARELESS) == 0
        if view.led is None or careless:
            return [float(think.chance.pick(1000)) for _ in cards]
        return [100.0 * takes(view.led, card) - VALUE[card] for card in cards]

    def wished_stake(self, view: View, think: Think) -> int:
        return view.table_stake // 2 + think.chance.pick(view.table_stake + 1)

    def most_accepted(self, view: View) -> int:
        return max(view.table_stake, view.most_stake // 2)


class Moyen(KoraBot):
    """Count cards: part with the card that most others beat, and plan the last tricks card by card.

    Between two such bots the leader wins 51 deals in 100, so a little more than the table stake is a good bet.
    """

    PLANNED = 3
    """With at most this many cards in hand, the bot plans the order of all of them."""

    def worth(self, view: View, cards: list[Card], think: Think) -> list[float]:
        count = Count(view)
        if len(view.hand) <= self.PLANNED:
            return [count.plan(card) for card in cards]
        led = view.led
        return [10.0 * (led is not None and takes(led, card)) - count.holds(card, 1) for card in cards]

    def wished_stake(self, view: View, think: Think) -> int:
        return view.table_stake * 3 // 2

    def most_accepted(self, view: View) -> int:
        return view.table_stake * 3 // 2


class Count:
    """The cards that the other player may still hold."""

    COMEBACK = 0.3
    """The share of a plan's value that is left after losing a trick on the way."""

    def __init__(self, view: View) -> None:
        self.hand = tuple(held.card for held in view.hand)
        self.led = view.led
        played = {card for trick in view.tricks for card in (trick.led, trick.reply)}
        lacking = {
            trick.led[1] for trick in view.tricks if trick.leader == view.seat and trick.reply[1] != trick.led[1]
        }
        gone = played.union(self.hand, (view.led,))
        self.out = [card for card in DECK if card not in gone and card[1] not in lacking]

    def holds(self, card: Card, hidden: int) -> float:
        """Return the probability that none of so many hidden cards beats a led card."""
        better = sum(takes(card, other) for other in self.out)
        return comb(len(self.out) - better, hidden) / comb(len(self.out), hidden)

    def plan(self, card: Card) -> float:
        """Return what playing a card is worth in stakes, as if the tricks were independent."""
        if self.led is None:
            return self._lead(card, self.hand)
        return self._after(takes(self.led, card), without(self.hand, card), card)

    def _lead(self, card: Card, hand: Hand) -> float:
        holds = self.holds(card, len(hand))
        rest = without(hand, card)
        return holds * self._after(True, rest, card) + (1 - holds) * self._after(False, rest, card)

    def _after(self, won: bool, rest: Hand, card: Card) -> float:
        if not rest:
            return (2.0 if card[0] == "3" else 1.0) * won
        return (1.0 if won else self.COMEBACK) * max(self._lead(next_card, rest) for next_card in rest)


def without(hand: Hand, card: Card) -> Hand:
    return tuple(held for held in hand if held != card)


class Difficile(KoraBot):
    """Sample hands that fit the view, solve each exactly and play the card with the best average."""

    SAMPLES = 150

    def worth(self, view: View, cards: list[Card], think: Think) -> list[float]:
        me = think.seat
        solver = Solver(pay(view, me), pay(view, 1 - me))
        mine = bits(held.card for held in view.hand)
        run = run_of_threes(view)
        totals = [0] * len(cards)
        deadline = perf_counter() + think.seconds
        done = 0
        while done < self.SAMPLES and (done == 0 or perf_counter() < deadline):
            theirs = bits(imagine_hands(view, think.chance)[1 - me])
            for at, card in enumerate(cards):
                if view.led is None:
                    totals[at] += solver.after_lead(mine, theirs, run, BIT[card])
                else:
                    totals[at] += solver.after_reply(mine, theirs, run, BIT[view.led], BIT[card])
            done += 1
        return [total / done for total in totals]

    def wished_stake(self, view: View, think: Think) -> int:
        """Return the stake most likely to win the match in its last deal; before that, the stake of Kelly's formula.

        Proposing costs nothing: if the other refuses, the deal is played for the table stake.
        """
        # Kelly: at nearly even odds, the share of the bank to risk is the edge itself.
        wish = max(view.table_stake, round(EDGE * view.most_stake))
        if not is_last_deal(view):
            return wish
        return max(range(1, view.most_stake + 1), key=lambda stake: (chance_of_match(view, stake), -abs(stake - wish)))

    def most_accepted(self, view: View) -> int:
        """Accept any stake up to the table stake; in the last deal, the one that makes winning the match likelier."""
        if is_last_deal(view):
            proposed, table = chance_of_match(view, view.stake), chance_of_match(view, view.table_stake)
            if proposed != table:
                return view.stake if proposed > table else view.stake - 1
        # The other player leads and so has the edge: a low stake is better for us.
        return view.table_stake


LEADER_WINS = {1: 0.460, 2: 0.086, 3: 0.002, -1: 0.382, -2: 0.067, -3: 0.003}
"""How often the first leader wins so many stakes (negative: loses), in 3,000 deals of `difficile` against itself."""
EDGE = sum(times * often for times, often in LEADER_WINS.items())


def is_last_deal(view: View) -> bool:
    return view.deal == view.options.deals


def chance_of_match(view: View, stake: int) -> float:
    """Return the probability that the seat to act wins the match with its last deal; a draw counts half."""
    assert view.to_act is not None
    mine, theirs = view.banks[view.to_act], view.banks[1 - view.to_act]
    leads = 1 if view.to_act == view.leader else -1
    chance = 0.0
    for times, often in LEADER_WINS.items():
        lead = mine - theirs + 2 * min(max(stake * times * leads, -mine), theirs)
        chance += often * (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0)
    return chance


def pay(view: View, winner: int) -> Pay:
    """Return what a seat wins for a run of 0, 1, 2 or 3 tricks won with a 3 (K7), at most the other's bank (K8)."""
    one, two, three, four = (min(view.stake * times, view.banks[1 - winner]) for times in (1, 2, 3, 4))
    return one, two, three, four


def run_of_threes(view: View) -> int:
    """Return how many tricks in a row the leader of the next one has just won with a 3."""
    run = 0
    for trick in reversed(view.tricks):
        if trick.winner != view.leader or trick.taken_with[0] != "3":
            break
        run += 1
    return run


class Maitre:
    """Draw cards from the learned policy, solve the last two tricks, and bet for the best chance to win the match."""

    TRIALS = 300
    """Deals played out to value a card, in one second."""
    FEWEST = 20
    ROUNDS = 60
    """Rounds in which the last two tricks are solved, in one second; without any, the policy plays them too."""

    def choose(self, view: View, legal: Sequence[Action], think: Think) -> Action:
        """Return a card drawn by its probability, or the bet ranked first."""
        if len(legal) == 1:
            return legal[0]
        if view.stage != "play":
            return self.rank(view, legal, think)[0].action
        cards = [action.card for action in legal if isinstance(action, Play)]
        sums = list(accumulate(self.chances(view, cards, think)))
        luck = think.chance.pick(1 << 30) / (1 << 30)
        return Play(cards[min(bisect_right(sums, luck), len(cards) - 1)])

    def chances(self, view: View, cards: list[Card], think: Think) -> list[float]:
        """Return the probability with which the bot plays each of the playable cards."""
        from . import endgame, policy

        rounds = round(self.ROUNDS * min(1.0, think.seconds))
        if len(view.hand) == endgame.LEFT and rounds:
            return endgame.chances(view, think.seat, cards, run_of_threes(view), rounds)
        return policy.chances(view, think.seat, cards)

    def rank(self, view: View, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        """Return cards with their koras and its error, and bets with the chance to win the match; best first.

        A bet has no error, because its value is not in the unit of the result.
        """
        ranked: list[Ranked[Action]]
        if view.stage == "play":
            from .policy import values

            cards = [action.card for action in legal if isinstance(action, Play)]
            trials = max(self.FEWEST, round(self.TRIALS * min(1.0, think.seconds)))
            found = values(view, think.seat, cards, think.chance, trials)
            ranked = [Ranked(Play(card), *value) for card, value in zip(cards, found, strict=True)]
        else:
            from .betting import chances_at

            chances = chances_at(view)
            ranked = [Ranked(bet, float(chances[stake_after(view, bet)])) for bet in legal]
            # Of equal bets: the table stake, or the answer that plays for it.
            ranked.sort(key=lambda one: abs(stake_after(view, one.action) - view.table_stake))
        return sorted(ranked, key=lambda one: -one.value)


def stake_after(view: View, bet: Action) -> int:
    """Return the stake that a bet asks for."""
    match bet:
        case Propose(stake):
            return stake
        case Accept():
            return view.stake
        case _:
            return view.table_stake


BOTS: dict[str, KoraBot | Maitre] = {
    "facile": Facile(),
    "moyen": Moyen(),
    "difficile": Difficile(),
    "maitre": Maitre(),
}
