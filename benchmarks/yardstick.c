/* The yardstick in C: random games of the base set of cardsets/sushi_go.yaml, written by hand for that game alone.
 *
 *   cc -O3 -march=native -DPLAYERS=4 -o yardstick yardstick.c && ./yardstick 1000000 1
 *
 * prints the games a second of processor time. The policy is the playouts': a physical card uniformly at random; with chopsticks in front
 * and two or more cards in hand, with probability one half a second one from the rest. All counters of a seat are packed
 * in one word, SplitMix64 makes the chance, and several draws share a word of it.
 */
#include "yardstick.h"

#ifndef PLAYERS
#define PLAYERS 4
#endif
#define HAND (12 - PLAYERS)
#define ROUNDS 3
#define DEALT (PLAYERS * HAND * ROUNDS)
#define DECK 108

enum { TEMPURA, SASHIMI, DUMPLING, MAKI_1, MAKI_2, MAKI_3, EGG, SALMON, SQUID, WASABI, CHOPSTICKS, PUDDING, KINDS };
static const int COPIES[KINDS] = {14, 14, 14, 6, 12, 8, 5, 10, 5, 6, 4, 10};

/* Tempura, sashimi and dumplings have 4 bits each from bit 0; then maki, nigiri points, wasabi, chopsticks, puddings. */
enum { AT_MAKI = 12, AT_NIGIRI = 20, AT_WASABI = 28, AT_CHOPSTICKS = 32, AT_PUDDING = 36 };
#define COUNT(word, at, mask) ((int)((word) >> (at) & (mask)))

static u64 adds[2][KINDS];
static uint8_t sets[4096], deck[DECK];

static void prepare(void) {
    static const int dumplings[] = {0, 1, 3, 6, 10, 15};
    static const int at[KINDS] = {0, 4, 8, AT_MAKI, AT_MAKI, AT_MAKI, AT_NIGIRI, AT_NIGIRI, AT_NIGIRI,
                                  AT_WASABI, AT_CHOPSTICKS, AT_PUDDING};
    static const int amount[KINDS] = {1, 1, 1, 1, 2, 3, 1, 2, 3, 1, 1, 1};
    int place = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        adds[0][kind] = (u64)amount[kind] << at[kind];
        adds[1][kind] = at[kind] == AT_NIGIRI ? 3 * adds[0][kind] - (1ull << AT_WASABI) : adds[0][kind];
        for (int copy = 0; copy < COPIES[kind]; copy++) deck[place++] = (uint8_t)kind;
    }
    for (int word = 0; word < 4096; word++) {
        int dumpling = word >> 8;
        int points = (word & 15) / 2 * 5 + (word >> 4 & 15) / 3 * 10 + dumplings[dumpling > 5 ? 5 : dumpling];
        sets[word] = (uint8_t)(points > 255 ? 255 : points);
    }
}

static inline u64 lay(u64 table, unsigned kind) { return table + adds[COUNT(table, AT_WASABI, 15) != 0][kind]; }

static inline void score_round(const u64 *tables, int *scores) {
    int icons[PLAYERS], best = 0, second = 0, bests = 0, seconds = 0;
    for (int seat = 0; seat < PLAYERS; seat++) {
        scores[seat] += sets[tables[seat] & 4095] + COUNT(tables[seat], AT_NIGIRI, 255);
        icons[seat] = COUNT(tables[seat], AT_MAKI, 255);
        if (icons[seat] > best) best = icons[seat];
    }
    if (!best) return;
    for (int seat = 0; seat < PLAYERS; seat++) {
        bests += icons[seat] == best;
        if (icons[seat] != best && icons[seat] > second) second = icons[seat];
    }
    for (int seat = 0; seat < PLAYERS; seat++) seconds += icons[seat] == second;
    int first = 6 / bests, other = bests == 1 && second > 0 ? 3 / seconds : 0;
    for (int seat = 0; seat < PLAYERS; seat++)
        scores[seat] += icons[seat] == best ? first : icons[seat] == second ? other : 0;
}

/* Puddings, and who wins, as bits. */
static inline int score_game(const u64 *tables, int *scores) {
    int puddings[PLAYERS], most = 0, fewest = 99, mosts = 0, fewests = 0, top = -1000000, winners = 0;
    for (int seat = 0; seat < PLAYERS; seat++) {
        puddings[seat] = COUNT(tables[seat], AT_PUDDING, 255);
        if (puddings[seat] > most) most = puddings[seat];
        if (puddings[seat] < fewest) fewest = puddings[seat];
    }
    if (most != fewest) {
        for (int seat = 0; seat < PLAYERS; seat++) {
            mosts += puddings[seat] == most;
            fewests += puddings[seat] == fewest;
        }
        for (int seat = 0; seat < PLAYERS; seat++) {
            if (puddings[seat] == most) scores[seat] += 6 / mosts;
            if (PLAYERS > 2 && puddings[seat] == fewest) scores[seat] -= 6 / fewests;
        }
    }
    for (int seat = 0; seat < PLAYERS; seat++) {
        int rank = scores[seat] * 64 + puddings[seat];
        if (rank > top) top = rank, winners = 0;
        if (rank == top) winners |= 1 << seat;
    }
    return winners;
}

static inline int play(u64 *state, int *scores) {
    uint8_t cards[DEALT + 8];
    u64 chance = *state, tables[PLAYERS] = {0};
    for (int top = 0; top < DEALT;) {
        u64 word = next(&chance);
        for (int draw = 0; draw < 6 && top < DEALT; draw++, top++) {
            unsigned at = (unsigned)top + below(&word, (unsigned)(DECK - top));
            uint8_t card = deck[at];
            deck[at] = deck[top], deck[top] = card, cards[top] = card;
        }
    }
    memset(scores, 0, PLAYERS * sizeof *scores);
    for (int round = 0; round < ROUNDS; round++) {
        int passed = 0;
        for (unsigned size = HAND; size > 0; size--) {
            u64 word = next(&chance);
            for (int seat = 0; seat < PLAYERS; seat++) {
                int owner = seat + passed;
                uint8_t *hand = cards + (round * PLAYERS + (owner >= PLAYERS ? owner - PLAYERS : owner)) * HAND;
                unsigned at = below(&word, size), card = hand[at];
                u64 table = tables[seat];
                hand[at] = hand[size - 1];
                if (__builtin_expect(COUNT(table, AT_CHOPSTICKS, 15) != 0 && size > 1, 0)) {
                    u64 coin = next(&chance);
                    if (coin >> 63) {
                        coin <<= 1;
                        at = below(&coin, size - 1);
                        unsigned more = hand[at];
                        hand[at] = CHOPSTICKS;
                        table = lay(lay(table - (1ull << AT_CHOPSTICKS), card), more);
                    } else {
                        table = lay(table, card);
                    }
                } else {
                    table = lay(table, card);
                }
                tables[seat] = table;
            }
            if (++passed == PLAYERS) passed = 0;
        }
        score_round(tables, scores);
        for (int seat = 0; seat < PLAYERS; seat++) tables[seat] &= ~((1ull << AT_PUDDING) - 1);
    }
    *state = chance;
    return score_game(tables, scores);
}

MEASURE(PLAYERS, play)
