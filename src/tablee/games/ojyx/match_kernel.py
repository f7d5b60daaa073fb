"""The manches and votes of a match of Ojyx, compiled by Numba, for `env_kernel.py`.

A match is one array of int64, indexed by the names below. The manche in it is that of `manche_kernel.py`.
"""

from __future__ import annotations

from ...core.machine import Ints, follow, lean
from . import manche_kernel
from .manche_kernel import (
    DECK_SIZE,
    EMPTY,
    GONE,
    GRIDS,
    INITIATOR,
    LOST,
    OVER,
    SCORES,
    SKIPS,
    STAGE,
    TO_ACT,
    TRACKED,
    actor_of,
    deal,
    gone,
)

# The places in a match: the dice, the manche, then these.
MANCHE = 1
(OVER_ALL, NUMBER, NEXT, CODE, EFFECT, VICTIM, ROW) = range(1 + TRACKED, 8 + TRACKED)
"""Whether the match is over, the number of the manche, and of an action that is not complete: what the player chooses
next, its code so far, its effect, the seat it hits, and how many ids are chosen."""
IDS, VOTES, TOTALS = 8 + TRACKED, 12 + TRACKED, 20 + TRACKED
"""The ids chosen so far. For each seat: its vote or -1, and its score in the manches so far."""
STATE = 28 + TRACKED
SEATS, EXTENDED, REVEALS, ROUNDS = range(4)
"""The facts of a kernel; `ROUNDS` is 0 if the players vote."""
MOST_MANCHES = 10
ON, STOP = 0, 1


@lean
def chooser(s: Ints, m: Ints) -> int:
    """Return the seat that chooses next; -1 if the match is over."""
    if s[OVER_ALL]:
        return -1
    if m[STAGE] != OVER:
        return actor_of(m)
    seat = 0
    while gone(m, seat) or s[VOTES + seat] >= 0:
        seat += 1
    return seat


@lean
def begin_manche(s: Ints, m: Ints, dice: Ints, facts: Ints) -> None:
    """Deal to the seats that are present; the initiator of the last manche starts, or the next seat (O2)."""
    seats, absent = facts[SEATS], m[GONE]
    starter = m[INITIATOR] if s[NUMBER] else -1
    while starter >= 0 and absent >> starter & 1:
        starter = (starter + 1) % seats
    deal(m, seats, facts[EXTENDED] > 0, facts[REVEALS] > 0, starter, dice)
    m[GONE] = absent
    for seat in range(seats):
        if absent >> seat & 1:
            m[DECK_SIZE] += 12
            for at in range(GRIDS + 12 * seat, GRIDS + 12 * seat + 12):
                m[at] = EMPTY
    s[NUMBER] += 1


@lean
def end_manche(s: Ints, m: Ints, dice: Ints, facts: Ints) -> None:
    """Add up the scores; then vote, deal again or end the match (O8)."""
    m[SKIPS] = m[LOST] = 0
    m[TO_ACT] = -1
    for seat in range(facts[SEATS]):
        s[TOTALS + seat] += m[SCORES + seat]
        s[VOTES + seat] = -1
    rounds = facts[ROUNDS]
    if s[NUMBER] == (rounds if rounds else MOST_MANCHES):
        s[OVER_ALL] = 1
    elif rounds:
        begin_manche(s, m, dice, facts)


@lean
def vote(s: Ints, m: Ints, seat: int, ballot: int, dice: Ints, facts: Ints) -> None:
    """Note a vote; after the last one begin another manche if two or more go on and one of them voted so (O8)."""
    s[VOTES + seat] = ballot
    stopped = wanted = left = 0
    for other in range(facts[SEATS]):
        if gone(m, other):
            continue
        if s[VOTES + other] < 0:
            return
        wanted += s[VOTES + other] == ON
        if s[VOTES + other] == STOP:
            stopped |= 1 << other
        else:
            left += 1
    if wanted == 0 or left < 2:
        s[OVER_ALL] = 1
        return
    m[GONE] |= stopped
    begin_manche(s, m, dice, facts)


follow(globals(), manche_kernel.__file__)
