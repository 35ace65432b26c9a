/* SPDX-License-Identifier: Apache-2.0 */
/* kern_engine.c - kernels for the tests of what the CPU engine does besides running them. */
#include <heddle/kernel.h>

#include "engine_kernels.h"

/* out[0] = x[0] + x[1] + ... from left to right */
HD_KERNEL void engine_sum(const float *x, unsigned n, float *out)
{
    float sum = 0;
    unsigned i;

    for (i = 0; i < n; i++)
        sum += x[i];
    out[0] = sum;
}
HD_DEFINE(engine_sum)

/* Threads with a large frame, of which they touch n bytes at the far end; they meet in between. */
HD_KERNEL void engine_frame(int *bad, int n)
{
    volatile char room[ENGINE_FRAME];
    char mine = (char)(0x11 * (hd_thread_x() + 1));
    int i, wrong = 0;

    for (i = 0; i < n; i++)
        room[i] = mine;
    hd_sync_block();
    for (i = 0; i < n; i++)
        wrong += room[i] != mine;
    bad[hd_thread_x()] = wrong;
}
HD_DEFINE(engine_frame)

HD_KERNEL void engine_print(const char *text)
{
    hd_printf("%s\n", text);
}
HD_DEFINE(engine_print)

HD_KERNEL void engine_wait(const unsigned *flag, unsigned value)
{
    (void)hd_wait_ge_system(flag, value);
}
HD_DEFINE(engine_wait)

HD_KERNEL void engine_wait_signed(const int *flag, int value)
{
    (void)hd_wait_ge_system(flag, value);
}
HD_DEFINE(engine_wait_signed)

/* Lanes 0, 2, 3 meet, then lanes 0 and 1, who have waited meanwhile: two groups of lowest lane 0
   are open at once. out[lane]: the ballots, the first times 100 where there are two. */
HD_KERNEL void engine_two_groups(unsigned *out)
{
    unsigned lane = hd_lane(), got;
    hd_mask three = hd_mask_of(13), two = hd_mask_of(3);

    if (lane == 0) {
        got = 100 * (unsigned)hd_mask_bits(hd_ballot_in(three, 1));
        got += (unsigned)hd_mask_bits(hd_ballot_in(two, 1));
    } else if (lane == 1) {
        got = (unsigned)hd_mask_bits(hd_ballot_in(two, 1));
    } else {
        got = (unsigned)hd_mask_bits(hd_ballot_in(three, 1));
    }
    out[lane] = got;
}
HD_DEFINE(engine_two_groups)

/* Three lanes, each of which waits for the next one in a group of its own. */
HD_KERNEL void engine_disagree(unsigned *out)
{
    unsigned lane = hd_lane();
    hd_mask mask = hd_mask_of(lane == 0 ? 3u : lane == 1 ? 6u : 5u);

    out[lane] = (unsigned)hd_mask_bits(hd_ballot_in(mask, 1));
}
HD_DEFINE(engine_disagree)

/* Lanes that can never meet, though nobody names a wrong mask. */
HD_KERNEL void engine_half_at_barrier(unsigned *out)
{
    if (hd_thread_x() % 2)
        hd_sync_block();
    else
        out[hd_thread_x()] = (unsigned)hd_mask_count(hd_ballot(1));
}
HD_DEFINE(engine_half_at_barrier)

/* Works, in one piece, until the host says that it is enough. */
HD_KERNEL void engine_spin(int *turns, const unsigned *enough)
{
    while (!hd_load_acquire_system(enough))
        hd_store_relaxed(turns, (hd_load_relaxed(turns) + 1) & 0xffff);
}
HD_DEFINE(engine_spin)
