// Many manches at once: one thread for each manche or action on the GPU, or a loop on the CPU with -DHOST.
// Python passes the addresses of its arrays.

#include "observe.h"

#ifdef HOST
#define EACH(name, ...) static void name(int at, __VA_ARGS__)
#define RUN(name, count, ...) \
    for (int one = 0; one < (count); one++) name(one, __VA_ARGS__)
#else
#define EACH(name, ...)                                                 \
    static __device__ void name##_one(int at, __VA_ARGS__);             \
    template <typename... Values>                                       \
    __global__ void name##_all(int count, Values... values) {           \
        int at = blockIdx.x * blockDim.x + threadIdx.x;                 \
        if (at < count) name##_one(at, values...);                      \
    }                                                                   \
    static __device__ void name##_one(int at, __VA_ARGS__)
#define RUN(name, count, ...) \
    if ((count) > 0) name##_all<<<((count) + 63) / 64, 64>>>(count, __VA_ARGS__)
#endif

// Kinds of manche: 0 for the mix of the training, otherwise the number of players with the standard deck.
HD void deal_kind(Manche s, int kind, Dice dice) {
    if (kind) return deal(s, kind, false, true, -1, dice);
    const int8_t shares[7] = {35, 10, 29, 8, 7, 4, 7};
    int left = pick(dice, 100), seats = 2;
    for (; left >= shares[seats - 2]; seats++) left -= shares[seats - 2];
    bool extended = pick(dice, 100) < 30, reveals = pick(dice, 100) < 88;
    int starter = pick(dice, 2) ? pick(dice, seats) : -1;
    deal(s, seats, extended, reveals, starter, dice);
}

EACH(start_one, int16_t* games, uint64_t* dice, int64_t* numbers, uint64_t seed, int kind) {
    dice[at] = (seed + at) * 0x9E3779B97F4A7C15ull;
    dice[at] = (dice[at] ^ dice[at] >> 31) * 0xBF58476D1CE4E5B9ull;
    numbers[at] = at;
    deal_kind(games + at * STATE, kind, dice + at);
}

struct Count {
    int count;
    HD void operator()(int) { count++; }
};

EACH(count_one, const int16_t* games, int64_t* counts) {
    Count found{0};
    visit_actions(games + at * STATE, true, found);
    counts[at] = found.count;
}

struct List {
    int32_t* codes;
    int64_t* owners;
    int64_t game;
    int count;
    HD void operator()(int code) {
        codes[count] = code;
        owners[count++] = game;
    }
};

EACH(look_one, const int16_t* games, const int64_t* ends, Sight* sights, float* positions, int32_t* codes,
     int64_t* owners, int64_t* seats) {
    Seen s = games + at * STATE;
    seats[at] = actor_of(s);
    if (s[STAGE] == OVER) return;
    look(s, int(seats[at]), sights[at]);
    write_position(positions + int64_t(at) * POSITION, s, sights[at]);
    int64_t from = at ? ends[at - 1] : 0;
    List list{codes + from, owners + from, at, 0};
    visit_actions(s, true, list);
}

EACH(act_one, const int16_t* games, const Sight* sights, const int32_t* codes, const int64_t* owners, float* actions,
     float* thumbs) {
    thumbs[at] = write_action(actions + int64_t(at) * ACTION_SIZE, games + owners[at] * STATE, sights[owners[at]],
                              codes[at]);
}

// Choose the best action; sometimes a random one, and sometimes the best after some noise has been added to the values.
EACH(choose_one, const int64_t* ends, const float* values, uint64_t* dice, float random, float noisy, float noise,
     int64_t* chosen) {
    int64_t from = at ? ends[at - 1] : 0, to = ends[at];
    chosen[at] = from;
    if (from == to) return;
    float luck = pick(dice + at, 1 << 24) / float(1 << 24);
    if (luck < random) {
        chosen[at] = from + pick(dice + at, int(to - from));
        return;
    }
    float most = -1e30f;
    for (int64_t row = from; row < to; row++) {
        float value = values[row];
        if (luck < random + noisy) {
            float some = (pick(dice + at, 1 << 24) + 0.5f) / float(1 << 24);
            value -= noise * logf(-logf(some));
        }
        if (value > most) most = value, chosen[at] = row;
    }
}

// Play the chosen actions; note the scores of manches that are over by their number, and deal new ones.
EACH(step_one, int16_t* games, uint64_t* dice, const int64_t* ends, const int32_t* codes, const int64_t* chosen,
     int64_t* numbers, int64_t apart, int kind, bool again, float* scores, int64_t* done, int64_t room) {
    Manche s = games + at * STATE;
    if (s[STAGE] == OVER || chosen[at] >= ends[at]) return;
    apply(s, codes[chosen[at]], dice + at);
    if (s[STAGE] != OVER) return;
    int64_t place = numbers[at] % room;
    for (int seat = 0; seat < 8; seat++) scores[place * 8 + seat] = seat < s[SEATS] ? s[SCORES + seat] : 0;
    done[place] = numbers[at];
    if (!again) return;
    numbers[at] += apart;
    deal_kind(s, kind, dice + at);
}

extern "C" {

int ojyx_state() { return STATE; }
int ojyx_position() { return POSITION; }
int ojyx_action() { return ACTION_SIZE; }
int ojyx_sight() { return sizeof(Sight); }

void ojyx_start(int count, int16_t* games, uint64_t* dice, int64_t* numbers, uint64_t seed, int kind) {
    RUN(start_one, count, games, dice, numbers, seed, kind);
}
void ojyx_count(int count, const int16_t* games, int64_t* counts) { RUN(count_one, count, games, counts); }
void ojyx_look(int count, const int16_t* games, const int64_t* ends, Sight* sights, float* positions, int32_t* codes,
               int64_t* owners, int64_t* seats) {
    RUN(look_one, count, games, ends, sights, positions, codes, owners, seats);
}
void ojyx_act(int rows, const int16_t* games, const Sight* sights, const int32_t* codes, const int64_t* owners,
              float* actions, float* thumbs) {
    RUN(act_one, rows, games, sights, codes, owners, actions, thumbs);
}
void ojyx_choose(int count, const int64_t* ends, const float* values, uint64_t* dice, float random, float noisy,
                 float noise, int64_t* chosen) {
    RUN(choose_one, count, ends, values, dice, random, noisy, noise, chosen);
}
void ojyx_step(int count, int16_t* games, uint64_t* dice, const int64_t* ends, const int32_t* codes,
               const int64_t* chosen, int64_t* numbers, int64_t apart, int kind, int again, float* scores,
               int64_t* done, int64_t room) {
    RUN(step_one, count, games, dice, ends, codes, chosen, numbers, apart, kind, bool(again), scores, done, room);
}
const char* ojyx_error() {
#ifdef HOST
    return "";
#else
    cudaError_t error = cudaDeviceSynchronize();
    return error == cudaSuccess ? "" : cudaGetErrorString(error);
#endif
}

#ifdef HOST
// For the tests: one manche, with the dice of the caller.
void ojyx_deal(int16_t* s, int seats, int extended, int reveals, int starter, uint64_t* dice) {
    deal(s, seats, extended, reveals, starter, dice);
}
int ojyx_actions(const int16_t* s, int few, int32_t* codes) {
    struct Codes {
        int32_t* codes;
        int count;
        void operator()(int code) { codes[count++] = code; }
    } found{codes, 0};
    visit_actions(s, few, found);
    return found.count;
}
void ojyx_apply(int16_t* s, int code, uint64_t* dice) { apply(s, code, dice); }
int ojyx_actor(const int16_t* s) { return actor_of(s); }
// Write the rows of one seat, which must be zero, for the position and for each of the actions.
void ojyx_observe(const int16_t* s, int me, const int32_t* codes, int count, float* position, float* actions,
                  float* thumbs) {
    Sight sight;
    look(s, me, sight);
    write_position(position, s, sight);
    for (int at = 0; at < count; at++) thumbs[at] = write_action(actions + at * ACTION_SIZE, s, sight, codes[at]);
}
#endif
}
