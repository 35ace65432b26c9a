/* SPDX-License-Identifier: Apache-2.0 */
/* coalescing_model.c - sectors and lines of requests, from the addresses of the pattern. */
#include "coalescing.h"

#include "pieces.h"

/* Address of the lane's element, from the first element of the array on. */
static size_t address_of(const coalescing_case *c, size_t request, unsigned lane, unsigned warp)
{
    const coalescing_reads *r = &c->reads;
    size_t element = (size_t)r->factor * lane % warp * r->stride;

    if (r->scattered)
        element = coalescing_scatter((uint32_t)request, lane, (uint32_t)r->span);
    return c->bytes * (r->offset + request * r->span + element);
}

coalescing_model coalescing_predict(const coalescing_case *c, size_t requests, unsigned warp)
{
    coalescing_model sum = {0, 0, 0, 0, 0, 0};
    size_t addresses[LAB_LANES_MAX], last = SIZE_MAX;

    for (size_t request = 0; request < requests; request++) {
        for (unsigned lane = 0; lane < warp; lane++)
            addresses[lane] = address_of(c, request, lane, warp);
        lab_addresses_sort(addresses, warp);
        sum.requests++;
        sum.used += c->bytes * lab_pieces(addresses, warp, c->bytes);
        sum.sectors += lab_pieces(addresses, warp, LAB_SECTOR);
        sum.lines64 += lab_pieces(addresses, warp, LAB_HALF_LINE);
        sum.lines128 += lab_pieces(addresses, warp, LAB_LINE);
        sum.shared += last == addresses[0] / LAB_SECTOR ? LAB_SECTOR : 0;
        last = addresses[warp - 1] / LAB_SECTOR;
    }
    return sum;
}
