/* SPDX-License-Identifier: Apache-2.0 */
/* kern_barrier.c - block and warp barriers under threads that return early. */
#include <heddle/kernel.h>

#include "barrier.h"

/* One block. p: `rounds` rows of a predicate per thread; thread t returns before round leave[t].
   out: BARRIER_RESULTS values per round and thread. */
HD_KERNEL void barrier_predicates(const int *HD_RESTRICT p, const int *HD_RESTRICT leave,
                                  int *HD_RESTRICT out, int rounds)
{
    size_t t = hd_thread_linear(), threads = hd_block_threads();

    for (int r = 0; r < rounds; r++) {
        size_t row = (size_t)r * threads + t;

        if (leave[t] == r)
            return;
        out[BARRIER_RESULTS * row + BARRIER_COUNT] = (int)hd_sync_block_count(p[row]);
        out[BARRIER_RESULTS * row + BARRIER_AND] = hd_sync_block_and(p[row]) != 0;
        out[BARRIER_RESULTS * row + BARRIER_OR] = hd_sync_block_or(p[row]) != 0;
    }
}
HD_DEFINE(barrier_predicates)

/* Threads pass values around in shared memory. Those with t % modulus == modulus - 1 return first;
   those with t % 16 == 2 stop after round 5. */
HD_KERNEL void barrier_exchange(uint32_t *HD_RESTRICT out, unsigned modulus, unsigned step,
                                int rounds)
{
    HD_SHARED(uint32_t, place, HD_MAX_BLOCK_THREADS);
    unsigned t = hd_thread_linear(), n = hd_block_threads();
    uint32_t v = t * 7u + (uint32_t)hd_block_linear();

    if (t % modulus == modulus - 1) {
        out[hd_block_linear() * n + t] = 1;
        return;
    }
    for (int r = 0; r < rounds; r++) {
        unsigned from = (t + step + (unsigned)r) % n;
        uint32_t got;

        place[t] = v;
        hd_sync_block();
        got = from % modulus == modulus - 1 ? 3u : place[from];
        hd_sync_block();
        v = v * 3u + got;
        if (r == 5 && t % 16 == 2)
            break;
    }
    out[hd_block_linear() * n + t] = v;
}
HD_DEFINE(barrier_exchange)

/* Lanes pass values around in shared memory, ordered by warp barriers alone. */
HD_KERNEL void warp_exchange(uint32_t *HD_RESTRICT out, int rounds)
{
    HD_SHARED(uint32_t, place, HD_MAX_BLOCK_THREADS);
    unsigned t = hd_thread_linear(), n = hd_block_threads(), first = t - hd_lane();
    unsigned lanes = n - first < hd_warp_size() ? n - first : hd_warp_size();
    uint32_t v = t + 1u;

    for (int r = 0; r < rounds; r++) {
        uint32_t got;

        place[t] = v;
        hd_sync_warp();
        got = place[first + (hd_lane() + 1u + (unsigned)r) % lanes];
        hd_sync_warp();
        v = v * 5u + got;
    }
    out[t] = v;
}
HD_DEFINE(warp_exchange)

HD_DEVICE uint32_t exchange_among(hd_mask m, uint32_t *place, unsigned first, uint32_t v,
                                  int rounds)
{
    unsigned next = hd_lane() + 1;

    while (!hd_mask_test(m, next % HD_WARP_MAX))
        next++;
    for (int r = 0; r < rounds; r++) {
        uint32_t got;

        place[first + hd_lane()] = v;
        hd_sync_warp_in(m);
        got = place[first + next % HD_WARP_MAX];
        hd_sync_warp_in(m);
        v = v * 5u + got;
    }
    return v;
}

/* masks: two disjoint sets per warp; each lane takes from the next one of its set. */
HD_KERNEL void warp_exchange_in(const uint64_t *HD_RESTRICT masks, uint32_t *HD_RESTRICT out,
                                int rounds)
{
    HD_SHARED(uint32_t, place, HD_MAX_BLOCK_THREADS);
    unsigned t = hd_thread_linear(), first = t - hd_lane();
    hd_mask a = hd_mask_of(masks[2 * hd_warp()]), b = hd_mask_of(masks[2 * hd_warp() + 1]);

    if (hd_mask_test(a, hd_lane()))
        out[t] = exchange_among(a, place, first, t + 1u, rounds);
    else
        out[t] = exchange_among(b, place, first, t + 1u, rounds + 1);
}
HD_DEFINE(warp_exchange_in)
