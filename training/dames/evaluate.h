// The two evaluations of a position without captures, in hundredths of a man for the side to move: the one written by
// hand (kernel.py has the same) and the learned one (patterns.py and fit.py have the same).
//
// The learned one looks at windows of six rows and four columns, which hold twelve squares. The arrangement of men in a
// window is a number in base 3: 0 empty or a king, 1 a man of this side, 2 a man of the other. There are four windows on
// the upper six rows and the same four on the lower six with the board turned and the colours exchanged, which count
// against the value. Four more on the middle six rows are two and the same two turned. A weight has two parts, for
// the opening and for the endgame.

#pragma once

#include "rules.h"

constexpr int WIN = 30000;
constexpr int ARRANGEMENTS = 531441;  // 3 to the power of 12
constexpr int TABLES = 6;
constexpr int EXTRAS = 8;
constexpr int FEW = 8, SPAN = 24;  // the endgame's weights count alone from 8 pieces down, the opening's from 32 up

struct alignas(4) Weight {
    int16_t opening, ending;
};

struct Weights {
    Weight extras[EXTRAS];
    Weight tables[TABLES][ARRANGEMENTS];
};

constexpr u64 row_bit(int bit) {
    u64 rows = 0;
    for (int row = 0; row < 10; row++)
        if (row >> bit & 1) rows |= row_of(row);
    return rows;
}

template <typename... Numbers>
constexpr u64 squares(Numbers... numbers) {
    return (square(numbers) | ...);
}

constexpr u64 ROW1 = row_bit(0), ROW2 = row_bit(1), ROW4 = row_bit(2), ROW8 = row_bit(3);
constexpr u64 CENTRE = squares(17, 18, 19, 22, 23, 24, 27, 28, 29, 32, 33, 34);
constexpr u64 EDGE = squares(6, 16, 26, 36, 46, 5, 15, 25, 35, 45);
constexpr u64 MAIN_LINE = squares(5, 10, 14, 19, 23, 28, 32, 37, 41, 46);
constexpr u64 LEFT = 0xE3ull * (1 | 1ull << 11 | 1ull << 22 | 1ull << 33 | 1ull << 44);
constexpr u64 RIGHT = BOARD & ~LEFT;

HD int slides(u64 kings, u64 empty) {
    int total = 0;
    if (kings)
        for (int way = 0; way < 4; way++) total += popcount(slide(kings, way, empty));
    return total;
}

HD int structure(u64 men, u64 empty, int side) {
    int number = popcount(men);
    int advance = popcount(men & ROW1) + 2 * popcount(men & ROW2) + 4 * popcount(men & ROW4) + 8 * popcount(men & ROW8);
    int held = side == 0 ? popcount(men & ~(empty >> 5)) + popcount(men & ~(empty >> 6))
                         : popcount(men & ~(empty << 5)) + popcount(men & ~(empty << 6));
    if (side == 0) advance = 9 * number - advance;
    u64 near = side == 0 ? row_of(1) | row_of(2) : row_of(7) | row_of(8);
    u64 keys = side == 0 ? squares(47, 48, 49) : squares(2, 3, 4);
    return 100 * number + 2 * advance + 12 * popcount(men & near) + 4 * popcount(men & CENTRE) -
           3 * popcount(men & EDGE) + 7 * popcount(men & keys) + held + 3 * walks(men, empty, side);
}

// A king is hard to catch: a side that has one rarely loses to three pieces or fewer (16 or 5 moves, D8).
HD bool hard_to_win(const Position& p, int value, int mine, int theirs) {
    if (value > 0) return p.other_kings && mine <= 3 && theirs <= 2;
    return p.kings && theirs <= 3 && mine <= 2;
}

HD int by_hand(const Position& p, int side) {
    u64 empty = BOARD & ~(p.men | p.kings | p.other_men | p.other_kings);
    int freedom = slides(p.kings, empty);
    if (freedom == 0 && walks(p.men, empty, side) == 0) return -WIN;
    int value = structure(p.men, empty, side) - structure(p.other_men, empty, side ^ 1);
    int mine = popcount(p.men | p.kings), theirs = popcount(p.other_men | p.other_kings);
    if (p.kings | p.other_kings) {
        value += 270 * (popcount(p.kings) - popcount(p.other_kings)) + 2 * (freedom - slides(p.other_kings, empty));
        value += 15 * (((p.kings & MAIN_LINE) != 0) - ((p.other_kings & MAIN_LINE) != 0));
        if (hard_to_win(p, value, mine, theirs)) value >>= 2;
    } else {
        value += (mine - theirs) * (40 - mine - theirs);
    }
    return value;
}

// The numbers, below 81, of two rows in the four windows, one in each byte: a man counts 1, 3, 9 or 27.
constexpr int PAIRS = 1024;

inline void fill_pairs(u32* pairs) {
    for (int bits = 0; bits < PAIRS; bits++) {
        pairs[bits] = 0;
        for (int window = 0; window < 4; window++) {
            u32 number = (bits >> window & 1) + 3 * (bits >> window >> 1 & 1) + 9 * (bits >> window >> 5 & 1) +
                         27 * (bits >> window >> 6 & 1);
            pairs[bits] |= number << 8 * window;
        }
    }
}

struct Sum {
    int opening, ending;
};

HD Weight weight(const Weights* weights, int table, u32 number) {
#ifdef __CUDA_ARCH__
    union {
        u32 bits;
        Weight weight;
    } both;
    both.bits = __ldg(reinterpret_cast<const u32*>(&weights->tables[table][number]));
    return both.weight;
#else
    return weights->tables[table][number];
#endif
}

// Add the windows of one side: its men move up.
HD void add_windows(Sum& sum, int sign, u64 men, u64 others, const u32* pairs, const Weights* weights) {
    u32 rows[4];
    for (int pair = 0; pair < 4; pair++)
        rows[pair] = pairs[men >> 11 * pair & PAIR] + 2 * pairs[others >> 11 * pair & PAIR];
    for (int window = 0; window < 4; window++) {
        int shift = 8 * window;
        u32 number = (rows[0] >> shift & 255) + 81 * (rows[1] >> shift & 255) + 6561 * (rows[2] >> shift & 255);
        Weight found = weight(weights, window, number);
        sum.opening += sign * found.opening;
        sum.ending += sign * found.ending;
    }
    for (int window = 0; window < 2; window++) {
        int shift = 8 * window;
        u32 number = (rows[1] >> shift & 255) + 81 * (rows[2] >> shift & 255) + 6561 * (rows[3] >> shift & 255);
        Weight found = weight(weights, 4 + window, number);
        sum.opening += sign * found.opening;
        sum.ending += sign * found.ending;
    }
}

HD void add_extra(Sum& sum, int feature, int number, const Weights* weights) {
    sum.opening += number * weights->extras[feature].opening;
    sum.ending += number * weights->extras[feature].ending;
}

HD int skew(u64 men) {
    int difference = popcount(men & LEFT) - popcount(men & RIGHT);
    return difference < 0 ? -difference : difference;
}

HD int by_patterns(const Position& p, int side, const u32* pairs, const Weights* weights) {
    u64 empty = BOARD & ~(p.men | p.kings | p.other_men | p.other_kings);
    int freedom = slides(p.kings, empty), steps = walks(p.men, empty, side);
    if (freedom == 0 && steps == 0) return -WIN;
    Sum sum = {0, 0};
    // The windows are those of a side that moves up: turn the board for the side that moves down.
    bool up = side == 0;
    add_windows(sum, 1, up ? p.men : turned(p.men), up ? p.other_men : turned(p.other_men), pairs, weights);
    add_windows(sum, -1, up ? turned(p.other_men) : p.other_men, up ? turned(p.men) : p.men, pairs, weights);
    add_extra(sum, 0, popcount(p.men) - popcount(p.other_men), weights);
    add_extra(sum, 5, steps - walks(p.other_men, empty, side ^ 1), weights);
    add_extra(sum, 6, skew(p.men) - skew(p.other_men), weights);
    add_extra(sum, 7, 1, weights);
    if (p.kings | p.other_kings) {
        add_extra(sum, 1, popcount(p.kings) - popcount(p.other_kings), weights);
        add_extra(sum, 2, (p.kings != 0) - (p.other_kings != 0), weights);
        add_extra(sum, 3, freedom - slides(p.other_kings, empty), weights);
        add_extra(sum, 4, ((p.kings & MAIN_LINE) != 0) - ((p.other_kings & MAIN_LINE) != 0), weights);
    }
    int mine = popcount(p.men | p.kings), theirs = popcount(p.other_men | p.other_kings);
    int phase = mine + theirs - FEW;
    phase = phase < 0 ? 0 : phase > SPAN ? SPAN : phase;
    int value = (sum.opening * phase + sum.ending * (SPAN - phase)) / SPAN;
    if (hard_to_win(p, value, mine, theirs)) value /= 4;
    return value;
}
