// The card play of the level difficile for many decisions at once: one block for each decision, one thread for each
// sampled hand. A card is 13 * suit + rank and a hand is a set of bits. Nothing caps the payments.

typedef unsigned long long Cards;

__device__ const Cards SUIT = (1ull << 13) - 1;
__device__ const Cards THREES = 1ull << 2 | 1ull << 15 | 1ull << 28 | 1ull << 41;
__device__ const Cards SEVENS = THREES << 4;

__device__ unsigned pick(unsigned long long &dice, unsigned n) {
    dice = dice * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(((dice >> 32) * n) >> 32);
}

// Return unrelated seeds for neighbouring numbers. Steps of the generator alone keep neighbours on a line: their hands
// would have too much in common.
__device__ unsigned long long mixed(unsigned long long number) {
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9ull;
    number = (number ^ number >> 27) * 0x94D049BB133111EBull;
    return number ^ number >> 31;
}

// Return one card for each group of cards that are equivalent against the other hand.
__device__ Cards distinct(Cards mine, Cards theirs) {
    Cards kept = 0;
    for (int at = 0; at < 52; at += 13) {
        Cards left = mine & SUIT << at, other = theirs & SUIT << at, last = 0;
        while (left) {
            Cards card = left & (0 - left);
            left ^= card;
            if (!last || (card | last) & THREES || other & (card - last)) kept |= card;
            last = card;
        }
    }
    return kept;
}

template <int N> __device__ int lead(Cards a, Cards b, int run, int least, int most);

// Return what a led card is worth to its leader, who keeps `a`; the follower still has N cards.
template <int N> __device__ int answer(Cards a, Cards b, int run, Cards led, int least, int most) {
    int suit = (__ffsll(led) - 1) / 13;
    Cards follow = b & SUIT << 13 * suit;
    Cards left = follow ? follow : N > 2 ? distinct(b, a) : b;
    int worst = 5;
    while (left) {
        Cards card = left & (0 - left);
        left ^= card;
        int value;
        if (follow && card > led) {
            int threes = card & THREES ? 1 : 0;
            if constexpr (N == 1) value = -1 - threes;
            else value = -lead<N - 1>(b ^ card, a, threes, -min(most, worst), -least);
        } else {
            int threes = led & THREES ? min(3, run + 1) : 0;
            if constexpr (N == 1) value = 1 + threes;
            else value = lead<N - 1>(a, b ^ card, threes, least, min(most, worst));
        }
        worst = min(worst, value);
        if (worst <= least) return worst;
    }
    return worst;
}

template <int N> __device__ __noinline__ int lead(Cards a, Cards b, int run, int least, int most) {
    int best = -5;
    Cards left = N > 2 ? distinct(a, b) : a;
    while (left) {
        Cards led = left & (0 - left);
        left ^= led;
        best = max(best, answer<N>(a ^ led, b, run, led, max(least, best), most));
        if (best >= most) return best;
    }
    return best;
}

__device__ int after_lead(int n, Cards mine, Cards theirs, int run, Cards led) {
    switch (n) {
    case 5: return answer<5>(mine ^ led, theirs, run, led, -5, 5);
    case 4: return answer<4>(mine ^ led, theirs, run, led, -5, 5);
    case 3: return answer<3>(mine ^ led, theirs, run, led, -5, 5);
    case 2: return answer<2>(mine ^ led, theirs, run, led, -5, 5);
    }
    return 0;
}

// Return what a reply is worth to the follower; `n` cards are left to each after the trick.
__device__ int after_reply(int n, Cards mine, Cards theirs, int run, Cards led, Cards card) {
    bool takes = card > led && (__ffsll(led) - 1) / 13 == (__ffsll(card) - 1) / 13;
    Cards a = takes ? mine : theirs, b = takes ? theirs : mine;
    int threes = takes ? (card & THREES ? 1 : 0) : led & THREES ? min(3, run + 1) : 0, value = 0;
    switch (n) {
    case 4: value = lead<4>(a, b, threes, -5, 5); break;
    case 3: value = lead<3>(a, b, threes, -5, 5); break;
    case 2: value = lead<2>(a, b, threes, -5, 5); break;
    case 1: value = lead<1>(a, b, threes, -5, 5); break;
    }
    return takes ? value : -value;
}

__device__ bool wins_at_once(Cards hand) {
    int sum = 0;
    for (Cards left = hand; left; left &= left - 1) sum += (__ffsll(left) - 1) % 13 + 1;
    return sum < 21 || __popcll(hand & SEVENS) >= 3;
}

// `hidden`: the cards that the other can hold; `laid`: those that the other has played; `size`: how many it holds.
extern "C" __global__ void choose(const Cards *mine, const Cards *legal, const Cards *hidden, const Cards *laid,
                                  const long long *runs, const long long *leds, int size, int samples,
                                  unsigned long long seed, long long *chosen) {
    __shared__ int totals[52];
    int row = blockIdx.x;
    if (threadIdx.x < 52) totals[threadIdx.x] = 0;
    __syncthreads();
    Cards options = legal[row], hand = mine[row];
    int led = (int)leds[row], run = (int)runs[row], cards = __popcll(hand);
    if (threadIdx.x < samples && __popcll(options) > 1) {
        unsigned long long dice = mixed(mixed(seed) + row * 1024ull + threadIdx.x);
        Cards theirs;
        do {
            theirs = 0;
            Cards pool = hidden[row];
            for (int at = 0; at < size; at++) {
                Cards left = pool;
                for (int skip = pick(dice, __popcll(pool)); skip; skip--) left &= left - 1;
                left &= 0 - left;
                theirs |= left;
                pool ^= left;
            }
        } while (wins_at_once(theirs | laid[row]));
        for (Cards left = options; left; left &= left - 1) {
            Cards card = left & (0 - left);
            int value = led == 52 ? after_lead(cards, hand, theirs, run, card)
                                  : after_reply(cards - 1, hand ^ card, theirs, run, 1ull << led, card);
            atomicAdd(&totals[__ffsll(card) - 1], value);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int best = -1000000, most = 0;
        for (Cards left = options; left; left &= left - 1) {  // of equals: no 3, then the lowest rank
            int card = __ffsll(left) - 1, rank = card % 13;
            int key = totals[card] * 64 - (rank == 2 ? 32 : rank);
            if (key > best) best = key, most = card;
        }
        chosen[row] = most;
    }
}
