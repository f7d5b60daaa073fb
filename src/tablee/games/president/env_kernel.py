"""Many matches of Super Président, compiled by Numba, for `tablee.envs.vector`.

`rules.py` and `env.py` stay the reference; a test compares the two step by step. Unlike `kernel.py`, which counts
cards, this one keeps suits, because actions and observations name cards. The bit of a card is 4 × strength + suit. A
match is one array of int64, indexed by the names below. The exchange is automatic.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import desk_kernel
from ...core.cards import DECK
from ...core.desk_kernel import on_desk
from ...core.encoding import MATCH_OVER, REFUSED
from ...core.machine import Ints, compiled, follow, highest, lean, lowest, pick, popcount
from .deck import CARDS

Batch = Any

DICE, STAGE, MANCHE, TO_ACT, ASKED, REVOLUTION, LAID, LAST, TOP, PLAY_SIZE = range(10)
"""`ASKED`: the seat that chooses, which may close out of turn. `LAID`: plays in the trick. `LAST`: the last seat."""
DIRECTION, OU_RIEN, RUN, OUT, WAIVED, PLAYED, SAFE, SUNK, LEFT = range(10, 19)
"""`SAFE`, `SUNK`: how many seats went out without sinking, and sank. `LEFT`: the seats with cards."""
HANDS, MOST, FINISHED, SANK, SCORES, TITLES, GIVEN, RECEIVED = range(20, 84, 8)
"""Eight numbers each. `FINISHED` and `SANK`: the seats in order. `TITLES`: places of the last manche, from 0, or -1."""
PACK = 84
"""The cards that are left while a deal is drawn."""
STATE = PACK + 52
PLAYING, ALONE, OVER = 1, 2, 3
SUITE, REVERSE = 1, 2
SEATS, ROUNDS = 0, 1
"""The facts of a kernel."""
CLOSE, PASS, STOP, WAIT = 585, 586, 587, 588
SETS = 15
SEAT, TABLE = 26, 248
FREE = 0x4444444444444
QUEEN_OF_HEARTS = CARDS.index("QH")
PLACE_OF_CARD: Ints = np.array([CARDS.index(card) for card in DECK])


@lean
def deal(s: Ints, seats: int, dealer: int) -> None:
    """Deal all cards one by one, clockwise from the seat after the dealer (P1)."""
    for card in range(52):
        s[PACK + card] = card
    for seat in range(8):
        s[HANDS + seat] = 0
    for dealt in range(52):
        left = 52 - dealt
        at = pick(s, left)
        s[HANDS + (dealer + dealt + 1) % seats] |= 1 << PLACE_OF_CARD[s[PACK + at]]
        s[PACK + at] = s[PACK + left - 1]


@lean
def begin_manche(s: Ints, dealer: int, facts: Ints) -> None:
    """Deal, exchange, and let the first seat lead."""
    seats = facts[SEATS]
    deal(s, seats, dealer)
    s[MANCHE] += 1
    for seat in range(8):
        s[MOST + seat] = FREE
        s[GIVEN + seat] = s[RECEIVED + seat] = 0
    s[STAGE] = PLAYING
    s[REVOLUTION] = s[PLAYED] = s[SAFE] = s[SUNK] = 0
    s[LEFT] = seats
    s[TO_ACT] = dealer
    if s[MANCHE] == 1:
        while not s[HANDS + s[TO_ACT]] >> QUEEN_OF_HEARTS & 1:
            s[TO_ACT] = (s[TO_ACT] + 1) % seats
    else:
        trade(s, seats, 0, 2)
        trade(s, seats, 1, 1)
    clear_trick(s)


@lean
def trade(s: Ints, seats: int, place: int, count: int) -> None:
    """Exchange the worst cards of an upper rank for the best of its partner (P2)."""
    upper = lower = 0
    for seat in range(seats):
        if s[TITLES + seat] == place:
            upper = seat
        if s[TITLES + seat] == seats - 1 - place:
            lower = seat
    worst = best = 0
    mine, theirs = s[HANDS + upper], s[HANDS + lower]
    for _ in range(count):
        worst |= 1 << lowest(mine & ~worst)
        best |= 1 << highest(theirs & ~best)
    s[HANDS + upper] = mine & ~worst | best
    s[HANDS + lower] = theirs & ~best | worst
    s[GIVEN + upper] = s[RECEIVED + lower] = worst
    s[GIVEN + lower] = s[RECEIVED + upper] = best


@lean
def clear_trick(s: Ints) -> None:
    s[LAID] = s[DIRECTION] = s[OU_RIEN] = s[RUN] = s[OUT] = s[WAIVED] = s[PLAY_SIZE] = 0
    s[LAST] = s[TOP] = -1


@lean
def reset(s: Ints, facts: Ints) -> None:
    for at in range(1, PACK):
        s[at] = 0
    for seat in range(8):
        s[TITLES + seat] = -1
    begin_manche(s, pick(s, facts[SEATS]), facts)
    ask(s, facts)


@compiled
def renew_all(states: Batch, ended: Batch, facts: Ints) -> None:
    for row in range(states.shape[0]):
        if ended[row]:
            reset(states[row], facts)


@lean
def beside(strength: int, declare: int, revolution: int) -> int:
    """Return the next strength in a suite or the previous one in a reverse, or -1 (P5, P6)."""
    up = (declare == SUITE) != (revolution == 1)
    found = strength + 1 if up else strength - 1
    return found if 0 <= found <= 12 else -1


@lean
def allowed(s: Ints) -> int:
    """Return the strengths that can be played without a declaration, one bit each."""
    if s[LAID] == 0:
        return (1 << 13) - 1
    if s[OU_RIEN]:
        return 1 << s[TOP]
    if s[DIRECTION]:
        required = beside(s[TOP], s[DIRECTION], s[REVOLUTION])
        return 0 if required < 0 else 1 << required
    return (2 << s[TOP]) - 1 if s[REVOLUTION] else ((1 << 13) - 1) & ~((1 << s[TOP]) - 1)


@lean
def declarable(s: Ints, declare: int) -> int:
    """Return the strength that can declare a suite or a reverse, or -1 (P5, P6)."""
    if s[LAID] == 1:
        return beside(s[TOP], declare, s[REVOLUTION])
    if declare == REVERSE and s[DIRECTION] == SUITE and s[STAGE] == PLAYING:
        return beside(s[TOP], SUITE, s[REVOLUTION])
    return -1


@lean
def missing(s: Ints) -> int:
    """Return the cards that would complete four in a row of the rank on top, or none (P9)."""
    if s[LAID] == 0 or s[STAGE] != PLAYING:
        return 0
    rest = 15 << 4 * s[TOP] & ~s[RUN]
    if s[PLAYED] & rest or popcount(rest) % s[PLAY_SIZE]:
        return 0
    return rest


@lean
def closer(s: Ints, seats: int) -> int:
    """Return the seat that can close the trick now, or -1 (P9)."""
    rest = missing(s)
    if rest == 0:
        return -1
    for seat in range(seats):
        if s[HANDS + seat] & rest == rest:
            return -1 if s[OUT] >> seat & 1 or seat == s[LAST] else seat
    return -1


@lean
def ask(s: Ints, facts: Ints) -> None:
    """Ask a seat that can close out of turn first, else the seat in turn."""
    found = closer(s, facts[SEATS])
    s[ASKED] = s[TO_ACT] if found < 0 else found


@lean
def lay(s: Ints, seat: int, strength: int, cards: int, declare: int, facts: Ints) -> None:
    """Lay cards, and go on to the next seat, trick or manche."""
    count = popcount(cards)
    same = s[LAID] > 0 and s[TOP] == strength
    s[RUN] = s[RUN] | cards if same else cards
    s[HANDS + seat] ^= cards
    closing = strength == (0 if s[REVOLUTION] else 12)
    ends = count == 4 or closing or popcount(s[RUN]) == 4
    if s[HANDS + seat] == 0:
        s[LEFT] -= 1
        if closing:  # P11
            s[SANK + s[SUNK]] = seat
            s[SUNK] += 1
        else:
            s[FINISHED + s[SAFE]] = seat
            s[SAFE] += 1
    if s[LAID] == 0:
        s[PLAY_SIZE] = count
    s[LAID] += 1
    s[TOP] = strength
    s[LAST] = seat
    s[DIRECTION] = declare if declare else s[DIRECTION]
    s[OU_RIEN] = same and count == 1 and not ends  # P7
    s[WAIVED] = 0
    s[PLAYED] |= cards
    s[MOST + seat] -= count << 4 * strength
    if s[HANDS + seat] == 0 and s[LEFT] == 1:
        end_manche(s, facts)
    elif ends:
        end_trick(s, count == 4, facts)
    else:
        ask_next(s, seat, facts)


@lean
def pass_turn(s: Ints, seat: int, facts: Ints) -> None:
    """Put a seat out of the trick, or end Ou-Rien, and note which cards it cannot hold (P4, P7)."""
    fewer = s[PLAY_SIZE] - 1
    ranks = allowed(s)
    for strength in range(13):
        if ranks >> strength & 1 and s[MOST + seat] >> 4 * strength & 15 > fewer:
            s[MOST + seat] = s[MOST + seat] & ~(15 << 4 * strength) | fewer << 4 * strength
    if s[OU_RIEN]:
        s[OU_RIEN] = 0
        s[WAIVED] |= 1 << seat
    else:
        s[OUT] |= 1 << seat
    ask_next(s, seat, facts)


@lean
def ask_next(s: Ints, seat: int, facts: Ints) -> None:
    """Pass the turn to the next seat in the trick; if there is none, end it or let its last player go on (P4, P6)."""
    seats, done = facts[SEATS], s[OUT] | s[WAIVED]
    asked = (seat + 1) % seats
    while asked != s[LAST]:
        if s[HANDS + asked] and not done >> asked & 1:
            s[TO_ACT] = asked
            return
        asked = (asked + 1) % seats
    if s[DIRECTION] == REVERSE and s[HANDS + s[LAST]] and beside(s[TOP], REVERSE, s[REVOLUTION]) >= 0:
        s[STAGE] = ALONE
        s[TO_ACT] = s[LAST]
    else:
        end_trick(s, False, facts)


@lean
def end_trick(s: Ints, carre: bool, facts: Ints) -> None:
    """Clear the table; the last seat that laid cards leads, or the next seat that has cards (P4)."""
    leader = s[LAST]
    while s[HANDS + leader] == 0:
        leader = (leader + 1) % facts[SEATS]
    s[STAGE] = PLAYING
    s[TO_ACT] = leader
    if carre:
        s[REVOLUTION] = 1 - s[REVOLUTION]
    clear_trick(s)


@lean
def end_manche(s: Ints, facts: Ints) -> None:
    """Rank the seats (P11), count the points (P12), then deal again or end the match."""
    seats = facts[SEATS]
    for place in range(s[SAFE]):
        s[TITLES + s[FINISHED + place]] = place
    for seat in range(seats):
        if s[HANDS + seat]:
            s[TITLES + seat] = s[SAFE]
    for number in range(s[SUNK]):
        s[TITLES + s[SANK + number]] = s[SAFE] + 1 + number
    dealer = 0
    for seat in range(seats):
        place = s[TITLES + seat]
        if place == seats - 1:
            dealer = seat
            s[SCORES + seat] -= 2
        elif place == seats - 2:
            s[SCORES + seat] -= 1
        elif place < 2:
            s[SCORES + seat] += 2 - place
    if s[MANCHE] == facts[ROUNDS]:
        s[STAGE] = OVER
        s[TO_ACT] = -1
        s[REVOLUTION] = 0
        clear_trick(s)
    else:
        begin_manche(s, dealer, facts)


@lean
def apply(s: Ints, one: int, facts: Ints) -> None:
    """Play an id that is not masked."""
    seat = s[ASKED]
    if one == WAIT:
        s[ASKED] = s[TO_ACT]
        return
    if one < CLOSE:
        place = one % (13 * SETS)
        strength = place // SETS
        lay(s, seat, strength, (place % SETS + 1) << 4 * strength, one // (13 * SETS), facts)
    elif one == CLOSE:
        lay(s, seat, s[TOP], missing(s), 0, facts)
    elif one == PASS:
        pass_turn(s, seat, facts)
    else:
        end_trick(s, False, facts)
    if s[STAGE] != OVER:
        ask(s, facts)


@lean
def mark_plays(held: int, size: int, first: int, mask: Batch) -> bool:
    """Mark the plays of so many of the cards held of a rank, or of any number if it is 0; return whether one exists."""
    found = False
    chosen = held
    while chosen:
        if size == 0 or popcount(chosen) == size:
            mask[first + chosen - 1] = 1
            found = True
        chosen = chosen - 1 & held
    return found


@lean
def write_mask(s: Ints, mask: Batch, facts: Ints) -> None:
    """Mark the ids that the seat which is asked can choose."""
    seat = s[ASKED]
    if seat != s[TO_ACT]:
        mask[CLOSE] = mask[WAIT] = 1
        return
    hand, size = s[HANDS + seat], s[PLAY_SIZE]
    ranks, stuck = allowed(s), True
    for strength in range(13):
        held = hand >> 4 * strength & 15
        if held and ranks >> strength & 1 and mark_plays(held, size, SETS * strength, mask):
            stuck = False
    if s[STAGE] == ALONE:
        mask[STOP] = 1
        return
    if s[LAID] == 0:
        return
    if s[LAID] == 1 or s[DIRECTION] == SUITE:
        for declare in (SUITE, REVERSE):
            strength = declarable(s, declare)
            if strength >= 0:
                mark_plays(hand >> 4 * strength & 15, size, SETS * (13 * declare + strength), mask)
    if closer(s, facts[SEATS]) == seat:
        mask[CLOSE] = 1
    if stuck:
        mask[PASS] = 1


@lean
def title(place: int, seats: int) -> int:
    """Return the number of the title of a place."""
    if place < 2:
        return place
    if place >= seats - 2:
        return 5 - seats + place
    return 2


@lean
def mark_cards(cards: int, first: int, out: Batch) -> None:
    """Mark the cards of a set."""
    while cards:
        out[first + lowest(cards)] = 1
        cards &= cards - 1


@lean
def observe(s: Ints, me: int, out: Batch, facts: Ints) -> None:
    """Write what a seat sees, as `PresidentEncoding.observe` does."""
    mark_cards(s[HANDS + me], 0, out)
    mark_cards(s[PLAYED], 52, out)
    mark_cards(s[GIVEN + me], 142, out)
    mark_cards(s[RECEIVED + me], 194, out)
    if s[LAID]:
        out[104 + s[TOP]] = 1
        out[116 + s[PLAY_SIZE]] = 1
        out[137] = popcount(s[RUN])
    if s[STAGE] != OVER:
        ranks = allowed(s)
        for strength in range(13):
            out[121 + strength] = ranks >> strength & 1
        out[139 + s[STAGE]] = 1
    if s[DIRECTION]:
        out[133 + s[DIRECTION]] = 1
    out[136] = s[OU_RIEN]
    out[138] = s[REVOLUTION]
    out[246] = s[MANCHE]
    out[247] = facts[ROUNDS]
    observe_seats(s, me, out, facts)


@lean
def observe_seats(s: Ints, me: int, out: Batch, facts: Ints) -> None:
    seats = facts[SEATS]
    for number in range(seats):
        seat, at = (me + number) % seats, TABLE + SEAT * number
        out[at] = popcount(s[HANDS + seat])
        out[at + 1] = s[OUT] >> seat & 1
        out[at + 2] = s[WAIVED] >> seat & 1
        for place in range(s[SAFE]):
            if s[FINISHED + place] == seat:
                out[at + 3] = place + 1
        for place in range(s[SUNK]):
            if s[SANK + place] == seat:
                out[at + 4] = 1
        if s[TITLES + seat] >= 0:
            out[at + 5 + title(s[TITLES + seat], seats)] = 1
        out[at + 10] = s[SCORES + seat]
        out[at + 11] = seat == s[LAST]
        out[at + 12] = seat == s[TO_ACT]
        for strength in range(13):
            out[at + 13 + strength] = s[MOST + seat] >> 4 * strength & 15


@compiled
def step_all(states: Batch, ids: Ints, scores: Batch, places: Batch, facts: Ints) -> None:
    for row in range(states.shape[0]):
        s = states[row]
        apply(s, ids[row], facts)
        if s[STAGE] != OVER:
            continue
        for seat in range(facts[SEATS]):
            scores[row, seat] = s[SCORES + seat]
            places[row, seat] = 1
            for other in range(facts[SEATS]):
                places[row, seat] += s[SCORES + other] > s[SCORES + seat]


@compiled
def look_all(states: Batch, seats: Ints, observations: Batch, masks: Batch, facts: Ints) -> None:
    observations[:] = 0
    masks[:] = 0
    for row in range(states.shape[0]):
        s = states[row]
        seats[row] = s[ASKED]
        observe(s, s[ASKED], observations[row], facts)
        write_mask(s, masks[row], facts)


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
    size = TABLE + SEAT * facts[SEATS]
    for row in range(states.shape[0]):
        for seat in range(facts[SEATS]):
            observe(states[row], seat, out[row, size * seat : size * (seat + 1)], facts)


follow(globals(), desk_kernel.__file__)
