/* Learns the networks that `master` plays by; `training.py` builds and runs it.

   The bot plays matches against `steady`, `sharp` and itself, at a table of one size.  It likes
   each choice as much as `sharp` does, and as much more or less as a network says (the actor).  It
   chooses at random, what it likes more often.  A second network (the critic) learns how likely a
   match, and a round, is won after a choice.  Choices that went better than the critic expected
   are made likelier, the others less likely, in small steps: proximal policy optimisation
   (Schulman and others, 2017) with generalised advantages.

   What the networks are told is what `sight.py` tells them, number by number; a test compares the
   two, by what the program prints when it is called with `told`. */

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FACES = 19, ADD = 0, MULTIPLY = 9, SUBTRACT = 11, DIVIDE = 16, ZERO = 18 };
enum { HAND_LIMIT = 7, PLAY_LIMIT = 5, DEALT = 5, DRAW = 3, GOAL = 3, SEATS = 4 };
enum { MOST_CARDS = 280, MOST_PLAYS = 20000, MOST_TURNS = 400 };

static const int NUMBER[FACES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 1, 2, 3, 4, 5, 2, 3, 0};
/* As in worth.py. */
static const int WORTH[FACES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 12, 2, 3, 4, 5, 6, 6, 9, 7};
static const int FULL[FACES] = {6, 7, 8, 8, 7, 6, 4, 3, 2, 7, 4, 3, 5, 4, 3, 2, 7, 4, 8};

typedef struct { unsigned char of[FACES]; int size; } Cards;
typedef struct { Cards cards; int score, less, divisor; } Play;
typedef struct {
    Cards hand[SEATS];
    int is_in[SEATS], points[SEATS], turn;
    int target, less, divisor; /* a target of -1: none */
    int standing[FACES], discards[FACES];
    int pile[MOST_CARDS], pile_size;
} State;

static int players;
/* Every thread plays matches of its own. */
static uint64_t chance_state;
static int deck[FACES];
static Play *plays;
static int play_count;
#pragma omp threadprivate(chance_state, deck, plays, play_count)

/* ---- Chance ---- */

static uint64_t bits(void) {
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    return chance_state ^= chance_state << 17;
}
static int below(int n) { return (int)((bits() >> 11) % n); }
static double chance(void) { return (bits() >> 11) * (1.0 / 9007199254740992.0); }
static double gauss(void) {
    double length = sqrt(-2 * log(chance() + 1e-12));
    return length * cos(6.283185307 * chance());
}
static void seed_chance(uint64_t seed) {
    chance_state = seed * 0x9E3779B97F4A7C15ull + 777;
    for (int i = 0; i < 20; i++) bits();
}
static void shuffle(int *cards, int n) {
    for (int a = n - 1; a > 0; a--) {
        int b = below(a + 1), card = cards[a];
        cards[a] = cards[b];
        cards[b] = card;
    }
}

/* ---- The rules ---- */

static int score_of(int total, int factor, int zero, int less, int divisor) {
    int score = zero ? total * factor : (total - less) * factor;
    return score <= 0 ? 0 : zero ? score : score / divisor;
}

static void list_from(const Cards *hand, int face, const Play *begun, int total, int factor,
                      const State *s) {
    while (face < FACES && !hand->of[face]) face++;
    if (face == FACES || begun->cards.size == PLAY_LIMIT) {
        int score = score_of(total, factor, begun->cards.of[ZERO], s->less, s->divisor);
        if (begun->cards.size && score > s->target && play_count < MOST_PLAYS) {
            plays[play_count] = *begun;
            plays[play_count++].score = score;
        }
        return;
    }
    Play play = *begun;
    for (int copies = 0; copies <= hand->of[face] && play.cards.size <= PLAY_LIMIT; copies++) {
        list_from(hand, face + 1, &play, total, factor, s);
        play.cards.size++;
        play.cards.of[face]++;
        if (face < MULTIPLY) total += NUMBER[face];
        else if (face < SUBTRACT) factor *= NUMBER[face];
        else if (face < DIVIDE) play.less += NUMBER[face];
        else if (face < ZERO) play.divisor *= NUMBER[face];
    }
}

/* Lists the legal plays of the player whose turn it is in `plays`. */
static void list_plays(const State *s) {
    Play none = {.divisor = 1};
    play_count = 0;
    list_from(&s->hand[s->turn], 0, &none, 0, 1, s);
}

static void draw(State *s) {
    for (int i = 0; i < DRAW; i++) {
        if (!s->pile_size) {
            for (int face = 0; face < FACES; face++)
                while (s->discards[face]) {
                    s->pile[s->pile_size++] = face;
                    s->discards[face]--;
                }
            shuffle(s->pile, s->pile_size);
            if (!s->pile_size) return;
        }
        s->hand[s->turn].of[s->pile[--s->pile_size]]++;
        s->hand[s->turn].size++;
    }
}

/* Keeps seven cards; the faces come in the order in which they may go. */
static void keep(Cards *hand, const int *order) {
    for (int i = 0; i < FACES && hand->size > HAND_LIMIT; i++)
        while (hand->of[order[i]] && hand->size > HAND_LIMIT) {
            hand->of[order[i]]--;
            hand->size--;
        }
}

static void take_out(Cards *hand, const Cards *gone) {
    for (int face = 0; face < FACES; face++) hand->of[face] -= gone->of[face];
    hand->size -= gone->size;
}

/* Decks: mostly the full one; for the rest any of the others, or one made up. */
static void choose_deck(void) {
    double kind = chance();
    int additions, all;
    memcpy(deck, FULL, sizeof deck);
    if (kind < 0.8) return;
    if (kind < 0.88) deck[9] = deck[10] = deck[16] = deck[17] = 0;
    else if (kind < 0.92) memset(deck + MULTIPLY, 0, sizeof deck - MULTIPLY * sizeof *deck);
    else do {
        double part[5];
        for (int k = 0; k < 5; k++) part[k] = below(4) ? 0.4 + 1.2 * chance() : below(2) ? 0 : 2;
        if (part[0] < 0.5) part[0] = 0.5;
        additions = all = 0;
        for (int face = 0; face < FACES; face++) {
            int kind_of = face < 9 ? 0 : face < 11 ? 1 : face < 16 ? 2 : face < 18 ? 3 : 4;
            deck[face] = (int)(FULL[face] * part[kind_of] * (0.5 + chance()) + chance());
            all += deck[face];
            if (face < MULTIPLY) additions += deck[face];
        }
    } while (additions < 10 || all < 8 * players || all > MOST_CARDS);
}

/* ---- steady, as in cheapest.py ---- */

static int by_worth[FACES], by_value[FACES];

static int cheapest_opening(const Cards *hand, int challenge, Play *play) {
    int face = challenge;
    if (face < 0) {
        const int idle[] = {9, 10, ZERO};
        for (int i = 0; i < 3; i++)
            if (hand->of[idle[i]] && (face < 0 || WORTH[idle[i]] < WORTH[face])) face = idle[i];
        for (int f = 0; f < MULTIPLY && face < 0; f++)
            if (hand->of[f]) {
                face = f;
                play->score = NUMBER[f];
            }
        if (face < 0) return 0;
    }
    play->cards.of[face] = play->cards.size = 1;
    if (face >= SUBTRACT && face < DIVIDE) play->less = NUMBER[face];
    if (face >= DIVIDE && face < ZERO) play->divisor = NUMBER[face];
    return 1;
}

/* Finds `count` additions that sum to `total`, the lowest first. */
static int additions_of(const Cards *hand, int from, int count, int total, Cards *found) {
    if (!count) return !total;
    for (int face = from; face < MULTIPLY; face++)
        if (hand->of[face] > found->of[face] && NUMBER[face] <= total) {
            found->of[face]++;
            if (additions_of(hand, face, count - 1, total - NUMBER[face], found)) return 1;
            found->of[face]--;
        }
    return 0;
}

static int steady(const State *s, Play *play) {
    const Cards *hand = &s->hand[s->turn];
    uint64_t exact[6] = {1}, most[6] = {0}; /* the sums that so many additions have, as bits */
    int challenge = -1, best = 1 << 30, room, total, count;
    int twos = 0, threes = 0, zero = 0, adds = 0, sum = 0;
    memset(play, 0, sizeof *play);
    play->divisor = 1;
    for (int face = SUBTRACT; face < ZERO; face++)
        if (hand->of[face] && (challenge < 0 || WORTH[face] < WORTH[challenge])) challenge = face;
    if (s->target < 0) return cheapest_opening(hand, challenge, play);
    for (int face = 0; face < MULTIPLY; face++)
        for (int i = 0; i < hand->of[face]; i++)
            for (int n = PLAY_LIMIT; n > 0; n--) exact[n] |= exact[n - 1] << NUMBER[face];
    for (int n = 1; n <= PLAY_LIMIT; n++) most[n] = most[n - 1] | exact[n];
    for (int two = 0, product = 1; two <= hand->of[9]; two++, product *= 2)
        for (int three = 0, factor = product; three <= hand->of[10] && two + three < PLAY_LIMIT;
             three++, factor *= 3)
            for (int z = 0; z <= (hand->of[ZERO] && (s->less || s->divisor > 1)); z++) {
                int needed = z ? s->target / factor + 1
                               : s->less + ((s->target + 1) * s->divisor + factor - 1) / factor;
                if ((room = PLAY_LIMIT - two - three - z) < 1 || needed > 45) continue;
                if (needed < 1) needed = 1;
                for (int with = challenge >= 0 && room > 1; with >= 0; with--) {
                    uint64_t enough = most[room - with] >> needed;
                    if (!enough) continue;
                    total = needed + __builtin_ctzll(enough);
                    for (count = 1; !(exact[count] >> total & 1);) count++;
                    int score = score_of(total, factor, z, s->less, s->divisor);
                    if (score >= 2000) continue;
                    int worth = two * WORTH[9] + three * WORTH[10] + z * WORTH[ZERO] + total +
                                (with ? WORTH[challenge] : 0);
                    int cost = score << 18 | !with << 17 |
                               (count + two + three + z + with) << 12 | worth;
                    if (cost < best) {
                        best = cost;
                        play->score = score;
                        twos = two;
                        threes = three;
                        zero = z;
                        adds = count;
                        sum = total;
                        play->cards.size = with;
                    }
                }
            }
    if (best == 1 << 30) return 0;
    if (play->cards.size) {
        play->cards.of[challenge] = 1;
        if (challenge < DIVIDE) play->less = NUMBER[challenge];
        else play->divisor = NUMBER[challenge];
    }
    additions_of(hand, 0, adds, sum, &play->cards);
    play->cards.of[9] = twos;
    play->cards.of[10] = threes;
    play->cards.of[ZERO] = zero;
    play->cards.size += adds + twos + threes + zero;
    return 1;
}

/* ---- What hands can reach, as in reach.py ---- */

typedef struct { int plain, zeros, total[5], factor[5], zero_total[5], zero_factor[5]; } Reach;

static void reach_of(const Cards *hand, Reach *r) {
    int sums[6] = {0}, n = 0, threes = hand->of[10], twos = hand->of[9], factor = 1;
    for (int face = MULTIPLY - 1; face >= 0; face--)
        for (int i = 0; i < hand->of[face] && n < PLAY_LIMIT; i++, n++)
            sums[n + 1] = sums[n] + NUMBER[face];
    for (; n < PLAY_LIMIT; n++) sums[n + 1] = sums[n];
    r->plain = r->zeros = 0;
    for (int used = 0; used < PLAY_LIMIT; used++) {
        if (used) {
            if (threes) factor *= 3, threes--;
            else if (twos) factor *= 2, twos--;
            else break;
        }
        r->total[r->plain] = sums[PLAY_LIMIT - used];
        r->factor[r->plain++] = factor;
        if (hand->of[ZERO]) {
            r->zero_total[r->zeros] = sums[PLAY_LIMIT - 1 - used];
            r->zero_factor[r->zeros++] = factor;
        }
    }
}

static int best_of(const Reach *r, int less, int divisor) {
    int best = 0;
    for (int i = 0; i < r->plain; i++) {
        int score = score_of(r->total[i], r->factor[i], 0, less, divisor);
        if (score > best) best = score;
    }
    for (int i = 0; i < r->zeros; i++) {
        int score = r->zero_total[i] * r->zero_factor[i];
        if (score > best) best = score;
    }
    return best;
}

static float logs[4096];
static float log1(int n) { return n < 4095 ? logs[n + 1] : logf(n + 1); }

/* ---- Guesses, as in guesses.py ---- */

enum { GUESSES = 36, STAGES = 5, TRIES = 40, MOST_CHALLENGES = 64 };
static float held_odds[STAGES][FACES];

typedef struct { int less, divisor, scores[GUESSES]; float mean; } Answers;
typedef struct {
    int opponents, seat[SEATS], unseen[FACES], unseen_size;
    Reach reach[GUESSES][SEATS];
    Answers answers[MOST_CHALLENGES];
    int answers_count;
} Guessed;

static void guess(const State *s, Guessed *g) {
    unsigned char pool[MOST_CARDS], all[MOST_CARDS];
    int me = s->turn, size = 0;
    int stage = s->target < 0
                    ? 0
                    : 1 + (s->target >= 6) + (s->target >= 12) + (s->target >= 20);
    g->opponents = g->answers_count = 0;
    for (int step = 1; step < players; step++)
        if (s->is_in[(me + step) % players]) g->seat[g->opponents++] = (me + step) % players;
    for (int face = 0; face < FACES; face++) {
        g->unseen[face] =
            deck[face] - s->hand[me].of[face] - s->discards[face] - s->standing[face];
        for (int i = 0; i < g->unseen[face]; i++) all[size++] = face;
    }
    g->unseen_size = size;
    for (int n = 0; n < GUESSES; n++) {
        Cards hand[SEATS] = {0};
        int left = size;
        memcpy(pool, all, size);
        for (int o = 0; o < g->opponents; o++)
            for (int i = 0; i < s->hand[g->seat[o]].size && left; i++) {
                int place = 0;
                for (int t = 0; t < TRIES; t++)
                    if (chance() < held_odds[stage][pool[place = below(left)]]) break;
                hand[o].of[pool[place]]++;
                pool[place] = pool[--left];
            }
        for (int o = 0; o < g->opponents; o++) {
            for (int i = 0; i < DRAW && left; i++) {
                int place = below(left);
                hand[o].of[pool[place]]++;
                pool[place] = pool[--left];
            }
            reach_of(&hand[o], &g->reach[n][o]);
        }
    }
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static Answers *answers_to(Guessed *g, int less, int divisor) {
    for (int i = 0; i < g->answers_count; i++)
        if (g->answers[i].less == less && g->answers[i].divisor == divisor) return &g->answers[i];
    if (g->answers_count == MOST_CHALLENGES) g->answers_count--;
    Answers *a = &g->answers[g->answers_count++];
    a->less = less;
    a->divisor = divisor;
    a->mean = 0;
    for (int n = 0; n < GUESSES; n++) {
        a->scores[n] = 0;
        for (int o = 0; o < g->opponents; o++) {
            int score = best_of(&g->reach[n][o], less, divisor);
            if (score > a->scores[n]) a->scores[n] = score;
        }
        a->mean += log1(a->scores[n]) / GUESSES;
    }
    qsort(a->scores, GUESSES, sizeof *a->scores, by_number);
    return a;
}

/* ---- What sharp makes of a choice, as in sharp.py and stakes.py ---- */

static struct {
    double cards[10], reach, size, alone[6], guessed, again[4], opening, passing[4], last[2];
} weights;
static double value[FACES];

typedef struct { int held, mine, theirs, opponents; double cards_count; } Stakes;
typedef struct { double alone, again, hand, worth; } Promise;

static double logistic(double odds) { return 1 / (1 + exp(-odds)); }

static Stakes stakes_of(const State *s) {
    Stakes k = {.mine = s->points[s->turn]};
    for (int seat = 0; seat < players; seat++) {
        if (seat == s->turn) continue;
        if (s->points[seat] > k.theirs) k.theirs = s->points[seat];
        k.opponents += s->is_in[seat];
        if (s->is_in[seat] && s->hand[seat].size > k.held) k.held = s->hand[seat].size;
    }
    k.cards_count = (k.mine == GOAL - 1 ? weights.last[0] : 1) *
                    (k.theirs == GOAL - 1 ? weights.last[1] : 1);
    return k;
}

static double worth_of(const Cards *kept, const Reach *reach) {
    double sum = weights.reach * log1(best_of(reach, 0, 1)) + weights.size * kept->size / HAND_LIMIT;
    for (int face = 0; face < FACES; face++) sum += kept->of[face] * value[face];
    return sum;
}

/* Without answers: at a first glance. */
static Promise promise_of(const State *s, const Stakes *k, const Play *p, const Cards *kept,
                          const Reach *reach, const Answers *answers) {
    double mine = log1(best_of(reach, 0, 1)), score = log1(p->score);
    double odds = weights.alone[0] +
                  weights.alone[1] * (log1((p->score + 1) * p->divisor + p->less - 1) - 2.5) +
                  weights.alone[2] * log1(p->divisor - 1) + weights.alone[3] * (k->held - 4) +
                  weights.alone[4] * (p->less > 0);
    double alone = logistic(odds), edge = 0;
    if (k->opponents > 1) alone = pow(alone, 1 + weights.alone[5] * (k->opponents - 1));
    if (answers) {
        int met = 0;
        while (met < GUESSES && answers->scores[met] <= p->score) met++;
        alone = weights.guessed * met / GUESSES + (1 - weights.guessed) * alone;
        edge = mine - answers->mean;
    }
    Promise promise = {.alone = alone, .hand = worth_of(kept, reach)};
    promise.again = logistic(weights.again[0] + weights.again[1] * (mine - score) +
                             weights.again[2] * edge);
    promise.worth = alone * (s->target < 0 ? 1 + weights.opening : 1) +
                    (1 - alone) * weights.again[3] * promise.again +
                    k->cards_count * promise.hand;
    return promise;
}

static double worth_of_pass(const Stakes *k, double hand) {
    return weights.passing[0] + weights.passing[1] * (k->theirs == GOAL - 2) +
           weights.passing[2] * (k->mine - k->theirs) +
           weights.passing[3] * (k->held - 4) / 10 + k->cards_count * hand;
}

/* ---- What the networks are told, as in sight.py ---- */

enum {
    KEPT = 0, HAS = 19, REACH = 38, SIZE = 42, SECOND_BEST = 43, SUM = 44, PLAYED = 45, SCORE = 46,
    LESS = 47, DIVISOR = 48, HEIGHT = 49, OPENS = 50, LEAD = 51, ALONE = 52, ANSWER = 53,
    ODDS = 54, AHEAD = 55, TO_GO = 56, OTHERS = 59, PILE = 60, HIDDEN = 61, UNSEEN = 62,
    SEAT = 81, QUARTERS = 96, GOES_ON = 99, BARE = 100, ENDED = 101, PROMISE = 102,
    STANDING = 106, TARGET = 125, INPUTS = 129,
    WORTH_AT = PROMISE + 3
};

static int to_go(int points) {
    int left = GOAL - points;
    return left > 3 ? 3 : left < 1 ? 1 : left;
}

/* Tells of a play, or of a pass where `play` is null. */
static void tell(const State *s, const Stakes *k, Guessed *g, const Play *play, float *x) {
    static const int challenge[4][2] = {{0, 1}, {3, 1}, {0, 2}, {3, 6}};
    int me = s->turn, used = 0, ended = !play && g->opponents == 1;
    Cards kept = s->hand[me], rest;
    Reach reach, second;
    memset(x, 0, INPUTS * sizeof *x);
    if (play) take_out(&kept, &play->cards);
    keep(&kept, by_value);
    reach_of(&kept, &reach);
    for (int face = 0; face < FACES; face++) {
        x[KEPT + face] = kept.of[face] / 2.0f;
        x[HAS + face] = kept.of[face] > 0;
        x[UNSEEN + face] = g->unseen[face] / 8.0f;
        x[STANDING + face] = s->standing[face] / 2.0f;
        if (face < MULTIPLY) x[SUM] += kept.of[face] * NUMBER[face] / 30.0f;
    }
    for (int c = 0; c < 4; c++)
        x[REACH + c] = log1(best_of(&reach, challenge[c][0], challenge[c][1])) / 4;
    x[SIZE] = kept.size / (float)HAND_LIMIT;
    rest = kept;
    for (int face = 10; face >= 9; face--)
        for (; rest.of[face] && used < 2; used++) rest.of[face]--;
    for (int face = MULTIPLY - 1; face >= 0; face--)
        for (; rest.of[face] && used < PLAY_LIMIT - 1; used++) rest.of[face]--;
    reach_of(&rest, &second);
    x[SECOND_BEST] = log1(best_of(&second, 0, 1)) / 4;
    if (play) {
        Answers *a = answers_to(g, play->less, play->divisor);
        Promise promise = promise_of(s, k, play, &kept, &reach, a);
        float score = log1(play->score), mine = log1(best_of(&reach, 0, 1)), met = 0;
        for (int n = 0; n < GUESSES; n++) met += (a->scores[n] <= play->score) / (float)GUESSES;
        x[PLAYED] = 1;
        x[SCORE] = score / 4;
        x[LESS] = play->less / 5.0f;
        x[DIVISOR] = log1(play->divisor - 1);
        x[HEIGHT] = log1((play->score + 1) * play->divisor + play->less - 1) / 4;
        x[OPENS] = s->target < 0;
        x[LEAD] = (mine - score) / 2;
        x[ALONE] = met;
        x[ANSWER] = a->mean / 4;
        x[ODDS] = logf((met + 0.02f) / (1.02f - met)) / 4;
        x[AHEAD] = (a->mean - score) / 2;
        x[QUARTERS] = (log1(a->scores[GUESSES / 4]) - score) / 2;
        x[QUARTERS + 1] = (log1(a->scores[GUESSES * 3 / 4]) - score) / 2;
        x[QUARTERS + 2] = (log1(a->scores[GUESSES / 2]) - mine) / 2;
        x[PROMISE] = promise.alone;
        x[PROMISE + 1] = promise.again;
        x[PROMISE + 2] = promise.hand;
        x[WORTH_AT] = promise.worth;
    } else {
        double hand = worth_of(&kept, &reach);
        x[PROMISE + 2] = hand;
        x[WORTH_AT] = worth_of_pass(k, hand);
        x[ENDED] = ended;
        if (!ended) {
            x[GOES_ON] = 1;
            x[SCORE] = s->target < 0 ? 0 : log1(s->target) / 4;
            x[LESS] = s->less / 5.0f;
            x[DIVISOR] = log1(s->divisor - 1);
            x[BARE] = s->target < 0;
        }
    }
    if (s->target >= 0) {
        x[TARGET] = log1(s->target) / 4;
        x[TARGET + 1] = 1;
        x[TARGET + 2] = s->less / 5.0f;
        x[TARGET + 3] = log1(s->divisor - 1);
    }
    x[TO_GO - 1 + to_go(s->points[me])] = 1;
    x[OTHERS] = g->opponents / 3.0f;
    x[PILE] = s->pile_size / 98.0f;
    x[HIDDEN] = g->unseen_size / 98.0f;
    for (int step = 1; step < players; step++) {
        int seat = (me + step) % players;
        float *told = x + SEAT + 5 * (step - 1);
        told[0] = ended || s->is_in[seat];
        told[1] = s->hand[seat].size / 10.0f;
        told[1 + to_go(s->points[seat] + (ended && s->is_in[seat]))] = 1;
    }
}

/* ---- Networks, as in network.py ---- */

enum { FIRST = 64, SECOND = 32, OUT = 2 };
/* The actor uses the first output only; of the critic the first is the match, the second the
   round. */
typedef struct {
    float first[INPUTS][FIRST], first_offset[FIRST];
    float second[FIRST][SECOND], second_offset[SECOND];
    float last[SECOND][OUT], last_offset[OUT];
} Network;
enum { WEIGHTS = sizeof(Network) / sizeof(float) };
typedef struct { float first[FIRST], second[SECOND], out[OUT]; } Layers;
typedef struct { Network now, slope, mean, square; long steps; } Learner;
static Learner actor, critic;

static float leak(float x) { return x > 0 ? x : 0.01f * x; }

static void ask(const Network *n, const float *restrict told, Layers *restrict l) {
    float first[FIRST], second[SECOND]; /* local, so that they can stay in registers */
    memcpy(first, n->first_offset, sizeof first);
    for (int i = 0; i < INPUTS; i++)
        if (told[i])
            for (int j = 0; j < FIRST; j++) first[j] += told[i] * n->first[i][j];
    for (int j = 0; j < FIRST; j++) l->first[j] = first[j] = leak(first[j]);
    memcpy(second, n->second_offset, sizeof second);
    for (int i = 0; i < FIRST; i++)
        for (int j = 0; j < SECOND; j++) second[j] += first[i] * n->second[i][j];
    for (int j = 0; j < SECOND; j++) l->second[j] = second[j] = leak(second[j]);
    for (int o = 0; o < OUT; o++) {
        l->out[o] = n->last_offset[o];
        for (int i = 0; i < SECOND; i++) l->out[o] += second[i] * n->last[i][o];
    }
}

/* Adds to `slope` what the weights have to do with an error of the outputs. */
static void trace_back(const Network *n, Network *slope, const float *told, const Layers *l,
                       const float *error) {
    float second[SECOND], first[FIRST];
    for (int i = 0; i < SECOND; i++) {
        second[i] = 0;
        for (int o = 0; o < OUT; o++) {
            second[i] += error[o] * n->last[i][o];
            slope->last[i][o] += error[o] * l->second[i];
        }
        if (l->second[i] <= 0) second[i] *= 0.01f;
    }
    for (int o = 0; o < OUT; o++) slope->last_offset[o] += error[o];
    for (int i = 0; i < FIRST; i++) {
        first[i] = 0;
        for (int j = 0; j < SECOND; j++) {
            first[i] += second[j] * n->second[i][j];
            slope->second[i][j] += second[j] * l->first[i];
        }
        if (l->first[i] <= 0) first[i] *= 0.01f;
    }
    for (int j = 0; j < SECOND; j++) slope->second_offset[j] += second[j];
    for (int i = 0; i < INPUTS; i++)
        if (told[i])
            for (int j = 0; j < FIRST; j++) slope->first[i][j] += told[i] * first[j];
    for (int j = 0; j < FIRST; j++) slope->first_offset[j] += first[j];
}

/* One step of Adam (Kingma and Ba, 2015) down a slope summed over `many`. */
static void step_down(Learner *l, float rate, int many) {
    float *now = (float *)&l->now, *mean = (float *)&l->mean, *square = (float *)&l->square;
    float *slope = (float *)&l->slope;
    l->steps++;
    float part = 1 - powf(0.9f, l->steps), part2 = 1 - powf(0.999f, l->steps);
    for (int i = 0; i < WEIGHTS; i++) {
        float x = slope[i] / many;
        mean[i] = 0.9f * mean[i] + 0.1f * x;
        square[i] = 0.999f * square[i] + 0.001f * x * x;
        now[i] -= rate * mean[i] / part / (sqrtf(square[i] / part2) + 1e-8f);
        slope[i] = 0;
    }
}

static void begin(Network *n, double last) {
    for (int i = 0; i < INPUTS; i++)
        for (int j = 0; j < FIRST; j++) n->first[i][j] = 0.15 * gauss();
    for (int i = 0; i < FIRST; i++)
        for (int j = 0; j < SECOND; j++) n->second[i][j] = 0.17 * gauss();
    for (int i = 0; i < SECOND; i++)
        for (int o = 0; o < OUT; o++) n->last[i][o] = last * gauss();
}

/* ---- Choosing ---- */

enum { STEADY, SHARP, MASTER };
enum { CHOICES = 24 };
#define OPINION 30.0f

/* One turn to learn from: what was told of each choice, which was taken and how likely that was,
   what the turn was worth by the critic, and what came of it. */
typedef struct {
    float told[CHOICES][INPUTS];
    int choices, taken;
    float likely, worth, better, match, round;
} Turn;
typedef struct { int of[MOST_TURNS], count; } Path;

enum { BATCH = 32768, MOST_IN_MATCH = 1000 };
static Turn *turns;
static int turn_count;
static Path path[SEATS];
static Guessed guessed;
static float told[CHOICES][INPUTS];
static double glances[MOST_PLAYS];
#pragma omp threadprivate(turns, turn_count, path, guessed, told, glances)

static FILE *told_file;
static void write_told(const State *s, const int *play_of, const int *order,
                       const float *likings, int count);

/* The plays that promise most at a first glance, the best first; returns how many. */
static int glance(const State *s, const Stakes *k, int *best) {
    int count = 0;
    for (int i = 0; i < play_count; i++) {
        Cards kept = s->hand[s->turn];
        Reach reach;
        take_out(&kept, &plays[i].cards);
        keep(&kept, by_value);
        reach_of(&kept, &reach);
        double promise = glances[i] = promise_of(s, k, &plays[i], &kept, &reach, 0).worth;
        if (count == CHOICES - 1 && promise <= glances[best[count - 1]]) continue;
        int place = count < CHOICES - 1 ? count++ : count - 1;
        for (; place > 0 && glances[best[place - 1]] < promise; place--)
            best[place] = best[place - 1];
        best[place] = i;
    }
    return count;
}

/* Chooses as sharp and master do; returns 0 for a pass.  With `learns`, chooses by chance and
   keeps the turn. */
static int choose(const State *s, int by, int learns, Play *play) {
    Stakes k = stakes_of(s);
    Layers l;
    int play_of[CHOICES], order[CHOICES], taken = 0;
    float likings[CHOICES], odds[CHOICES], sum = 0;
    list_plays(s);
    if (!play_count) return 0;
    guess(s, &guessed);
    int count = glance(s, &k, play_of);
    for (int i = 0; i < count; i++) tell(s, &k, &guessed, &plays[play_of[i]], told[i]);
    if (k.theirs < GOAL - 1) { /* else a pass may lose the match */
        tell(s, &k, &guessed, 0, told[count]);
        play_of[count++] = -1;
    }
    for (int i = 0; i < count; i++) {
        likings[i] = OPINION * told[i][WORTH_AT];
        if (by == MASTER) {
            ask(&actor.now, told[i], &l);
            likings[i] += l.out[0];
        }
        int place = i;
        for (; place > 0 && likings[order[place - 1]] < likings[i]; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
    if (told_file && by == MASTER && !learns) write_told(s, play_of, order, likings, count);
    if (learns && turn_count < BATCH / omp_get_max_threads() + MOST_IN_MATCH) {
        for (int i = 0; i < count; i++) sum += odds[i] = expf(likings[order[i]] - likings[order[0]]);
        float at = chance() * sum;
        while (taken < count - 1 && (at -= odds[taken]) > 0) taken++;
        Turn *t = &turns[turn_count];
        t->choices = count;
        t->taken = taken;
        t->likely = odds[taken] / sum;
        t->worth = 0;
        float weighed = 0;
        for (int i = 0; i < count; i++) {
            memcpy(t->told[i], told[order[i]], sizeof *t->told);
            if (i >= 6) continue; /* the rest is hardly ever taken */
            ask(&critic.now, t->told[i], &l);
            t->worth += odds[i] * logistic(l.out[0]);
            weighed += odds[i];
        }
        t->worth /= weighed;
        Path *mine = &path[s->turn];
        mine->of[mine->count++] = turn_count++;
    }
    int chosen = play_of[order[taken]];
    if (chosen >= 0) *play = plays[chosen];
    return chosen >= 0;
}

/* ---- A match ---- */

/* Plays a match between bots of these kinds; returns who wins. */
static int play_match(const int *kinds, int learns) {
    State s = {0};
    for (int face = 0; face < FACES; face++)
        for (int i = 0; i < deck[face]; i++) s.pile[s.pile_size++] = face;
    shuffle(s.pile, s.pile_size);
    for (int seat = 0; seat < players; seat++) {
        s.hand[seat].size = DEALT;
        for (int i = 0; i < DEALT; i++) s.hand[seat].of[s.pile[--s.pile_size]]++;
        path[seat].count = 0;
    }
    s.turn = below(players);
    for (;;) {
        int in = players, winner = 0, begun[SEATS] = {0};
        for (int seat = 0; seat < players; seat++) {
            s.is_in[seat] = 1;
            begun[seat] = path[seat].count;
        }
        s.target = -1;
        s.less = 0;
        s.divisor = 1;
        while (in > 1) {
            int seat = s.turn, kind = kinds[seat];
            Play play;
            draw(&s);
            int plays_on = kind == STEADY
                               ? steady(&s, &play)
                               : choose(&s, kind,
                                        learns && kind == MASTER && path[seat].count < MOST_TURNS,
                                        &play);
            if (plays_on) {
                for (int face = 0; face < FACES; face++) {
                    s.discards[face] += s.standing[face];
                    s.standing[face] = play.cards.of[face];
                }
                take_out(&s.hand[seat], &play.cards);
                s.target = play.score;
                s.less = play.less;
                s.divisor = play.divisor;
            } else {
                s.is_in[seat] = 0;
                in--;
            }
            Cards before = s.hand[seat];
            keep(&s.hand[seat], kind == STEADY ? by_worth : by_value);
            for (int face = 0; face < FACES; face++)
                s.discards[face] += before.of[face] - s.hand[seat].of[face];
            do s.turn = (s.turn + 1) % players;
            while (!s.is_in[s.turn]);
        }
        winner = s.turn;
        for (int face = 0; face < FACES; face++) {
            s.discards[face] += s.standing[face];
            s.standing[face] = 0;
        }
        for (int seat = 0; seat < players; seat++)
            for (int i = begun[seat]; i < path[seat].count; i++)
                turns[path[seat].of[i]].round = seat == winner;
        if (++s.points[winner] == GOAL) return winner;
    }
}

/* ---- Learning ---- */

enum { STEP = 2048, PASSES = 3 };
#define FAR 0.9f      /* how much what comes later counts beside what the critic expects */
#define CLIP 0.2f     /* how far a choice may become likelier in one round of learning */
#define VARIETY 0.01f /* how much it is worth not to be sure */

/* Says of each turn of a match what came of it, and how much better that is than expected. */
static void look_back(int seat, int won) {
    float came = won;
    for (int i = path[seat].count - 1; i >= 0; i--) {
        Turn *t = &turns[path[seat].of[i]];
        t->match = came;
        t->better = came - t->worth;
        came = (1 - FAR) * t->worth + FAR * came;
    }
}

/* Fills the thread's turns with matches; each has one learner against opponents of one kind, or,
   at a larger table, of mixed kinds now and then. */
static void play_and_keep(int part) {
    turn_count = 0;
    while (turn_count < part) {
        int kinds[SEATS], me = below(players);
        static const int mix[7] = {STEADY, STEADY, STEADY, STEADY, SHARP, SHARP, MASTER};
        int all = mix[below(7)], mixed = players > 2 && below(10) < 3;
        for (int seat = 0; seat < players; seat++)
            kinds[seat] = seat == me ? MASTER : mixed ? mix[below(7)] : all;
        choose_deck();
        int winner = play_match(kinds, 1);
        for (int seat = 0; seat < players; seat++)
            if (kinds[seat] == MASTER) look_back(seat, winner == seat);
    }
}

static void learn_choice(const Turn *t, float better, Network *slope) {
    Layers l[CHOICES];
    float odds[CHOICES], most = -1e9f, sum = 0, variety = 0;
    if (t->choices < 2) return;
    for (int i = 0; i < t->choices; i++) {
        ask(&actor.now, t->told[i], &l[i]);
        odds[i] = l[i].out[0] + OPINION * t->told[i][WORTH_AT];
        if (odds[i] > most) most = odds[i];
    }
    for (int i = 0; i < t->choices; i++) sum += odds[i] = expf(odds[i] - most);
    for (int i = 0; i < t->choices; i++) {
        odds[i] /= sum;
        variety -= odds[i] * logf(odds[i] + 1e-9f);
    }
    float likelier = odds[t->taken] / t->likely;
    int enough = better > 0 ? likelier > 1 + CLIP : likelier < 1 - CLIP;
    for (int i = 0; i < t->choices; i++) {
        float error[OUT] = {enough ? 0 : -better * likelier * ((i == t->taken) - odds[i])};
        error[0] += VARIETY * odds[i] * (logf(odds[i] + 1e-9f) + variety);
        if (fabsf(error[0]) > 1e-4f) trace_back(&actor.now, slope, t->told[i], &l[i], error);
    }
}

static void learn_outcome(const Turn *t, Network *slope) {
    Layers l;
    ask(&critic.now, t->told[t->taken], &l);
    float error[OUT] = {logistic(l.out[0]) - t->match, logistic(l.out[1]) - t->round};
    trace_back(&critic.now, slope, t->told[t->taken], &l, error);
}

static void add_up(Network *all, Network *part) {
    float *to = (float *)all, *from = (float *)part;
    for (int i = 0; i < WEIGHTS; i++) {
        to[i] += from[i];
        from[i] = 0;
    }
}

static void learn(double minutes, double rate, double last_rate, double critic_first,
                  uint64_t seed, void (*done)(long, double)) {
    int threads = omp_get_max_threads(), counts[threads];
    Turn **batches = calloc(threads, sizeof *batches);
    Turn **order = calloc(BATCH + MOST_IN_MATCH * threads, sizeof *order);
    Network *slopes = calloc(2 * threads, sizeof *slopes);
    double begun = omp_get_wtime(), part;
    long seen = 0;
    #pragma omp parallel
    {
        int t = omp_get_thread_num();
        turns = calloc(BATCH / threads + MOST_IN_MATCH, sizeof *turns);
        batches[t] = turns;
        seed_chance(seed * 77 + t + 1);
    }
    while ((part = (omp_get_wtime() - begun) / 60 / minutes) < 1) {
        float now = rate * pow(last_rate / rate, part);
        int count = 0;
        double mean = 0, spread = 0;
        #pragma omp parallel
        {
            play_and_keep(BATCH / threads);
            counts[omp_get_thread_num()] = turn_count;
        }
        for (int t = 0; t < threads; t++)
            for (int i = 0; i < counts[t]; i++) order[count++] = &batches[t][i];
        for (int i = 0; i < count; i++) mean += order[i]->better / count;
        for (int i = 0; i < count; i++) spread += pow(order[i]->better - mean, 2) / count;
        spread = sqrt(spread);
        for (int pass = 0; pass < PASSES; pass++) {
            for (int a = count - 1; a > 0; a--) {
                int b = below(a + 1);
                Turn *t = order[a];
                order[a] = order[b];
                order[b] = t;
            }
            for (int start = 0; start + STEP <= count; start += STEP) {
                #pragma omp parallel for schedule(static)
                for (int i = start; i < start + STEP; i++) {
                    Network *mine = slopes + 2 * omp_get_thread_num();
                    if (part >= critic_first)
                        learn_choice(order[i], (order[i]->better - mean) / spread, mine);
                    if (!pass) learn_outcome(order[i], mine + 1);
                }
                for (int t = 0; t < threads; t++) {
                    add_up(&actor.slope, slopes + 2 * t);
                    add_up(&critic.slope, slopes + 2 * t + 1);
                }
                if (part >= critic_first) step_down(&actor, now, STEP);
                if (!pass) step_down(&critic, 1e-3 * (1 - 0.9 * part), STEP);
            }
        }
        done(seen += count, part);
    }
}

/* ---- Measuring ---- */

/* Prints the share of matches won against a kind, each deal played from every seat. */
static void measure(int kind, int deals, const char *name) {
    double won = 0, squares = 0;
    #pragma omp parallel reduction(+ : won, squares)
    {
        uint64_t before = chance_state; /* measuring is to change nothing of what is learned */
        #pragma omp for schedule(dynamic, 8)
        for (int deal = 0; deal < deals; deal++) {
            double here = 0;
            for (int me = 0; me < players; me++) {
                int kinds[SEATS];
                for (int seat = 0; seat < players; seat++) kinds[seat] = seat == me ? MASTER : kind;
                memcpy(deck, FULL, sizeof deck);
                seed_chance(1000003ull * 99 + deal);
                here += play_match(kinds, 0) == me;
            }
            won += here / players;
            squares += here / players * here / players;
        }
        chance_state = before;
    }
    double share = won / deals, half = 1.96 * sqrt((squares / deals - share * share) / (deals - 1));
    printf("  %s %.1f%% (%.1f - %.1f)", name, 100 * share, 100 * (share - half),
           100 * (share + half));
    fflush(stdout);
}

static void print_numbers(const char *name, const int *numbers, int count) {
    fprintf(told_file, "\"%s\": [", name);
    for (int i = 0; i < count; i++) fprintf(told_file, "%s%d", i ? ", " : "", numbers[i]);
    fprintf(told_file, "], ");
}

static void print_cards(const char *name, const unsigned char *of) {
    int numbers[FACES];
    for (int face = 0; face < FACES; face++) numbers[face] = of[face];
    print_numbers(name, numbers, FACES);
}

static void print_pairs(const int *totals, const int *factors, int count) {
    fprintf(told_file, "[");
    for (int i = 0; i < count; i++)
        fprintf(told_file, "%s[%d, %d]", i ? ", " : "", totals[i], factors[i]);
    fprintf(told_file, "]");
}

/* Writes some of the turns as lines of JSON: all that is known, the guesses, and for the two
   choices liked best and the last one what is told of them and how much they are liked. */
static void write_told(const State *s, const int *play_of, const int *order,
                       const float *likings, int count) {
    int sizes[SEATS];
    if ((s->hand[s->turn].of[0] + s->target + s->pile_size) % 40) return;
    for (int seat = 0; seat < players; seat++) sizes[seat] = s->hand[seat].size;
    fprintf(told_file, "{\"seat\": %d, \"target\": %d, \"less\": %d, \"divisor\": %d, ", s->turn,
            s->target, s->less, s->divisor);
    fprintf(told_file, "\"draw\": %d, ", s->pile_size);
    print_numbers("deck", deck, FACES);
    print_cards("hand", s->hand[s->turn].of);
    print_numbers("standing", s->standing, FACES);
    print_numbers("discards", s->discards, FACES);
    print_numbers("sizes", sizes, players);
    print_numbers("points", s->points, players);
    print_numbers("in", s->is_in, players);
    fprintf(told_file, "\"guesses\": [");
    for (int n = 0; n < GUESSES; n++) {
        fprintf(told_file, n ? ", [" : "[");
        for (int o = 0; o < guessed.opponents; o++) {
            Reach *r = &guessed.reach[n][o];
            fprintf(told_file, o ? ", [" : "[");
            print_pairs(r->total, r->factor, r->plain);
            fprintf(told_file, ", ");
            print_pairs(r->zero_total, r->zero_factor, r->zeros);
            fprintf(told_file, "]");
        }
        fprintf(told_file, "]");
    }
    fprintf(told_file, "], \"choices\": [");
    for (int n = 0; n < 3 && n < count; n++) {
        int choice = n < 2 ? order[n] : count - 1;
        fprintf(told_file, n ? ", {" : "{");
        if (play_of[choice] >= 0) print_cards("play", plays[play_of[choice]].cards.of);
        fprintf(told_file, "\"told\": [");
        for (int i = 0; i < INPUTS; i++)
            fprintf(told_file, "%s%.4g", i ? ", " : "", told[choice][i]);
        fprintf(told_file, "], \"liking\": %.4f}", likings[choice]);
    }
    fprintf(told_file, "]}\n");
}

/* ---- The command ---- */

static const char *networks_path;
static int deals_to_measure;

static void order_by(int *order, const double *by) {
    for (int i = 0; i < FACES; i++) {
        int place = i;
        for (; place > 0 && by[order[place - 1]] > by[i]; place--) order[place] = order[place - 1];
        order[place] = i;
    }
}

static double of_card(const double *w, int face) {
    double n = NUMBER[face];
    if (face < MULTIPLY) return w[0] + w[1] * n / 10 + w[2] * n * n / 100;
    if (face < SUBTRACT) return w[3] + w[4] * log(n);
    if (face < DIVIDE) return w[5] + w[6] * n / 5;
    return face < ZERO ? w[7] + w[8] * log(n) : w[9];
}

static int read_judgement(const char *name) {
    double held[10], worth[FACES], *all = (double *)&weights;
    FILE *file = fopen(name, "r");
    if (!file) return 0;
    for (size_t i = 0; i < sizeof weights / sizeof *all; i++)
        if (fscanf(file, "%lf", &all[i]) != 1) return 0;
    for (int stage = 0; stage < STAGES; stage++) {
        float most = 0;
        for (int i = 0; i < 10; i++)
            if (fscanf(file, "%lf", &held[i]) != 1) return 0;
        for (int face = 0; face < FACES; face++) {
            held_odds[stage][face] = exp(of_card(held, face));
            if (held_odds[stage][face] > most) most = held_odds[stage][face];
        }
        for (int face = 0; face < FACES; face++) held_odds[stage][face] /= most;
    }
    fclose(file);
    for (int face = 0; face < FACES; face++) {
        value[face] = of_card(weights.cards, face);
        worth[face] = WORTH[face];
    }
    order_by(by_value, value);
    order_by(by_worth, worth);
    return 1;
}

static int read_networks(void) {
    FILE *file = fopen(networks_path, "rb");
    if (!file) return 0;
    int both = fread(&actor.now, sizeof actor.now, 1, file) == 1 &&
               fread(&critic.now, sizeof critic.now, 1, file) == 1;
    fclose(file);
    return both;
}

static void write_networks(long seen, double part) {
    FILE *file = fopen(networks_path, "wb");
    static double last = -1;
    if (!file || fwrite(&actor.now, sizeof actor.now, 1, file) != 1 ||
        fwrite(&critic.now, sizeof critic.now, 1, file) != 1 || fclose(file)) {
        perror(networks_path);
        exit(1);
    }
    if (part < last + 0.1) return;
    last = part;
    printf("%3.0f%% of the time, %ld turns:", 100 * part, seen);
    measure(STEADY, deals_to_measure, "steady");
    measure(SHARP, deals_to_measure, "sharp");
    printf("\n");
    fflush(stdout);
}

/* Arguments: learn or told, players, seed, minutes, rate, last rate, how many deals to measure
   with now and then, and the files of the judgement and of the networks.  What is told goes to the
   standard output. */
int main(int count, char **words) {
    if (count != 10 || (players = atoi(words[2])) < 2 || players > SEATS) {
        fprintf(stderr, "see training.py for how this is called\n");
        return 2;
    }
    uint64_t seed = strtoull(words[3], 0, 10);
    networks_path = words[9];
    deals_to_measure = atoi(words[7]);
    for (int i = 1; i < 4096; i++) logs[i] = logf(i);
    if (!read_judgement(words[8])) {
        perror(words[8]);
        return 1;
    }
    seed_chance(seed);
    int is_new = !read_networks();
    if (is_new) {
        begin(&actor.now, 0); /* at first it has no opinion of its own */
        begin(&critic.now, 0.05);
    }
    #pragma omp parallel
    plays = calloc(MOST_PLAYS, sizeof *plays);
    if (!strcmp(words[1], "told")) {
        int kinds[SEATS] = {MASTER};
        told_file = stdout;
        memcpy(deck, FULL, sizeof deck);
        for (int i = 0; i < 40; i++) play_match(kinds, 0);
        return 0;
    }
    learn(atof(words[4]), atof(words[5]), atof(words[6]), is_new ? 0.05 : 0, seed, write_networks);
    return 0;
}
