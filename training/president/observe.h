// What the networks see: bits, all of them from one seat's view.
//
// Ranks are counted by strength: 0 is the weakest rank of the current order and 12 the closing rank, so a révolution
// looks like the normal order. A hand is written as 52 bits: bit 4 k + c is set if it has more than c cards of
// strength k. Opponents are the other seats that have cards, clockwise from the observer; slot 0 is the next one.
//
// State, 448 bits. The small network sees the first 261 (SMALL).
//     0  own hand, 52 bits
//    52  unseen cards (not played, not in the own hand), 52 bits
//   104  cards in each play of this trick, one of 4 (none before a lead)
//   108  strength on top, one of 13
//   121  the trick goes on as a suite, as a reverse, under Ou-Rien (3 bits)
//   124  one play so far; alone in a reverse (2 bits)
//   126  cards of the top rank in a row: at least 2, at least 3 (2 bits)
//   128  révolution; the observer is not in turn: close or wait (2 bits)
//   130  seats, one of 5: 4 to 8
//   135  seats with cards, one of 7: 2 to 8
//   142  seats gone out safely: at least 1 to at least 6 (6 bits)
//   148  seats sunk: at least 1, 2, 3 (3 bits)
//   151  own title, one of 4: Président, Vice-Président, last but one, Trouduc (none in the first manche)
//   155  the observer waived under Ou-Rien
//   156  seven slots of 15 bits: cards at least 1, 2, 3, 4, 5, 7, 10; out of the trick; waived; made the last play;
//        in turn; title, one of 4
//   261  seven slots of 26 bits: for each strength k, bits 2 k and 2 k + 1: may hold at least 1, at least 2 cards (by
//        its passes and plays, `most`, and by the unseen cards)
//   443  5 bits unused
//
// Action, 128 bits. "After" is after the action; for actions without cards that is the hand as it is.
//     0  strength k and number of cards n, one of 52: 4 k + n - 1 (plays and closing)
//    52  declares a suite; declares a reverse; pass; stop; close; wait (6 bits)
//    58  bits that disappear from the own hand, 52 bits
//   110  cards of that rank left in hand, one of 3: 1, 2, 3
//   113  goes out; sinks; keeps only the closing rank of the order after; no unseen cards can follow (4 bits)
//   117  groups of the hand after that unseen cards can beat, one of 5: 0, 1, 2, 3, more
//   122  in the direction that a declared play or the trick has: the next rank is in hand; it may be elsewhere (2 bits)
//   124  same rank as on top; ends the trick (2 bits)
//   126  2 bits unused
//
// A row is the 14 words of the state and the 4 of the action; bit b is in word b / 32.

#pragma once

#include "heuristic.h"

constexpr int STATE_WORDS = 14, ACTION_WORDS = 4, WORDS = STATE_WORDS + ACTION_WORDS;

HD void set(u32* words, int bit, bool value = true) {
    if (value) words[bit >> 5] |= 1u << (bit & 31);
}

HD void set_hand(u32* words, int from, i64 hand, int revolution) {
    for (int k = 0; k <= TWO; k++) {
        int cards = held(hand, revolution ? TWO - k : k);
        for (int c = 0; c < cards; c++) set(words, from + 4 * k + c);
    }
}

// Titles are four bits for each seat: 0 none, 1 Président, 2 Vice-Président, 3 last but one, 4 Trouduc.
HD void set_title(u32* words, int from, i64 titles, int seat) {
    int title = (int)(titles >> 4 * seat & 15);
    if (title) set(words, from + title - 1);
}

HD void observe(const i64* s, i64 titles, int me, u32* words) {
    int revolution = (int)s[REVOLUTION], seats = (int)s[SEATS];
    i64 unseen = PACK - s[PLAYED] - s[HANDS + me];
    for (int at = 0; at < STATE_WORDS; at++) words[at] = 0;
    set_hand(words, 0, s[HANDS + me], revolution);
    set_hand(words, 52, unseen, revolution);
    if (s[SIZE]) {
        set(words, 104 + (int)s[SIZE] - 1);
        set(words, 108 + (int)(revolution ? TWO - s[TOP] : s[TOP]));
    }
    if (s[MODE]) set(words, 121 + (int)s[MODE] - 1);
    set(words, 124, s[PLAYS] == 1);
    set(words, 125, s[ALONE] != 0);
    set(words, 126, s[RUN] >= 2);
    set(words, 127, s[RUN] >= 3);
    set(words, 128, revolution != 0);
    set(words, 129, s[TURN] != me);
    set(words, 130 + seats - 4);
    set(words, 135 + (int)s[LEFT] - 2);
    for (int n = 0; n < 6; n++) set(words, 142 + n, s[SAFE] > n);
    for (int n = 0; n < 3; n++) set(words, 148 + n, s[SUNK] > n);
    set_title(words, 151, titles, me);
    set(words, 155, s[WAITING] >> me & 1);
    const int steps[7] = {1, 2, 3, 4, 5, 7, 10};
    int slot = 0;
    for (int step = 1; step < seats; step++) {
        int seat = me + step < seats ? me + step : me + step - seats, from = 156 + 15 * slot;
        int cards = total(s[HANDS + seat]);
        if (cards == 0) continue;
        for (int n = 0; n < 7; n++) set(words, from + n, cards >= steps[n]);
        set(words, from + 7, s[OUT] >> seat & 1);
        set(words, from + 8, s[WAITING] >> seat & 1);
        set(words, from + 9, s[LAST] == seat);
        set(words, from + 10, s[TURN] == seat);
        set_title(words, from + 11, titles, seat);
        for (int k = 0; k <= TWO; k++) {
            int rank = revolution ? TWO - k : k, most = held(s[MOST + seat], rank), there = held(unseen, rank);
            if (there < most) most = there;
            set(words, 261 + 26 * slot + 2 * k, most >= 1);
            set(words, 261 + 26 * slot + 2 * k + 1, most >= 2);
        }
        slot++;
    }
}

HD void describe(const i64* s, int me, int action, u32* words) {
    int revolution = (int)s[REVOLUTION], up = revolution ? -1 : 1, cards = action >> 2 & 7, rank = action >> 5;
    int declare = cards ? action & 3 : 0;
    bool closes = action == CLOSE;
    i64 hand = s[HANDS + me], unseen = PACK - s[PLAYED] - hand, after = hand;
    for (int at = 0; at < ACTION_WORDS; at++) words[at] = 0;
    if (closes) {
        rank = (int)s[TOP];
        cards = 4 - (int)s[RUN];
    }
    if (declare) set(words, 52 + declare - 1);
    if (closes || action < 4) set(words, action == PASS ? 54 : action == STOP ? 55 : action == CLOSE ? 56 : 57);
    int turned = revolution;
    if (cards) {
        int k = revolution ? TWO - rank : rank, have = held(hand, rank);
        after = hand - ((i64)cards << 4 * rank);
        if (cards == 4) turned ^= 1;
        set(words, 4 * k + cards - 1);
        for (int c = have - cards; c < have; c++) set(words, 58 + 4 * k + c);
        if (have > cards) set(words, 110 + have - cards - 1);
        bool again = s[SIZE] && s[TOP] == rank, four = closes || (again ? s[RUN] : 0) + cards == 4;
        set(words, 113, after == 0);
        set(words, 114, after == 0 && k == TWO);
        set(words, 116, k == TWO || four || !(groups_of(unseen, cards) & from_rank(rank, revolution)));
        int mode = declare ? declare : (int)s[MODE];
        if (mode == SUITE || mode == REVERSE) {
            int onward = mode == SUITE ? rank + up : rank - up;
            set(words, 122, in_order(onward) && held(after, onward) >= cards);
            set(words, 123, in_order(onward) && held(unseen, onward) >= cards);
        }
        set(words, 124, again);
        set(words, 125, k == TWO || four);
    }
    set(words, 115, after != 0 && only_closes(after, turned));
    int beaten = losers(after, unseen, turned);
    set(words, 117 + (beaten < 4 ? beaten : 4));
}
