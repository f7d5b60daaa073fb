// Self-play and matches of draughts, one game for each GPU thread; with -DHOST, one for each CPU thread.
//
//   selfplay play  --weights FILE|hand --nodes N --games N --seconds S --seed N --samples N --out FILE
//   selfplay match --weights FILE|hand --against FILE|hand --nodes N --games N --seconds S --seed N
//   selfplay eval  --weights FILE --in FILE --out FILE
//
// A game depends only on the seed and its number. After `seconds` no new game starts; those begun are finished, so that
// long games are not lost, but none goes on after `--hard` seconds. The result is one line of JSON.

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "search.h"

#ifdef HOST
#define DEVICE inline
#else
#define DEVICE __device__ __forceinline__
#define CHECK(call)                                                                                  \
    do {                                                                                             \
        cudaError_t error = (call);                                                                  \
        if (error != cudaSuccess) {                                                                  \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
            exit(1);                                                                                 \
        }                                                                                            \
    } while (0)
#endif

#ifndef BLOCKS
#define BLOCKS 8  // blocks of 64 threads on each multiprocessor
#endif
constexpr int THREADS = 64;

constexpr int LONGEST = 240;  // plies; a longer game is a draw
constexpr int QUIET = 52;     // positions that can be repeated: 25 moves of each side (D8)
constexpr int KEPT = 16;      // samples of one game at most

struct Sample {
    u64 red_men, red_kings, black_men, black_kings;
    u32 game;
    u16 ply;
    uint8_t to_move, result;  // 0: red loses, 1: a draw, 2: red wins
};

struct Counters {
    unsigned long long next_game, samples, nodes, plies, games, results[3];
};

struct Job {
    Player players[2];
    bool match;  // games in pairs: the same opening with the colours exchanged
    u64 seed, games, room;
    double seconds, hard;
    int samples, noise, shortest_opening, longest_opening;
    u32 pairs[PAIRS];
};

struct Shared {
    const Job* job;
    Counters* counters;
    Sample* samples;
    signed char* results;
};

struct Game {
    Position position;
    u64 dice, number;
    u64 keys[QUIET];
    int side, ply, king_moves, endgame_moves, seen, kept, first;
    Sample samples[KEPT];
};

#ifdef HOST
static unsigned long long taken_from(unsigned long long& counter, unsigned long long by) {
    return __atomic_fetch_add(&counter, by, __ATOMIC_RELAXED);
}
static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
#else
DEVICE unsigned long long taken_from(unsigned long long& counter, unsigned long long by) {
    return atomicAdd(&counter, by);
}
DEVICE double now() {
    u64 time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return (double)time * 1e-9;
}
#endif

DEVICE u32 roll(Game& g, u32 sides) {
    g.dice += 0x9E3779B97F4A7C15ull;
    return (u32)((mixed(g.dice) >> 32) * sides >> 32);
}

DEVICE bool is_quiet(const Position& p) {
    u64 own = p.men | p.kings, others = p.other_men | p.other_kings, empty = BOARD & ~(own | others);
    return !can_capture(p.men, p.kings, others, empty) && !can_capture(p.other_men, p.other_kings, own, empty);
}

// Play random moves from the first position until nothing hangs and the men are equal.
DEVICE void open_game(Game& g, Search& s, const Job& job) {
    while (true) {
        g.position = {row_of(6) | row_of(7) | row_of(8) | row_of(9), 0, row_of(0) | row_of(1) | row_of(2) | row_of(3), 0};
        g.side = g.ply = 0;
        int plies = job.shortest_opening + (int)roll(g, (u32)(job.longest_opening - job.shortest_opening + 1));
        for (; g.ply < plies; g.ply++) {
            bool captures;
            int end = generate(g.position, g.side, 0, s.moves, s.takes, s.work, captures);
            if (end == 0) break;
            int at = (int)roll(g, (u32)end);
            g.position = play(g.position, g.side, s.moves[at], s.takes[at]);
            g.side ^= 1;
        }
        const Position& p = g.position;
        if (!(p.kings | p.other_kings) && popcount(p.men) == popcount(p.other_men) && is_quiet(p)) break;
    }
    g.king_moves = g.endgame_moves = g.seen = g.kept = 0;
    g.keys[0] = hashed(g.position, g.side);
}

DEVICE void sample(Game& g, const Job& job) {
    if (job.samples == 0 || !is_quiet(g.position)) return;
    // Each quiet position of a game is kept with the same probability.
    int at = g.seen++;
    if (at >= job.samples) at = (int)roll(g, (u32)g.seen);
    if (at >= job.samples) return;
    if (g.kept < job.samples) g.kept++;
    const Position& p = g.position;
    Sample& kept = g.samples[at];
    bool red = g.side == 0;
    kept.red_men = red ? p.men : p.other_men;
    kept.red_kings = red ? p.kings : p.other_kings;
    kept.black_men = red ? p.other_men : p.men;
    kept.black_kings = red ? p.other_kings : p.kings;
    kept.to_move = (uint8_t)g.side;
    kept.ply = (u16)g.ply;
}

// Return whether the position is drawn by D8: 25 moves, 16 or 5 moves, or the third time.
DEVICE bool is_drawn(const Game& g) {
    if (g.king_moves >= 50 || g.ply >= LONGEST) return true;
    int limit = endgame(g.position);
    if (limit && g.endgame_moves >= limit) return true;
    int times = 1;
    for (int at = g.king_moves - 2; at >= 0; at -= 2) times += g.keys[at] == g.keys[g.king_moves];
    return times >= 3;
}

DEVICE void play_move(Game& g, u16 move, u64 taken) {
    bool began = taken == 0 && endgame(g.position) != 0;
    g.position = play(g.position, g.side, move, taken);
    g.side ^= 1;
    g.ply++;
    g.king_moves = (move & KING) && taken == 0 ? g.king_moves + 1 : 0;
    g.endgame_moves = began && endgame(g.position) ? g.endgame_moves + 1 : 0;
    g.keys[g.king_moves] = hashed(g.position, g.side);
}

DEVICE void finish(Game& g, int result, const Shared& shared) {
    Counters& counters = *shared.counters;
    taken_from(counters.results[result], 1);
    taken_from(counters.games, 1);
    taken_from(counters.plies, (unsigned long long)g.ply);
    if (shared.results) shared.results[g.number] = (signed char)result;
    if (g.kept == 0) return;
    u64 to = taken_from(counters.samples, (unsigned long long)g.kept);
    for (int at = 0; at < g.kept && to + at < shared.job->room; at++) {
        g.samples[at].game = (u32)g.number;
        g.samples[at].result = (uint8_t)result;
        shared.samples[to + at] = g.samples[at];
    }
}

DEVICE bool new_game(Game& g, Search& s, const Shared& shared, double deadline) {
    const Job& job = *shared.job;
    if (now() >= deadline) return false;
    g.number = taken_from(shared.counters->next_game, 1);
    if (g.number >= job.games) return false;
    u64 opening = job.match ? g.number >> 1 : g.number;
    g.dice = mixed(job.seed) ^ mixed(opening);
    s.salt = mixed(g.dice + 1);
    g.first = job.match ? (int)(g.number & 1) : 0;
    open_game(g, s, job);
    return true;
}

// Go on with a game until its next search has started: return false if no game is left to play.
DEVICE bool go_on(Game& g, Search& s, const Shared& shared, double began, bool& playing, u64& nodes) {
    const Job& job = *shared.job;
    bool chosen = playing;
    if (now() >= began + job.hard) return false;
    while (true) {
        if (!playing) {
            if (!new_game(g, s, shared, began + job.seconds)) return false;
            playing = true;
        } else if (chosen) {
            nodes += (u64)s.nodes;
            bool won = s.value > WIN - 100, lost = s.value < 100 - WIN;
            if (won || lost) {
                finish(g, (won == (g.side == 0)) ? 2 : 0, shared);
                playing = chosen = false;
                continue;
            }
            play_move(g, s.moves[0], s.frames[0].captures ? s.takes[0] : 0);
        }
        if (is_drawn(g)) {
            finish(g, 1, shared);
            playing = chosen = false;
            continue;
        }
        sample(g, job);
        s.player = job.players[job.match ? g.side ^ g.first : 0];
        if (start(s, g.position, g.side)) return true;
        chosen = s.frames[0].end == 1;
        if (!chosen) {
            // D7: a side that cannot move loses, unless the other could not move either.
            Position other = {g.position.other_men, g.position.other_kings, g.position.men, g.position.kings};
            int result = can_move(other, g.side ^ 1) ? (g.side == 0 ? 0 : 2) : 1;
            finish(g, result, shared);
            playing = false;
        }
    }
}

DEVICE void work_on(const Shared& shared, const u32* pairs) {
    Game g;
    Search s;
    double began = now();
    u64 nodes = 0;
    bool playing = false, thinking = false;
    s.pairs = pairs;
    s.noise = shared.job->noise;
    while (true) {
        if (!thinking) {
            if (!go_on(g, s, shared, began, playing, nodes)) break;
            thinking = true;
        }
        if (advance(s)) thinking = false;
    }
    taken_from(shared.counters->nodes, nodes);
}

#ifndef HOST
__global__ void __launch_bounds__(THREADS, BLOCKS) work_kernel(Shared shared) {
    __shared__ u32 pairs[PAIRS];
    for (int at = threadIdx.x; at < PAIRS; at += THREADS) pairs[at] = shared.job->pairs[at];
    __syncthreads();
    work_on(shared, pairs);
}

__global__ void eval_kernel(const u32* pairs, const Weights* weights, const Sample* samples, int* values, u64 count) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    Sample s = samples[at];
    Position p = s.to_move == 0 ? Position{s.red_men, s.red_kings, s.black_men, s.black_kings}
                                : Position{s.black_men, s.black_kings, s.red_men, s.red_kings};
    values[at] = weights ? by_patterns(p, s.to_move, pairs, weights) : by_hand(p, s.to_move);
}
#endif

// Everything below runs on the host.

struct Options {
    std::string mode, weights = "hand", against = "hand", in, out;
    int nodes = 300, samples = 12, noise = 6, threads = 1;
    u64 games = 1000, seed = 1, room = 0;
    double seconds = 10, hard = 0;
    int blocks = 32;
};

static Options read_options(int count, char** values) {
    Options o;
    if (count < 2) {
        fprintf(stderr, "usage: selfplay play|match|eval [--option value]...\n");
        exit(2);
    }
    o.mode = values[1];
    for (int at = 2; at + 1 < count; at += 2) {
        std::string name = values[at], value = values[at + 1];
        if (name == "--weights") o.weights = value;
        else if (name == "--against") o.against = value;
        else if (name == "--in") o.in = value;
        else if (name == "--out") o.out = value;
        else if (name == "--nodes") o.nodes = std::stoi(value);
        else if (name == "--samples") o.samples = std::stoi(value);
        else if (name == "--noise") o.noise = std::stoi(value);
        else if (name == "--threads") o.threads = std::stoi(value);
        else if (name == "--games") o.games = std::stoull(value);
        else if (name == "--room") o.room = std::stoull(value);
        else if (name == "--seed") o.seed = std::stoull(value);
        else if (name == "--seconds") o.seconds = std::stod(value);
        else if (name == "--hard") o.hard = std::stod(value);
        else if (name == "--blocks") o.blocks = std::stoi(value);
        else {
            fprintf(stderr, "unknown option %s\n", name.c_str());
            exit(2);
        }
    }
    if (o.samples > KEPT) o.samples = KEPT;
    if (o.hard == 0) o.hard = o.seconds + 600;
    if (o.room == 0) o.room = o.games * (u64)o.samples;
    return o;
}

static FILE* opened(const std::string& name, const char* how) {
    FILE* file = fopen(name.c_str(), how);
    if (!file) {
        fprintf(stderr, "cannot open %s\n", name.c_str());
        exit(1);
    }
    return file;
}

static Weights* read_weights(const std::string& name) {
    if (name == "hand") return nullptr;
    FILE* file = opened(name, "rb");
    Weights* weights = new Weights;
    if (fread(weights, sizeof(Weights), 1, file) != 1) {
        fprintf(stderr, "%s is not a file of weights: %zu bytes expected\n", name.c_str(), sizeof(Weights));
        exit(1);
    }
    fclose(file);
    return weights;
}

template <typename T>
static T* on_device(const T* host, size_t count) {
    if (!host) return nullptr;
#ifdef HOST
    T* copy = new T[count];
    memcpy(copy, host, count * sizeof(T));
#else
    T* copy;
    CHECK(cudaMalloc(&copy, count * sizeof(T)));
    CHECK(cudaMemcpy(copy, host, count * sizeof(T), cudaMemcpyHostToDevice));
#endif
    return copy;
}

template <typename T>
static T* room_for(size_t count, int fill) {
    if (count == 0) return nullptr;
    T* room;
#ifdef HOST
    room = (T*)malloc(count * sizeof(T));
    memset((void*)room, fill, count * sizeof(T));
#else
    CHECK(cudaMalloc(&room, count * sizeof(T)));
    CHECK(cudaMemset(room, fill, count * sizeof(T)));
#endif
    return room;
}

template <typename T>
static void to_host(T* host, const T* device, size_t count) {
#ifdef HOST
    memcpy((void*)host, device, count * sizeof(T));
#else
    CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
#endif
}

static double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

static void run_threads(const Shared& shared, const Job& job, const Options& o) {
#ifdef HOST
    std::vector<std::thread> workers;
    for (int at = 0; at < o.threads; at++) workers.emplace_back([&] { work_on(shared, job.pairs); });
    for (auto& worker : workers) worker.join();
#else
    (void)job;
    int device = 0, processors = 0, fitting = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, work_kernel, THREADS, 0));
    if (fitting > o.blocks) fitting = o.blocks;
    fprintf(stderr, "%d multiprocessors, %d blocks of %d threads on each\n", processors, fitting, THREADS);
    work_kernel<<<processors * fitting, THREADS>>>(shared);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
#endif
}

// Write the score of the first player with the error of its mean, from pairs of games.
static void print_score(const std::vector<signed char>& results) {
    double pairs = 0, sum = 0, squares = 0;
    u64 wins = 0, draws = 0, losses = 0;
    for (size_t at = 0; at + 1 < results.size(); at += 2) {
        if (results[at] < 0 || results[at + 1] < 0) continue;
        // The first player is red in even games and black in odd ones.
        int first = results[at], second = 2 - results[at + 1];
        for (int points : {first, second}) (points == 2 ? wins : points == 1 ? draws : losses)++;
        double score = (first + second) / 4.0;
        pairs++;
        sum += score;
        squares += score * score;
    }
    double mean = pairs ? sum / pairs : 0.5;
    double error = pairs > 1 ? std::sqrt((squares / pairs - mean * mean) / (pairs - 1)) : 0.5;
    printf("\"wins\": %llu, \"draws\": %llu, \"losses\": %llu, \"score\": %.5f, \"low\": %.5f, \"high\": %.5f, ",
           (unsigned long long)wins, (unsigned long long)draws, (unsigned long long)losses, mean, mean - 1.96 * error,
           mean + 1.96 * error);
}

static void write_samples(const std::string& name, const Sample* device, u64 count) {
    FILE* file = opened(name, "wb");
    std::vector<Sample> part;
    for (u64 at = 0; at < count; at += 1 << 20) {
        u64 size = count - at < (1 << 20) ? count - at : 1 << 20;
        part.resize(size);
        to_host(part.data(), device + at, size);
        if (fwrite(part.data(), sizeof(Sample), size, file) != size) {
            fprintf(stderr, "cannot write %s\n", name.c_str());
            exit(1);
        }
    }
    fclose(file);
}

static void play_games(const Options& o) {
    auto began = std::chrono::steady_clock::now();
    bool match = o.mode == "match";
    Job job = {};
    Weights* first = read_weights(o.weights);
    job.players[0] = {on_device(first, 1), o.nodes};
    job.players[1] = match ? Player{on_device(read_weights(o.against), 1), o.nodes} : job.players[0];
    job.match = match;
    job.seed = o.seed;
    job.games = o.games;
    job.room = match ? 0 : o.room;
    job.seconds = o.seconds;
    job.hard = o.hard;
    job.samples = match ? 0 : o.samples;
    job.noise = o.noise;
    job.shortest_opening = 4;
    job.longest_opening = 14;
    fill_pairs(job.pairs);
    Shared shared = {on_device(&job, 1), room_for<Counters>(1, 0), room_for<Sample>(job.room, 0),
                     match ? room_for<signed char>(o.games, -1) : nullptr};
    run_threads(shared, job, o);
    Counters counters;
    to_host(&counters, shared.counters, 1);
    double played = seconds_since(began);
    u64 samples = counters.samples < job.room ? counters.samples : job.room;
    if (!match && !o.out.empty()) write_samples(o.out, shared.samples, samples);
    printf("{\"mode\": \"%s\", ", o.mode.c_str());
    if (match) {
        std::vector<signed char> results(o.games);
        to_host(results.data(), shared.results, o.games);
        print_score(results);
    } else {
        printf("\"red_wins\": %llu, \"draws\": %llu, \"black_wins\": %llu, \"positions\": %llu, ", counters.results[2],
               counters.results[1], counters.results[0], (unsigned long long)samples);
    }
    printf("\"games\": %llu, \"plies\": %llu, \"nodes\": %llu, \"played_seconds\": %.2f, \"seconds\": %.2f}\n",
           counters.games, counters.plies, counters.nodes, played, seconds_since(began));
}

static void evaluate_file(const Options& o) {
    Weights* weights = read_weights(o.weights);
    FILE* file = opened(o.in, "rb");
    std::vector<Sample> samples;
    Sample s;
    while (fread(&s, sizeof(Sample), 1, file) == 1) samples.push_back(s);
    fclose(file);
    std::vector<int> values(samples.size());
    u32 pairs[PAIRS];
    fill_pairs(pairs);
    for (size_t at = 0; at < samples.size(); at++) {
        s = samples[at];
        Position p = s.to_move == 0 ? Position{s.red_men, s.red_kings, s.black_men, s.black_kings}
                                    : Position{s.black_men, s.black_kings, s.red_men, s.red_kings};
        values[at] = weights ? by_patterns(p, s.to_move, pairs, weights) : by_hand(p, s.to_move);
    }
#ifndef HOST
    // The GPU must find the same values.
    int* found = room_for<int>(samples.size(), 0);
    eval_kernel<<<(unsigned)(samples.size() + 255) / 256, 256>>>(on_device(pairs, PAIRS), on_device(weights, 1),
                                                                on_device(samples.data(), samples.size()), found,
                                                                samples.size());
    CHECK(cudaGetLastError());
    std::vector<int> theirs(samples.size());
    to_host(theirs.data(), found, samples.size());
    if (theirs != values) {
        fprintf(stderr, "the GPU and the CPU evaluate differently\n");
        exit(1);
    }
#endif
    file = opened(o.out, "wb");
    fwrite(values.data(), sizeof(int), values.size(), file);
    fclose(file);
    printf("{\"mode\": \"eval\", \"positions\": %zu}\n", samples.size());
}

int main(int count, char** values) {
    Options o = read_options(count, values);
    if (o.mode == "eval")
        evaluate_file(o);
    else if (o.mode == "play" || o.mode == "match")
        play_games(o);
    else {
        fprintf(stderr, "unknown mode %s\n", o.mode.c_str());
        return 2;
    }
    return 0;
}
