// Play many matches at once, one for each GPU thread; with -DHOST, one after the other on the CPU.
//
// `go_on` applies the chosen actions and plays until a seat of a network has a choice; `write_rows` describes the
// options; Python evaluates them; `choose` picks one. All arguments are raw pointers to memory of torch tensors.

#include "observe.h"

enum More {
    TITLES = MANCHE,  // see set_title
    DICE,             // for the noise of players
    NUMBER,           // decides about the deals of a match
    ROUND,            // manches finished in this match
    SEAT,             // the seat that chooses
    COUNT,            // its number of options; 0 if the match is over
    WAITED,           // a seat that chose not to close since the last action
    BEGAN,            // the step in which the manche began
    PLAYERS,          // four bits for each seat: 0 first network, 1 second network, 2 heuristic
    MATCHES,          // matches finished
    POINTS,           // eight numbers
    GAME = POINTS + 8
};

struct Job {
    i64* games;          // count × GAME
    int* options;        // count × ACTIONS
    int* chosen;         // count: which option
    signed char* seats;  // steps × count: the seat that chose
    signed char* labels; // steps × count: its place, -1 as long as it is not known
    i64* tallies;        // 5 seat numbers × 8 titles or none × 8 places, then manches, then actions
    i64 seed;
    int count;
    int steps;           // length of the ring of labels
    int step;            // the current step
    int rounds;          // manches of a match
    int endless;         // whether a new match follows a finished one
    float noise;         // of the heuristic
};

constexpr int TALLIES = 5 * 8 * 8;

#ifdef HOST
#define ADD(target, value) (target) += (value)
#else
#define ADD(target, value) atomicAdd((unsigned long long*)&(target), (unsigned long long)(value))
#endif

HD int points_of(int place, int seats) {
    return place == 0 ? 2 : place == 1 ? 1 : place == seats - 1 ? -2 : place == seats - 2 ? -1 : 0;
}

// Deal the next manche: the first of a match by Q♥, later ones with an exchange, led by the Trouduc (P1, P2).
HD void next_manche(i64* g, const Job& job) {
    int seats = (int)g[SEATS], ranking[8];
    bool first = g[ROUND] == 0;
    i64 cards = (i64)mixed(mixed((u64)job.seed) ^ mixed((u64)(g[NUMBER] * 64 + g[ROUND])));
    if (!first)
        for (int seat = 0; seat < seats; seat++) ranking[place_of(g, seat)] = seat;
    int dealer = first ? pick(&cards, seats) : ranking[seats - 1];
    int leader = deal(g, seats, (dealer + 1) % seats, &cards);
    g[TITLES] = 0;
    if (!first) {
        exchange(g, ranking[0], ranking[seats - 1], 2);
        exchange(g, ranking[1], ranking[seats - 2], 1);
        g[TITLES] = 1ll << 4 * ranking[0] | 2ll << 4 * ranking[1] | 3ll << 4 * ranking[seats - 2] |
                    4ll << 4 * ranking[seats - 1];
        leader = dealer;
    }
    begin(g, seats, leader);
    g[WAITED] = -1;
    g[BEGAN] = job.step;
}

HD void end_manche(i64* g, const Job& job, int at) {
    int seats = (int)g[SEATS];
    for (int seat = 0; seat < seats; seat++) {
        int place = place_of(g, seat);
        g[POINTS + seat] += points_of(place, seats);
        ADD(job.tallies[((seats - 4) * 8 + (g[TITLES] >> 4 * seat & 7)) * 8 + place], 1);
    }
    ADD(job.tallies[TALLIES], 1);
    i64 oldest = job.step - job.steps + 1 > g[BEGAN] ? job.step - job.steps + 1 : g[BEGAN];
    for (i64 step = oldest; job.labels && step < job.step; step++) {
        i64 slot = step % job.steps * job.count + at;
        if (job.seats[slot] >= 0) job.labels[slot] = (signed char)place_of(g, job.seats[slot]);
    }
    g[ROUND]++;
    if (g[ROUND] < job.rounds) {
        next_manche(g, job);
        return;
    }
    g[MATCHES]++;
    g[COUNT] = 0;
    if (!job.endless) return;
    g[NUMBER] += job.count;
    g[ROUND] = 0;
    for (int seat = 0; seat < 8; seat++) g[POINTS + seat] = 0;
    next_manche(g, job);
}

HD int heuristic(i64* g, const int* options, int count, float noise) {
    int best = 0;
    float most = -1e9f;
    for (int at = 0; at < count; at++) {
        float liked = score(g, options[at]) + noise * (float)pick(&g[DICE], 1024) / 1024.0f;
        if (liked > most) most = liked, best = at;
    }
    return best;
}

// Find the next seat that may choose and list its options.
HD void ask(i64* g, int* options) {
    int cuts = closer(g);
    if (cuts >= 0 && g[WAITED] != cuts) {
        g[SEAT] = cuts;
        g[COUNT] = 2;
        options[0] = CLOSE;
        options[1] = WAIT;
    } else {
        g[SEAT] = g[TURN];
        g[COUNT] = legal(g, options);
    }
}

// Apply the chosen option and return whether the manche is over.
HD bool decide(i64* g, int action) {
    if (action == WAIT) {
        g[WAITED] = g[SEAT];
        return false;
    }
    g[WAITED] = -1;
    return apply(g, (int)g[SEAT], action);
}

HD void go_on_one(const Job& job, int at) {
    i64 g[GAME];
    i64* stored = job.games + (i64)at * GAME;
    for (int field = 0; field < GAME; field++) g[field] = stored[field];
    int* options = job.options + (i64)at * ACTIONS;
    i64 actions = 0;
    if (g[ROUND] < 0) {
        g[ROUND] = 0;
        next_manche(g, job);
        ask(g, options);
    } else if (g[COUNT] > 0) {
        actions++;
        if (decide(g, options[job.chosen[at]])) end_manche(g, job, at);
        if (job.endless || g[ROUND] < job.rounds) ask(g, options);
    }
    while (g[COUNT] > 0) {
        int player = (int)(g[PLAYERS] >> 4 * g[SEAT] & 15), best = 0;
        if (g[COUNT] > 1) {
            if (player != 2) break;
            if (options[1] == WAIT)
                best = worth_closing(g, (int)g[SEAT]) > 0.0f ? 0 : 1;
            else
                best = heuristic(g, options, (int)g[COUNT], job.noise);
        }
        actions++;
        if (decide(g, options[best])) end_manche(g, job, at);
        if (job.endless || g[ROUND] < job.rounds) ask(g, options);
    }
    if (job.labels) {
        i64 slot = (i64)(job.step % job.steps) * job.count + at;
        job.labels[slot] = -1;
        job.seats[slot] = g[COUNT] > 0 ? (signed char)g[SEAT] : (signed char)-1;
    }
    ADD(job.tallies[TALLIES + 1], actions);
    for (int field = 0; field < GAME; field++) stored[field] = g[field];
}

// Write the rows of a game from its offset on.
HD void write_rows_one(const Job& job, int at, const i64* ends, u32* rows) {
    const i64* g = job.games + (i64)at * GAME;
    u32 seen[STATE_WORDS];
    int count = (int)g[COUNT], me = (int)g[SEAT];
    if (count == 0) return;
    observe(g, g[TITLES], me, seen);
    for (int option = 0; option < count; option++) {
        u32* row = rows + (ends[at] - count + option) * WORDS;
        for (int word = 0; word < STATE_WORDS; word++) row[word] = seen[word];
        describe(g, me, job.options[(i64)at * ACTIONS + option], row + STATE_WORDS);
    }
}

// Choose the option with the largest value; with probability `epsilon`, any.
HD void choose_one(const Job& job, int at, const i64* ends, const float* values, float epsilon, i64* picked) {
    i64* g = job.games + (i64)at * GAME;
    int count = (int)g[COUNT], best = 0;
    picked[at] = 0;
    if (count == 0) return;
    i64 first = ends[at] - count;
    for (int option = 1; option < count; option++)
        if (values[first + option] > values[first + best]) best = option;
    if (epsilon > 0 && (float)pick(&g[DICE], 1 << 20) < epsilon * (float)(1 << 20)) best = pick(&g[DICE], count);
    job.chosen[at] = best;
    picked[at] = first + best;
}

#ifdef HOST
#define KERNEL(name, parameters, call) \
    static void name(int count, void*, parameters) { \
        for (int at = 0; at < count; at++) call; \
    }
#define LAUNCH(name, count, stream, ...) name(count, stream, __VA_ARGS__)
#else
#define KERNEL(name, parameters, call) \
    __global__ void name(int count, void*, parameters) { \
        int at = blockIdx.x * blockDim.x + threadIdx.x; \
        if (at < count) call; \
    }
#define LAUNCH(name, count, stream, ...) \
    name<<<((count) + 127) / 128, 128, 0, (cudaStream_t)(stream)>>>(count, stream, __VA_ARGS__)
#endif
#define LIST(...) __VA_ARGS__

// 0 unless a launch failed.
static int status() {
#ifdef HOST
    return 0;
#else
    return (int)cudaGetLastError();
#endif
}

KERNEL(go_on_all, Job job, go_on_one(job, at))
KERNEL(write_all, LIST(Job job, const i64* ends, u32* rows), write_rows_one(job, at, ends, rows))
KERNEL(choose_all, LIST(Job job, const i64* ends, const float* values, float epsilon, i64* picked),
       choose_one(job, at, ends, values, epsilon, picked))

// Write bits as numbers of 16 bits: 0 or `one`.
HD void spread_one(int at, const u32* words, u32* halves, u32 one) {
    u32 word = words[at];
    for (int pair = 0; pair < 16; pair++, word >>= 2)
        halves[(i64)at * 16 + pair] = (word & 1 ? one : 0) | (word & 2 ? one << 16 : 0);
}
KERNEL(spread_all, LIST(const u32* words, u32* halves, u32 one), spread_one(at, words, halves, one))

extern "C" {
int game_fields() { return GAME; }
int job_size() { return (int)sizeof(Job); }
int go_on(const Job* job, void* stream) {
    LAUNCH(go_on_all, job->count, stream, *job);
    return status();
}
int write_rows(const Job* job, void* stream, const i64* ends, u32* rows) {
    LAUNCH(write_all, job->count, stream, *job, ends, rows);
    return status();
}
int choose(const Job* job, void* stream, const i64* ends, const float* values, float epsilon, i64* picked) {
    LAUNCH(choose_all, job->count, stream, *job, ends, values, epsilon, picked);
    return status();
}
int spread(int words, void* stream, const u32* bits, u32* halves, u32 one) {
    LAUNCH(spread_all, words, stream, bits, halves, one);
    return status();
}
#ifdef HOST
// For the tests: single functions on one state.
void test_begin(i64* s, int seats, int leader) { begin(s, seats, leader); }
int test_legal(const i64* s, int* out) { return legal(s, out); }
int test_closer(const i64* s) { return closer(s); }
int test_apply(i64* s, int seat, int action) { return apply(s, seat, action); }
int test_place(const i64* s, int seat) { return place_of(s, seat); }
float test_score(const i64* s, int action) { return score(s, action); }
void test_exchange(i64* s, int upper, int lower, int cards) { exchange(s, upper, lower, cards); }
void test_row(const i64* s, i64 titles, int me, int action, u32* row) {
    observe(s, titles, me, row);
    describe(s, me, action, row + STATE_WORDS);
}
#endif
}
