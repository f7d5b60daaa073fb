// The rules of international draughts (D1 to D3, D7, D8) for the CPU and the GPU.
//
// The squares are those of src/tablee/games/dames/kernel.py: ten bits for two rows of five squares, then a ghost, so a
// step is the same shift on every square and a step over the edge ends on a ghost. Red (side 0) starts at the bottom,
// on the high bits, and moves towards bit 0. Turning the board by 180 degrees reverses the 54 bits.

#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define HD __host__ __device__ __forceinline__
#else
#define HD inline
#endif

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;

constexpr u64 PAIR = 1023;
constexpr u64 BOARD = PAIR | PAIR << 11 | PAIR << 22 | PAIR << 33 | PAIR << 44;

constexpr u64 row_of(int row) { return 31ull << (row / 2 * 11 + row % 2 * 5); }
constexpr u64 square(int number) {
    return 1ull << ((number - 1) / 10 * 11 + (number - 1) % 10);
}

// A move is its origin and target in six bits each and a bit for a king; the pieces taken are kept beside it.
constexpr u16 KING = 1 << 12;
constexpr int MOVES = 128;
constexpr int WORK = 256;

struct Position {
    // Seen from the side to move.
    u64 men, kings, other_men, other_kings;
};

HD int popcount(u64 bits) {
#ifdef __CUDA_ARCH__
    return __popcll(bits);
#else
    return __builtin_popcountll(bits);
#endif
}

HD int lowest(u64 bits) {
#ifdef __CUDA_ARCH__
    return __ffsll((long long)bits) - 1;
#else
    return __builtin_ctzll(bits);
#endif
}

// Turn the board by 180 degrees.
HD u64 turned(u64 bits) {
#ifdef __CUDA_ARCH__
    return __brevll(bits) >> 10;
#else
    bits = (bits >> 1 & 0x5555555555555555ull) | (bits & 0x5555555555555555ull) << 1;
    bits = (bits >> 2 & 0x3333333333333333ull) | (bits & 0x3333333333333333ull) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0full) | (bits & 0x0f0f0f0f0f0f0f0full) << 4;
    return __builtin_bswap64(bits) >> 10;
#endif
}

// One step in a direction: 0 down-left, 1 down-right, 2 up-right, 3 up-left.
HD u64 step(u64 bits, int way) {
    int by = way & 1 ? 6 : 5;
    return way < 2 ? bits << by : bits >> by;
}

// The empty squares that kings can slide over in one direction.
HD u64 slide(u64 kings, int way, u64 empty) {
    u64 reached = 0, next = step(kings, way) & empty;
    while (next) {
        reached |= next;
        next = step(next, way) & empty;
    }
    return reached;
}

// The squares from which a man jumps over one of the others, in each direction.
struct Jumps {
    u64 by0, by1, by2, by3;
};

HD Jumps jumps(u64 others, u64 empty) {
    return {(others >> 5) & (empty >> 10), (others >> 6) & (empty >> 12), (others << 5) & (empty << 10),
            (others << 6) & (empty << 12)};
}

HD bool can_capture(u64 men, u64 kings, u64 others, u64 empty) {
    Jumps jump = jumps(others, empty);
    if (men & (jump.by0 | jump.by1 | jump.by2 | jump.by3)) return true;
    if (kings == 0) return false;
    for (int way = 0; way < 4; way++) {
        u64 hit = step(kings | slide(kings, way, empty), way) & others;
        if (step(hit, way) & empty) return true;
    }
    return false;
}

struct List {
    u16* moves;
    u64* takes;
    int begin, end, best;
};

// Keep a capture if no longer one is listed; another path with the same pieces taken is the same move (D2).
HD void keep(List& list, u16 move, u64 taken) {
    int length = popcount(taken);
    if (length < list.best) return;
    if (length > list.best) list.end = list.begin;
    list.best = length;
    for (int at = list.begin; at < list.end; at++)
        if (list.moves[at] == move && list.takes[at] == taken) return;
    if (list.end - list.begin >= MOVES) return;
    list.moves[list.end] = move;
    list.takes[list.end++] = taken;
}

// Unfinished captures are the square of the piece in the high bits and the pieces taken in the low ones.
HD u64 unfinished(int at, u64 taken) { return (u64)at << 54 | taken; }

HD void man_captures(List& list, int start, u64 others, u64 empty, u64* work) {
    u64 free = empty | 1ull << start;
    int top = 0;
    work[top++] = unfinished(start, 0);
    while (top) {
        u64 entry = work[--top];
        int at = (int)(entry >> 54);
        u64 taken = entry & BOARD, here = 1ull << at;
        Jumps jump = jumps(others & ~taken, free);
        int bottom = top;
        if (here & jump.by0) work[top++] = unfinished(at + 10, taken | here << 5);
        if (here & jump.by1) work[top++] = unfinished(at + 12, taken | here << 6);
        if (here & jump.by2) work[top++] = unfinished(at - 10, taken | here >> 5);
        if (here & jump.by3) work[top++] = unfinished(at - 12, taken | here >> 6);
        if (top == bottom && taken) keep(list, (u16)(start | at << 6), taken);
    }
}

HD void king_captures(List& list, int start, u64 others, u64 empty, u64* work) {
    u64 free = empty | 1ull << start;
    int top = 0;
    work[top++] = unfinished(start, 0);
    while (top) {
        u64 entry = work[--top];
        int at = (int)(entry >> 54);
        u64 taken = entry & BOARD;
        int bottom = top;
        for (int way = 0; way < 4; way++) {
            u64 hit = step(1ull << at, way);
            while (hit & free) hit = step(hit, way);
            if ((hit & others & ~taken) == 0) continue;
            for (u64 to = step(hit, way); (to & free) && top < WORK; to = step(to, way))
                work[top++] = unfinished(lowest(to), taken | hit);
        }
        if (top == bottom && taken) keep(list, (u16)(start | at << 6 | KING), taken);
    }
}

// Add a move of each man: `by` is the length of the move, `over` the distance to the piece taken, or 0.
HD void add(List& list, u64 men, int by, int over) {
    for (; men && list.end - list.begin < MOVES; men &= men - 1) {
        int at = lowest(men);
        list.moves[list.end] = (u16)(at | (at + by) << 6);
        list.takes[list.end++] = over ? 1ull << (at + over) : 0;
    }
}

// Write the legal moves from `begin` on and return the list's end; `captures` says whether they are captures.
HD int generate(const Position& p, int side, int begin, u16* moves, u64* takes, u64* work, bool& captures) {
    List list = {moves, takes, begin, begin, 0};
    u64 others = p.other_men | p.other_kings;
    u64 empty = BOARD & ~(p.men | p.kings | others);
    Jumps jump = jumps(others, empty);
    u64 by0 = p.men & jump.by0, by1 = p.men & jump.by1, by2 = p.men & jump.by2, by3 = p.men & jump.by3;
    if (by0 | by1 | by2 | by3) {
        // A second jump never goes straight back, so it does not depend on the first piece taken or the start.
        u64 again = ((by0 << 10) & (jump.by0 | jump.by1 | jump.by3)) | ((by1 << 12) & (jump.by0 | jump.by1 | jump.by2)) |
                    ((by2 >> 10) & (jump.by1 | jump.by2 | jump.by3)) | ((by3 >> 12) & (jump.by0 | jump.by2 | jump.by3));
        if (again) {
            for (u64 men = by0 | by1 | by2 | by3; men; men &= men - 1)
                man_captures(list, lowest(men), others, empty, work);
        } else {
            list.best = 1;
            add(list, by0, 10, 5);
            add(list, by1, 12, 6);
            add(list, by2, -10, -5);
            add(list, by3, -12, -6);
        }
    }
    for (u64 kings = p.kings; kings; kings &= kings - 1) king_captures(list, lowest(kings), others, empty, work);
    captures = list.best > 0;
    if (captures) return list.end;
    if (side == 0) {
        add(list, p.men & (empty << 5), -5, 0);
        add(list, p.men & (empty << 6), -6, 0);
    } else {
        add(list, p.men & (empty >> 5), 5, 0);
        add(list, p.men & (empty >> 6), 6, 0);
    }
    for (u64 kings = p.kings; kings; kings &= kings - 1) {
        int at = lowest(kings);
        for (int way = 0; way < 4; way++)
            for (u64 to = step(1ull << at, way); (to & empty) && list.end - begin < MOVES; to = step(to, way)) {
                moves[list.end] = (u16)(at | lowest(to) << 6 | KING);
                takes[list.end++] = 0;
            }
    }
    return list.end;
}

// Return the position after a move, seen from the other side. A man that ends on the last row promotes (D3).
HD Position play(const Position& p, int side, u16 move, u64 taken) {
    u64 start = 1ull << (move & 63), end = 1ull << (move >> 6 & 63);
    Position after = {p.other_men & ~taken, p.other_kings & ~taken, p.men, p.kings};
    if (move & KING) {
        after.other_kings ^= start ^ end;
    } else {
        after.other_men ^= start;
        if (end & (side == 0 ? row_of(0) : row_of(9)))
            after.other_kings |= end;
        else
            after.other_men |= end;
    }
    return after;
}

HD int walks(u64 men, u64 empty, int side) {
    if (side == 0) return popcount(men & (empty << 5)) + popcount(men & (empty << 6));
    return popcount(men & (empty >> 5)) + popcount(men & (empty >> 6));
}

HD bool can_move(const Position& p, int side) {
    u64 others = p.other_men | p.other_kings, empty = BOARD & ~(p.men | p.kings | others);
    if (walks(p.men, empty, side)) return true;
    for (int way = 0; way < 4; way++)
        if (step(p.kings, way) & empty) return true;
    return can_capture(p.men, p.kings, others, empty);
}

// The limit of single moves for few pieces against a lone king (D8); 0 is no limit.
HD int endgame(const Position& p) {
    int mine = popcount(p.men | p.kings), theirs = popcount(p.other_men | p.other_kings);
    bool lone_other = theirs == 1 && p.other_kings && p.kings;
    bool lone_mine = mine == 1 && p.kings && p.other_kings;
    if ((lone_other && mine == 3) || (lone_mine && theirs == 3)) return 32;
    if ((lone_other && mine <= 2) || (lone_mine && theirs <= 2)) return 10;
    return 0;
}

HD u64 mixed(u64 x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

HD u64 hashed(const Position& p, int side) {
    u64 key = p.men * 0x9E3779B97F4A7C15ull + p.kings * 0xBF58476D1CE4E5B9ull + p.other_men * 0x94D049BB133111EBull +
              p.other_kings * 0x2545F4914F6CDD1Dull + (u64)side * 0x5851F42D4C957F2Dull;
    key = (key ^ (key >> 32)) * 0xD69DEA0F31A53F85ull;
    return key ^ (key >> 29);
}
