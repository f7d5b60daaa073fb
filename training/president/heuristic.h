// The weighted player of kernel.py with its tuned weights: an opponent that measures progress. A test compares the two.

#pragma once

#include "rules.h"

enum Weight {
    LEAD = 0,
    FOLLOW = 26,
    TOGETHER = 52,
    SPLIT = 56,
    SURE = 59,
    PLAN,
    DECLARE_SUITE,
    SUITE_NEXT,
    SUITE_LAST,
    DECLARE_REVERSE,
    REVERSE_NEXT,
    REVERSE_LAST,
    TURN_SUITE,
    SKIP,
    CLOSING,
    CLOSING_CARDS,
    CLOSING_STRENGTH,
    CARRE,
    CARRE_WEAK,
    DOOMED,
    GONE,
    GONE_SUNK,
    HURRY,
    GO_ON,
    WEIGHTS
};

#ifdef HOST
static const
#else
__constant__
#endif
    float LIKINGS[WEIGHTS] = {
        0.3f,  -0.6f, -1.9f, -2.9f, -4.0f, -5.0f, -6.1f, -7.4f, -9.6f, -9.0f, -9.8f,  -11.8f, -12.1f,
        -0.1f, -0.3f, -1.6f, -2.3f, -3.8f, -4.2f, -6.0f, -7.5f, -8.3f, -9.4f, -10.6f, -11.6f, -9.2f,
        -4.2f, -4.4f, -4.9f, -5.3f, -5.6f, -5.5f, -5.6f, -6.2f, -6.5f, -7.3f, -8.0f,  -8.6f,  -9.0f,
        -1.1f, -0.3f, -2.6f, -3.2f, -3.8f, -4.8f, -5.7f, -6.7f, -6.9f, -8.2f, -8.6f,  -10.8f, -6.3f,
        0.0f,  1.2f,  0.9f,  3.0f,  -4.6f, -3.9f, -2.0f, -2.2f, 14.3f, 1.0f,  1.9f,   0.5f,   1.8f,
        1.6f,  2.1f,  -1.2f, -10.0f, 7.2f, 1.6f,  0.7f,  -1.4f, 5.2f,  -40.0f, 100.0f, -100.0f, 5.0f,
        19.6f};

// Count the ranks of a hand that unseen cards can beat.
HD int losers(i64 hand, i64 unseen, int revolution) {
    int count = 0;
    for (int rank = 0; rank <= TWO; rank++) {
        int cards = held(hand, rank);
        if (cards && (groups_of(unseen, cards) & from_rank(rank, revolution))) count++;
    }
    return count;
}

HD float worth_declaring(const i64* s, int action, i64 after) {
    const float* w = LIKINGS;
    int rank = action >> 5, cards = action >> 2 & 7, declare = action & 3, up = s[REVOLUTION] ? -1 : 1;
    int onward = declare == SUITE ? rank + up : rank - up;
    bool mine = in_order(onward) && held(after, onward) >= cards;
    bool theirs = in_order(onward) && held(PACK - s[PLAYED] - s[HANDS + s[TURN]], onward) >= cards;
    if (declare == SUITE) return w[DECLARE_SUITE] + w[SUITE_NEXT] * mine + w[SUITE_LAST] * !theirs;
    float value = w[DECLARE_REVERSE] + w[REVERSE_NEXT] * mine + w[REVERSE_LAST] * !theirs;
    return s[MODE] == SUITE ? value + w[TURN_SUITE] : value;
}

HD float weakness(i64 hand, int revolution) {
    int steps = 0;
    for (int rank = 0; rank <= TWO; rank++) steps += held(hand, rank) * (6 - rank);
    return (float)(revolution ? -steps : steps);
}

HD int shortest(const i64* s, int seat) {
    int fewest = 52;
    for (int other = 0; other < s[SEATS]; other++)
        if (other != seat && s[HANDS + other]) {
            int cards = total(s[HANDS + other]);
            if (cards < fewest) fewest = cards;
        }
    return fewest;
}

HD float worth_closing(const i64* s, int seat) {
    const float* w = LIKINGS;
    int rank = (int)s[TOP], cards = 4 - (int)s[RUN], strength = s[REVOLUTION] ? TWO - rank : rank;
    i64 after = s[HANDS + seat] - ((i64)cards << 4 * rank);
    if (after == 0) return w[GONE];
    float value = w[CLOSING] + w[CLOSING_CARDS] * cards + w[CLOSING_STRENGTH] * strength;
    return only_closes(after, (int)s[REVOLUTION]) ? value + w[DOOMED] : value;
}

HD float score(const i64* s, int action) {
    const float* w = LIKINGS;
    int seat = (int)s[TURN], revolution = (int)s[REVOLUTION], cards = action >> 2 & 7;
    i64 hand = s[HANDS + seat];
    if (cards == 0) {
        if (action == CLOSE) return worth_closing(s, seat);
        return action == PASS ? w[SKIP] : 0.0f;
    }
    int rank = action >> 5, declare = action & 3, strength = revolution ? TWO - rank : rank;
    i64 after = hand - ((i64)cards << 4 * rank);
    if (after == 0) return strength == TWO ? w[GONE_SUNK] : w[GONE];
    i64 unseen = PACK - s[PLAYED] - hand;
    float value;
    if (s[ALONE])
        value = w[GO_ON];
    else
        value = w[(s[SIZE] ? FOLLOW : LEAD) + (total(groups_of(hand, 1)) <= 4 ? 13 : 0) + strength];
    int left = held(after, rank);
    if (left) value += w[SPLIT + left - 1];
    if (only_closes(after, revolution ^ (cards == 4))) value += w[DOOMED];
    if (declare) {
        value += worth_declaring(s, action, after);
    } else if (strength == TWO || !(groups_of(unseen, cards) & from_rank(rank, revolution))) {
        value += w[SURE];
        if (losers(after, unseen, revolution) <= 1) value += w[PLAN];
    }
    if (s[SIZE] == 0) {
        value += w[TOGETHER + cards - 1];
        if (cards == 4) value += w[CARRE] + w[CARRE_WEAK] * weakness(after, revolution);
        if (cards > 1 && shortest(s, seat) == 1) value += w[HURRY];
    }
    return value;
}
