// The rules of one manche of Ojyx, for the GPU and, with -DHOST, for the CPU.
//
// A manche is one array of int16, so that a port to Numba is a matter of spelling. It holds the whole truth; observe.h
// reads only what one seat can see. A number card is its value plus two, 0 to 14. As in the product, a card that nobody
// has seen has no value yet: it is drawn from the unseen cards when it is turned. The random numbers are used in the
// same order as in the product, so that a test can compare whole manches.
//
// Two things are left out, because no player of the training uses them: what a seat still knows about shuffled cards,
// and which stolen cards it knows. Nobody leaves during the training, but seats that are gone are respected.

#pragma once

#include <cmath>
#include <cstdint>

#ifdef HOST
#define HD inline
#else
#define HD __host__ __device__ inline
#endif

typedef int16_t* Manche;
typedef const int16_t* Seen;
typedef uint64_t* Dice;

constexpr int VALUES = 15, CARDS = 21, EMPTY = 15, HIDDEN = 16, SEEN = 32, MOST_TURNS = 60;

// The places in a manche.
constexpr int GRIDS = 0;           // eight grids of twelve cells, row by row
constexpr int MARKS = 96;          // curses minus heals, for each seat and column
constexpr int UNSEEN = 128;        // the counts of the cards that nobody has seen
constexpr int DECK = 143;          // the counts of the deck after a refill
constexpr int PILE = 158;          // the discard pile, its top last
constexpr int STOCK = 310;         // twelve places for the action cards of each seat, newest last
constexpr int STOCKED = 406;       // their number
constexpr int FROZEN = 414;
constexpr int TURNS = 422;
constexpr int ACTIONS = 430;       // the counts of the action deck
constexpr int THROWN = 451;        // the counts of its pile
constexpr int CHOSEN = 472;        // the first choice of each seat, or -1
constexpr int SCOUTED = 480;       // the known top of the deck, next card first
constexpr int SCORES = 483;        // the scores, once the manche is over
constexpr int SEATS = 491, STAGE = 492, TO_ACT = 493, SOURCE = 494, HELD = 495, HELD_ACTION = 496, HELD_KNOWN = 497;
constexpr int DECK_SIZE = 498, REFILLED = 499, PILED = 500, THROWN_TOP = 501, LOOKED = 502, SCOUT = 503;
constexpr int ATTACKER = 504, TARGET = 505, ATTACK = 506, CELL = 507, THEIRS = 508, COLUMN = 509;
constexpr int PLAYS = 510, LAST_CARD = 511, DIRECTION = 512, SKIPS = 513, SHIELDED = 514, STARTER = 515;
constexpr int INITIATOR = 516, ENDING = 517, OWED = 518, EXTENDED = 519, REVEALS = 520, GONE = 521;
constexpr int STATE = 522;

enum Stage { CHOOSE, DRAW, DECIDE, TURN, ACTION, PLAY, REACT, GIFTING, SCOUTING, OVER };
enum Source { NO_SOURCE, FROM_DECK, FROM_PILE, FROM_ACTIONS, FROM_GIFT };
enum Card {
    TURN_AROUND, TELEPORT, SWAP, PEEK, REVEAL, SKIP, SHUFFLE, SHIELD, STEAL, CURSE, DRAW_TWO, HEAL,
    REVERSE, LOSE, FREEZE, MIRROR, BOMB, DUPLICATE, GIFT, GAMBLE, SCOUT_CARD
};

// An action is one number: kind, card, seat, cell, other cell, column or order.
enum Kind {
    DO_CHOOSE, DO_DECK, DO_PILE, DO_ACTIONS, DO_PLACE, DO_DISCARD, DO_TURN, DO_STORE,
    DO_THROW, DO_END, DO_PLAY, DO_ACCEPT, DO_SHIELD, DO_MIRROR, DO_GIFT, DO_ORDER
};

HD int code_of(int kind, int card = 0, int seat = 0, int cell = 0, int theirs = 0, int column = 0) {
    return kind | card << 4 | seat << 9 | cell << 13 | theirs << 17 | column << 21;
}
HD int kind_of(int code) { return code & 15; }
HD int card_of(int code) { return code >> 4 & 31; }
HD int seat_of(int code) { return code >> 9 & 15; }
HD int cell_of(int code) { return code >> 13 & 15; }
HD int theirs_of(int code) { return code >> 17 & 15; }
HD int column_of(int code) { return code >> 21 & 7; }

// The new order of up to three looked-at cards: the permutations in the order of Python's itertools.
HD int order_at(int count, int order, int at) {
    const int three[6] = {012, 021, 0102, 0120, 0201, 0210};
    if (count == 3) return three[order] >> (6 - 3 * at) & 7;
    return count == 2 ? (order ? 1 - at : at) : 0;
}

HD int orders_of(int count) { return count == 3 ? 6 : count == 2 ? 2 : 1; }

HD int pick(Dice dice, int n) {
    *dice = *dice * 6364136223846793005ull + 1442695040888963407ull;
    return int((*dice >> 32) * uint64_t(n) >> 32);
}

HD int take(Manche s, int counts, int kinds, Dice dice) {
    int total = 0;
    for (int at = 0; at < kinds; at++) total += s[counts + at];
    int left = pick(dice, total);
    for (int at = 0; at < kinds; at++) {
        if (left < s[counts + at]) {
            s[counts + at]--;
            return at;
        }
        left -= s[counts + at];
    }
    return 0;  // only if there is no card at all
}

HD bool is_attack(int card) {
    return card == SWAP || card == PEEK || card == REVEAL || card == STEAL || card == CURSE || card == LOSE ||
           card == FREEZE || card == BOMB || card == GIFT;
}
HD bool gone(Seen s, int seat) { return s[GONE] >> seat & 1; }
HD bool down(int code) { return code >= HIDDEN; }

HD int count_cards(Seen s, int seat) {
    int count = 0;
    for (int cell = 0; cell < 12; cell++) count += s[GRIDS + 12 * seat + cell] != EMPTY;
    return count;
}
HD int count_hidden(Seen s, int seat) {
    int count = 0;
    for (int cell = 0; cell < 12; cell++) count += down(s[GRIDS + 12 * seat + cell]);
    return count;
}

HD bool is_due(Seen s, int seat) {
    if (gone(s, seat)) return false;
    return s[ENDING] ? s[OWED] >> seat & 1 : s[TURNS + seat] < MOST_TURNS;
}

HD int actor_of(Seen s) {
    if (s[STAGE] == REACT) return s[TARGET];
    if (s[STAGE] != CHOOSE) return s[TO_ACT];
    for (int seat = 0; seat < s[SEATS]; seat++)
        if (!gone(s, seat) && s[CHOSEN + seat] < 0) return seat;
    return 0;
}

// The decks

HD void discard_card(Manche s, int card) { s[PILE + s[PILED]++] = int16_t(card); }

HD void refill(Manche s) {
    for (int at = 0; at < VALUES; at++) s[DECK + at] = 0;
    for (int at = 0; at + 1 < s[PILED]; at++) s[DECK + s[PILE + at]]++;
    s[DECK_SIZE] = s[PILED] - 1;
    s[PILE] = s[PILE + s[PILED] - 1];
    s[PILED] = 1;
    s[REFILLED] = 1;
}

HD int draw_number(Manche s, Dice dice) {
    if (s[DECK_SIZE] == 0) refill(s);
    s[DECK_SIZE]--;
    if (s[LOOKED]) {
        int card = s[SCOUTED];
        s[SCOUTED] = s[SCOUTED + 1];
        s[SCOUTED + 1] = s[SCOUTED + 2];
        if (--s[LOOKED] == 0) s[SCOUT] = -1;
        return card;
    }
    return take(s, s[REFILLED] ? DECK : UNSEEN, VALUES, dice);
}

HD void look_ahead(Manche s, int seat, Dice dice) {
    if (s[DECK_SIZE] == 0) refill(s);
    while (s[LOOKED] < 3 && s[LOOKED] < s[DECK_SIZE]) {
        s[SCOUTED + s[LOOKED]] = int16_t(take(s, s[REFILLED] ? DECK : UNSEEN, VALUES, dice));
        s[LOOKED]++;
    }
    s[SCOUT] = int16_t(seat);
}

HD int count_actions(Seen s, int counts) {
    int total = 0;
    for (int card = 0; card < CARDS; card++) total += s[counts + card];
    return total;
}
HD int actions_left(Seen s) {
    int thrown = count_actions(s, THROWN);
    return count_actions(s, ACTIONS) + (thrown ? thrown - 1 : 0);
}
HD void throw_card(Manche s, int card) {
    s[THROWN + card]++;
    s[THROWN_TOP] = int16_t(card);
}
HD int draw_action(Manche s, Dice dice) {
    if (count_actions(s, ACTIONS) == 0) {
        for (int card = 0; card < CARDS; card++) {
            s[ACTIONS + card] = int16_t(s[THROWN + card] - (card == s[THROWN_TOP]));
            s[THROWN + card] = card == s[THROWN_TOP];
        }
    }
    return take(s, ACTIONS, CARDS, dice);
}

// Grids

HD int uncover(Manche s, int place, Dice dice) {
    int code = s[GRIDS + place];
    if (code == HIDDEN) return take(s, UNSEEN, VALUES, dice);
    return code & 15;
}
HD void turn_up(Manche s, int place, Dice dice) { s[GRIDS + place] = int16_t(uncover(s, place, dice)); }
HD void replace_card(Manche s, int place, int card, Dice dice) {
    discard_card(s, uncover(s, place, dice));
    s[GRIDS + place] = int16_t(card);
}

HD void clear_columns(Manche s, int seat) {
    for (int at = GRIDS + 12 * seat; at < GRIDS + 12 * seat + 4; at++) {
        int card = s[at];
        if (card >= VALUES || card != s[at + 4] || card != s[at + 8]) continue;
        for (int row = 0; row < 12; row += 4) {
            s[at + row] = EMPTY;
            discard_card(s, card);
        }
    }
}

HD void settle(Manche s, int actor, int other) {
    clear_columns(s, actor);
    if (other >= 0) clear_columns(s, other);
    if (s[ENDING] || (count_hidden(s, actor) && (other < 0 || count_hidden(s, other)))) return;
    s[ENDING] = 1;
    s[INITIATOR] = int16_t(actor);
    s[OWED] = int16_t(((1 << s[SEATS]) - 1) & ~s[GONE] & ~(1 << actor));
}

HD void shuffle_grid(Manche s, int seat, Dice dice) {
    int places[12], count = 0;
    for (int at = GRIDS + 12 * seat; at < GRIDS + 12 * seat + 12; at++)
        if (s[at] != EMPTY) places[count++] = at;
    for (int last = count - 1; last > 0; last--) {
        int at = pick(dice, last + 1);
        int16_t card = s[places[at]];
        s[places[at]] = s[places[last]];
        s[places[last]] = card;
    }
    for (int at = 0; at < count; at++)  // nobody knows where the hidden cards are now
        if (s[places[at]] > HIDDEN) s[places[at]] = int16_t(SEEN + (s[places[at]] & 15));
}

// Stocks

HD bool stocks(Seen s, int seat, int card) {
    for (int at = 0; at < s[STOCKED + seat]; at++)
        if (s[STOCK + 12 * seat + at] == card) return true;
    return false;
}
HD void store_card(Manche s, int seat, int card) {
    if (s[STOCKED + seat] < 12) s[STOCK + 12 * seat + s[STOCKED + seat]++] = int16_t(card);
}
HD int remove_stored(Manche s, int seat, int at) {
    Manche stock = s + STOCK + 12 * seat;
    int card = stock[at];
    s[STOCKED + seat]--;
    for (; at < s[STOCKED + seat]; at++) stock[at] = stock[at + 1];
    return card;
}
HD void spend_stored(Manche s, int seat, int card) {
    for (int at = 0; at < s[STOCKED + seat]; at++)
        if (s[STOCK + 12 * seat + at] == card) {
            remove_stored(s, seat, at);
            throw_card(s, card);
            return;
        }
}

// Turns

HD void finish(Manche s, Dice dice) {
    int points[8];
    for (int seat = 0; seat < s[SEATS]; seat++) {
        for (int cell = 12 * seat; cell < 12 * seat + 12; cell++)
            if (down(s[GRIDS + cell])) turn_up(s, cell, dice);
        clear_columns(s, seat);
        points[seat] = 0;
        for (int column = 0; column < 4; column++) {
            int total = 0, mark = s[MARKS + 4 * seat + column];
            for (int row = 0; row < 12; row += 4) {
                int card = s[GRIDS + 12 * seat + column + row];
                if (card != EMPTY) total += card - 2;
            }
            points[seat] += mark >= 0 ? total * (1 << mark) : total >> -mark;
        }
        points[seat] = points[seat] > 16000 ? 16000 : points[seat] < -16000 ? -16000 : points[seat];  // int16
        s[SCORES + seat] = int16_t(points[seat]);
    }
    int who = s[INITIATOR];
    if (who >= 0 && !gone(s, who) && points[who] > 0)
        for (int seat = 0; seat < s[SEATS]; seat++)
            if (!gone(s, seat) && points[seat] < points[who]) s[SCORES + who] = int16_t(2 * points[who]);
    s[STAGE] = OVER;
}

HD void begin_turn(Manche s, int seat) {
    s[TURNS + seat]++;
    s[OWED] &= int16_t(~(1 << seat));
    s[STAGE] = DRAW;
    s[TO_ACT] = int16_t(seat);
}

HD void drop_held(Manche s) {
    s[SOURCE] = NO_SOURCE;
    s[HELD] = s[HELD_ACTION] = -1;
    s[HELD_KNOWN] = 0;
}
HD void drop_attack(Manche s) { s[ATTACKER] = s[TARGET] = s[ATTACK] = s[CELL] = s[THEIRS] = s[COLUMN] = -1; }

HD void pass_turn(Manche s, Dice dice) {
    int seats = s[SEATS], seat = s[TO_ACT], at = seat;
    if (s[FROZEN + seat]) s[FROZEN + seat]--;
    drop_held(s);
    drop_attack(s);
    s[PLAYS] = s[SHIELDED] = 0;
    for (;;) {
        bool due = false;
        for (int other = 0; other < seats; other++) due |= is_due(s, other);
        if (!due) return finish(s, dice);
        at = (at + s[DIRECTION] + seats) % seats;
        if (!is_due(s, at)) continue;
        if (s[SKIPS] == 0 || at == seat) {
            s[SKIPS] = 0;
            return begin_turn(s, at);
        }
        s[SKIPS]--;
        s[TURNS + at]++;
        s[OWED] &= int16_t(~(1 << at));
        if (s[FROZEN + at]) s[FROZEN + at]--;
    }
}

HD void proceed(Manche s, Dice dice) {
    int seat = s[TO_ACT], stored = s[STOCKED + seat];
    if (stored <= 3 && (!stored || s[PLAYS] >= 3 || s[FROZEN + seat])) return pass_turn(s, dice);
    s[STAGE] = PLAY;
    drop_held(s);
    drop_attack(s);
}

HD void turn_around(Manche s) {
    throw_card(s, TURN_AROUND);
    s[LAST_CARD] = TURN_AROUND;
    s[DIRECTION] = int16_t(-s[DIRECTION]);
}

// Action cards: the effect of a card by an actor on a victim, who is the actor if the card is no attack.

HD void take_effect(Manche s, int card, int actor, int victim, int cell, int theirs, int column, Dice dice) {
    int mine = GRIDS + 12 * actor, other = GRIDS + 12 * victim;
    switch (card) {
        case TELEPORT:
        case SWAP: {
            int there = card == SWAP ? other + theirs : mine + theirs;
            int16_t moved = s[mine + cell];
            s[mine + cell] = s[there];
            s[there] = moved;
            settle(s, actor, card == SWAP ? victim : -1);
            break;
        }
        case PEEK: {
            int code = s[other + theirs];
            int knowers = code == HIDDEN ? 0 : (code - SEEN) >> 4;
            int value = uncover(s, 12 * victim + theirs, dice);
            s[other + theirs] = int16_t(SEEN + 16 * (knowers | 1 << actor) + value);
            break;
        }
        case REVEAL:
            turn_up(s, 12 * victim + theirs, dice);
            settle(s, actor, victim);
            break;
        case BOMB:
            for (int at = 12 * victim + column; at < 12 * victim + 12; at += 4)
                if (down(s[GRIDS + at])) turn_up(s, at, dice);
            settle(s, actor, victim);
            break;
        case SHUFFLE:
            shuffle_grid(s, actor, dice);
            settle(s, actor, -1);
            break;
        case CURSE: s[MARKS + 4 * victim + column]++; break;
        case HEAL: s[MARKS + 4 * actor + column]--; break;
        case STEAL: store_card(s, actor, remove_stored(s, victim, pick(dice, s[STOCKED + victim]))); break;
        case LOSE: {
            int at = pick(dice, s[STOCKED + victim]);
            spend_stored(s, victim, s[STOCK + 12 * victim + at]);
            break;
        }
        case DRAW_TWO: {
            int left = actions_left(s);
            for (int time = 0; time < 2 && time < left; time++) {
                int drawn = draw_action(s, dice);
                if (drawn == TURN_AROUND) turn_around(s);
                else store_card(s, actor, drawn);
            }
            break;
        }
        case SKIP: s[SKIPS]++; break;
        case TURN_AROUND:
        case REVERSE: s[DIRECTION] = int16_t(-s[DIRECTION]); break;
        case FREEZE: s[FROZEN + victim] = victim == s[TO_ACT] ? 2 : 1; break;
        case GIFT: {
            int given = s[HELD];
            replace_card(s, 12 * victim + theirs, given, dice);
            drop_held(s);
            settle(s, actor, victim);
            break;
        }
        case GAMBLE: {
            int drawn = draw_number(s, dice);
            replace_card(s, 12 * actor + cell, drawn, dice);
            settle(s, actor, -1);
            break;
        }
    }
}

HD void hit(Manche s, int card, int actor, int victim, int cell, int theirs, int column, Dice dice) {
    drop_attack(s);
    take_effect(s, card, actor, victim, cell, theirs, column, dice);
    proceed(s, dice);
}

HD void strike(Manche s, int seat, int card, int code, Dice dice) {
    int victim = seat_of(code);
    if (!s[STOCKED + victim] || s[FROZEN + victim])
        return hit(s, card, seat, victim, cell_of(code), theirs_of(code), column_of(code), dice);
    s[STAGE] = REACT;
    s[ATTACKER] = int16_t(seat);
    s[TARGET] = int16_t(victim);
    s[ATTACK] = int16_t(card);
    s[CELL] = int16_t(cell_of(code));
    s[THEIRS] = int16_t(theirs_of(code));
    s[COLUMN] = int16_t(column_of(code));
}

HD void play_card(Manche s, int seat, int code, Dice dice) {
    int card = card_of(code), effect = card == DUPLICATE ? s[LAST_CARD] : card;
    if (s[STAGE] == ACTION) {
        drop_held(s);
        throw_card(s, card);
    } else {
        spend_stored(s, seat, card);
        s[PLAYS]++;
    }
    s[LAST_CARD] = int16_t(effect);
    if (effect == SCOUT_CARD) {
        look_ahead(s, seat, dice);
        s[STAGE] = SCOUTING;
    } else if (effect == GIFT) {
        s[HELD] = int16_t(draw_number(s, dice));
        s[SOURCE] = FROM_GIFT;
        s[HELD_KNOWN] = 0xFF;
        s[STAGE] = GIFTING;
    } else if (is_attack(effect)) {
        strike(s, seat, effect, code, dice);
    } else {
        take_effect(s, effect, seat, seat, cell_of(code), theirs_of(code), column_of(code), dice);
        proceed(s, dice);
    }
}

// Call `visit` for every aim of a card; `base` is a code with its kind, card and seat. With `few`, aims that differ
// from an earlier one only by the order of equal cards are left out; `me` is the seat that cannot tell them apart.

HD int seen_code(Seen s, int me, int place) {
    int code = s[GRIDS + place];
    if (code > HIDDEN) return (code - SEEN) >> 4 >> me & 1 ? SEEN + (code & 15) : HIDDEN;
    return code;
}

HD bool is_twin(Seen s, int me, int seat, int cell) {
    int place = 12 * seat + cell, code = seen_code(s, me, place);
    for (int above = place - 4; above >= 12 * seat; above -= 4)
        if (seen_code(s, me, above) == code) return true;
    for (int column = 0; column < cell % 4; column++) {
        if (s[MARKS + 4 * seat + column] != s[MARKS + 4 * seat + cell % 4]) continue;
        bool same = true;
        for (int row = 0; row < 12; row += 4)
            same &= seen_code(s, me, 12 * seat + column + row) == seen_code(s, me, 12 * seat + cell % 4 + row);
        if (same) return true;
    }
    return false;
}

HD bool offered(Seen s, int me, int seat, int cell, bool few) {
    return s[GRIDS + 12 * seat + cell] != EMPTY && !(few && is_twin(s, me, seat, cell));
}

template <typename Visit>
HD void visit_aims(Seen s, int effect, int base, int actor, int victim, bool few, int me, Visit& visit) {
    switch (effect) {
        case TELEPORT:
            for (int a = 0; a < 12; a++)
                for (int b = a + 1; b < 12; b++) {
                    if (few && a % 4 == b % 4) continue;
                    if (offered(s, me, actor, a, few) && offered(s, me, actor, b, few))
                        visit(base | code_of(0, 0, 0, a, b));
                }
            break;
        case SWAP:
            for (int a = 0; a < 12; a++) {
                if (!offered(s, me, actor, a, few)) continue;
                for (int b = 0; b < 12; b++)
                    if (offered(s, me, victim, b, few)) visit(base | code_of(0, 0, 0, a, b));
            }
            break;
        case PEEK:
        case REVEAL:
        case GIFT:
            for (int b = 0; b < 12; b++)
                if (offered(s, me, victim, b, few) && (effect == GIFT || down(s[GRIDS + 12 * victim + b])))
                    visit(base | code_of(0, 0, 0, 0, b));
            break;
        case GAMBLE:
            for (int a = 0; a < 12; a++)
                if (offered(s, me, actor, a, few)) visit(base | code_of(0, 0, 0, a));
            break;
        case CURSE:
        case BOMB:
        case HEAL: {
            int grid = GRIDS + 12 * (effect == HEAL ? actor : victim);
            for (int column = 0; column < 4; column++) {
                bool hidden = down(s[grid + column]) || down(s[grid + column + 4]) || down(s[grid + column + 8]);
                if (s[grid + column] != EMPTY && (effect != BOMB || hidden))
                    visit(base | code_of(0, 0, 0, 0, 0, column));
            }
            break;
        }
        case SHUFFLE:
            if (count_cards(s, actor)) visit(base);
            break;
        case STEAL:
        case LOSE:
            if (s[STOCKED + victim]) visit(base);
            break;
        case DRAW_TWO:
            if (actions_left(s)) visit(base);
            break;
        case SKIP: {
            int due = 0;
            for (int other = 0; other < s[SEATS]; other++) due += other != actor && is_due(s, other);
            if (due > s[SKIPS]) visit(base);
            break;
        }
        case FREEZE:
            if (!s[FROZEN + victim]) visit(base);
            break;
        default: visit(base);  // Demi-tour, reverse
    }
}

HD bool can_attack(Seen s, int seat, int victim) {
    return victim != seat && !gone(s, victim) && !(s[SHIELDED] >> victim & 1);
}

template <typename Visit>
HD void visit_plays(Seen s, int seat, int card, bool few, Visit& visit) {
    int effect = card == DUPLICATE ? s[LAST_CARD] : card;
    if (effect < 0 || effect == SHIELD || effect == MIRROR) return;
    if (effect == SCOUT_CARD) return visit(code_of(DO_PLAY, card));
    if (effect == GIFT) {
        for (int victim = 0; victim < s[SEATS]; victim++)
            if (can_attack(s, seat, victim) && count_cards(s, victim)) return visit(code_of(DO_PLAY, card));
        return;
    }
    if (!is_attack(effect)) return visit_aims(s, effect, code_of(DO_PLAY, card), seat, seat, few, seat, visit);
    for (int victim = 0; victim < s[SEATS]; victim++)
        if (can_attack(s, seat, victim))
            visit_aims(s, effect, code_of(DO_PLAY, card, victim), seat, victim, few, seat, visit);
}

template <typename Visit>
HD void visit_cards(Seen s, int seat, bool few, Visit& visit) {
    bool drawn = s[STAGE] == ACTION;
    int stored = s[STOCKED + seat];
    Seen stock = s + STOCK + 12 * seat;
    if (!drawn && stored <= 3) visit(code_of(DO_END));
    if (drawn && stored < 3) visit(code_of(DO_STORE));
    bool plays = !s[FROZEN + seat] && (drawn || s[PLAYS] < 3);
    bool throws = drawn ? stored >= 3 : stored > 3;
    for (int at = 0; at < stored; at++) {
        bool again = false;
        for (int before = 0; before < at; before++) again |= stock[before] == stock[at];
        if (again) continue;
        if (plays && !drawn) visit_plays(s, seat, stock[at], few, visit);
        if (throws) visit(code_of(DO_THROW, stock[at]));
    }
    if (!drawn) return;
    if (plays) visit_plays(s, seat, s[HELD_ACTION], few, visit);
    if (throws && !stocks(s, seat, s[HELD_ACTION])) visit(code_of(DO_THROW, s[HELD_ACTION]));
}

template <typename Visit>
HD void visit_reactions(Seen s, int seat, bool few, Visit& visit) {
    visit(code_of(DO_ACCEPT));
    if (stocks(s, seat, SHIELD)) visit(code_of(DO_SHIELD));
    if (!stocks(s, seat, MIRROR)) return;
    struct Counted {
        Visit& visit;
        int count;
        HD void operator()(int code) {
            count++;
            visit(code);
        }
    } counted{visit, 0};
    visit_aims(s, s[ATTACK], code_of(DO_MIRROR), seat, s[ATTACKER], few, seat, counted);
    if (!counted.count) visit(code_of(DO_MIRROR));
}

template <typename Visit>
HD void visit_actions(Seen s, bool few, Visit& visit) {
    int seat = actor_of(s);
    switch (s[STAGE]) {
        case CHOOSE:
            if (few) {
                visit(code_of(DO_CHOOSE, 0, 0, 0, 1));
                visit(code_of(DO_CHOOSE, 0, 0, 0, 4));
            } else {
                for (int a = 0; a < 12; a++)
                    for (int b = a + 1; b < 12; b++) visit(code_of(DO_CHOOSE, 0, 0, a, b));
            }
            break;
        case DRAW:
            visit(code_of(DO_DECK));
            if (s[PILED] && count_cards(s, seat)) visit(code_of(DO_PILE));
            if (actions_left(s)) visit(code_of(DO_ACTIONS));
            break;
        case DECIDE:
            for (int cell = 0; cell < 12; cell++)
                if (offered(s, seat, seat, cell, few)) visit(code_of(DO_PLACE, 0, 0, cell));
            if (s[SOURCE] != FROM_PILE) visit(code_of(DO_DISCARD));
            break;
        case TURN:
            for (int cell = 0; cell < 12; cell++)
                if (down(s[GRIDS + 12 * seat + cell]) && offered(s, seat, seat, cell, few))
                    visit(code_of(DO_TURN, 0, 0, cell));
            break;
        case REACT: visit_reactions(s, seat, few, visit); break;
        case GIFTING:
            for (int victim = 0; victim < s[SEATS]; victim++)
                if (can_attack(s, seat, victim))
                    visit_aims(s, GIFT, code_of(DO_GIFT, 0, victim), seat, victim, few, seat, visit);
            break;
        case SCOUTING:
            for (int order = 0; order < orders_of(s[LOOKED]); order++) visit(code_of(DO_ORDER, 0, 0, 0, 0, order));
            break;
        case ACTION:
        case PLAY: visit_cards(s, seat, few, visit); break;
    }
}

// Actions

HD void choose(Manche s, int seat, int code, Dice dice) {
    s[CHOSEN + seat] = int16_t(cell_of(code) | theirs_of(code) << 4);
    for (int other = 0; other < s[SEATS]; other++)
        if (!gone(s, other) && s[CHOSEN + other] < 0) return;
    int most = -1000, best = 0;
    for (int other = 0; other < s[SEATS]; other++) {
        if (gone(s, other)) continue;
        int one = 12 * other + (s[CHOSEN + other] & 15), two = 12 * other + (s[CHOSEN + other] >> 4);
        turn_up(s, one, dice);
        turn_up(s, two, dice);
        int sum = s[GRIDS + one] + s[GRIDS + two];
        if (sum > most) most = sum, best = other;
    }
    if (s[STARTER] < 0) s[STARTER] = int16_t(best);
    begin_turn(s, s[STARTER]);
}

HD void react(Manche s, int seat, int code, Dice dice) {
    int attacker = s[ATTACKER], card = s[ATTACK];
    if (kind_of(code) == DO_ACCEPT) return hit(s, card, attacker, seat, s[CELL], s[THEIRS], s[COLUMN], dice);
    spend_stored(s, seat, kind_of(code) == DO_SHIELD ? SHIELD : MIRROR);
    struct Count {
        int count;
        HD void operator()(int) { count++; }
    } aims{0};
    if (kind_of(code) == DO_SHIELD) s[SHIELDED] |= int16_t(1 << seat);
    else visit_aims(s, card, 0, seat, attacker, false, seat, aims);
    if (aims.count) return hit(s, card, seat, attacker, cell_of(code), theirs_of(code), column_of(code), dice);
    if (s[HELD] >= 0) discard_card(s, s[HELD]);
    drop_held(s);
    drop_attack(s);
    proceed(s, dice);
}

HD void draw_from(Manche s, int seat, int kind, Dice dice) {
    if (kind == DO_ACTIONS) {
        int card = draw_action(s, dice);
        if (card == TURN_AROUND) {
            turn_around(s);
            return proceed(s, dice);
        }
        s[STAGE] = ACTION;
        s[SOURCE] = FROM_ACTIONS;
        s[HELD_ACTION] = int16_t(card);
        s[HELD_KNOWN] = int16_t(1 << seat);
        return;
    }
    s[STAGE] = DECIDE;
    if (kind == DO_PILE) {
        s[SOURCE] = FROM_PILE;
        s[HELD] = s[PILE + --s[PILED]];
        s[HELD_KNOWN] = 0xFF;
        return;
    }
    s[HELD_KNOWN] = int16_t(1 << seat | (s[SCOUT] >= 0 ? 1 << s[SCOUT] : 0));
    s[SOURCE] = FROM_DECK;
    s[HELD] = int16_t(draw_number(s, dice));
}

HD void throw_away(Manche s, int seat, int card, Dice dice) {
    int drawn = s[HELD_ACTION];
    if (drawn == card) {
        throw_card(s, card);
    } else {
        spend_stored(s, seat, card);
        if (drawn >= 0) store_card(s, seat, drawn);
    }
    drop_held(s);
    proceed(s, dice);
}

HD void put_back(Manche s, int order) {
    int cards[3] = {s[SCOUTED], s[SCOUTED + 1], s[SCOUTED + 2]};
    for (int at = 0; at < s[LOOKED]; at++) s[SCOUTED + at] = int16_t(cards[order_at(s[LOOKED], order, at)]);
}

HD void apply(Manche s, int code, Dice dice) {
    int seat = actor_of(s);
    switch (kind_of(code)) {
        case DO_CHOOSE: return choose(s, seat, code, dice);
        case DO_DECK:
        case DO_PILE:
        case DO_ACTIONS: return draw_from(s, seat, kind_of(code), dice);
        case DO_PLACE:
            replace_card(s, 12 * seat + cell_of(code), s[HELD], dice);
            settle(s, seat, -1);
            return proceed(s, dice);
        case DO_DISCARD:
            discard_card(s, s[HELD]);
            drop_held(s);
            if (!s[REVEALS] || !count_hidden(s, seat)) return proceed(s, dice);
            s[STAGE] = TURN;
            return;
        case DO_TURN:
            turn_up(s, 12 * seat + cell_of(code), dice);
            settle(s, seat, -1);
            return proceed(s, dice);
        case DO_STORE:
            store_card(s, seat, s[HELD_ACTION]);
            return proceed(s, dice);
        case DO_THROW: return throw_away(s, seat, card_of(code), dice);
        case DO_END: return pass_turn(s, dice);
        case DO_PLAY: return play_card(s, seat, code, dice);
        case DO_GIFT: return strike(s, seat, GIFT, code, dice);
        case DO_ORDER:
            put_back(s, column_of(code));
            return proceed(s, dice);
        default: return react(s, seat, code, dice);
    }
}

HD int copies_of(int card, bool extended) {
    const int8_t copies[CARDS] = {3, 4, 3, 4, 2, 4, 2, 3, 2, 2, 3, 2, 2, 2, 2, 3, 2, 2, 2, 2, 3};
    return card <= HEAL || extended ? copies[card] : 0;
}

HD void deal(Manche s, int seats, bool extended, bool reveals, int starter, Dice dice) {
    for (int at = 0; at < STATE; at++) s[at] = 0;
    for (int at = 0; at < 96; at++) s[GRIDS + at] = at < 12 * seats ? HIDDEN : EMPTY;
    for (int card = 0; card < VALUES; card++) s[UNSEEN + card] = card == 0 ? 5 : card == 2 ? 15 : 10;
    for (int card = 0; card < CARDS; card++) s[ACTIONS + card] = int16_t(copies_of(card, extended));
    for (int seat = 0; seat < 8; seat++) s[CHOSEN + seat] = -1;
    s[SEATS] = int16_t(seats);
    s[STAGE] = CHOOSE;
    s[TO_ACT] = s[THROWN_TOP] = s[SCOUT] = s[LAST_CARD] = s[INITIATOR] = -1;
    s[STARTER] = int16_t(starter);
    drop_held(s);
    drop_attack(s);
    s[DIRECTION] = 1;
    s[EXTENDED] = extended;
    s[REVEALS] = reveals;
    s[DECK_SIZE] = int16_t(150 - 12 * seats);
    discard_card(s, draw_number(s, dice));
}
