/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - from where threads have called the function in which they meet. A barrier in a function
   that both sides of a branch call has one place in the source, and still lanes part there.

   Every thread walks its stack here each time that it meets others, and most have come the way of
   the first of them: a hash of the return addresses between the collective and the kernel says so.
   Different ones alone say nothing, since compilers copy code: lines do. Code of kernels and of the
   checking engine has frame pointers. */
#include "check/report/report.h"

#include <string.h>

enum {
    DEPTH = 16,
    ENGINE = 2, /* frames before those that count: this one, and hd_check_first or _diverged */
    SETS = 1 << 9,
    WAYS = 4,
    PAIRS = 1 << 10,
    LISTED = 2 * DEPTH /* functions, of which some are inlined */
};

typedef struct chain {
    uintptr_t pc[DEPTH];
    unsigned count;
} chain;

/* By hash, as many as fit: threads that meet have come at about the same time. */
static struct set {
    uint64_t hash[WAYS]; /* 0: none */
    chain chain[WAYS];
    unsigned next;
} sets[SETS];

/* What was found about two of them. */
static struct pair {
    uint64_t mine, other;
    int apart;
} pairs[PAIRS];

static struct set *set_of(uint64_t hash)
{
    return &sets[(hash >> 32) % SETS];
}

static const chain *find(uint64_t hash)
{
    const struct set *set = set_of(hash);

    for (unsigned i = 0; i < WAYS; i++)
        if (set->hash[i] == hash)
            return &set->chain[i];
    return NULL;
}

static void keep(uint64_t hash, const chain *c)
{
    struct set *set = set_of(hash);
    unsigned at = set->next++ % WAYS;

    set->hash[at] = hash;
    set->chain[at] = *c;
}

uint64_t __attribute__((noinline)) hd_check_calls(uint64_t first)
{
    const hd_check_now *now = &hd_check_me;
    const uintptr_t top = now->stack + now->stack_bytes, entry = top - now->check->entry;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uint64_t hash = 1;
    chain c;

    c.count = 0;
    for (unsigned i = 0; i < ENGINE + DEPTH && frame < entry; i++) {
        const uintptr_t *record = (const uintptr_t *)frame;

        if (frame < now->stack || record[0] <= frame)
            return 0;
        frame = record[0];
        if (i < ENGINE)
            continue;
        c.pc[c.count++] = record[1];
        hash = (hash ^ record[1]) * 0x9e3779b97f4a7c15u;
    }
    if (frame != entry || !hash)
        return 0;
    if (hash != first && !find(hash))
        keep(hash, &c);
    return hash;
}

/* The functions of a chain, the kernel first. */
static unsigned list(const chain *c, const hd_check_frame *listed[LISTED])
{
    unsigned count = 0;

    for (unsigned i = c->count; i-- > 0;) {
        const hd_check_frame *frame;
        unsigned inlined = hd_check_frames(c->pc[i], &frame);

        while (inlined-- > 0 && count < LISTED)
            listed[count++] = &frame[inlined];
    }
    return count;
}

/* Where two chains part: 1, and *mine and *other are the two calls in one function. */
static int part(const chain *a, const chain *b, const hd_check_frame **mine,
                const hd_check_frame **other)
{
    const hd_check_frame *first[LISTED], *second[LISTED];
    unsigned count = list(a, first), more = list(b, second);

    if (count > more)
        count = more;
    for (unsigned i = 0; i < count; i++) {
        const hd_check_frame *x = first[i], *y = second[i];

        if (!x->line || !y->line || strcmp(x->file, y->file) != 0 || hd_check_in_headers(x->file) ||
            hd_check_in_library(x))
            return 0;
        if (x->line != y->line) {
            *mine = x;
            *other = y;
            return 1;
        }
    }
    return 0;
}

int hd_check_calls_part(uint64_t mine, uint64_t other, const hd_check_frame **at,
                        const hd_check_frame **other_at)
{
    struct pair *known = &pairs[(mine * 31 + other) >> 32 & (PAIRS - 1)];
    const chain *a = find(mine), *b = find(other);

    if (!mine || !other || !a || !b)
        return 0;
    if (known->mine == mine && known->other == other && !known->apart)
        return 0;
    *known = (struct pair){mine, other, part(a, b, at, other_at)};
    return known->apart;
}
