/* SPDX-License-Identifier: Apache-2.0 */
/* p2p.c - ping-pong between two devices. */
#include <heddle/kernel.h>

#include "p2p.h"

/* One thread on each of two devices. The side that begins writes 1 to the other's flag and waits
   until its own flag is 1, then 2, and so on: `turns` round trips. Each side polls a flag in its
   own memory; flags are initially zero. */
HD_KERNEL void p2p_pingpong(unsigned turns, uint32_t *mine, uint32_t *theirs, int begins)
{
    if (hd_global_x() != 0)
        return;
    for (uint32_t turn = 1; turn <= turns; turn++) {
        if (begins)
            hd_store_release_system(theirs, turn);
        (void)hd_wait_ge_system(mine, turn);
        if (!begins)
            hd_store_release_system(theirs, turn);
    }
}
HD_DEFINE(p2p_pingpong)
