/* SPDX-License-Identifier: Apache-2.0 */
/* coalescing_model.c - sectors and lines of requests, from the addresses of the pattern. */
#include "coalescing.h"

#include <stdlib.h>

enum { LANES_MAX = 64, SECTOR = 32, HALF_LINE = 64, LINE = 128 };

static int by_value(const void *one, const void *other)
{
    const size_t a = *(const size_t *)one, b = *(const size_t *)other;

    return (a > b) - (a < b);
}

/* Address of the lane's element, from the first element of the array on. */
static size_t address_of(const coalescing_case *c, size_t request, unsigned lane, unsigned warp)
{
    const coalescing_reads *r = &c->reads;
    size_t element = (size_t)r->factor * lane % warp * r->stride;

    if (r->scattered)
        element = coalescing_scatter((uint32_t)request, lane, (uint32_t)r->span);
    return c->bytes * (r->offset + request * r->span + element);
}

/* Number of aligned pieces of `size` bytes in which the sorted addresses fall. An element lies in
   one piece, because it is aligned to its size. */
static double pieces(const size_t *addresses, unsigned count, size_t size)
{
    double sum = 1;

    for (unsigned i = 1; i < count; i++)
        sum += addresses[i] / size != addresses[i - 1] / size;
    return sum;
}

coalescing_model coalescing_predict(const coalescing_case *c, size_t requests, unsigned warp)
{
    coalescing_model sum = {0, 0, 0, 0, 0, 0};
    size_t addresses[LANES_MAX], last = SIZE_MAX;

    for (size_t request = 0; request < requests; request++) {
        for (unsigned lane = 0; lane < warp; lane++)
            addresses[lane] = address_of(c, request, lane, warp);
        qsort(addresses, warp, sizeof *addresses, by_value);
        sum.requests++;
        sum.used += c->bytes * pieces(addresses, warp, c->bytes);
        sum.sectors += pieces(addresses, warp, SECTOR);
        sum.lines64 += pieces(addresses, warp, HALF_LINE);
        sum.lines128 += pieces(addresses, warp, LINE);
        sum.shared += last == addresses[0] / SECTOR ? SECTOR : 0;
        last = addresses[warp - 1] / SECTOR;
    }
    return sum;
}
