"""The coach of Kora Battle: sampled hands, played out by two players who count cards.

A result is what a seat's bank gained in the match, in koras. A match of several deals is worth the koras won so far
and those expected in the present deal. The deals after it count as 0: the leader of each is drawn, so they are even.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core.cards import SUITS
from ...core.coach import Coach, Estimate, Judgement, Marks, Reason
from ...core.game import Chance, Outcome, Seat, Think
from .bots import run_of_threes
from .explain import explain
from .rules import Kora
from .solver import NUMBER
from .values import Accept, Action, Options, Play, Propose, Refuse, State, View

if TYPE_CHECKING:
    from ...core.machine import Ints

KINGS = 1 << 12 | 1 << 38 | 1 << 51


class KoraCoach(Coach[State, Action, View]):
    unit = "koras"
    marks = Marks(inaccuracy=0.05, mistake=0.15, blunder=0.3)
    ratings = ((0.032, 1538), (0.056, 1500), (0.088, 1466))
    """`tablee coach calibrate kora --matches 60 --options '{"deals":5,"betting":"open"}' --seconds 0.03`"""

    TRIALS = 20_000
    KNOWN = 2000
    """Trials with both hands known; only the noise of the reference player differs between them."""
    CHOICES = 400
    """How often the reference player chooses a card, to see which cards it plays."""

    game = Kora()

    def scale(self, options: Options) -> float:
        """Return the table stake: marks and ratings are in stakes."""
        return float(min(options.stake, options.bank))

    def result(self, outcome: Outcome) -> tuple[float, ...]:
        """Return what each bank gained; leaving a match costs nothing but the present deal."""
        gain = (outcome.scores[0] - outcome.scores[1]) / 2
        return gain, -gain

    def estimate(self, state: State, chance: Chance, seconds: float) -> Estimate:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return Estimate(self.result(outcome))
        import numpy as np

        from ...core import trials
        from . import kernel

        dice = kernel.new_dice(chance.pick(1 << 62))
        stakes: Any = np.zeros(self.KNOWN if state.stage == "play" else self.TRIALS, np.int64)
        view = self.game.view(state, None)
        if state.stage == "play":
            kernel.play_known(table_of(view, [bits(hand) for hand in state.hands]), dice, stakes)
            return trials.estimate(koras(view, stakes, view.stake))
        kernel.play_fresh(view.leader, dice, stakes)
        proposed = view.stake if view.stage == "answer" else view.table_stake
        return trials.estimate(koras(view, stakes, min(proposed, view.table_stake)))

    def judge(
        self, view: View, legal: Sequence[Action], think: Think, played: Action | None = None
    ) -> Judgement[Action]:
        import numpy as np

        from ...core import trials
        from . import kernel

        dice = kernel.new_dice(think.chance.pick(1 << 62))
        if view.stage != "play":
            stakes: Any = np.zeros(self.TRIALS, np.int64)
            kernel.play_fresh(view.leader, dice, stakes)
            bets = self._bets(view, legal, played)
            results = np.stack([koras(view, stakes, stake_after(view, bet)) for bet in bets])
            return trials.judgement(bets, results, think.seat)
        actions = [action for action in legal if isinstance(action, Play)]
        codes = np.array([NUMBER[action.card] for action in actions], np.int64)
        stakes = np.zeros(len(codes) * self.TRIALS, np.int64)
        other = 1 - think.seat
        hands = [0, 0]
        hands[think.seat] = bits(held.card for held in view.hand)
        root = table_of(view, hands)
        hidden = kernel.DECK & ~(hands[think.seat] | int(root[kernel.PLAYED]))
        lacking = int(root[kernel.LACKING + other])
        unseen = np.array([at for at in range(52) if hidden >> at & 1 and not lacking >> at // 13 & 1], np.int64)
        kernel.try_cards(root, think.seat, unseen, view.cards[other], laid_by(view, other), codes, dice, stakes)
        results = np.stack([koras(view, row, view.stake) for row in stakes.reshape(len(codes), -1)])
        chosen: Any = np.zeros(52, np.int64)
        kernel.count_choices(root, think.seat, self.CHOICES, dice, chosen)
        return trials.judgement(actions, results, think.seat, chosen[codes])

    def _bets(self, view: View, legal: Sequence[Action], played: Action | None) -> list[Action]:
        """Return both answers, or the stakes that differ in kind: the least, around the table stake, and all."""
        if view.stage == "answer":
            return [Accept(), Refuse()]
        table = view.table_stake
        stakes = {1, table // 2, table, table * 3 // 2, table * 2, view.most_stake}
        bets: list[Action] = [Propose(table)]  # first of equals
        bets += [Propose(stake) for stake in sorted(stakes - {table}) if 1 <= stake <= view.most_stake]
        return bets if played is None or played in bets else [*bets, played]

    def explain(self, view: View, judgement: Judgement[Action], seat: Seat) -> Reason:
        return explain(view, judgement, seat)


def stake_after(view: View, bet: Action) -> int:
    """Return the stake of a deal after a bet. The reference player accepts none above the table stake.

    The leader has the edge, so the other player is better off with a low stake.
    """
    match bet:
        case Accept():
            return view.stake
        case Propose(stake):
            return min(stake, view.table_stake)
        case _:
            return view.table_stake


def bits(cards: Any) -> int:
    return sum(1 << NUMBER[card] for card in cards)


def laid_by(view: View, seat: Seat) -> int:
    """Return the cards that a seat has played in this deal."""
    laid = [trick.led if trick.leader == seat else trick.reply for trick in view.tricks]
    if view.led is not None and view.leader == seat:
        laid.append(view.led)
    return bits(laid)


def table_of(view: View, hands: list[int]) -> Ints:
    """Return the kernel's state of a deal with these hands."""
    import numpy as np

    from . import kernel

    s = np.zeros(kernel.STATE, np.int64)
    s[kernel.LEADER] = view.leader
    s[kernel.LED] = -1 if view.led is None else NUMBER[view.led]
    s[kernel.RUN] = run_of_threes(view)
    s[kernel.PLAYED] = laid_by(view, 0) | laid_by(view, 1)
    s[kernel.HANDS], s[kernel.HANDS + 1] = hands
    for trick in view.tricks:
        if trick.led[1] != trick.reply[1]:
            s[kernel.LACKING + 1 - trick.leader] |= 1 << SUITS.index(trick.led[1])
    table: Ints = s
    return table


def koras(view: View, stakes: Any, stake: int) -> Any:
    """Return the results of both seats, by trial: the koras won so far, and a deal that seat 0 wins by `stakes`."""
    import numpy as np

    start = (view.banks[0] - view.banks[1]) / 2
    gains = start + np.clip(stakes * stake, -view.banks[0], view.banks[1])
    return np.stack([gains, -gains], axis=-1)


def warm() -> None:
    """Load the kernel and the policy, so that the first decision does not wait for them."""
    import numpy as np

    from . import kernel, policy

    dice, results = kernel.new_dice(1), np.zeros(1, np.int64)
    kernel.play_fresh(0, dice, results)
    root: Any = np.zeros(kernel.STATE, np.int64)
    root[kernel.LED] = -1
    root[kernel.HANDS], root[kernel.HANDS + 1] = 1, 1 << 20
    kernel.play_known(root, dice, results)
    kernel.count_choices(root, 0, 1, dice, np.zeros(52, np.int64))
    kernel.try_cards(root, 0, np.array([20, 25], np.int64), 1, KINGS, np.zeros(1, np.int64), dice, results)
    policy.network()
