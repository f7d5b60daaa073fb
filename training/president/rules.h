// A manche of Super Président, for CPU and GPU: legal actions and their effects. kernel.py of the product has the same
// encoding of hands, states and actions; a test compares this file with the rules.
//
// A hand has four bits for each rank, the 3 lowest, that count its cards. A manche is an array of 64-bit numbers.

#pragma once

#include <cstdint>

#ifdef HOST
#define HD inline
#else
#define HD __device__ inline
#endif

typedef int64_t i64;
typedef uint64_t u64;
typedef uint32_t u32;

constexpr i64 ONES = 0x1111111111111ll;
constexpr i64 PACK = 4 * ONES;
constexpr int TWO = 12;

enum Field {
    HANDS = 0,
    SEATS = 8,
    TURN,
    REVOLUTION,
    SIZE,
    TOP,
    LAST,
    PLAYS,
    MODE,
    RUN,
    OUT,
    WAITING,
    ALONE,
    PLAYED,
    LEFT,
    SAFE,
    SUNK,
    FINISH,
    MOST = 32,  // the most cards of each rank that each seat can hold after its plays and passes, as hands
    MANCHE = 40
};
enum Mode { FREE, SUITE, REVERSE, OU_RIEN };
enum Action { PASS, STOP, CLOSE, WAIT };
constexpr int ACTIONS = 64;

HD int play_of(int rank, int cards, int declare) { return rank << 5 | cards << 2 | declare; }
HD int held(i64 hand, int rank) { return (int)(hand >> 4 * rank & 15); }

HD int total(i64 hand) {
    i64 pairs = (hand & 0x0F0F0F0F0F0F0Fll) + (hand >> 4 & 0x0F0F0F0F0F0F0Fll);
    pairs += pairs >> 8;
    pairs += pairs >> 16;
    return (int)((pairs & 255) + (pairs >> 32 & 255));
}

// The ranks of which a hand has at least so many, as their lowest bits.
HD i64 groups_of(i64 hand, int cards) {
    if (cards == 1) return (hand | hand >> 1 | hand >> 2) & ONES;
    if (cards == 2) return (hand >> 1 | hand >> 2) & ONES;
    if (cards == 3) return ((hand & hand >> 1) | hand >> 2) & ONES;
    return hand >> 2 & ONES;
}

// The ranks that are equal to or stronger than one, as bits.
HD i64 from_rank(int rank, int revolution) {
    return revolution ? (i64)((16ull << 4 * rank) - 1) : (i64)(0 - (1ull << 4 * rank));
}

HD bool only_closes(i64 hand, int revolution) {
    return revolution ? hand < 16 : (hand & ((1ll << 4 * TWO) - 1)) == 0;
}

HD void begin(i64* s, int seats, int leader) {
    for (int at = 8; at < MOST; at++) s[at] = 0;
    for (int seat = 0; seat < 8; seat++) s[MOST + seat] = seat < seats ? PACK : 0;
    s[SEATS] = s[LEFT] = seats;
    s[TURN] = leader;
    s[TOP] = s[LAST] = -1;
}

// P9: close with all the missing cards of the rank on top.
HD bool can_close(const i64* s, int seat) {
    int size = (int)s[SIZE];
    if (size == 0 || s[ALONE] || s[LAST] == seat || (s[OUT] >> seat & 1)) return false;
    int cards = held(s[HANDS + seat], (int)s[TOP]);
    return cards > 0 && s[RUN] + cards == 4 && cards % size == 0;
}

// The seat that can close out of turn, or -1.
HD int closer(const i64* s) {
    if (s[SIZE] == 0 || held(s[PLAYED], (int)s[TOP]) != s[RUN] || (4 - s[RUN]) % s[SIZE]) return -1;
    for (int seat = 0; seat < s[SEATS]; seat++)
        if (seat != s[TURN] && can_close(s, seat)) return seat;
    return -1;
}

HD bool in_order(int rank) { return 0 <= rank && rank <= TWO; }

// List the legal actions of the seat in turn and return their number.
HD int legal(const i64* s, int* out) {
    int size = (int)s[SIZE], top = (int)s[TOP], mode = (int)s[MODE], count = 0;
    i64 hand = s[HANDS + s[TURN]];
    if (size == 0) {
        for (int rank = 0; rank <= TWO; rank++)
            for (int cards = 1; cards <= held(hand, rank); cards++) out[count++] = play_of(rank, cards, 0);
        return count;
    }
    int up = s[REVOLUTION] ? -1 : 1;
    if (mode == FREE) {
        for (int rank = top; in_order(rank); rank += up)
            if (held(hand, rank) >= size) out[count++] = play_of(rank, size, 0);
    } else if (mode == OU_RIEN) {
        if (held(hand, top) >= size) out[count++] = play_of(top, size, 0);
    } else {
        int rank = mode == SUITE ? top + up : top - up;
        if (in_order(rank) && held(hand, rank) >= size) {
            out[count++] = play_of(rank, size, 0);
            if (mode == SUITE) out[count++] = play_of(rank, size, REVERSE);
        }
    }
    if (s[ALONE]) {
        out[count++] = STOP;
        return count;
    }
    // P3: nobody must declare or close, so these actions do not forbid a pass.
    if (count == 0) out[count++] = PASS;
    if (mode == FREE && s[PLAYS] == 1) {
        if (in_order(top + up) && held(hand, top + up) >= size) out[count++] = play_of(top + up, size, SUITE);
        if (in_order(top - up) && held(hand, top - up) >= size) out[count++] = play_of(top - up, size, REVERSE);
    }
    if (can_close(s, (int)s[TURN])) out[count++] = CLOSE;
    return count;
}

// P4: the seat that made the last play leads, or the next seat that has cards.
HD void end_trick(i64* s) {
    int seat = (int)s[LAST];
    while (s[HANDS + seat] == 0) seat = seat + 1 < s[SEATS] ? seat + 1 : 0;
    s[TURN] = seat;
    s[SIZE] = s[PLAYS] = s[RUN] = s[OUT] = s[WAITING] = s[ALONE] = 0;
    s[MODE] = FREE;
    s[TOP] = s[LAST] = -1;
}

HD void advance(i64* s, int seat) {
    int seats = (int)s[SEATS], last = (int)s[LAST];
    i64 silent = s[OUT] | s[WAITING] | 1ll << last;
    for (int step = 0; step < seats; step++) {
        seat = seat + 1 < seats ? seat + 1 : 0;
        if (s[HANDS + seat] && !(silent >> seat & 1)) {
            s[TURN] = seat;
            return;
        }
    }
    // P6: in a reverse the last player goes on alone or stops.
    int before = (int)s[TOP] + (s[REVOLUTION] ? 1 : -1);
    if (s[MODE] == REVERSE && s[HANDS + last] && in_order(before)) {
        s[ALONE] = 1;
        s[TURN] = last;
    } else {
        end_trick(s);
    }
}

// Move cards to the table and return whether that ends the manche.
HD bool lay(i64* s, int seat, int rank, int cards, bool sinks) {
    i64 moved = (i64)cards << 4 * rank;
    s[HANDS + seat] -= moved;
    s[MOST + seat] -= moved;
    s[PLAYED] += moved;
    s[LAST] = seat;
    if (s[HANDS + seat] == 0) {
        s[LEFT]--;
        s[FINISH + seat] = sinks ? -(++s[SUNK]) : ++s[SAFE];
    }
    return s[LEFT] == 1;
}

// A seat that passes has no play: note which cards it cannot hold.
HD void limit(i64* s, int seat) {
    int up = s[REVOLUTION] ? -1 : 1, top = (int)s[TOP], fewer = (int)s[SIZE] - 1;
    int first = s[MODE] == SUITE ? top + up : s[MODE] == REVERSE ? top - up : top;
    for (int rank = first; in_order(rank); rank += up) {
        int most = held(s[MOST + seat], rank);
        if (most > fewer) s[MOST + seat] -= (i64)(most - fewer) << 4 * rank;
        if (s[MODE] != FREE) break;
    }
}

// Apply an action and return whether it ends the manche.
HD bool apply(i64* s, int seat, int action) {
    int cards = action >> 2 & 7;
    if (cards == 0) {
        if (action == PASS) {
            limit(s, seat);
            // P7: a pass under Ou-Rien ends it and puts nobody out of the trick.
            if (s[MODE] == OU_RIEN) {
                s[WAITING] |= 1ll << seat;
                s[MODE] = FREE;
            } else {
                s[OUT] |= 1ll << seat;
            }
            advance(s, seat);
            return false;
        }
        if (action == CLOSE && lay(s, seat, (int)s[TOP], 4 - (int)s[RUN], false)) return true;
        end_trick(s);
        return false;
    }
    int rank = action >> 5, declare = action & 3;
    bool again = s[TOP] == rank;
    if (declare)
        s[MODE] = declare;
    else if (again && cards == 1)
        s[MODE] = OU_RIEN;
    s[SIZE] = cards;
    s[TOP] = rank;
    s[PLAYS]++;
    s[RUN] = again ? s[RUN] + cards : cards;
    s[WAITING] = 0;
    bool closing = rank == (s[REVOLUTION] ? 0 : TWO);
    // P8b: a carré reverses the order, but the closing rank at the time of the play decides about sinking (P11).
    if (cards == 4) s[REVOLUTION] ^= 1;
    if (lay(s, seat, rank, cards, closing)) return true;
    if (closing || s[RUN] == 4)
        end_trick(s);
    else
        advance(s, seat);
    return false;
}

// The place of a seat after the manche, 0 for the Président (P11).
HD int place_of(const i64* s, int seat) {
    i64 finish = s[FINISH + seat];
    return (int)(finish > 0 ? finish - 1 : s[SAFE] - finish);
}

HD u64 mixed(u64 x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

HD int pick(i64* dice, int n) {
    *dice = (i64)((u64)*dice + 0x9E3779B97F4A7C15ull);
    return (int)((mixed((u64)*dice) >> 32) * (u64)n >> 32);
}

// Deal a manche, seat `first` first, and return the holder of Q♥ (P1).
HD int deal(i64* s, int seats, int first, i64* dice) {
    unsigned char deck[52];
    for (int card = 0; card < 52; card++) deck[card] = (unsigned char)card;
    for (int seat = 0; seat < 8; seat++) s[HANDS + seat] = 0;
    int seat = first, holder = 0;
    for (int left = 52; left > 0; left--) {
        int at = pick(dice, left);
        if (deck[at] == 4 * 9 + 1) holder = seat;
        s[HANDS + seat] += 1ll << (deck[at] & ~3);
        deck[at] = deck[left - 1];
        seat = seat + 1 < seats ? seat + 1 : 0;
    }
    return holder;
}

HD i64 some_of(i64 hand, int cards, bool best) {
    i64 found = 0;
    for (int at = 0; at <= TWO; at++) {
        int rank = best ? TWO - at : at, have = held(hand, rank), some = have < cards ? have : cards;
        found += (i64)some << 4 * rank;
        cards -= some;
    }
    return found;
}

// P2, the automatic exchange: the upper rank gives its worst cards, the lower one its best.
HD void exchange(i64* s, int upper, int lower, int cards) {
    i64 worst = some_of(s[HANDS + upper], cards, false), best = some_of(s[HANDS + lower], cards, true);
    s[HANDS + upper] += best - worst;
    s[HANDS + lower] += worst - best;
}
