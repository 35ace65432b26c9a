/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - from where threads have called the function in which they meet. A barrier in a function
   that both sides of a branch call has one place in the source, and still lanes part there.

   The return addresses between a collective and the kernel are one number each. Different numbers
   alone say nothing, since compilers copy code: lines do. Code of kernels and of the checking
   engine has frame pointers. */
#include "check/report/report.h"

#include <string.h>

enum {
    DEPTH = 16,
    CHAINS = 1 << 10,
    PAIRS = 1 << 8,
    LISTED = 2 * DEPTH /* functions, of which some are inlined */
};

typedef struct chain {
    uintptr_t pc[DEPTH];
    unsigned count;
} chain;

static chain chains[CHAINS]; /* by hash; number 0 stays free */

/* What was found about two of them. */
static struct pair {
    uint32_t mine, other;
    int apart;
} pairs[PAIRS];

static uint32_t number_of(const chain *c)
{
    uint64_t hash = c->count;
    uint32_t at;

    for (unsigned i = 0; i < c->count; i++)
        hash = (hash ^ c->pc[i]) * 0x9e3779b97f4a7c15u;
    at = (uint32_t)(hash >> 32) % CHAINS;
    for (unsigned tries = 0; tries < CHAINS; tries++, at = (at + 1) % CHAINS) {
        if (at && !chains[at].count)
            chains[at] = *c;
        if (at && chains[at].count == c->count &&
            !memcmp(chains[at].pc, c->pc, c->count * sizeof *c->pc))
            return at;
    }
    return 0;
}

uint32_t __attribute__((noinline)) hd_check_calls(void)
{
    const hd_check_now *now = &hd_check_me;
    const uintptr_t top = now->stack + now->stack_bytes, entry = top - now->check->entry;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    chain c;

    for (c.count = 0; c.count < DEPTH && frame < entry; c.count++) {
        const uintptr_t *record = (const uintptr_t *)frame;

        if (frame < now->stack || record[0] <= frame)
            return 0;
        c.pc[c.count] = record[1];
        frame = record[0];
    }
    return frame == entry ? number_of(&c) : 0;
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

int hd_check_calls_part(uint32_t mine, uint32_t other, const hd_check_frame **at,
                        const hd_check_frame **other_at)
{
    struct pair *known = &pairs[(mine * 31 + other) % PAIRS];

    if (!mine || !other || mine == other)
        return 0;
    if (known->mine == mine && known->other == other && !known->apart)
        return 0;
    *known = (struct pair){mine, other, part(&chains[mine], &chains[other], at, other_at)};
    return known->apart;
}
