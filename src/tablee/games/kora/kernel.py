"""Play deals out in machine code, for the coach.

A card is 13 × suit + value − 1, so that the 3 of a suit has rank 2. A hand is a set of bits. Both players count cards
like `Moyen`, with a little noise, so that cards of nearly the same worth are played equally often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.machine import compiled, lowest, popcount

if TYPE_CHECKING:
    from ...core.machine import Ints

DECK = (1 << 52) - 1
SUIT = (1 << 13) - 1
THREE = 2
SEVEN = 6
LOW_SUM = 21
HAND = 5
COMEBACK = 0.3
"""The share of a plan's value that is left after losing a trick on the way, as in `bots.py`."""
NOISE = 0.2
LEADER, LED, RUN, PLAYED, HANDS, LACKING, STATE = 0, 1, 2, 3, 4, 6, 8
"""The fields of a deal: the leader, the led card or −1, the run of tricks that the leader won with a 3, the cards
played, the two hands, and the suits that each seat is known not to have."""


@compiled
def pick(dice: Ints, n: int) -> int:
    """Draw from [0, n)."""
    dice[0] = dice[0] * 6364136223846793005 + 1442695040888963407
    return ((dice[0] >> 32 & 0xFFFFFFFF) * n) >> 32


@compiled
def better(card: int) -> int:
    """Return the cards that take a led card."""
    suit = card // 13
    return (SUIT << 13 * suit) & ~((1 << (card + 1)) - 1)


@compiled
def holds(out: int, card: int, hidden: int) -> float:
    """Return the probability that none of so many hidden cards beats a led card."""
    cards = popcount(out)
    others = cards - popcount(out & better(card))
    likely = 1.0
    for at in range(hidden):
        likely *= (others - at) / (cards - at) if others > at else 0.0
    return likely


@compiled
def last(out: int, card: int) -> float:
    """Return what leading to the last trick is worth in stakes."""
    return holds(out, card, 1) * (2.0 if card % 13 == THREE else 1.0)


@compiled
def last_two(out: int, card: int, other: int) -> float:
    """Return what leading a card is worth with one other in hand."""
    won = holds(out, card, 2)
    return (won + COMEBACK * (1 - won)) * last(out, other)


@compiled
def best_rest(out: int, rest: int) -> float:
    """Return what the best lead from one or two cards is worth."""
    one = lowest(rest)
    rest &= rest - 1
    if rest == 0:
        return last(out, one)
    two = lowest(rest)
    return max(last_two(out, one, two), last_two(out, two, one))


@compiled
def plan(out: int, hand: int, card: int, led: int) -> float:
    """Return what a card is worth in stakes with at most three cards in hand, as if the tricks were independent."""
    rest = hand & ~(1 << card)
    if led >= 0:
        won = 1.0 if better(led) >> card & 1 else 0.0
    else:
        won = holds(out, card, popcount(hand))
    if rest == 0:
        return won * (2.0 if card % 13 == THREE else 1.0)
    return (won + COMEBACK * (1 - won)) * best_rest(out, rest)


@compiled
def legal(s: Ints, seat: int) -> int:
    """Return the cards that a seat can play (K6)."""
    hand = s[HANDS + seat]
    if s[LED] < 0:
        return hand
    suited = hand & SUIT << 13 * (s[LED] // 13)
    return suited if suited else hand


@compiled
def choose(s: Ints, seat: int, dice: Ints) -> int:
    """Return the card that the reference player plays."""
    hand, led = s[HANDS + seat], s[LED]
    out = DECK & ~(s[PLAYED] | hand)
    for suit in range(4):
        if s[LACKING + 1 - seat] >> suit & 1:
            out &= ~(SUIT << 13 * suit)
    few = popcount(hand) <= 3
    cards, chosen, most = legal(s, seat), 0, -1e9
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if few:
            liked = plan(out, hand, card, led)
        else:
            liked = -holds(out, card, 1)
            if led >= 0 and better(led) >> card & 1:
                liked += 10.0
        if card % 13 == THREE:
            liked -= 0.01
        liked += NOISE * pick(dice, 1024) / 1024.0
        if liked > most:
            chosen, most = card, liked
    return chosen


@compiled
def play(s: Ints, seat: int, card: int) -> None:
    """Play a card; the winner of a finished trick leads the next one."""
    s[HANDS + seat] &= ~(1 << card)
    s[PLAYED] |= 1 << card
    led = s[LED]
    if led < 0:
        s[LED] = card
        return
    s[LED] = -1
    if better(led) >> card & 1:
        s[LEADER] = seat
        s[RUN] = 1 if card % 13 == THREE else 0
    else:
        if led // 13 != card // 13:
            s[LACKING + seat] |= 1 << led // 13
        s[RUN] = s[RUN] + 1 if led % 13 == THREE else 0


@compiled
def play_on(s: Ints, dice: Ints) -> int:
    """Play a deal to its end and return the stakes that seat 0 wins, negative if it pays (K7)."""
    while s[HANDS] | s[HANDS + 1]:
        seat = s[LEADER] if s[LED] < 0 else 1 - s[LEADER]
        play(s, seat, choose(s, seat, dice))
    stakes = min(s[RUN], 3) + 1
    return stakes if s[LEADER] == 0 else -stakes


@compiled
def value_sum(hand: int) -> int:
    total = 0
    while hand:
        total += lowest(hand) % 13 + 1
        hand &= hand - 1
    return total


@compiled
def wins_at_once(hand: int) -> bool:
    """Return whether five dealt cards win automatically (K5)."""
    sevens = 0
    for suit in range(4):
        sevens += hand >> (13 * suit + SEVEN) & 1
    return sevens >= 3 or value_sum(hand) < LOW_SUM


@compiled
def draw(cards: Ints, count: int, size: int, dice: Ints) -> int:
    """Draw `size` of the first `count` cards, each set equally likely; they move to the end."""
    hand = 0
    for at in range(size):
        left = count - at
        chosen = pick(dice, left)
        hand |= 1 << cards[chosen]
        cards[chosen], cards[left - 1] = cards[left - 1], cards[chosen]
    return hand


@compiled
def try_cards(
    root: Ints, seat: int, unseen: Ints, size: int, laid: int, options: Ints, dice: Ints, results: Ints
) -> None:
    """Sample the other hand and play every option out on it; `laid` holds the cards that the other has played.

    `results` holds the stakes that seat 0 wins, by option and trial.
    """
    s = np.empty(STATE, np.int64)
    luck = np.empty(1, np.int64)
    trials = results.size // options.size
    for trial in range(trials):
        hand = draw(unseen, unseen.size, size, dice)
        while wins_at_once(hand | laid):
            hand = draw(unseen, unseen.size, size, dice)
        for at in range(options.size):
            for field in range(STATE):
                s[field] = root[field]
            s[HANDS + 1 - seat] = hand
            luck[0] = dice[0]
            play(s, seat, options[at])
            results[at * trials + trial] = play_on(s, luck)


@compiled
def count_choices(root: Ints, seat: int, times: int, dice: Ints, counts: Ints) -> None:
    """Count how often the reference player chooses each of the 52 cards."""
    for _ in range(times):
        counts[choose(root, seat, dice)] += 1


@compiled
def play_known(root: Ints, dice: Ints, results: Ints) -> None:
    """Play a deal with known hands to its end, several times."""
    s = np.empty(STATE, np.int64)
    for trial in range(results.size):
        for field in range(STATE):
            s[field] = root[field]
        results[trial] = play_on(s, dice)


@compiled
def play_fresh(leader: int, dice: Ints, results: Ints) -> None:
    """Deal and play, with the automatic wins (K5), several times."""
    s = np.empty(STATE, np.int64)
    deck = np.empty(52, np.int64)
    for card in range(52):
        deck[card] = card
    for trial in range(results.size):
        results[trial] = 0
        while results[trial] == 0:
            first = draw(deck, 52, HAND, dice)
            second = draw(deck, 52 - HAND, HAND, dice)
            results[trial] = automatic(first, second)
            if results[trial] == 2:  # nobody wins at once
                for field in range(STATE):
                    s[field] = 0
                s[LEADER], s[LED], s[HANDS], s[HANDS + 1] = leader, -1, first, second
                results[trial] = play_on(s, dice)


@compiled
def automatic(first: int, second: int) -> int:
    """Return 1 or −1 if seat 0 wins or loses at once, 0 if the deal is void, 2 if it is played (K5)."""
    for seat in range(2):
        sevens = 0
        for suit in range(4):
            sevens += (second if seat else first) >> (13 * suit + SEVEN) & 1
        if sevens >= 3:
            return -1 if seat else 1
    low, other = value_sum(first), value_sum(second)
    if low >= LOW_SUM and other >= LOW_SUM:
        return 2
    if low == other:
        return 0
    return 1 if low < other else -1


def new_dice(seed: int) -> Any:
    """Return the state of a generator of pseudorandom numbers."""
    return np.array([seed], np.int64)
