/* SPDX-License-Identifier: Apache-2.0 */
/* kern_arguments.c - arguments that warp operations do not take, and odd ones that they do. Blocks
   of 64 threads. A comment behind a call is all that the checker has to say about the line: a code
   and what was wrong, where a number before the code is the warp size it is wrong at. */
#include <heddle/kernel.h>

#include "kern_arguments.h"

HD_KERNEL void arguments_width(unsigned *out)
{
    const hd_mask even = hd_ballot(hd_lane() % 2 == 0);
    unsigned v = hd_lane();

    v += hd_shfl(v, 0, 48);                      /* HD-WARP-WIDTH width 48 */
    v += hd_shfl(v, 0, 64);                      /* 32 HD-WARP-WIDTH width 64 */
    v += hd_shfl(v, 0, 128);                     /* HD-WARP-WIDTH width 128 */
    v += hd_shfl_xor(v, 1, 0);                   /* HD-WARP-WIDTH width 0 */
    v += hd_shfl_xor(v, 32, 64);                 /* 32 HD-WARP-WIDTH width 64 */
    v += hd_shfl_down(v, 1, 33);                 /* HD-WARP-WIDTH width 33 */
    v += hd_shfl_up(v, 1, -32);                  /* HD-WARP-WIDTH width -32 */
    v += hd_shfl(v, 0, (1ull << 32) + 4);        /* HD-WARP-WIDTH width 4294967300 */
    v += hd_warp_sum_width(v, 12);               /* HD-WARP-WIDTH width 12 */
    v += hd_warp_min_width(v, 64);               /* 32 HD-WARP-WIDTH width 64 */
    v += hd_warp_max_width(v, 0);                /* HD-WARP-WIDTH width 0 */
    v += hd_warp_scan_sum_width(v, 24);          /* HD-WARP-WIDTH width 24 */
    v += hd_warp_scan_min_width(v, 3);           /* HD-WARP-WIDTH width 3 */
    v += hd_warp_scan_max_width(v, 5);           /* HD-WARP-WIDTH width 5 */
    v += hd_warp_scan_exclusive_sum_width(v, 6); /* HD-WARP-WIDTH width 6 */
    if (hd_mask_test(even, hd_lane())) {
        v += hd_shfl_in(even, v, 0, 48);      /* HD-WARP-WIDTH width 48 */
        v += hd_shfl_up_in(even, v, 2, 10);   /* HD-WARP-WIDTH width 10 */
        v += hd_shfl_down_in(even, v, 2, 20); /* HD-WARP-WIDTH width 20 */
        v += hd_shfl_xor_in(even, v, 2, 64);  /* 32 HD-WARP-WIDTH width 64 */
    }
    out[hd_global_x()] = v;
}
HD_DEFINE(arguments_width)

HD_KERNEL void arguments_distance(unsigned *out)
{
    const hd_mask even = hd_ballot(hd_lane() % 2 == 0);
    unsigned v = hd_lane();

    v += hd_shfl_up(v, -1, 32);                 /* HD-SHUFFLE-DISTANCE distance -1 */
    v += hd_shfl_down(v, -3, 32);               /* HD-SHUFFLE-DISTANCE distance -3 */
    v += hd_shfl_xor(v, -1, 32);                /* HD-SHUFFLE-DISTANCE distance -1 */
    v += hd_shfl_up(v, (size_t)0 - 1, 32);      /* HD-SHUFFLE-DISTANCE distance -1 */
    v += hd_shfl_down(v, (1ull << 32) + 1, 32); /* HD-SHUFFLE-DISTANCE distance 4294967297 */
    if (hd_mask_test(even, hd_lane())) {
        v += hd_shfl_up_in(even, v, -2, 32);   /* HD-SHUFFLE-DISTANCE distance -2 */
        v += hd_shfl_down_in(even, v, -2, 32); /* HD-SHUFFLE-DISTANCE distance -2 */
        v += hd_shfl_xor_in(even, v, -2, 32);  /* HD-SHUFFLE-DISTANCE distance -2 */
    }
    out[hd_global_x()] = v;
}
HD_DEFINE(arguments_distance)

HD_KERNEL void arguments_lane(unsigned *out)
{
    unsigned v = hd_lane();

    v += hd_broadcast(v, (int)hd_lane());    /* HD-BROADCAST-LANE lane 0 reads lane 0, lane 1 */
    v += hd_broadcast(v, hd_lane() / 8 / 3); /* HD-BROADCAST-LANE lane 0 reads lane 0, lane 24 */
    v += hd_broadcast(v, 40);                /* 32 HD-BROADCAST-LANE lane 40 */
    v += hd_broadcast(v, 64);                /* HD-BROADCAST-LANE lane 64 */
    v += hd_broadcast(v, -1);                /* HD-BROADCAST-LANE lane -1 */
    out[hd_global_x()] = v;
}
HD_DEFINE(arguments_lane)

/* An index is taken modulo the width, and a distance may lead out of the group, however far. */
HD_KERNEL void arguments_legal(unsigned *out)
{
    const unsigned warp = hd_warp_size();
    unsigned v = hd_lane();

    for (unsigned width = 1; width <= warp; width *= 2) {
        v += hd_shfl(v, 40, width);
        v += hd_shfl(v, -1, width);
        v += hd_shfl(v, (long)v * 7, width);
        v += hd_shfl_up(v, 0, width);
        v += hd_shfl_up(v, width + 1, width);
        v += hd_shfl_down(v, ~0u, width);
        v += hd_shfl_down(v, v & 7, width);
        v += hd_shfl_xor(v, 40, width);
        v += hd_shfl_xor_in(hd_mask_warp(), v, ~0u, width);
        v += hd_warp_sum_width(v, width) + hd_warp_scan_sum_width(v, (int)width);
    }
    v += hd_broadcast(v, warp - 1);
    v += hd_broadcast(v, (long long)hd_warp_max(hd_lane()));
    out[hd_global_x()] = v;
}
HD_DEFINE(arguments_legal)
