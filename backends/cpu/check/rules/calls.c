/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - call paths to collectives. A barrier in a function that both sides of a branch call has
   one place in the source, but lanes still diverge there.

   Every thread walks its stack each time that it arrives in a collective. Usually the hash of the
   return addresses between the collective and the kernel is that of the first thread. Different
   hashes alone prove nothing, since compilers duplicate code: the source lines decide. Code of
   kernels and of the checking engine has frame pointers. */
#include "check/report/report.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEPTH = 16,
    ENGINE = 2, /* frames to skip: this one, and hd_check_first or hd_check_diverged */
    PAIRS = 1 << 10,
    LISTED = 2 * DEPTH, /* functions, including inlined ones */
    SLOTS_MIN = 1 << 8
};

typedef struct chain {
    uint64_t hash; /* 0: unused slot */
    uintptr_t pc[DEPTH];
    unsigned count;
} chain;

/* Hash table, at most half full. Chains are never dropped: the first thread to arrive may wait for
   long, and its chain is needed when another thread arrives by another path. A program has as many
   chains as it has call paths to collectives. */
static chain *chains;
static size_t slots, used;

/* Cached results of comparing two chains. */
static struct pair {
    uint64_t mine, other;
    int apart;
} pairs[PAIRS];

/* The slot of the hash, or the free slot for it. */
static chain *slot_of(chain *table, size_t count, uint64_t hash)
{
    size_t at = (size_t)(hash >> 32) & (count - 1);

    while (table[at].hash && table[at].hash != hash)
        at = (at + 1) & (count - 1);
    return &table[at];
}

static const chain *find(uint64_t hash)
{
    const chain *c = slots ? slot_of(chains, slots, hash) : NULL;

    return c && c->hash ? c : NULL;
}

/* 0: out of memory. */
static int grow(void)
{
    const size_t more = slots ? 2 * slots : SLOTS_MIN;
    chain *table = calloc(more, sizeof *table);

    if (!table)
        return 0;
    for (size_t i = 0; i < slots; i++)
        if (chains[i].hash)
            *slot_of(table, more, chains[i].hash) = chains[i];
    free(chains);
    chains = table;
    slots = more;
    return 1;
}

static void keep(const chain *c)
{
    if (2 * used >= slots && !grow())
        return;
    *slot_of(chains, slots, c->hash) = *c;
    used++;
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
    c.hash = hash;
    if (hash != first && !find(hash))
        keep(&c);
    return hash;
}

/* The functions of a chain, starting with the kernel. */
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

/* Where two chains diverge: 1, with the two calls of one function in *mine and *other. */
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
