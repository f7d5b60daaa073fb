// A small alpha-beta search that goes on node by node, so that the threads of a warp stay together.
//
// It deepens until its nodes are spent. Captures and threatened captures are played out at the end of a line, as in
// kernel.py. It has no table; the best move of the last depth comes first, then two killers for each ply.

#pragma once

#include "evaluate.h"

constexpr int PLIES = 40;
constexpr int DEEPEST = 24;
constexpr int LISTED = 384;

struct Player {
    const Weights* weights;  // none: the evaluation by hand
    int nodes;
};

struct Frame {
    Position position;
    int alpha, beta, best;
    short depth, reply_depth, begin, end, next;
    bool captures;
};

struct Search {
    Frame frames[PLIES];
    u16 moves[LISTED];
    u64 takes[LISTED], work[WORK + 4];
    u16 killers[PLIES][2];
    Player player;
    const u32* pairs;
    u64 salt;
    int noise, side, ply, depth, nodes, value, chosen;
};

HD int evaluated(const Search& s, const Position& p, int side) {
    int value = s.player.weights ? by_patterns(p, side, s.pairs, s.player.weights) : by_hand(p, side);
    // A little noise, the same for a position in the whole game, makes games differ.
    if (s.noise && value != -WIN) value += (int)((hashed(p, side) ^ s.salt) >> 20 & 255) * s.noise >> 8;
    return value;
}

HD void descend(Search& s, int ply) {
    const Frame& above = s.frames[ply];
    Frame& below = s.frames[ply + 1];
    int at = above.next;
    below.position = play(above.position, s.side ^ (ply & 1), s.moves[at], above.captures ? s.takes[at] : 0);
    below.alpha = -above.beta;
    below.beta = -above.alpha;
    below.depth = above.reply_depth;
    below.begin = above.end;
    s.ply = ply + 1;
}

HD void deepen(Search& s) {
    Frame& root = s.frames[0];
    root.alpha = -WIN - 1;
    root.beta = WIN + 1;
    root.best = -WIN - 1;
    root.next = 0;
    root.depth = (short)++s.depth;
    root.reply_depth = (short)(s.depth - 1);
    descend(s, 0);
}

// Start a search; return false if there is nothing to think about: no move, or only one.
HD bool start(Search& s, const Position& p, int side) {
    Frame& root = s.frames[0];
    root.position = p;
    root.begin = 0;
    s.side = side;
    s.ply = s.depth = s.nodes = s.value = s.chosen = 0;
    bool captures;
    root.end = (short)generate(p, side, 0, s.moves, s.takes, s.work, captures);
    root.captures = captures;
    if (root.end < 2) return false;
    for (int ply = 0; ply < PLIES; ply++) s.killers[ply][0] = s.killers[ply][1] = 0;
    deepen(s);
    return true;
}

HD void to_front(Search& s, int front, int at) {
    u16 move = s.moves[at];
    u64 taken = s.takes[at];
    s.moves[at] = s.moves[front];
    s.takes[at] = s.takes[front];
    s.moves[front] = move;
    s.takes[front] = taken;
}

// Enter a position: return whether it has a value at once; if not, its moves are listed.
HD bool enter(Search& s, int& value) {
    int ply = s.ply, side = s.side ^ (ply & 1);
    Frame& f = s.frames[ply];
    const Position p = f.position;
    u64 own = p.men | p.kings, others = p.other_men | p.other_kings, empty = BOARD & ~(own | others);
    bool takes_some = false, full = ply >= PLIES - 2 || f.begin > LISTED - MOVES;
    s.nodes++;
    if (f.depth <= 0 || full) {
        takes_some = can_capture(p.men, p.kings, others, empty);
        bool threatened = f.depth == 0 && !takes_some && can_capture(p.other_men, p.other_kings, own, empty);
        if ((!takes_some && !threatened) || full) {
            value = evaluated(s, p, side);
            if (value == -WIN) value += ply;
            return true;
        }
    }
    bool captures;
    int end = generate(p, side, f.begin, s.moves, s.takes, s.work, captures);
    if (end == f.begin) {
        value = ply - WIN;
        return true;
    }
    f.end = (short)end;
    f.next = f.begin;
    f.captures = captures;
    f.best = -WIN - 1;
    // A forced reply costs no depth; neither does an exchange at the end of a line.
    bool forced = takes_some || (end - f.begin == 1 && f.depth > 0);
    f.reply_depth = (short)(forced ? f.depth : f.depth - 1);
    if (!captures) {
        int front = f.begin;
        for (int killer = 0; killer < 2; killer++)
            for (int at = front; at < end; at++)
                if (s.moves[at] == s.killers[ply][killer]) {
                    to_front(s, front++, at);
                    break;
                }
    }
    return false;
}

// Give a value to the positions above until one has another move to try; return whether the root is finished.
HD bool give_back(Search& s, int value) {
    while (s.ply > 0) {
        int ply = --s.ply;
        Frame& f = s.frames[ply];
        value = -value;
        int at = f.next++;
        if (value > f.best) {
            f.best = value;
            if (ply == 0) s.chosen = at;
            if (value > f.alpha) f.alpha = value;
        }
        if (value >= f.beta) {
            if (!f.captures && s.killers[ply][0] != s.moves[at]) {
                s.killers[ply][1] = s.killers[ply][0];
                s.killers[ply][0] = s.moves[at];
            }
        } else if (f.next < f.end) {
            descend(s, ply);
            return false;
        }
        value = f.best;
    }
    return true;
}

// Search one node; return whether the search is done. The chosen move is then first in the list.
HD bool advance(Search& s) {
    int value;
    if (enter(s, value)) {
        if (give_back(s, value)) {
            s.value = s.frames[0].best;
            to_front(s, 0, s.chosen);
            s.chosen = 0;
            bool decided = s.value > WIN - 100 || s.value < 100 - WIN;
            if (decided || s.depth >= DEEPEST || s.nodes >= s.player.nodes) return true;
            deepen(s);
            return false;
        }
    } else {
        descend(s, s.ply);
    }
    if (s.nodes >= s.player.nodes && s.depth > 1) {
        // A move found before the depth was completed is at least as good as that of the depth before.
        to_front(s, 0, s.chosen);
        return true;
    }
    return false;
}
