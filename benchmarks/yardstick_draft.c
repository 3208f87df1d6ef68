/* The yardstick in C for a harder game: random games of cardsets/sushi_draft.yaml for four, written by hand for that
 * game alone: a card played and one kept in every turn, triples that become a kind already played, chips drawn blind.
 *
 *   cc -O3 -march=native -o yardstick_draft yardstick_draft.c && ./yardstick_draft 1000000 1
 *
 * prints the games a second of processor time. The policy is the playouts': any card that can be played, any form of
 * it, any card to keep.
 */
#include "yardstick.h"

enum { PLAYERS = 4, HAND = 6, TURNS = 4, ROUNDS = 3, DECK = 32, KINDS = 5, PILES = 6, CHIPS = 3 };
enum { TRIPLE = 2 * KINDS };

/* Cards are kinds; from 5 on they have wasabi, which matters to no rule that is played here. */
static const int COPIES[TRIPLE + 1] = {5, 4, 4, 3, 3, 3, 3, 2, 2, 1, 2};
static const int LOWEST[PILES] = {3, 2, 2, 1, 1, 1};
static uint8_t deck[DECK];

static void prepare(void) {
    int place = 0;
    for (int card = 0; card <= TRIPLE; card++)
        for (int copy = 0; copy < COPIES[card]; copy++) deck[place++] = (uint8_t)card;
}

static inline unsigned take(uint8_t *hand, unsigned size, unsigned at) {
    unsigned card = hand[at];
    hand[at] = hand[size - 1];
    return card;
}

/* A card comes to a table, where each kind has a byte: a triple as any kind that lies there. */
static inline u64 lay(u64 *chance, u64 table, unsigned card) {
    if (__builtin_expect(card == TRIPLE, 0)) {
        unsigned kinds = 0, forms[KINDS];
        for (unsigned kind = 0; kind < KINDS; kind++)
            if (table >> 8 * kind & 255) forms[kinds++] = kind;
        if (!kinds) return table;
        u64 word = next(chance);
        card = forms[kinds > 1 ? below(&word, kinds) : 0];
    }
    return table + (1ull << 8 * (card >= KINDS ? card - KINDS : card));
}

/* A place of the hand: while nothing lies on the table, none of a triple. */
static inline unsigned to_play(u64 *chance, u64 *word, u64 table, const uint8_t *hand, unsigned size) {
    unsigned at = below(word, size);
    while (__builtin_expect(hand[at] == TRIPLE && !table, 0)) {
        u64 more = next(chance);
        at = below(&more, size);
    }
    return at;
}

/* The seat that has most of something, alone; if several do, the next that is alone; -1 for none. */
static inline int single_most(const int *values) {
    unsigned some = 0, several = 0;
    for (int seat = 0; seat < PLAYERS; seat++) several |= some & 1u << values[seat], some |= 1u << values[seat];
    unsigned alone = some & ~several & ~1u;
    if (!alone) return -1;
    int best = 31 - __builtin_clz(alone), found = 0;
    for (int seat = 1; seat < PLAYERS; seat++) found = values[seat] == best ? seat : found;
    return found;
}

static inline void win_chip(u64 *word, uint8_t (*left)[CHIPS + 1], int pile, const int *values, int *scores) {
    int seat = single_most(values);
    if (seat < 0 || !left[pile][CHIPS]) return;
    unsigned size = left[pile][CHIPS]--;
    scores[seat] += (int)take(left[pile], size, below(word, size));
}

static inline int play(u64 *state, int *scores) {
    u64 chance = *state;
    uint8_t left[PILES][CHIPS + 1]; /* and behind the chips how many there are */
    memset(scores, 0, PLAYERS * sizeof *scores);
    for (int pile = 0; pile < PILES; pile++) {
        for (int chip = 0; chip < CHIPS; chip++) left[pile][chip] = (uint8_t)(LOWEST[pile] + chip);
        left[pile][CHIPS] = CHIPS;
    }
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t hands[PLAYERS][8];
        u64 tables[PLAYERS] = {0};
        for (int top = 0; top < PLAYERS * HAND;) {
            u64 word = next(&chance);
            for (int draw = 0; draw < 6; draw++, top++) {
                unsigned at = (unsigned)top + below(&word, (unsigned)(DECK - top));
                uint8_t card = deck[at];
                deck[at] = deck[top], deck[top] = card;
                hands[top % PLAYERS][top / PLAYERS] = card;
            }
        }
        for (unsigned turn = 0, size = HAND; turn < TURNS; turn++, size--) {
            u64 word = next(&chance);
            uint8_t kept[PLAYERS];
            int first = (int)(turn & 3);
            for (int seat = 0; seat < PLAYERS; seat++) {
                uint8_t *hand = hands[(seat + PLAYERS - first) & 3];
                unsigned at = to_play(&chance, &word, tables[seat], hand, size);
                tables[seat] = lay(&chance, tables[seat], take(hand, size, at));
                kept[seat] = (uint8_t)take(hand, size - 1, below(&word, size - 1));
            }
            for (int seat = 0; seat < PLAYERS; seat++) hands[(seat + 3 * PLAYERS - 1 - first) & 3][size - 2] = kept[seat];
        }
        u64 word = next(&chance);
        for (int seat = 0; seat < PLAYERS; seat++) {
            uint8_t *hand = hands[seat];
            tables[seat] = lay(&chance, tables[seat], hand[to_play(&chance, &word, tables[seat], hand, 2)]);
        }
        int values[PLAYERS], kinds[PLAYERS] = {0};
        for (int kind = 0; kind < KINDS; kind++) {
            for (int seat = 0; seat < PLAYERS; seat++) {
                values[seat] = (int)(tables[seat] >> 8 * kind & 255);
                kinds[seat] += values[seat] > 0;
            }
            win_chip(&word, left, kind, values, scores);
        }
        win_chip(&word, left, KINDS, kinds, scores);
    }
    int best = 0, winners = 0;
    for (int seat = 0; seat < PLAYERS; seat++) {
        if (scores[seat] > best) best = scores[seat], winners = 0;
        if (scores[seat] == best) winners |= 1 << seat;
    }
    *state = chance;
    return winners;
}

MEASURE(PLAYERS, play)
