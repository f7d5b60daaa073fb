// Count the sequences of moves from a position: perft SIDE RED_MEN RED_KINGS BLACK_MEN BLACK_KINGS DEPTH (hexadecimal).

#include <cstdio>
#include <cstdlib>

#include "rules.h"

static u64 perft(const Position& p, int side, int depth) {
    u16 moves[MOVES];
    u64 takes[MOVES], work[WORK + 4];
    bool captures;
    int end = generate(p, side, 0, moves, takes, work, captures);
    if (can_move(p, side) != (end > 0)) {
        fprintf(stderr, "can_move is wrong\n");
        exit(1);
    }
    u64 empty = BOARD & ~(p.men | p.kings | p.other_men | p.other_kings);
    if (can_capture(p.men, p.kings, p.other_men | p.other_kings, empty) != captures) {
        fprintf(stderr, "can_capture is wrong\n");
        exit(1);
    }
    if (depth == 1) return end;
    u64 total = 0;
    for (int at = 0; at < end; at++) total += perft(play(p, side, moves[at], takes[at]), side ^ 1, depth - 1);
    return total;
}

int main(int count, char** values) {
    if (count != 7) {
        fprintf(stderr, "usage: perft SIDE RED_MEN RED_KINGS BLACK_MEN BLACK_KINGS DEPTH\n");
        return 2;
    }
    int side = atoi(values[1]);
    u64 boards[4];
    for (int at = 0; at < 4; at++) boards[at] = strtoull(values[2 + at], nullptr, 16);
    Position p = {boards[0], boards[1], boards[2], boards[3]};
    if (side == 1) p = {boards[2], boards[3], boards[0], boards[1]};
    printf("%llu\n", (unsigned long long)perft(p, side, atoi(values[6])));
}
