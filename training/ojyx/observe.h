// What a seat can see of a manche, as numbers for the network: one row for the position and one for each action.
//
// Everything is computed from the seat's view: hidden cards that it does not know, the deck and the stocks of others
// count as averages only. Any manche that fits a view gives the same rows, so the product can use `imagine(view)`.
//
// POSITION, from 0:
//   OWN (232)       for each own column, 58 numbers: three cells of 18, then mark / 2, expected score / 20, whether
//                   two cards are equal, hidden cards / 3. A cell is one-hot: the card (0-14), 15 unknown, 16 empty;
//                   17 is 1 if it lies face down but the seat knows it. The cells of a column are ordered by
//                   `seen_code`, highest first, and so are the columns, by their cells and then their mark.
//   SELF (13)       expected / 20, visible / 20, hidden / 12, cards / 12, one hidden card, none, stock / 3, frozen,
//                   shielded, owed a turn, initiator, last lap, turns / 20
//   RIVALS (175)    35 numbers (`write_rival`) for the rival with the lowest expected score, the second, the third and
//                   the next in turn; the mean of the first 20 of them over all rivals; then the counts of the lowest
//                   rival's face-up cards / 3
//   TABLE (212)     `write_table`, in its order
// ACTION, from 0: kind 16, effect 21, duplicate 1, thrown card 21, changes 8, two sites of 74, whether the second is
//   the seat's own 1, the target 21 (its first 20 rival numbers, and whether it is the lowest), new top of the deck 17,
//   same column 1.
// A site is a column that changes: the old card, the new card and the two others (18 each, as above), mark / 2 and 1.
// The changes: own and rival's expected score / 10, whether the own and the rival's grid are then all face up, whether
// an own and a rival's column are cleared, whether an own pair appears, and whether one disappears.
//
// An expected score counts an unknown card as the mean of the cards that the seat has not seen. Points are in units of
// 20 from -4 to 8 (`in_units`), marks / 2 from -3 to 3 (`as_mark`).

#pragma once

#include "rules.h"

constexpr int CELL_SIZE = 18, COLUMN_SIZE = 58, RIVAL_SIZE = 35, BRIEF = 20, SITE_SIZE = 74;
constexpr int OWN = 0, SELF = 232, RIVALS = 245, TABLE = 420, POSITION = 632;
constexpr int A_KIND = 0, A_EFFECT = 16, A_DUPLICATE = 37, A_THROWN = 38, A_CHANGES = 59, A_SITES = 67;
constexpr int A_SECOND_OWN = 215, A_TARGET = 216, A_TOP = 237, A_SAME = 254, ACTION_SIZE = 255;
constexpr float PAIRED = 0.65f;  // what a column with a pair of positive cards is worth to the rule of thumb

HD float value_of(int code, float mean) {
    if (code == EMPTY) return 0;
    return code == HIDDEN ? mean : float((code & 15) - 2);
}
HD float times(int mark) {
    float factor = 1;
    for (; mark > 0; mark--) factor *= 2;
    for (; mark < 0; mark++) factor /= 2;
    return factor;
}
// A number of points in units of 20, within bounds, because curses on curses make scores without bounds.
HD float in_units(float points) {
    float units = points / 20;
    return units < -4 ? -4 : units > 8 ? 8 : units;
}
HD float as_mark(int mark) { return mark < -6 ? -3.0f : mark > 6 ? 3.0f : mark / 2.0f; }
HD int pair_of(int a, int b, int c) {  // the value of two equal face-up cards, or -1
    if (a < VALUES && (a == b || a == c)) return a;
    return b < VALUES && b == c ? b : -1;
}
HD float column_value(int a, int b, int c, int mark, float mean, float paired) {
    if (a < VALUES && a == b && b == c) return 0;
    float total = (value_of(a, mean) + value_of(b, mean) + value_of(c, mean)) * times(mark);
    return pair_of(a, b, c) > 2 && total > 0 ? total * paired : total;
}

// What a seat needs to know about all grids, computed once for a decision.
struct Sight {
    int me;
    float mean, deck_mean;
    int unseen[VALUES], deck[VALUES], unseen_left, deck_left;
    float expected[8], visible[8];
    int hidden[8], cards[8];
    int lowest[3], rivals;
    float paired;
};

HD void count_unseen(Seen s, Sight& at) {
    int* counts = at.unseen;
    int* deck = s[REFILLED] ? at.deck : at.unseen;
    for (int card = 0; card < VALUES; card++) {
        at.unseen[card] = s[UNSEEN + card];
        at.deck[card] = s[DECK + card];
    }
    for (int place = 0; place < 12 * s[SEATS]; place++)
        if (s[GRIDS + place] > HIDDEN && seen_code(s, at.me, place) == HIDDEN) counts[s[GRIDS + place] & 15]++;
    for (int card = 0; card < s[LOOKED] && s[SCOUT] != at.me; card++) deck[s[SCOUTED + card]]++;
    if (s[HELD] >= 0 && !(s[HELD_KNOWN] >> at.me & 1)) deck[s[HELD]]++;
    if (!s[REFILLED])
        for (int card = 0; card < VALUES; card++) at.deck[card] = at.unseen[card];
    int total = 0, deck_total = 0;
    at.unseen_left = at.deck_left = 0;
    for (int card = 0; card < VALUES; card++) {
        at.unseen_left += at.unseen[card];
        at.deck_left += at.deck[card];
        total += at.unseen[card] * (card - 2);
        deck_total += at.deck[card] * (card - 2);
    }
    at.mean = at.unseen_left ? float(total) / at.unseen_left : 5.0f;
    at.deck_mean = at.deck_left ? float(deck_total) / at.deck_left : 5.0f;
}

HD float column_at(Seen s, const Sight& at, int seat, int column, float paired) {
    int first = 12 * seat + column;
    return column_value(seen_code(s, at.me, first), seen_code(s, at.me, first + 4), seen_code(s, at.me, first + 8),
                        s[MARKS + 4 * seat + column], at.mean, paired);
}

HD void look(Seen s, int me, Sight& at) {
    at.me = me;
    at.paired = s[ENDING] ? 1.0f : PAIRED;
    count_unseen(s, at);
    at.rivals = 0;
    for (int seat = 0; seat < s[SEATS]; seat++) {
        at.hidden[seat] = count_hidden(s, seat);
        at.cards[seat] = count_cards(s, seat);
        at.expected[seat] = at.visible[seat] = 0;
        for (int column = 0; column < 4; column++) {
            at.expected[seat] += column_at(s, at, seat, column, 1);
            float shown = 0;
            for (int row = 0; row < 12; row += 4) {
                int code = s[GRIDS + 12 * seat + column + row];
                if (code < VALUES) shown += float(code - 2);
            }
            at.visible[seat] += shown * times(s[MARKS + 4 * seat + column]);
        }
        if (seat == me || gone(s, seat)) continue;
        int place = at.rivals++;
        if (place > 2) place = at.expected[at.lowest[2]] > at.expected[seat] ? 2 : 3;
        if (place > 2) continue;
        for (; place && at.expected[at.lowest[place - 1]] > at.expected[seat]; place--)
            at.lowest[place] = at.lowest[place - 1];
        at.lowest[place] = seat;
    }
}

HD void write_cell(float* out, int code) {
    if (code == HIDDEN) out[15] = 1;
    else if (code == EMPTY) out[16] = 1;
    else {
        out[code & 15] = 1;
        if (code >= SEEN) out[17] = 1;
    }
}

HD void sort3(int* codes) {
    for (int pass = 0; pass < 2; pass++)
        for (int at = 0; at < 2; at++)
            if (codes[at] < codes[at + 1]) {
                int other = codes[at];
                codes[at] = codes[at + 1];
                codes[at + 1] = other;
            }
}

HD void sorted_column(Seen s, int me, int seat, int column, int* codes) {
    for (int row = 0; row < 3; row++) codes[row] = seen_code(s, me, 12 * seat + column + 4 * row);
    sort3(codes);
}

HD void write_own(float* out, Seen s, const Sight& at) {
    int keys[4], order[4] = {0, 1, 2, 3}, codes[3];
    for (int column = 0; column < 4; column++) {
        sorted_column(s, at.me, at.me, column, codes);
        keys[column] = ((codes[0] * 64 + codes[1]) * 64 + codes[2]) * 64 + 32 + s[MARKS + 4 * at.me + column];
    }
    for (int pass = 0; pass < 3; pass++)
        for (int place = 0; place < 3; place++)
            if (keys[order[place]] < keys[order[place + 1]]) {
                int other = order[place];
                order[place] = order[place + 1];
                order[place + 1] = other;
            }
    for (int place = 0; place < 4; place++, out += COLUMN_SIZE) {
        sorted_column(s, at.me, at.me, order[place], codes);
        for (int row = 0; row < 3; row++) write_cell(out + CELL_SIZE * row, codes[row]);
        out[54] = as_mark(s[MARKS + 4 * at.me + order[place]]);
        out[55] = in_units(column_at(s, at, at.me, order[place], 1));
        out[56] = pair_of(codes[0], codes[1], codes[2]) >= 0;
        out[57] = (down(codes[0]) + down(codes[1]) + down(codes[2])) / 3.0f;
    }
}

HD void write_self(float* out, Seen s, const Sight& at) {
    int me = at.me;
    out[0] = in_units(at.expected[me]);
    out[1] = in_units(at.visible[me]);
    out[2] = at.hidden[me] / 12.0f;
    out[3] = at.cards[me] / 12.0f;
    out[4] = at.hidden[me] == 1;
    out[5] = at.hidden[me] == 0;
    out[6] = s[STOCKED + me] / 3.0f;
    out[7] = s[FROZEN + me] > 0;
    out[8] = s[SHIELDED] >> me & 1;
    out[9] = s[OWED] >> me & 1;
    out[10] = s[INITIATOR] == me;
    out[11] = s[ENDING];
    out[12] = s[TURNS + me] / 20.0f;
}

HD int distance(Seen s, int me, int seat) {
    int seats = s[SEATS];
    return ((seat - me) * s[DIRECTION] + seats * 8) % seats;
}

HD void write_brief(float* out, Seen s, const Sight& at, int seat, float weight) {
    int most = 0, least = 14, pairs = 0, steps = distance(s, at.me, seat);
    float columns[4];
    for (int column = 0; column < 4; column++) {
        int first = 12 * seat + column, codes[3];
        for (int row = 0; row < 3; row++) {
            codes[row] = s[GRIDS + first + 4 * row];
            if (codes[row] >= VALUES) continue;
            most = codes[row] > most ? codes[row] : most;
            least = codes[row] < least ? codes[row] : least;
        }
        pairs += pair_of(codes[0], codes[1], codes[2]) >= 0;
        float value = column_at(s, at, seat, column, 1);
        int place = column;
        for (; place && columns[place - 1] < value; place--) columns[place] = columns[place - 1];
        columns[place] = value;
    }
    out[0] += weight;
    out[1] += weight * in_units(at.visible[seat]);
    out[2] += weight * in_units(at.expected[seat]);
    out[3] += weight * at.hidden[seat] / 12.0f;
    out[4] += weight * at.cards[seat] / 12.0f;
    out[5] += weight * s[STOCKED + seat] / 3.0f;
    out[6] += weight * (s[FROZEN + seat] > 0);
    out[7] += weight * (s[SHIELDED] >> seat & 1);
    out[8] += weight * (s[OWED] >> seat & 1);
    out[9] += weight * (s[INITIATOR] == seat);
    out[10] += weight * steps / s[SEATS];
    out[11] += weight * (steps == 1);
    out[12] += weight * pairs / 4.0f;
    out[13] += weight * in_units(at.expected[seat] - at.expected[at.me]);
    out[14] += weight * (most - 2) / 12.0f;
    out[15] += weight * (least - 2) / 12.0f;
    for (int column = 0; column < 4; column++) out[16 + column] += weight * in_units(columns[column]);
}

HD void write_rival(float* out, Seen s, const Sight& at, int seat) {
    write_brief(out, s, at, seat, 1);
    for (int column = 0; column < 4; column++) {  // what a third equal card is worth to the rival
        int first = GRIDS + 12 * seat + column;
        int pair = pair_of(s[first], s[first + 4], s[first + 8]);
        if (pair >= 0) out[BRIEF + pair] += in_units(column_at(s, at, seat, column, 1));
    }
}

HD void write_rivals(float* out, Seen s, const Sight& at) {
    for (int place = 0; place < at.rivals && place < 3; place++)
        write_rival(out + RIVAL_SIZE * place, s, at, at.lowest[place]);
    for (int steps = 1; steps < s[SEATS]; steps++) {
        int next = (at.me + steps * s[DIRECTION] + 8 * s[SEATS]) % s[SEATS];
        if (gone(s, next)) continue;
        write_rival(out + RIVAL_SIZE * 3, s, at, next);
        break;
    }
    for (int seat = 0; seat < s[SEATS]; seat++)
        if (seat != at.me && !gone(s, seat)) write_brief(out + RIVAL_SIZE * 4, s, at, seat, 1.0f / at.rivals);
    if (at.rivals)
        for (int cell = 0; cell < 12; cell++) {
            int code = s[GRIDS + 12 * at.lowest[0] + cell];
            if (code < VALUES) out[RIVAL_SIZE * 4 + BRIEF + code] += 1 / 3.0f;
        }
}

HD void write_table(float* out, Seen s, const Sight& at) {
    int me = at.me;
    out[at.rivals - 1 < 0 ? 0 : at.rivals - 1] = 1;
    out += 7;
    out[s[PILED] ? s[PILE + s[PILED] - 1] : 15] = 1;
    out += 16;
    for (int card = 0; card < VALUES; card++) {
        out[card] = at.unseen_left ? 5.0f * at.unseen[card] / at.unseen_left : 0;
        out[16 + card] = at.deck_left ? 5.0f * at.deck[card] / at.deck_left : 0;
    }
    out[15] = at.mean / 12;
    out[31] = at.deck_mean / 12;
    out[32] = s[DECK_SIZE] / 100.0f;
    out[33] = s[REFILLED];
    out += 34;
    bool known = s[HELD_KNOWN] >> me & 1;
    if (s[HELD] >= 0 && known) out[s[HELD]] = 1;
    out += 15;
    out[0] = s[SOURCE] == FROM_DECK;
    out[1] = s[SOURCE] == FROM_PILE;
    out[2] = s[SOURCE] == FROM_GIFT;
    out += 3;
    if (s[HELD_ACTION] >= 0 && known) out[s[HELD_ACTION]] = 1;
    out += CARDS;
    for (int place = 0; place < s[STOCKED + me]; place++) out[s[STOCK + 12 * me + place]] += 1;
    out += CARDS;
    int left[CARDS], total = 0;
    for (int card = 0; card < CARDS; card++) left[card] = s[ACTIONS + card];
    for (int seat = 0; seat < s[SEATS]; seat++)
        for (int place = 0; place < s[STOCKED + seat] && seat != me; place++) left[s[STOCK + 12 * seat + place]]++;
    if (s[HELD_ACTION] >= 0 && !known) left[s[HELD_ACTION]]++;
    for (int card = 0; card < CARDS; card++) total += left[card];
    for (int card = 0; card < CARDS && total; card++) out[card] = 5.0f * left[card] / total;
    out[CARDS] = total / 34.0f;
    out += CARDS + 1;
    if (s[LAST_CARD] >= 0) out[s[LAST_CARD]] = 1;
    out += CARDS;
    out[s[STAGE]] = 1;
    out += 9;
    out[0] = s[PLAYS] / 3.0f;
    out[1] = s[SKIPS] / 2.0f;
    out[2] = s[REVEALS];
    out[3] = s[EXTENDED];
    out += 4;
    if (s[LOOKED] && s[SCOUT] == me) {
        out[s[SCOUTED]] = 1;
        out[15] = s[LOOKED] > 1 ? (s[SCOUTED + 1] - 2) / 12.0f : 0;
        out[16] = s[LOOKED] > 2 ? (s[SCOUTED + 2] - 2) / 12.0f : 0;
        out[17] = s[LOOKED] / 3.0f;
    }
    out += 18;
    if (s[ATTACK] >= 0) out[s[ATTACK]] = 1;
}

HD void write_position(float* out, Seen s, const Sight& at) {
    write_own(out + OWN, s, at);
    write_self(out + SELF, s, at);
    write_rivals(out + RIVALS, s, at);
    write_table(out + TABLE, s, at);
}

// Actions

// One card of a column that is replaced; `cell` is -1 if only the mark of the column changes.
struct Site {
    int seat, cell, column, incoming, mark;
};

struct Change {
    float points;  // of the expected score
    int hidden;
    bool cleared, paired, broken;
};

HD Change change_at(Seen s, const Sight& at, const Site& site) {
    int codes[3], first = 12 * site.seat + site.column;
    for (int row = 0; row < 3; row++) codes[row] = seen_code(s, at.me, first + 4 * row);
    int mark = s[MARKS + 4 * site.seat + site.column];
    float before = column_value(codes[0], codes[1], codes[2], mark, at.mean, at.paired);
    Change change = {0, 0, false, false, false};
    int pair = pair_of(codes[0], codes[1], codes[2]);
    if (site.cell >= 0) {
        int row = site.cell / 4;
        change.hidden = down(site.incoming) - down(codes[row]);
        codes[row] = site.incoming;
    }
    change.points = column_value(codes[0], codes[1], codes[2], mark + site.mark, at.mean, at.paired) - before;
    change.cleared = codes[0] < VALUES && codes[0] == codes[1] && codes[1] == codes[2];
    int now = pair_of(codes[0], codes[1], codes[2]);
    change.paired = now >= 0 && now != pair && !change.cleared;
    change.broken = pair >= 0 && now != pair;
    return change;
}

HD void write_site(float* out, Seen s, const Sight& at, const Site& site) {
    int codes[3], first = 12 * site.seat + site.column;
    if (site.cell >= 0) {
        int row = site.cell / 4;
        codes[0] = seen_code(s, at.me, first + 4 * row);
        codes[1] = seen_code(s, at.me, first + 4 * ((row + 1) % 3));
        codes[2] = seen_code(s, at.me, first + 4 * ((row + 2) % 3));
        if (codes[1] < codes[2]) {
            int other = codes[1];
            codes[1] = codes[2];
            codes[2] = other;
        }
        write_cell(out + CELL_SIZE, site.incoming);
    } else {
        sorted_column(s, at.me, site.seat, site.column, codes);
    }
    write_cell(out, codes[0]);
    write_cell(out + 2 * CELL_SIZE, codes[1]);
    write_cell(out + 3 * CELL_SIZE, codes[2]);
    out[72] = as_mark(s[MARKS + 4 * site.seat + site.column] + site.mark);
    out[73] = 1;
}

// Find the columns that a card changes for a seat that looks at it: at most two, the own one first.
HD int find_sites(Seen s, const Sight& at, int card, int actor, int victim, int cell, int theirs, int column,
                  Site* sites) {
    int me = at.me, mine = seen_code(s, me, 12 * actor + cell), other = seen_code(s, me, 12 * victim + theirs);
    int shown = other >= SEEN ? other & 15 : other;
    switch (card) {
        case TELEPORT:
            if (cell % 4 == theirs % 4) return 0;
            other = seen_code(s, me, 12 * actor + theirs);
            sites[0] = {actor, cell, cell % 4, other, 0};
            sites[1] = {actor, theirs, theirs % 4, mine, 0};
            return 2;
        case SWAP:
            sites[actor == me ? 0 : 1] = {actor, cell, cell % 4, other, 0};
            sites[actor == me ? 1 : 0] = {victim, theirs, theirs % 4, mine, 0};
            return 2;
        case PEEK: sites[0] = {victim, theirs, theirs % 4, other, 0}; return 1;
        case REVEAL: sites[0] = {victim, theirs, theirs % 4, shown, 0}; return 1;
        case GIFT:
            if (s[HELD] < 0) return 0;
            sites[0] = {victim, theirs, theirs % 4, s[HELD], 0};
            return 1;
        case GAMBLE: sites[0] = {actor, cell, cell % 4, HIDDEN, 0}; return 1;
        case CURSE: sites[0] = {victim, -1, column, 0, 1}; return 1;
        case BOMB: sites[0] = {victim, -1, column, 0, 0}; return 1;
        case HEAL: sites[0] = {actor, -1, column, 0, -1}; return 1;
    }
    return 0;
}

// The value of ending the manche with so many points, by a rule of thumb.
HD float worth_closing(const Sight& at, float mine) {
    if (!at.rivals) return 0;
    float risk = 0.5f - (at.expected[at.lowest[0]] - 6 - mine) / 20;
    risk = risk < 0 ? 0 : risk > 1 ? 1 : risk;
    return 3 * (1 - risk) - (mine > 0 ? mine : 0) * risk;
}

HD float best_gain(Seen s, const Sight& at, int card) {
    float most = -1000;
    for (int cell = 0; cell < 12; cell++) {
        int code = seen_code(s, at.me, 12 * at.me + cell);
        if (code == EMPTY) continue;
        Change change = change_at(s, at, {at.me, cell, cell % 4, card, 0});
        float gain = -change.points + (down(code) ? 0.4f : 0);
        if (!s[ENDING] && at.hidden[at.me] + change.hidden == 0)
            gain += worth_closing(at, at.expected[at.me] + change.points);
        most = gain > most ? gain : most;
    }
    return most;
}

// Write the numbers of an action; return its value by a rule of thumb, in points.
HD float write_action(float* out, Seen s, const Sight& at, int code) {
    int me = at.me, kind = kind_of(code), effect = -1, actor = me, victim = me, count = 0;
    int cell = cell_of(code), theirs = theirs_of(code), column = column_of(code);
    float thumb = 0;
    Site sites[2];
    out[A_KIND + kind] = 1;
    switch (kind) {
        case DO_CHOOSE:
            out[A_SAME] = cell % 4 == theirs % 4;
            thumb = out[A_SAME];
            break;
        case DO_DECK: thumb = s[ENDING] ? 0.5f : 2.5f; break;
        case DO_PILE: thumb = best_gain(s, at, s[PILE + s[PILED] - 1]); break;
        case DO_ACTIONS: thumb = s[ENDING] ? 0.5f : 1.5f; break;
        case DO_PLACE: sites[count++] = {me, cell, cell % 4, s[HELD], 0}; break;
        case DO_TURN: {
            int known = seen_code(s, me, 12 * me + cell);
            sites[count++] = {me, cell, cell % 4, known >= SEEN ? known & 15 : HIDDEN, 0};
            break;
        }
        case DO_DISCARD:
            if (s[REVEALS] && at.hidden[me])
                thumb = at.hidden[me] == 1 && !s[ENDING] ? worth_closing(at, at.expected[me]) : 2.0f;
            break;
        case DO_STORE: thumb = 0.8f; break;
        case DO_THROW:
            out[A_THROWN + card_of(code)] = 1;
            thumb = card_of(code) == SHIELD || card_of(code) == SWAP ? -3.0f : -1.0f;
            break;
        case DO_PLAY:
            effect = card_of(code) == DUPLICATE ? s[LAST_CARD] : card_of(code);
            out[A_DUPLICATE] = card_of(code) == DUPLICATE;
            if (is_attack(effect) && effect != GIFT) victim = seat_of(code);
            thumb = effect == SHUFFLE ? -2.0f : effect == SWAP ? -2.0f : effect == DRAW_TWO ? 2.0f : 0.3f;
            break;
        case DO_GIFT:
            effect = GIFT;
            victim = seat_of(code);
            break;
        case DO_ACCEPT:
            effect = s[ATTACK];
            actor = s[ATTACKER];
            cell = s[CELL], theirs = s[THEIRS], column = s[COLUMN];
            break;
        case DO_SHIELD: thumb = -3; break;
        case DO_MIRROR:
            effect = s[ATTACK];
            victim = s[ATTACKER];
            thumb = -3;
            break;
        case DO_ORDER:
            out[A_TOP + s[SCOUTED + order_at(s[LOOKED], column, 0)]] = 1;
            for (int place = 1; place < s[LOOKED]; place++)
                out[A_TOP + 14 + place] = (s[SCOUTED + order_at(s[LOOKED], column, place)] - 2) / 12.0f;
            break;
    }
    if (effect >= 0) {
        out[A_EFFECT + effect] = 1;
        if (effect != GIFT || kind != DO_PLAY)
            count = find_sites(s, at, effect, actor, victim, cell, theirs, column, sites);
    }
    int other = actor == me ? victim : actor;
    if (other != me) {
        write_brief(out + A_TARGET, s, at, other, 1);
        out[A_TARGET + BRIEF] = at.rivals && other == at.lowest[0];
    }
    int hidden = 0, others_hidden = 0;
    float mine = 0;
    for (int place = 0; place < count; place++) {
        const Site& site = sites[place];
        Change change = change_at(s, at, site);
        bool own = site.seat == me;
        // A turned card lies face up, even if the seat does not know yet what it will be.
        if ((kind == DO_TURN || effect == REVEAL || effect == GAMBLE) && site.incoming == HIDDEN)
            change.hidden = -int(down(seen_code(s, me, 12 * site.seat + site.cell)));
        out[A_CHANGES + (own ? 0 : 1)] += 2 * in_units(change.points);
        if (change.cleared) out[A_CHANGES + (own ? 4 : 5)] = 1;
        if (own && change.paired) out[A_CHANGES + 6] = 1;
        if (own && change.broken) out[A_CHANGES + 7] = 1;
        (own ? hidden : others_hidden) += change.hidden;
        (own ? mine : thumb) += own ? change.points : 0.6f * change.points;
        // The first site is for an own column, the second for any other.
        int where = own && place == 0 ? 0 : 1;
        write_site(out + A_SITES + SITE_SIZE * where, s, at, site);
        if (where == 1 && own) out[A_SECOND_OWN] = 1;
    }
    thumb -= mine;
    if (!s[ENDING] && hidden < 0) {
        out[A_CHANGES + 2] = at.hidden[me] + hidden == 0;
        if (at.hidden[me] + hidden == 0) thumb += worth_closing(at, at.expected[me] + mine);
        else if (kind == DO_PLACE) thumb += 0.4f;
    }
    if (!s[ENDING] && others_hidden < 0) out[A_CHANGES + 3] = at.hidden[other] + others_hidden == 0;
    return thumb;
}
