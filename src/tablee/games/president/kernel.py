"""A manche of Super Président, compiled by Numba: legal actions, their effects, a weighted player, and playouts.

A hand is an integer with four bits for each rank, the 3 lowest, that count its cards: suits do not matter once the
cards are dealt. A manche is one array of int64, indexed by `HANDS` and the names after it. An action is one integer.

All compiled code is in this one file, because Numba's cache checks the date of a function's own file only.
`rules.py` stays the reference; a test compares the two.
"""

from __future__ import annotations

from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.machine import Floats, Ints, compiled, summing

Rows: TypeAlias = NDArray[np.float32]

RANKS = "3456789TJQKA2"
THREE, TWO = 0, 12
QUEEN_OF_HEARTS = 4 * RANKS.index("Q") + 1
ONES = 0x1111111111111
DECK = 4 * ONES

# A manche: eight hands, then the rest of its state.
HANDS = 0
SEATS = 8
TURN = 9
REVOLUTION = 10
SIZE = 11
"""Cards in each play of this trick, 0 before the lead."""
TOP = 12
LAST = 13
"""The seat that made the last play."""
PLAYS = 14
MODE = 15
RUN = 16
"""Cards of the top rank played in a row."""
OUT = 17
"""Seats out of the trick, as bits."""
WAITING = 18
"""Seats that passed under Ou-Rien since the last play, as bits."""
ALONE = 19
PLAYED = 20
"""Cards laid in this manche, as a hand."""
LEFT = 21
"""Seats with cards."""
SAFE = 22
"""The number of seats that went out without sinking."""
SUNK = 23
"""The number of seats that went out with the closing rank."""
FINISH = 24
"""Eight numbers: the order in which a seat went out, or -1, -2 … for seats that sank."""
STATE = 32

FREE, SUITE, REVERSE, OU_RIEN = 0, 1, 2, 3

# A play is rank << 5 | cards << 2 | declaration; other actions have no cards.
PASS, STOP, CLOSE, WAIT = 0, 1, 2, 3
ACTIONS = 32
"""Space for the legal actions of one seat."""


@compiled
def play_of(rank: int, cards: int, declare: int) -> int:
    """Return the number of a play."""
    return rank << 5 | cards << 2 | declare


@compiled
def held(hand: int, rank: int) -> int:
    """Count the cards of a rank in a hand."""
    return hand >> 4 * rank & 15


@compiled
def total(hand: int) -> int:
    """Count the cards in a hand."""
    pairs = (hand & 0x0F0F0F0F0F0F0F) + (hand >> 4 & 0x0F0F0F0F0F0F0F)
    pairs += pairs >> 8
    pairs += pairs >> 16
    return (pairs & 255) + (pairs >> 32 & 255)


@compiled
def groups_of(hand: int, cards: int) -> int:
    """Return the ranks of which a hand has at least so many, as their lowest bits."""
    if cards == 1:
        return (hand | hand >> 1 | hand >> 2) & ONES
    if cards == 2:
        return (hand >> 1 | hand >> 2) & ONES
    if cards == 3:
        return (hand & hand >> 1 | hand >> 2) & ONES
    return hand >> 2 & ONES


@compiled
def from_rank(rank: int, revolution: int) -> int:
    """Return the ranks that are equal to or stronger than one, as bits."""
    return (16 << 4 * rank) - 1 if revolution else -(1 << 4 * rank)


@compiled
def pick(dice: Ints, n: int) -> int:
    """Draw from [0, n)."""
    dice[0] = dice[0] * 6364136223846793005 + 1442695040888963407
    return ((dice[0] >> 32 & 0xFFFFFFFF) * n) >> 32


@compiled
def begin(s: Ints, seats: int, leader: int) -> None:
    """Prepare a manche with given hands for its first lead."""
    for at in range(8, STATE):
        s[at] = 0
    s[SEATS] = seats
    s[LEFT] = seats
    s[TURN] = leader
    s[TOP] = -1
    s[LAST] = -1


@compiled
def can_close(s: Ints, seat: int) -> bool:
    """Return whether a seat can close the trick with all the missing cards of the rank on top (P9)."""
    size = s[SIZE]
    if size == 0 or s[LAST] == seat or s[OUT] >> seat & 1:
        return False
    cards = held(s[HANDS + seat], s[TOP])
    return cards > 0 and s[RUN] + cards == 4 and cards % size == 0


@compiled
def closer(s: Ints) -> int:
    """Return the seat that can close out of turn, or -1."""
    if s[SIZE] == 0 or held(s[PLAYED], s[TOP]) != s[RUN] or (4 - s[RUN]) % s[SIZE]:
        return -1
    for seat in range(s[SEATS]):
        if seat != s[TURN] and can_close(s, seat):
            return seat
    return -1


@compiled
def legal(s: Ints, out: Ints) -> int:
    """List the legal actions of the seat to act and return their number."""
    seat, size, top, mode = s[TURN], s[SIZE], s[TOP], s[MODE]
    hand = s[HANDS + seat]
    count = 0
    if size == 0:
        for rank in range(13):
            for cards in range(1, held(hand, rank) + 1):
                out[count] = play_of(rank, cards, 0)
                count += 1
        return count
    up = -1 if s[REVOLUTION] else 1
    if mode == FREE:
        plays = groups_of(hand, size) & from_rank(top, s[REVOLUTION])
        rank = top
        while plays and 0 <= rank <= TWO:
            if plays >> 4 * rank & 1:
                out[count] = play_of(rank, size, 0)
                count += 1
            rank += up
    elif mode == OU_RIEN:
        if held(hand, top) >= size:
            out[count] = play_of(top, size, 0)
            count += 1
    else:
        rank = top + up if mode == SUITE else top - up
        if 0 <= rank <= TWO and held(hand, rank) >= size:
            out[count] = play_of(rank, size, 0)
            count += 1
            if mode == SUITE:
                out[count] = play_of(rank, size, REVERSE)
                count += 1
    if s[ALONE]:
        out[count] = STOP
        return count + 1
    # P3: nobody must declare or close, so these actions do not forbid a pass.
    if count == 0:
        out[0] = PASS
        count = 1
    if mode == FREE and s[PLAYS] == 1:
        if 0 <= top + up <= TWO and held(hand, top + up) >= size:
            out[count] = play_of(top + up, size, SUITE)
            count += 1
        if 0 <= top - up <= TWO and held(hand, top - up) >= size:
            out[count] = play_of(top - up, size, REVERSE)
            count += 1
    if can_close(s, seat):
        out[count] = CLOSE
        count += 1
    return count


@compiled
def next_with_cards(s: Ints, seat: int) -> int:
    """Return the seat itself, or the next clockwise that has cards."""
    while s[HANDS + seat] == 0:
        seat = seat + 1 if seat + 1 < s[SEATS] else 0
    return seat


@compiled
def end_trick(s: Ints) -> None:
    """Let the seat that made the last play lead, or the next seat that has cards (P4)."""
    s[TURN] = next_with_cards(s, s[LAST])
    s[SIZE] = s[PLAYS] = s[RUN] = s[OUT] = s[WAITING] = s[ALONE] = 0
    s[MODE] = FREE
    s[TOP] = s[LAST] = -1


@compiled
def advance(s: Ints, seat: int) -> None:
    """Pass the turn to the next seat in the trick, or end it."""
    seats, last = s[SEATS], s[LAST]
    silent = s[OUT] | s[WAITING] | 1 << last
    for _ in range(seats):
        seat = seat + 1 if seat + 1 < seats else 0
        if s[HANDS + seat] and not silent >> seat & 1:
            s[TURN] = seat
            return
    # P6: in a reverse the last player goes on alone or stops.
    before = s[TOP] + (1 if s[REVOLUTION] else -1)
    if s[MODE] == REVERSE and s[HANDS + last] and 0 <= before <= TWO:
        s[ALONE] = 1
        s[TURN] = last
    else:
        end_trick(s)


@compiled
def lay(s: Ints, seat: int, rank: int, cards: int, sinks: bool) -> bool:
    """Move cards from a hand to the table and return whether that ends the manche."""
    s[HANDS + seat] -= cards << 4 * rank
    s[PLAYED] += cards << 4 * rank
    s[LAST] = seat
    if s[HANDS + seat] == 0:
        s[LEFT] -= 1
        if sinks:
            s[SUNK] += 1
            s[FINISH + seat] = -s[SUNK]
        else:
            s[SAFE] += 1
            s[FINISH + seat] = s[SAFE]
    return s[LEFT] == 1


@compiled
def apply(s: Ints, seat: int, action: int) -> bool:
    """Apply an action and return whether it ends the manche."""
    cards = action >> 2 & 7
    if cards == 0:
        if action == PASS:
            # P7: a pass under Ou-Rien ends it and puts nobody out of the trick.
            if s[MODE] == OU_RIEN:
                s[WAITING] |= 1 << seat
                s[MODE] = FREE
            else:
                s[OUT] |= 1 << seat
            advance(s, seat)
            return False
        if action == CLOSE and lay(s, seat, s[TOP], 4 - s[RUN], False):
            return True
        end_trick(s)
        return False
    rank, declare = action >> 5, action & 3
    again = s[TOP] == rank
    if declare:
        s[MODE] = declare
    elif again and cards == 1:
        s[MODE] = OU_RIEN
    s[SIZE] = cards
    s[TOP] = rank
    s[PLAYS] += 1
    s[RUN] = s[RUN] + cards if again else cards
    s[WAITING] = 0
    closing = rank == (THREE if s[REVOLUTION] else TWO)
    # P8b: a carré reverses the order, but the closing rank at the time of the play decides about sinking (P11).
    if cards == 4:
        s[REVOLUTION] ^= 1
    if lay(s, seat, rank, cards, closing):
        return True
    if closing or s[RUN] == 4:
        end_trick(s)
    else:
        advance(s, seat)
    return False


@compiled
def place_of(s: Ints, seat: int) -> int:
    """Return the place of a seat after the manche, 0 for the Président (P11)."""
    finish = s[FINISH + seat]
    if finish > 0:
        return finish - 1
    return s[SAFE] - finish


@compiled
def deal(s: Ints, seats: int, dice: Ints) -> None:
    """Deal a manche at random, seat 0 first; the holder of Q♥ leads (P1)."""
    deck = np.empty(52, np.int64)
    for card in range(52):
        deck[card] = card
    for seat in range(8):
        s[HANDS + seat] = 0
    seat = leader = 0
    for left in range(52, 0, -1):
        at = pick(dice, left)
        if deck[at] == QUEEN_OF_HEARTS:
            leader = seat
        s[HANDS + seat] += 1 << (deck[at] & -4)
        deck[at] = deck[left - 1]
        seat = seat + 1 if seat + 1 < seats else 0
    begin(s, seats, leader)


# The weights of `score`, in a unit of their own; tables are indexed by strength, weakest rank first.
LEAD, LEAD_LATE, FOLLOW, FOLLOW_LATE = 0, 13, 26, 39
"""The base value of a play of each strength, with many groups in hand and with few."""
TOGETHER = 52
"""Bonus for a lead of one to four cards."""
SPLIT = 56
"""Bonus for a play that leaves one, two or three cards of its rank in hand."""
SURE, PLAN = 59, 60
"""Bonus for a play that no unseen card beats; more if at most one other group can be beaten."""
DECLARE_SUITE, SUITE_NEXT, SUITE_LAST = 61, 62, 63
"""Bonus for declaring a suite; with the next rank in hand; if nobody else can have that rank."""
DECLARE_REVERSE, REVERSE_NEXT, REVERSE_LAST, TURN_SUITE = 64, 65, 66, 67
"""The same for a reverse, and for a reverse inside a suite."""
SKIP = 68
"""Bonus for a pass if a declaration is possible."""
CLOSING, CLOSING_CARDS, CLOSING_STRENGTH = 69, 70, 71
"""Bonus for closing, for each card used, and for each step of strength given away."""
CARRE, CARRE_WEAK = 72, 73
"""Bonus for a révolution, and for each step by which the rest of the hand is weaker than the middle rank."""
DOOMED, GONE, GONE_SUNK = 74, 75, 76
"""Bonus for keeping only the closing rank, for going out, for sinking."""
HURRY = 77
"""Bonus for leading several cards if some other seat has only one card left."""
GO_ON = 78
"""Bonus for going on alone in a reverse."""
NOISE = 0.5
"""The largest random addition to a score, so that equal plays are tried equally often."""
LOOSE = 1.5
"""The same for the reference player of the coach: more, so that an estimate does not hang on one choice."""
SWAPS = 150
"""Swaps between one sampled deal and the next."""
FEW = 4
"""So many groups count as few."""

THUMB: Floats = np.array(
    [
        *range(0, -13, -1),
        *range(0, -13, -1),
        *range(0, -13, -1),
        *(*range(0, -12, -1), -6),
        *(0, 1, 2, 3),
        *(-2, -2, -2),
        *(0, 15),
        *(-1, 2, 2),
        *(2, 2, 2, -2),
        -10,
        *(5, 1, -0.2),
        *(-2, 0.3),
        *(-40, 100, -100),
        5,
        20,
    ],
    np.float64,
)
"""Rules of thumb, in the order above: weak cards first, whole groups, the closing rank to win the lead."""
LIKINGS: Floats = np.array(
    [
        *(0.3, -0.6, -1.9, -2.9, -4.0, -5.0, -6.1, -7.4, -9.6, -9.0, -9.8, -11.8, -12.1),
        *(-0.1, -0.3, -1.6, -2.3, -3.8, -4.2, -6.0, -7.5, -8.3, -9.4, -10.6, -11.6, -9.2),
        *(-4.2, -4.4, -4.9, -5.3, -5.6, -5.5, -5.6, -6.2, -6.5, -7.3, -8.0, -8.6, -9.0),
        *(-1.1, -0.3, -2.6, -3.2, -3.8, -4.8, -5.7, -6.7, -6.9, -8.2, -8.6, -10.8, -6.3),
        *(0.0, 1.2, 0.9, 3.0),
        *(-4.6, -3.9, -2.0),
        *(-2.2, 14.3),
        *(1.0, 1.9, 0.5),
        *(1.8, 1.6, 2.1, -1.2),
        -10.0,
        *(7.2, 1.6, 0.7),
        *(-1.4, 5.2),
        *(-40.0, 100.0, -100.0),
        5.0,
        19.6,
    ]
)
"""The same weights, tuned by hill climbing over tens of thousands of manches."""


@compiled
def losers(hand: int, unseen: int, revolution: int) -> int:
    """Count the ranks of a hand that unseen cards can beat."""
    count = 0
    for rank in range(13):
        cards = held(hand, rank)
        if cards and groups_of(unseen, cards) & from_rank(rank, revolution):
            count += 1
    return count


@compiled
def score(s: Ints, w: Floats, action: int) -> float:
    """Score an action of the seat to act by the weights, from what that seat can see."""
    seat, revolution = s[TURN], s[REVOLUTION]
    hand = s[HANDS + seat]
    cards = action >> 2 & 7
    if cards == 0:
        if action == CLOSE:
            return worth_closing(s, w, seat)
        return w[SKIP] if action == PASS else 0.0
    rank, declare = action >> 5, action & 3
    strength = TWO - rank if revolution else rank
    after = hand - (cards << 4 * rank)
    if after == 0:
        return w[GONE_SUNK] if strength == TWO else w[GONE]
    unseen = DECK - s[PLAYED] - hand
    if s[ALONE]:
        value = w[GO_ON]
    else:
        late = 13 if total(groups_of(hand, 1)) <= FEW else 0
        value = w[(FOLLOW if s[SIZE] else LEAD) + late + strength]
    left = held(after, rank)
    if left:
        value += w[SPLIT + left - 1]
    if only_closes(after, revolution ^ (cards == 4)):
        value += w[DOOMED]
    if declare:
        value += worth_declaring(s, w, action, after)
    elif strength == TWO or not groups_of(unseen, cards) & from_rank(rank, revolution):
        value += w[SURE]
        if losers(after, unseen, revolution) <= 1:
            value += w[PLAN]
    if s[SIZE] == 0:
        value += w[TOGETHER + cards - 1]
        if cards == 4:
            value += w[CARRE] + w[CARRE_WEAK] * weakness(after, revolution)
        if cards > 1 and shortest(s, seat) == 1:
            value += w[HURRY]
    return value


@compiled
def only_closes(hand: int, revolution: int) -> bool:
    """Return whether a hand has only the closing rank."""
    return hand < 16 if revolution else hand & (1 << 4 * TWO) - 1 == 0


@compiled
def worth_declaring(s: Ints, w: Floats, action: int, after: int) -> float:
    """Score the declaration of a play by the seats that could go on."""
    rank, cards, declare = action >> 5, action >> 2 & 7, action & 3
    up = -1 if s[REVOLUTION] else 1
    onward = rank + up if declare == SUITE else rank - up
    there = 0 <= onward <= TWO
    mine = there and held(after, onward) >= cards
    theirs = there and held(DECK - s[PLAYED] - s[HANDS + s[TURN]], onward) >= cards
    if declare == SUITE:
        return w[DECLARE_SUITE] + w[SUITE_NEXT] * mine + w[SUITE_LAST] * (not theirs)
    value = w[DECLARE_REVERSE] + w[REVERSE_NEXT] * mine + w[REVERSE_LAST] * (not theirs)
    return value + w[TURN_SUITE] if s[MODE] == SUITE else value


@compiled
def weakness(hand: int, revolution: int) -> int:
    """Return by how many steps in total the cards of a hand are weaker than the middle rank."""
    steps = 0
    for rank in range(13):
        steps += held(hand, rank) * (6 - rank)
    return -steps if revolution else steps


@compiled
def shortest(s: Ints, seat: int) -> int:
    """Return the smallest number of cards in another hand."""
    fewest = 52
    for other in range(s[SEATS]):
        if other != seat and s[HANDS + other]:
            fewest = min(fewest, total(s[HANDS + other]))
    return fewest


@compiled
def worth_closing(s: Ints, w: Floats, seat: int) -> float:
    """Score closing with the missing cards (P9)."""
    rank, cards = s[TOP], 4 - s[RUN]
    after = s[HANDS + seat] - (cards << 4 * rank)
    if after == 0:
        return w[GONE]
    strength = TWO - rank if s[REVOLUTION] else rank
    value = w[CLOSING] + w[CLOSING_CARDS] * cards + w[CLOSING_STRENGTH] * strength
    return value + w[DOOMED] if only_closes(after, s[REVOLUTION]) else value


@compiled
def act(s: Ints, w: Floats, out: Ints, noise: float, dice: Ints) -> bool:
    """Play the action with the best score and return whether it ends the manche."""
    count = legal(s, out)
    best = out[0]
    if count > 1:
        most = -1e9
        for at in range(count):
            liked = score(s, w, out[at]) + noise * pick(dice, 1024) / 1024.0
            if liked > most:
                most, best = liked, out[at]
    return apply(s, s[TURN], best)


@compiled
def play_on(s: Ints, w: Floats, out: Ints, noise: float, dice: Ints) -> None:
    """Play a manche to its end, with the same weights for every seat."""
    over = s[LEFT] == 1
    while not over:
        cuts = closer(s)
        if cuts >= 0 and worth_closing(s, w, cuts) > 0.0:
            over = apply(s, cuts, CLOSE)
        else:
            over = act(s, w, out, noise, dice)


@compiled
def random_manches(seats: int, manches: int, dice: Ints) -> int:
    """Play manches at random, with closing out of turn, and return the number of actions."""
    s = np.zeros(STATE, np.int64)
    out = np.empty(ACTIONS, np.int64)
    actions = 0
    for _ in range(manches):
        deal(s, seats, dice)
        over = False
        while not over:
            cuts = closer(s)
            if cuts >= 0 and pick(dice, 2) == 0:
                over = apply(s, cuts, CLOSE)
            else:
                count = legal(s, out)
                over = apply(s, s[TURN], out[pick(dice, count) if count > 1 else 0])
            actions += 1
    return actions


@compiled
def mix(s: Ints, owners: Ints, ranks: Ints, odds: Floats, swaps: int, dice: Ints) -> None:
    """Swap hidden cards between hands until the deal is a fresh sample (Metropolis).

    `odds` is how likely each seat holds 0 to 4 cards of each rank. The probability of a deal is proportional to the
    product of the odds of its hands.
    """
    cards = owners.size
    if cards == 0:
        return
    for _ in range(swaps):
        one, two = pick(dice, cards), pick(dice, cards)
        a, b = owners[one], owners[two]
        x, y = ranks[one], ranks[two]
        if a == b or x == y:
            continue
        ax, ay = 65 * a + 5 * x + held(s[a], x), 65 * a + 5 * y + held(s[a], y)
        bx, by = 65 * b + 5 * x + held(s[b], x), 65 * b + 5 * y + held(s[b], y)
        now = odds[ax] * odds[ay] * odds[bx] * odds[by]
        then = odds[ax - 1] * odds[ay + 1] * odds[bx + 1] * odds[by - 1]
        if then >= now or then * 65536 > now * pick(dice, 65536):
            owners[one], owners[two] = b, a
            s[a] += (1 << 4 * y) - (1 << 4 * x)
            s[b] += (1 << 4 * x) - (1 << 4 * y)


@compiled
def try_actions(
    root: Ints,
    seat: int,
    actions: Ints,
    owners: Ints,
    ranks: Ints,
    odds: Floats,
    w: Floats,
    worth: Floats,
    worlds: int,
    dice: Ints,
    totals: Floats,
) -> None:
    """Sample hands, try each action on them, play to the end and add up the values of the places."""
    s = np.empty(STATE, np.int64)
    out = np.empty(ACTIONS, np.int64)
    luck = np.empty(1, np.int64)
    for _ in range(worlds):
        mix(root, owners, ranks, odds, SWAPS, dice)
        for at in range(actions.size):
            for field in range(STATE):
                s[field] = root[field]
            luck[0] = dice[0]
            if actions[at] == WAIT:
                act(s, w, out, NOISE, luck)
            else:
                apply(s, seat, actions[at])
            play_on(s, w, out, NOISE, luck)
            totals[at] += worth[place_of(s, seat)]


@compiled
def highest(hand: int, cards: int) -> int:
    """Return the best cards of a hand in normal order."""
    best = 0
    for rank in range(TWO, -1, -1):
        some = min(cards, held(hand, rank))
        best += some << 4 * rank
        cards -= some
    return best


@compiled
def lowest(hand: int, cards: int) -> int:
    """Return the worst cards of a hand in normal order."""
    worst = 0
    for rank in range(13):
        some = min(cards, held(hand, rank))
        worst += some << 4 * rank
        cards -= some
    return worst


@compiled
def swap(s: Ints, upper: int, lower: int, given: int, cards: int) -> None:
    """Exchange an upper rank's gift for the best cards of a lower one (P2)."""
    best = highest(s[HANDS + lower], cards)
    s[HANDS + upper] += best - given
    s[HANDS + lower] += given - best


@compiled
def try_gifts(
    root: Ints,
    ranking: Ints,
    place: int,
    gifts: Ints,
    owners: Ints,
    ranks: Ints,
    odds: Floats,
    w: Floats,
    worth: Floats,
    worlds: int,
    dice: Ints,
    totals: Floats,
) -> None:
    """Sample dealt hands, try each gift of the Président (place 0) or Vice-Président (1), and play the manche."""
    s = np.empty(STATE, np.int64)
    out = np.empty(ACTIONS, np.int64)
    luck = np.empty(1, np.int64)
    last = ranking.size - 1
    for _ in range(worlds):
        mix(root, owners, ranks, odds, SWAPS, dice)
        for at in range(gifts.size):
            for field in range(STATE):
                s[field] = root[field]
            luck[0] = dice[0]
            for upper in range(2):
                given = gifts[at] if upper == place else lowest(s[HANDS + ranking[upper]], 2 - upper)
                swap(s, ranking[upper], ranking[last - upper], given, 2 - upper)
            play_on(s, w, out, NOISE, luck)
            totals[at] += worth[place_of(s, ranking[place])]


@compiled
def count_traded(seats: int, deals: int, dice: Ints, counts: Ints) -> None:
    """Count the cards of each rank that Président, Vice-Président, last but one and Trouduc have after exchanges."""
    s = np.zeros(STATE, np.int64)
    for _ in range(deals):
        deal(s, seats, dice)
        for upper in range(2):
            lower = 3 - upper
            swap(s, upper, lower, lowest(s[HANDS + upper], 2 - upper), 2 - upper)
        for seat in range(4):
            for rank in range(13):
                counts[13 * seat + rank] += held(s[HANDS + seat], rank)


@compiled
def note_places(s: Ints, places: Ints, at: int) -> None:
    """Write down the place of each seat after a manche, from `at` on."""
    for seat in range(s[SEATS]):
        places[at + seat] = place_of(s, seat)


@compiled
def judge_actions(
    root: Ints,
    seat: int,
    actions: Ints,
    owners: Ints,
    ranks: Ints,
    odds: Floats,
    w: Floats,
    worlds: int,
    dice: Ints,
    places: Ints,
) -> None:
    """Sample hands, try each action on them, play to the end and note all places, by action, world and seat."""
    s = np.empty(STATE, np.int64)
    out = np.empty(ACTIONS, np.int64)
    luck = np.empty(1, np.int64)
    seats = root[SEATS]
    for world in range(worlds):
        mix(root, owners, ranks, odds, SWAPS, dice)
        for at in range(actions.size):
            for field in range(STATE):
                s[field] = root[field]
            luck[0] = dice[0]
            over = act(s, w, out, LOOSE, luck) if actions[at] == WAIT else apply(s, seat, actions[at])
            if not over:
                play_on(s, w, out, LOOSE, luck)
            note_places(s, places, (at * worlds + world) * seats)


@compiled
def judge_gifts(
    root: Ints,
    ranking: Ints,
    place: int,
    gifts: Ints,
    owners: Ints,
    ranks: Ints,
    odds: Floats,
    w: Floats,
    worlds: int,
    dice: Ints,
    places: Ints,
) -> None:
    """Sample dealt hands, try each gift of an upper rank, play the manche and note all places, as `judge_actions`."""
    s = np.empty(STATE, np.int64)
    out = np.empty(ACTIONS, np.int64)
    luck = np.empty(1, np.int64)
    last = ranking.size - 1
    for world in range(worlds):
        mix(root, owners, ranks, odds, SWAPS, dice)
        for at in range(gifts.size):
            for field in range(STATE):
                s[field] = root[field]
            luck[0] = dice[0]
            for upper in range(2):
                given = gifts[at] if upper == place else lowest(s[HANDS + ranking[upper]], 2 - upper)
                swap(s, ranking[upper], ranking[last - upper], given, 2 - upper)
            play_on(s, w, out, LOOSE, luck)
            note_places(s, places, (at * worlds + world) * ranking.size)


@compiled
def judge_state(root: Ints, w: Floats, trials: int, dice: Ints, places: Ints) -> None:
    """Play a manche with known hands to its end several times and note all places, by trial and seat."""
    s = np.empty(STATE, np.int64)
    out = np.empty(ACTIONS, np.int64)
    for trial in range(trials):
        for field in range(STATE):
            s[field] = root[field]
        play_on(s, w, out, LOOSE, dice)
        note_places(s, places, trial * root[SEATS])


@compiled
def count_climbs(seats: int, manches: int, w: Floats, dice: Ints, counts: Ints) -> None:
    """Count which place each title reaches in a manche with the automatic exchange, led by the Trouduc (P1, P2)."""
    s = np.zeros(STATE, np.int64)
    out = np.empty(ACTIONS, np.int64)
    for _ in range(manches):
        deal(s, seats, dice)
        for upper in range(2):
            lower = seats - 1 - upper
            swap(s, upper, lower, lowest(s[HANDS + upper], 2 - upper), 2 - upper)
        begin(s, seats, seats - 1)
        play_on(s, w, out, LOOSE, dice)
        for seat in range(seats):
            counts[seats * seat + place_of(s, seat)] += 1


# What the networks see: the numbers of the bits that are set, in the layout of training/president/observe.h.
STATE_BITS, ACTION_BITS = 448, 128
SMALL_BITS = 261
"""The small network sees the first bits of the state only."""
OPPONENT, MAY_HOLD = 156, 261
"""The first bits of the opponents' slots."""
FEWEST: Ints = np.array([1, 2, 3, 4, 5, 7, 10])
"""The numbers of cards that an opponent's slot tells apart."""
ON = 512
"""Space for the bits of a state and an action."""


@compiled
def mark(on: Ints, count: int, bit: int, value: bool) -> int:
    """Add a bit if it is set, and return the new number of bits."""
    on[count] = bit
    return count + 1 if value else count


@compiled
def mark_hand(on: Ints, count: int, first: int, hand: int, revolution: int) -> int:
    """Add a bit for each card of a hand, by strength."""
    for strength in range(13):
        for cards in range(held(hand, TWO - strength if revolution else strength)):
            on[count] = first + 4 * strength + cards
            count += 1
    return count


@compiled
def mark_title(on: Ints, count: int, first: int, titles: int, seat: int) -> int:
    """Add the bit of a seat's title: four bits a seat, 1 to 4 for Président, Vice-Président, last but one, Trouduc."""
    title = titles >> 4 * seat & 15
    return mark(on, count, first + title - 1, title > 0)


@compiled
def observe_trick(s: Ints, me: int, on: Ints, count: int) -> int:
    """Add the bits of the trick and of the manche as a whole."""
    revolution = s[REVOLUTION]
    count = mark(on, count, 103 + s[SIZE], s[SIZE] > 0)
    count = mark(on, count, 108 + (TWO - s[TOP] if revolution else s[TOP]), s[SIZE] > 0)
    count = mark(on, count, 120 + s[MODE], s[MODE] > 0)
    count = mark(on, count, 124, s[PLAYS] == 1)
    count = mark(on, count, 125, s[ALONE] != 0)
    count = mark(on, count, 126, s[RUN] >= 2)
    count = mark(on, count, 127, s[RUN] >= 3)
    count = mark(on, count, 128, revolution != 0)
    count = mark(on, count, 129, s[TURN] != me)
    count = mark(on, count, 126 + s[SEATS], True)
    count = mark(on, count, 133 + s[LEFT], True)
    for gone in range(6):
        count = mark(on, count, 142 + gone, s[SAFE] > gone)
    for sunk in range(3):
        count = mark(on, count, 148 + sunk, s[SUNK] > sunk)
    return mark(on, count, 155, s[WAITING] >> me & 1 != 0)


@compiled
def observe(s: Ints, titles: int, me: int, on: Ints) -> int:
    """Write the bits of the state that the small network sees and return their number."""
    seats = s[SEATS]
    count = mark_hand(on, 0, 0, s[HANDS + me], s[REVOLUTION])
    count = mark_hand(on, count, 52, DECK - s[PLAYED] - s[HANDS + me], s[REVOLUTION])
    count = observe_trick(s, me, on, count)
    count = mark_title(on, count, 151, titles, me)
    first = OPPONENT
    for step in range(1, seats):
        seat = me + step if me + step < seats else me + step - seats
        cards = total(s[HANDS + seat])
        if cards == 0:
            continue
        for at in range(7):
            count = mark(on, count, first + at, cards >= FEWEST[at])
        count = mark(on, count, first + 7, s[OUT] >> seat & 1 != 0)
        count = mark(on, count, first + 8, s[WAITING] >> seat & 1 != 0)
        count = mark(on, count, first + 9, s[LAST] == seat)
        count = mark(on, count, first + 10, s[TURN] == seat)
        count = mark_title(on, count, first + 11, titles, seat)
        first += 15
    return count


@compiled
def observe_limits(s: Ints, most: Ints, me: int, on: Ints, count: int) -> int:
    """Add the bits that only the judge sees: what opponents may hold, by the most cards of each rank."""
    seats, unseen = s[SEATS], DECK - s[PLAYED] - s[HANDS + me]
    first = MAY_HOLD
    for step in range(1, seats):
        seat = me + step if me + step < seats else me + step - seats
        if s[HANDS + seat] == 0:
            continue
        for strength in range(13):
            rank = TWO - strength if s[REVOLUTION] else strength
            cards = min(held(most[seat], rank), held(unseen, rank))
            count = mark(on, count, first + 2 * strength, cards >= 1)
            count = mark(on, count, first + 2 * strength + 1, cards >= 2)
        first += 26
    return count


@compiled
def describe(s: Ints, me: int, action: int, on: Ints, count: int) -> int:
    """Add the bits of an action and return the new number of bits."""
    revolution = s[REVOLUTION]
    hand = s[HANDS + me]
    unseen = DECK - s[PLAYED] - hand
    cards, rank = action >> 2 & 7, action >> 5
    declare = action & 3 if cards else 0
    if action < 4:
        count = mark(on, count, STATE_BITS + 54 + action, True)
        if action == CLOSE:
            rank, cards = s[TOP], 4 - s[RUN]
    after = hand - (cards << 4 * rank)
    if cards:
        count = describe_play(s, rank, cards, declare, action == CLOSE, hand, on, count)
    turned = revolution ^ (cards == 4)
    count = mark(on, count, STATE_BITS + 115, after != 0 and only_closes(after, turned))
    return mark(on, count, STATE_BITS + 117 + min(losers(after, unseen, turned), 4), True)


@compiled
def describe_play(s: Ints, rank: int, cards: int, declare: int, closes: bool, hand: int, on: Ints, count: int) -> int:
    """Add the bits of the cards that an action lays."""
    revolution = s[REVOLUTION]
    strength = TWO - rank if revolution else rank
    have = held(hand, rank)
    after, unseen = hand - (cards << 4 * rank), DECK - s[PLAYED] - hand
    count = mark(on, count, STATE_BITS + 4 * strength + cards - 1, True)
    count = mark(on, count, STATE_BITS + 51 + declare, declare > 0)
    for card in range(have - cards, have):
        count = mark(on, count, STATE_BITS + 58 + 4 * strength + card, True)
    count = mark(on, count, STATE_BITS + 109 + have - cards, have > cards)
    again = s[SIZE] > 0 and s[TOP] == rank
    four = closes or (s[RUN] if again else 0) + cards == 4
    beaten = groups_of(unseen, cards) & from_rank(rank, revolution) != 0
    count = mark(on, count, STATE_BITS + 113, after == 0)
    count = mark(on, count, STATE_BITS + 114, after == 0 and strength == TWO)
    count = mark(on, count, STATE_BITS + 116, strength == TWO or four or not beaten)
    mode = declare if declare else s[MODE]
    if mode in (SUITE, REVERSE):
        onward = rank + 1 if (mode == SUITE) != (revolution != 0) else rank - 1
        there = 0 <= onward <= TWO
        count = mark(on, count, STATE_BITS + 122, there and held(after, onward) >= cards)
        count = mark(on, count, STATE_BITS + 123, there and held(unseen, onward) >= cards)
    count = mark(on, count, STATE_BITS + 124, again)
    return mark(on, count, STATE_BITS + 125, strength == TWO or four)


@compiled
def pass_layer(x: Rows, weights: Rows, biases: Rows, y: Rows) -> None:
    """Compute a layer of the judge for each row of `x`; inputs of 0 cost nothing, and there are many."""
    for row in range(x.shape[0]):
        for unit in range(biases.size):
            y[row, unit] = biases[unit]
    for at in range(x.shape[1]):
        for row in range(x.shape[0]):
            value = x[row, at]
            if value != 0:
                for unit in range(biases.size):
                    y[row, unit] += value * weights[at, unit]


# The small network as a player. `net` has one row of hidden units for each of these; networks.py makes it.
BOTH = 0
"""By strength, cards in the own hand, and unseen cards."""
ON_TOP = BOTH + 13 * 25
"""By cards in each play of the trick, and strength on top."""
SLOT = ON_TOP + 5 * 13
"""Seven opponents: by number of cards, then the other bits of the slot."""
SLOT_ROWS, SLOT_BITS = 24, 16
MANCHE = SLOT + 7 * SLOT_ROWS - 104
"""The bits of the trick and the manche: add the number of the bit."""
LAID = MANCHE + 156
"""By strength, cards laid, and cards of the rank in hand."""
CHOICE = LAID + 13 * 20
"""The bits of the action: add the number of the bit."""
NET_ROWS = CHOICE + 128


@compiled
def add_row(net: Rows, row: int, to: Rows, at: int) -> None:
    """Add a row of the network to hidden units."""
    for unit in range(net.shape[1]):
        to[at, unit] += net[row, unit]


@compiled
def feel_state(s: Ints, titles: int, me: int, net: Rows, units: Rows) -> None:
    """Compute the part of the hidden units that is the same for all options of a seat, in the first row of `units`."""
    revolution, hand = s[REVOLUTION], s[HANDS + me]
    unseen = DECK - s[PLAYED] - hand
    top = 0 if s[SIZE] == 0 else TWO - s[TOP] if revolution else s[TOP]
    row = ON_TOP + 13 * s[SIZE] + top
    for unit in range(net.shape[1]):
        units[0, unit] = net[row, unit]
    for strength in range(13):
        rank = TWO - strength if revolution else strength
        mine, others = held(hand, rank), held(unseen, rank)
        if mine + others:
            add_row(net, BOTH + 25 * strength + 5 * mine + others, units, 0)
    feel_manche(s, titles, me, net, units)
    feel_opponents(s, titles, me, net, units)


@compiled
def feel_manche(s: Ints, titles: int, me: int, net: Rows, units: Rows) -> None:
    """Add the bits from 121 to 155: the trick and the manche as a whole."""
    if s[MODE]:
        add_row(net, MANCHE + 120 + s[MODE], units, 0)
    if s[PLAYS] == 1:
        add_row(net, MANCHE + 124, units, 0)
    if s[ALONE]:
        add_row(net, MANCHE + 125, units, 0)
    if s[RUN] >= 2:
        add_row(net, MANCHE + 126, units, 0)
    if s[RUN] >= 3:
        add_row(net, MANCHE + 127, units, 0)
    if s[REVOLUTION]:
        add_row(net, MANCHE + 128, units, 0)
    if s[TURN] != me:
        add_row(net, MANCHE + 129, units, 0)
    add_row(net, MANCHE + 126 + s[SEATS], units, 0)
    add_row(net, MANCHE + 133 + s[LEFT], units, 0)
    for gone in range(min(6, s[SAFE])):
        add_row(net, MANCHE + 142 + gone, units, 0)
    for sunk in range(min(3, s[SUNK])):
        add_row(net, MANCHE + 148 + sunk, units, 0)
    title = titles >> 4 * me & 15
    if title:
        add_row(net, MANCHE + 150 + title, units, 0)
    if s[WAITING] >> me & 1:
        add_row(net, MANCHE + 155, units, 0)


@compiled
def feel_opponents(s: Ints, titles: int, me: int, net: Rows, units: Rows) -> None:
    """Add the slots of the opponents."""
    seats = s[SEATS]
    first = SLOT
    for step in range(1, seats):
        seat = me + step if me + step < seats else me + step - seats
        if s[HANDS + seat] == 0:
            continue
        add_row(net, first + total(s[HANDS + seat]), units, 0)
        if s[OUT] >> seat & 1:
            add_row(net, first + SLOT_BITS, units, 0)
        if s[WAITING] >> seat & 1:
            add_row(net, first + SLOT_BITS + 1, units, 0)
        if s[LAST] == seat:
            add_row(net, first + SLOT_BITS + 2, units, 0)
        if s[TURN] == seat:
            add_row(net, first + SLOT_BITS + 3, units, 0)
        title = titles >> 4 * seat & 15
        if title:
            add_row(net, first + SLOT_BITS + 3 + title, units, 0)
        first += SLOT_ROWS


@compiled
def feel(s: Ints, me: int, action: int, net: Rows, last: Rows, units: Rows) -> float:
    """Score an option with the small network, after `feel_state`; scores are logits of the policy."""
    for unit in range(net.shape[1]):
        units[1, unit] = units[0, unit]
    revolution, hand = s[REVOLUTION], s[HANDS + me]
    unseen = DECK - s[PLAYED] - hand
    cards, rank = action >> 2 & 7, action >> 5
    if action < 4:
        add_row(net, CHOICE + 54 + action, units, 1)
        if action == CLOSE:
            rank, cards = s[TOP], 4 - s[RUN]
    after = hand - (cards << 4 * rank)
    if cards:
        feel_play(s, action, rank, cards, hand, net, units)
    turned = revolution ^ (cards == 4)
    if after != 0 and only_closes(after, turned):
        add_row(net, CHOICE + 115, units, 1)
    add_row(net, CHOICE + 117 + min(losers(after, unseen, turned), 4), units, 1)
    return weigh(units, last)


@compiled
def feel_play(s: Ints, action: int, rank: int, cards: int, hand: int, net: Rows, units: Rows) -> None:
    """Add the bits of the cards that an action lays, as `describe_play` lists them."""
    revolution, declare = s[REVOLUTION], 0 if action == CLOSE else action & 3
    strength = TWO - rank if revolution else rank
    after, unseen = hand - (cards << 4 * rank), DECK - s[PLAYED] - hand
    add_row(net, LAID + 20 * strength + 5 * (cards - 1) + held(hand, rank), units, 1)
    if declare:
        add_row(net, CHOICE + 51 + declare, units, 1)
    again = s[SIZE] > 0 and s[TOP] == rank
    four = action == CLOSE or (s[RUN] if again else 0) + cards == 4
    if after == 0:
        add_row(net, CHOICE + 113, units, 1)
        if strength == TWO:
            add_row(net, CHOICE + 114, units, 1)
    if strength == TWO or four:
        add_row(net, CHOICE + 116, units, 1)
        add_row(net, CHOICE + 125, units, 1)
    elif groups_of(unseen, cards) & from_rank(rank, revolution) == 0:
        add_row(net, CHOICE + 116, units, 1)
    mode = declare if declare else s[MODE]
    if mode in (SUITE, REVERSE):
        onward = rank + 1 if (mode == SUITE) != (revolution != 0) else rank - 1
        if 0 <= onward <= TWO:
            if held(after, onward) >= cards:
                add_row(net, CHOICE + 122, units, 1)
            if held(unseen, onward) >= cards:
                add_row(net, CHOICE + 123, units, 1)
    if again:
        add_row(net, CHOICE + 124, units, 1)


@summing
def weigh(units: Rows, last: Rows) -> float:
    """Return the output of the small network."""
    value = zero = np.float32(0)
    for unit in range(last.size):
        value += max(units[1, unit], zero) * last[unit]
    return float(value)


@compiled
def prefer(s: Ints, titles: int, net: Rows, last: Rows, units: Rows, out: Ints, heat: float, dice: Ints) -> int:
    """Choose an action of the seat to act with the small network: at random by its policy, or the best without heat."""
    count = legal(s, out)
    if count == 1:
        return out[0]
    me = s[TURN]
    feel_state(s, titles, me, net, units)
    best, most = 0, -1e9
    for at in range(count):
        liked = feel(s, me, out[at], net, last, units)
        if heat > 0.0:
            # Adding this noise to logits draws from their softmax (Gumbel).
            liked -= heat * log(-log((pick(dice, 1 << 30) + 0.5) / (1 << 30)))
        if liked > most:
            best, most = at, liked
    return out[best]


@compiled
def prefers_closing(s: Ints, titles: int, seat: int, net: Rows, last: Rows, units: Rows) -> bool:
    """Return whether the small network closes out of turn."""
    feel_state(s, titles, seat, net, units)
    return feel(s, seat, CLOSE, net, last, units) > feel(s, seat, WAIT, net, last, units)


@compiled
def play_out(s: Ints, titles: int, net: Rows, last: Rows, units: Rows, out: Ints, heat: float, dice: Ints) -> None:
    """Play a manche to its end with the small network in every seat."""
    over = s[LEFT] == 1
    while not over:
        cuts = closer(s)
        if cuts >= 0 and prefers_closing(s, titles, cuts, net, last, units):
            over = apply(s, cuts, CLOSE)
        else:
            over = apply(s, s[TURN], prefer(s, titles, net, last, units, out, heat, dice))


@compiled
def explore_actions(
    root: Ints,
    seat: int,
    actions: Ints,
    owners: Ints,
    ranks: Ints,
    odds: Floats,
    titles: int,
    net: Rows,
    last: Rows,
    heat: float,
    worlds: int,
    dice: Ints,
    places: Ints,
) -> None:
    """Sample hands, try each action on them, play out with the small network and count the places, by action."""
    s = np.empty(STATE, np.int64)
    out = np.empty(ACTIONS, np.int64)
    luck = np.empty(1, np.int64)
    units = np.empty((2, last.size), np.float32)
    for _ in range(worlds):
        mix(root, owners, ranks, odds, SWAPS, dice)
        for at in range(actions.size):
            for field in range(STATE):
                s[field] = root[field]
            luck[0] = dice[0]
            if actions[at] == WAIT:
                apply(s, s[TURN], prefer(s, titles, net, last, units, out, heat, luck))
            else:
                apply(s, seat, actions[at])
            play_out(s, titles, net, last, units, out, heat, luck)
            places[8 * at + place_of(s, seat)] += 1


@compiled
def explore_gifts(
    root: Ints,
    ranking: Ints,
    place: int,
    gifts: Ints,
    owners: Ints,
    ranks: Ints,
    odds: Floats,
    titles: int,
    net: Rows,
    last: Rows,
    heat: float,
    worlds: int,
    dice: Ints,
    places: Ints,
) -> None:
    """Sample dealt hands, try each gift of an upper rank, play out with the small network and count the places."""
    s = np.empty(STATE, np.int64)
    out = np.empty(ACTIONS, np.int64)
    luck = np.empty(1, np.int64)
    units = np.empty((2, last.size), np.float32)
    end = ranking.size - 1
    for _ in range(worlds):
        mix(root, owners, ranks, odds, SWAPS, dice)
        for at in range(gifts.size):
            for field in range(STATE):
                s[field] = root[field]
            luck[0] = dice[0]
            for upper in range(2):
                given = gifts[at] if upper == place else lowest(s[HANDS + ranking[upper]], 2 - upper)
                swap(s, ranking[upper], ranking[end - upper], given, 2 - upper)
            play_out(s, titles, net, last, units, out, heat, luck)
            places[8 * at + place_of(s, ranking[place])] += 1
