/* SPDX-License-Identifier: Apache-2.0 */
/* banks_model.c - conflicts of requests to shared memory, from the addresses of the pattern. */
#include "banks.h"

#include <stdbool.h>

enum { BANKS = 32, WORD = 4, GROUP_BYTES = BANKS * WORD, WORDS = BANKS_BYTES / WORD };

static unsigned element_of(const banks_case *c, unsigned lane, unsigned warp)
{
    const banks_reads *r = &c->reads;
    const unsigned element = (r->factor * lane % warp >> r->shift) * r->stride;

    return (element + (lane & r->swizzle)) % (BANKS_BYTES / c->bytes);
}

/* Maximum number of different words that the lanes [first, end) read in one bank. */
static unsigned degree_of(const banks_case *c, unsigned first, unsigned end, unsigned warp)
{
    bool used[WORDS] = {false};
    unsigned in_bank[BANKS] = {0}, most = 0;

    for (unsigned lane = first; lane < end; lane++)
        for (unsigned i = 0; i < c->bytes / WORD; i++)
            used[element_of(c, lane, warp) * (c->bytes / WORD) + i] = true;
    for (unsigned word = 0; word < WORDS; word++) {
        in_bank[word % BANKS] += used[word];
        if (most < in_bank[word % BANKS])
            most = in_bank[word % BANKS];
    }
    return most;
}

banks_model banks_predict(const banks_case *c, unsigned warp)
{
    const unsigned lanes = GROUP_BYTES / c->bytes;
    banks_model m = {0, 0, degree_of(c, 0, warp, warp)};

    for (unsigned first = 0; first < warp; first += lanes) {
        unsigned degree = degree_of(c, first, first + lanes, warp);

        m.passes += degree;
        if (m.degree < degree)
            m.degree = degree;
    }
    return m;
}
