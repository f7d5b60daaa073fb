"""Measure maître of Kora Battle: its match against difficile, and how far both can be exploited.

Every deal is played twice, with the seats swapped. The best responses to exploit a level were learned
(training/kora/exploit.py); what they win is a lower bound. Difficile's cards come from a copy of its card play in
machine code, with as many samples; the script first checks that both value cards alike. In these matches maître plays
its policy alone, because it needs half a second to solve an ending. `--exact` deals measure what an exact best response
gains in the last two tricks, over the policy and over the solved ending.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from hashlib import sha256
from json import loads
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from common import report
from tablee.arena import interval
from tablee.core.cards import DECK
from tablee.core.chance import SeedChance
from tablee.core.machine import lowest
from tablee.games.kora import endgame, kernel, policy
from tablee.games.kora.bots import Difficile, Maitre, run_of_threes
from tablee.games.kora.rules import HAND, Kora, automatic, sorted_hand
from tablee.games.kora.solver import BIT, NUMBER, Solver, bits
from tablee.games.kora.values import Hand, Options, Play, State

TRAINED = Path(__file__).parents[1] / "training/kora"
WORST = 5
GAME = Kora()

compiled = njit(error_model="numpy")
"""Without a cache: Numba crashes when it loads a function that calls itself."""

Choose = Callable[[policy.Deals, Any], Any]
"""Returns a card for each deal, from the deals and a generator of pseudorandom numbers."""


@compiled
def solve(a: int, b: int, run: int, led: int, least: int, most: int) -> int:
    """Return what a deal with known hands is worth in stakes to the leader, who holds `a` besides the led card."""
    if led < 0:
        best, cards = -WORST, a
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            best = max(best, solve(a & ~(1 << card), b, run, card, max(least, best), most))
            if best >= most:
                return best
        return best
    follow = b & (kernel.SUIT << 13 * (led // 13))
    worst, cards = WORST, follow if follow else b
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        rest = b & ~(1 << card)
        if follow and card > led:
            threes = 1 if card % 13 == kernel.THREE else 0
            value = -1 - threes if rest == 0 else -solve(rest, a, threes, -1, -min(most, worst), -least)
        else:
            threes = min(3, run + 1) if led % 13 == kernel.THREE else 0
            value = 1 + threes if rest == 0 else solve(a, rest, threes, -1, least, min(most, worst))
        worst = min(worst, value)
        if worst <= least:
            return worst
    return worst


@compiled
def worth(mine: int, theirs: int, run: int, led: int, card: int) -> int:
    """Return what a card is worth in stakes to the seat that plays it."""
    rest = mine & ~(1 << card)
    if led < 0:
        return solve(rest, theirs, run, card, -WORST, WORST)
    takes = card // 13 == led // 13 and card > led
    threes = 1 if takes and card % 13 == kernel.THREE else 0
    if not takes and led % 13 == kernel.THREE:
        threes = min(3, run + 1)
    if rest == 0:
        value = 1 + threes
    else:
        value = solve(rest if takes else theirs, theirs if takes else rest, threes, -1, -WORST, WORST)
    return value if takes else -value


@compiled
def sampled_choice(
    mine: int, legal: int, hidden: Any, size: int, laid: int, run: int, led: int, samples: int, dice: Any
) -> int:
    """Return the card that difficile plays; `hidden` has the cards that the other can hold, `laid` what it played."""
    totals = np.zeros(52, np.int64)
    for _ in range(samples):
        theirs = kernel.draw(hidden, hidden.size, size, dice)
        while kernel.wins_at_once(theirs | laid):
            theirs = kernel.draw(hidden, hidden.size, size, dice)
        cards = legal
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            totals[card] += worth(mine, theirs, run, led, card)
    chosen, most, cards = 0, -1_000_000, legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        rank = card % 13
        liked = 64 * totals[card] - (32 if rank == kernel.THREE else rank)  # of equals: no 3, then the lowest
        if liked > most:
            chosen, most = card, liked
    return chosen


def packed(flags: Any) -> Any:
    """Return sets of cards as bits."""
    return flags.astype(np.int64) @ (1 << np.arange(52))


def difficile(deals: policy.Deals, dice: Any) -> Any:
    seat, rows = deals.seat, deals.rows
    luck = kernel.new_dice(int(dice.integers(1 << 62)))
    mine, legal = packed(deals.hands[rows, seat]), packed(deals.legal())
    seen = deals.hands[rows, seat].copy()
    laid = np.zeros_like(seen)
    for trick in range(HAND):
        for by in (0, 1):
            cards = deals.cards[:, by, trick]
            there = cards != policy.NONE
            seen[rows[there], cards[there]] = True
            others = there & (seat != by)
            laid[rows[others], cards[others]] = True
    hidden = ~seen & ~np.repeat(deals.void[rows, 1 - seat], 13, axis=1)
    laid_bits, size = packed(laid), int(deals.hands[0, 1 - seat[0]].sum())
    chosen = np.zeros(len(rows), np.int64)
    for row in rows:
        options, led = int(legal[row]), int(deals.led[row])
        if options.bit_count() == 1:
            chosen[row] = options.bit_length() - 1
            continue
        chosen[row] = sampled_choice(
            int(mine[row]), options, np.nonzero(hidden[row])[0], size, int(laid_bits[row]), int(deals.run[row]),
            -1 if led == policy.NONE else led, Difficile.SAMPLES, luck,
        )  # fmt: skip
    return chosen


def networked(path: Path | None) -> Choose:
    """Return a player that draws from the network of a file, or of maître."""
    net = policy.read_network(path) if path else policy.network()

    def choose(deals: policy.Deals, dice: Any) -> Any:
        sums = np.cumsum(deals.chances(net), axis=1)
        return (dice.random((len(sums), 1)) * sums[:, -1:] < sums).argmax(1)

    return choose


def play(deals: policy.Deals, players: tuple[Choose, Choose], dice: Any) -> Any:
    """Play deals to their end and return the stakes that seat 0 wins."""
    while deals.step < 2 * HAND - 2:
        seat, card = deals.seat, np.zeros(len(deals.rows), np.int64)
        for by in (0, 1):
            rows = np.nonzero(seat == by)[0]
            if len(rows):
                card[rows] = players[by](deals.only(rows), dice)
        deals.play(card)
    return deals.play_on(dice)


def dealt(count: int, dice: Any) -> Any:
    """Deal hands without automatic wins."""
    kept: list[Any] = []
    while sum(map(len, kept)) < count:
        cards = dice.permuted(np.tile(np.arange(52), (count, 1)), axis=1)[:, : 2 * HAND]
        hands = np.stack([policy.spread(cards[:, :HAND]), policy.spread(cards[:, HAND:])], 1)
        kept.append(hands[~(policy.wins_at_once(hands[:, 0]) | policy.wins_at_once(hands[:, 1]))])
    return np.concatenate(kept)[:count]


def compare(mine: Choose, theirs: Choose, pairs: int, seed: int) -> tuple[float, tuple[float, float]]:
    """Return the stakes that the first player wins for a deal, and the 95 % confidence interval over pairs of deals."""
    dice = np.random.default_rng(seed)
    halves: list[float] = []
    for start in range(0, pairs, 500):
        hands = dealt(min(500, pairs - start), dice)
        leader = start // 500 % 2
        once = play(policy.Deals(hands.copy(), leader, (4.0, 4.0)), (mine, theirs), dice)
        again = play(policy.Deals(hands.copy(), leader, (4.0, 4.0)), (theirs, mine), dice)
        halves += ((once - again) / 2).tolist()
        print(f"\r{len(halves)} of {pairs} pairs: {np.mean(halves):+.4f}", end="", flush=True)
    print()
    return float(np.mean(halves)), interval(halves)


def check_solver() -> None:
    """Compare the copy with the product's solver on random deals."""
    dice = random.Random("contrôle")
    for _ in range(200):
        size = dice.randint(2, HAND)
        cards = dice.sample(DECK, 2 * size)
        mine, theirs, run = cards[:size], cards[size:], dice.randrange(3)
        numbers = [sum(1 << NUMBER[card] for card in hand) for hand in (mine, theirs)]
        solver = Solver((1, 2, 3, 4), (1, 2, 3, 4))
        for card in mine:
            known = solver.after_lead(bits(mine), bits(theirs), run, BIT[card])
            assert known == worth(numbers[0], numbers[1], run, -1, NUMBER[card])
            led = dice.choice([other for other in DECK if other not in cards])
            known = solver.after_reply(bits(mine), bits(theirs[1:]), run, BIT[led], BIT[card])
            fewer = numbers[1] & ~(1 << NUMBER[theirs[0]])
            assert known == worth(numbers[0], fewer, run, NUMBER[led], NUMBER[card])


def last_tricks(deals: int) -> dict[str, tuple[float, tuple[float, float]]]:
    """Return what an exact best response gains in the last two tricks, over the policy and over the solved ending."""
    policy.DOUBT = 0.0  # the best response knows the policy
    dice = random.Random("fins")
    gains: dict[str, list[float]] = {"policy": [], "solved": []}
    for number in range(deals):
        hands: tuple[Hand, Hand] = (), ()
        while not hands[0] or automatic(hands) is not None:
            cards = dice.sample(DECK, 2 * HAND)
            hands = sorted_hand(cards[:HAND]), sorted_hand(cards[HAND:])
        state = State(Options(), "play", 1, (100, 100), 0, 10, hands)
        while len(state.tricks) < HAND - endgame.LEFT:
            (by,) = GAME.turn(state).must
            playable = [one.card for one in GAME.legal_actions(state, by) if isinstance(one, Play)]
            likely = policy.chances(GAME.view(state, by), by, playable)
            state = GAME.apply(state, by, Play(dice.choices(playable, likely)[0]), SeedChance("", 0))
        view = GAME.view(state, None)
        ending = endgame.Ending(view, run_of_threes(view))
        for name, played in (("policy", ending.network()), ("solved", ending.solve(Maitre.ROUNDS))):
            gains[name].append(sum(ending.gains(*played)) / 2)
        print(f"\r{number + 1} of {deals} endings", end="", flush=True)
    print()
    return {name: (float(np.mean(found)), interval(found)) for name, found in gains.items()}


def exploiter(level: str) -> Choose:
    """Return the learned best response to a level; its file must be the one of the report."""
    path = TRAINED / f"against-{level}.npz"
    known = loads((TRAINED / "exploit.json").read_text())[level]["weights"]
    assert sha256(path.read_bytes()).hexdigest() == known, f"{path} is not the file of exploit.json"
    return networked(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000, help="deals, each played twice")
    parser.add_argument("--exact", type=int, default=100, help="deals for the exact best response in the last tricks")
    args = parser.parse_args()
    check_solver()
    maitre = networked(None)
    figures: dict[str, Any] = {
        "maitre against difficile": compare(maitre, difficile, args.pairs, 1),
        "best response against difficile": compare(exploiter("difficile"), difficile, args.pairs, 2),
        "best response against maitre": compare(exploiter("maitre"), maitre, args.pairs, 2),
    }
    for name, figure in last_tricks(args.exact).items():
        figures[f"exact best response in the last two tricks, {name}"] = figure
    lines = [f"{name}: {mean:+.4f} ({low:+.4f} to {high:+.4f})" for name, (mean, (low, high)) in figures.items()]
    report(__file__, "kora, stakes for a deal: " + "; ".join(lines), figures)


if __name__ == "__main__":
    main()
