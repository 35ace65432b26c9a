/* SPDX-License-Identifier: Apache-2.0 */
/* kern_replay.c - kernels that a replay at the other warp size must cope with. */
#include <heddle/kernel.h>

#include "kern_replay.h"

HD_KERNEL void replay_say(float *out)
{
    if (hd_thread_x() == 0)
        hd_printf("said\n");
    out[hd_global_x()] = 1;
}
HD_DEFINE(replay_say)

/* Meets in every way there is, with one result for all warp sizes. */
HD_KERNEL void replay_same(float *out)
{
    HD_SHARED(float, part, HD_MAX_BLOCK_THREADS);
    unsigned t = hd_thread_x();

    part[t] = (float)t;
    hd_sync_block();
    out[hd_global_x()] = hd_block_sum(1.0f) + part[hd_block_threads() - 1 - t] +
                         hd_shfl_xor((float)t, 16, 32);
}
HD_DEFINE(replay_same)

HD_KERNEL void replay_width(float *out)
{
    float sum = hd_warp_sum(0.5f);

    out[hd_global_x()] = hd_thread_x() == 40 ? sum : 0; /* WRITE */
}
HD_DEFINE(replay_width)

/* Threads from HALF on go another way than those before them. */
enum { HALF = 32 };
HD_KERNEL void replay_fails(float *out)
{
    if (hd_thread_x() < HALF)
        out[hd_global_x()] = (float)hd_shfl(1, 0, HALF);
    else
        out[hd_global_x()] = (float)hd_any(1);
}
HD_DEFINE(replay_fails)

/* Goes on when the host says so, which nobody does in a replay. */
HD_KERNEL void replay_waits(float *out, const unsigned *flag)
{
    if (hd_thread_x() == 0)
        (void)hd_wait_ge_system(flag, 1u);
    out[hd_global_x()] = (float)hd_warp_size();
}
HD_DEFINE(replay_waits)
