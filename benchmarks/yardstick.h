/* What the yardsticks in C have in common: their chance, and how they are measured. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

static inline u64 next(u64 *state) {
    u64 z = (*state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/* A number below a bound; what is left of the word is drawn from next. */
static inline unsigned below(u64 *word, unsigned bound) {
    u128 product = (u128)*word * bound;
    *word = (u64)product;
    return (unsigned)(product >> 64);
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Plays so many games from a seed (the arguments), and prints: games a second of processor time, and what the first
 * seat scores and wins on average. `play` gives the winners as bits. */
#define MEASURE(players, play)                                                                                         \
    int main(int count, char **arguments) {                                                                            \
        long games = count > 1 ? atol(arguments[1]) : 1000000;                                                         \
        u64 state = count > 2 ? strtoull(arguments[2], 0, 10) : 1, wins = 0;                                           \
        long long sum = 0;                                                                                             \
        int scores[players];                                                                                           \
        prepare();                                                                                                     \
        double began = processor_seconds();                                                                            \
        for (long game = 0; game < games; game++) {                                                                    \
            wins += (u64)play(&state, scores) & 1;                                                                     \
            sum += scores[0];                                                                                          \
        }                                                                                                              \
        double seconds = processor_seconds() - began;                                                                  \
        printf("%.1f %.4f %.4f\n", games / seconds, (double)sum / games, (double)wins / games);                        \
        return 0;                                                                                                      \
    }
