"""Many matches of Kora, compiled by Numba, for `tablee.envs.vector`.

`rules.py` and `env.py` stay the reference; a test compares the two step by step. A card is its place in `DECK`, which
is 13 × suit + value - 1. A match is one array of int64, indexed by the names below.
"""

from __future__ import annotations

from typing import Any

from ...core import desk_kernel
from ...core.desk_kernel import on_desk
from ...core.encoding import MATCH_OVER, REFUSED
from ...core.machine import Ints, compiled, follow, lean, pick, popcount

Batch = Any

DICE, STAGE, DEAL, BANKS, LEADER, STAKE, HANDS, LED, TRICKS = 0, 1, 2, 3, 5, 6, 7, 9, 10
TRICK = 11
"""For each trick: leader, led card, reply, winner."""
PACK = 31
"""The cards that are left while a deal is drawn."""
STATE = PACK + 52
BET, ANSWER, PLAY, OVER = 0, 1, 2, 3
DEALS, TABLE_STAKE, BANK, OPEN = 0, 1, 2, 3
"""The options, as the facts of a kernel."""
HAND, LOW_SUM = 5, 21
THREE, SEVEN = 2, 6
ACCEPT, REFUSE, PROPOSE = 52, 53, 54
SIZE = 240
SUIT = (1 << 13) - 1


@lean
def least_bank(s: Ints) -> int:
    return min(s[BANKS], s[BANKS + 1])


@lean
def value_sum(hand: int) -> int:
    """Return the sum of the values of a hand."""
    total = 0
    for card in range(52):
        if hand >> card & 1:
            total += card % 13 + 1
    return total


@lean
def automatic(first: int, second: int) -> int:
    """Return the seat that wins without playing, 2 for a new deal, or -1 (K5)."""
    sevens = 1 << SEVEN | 1 << SEVEN + 13 | 1 << SEVEN + 26 | 1 << SEVEN + 39
    if popcount(first & sevens) >= 3:
        return 0
    if popcount(second & sevens) >= 3:
        return 1
    one, other = value_sum(first), value_sum(second)
    if one >= LOW_SUM and other >= LOW_SUM:
        return -1
    if one == other:
        return 2
    return 0 if one < other else 1


@lean
def draw_hands(s: Ints) -> int:
    """Deal five cards each and return what `automatic` says about them (K4)."""
    won = 2
    while won == 2:
        s[HANDS] = s[HANDS + 1] = 0
        for card in range(52):
            s[PACK + card] = card
        for drawn in range(2 * HAND):
            left = 52 - drawn
            at = pick(s, left)
            s[HANDS + drawn % 2] |= 1 << s[PACK + at]
            s[PACK + at] = s[PACK + left - 1]
        won = automatic(s[HANDS], s[HANDS + 1])
    return won


@lean
def pay(s: Ints, winner: int, multiplier: int, facts: Ints) -> None:
    """Pay the winner of a deal, and end the match if it was the last (K8, K9)."""
    paid = min(s[STAKE] * multiplier, s[BANKS + 1 - winner])
    s[BANKS + winner] += paid
    s[BANKS + 1 - winner] -= paid
    s[HANDS] = s[HANDS + 1] = s[TRICKS] = 0
    if s[DEAL] == facts[DEALS] or least_bank(s) == 0:
        s[STAGE] = OVER


@lean
def deal_cards(s: Ints, facts: Ints) -> bool:
    """Deal for the stake and return whether the hands are played; else the deal is settled (K5)."""
    won = draw_hands(s)
    s[STAGE] = PLAY
    if won >= 0:
        pay(s, won, 1, facts)
        return False
    return True


@lean
def next_deal(s: Ints, facts: Ints) -> None:
    """Begin deals until one has to be bet on or played, or the match is over."""
    while s[STAGE] != OVER:
        s[DEAL] += 1
        s[LEADER] = pick(s, 2)
        s[STAKE] = s[HANDS] = s[HANDS + 1] = s[TRICKS] = 0
        s[LED] = -1
        s[STAGE] = BET
        if facts[OPEN]:
            return
        s[STAKE] = min(facts[TABLE_STAKE], least_bank(s))
        if deal_cards(s, facts):
            return


@lean
def reset(s: Ints, facts: Ints) -> None:
    """Begin matches until one has a decision."""
    s[STAGE] = OVER
    while s[STAGE] == OVER:
        s[STAGE] = BET
        s[DEAL] = 0
        s[BANKS] = s[BANKS + 1] = facts[BANK]
        next_deal(s, facts)


@compiled
def renew_all(states: Batch, ended: Batch, facts: Ints) -> None:
    for row in range(states.shape[0]):
        if ended[row]:
            reset(states[row], facts)


@lean
def to_act(s: Ints) -> int:
    return 1 - s[LEADER] if s[STAGE] == ANSWER or s[LED] >= 0 else s[LEADER]


@lean
def play_card(s: Ints, seat: int, card: int, facts: Ints) -> None:
    """Lead a card, or reply to one and finish the trick."""
    s[HANDS + seat] ^= 1 << card
    led = s[LED]
    if led < 0:
        s[LED] = card
        return
    winner = seat if card // 13 == led // 13 and card > led else s[LEADER]
    at = TRICK + 4 * s[TRICKS]
    s[at] = s[LEADER]
    s[at + 1] = led
    s[at + 2] = card
    s[at + 3] = winner
    s[TRICKS] += 1
    s[LED] = -1
    s[LEADER] = winner
    if s[TRICKS] == HAND:
        pay(s, winner, 1 + threes(s), facts)
        next_deal(s, facts)


@lean
def taken_with(s: Ints, trick: int) -> int:
    at = TRICK + 4 * trick
    return s[at + 1] if s[at + 3] == s[at] else s[at + 2]


@lean
def threes(s: Ints) -> int:
    """Count the last tricks that the winner of the deal took with a 3, three at most (K7)."""
    count = 0
    while count < 3:
        trick = HAND - 1 - count
        if s[TRICK + 4 * trick + 3] != s[TRICK + 4 * (HAND - 1) + 3] or taken_with(s, trick) % 13 != THREE:
            break
        count += 1
    return count


@lean
def apply(s: Ints, one: int, facts: Ints) -> None:
    """Play an id that is not masked."""
    if one < 52:
        play_card(s, to_act(s), one, facts)
    elif one >= PROPOSE:
        s[STAKE] = one - PROPOSE + 1
        s[STAGE] = ANSWER
    else:
        if one == REFUSE:
            s[STAKE] = min(facts[TABLE_STAKE], least_bank(s))
        if not deal_cards(s, facts):
            next_deal(s, facts)


@lean
def write_mask(s: Ints, mask: Batch) -> None:
    """Mark the ids that the seat in turn can choose."""
    if s[STAGE] == BET:
        for stake in range(least_bank(s)):
            mask[PROPOSE + stake] = 1
        return
    if s[STAGE] == ANSWER:
        mask[ACCEPT] = mask[REFUSE] = 1
        return
    hand = s[HANDS + to_act(s)]
    if s[LED] >= 0:
        suited = hand & SUIT << 13 * (s[LED] // 13)
        hand = suited if suited else hand
    for card in range(52):
        mask[card] = hand >> card & 1


@lean
def observe(s: Ints, me: int, out: Batch, facts: Ints) -> None:
    """Write what a seat sees, as `KoraEncoding.observe` does."""
    other = 1 - me
    for card in range(52):
        out[card] = s[HANDS + me] >> card & 1
    led = s[LED]
    if led >= 0:
        out[52 + led] = 1
        out[(104 if s[LEADER] == me else 156) + led] = 1
    for trick in range(s[TRICKS]):
        at = TRICK + 4 * trick
        leads = s[at] == me
        out[104 + (s[at + 1] if leads else s[at + 2])] = 1
        out[156 + (s[at + 2] if leads else s[at + 1])] = 1
        if leads and s[at + 1] // 13 != s[at + 2] // 13:
            out[208 + s[at + 1] // 13] = 1
        out[(215 if s[at + 3] == me else 220) + trick] = 1
        out[225 + trick] = taken_with(s, trick) % 13 == THREE
    if s[STAGE] != OVER:
        out[212 + s[STAGE]] = 1
    out[230] = s[LEADER] == me
    out[231] = popcount(s[HANDS + me])
    out[232] = popcount(s[HANDS + other])
    out[233] = s[STAKE]
    out[234] = min(facts[TABLE_STAKE], least_bank(s))
    out[235] = least_bank(s)
    out[236] = s[BANKS + me]
    out[237] = s[BANKS + other]
    out[238] = s[DEAL]
    out[239] = facts[DEALS]


@compiled
def step_all(states: Batch, ids: Ints, scores: Batch, places: Batch, facts: Ints) -> None:
    for row in range(states.shape[0]):
        s = states[row]
        apply(s, ids[row], facts)
        if s[STAGE] == OVER:
            for seat in range(2):
                scores[row, seat] = s[BANKS + seat]
                places[row, seat] = 1 + (s[BANKS + seat] < s[BANKS + 1 - seat])


@compiled
def look_all(states: Batch, seats: Ints, observations: Batch, masks: Batch, facts: Ints) -> None:
    observations[:] = 0
    masks[:] = 0
    for row in range(states.shape[0]):
        s = states[row]
        seats[row] = to_act(s)
        observe(s, seats[row], observations[row], facts)
        write_mask(s, masks[row])


@lean
def play_one(desk: Ints, states: Batch, facts: Ints, one: int) -> int:
    """Play an id of the only match, and return what `Kernel.player` says."""
    ids, seats, scores, places, observations, masks = on_desk(desk)
    if one < 0 or one >= masks.shape[1] or masks[0, one] == 0:
        return REFUSED
    ids[0] = one
    step_all(states, ids, scores, places, facts)
    if places[0, 0]:
        return MATCH_OVER
    look_all(states, seats, observations, masks, facts)
    return seats[0]


@compiled
def show_all(states: Batch, out: Batch, facts: Ints) -> None:
    out[:] = 0
    for row in range(states.shape[0]):
        for seat in range(2):
            observe(states[row], seat, out[row, SIZE * seat : SIZE * (seat + 1)], facts)


follow(globals(), desk_kernel.__file__)
